"""All that a report is made from, worked out once."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm, sqrt
from typing import Final

from punto.cards import USUAL_CUT, USUAL_DECKS, check_decks
from punto.errors import BadRounds, BadUsage
from punto.lab.composition import Composition
from punto.lab.counting import FEWEST_SHOES, MOST_SHOES, Counting, Plan
from punto.lab.dealing import Procedure
from punto.lab.exposure import Exposure
from punto.lab.hold import CERTAINTY, Mix
from punto.lab.odds import Comparison, GameOdds, Odds
from punto.lab.simulation import Simulated, Stream, Terms, beside_the_exact, run, threads
from punto.lab.simulation.running import MOST_ROUNDS
from punto.rules import Game

USUAL_ROUNDS: Final = 10**7
USUAL_SHOES: Final = 1000
USUAL_SEED: Final = 1
# The middle 99 and 90 hundredths of all courses that play can take.
SHARES: Final = (0.005, 0.05, 0.95, 0.995)
TABLED: Final = tuple(10**power for power in range(4, 8))
# So many standard deviations to each side are as good as all.
_REACH: Final = 12
_MOST_VALUES: Final = 1 << 22
DRAWN: Final = tuple(round(10 ** (step / 2)) for step in range(8, 15))


@dataclass(frozen=True)
class Spread:
    """The return to the player of one wager: its quantiles after numbers of rounds, and when the house is ahead.

    Both are given as shoes deal rounds, and the second also for independent rounds. A distribution with more values
    than can be told apart in a second or so is left out.
    """

    expected: Fraction
    kinship: float
    returns: Mapping[int, tuple[float, ...]]
    ahead: int | None
    ahead_by_shoe: int | None

    @classmethod
    def of(cls, mix: Mix) -> "Spread":
        """The spread of a mix with one unit in each round."""
        returns = {}
        for rounds in DRAWN:
            if _values(mix, rounds) <= _MOST_VALUES:
                holding = mix.after(rounds, by_shoe=True)
                # The more the house holds, the less comes back.
                returns[rounds] = tuple(1 - holding.quantile(1 - share) / holding.staked for share in SHARES)
        ahead, by_shoe = (mix.rounds_until_ahead(CERTAINTY, by_shoe=by_shoe) for by_shoe in (False, True))
        kinship = mix.covariance / float(mix.variance) if mix.variance else 0.0
        return cls(1 - mix.mean, kinship, returns, ahead, by_shoe)


def _values(mix: Mix, rounds: float) -> float:
    """About how many values of a sum lie within reach."""
    unit = lcm(*[won.denominator for won in mix.outcomes])
    return 2 * _REACH * unit * sqrt(float(mix.variance) * rounds)


@dataclass(frozen=True)
class Results:
    """What there is to say about one game with so many decks; nothing is worked out before it is asked for."""

    game: Game
    decks: int = USUAL_DECKS
    rounds: int = USUAL_ROUNDS
    shoes: int = USUAL_SHOES
    seed: int = USUAL_SEED
    cut: int = field(default=USUAL_CUT, init=False)

    def __post_init__(self) -> None:
        check_decks(self.decks)
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise BadRounds(f"--rounds: {self.rounds:,} is too large or too small: expected 1 to {MOST_ROUNDS:,}")
        if not FEWEST_SHOES <= self.shoes <= MOST_SHOES:
            expected = f"{FEWEST_SHOES} to {MOST_SHOES:,}"
            raise BadUsage(f"--shoes: {self.shoes:,} is too large or too small: expected {expected}")
        _ = self.stream  # a seed that the simulation refuses is refused here

    @property
    def shoe(self) -> Composition:
        """The whole shoe."""
        return Composition.full(self.game.deck, self.decks)

    @cached_property
    def odds(self) -> GameOdds:
        """The exact odds."""
        return Odds(self.game).of(self.shoe)

    @cached_property
    def comparison(self) -> Comparison:
        """The exact odds for every number of decks."""
        return Odds(self.game).compare()

    @cached_property
    def spreads(self) -> Mapping[str, Spread]:
        """How far the return of each wager spreads."""
        unit = Fraction(1)
        names = [wager.name for wager in self.game.wagers]
        return {name: Spread.of(Mix(self.game, {name: unit}, self.decks, self.odds)) for name in names}

    @cached_property
    def rounds_per_shoe(self) -> int:
        """How many rounds a shoe deals to its cutting card."""
        return Mix(self.game, {self.game.wagers[0].name: Fraction(1)}, self.decks, self.odds, self.cut).rounds_per_shoe

    @cached_property
    def stream(self) -> Stream:
        """The shoes that are simulated."""
        return Stream(Terms(self.game, self.decks, self.cut, self.seed, same_rounds=True))

    @cached_property
    def simulated(self) -> Simulated:
        """A simulation beside the exact odds; the same however many threads deal it."""
        with threads(min(os.cpu_count() or 1, 64)) as crew:
            *_, tally = run(self.stream, self.rounds, crew)
        return beside_the_exact(self.stream, tally)

    @cached_property
    def exposures(self) -> tuple[Exposure, ...]:
        """How far each wager can be counted."""
        return Counting(self.game, self.decks).exposures(Plan(Procedure(self.cut), self.shoes, self.seed))
