"""What lies beside the record about people: who may write it down, and who has it erased; what stays stays its time.

The texts themselves are beyond the record: of one that was erased nobody can say any more what it was.
"""

from typing import Final

from punto.record.checks import people as on
from punto.record.checks.register import Register, key
from punto.record.checks.written import Actor
from punto.rules import HIGHER_RANKS, RANKS, Position

# From the lowest.
_STAFF: Final = (*RANKS, *HIGHER_RANKS)
_FLOOR: Final = Actor("floor", Position.SYSTEM)
# What staff write about people themselves.
_OF_STAFF: Final = ("full-name", "note")


class Persons:
    """Judges the stream of what lies beside the record."""

    def __init__(self, register: Register) -> None:
        self._register = register

    def wrong(self, noted: on.Noted, event: on.OfPersons) -> str:
        """What is wrong with an entry; nothing where it can be."""
        return self._noted(noted.by, event) if isinstance(event, on.PersonNoted) else self._erased(noted, event)

    def _noted(self, by: Actor, event: on.PersonNoted) -> str:
        if event.kind not in _OF_STAFF:
            return f"{by.name} wrote down a {event.kind} about {event.person}, which nobody does by hand"
        if event.commitment in self._register.noted or event.commitment in self._register.erased:
            return f"what was written about {event.person} was on record already"
        of_staff = self._register.accounts.get(key(event.person)) is not None
        return _need(by, Position.GAMING_SHIFT_MANAGER if of_staff else Position.PIT_SUPERVISOR, "write about people")

    def _erased(self, noted: on.Noted, event: on.PersonErased) -> str:
        by, person = noted.by, key(event.person)
        there = (*event.erased, *(each for stay in event.stays for each in stay.commitments))
        if len(set(there)) < len(there) or not self._register.erased.isdisjoint(there):
            return f"what is kept about {event.person} was erased once more, or both erased and kept"
        if any(self._register.noted.get(each, person) != person for each in there):
            return f"what was erased of {event.person} was about somebody else"
        if any(stay.until_ms <= noted.at_ms or not stay.commitments for stay in event.stays):
            return f"what is kept about {event.person} was to stay until a time that was over"
        if by == _FLOOR and not event.reason:
            return self._when_due(noted.at_ms, event)
        if not event.reason.strip():
            return f"what is kept about {event.person} was erased without a reason"
        if by == _FLOOR:
            return "" if event.decided_by.strip() else f"nobody decided to erase what is kept about {event.person}"
        if event.decided_by:
            return f"{by.name} had something erased in the name of {event.decided_by}, which only the machine does"
        if key(by.name) == person:
            return f"{by.name} had erased what is kept about {by.name}"
        return _need(by, Position.GAMING_SHIFT_MANAGER, "have personal data erased")

    def _when_due(self, at_ms: int, event: on.PersonErased) -> str:
        """The floor erases by itself only what somebody had erased, and what was to stay until now."""
        stays = self._register.stays.get(key(event.person), {})
        if any(at_ms < stays.get(each, at_ms + 1) for each in event.erased):
            return f"the floor erased what is kept about {event.person} before its time, or unasked"
        later = {each: stay.until_ms for stay in event.stays for each in stay.commitments}
        if {*event.erased, *later} != stays.keys() or any(later[each] < stays[each] for each in later):
            return f"what was to stay about {event.person} was lost, or stays for less long than was said"
        return ""


def _need(by: Actor, least: Position, what: str) -> str:
    rank = _STAFF.index(by.position) if by.position in _STAFF else -1
    return "" if rank >= _STAFF.index(least) else f"{by.name}, {by.position.value}, may not {what}"
