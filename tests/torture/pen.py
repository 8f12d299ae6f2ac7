"""The pen that commands are written with: each has an id of its own, and comes later than the one before."""

from random import Random
from typing import Any

from punto.table import Actor, AnyCommand

_STEP_MS = 40


class Pen:
    """Writes commands for one life of a process; *chance* decides what is done, and nothing else does."""

    def __init__(self, life: str, now_ms: int, chance: Random) -> None:
        self.chance = chance
        self.now_ms = now_ms
        self._life = life
        self._serial = 0

    def ask(self, kind: type[Any], table: str, by: Actor, **fields: Any) -> AnyCommand:  # noqa: ANN401
        """The next command."""
        self._serial += 1
        self.now_ms += _STEP_MS
        command: AnyCommand = kind(
            id=f"{self._life}-{self._serial:06}", table=table, by=by, at_ms=self.now_ms, **fields
        )
        return command

    def now_and_then(self, share: float) -> bool:
        """Whether it happens this time, as it does in that share of all times."""
        return self.chance.random() < share
