"""The law of many rounds as shoes deal them.

Two rounds of one shoe have a covariance, two of different shoes have none, so the variance of any number of rounds is
known. The law of independent rounds is drawn together around its mean (or apart) until it has that variance; it keeps
its values.

What comes only now and then, as the 700 to 1 of Super 7's, is left as it is: such wins are as good as independent, and
drawing them together with the others would leave these too far apart.
"""

from collections import Counter
from collections.abc import Mapping
from math import ceil, gcd, sqrt
from typing import Final

import numpy as np

from punto.lab.classes import Ints
from punto.lab.exact import Floats
from punto.lab.sums import Sums

# What comes less often than this in a shoe is independent of the rest.
_NOW_AND_THEN: Final = 0.05
# Jumps that make up less than this of the variance need no care of their own.
_TO_SPEAK_OF: Final = 0.01
# A law that would be drawn together further than this is not.
_CLOSEST: Final = 0.05
# What is less likely is left out of a sum of probabilities.
_UNLIKELY: Final = 1e-9
_MOST_VALUES: Final = 1 << 22


class ShoeLaw:
    """Sums of rounds whose outcomes are whole numbers, from shoes that deal *per_shoe* rounds each.

    *covariance* is that of two rounds of one shoe.
    """

    def __init__(self, steps: Mapping[int, float], covariance: float, per_shoe: int) -> None:
        self._covariance = covariance
        self._per_shoe = per_shoe
        self._whole = Sums(steps)
        often = [step for step, chance in steps.items() if chance * per_shoe >= _NOW_AND_THEN] or list(steps)
        common: Counter[int] = Counter()
        jumps: Counter[int] = Counter()
        for step, chance in steps.items():
            nearest = min(often, key=lambda other: abs(other - step))
            if chance * (step - nearest) ** 2 < _TO_SPEAK_OF * self._whole.deviation**2:
                nearest = step
            common[nearest] += chance  # type: ignore[assignment]
            jumps[step - nearest] += chance  # type: ignore[assignment]
        self._rare = {jump: float(chance) for jump, chance in jumps.items() if jump}
        self._common = Sums(common)
        self._jumps = Sums(jumps) if len(jumps) > 1 else None
        # Common outcomes that are all alike leave the grid to the jumps.
        self._step = gcd(self._common.span if self._common.deviation else 0, *jumps) or 1

    def spread(self, rounds: Ints) -> Floats:
        """How far the common outcomes of so many rounds spread, as a share of what independent ones would."""
        alone = rounds * self._common.deviation**2
        if not self._common.deviation:
            return np.ones(len(rounds))
        wanted = variance(self._whole.deviation**2, self._covariance, rounds, self._per_shoe)
        jumps = rounds * self._jumps.deviation**2 if self._jumps else 0.0
        spread: Floats = np.sqrt(np.maximum(_CLOSEST**2, (wanted - jumps) / alone))
        return spread

    def distribution(self, rounds: int) -> tuple[Floats, Floats]:
        """The values that the sum of so many rounds can have, and how likely each is."""
        if rounds == 1:
            alone, chances = self._whole.distribution(rounds)
            return alone.astype(np.float64), chances
        common, chances = self._common.distribution(rounds)
        spread = float(self.spread(np.array([rounds]))[0])
        values, chances = _drawn(common.astype(np.float64), chances, self._common.span, spread)
        if self._jumps is None:
            return values, chances
        jumps, likely = self._jumps.distribution(rounds)
        if (values[-1] - values[0] + float(np.ptp(jumps))) / self._step > _MOST_VALUES:
            # Too far apart to be told on one grid: all of it is drawn together.
            alone, chances = self._whole.distribution(rounds)
            wanted = variance(self._whole.deviation**2, self._covariance, np.array([rounds]), self._per_shoe)[0]
            spread = sqrt(wanted / rounds) / self._whole.deviation
            return _drawn(alone.astype(np.float64), chances, self._whole.span, spread)
        return _added(values, chances, jumps.astype(np.float64), likely, self._step)

    def settled_from(self, certainty: float) -> float | None:
        """From so many rounds on the sum is above zero with that certainty, as far as Chernoff's bound can tell."""
        needed = self._whole.settled_from(certainty)
        wider = max(0.0, self._covariance) / self._whole.deviation**2 * (self._per_shoe - 1)
        return None if needed is None else needed * (1 + wider)

    def behind(self, rounds: Ints) -> Floats:
        """The probability that so many rounds come to zero or less, for each number of rounds."""
        found = np.zeros(len(rounds))
        for jump, chance in self._atoms(rounds):
            found += chance * self._at_most(rounds, -jump)
        return found

    def frequencies(self, rounds: int) -> int:
        """How many frequencies matter to so many rounds, at least one."""
        return max(1, self._common.frequencies(rounds))

    def atoms(self, rounds: int) -> int:
        """Of how many sums of jumps `behind` thinks one by one."""
        return len(self._atoms(np.array([rounds])))

    def _at_most(self, rounds: Ints, bound: int) -> Floats:
        """The probability that the common outcomes come to a bound at most."""
        common = self._common
        origin = rounds * common.lowest
        border = (bound - origin) // common.span + 0.5
        centre = (common.mean * rounds - origin) / common.span
        place = centre + (border - centre) / self.spread(rounds) - 0.5
        below = np.floor(place).astype(np.int64)
        low = common.at_most(rounds, origin + below * common.span)
        high = common.at_most(rounds, origin + (below + 1) * common.span)
        return low + (place - below) * (high - low)

    def _atoms(self, rounds: Ints) -> list[tuple[int, Floats]]:
        """What the jumps of so many rounds can come to, and how likely that is for each number of rounds."""
        none = 1 - sum(self._rare.values())
        found = [(0, np.power(none, rounds), rounds)]
        for jump, chance in self._rare.items():
            more = []
            for sum_, likely, left in found:
                times = 0
                expected = float(left.max(initial=0)) * chance
                while times <= expected or likely.max(initial=0) > _UNLIKELY:
                    more.append((sum_ + times * jump, likely, left))
                    likely = likely * (left / (times + 1) * chance / none)  # noqa: PLW2901
                    left = np.maximum(left - 1, 0)  # noqa: PLW2901
                    times += 1
            found = more
        return [(sum_, likely) for sum_, likely, _ in found]


def variance(of_one: float, covariance: float, rounds: Ints, per_shoe: int) -> Floats:
    """The variance of so many rounds, of which shoes deal *per_shoe* each."""
    shoes, rest = np.divmod(rounds, per_shoe)
    pairs = shoes * per_shoe * (per_shoe - 1) + rest * (rest - 1)
    found: Floats = rounds * of_one + pairs * covariance
    return found


def _drawn(values: Floats, chances: Floats, step: int, spread: float) -> tuple[Floats, Floats]:
    """The values with their chances drawn together around the mean.

    Each value stands for the stretch from halfway to the one below it up to halfway to the one above it.
    """
    if spread == 1 or len(values) == 1:
        return values, chances
    margin = ceil(len(values) * max(0.0, spread - 1) / 2) + 1
    wider = values[0] + step * np.arange(-margin, len(values) + margin)
    mean = float(values @ chances)
    borders = np.append(values[0] - step / 2, values + step / 2)
    share = np.append(0, chances.cumsum())
    wanted = np.append(wider[0] - step / 2, wider + step / 2)
    return wider, np.diff(np.interp(mean + (wanted - mean) / spread, borders, share, 0, share[-1]))


def _added(values: Floats, chances: Floats, jumps: Floats, likely: Floats, step: int) -> tuple[Floats, Floats]:
    """The law of the sum of two independent values, in steps of the grid that both lie on."""
    first, last = values[0] + jumps.min(), values[-1] + jumps.max()
    size = round((last - first) / step) + 1
    length = 1 << (size - 1).bit_length()
    one, other = np.zeros(length), np.zeros(length)
    one[np.round((values - values[0]) / step).astype(np.int64)] = chances
    other[np.round((jumps - jumps.min()) / step).astype(np.int64)] = likely
    sum_ = np.fft.irfft(np.fft.rfft(one) * np.fft.rfft(other), length)[:size]
    sum_ = np.clip(sum_, 0, None)
    return first + step * np.arange(size), sum_ / sum_.sum()
