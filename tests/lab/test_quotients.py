"""Quotients of large whole numbers, rounded once, beside those that Python makes of whole numbers."""

import numpy as np
import pytest
from tests.width import SEED, width

from punto.lab.quotients import LOW_BITS, weighed_quotients


def exactly(counts: list[list[int]], weights: list[int], divisors: list[int]) -> list[float]:
    """Python rounds the quotient of two whole numbers once."""
    return [
        sum(count * weight for count, weight in zip(row, weights, strict=True)) / by
        for row, by in zip(counts, divisors, strict=True)
    ]


@pytest.mark.parametrize("seed", range(width(60, 600)))
def test_a_quotient_is_the_nearest_float(seed: int) -> None:
    chance = np.random.default_rng([SEED, seed])
    columns = int(chance.integers(1, 7))
    counts = chance.integers(0, 2 ** int(chance.integers(1, 57)), (300, columns))
    weights = [int(weight) for weight in chance.integers(-(2**18), 2**18, columns)]
    divisors = [int(by) for by in chance.integers(1, 2 ** int(chance.integers(2, 63)), 300)]
    assert weighed_quotients(counts, weights, divisors).tolist() == exactly(counts.tolist(), weights, divisors)


def test_a_difference_of_nearly_equal_numbers_keeps_all_its_digits() -> None:
    chance = np.random.default_rng(SEED)
    large = chance.integers(2**50, 2**56, 2_000)
    counts = np.column_stack([large, large + chance.integers(-3, 4, 2_000)])
    divisors = [10**16 + 61] * 2_000
    found = weighed_quotients(counts, [1, -1], divisors).tolist()
    assert found == exactly(counts.tolist(), [1, -1], divisors)
    assert {number for number in found if number} <= {step / divisors[0] for step in range(-3, 4)}


def test_the_middle_of_two_floats_goes_to_the_even_one() -> None:
    """2⁵³ + 1 and its like lie exactly between two floats, and beside a power of two these lie closer."""
    counts = np.array([[2**53, one] for one in (1, 3, 5, 7)] + [[2**54, -1], [2**54, -3], [2**56 - 5, 2]])
    counts[4:6, 1] *= -1
    weights = [1, 1]
    assert weighed_quotients(counts[:4], weights, [1] * 4).tolist() == exactly(counts[:4].tolist(), weights, [1] * 4)
    weights = [1, -1]
    for divisor in (1, 2, 3, 2**40):
        found = weighed_quotients(counts, weights, [divisor] * 7).tolist()
        assert found == exactly(counts.tolist(), weights, [divisor] * 7)


def test_weights_too_large_to_be_cut_in_two_are_worked_with_as_they_are() -> None:
    counts = np.array([[2**56, 3], [5, 2**56]])
    weights = [2**LOW_BITS + 1, -(2**40)]
    assert weighed_quotients(counts, weights, [7, 10**30]).tolist() == exactly(counts.tolist(), weights, [7, 10**30])


def test_nothing_has_no_sign_and_no_row_has_no_quotient() -> None:
    (nothing,) = weighed_quotients(np.array([[5, 5]]), [1, -1], [3]).tolist()
    assert str(nothing) == "0.0"
    assert weighed_quotients(np.empty((0, 2), dtype=np.int64), [1, -1], []).tolist() == []
