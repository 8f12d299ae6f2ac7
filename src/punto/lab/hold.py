"""The operator's view: what the house holds after so many rounds of a mix of wagers."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil, gcd, lcm, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from punto.cards import USUAL_DECKS
from punto.errors import BadMix, BadRounds, quoted
from punto.lab.composition import Composition
from punto.lab.exact import Floats
from punto.lab.odds import GameOdds, Odds
from punto.lab.tabular import Drawable, Record, Tabular
from punto.rules import Game

if TYPE_CHECKING:
    from matplotlib.figure import Figure

QUANTILES: Final = (0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999)
CERTAINTY: Final = 0.99
MOST_ROUNDS: Final = 10**9
# Beyond so many standard deviations lies less than floating point can tell from nothing.
_REACH: Final = 12
_STAKE: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6}|/[1-9][0-9]{0,5})?", re.ASCII)
# How many values are worked with: of one answer, of each step of a search, and in a search in all.
_LONGEST: Final = 1 << 22
_SEARCHED: Final = 1 << 17
_MOST_SEARCHED: Final = 1 << 24
# A grid that is coarser than this share of one round's deviation would show.
_COARSEST: Final = 0.05


@dataclass(frozen=True)
class Holding(Tabular, Drawable):
    """What the house holds after a number of rounds, in units: all that can come, and how likely each is."""

    mix: "Mix"
    rounds: int
    won: Floats = field(compare=False, repr=False)
    chance: Floats = field(compare=False, repr=False)
    exact: bool = True

    @property
    def staked(self) -> float:
        """Units staked in all."""
        return float(self.mix.stake * self.rounds)

    @cached_property
    def ahead(self) -> float:
        """How likely the house is ahead."""
        return float(self.chance[self.won > 0].sum())

    def quantile(self, share: float) -> float:
        """What the house holds at least, but for the *share* of worst cases."""
        return float(self.won[min(int(np.searchsorted(self.chance.cumsum(), share)), len(self.won) - 1)])

    def records(self) -> Sequence[Record]:
        """One record for each quantile."""
        return [
            {"quantile": share, "won": self.quantile(share), "hold": self.quantile(share) / self.staked}
            for share in QUANTILES
        ]

    def plot(self) -> "Figure":
        """The distribution of the hold, in hundredths of what was staked."""
        from punto.lab.figures import COLOURS, QUIET, figure, title  # noqa: PLC0415

        with figure() as (drawn, axes):
            low, high = self.quantile(1e-4), self.quantile(1 - 1e-4)
            edges = np.linspace(low, high, 81)
            heights, _ = np.histogram(self.won, bins=edges, weights=self.chance)
            middles = 100 * (edges[1:] + edges[:-1]) / 2 / self.staked
            shade = [COLOURS["Tie"] if middle > 0 else COLOURS["Banker"] for middle in middles]
            axes.bar(middles, 100 * heights, width=100 * (edges[1] - edges[0]) / self.staked, color=shade)
            axes.axvline(0, color=QUIET, linewidth=0.8)
            title(drawn, f"{self.mix.game.title.en}: hold after {self.rounds:,} rounds")
            axes.set_xlabel("hold, % of what is staked")
            axes.set_ylabel("probability, %")
        return drawn


class Mix:
    """Stakes on several wagers of one round, and what the house wins on them.

    Rounds are taken to be alike and independent, as if each came from a fresh shoe. Then means and variances are exact
    fractions, and distributions are exact but for the rounding of floating point, unless they say otherwise.

    >>> from punto.games import find
    >>> mix = Mix(find("baccarat"), {"Banker": Fraction(1)})
    >>> f"{float(mix.mean):.6f}", mix.rounds_until_ahead()
    ('0.010579', 41588)
    """

    def __init__(
        self, game: Game, stakes: Mapping[str, Fraction], decks: int = USUAL_DECKS, odds: GameOdds | None = None
    ) -> None:
        self.game = game
        self.stakes = {game.wager(name).name: Fraction(stake) for name, stake in stakes.items()}
        if not self.stakes or any(stake < 0 for stake in self.stakes.values()) or not sum(self.stakes.values()):
            raise BadMix("a mix without a stake: expected at least one wager with a stake above 0")
        self.odds = odds or Odds(game).of(Composition.full(game.deck, decks))
        outcomes = self.odds.together(self.stakes)
        self.outcomes: Mapping[Fraction, Fraction] = {
            -net: Fraction(count, self.odds.sequences) for net, count in sorted(outcomes.items(), reverse=True)
        }

    @classmethod
    def read(cls, text: str, game: Game, decks: int = USUAL_DECKS) -> "Mix":
        """A mix from a text as in `Banker=60,Player=35,Tie=5`."""
        stakes: dict[str, Fraction] = {}
        for place, part in enumerate(text.split(","), 1):
            name, equals, figure = (piece.strip() for piece in part.partition("="))
            wager = game.wager(name).name
            if wager in stakes or (equals and not _STAKE.fullmatch(figure)):
                expected = "each wager once, with a stake of 0 or more, as in Banker=60 or Tie=1/2"
                raise BadMix(f"part {place}: {quoted(part.strip(), 40)}: expected {expected}", place)
            stakes[wager] = Fraction(figure) if equals else Fraction(1)
        return cls(game, stakes, decks)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mix):
            return NotImplemented
        return (self.game, self.stakes, self.odds.shoe) == (other.game, other.stakes, other.odds.shoe)

    def __hash__(self) -> int:
        return hash((self.game.key, *self.stakes.items()))

    @property
    def stake(self) -> Fraction:
        """Units staked in a round."""
        return sum(self.stakes.values(), Fraction(0))

    @cached_property
    def mean(self) -> Fraction:
        """What the house can expect of a round."""
        return sum((won * chance for won, chance in self.outcomes.items()), Fraction(0))

    @cached_property
    def variance(self) -> Fraction:
        """The variance of a round."""
        return sum((won**2 * chance for won, chance in self.outcomes.items()), Fraction(0)) - self.mean**2

    @cached_property
    def _steps(self) -> tuple[Fraction, list[int], Floats]:
        """The unit of which all outcomes are multiples, those multiples from the smallest on, and their chances."""
        denominator = lcm(*[won.denominator for won in self.outcomes])
        whole = [int(won * denominator) for won in self.outcomes]
        common = gcd(*whole) or 1
        chances = np.array([float(chance) for chance in self.outcomes.values()])
        return Fraction(common, denominator), [step // common for step in whole], chances

    def after(self, rounds: int) -> Holding:
        """What the house holds after so many rounds.

        Exact as long as the sum has not too many values to work with; beyond that each outcome is shared between the
        two nearest points of a coarser grid, which keeps the mean; and where that grid would be too coarse for a single
        round, there are so many of them that the normal law, corrected for its skewness, is as good.
        """
        if not 1 <= rounds <= MOST_ROUNDS:
            raise BadRounds(f"{rounds:,} rounds: expected 1 to {MOST_ROUNDS:,}")
        return self._after(rounds, _LONGEST)

    def _after(self, rounds: int, longest: int) -> Holding:
        unit, whole, chances = self._steps
        deviation = sqrt(float(self.variance / unit**2))
        span = (max(whole) - min(whole)) * rounds + 1
        reach = min(span, 2 * ceil(_REACH * deviation * sqrt(rounds) + max(map(abs, whole)) * 8) + 1)
        coarse = -(-reach // longest)
        if coarse > 1 and coarse > _COARSEST * deviation:
            return self._by_the_normal_law(rounds)
        steps: dict[int, float] = {}
        for step, chance in zip(whole, chances, strict=True):
            below, over = divmod(step, coarse)
            steps[below] = steps.get(below, 0.0) + float(chance) * (1 - over / coarse)
            if over:
                steps[below + 1] = steps.get(below + 1, 0.0) + float(chance) * over / coarse
        won, chance_of = _power(steps, rounds, -(-reach // coarse), float(self.mean / unit) * rounds / coarse)
        return Holding(self, rounds, won * coarse * float(unit), chance_of, exact=coarse == 1)

    def _by_the_normal_law(self, rounds: int) -> Holding:
        """The distribution by the first terms of Edgeworth's series."""
        mean, deviation = float(self.mean), sqrt(float(self.variance))
        third = sum((float(won - self.mean) ** 3 * float(chance) for won, chance in self.outcomes.items()), 0.0)
        z = np.linspace(-_REACH, _REACH, 1 << 16)
        skew = third / deviation**3 / sqrt(rounds) if deviation else 0.0
        density = np.clip(np.exp(-(z**2) / 2) * (1 + skew * (z**3 - 3 * z) / 6), 0, None)
        won = mean * rounds + z * deviation * sqrt(rounds)
        return Holding(self, rounds, won, density / density.sum(), exact=False)

    def rounds_until_ahead(self, certainty: float = CERTAINTY) -> int | None:
        """The number of rounds from which on the house is ahead with that certainty; none if it has no edge."""
        if self.mean <= 0:
            return None

        def is_ahead(rounds: int) -> bool:
            return self._after(rounds, _SEARCHED).ahead >= certainty

        short, enough = 0, 1
        while not is_ahead(enough):
            short, enough = enough, enough * 2
            if enough > MOST_ROUNDS:
                return None
        while enough - short > 1:
            middle = (short + enough) // 2
            short, enough = (short, middle) if is_ahead(middle) else (middle, enough)
        # The certainty goes up and down as what one win costs is won back stake by stake: it must hold for that long.
        _, whole, _ = self._steps
        period = max(whole) - min(whole)
        step, allowed = 1, _MOST_SEARCHED
        later = enough
        while later < enough + period:
            holding = self._after(later, _SEARCHED)
            if holding.ahead < certainty:
                enough = later + 1
            allowed -= len(holding.won)
            if allowed < 0:
                # Not every number of rounds of so long a period can be looked at.
                step, allowed = min(2 * step, max(1, period // 16)), _MOST_SEARCHED // 8
            later += step
        return enough


def _power(steps: Mapping[int, float], rounds: int, reach: int, mean: float) -> tuple[Floats, Floats]:
    """The sum of so many independent steps: its values, and how likely each is.

    The distribution of a sum is a power in the frequency domain. It is taken at only as many frequencies as there are
    values within *reach* of the mean; what lies further out is too unlikely to be told from nothing.
    """
    length = 1 << max(1, (reach - 1).bit_length())
    whole = (max(steps) - min(steps)) * rounds + 1 <= length
    lowest = min(steps) * rounds if whole else round(mean) - length // 2
    frequency = 2 * np.pi * np.arange(length // 2 + 1) / length
    transform = np.zeros(len(frequency), dtype=complex)
    for step, chance in steps.items():
        transform += chance * np.exp(-1j * frequency * step)
    power = np.zeros_like(transform)
    np.log(transform, out=power, where=transform != 0)
    power = np.where(transform != 0, np.exp(rounds * power), 0)
    density = np.fft.irfft(power, length)
    values = np.arange(length) + lowest
    chances = np.clip(density[values % length], 0, None)
    return values.astype(np.float64), chances / chances.sum()
