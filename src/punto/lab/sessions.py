"""Sessions: a bankroll followed through shoes under a way of staking."""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm, sqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from punto.cards import USUAL_CUT, USUAL_DECKS, check_decks
from punto.errors import BadRounds, BadStakes, quoted
from punto.lab.classes import LOST, Ints
from punto.lab.dealing import check_cut, check_seed, last_start, shoe_seed
from punto.lab.exact import Floats
from punto.lab.simulation.tables import Tables
from punto.lab.tabular import Drawable, Record, Tabular, part
from punto.rules import Game, Wager

if TYPE_CHECKING:
    from matplotlib.figure import Figure

QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
MOST_ROUNDS: Final = 100_000
MOST_SESSIONS: Final = 1_000_000
# Player's blue, from pale to full.
_FAN: Final = ("#dbe6f5", "#b3c8e9", "#82a3db")
_MOMENTS: Final = 100
_MOST_STEPS: Final = 100
_MOST_UNITS: Final = 10**9
_MOST_CENTS: Final = 1 << 62
_ROUNDS_AT_ONCE: Final = 1 << 23


@dataclass(frozen=True)
class Step:
    """A stake in units, and the step that follows a win and a loss; a push changes nothing."""

    stake: int
    win: int
    lose: int


@dataclass(frozen=True)
class Stakes:
    """A way of staking: steps, of which the first is the beginning.

    >>> [step.stake for step in Stakes.named("1-3-2-6").steps]
    [1, 3, 2, 6]
    """

    name: str
    steps: tuple[Step, ...]

    @classmethod
    def named(cls, name: str, most: int = 500) -> "Stakes":
        """One of the ways that everybody knows; martingale starts again rather than stake more than *most* units."""
        if not 1 <= most <= _MOST_UNITS:
            raise BadStakes(f"a largest stake of {most:,} units: expected 1 to {_MOST_UNITS:,}")
        match name:
            case "flat":
                return cls(name, (Step(1, 0, 0),))
            case "martingale":
                doubled = [1 << power for power in range(most.bit_length()) if 1 << power <= most] or [1]
                return cls(name, tuple(Step(s, 0, (n + 1) % len(doubled)) for n, s in enumerate(doubled)))
            case "paroli":
                return cls(name, (Step(1, 1, 0), Step(2, 2, 0), Step(4, 0, 0)))
            case "1-3-2-6":
                return cls(name, (Step(1, 1, 0), Step(3, 2, 0), Step(2, 3, 0), Step(6, 0, 0)))
        known = "flat, martingale, paroli, 1-3-2-6, or a FILE.toml"
        raise BadStakes(f"{quoted(name)} is no way of staking: expected {known}")

    @classmethod
    def loads(cls, text: str) -> "Stakes":
        """A way of staking declared in TOML: a name, and [[step]] with stake, win and lose, steps counted from 1."""
        try:
            declared = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise BadStakes(f"not TOML: {error}") from None
        steps = declared.get("step")
        if set(declared) - {"name", "step"} or not isinstance(steps, list) or not 1 <= len(steps) <= _MOST_STEPS:
            raise BadStakes(f"expected a name and 1 to {_MOST_STEPS} [[step]], each with stake, win and lose")
        return cls(
            str(declared.get("name", "declared")), tuple(_step(each, n, len(steps)) for n, each in enumerate(steps, 1))
        )


def _step(declared: Any, number: int, steps: int) -> Step:  # noqa: ANN401
    """One step, if its figures are whole and lead to steps that there are."""
    if not isinstance(declared, dict) or set(declared) != {"stake", "win", "lose"}:
        raise BadStakes(f"step {number}: expected stake, win and lose", number)
    figures = [declared[name] for name in ("stake", "win", "lose")]
    if any(type(figure) is not int for figure in figures) or not 0 <= figures[0] <= _MOST_UNITS:
        raise BadStakes(f"step {number}: expected whole numbers, and a stake of 0 or more units", number)
    if not all(1 <= figure <= steps for figure in figures[1:]):
        raise BadStakes(f"step {number}: win and lose lead to a step from 1 to {steps}", number)
    return Step(figures[0], figures[1] - 1, figures[2] - 1)


@dataclass(frozen=True)
class Bankrolls(Tabular, Drawable):
    """What became of many bankrolls, in units: at moments along the way, at the end, and at their lowest ebb."""

    wager: str
    stakes: Stakes
    bankroll: int
    goal: int | None
    rounds: int
    moments: Ints
    path: Floats
    drawdown: Floats
    ruined: int
    reached: int
    played: float

    @property
    def sessions(self) -> int:
        """How many there were."""
        return len(self.drawdown)

    @property
    def final(self) -> Floats:
        """The bankrolls at the end."""
        last: Floats = self.path[-1]
        return last

    @property
    def ruin(self) -> tuple[float, float]:
        """The share of sessions that could not pay the next stake, and its standard error."""
        share = self.ruined / self.sessions
        return share, sqrt(share * (1 - share) / self.sessions)

    @property
    def mean(self) -> tuple[float, float]:
        """The mean of the bankrolls at the end, and its standard error."""
        return float(self.final.mean()), float(self.final.std()) / sqrt(self.sessions)

    @property
    def ahead(self) -> float:
        """The share of sessions that end with more than they began with."""
        return float((self.final > self.bankroll).mean())

    @cached_property
    def fan(self) -> Floats:
        """Quantiles of the bankroll at each moment."""
        fan: Floats = np.quantile(self.path, QUANTILES, axis=1)
        return fan

    def records(self) -> Sequence[Record]:
        """One record for each moment."""
        return [
            {"rounds": int(moment)}
            | {f"q{100 * share:g}": float(value) for share, value in zip(QUANTILES, column, strict=True)}
            for moment, column in zip(self.moments, self.fan.T, strict=True)
        ]

    def plot(self) -> "Figure":
        """A fan chart: the middle, and how far the bankrolls spread."""
        from punto.lab.figures import COLOURS, QUIET, figure, title  # noqa: PLC0415

        with figure(height=4) as (drawn, axes):
            low99, low95, low75, middle, high75, high95, high99 = self.fan
            for low, high, shade, label in (
                (low99, high99, _FAN[0], "98 %"),
                (low95, high95, _FAN[1], "90 %"),
                (low75, high75, _FAN[2], "50 %"),
            ):
                axes.fill_between(self.moments, low, high, color=shade, linewidth=0, label=label)
            axes.plot(self.moments, middle, color=COLOURS["Player"], linewidth=1.6, label="median")
            axes.axhline(self.bankroll, color=QUIET, linewidth=0.8, linestyle=":")
            title(drawn, f"{self.wager}, {self.stakes.name}: {self.sessions:,} sessions")
            axes.set_xlabel("rounds")
            axes.set_ylabel("bankroll, units")
            axes.set_xlim(0, self.rounds)
            drawn.legend(loc="outside right center")
        return drawn


class Sessions:
    """Sessions at one wager of a game."""

    def __init__(self, game: Game, wager: str, decks: int = USUAL_DECKS, cut: int = USUAL_CUT) -> None:
        self.game = game
        self.wager: Wager = game.wager(wager)
        self._tables = Tables.of(game)
        self._cards = self._tables.shoe(check_decks(decks))
        size = len(self._cards)
        self._last = last_start(size, check_cut(cut, size), self._tables.drawn)
        row = game.wagers.index(self.wager)
        settlements = self.wager.settlements
        self._unit = lcm(*[settlement.net.denominator for settlement in settlements])
        nets = [int(settlement.net * self._unit) for settlement in settlements]
        if self._unit * max(map(abs, nets)) >= _MOST_CENTS:
            raise BadStakes(f"{wager} pays in parts too small to be added up: expected rounder odds")
        self._nets = np.array([nets[-1 if r == LOST else r] for r in self._tables.cells.rows[row]], dtype=np.int64)

    def play(  # noqa: PLR0913, PLR0917
        self,
        stakes: Stakes,
        bankroll: int,
        rounds: int,
        sessions: int,
        seed: int = 1,
        goal: int | None = None,
        report: Callable[[int], None] = lambda _sessions: None,
    ) -> Bankrolls:
        """So many sessions of so many rounds, each ending early at ruin or at the goal.

        *report* is told the number of sessions done so far.
        """
        for name, number, most in (("rounds", rounds, MOST_ROUNDS), ("sessions", sessions, MOST_SESSIONS)):
            if not 1 <= number <= most:
                raise BadRounds(f"{number:,} {name}: expected 1 to {most:,}")
        if not 1 <= bankroll <= _MOST_UNITS or (goal is not None and not bankroll < goal <= _MOST_UNITS):
            raise BadStakes(f"a bankroll of {bankroll:,} units: expected 1 to {_MOST_UNITS:,}, and a goal above it")
        check_seed(seed)
        dearest = max(step.stake for step in stakes.steps) * max(map(abs, self._nets.tolist()))
        if dearest * rounds + bankroll * self._unit >= _MOST_CENTS:
            raise BadStakes(f"stakes and odds too large for {rounds:,} rounds to be added up: expected smaller ones")
        part("numba", "sessions")
        from punto.lab.simulation.bankrolls import follow  # noqa: PLC0415

        moments = np.unique(np.linspace(0, rounds, min(_MOMENTS, rounds) + 1).astype(np.int64))
        path = np.empty((len(moments), sessions), dtype=np.int64)
        lowest = np.empty(sessions, dtype=np.int64)
        steps = np.array([(step.stake, step.win, step.lose) for step in stakes.steps], dtype=np.int64)
        end = np.iinfo(np.int64).max if goal is None else goal * self._unit
        ruined = reached = played = 0
        # Some at a time, so that Ctrl-C need not wait long.
        at_once = max(1, _ROUNDS_AT_ONCE // rounds)
        for first in range(0, sessions, at_once):
            some = slice(first, min(first + at_once, sessions))
            found = follow(
                np.uint64(shoe_seed(seed, self.game)),
                first,
                self._cards,
                self._last,
                self._tables.rules,
                self._nets,
                steps,
                bankroll * self._unit,
                end,
                self._unit,
                moments,
                path[:, some],
                lowest[some],
            )
            ruined, reached, played = ruined + found[0], reached + found[1], played + found[2]
            report(some.stop)
        return Bankrolls(
            wager=self.wager.name,
            stakes=stakes,
            bankroll=bankroll,
            goal=goal,
            rounds=rounds,
            moments=moments,
            path=path / self._unit,
            drawdown=lowest / self._unit,
            ruined=int(ruined),
            reached=int(reached),
            played=played / sessions,
        )
