"""The roads on which a table shows its history: derived from the outcomes each time, never stored."""

from punto.roads.chart import Chart, Colour, Mark, Road, derived_cells
from punto.roads.grid import ROWS, Cell, lay_out
from punto.roads.outcome import LETTERS, Outcome, parse_outcomes
from punto.roads.plain import plain
from punto.roads.wording import BEAD_PLATE, BIG_ROAD, DERIVED

__all__ = [
    "BEAD_PLATE",
    "BIG_ROAD",
    "DERIVED",
    "LETTERS",
    "ROWS",
    "Cell",
    "Chart",
    "Colour",
    "Mark",
    "Outcome",
    "Road",
    "derived_cells",
    "lay_out",
    "parse_outcomes",
    "plain",
]
