"""Independence: whether the account of one person is in the hands of another, who opened or changed it not long ago.

The record says who did what to which account. Whoever opened or changed it counts, and whoever opened or changed the
account of that person, and so on. Two accounts that the same third person opened, or gave a password, are not
independent of each other either. The accounts that the house opened at the beginning owe themselves to nobody.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from punto.rules import Position
from punto.server.identity import events as on
from punto.server.identity.events import Noted

# What is done to an account without getting it into one's hands.
_HARMLESS: Final = (on.AccountLocked, on.AccountUnlocked, on.AccountClosed, on.ActingEnded)
# What lets somebody in who has not been let in before.
_LETS_IN: Final = (on.AccountOpened, on.PasswordChanged, on.WayBackIssued)


class _Change(NamedTuple):
    """Somebody has opened or changed the account of another; *lets_in* where a password was given with it."""

    by: str
    at_ms: int
    lets_in: bool


class Independence:
    """Who has opened and changed which accounts, by what makes names the same."""

    def __init__(self, key: Callable[[str], str]) -> None:
        self._key = key
        self._changes: defaultdict[str, list[_Change]] = defaultdict(list)

    def take(self, noted: Noted) -> None:
        """Something was written down; what concerns no account is passed over."""
        event = noted.event
        if not isinstance(event, on.OfStaff):
            return
        if isinstance(event, on.WayBackIssued):  # made on the machine, by whoever it names
            whose, by, nobody = self._key(event.name), self._key(event.decided_by), False
        else:
            whose, by = self._key(event.name), self._key(noted.by.name)
            nobody = noted.by.position is Position.SYSTEM or by == _HOUSE_NAME
        if by != whose and not nobody and not isinstance(event, _HARMLESS):
            self._changes[whose].append(_Change(by, noted.at_ms, isinstance(event, _LETS_IN)))

    def is_between(self, first: str, second: str, at_ms: int, span_ms: int) -> bool:
        """Whether two people are independent at a time, by what was done within a span before it."""
        if span_ms <= 0:
            return True
        first, second = self._key(first), self._key(second)
        if second in self._behind(first, at_ms, span_ms) or first in self._behind(second, at_ms, span_ms):
            return False
        makers = self._behind(first, at_ms, span_ms, lets_in=True)
        return makers.isdisjoint(self._behind(second, at_ms, span_ms, lets_in=True))

    def _behind(self, person: str, at_ms: int, span_ms: int, *, lets_in: bool = False) -> set[str]:
        """All in whose hands an account has been, directly or through others."""
        found: set[str] = set()
        open_ = [person]
        while open_:
            for change in self._recent(open_.pop(), at_ms - span_ms):
                if change.by not in found and (change.lets_in or not lets_in):
                    found.add(change.by)
                    open_.append(change.by)
        return found

    def _recent(self, person: str, since_ms: int) -> Iterator[_Change]:
        return (change for change in self._changes.get(person, ()) if change.at_ms > since_ms)


_HOUSE_NAME: Final = "house"
