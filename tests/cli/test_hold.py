"""`punto hold`: what a person reads is what a program is told, and what the odds say."""

import json
from fractions import Fraction
from functools import partial
from math import sqrt

import pytest
from tests.cli import shell
from tests.cli.shell import Punto, answer
from tests.cli.tables import figure, figures, table


@pytest.fixture
def punto() -> Punto:
    """The command on a screen of 80 columns."""
    return partial(shell.punto, "hold", COLUMNS="80")


def test_the_house_expects_its_edge_of_every_round_and_the_deviation_grows_with_the_root(punto: Punto) -> None:
    banker = json.loads(shell.punto("odds", "baccarat", "--json").out)["wagers"]["Banker"]
    shown = punto("baccarat", "--mix", "Banker=2", "--rounds", "400").out
    expected, deviation, *_ = table(shown, "", "per round", "400 rounds", "of what is staked")
    assert ["expected", 2 * banker["edge"], 800 * banker["edge"], banker["edge"]] == [
        expected.pop(""),
        *map(figure, expected.values()),
    ]
    assert ["deviation", 2 * banker["sd"], 20 * 2 * banker["sd"], None] == [
        deviation.pop(""),
        *map(figure, deviation.values()),
    ]
    # What every book prints: 1.0579 % and 0.93.
    assert (expected["of what is staked"], round(float(deviation["per round"]) / 2, 2)) == ("1.0579 %", 0.93)


def test_a_person_and_a_program_are_told_the_same(punto: Punto) -> None:
    asked = ("baccarat", "--mix", "Banker=60,Player=35,Tie=5", "--rounds", "1000")
    shown, found = punto(*asked).out, answer(punto, *asked)
    assert "Banker 60, Player 35, Tie 5 in each round" in shown
    mean, deviation = float(Fraction(found["mean"])), sqrt(Fraction(found["variance"]))
    rows = table(shown, "", "per round", "1,000 rounds", "of what is staked")
    wanted = {"expected": [mean, 1000 * mean, found["hold"]], "deviation": [deviation, sqrt(1000) * deviation, None]}
    for share, won in found["quantiles"].items():
        wanted[f"{100 * float(share):g} % hold less than"] = [None, won, won / 100_000]
    assert wanted == {row.pop(""): list(map(figure, row.values())) for row in rows}
    [ahead, from_then_on] = shown.splitlines()[-2:]
    assert [1000, found["ahead"]] == figures(ahead)
    assert [found["certainty"], found["rounds_until_ahead"]] == figures(from_then_on)
