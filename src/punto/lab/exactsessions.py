"""What becomes of a bankroll in a session, worked out exactly for independent rounds."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import lcm

import numpy as np

from punto.lab.chain import Chain, Standing, Terms
from punto.lab.classes import Ints
from punto.lab.exact import Floats
from punto.lab.odds import WagerOdds
from punto.lab.stakes import QUANTILES, Stakes
from punto.lab.tabular import Record, Tabular


@dataclass(frozen=True)
class ExactBankrolls(Tabular):
    """How likely a bankroll ends with each amount of money, in units.

    Each probability is off by less than 10⁻¹² in sessions of up to 20,000 rounds, and by little more in longer ones;
    *left_out* is the probability of what was too unlikely to be followed.
    """

    wager: str
    stakes: Stakes
    bankroll: int
    goal: int | None
    rounds: int
    could_not_pay: float
    reached: float
    bets: float
    left_out: float
    moments: Ints = field(compare=False, repr=False)
    fan: Floats = field(compare=False, repr=False)
    final: Floats = field(compare=False, repr=False)
    chance: Floats = field(compare=False, repr=False)

    @property
    def mean(self) -> float:
        """The mean of the bankroll at the end."""
        return float(self.final @ self.chance)

    @property
    def ahead(self) -> float:
        """How likely a session ends with more than it began with."""
        return float(self.chance[self.final > self.bankroll].sum())

    def quantile(self, share: float) -> float:
        """The least bankroll that this share of all sessions end with or fall short of."""
        return _quantile(self.final, self.chance, share)

    def records(self) -> Sequence[Record]:
        """One record for each moment."""
        return [
            {"rounds": int(moment)}
            | {f"q{100 * share:g}": float(value) for share, value in zip(QUANTILES, column, strict=True)}
            for moment, column in zip(self.moments, self.fan.T, strict=True)
        ]


def work_out(odds: WagerOdds, stakes: Stakes, bankroll: int, moments: Ints, goal: int | None = None) -> ExactBankrolls:
    """The session at a wager with these odds, and where it can stand at some moments, the last of them its end."""
    parts = lcm(*[line.net.denominator for line in odds.lines])
    outcomes: dict[int, float] = {}
    for line in odds.lines:
        if line.count:
            outcome = int(line.net * parts)
            outcomes[outcome] = outcomes.get(outcome, 0.0) + float(line.probability)
    terms = Terms(stakes.steps, outcomes, parts, bankroll, goal)
    chain = Chain(terms)
    fan = np.empty((len(QUANTILES), len(moments)))
    standing: Standing | None = None
    for place, standing in enumerate(chain.moments(moments.tolist())):
        amounts, chances = standing.law(terms)
        fan[:, place] = [_quantile(amounts, chances, share) for share in QUANTILES]
    assert standing is not None, "a session has at least one moment"
    return ExactBankrolls(
        wager=odds.name,
        stakes=stakes,
        bankroll=bankroll,
        goal=goal,
        rounds=int(moments[-1]),
        could_not_pay=standing.short.total,
        reached=standing.reached.total,
        bets=chain.bets,
        left_out=chain.left_out,
        moments=moments,
        fan=fan,
        final=amounts,
        chance=chances,
    )


def _quantile(amounts: Floats, chances: Floats, share: float) -> float:
    """The least amount that a sum of chances reaches the share with; what rounding leaves of one counts for nothing."""
    reached = int(np.searchsorted(np.maximum(chances, 0).cumsum(), share * (1 - 1e-12)))
    return float(amounts[min(reached, len(amounts) - 1)])
