"""The exact laws, held against every order of a few cards."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from math import factorial

import pytest

from punto.lab.randomness import laws


def test_matches_are_those_of_all_orders() -> None:
    counts = Counter(sum(card == place for place, card in enumerate(order)) for order in permutations(range(6)))
    assert laws.matches(6, 6) == [Fraction(counts[number], 720) for number in range(7)]
    assert laws.matches(6, 2)[2] == Fraction(720 - counts[0] - counts[1], 720)


def test_first_runs_are_those_of_all_orders() -> None:
    def first_run(order: tuple[int, ...]) -> int:
        return next((at for at in range(1, 6) if order[at] < order[at - 1]), 6)

    counts = Counter(map(first_run, permutations(range(6))))
    assert laws.first_runs(6) == [Fraction(counts[length], 720) for length in range(1, 7)]
    assert sum(laws.first_runs(4)) == 1


@pytest.mark.parametrize(("size", "marked"), [(7, 3), (8, 2), (6, 5)])
def test_gaps_are_those_of_all_places_of_marked_cards(size: int, marked: int) -> None:
    counts: Counter[int] = Counter()
    ways = list(combinations(range(size), marked))
    for places in ways:
        ends = (-1, *places, size)
        counts.update(later - sooner - 1 for sooner, later in pairwise(ends))
    most = size - marked
    assert laws.gaps(size, marked, most) == [Fraction(counts[length], len(ways)) for length in range(most + 1)]
    assert sum(laws.gaps(size, marked, 1)) == marked + 1


@pytest.mark.parametrize("held", [(2, 2, 2), (3, 1, 2), (1, 5)])
def test_collectors_are_those_of_all_orders(held: tuple[int, ...]) -> None:
    cards = [kind for kind, number in enumerate(held) for _ in range(number)]
    within = 4
    counts = Counter(
        next((seen for seen in range(within + 1) if len(set(order[:seen])) == len(held)), within + 1)
        for order in permutations(cards)
    )
    expected = [Fraction(counts[seen], factorial(len(cards))) for seen in range(within + 2)]
    assert laws.collected(held, within) == expected


def test_hands_are_those_of_all_fives() -> None:
    cards = [rank for rank in range(3) for _ in range(5)]
    fives = list(combinations(cards, 5))
    counts = Counter(tuple(sorted(Counter(five).values(), reverse=True)) for five in fives)
    assert laws.hands(3, 5) == [Fraction(counts[hand], len(fives)) for hand in laws.HANDS]


POINTS = (3, 1, 0, 2, 0, 0, 0, 0, 1, 1)


def test_two_cards_and_both_hands_are_those_of_all_deals() -> None:
    cards = [points for points, number in enumerate(POINTS) for _ in range(number)]
    kind = (0, 0, 0, 0, 0, 0, 1, 1, 2, 2)
    twos = Counter(sum(pair) % 10 for pair in permutations(cards, 2))
    assert laws.two_cards(POINTS) == [Fraction(twos[total], 8 * 7) for total in range(10)]
    fours = Counter(
        3 * kind[(one + three) % 10] + kind[(two + four) % 10] for one, two, three, four in permutations(cards, 4)
    )
    assert laws.both_hands(POINTS, kind) == [Fraction(fours[pair], 8 * 7 * 6 * 5) for pair in range(9)]
