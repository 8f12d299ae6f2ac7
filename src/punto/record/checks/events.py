"""Events of play as they are written in a table's log: the table, its cards, wagers, the deal, custody, money."""

from punto.record.checks.written import Actor, Beacon, Limit, Payment, Return, Setup, Written
from punto.rules import Found, Method, Side, Winner


class Event(Written, frozen=True, tag_field="type", tag=True):
    """Something that happened at a table."""


class TableOpened(Event, frozen=True, tag="table-opened"):
    """The table is open."""

    setup: Setup
    beyond_file: bool = False
    confirmed_by: Actor | None = None


class LimitsChanged(Event, frozen=True, tag="limits-changed"):
    """Other limits from the next round on."""

    limits: dict[str, Limit]
    differential_cents: int
    beyond_file: bool = False
    confirmed_by: Actor | None = None


class TableClosed(Event, frozen=True, tag="table-closed"):
    """The table is closed."""


class ShoeLoaded(Event, frozen=True, tag="shoe-loaded"):
    """A shoe is in place; a virtual one with what it is committed to."""

    shoe: int
    commitment: str = ""
    sealed: str = ""
    protocol: int = 1
    beacon: Beacon | None = None
    commit_until_ms: int = 0
    abandoned: int = 0


class ContributionCommitted(Event, frozen=True, tag="contribution-committed"):
    """A patron has committed to a secret."""

    patron: str
    commitment: str


class ContributionsClosed(Event, frozen=True, tag="contributions-closed"):
    """No more contributions were taken."""

    shoe: int
    until_ms: int
    beacon_round: int = 0


class ContributionRevealed(Event, frozen=True, tag="contribution-revealed"):
    """A patron has revealed the secret."""

    patron: str
    secret: str


class BeaconDrawn(Event, frozen=True, tag="beacon-drawn"):
    """The value of the beacon's round was written down."""

    signature: str


class ShoeCut(Event, frozen=True, tag="shoe-cut"):
    """A virtual shoe was cut."""

    patron: str
    cards: int


class ShoeEnded(Event, frozen=True, tag="shoe-ended"):
    """The shoe is out; a virtual one lies open."""

    shoe: int
    order: str = ""
    salt: str = ""
    # "spent", "proposed", "unrevealed" or "decided"; none before shoes were permuted.
    cause: str | None = None
    reason: str = ""
    unrevealed: tuple[str, ...] = ()


class ShoeKept(Event, frozen=True, tag="shoe-kept"):
    """The cards were not replaced, though that was proposed."""

    shoe: int
    reason: str
    counted: int | None = None


class BetsOpened(Event, frozen=True, tag="bets-opened"):
    """A round has begun."""

    round: int
    shoe: int
    announced: str
    clause: str
    until_ms: int
    rulebook: str
    version: int | None
    digest: str
    readings: int = 0


class WagerPlaced(Event, frozen=True, tag="wager-placed"):
    """A wager was accepted."""

    number: int
    patron: str
    wager: str
    stake_cents: int
    position: int
    for_patron: bool = False
    same_moment_as: int = 0


class WagerChanged(Event, frozen=True, tag="wager-changed"):
    """A wager was made larger or smaller."""

    number: int
    patron: str
    from_cents: int
    to_cents: int
    for_patron: bool = False
    wager: str = ""


class WagerTakenBack(Event, frozen=True, tag="wager-taken-back"):
    """A wager was taken back in time."""

    number: int
    patron: str
    cents: int


class LateWager(Event, frozen=True, tag="late-wager"):
    """Money that came too late, and does not count."""

    patron: str
    wager: str
    cents: int
    clause: str
    number: int = 0


class LateWithdrawal(Event, frozen=True, tag="late-withdrawal"):
    """Money that was taken off too late, and still counts."""

    number: int
    patron: str
    clause: str


class BetsClosed(Event, frozen=True, tag="bets-closed"):
    """No more bets; these terminals were down, and did not show it."""

    announced: str
    clause: str
    not_shown_at: tuple[int, ...] = ()


class DifferentialExceeded(Event, frozen=True, tag="differential-exceeded"):
    """One side is too heavy."""

    heavier: Side
    excess_cents: int
    clause: str


class DifferentialMet(Event, frozen=True, tag="differential-met"):
    """Neither side is too heavy any more."""


class WagerRemoved(Event, frozen=True, tag="wager-removed"):
    """A wager, or part of it, was removed."""

    number: int
    patron: str
    from_cents: int
    to_cents: int
    clause: str


class CardDrawn(Event, frozen=True, tag="card-drawn"):
    """A card has come."""

    card: str
    side: Side
    up: bool


class CuttingCardCame(Event, frozen=True, tag="cutting-card-came"):
    """The cutting card has come."""

    first: bool
    clause: str


class CardsExposed(Event, frozen=True, tag="cards-exposed"):
    """A hand lies open, or the cards at these places of it."""

    side: Side
    cards: str
    places: tuple[int, ...] = ()


class TotalsAnnounced(Event, frozen=True, tag="totals-announced"):
    """The totals of the initial deal."""

    player: int
    banker: int
    clause: str


class OutcomeAnnounced(Event, frozen=True, tag="outcome-announced"):
    """The outcome of the round."""

    winner: Winner
    player: int
    banker: int
    cards: str
    clause: str


class RoundSettled(Event, frozen=True, tag="round-settled"):
    """Wagers are collected and paid."""

    round: int
    cards: str
    payments: tuple[Payment, ...]


class RoundVoided(Event, frozen=True, tag="round-voided"):
    """Every stake goes back."""

    round: int
    found: Found
    clause: str
    returns: tuple[Return, ...]
    replace: bool
    out: str = ""
    proposed: bool = False


class AreasRestricted(Event, frozen=True, tag="areas-restricted"):
    """Fewer wagers to an area."""

    most: int


class MethodChosen(Event, frozen=True, tag="method-chosen"):
    """Another method of dealing."""

    method: Method


class CardsOffered(Event, frozen=True, tag="cards-offered"):
    """A hand is passed to a patron."""

    side: Side
    patron: str
    clause: str


class CardsAccepted(Event, frozen=True, tag="cards-accepted"):
    """The patron takes it."""

    side: Side
    patron: str


class CardsRefused(Event, frozen=True, tag="cards-refused"):
    """The patron does not."""

    side: Side
    patron: str


class HolderWanted(Event, frozen=True, tag="holder-wanted"):
    """Nobody has a claim to the hand."""

    side: Side
    clause: str


class HolderChosen(Event, frozen=True, tag="holder-chosen"):
    """Somebody was chosen to handle it."""

    side: Side
    patron: str


class SqueezePermitted(Event, frozen=True, tag="squeeze-permitted"):
    """Somebody may squeeze the hand in this round."""

    side: Side
    patron: str
    designee: str = ""


class HandPassed(Event, frozen=True, tag="hand-passed"):
    """The hand went to another patron."""

    side: Side
    patron: str


class FirstChosen(Event, frozen=True, tag="first-chosen"):
    """The hand that is revealed first."""

    side: Side


class DeviceTaken(Event, frozen=True, tag="device-taken"):
    """A patron controls the device."""

    patron: str


class DeviceGivenUp(Event, frozen=True, tag="device-given-up"):
    """And no longer does."""

    patron: str
    clause: str


class DealerStoodIn(Event, frozen=True, tag="dealer-stood-in"):
    """The Dealer draws in place of the patron at the device."""

    clause: str


class DrawingPermitted(Event, frozen=True, tag="drawing-permitted"):
    """A patron may draw without a wager, or no longer."""

    patron: str
    permitted: bool


class CreditsBought(Event, frozen=True, tag="credits-bought"):
    """Cash became credits."""

    patron: str
    cents: int
    position: int
    confirmed_by: Actor | None = None


class CreditsCashedOut(Event, frozen=True, tag="credits-cashed-out"):
    """Credits became cash."""

    patron: str
    cents: int
    position: int
    confirmed_by: Actor | None = None


class CreditsCorrected(Event, frozen=True, tag="credits-corrected"):
    """Credits were put right."""

    patron: str
    cents: int
    reason: str
    approved_by: Actor


class CreditsWithheld(Event, frozen=True, tag="credits-withheld"):
    """What the command gave a patron lay aside: the record of the wallet was stopped."""

    patron: str
    cents: int


class CreditsReleased(Event, frozen=True, tag="credits-released"):
    """What lay aside for a patron came into the wallet."""

    patron: str
    cents: int
