"""How streaks are laid out on six rows: down, and to the right where there is no way down."""

from collections.abc import Iterable
from typing import Final, NamedTuple

ROWS: Final = 6


class Cell(NamedTuple):
    """A place on a road, counted from 1: the column from the left, the row from the top."""

    column: int
    row: int


def lay_out(lengths: Iterable[int]) -> list[list[Cell]]:
    """The cells of each streak, in order, on six rows.

    A streak begins at the top of the first column whose top is free. It goes down until the bottom or a taken cell
    stops it; from there on it goes right, and never down again.

    >>> lay_out([7, 2])[0][-2:]
    [Cell(column=1, row=6), Cell(column=2, row=6)]
    >>> lay_out([7, 6])[1][-2:]
    [Cell(column=2, row=5), Cell(column=3, row=5)]
    """
    taken: set[Cell] = set()
    streaks: list[list[Cell]] = []
    column = 1
    for length in lengths:
        while Cell(column, 1) in taken:
            column += 1
        streak = _lay_streak(column, length, taken)
        taken.update(streak)
        streaks.append(streak)
    return streaks


def _lay_streak(column: int, length: int, taken: set[Cell]) -> list[Cell]:
    cells = [Cell(column, 1)]
    turned = False
    while len(cells) < length:
        at = cells[-1]
        below = Cell(at.column, at.row + 1)
        turned = turned or below.row > ROWS or below in taken
        cells.append(Cell(at.column + 1, at.row) if turned else below)
    return cells
