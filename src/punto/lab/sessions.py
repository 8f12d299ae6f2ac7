"""Sessions: a bankroll followed through shoes under a way of staking, by chance and exactly."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from punto.cards import USUAL_CUT, USUAL_DECKS, check_decks
from punto.errors import BadRounds, BadStakes
from punto.lab.classes import LOST, Ints
from punto.lab.composition import Composition
from punto.lab.dealing import check_cut, check_seed, last_start, shoe_seed
from punto.lab.exact import Floats
from punto.lab.exactsessions import ExactBankrolls, work_out
from punto.lab.odds import Odds
from punto.lab.simulation.tables import Tables
from punto.lab.stakes import MOST_UNITS, QUANTILES, Stakes
from punto.lab.tabular import Drawable, Record, Tabular, part
from punto.rules import Game, Wager

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_ROUNDS: Final = 100_000
MOST_SESSIONS: Final = 1_000_000
# Player's blue, from pale to full.
_FAN: Final = ("#dbe6f5", "#b3c8e9", "#82a3db")
_MOMENTS: Final = 100
_MOST_CENTS: Final = 1 << 62
_ROUNDS_AT_ONCE: Final = 1 << 23


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
    could_not_pay: int
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
    def unable(self) -> tuple[float, float]:
        """The share of sessions that could not pay the next stake, and its standard error."""
        share = self.could_not_pay / self.sessions
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
        self._decks = check_decks(decks)
        self._cards = self._tables.shoe(decks)
        size = len(self._cards)
        self._last = last_start(size, check_cut(cut, size), self._tables.drawn)
        row = game.wagers.index(self.wager)
        settlements = self.wager.settlements
        self._unit = lcm(*[settlement.net.denominator for settlement in settlements])
        nets = [int(settlement.net * self._unit) for settlement in settlements]
        if self._unit * max(map(abs, nets)) >= _MOST_CENTS:
            raise BadStakes(f"{wager} pays in parts too small to be added up: expected rounder odds")
        self._nets = np.array([nets[-1 if r == LOST else r] for r in self._tables.cells.rows[row]], dtype=np.int64)

    def exact(self, stakes: Stakes, bankroll: int, rounds: int, goal: int | None = None) -> ExactBankrolls:
        """What becomes of a bankroll, worked out for independent rounds, as if each came from a fresh shoe.

        A way of staking with too many amounts of money to be followed is refused.
        """
        _check_session(bankroll, rounds, goal)
        shoe = Composition.full(self.game.deck, self._decks)
        odds = Odds(self.game).of(shoe).wagers[self.wager.name]
        return work_out(odds, stakes, bankroll, _moments(rounds), goal)

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
        """So many sessions of so many rounds, each ending early at its goal, or when it cannot pay the next stake.

        *report* is told the number of sessions done so far.
        """
        _check("sessions", sessions, MOST_SESSIONS)
        _check_session(bankroll, rounds, goal)
        check_seed(seed)
        dearest = max(step.stake for step in stakes.steps) * max(map(abs, self._nets.tolist()))
        if dearest * rounds + bankroll * self._unit >= _MOST_CENTS:
            raise BadStakes(f"stakes and odds too large for {rounds:,} rounds to be added up: expected smaller ones")
        part("numba", "sessions")
        from punto.lab.simulation.bankrolls import follow  # noqa: PLC0415

        moments = _moments(rounds)
        path = np.empty((len(moments), sessions), dtype=np.int64)
        lowest = np.empty(sessions, dtype=np.int64)
        steps = np.array([(step.stake, step.win, step.lose) for step in stakes.steps], dtype=np.int64)
        end = np.iinfo(np.int64).max if goal is None else goal * self._unit
        unable = reached = played = 0
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
            unable, reached, played = unable + found[0], reached + found[1], played + found[2]
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
            could_not_pay=int(unable),
            reached=int(reached),
            played=played / sessions,
        )


def _moments(rounds: int) -> Ints:
    """The numbers of rounds after which bankrolls are looked at."""
    return np.unique(np.linspace(0, rounds, min(_MOMENTS, rounds) + 1).astype(np.int64))


def _check(name: str, number: int, most: int) -> None:
    if not 1 <= number <= most:
        raise BadRounds(f"{number:,} {name}: expected 1 to {most:,}")


def _check_session(bankroll: int, rounds: int, goal: int | None) -> None:
    """Refuse a session that cannot be played."""
    _check("rounds", rounds, MOST_ROUNDS)
    if not 1 <= bankroll <= MOST_UNITS or (goal is not None and not bankroll < goal <= MOST_UNITS):
        raise BadStakes(f"a bankroll of {bankroll:,} units: expected 1 to {MOST_UNITS:,}, and a goal above it")
