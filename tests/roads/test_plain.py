from punto.roads import DERIVED, Chart, Road, parse_outcomes, plain


def test_the_roads_as_plain_values() -> None:
    assert plain(Chart.of(parse_outcomes("TBbPPPTBpP"))) == {
        "bead_plate": [["T", "Bb", "P", "P", "P", "T"], ["Bp", "P"]],
        "big_road": {
            "columns": [
                {"winner": "B", "length": 1, "ties": [1]},
                {"winner": "P", "length": 3, "ties": [0, 0, 1]},
                {"winner": "B", "length": 1, "ties": [0]},
                {"winner": "P", "length": 1, "ties": [0]},
            ],
            "cells": [
                _cell(1, 1, "B", ties=1, banker_pair=True),
                _cell(2, 1, "P"),
                _cell(2, 2, "P"),
                _cell(2, 3, "P", ties=1),
                _cell(3, 1, "B", player_pair=True),
                _cell(4, 1, "P"),
            ],
        },
        "big_eye_boy": "BRBB",
        "small_road": "R",
        "cockroach_pig": "",
        "ask": {
            "banker": {"big_eye_boy": "R", "small_road": "B", "cockroach_pig": "R"},
            "player": {"big_eye_boy": "B", "small_road": "R", "cockroach_pig": "B"},
        },
    }


def _cell(column: int, row: int, winner: str, **more: object) -> dict[str, object]:
    return {
        "column": column,
        "row": row,
        "winner": winner,
        "ties": 0,
        "banker_pair": False,
        "player_pair": False,
    } | more


def test_a_road_that_would_stay_silent_is_null() -> None:
    silent = {"big_eye_boy": None, "small_road": None, "cockroach_pig": None}
    assert plain(Chart.of(parse_outcomes("B")))["ask"] == {"player": silent, "banker": silent}


def test_every_derived_road_has_a_name() -> None:
    assert set(DERIVED) == set(Road)
