"""How words become choices, and how choices come back out of shoes."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from punto.lab.randomness import Edge, bits_of, choices, even, scaled, uneven
from punto.table.contributions import below, permuted


def remainder(bound: int, words: Iterator[int]) -> int:
    return next(words) % bound


def one_too_many(bound: int, words: Iterator[int]) -> int:
    """Words are passed over, but the first of those that should be is not."""
    return next(word for word in words if word <= 2**64 - 2**64 % bound) % bound


def test_a_remainder_favours_the_first_numbers_below_all_bounds_but_powers_of_two() -> None:
    assert uneven(remainder, range(2, 17), 16) == [3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15]
    found = scaled(remainder, 416, range(2**16))
    assert (found.is_even, found.passed, found.favour) == (False, 0, Fraction(1, 157))
    assert found.numbers == (158,) * 224 + (157,) * 192


def test_the_scaling_of_the_permutation_favours_none() -> None:
    found = scaled(lambda bound, words: below(bound, words, 64), 10, range(64))
    assert (found.is_even, found.passed, found.favour) == (True, 4, Fraction(0))
    assert found.numbers == (6,) * 10


def test_a_scaling_that_never_gives_a_number_is_not_even() -> None:
    found = scaled(lambda _, words: next(words) * 0, 3, range(8))
    assert (found.is_even, found.favour) == (False, Fraction(8))
    with pytest.raises(ValueError, match="not below 3"):
        scaled(lambda _, words: next(words), 3, range(8))


def test_the_edge_of_the_real_words_is_where_it_must_be() -> None:
    assert all(Edge(bound, 2**64).holds(below) for bound in range(2, 651))
    assert not Edge(416, 2**64).holds(remainder)
    assert not Edge(416, 2**64).holds(one_too_many)
    assert (Edge(10, 2**64).accepted, Edge(10, 2**64).passed) == (2**64 - 6, 6)


def test_every_order_has_choices_of_its_own() -> None:
    orders = np.array(list(permutations(range(5))))
    found = choices(orders)
    assert len({tuple(row) for row in found.tolist()}) == 120
    assert (found >= 0).all()
    assert (found <= np.arange(5)).all()


def test_choices_are_those_that_made_the_shoe(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def recorded(bound: int, words: Iterator[int]) -> int:
        made.append(below(bound, words))
        return made[-1]

    monkeypatch.setattr("punto.table.contributions.below", recorded)
    order = permuted(range(416), bytes(32))
    assert choices(np.array([order]))[0, :0:-1].tolist() == made


def test_bits_are_the_whole_ones_of_each_choice() -> None:
    """Of five cards: choices among 5 and 4 give two bits, among 3 and 2 one; 4 of 5, and 2 of 3, give none."""
    orders = np.array(list(permutations(range(5))))
    expected = ""
    for _, one, two, three, four in choices(orders).tolist():
        expected += f"{four:02b}" if four < 4 else ""
        expected += f"{three:02b}"
        expected += f"{two:b}" if two < 2 else ""
        expected += f"{one:b}"
    bits = "".join(f"{byte:08b}" for byte in bits_of(orders))
    assert bits == expected[: len(bits)]
    assert len(expected) - len(bits) < 8


def test_bits_of_even_shoes_are_even() -> None:
    stream = bits_of(even(np.random.default_rng(2), 300, 416))
    counts = Counter(stream)
    expected = len(stream) / 256
    # The 99.99 % quantile of chi-square with 255 degrees of freedom.
    assert sum((counts[byte] - expected) ** 2 / expected for byte in range(256)) < 347
