"""Refusals for want of authority, counted by person, once each; those of staff are in the security log, too."""

from collections import Counter
from typing import Final

from punto.errors import NeedsSecond, NotAllowed

_MOST_PEOPLE: Final = 1_000


class Trespasses:
    """How often each person was refused; whoever was refused least is forgotten first."""

    def __init__(self) -> None:
        self._refused: Counter[str] = Counter()

    def count(self, name: str) -> None:
        """Somebody was refused what the position does not carry."""
        if name not in self._refused and len(self._refused) >= _MOST_PEOPLE:
            del self._refused[min(self._refused, key=self._refused.__getitem__)]
        self._refused[name] += 1

    def of(self, name: str) -> int:
        """How often a person was refused."""
        return self._refused[name]

    def most(self, count: int) -> list[tuple[str, int]]:
        """Whoever was refused most, and how often."""
        return self._refused.most_common(count)


def is_trespass(error: object) -> bool:
    """Whether a refusal is for want of authority: what takes a second person is proposed, and that is none."""
    return isinstance(error, NotAllowed) and not isinstance(error, NeedsSecond)
