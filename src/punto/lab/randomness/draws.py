"""The choices that a shuffle makes: whether words are scaled to them without bias, and the bits that they hold."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from punto.lab.randomness.measures import Ints

# A number below a bound, from a stream of words; it takes another word where one would favour some numbers.
Scaling = Callable[[int, Iterator[int]], int]
# As many bits as one choice is taken for.
_BYTE: Final = 8


@dataclass(frozen=True)
class Scaled:
    """What all words of one size become under one bound: how often each number, and how many words are passed over."""

    bound: int
    numbers: tuple[int, ...]
    passed: int

    @property
    def is_even(self) -> bool:
        """Whether each number comes of as many words as any other."""
        return len(set(self.numbers)) == 1 and self.numbers[0] > 0

    @property
    def favour(self) -> Fraction:
        """By how much the most likely number is more likely than the least likely one."""
        return Fraction(max(self.numbers), min(self.numbers)) - 1 if min(self.numbers) else Fraction(max(self.numbers))


def scaled(scaling: Scaling, bound: int, words: Iterable[int]) -> Scaled:
    """Every word in turn, scaled to a number below *bound*."""
    found: Counter[int] = Counter()
    passed = 0
    for word in words:
        try:
            found[scaling(bound, iter([word]))] += 1
        except StopIteration:  # it asked for another word
            passed += 1
    if not set(found) <= set(range(bound)):
        raise ValueError(f"a number that is not below {bound}")
    return Scaled(bound, tuple(found[number] for number in range(bound)), passed)


def uneven(scaling: Scaling, bounds: Iterable[int], words: int) -> list[int]:
    """The bounds below which some numbers are favoured, all words below *words* having been tried."""
    return [bound for bound in bounds if not scaled(scaling, bound, range(words)).is_even]


@dataclass(frozen=True)
class Edge:
    """How a bound divides the words: as many as a multiple of it are accepted, and the last ones are passed over."""

    bound: int
    words: int

    @property
    def passed(self) -> int:
        """How many words are passed over."""
        return self.words % self.bound

    @property
    def accepted(self) -> int:
        """How many words are accepted."""
        return self.words - self.passed

    def holds(self, scaling: Scaling) -> bool:
        """Whether the scaling draws the line just there, as far as its two sides and both ends of the words show."""
        edge = self.accepted
        inside = [0, self.bound - 1, self.bound, edge - self.bound, edge - 1]
        outside = [edge, self.words - 1] if self.passed else []
        return all(_one(scaling, self.bound, word) == word % self.bound for word in inside) and all(
            _one(scaling, self.bound, word) is None for word in outside
        )


def _one(scaling: Scaling, bound: int, word: int) -> int | None:
    try:
        return scaling(bound, iter([word]))
    except StopIteration:
        return None


def choices(order: NDArray[Any]) -> Ints:
    """The choices by which Fisher and Yates's shuffle made shoes of new decks: at each place, one of those up to it."""
    shoes, size = order.shape
    rows = np.arange(shoes)
    now = np.tile(np.arange(size), (shoes, 1))
    at = now.copy()
    found = np.zeros((shoes, size), dtype=np.int64)
    for place in range(size - 1, 0, -1):
        here, there = now[:, place].copy(), order[:, place]
        chosen = at[rows, there]
        found[:, place] = chosen
        now[rows, chosen], at[rows, here] = here, chosen
        now[:, place], at[rows, there] = there, place
    return found


def bits_of(order: NDArray[Any]) -> bytes:
    """The bits of all choices of shoes, in the order in which they were made, without those that would not be even.

    A choice among n holds k whole bits where it is below 2 to the k, k being the largest with 2 to the k up to n; eight
    of them at most are taken. A last byte that is not full is left out.
    """
    found = choices(order)[:, :0:-1]
    bounds = np.arange(order.shape[1], 1, -1)
    widths = np.minimum(np.log2(bounds).astype(np.int64), _BYTE)
    whole = found < 2 ** np.log2(bounds).astype(np.int64)
    shifts = np.arange(_BYTE - 1, -1, -1)
    bits = (found[:, :, None] >> shifts) & 1
    taken = whole[:, :, None] & (shifts < widths[:, None])
    stream = bits[taken].astype(np.uint8)
    return np.packbits(stream[: len(stream) // _BYTE * _BYTE]).tobytes()
