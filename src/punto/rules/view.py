"""A view of a hand: all that some traits can tell of it, and the total, which the Table of Play needs.

Hands that look alike through a view are one and the same to whatever reads only its traits. Settlement, partial deals
and exact odds go through the few states of a view in place of the many hands.
"""

from collections.abc import Iterable

from punto.cards import Card
from punto.rules.coup import Hand, Side
from punto.rules.traits import TOTAL, Reading, Trait, Value

# The values of a view's traits, in its order; the total comes first.
State = tuple[Value, ...]


class View:
    """One side's hand as seen through the traits that are read off it."""

    def __init__(self, side: Side, reads: Iterable[Reading]) -> None:
        read = {reading.trait for reading in reads if reading.side is side}
        self.traits: tuple[Trait, ...] = (TOTAL, *sorted(read - {TOTAL}, key=lambda trait: trait.name))
        self.readings = tuple(Reading(side, trait) for trait in self.traits)

    def of(self, cards: tuple[Card, ...]) -> State:
        """The state of a hand of two or three cards."""
        hand = Hand(cards)
        return tuple([trait.of(hand) for trait in self.traits])

    def after(self, state: State, points: int) -> State:
        """The state of a hand of two cards after a third one of so many points."""
        return tuple([trait.drawn(value, points) for trait, value in zip(self.traits, state, strict=True)])

    def openings(self, kinds: Iterable[Card], held: tuple[Card, ...] = ()) -> dict[State, tuple[Card, ...]]:
        """Every state that two cards can have which begin with those *held*, each with two cards that have it."""
        kinds = tuple(kinds)
        firsts = held[:1] or kinds
        seconds = held[1:2] or kinds
        hands = ((first, second) for first in firsts for second in seconds)
        return {self.of(hand): hand for hand in hands}


def total_of(state: State) -> int:
    """The total in a state."""
    return int(state[0])
