"""The roads of a shoe as pages draw them."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal

from punto.roads import Chart, Outcome, Road, derived_cells
from punto.roads.outcome import LETTERS
from punto.rules import Side, Winner
from punto.server.wire.tells import Answers, Ask, BigMark, DerivedMark, Roads

_DERIVED: Final = (Road.BIG_EYE_BOY, Road.SMALL_ROAD, Road.COCKROACH_PIG)


@lru_cache(maxsize=64)
def roads(outcomes: tuple[Outcome | None, ...]) -> Roads:
    """All five roads, and what the derived ones would show next."""
    chart = Chart.of(outcomes)
    eye, small, roach = (_derived(chart, road) for road in _DERIVED)
    return Roads(
        bead=tuple(map(str, chart.outcomes)),
        big=_big(chart),
        eye=eye,
        small=small,
        roach=roach,
        ask=Ask(player=_answers(chart, Side.PLAYER), banker=_answers(chart, Side.BANKER)),
    )


def _big(chart: Chart) -> tuple[BigMark, ...]:
    return tuple(
        BigMark(
            cell.column - 1,
            cell.row - 1,
            "B" if mark.outcome.winner is Winner.BANKER else "P",
            mark.ties,
            _pairs(mark.outcome),
        )
        for cell, mark in chart.big_road
    )


def _pairs(outcome: Outcome) -> Literal["", "b", "p", "bp"]:
    if outcome.banker_pair:
        return "bp" if outcome.player_pair else "b"
    return "p" if outcome.player_pair else ""


def _derived(chart: Chart, road: Road) -> tuple[DerivedMark, ...]:
    cells = derived_cells(chart.derived(road))
    return tuple(DerivedMark(cell.column - 1, cell.row - 1, colour) for cell, colour in cells)


def _answers(chart: Chart, side: Side) -> Answers:
    answers = chart.ask(side)
    return Answers(*(answers[road] for road in _DERIVED))


def beads(outcomes: Iterable[Outcome | None]) -> str:
    """The outcomes as letters, for a glance."""
    return "".join(LETTERS[outcome.winner] for outcome in outcomes if outcome)
