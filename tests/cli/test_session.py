"""`punto session`: what becomes of a bankroll, for programs, spreadsheets, persons, pictures; and what is refused."""

import csv
import io
import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.cells import cell_len
from tests.cli import shell
from tests.cli.shell import Punto, answer, process, refusal
from tests.cli.tables import figure, table
from tests.marks import KINDS, by_day
from tests.width import width

from punto.games import GAMES, dumps
from punto.lab import Bankrolls, Sessions, Stakes
from punto.lab.stakes import QUANTILES

QUICK = ("--sessions", "500", "--rounds", "60")
MINE = 'name = "up as I win"\n[[step]]\nstake = 1\nwin = 2\nlose = 1\n[[step]]\nstake = 2\nwin = 2\nlose = 1\n'


@pytest.fixture
def punto(tmp_path: Path) -> Punto:
    """The command in an empty folder and on a screen of 80 columns."""
    return partial(shell.punto, "session", cwd=tmp_path, COLUMNS="80")


def said_of(played: Bankrolls) -> dict[str, Any]:
    """What a program is to be told of sessions."""
    spread = {
        name: {str(share): float(value) for share, value in zip(QUANTILES, np.quantile(values, QUANTILES), strict=True)}
        for name, values in (("final", played.final), ("drawdown", played.drawdown))
    }
    return {
        "wager": played.wager,
        "bankroll": played.bankroll,
        "goal": played.goal,
        "rounds": played.rounds,
        "sessions": played.sessions,
        "could_not_pay": played.unable[0],
        "could_not_pay_error": played.unable[1],
        "reached_goal": played.reached / played.sessions,
        "ahead": played.ahead,
        "mean": played.mean[0],
        "mean_error": played.mean[1],
        "bets": played.played,
        "fan": [dict(record) for record in played.records()],
        **spread,
    }


# --- for a program -----------------------------------------


WAYS = ("flat", "martingale", "paroli", "1-3-2-6")
PLAYED = (("baccarat", "Banker"), ("7-up", "Player"), ("fa-fa-fabulous-4", "Tie"))


@pytest.mark.parametrize(
    ("way", "key", "wager"),
    # The gate has every way with one wager, and every wager with one way.
    by_day(
        [(way, *played) for way in WAYS for played in PLAYED],
        [*((way, *PLAYED[0]) for way in WAYS), *(("flat", *played) for played in PLAYED[1:])],
    ),
)
def test_every_figure_is_that_of_the_lab(way: str, key: str, wager: str, punto: Punto) -> None:
    asked = ("--wager", wager, "--stakes", way, "--bankroll", "40", "--goal", "60", "--seed", "3", "--limit", "16")
    found = answer(punto, key, *asked, "--decks", "6", "--cut", "20", *QUICK)
    assert [found.pop(name) for name in ("game", "stakes", "decks", "cut", "seed")] == [key, way, 6, 20, 3]
    exact = Sessions(GAMES[key], wager, 6, 20).exact(Stakes.named(way, 16), 40, 60, 60)
    assert found.pop("exact") == {
        "could_not_pay": exact.could_not_pay,
        "reached_goal": exact.reached,
        "ahead": exact.ahead,
        "mean": exact.mean,
        "bets": exact.bets,
        "left_out": exact.left_out,
        "final": {str(share): exact.quantile(share) for share in QUANTILES},
        "fan": [dict(record) for record in exact.records()],
    }
    assert found == said_of(Sessions(GAMES[key], wager, 6, 20).play(Stakes.named(way, 16), 40, 60, 500, 3, 60))


def test_what_is_not_said_is_as_usual(punto: Punto) -> None:
    found = answer(punto, "baccarat")
    usual = {"wager": "Banker", "stakes": "flat", "bankroll": 100, "goal": None, "rounds": 200, "sessions": 20_000}
    assert usual.items() <= found.items()
    assert (found["decks"], found["cut"], found["seed"]) == (8, 14, 1)
    assert answer(punto, "baccarat") == found == json.loads(process("session", "baccarat", "--json").out)


def test_numbers_can_be_written_with_a_power_of_ten(punto: Punto) -> None:
    assert answer(punto, "tiger", "--rounds", "1e1", "--sessions", "1.5e2") == (
        answer(punto, "tiger", "--rounds", "10", "--sessions", "150")
    )


def test_a_way_of_staking_and_a_game_come_from_files(punto: Punto, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(MINE, encoding="utf-8")
    (tmp_path / "game.toml").write_text(dumps(GAMES["tiger"]), encoding="utf-8")
    found = answer(punto, "game.toml", "--stakes", "mine.toml", *QUICK)
    assert found["stakes"] == "up as I win"
    played = Sessions(GAMES["tiger"], "Banker").play(Stakes.loads(MINE), 100, 60, 500)
    assert said_of(played).items() <= found.items()


# --- for a spreadsheet, for a person -----------------------------------------


def test_csv_has_a_line_for_every_moment(punto: Punto) -> None:
    said = punto("baccarat", *QUICK, "--csv")
    assert (said.status, said.err) == (0, "")
    rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(io.StringIO(said.out))]
    assert rows == answer(punto, "baccarat", *QUICK)["fan"]
    assert len(rows) == 61


LARGE_AND_SMALL = (("tiger", 1_000_000, 1_000_100), ("tiger", 20, 70))


@pytest.mark.parametrize(
    ("key", "bankroll", "goal"),
    [*by_day(((key, 100, 140) for key in GAMES), [(key, 100, 140) for key in KINDS]), *LARGE_AND_SMALL],
)
def test_a_person_sees_every_figure_beside_its_name_on_eighty_columns(
    key: str, bankroll: int, goal: int, punto: Punto
) -> None:
    asked = (key, "--stakes", "1-3-2-6", "--bankroll", str(bankroll), "--goal", str(goal), "--sessions", "300")
    said, found = punto(*asked), answer(punto, *asked)
    assert (said.status, said.err) == (0, "")
    assert "…" not in said.out
    assert all(cell_len(line) <= 80 for line in said.out.splitlines())
    assert "300 sessions" in said.out
    exact = found["exact"]
    shown = table(said.out, "", "simulated by shoe", "±", "exact, rounds independent")
    assert {row.pop(""): list(map(figure, row.values())) for row in shown} == {
        "bankroll at the beginning": [bankroll, None, bankroll],
        "on average after 200 rounds": [found["mean"], found["mean_error"], exact["mean"]],
        "could not pay the next stake": [
            found["could_not_pay"],
            found["could_not_pay_error"],
            exact["could_not_pay"],
        ],
        f"left with {goal:,} or more": [found["reached_goal"], None, exact["reached_goal"]],
        "ahead at the end": [found["ahead"], None, exact["ahead"]],
        "rounds bet on": [found["bets"], None, exact["bets"]],
    }
    spread = table(said.out, "", "bankroll at the end", "exact", "deepest fall")
    assert [row.pop("") for row in spread] == [f"{100 * share:g} % have less than" for share in QUANTILES]
    for share, row in zip(found["final"], spread, strict=True):
        wanted = [found["final"][share], exact["final"][share], found["drawdown"][share]]
        assert wanted == list(map(figure, row.values()))


def test_a_person_is_told_of_a_goal_only_if_there_is_one(punto: Punto) -> None:
    said = punto("7-up", *QUICK)
    assert "left with" not in said.out
    assert "could not pay the next stake" in said.out
    assert "ruin" not in said.out
    assert "on average after 60 rounds" in said.out


# --- for the eye -----------------------------------------


@pytest.mark.parametrize("name", ["fan.svg", "fan.png", "fan.PDF"])
def test_a_plot_has_the_same_bytes_every_time(name: str, punto: Punto, tmp_path: Path) -> None:
    asked = ("baccarat", "--stakes", "martingale", *QUICK, "--plot", name)
    drawn = []
    for _ in range(2):
        assert punto(*asked).status == 0
        drawn.append((tmp_path / name).read_bytes())
    assert drawn[0] == drawn[1]
    if name in width({"fan.PDF"}, {name}):  # `punto odds` draws with the same pen, and each of these in a process
        assert process("session", *asked, cwd=tmp_path).status == 0
        assert (tmp_path / name).read_bytes() == drawn[0]
    assert [path.name for path in tmp_path.iterdir()] == [name]


# --- what is wrong -----------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("baccarat", "--bankroll", "0"), "bad-stakes"),
        (("baccarat", "--bankroll", "-1"), "bad-stakes"),
        (("baccarat", "--bankroll", "1000000001"), "bad-stakes"),
        (("baccarat", "--bankroll", "1.5"), "bad-usage"),
        (("baccarat", "--goal", "100"), "bad-stakes"),
        (("baccarat", "--goal", "50"), "bad-stakes"),
        (("baccarat", "--goal", "much"), "bad-usage"),
        (("baccarat", "--rounds", "0"), "bad-rounds"),
        (("baccarat", "--rounds", "1e6"), "bad-rounds"),
        (("baccarat", "--rounds", "1/2"), "bad-rounds"),
        (("baccarat", "--rounds", "x"), "bad-rounds"),
        (("baccarat", "--sessions", "0"), "bad-rounds"),
        (("baccarat", "--sessions", "1e8"), "bad-rounds"),
        (("baccarat", "--sessions", "-3"), "bad-rounds"),
        (("baccarat", "--wager", "Dragon"), "unknown-wager"),
        (("baccarat", "--wager", ""), "unknown-wager"),
        (("baccarat", "--stakes", "d'alembert"), "bad-stakes"),
        (("baccarat", "--stakes", ""), "bad-stakes"),
        (("baccarat", "--stakes", "none.toml"), "unreadable-file"),
        (("baccarat", "--stakes", "bad.toml"), "bad-stakes"),
        (("baccarat", "--stakes", "broken.toml"), "bad-stakes"),
        (("baccarat", "--stakes", "binary.toml"), "unreadable-file"),
        (("baccarat", "--limit", "x"), "bad-usage"),
        (("baccarat", "--decks", "3"), "bad-decks"),
        (("baccarat", "--cut", "416"), "bad-cut"),
        (("baccarat", "--cut", "-1"), "bad-cut"),
        (("baccarat", "--seed", "-1"), "bad-usage"),
        (("baccarat", "--seed", str(2**64)), "bad-usage"),
        (("baccarat", "--plot", "no/such/fan.svg"), "unwritable-file"),
        (("baccarat", "--plot", "fan.gif"), "unwritable-file"),
        (("baccarat", "--plot", ""), "unwritable-file"),
        (("roulette",), "unknown-game"),
        ((), "bad-usage"),
        (("baccarat", "--csv", "--json"), "bad-usage"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line_and_nothing_is_written(
    arguments: tuple[str, ...], code: str, punto: Punto, tmp_path: Path
) -> None:
    files = {
        "bad.toml": MINE.replace("win = 2", "win = 3").encode(),
        "broken.toml": b"[[step]\n",
        "binary.toml": bytes(range(256)),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    if "--json" in arguments:
        said = punto(*arguments)
        assert (said.status, said.err, said.out.count("\n")) == (2, "", 1)
        assert json.loads(said.out)["error"]["code"] == code
    else:
        error = refusal(punto, *arguments)
        assert error["code"] == code
        assert len(error["message"]) < 400
        assert "Traceback" not in error["message"]
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files


def test_a_bad_step_of_a_file_is_named_with_its_number(punto: Punto, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(MINE.removesuffix("win = 2\nlose = 1\n") + "win = 3\nlose = 1\n")
    error = refusal(punto, "baccarat", "--stakes", "bad.toml")
    assert (error["code"], error["at"]) == ("bad-stakes", 2)
    assert error["message"] == "bad.toml: step 2: win and lose lead to a step from 1 to 2"
