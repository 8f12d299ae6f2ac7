"""`punto hold`: what a person reads is what a program is told, and what the odds say."""

import csv
import json
from fractions import Fraction
from functools import partial
from math import sqrt
from pathlib import Path

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
    expected, alone, by_shoe = table(shown, "", "one round", "400 rounds", "of what is staked")
    assert ["expected", 2 * banker["edge"], 800 * banker["edge"], banker["edge"]] == [
        expected.pop(""),
        *map(figure, expected.values()),
    ]
    wide = 20 * 2 * banker["sd"]
    assert ["deviation, rounds independent", 2 * banker["sd"], wide, wide / 800] == [
        alone.pop(""),
        *map(figure, alone.values()),
    ]
    assert by_shoe[""] == "deviation by shoe"
    # What every book prints: 1.0579 % and 0.93.
    assert (expected["of what is staked"], round(float(alone["one round"]) / 2, 2)) == ("1.0579 %", 0.93)


def test_a_person_and_a_program_are_told_the_same(punto: Punto) -> None:
    asked = ("7-up", "--mix", "Player=2,Tie=1", "--rounds", "1000")
    shown, found = punto(*asked).out, answer(punto, *asked)
    assert "Player 2, Tie 1 in each round" in shown
    by_shoe = found["by_shoe"]
    mean, deviation = float(Fraction(found["mean"])), sqrt(Fraction(found["variance"]))
    rows = table(shown, "", "one round", "1,000 rounds", "of what is staked")
    alone = sqrt(1000) * deviation
    assert found["deviation"] == pytest.approx(alone)
    assert {row.pop(""): list(map(figure, row.values())) for row in rows} == {
        "expected": [mean, 1000 * mean, found["hold"]],
        "deviation, rounds independent": [deviation, alone, alone / 3000],
        "deviation by shoe": [deviation, by_shoe["deviation"], by_shoe["deviation"] / 3000],
    }
    rows = table(shown, "the house holds less in", "rounds independent", "by shoe", "of what is staked")
    *quantiles, ahead, certain = [list(row.values()) for row in rows]
    for row, (share, won), other in zip(
        quantiles, found["quantiles"].items(), by_shoe["quantiles"].values(), strict=True
    ):
        assert row[0] == f"{100 * float(share):g} % of all cases"
        assert [won, other, other / 3000] == list(map(figure, row[1:]))
    assert [found["ahead"], by_shoe["ahead"]] == list(map(figure, ahead[1:3]))
    assert certain[0] == "99 % certain from"
    assert [[found["rounds_until_ahead"]], [by_shoe["rounds_until_ahead"]]] == list(map(figures, certain[1:3]))


def test_what_one_screen_says_of_being_ahead_agrees_with_itself(punto: Punto) -> None:
    """It said 98.938 % after 5,700 rounds, and 99 % from 3,525 rounds on."""
    found = answer(punto, "7-up", "--mix", "Super 7's=1", "--rounds", "5700")
    for law in (found, found["by_shoe"]):
        assert law["ahead"] < 0.99
        assert law["rounds_until_ahead"] > 5700


def test_a_house_without_an_edge_is_never_ahead_for_sure(punto: Punto, tmp_path: Path) -> None:
    game = tmp_path / "gift.toml"
    game.write_text(
        'key = "gift"\ntitle = "Gift"\n[[wager]]\nname = "Gift"\npays = [{ when = "winner banker", odds = "2 to 1" }]'
    )
    shown = punto(str(game), "--mix", "Gift=1").out
    assert shown.count("never") == 2


def test_a_file_for_a_program_has_both_laws(punto: Punto) -> None:
    rows = list(csv.DictReader(punto("tiger", "--mix", "Tie=1", "--csv").out.splitlines()))
    assert [row["by_shoe"] for row in rows] == ["False"] * 9 + ["True"] * 9
    assert {row["quantile"] for row in rows[:9]} == {row["quantile"] for row in rows[9:]}
