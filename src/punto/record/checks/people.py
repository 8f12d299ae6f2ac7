"""Accounts, sessions and devices as they are written in the streams of identity, by shapes of the audit's own."""

from collections.abc import Callable
from typing import Annotated, Final, Literal

from msgspec import Meta, field

from punto.record.checks.written import Actor, Written, reader
from punto.rules import Position

# The SHA-256 of a token or a code: what lets anybody in is never written.
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
# The same of a browser; none where an older Punto did not write it, or whoever asked is no browser.
Browser = Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")]
# An argon2 hash: a password is never written.
Hashed = Annotated[str, Meta(pattern=r"^\$argon2id\$")]


# A passkey's id or public key, in base64 for addresses; and a secret that is sealed with the floor's key, in hex.
Public = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]+$")]
Sealed = Annotated[str, Meta(pattern="^[0-9a-f]{56,}$")]
# A commitment to a text that lies beside the record.
Commitment = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
# The same, where nothing is kept.
MaybeCommitment = Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")]
Proved = Literal["password", "passkey", "code", "way-back"]


class AccountOpened(Written, frozen=True, tag="account-opened"):
    """Somebody was put on the staff."""

    name: str
    position: Position
    password: Hashed
    temporary: bool = False


class PasswordChanged(Written, frozen=True, tag="password-changed"):
    """A new password."""

    name: str
    password: Hashed
    temporary: bool = False
    browser: Browser = ""


class PositionChanged(Written, frozen=True, tag="position-changed"):
    """Another position."""

    name: str
    position: Position


class ActingGranted(Written, frozen=True, tag="acting-granted"):
    """A higher position, for a while."""

    name: str
    position: Position
    until_ms: int


class ActingEnded(Written, frozen=True, tag="acting-ended"):
    """No other position any more."""

    name: str


class AccountLocked(Written, frozen=True, tag="account-locked"):
    """Too many wrong passwords."""

    name: str
    until_ms: int


class AccountUnlocked(Written, frozen=True, tag="account-unlocked"):
    """Locked no longer."""

    name: str


class AccountClosed(Written, frozen=True, tag="account-closed"):
    """Somebody was taken off the staff."""

    name: str


class PasskeyAdded(Written, frozen=True, tag="passkey-added"):
    """A passkey more."""

    name: str
    id: Public
    key: Public
    rp: str
    count: int = 0
    label: str = ""
    label_kept: MaybeCommitment = ""
    browser: Browser = ""


class PasskeyRemoved(Written, frozen=True, tag="passkey-removed"):
    """A passkey less."""

    name: str
    id: Public


class CodesSet(Written, frozen=True, tag="codes-set"):
    """One-time codes of an app."""

    name: str
    secret: Sealed
    step: int = 0
    browser: Browser = ""


class CodesRemoved(Written, frozen=True, tag="codes-removed"):
    """One-time codes no longer."""

    name: str


class FactorsReset(Written, frozen=True, tag="factors-reset"):
    """Another removed all passkeys and one-time codes."""

    name: str


class BrowserKnown(Written, frozen=True, tag="browser-known"):
    """A browser is known."""

    name: str
    token: Digest


class WayBackIssued(Written, frozen=True, tag="way-back-issued"):
    """A code from the machine itself, with which somebody comes in again."""

    name: str
    code: Digest
    until_ms: int
    decided_by: str
    reason: str


class WayBackUsed(Written, frozen=True, tag="way-back-used"):
    """Somebody came in again with such a code."""

    name: str


class SessionBegan(Written, frozen=True, tag="session-began"):
    """Somebody came in."""

    session: str
    token: Digest
    name: str
    until_ms: int
    address: str = ""
    position: Position | None = None
    proof: Proved | None = None
    proved_until_ms: int = 0
    passkey: str = ""
    count: int = 0
    step: int = 0
    address_kept: MaybeCommitment = ""
    browser: Browser = ""


class SessionProved(Written, frozen=True, tag="session-proved"):
    """Somebody has shown again who they are."""

    session: str
    proof: Proved
    proved_until_ms: int
    passkey: str = ""
    count: int = 0
    step: int = 0


class SessionsSeen(Written, frozen=True, tag="sessions-seen"):
    """When sessions were last in use."""

    seen: dict[str, int]


class SessionEnded(Written, frozen=True, tag="session-ended"):
    """A session is over."""

    session: str
    why: str


class ApprovalGiven(Written, frozen=True, tag="approval-given"):
    """Somebody has approved of a command, by name and password."""

    name: str
    command: str


class TerminalOffered(Written, frozen=True, tag="terminal-offered"):
    """A terminal waits for its device; where it has credits, a second person has confirmed that."""

    name: str
    code: Digest
    until_ms: int
    label: str = ""
    confirmed_by: Actor | None = None
    second: str = ""
    label_kept: MaybeCommitment = ""


class TerminalEnrolled(Written, frozen=True, tag="terminal-enrolled"):
    """A device has a token."""

    name: str
    kind: str
    token: Digest
    label: str = ""
    table: str = ""
    label_kept: MaybeCommitment = ""


class TerminalRenamed(Written, frozen=True, tag="terminal-renamed"):
    """A device is called otherwise."""

    name: str
    label: str
    label_kept: MaybeCommitment = ""


class TerminalsSeen(Written, frozen=True, tag="terminals-seen"):
    """When devices were last in use."""

    seen: dict[str, int]


class TerminalRevoked(Written, frozen=True, tag="terminal-revoked"):
    """A device is known no longer."""

    name: str


class CashLimit(Written, frozen=True):
    """What one person moves alone."""

    act_cents: int
    shift_cents: int


class OrdersSet(Written, frozen=True, tag="orders-set"):
    """The house's orders for its staff."""

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
    before: dict[str, str] = field(default_factory=dict)


class PatronRegistered(Written, frozen=True, tag="patron-registered"):
    """A patron who is known by name."""

    name: str


class PersonNoted(Written, frozen=True, tag="person-noted"):
    """A full name or a note lies beside the record."""

    person: str
    kind: str
    commitment: Commitment


class Stay(Written, frozen=True):
    """What stays until a time."""

    kind: str
    until_ms: int
    commitments: tuple[Commitment, ...]
    why: Literal["law", "open-claim", "claim"] = "law"


class PersonErased(Written, frozen=True, tag="person-erased"):
    """What lay beside the record about somebody is erased, or has yet to stay."""

    person: str
    erased: tuple[Commitment, ...] = ()
    stays: tuple[Stay, ...] = ()
    basis: str = ""
    reason: str = ""
    decided_by: str = ""


class PatronExcluded(Written, frozen=True, tag="patron-excluded"):
    """A patron whom the house lets play no more; of the reason there is a commitment."""

    name: str
    from_ms: int
    reason: Digest
    until_ms: int = 0
    on_list: str = ""


class CashReportFiled(Written, frozen=True, tag="cash-report-filed"):
    """A report of the cash that a patron moved within a gaming day."""

    patron: str
    day: Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    kind: Literal["in", "out"]
    cents: int
    reference: Annotated[str, Meta(min_length=1)]


class ExclusionLifted(Written, frozen=True, tag="exclusion-lifted"):
    """A patron who may play again."""

    name: str
    reason: MaybeCommitment = ""
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
OfExclusion = PatronExcluded | ExclusionLifted
OfHouse = OrdersSet | PatronRegistered | OfExclusion | CashReportFiled
OfPersons = PersonNoted | PersonErased


AnyEvent = OfStaff | OfSessions | OfTerminals | OfHouse | OfPersons


class NotedOfStaff(Written, frozen=True):
    """A line of the stream of accounts: what happened, when, by whom, and in which session of theirs."""

    at_ms: int
    by: Actor
    event: OfStaff
    session: str = ""


class NotedOfSessions(Written, frozen=True):
    """A line of the stream of sessions."""

    at_ms: int
    by: Actor
    event: OfSessions
    session: str = ""


class NotedOfTerminals(Written, frozen=True):
    """A line of the stream of devices."""

    at_ms: int
    by: Actor
    event: OfTerminals
    session: str = ""


class NotedOfHouse(Written, frozen=True):
    """A line of the stream of the house's orders and its patrons."""

    at_ms: int
    by: Actor
    event: OfHouse
    session: str = ""


class NotedOfPersons(Written, frozen=True):
    """A line of the stream of what lies beside the record."""

    at_ms: int
    by: Actor
    event: OfPersons
    session: str = ""


Noted = NotedOfStaff | NotedOfSessions | NotedOfTerminals | NotedOfHouse | NotedOfPersons
_READERS: Final[dict[str, Callable[[bytes], Noted]]] = {
    "identity/staff": reader(NotedOfStaff),
    "identity/sessions": reader(NotedOfSessions),
    "identity/terminals": reader(NotedOfTerminals),
    "identity/house": reader(NotedOfHouse),
    "identity/persons": reader(NotedOfPersons),
}


def read_person(stream: str, body: bytes) -> Noted:
    """An entry of a stream of identity; what is wrong with it is raised as `ValueError`."""
    return _READERS[stream](body)
