"""The journal: significant events of the floor itself, which no other stream has, each with its time and its cause.

What other streams have (accounts, sign-ins, tickets, refusals, decisions) stands there once, and is shown beside these
entries by `punto.record.significant`.
"""

from enum import Enum
from typing import Final

import msgspec
from msgspec import Struct

from punto.program.manifest import Manifest, Reference
from punto.record.checks.written import Actor
from punto.rules import Position

JOURNAL: Final = "journal"
FLOOR: Final = Actor("floor", Position.SYSTEM)
# What is exported where somebody is shown all that is kept about a person.
PERSONAL: Final = "personal data"


class FormerRun(Enum):
    """How the floor ended the last time that it was open at this place."""

    NONE = "none"
    STOPPED = "stopped"
    CUT_OFF = "cut-off"


class Doubt(Enum):
    """Why the time of day is in doubt."""

    JUMPED = "jumped"
    BEHIND_RECORD = "behind-record"
    LONG_AGO = "long-ago"


class TableChange(Enum):
    """What staff, or the floor as it opens, changed about a table."""

    OPENED = "opened"
    CLOSED = "closed"
    LIMITS = "limits"


class AuditResult(Enum):
    """How an audit ended."""

    CLEAN = "clean"
    WRONG = "wrong"
    FAILED = "failed"


class ProgramResult(Enum):
    """How code and pages compare with the release, or where there is none, with what was measured first or accepted."""

    SAME = "same"
    DIFFERS = "differs"
    FIRST = "first"
    FAILED = "failed"


class JournalEvent(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Anything that is written in the journal."""


class FloorStarted(JournalEvent, frozen=True, tag="floor-started"):
    """The floor opened, at a *place* (a machine and a port), with a release of Punto."""

    place: str
    release: str
    python: str
    former: FormerRun


class FloorStopped(JournalEvent, frozen=True, tag="floor-stopped"):
    """The floor at a place was closed in order."""

    place: str


class ConfigurationChanged(JournalEvent, frozen=True, tag="configuration-changed"):
    """The floor's file says these things now; *before* has what it said of those that differ, empty for new ones."""

    place: str
    values: dict[str, str]
    before: dict[str, str] = {}


class ProgramChecked(JournalEvent, frozen=True, tag="program-checked"):
    """Code and pages were compared *against* a release, or what was measured first or accepted.

    *asked* says who asked, or the occasion; *differences* names some of the *total* files that differ, each with how.
    """

    asked: str
    result: ProgramResult
    root: str
    release: str = ""
    files: int = 0
    total: int = 0
    differences: tuple[str, ...] = ()
    said: str = ""
    against: str = ""


class ProgramMeasured(JournalEvent, frozen=True, tag="program-measured"):
    """The files of the program at a place are these; it is written when they are not those of the last time."""

    place: str
    manifest: Manifest


class ProgramExpected(JournalEvent, frozen=True, tag="program-expected"):
    """From now on the program on a *host* is compared with this, until somebody accepts something else.

    It is what was measured first there, or first of a version whose release has a manifest; or it is what somebody,
    *who*, accepted on the machine for a *reason*.
    """

    host: str
    reference: Reference
    who: str = ""
    reason: str = ""


# So begin the reasons of those who were signed in, and could not show again who they are.
AGAIN: Final = "again-"


class SignInsFailed(JournalEvent, frozen=True, tag="sign-ins-failed"):
    """Somebody tried to sign in and could not, so many times since a moment, from so many addresses.

    So does somebody count who is signed in and could not show again who they are (`again-`).

    A name that nobody on the staff has is not written: it may be a password that was typed in the wrong place.
    """

    name: str
    count: int
    since_ms: int
    reasons: dict[str, int]
    addresses: int = 1


class SignInSlowed(JournalEvent, frozen=True, tag="sign-in-slowed"):
    """So many wrong tries came for a name that the next one from there has to wait."""

    name: str
    until_ms: int
    from_known_browser: bool = False


class TimeInDoubt(JournalEvent, frozen=True, tag="time-in-doubt"):
    """The machine's clock stepped by so many seconds against the monotonic one, or cannot be right."""

    why: Doubt
    seconds: int


class TimeTrusted(JournalEvent, frozen=True, tag="time-trusted"):
    """The machine's clock and the floor's agree again."""

    after_s: int = 0


class StoreLost(JournalEvent, frozen=True, tag="store-lost"):
    """The store took nothing from this moment on."""

    said: str = ""


class StoreRecovered(JournalEvent, frozen=True, tag="store-recovered"):
    """The store takes entries again, after so long."""

    after_s: int


class RecordAltered(JournalEvent, frozen=True, tag="record-altered"):
    """The floor found a stream to be otherwise than it was signed, and builds on it no more.

    It is noted once for each *stream* while the floor is open. Without a stream it is the whole store.
    """

    stream: str
    said: str


class AuditBegan(JournalEvent, frozen=True, tag="audit-began"):
    """An audit began, of the *whole* record or of what is new; *who* asked for it, the floor itself or somebody."""

    whole: bool = True
    who: str = ""


class AuditEnded(JournalEvent, frozen=True, tag="audit-ended"):
    """An audit ended; *total* counts its findings, and *said* is the first of them, or why it failed.

    *who* asked for it: the floor itself, somebody on the staff, or somebody on the machine.
    """

    result: AuditResult
    entries: int = 0
    total: int = 0
    took_ms: int = 0
    said: str = ""
    whole: bool = True
    who: str = ""


class RecordExported(JournalEvent, frozen=True, tag="record-exported"):
    """Somebody took a copy of part of the record along; *who* names them where they did so on the machine itself."""

    what: str
    of: str = ""
    who: str = ""


class TableConfigured(JournalEvent, frozen=True, tag="table-configured"):
    """A table was opened, closed or given other limits, by that entry of its log."""

    table: str
    version: int
    change: TableChange


class EventsLost(JournalEvent, frozen=True, tag="events-lost"):
    """So many events came while the store took nothing that they could not all be kept in memory."""

    count: int


AnyJournalEvent = (
    FloorStarted
    | FloorStopped
    | ConfigurationChanged
    | ProgramChecked
    | ProgramMeasured
    | ProgramExpected
    | SignInsFailed
    | SignInSlowed
    | TimeInDoubt
    | TimeTrusted
    | StoreLost
    | StoreRecovered
    | RecordAltered
    | AuditBegan
    | AuditEnded
    | RecordExported
    | TableConfigured
    | EventsLost
)


class JournalEntry(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An event as it is written: when it happened, who caused it, and in which *session* of theirs."""

    at_ms: int
    by: Actor
    event: AnyJournalEvent
    session: str = ""


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(JournalEntry)


def write(entry: JournalEntry) -> bytes:
    """An entry of the journal, as it is stored."""
    return _ENCODER.encode(entry)


def read(body: bytes) -> JournalEntry:
    """An entry as it was stored; `ValueError` where it cannot be one."""
    try:
        return _DECODER.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(str(error).replace("`", "'") or "it nests too deeply") from None
