"""Own devices, as the audit works them out: in whose browser each account was taken over from whoever had opened it.

An account that others have opened, given a password or a way back, or whose passkeys and codes they have removed, is in
their hands. It is its owner's once its owner has chosen a password, and added a passkey or codes that still count, each
in a browser in which none of the others had signed in by then, and nobody else had added any.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from punto.record.checks import people as on
from punto.record.checks.moments import Moment

_NOBODY: Final = frozenset({"house", "floor"})
_CODES: Final = "one-time codes"
# What may leave an account without a deed that counts.
_TAKES_AWAY: Final = on.PasswordChanged | on.PasskeyRemoved | on.CodesRemoved | on.FactorsReset | on.WayBackUsed


class _Deed(NamedTuple):
    """What an owner did for the account, where and when: the *id* of what was added, or none of a password."""

    browser: str
    moment: Moment
    id: str | None = None


class Devices:
    """Deeds of owners, and who else had each account in hand, by what makes names the same."""

    def __init__(self, key: Callable[[str], str]) -> None:
        self._key = key
        self._others: dict[str, dict[str, Moment]] = defaultdict(dict)
        self._recovering: dict[str, str] = {}
        # The deeds that count.
        self._deeds: dict[str, list[_Deed]] = defaultdict(list)
        # When each person signed in with each browser, who enrolled in it first, and when deeds ceased to count.
        self._sign_ins: dict[tuple[str, str], list[Moment]] = defaultdict(list)
        self._first: dict[str, str] = {}
        self._taken: dict[str, Moment] = {}

    def has_used(self, name: str, browser: str) -> bool:
        """Whether somebody has signed in with a browser."""
        return (self._key(name), browser) in self._sign_ins

    def take(self, noted: on.Noted, moment: Moment) -> None:
        """Something has happened."""
        event = noted.event
        if isinstance(event, on.SessionBegan) and event.browser and event.position is None:
            self._sign_ins[self._key(event.name), event.browser].append(moment)
        if isinstance(event, on.OfStaff):
            self._of_account(event, self._key(event.name), self._key(noted.by.name), moment)

    def _of_account(self, event: on.OfStaff, person: str, by: str, moment: Moment) -> None:
        deeds = self._deeds[person]
        if isinstance(event, _TAKES_AWAY):
            self._taken[person] = moment
        match event:
            case on.PasswordChanged(temporary=False):
                deeds.append(_Deed(event.browser, moment))
            case on.PasskeyAdded() | on.CodesSet():
                deeds.append(_Deed(event.browser, moment, event.id if isinstance(event, on.PasskeyAdded) else _CODES))
                self._first.setdefault(event.browser, person)
            case on.PasskeyRemoved() | on.CodesRemoved():
                gone = event.id if isinstance(event, on.PasskeyRemoved) else _CODES
                self._deeds[person] = [deed for deed in deeds if deed.id != gone]
            case on.AccountOpened() | on.PasswordChanged():
                self._deeds[person] = [deed for deed in deeds if deed.id is not None]
                self._lay_hands(person, by, moment)
            case on.FactorsReset():
                self._deeds[person] = [deed for deed in deeds if deed.id is None]
                self._lay_hands(person, by, moment)
            case on.WayBackIssued():
                self._recovering[person] = self._key(event.decided_by)
            case on.WayBackUsed():
                self._deeds[person] = []
                self._lay_hands(person, self._recovering.get(person, ""), moment)
            case _:
                pass

    def _lay_hands(self, person: str, by: str, moment: Moment) -> None:
        if by != person and by not in _NOBODY:
            self._others[person].setdefault(by, moment)

    def is_own(self, person: str, moment: Moment) -> bool:
        """Whether the account of somebody was its owner's alone, by all that the writer must have known."""
        others = set(self._behind(person, moment))
        taken = self._taken.get(person)
        if not others or (taken is not None and not moment.must_know(taken)):
            return True
        clear = [deed for deed in self._deeds[person] if self._is_clear(deed, person, others, moment)]
        return any(deed.id is None for deed in clear) and any(deed.id is not None for deed in clear)

    def _is_clear(self, deed: _Deed, person: str, others: set[str], moment: Moment) -> bool:
        if not deed.browser or self._first.get(deed.browser, person) != person:
            return False
        return not any(
            seen.at_ms <= deed.moment.at_ms and moment.must_know(seen)
            for other in others
            for seen in self._sign_ins.get((other, deed.browser), ())
        )

    def _behind(self, person: str, moment: Moment) -> Iterator[str]:
        """Everybody else in whose hands an account was, directly or through others."""
        found, fresh = {person}, [person]
        while fresh:
            for other, since in self._others.get(fresh.pop(), {}).items():
                if other not in found and moment.must_know(since):
                    found.add(other)
                    fresh.append(other)
                    yield other
