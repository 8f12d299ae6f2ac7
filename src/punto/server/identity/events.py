"""What is written down about people and devices: events, in five streams of the floor's own store.

Of a password there is its argon2 hash, of a token or a code its SHA-256, of a passkey its public key; the secret behind
one-time codes is sealed with the floor's key. What lets anybody in is never written. Full names, notes and addresses
lie beside the record (`punto.floor.personal`): here are only the commitments to them.
"""

from enum import Enum
from hashlib import sha256
from typing import Final, get_args

import msgspec
from msgspec import Struct

from punto.errors import Corrupt
from punto.floor.personal import KeptKind
from punto.rules import Position
from punto.server.orders import CashLimit
from punto.table import Actor

STAFF: Final = "identity/staff"
SESSIONS: Final = "identity/sessions"
TERMINALS: Final = "identity/terminals"
HOUSE: Final = "identity/house"
PERSONS: Final = "identity/persons"
STREAMS: Final = (STAFF, SESSIONS, TERMINALS, HOUSE, PERSONS)


class Ending(Enum):
    """Why a session ended."""

    SIGNED_OUT = "signed-out"
    REVOKED = "revoked"
    IDLE = "idle"
    EXPIRED = "expired"
    PASSWORD_CHANGED = "password-changed"  # noqa: S105 (a reason)
    ACCOUNT_CLOSED = "account-closed"
    FACTORS_CHANGED = "factors-changed"
    RECOVERED = "recovered"


class Proved(Enum):
    """With what somebody has shown who they are, besides the password or in its place."""

    PASSWORD = "password"  # noqa: S105 (the kind of proof of an account that has no other)
    PASSKEY = "passkey"
    CODE = "code"
    WAY_BACK = "way-back"


class Kind(Enum):
    """What a device is: a terminal of the floor, a guest's own, or a shoe that reads its cards."""

    TERMINAL = "terminal"
    GUEST = "guest"
    SHOE = "shoe"


class Event(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Anything that happened to an account, a session or a device."""


class AccountOpened(Event, frozen=True, tag="account-opened"):
    """Somebody is on the staff; a *temporary* password must be changed before anything else."""

    name: str
    position: Position
    password: str
    temporary: bool = False


class PasswordChanged(Event, frozen=True, tag="password-changed"):
    """There is a new password; *temporary* when another set it, and chosen in a *browser* when its owner did."""

    name: str
    password: str
    temporary: bool = False
    browser: str = ""


class PositionChanged(Event, frozen=True, tag="position-changed"):
    """Somebody holds another position from now on."""

    name: str
    position: Position


class ActingGranted(Event, frozen=True, tag="acting-granted"):
    """Somebody acts in a higher position for a while (B8, TNC5 6.2)."""

    name: str
    position: Position
    until_ms: int


class ActingEnded(Event, frozen=True, tag="acting-ended"):
    """Somebody acts in no other position any more."""

    name: str


class AccountLocked(Event, frozen=True, tag="account-locked"):
    """Too many wrong passwords came, one after the other."""

    name: str
    until_ms: int


class AccountUnlocked(Event, frozen=True, tag="account-unlocked"):
    """Somebody may try again at once."""

    name: str


class AccountClosed(Event, frozen=True, tag="account-closed"):
    """Somebody is no longer on the staff; nobody else ever gets the name."""

    name: str


class PasskeyAdded(Event, frozen=True, tag="passkey-added"):
    """Somebody has a passkey more: its id and its public key, for pages of the host *rp*; added in a *browser*.

    *label_kept* is the commitment to what it is called; older entries have the label itself.
    """

    name: str
    id: str
    key: str
    rp: str
    count: int = 0
    label: str = ""
    label_kept: str = ""
    browser: str = ""


class PasskeyRemoved(Event, frozen=True, tag="passkey-removed"):
    """A passkey lets nobody in any more."""

    name: str
    id: str


class CodesSet(Event, frozen=True, tag="codes-set"):
    """Somebody has an app that makes one-time codes; *secret* is sealed, and the code of *step* is used up.

    It was added in a *browser*.
    """

    name: str
    secret: str
    step: int = 0
    browser: str = ""


class CodesRemoved(Event, frozen=True, tag="codes-removed"):
    """Codes of that app let nobody in any more."""

    name: str


class FactorsReset(Event, frozen=True, tag="factors-reset"):
    """Another has removed all passkeys and one-time codes of somebody, and forgotten the browsers that were known."""

    name: str


class BrowserKnown(Event, frozen=True, tag="browser-known"):
    """Somebody has signed in with a browser, which strangers cannot delay from now on."""

    name: str
    token: str


class WayBackIssued(Event, frozen=True, tag="way-back-issued"):
    """Whoever has the machine made a code with which somebody comes in again, once, until a time."""

    name: str
    code: str
    until_ms: int
    decided_by: str
    reason: str


class WayBackUsed(Event, frozen=True, tag="way-back-used"):
    """Somebody came back with such a code: passkeys, one-time codes and known browsers of before are gone."""

    name: str


class SessionBegan(Event, frozen=True, tag="session-began"):
    """Somebody came in, until a time at the latest; by a link it is in a *position* that no account holds.

    What was shown besides the password is *proof*: of a *passkey* with its count, or of the one-time code of a *step*.
    It holds until *proved_until_ms*: for accounts, money and rulings it must be shown again after that.
    *address_kept* is the commitment to the address that somebody came from; older entries have the address itself.
    Of the token that the browser keeps there is the digest (*browser*).
    """

    session: str
    token: str
    name: str
    until_ms: int
    address: str = ""
    position: Position | None = None
    proof: Proved | None = None
    proved_until_ms: int = 0
    passkey: str = ""
    count: int = 0
    step: int = 0
    address_kept: str = ""
    browser: str = ""


class SessionProved(Event, frozen=True, tag="session-proved"):
    """Whoever is signed in has shown again who they are, with the same meanings as when a session begins."""

    session: str
    proof: Proved
    proved_until_ms: int
    passkey: str = ""
    count: int = 0
    step: int = 0


class SessionsSeen(Event, frozen=True, tag="sessions-seen"):
    """When sessions were last in use."""

    seen: dict[str, int]


class SessionEnded(Event, frozen=True, tag="session-ended"):
    """A session is over."""

    session: str
    why: Ending


class ApprovalGiven(Event, frozen=True, tag="approval-given"):
    """Somebody has shown, by name and password on another's page, that they approve of a command."""

    name: str
    command: str


class TerminalOffered(Event, frozen=True, tag="terminal-offered"):
    """Whoever brings the code in time becomes the terminal of that name.

    Where the terminal has credits it takes two people: the other one confirmed it, in the session *second*.
    Of labels there are only the commitments (*label_kept*); older entries have the labels themselves.
    """

    name: str
    code: str
    until_ms: int
    label: str = ""
    confirmed_by: Actor | None = None
    second: str = ""
    label_kept: str = ""


class TerminalEnrolled(Event, frozen=True, tag="terminal-enrolled"):
    """A device has a token of its own; one that it had before is worth nothing now."""

    name: str
    kind: Kind
    token: str
    label: str = ""
    table: str = ""
    label_kept: str = ""


class TerminalRenamed(Event, frozen=True, tag="terminal-renamed"):
    """A device is called otherwise; its name in the record stays."""

    name: str
    label: str
    label_kept: str = ""


class TerminalsSeen(Event, frozen=True, tag="terminals-seen"):
    """When devices were last in use."""

    seen: dict[str, int]


class TerminalRevoked(Event, frozen=True, tag="terminal-revoked"):
    """A device is no longer known by its token."""

    name: str


class OrdersSet(Event, frozen=True, tag="orders-set"):
    """The house's orders for its staff are these from now on; *cash* is by position.

    Since *credits_take_two* it takes two people to have another device become a terminal with credits.
    With *own_device* whoever stands with another for an act has enrolled on a device of their own. *report_cents* is
    the sum of cash at which a report is due (0: none). With *young_alike* two accounts of one maker are not independent
    on a floor that is younger than *independence_ms* either; with *way_back_waits* whoever has come in by a code from
    the machine stands with nobody for as long. With *second_factor* nobody acts with a password alone; what somebody
    has shown holds for *prove_again_ms* (0 in older entries, which do not say it). *before* has what was ordered of
    whatever differs, empty where nothing was.
    """

    independence_ms: int
    shift_ms: int
    cash: dict[Position, CashLimit]
    credits_take_two: bool = False
    own_device: bool = False
    report_cents: int = 0
    young_alike: bool = False
    way_back_waits: bool = False
    second_factor: bool = False
    prove_again_ms: int = 0
    before: dict[str, str] = {}


class PatronRegistered(Event, frozen=True, tag="patron-registered"):
    """The floor knows a patron by name, who has no terminal."""

    name: str


class PersonNoted(Event, frozen=True, tag="person-noted"):
    """A full name or a note about somebody is kept beside the record; *commitment* stands for it here."""

    person: str
    kind: KeptKind
    commitment: str


class StayReason(Enum):
    """Why something stays: law requires it, a claim waits for an answer, or whoever erases had a part in its round."""

    LAW = "law"
    OPEN_CLAIM = "open-claim"
    CLAIM = "claim"


class Stay(Struct, frozen=True, forbid_unknown_fields=True):
    """What stays, until a time: of one kind, by these commitments."""

    kind: KeptKind
    until_ms: int
    commitments: tuple[str, ...]
    why: StayReason = StayReason.LAW


class PersonErased(Event, frozen=True, tag="person-erased"):
    """What is kept about somebody is erased; what law (*basis*) requires, or a claim needs, *stays* for a while.

    Somebody on the staff has asked for it with a *reason*, or on the machine itself whoever *decided_by* names. Without
    a reason the floor erases what had to stay until now.
    """

    person: str
    erased: tuple[str, ...] = ()
    stays: tuple[Stay, ...] = ()
    basis: str = ""
    reason: str = ""
    decided_by: str = ""


class PatronExcluded(Event, frozen=True, tag="patron-excluded"):
    """The house lets a patron play no more from a time on, until another (0: for good).

    What says so is the list of the floor *on_list*, or staff where that is empty. Of the reason there is a commitment.
    """

    name: str
    from_ms: int
    reason: str
    until_ms: int = 0
    on_list: str = ""


class CashReportFiled(Event, frozen=True, tag="cash-report-filed"):
    """A report was filed of the cash that a patron paid in or was paid (*kind*) within a gaming day, as it was then."""

    patron: str
    day: str
    kind: str
    cents: int
    reference: str


class ExclusionLifted(Event, frozen=True, tag="exclusion-lifted"):
    """An exclusion holds no longer: that of the list of the floor *on_list*, or that of staff, who say why.

    Staff also lift that of a list which no floor has any more. *still* names the lists by which the patron is excluded
    all the same, staff without a name; older entries do not say.
    """

    name: str
    reason: str = ""
    on_list: str = ""
    still: tuple[str, ...] | None = None


OfFactors = (
    PasskeyAdded | PasskeyRemoved | CodesSet | CodesRemoved | FactorsReset | BrowserKnown | WayBackIssued | WayBackUsed
)
OfStaff = (
    AccountOpened
    | PasswordChanged
    | PositionChanged
    | ActingGranted
    | ActingEnded
    | AccountLocked
    | AccountUnlocked
    | AccountClosed
    | OfFactors
)
OfSessions = SessionBegan | SessionProved | SessionsSeen | SessionEnded | ApprovalGiven
OfTerminals = TerminalOffered | TerminalEnrolled | TerminalRenamed | TerminalsSeen | TerminalRevoked
OfHouse = OrdersSet | PatronRegistered | PatronExcluded | ExclusionLifted | CashReportFiled
OfPersons = PersonNoted | PersonErased
AnyEvent = OfStaff | OfSessions | OfTerminals | OfHouse | OfPersons

_STREAM_OF: Final[dict[type, str]] = {
    kind: stream
    for stream, union in (
        (STAFF, OfStaff),
        (SESSIONS, OfSessions),
        (TERMINALS, OfTerminals),
        (HOUSE, OfHouse),
        (PERSONS, OfPersons),
    )
    for kind in get_args(union)
}


class Noted(Struct, frozen=True, omit_defaults=True):
    """An event as it is written: when, and who caused it, in which *session* of theirs."""

    at_ms: int
    by: Actor
    event: AnyEvent
    session: str = ""


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Noted)


def stream_of(event: AnyEvent) -> str:
    """The stream that an event is written to."""
    return _STREAM_OF[type(event)]


def write(noted: Noted) -> bytes:
    """An event, as it is stored."""
    return _ENCODER.encode(noted)


def read(body: bytes) -> Noted:
    """An event as it was stored; `Corrupt` where it cannot be one."""
    try:
        return _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"an event of identity that does not read: {error}") from None


def digest(secret: str) -> str:
    """What is kept of a token or a code, and found by: who reads the store cannot come in with it.

    >>> digest("open sesame")[:16]
    '41ef4bb0b23661e6'
    """
    return sha256(secret.encode()).hexdigest()
