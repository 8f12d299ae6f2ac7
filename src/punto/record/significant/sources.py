"""Which entries of the record are significant events, and of which kind."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from punto.errors import Corrupt
from punto.proof.migrations import MIGRATIONS, read_migration
from punto.proof.pins import DECISIONS
from punto.proof.rotations import KEYS, read_rotation
from punto.record import journal as noted
from punto.record.checks import people
from punto.record.checks.claims import CLAIMS, read_claim
from punto.record.checks.interventions import of_decision, of_migration, of_rotations
from punto.record.checks.people import read_person
from punto.record.checks.tickets import TICKETS, TicketNote, read_ticket
from punto.record.checks.written import Actor, Refused, read_decision, read_refused
from punto.record.significant.event import NOBODY, EventKind, Severity, SignificantEvent
from punto.record.significant.words import of_claim, of_decision_in_words, of_journal, of_people, of_refusal, of_ticket
from punto.rules import Label, Position
from punto.store import Entry

SECURITY: Final = "security"
STAFF: Final = "identity/staff"
TERMINALS: Final = "identity/terminals"
HOUSE: Final = "identity/house"
PERSONS: Final = "identity/persons"
_FLOOR: Final = Actor(NOBODY, Position.SYSTEM)


class _Found(NamedTuple):
    """What an entry tells, before its place in the record is added."""

    at_ms: int
    kind: EventKind
    what: str
    severity: Severity
    by: Actor
    said: Label


def event_of(entry: Entry) -> SignificantEvent | None:
    """The significant event that an entry is; none where it is no such event. `ValueError` where it does not read."""
    try:
        found = _READERS[entry.stream](entry)
    except Corrupt as error:
        raise ValueError(error.message) from None
    return None if found is None else _placed(found, entry.stream, entry.version)


def unwritten(number: int, entry: noted.JournalEntry) -> SignificantEvent:
    """An event that the journal cannot take: it is of no stream, and has a number of its own there."""
    return _placed(_noted(entry), "", number)


def _placed(found: _Found, stream: str, version: int) -> SignificantEvent:
    at_ms, kind, what, severity, by, said = found
    return SignificantEvent(at_ms, kind, what, severity, by.name, by.position, said.en, said.zh, stream, version)


# The journal

_KINDS: Final[Mapping[type, tuple[EventKind, Severity]]] = MappingProxyType(
    {
        noted.FloorStarted: (EventKind.START, Severity.NOTICE),
        noted.FloorStopped: (EventKind.STOP, Severity.NOTICE),
        noted.ConfigurationChanged: (EventKind.CONFIGURATION, Severity.NOTICE),
        noted.TableConfigured: (EventKind.CONFIGURATION, Severity.NOTICE),
        noted.ProgramChecked: (EventKind.PROGRAM, Severity.NOTICE),
        noted.ProgramExpected: (EventKind.PROGRAM, Severity.NOTICE),
        noted.SignInsFailed: (EventKind.SIGN_IN, Severity.WARNING),
        noted.SignInSlowed: (EventKind.LOCK_OUT, Severity.WARNING),
        noted.TimeInDoubt: (EventKind.CLOCK, Severity.ERROR),
        noted.TimeTrusted: (EventKind.CLOCK, Severity.NOTICE),
        noted.StoreLost: (EventKind.STORE, Severity.ERROR),
        noted.StoreRecovered: (EventKind.STORE, Severity.NOTICE),
        noted.EventsLost: (EventKind.STORE, Severity.ERROR),
        noted.RecordAltered: (EventKind.STORE, Severity.ALERT),
        noted.AuditBegan: (EventKind.AUDIT, Severity.INFO),
        noted.AuditEnded: (EventKind.AUDIT, Severity.NOTICE),
        noted.RecordExported: (EventKind.EXPORT, Severity.NOTICE),
    }
)


def _of_journal(entry: Entry) -> _Found | None:
    read = noted.read(entry.body)
    if isinstance(read.event, noted.ProgramMeasured):  # the check that measured it is an event by itself
        return None
    return _noted(read)


def _noted(read: noted.JournalEntry) -> _Found:
    kind, severity = _KINDS[type(read.event)]
    return _Found(read.at_ms, kind, _tag(read.event), _worse(read.event, severity), read.by, of_journal(read.event))


def _worse(event: noted.AnyJournalEvent, usual: Severity) -> Severity:
    """How bad an event is that says itself how something came out."""
    match event:
        case (
            noted.AuditEnded(result=noted.AuditResult.WRONG) | noted.ProgramChecked(result=noted.ProgramResult.DIFFERS)
        ):
            return Severity.ALERT
        case (
            noted.AuditEnded(result=noted.AuditResult.FAILED) | noted.ProgramChecked(result=noted.ProgramResult.FAILED)
        ):
            return Severity.ERROR
        case noted.ProgramExpected(who=who) if who:
            return Severity.WARNING
        case noted.FloorStarted(former=noted.FormerRun.CUT_OFF):
            return Severity.WARNING
        case _:
            return usual


# People

_OF_PEOPLE: Final[Mapping[type, tuple[EventKind, Severity]]] = MappingProxyType(
    {
        people.AccountOpened: (EventKind.AUTHORITY, Severity.NOTICE),
        people.AccountClosed: (EventKind.AUTHORITY, Severity.NOTICE),
        people.PositionChanged: (EventKind.AUTHORITY, Severity.NOTICE),
        people.ActingGranted: (EventKind.AUTHORITY, Severity.NOTICE),
        people.ActingEnded: (EventKind.AUTHORITY, Severity.NOTICE),
        people.PasswordChanged: (EventKind.AUTHORITY, Severity.NOTICE),
        people.PasskeyAdded: (EventKind.AUTHORITY, Severity.NOTICE),
        people.PasskeyRemoved: (EventKind.AUTHORITY, Severity.NOTICE),
        people.CodesSet: (EventKind.AUTHORITY, Severity.NOTICE),
        people.CodesRemoved: (EventKind.AUTHORITY, Severity.NOTICE),
        people.FactorsReset: (EventKind.AUTHORITY, Severity.WARNING),
        people.WayBackIssued: (EventKind.AUTHORITY, Severity.WARNING),
        people.WayBackUsed: (EventKind.AUTHORITY, Severity.WARNING),
        people.AccountLocked: (EventKind.LOCK_OUT, Severity.WARNING),
        people.AccountUnlocked: (EventKind.LOCK_OUT, Severity.NOTICE),
        people.TerminalEnrolled: (EventKind.AUTHORITY, Severity.NOTICE),
        people.TerminalRevoked: (EventKind.AUTHORITY, Severity.NOTICE),
        people.OrdersSet: (EventKind.CONFIGURATION, Severity.NOTICE),
        people.PatronExcluded: (EventKind.EXCLUSION, Severity.NOTICE),
        people.ExclusionLifted: (EventKind.EXCLUSION, Severity.NOTICE),
        people.CashReportFiled: (EventKind.CASH_REPORT, Severity.NOTICE),
        people.PersonErased: (EventKind.PERSONAL_DATA, Severity.NOTICE),
    }
)
_GUEST: Final = "guest"


def _of_people(entry: Entry) -> _Found | None:
    read = read_person(entry.stream, entry.body)
    event = read.event
    kind = _OF_PEOPLE.get(type(event))
    if kind is None or (isinstance(event, people.TerminalEnrolled) and event.kind == _GUEST):
        return None
    by = Actor(event.decided_by, Position.SYSTEM) if isinstance(event, people.WayBackIssued) else read.by
    return _Found(read.at_ms, *(kind[0], _tag(event), kind[1]), by, of_people(event))


# All else


def _of_security(entry: Entry) -> _Found:
    read: Refused = read_refused(entry.body)
    return _Found(read.at_ms, EventKind.REFUSAL, read.code, Severity.WARNING, read.by, of_refusal(read))


def _of_tickets(entry: Entry) -> _Found:
    note: TicketNote = read_ticket(entry.body)
    return _Found(note.at_ms, EventKind.TICKET, f"ticket-{note.step}", Severity.INFO, _FLOOR, of_ticket(note))


def _of_claims(entry: Entry) -> _Found | None:
    read = read_claim(entry.body)
    said = of_claim(read.event)
    if said is None:
        return None
    return _Found(read.at_ms, EventKind.CLAIM, _tag(read.event), Severity.NOTICE, read.by, said)


def _of_decisions(entry: Entry) -> _Found:
    done = of_decision(entry, read_decision(entry.body))
    by = Actor(done.by, Position.SYSTEM)
    said = of_decision_in_words(done)
    return _Found(done.at_ms, EventKind.DECISION, done.kind.value, Severity.WARNING, by, said)


def _of_keys(entry: Entry) -> _Found:
    (done,) = of_rotations([read_rotation(entry.body)])
    by = Actor(done.by, Position.SYSTEM)
    return _Found(done.at_ms, EventKind.KEY, done.kind.value, Severity.WARNING, by, of_decision_in_words(done))


def _of_migrations(entry: Entry) -> _Found:
    done = of_migration(entry, read_migration(entry.body))
    by = Actor(done.by, Position.SYSTEM)
    return _Found(done.at_ms, EventKind.DECISION, done.kind.value, Severity.NOTICE, by, of_decision_in_words(done))


def _tag(event: object) -> str:
    return str(event.__struct_config__.tag)  # type: ignore[attr-defined]


_READERS: Final[Mapping[str, Callable[[Entry], _Found | None]]] = MappingProxyType(
    {
        noted.JOURNAL: _of_journal,
        STAFF: _of_people,
        TERMINALS: _of_people,
        HOUSE: _of_people,
        PERSONS: _of_people,
        CLAIMS: _of_claims,
        SECURITY: _of_security,
        TICKETS: _of_tickets,
        DECISIONS: _of_decisions,
        KEYS: _of_keys,
        MIGRATIONS: _of_migrations,
    }
)
# The streams that have significant events.
STREAMS: Final = tuple(_READERS)
# Where events of a kind can be.
STREAMS_OF: Final[Mapping[EventKind, tuple[str, ...]]] = MappingProxyType(
    {
        EventKind.START: (noted.JOURNAL,),
        EventKind.STOP: (noted.JOURNAL,),
        EventKind.PROGRAM: (noted.JOURNAL,),
        EventKind.CONFIGURATION: (noted.JOURNAL, HOUSE),
        EventKind.SIGN_IN: (noted.JOURNAL,),
        EventKind.LOCK_OUT: (noted.JOURNAL, STAFF),
        EventKind.AUTHORITY: (STAFF, TERMINALS),
        EventKind.REFUSAL: (SECURITY,),
        EventKind.CLOCK: (noted.JOURNAL,),
        EventKind.STORE: (noted.JOURNAL,),
        EventKind.AUDIT: (noted.JOURNAL,),
        EventKind.EXPORT: (noted.JOURNAL,),
        EventKind.TICKET: (TICKETS,),
        EventKind.CLAIM: (CLAIMS,),
        EventKind.EXCLUSION: (HOUSE,),
        EventKind.CASH_REPORT: (HOUSE,),
        EventKind.PERSONAL_DATA: (PERSONS,),
        EventKind.KEY: (KEYS,),
        EventKind.DECISION: (DECISIONS, MIGRATIONS),
    }
)
