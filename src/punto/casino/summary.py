"""The sum of many runs: how much happened in them, so that one sees that every kind of fault really did."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from punto.casino.attacker import FORGERIES, SCRAPS
from punto.casino.plan import FAULTS
from punto.casino.process import AHEAD, ENDED
from punto.casino.run import Outcome
from punto.casino.truth import ABANDONED, CONTRIBUTIONS

_PEOPLE: Final = (
    "commands",
    "commands at the desk",
    "commands acknowledged",
    "commands refused",
    "answers unknown",
    "asked again, and still not known",
    "refused: not-written",
    "refused: fenced",
    "pages led to another process",
    "pages told to wait for the store",
    "pages told that a table is run elsewhere",
    "commands asked again",
    "commands given up",
    "tickets",
    "sign-ins",
    "connections",
    "changes of table",
    "mistakes of staff",
    "cards misread",
    "irregularities reported",
)
_DIED: Final = "died "


class Summary:
    """What all seeds so far come to."""

    def __init__(self) -> None:
        self.seeds = 0
        self.failed: list[Outcome] = []
        self._counts: Counter[str] = Counter()
        self._steps = 0
        self._simulated_s = 0.0
        self._rounds = 0
        self._voids = 0
        self._entries = 0

    def add(self, outcome: Outcome) -> None:
        """Add a seed."""
        self.seeds += 1
        self._counts += outcome.counts
        self._steps += outcome.steps
        self._simulated_s += outcome.simulated_s
        self._rounds += outcome.rounds
        self._voids += outcome.voids
        self._entries += outcome.entries
        if outcome.broken:
            self.failed.append(outcome)

    def lines(self) -> Iterator[tuple[str, str]]:
        """What is counted, and how much of it there was."""
        yield "seeds", f"{self.seeds:,}"
        yield "seeds that failed", f"{len(self.failed):,}"
        yield "steps", f"{self._steps:,}"
        yield "simulated hours", f"{self._simulated_s / 3600:,.1f}"
        yield "rounds settled", f"{self._rounds:,}"
        yield "rounds void", f"{self._voids:,}"
        yield "entries written", f"{self._entries:,}"
        for what in (CONTRIBUTIONS, ABANDONED, AHEAD, "openings of the floor", ENDED, "processes that died"):
            yield what, f"{self._counts[what]:,}"
        for what in sorted(kind for kind in self._counts if kind.startswith(_DIED)):
            yield f"  in a transaction, {what.removeprefix(_DIED)}", f"{self._counts[what]:,}"
        for what in _PEOPLE:
            yield what, f"{self._counts[what]:,}"
        for fault in FAULTS:
            yield f"fault: {fault}", f"{self._counts[f'fault: {fault}']:,}"
        forgeries = [*FORGERIES, *SCRAPS]
        yield "forgeries", f"{sum(self._counts[f'forgery: {kind}'] for kind in forgeries):,}"
        for kind in forgeries:
            yield f"  {kind}", f"{self._counts[f'forgery: {kind}']:,}"
