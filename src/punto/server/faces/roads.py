"""The roads of a shoe as pages draw them."""

from collections.abc import Iterable
from functools import lru_cache

from punto.roads import Chart, Outcome, Road, derived_cells
from punto.roads.outcome import LETTERS
from punto.rules import Side
from punto.server.wire.tells import Roads

_DERIVED = (Road.BIG_EYE_BOY, Road.SMALL_ROAD, Road.COCKROACH_PIG)


@lru_cache(maxsize=64)
def roads(outcomes: tuple[Outcome | None, ...]) -> Roads:
    """All five roads, and what the derived ones would show next."""
    chart = Chart.of(outcomes)
    eye, small, roach = (_cells(chart, road) for road in _DERIVED)
    return Roads(
        bead=tuple(map(str, chart.outcomes)),
        big=tuple(
            (cell.column - 1, cell.row - 1, LETTERS[mark.outcome.winner], mark.ties, str(mark.outcome)[1:])
            for cell, mark in chart.big_road
        ),
        eye=eye,
        small=small,
        roach=roach,
        ask={side.value: _asked(chart, side) for side in Side},
    )


def _cells(chart: Chart, road: Road) -> tuple[tuple[int, int, str], ...]:
    return tuple((cell.column - 1, cell.row - 1, colour.value) for cell, colour in derived_cells(chart.derived(road)))


def _asked(chart: Chart, side: Side) -> tuple[str, str, str]:
    answers = chart.ask(side)
    eye, small, roach = (colour.value if (colour := answers[road]) else "" for road in _DERIVED)
    return eye, small, roach


def beads(outcomes: Iterable[Outcome | None]) -> str:
    """The outcomes as letters, for a glance."""
    return "".join(LETTERS[outcome.winner] for outcome in outcomes if outcome)
