"""Traits: what can be read off one hand.

A trait is a fold: its value on the first two cards, and how a third card of so many points changes it. Whatever is
built on traits (facts, conditions, wagers) therefore depends on nothing else, so that hands with equal traits can be
treated as one: in settlement, on a partial deal, and in the exact odds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from punto.cards import Card, Rank
from punto.rules.coup import Hand, Side, is_natural, total

Value = bool | int | str

NONE: Final = ""


def _unmoved(value: Value, _points: int) -> Value:
    """A trait of the first two cards: the third card changes nothing."""
    return value


@dataclass(frozen=True, slots=True)
class Trait:
    """Something that can be read off one hand."""

    name: str
    dealt: Callable[[Card, Card], Value]
    drawn: Callable[[Value, int], Value] = _unmoved

    def of(self, hand: Hand) -> Value:
        """The trait's value on a hand of two or three cards."""
        cards = hand.cards
        value = self.dealt(cards[0], cards[1])
        return value if len(cards) == 2 else self.drawn(value, cards[2].points)  # noqa: PLR2004


class Reading(NamedTuple):
    """A trait of one side's hand."""

    side: Side
    trait: Trait


def _sum(first: Card, second: Card) -> int:
    return total((first, second))


def _add(value: Value, points: int) -> int:
    return (int(value) + points) % 10


def _two(_first: Card, _second: Card) -> int:
    return 2


def _three(_value: Value, _points: int) -> int:
    return 3


def _is_natural(first: Card, second: Card) -> bool:
    return is_natural((first, second))


def _rank_of_pair(first: Card, second: Card) -> str:
    return first.rank.letter if first.rank is second.rank else NONE


def _suit_of_pair(first: Card, second: Card) -> str:
    same = first.rank is second.rank and first.suit is second.suit
    return first.suit.letter if same and first.suit else NONE


def _sevens(first: Card, second: Card) -> int:
    return (first.rank is Rank.SEVEN) + (second.rank is Rank.SEVEN)


def _one_more_seven(value: Value, points: int) -> int:
    return int(value) + (points == Rank.SEVEN.points)


TOTAL: Final = Trait("total", _sum, _add)
SIZE: Final = Trait("size", _two, _three)
NATURAL: Final = Trait("natural", _is_natural)
# Pairs are of the first two cards (EB4 3.7; FF2, B8, TNC5 3.13) and of one rank (interpretation 1).
PAIR_RANK: Final = Trait("pair rank", _rank_of_pair)
PAIR_SUIT: Final = Trait("pair suit", _suit_of_pair)
SEVENS: Final = Trait("sevens", _sevens, _one_more_seven)
