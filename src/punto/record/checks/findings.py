"""What an audit finds, in order, and how much it looked at."""

from enum import Enum
from typing import Final

from msgspec import Struct

from punto.errors import named
from punto.proof.writers import HEADS
from punto.record.checks.interventions import Intervention
from punto.record.checks.meters import Meters

# A store that is wrong from end to end would fill the memory with findings; after these they are only counted.
MOST_KEPT: Final = 1_000


class Code(Enum):
    """What kind of thing is wrong."""

    # The record itself
    BROKEN_CHAIN = "broken-chain"
    BAD_HEAD = "bad-head"
    NOT_AS_SIGNED = "not-as-signed"
    CUT_OFF = "cut-off"
    NOT_COVERED = "not-covered"
    OUTSIDE_HEAD = "outside-head"
    # A checkpoint that is not the root of the heads it was taken over, or that no key of this floor has signed.
    BAD_CHECKPOINT = "bad-checkpoint"
    # A sealed gaming day that is not what the streams hold.
    BAD_SEAL = "bad-seal"
    # Signed by somebody whom no key of this floor has certified.
    UNKNOWN_KEY = "unknown-key"
    # A rotation of the floor's key that both keys have not signed, or that stands where neither signed it.
    BAD_ROTATION = "bad-rotation"
    UNREADABLE = "unreadable"
    STRANGE_STREAM = "strange-stream"
    # The database's own tables: rows that an index hides or invents, and whatever else its own check finds.
    HIDDEN_DAMAGE = "hidden-damage"
    DATABASE_DAMAGED = "database-damaged"
    # What the database declares: a trigger, a table or a column that no store has, or an index that is missing.
    ALTERED_SCHEMA = "altered-schema"
    BAD_COMMAND = "bad-command"
    # Tables
    BAD_SETUP = "bad-setup"
    NOT_ALLOWED = "not-allowed"
    OUT_OF_TURN = "out-of-turn"
    BAD_ROUND = "bad-round"
    BAD_WAGER = "bad-wager"
    BAD_DIFFERENTIAL = "bad-differential"
    BAD_SHOE = "bad-shoe"
    BAD_CARD = "bad-card"
    BAD_CUSTODY = "bad-custody"
    BAD_ANNOUNCEMENT = "bad-announcement"
    BAD_SETTLEMENT = "bad-settlement"
    BAD_RETURN = "bad-return"
    BAD_REMEDY = "bad-remedy"
    BAD_OFFER = "bad-offer"
    BAD_COUNT = "bad-count"
    BAD_RULING = "bad-ruling"
    # A card that somebody had seen decided wagers that were made later.
    SEEN_CARD = "seen-card"
    # A round that was paid was undone, and nobody with the right to do so decided it.
    PAID_ROUND = "paid-round"
    BAD_CREDITS = "bad-credits"
    # Money
    NOT_BOOKED = "not-booked"
    BAD_BALANCE = "bad-balance"
    NEGATIVE_BALANCE = "negative-balance"
    BAD_BOOKS = "bad-books"
    BAD_TICKET = "bad-ticket"
    # People, from the first account on record on
    UNKNOWN_PERSON = "unknown-person"
    WRONG_POSITION = "wrong-position"
    NO_SESSION = "no-session"
    ONE_PERSON_TWICE = "one-person-twice"
    NO_APPROVAL = "no-approval"
    # One of two people had opened or changed the account of the other.
    NOT_INDEPENDENT = "not-independent"
    NOT_ON_OWN_DEVICE = "not-on-own-device"
    # Cash for somebody whom the floor did not know, and more cash than one person moves alone.
    BAD_REPORT = "bad-report"
    EXCLUDED_PATRON = "excluded-patron"
    UNKNOWN_PATRON = "unknown-patron"
    OVER_LIMIT = "over-limit"
    UNKNOWN_DEVICE = "unknown-device"
    # An account, a session or a device that came about, or was changed, as none can be.
    BAD_REGISTER = "bad-register"


class Finding(Struct, frozen=True):
    """One thing that is wrong, and where; *version* is 0 where it is the whole stream."""

    code: Code
    stream: str
    version: int
    round: int | None
    said: str

    def __str__(self) -> str:
        stream = "checkpoint outside" if self.code is Code.OUTSIDE_HEAD and self.stream == HEADS else named(self.stream)
        place = f"{stream} {self.version}" if self.version else stream
        where = f"{place}, round {self.round}" if self.round else place
        return f"{where}: {self.said} ({self.code.value})"


class Counts(Struct):
    """How much was looked at; *cents* is all that the ledger moved.

    *rounds_before_second* were judged by the readings before the second edition of the register of interpretations.
    Of so many sums of cash a report was due (*cash_reports*), and so many of them were not filed in full within the day
    after.
    """

    streams: int = 0
    entries: int = 0
    rounds: int = 0
    wagers: int = 0
    cents: int = 0
    rounds_before_second: int = 0
    cash_reports: int = 0
    cash_reports_late: int = 0


class Findings:
    """Findings in the making: those about the record itself come before those about what it says.

    A head is the moment at which its entries were signed. What is wrong is told head by head, in the order of writing;
    under one head, first what was tampered with, then what it led to.
    """

    def __init__(self) -> None:
        self.told: list[Finding] = []
        self.total = 0
        self._of_record: list[Finding] = []
        self._of_play: list[Finding] = []

    def of_record(self, code: Code, stream: str, version: int, said: str) -> None:
        """The record is not what was written."""
        self.total += 1
        if len(self._of_record) < MOST_KEPT:
            self._of_record.append(Finding(code, stream, version, None, said.removeprefix(f"{named(stream)}: ")))

    def of_play(self, code: Code, stream: str, version: int, round_: int | None, said: str) -> None:
        """The record is whole, but what it says cannot be."""
        self.total += 1
        if len(self._of_play) < MOST_KEPT:
            self._of_play.append(Finding(code, stream, version, round_, said))

    def settle(self) -> None:
        """All that was signed together has been looked at."""
        if self._of_record or self._of_play:
            room = MOST_KEPT - len(self.told)
            self.told += [*self._of_record, *self._of_play][:room]
            self._of_record.clear()
            self._of_play.clear()


class VirtualShoe(Struct):
    """A virtual shoe: where it was cut, and when; when its first bets opened; 0 where neither happened.

    *demonstration* where the rulebook has a dealing device (interpretation 42).
    """

    table: str
    shoe: int
    demonstration: bool
    cut: int = 0
    cut_at_ms: int = 0
    first_bets_ms: int = 0
    # Why it was taken out; empty for one that is in place, and in older records.
    ended: str = ""


class Voucher(Enum):
    """What says that the key by which a store was judged is the floor's."""

    # Whoever asked for the audit gave the key.
    GIVEN = "given"
    # What was kept outside was signed with it.
    OUTSIDE = "outside"
    # Nothing: the store itself names it, and whoever has signed the store anew has named another.
    STORE = "store"


class JudgedKey(Struct, frozen=True):
    """The public key by which a store was judged, what vouches for it, and the keys that the floor had before."""

    public: str = ""
    vouched_by: Voucher = Voucher.STORE
    former: tuple[str, ...] = ()


class Report(Struct, frozen=True):
    """What an audit found, in order, and how much it looked at; *meters* are by table, *shoes* are the virtual ones.

    *total* counts all findings, also those past the first thousand, which are not kept. *interventions* are what people
    did to the store itself, oldest first.
    """

    findings: tuple[Finding, ...]
    total: int
    counts: Counts
    meters: dict[str, Meters]
    shoes: tuple[VirtualShoe, ...] = ()
    key: JudgedKey = JudgedKey()
    interventions: tuple[Intervention, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether nothing is wrong, and something other than the store itself vouches for the key."""
        return not self.total and self.key.vouched_by is not Voucher.STORE
