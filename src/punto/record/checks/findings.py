"""What an audit finds, in order, and how much it looked at."""

from bisect import insort
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, IntEnum, auto
from operator import itemgetter
from typing import Final, NamedTuple

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
    # Something that an audit before has judged is not there any more, or is another.
    REWRITTEN = "rewritten"
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
    BAD_JOURNAL = "bad-journal"
    # A claim of somebody who was not at that round, or an answer of somebody who may not give it.
    BAD_CLAIM = "bad-claim"


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
    # Claims of patrons, how many of them were answered late, and how many wait for an answer.
    claims: int = 0
    claims_late: int = 0
    claims_open: int = 0

    # Sums of cash that a report was due of, and how many of those reports came late or not at all.
    cash_reports: int = 0
    cash_reports_late: int = 0


class Part(IntEnum):
    """The parts of an audit, in the order in which what they find is told."""

    DATABASE = auto()
    # Heads of the old kind, and what they cover.
    OLD_HEADS = auto()
    # Strange streams, keys, certificates, and what was kept outside.
    KEYS = auto()
    HEADS = auto()
    # What no head covers, and the whole.
    END = auto()


class Place(NamedTuple):
    """Where a finding is told: in which part, under which head of it, and after which others."""

    part: Part
    head: int
    of_play: bool
    number: int


class Findings:
    """Findings in the making: those about the record itself come before those about what it says.

    A head is the moment at which its entries were signed. What is wrong is told head by head, in the order of writing;
    under one head, first what was tampered with, then what it led to.
    """

    def __init__(self) -> None:
        self._told: list[tuple[Place, Finding]] = []
        self._part = Part.DATABASE
        # How many heads of each part were read.
        self._heads: Counter[Part] = Counter()
        self._number = 0
        # How many there are of each part, those about the record itself and those of play.
        self._counts: Counter[tuple[Part, bool]] = Counter()

    @property
    def told(self) -> list[Finding]:
        """What was found so far, in order, as far as it is kept."""
        return [each for _, each in self._told]

    @property
    def total(self) -> int:
        """How much was found so far."""
        return self._counts.total()

    @property
    def head(self) -> int:
        """The head under which something would be told now."""
        return self._heads[self._part]

    def begin(self, part: Part) -> None:
        """Another part of the audit begins."""
        self._part = part

    def forget(self, *parts: Part) -> None:
        """Forget what was found in some parts: they are looked at again."""
        self._told = [(place, each) for place, each in self._told if place.part not in parts]
        for part, of_play in list(self._counts):
            if part in parts:
                del self._counts[part, of_play]

    def are_of_record(self, *parts: Part) -> bool:
        """Whether anything was found in these parts that is not what was written."""
        return any(self._counts[part, False] for part in parts)

    @contextmanager
    def under(self, head: int) -> Iterator[None]:
        """Tell what is found meanwhile under another head."""
        now, self._heads[self._part] = self.head, head
        try:
            yield
        finally:
            self._heads[self._part] = now

    def place(self, *, of_play: bool = True) -> Place:
        """Where something that is looked at now will be told, should it be wrong."""
        self._number += 1
        return Place(self._part, self.head, of_play, self._number)

    def of_record(self, code: Code, stream: str, version: int, said: str) -> None:
        """The record is not what was written."""
        said = said.removeprefix(f"{named(stream)}: ")
        self._tell(self.place(of_play=False), Finding(code, stream, version, None, said))

    def of_play(  # noqa: PLR0913 (a finding, and its place)
        self, code: Code, stream: str, version: int, round_: int | None, said: str, *, place: Place | None = None
    ) -> None:
        """The record is whole, but what it says cannot be."""
        self._tell(place or self.place(), Finding(code, stream, version, round_, said))

    def settle(self) -> None:
        """All that was signed together has been looked at."""
        self._heads[self._part] += 1

    def _tell(self, place: Place, found: Finding) -> None:
        self._counts[place.part, place.of_play] += 1
        if len(self._told) < MOST_KEPT or place < self._told[-1][0]:
            insort(self._told, (place, found), key=itemgetter(0))
            del self._told[MOST_KEPT:]


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
