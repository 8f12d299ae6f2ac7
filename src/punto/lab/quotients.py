"""Quotients of whole numbers too large for floating point, each rounded once: the float nearest to the exact value.

A number is worked with as the sum of two floats, of which the second holds what the first had to leave out. The few
quotients that lie so close to the middle of two floats that this cannot tell are made again from whole numbers.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from punto.lab.classes import Ints
from punto.lab.exact import EXACT_FLOAT, Floats

LOW_BITS: Final = 28
_SPLITTER: Final = 2.0**27 + 1
# The second float of a quotient is off by less than this share of the first one's last place.
_UNSURE: Final = 2.0**-40


def weighed_quotients(counts: Ints, weights: Sequence[int], divisors: Sequence[int]) -> Floats:
    """The sum of each row's counts times the weights, divided by the row's divisor.

    >>> weighed_quotients(np.array([[1, 2], [10**16, 3]]), [1, -3], [7, 3]).tolist()
    [-0.7142857142857143, 3333333333333330.5]
    """
    sizes = sum(map(abs, weights))
    if sizes >> (LOW_BITS - 5) or max(divisors, default=0) >= EXACT_FLOAT**2:
        return _one_by_one(counts, weights, divisors)
    factors = np.array(weights, dtype=np.int64)
    high, low = (counts >> LOW_BITS) @ factors, (counts & ((1 << LOW_BITS) - 1)) @ factors
    large, small = _two_sum(high.astype(np.float64) * 2.0**LOW_BITS, low.astype(np.float64))
    by, rest = _two_floats(divisors)
    first = large / by
    product, left_out = _two_product(first, by)
    second = ((large - product) - left_out + small - first * rest) / by
    found = first + second
    error = second - (found - first)
    half = np.spacing(np.abs(found)) / 2
    # Below a power of two floats lie twice as close.
    at_border = np.frexp(found)[0] == np.copysign(0.5, found)
    near = np.abs(np.abs(error) - half) < _UNSURE * half
    near |= at_border & (np.abs(np.abs(error) - half / 2) < _UNSURE * half)
    unsure = np.flatnonzero(near & (error != 0))
    if len(unsure):
        found[unsure] = _one_by_one(counts[unsure], weights, [divisors[int(row)] for row in unsure])
    return found + 0.0


def _one_by_one(counts: Ints, weights: Sequence[int], divisors: Sequence[int]) -> Floats:
    """From whole numbers, whose quotient Python rounds once."""
    rows = zip(counts.tolist(), divisors, strict=True)
    return np.array(
        [sum(count * weight for count, weight in zip(row, weights, strict=True)) / by for row, by in rows],
        dtype=np.float64,
    )


def _two_floats(numbers: Sequence[int]) -> tuple[Floats, Floats]:
    """Whole numbers as sums of two floats; few of them are different."""
    known = {number: (float(number), float(number - int(float(number)))) for number in set(numbers)}
    found = np.array([known[number] for number in numbers]).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _two_sum(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """A sum, and what its rounding left out (Knuth)."""
    total = one + other
    part = total - one
    return total, (one - (total - part)) + (other - part)


def _two_product(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """A product, and what its rounding left out (Dekker)."""
    product = one * other
    one_high, one_low = _halves(one)
    other_high, other_low = _halves(other)
    left_out = one_low * other_low - (((product - one_high * other_high) - one_low * other_high) - one_high * other_low)
    return product, left_out


def _halves(number: Floats) -> tuple[Floats, Floats]:
    """A float as the sum of two with half as many digits."""
    spread = _SPLITTER * number
    high = spread - (spread - number)
    return high, number - high
