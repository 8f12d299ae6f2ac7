"""A round: wagers, cards, totals, outcome, settlement."""

from msgspec import Struct

from punto.rules import Found, Result, Side, Winner
from punto.rules.money import Cents
from punto.table.events.event import Event


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
    # The edition of the register of interpretations.
    readings: int = 0


class WagerPlaced(Event, frozen=True, tag="wager-placed"):
    """A wager was accepted."""

    number: int
    patron: str
    wager: str
    stake_cents: Cents
    position: int
    # By staff at the patron's request (B8, TNC5 3.7).
    for_patron: bool = False
    # The wager that was placed at the same moment (B8, TNC5 3.9.4.1).
    same_moment_as: int = 0


class WagerChanged(Event, frozen=True, tag="wager-changed"):
    """A wager was made larger or smaller; staff may have entered that for the patron, with chips on the layout."""

    number: int
    patron: str
    from_cents: Cents
    to_cents: Cents
    for_patron: bool = False
    # What is bet on, so that a receipt can say it.
    wager: str = ""


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
    """No more bets; the terminals that were down did not show it (EB4, E7U 5.10.1, 5.10.2)."""

    announced: str
    clause: str
    not_shown_at: tuple[int, ...] = ()


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
    """A hand's cards lie open: all of them, or only those at these places of the hand, counted from 1."""

    side: Side
    cards: str
    places: tuple[int, ...] = ()


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
    # The cards shall be replaced (B8, TNC5 5.12.2), or replacing them is proposed (B8, TNC5 5.13).
    replace: bool
    # Cards that came out and were never drawn in their turn, or that are missing, by name; a card that nobody has read
    # is a question mark.
    out: str = ""
    proposed: bool = False


OfTheRound = (
    BetsOpened
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
)
