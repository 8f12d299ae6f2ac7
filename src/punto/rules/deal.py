"""The deal: a machine that takes cards one at a time and knows whose the next one is."""

from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from punto.cards import PERMANENT_SEVEN, Card
from punto.errors import SurplusCard
from punto.rules.coup import Coup, Hand, Side, total
from punto.rules.tableau import third_card

# Two cards a hand are the initial deal (EB4 1.1.7; FF2, B8, TNC5 1.1.4; E7U 1.1.2).
INITIAL: Final = 2
FULL: Final = 3


@dataclass(frozen=True, slots=True)
class Opening:
    """How a deal begins: the cards that Player holds already, and whose each further initial card is."""

    key: str
    player: tuple[Card, ...]
    order: tuple[Side, ...]


# EB4 3.6; FF2 3.6, 3.7; B8, TNC5 3.12.
CLASSIC: Final = Opening("classic", (), (Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER))
# E7U 3.6: Banker, Player, Banker, for Player's first card is always there.
PERMANENT: Final = Opening("permanent-7", (PERMANENT_SEVEN,), (Side.BANKER, Side.PLAYER, Side.BANKER))
OPENINGS: Final = MappingProxyType({opening.key: opening for opening in (CLASSIC, PERMANENT)})


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal under way: the cards of both hands so far.

    >>> from punto.cards import STANDARD, parse_cards
    >>> deal = Deal.of(CLASSIC, parse_cards("2s 3h 3d 3c", STANDARD))
    >>> deal.next
    <Side.PLAYER: 'player'>
    >>> deal.take(parse_cards("7h", STANDARD)[0]).next
    <Side.BANKER: 'banker'>
    """

    opening: Opening
    player: tuple[Card, ...]
    banker: tuple[Card, ...] = ()

    @classmethod
    def begin(cls, opening: Opening) -> "Deal":
        """No card drawn yet."""
        return cls(opening, opening.player)

    @classmethod
    def of(cls, opening: Opening, cards: Iterable[Card]) -> "Deal":
        """The deal after these cards, in the order drawn."""
        deal = cls.begin(opening)
        for card in cards:
            deal = deal.take(card)
        return deal

    @property
    def drawn(self) -> int:
        """How many cards have come from the shoe."""
        return len(self.player) + len(self.banker) - len(self.opening.player)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in the order drawn."""
        hands = {Side.PLAYER: iter(self.player[len(self.opening.player) :]), Side.BANKER: iter(self.banker)}
        initial = [next(hands[side]) for side in self.opening.order[: self.drawn]]
        return (*initial, *hands[Side.PLAYER], *hands[Side.BANKER])

    @property
    def next(self) -> Side | None:
        """Whose the next card is; nobody's when the coup is complete."""
        drawn = self.drawn
        if drawn < len(self.opening.order):
            return self.opening.order[drawn]
        if len(self.banker) == FULL:
            return None
        third = self.player[INITIAL].points if len(self.player) == FULL else None
        return third_card(total(self.player[:INITIAL]), total(self.banker), third)

    def take(self, card: Card) -> "Deal":
        """The deal after one more card."""
        side = self.next
        if side is None:
            place = self.drawn + 1
            raise SurplusCard(f"card {place}: {card} is one too many: expected no card after card {self.drawn}", place)
        if side is Side.PLAYER:
            return Deal(self.opening, (*self.player, card), self.banker)
        return Deal(self.opening, self.player, (*self.banker, card))

    @property
    def coup(self) -> Coup | None:
        """The coup, once it is complete."""
        return None if self.next else Coup(Hand(self.player), Hand(self.banker))
