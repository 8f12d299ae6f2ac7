"""A shoe: an order of whole decks, and the place of the cutting card."""

from collections import Counter
from dataclasses import dataclass

from punto.cards.card import Card
from punto.cards.deck import Deck, check_decks
from punto.errors import BadShoe


@dataclass(frozen=True, slots=True)
class Shoe:
    """Cards in the order in which they come, with the cutting card *behind* cards before the end.

    >>> from punto.cards import STANDARD
    >>> shoe = Shoe.unshuffled(STANDARD, 8, behind=14)
    >>> len(shoe.order), shoe.ahead
    (416, 402)
    """

    deck: Deck
    decks: int
    order: tuple[Card, ...]
    behind: int

    def __post_init__(self) -> None:
        check_decks(self.decks)
        held = Counter(self.order)
        for card in self.deck.cards:
            found = held.pop(card, 0)
            if found != self.decks:
                raise BadShoe(f"{card} comes {found} times: expected {self.decks} in {self.decks} decks")
        for card in held:
            raise BadShoe(f"{card} does not belong to the {self.deck.key} deck", self.order.index(card) + 1)
        if not 0 <= self.behind <= len(self.order):
            raise BadShoe(f"cutting card {self.behind} from the end: expected 0 to {len(self.order)}")

    @classmethod
    def unshuffled(cls, deck: Deck, decks: int, behind: int = 0) -> "Shoe":
        """New decks one after the other, as they come out of the box."""
        return cls(deck, decks, deck.cards * check_decks(decks), behind)

    @property
    def ahead(self) -> int:
        """How many cards come before the cutting card."""
        return len(self.order) - self.behind

    def cut(self, place: int) -> "Shoe":
        """The shoe cut by a patron: the first *place* cards go to the back; the cutting card stays where it is."""
        if not 0 <= place <= len(self.order):
            raise BadShoe(f"cut at {place}: expected 0 to {len(self.order)}")
        return Shoe(self.deck, self.decks, self.order[place:] + self.order[:place], self.behind)

    def ends_with(self, drawn: int) -> bool:
        """Whether a round that ends when *drawn* cards are out is the last: the cutting card has come (EB4 3.10)."""
        return drawn > self.ahead
