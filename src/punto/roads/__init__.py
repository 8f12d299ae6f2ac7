"""The roads on which a table shows its history: derived from the outcomes each time, never stored."""

from punto.roads.chart import Chart, Colour, Mark, Road, derived_cells
from punto.roads.grid import ROWS, Cell, lay_out
from punto.roads.outcome import Outcome, Winner, parse_outcomes

__all__ = [
    "ROWS",
    "Cell",
    "Chart",
    "Colour",
    "Mark",
    "Outcome",
    "Road",
    "Winner",
    "derived_cells",
    "lay_out",
    "parse_outcomes",
]
