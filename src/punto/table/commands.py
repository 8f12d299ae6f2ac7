"""What may be asked of a table.

Every command has an id, the table, who gives it and in what position, and the time; *do* tells them apart. Cards are
written as everywhere, rank then suit; amounts are whole cents.
"""

from typing import ClassVar

from msgspec import Struct

from punto.rules import Act, Duty, Found, Method, Side
from punto.rules.money import Cents
from punto.table.actor import Actor
from punto.table.events import Ruling
from punto.table.setup import Setup


class Command(
    Struct, frozen=True, kw_only=True, tag_field="do", tag=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Something asked of a table, by somebody, at a time.

    *duty* is what the position must carry. A command with a *patron* may also be given by that patron; then *duty* is
    what staff need to give it on the patron's behalf.
    """

    duty: ClassVar[Duty | None] = None

    id: str
    table: str
    by: Actor
    at_ms: int


class PatronCommand(Command, frozen=True, kw_only=True):
    """What a patron asks, or staff for the patron."""

    duty: ClassVar[Duty | None] = Duty.SPEAK_FOR_PATRON

    patron: str


# The table and its cards


class OpenTable(Command, frozen=True, kw_only=True, tag="open-table"):
    """Open the table for a gaming day."""

    duty: ClassVar[Duty | None] = Duty.RUN_TABLE

    setup: Setup


class CloseTable(Command, frozen=True, kw_only=True, tag="close-table"):
    """Close the table, between rounds."""

    duty: ClassVar[Duty | None] = Duty.RUN_TABLE


class LoadShoe(Command, frozen=True, kw_only=True, tag="load-shoe"):
    """Put a fresh shoe in place.

    For a virtual shoe the floor says what it commits to, and hands over the order sealed.
    """

    duty: ClassVar[Duty | None] = Duty.RUN_ROUND

    commitment: str = ""
    sealed: str = ""


class CutShoe(PatronCommand, frozen=True, kw_only=True, tag="cut-shoe"):
    """Cut a virtual shoe: so many cards from its front go to its back."""

    cards: int


class EndShoe(Command, frozen=True, kw_only=True, tag="end-shoe"):
    """Take the shoe out; a virtual one is opened, order and salt."""

    duty: ClassVar[Duty | None] = Duty.RUN_ROUND

    order: str = ""
    salt: str = ""


# The round


class OpenBets(Command, frozen=True, kw_only=True, tag="open-bets"):
    """Begin a round: "Place your bets, please" (EB4, FF2, B8, TNC5, E7U 3.1)."""

    duty: ClassVar[Duty | None] = Duty.RUN_ROUND


class PlaceWager(PatronCommand, frozen=True, kw_only=True, tag="place-wager"):
    """Put a stake on a wager, at a position of the layout or on a terminal."""

    duty: ClassVar[Duty | None] = Duty.PLACE_FOR_PATRON

    wager: str
    stake_cents: Cents
    position: int


class ChangeWager(PatronCommand, frozen=True, kw_only=True, tag="change-wager"):
    """Make a wager larger or smaller."""

    duty: ClassVar[Duty | None] = Duty.PLACE_FOR_PATRON

    number: int
    stake_cents: Cents


class TakeBackWager(PatronCommand, frozen=True, kw_only=True, tag="take-back-wager"):
    """Take a wager off the layout."""

    duty: ClassVar[Duty | None] = Duty.PLACE_FOR_PATRON

    number: int


class CloseBets(Command, frozen=True, kw_only=True, tag="close-bets"):
    """End the betting: "No more bets" (EB4, FF2, B8, TNC5, E7U 3.2)."""

    duty: ClassVar[Duty | None] = Duty.RUN_ROUND


class DrawCard(Command, frozen=True, kw_only=True, tag="draw-card"):
    """Draw the next card; what a device read, if it reads, and for a virtual shoe what the floor hands over."""

    card: str | None = None


class ShowCuttingCard(Command, frozen=True, kw_only=True, tag="show-cutting-card"):
    """The cutting card has come out of the device (EB4 3.10; E7U 3.9; B8, TNC5 3.17)."""


class Announce(Command, frozen=True, kw_only=True, tag="announce"):
    """Announce the point totals after the initial deal, or the outcome."""

    duty: ClassVar[Duty | None] = Duty.RUN_ROUND


class Settle(Command, frozen=True, kw_only=True, tag="settle"):
    """Collect losing wagers and pay winning ones, with which the round ends (B8 1.1.7; TNC5 1.1.6; FF2 1.1.9)."""

    duty: ClassVar[Duty | None] = Duty.RUN_ROUND


# Custody of cards and device (B8, TNC5)


class RestrictAreas(Command, frozen=True, kw_only=True, tag="restrict-areas"):
    """Allow fewer wagers per playing area (B8, TNC5 3.6.1)."""

    duty: ClassVar[Duty | None] = Duty.RESTRICT_AREAS

    most: int


class ChooseMethod(Command, frozen=True, kw_only=True, tag="choose-method"):
    """Deal by another method from the next round on (B8, TNC5 3.8.2)."""

    duty: ClassVar[Duty | None] = Duty.CHOOSE_METHOD

    method: Method


class AcceptCards(PatronCommand, frozen=True, kw_only=True, tag="accept-cards"):
    """Take the cards that are offered."""

    side: Side


class RefuseCards(PatronCommand, frozen=True, kw_only=True, tag="refuse-cards"):
    """Do not take the cards that are offered (B8, TNC5 3.9.3, 3.9.5)."""

    side: Side


class ChooseHolder(Command, frozen=True, kw_only=True, tag="choose-holder"):
    """Choose who handles the cards when nobody has a claim, or nobody is named to take them (B8, TNC5 3.9.4.1)."""

    duty: ClassVar[Duty | None] = Duty.CHOOSE_HOLDER

    side: Side
    patron: str


class PermitSqueeze(Command, frozen=True, kw_only=True, tag="permit-squeeze"):
    """Let a patron, or who is named in the patron's place, squeeze a hand of this round (B8, TNC5 3.16)."""

    duty: ClassVar[Duty | None] = Duty.PERMIT_SQUEEZE

    side: Side
    patron: str
    designee: str = ""


class PassHand(Command, frozen=True, kw_only=True, tag="pass-hand"):
    """Give a hand that the patron at the device does not expose to another, through the Dealer (B8, TNC5 3.11.3)."""

    duty: ClassVar[Duty | None] = Duty.EXPOSE

    side: Side
    patron: str


class ChooseFirst(Command, frozen=True, kw_only=True, tag="choose-first"):
    """Determine which hand is revealed first (B8, TNC5 3.9.6)."""

    duty: ClassVar[Duty | None] = Duty.CHOOSE_FIRST

    side: Side


class ExposeCards(Command, frozen=True, kw_only=True, tag="expose-cards"):
    """Turn a hand's face-down cards up; *cards* says what they are where no device has read them.

    The *patron* who handles them does it; without one, the Dealer.
    """

    side: Side
    patron: str = ""
    cards: str = ""


class TakeDevice(PatronCommand, frozen=True, kw_only=True, tag="take-device"):
    """Take control of the dealing device (B8, TNC5 3.11.8)."""


class GiveUpDevice(PatronCommand, frozen=True, kw_only=True, tag="give-up-device"):
    """Relinquish control of the dealing device (B8, TNC5 3.11.8.1)."""


class PermitDrawing(Command, frozen=True, kw_only=True, tag="permit-drawing"):
    """Permit a patron to draw without a wager, or withdraw that (B8, TNC5 3.11.2)."""

    duty: ClassVar[Duty | None] = Duty.PERMIT_DRAWING

    patron: str
    permitted: bool = True


# What was found


class ReportCards(Command, frozen=True, kw_only=True, tag="report-cards"):
    """Something is the matter with the cards or the device; *order_known* when their order can be restored."""

    duty: ClassVar[Duty | None] = Duty.REPORT

    found: Found
    order_known: bool = False
    note: str = ""


class ReportOrder(Command, frozen=True, kw_only=True, tag="report-order"):
    """Cards lie in the wrong order, are too many or too few, or came together.

    *player* and *banker* are the hands as they lie; *order* is the order in which the cards should have come, and is
    left out where nobody can tell it.
    """

    duty: ClassVar[Duty | None] = Duty.REPORT

    found: Found
    player: str
    banker: str
    order: str | None = None


class OrderCards(Command, frozen=True, kw_only=True, tag="order-cards"):
    """Determine the order of cards that came together (B8, TNC5 5.8.2.2)."""

    duty: ClassVar[Duty | None] = Duty.ORDER_CARDS

    order: str


class ReportDelivery(Command, frozen=True, kw_only=True, tag="report-delivery"):
    """Cards were passed to the wrong patron, not passed, dealt face up or exposed in error (B8, TNC5 5.7, 5.7.1)."""

    duty: ClassVar[Duty | None] = Duty.REPORT

    found: Found
    side: Side
    cards: str = ""


class ReportReset(Command, frozen=True, kw_only=True, tag="report-reset"):
    """An electronic device had to be reset after the close (B8, TNC5 5.9)."""

    duty: ClassVar[Duty | None] = Duty.REPORT


class ReportAbsence(Command, frozen=True, kw_only=True, tag="report-absence"):
    """The patron who handles a hand is not there (B8, TNC5 5.10)."""

    duty: ClassVar[Duty | None] = Duty.REPORT

    side: Side


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
    """A wager is found to be of another amount than was thought (B8, TNC5 5.14, 5.15)."""

    duty: ClassVar[Duty | None] = Duty.REPORT

    number: int
    stake_cents: Cents


class RemoveWager(Command, frozen=True, kw_only=True, tag="remove-wager"):
    """Take a wager, or part of it, off the heavier side (B8, TNC5 5.18.3)."""

    duty: ClassVar[Duty | None] = Duty.REMOVE_WAGERS

    number: int
    stake_cents: Cents = Cents(0)


class ReportInterruption(Command, frozen=True, kw_only=True, tag="report-interruption"):
    """Power or machinery failed: everywhere, or at some terminals only (EB4, E7U 5.9, 5.10; B8, TNC5 5.17)."""

    duty: ClassVar[Duty | None] = Duty.INTERRUPT

    terminals: tuple[int, ...] = ()


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


class Refer(Command, frozen=True, kw_only=True, tag="refer"):
    """Refer what no rule covers (EB4, E7U, B8, TNC5 6.1)."""

    duty: ClassVar[Duty | None] = Duty.REPORT

    matter: str


class Rule(Command, frozen=True, kw_only=True, tag="rule"):
    """Decide what was referred: the round is void, goes on, or goes on after some wagers are returned."""

    duty: ClassVar[Duty | None] = Duty.RULE

    ruling: Ruling
    reason: str
    wagers: tuple[int, ...] = ()


# Money


class BuyIn(PatronCommand, frozen=True, kw_only=True, tag="buy-in"):
    """Buy credits or chips with cash."""

    cents: Cents
    position: int


class CashOut(PatronCommand, frozen=True, kw_only=True, tag="cash-out"):
    """Turn credits or chips into cash."""

    cents: Cents
    position: int


class CorrectCredits(Command, frozen=True, kw_only=True, tag="correct-credits"):
    """Put a patron's credits right: by one person, approved by another."""

    duty: ClassVar[Duty | None] = Duty.CORRECT

    patron: str
    cents: Cents
    reason: str
    approved_by: Actor


AnyCommand = (
    OpenTable
    | CloseTable
    | LoadShoe
    | CutShoe
    | EndShoe
    | OpenBets
    | PlaceWager
    | ChangeWager
    | TakeBackWager
    | CloseBets
    | DrawCard
    | ShowCuttingCard
    | Announce
    | Settle
    | RestrictAreas
    | ChooseMethod
    | AcceptCards
    | RefuseCards
    | ChooseHolder
    | PermitSqueeze
    | PassHand
    | ChooseFirst
    | ExposeCards
    | TakeDevice
    | GiveUpDevice
    | PermitDrawing
    | ReportCards
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
    | AllowWithdrawal
    | AnswerOffer
    | CallTime
    | ReportDisplay
    | Attest
    | Refer
    | Rule
    | BuyIn
    | CashOut
    | CorrectCredits
)
