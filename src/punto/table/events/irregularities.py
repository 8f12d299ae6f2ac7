"""What was found, and what followed from it."""

from enum import Enum

from punto.rules import Act, Found, Remedy, Side
from punto.rules.money import Cents
from punto.table.events.event import Event
from punto.table.events.rounds import Payment, Return


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
    """The count is done, and these cards are missing: they are in neither device nor discards."""

    missing: str
    device: str = ""
    discards: str = ""


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


OfIrregularities = (
    IrregularityFound
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
)
