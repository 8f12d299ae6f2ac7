"""The roads as plain values, as they go into JSON."""

from typing import Any

from punto.roads.chart import Chart, Mark, Road
from punto.roads.grid import Cell
from punto.roads.outcome import LETTERS
from punto.rules import Side


def plain(chart: Chart) -> dict[str, Any]:
    """The roads as plain values; columns and rows are counted from 1."""
    return {
        "bead_plate": [[str(outcome) for outcome in column] for column in chart.bead_plate],
        "big_road": {
            "columns": [
                {
                    "winner": LETTERS[column[0].outcome.winner],
                    "length": len(column),
                    "ties": [mark.ties for mark in column],
                }
                for column in chart.columns
            ],
            "cells": [_plain_cell(cell, mark) for cell, mark in chart.big_road],
        },
        **{road.name.lower(): "".join([colour.value for colour in chart.derived(road)]) for road in Road},
        "ask": {
            side.value: {
                road.name.lower(): colour.value if colour else None for road, colour in chart.ask(side).items()
            }
            for side in Side
        },
    }


def _plain_cell(cell: Cell, mark: Mark) -> dict[str, Any]:
    return {
        "column": cell.column,
        "row": cell.row,
        "winner": LETTERS[mark.outcome.winner],
        "ties": mark.ties,
        "banker_pair": mark.outcome.banker_pair,
        "player_pair": mark.outcome.player_pair,
    }
