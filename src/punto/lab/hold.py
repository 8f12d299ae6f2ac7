"""The operator's view: what the house holds after so many rounds of a mix of wagers."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from punto.cards import USUAL_CUT, USUAL_DECKS
from punto.errors import BadMix, BadRounds, quoted
from punto.lab.ahead import rounds_of_shoes_until_ahead, rounds_until_ahead
from punto.lab.classes import Classes
from punto.lab.composition import Composition
from punto.lab.dealing import check_cut
from punto.lab.dependence import covariances
from punto.lab.evaluator import Evaluator
from punto.lab.exact import Floats
from punto.lab.odds import GameOdds, Odds
from punto.lab.shoelaw import ShoeLaw, variance
from punto.lab.sums import Sums
from punto.lab.tabular import Drawable, Record, Tabular
from punto.rules import Game

if TYPE_CHECKING:
    from matplotlib.figure import Figure

QUANTILES: Final = (0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999)
CERTAINTY: Final = 0.99
MOST_ROUNDS: Final = 10**9
_STAKE: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6}|/[1-9][0-9]{0,5})?", re.ASCII)
# So many values are worked with at most, and so many where one number of rounds after the other is looked at.
_LONGEST: Final = 1 << 22
_SEARCHED: Final = 1 << 20
# A search with more frequencies than this would keep people waiting: it is made on a coarser grid.
_MOST_FREQUENCIES: Final = 4096
# The normal law is drawn so many standard deviations to each side.
_REACH: Final = 12
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
    by_shoe: bool = False

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
            {
                "by_shoe": self.by_shoe,
                "quantile": share,
                "won": self.quantile(share),
                "hold": self.quantile(share) / self.staked,
            }
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

    Means and variances of one round are exact fractions. Rounds are taken to be independent, as if each came from a
    fresh shoe; distributions are then exact but for the rounding of floating point, unless they say otherwise.
    With *by_shoe* they are taken as shoes deal them to a cutting card.

    >>> from punto.games import find
    >>> mix = Mix(find("baccarat"), {"Banker": Fraction(1)})
    >>> f"{float(mix.mean):.6f}", mix.rounds_until_ahead()
    ('0.010579', 41588)
    """

    def __init__(
        self,
        game: Game,
        stakes: Mapping[str, Fraction],
        decks: int = USUAL_DECKS,
        odds: GameOdds | None = None,
        cut: int = USUAL_CUT,
    ) -> None:
        self.game = game
        self.stakes = {game.wager(name).name: Fraction(stake) for name, stake in stakes.items()}
        if not self.stakes or any(stake < 0 for stake in self.stakes.values()) or not sum(self.stakes.values()):
            raise BadMix("a mix without a stake: expected at least one wager with a stake above 0")
        shoe = Composition.full(game.deck, decks)
        self.cut = check_cut(cut, shoe.size)
        self.odds = odds or Odds(game).of(shoe)
        outcomes = self.odds.together(self.stakes)
        self.outcomes: Mapping[Fraction, Fraction] = {
            -net: Fraction(count, self.odds.sequences) for net, count in sorted(outcomes.items(), reverse=True)
        }

    @classmethod
    def read(cls, text: str, game: Game, decks: int = USUAL_DECKS, cut: int = USUAL_CUT) -> "Mix":
        """A mix from a text as in `Banker=60,Player=35,Tie=5`."""
        stakes: dict[str, Fraction] = {}
        for place, part in enumerate(text.split(","), 1):
            name, equals, figure = (piece.strip() for piece in part.partition("="))
            wager = game.wager(name).name
            if wager in stakes or (equals and not _STAKE.fullmatch(figure)):
                expected = "each wager once, with a stake of 0 or more, as in Banker=60 or Tie=1/2"
                raise BadMix(f"part {place}: {quoted(part.strip(), 40)}: expected {expected}", place)
            stakes[wager] = Fraction(figure) if equals else Fraction(1)
        return cls(game, stakes, decks, cut=cut)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mix):
            return NotImplemented
        mine, others = ((mix.game, mix.stakes, mix.odds.shoe, mix.cut) for mix in (self, other))
        return mine == others

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
    def covariance(self) -> float:
        """The covariance of what the house wins in two rounds of one shoe."""
        names = [name for name, stake in self.stakes.items() if stake]
        stakes = np.array([[float(self.stakes[name])] for name in names])
        evaluator = Evaluator(self.game, names)
        kinds = Classes(self.game, evaluator.wagers).kinds
        shared = covariances(self.odds.shoe, kinds, evaluator.drawn, lambda shoes: evaluator.edges(shoes) @ stakes)
        return float(shared[0, 0])

    @cached_property
    def rounds_per_shoe(self) -> int:
        """How many rounds a shoe deals to its cutting card, if these take as many cards as the average round."""
        held = len(self.game.opening.player)
        cards = sum((number - held) * count for number, count in self.odds.cards.items()) / self.odds.sequences
        return int((self.odds.shoe.size - self.cut) / cards) + 1

    def deviation(self, rounds: int) -> float:
        """The standard deviation of what the house holds after so many rounds, as shoes deal them."""
        number = np.array([rounds])
        return sqrt(variance(float(self.variance), self.covariance, number, self.rounds_per_shoe)[0])

    def after(self, rounds: int, *, by_shoe: bool = False) -> Holding:
        """What the house holds after so many rounds: independent ones, or as shoes deal them.

        For independent rounds it is exact as long as the sum has not too many values to work with; beyond that each
        outcome is shared between the two nearest points of a coarser grid, which keeps the mean; and where that grid
        would be too coarse for a single round, there are so many of them that the normal law, corrected for its
        skewness, is as good. What shoes deal has an exact mean and variance; its shape is that of independent rounds.
        """
        if not 1 <= rounds <= MOST_ROUNDS:
            raise BadRounds(f"{rounds:,} rounds: expected 1 to {MOST_ROUNDS:,}")
        coarse = self._coarseness(rounds, _LONGEST)
        if coarse > 1 and coarse > _COARSEST * sqrt(float(self.variance / self._unit**2)):
            return self._by_the_normal_law(rounds, by_shoe=by_shoe)
        law = self._law(coarse) if by_shoe else Sums(self._steps(coarse))
        steps, chance = law.distribution(rounds)
        won = steps.astype(np.float64) * float(self._unit * coarse)
        return Holding(self, rounds, won, chance, coarse == 1 and not by_shoe, by_shoe)

    def rounds_until_ahead(self, certainty: float = CERTAINTY, *, by_shoe: bool = False) -> int | None:
        """The number of rounds from which on the house is ahead with that certainty.

        None if it has no edge, or if that takes more than 10⁹ rounds.
        """
        if not 0 < certainty < 1:
            raise BadRounds(f"a certainty of {certainty}: expected one above 0 and below 1")
        if self.mean <= 0:
            return None
        if not self.variance:
            return 1
        if by_shoe:
            return rounds_of_shoes_until_ahead(self._law(self._search_grid), certainty, MOST_ROUNDS)
        return rounds_until_ahead(Sums(self._steps(self._search_grid)), certainty, MOST_ROUNDS)

    @property
    def search_is_exact(self) -> bool:
        """Whether `rounds_until_ahead` looks at independent rounds exactly, and not on a coarser grid."""
        return self.mean <= 0 or not self.variance or self._search_grid == 1

    @cached_property
    def _search_grid(self) -> int:
        """The step of the grid for a search, in units."""
        # A normal law would need about as many rounds: by that it is known how fine the grid can be.
        about = min(MOST_ROUNDS, int(16 * self.variance / self.mean**2) + 1)
        coarse = self._coarseness(about, _SEARCHED)
        while Sums(self._steps(coarse)).frequencies(about) > _MOST_FREQUENCIES:
            coarse *= 2
        return coarse

    @cached_property
    def _unit(self) -> Fraction:
        """The largest amount of which every outcome is a multiple."""
        denominator = lcm(*[won.denominator for won in self.outcomes])
        return Fraction(gcd(*[int(won * denominator) for won in self.outcomes]) or 1, denominator)

    def _coarseness(self, rounds: int, longest: int) -> int:
        """How many units make a step of a grid on which so many rounds have no more than so many values.

        Where one unit is too fine, the grid need not be as fine as it can: an eighth of the values is as good.
        """
        values = sum(Sums(self._steps(1)).reach(rounds))
        return 1 if values <= longest else -(-8 * values // longest)

    def _steps(self, coarse: int) -> dict[int, float]:
        """The outcomes of a round on a grid, in steps of so many units, each shared between the two next to it."""
        steps: dict[int, float] = {}
        for won, chance in self.outcomes.items():
            below, over = divmod(int(won / self._unit), coarse)
            steps[below] = steps.get(below, 0.0) + float(chance) * (1 - over / coarse)
            if over:
                steps[below + 1] = steps.get(below + 1, 0.0) + float(chance) * over / coarse
        return steps

    def _law(self, coarse: int) -> ShoeLaw:
        """The law of rounds as shoes deal them, on a grid."""
        unit = float(self._unit * coarse)
        return ShoeLaw(self._steps(coarse), self.covariance / unit**2, self.rounds_per_shoe)

    def _by_the_normal_law(self, rounds: int, *, by_shoe: bool = False) -> Holding:
        """The distribution by the first terms of Edgeworth's series."""
        deviation = sqrt(float(self.variance))
        third = sum((float(won - self.mean) ** 3 * float(chance) for won, chance in self.outcomes.items()), 0.0)
        z = np.linspace(-_REACH, _REACH, 1 << 16)
        skew = third / deviation**3 / sqrt(rounds) if deviation else 0.0
        density = np.clip(np.exp(-(z**2) / 2) * (1 + skew * (z**3 - 3 * z) / 6), 0, None)
        won = float(self.mean) * rounds + z * (self.deviation(rounds) if by_shoe else deviation * sqrt(rounds))
        return Holding(self, rounds, won, density / density.sum(), exact=False, by_shoe=by_shoe)
