"""Own devices: whether somebody has enrolled in a browser that nobody uses who could come in as that person.

Whoever opens an account, gives it a password or a way back, or removes its passkeys and codes has it in hand. Its owner
takes it over by changing the password, and adding a passkey or one-time codes, in a browser in which none of those has
signed in, and no other has enrolled, before. Accounts that the house opens are their owners' from the beginning.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Final, NamedTuple

from punto.rules import Position
from punto.server.identity import events as on
from punto.server.identity.events import Noted

# Under this name one-time codes are kept among the passkeys of an account.
_CODES: Final = ""
_NEVER_MS: Final = 1 << 62


class _Place(NamedTuple):
    """In which browser something was done, by its digest, and when."""

    browser: str
    at_ms: int


class OwnDevices:
    """Who has enrolled where, by what makes names the same."""

    def __init__(self, key: Callable[[str], str]) -> None:
        self._key = key
        # Everybody who has had an account in hand besides its owner, and who made the way back that is still unused.
        self._holders: defaultdict[str, set[str]] = defaultdict(set)
        self._ways_back: dict[str, str] = {}
        # Where owners have chosen passwords since others last had one, and added the passkeys and codes that count.
        self._passwords: defaultdict[str, list[_Place]] = defaultdict(list)
        self._factors: defaultdict[str, dict[str, _Place]] = defaultdict(dict)
        # When each person first signed in with a browser, and who was the first to enrol in it.
        self._seen: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self._owners: dict[str, str] = {}

    def is_own(self, name: str) -> bool:
        """Whether an account is its owner's alone, or was never anybody else's."""
        person = self._key(name)
        if not self._holders.get(person):
            return True
        holders = self._all_holders(person)
        passwords, factors = self._passwords.get(person, []), self._factors.get(person, {}).values()
        return all(any(self._is_free(place, person, holders) for place in places) for places in (passwords, factors))

    def has_seen(self, browser: str) -> bool:
        """Whether anybody has signed in with a browser, by its digest."""
        return any(browser in browsers for browsers in self._seen.values())

    def take(self, noted: Noted) -> None:
        """Something was written down; what concerns neither accounts nor sessions is passed over."""
        event = noted.event
        if isinstance(event, on.SessionBegan):
            if event.browser and event.position is None:
                seen = self._seen[self._key(event.name)]
                seen[event.browser] = min(seen.get(event.browser, _NEVER_MS), noted.at_ms)
        elif isinstance(event, on.OfStaff):
            self._of_account(event, self._key(event.name), noted)

    def _of_account(self, event: on.OfStaff, person: str, noted: Noted) -> None:
        match event:
            case on.AccountOpened() | on.PasswordChanged(temporary=True):
                self._passwords[person].clear()
                self._hold(person, noted)
            case on.PasswordChanged(browser=browser):
                self._passwords[person].append(_Place(browser, noted.at_ms))
            case on.PasskeyAdded(id=id_, browser=browser):
                self._enrol(person, id_, _Place(browser, noted.at_ms))
            case on.CodesSet(browser=browser):
                self._enrol(person, _CODES, _Place(browser, noted.at_ms))
            case on.PasskeyRemoved(id=id_):
                self._factors[person].pop(id_, None)
            case on.CodesRemoved():
                self._factors[person].pop(_CODES, None)
            case on.FactorsReset():
                self._factors[person].clear()
                self._hold(person, noted)
            case on.WayBackIssued(decided_by=by):
                self._ways_back[person] = self._key(by)
            case on.WayBackUsed():
                self._factors[person].clear()
                self._passwords[person].clear()
                self._holders[person].add(self._ways_back.pop(person, ""))
            case _:
                pass

    def _enrol(self, person: str, id_: str, place: _Place) -> None:
        self._factors[person][id_] = place
        self._owners.setdefault(place.browser, person)

    def _hold(self, person: str, noted: Noted) -> None:
        by = self._key(noted.by.name)
        if by not in (person, _HOUSE) and noted.by.position is not Position.SYSTEM:
            self._holders[person].add(by)

    def _is_free(self, place: _Place, person: str, holders: set[str]) -> bool:
        """Whether a browser was its owner's alone when something was done in it."""
        if not place.browser or self._owners.get(place.browser, person) != person:
            return False
        return all(self._seen.get(each, {}).get(place.browser, _NEVER_MS) > place.at_ms for each in holders)

    def _all_holders(self, person: str) -> set[str]:
        """All who have had an account in hand, directly or through others."""
        found: set[str] = set()
        open_ = [person]
        while open_:
            fresh = self._holders.get(open_.pop(), set()) - found
            found |= fresh
            open_ += fresh
        return found - {person}


_HOUSE: Final = "house"
