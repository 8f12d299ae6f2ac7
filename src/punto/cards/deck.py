"""The two kinds of deck, and how many of them a shoe may hold."""

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from types import MappingProxyType
from typing import Final

from punto.cards.card import Card, Rank, Suit
from punto.errors import BadDecks

FEWEST_DECKS: Final = 4
MOST_DECKS: Final = 10
USUAL_DECKS: Final = 8
# Cards behind the cutting card.
USUAL_CUT: Final = 14
_COUNTS: Final = range(FEWEST_DECKS, MOST_DECKS + 1)


@dataclass(frozen=True)
class Deck:
    """A kind of deck: each of its ranks in each of its suits, once.

    >>> STANDARD.size, ELEMENTS.size
    (52, 65)
    """

    key: str
    ranks: tuple[Rank, ...]
    suits: tuple[Suit, ...]

    @property
    def size(self) -> int:
        """How many cards one deck has."""
        return len(self.ranks) * len(self.suits)

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Every card of one deck, suit by suit."""
        return tuple(Card(rank, suit) for suit, rank in product(self.suits, self.ranks))


_PIPS: Final = tuple(Rank)[:10]

STANDARD: Final = Deck(
    "standard",
    (*_PIPS, Rank.JACK, Rank.QUEEN, Rank.KING),
    (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS),
)
ELEMENTS: Final = Deck(
    "elements",
    (*_PIPS, Rank.SAU, Rank.LUK, Rank.FUK),
    (Suit.FIRE, Suit.GOLD, Suit.EARTH, Suit.WOOD, Suit.WATER),
)
DECKS: Final = MappingProxyType({deck.key: deck for deck in (STANDARD, ELEMENTS)})


def check_decks(decks: int) -> int:
    """The number of decks, if a rulebook allows it: four to ten (EB4, FF2, B8, TNC5, E7U 2.1).

    >>> check_decks(3)
    Traceback (most recent call last):
    punto.errors.BadDecks: 3 decks: expected 4 to 10
    """
    if decks not in _COUNTS:
        raise BadDecks(f"{decks} decks: expected {FEWEST_DECKS} to {MOST_DECKS}")
    return decks
