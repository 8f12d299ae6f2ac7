"""Readings that bear on the figures: numbered as in the register, and found from the declaration alone."""

import re

import pytest
from tests.traceability import REGISTER

from punto.games import GAMES, dumps, loads
from punto.games.readings import READINGS, readings_of


def numbers(key: str) -> list[int]:
    return [reading.number for reading in readings_of(GAMES[key])]


def test_every_reading_is_in_the_register_once_and_in_order() -> None:
    known = [int(number) for number in re.findall(r'<a id="(\d+)"></a>', REGISTER.read_text())]
    found = [reading.number for reading in READINGS]
    assert found == sorted(set(found))
    assert set(found) <= set(known)


def test_every_reading_is_one_sentence_and_bears_on_some_game() -> None:
    for reading in READINGS:
        assert reading.statement.endswith(".")
        assert ". " not in reading.statement
        assert any(reading.applies(game) for game in GAMES.values()), reading


@pytest.mark.parametrize(
    ("number", "keys"),
    [
        (1, set(GAMES) - {"7-up"}),
        (2, {"fa-fa-fabulous-4"}),
        (3, {"fortune-six", "super-6"}),
        (4, {"tiger", "tiger-no-commission", "live-tiger-no-commission"}),
        (6, set(GAMES)),
        (7, {"fortune-six", "super-6", "tiger", "tiger-no-commission", "fabulous-4s"}),
        (13, {"7-up"}),
        (21, set(GAMES)),
        (22, set(GAMES)),
        (30, {"7-up"}),
        (31, set(GAMES)),
    ],
)
def test_a_reading_bears_on_the_games_that_its_question_is_about(number: int, keys: set[str]) -> None:
    assert {key for key in GAMES if number in numbers(key)} == keys


def test_there_is_no_reading_that_is_not_listed_above() -> None:
    assert {reading.number for reading in READINGS} == {1, 2, 3, 4, 6, 7, 13, 21, 22, 30, 31}


@pytest.mark.parametrize("key", GAMES)
def test_a_game_from_a_file_is_read_like_the_one_it_was_written_from(key: str) -> None:
    written = dumps(GAMES[key]).replace(f'key = "{key}"', 'key = "another"', 1)
    assert [reading.number for reading in readings_of(loads(written))] == numbers(key)


def test_a_price_that_is_another_is_another_game() -> None:
    written = dumps(GAMES["7-up"]).replace('key = "7-up"', 'key = "another"', 1).replace("9 to 5", "2 to 1")
    assert 13 not in [reading.number for reading in readings_of(loads(written))]
