"""One table as it stands: the round, the custody of cards and device, and the decision that is pending.

All of it is worked out from events and can be written down as a snapshot; what can be derived from the cards (totals,
whose turn it is, roads) is derived each time, and not kept.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from punto.cards import Card, Deck, parse_card, parse_cards
from punto.roads import Outcome
from punto.rules import Act, Deal, Found, Game, Method, Opening, Rulebook, Side
from punto.rules.money import Cents
from punto.table.cards import UNREAD, Glimpse, Laid, Shoe, Spare
from punto.table.contributions import Withholding
from punto.table.events import Payment, ReportKept, Sequel, StatedResult
from punto.table.setup import Setup

__all__ = [
    "UNREAD",
    "Asked",
    "Counting",
    "Custody",
    "Glimpse",
    "Laid",
    "Offer",
    "Ordering",
    "Phase",
    "Placed",
    "Shoe",
    "Spare",
    "Table",
    "replace",
]


class Phase(Enum):
    """Where the round is."""

    CLOSED = "closed"
    CHANGE_OF_SHOE = "change-of-shoe"
    IDLE = "idle"
    BETS_OPEN = "bets-open"
    BETS_CLOSED = "bets-closed"
    INITIAL_DEAL = "initial-deal"
    DRAWING = "drawing"
    OUTCOME = "outcome"
    SETTLED = "settled"
    VOID = "void"


# Between rounds; while wagers lie on the table; while cards are being dealt.
BETWEEN: Final = frozenset({Phase.IDLE, Phase.SETTLED, Phase.VOID})
PLAYING: Final = frozenset({Phase.BETS_OPEN, Phase.BETS_CLOSED, Phase.INITIAL_DEAL, Phase.DRAWING, Phase.OUTCOME})
DEALING: Final = frozenset({Phase.BETS_CLOSED, Phase.INITIAL_DEAL, Phase.DRAWING})
# What is found of a card that is still in the device: somebody has seen it.
IN_DEVICE: Final = frozenset({Found.FACE_UP_IN_DEVICE, Found.EXPOSED_IN_MOVING})
# What is found of the order or number of cards in a round.
OF_THE_DEAL: Final = frozenset({Found.WRONG_ORDER, Found.WRONG_NUMBER, Found.DRAWN_TOGETHER})
# What puts the contents of a shoe in doubt.
OF_CONTENTS: Final = frozenset({Found.EXTRA_CARDS, Found.MISSING_CARDS, Found.FOREIGN_CARDS})


class Placed(Struct, frozen=True, array_like=True, gc=False):
    """A wager on the table; *since* tells which of two equal amounts was there first."""

    number: int
    patron: str
    wager: str
    cents: Cents
    position: int
    since: int


class Custody(Struct, frozen=True):
    """Who handles a hand: to whom it is offered, who has refused, who holds it."""

    offered: str = ""
    refused: tuple[str, ...] = ()
    holder: str = ""
    designee: str = ""
    wanted: bool = False
    # By a Pit Manager's permission, which holds for the whole round (interpretation 28).
    permitted: bool = False
    # The patron is not there: the Dealer keeps the hand and exposes it (B8, TNC5 5.10).
    kept: bool = False

    @property
    def hand(self) -> str:
        """Whoever turns the cards: the designee, else the holder."""
        return self.designee or self.holder


class Offer(Struct, frozen=True, tag="offer"):
    """Patrons may withdraw; the round waits for those who have not answered."""

    clause: str
    wagers: tuple[int, ...]
    waiting: tuple[str, ...]
    whole: bool
    until_ms: int
    sequel: Sequel
    order: str = ""


class Ordering(Struct, frozen=True, tag="ordering"):
    """The Pit Manager must order these cards; the first so many are certain, and stay where they are."""

    cards: str
    clause: str
    certain: int = 0


class Asked(Struct, frozen=True, tag="asked"):
    """The Gaming Shift Manager must decide."""

    found: Found
    matter: str
    clause: str = ""
    # Which of all matters that were ever referred at this table, and the round that it is about.
    number: int = 0
    round: int = 0
    # Who reported or referred it, and does not decide it.
    by: str = ""


class Counting(Struct, frozen=True, tag="counting"):
    """Cards were carried off and are being worked out: so many of each hand, Player's first."""

    gone: tuple[tuple[Side, int], ...]
    clause: str
    aside: str = ""
    missing: str = ""
    # Who had two cards set aside, and alone sees the cards that are counted.
    manager: str = ""

    @property
    def cards(self) -> int:
        """How many are gone."""
        return sum(cards for _, cards in self.gone)


Pending = Offer | Ordering | Counting

NOBODY: Final = Custody()

# Of the shoes that were taken out since the last wager: the shoe in place has had one.
PLAYED: Final = -1


class Table(Struct, frozen=True, gc=False):
    """A table after all that has happened so far."""

    phase: Phase = Phase.CLOSED
    setup: Setup | None = None
    # What it is set up with from the next round on, where limits were changed.
    ahead: Setup | None = None
    round: int = 0
    # The edition of the register of interpretations by which the round is conducted.
    readings: int = 0
    shoes: int = 0
    shoe: Shoe = Shoe(0)
    # How many shoes were taken out since the last wager; `PLAYED` once the shoe in place has one.
    unplayed: int = 0
    withholding: Withholding = Withholding()
    # Bets
    # The wagers at each position.
    seats: dict[int, tuple[Placed, ...]] = {}
    serial: int = 0
    moves: int = 0
    until_ms: int = 0
    heavier: Side | None = None
    # Who was warned, and in which round (B8, TNC5 5.14).
    warned: dict[str, int] = {}
    # The terminals that are down (EB4, E7U 5.10).
    down: tuple[int, ...] = ()
    # What lies aside for patrons, whose wallets could not take it.
    withheld: dict[str, int] = {}
    # Cards
    cards: tuple[Laid, ...] = ()
    spare: tuple[Spare, ...] = ()
    glimpsed: tuple[Glimpse, ...] = ()
    # The shoe that the round was dealt from, by its number. Once it is out: what had come out of it, and what was
    # found since to have come out besides.
    dealt_from: int = 0
    former: Shoe = Shoe(0)
    former_spare: tuple[Spare, ...] = ()
    # Whether the cutting card came as the round's first card.
    cutting_card_first: bool = False
    announced: bool = False
    settled: bool = False
    # The round has been paid once, and so is over, also while its cards are put in order (interpretation 43).
    paid: bool = False
    # What wagers came to at the close, where they were found to be of another amount since.
    restated: dict[int, Cents] = {}
    payments: tuple[Payment, ...] = ()
    # The results at which wagers of this round are settled, by decision (interpretation 46).
    stated: dict[int, StatedResult] = {}
    coups: tuple[str, ...] = ()
    # Custody
    # The method of the round, and the one chosen for the next while a paid round of another is put in order.
    method: Method | None = None
    dealt_by: Method | None = None
    next_method: Method | None = None
    area_most: int = 0
    device: str = ""
    # Who lost the device with the last settlement, should that be undone.
    device_lost: str = ""
    may_draw: tuple[str, ...] = ()
    # The Dealer draws in this round, in place of the patron at the device (B8, TNC5 5.10).
    dealer_stands_in: bool = False
    first: Side | None = None
    player: Custody = NOBODY
    banker: Custody = NOBODY
    # Human acts of this round that somebody has attested
    attested: tuple[tuple[Act, int], ...] = ()
    # The wagers that staff placed for a patron, and those whose amount staff entered last.
    by_staff: tuple[int, ...] = ()
    in_chips: frozenset[int] = frozenset()
    replaced: bool = False
    # Decision
    pending: Pending | None = None
    # What the Gaming Shift Manager must decide, in this order.
    asked: tuple[Asked, ...] = ()
    # Reports that wait until all that is decided.
    reports: tuple[ReportKept, ...] = ()
    interrupted: bool = False
    # How many matters were referred so far.
    matters: int = 0

    @property
    def wagers(self) -> dict[int, Placed]:
        """The wagers on the table, by number."""
        placed = sorted((each for seat in self.seats.values() for each in seat), key=lambda each: each.number)
        return {each.number: each for each in placed}

    @property
    def open(self) -> Setup:
        """The setup of a table that is open."""
        assert self.setup, "the table is open"
        return self.setup

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.open.rules

    @property
    def book(self) -> Rulebook:
        """The rulebook that it is played under."""
        return self.open.book

    def custody(self, side: Side) -> Custody:
        """The custody of a hand."""
        return self.player if side is Side.PLAYER else self.banker

    def hand(self, side: Side) -> tuple[Laid, ...]:
        """The cards of a hand as they came."""
        return tuple(laid for laid in self.cards if laid.side is side)

    def handler(self, side: Side) -> str:
        """Which patron turns a hand's cards: who was given it, else by Method C who has the device (B8, TNC5 3.11)."""
        at_device = self.device if self.method is Method.C and self.initial_deal_done else ""
        return self.custody(side).hand or at_device

    def lies_open(self, side: Side) -> bool:
        """Whether a hand lies open: its cards are up, or will be once they come."""
        hand = self.hand(side)
        return all(laid.up for laid in hand) if hand else not self.face_down(side)

    def may_turn(self, side: Side) -> bool:
        """Whether it is a hand's turn to be laid open; by Method A the Dealer says which is first (B8, TNC5 3.9.6)."""
        if self.phase is not Phase.DRAWING or self.lies_open(side):
            return False
        begun = self.announced or any(self.lies_open(each) for each in Side)
        return self.method is not Method.A or begun or side is self.first

    def face_down(self, side: Side, *, initial: bool | None = None) -> bool:
        """Whether the next card of a hand comes face down, or one of the *initial* deal, or one after it.

        By Method A all do, and by Method C the initial ones, and third cards where a patron has the hand or the device
        (B8, TNC5 3.9.2, 3.9.7, 3.11.6). By Method B the Dealer lays cards open, except where a squeeze is permitted
        (B8, TNC5 3.10, 3.10.1, 3.10.2).
        """
        held = bool(self.custody(side).hand)
        match self.method:
            case Method.A:
                return True
            case Method.C:
                return held or bool(self.device) or (not self.initial_deal_done if initial is None else initial)
            case _:
                return held

    @property
    def known(self) -> tuple[Card, ...]:
        """The cards of this round up to the first that nobody has read."""
        return tuple(_known(self.cards))

    @property
    def deal(self) -> Deal:
        """The deal as far as its cards are known."""
        return Deal.of(self.game.opening, self.known)

    @property
    def spare_now(self) -> tuple[Spare, ...]:
        """The cards out of the device that this round may use: none that came out for the coming one."""
        if self.shoe_is_out:
            return self.former_spare
        return tuple(spare for spare in self.spare if spare.round <= self.round)

    @property
    def betting_round(self) -> int:
        """The round whose wagers are placed now, or will be next."""
        return self.round + (self.phase in BETWEEN or self.phase is Phase.CHANGE_OF_SHOE)

    @property
    def loose(self) -> tuple[Spare | Glimpse, ...]:
        """The cards that are out of the device and come next, then those in it that somebody has seen."""
        loose: list[Spare | Glimpse] = [*self.spare]
        return (*loose, *self.glimpsed)

    @property
    def barred(self) -> tuple[Spare | Glimpse, ...]:
        """Cards that somebody has seen, and that must not decide wagers placed from now on (interpretation 23)."""
        return tuple(each for each in self.loose if each.seen and each.allowed != self.betting_round)

    @property
    def awaited(self) -> Pending | Asked | None:
        """What somebody must decide or answer before the round goes on."""
        return self.pending or (self.asked[0] if self.asked else None)

    def in_hands(self, side: Side) -> bool:
        """Whether the cards of a hand are in a patron's hands: passed after the initial deal, or drawn by the patron.

        B8, TNC5 3.9.2, 3.11.1.
        """
        if self.method is Method.C and self.device:
            return True
        return self.initial_deal_done and bool(self.custody(side).hand)

    def handlers(self, side: Side) -> tuple[str, ...]:
        """The patrons who may see the cards of a hand that is in patrons' hands: who drew them, and who was given it.

        Whoever has a designee may look on.
        """
        custody = self.custody(side)
        given = (custody.holder, custody.designee) if self.initial_deal_done else ()
        drawn = self.device if self.method is Method.C else ""
        return tuple(patron for patron in dict.fromkeys((drawn, *given)) if patron)

    @property
    def so_far(self) -> Deal:
        """The two hands as far as they lie open."""
        return _hands(self.game, self.cards, lambda laid: laid.up)

    @property
    def seen_deal(self) -> Deal:
        """The two hands as far as their cards count as known, also a card that is out and next (interpretation 48)."""
        return self._deal_of(lambda laid: laid.seen)

    def known_to(self, patron: str) -> Deal:
        """The same, as far as a patron may know them."""
        return self._deal_of(lambda laid: laid.is_known_to(patron))

    def _deal_of(self, counts: Callable[[Laid], bool]) -> Deal:
        order = self.game.opening.order
        cards = self.cards
        for spare in self.spare_now:
            known = all(counts(laid) and laid.card for laid in cards)
            third = _hands(self.game, cards, counts).next if known else None
            side = order[len(cards)] if len(cards) < len(order) else third
            if side is None or not (spare.seen and spare.card and self._is_certain(spare)):
                break
            cards = (*cards, Laid(spare.card, side, up=True))
        return _hands(self.game, cards, counts)

    def _is_certain(self, spare: Spare) -> bool:
        """Whether a seen card that is out will come: a decision plays it, or bets are closed and none is awaited."""
        awaited = any(each.number == spare.matter for each in self.asked)
        return spare.allowed == self.round or (self.phase is not Phase.BETS_OPEN and not awaited)

    def seen_of(self, first: int) -> Deal:
        """The same of the first so many cards."""
        return _hands(self.game, self.cards[:first], lambda laid: laid.seen)

    @property
    def left(self) -> int:
        """How many cards the shoe still holds, by what has come out."""
        return self.left_in(self.shoe)

    @property
    def shoe_is_out(self) -> bool:
        """Whether the shoe that the last round was dealt from has been taken out."""
        return self.shoe.out or self.shoe.number != self.dealt_from

    @property
    def has_shoe(self) -> bool:
        """Whether a shoe is in place: none is before the first, or between two."""
        return self.phase is not Phase.CHANGE_OF_SHOE and not self.shoe.out

    @property
    def round_shoe(self) -> Shoe:
        """The shoe that the last round was dealt from, also once it is out."""
        return self.former if self.shoe_is_out else self.shoe

    def left_in(self, shoe: Shoe) -> int:
        """How many cards a shoe still holds, by what has come out."""
        return self.open.decks * self.game.deck.size - shoe.drawn

    @property
    def unread(self) -> int:
        """How many cards of this round were drawn, and have no name yet."""
        return sum(not laid.card for laid in self.cards)

    @property
    def unread_in_hands(self) -> bool:
        """Whether a patron may know a card that the table does not."""
        return any(laid.in_hands and not laid.card for laid in self.cards)

    @property
    def all_known(self) -> bool:
        """Whether every card of this round has been read."""
        return not self.unread

    @property
    def all_up(self) -> bool:
        """Whether every card of this round lies open."""
        return all(laid.up for laid in self.cards)

    @property
    def initial_deal_done(self) -> bool:
        """Whether the initial cards are all out."""
        return len(self.cards) >= len(self.game.opening.order)

    @property
    def outcomes(self) -> tuple[Outcome | None, ...]:
        """The outcomes of this shoe, for the roads; none where a round was void. They come from the cards alone."""
        game = self.game
        return tuple(_outcome_of(game.opening, game.deck, cards) for cards in self.coups)


# Pages ask for all outcomes of a shoe each time its table changes, and only the last of them is new.
@lru_cache(maxsize=20_000)
def _outcome_of(opening: Opening, deck: Deck, cards: str) -> Outcome | None:
    """The outcome of a coup written as its cards; of no cards, none."""
    coup = Deal.of(opening, parse_cards(cards, deck)).coup if cards else None
    return Outcome.of(coup) if coup else None


def _hands(game: Game, cards: tuple[Laid, ...], counts: Callable[[Laid], bool]) -> Deal:
    """The hands that these cards make; a third card counts only where all cards before it do."""
    opening = game.opening
    hands: dict[Side, list[Card]] = {Side.PLAYER: [*opening.player], Side.BANKER: []}
    complete = True
    for place, laid in enumerate(cards):
        if counts(laid) and laid.card and (complete or place < len(opening.order)):
            hands[laid.side].append(parse_card(laid.card))
        else:
            complete = False
    return Deal(opening, tuple(hands[Side.PLAYER]), tuple(hands[Side.BANKER]))


def _known(cards: tuple[Laid, ...]) -> Iterator[Card]:
    for laid in cards:
        if not laid.card:
            return
        yield parse_card(laid.card)
