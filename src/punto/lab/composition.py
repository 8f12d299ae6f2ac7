"""What is left in a shoe: how many of each card."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from punto.cards import USUAL_DECKS, Card, Deck, Rank, check_decks, parse_card, parse_cards
from punto.errors import BadComposition, ForeignCard, PuntoError, quoted


@dataclass(frozen=True)
class Composition:
    """The cards left of so many decks, in the order of the deck's own cards.

    The number of a rank does not say which of its suits are left, unless none of them is gone, or all are. Those ranks
    are *open*; their suits share the number as evenly as they can.

    >>> from punto.cards import STANDARD
    >>> shoe = Composition.full(STANDARD, 8)
    >>> shoe.size, shoe.without(parse_cards("As Ah Kd", STANDARD)).size
    (416, 413)
    """

    deck: Deck
    decks: int
    counts: tuple[int, ...]
    open: frozenset[Rank] = frozenset()

    def __post_init__(self) -> None:
        fits = len(self.counts) == self.deck.size and all(
            0 <= count <= check_decks(self.decks) for count in self.counts
        )
        if not fits:
            held = f"{self.deck.size} numbers from 0 to {self.decks}, one for each card"
            raise BadComposition(f"cards that {self.decks} decks do not hold: expected {held}")

    @classmethod
    def full(cls, deck: Deck, decks: int = USUAL_DECKS) -> "Composition":
        """Whole decks."""
        return cls(deck, check_decks(decks), (decks,) * deck.size)

    @classmethod
    def seen(cls, text: str, deck: Deck, decks: int = USUAL_DECKS) -> "Composition":
        """Whole decks without the cards that a text names."""
        return cls.full(deck, decks).without(parse_cards(text, deck))

    @classmethod
    def remaining(cls, text: str, deck: Deck, decks: int = USUAL_DECKS) -> "Composition":
        """What a text says is left, as in `A=30,2=32,Kd=7`: by rank, or by card; what it does not name is gone.

        >>> from punto.cards import STANDARD
        >>> Composition.remaining("A=4, 2=8, Kd=3", STANDARD).size
        15
        """
        check_decks(decks)
        counts: dict[Card, int] = {}
        unsure: set[Rank] = set()
        for place, part in enumerate(text.split(","), 1):
            name, cards, count = _part(part, deck, decks, place)
            if any(card in counts for card in cards):
                raise BadComposition(f"part {place}: {quoted(name)} is named twice: expected each card once", place)
            share, over = divmod(count, len(cards))
            if len(cards) > 1 and 0 < count < decks * len(cards):
                unsure.add(cards[0].rank)
            for suit, card in enumerate(cards):
                counts[card] = share + (suit < over)
        return cls(deck, decks, tuple(counts.get(card, 0) for card in deck.cards), frozenset(unsure))

    @property
    def size(self) -> int:
        """How many cards are left."""
        return sum(self.counts)

    @property
    def array(self) -> NDArray[np.int64]:
        """The numbers, for arithmetic."""
        return np.array(self.counts, dtype=np.int64)

    def of(self, card: Card) -> int:
        """How many of a card are left."""
        return self.counts[self.deck.cards.index(card)] if card in self.deck.cards else 0

    def without(self, cards: Iterable[Card]) -> "Composition":
        """What is left when these cards are gone too."""
        counts = list(self.counts)
        for place, card in enumerate(cards, 1):
            if card not in self.deck.cards:
                raise ForeignCard(
                    f"card {place}: {card} is not in the {self.deck.key} deck: expected one that is", place
                )
            number = self.deck.cards.index(card)
            if not counts[number]:
                raise BadComposition(f"card {place}: no {card} is left: expected one of those that are", place)
            counts[number] -= 1
        return Composition(self.deck, self.decks, tuple(counts), self.open)


def _part(text: str, deck: Deck, decks: int, place: int) -> tuple[str, tuple[Card, ...], int]:
    """One part of a remainder: its name, the cards that share the number, and the number."""
    name, equals, figure = (piece.strip() for piece in text.partition("="))
    cards = _cards(name, deck)
    if not equals or not cards:
        expected = "a rank or a card and how many are left, as in A=30 or Kd=7"
        raise BadComposition(f"part {place}: {quoted(text.strip())} does not read: expected {expected}", place)
    most = decks * len(cards)
    if not (figure.isascii() and figure.isdigit()) or len(figure) > len(str(most)) + 1 or int(figure) > most:
        expected = f"a whole number from 0 to {most}, as many as {decks} decks hold"
        raise BadComposition(f"part {place}: {name}={quoted(figure)[1:-1]}: expected {expected}", place)
    return name, cards, int(figure)


def _cards(name: str, deck: Deck) -> tuple[Card, ...]:
    """The cards that a name means: one card, or all of a rank."""
    ranks = {spelling: rank for rank in deck.ranks for spelling in (rank.letter, rank.letter.lower())}
    if Rank.TEN in deck.ranks:
        ranks["10"] = Rank.TEN
    if name in ranks:
        return tuple(card for card in deck.cards if card.rank is ranks[name])
    try:
        return (parse_card(name, deck),)
    except PuntoError:
        return ()
