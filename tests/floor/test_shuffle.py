"""The floor's shuffle: unbiased by construction, and even in what it gives."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, permutations, product
from math import factorial, sqrt
from random import SystemRandom, randrange
from typing import cast

import pytest

from punto.cards import STANDARD, Card, Shoe
from punto.floor.shuffle import Shuffle, by_chance

# A normal deviate is further out than this less than once in 10¹⁰ times. Four are tried, and they are a little skew: in
# all, fewer than one run in 10⁹ fails by mistake.
FURTHEST = 6.5
SHOES = 1_500


class Bits:
    """A source of bits that gives what it was told to, and remembers how many were asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, given: Iterator[int]) -> None:
        self.asked: list[int] = []

        def getrandbits(_: SystemRandom, count: int) -> int:
            self.asked.append(count)
            return next(given)

        monkeypatch.setattr(SystemRandom, "getrandbits", getrandbits)


def test_chance_comes_from_the_operating_system_and_from_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random._urandom", bytes)  # zeros
    cards = STANDARD.cards[:5]
    assert by_chance(cards) == by_chance(cards) == (*cards[1:], cards[0])


def test_every_order_comes_of_just_one_sequence_of_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last card changes places with any of five, the one before it with any of four, and so on: 120 in all."""
    cards = STANDARD.cards[:5]
    seen: Counter[tuple[Card, ...]] = Counter()
    for choices in product(range(5), range(4), range(3), range(2)):
        Bits(monkeypatch, iter(choices))
        seen[by_chance(cards)] += 1
    assert set(seen) == set(permutations(cards))
    assert set(seen.values()) == {1}
    assert len(seen) == factorial(5)


@pytest.mark.parametrize("size", [416, 650])
def test_a_choice_among_n_takes_as_many_bits_as_n_has_and_throws_away_what_is_too_large(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So each of the n is as likely as any other: a remainder would favour the first of them."""
    cards = (STANDARD.cards * 13)[:size]
    counts = list(range(size, 1, -1))
    # Each choice first gets numbers that must be refused, the smallest and the largest of them, and then one that fits.
    given = [number for n in counts for number in (*_too_large(n), n - 1)]
    bits = Bits(monkeypatch, iter(given))
    assert by_chance(cards) == cards  # every card has changed places with itself
    assert bits.asked == [n.bit_length() for n in counts for _ in (*_too_large(n), n - 1)]


def _too_large(n: int) -> tuple[int, ...]:
    return n, 2 ** n.bit_length() - 1


@pytest.mark.parametrize("size", [4 * 52, 8 * 52, 6 * 65])
def test_every_card_comes_at_every_place_as_often(size: int) -> None:
    """Counts of cards by place, held against chance."""
    assert abs(unevenness(by_chance, size)) < FURTHEST


def test_a_shuffle_with_the_usual_mistake_would_be_noticed() -> None:
    """Every card changes places with any of all: n to the n sequences of choices cannot be shared out evenly.

    Such a shuffle is about 14 out, give or take 1.
    """

    def careless(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        order = list(cards)
        for place in range(len(order)):
            other = randrange(len(order))
            order[place], order[other] = order[other], order[place]
        return tuple(order)

    assert unevenness(careless, 8 * 52) > FURTHEST


def unevenness(shuffle: Shuffle, size: int) -> float:
    """How far the counts of cards by place are from even, as a normal deviate; the cards are told apart by number.

    The places of one shoe are drawn without putting back, so the counts hang together a little: the sum of squares
    times (n - 1) / n is a chi-square of (n - 1)² degrees, whose variance is 2 a degree.
    """
    fresh = cast("tuple[Card, ...]", tuple(range(size)))
    counts = [0] * size**2
    for _ in range(SHOES):
        for place, number in enumerate(cast("tuple[int, ...]", shuffle(fresh))):
            counts[place * size + number] += 1
    expected = SHOES / size
    squares = sum((found - expected) ** 2 for found in counts) / expected * (size - 1) / size
    degrees = (size - 1) ** 2
    return (squares - degrees) / sqrt(2 * degrees)


def test_neighbours_are_strangers() -> None:
    """A new deck lies in order; how often a card is still followed by its neighbour is as chance has it."""
    fresh = Shoe.unshuffled(STANDARD, 8).order
    follower = dict(zip(STANDARD.cards, (*STANDARD.cards[1:], STANDARD.cards[0]), strict=True))
    met = 0
    for _ in range(SHOES):
        order = by_chance(fresh)
        met += sum(follower[card] == after for card, after in pairwise(order))
    # 415 pairs a shoe, each with chance 8/415; nearly independent, so nearly Poisson.
    expected = SHOES * 8
    assert abs(met - expected) / sqrt(expected) < FURTHEST
