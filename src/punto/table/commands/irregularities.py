"""What was found, and what somebody decides about it."""

from typing import ClassVar

from msgspec import Struct

from punto.rules import Act, Duty, Found, Method, Side
from punto.rules.money import Cents
from punto.table.actor import Actor
from punto.table.commands.command import Command, PatronCommand
from punto.table.events import Ruling, ShoeRuling, StatedResult


class ReportCards(Command, frozen=True, kw_only=True, tag="report-cards"):
    """Something is the matter with the cards or the device; *order_known* when their order can be restored.

    *cards* names the cards that were found, where their values were seen.
    """

    duty: ClassVar[Duty | None] = Duty.REPORT

    found: Found
    order_known: bool = False
    note: str = ""
    cards: str = ""


class ReportOrder(Command, frozen=True, kw_only=True, tag="report-order"):
    """Cards lie in the wrong order, are too many or too few, or came together.

    *player* and *banker* are the hands as they lie; *order* is the order in which the cards should have come, and is
    left out where nobody can tell it. A question mark is a card that lies face down and that nobody has seen.
    *together* are the cards that came together, by their places in the draw: 3 and 4 are the third and the fourth.
    """

    duty: ClassVar[Duty | None] = Duty.REPORT

    found: Found
    player: str
    banker: str
    order: str | None = None
    together: tuple[int, ...] = ()


class OrderCards(Command, frozen=True, kw_only=True, tag="order-cards"):
    """Determine the order of cards that came together (B8, TNC5 5.8.2.2)."""

    duty: ClassVar[Duty | None] = Duty.ORDER_CARDS

    order: str


class ReportDelivery(Command, frozen=True, kw_only=True, tag="report-delivery"):
    """Cards were passed to the wrong patron, not passed, dealt face up or exposed in error (B8, TNC5 5.7, 5.7.1).

    *cards* names the cards that were exposed, and *places* says which of the hand they are, counted from 1. Without
    places they are those that the device has read by these names, or the first that nobody has read. Without either,
    the whole hand was exposed.
    """

    duty: ClassVar[Duty | None] = Duty.REPORT

    found: Found
    side: Side
    cards: str = ""
    places: tuple[int, ...] = ()


class ReportReset(Command, frozen=True, kw_only=True, tag="report-reset"):
    """An electronic device had to be reset after the close (B8, TNC5 5.9)."""

    duty: ClassVar[Duty | None] = Duty.REPORT


class ReportAbsence(Command, frozen=True, kw_only=True, tag="report-absence"):
    """The patron who handles a hand, or who controls the device, is not there (B8, TNC5 5.10).

    Without a *side* it is the patron at the device.
    """

    duty: ClassVar[Duty | None] = Duty.REPORT

    side: Side | None = None


class ReportCarriedOff(Command, frozen=True, kw_only=True, tag="report-carried-off"):
    """A patron has left with cards of a hand, and neither device nor surveillance knows them (B8, TNC5 5.11)."""

    duty: ClassVar[Duty | None] = Duty.REPORT

    side: Side
    cards: int
    # The cards of that hand that were left behind, where nobody had read them.
    left: str = ""
    # The same of the other hand, if cards of both are gone.
    other_cards: int = 0
    other_left: str = ""


class SetCardsAside(Command, frozen=True, kw_only=True, tag="set-cards-aside"):
    """Take two cards from the device, in drawn order, for nobody else to see (B8, TNC5 5.11.1)."""

    duty: ClassVar[Duty | None] = Duty.WITNESS_COUNT

    cards: str


class CountCards(Command, frozen=True, kw_only=True, tag="count-cards"):
    """What was sorted and displayed: the rest of the device, and the discards (B8, TNC5 5.11.2)."""

    duty: ClassVar[Duty | None] = Duty.WITNESS_COUNT

    device: str
    discards: str


class AssignMissing(Command, frozen=True, kw_only=True, tag="assign-missing"):
    """Put replacements from a complete deck in the places of the missing cards, in order (B8, TNC5 5.11.3)."""

    duty: ClassVar[Duty | None] = Duty.WITNESS_COUNT

    cards: str


class ReportStake(Command, frozen=True, kw_only=True, tag="report-stake"):
    """Chips on the layout are found to be of another amount than was thought (B8, TNC5 5.14, 5.15).

    Once a card is out, somebody above the Dealer confirms it.
    """

    duty: ClassVar[Duty | None] = Duty.REPORT

    number: int
    stake_cents: Cents
    confirmed_by: Actor | None = None


class RemoveWager(Command, frozen=True, kw_only=True, tag="remove-wager"):
    """Take a wager, or part of it, off the heavier side (B8, TNC5 5.18.3)."""

    duty: ClassVar[Duty | None] = Duty.REMOVE_WAGERS

    number: int
    stake_cents: Cents = Cents(0)


class ReportInterruption(Command, frozen=True, kw_only=True, tag="report-interruption"):
    """Power or machinery failed: for the whole table, or where *terminals* are named, at these only.

    EB4, E7U 5.9, 5.10; B8, TNC5 5.17.
    """

    duty: ClassVar[Duty | None] = Duty.INTERRUPT

    terminals: tuple[int, ...] = ()


class RestoreTerminals(Command, frozen=True, kw_only=True, tag="restore-terminals"):
    """These terminals are back (EB4, E7U 5.10)."""

    duty: ClassVar[Duty | None] = Duty.INTERRUPT

    terminals: tuple[int, ...]


class AllowWithdrawal(Command, frozen=True, kw_only=True, tag="allow-withdrawal"):
    """Let patrons withdraw because the cutting card came first (B8, TNC5 3.17.1)."""

    duty: ClassVar[Duty | None] = Duty.ALLOW_WITHDRAWAL


class AnswerOffer(PatronCommand, frozen=True, kw_only=True, tag="answer-offer"):
    """Withdraw these wagers, or none of them."""

    withdraw: tuple[int, ...] = ()


class CallTime(Command, frozen=True, kw_only=True, tag="call-time"):
    """The time for answers is up: who has not answered plays on."""


class ReportDisplay(Command, frozen=True, kw_only=True, tag="report-display"):
    """A display shows something else than the cards say (EB4, E7U, B8, TNC5 6.3)."""

    duty: ClassVar[Duty | None] = Duty.REPORT

    shown: str


class Attest(Command, frozen=True, kw_only=True, tag="attest"):
    """Vouch for an act that only people can do, and that the table asks for."""

    act: Act
    note: str = ""
    # The wager that it is about, where each has an act of its own (B8, TNC5 3.7).
    wager: int = 0


class Refer(Command, frozen=True, kw_only=True, tag="refer"):
    """Refer what no rule covers (EB4, E7U, B8, TNC5 6.1)."""

    duty: ClassVar[Duty | None] = Duty.REPORT

    matter: str


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """So many cents of a wager."""

    number: int
    cents: Cents


class Rule(Command, frozen=True, kw_only=True, tag="rule"):
    """Decide what was referred. A decision has parts, and one reason (EB4, E7U, B8, TNC5 6.1; interpretation 46).

    *ruling* says what becomes of the round; with `order`, *order* is the order in which its cards are put. A card that
    was seen before bets close is discarded, unless it is named in *play*.
    """

    duty: ClassVar[Duty | None] = Duty.RULE

    ruling: Ruling
    reason: str
    order: str = ""
    # Wagers that go back as a whole, and wagers of which so many cents go back.
    wagers: tuple[int, ...] = ()
    parts: tuple[Part, ...] = ()
    # Wagers that are paid or collected at a stated result.
    results: tuple[StatedResult, ...] = ()
    # Cards that are discarded: by name, and so many that come next. Cards that were seen and are played all the same.
    burn: str = ""
    burn_next: int = 0
    play: str = ""
    # Bets open once more for this round; its cards are discarded.
    reopen: bool = False
    # Deal by this method from now on.
    method: Method | None = None
    shoe: ShoeRuling | None = None
    counted: int | None = None
    # The number of what is decided, so that a decision that comes late is on nothing else; 0: on whatever is pending.
    matter: int = 0
    # The round that the decision applies to; 0: the one that the matter is about.
    round: int = 0


OfIrregularities = (
    ReportCards
    | ReportOrder
    | OrderCards
    | ReportDelivery
    | ReportReset
    | ReportAbsence
    | ReportCarriedOff
    | SetCardsAside
    | CountCards
    | AssignMissing
    | ReportStake
    | RemoveWager
    | ReportInterruption
    | RestoreTerminals
    | AllowWithdrawal
    | AnswerOffer
    | CallTime
    | ReportDisplay
    | Attest
    | Refer
    | Rule
)
