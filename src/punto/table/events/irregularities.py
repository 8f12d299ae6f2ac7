"""What was found, and what followed from it."""

from enum import Enum

from msgspec import Struct

from punto.rules import Act, Found, Remedy, Result, Side
from punto.rules.money import Cents
from punto.table.actor import Actor
from punto.table.events.event import Event
from punto.table.events.rounds import Payment, Return


class Ruling(Enum):
    """What becomes of the round: it is void, goes on or stands, does so without some wagers, or is put in order."""

    VOID = "void"
    CONTINUE = "continue"
    RETURN = "return"
    ORDER = "order"


class ShoeRuling(Enum):
    """What becomes of the shoe, where a decision says so."""

    REPLACE = "replace"
    KEEP = "keep"


class StatedResult(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A wager is settled at this result; *pays* names the line where the wager has several that win, as "8 to 1"."""

    number: int
    result: Result
    pays: str = ""


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
    # The cards that came together, by their places in the draw.
    together: tuple[int, ...] = ()
    # Cards in the device that were seen.
    cards: str = ""
    # It is judged once the cards in patrons' hands lie open.
    deferred: bool = False


class CardsRebuilt(Event, frozen=True, tag="cards-rebuilt"):
    """The cards are in the order they should have had; a card that nobody has read is a question mark.

    *surplus* are cards that the coup does not need; nobody has seen those at the places *unseen*, counted from 1.
    """

    before: str
    cards: str
    surplus: str
    clause: str
    unseen: tuple[int, ...] = ()


class SettlementReversed(Event, frozen=True, tag="settlement-reversed"):
    """A settlement was undone: what was paid goes back, and the stakes stand again."""

    round: int
    payments: tuple[Payment, ...]


class OrderWanted(Event, frozen=True, tag="order-wanted"):
    """The Pit Manager is asked for the order of cards; the first so many are certain (B8, TNC5 5.8.2.2)."""

    cards: str
    clause: str
    certain: int = 0


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
    # Cards that the decision has played all the same: they stay.
    kept: str = ""


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
    # The wager that it is about, where each has an act of its own (B8, TNC5 3.7).
    wager: int = 0


class CountBegun(Event, frozen=True, tag="count-begun"):
    """Cards of a hand were carried off: this many are unknown, and these were left."""

    side: Side
    cards: int
    clause: str
    left: str = ""


class CardsSetAside(Event, frozen=True, tag="cards-set-aside"):
    """Two cards were set aside in drawn order, seen by the Gaming Shift Manager only (interpretation 26)."""

    cards: str
    manager: str = ""


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
    # Who confirmed it, where a card was out already.
    confirmed_by: Actor | None = None


class PatronWarned(Event, frozen=True, tag="patron-warned"):
    """Warned for a wager under the minimum: the next ones go back, whatever the outcome (B8, TNC5 5.14)."""

    patron: str
    clause: str


class Referred(Event, frozen=True, tag="referred"):
    """The Gaming Shift Manager is asked to decide about a round: the last one, or the coming one.

    *cards* were named in the report: they are out of the device, whatever is decided (interpretation 44). *replace*
    says that the cards shall be replaced, whatever is decided (B8, TNC5 5.12.2). *by* is who reported or referred it,
    and does not decide it; nobody where the floor found it by itself.
    """

    found: Found
    matter: str
    clause: str = ""
    number: int = 0
    round: int = 0
    cards: str = ""
    replace: bool = False
    by: str = ""


class Ruled(Event, frozen=True, tag="ruled"):
    """The Gaming Shift Manager has decided a matter: all parts of the decision, and why (interpretation 46)."""

    ruling: Ruling
    reason: str
    returns: tuple[Return, ...] = ()
    matter: int = 0
    round: int = 0
    # Cards that are discarded: by name, and so many that come next, unseen.
    burnt: str = ""
    burnt_next: int = 0
    # Cards that were seen and are played all the same: they come next.
    played: str = ""
    results: tuple[StatedResult, ...] = ()
    shoe: ShoeRuling | None = None
    # How many cards were counted in the device, where its contents were in doubt.
    counted: int | None = None
    # The order that the cards are put in, with a question mark for each that nobody names.
    order: str = ""


class ReportKept(Event, frozen=True, tag="report-kept"):
    """A report that came while something else was awaited: it is taken up after that; *by* is who made it."""

    found: Found
    player: str
    banker: str
    order: str | None = None
    together: tuple[int, ...] = ()
    by: str = ""


class ReportTakenUp(Event, frozen=True, tag="report-taken-up"):
    """A report that was kept is taken up; or it no longer fits the round and is *dropped*, and this is why."""

    found: Found
    dropped: str = ""


class TerminalsFailed(Event, frozen=True, tag="terminals-failed"):
    """These terminals are down: they place and withdraw nothing until they are back (EB4, E7U 5.10)."""

    terminals: tuple[int, ...]


class TerminalsRestored(Event, frozen=True, tag="terminals-restored"):
    """These terminals are back."""

    terminals: tuple[int, ...]


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
    | ReportKept
    | ReportTakenUp
    | TerminalsFailed
    | TerminalsRestored
)
