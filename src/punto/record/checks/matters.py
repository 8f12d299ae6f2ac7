"""Events of irregularities as they are written in a table's log, and the line of the log itself."""

from typing import Final

from punto.record.checks import events as on
from punto.record.checks.events import Event
from punto.record.checks.written import Actor, Payment, Return, Written, reader
from punto.rules import Act, Found, Remedy, Side


class IrregularityFound(Event, frozen=True, tag="irregularity-found"):
    """Something was found, and what follows."""

    found: Found
    remedy: Remedy
    clause: str
    note: str = ""
    together: tuple[int, ...] = ()
    cards: str = ""
    deferred: bool = False


class CardsRebuilt(Event, frozen=True, tag="cards-rebuilt"):
    """The cards were put in order."""

    before: str
    cards: str
    surplus: str
    clause: str
    unseen: tuple[int, ...] = ()


class SettlementReversed(Event, frozen=True, tag="settlement-reversed"):
    """A settlement was undone."""

    round: int
    payments: tuple[Payment, ...]


class OrderWanted(Event, frozen=True, tag="order-wanted"):
    """Somebody must order the cards; the first so many are certain."""

    cards: str
    clause: str
    certain: int = 0


class OrderDetermined(Event, frozen=True, tag="order-determined"):
    """The order that was determined."""

    order: str


class WithdrawalOffered(Event, frozen=True, tag="withdrawal-offered"):
    """Patrons may withdraw wagers."""

    clause: str
    wagers: tuple[int, ...]
    patrons: tuple[str, ...]
    whole: bool
    until_ms: int
    sequel: str
    order: str = ""


class WagerWithdrawn(Event, frozen=True, tag="wager-withdrawn"):
    """A wager was withdrawn."""

    number: int
    patron: str
    cents: int
    clause: str


class OfferAnswered(Event, frozen=True, tag="offer-answered"):
    """A patron has answered."""

    patron: str


class OfferClosed(Event, frozen=True, tag="offer-closed"):
    """The table waits no longer."""

    silent: tuple[str, ...]


class OfferExtended(Event, frozen=True, tag="offer-extended"):
    """The time for answers begins anew."""

    until_ms: int


class BetsReopened(Event, frozen=True, tag="bets-reopened"):
    """Bets are open again after a reset."""

    discarded: str
    until_ms: int
    clause: str
    kept: str = ""


class CardsRetrieved(Event, frozen=True, tag="cards-retrieved"):
    """A hand was taken back, face down."""

    side: Side


class CardsKept(Event, frozen=True, tag="cards-kept"):
    """A hand is with the Dealer, who exposes it."""

    side: Side


class Attested(Event, frozen=True, tag="attested"):
    """Somebody vouches for what only people can do."""

    act: Act
    clause: str
    note: str = ""
    wager: int = 0


class CountBegun(Event, frozen=True, tag="count-begun"):
    """Cards were carried off; these of the hand were left."""

    side: Side
    cards: int
    clause: str
    left: str = ""


class CardsSetAside(Event, frozen=True, tag="cards-set-aside"):
    """Two cards were set aside."""

    cards: str
    manager: str = ""


class CardsCounted(Event, frozen=True, tag="cards-counted"):
    """What the count says is missing."""

    missing: str
    device: str = ""
    discards: str = ""


class MissingReplaced(Event, frozen=True, tag="missing-replaced"):
    """Replacements lie in their places."""

    side: Side
    cards: str


class StakeFound(Event, frozen=True, tag="stake-found"):
    """A wager is of another amount than was thought."""

    number: int
    patron: str
    from_cents: int
    to_cents: int
    confirmed_by: Actor | None = None


class PatronWarned(Event, frozen=True, tag="patron-warned"):
    """A patron was warned."""

    patron: str
    clause: str


class Referred(Event, frozen=True, tag="referred"):
    """The Gaming Shift Manager is asked."""

    found: Found
    matter: str
    clause: str = ""
    number: int = 0
    round: int = 0
    cards: str = ""
    replace: bool = False
    by: str = ""


class StatedResult(Written, frozen=True):
    """A wager is settled at this result."""

    number: int
    result: str
    pays: str = ""


class Ruled(Event, frozen=True, tag="ruled"):
    """The Gaming Shift Manager has decided."""

    ruling: str
    reason: str
    returns: tuple[Return, ...] = ()
    matter: int = 0
    round: int = 0
    burnt: str = ""
    burnt_next: int = 0
    played: str = ""
    results: tuple[StatedResult, ...] = ()
    shoe: str | None = None
    counted: int | None = None
    order: str = ""


class ReportKept(Event, frozen=True, tag="report-kept"):
    """A report that waits for something else to be decided."""

    found: Found
    player: str
    banker: str
    order: str | None = None
    together: tuple[int, ...] = ()
    by: str = ""


class ReportTakenUp(Event, frozen=True, tag="report-taken-up"):
    """A report that had waited is taken up, or dropped."""

    found: Found
    dropped: str = ""


class TerminalsFailed(Event, frozen=True, tag="terminals-failed"):
    """Terminals are down."""

    terminals: tuple[int, ...]


class TerminalsRestored(Event, frozen=True, tag="terminals-restored"):
    """Terminals are back."""

    terminals: tuple[int, ...]


AnyEvent = (
    on.TableOpened
    | on.TableClosed
    | on.LimitsChanged
    | on.ShoeLoaded
    | on.ShoeCut
    | on.ContributionCommitted
    | on.ContributionsClosed
    | on.ContributionRevealed
    | on.BeaconDrawn
    | on.ShoeEnded
    | on.ShoeKept
    | on.BetsOpened
    | on.WagerPlaced
    | on.WagerChanged
    | on.WagerTakenBack
    | on.LateWager
    | on.LateWithdrawal
    | on.BetsClosed
    | on.DifferentialExceeded
    | on.DifferentialMet
    | on.WagerRemoved
    | on.CardDrawn
    | on.CuttingCardCame
    | on.CardsExposed
    | on.TotalsAnnounced
    | on.OutcomeAnnounced
    | on.RoundSettled
    | on.RoundVoided
    | on.AreasRestricted
    | on.MethodChosen
    | on.CardsOffered
    | on.CardsAccepted
    | on.CardsRefused
    | on.HolderWanted
    | on.HolderChosen
    | on.SqueezePermitted
    | on.HandPassed
    | on.FirstChosen
    | on.DeviceTaken
    | on.DeviceGivenUp
    | on.DealerStoodIn
    | on.DrawingPermitted
    | on.CreditsBought
    | on.CreditsCashedOut
    | on.CreditsCorrected
    | on.CreditsWithheld
    | on.CreditsReleased
    | IrregularityFound
    | CardsRebuilt
    | SettlementReversed
    | OrderWanted
    | OrderDetermined
    | WithdrawalOffered
    | WagerWithdrawn
    | OfferAnswered
    | OfferClosed
    | OfferExtended
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


class Logged(Written, frozen=True):
    """A line of a table's log: an event, who caused it, by which command, and when."""

    at_ms: int
    by: Actor
    command: str
    event: AnyEvent
    asked: int = 0
    given_ms: int = 0
    session: str = ""
    second: str = ""
    device: str = ""


read_logged: Final = reader(Logged)
