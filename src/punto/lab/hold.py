"""The operator's view: what the house holds after so many rounds of a mix of wagers."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
_LONGEST: Final = 1 << 25


@dataclass(frozen=True)
class Holding(Tabular, Drawable):
    """What the house holds after a number of rounds, in units: all that can come, and how likely each is."""

    mix: "Mix"
    rounds: int
    won: Floats
    chance: Floats

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

    Rounds are taken to be alike and independent, as if each came from a fresh shoe. Then all of this is exact: means
    and variances as fractions, distributions but for the rounding of floating point.

    >>> from punto.games import find
    >>> mix = Mix(find("baccarat"), {"Banker": Fraction(1)})
    >>> f"{float(mix.mean):.6f}", mix.rounds_until_ahead()
    ('0.010579', 41588)
    """

    def __init__(
        self, game: Game, stakes: Mapping[str, Fraction], decks: int = USUAL_DECKS, odds: GameOdds | None = None
    ) -> None:
        self.game = game
        self.stakes = dict(stakes)
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

        The distribution of a sum is a power in the frequency domain. It is taken at only as many frequencies as the sum
        has standard deviations within reach; what lies further out is too unlikely to be told from nothing.
        """
        if not 1 <= rounds <= MOST_ROUNDS:
            raise BadRounds(f"{rounds:,} rounds: expected 1 to {MOST_ROUNDS:,}")
        unit, whole, chances = self._steps
        mean, deviation = float(self.mean / unit) * rounds, sqrt(float(self.variance / unit**2) * rounds)
        span = (max(whole) - min(whole)) * rounds + 1
        reach = min(span, 2 * ceil(_REACH * deviation + max(map(abs, whole)) * 8) + 1)
        if reach > _LONGEST:
            raise BadRounds(f"{rounds:,} rounds of stakes so uneven: expected fewer, or stakes in rounder numbers")
        length = 1 << (reach - 1).bit_length()
        lowest = min(whole) * rounds if reach == span else round(mean) - length // 2
        frequency = 2 * np.pi * np.arange(length // 2 + 1) / length
        power = np.ones_like(frequency, dtype=complex)
        transform = np.zeros_like(power)
        for step, chance in zip(whole, chances, strict=True):
            transform += chance * np.exp(-1j * frequency * step)
        power = np.exp(rounds * np.log(transform, where=transform != 0, out=np.full_like(transform, -np.inf)))
        power[transform == 0] = 0
        density = np.fft.irfft(power, length)
        places = (np.arange(length) + lowest) % length
        chance_of = np.clip(density[places], 0, None)
        won = (np.arange(length) + lowest).astype(np.float64) * float(unit)
        return Holding(self, rounds, won, chance_of / chance_of.sum())

    def rounds_until_ahead(self, certainty: float = CERTAINTY) -> int | None:
        """The number of rounds from which on the house is ahead with that certainty; none if it has no edge."""
        if self.mean <= 0:
            return None
        short, enough = 0, 1
        while self.after(enough).ahead < certainty:
            short, enough = enough, enough * 2
            if enough > MOST_ROUNDS:
                return None
        while enough - short > 1:
            middle = (short + enough) // 2
            if self.after(middle).ahead < certainty:
                short = middle
            else:
                enough = middle
        # The certainty goes up and down as what one win costs is won back stake by stake: it must hold for that long.
        _, whole, _ = self._steps
        later = enough
        while later < enough + max(whole) - min(whole):
            if self.after(later).ahead < certainty:
                enough = later + 1
            later += 1
        return enough
