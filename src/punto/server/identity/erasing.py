"""What an erasure does: what goes at once, and what law requires to stay, until when. Pages and commands share it."""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from punto.errors import Conflict, Corrupt, Malformed, NoSuchPerson, NotAllowed, Refusal, StaleVersion, quoted
from punto.floor import Floor
from punto.floor.cashiers import CASHIER
from punto.floor.personal import Holdings, Kept, KeptKind
from punto.ledger import wallet
from punto.ledger.book import read as read_booked
from punto.rules import Position
from punto.server.identity import events as on
from punto.server.identity.events import Stay, StayReason
from punto.server.identity.people import People, key
from punto.server.retention import DAY_MS, Retention
from punto.store.batch import is_name
from punto.surroundings import now_ms
from punto.table import Actor

LONGEST_REASON: Final = 200
_FLOOR: Final = Actor("floor", Position.SYSTEM)
_TRIES: Final = 10
# Shorter words of a name stand in many a reason.
_SHORTEST_WORD: Final = 3
_WORD: Final = re.compile(r"\w+")


class Line(NamedTuple):
    """Something that is kept about a person, and until when law requires it to stay; 0 where nothing does."""

    kept: Kept
    until_ms: int


class Disputed(NamedTuple):
    """What was said in a claim of a person, as long as that matters.

    As long as it *is_open* nobody erases it; then until *until_ms* none of the *people* who had a part in its round.
    Where the record does not say who had (none), nobody does.
    """

    commitments: frozenset[str]
    is_open: bool
    until_ms: int
    people: frozenset[str] | None = None


# What was said in claims of the person of that name; it is asked on the thread that writes.
Disputes = Callable[[str], Sequence[Disputed]]


class About(NamedTuple):
    """All that is kept about a person: what lies beside the record, and how much of the record bears the name."""

    person: str
    lines: tuple[Line, ...]
    damaged: tuple[str, ...]
    active_ms: int
    # Entries by stream that stay for ever under the name.
    on_record: dict[str, int]
    disputed: tuple[Disputed, ...] = ()

    def stays(self, line: Line, at_ms: int, by: str | None = None) -> tuple[int, StayReason]:
        """Until when a line stays, and why; 0 where nothing keeps it.

        *by* is whoever has it erased; nobody of whom it is known who they are may have had a part in any round.
        """
        until_ms, why = line.until_ms, StayReason.LAW
        for each in self.disputed:
            if line.kept.commitment not in each.commitments:
                continue
            if each.is_open:
                claim_ms, reason = max(each.until_ms, at_ms + DAY_MS), StayReason.OPEN_CLAIM
            elif by is None or each.people is None or key(by) in each.people:
                claim_ms, reason = each.until_ms, StayReason.CLAIM
            else:
                continue
            if claim_ms > max(until_ms, at_ms):
                until_ms, why = claim_ms, reason
        return until_ms, why


def about(floor: Floor, people: People, retention: Retention, name: str, disputes: Disputes) -> About:
    """All that is kept about somebody, on the thread that writes; `NoSuchPerson` where that is nothing."""
    person = _called(people, name)
    holdings = floor.personal.of(person)
    on_record = {stream: floor.history.end(stream).version for stream in _streams_of(person) if is_name(stream)}
    on_record = {stream: entries for stream, entries in on_record.items() if entries}
    known = key(person) in people.active_ms or key(person) in people.patrons
    if not (known or on_record or holdings.kept or holdings.damaged):
        raise NoSuchPerson(f"nothing is kept about {quoted(name, 60)}, and nobody here is called so")
    active_ms = _active_ms(floor, people, person, holdings)
    lines = tuple(Line(each, retention.until_ms(each.kind, active_ms)) for each in holdings.kept)
    return About(person, lines, holdings.damaged, active_ms, on_record, tuple(disputes(person)))


def erasure(  # noqa: PLR0913 (who, what, when and why)
    found: About, retention: Retention, at_ms: int, by: str | None, *, reason: str, decided_by: str = ""
) -> on.PersonErased:
    """What becomes of all that is kept about somebody who asks for it to be erased, *by* somebody on the staff."""
    stays: dict[tuple[KeptKind, int, StayReason], list[str]] = {}
    erased: list[str] = []
    for line in found.lines:
        until_ms, why = found.stays(line, at_ms, by)
        if until_ms > at_ms:
            stays.setdefault((line.kept.kind, until_ms, why), []).append(line.kept.commitment)
        else:
            erased.append(line.kept.commitment)
    if not (erased or stays or found.damaged):
        raise Refusal(f"nothing is kept about {found.person} beside the record: there is nothing to erase")
    return on.PersonErased(
        found.person,
        tuple(erased),
        tuple(Stay(kind, until_ms, tuple(kept), why) for (kind, until_ms, why), kept in stays.items()),
        retention.basis if any(why is StayReason.LAW for *_, why in stays) else "",
        reason,
        decided_by,
    )


def due(event: on.PersonErased, found: About, at_ms: int) -> on.PersonErased | None:
    """What goes now of what had to stay; none where nothing does, or somebody who was active since stays for longer."""
    until = {line.kept.commitment: found.stays(line, at_ms)[0] for line in found.lines}
    gone: list[str] = []
    stays: list[Stay] = []
    for stay in event.stays:
        for_ms = [max(stay.until_ms, until.get(each, 0)) for each in stay.commitments]
        later = [each for each, until_ms in zip(stay.commitments, for_ms, strict=True) if until_ms > at_ms]
        gone += [each for each in stay.commitments if each not in later]
        if later:
            stays.append(Stay(stay.kind, max(for_ms), tuple(later), stay.why))
    if not gone and tuple(stays) == event.stays:
        return None
    return on.PersonErased(event.person, tuple(gone), tuple(stays), event.basis if stays else "")


def read_people(floor: Floor) -> People:
    """Everybody who is known, as far as it is signed."""
    floor.look_over(on.STREAMS)
    people = People()
    for stream in on.STREAMS:
        for entry in floor.history.read(stream):
            people.evolve(on.read(entry.body))
    return people


def erase_from_the_machine(
    floor: Floor, retention: Retention, name: str, decided: tuple[str, str], disputes: Disputes
) -> on.PersonErased:
    """Erase all about somebody that nothing requires to stay, by whoever has the machine: who decides it, and why.

    Nobody knows who that is: what was said in a claim stays as if it were somebody who had a part in its round.
    """
    decided_by, reason = decided
    for _ in range(_TRIES):
        at_ms = now_ms()
        found = about(floor, read_people(floor), retention, name, disputes)
        check_reason(reason, found)
        if key(decided_by) == key(found.person):
            raise NotAllowed("you cannot have your own personal data erased: somebody else must decide that")
        event = erasure(found, retention, at_ms, None, reason=reason, decided_by=decided_by)
        version = floor.history.end(on.PERSONS).version
        try:
            floor.note([(on.PERSONS, on.write(on.Noted(at_ms, _FLOOR, event)))], {on.PERSONS: version}, at_ms)
        except StaleVersion:
            continue
        floor.personal.erase_these(event.erased, event.person)
        return event
    raise Conflict(f"the floor wrote {_TRIES} times meanwhile: nothing was erased, try again")


def check_reason(reason: str, found: About) -> None:
    """Refuse a reason that is none, or has a word of the full name: the reason stays on record for ever."""
    if not reason.strip() or len(reason) > LONGEST_REASON or not reason.isprintable():
        raise Malformed(f"an erasure has a reason of 1 to {LONGEST_REASON} letters and signs, on one line")
    names = [line.kept.text for line in found.lines if line.kept.kind is KeptKind.FULL_NAME]
    if words_of(names) & words_of([reason]):
        raise Malformed("the reason stays on record for ever: it must not name the person")


def words_of(texts: Iterable[str]) -> set[str]:
    """The words of texts, however they are written."""
    found = {word for text in texts for word in _WORD.findall(key(text))}
    return {word for word in found if len(word) >= _SHORTEST_WORD or not word.isascii()}


def _called(people: People, name: str) -> str:
    """The name as it is on record, however it was typed."""
    account = people.account(name)
    if account is not None:
        return account.name
    return people.patrons.get(key(name)) or name


def _streams_of(person: str) -> tuple[str, ...]:
    return wallet(person), CASHIER + key(person)


def _active_ms(floor: Floor, people: People, person: str, holdings: Holdings) -> int:
    """When somebody was last here or moved money; of whoever did neither, when something was last written down."""
    booked_ms = 0
    with suppress(Corrupt):  # a wallet that is stopped is no reason to keep what is kept beside it
        last = floor.history.last(wallet(person)) if is_name(wallet(person)) else None
        booked_ms = read_booked(last.body).at_ms if last else 0
    here_ms = max(people.active_ms.get(key(person), 0), booked_ms)
    return here_ms or max((each.at_ms for each in holdings.kept), default=0)
