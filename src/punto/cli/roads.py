"""`punto roads`: the roads of a shoe, drawn or as JSON."""

import sys
from typing import Any

from punto.cli.wire import encode
from punto.roads import Cell, Chart, Mark, Road, Winner, parse_outcomes
from punto.rules import Language


def show(text: str, language: Language, *, as_json: bool) -> None:
    """The roads of the outcomes that a text names."""
    chart = Chart.of(parse_outcomes(text))
    if as_json:
        sys.stdout.write(encode(plain(chart)) + "\n")
        return
    from punto.cli.ink import console
    from punto.cli.roadmap import drawing

    out = console()
    out.print(drawing(chart, out.width, coloured=not out.no_color and out.is_terminal, language=language))


def plain(chart: Chart) -> dict[str, Any]:
    """The roads as plain values; columns and rows are counted from 1."""
    return {
        "bead_plate": [[str(outcome) for outcome in column] for column in chart.bead_plate],
        "big_road": {
            "columns": [
                {
                    "winner": column[0].outcome.winner.value,
                    "length": len(column),
                    "ties": [mark.ties for mark in column],
                }
                for column in chart.columns
            ],
            "cells": [_plain_cell(cell, mark) for cell, mark in chart.big_road],
        },
        **{road.name.lower(): "".join([colour.value for colour in chart.derived(road)]) for road in Road},
        "ask": {
            winner.name.lower(): {
                road.name.lower(): colour.value if colour else None for road, colour in chart.ask(winner).items()
            }
            for winner in (Winner.BANKER, Winner.PLAYER)
        },
    }


def _plain_cell(cell: Cell, mark: Mark) -> dict[str, Any]:
    return {
        "column": cell.column,
        "row": cell.row,
        "winner": mark.outcome.winner.value,
        "ties": mark.ties,
        "banker_pair": mark.outcome.banker_pair,
        "player_pair": mark.outcome.player_pair,
    }
