"""The roads of a shoe: bead plate, big road, the three derived roads, and ask-the-road.

Everything is derived from the outcomes each time and nothing is stored, so that a correction or a void cannot leave a
road wrong. A derived road compares streaks by their true lengths, never by how they happen to be drawn.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import groupby
from operator import attrgetter

from punto.roads.grid import ROWS, Cell, lay_out
from punto.roads.outcome import Outcome
from punto.rules import Side, Winner


class Road(Enum):
    """A derived road, by how many columns back it looks."""

    BIG_EYE_BOY = 1
    SMALL_ROAD = 2
    COCKROACH_PIG = 3


class Colour(Enum):
    """What a derived road shows: red where the shoe repeats itself, blue where it does not."""

    RED = "R"
    BLUE = "B"


@dataclass(frozen=True, slots=True)
class Mark:
    """One win on the big road, with the ties that followed it; the first also has those before it."""

    outcome: Outcome
    ties: int


@dataclass(frozen=True)
class Chart:
    """The roads of a sequence of outcomes; a void round is `None` and does not appear.

    >>> from punto.roads import parse_outcomes
    >>> chart = Chart.of(parse_outcomes("BPTPPB"))
    >>> [[mark.ties for mark in column] for column in chart.columns]
    [[0], [1, 0, 0], [0]]
    >>> chart.derived(Road.BIG_EYE_BOY)
    (<Colour.BLUE: 'B'>, <Colour.RED: 'R'>, <Colour.BLUE: 'B'>)
    """

    outcomes: tuple[Outcome, ...]

    @classmethod
    def of(cls, rounds: Iterable[Outcome | None]) -> "Chart":
        """The chart of a shoe's rounds so far."""
        return cls(tuple(outcome for outcome in rounds if outcome))

    @cached_property
    def bead_plate(self) -> tuple[tuple[Outcome, ...], ...]:
        """Every outcome in its order, in columns of six."""
        return tuple(self.outcomes[start : start + ROWS] for start in range(0, len(self.outcomes), ROWS))

    @cached_property
    def columns(self) -> tuple[tuple[Mark, ...], ...]:
        """The streaks of the big road: wins of one side in a row, ties counted on the last win before them."""
        marks: list[Mark] = []
        waiting = 0
        for outcome in self.outcomes:
            if outcome.winner is not Winner.TIE:
                marks.append(Mark(outcome, waiting))
                waiting = 0
            elif marks:
                marks[-1] = Mark(marks[-1].outcome, marks[-1].ties + 1)
            else:
                waiting += 1
        return tuple(tuple(streak) for _, streak in groupby(marks, attrgetter("outcome.winner")))

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """How long each streak is."""
        return tuple(len(column) for column in self.columns)

    @cached_property
    def big_road(self) -> tuple[tuple[Cell, Mark], ...]:
        """The big road as it is drawn on six rows, in the order of the rounds."""
        laid = zip(lay_out(self.lengths), self.columns, strict=True)
        return tuple(drawn for cells, marks in laid for drawn in zip(cells, marks, strict=True))

    def derived(self, road: Road) -> tuple[Colour, ...]:
        """What a derived road shows, in the order of the rounds."""
        colours = [
            _colour(self.lengths, column, row, road.value)
            for column, length in enumerate(self.lengths, 1)
            for row in range(1, length + 1)
        ]
        return tuple(colour for colour in colours if colour)

    def ask(self, side: Side) -> dict[Road, Colour | None]:
        """What each derived road would show if this side won the next round; nothing where it would stay silent."""
        column, row = len(self.lengths) + 1, 1
        if self.columns and self.columns[-1][0].outcome.winner is Winner(side.value):
            column, row = len(self.lengths), self.lengths[-1] + 1
        return {road: _colour(self.lengths, column, row, road.value) for road in Road}


def derived_cells(colours: tuple[Colour, ...]) -> tuple[tuple[Cell, Colour], ...]:
    """A derived road as it is drawn: a streak of one colour to a column, on six rows."""
    streaks = [tuple(streak) for _, streak in groupby(colours)]
    laid = zip(lay_out(map(len, streaks)), streaks, strict=True)
    return tuple(drawn for cells, streak in laid for drawn in zip(cells, streak, strict=True))


def _colour(lengths: tuple[int, ...], column: int, row: int, back: int) -> Colour | None:
    """What a derived road says of a cell, its column and row counted from 1; only earlier columns are looked at."""
    if row == 1:
        if column - 1 - back < 1:
            return None
        repeats = lengths[column - 2] == lengths[column - 2 - back]
    else:
        if column - back < 1:
            return None
        repeats = row != lengths[column - 1 - back] + 1
    return Colour.RED if repeats else Colour.BLUE
