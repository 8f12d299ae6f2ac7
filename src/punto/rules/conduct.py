"""How a table is conducted: who may do what, and what an irregularity leads to.

Like the pay tables, this is data of the rulebook: the types are here, the figures in `punto.games`, and what follows
from them in `punto.table`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Final

from punto.rules.pay import Clause, Wager


class Position(Enum):
    """The position in which somebody acts; the system is the device, the terminals and the clock."""

    SYSTEM = "system"
    PATRON = "patron"
    DEALER = "dealer"
    PIT_SUPERVISOR = "pit-supervisor"
    PIT_MANAGER = "pit-manager"
    ASSISTANT_CASINO_MANAGER = "assistant-casino-manager"
    GAMING_SHIFT_MANAGER = "gaming-shift-manager"
    CASINO_MANAGER = "casino-manager"
    CASINO_DIRECTOR = "casino-director"


# Positions that no rulebook names: a table may rank them above the Gaming Shift Manager (EB4, E7U, B8, TNC5 6.2).
HIGHER_RANKS: Final = (Position.CASINO_MANAGER, Position.CASINO_DIRECTOR)
# Who ranks above whom, from the lowest (interpretation 33).
RANKS: Final = (
    Position.DEALER,
    Position.PIT_SUPERVISOR,
    Position.PIT_MANAGER,
    Position.ASSISTANT_CASINO_MANAGER,
    Position.GAMING_SHIFT_MANAGER,
)


class Duty(Enum):
    """A function at the table that somebody must hold."""

    RUN_TABLE = "run the table"
    RUN_ROUND = "run the round"
    CHANGE_SHOE = "change the shoe"
    DRAW = "draw the cards"
    PLACE_FOR_PATRON = "place wagers for a patron"
    SPEAK_FOR_PATRON = "record what a patron does or says"
    RESTRICT_AREAS = "restrict the wagers of a playing area"
    CHOOSE_METHOD = "choose between Methods A and B"
    ALLOW_METHOD_C = "allow Method C"
    CHOOSE_HOLDER = "choose who handles the cards"
    CHOOSE_FIRST = "determine the hand revealed first"
    EXPOSE = "expose the cards"
    PASS_HAND = "pass a hand to another patron"  # noqa: S105 (it opens nothing)
    PERMIT_DRAWING = "permit drawing without a wager"
    PERMIT_SQUEEZE = "permit squeezing"
    ALLOW_WITHDRAWAL = "allow withdrawal when the cutting card comes first"
    REPORT = "report what was found"
    INTERRUPT = "report an interruption"
    ORDER_CARDS = "determine the order of cards"
    WITNESS_COUNT = "be present at the count"
    REPLACE_CARDS = "have the cards replaced"
    REMOVE_WAGERS = "remove wagers beyond the table differential"
    RULE = "decide what no rule covers"
    CORRECT = "correct credits"
    APPROVE = "approve a correction"
    CONFIRM_CASH = "confirm cash beyond one person's limit"
    CONFIRM_STAKE = "confirm the amount of a wager"
    EXCEED_FILE = "open a table, or set limits, beyond the floor's file"
    CONFIRM_SETUP = "confirm a setup beyond the floor's file"


@dataclass(frozen=True, slots=True)
class Charge:
    """Who holds a duty, and where that is said; without a clause it is the house's own order."""

    position: Position
    clause: Clause | None = None
    # Whether the device, the terminals and the clock may do it by themselves.
    system: bool = False


class Method(Enum):
    """A way of dealing (B8, TNC5 3.8)."""

    A = "A"
    B = "B"
    C = "C"


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout of the appendix, and how many playing positions it has (interpretation 35)."""

    key: str
    fewest: int
    most: int


class Found(Enum):
    """What was found to be the matter."""

    EXTRA_CARDS = "extra-cards"
    MISSING_CARDS = "missing-cards"
    FOREIGN_CARDS = "foreign-cards"
    UNSHUFFLED_CARDS = "unshuffled-cards"
    ORDER_ALTERED = "order-altered"
    TOO_FEW_CARDS = "too-few-cards"
    FACE_UP_IN_DEVICE = "face-up-in-device"
    WRONG_ORDER = "wrong-order"
    WRONG_NUMBER = "wrong-number"
    DRAWN_TOGETHER = "drawn-together"
    WRONG_PATRON = "wrong-patron"
    NOT_PASSED = "not-passed"
    DEALT_FACE_UP = "dealt-face-up"
    EXPOSED_IN_ERROR = "exposed-in-error"
    CUTTING_CARD_FIRST = "cutting-card-first"
    DEVICE_RESET = "device-reset"
    PATRON_ABSENT = "patron-absent"
    CARDS_CARRIED_OFF = "cards-carried-off"
    EXPOSED_IN_MOVING = "exposed-in-moving"
    DISORDERED_IN_MOVING = "disordered-in-moving"
    CARD_SEEN = "card-seen"
    OFF_LIMITS = "off-limits"
    DIFFERENTIAL = "differential-exceeded"
    INTERRUPTION = "interruption"
    TERMINALS_DOWN = "terminals-down"
    DISPLAY_WRONG = "display-wrong"
    OTHER = "other"


class Circumstance(Enum):
    """What a rule may turn on."""

    NO_CARD_YET = "no card is dealt yet"
    INITIAL_DEAL = "the initial deal is under way"
    INITIAL_DEAL_DONE = "the initial deal is complete"
    ORDER_KNOWN = "the order can be told"
    ORDER_UNKNOWN = "the order cannot be told"
    NOTHING_DECIDED = "no outcome is established"
    SOMETHING_DECIDED = "an outcome is established"
    FACE_DOWN = "the cards are face down"
    FACE_UP = "the cards have been exposed"
    UNDER_MINIMUM = "the wager is under the minimum"
    OVER_MAXIMUM = "the wager is over the maximum"
    HLGA = "the table is in the HLGA"
    METHOD_C = "the game is dealt by Method C"


class Remedy(Enum):
    """What an irregularity leads to."""

    VOID = "void"
    VOID_AND_PROPOSE = "void-and-propose"
    VOID_AND_REPLACE = "void-and-replace"
    PLAY_ON = "play-on"
    REBUILD = "rebuild"
    OFFER_THEN_REBUILD = "offer-then-rebuild"
    ORDER_THEN_OFFER = "order-then-offer"
    OFFER_ALL_THEN_PLAY_ON = "offer-all-then-play-on"
    OFFER_THEN_REOPEN = "offer-then-reopen"
    OFFER_THEN_PLAY_ON = "offer-then-play-on"
    RETRIEVE = "retrieve"
    DEALER_EXPOSES = "dealer-exposes"
    COUNT = "count"
    SETTLE_WITHIN_LIMITS = "settle-within-limits"
    CARDS_STAND = "cards-stand"
    REFER = "refer"


class Act(Enum):
    """A human act that the table asks for, and somebody vouches for."""

    PATRON_ASKED = "patron-asked"
    IN_FULL_VIEW = "in-full-view"
    PLACED_ON_LAYOUT = "placed-on-layout"
    PASSED_THROUGH_DEALER = "passed-through-dealer"
    ASKED_TO_DECREASE = "asked-to-decrease"
    SORTED_AND_DISPLAYED = "sorted-and-displayed"
    TAKEN_FROM_COMPLETE_DECK = "taken-from-complete-deck"
    CUTTING_CARD_REMOVED = "cutting-card-removed"


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of what the rulebook says of an irregularity: it applies when all its circumstances are there.

    A rule that is *also_paid* applies to a paid round too, until bets open again (interpretation 43).
    """

    clause: Clause
    remedy: Remedy
    when: frozenset[Circumstance] = frozenset()
    also_paid: bool = False


class Late(Enum):
    """What becomes of a wager placed, raised or taken back after the close (interpretation 12)."""

    REFUSED = "refused"
    NOT_HONOURED = "not-honoured"


@dataclass(frozen=True, slots=True)
class LateClauses:
    """Where a rulebook speaks of late changes."""

    treatment: Late
    placed: Clause
    withdrawn: Clause


@dataclass(frozen=True, slots=True)
class Areas:
    """Playing areas that take a limited number of wagers each (B8, TNC5 3.6)."""

    most: int
    clause: Clause


@dataclass(frozen=True, slots=True)
class LimitClauses:
    """Where a rulebook speaks of limits: what the table displays, and a wager found outside them (B8, TNC5 5.14)."""

    displayed: Clause
    under: Clause | None = None
    over: Clause | None = None


@dataclass(frozen=True, slots=True)
class DifferentialClauses:
    """Where a rulebook speaks of the table differential (B8, TNC5 5.18)."""

    decrease: Clause
    increase: Clause
    remove: Clause


@dataclass(frozen=True, slots=True)
class CustodyClauses:
    """Where a rulebook says who gets the cards, and who keeps the device (B8, TNC5 3.9, 3.11)."""

    highest: Clause
    next_highest: Clause
    first_placed: Clause
    chosen: Clause
    around: Clause
    patron_draws: Clause
    without_wager: Clause
    given_up: Clause
    lost: Clause


@dataclass(frozen=True, slots=True)
class Conduct:
    """All that a rulebook says of conducting a table.

    *terminals* tells terminals with credits from a layout with chips; *other_clause* is where all the rest is referred.
    """

    terminals: bool
    layouts: tuple[Layout, ...]
    duties: Mapping[Duty, Charge]
    rules: Mapping[Found, tuple[Rule, ...]]
    late: LateClauses
    methods: tuple[Method, ...] = ()
    areas: Areas | None = None
    custody: CustodyClauses | None = None
    limits: LimitClauses | None = None
    differential: DifferentialClauses | None = None
    other_clause: Clause | None = None
    acts: Mapping[Act, Clause] = field(default_factory=lambda: MappingProxyType({}))
    # Where the rulebook says that a wager may be available: a table may do without it (interpretation 7).
    optional: frozenset[Clause] = frozenset()
    # Whether the cards may be virtual by the rulebook (interpretations 32, 42).
    virtual: bool = False

    def may_leave_out(self, wager: Wager) -> bool:
        """Whether a table may open without this wager."""
        return any(pay.clause in self.optional for pay in wager.pays)

    def rule(self, found: Found, circumstances: frozenset[Circumstance], *, paid: bool = False) -> Rule:
        """The first rule that fits what was found, in a round that may be *paid*; without one, it is referred.

        Interpretations 20, 43.
        """
        for rule in self.rules.get(found, ()):
            if rule.when <= circumstances:
                return rule if rule.also_paid or not paid else self.referral
        return self.referral

    @property
    def referral(self) -> Rule:
        """What no rule covers is referred (EB4, E7U, B8, TNC5 6.1)."""
        return Rule(self.other_clause or "", Remedy.REFER)
