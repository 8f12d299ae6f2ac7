"""What has happened at a table.

An event is a fact, and carries all that replay, the ledger and an audit need to know of it; *type* tells them apart.
Old logs stay readable: a field that is added has a default, and none is renamed or removed.
"""

from enum import Enum

from msgspec import Struct

from punto.rules import Act, Found, Method, Remedy, Result, Side, Winner
from punto.rules.money import Cents
from punto.table.actor import Actor
from punto.table.setup import Setup


class Event(Struct, frozen=True, tag_field="type", tag=True, omit_defaults=True):
    """Something that happened at a table."""


class Payment(Struct, frozen=True, omit_defaults=True):
    """What a wager came to: *counted* of its stake was settled, *paid* goes back to the patron in all."""

    number: int
    patron: str
    wager: str
    stake_cents: Cents
    counted_cents: Cents
    result: Result
    won_cents: Cents
    paid_cents: Cents
    clause: str


class Return(Struct, frozen=True):
    """A stake, or part of it, that goes back."""

    number: int
    patron: str
    cents: Cents


class Ruling(Enum):
    """What is decided of a matter that was referred."""

    VOID = "void"
    CONTINUE = "continue"
    RETURN = "return"


class Sequel(Enum):
    """What follows once every patron has answered."""

    PLAY_ON = "play-on"
    REBUILD = "rebuild"
    REOPEN = "reopen"


# The table and its cards


class TableOpened(Event, frozen=True, tag="table-opened"):
    """The table is open, under the rulebook then in force (interpretation 34)."""

    setup: Setup


class TableClosed(Event, frozen=True, tag="table-closed"):
    """The table is closed; warnings are forgotten (interpretation 9)."""


class ShoeLoaded(Event, frozen=True, tag="shoe-loaded"):
    """A fresh shoe is in place."""

    shoe: int
    commitment: str = ""
    sealed: str = ""


class ShoeCut(Event, frozen=True, tag="shoe-cut"):
    """A patron has cut the virtual shoe."""

    patron: str
    cards: int


class ShoeEnded(Event, frozen=True, tag="shoe-ended"):
    """The shoe is out; a virtual one lies open."""

    shoe: int
    order: str = ""
    salt: str = ""


# The round


class BetsOpened(Event, frozen=True, tag="bets-opened"):
    """A round has begun, under this rulebook and this declaration of the game."""

    round: int
    shoe: int
    announced: str
    clause: str
    until_ms: int
    rulebook: str
    version: int | None
    digest: str


class WagerPlaced(Event, frozen=True, tag="wager-placed"):
    """A wager was accepted."""

    number: int
    patron: str
    wager: str
    stake_cents: Cents
    position: int
    # By staff at the patron's request (B8, TNC5 3.7).
    for_patron: bool = False


class WagerChanged(Event, frozen=True, tag="wager-changed"):
    """A wager was made larger or smaller."""

    number: int
    patron: str
    from_cents: Cents
    to_cents: Cents


class WagerTakenBack(Event, frozen=True, tag="wager-taken-back"):
    """A wager was taken back in time."""

    number: int
    patron: str
    cents: Cents


class LateWager(Event, frozen=True, tag="late-wager"):
    """A wager or a raise came after the close and is not honoured; no money has moved."""

    patron: str
    wager: str
    cents: Cents
    clause: str
    number: int = 0


class LateWithdrawal(Event, frozen=True, tag="late-withdrawal"):
    """A wager was taken back, or made smaller, after the close; it still wins or loses as it was."""

    number: int
    patron: str
    clause: str


class BetsClosed(Event, frozen=True, tag="bets-closed"):
    """No more bets."""

    announced: str
    clause: str


class DifferentialExceeded(Event, frozen=True, tag="differential-exceeded"):
    """One side is too heavy: its patrons are asked to decrease, and no card is dealt (B8, TNC5 5.18.1)."""

    heavier: Side
    excess_cents: Cents
    clause: str


class DifferentialMet(Event, frozen=True, tag="differential-met"):
    """The difference is within the limit again."""


class WagerRemoved(Event, frozen=True, tag="wager-removed"):
    """A wager, or part of it, was removed to meet the differential (B8, TNC5 5.18.3)."""

    number: int
    patron: str
    from_cents: Cents
    to_cents: Cents
    clause: str


class CardDrawn(Event, frozen=True, tag="card-drawn"):
    """A card has come; *card* is empty when nobody has read it yet."""

    card: str
    side: Side
    up: bool


class CuttingCardCame(Event, frozen=True, tag="cutting-card-came"):
    """The cutting card has come: the round is completed and is the shoe's last (interpretation 21)."""

    first: bool
    clause: str


class CardsExposed(Event, frozen=True, tag="cards-exposed"):
    """A hand's cards lie open."""

    side: Side
    cards: str


class TotalsAnnounced(Event, frozen=True, tag="totals-announced"):
    """The point totals of the initial deal were announced."""

    player: int
    banker: int
    clause: str


class OutcomeAnnounced(Event, frozen=True, tag="outcome-announced"):
    """The outcome was announced."""

    winner: Winner
    player: int
    banker: int
    cards: str
    clause: str


class RoundSettled(Event, frozen=True, tag="round-settled"):
    """Losing wagers are collected and winning ones paid."""

    round: int
    cards: str
    payments: tuple[Payment, ...]


class RoundVoided(Event, frozen=True, tag="round-voided"):
    """The round has no outcome; every stake goes back, once (interpretation 16)."""

    round: int
    found: Found
    clause: str
    returns: tuple[Return, ...]
    replace: bool
    # Cards that came out and were never drawn in their turn.
    out: str = ""


# Custody


class AreasRestricted(Event, frozen=True, tag="areas-restricted"):
    """A playing area takes this many wagers from now on."""

    most: int


class MethodChosen(Event, frozen=True, tag="method-chosen"):
    """Rounds are dealt by this method from now on."""

    method: Method


class CardsOffered(Event, frozen=True, tag="cards-offered"):
    """A hand is passed, face down, to the patron whose right it is."""

    side: Side
    patron: str
    clause: str


class CardsAccepted(Event, frozen=True, tag="cards-accepted"):
    """The patron handles the hand."""

    side: Side
    patron: str


class CardsRefused(Event, frozen=True, tag="cards-refused"):
    """The patron does not want the cards."""

    side: Side
    patron: str


class HolderWanted(Event, frozen=True, tag="holder-wanted"):
    """Nobody with a claim takes the hand: the Pit Supervisor may choose, else the Dealer exposes it."""

    side: Side
    clause: str


class HolderChosen(Event, frozen=True, tag="holder-chosen"):
    """The hand goes to whom the Pit Supervisor chose."""

    side: Side
    patron: str


class SqueezePermitted(Event, frozen=True, tag="squeeze-permitted"):
    """A patron, or the patron's designee, may squeeze the hand in this round."""

    side: Side
    patron: str
    designee: str = ""


class HandPassed(Event, frozen=True, tag="hand-passed"):
    """The hand went, face down and through the Dealer, to another patron."""

    side: Side
    patron: str


class FirstChosen(Event, frozen=True, tag="first-chosen"):
    """This hand is revealed first."""

    side: Side


class DeviceTaken(Event, frozen=True, tag="device-taken"):
    """The patron controls the dealing device."""

    patron: str


class DeviceGivenUp(Event, frozen=True, tag="device-given-up"):
    """The patron no longer controls the device, by this clause."""

    patron: str
    clause: str


class DrawingPermitted(Event, frozen=True, tag="drawing-permitted"):
    """The patron may draw without a wager, or no longer."""

    patron: str
    permitted: bool


# Irregularities


class IrregularityFound(Event, frozen=True, tag="irregularity-found"):
    """Something was found, and the rulebook says what follows; without a clause it is Punto's reading."""

    found: Found
    remedy: Remedy
    clause: str
    note: str = ""


class CardsRebuilt(Event, frozen=True, tag="cards-rebuilt"):
    """The cards are in the order they should have had; what is over counts as not yet drawn."""

    before: str
    cards: str
    surplus: str
    clause: str


class SettlementReversed(Event, frozen=True, tag="settlement-reversed"):
    """A settlement was undone: what was paid goes back, and the stakes stand again."""

    round: int
    payments: tuple[Payment, ...]


class OrderWanted(Event, frozen=True, tag="order-wanted"):
    """The Pit Manager is asked for the order of cards (B8, TNC5 5.8.2.2)."""

    cards: str
    clause: str


class OrderDetermined(Event, frozen=True, tag="order-determined"):
    """The order that the Pit Manager determined."""

    order: str


class WithdrawalOffered(Event, frozen=True, tag="withdrawal-offered"):
    """Patrons may withdraw these wagers: any of them, or where *whole* all of theirs or none (interpretation 18)."""

    clause: str
    wagers: tuple[int, ...]
    patrons: tuple[str, ...]
    whole: bool
    until_ms: int
    sequel: Sequel
    order: str = ""


class WagerWithdrawn(Event, frozen=True, tag="wager-withdrawn"):
    """A patron withdrew a wager that was offered for withdrawal."""

    number: int
    patron: str
    cents: Cents
    clause: str


class OfferAnswered(Event, frozen=True, tag="offer-answered"):
    """A patron has answered."""

    patron: str


class OfferExtended(Event, frozen=True, tag="offer-extended"):
    """The time for answers begins anew, for the table was interrupted."""

    until_ms: int


class OfferClosed(Event, frozen=True, tag="offer-closed"):
    """Everybody has answered, or these patrons let the time pass and play on."""

    silent: tuple[str, ...]


class BetsReopened(Event, frozen=True, tag="bets-reopened"):
    """After a device was reset: cards drawn are discarded, and bets are open again (interpretation 19)."""

    discarded: str
    until_ms: int
    clause: str


class CardsRetrieved(Event, frozen=True, tag="cards-retrieved"):
    """Cards passed to the wrong patron were taken back, face down."""

    side: Side


class CardsKept(Event, frozen=True, tag="cards-kept"):
    """The hand is with the Dealer, who exposes it (B8, TNC5 5.10)."""

    side: Side


class Attested(Event, frozen=True, tag="attested"):
    """Somebody vouches for an act that only people can do."""

    act: Act
    clause: str
    note: str = ""


class CountBegun(Event, frozen=True, tag="count-begun"):
    """Cards of a hand were carried off: this many are unknown, and these were left."""

    side: Side
    cards: int
    clause: str
    left: str = ""


class CardsSetAside(Event, frozen=True, tag="cards-set-aside"):
    """Two cards were set aside in drawn order, seen by the Gaming Shift Manager only (interpretation 26)."""

    cards: str


class CardsCounted(Event, frozen=True, tag="cards-counted"):
    """The count is done, and these cards are missing."""

    missing: str


class MissingReplaced(Event, frozen=True, tag="missing-replaced"):
    """Replacements from a complete deck lie in the places of a hand's missing cards."""

    side: Side
    cards: str


class StakeFound(Event, frozen=True, tag="stake-found"):
    """A wager was found to be of this amount."""

    number: int
    patron: str
    from_cents: Cents
    to_cents: Cents


class PatronWarned(Event, frozen=True, tag="patron-warned"):
    """Warned for a wager under the minimum: the next ones go back, whatever the outcome (B8, TNC5 5.14)."""

    patron: str
    clause: str


class Referred(Event, frozen=True, tag="referred"):
    """The Gaming Shift Manager is asked to decide."""

    found: Found
    matter: str
    clause: str = ""


class Ruled(Event, frozen=True, tag="ruled"):
    """The Gaming Shift Manager has decided, and why."""

    ruling: Ruling
    reason: str
    returns: tuple[Return, ...] = ()


# Money


class CreditsBought(Event, frozen=True, tag="credits-bought"):
    """Cash was turned into credits."""

    patron: str
    cents: Cents
    position: int


class CreditsCashedOut(Event, frozen=True, tag="credits-cashed-out"):
    """Credits were turned into cash."""

    patron: str
    cents: Cents
    position: int


class CreditsCorrected(Event, frozen=True, tag="credits-corrected"):
    """Credits were put right, by two people."""

    patron: str
    cents: Cents
    reason: str
    approved_by: Actor


AnyEvent = (
    TableOpened
    | TableClosed
    | ShoeLoaded
    | ShoeCut
    | ShoeEnded
    | BetsOpened
    | WagerPlaced
    | WagerChanged
    | WagerTakenBack
    | LateWager
    | LateWithdrawal
    | BetsClosed
    | DifferentialExceeded
    | DifferentialMet
    | WagerRemoved
    | CardDrawn
    | CuttingCardCame
    | CardsExposed
    | TotalsAnnounced
    | OutcomeAnnounced
    | RoundSettled
    | RoundVoided
    | AreasRestricted
    | MethodChosen
    | CardsOffered
    | CardsAccepted
    | CardsRefused
    | HolderWanted
    | HolderChosen
    | SqueezePermitted
    | HandPassed
    | FirstChosen
    | DeviceTaken
    | DeviceGivenUp
    | DrawingPermitted
    | IrregularityFound
    | CardsRebuilt
    | SettlementReversed
    | OrderWanted
    | OrderDetermined
    | WithdrawalOffered
    | WagerWithdrawn
    | OfferAnswered
    | OfferExtended
    | OfferClosed
    | BetsReopened
    | CardsRetrieved
    | CardsKept
    | Attested
    | CountBegun
    | CardsSetAside
    | CardsCounted
    | MissingReplaced
    | StakeFound
    | PatronWarned
    | Referred
    | Ruled
    | CreditsBought
    | CreditsCashedOut
    | CreditsCorrected
)
