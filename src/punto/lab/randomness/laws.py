"""What an even shuffle does, exactly: the probabilities that its shoes are held against."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise, product
from math import comb, factorial, prod
from typing import Final


def matches(size: int, most: int) -> list[Fraction]:
    """How likely two orders agree at just so many places, from none to *most*, the last with all that is more.

    These are the rencontres of Montmort: of 4 cards, 9 of 24 orders have no card at its own place.

    >>> [str(chance * 24) for chance in matches(4, 3)]
    ['9', '8', '6', '1']
    """
    none = list(accumulate(Fraction((-1) ** i, factorial(i)) for i in range(size + 1)))
    exact = [none[size - found] / factorial(found) for found in range(most)]
    return [*exact, 1 - sum(exact, Fraction(0))]


def first_runs(most: int) -> list[Fraction]:
    """How likely the first run up has just so many cards, from 1 to *most*, the last with all that is longer.

    >>> [str(chance) for chance in first_runs(4)]
    ['1/2', '1/3', '1/8', '1/24']
    """
    at_least = [Fraction(1, factorial(length)) for length in range(1, most + 1)]
    return [*(longer - next_ for longer, next_ in pairwise(at_least)), at_least[-1]]


def gaps(size: int, marked: int, most: int) -> list[Fraction]:
    """How many of the stretches between marked cards have just so many others, from 0 to *most*.

    The last number counts all longer ones too. There is one stretch more than marked cards, each with the same law.

    >>> [str(number) for number in gaps(4, 2, 2)]
    ['3/2', '1', '1/2']
    """
    ways = comb(size, marked)
    exact = [Fraction((marked + 1) * comb(size - length - 1, marked - 1), ways) for length in range(most)]
    return [*exact, marked + 1 - sum(exact, Fraction(0))]


def collected(held: Sequence[int], within: int) -> list[Fraction]:
    """How likely just so many cards show every kind for the first time, from none to *within*; the rest comes last.

    *held* says how many cards of each kind the shoe has.

    >>> [str(chance) for chance in collected([1, 1, 1], 3)]
    ['0', '0', '0', '1', '0']
    """
    size = sum(held)
    missed: dict[int, int] = {0: 1}
    for number in held:  # by the number of cards that are missed, with the sign of inclusion and exclusion
        with_it: dict[int, int] = dict(missed)
        for gone, ways in missed.items():
            with_it[gone + number] = with_it.get(gone + number, 0) - ways
        missed = with_it
    complete = [
        Fraction(sum(ways * comb(size - gone, seen) for gone, ways in missed.items()), comb(size, seen))
        for seen in range(within + 1)
    ]
    exact = [complete[0], *(later - sooner for sooner, later in pairwise(complete))]
    return [*exact, 1 - complete[-1]]


# The hands of poker by how often each rank comes in them, most first.
HANDS: Final = ((1, 1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (3, 2), (4, 1), (5,))


def hands(ranks: int, each: int) -> list[Fraction]:
    """How likely five cards make each of the hands, of so many ranks with so many cards each.

    >>> [str(chance * comb(52, 5)) for chance in hands(13, 4)]
    ['1317888', '1098240', '123552', '54912', '3744', '624', '0']
    """
    total = comb(ranks * each, 5)
    found = []
    for hand in HANDS:
        ways = prod(comb(each, copies) for copies in hand)
        free = ranks
        for copies in sorted(set(hand)):
            ways *= comb(free, hand.count(copies))
            free -= hand.count(copies)
        found.append(Fraction(ways, total))
    return found


def two_cards(points: Sequence[int]) -> list[Fraction]:
    """How likely two cards of the shoe add up to each total from 0 to 9; *points* says how many cards count so much.

    >>> sum(two_cards([128, *[32] * 9]))
    Fraction(1, 1)
    """
    size = sum(points)
    totals = [0] * 10
    for one, other in product(range(10), repeat=2):
        totals[(one + other) % 10] += points[one] * (points[other] - (one == other))
    return [Fraction(ways, size * (size - 1)) for ways in totals]


def both_hands(points: Sequence[int], kind: Sequence[int]) -> list[Fraction]:
    """How likely the first two cards of both hands have totals of each pair of kinds.

    *kind* says of what kind each total from 0 to 9 is; Player's comes first in the pair.
    """
    size = sum(points)
    kinds = max(kind) + 1
    ways = [0] * kinds**2
    for cards in product(range(10), repeat=4):
        left = list(points)
        drawn = 1
        for card in cards:
            drawn *= left[card]
            left[card] -= 1
        player, banker = (cards[0] + cards[2]) % 10, (cards[1] + cards[3]) % 10
        ways[kind[player] * kinds + kind[banker]] += drawn
    return [Fraction(each, size * (size - 1) * (size - 2) * (size - 3)) for each in ways]
