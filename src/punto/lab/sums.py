"""The sum of many independent rounds that are all alike: how it spreads, and how likely it stays at or below a bound.

The distribution of a sum is a power in the frequency domain, so no number of rounds takes longer than another.
Everything outside a window around the mean is left out; Chernoff's bound says how wide the window must be for that
not to matter.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import gcd, log, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from punto.lab.classes import Ints
from punto.lab.exact import Floats

Complex = NDArray[np.complex128]

# What has a probability below e^-42, less than 10⁻¹⁸, is left out.
DOUBT: Final = 42.0
# Chernoff's bound holds for every tilt; one of these comes close to the best.
_TILTS: Final = np.logspace(-8, 4, 481)
_ONE_TIME: Final = 1 << 22
_NOTHING: Final = 1e-300
# So many values are never too many to be told.
_FEW_VALUES: Final = 1 << 14


class Sums:
    """Sums of rounds whose outcomes are whole numbers, each with its chance.

    >>> coin = Sums({-1: 0.5, 1: 0.5})
    >>> coin.at_most(np.array([1, 2, 4]), np.array([0, 0, 0])).round(6).tolist()
    [0.5, 0.75, 0.6875]
    """

    def __init__(self, steps: Mapping[int, float]) -> None:
        outcomes = sorted(step for step, chance in steps.items() if chance > 0)
        self.lowest = outcomes[0]
        # All sums of so many rounds lie this far apart.
        self.span = gcd(*[step - self.lowest for step in outcomes]) or 1
        self._places: Ints = np.array([(step - self.lowest) // self.span for step in outcomes])
        self._chances: Floats = np.array([steps[step] for step in outcomes])
        self._mean = float(self._places @ self._chances)
        self._centred: Floats = self._places.astype(np.float64) - self._mean
        self.deviation = self.span * sqrt(float(self._chances @ self._centred**2))
        self._lens = lru_cache(maxsize=64)(self._make_lens)

    @property
    def mean(self) -> float:
        """The mean of one round."""
        return self.lowest + self.span * self._mean

    @cached_property
    def _growth(self) -> tuple[Floats, Floats, Floats]:
        """Tilts, and how fast the moment that each one weighs grows in a round: downwards and upwards from the mean."""
        width = float(np.abs(self._centred).max()) or 1.0
        tilts = _TILTS / width
        down, up = (_log_moment(self._chances, sign * self._centred, tilts) for sign in (-1, 1))
        return tilts, down, up

    def settled_from(self, certainty: float, slope: float = 0.0, offset: float = 0.0) -> float | None:
        """From so many rounds on the sum of n rounds is above slope × n + offset with that certainty, for every n.

        That is Chernoff's bound; there is none if the mean of a round is not above the slope.
        """
        tilts, down, _ = self._growth
        growth = down - tilts * (self.mean - slope) / self.span
        falling = growth < 0
        needed = (tilts[falling] * offset / self.span - log(1 - certainty)) / -growth[falling]
        return max(0.0, float(needed.min())) if falling.any() else None

    def drop(self, rounds: int) -> int:
        """The sum is at no time within so many rounds further below its beginning, but for a probability below e^-42.

        The bound is Chernoff's for the maximum of a supermartingale.
        """
        tilts, down, _ = self._growth
        growth = np.maximum(down - tilts * self.mean / self.span, 0)
        likely = float(((rounds * growth + DOUBT) / tilts).min()) * self.span
        return min(int(likely) + 1, max(0, -self.lowest) * rounds)

    def reach(self, rounds: int) -> tuple[int, int]:
        """How many places the sum lies below and above its mean at most, but for a probability below e^-42 each."""
        tilts, down, up = self._growth
        below, above = (int(((rounds * growth + DOUBT) / tilts).min()) + 1 for growth in (down, up))
        lowest = int(self._mean * rounds) + 1
        highest = int((int(self._places[-1]) - self._mean) * rounds) + 1
        return min(below, lowest), min(above, highest)

    def distribution(self, rounds: int) -> tuple[Ints, Floats]:
        """The values that the sum of so many rounds can have, and how likely each is."""
        below, above = self.reach(rounds)
        centre = round(self._mean * rounds)
        first, last = 0, int(self._places[-1]) * rounds
        if last > _FEW_VALUES:
            first, last = max(first, centre - below), min(last, centre + above)
        length = 1 << (last - first).bit_length()
        frequency = 2 * np.pi * np.arange(length // 2 + 1) / length
        # The transform is of distances from the mean; the turn puts the first value into the first place.
        turn = -1j * frequency * (self._mean * rounds - first)
        power = np.exp(rounds * self._logarithm(frequency) + turn)
        chances = np.clip(np.fft.irfft(power, length)[: last - first + 1], 0, None)
        values = self.lowest * rounds + self.span * np.arange(first, last + 1)
        return values, chances

    def frequencies(self, rounds: int) -> int:
        """How many frequencies matter to so many rounds: the more there are, the longer `at_most` takes."""
        return len(self._lens(max(0, (rounds - 1).bit_length())).frequency)

    def at_most(self, rounds: Ints, bounds: Ints) -> Floats:
        """The probability that the sum of so many rounds is at most a bound, for each pair of the two."""
        found = np.empty(len(rounds))
        places = (bounds - rounds * self.lowest) // self.span
        doublings = np.ceil(np.log2(np.maximum(rounds, 1))).astype(np.int64)
        for doubling in np.unique(doublings):
            here = np.flatnonzero(doublings == doubling)
            lens = self._lens(int(doubling))
            at_once = max(1, _ONE_TIME // max(1, len(lens.frequency)))
            for start in range(0, len(here), at_once):
                some = here[start : start + at_once]
                found[some] = lens.at_most(rounds[some], places[some], self._mean)
        return found

    def _logarithm(self, frequency: Floats) -> Complex:
        """The logarithm of the transform of a round's distance from its mean."""
        transform = np.zeros(len(frequency), dtype=complex)
        for distance, chance in zip(self._centred, self._chances, strict=True):
            transform += chance * np.exp(-1j * frequency * distance)
        # Where nothing is left of a frequency, next to nothing stands in for it.
        logarithm: Complex = np.log(np.where(np.abs(transform) < _NOTHING, _NOTHING, transform))
        return logarithm

    def _make_lens(self, doubling: int) -> "_Lens":
        """What it takes to look at more than half of 2^doubling rounds and at most all of them."""
        most, fewest = 1 << doubling, max(1, 1 << doubling >> 1)
        below, above = self.reach(most)
        length = 1 << (below + above + 2).bit_length()
        frequency = 2 * np.pi * np.arange(1, length // 2 + 1) / length
        logarithm = self._logarithm(frequency)
        seen = fewest * logarithm.real > -(DOUBT + log(length))
        weight = np.full(len(frequency), 2.0 / length)
        weight[-1] /= 2
        turned = weight[seen] / (1 - np.exp(1j * frequency[seen]))
        return _Lens(length, below, frequency[seen], logarithm[seen], turned)


@dataclass(frozen=True)
class _Lens:
    """The frequencies that matter to some numbers of rounds: all others have died away in them."""

    length: int
    below: int
    frequency: Floats
    logarithm: Complex
    weight: Complex

    def at_most(self, rounds: Ints, places: Ints, mean: float) -> Floats:
        """The probability that the sum lies at most at a place, for each number of rounds."""
        centre = mean * rounds
        first = np.floor(centre).astype(np.int64) - self.below - 1
        width = np.clip(places - first + 1, 0, self.length)
        turns = rounds[:, None] * self.logarithm - 1j * self.frequency * (centre - first)[:, None]
        waves = np.exp(turns) * (1 - np.exp(1j * self.frequency * width[:, None]))
        found: Floats = np.clip(width / self.length + (waves @ self.weight).real, 0, 1)
        return found


def _log_moment(chances: Floats, values: Floats, tilts: Floats) -> Floats:
    """The logarithm of the mean of exp(tilt × value), for each tilt."""
    exponents = np.multiply.outer(tilts, values)
    largest = exponents.max(axis=1)
    moment: Floats = largest + np.log(np.exp(exponents - largest[:, None]) @ chances)
    return moment
