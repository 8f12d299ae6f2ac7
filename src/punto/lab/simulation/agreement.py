"""A simulation beside the exact figures: how far off each is, and how likely that is by chance.

Deviations are those of whole shoes: two rounds of one shoe have a covariance, which is worked out, not estimated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import inf, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from punto.cards import USUAL_CUT, USUAL_DECKS, check_decks
from punto.lab.classes import LOST, Ints
from punto.lab.composition import Composition
from punto.lab.dependence import line_covariances
from punto.lab.exact import Floats
from punto.lab.odds import GameOdds, Line, Odds, WagerOdds
from punto.lab.simulation.running import run, threads
from punto.lab.simulation.stream import Stream
from punto.lab.simulation.tables import Cells
from punto.lab.simulation.tally import LONGEST_RUN, Tally, Terms
from punto.lab.tabular import Drawable, Record, Tabular
from punto.lab.tails import chi_square_tail
from punto.rules import Game, Winner

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# Lines that are expected less often than this are compared together with others: chi-square is not for small numbers.
FEWEST: Final = 25


@dataclass(frozen=True)
class LineSeen:
    """A pay line: how often it was expected, how often it came, and the standard deviation of that number."""

    line: Line
    seen: int
    rounds: int
    deviation: float

    @property
    def expected(self) -> float:
        """How often it was expected."""
        return float(self.line.probability) * self.rounds

    @property
    def z(self) -> float:
        """How many standard deviations the number seen lies off."""
        return _off(self.seen - self.expected, self.deviation)


@dataclass(frozen=True)
class WagerSeen:
    """A wager: what was expected of it, and what it came to.

    *spread* has the covariances of the numbers of its lines. Rounds of one shoe are not independent, and it allows for
    that.
    """

    name: str
    expected: Fraction
    rounds: int
    lines: tuple[LineSeen, ...]
    spread: Floats = field(compare=False, repr=False)

    @cached_property
    def ev(self) -> Fraction:
        """What a player won per unit."""
        return sum((each.line.net * each.seen for each in self.lines), Fraction(0)) / self.rounds

    @cached_property
    def error(self) -> float:
        """The standard deviation of what a player wins per unit."""
        nets = np.array([float(each.line.net) for each in self.lines])
        return sqrt(max(0.0, float(nets @ self.spread @ nets))) / self.rounds

    @property
    def z(self) -> float:
        """How many standard deviations what was won lies off."""
        return _off(float(self.ev - self.expected), self.error)

    @cached_property
    def chi_square(self) -> tuple[float, int, float]:
        """Chi-square over the pay lines, its degrees of freedom, and how likely chance alone does as badly.

        The lines that come least often are put together until as many are expected as chi-square needs.
        """
        groups: list[list[int]] = []
        expected = [each.expected for each in self.lines]
        for place in sorted(np.flatnonzero(expected), key=expected.__getitem__):
            if groups and sum(expected[line] for line in groups[-1]) < FEWEST:
                groups[-1].append(int(place))
            else:
                groups.append([int(place)])
        freedom = len(groups) - 1
        if freedom < 1:
            return 0.0, 0, 1.0
        joined = np.zeros((freedom, len(self.lines)))
        for row, group in zip(joined, groups, strict=False):
            row[group] = 1
        off = joined @ np.array([each.seen - each.expected for each in self.lines])
        square = float(off @ np.linalg.solve(joined @ self.spread @ joined.T, off))
        return square, freedom, chi_square_tail(square, freedom)


def _off(distance: float, deviation: float) -> float:
    """A distance in standard deviations; where nothing can be off, infinitely many if it is."""
    if deviation:
        return distance / deviation
    return inf if distance > 0 else -inf if distance < 0 else 0.0


@dataclass(frozen=True)
class Simulated(Tabular, Drawable):
    """The outcome of a simulation, beside the exact figures."""

    tally: Tally
    exact: GameOdds = field(compare=False, repr=False)
    cells: Cells = field(compare=False, repr=False)

    @property
    def rounds(self) -> int:
        """Rounds dealt."""
        return self.tally.dealt.rounds

    @cached_property
    def wagers(self) -> Mapping[str, WagerSeen]:
        """Every wager by name."""
        found = {}
        for odds, rows in zip(self.exact.wagers.values(), self.cells.rows, strict=True):
            numbers = [*range(len(odds.wager.pays)), LOST]
            spread = self._spread(odds)
            lines = tuple(
                LineSeen(line, int(self._counts[rows == row].sum()), self.rounds, sqrt(max(0.0, own)))
                for line, row, own in zip(odds.lines, numbers, np.diag(spread), strict=True)
            )
            found[odds.name] = WagerSeen(odds.name, odds.ev, self.rounds, lines, spread)
        return found

    def _spread(self, odds: WagerOdds) -> Floats:
        """The covariances of the numbers of a wager's lines: within a round, and between rounds of one shoe."""
        chances = np.array([float(line.probability) for line in odds.lines])
        within = np.diag(chances) - np.outer(chances, chances)
        between = line_covariances(self.exact.game, odds.name, self.exact.shoe.decks)
        return self.rounds * within + self._pairs * between

    @cached_property
    def _pairs(self) -> int:
        """How many ordered pairs of rounds come from one shoe; the last shoe may have been cut short."""
        lengths = self.rounds_per_shoe
        rest = self.rounds - sum(rounds * shoes for rounds, shoes in lengths.items())
        return rest * (rest - 1) + sum(rounds * (rounds - 1) * shoes for rounds, shoes in lengths.items())

    @property
    def cards_per_round(self) -> Mapping[int, int]:
        """Rounds by their number of cards."""
        return {number: int(self._counts[self.cells.cards == number].sum()) for number in range(4, 7)}

    @property
    def rounds_per_shoe(self) -> Mapping[int, int]:
        """Whole shoes by their number of rounds."""
        return {rounds: int(shoes) for rounds, shoes in enumerate(self.tally.dealt.lengths) if shoes}

    @property
    def streaks(self) -> Mapping[Winner, Mapping[int, int]]:
        """Runs of one winner by their length, ties aside; the last length, 62, stands for all beyond too."""
        reach = self.tally.dealt.reach.reshape(2, LONGEST_RUN)
        found = {}
        for winner, reached in zip((Winner.PLAYER, Winner.BANKER), reach, strict=True):
            exact = reached[:-1] - np.append(reached[1:-1], 0)
            found[winner] = {length: int(runs) for length, runs in enumerate(exact) if length and runs}
        return found

    @property
    def _counts(self) -> Ints:
        return self.tally.dealt.cells

    def records(self) -> Sequence[Record]:
        """One record for each pay line of each wager."""
        return [
            {
                "game": self.exact.game.key,
                "rounds": self.rounds,
                "wager": wager.name,
                "net": float(each.line.net),
                "count": each.seen,
                "share": each.seen / self.rounds,
                "probability": float(each.line.probability),
                "z": each.z,
            }
            for wager in self.wagers.values()
            for each in wager.lines
        ]

    def plot(self) -> "Figure":
        """How far each pay line lies from what was expected, in standard deviations."""
        from punto.lab.figures import QUIET, colours, figure, title  # noqa: PLC0415

        shades = colours(list(self.wagers))
        with figure(height=3.2) as (drawn, axes):
            place = 0
            for name, wager in self.wagers.items():
                places = range(place, place + len(wager.lines))
                axes.plot(places, [each.z for each in wager.lines], "o", color=shades[name], markersize=4, label=name)
                place += len(wager.lines) + 1
            for bound in (-3, 0, 3):
                axes.axhline(bound, color=QUIET, linewidth=0.8, linestyle=":" if bound else "-")
            axes.set_xticks([])
            axes.set_ylabel("standard deviations")
            title(drawn, f"{self.exact.game.title.en}: {self.rounds:,} rounds against the exact figures")
            drawn.legend(loc="outside right center")
        return drawn


def beside_the_exact(stream: Stream, tally: Tally) -> Simulated:
    """A tally beside the exact figures of a whole shoe."""
    terms = stream.terms
    exact = Odds(terms.game).of(Composition.full(terms.game.deck, terms.decks))
    return Simulated(tally, exact, stream.tables.cells)


def simulate(  # noqa: PLR0913
    game: Game,
    rounds: int,
    *,
    decks: int = USUAL_DECKS,
    cut: int = USUAL_CUT,
    seed: int = 1,
    workers: int = 1,
    same_rounds: bool = False,
) -> Simulated:
    """Deal so many rounds on this machine, and hold them against the exact figures."""
    stream = Stream(Terms(game, check_decks(decks), cut, seed, same_rounds))
    with threads(workers) as crew:
        *_, tally = run(stream, rounds, crew)
    return beside_the_exact(stream, tally)
