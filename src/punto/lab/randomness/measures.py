"""What is measured on shoes, and how likely an even shuffle goes as far: three kinds of measure.

Each kind sums something over shoes, block by block, and judges the sum once. An even shuffle's shoes are independent of
one another, but the cards of one shoe are not: each comes once. All three kinds allow for that.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from punto.lab.tails import chi_square_tail, f_tail

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
# Directions in which shoes vary less than this share of the others do not vary at all.
_FLAT: Final = 1e-9


class Block:
    """Some shoes of one size: the numbers of their cards from 0, in the order in which they come."""

    def __init__(self, order: NDArray[Any]) -> None:
        self.order: Ints = np.ascontiguousarray(order, dtype=np.int64)

    @property
    def size(self) -> int:
        """How many cards a shoe has."""
        return int(self.order.shape[1])

    @cached_property
    def places(self) -> Ints:
        """The place of each card, which is the inverse of the order."""
        found = np.empty_like(self.order)
        np.put_along_axis(found, self.order, np.broadcast_to(np.arange(self.size), self.order.shape), axis=1)
        return found


@dataclass(frozen=True)
class Verdict:
    """What a measure came to, under which law, and how likely an even shuffle goes as far."""

    law: str
    value: float
    freedom: float
    p: float


class Measure(Protocol):
    """Something that is summed over shoes and judged at the end."""

    def tally(self, block: Block) -> NDArray[Any]:
        """What a block adds to the sum."""

    def judged(self, total: NDArray[Any]) -> Verdict:
        """The sum, judged."""


@dataclass(frozen=True)
class Classes:
    """Independent observations that fall into classes: chi-square against the exact probabilities."""

    observed: Callable[[Block], Ints]
    chances: Sequence[Fraction]

    def tally(self, block: Block) -> Ints:
        """How many observations fall into each class."""
        return np.bincount(self.observed(block).ravel(), minlength=len(self.chances))

    def judged(self, total: NDArray[Any]) -> Verdict:
        """Chi-square; counts that are too even are as unlikely as those that are too uneven."""
        expected = total.sum() * np.array([float(chance) for chance in self.chances])
        square = float(((total - expected) ** 2 / expected).sum())
        return _both_sides(square, len(expected) - 1)


@dataclass(frozen=True)
class Means:
    """Several numbers of each shoe whose expectation is known: Hotelling's T-square over their means.

    The numbers of one shoe may depend on one another in any way: their covariance is measured over the shoes.
    *deviations* gives one row for each shoe, already less what is expected.
    """

    deviations: Callable[[Block], NDArray[Any]]

    def tally(self, block: Block) -> Floats:
        """The number of rows, their sum, and the sum of their products, in one matrix."""
        rows = np.asarray(self.deviations(block), dtype=np.float64)
        wide = np.column_stack([np.ones(len(rows)), rows])
        products: Floats = wide.T @ wide
        return products

    def judged(self, total: NDArray[Any]) -> Verdict:
        """T-square by its law, which is that of F."""
        rows = float(total[0, 0])
        mean = total[0, 1:] / rows
        spread = (total[1:, 1:] - rows * np.outer(mean, mean)) / (rows - 1)
        variance = np.diag(spread)
        constant = variance <= _FLAT * np.diag(total)[1:] / rows
        scale = np.sqrt(np.where(constant, 1, variance))
        spread[constant, :] = spread[:, constant] = 0
        values, ways = np.linalg.eigh(spread / np.outer(scale, scale))
        along = ways.T @ (mean / scale)
        varies = values > _FLAT
        number = int(varies.sum())
        if (np.abs(along[~varies]) > _FLAT).any():  # what never varies is off
            return Verdict("T-square", np.inf, len(values), 0.0)
        if not number:
            return Verdict("T-square", 0.0, 0, 1.0)
        square = float(rows * (along[varies] ** 2 / values[varies]).sum())
        ratio = square * (rows - number) / (number * (rows - 1))
        return Verdict("T-square", square, number, f_tail(ratio, number, rows - number))


@dataclass(frozen=True)
class Places:
    """How often each card came at each place: chi-square, corrected because each card comes once in a shoe.

    For N shoes of n cards, (n - 1)/n times the usual sum has exactly the mean (n - 1)² and the variance
    2(n - 1)²(N - 1)/N.
    """

    def tally(self, block: Block) -> Ints:
        """The matrix of place by card."""
        return _pairs(np.broadcast_to(np.arange(block.size), block.order.shape), block.order, block.size)

    def judged(self, total: NDArray[Any]) -> Verdict:
        """Chi-square of (n - 1)² degrees of freedom."""
        size = len(total)
        expected = total.sum() / size**2
        square = float(((total - expected) ** 2).sum() / expected) * (size - 1) / size
        return _both_sides(square, (size - 1) ** 2)


@dataclass(frozen=True)
class Followers:
    """How often each thing follows each other one in a ring: chi-square with its exact mean and variance.

    *ring* gives the things of each shoe in their order; the first follows the last.
    """

    ring: Callable[[Block], Ints]

    def tally(self, block: Block) -> Ints:
        """The matrix of thing by follower."""
        ring = self.ring(block)
        return _pairs(ring, np.roll(ring, -1, axis=1), block.size)

    def judged(self, total: NDArray[Any]) -> Verdict:
        """The sum of squares, scaled so that mean and variance are those of a chi-square.

        Two even rings of n have n/(n - 1) followers in common on average, with a variance that the ways to put a ring
        together give; the sum of squares is made of these numbers.
        """
        size = len(total)
        shoes = float(total.sum()) / size
        off = total - shoes / (size - 1)
        np.fill_diagonal(off, 0)
        mean = shoes * size * (size - 2) / (size - 1)
        freedom = (size * (size - 2) / (size - 1)) ** 2 / common_followers(size)[1]
        return _both_sides(float((off**2).sum()) * freedom / mean, freedom)


def common_followers(size: int) -> tuple[float, float]:
    """Mean and variance of how many followers two even rings of so many things have in common."""
    mean = size / (size - 1)
    return mean, size / (size - 2) + mean - mean**2


def _pairs(one: Ints, other: Ints, size: int) -> Ints:
    """How often each pair of numbers comes."""
    return np.bincount((one * size + other).ravel(), minlength=size * size).reshape(size, size)


def _both_sides(square: float, freedom: float) -> Verdict:
    tail = chi_square_tail(square, freedom)
    return Verdict("chi-square", square, freedom, min(1.0, 2 * min(tail, 1 - tail)))
