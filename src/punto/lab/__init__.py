"""The lab: exact odds of every wager for any shoe, simulation, sessions, counting, the report.

It takes every rule from the game and declares none. Exact odds need numpy and nothing more, so that the floor can ask;
simulation is compiled, plots and reports are drawn, by parts that are only imported when they are used.
"""

from punto.lab.composition import Composition
from punto.lab.counting import Counting, Plan
from punto.lab.counts import best_count
from punto.lab.dealing import Procedure
from punto.lab.evaluator import Evaluator
from punto.lab.exactsessions import ExactBankrolls
from punto.lab.exposure import Exposure
from punto.lab.hold import Holding, Mix
from punto.lab.odds import Comparison, GameOdds, Line, Odds, WagerOdds
from punto.lab.sessions import Bankrolls, Sessions
from punto.lab.simulation import Simulated, simulate
from punto.lab.stakes import Stakes

__all__ = [
    "Bankrolls",
    "Comparison",
    "Composition",
    "Counting",
    "Evaluator",
    "ExactBankrolls",
    "Exposure",
    "GameOdds",
    "Holding",
    "Line",
    "Mix",
    "Odds",
    "Plan",
    "Procedure",
    "Sessions",
    "Simulated",
    "Stakes",
    "WagerOdds",
    "best_count",
    "simulate",
]
