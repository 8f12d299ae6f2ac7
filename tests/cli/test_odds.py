"""`punto odds`: exact figures for persons, programs, spreadsheets and plots."""

import csv
import io
import json
import re
import resource
import sys
from fractions import Fraction
from functools import partial
from math import sqrt
from pathlib import Path

import pytest
from rich.cells import cell_len
from tests.children import run
from tests.cli import shell
from tests.cli.shell import Punto, answer, environment, process, refusal
from tests.cli.tables import blocks, figure, figures, table
from tests.marks import by_day
from tests.width import width

from punto.games import GAMES, dumps
from punto.lab import Composition, Odds


@pytest.fixture
def punto() -> Punto:
    """The command, on a screen of 100 columns."""
    return partial(shell.punto, "odds")


# --- for a program ----------------------------------------


def test_the_answer_has_every_wager_with_its_lines(punto: Punto) -> None:
    found = answer(punto, "tiger")
    assert (found["game"], found["decks"], found["cards"]) == ("tiger", 8, 416)
    assert found["sequences"] == "4998398275503360"
    assert list(found["wagers"]) == [wager.name for wager in GAMES["tiger"].wagers]
    player = found["wagers"]["Player"]
    assert player["ev"] == "-241149546272/19524993263685"
    assert player["edge"] == pytest.approx(0.012350813289166138, rel=1e-15)
    assert player["hit"] == pytest.approx(0.44624660934359683, rel=1e-15)
    assert player["push"] == pytest.approx(0.0951559680236402, rel=1e-15)
    assert player["sd"] == pytest.approx(0.9511527161226297, rel=1e-15)
    assert [(line["net"], line["count"], line["result"], line["clause"]) for line in player["lines"]] == [
        ("1", "2230518282592256", "win", "EB4 4.7"),
        ("0", "475627426473216", "push", "EB4 3.9.1"),
        ("-1", "2292252566437888", "lose", "EB4 3.9"),
    ]
    assert [line["probability"] for line in player["lines"]] == pytest.approx([0.446247, 0.095156, 0.458597], abs=1e-6)
    assert [line["net"] for line in found["wagers"]["Banker"]["lines"]] == ["19/20", "0", "-1"]


@pytest.mark.parametrize("key", GAMES)
def test_every_figure_is_that_of_the_lab(key: str, punto: Punto) -> None:
    found = answer(punto, key, "--decks", "6")
    exact = Odds(GAMES[key]).of(Composition.full(GAMES[key].deck, 6))
    assert (found["game"], found["decks"], found["cards"]) == (key, 6, 6 * GAMES[key].deck.size)
    assert int(found["sequences"]) == exact.sequences
    assert found["wagers"].keys() == exact.wagers.keys()
    for name, wager in exact.wagers.items():
        said = found["wagers"][name]
        assert (Fraction(said["ev"]), Fraction(said["variance"])) == (wager.ev, wager.variance)
        figures = [said["edge"], said["hit"], said["push"], said["sd"], said["edge_per_resolved"]]
        assert wager.resolved_edge is not None
        assert figures == [float(each) for each in (wager.edge, wager.hit, wager.push, wager.sd, wager.resolved_edge)]
        assert said["per_1000_rounds"] == pytest.approx(1000 * float(wager.edge))
        assert [int(line["count"]) for line in said["lines"]] == [line.count for line in wager.lines]
        assert [Fraction(line["net"]) for line in said["lines"]] == [line.net for line in wager.lines]
        assert [line["break_even"] for line in said["lines"]] == [str(wager.break_even(line)) for line in wager.lines]
        for other in exact.wagers:
            assert Fraction(found["covariance"][name][other]) == exact.covariance(name, other)
    assert [[int(count) for count in counts] for counts in found["totals"].values()] == [
        list(counts) for counts in exact.totals.values()
    ]
    assert {int(margin): int(count) for margin, count in found["margins"].items()} == exact.margins
    assert {which: int(count) for which, count in found["naturals"].items()} == exact.naturals
    assert {int(cards): int(count) for cards, count in found["cards_per_coup"].items()} == exact.cards


def test_a_line_that_never_comes_is_fair_at_nothing(punto: Punto) -> None:
    found = answer(punto, "tiger", "--remaining", "A=32")
    assert found["cards"] == 32
    lost = found["wagers"]["Tie"]["lines"][1]
    assert (lost["count"], lost["probability"], lost["break_even"]) == ("0", 0.0, None)
    assert found["wagers"]["Player"]["edge_per_resolved"] is None


# --- the shoe ----------------------------------------


def test_cards_seen_are_gone_from_the_shoe(punto: Punto) -> None:
    found = answer(punto, "fabulous-4s", "--seen", "4d 4d As", "--decks", "6")
    exact = Odds(GAMES["fabulous-4s"]).of(Composition.seen("4d 4d As", GAMES["fabulous-4s"].deck, 6))
    assert (found["decks"], found["cards"]) == (6, 309)
    assert {name: Fraction(wager["ev"]) for name, wager in found["wagers"].items()} == {
        name: wager.ev for name, wager in exact.wagers.items()
    }
    assert answer(punto, "tiger", "--seen", "") == answer(punto, "tiger")


def test_what_remains_is_told_by_rank_or_by_card(punto: Punto) -> None:
    found = answer(punto, "tiger", "--remaining", "A=30, 2=32,Kd=7")
    assert (found["decks"], found["cards"]) == (8, 69)
    by_rank = ",".join(f"{rank}=32" for rank in "A23456789TJQK")
    assert answer(punto, "fabulous-4s", "--remaining", by_rank) == answer(punto, "fabulous-4s")
    assert answer(punto, "fa-fa-fabulous-4", "--remaining", "S=40,4=40,Lg=1")["cards"] == 81


def test_a_person_is_told_how_many_cards_are_gone(punto: Punto) -> None:
    assert "8 decks, 416 cards · 4,998,398,275,503,360 ordered draws" in punto("tiger").out
    assert "8 decks, 413 cards (3 gone)" in punto("tiger", "--seen", "As Kd 7h").out


# --- for a person ----------------------------------------


@pytest.mark.parametrize("key", GAMES)
def test_for_a_person_every_wager_and_every_count_is_shown(key: str, punto: Punto) -> None:
    said = punto(key)
    assert (said.status, said.err) == (0, "")
    exact = Odds(GAMES[key]).of()
    for name, wager in exact.wagers.items():
        assert f"{name} " in said.out
        assert f"{100 * float(wager.edge):.4f} %" in said.out
        for line in wager.lines:
            assert f"{line.count:,}" in said.out
    assert max(map(cell_len, said.out.splitlines())) <= 100
    assert "…" not in said.out


SUMMARY = ("house edge", "of what is decided", "wins", "pushes", "deviation", "house, 1,000 rounds")
WIDE = "200"


@pytest.mark.parametrize("key", ["baccarat", "fortune-six", "7-up"])
def test_every_wager_has_its_own_figures_under_their_headings(key: str, punto: Punto) -> None:
    shown, found = punto(key, COLUMNS=WIDE).out, answer(punto, key)["wagers"]
    named = ("edge", "edge_per_resolved", "hit", "push", "sd", "per_1000_rounds")
    assert {name: [wager[each] for each in named] for name, wager in found.items()} == {
        row["wager"]: [figure(row[heading]) for heading in SUMMARY] for row in table(shown, "wager", *SUMMARY)
    }
    assert {name: wager["ev"] for name, wager in found.items()} == {
        row["expectation"]: row["of one unit, exactly"] for row in table(shown, "expectation", "of one unit, exactly")
    }


def test_the_wagers_of_baccarat_have_the_published_figures(punto: Punto) -> None:
    shown = punto("baccarat", COLUMNS=WIDE).out
    rows = {row["wager"]: row for row in table(shown, "wager", *SUMMARY)}
    printed = {name: [row["house edge"], row["wins"], row["pushes"]] for name, row in rows.items()}
    assert printed["Player"] == ["1.2351 %", "44.625 %", "9.516 %"]
    assert printed["Banker"] == ["1.0579 %", "45.860 %", "9.516 %"]
    assert printed["Tie"] == ["14.3596 %", "9.516 %", "0.000 %"]
    # Whoever bets loses what the house gains.
    for row in table(shown, "expectation", "of one unit, exactly"):
        assert -float(Fraction(row["of one unit, exactly"])) == figure(rows[row["expectation"]]["house edge"])


@pytest.mark.parametrize("key", ["baccarat", "fortune-six", "7-up"])
def test_every_pay_line_stands_below_its_wager_with_its_own_figures(key: str, punto: Punto) -> None:
    headings = ("pay line", "net", "ordered draws", "probability", "fair at", "clause")
    shown: dict[str, list[list[object]]] = {}
    name = ""
    for row in table(punto(key, COLUMNS=WIDE).out, *headings):
        line, net, *more, clause = row.values()
        if net:
            shown[name].append([line, *map(figure, (net, *more)), clause])
        else:
            name = line
            shown[name] = []
    assert shown == {
        name: [
            [
                "Lost" if line["result"] == "lose" else line["why"].rpartition(": ")[0],
                float(Fraction(line["net"])),
                int(line["count"]),
                line["probability"],
                float(Fraction(line["break_even"])) if line["result"] == "win" else None,
                line["clause"],
            ]
            for line in wager["lines"]
        ]
        for name, wager in answer(punto, key)["wagers"].items()
    }


def test_totals_margins_naturals_and_cards_are_shown_for_the_hand_that_has_them(punto: Punto) -> None:
    shown, found = punto("baccarat", COLUMNS=WIDE).out, answer(punto, "baccarat")
    digits = [str(digit) for digit in range(10)]

    def shares(counts: list[str]) -> list[float]:
        return [100 * int(count) / int(found["sequences"]) for count in counts]

    totals = {row.pop("total, %"): list(map(figure, row.values())) for row in table(shown, "total, %", *digits)}
    assert {side.capitalize(): shares(counts) for side, counts in found["totals"].items()} == totals
    margins = {row.pop("margin, %"): list(map(figure, row.values())) for row in table(shown, "margin, %", *digits)}
    assert margins["Player"] == [None, *shares([found["margins"][digit] for digit in digits[1:]])]
    assert margins["Banker"] == [None, *shares([found["margins"][f"-{digit}"] for digit in digits[1:]])]
    assert margins["Tie"] == [*shares([found["margins"]["0"]]), *[None] * 9]
    # By whatever margin, a hand that is ahead wins.
    won = {name: 100 * found["wagers"][name]["hit"] for name in ("Player", "Banker")}
    assert won == {name: pytest.approx(sum(each.expected for each in margins[name][1:]), abs=0.05) for name in won}
    [(naturals, cards)] = [block for block in blocks(shown) if block[0].startswith("naturals")]
    assert re.findall("[a-z]+", naturals) == ["naturals", *found["naturals"]]
    assert [each / 100 for each in shares(list(found["naturals"].values()))] == figures(naturals)
    per_coup = shares(list(found["cards_per_coup"].values()))
    assert [4, per_coup[0] / 100, 5, per_coup[1] / 100, 6, per_coup[2] / 100] == figures(cards)


def test_two_wagers_have_their_correlation_where_their_row_and_column_meet(punto: Punto) -> None:
    found = answer(punto, "fortune-six")
    names = list(found["wagers"])
    numbers = [str(number) for number in range(1, len(names) + 1)]
    rows = table(punto("fortune-six", COLUMNS=WIDE).out, "correlation", *numbers)
    assert [row.pop("correlation") for row in rows] == [" ".join(pair) for pair in zip(names, numbers, strict=True)]
    spread = {name: sqrt(Fraction(wager["variance"])) for name, wager in found["wagers"].items()}
    for place, (one, row) in enumerate(zip(names, rows, strict=True)):
        shared = [float(Fraction(found["covariance"][one][other])) / spread[one] / spread[other] for other in names]
        assert shared[: place + 1] + [None] * (len(names) - place - 1) == list(map(figure, row.values()))


@pytest.mark.parametrize("columns", ["80", "200"])
@pytest.mark.parametrize("arguments", [["fortune-six"], ["fa-fa-fabulous-4"], ["tiger", "--compare"]])
def test_every_figure_has_room(arguments: list[str], columns: str, punto: Punto) -> None:
    said = punto(*arguments, COLUMNS=columns)
    assert max(map(cell_len, said.out.splitlines())) <= int(columns)
    assert "…" not in said.out


def test_the_title_comes_in_chinese_too(punto: Punto) -> None:
    assert "老虎百家乐" in punto("tiger", "--lang", "zh").out
    assert "老虎百家乐" in punto("tiger", "--compare", "--lang", "zh").out


# --- for a spreadsheet ----------------------------------------


def test_csv_has_a_record_for_each_line(punto: Punto) -> None:
    said = punto("fortune-six", "--csv", "--seen", "As")
    assert (said.status, said.err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(said.out)))
    exact = Odds(GAMES["fortune-six"]).of(Composition.seen("As", GAMES["fortune-six"].deck))
    lines = [(wager, line) for wager in exact.wagers.values() for line in wager.lines]
    assert [row["wager"] for row in rows] == [wager.name for wager, _ in lines]
    assert [int(row["count"]) for row in rows] == [line.count for _, line in lines]
    assert [float(row["net"]) for row in rows] == [float(line.net) for _, line in lines]
    assert [float(row["edge"]) for row in rows] == [float(wager.edge) for wager, _ in lines]
    assert {(row["game"], row["decks"], row["cards"]) for row in rows} == {("fortune-six", "8", "415")}


# --- side by side ----------------------------------------


def test_four_to_ten_decks_stand_side_by_side(punto: Punto) -> None:
    found = answer(punto, "7-up", "--compare")
    assert found["game"] == "7-up"
    assert list(found["decks"]) == [str(decks) for decks in range(4, 11)]
    for decks, wagers in found["decks"].items():
        alone = answer(punto, "7-up", "--decks", decks)["wagers"]
        assert wagers == {name: {"ev": wager["ev"], "edge": wager["edge"]} for name, wager in alone.items()}
    rows = list(csv.DictReader(io.StringIO(punto("7-up", "--compare", "--csv").out)))
    assert [row["wager"] for row in rows] == ["Player", "Banker", "Tie", "Super 7's"]
    for row in rows:
        assert [float(row[f"{decks} decks"]) for decks in range(4, 11)] == [
            found["decks"][str(decks)][row["wager"]]["edge"] for decks in range(4, 11)
        ]
    shown = table(punto("7-up", "--compare").out, "house edge, %", *[f"{decks} decks" for decks in range(4, 11)])
    assert [row.pop("house edge, %") for row in shown] == [row["wager"] for row in rows]
    for one, row in zip(rows, shown, strict=True):
        assert [100 * float(one[heading]) for heading in row] == list(map(figure, row.values()))


# --- against another game ----------------------------------------


def test_a_changed_price_costs_what_the_difference_of_the_edges_says(punto: Punto, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(dumps(GAMES["tiger"]).replace('key = "tiger"', 'key = "mine"').replace("50 to 1", "60 to 1"))
    found = answer(punto, str(path), "--against", "tiger")
    big = Odds(GAMES["tiger"]).of().wagers["Big Tiger"]
    assert (found["game"], found["against"]) == ("mine", "tiger")
    gains = found["gain_per_1000_rounds"]
    assert gains.keys() == {wager.name for wager in GAMES["tiger"].wagers}
    assert gains.pop("Big Tiger") == pytest.approx(-10_000 * float(big.hit))
    assert set(gains.values()) == {0.0}
    back = answer(punto, "tiger", "--against", str(path))
    assert back["gain_per_1000_rounds"]["Big Tiger"] == pytest.approx(10_000 * float(big.hit))
    shown = table(punto(str(path), "--against", "tiger").out, "wager", *SUMMARY, "more than tiger")
    more = {row["wager"]: figure(row["more than tiger"]) for row in shown}
    assert {"Big Tiger": -10_000 * float(big.hit), **gains} == more


def test_only_wagers_that_both_games_have_are_set_against_each_other(punto: Punto) -> None:
    found = answer(punto, "tiger", "--against", "baccarat", "--seen", "9s 9s 9h")
    assert list(found["gain_per_1000_rounds"]) == ["Player", "Banker", "Tie"]
    assert "gain_per_1000_rounds" not in answer(punto, "tiger")


def test_a_card_that_the_other_deck_does_not_have_cannot_be_seen_in_both(punto: Punto) -> None:
    assert refusal(punto, "tiger", "--against", "fa-fa-fabulous-4", "--seen", "As")["code"] == "foreign-card"


# --- plots ----------------------------------------


@pytest.mark.parametrize(
    ("name", "magic"),
    by_day([("x.png", b"\x89PNG\r\n"), ("x.svg", b"<?xml "), ("x.pdf", b"%PDF-")], [("x.svg", b"<?xml ")]),
    ids=["png", "svg", "pdf"],
)
def test_the_same_plot_is_the_same_file(name: str, magic: bytes, punto: Punto, tmp_path: Path) -> None:
    one, other, third = (tmp_path / folder / name for folder in ("one", "other", "third"))
    for path in (one, other, third):
        path.parent.mkdir()
    for path in (one, other):
        assert punto("7-up", "--plot", str(path)).status == 0
    apart = process("odds", "7-up", "--compare", "--plot", str(third), TZ="Asia/Singapore", LC_ALL="C")
    assert (apart.status, apart.err) == (0, "")
    assert one.read_bytes().startswith(magic)
    assert one.read_bytes() == other.read_bytes() == third.read_bytes()
    for path in (one, other, third):
        assert list(path.parent.iterdir()) == [path]


def test_a_plot_takes_the_place_of_an_older_file(punto: Punto, tmp_path: Path) -> None:
    path = tmp_path / "x.svg"
    path.write_text("older")
    assert punto("7-up", "--plot", str(path)).status == 0
    assert path.read_text().startswith("<?xml ")
    assert list(tmp_path.iterdir()) == [path]


def test_a_plot_comes_with_the_figures_that_were_asked_for(punto: Punto, tmp_path: Path) -> None:
    path = str(tmp_path / "x.svg")
    assert punto("7-up", "--plot", path).out == punto("7-up", "--compare").out
    assert answer(punto, "7-up", "--plot", path) == answer(punto, "7-up", "--compare")
    assert punto("7-up", "--plot", path, "--csv").out == punto("7-up", "--compare", "--csv").out


LONG = "y" * 300


@pytest.mark.parametrize(
    "name",
    ["", "x", "x.gif", "x.png.txt", "png", ".png", "nowhere/x.png", "file/x.png", "folder.png", "/proc/x.png"],
)
def test_a_file_that_cannot_be_made_is_refused_and_none_is_left(
    name: str, punto: Punto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "file").write_text("file")
    error = refusal(punto, "7-up", "--plot", name)
    assert (error["code"], error["at"]) == ("unwritable-file", 1)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "folder.png"]
    assert list((tmp_path / "folder.png").iterdir()) == []


@pytest.mark.parametrize("name", [f"{LONG}.png", f"{LONG}/x.png", f"x.{LONG}"], ids=["file", "folder", "kind"])
def test_a_name_that_no_disk_takes_is_refused(name: str, punto: Punto, tmp_path: Path) -> None:
    assert refusal(punto, "7-up", "--plot", str(tmp_path / name))["code"] == "unwritable-file"
    assert list(tmp_path.iterdir()) == []


def test_a_plot_that_cannot_be_put_in_its_place_leaves_what_was_there(
    punto: Punto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_draft: Path, _target: Path) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "x.svg"
    path.write_text("older")
    monkeypatch.setattr(Path, "replace", full)
    said = punto("7-up", "--plot", str(path))
    assert (said.status, said.out) == (2, "")
    assert said.err.endswith("No space left on device: what was there is unharmed\n")
    assert path.read_text() == "older"
    assert list(tmp_path.iterdir()) == [path]


# --- bad input ----------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "at", "message"),
    [
        (["lion"], "unknown-game", 1, "argument 1: 'lion' is not a game: expected baccarat, "),
        ([], "bad-usage", 1, "Missing argument 'GAME': expected punto odds [OPTIONS] GAME"),
        (["tiger", "--wat"], "bad-usage", 1, "No such option '--wat'"),
        (["tiger", "baccarat"], "bad-usage", 1, ""),
        (["tiger", "--decks", "3"], "bad-decks", 1, "3 decks: expected 4 to 10"),
        (["tiger", "--decks", "11"], "bad-decks", 1, "11 decks: expected 4 to 10"),
        (["tiger", "--decks", "3", "--remaining", "A=4"], "bad-decks", 1, "3 decks: expected 4 to 10"),
        (["tiger", "--decks", "eight"], "bad-usage", 1, "--decks: 'eight' is no number: expected 4 to 10"),
        (["tiger", "--lang", "fr"], "bad-usage", 1, "--lang: 'fr' is not a language: expected en or zh"),
        (["tiger", "--seen", "As", "--remaining", "A=4"], "bad-usage", 1, ""),
        (["tiger", "--seen", "As", "--compare"], "bad-usage", 1, ""),
        (["tiger", "--remaining", "A=4", "--plot", "x.png"], "bad-usage", 1, ""),
        (["tiger", "--seen", "As Xx"], "unknown-card", 2, "card 2: 'Xx' is not a card: expected a rank "),
        (["tiger", "--seen", "As 4g"], "foreign-card", 2, "card 2: '4g' is not in the standard deck: expected "),
        (["7-up", "--seen", "7*"], "foreign-card", 1, "card 1: '7*' is the permanent 7, which is never dealt"),
        (["tiger", "--seen", "As " * 9], "bad-composition", 9, "card 9: no As is left: expected one of those that are"),
        (["tiger", "--remaining", ""], "bad-composition", 1, "part 1: '' does not read: expected a rank or a card"),
        (["tiger", "--remaining", "A=4,K"], "bad-composition", 2, "part 2: 'K' does not read: expected a rank or a "),
        (["tiger", "--remaining", "A=33"], "bad-composition", 1, "part 1: A=33: expected a whole number from 0 to 32"),
        (["tiger", "--remaining", "A=4,A=4"], "bad-composition", 2, "part 2: 'A' is named twice: expected each card "),
        (["tiger", "--remaining", "A=\x1b[31m"], "bad-composition", 1, "part 1: A=\\x1b[31m: expected a whole number"),
        (["tiger", "--remaining", "A=4\n,K=\n-1"], "bad-composition", 2, "part 2: K=-1: expected a whole number from "),
        (["fabulous-4s", "--remaining", "4=31"], "bad-composition", 1, "fabulous-4s pays by suits, and the number "),
        (["fabulous-4s", "--remaining", "4=8"], "bad-composition", 1, "fabulous-4s pays by suits, and the number of "),
        (["tiger", "--remaining", "As=5"], "too-few-cards", 1, "5 cards are left: expected at least the 6 that a "),
        (["7-up", "--remaining", "As=4"], "too-few-cards", 1, "4 cards are left: expected at least the 5 that a "),
        (["tiger", "--remaining", "A=0"], "too-few-cards", 1, "0 cards are left: expected at least the 6 that a "),
        (["nowhere.toml"], "unreadable-file", 1, "nowhere.toml: cannot be read: No such file or directory"),
        (["tiger", "--against", "nowhere.toml"], "unreadable-file", 1, "nowhere.toml: cannot be read: No such file "),
        (["tiger", "--against", "lion"], "unknown-game", 1, "--against: 'lion' is not a game: expected baccarat, "),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_one_line(
    arguments: list[str],
    code: str,
    at: int,
    message: str,
    punto: Punto,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    error = refusal(punto, *arguments)
    assert (error["code"], error["at"]) == (code, at)
    assert error["message"].startswith(message)
    assert list(tmp_path.iterdir()) == []


def test_one_answer_is_in_one_form(punto: Punto) -> None:
    said = punto("tiger", "--json", "--csv")
    assert (said.status, said.err) == (2, "")
    assert json.loads(said.out)["error"]["code"] == "bad-usage"


@pytest.mark.parametrize(
    "arguments",
    [
        ["tiger", "--compare", "--decks", "3"],
        ["tiger", "--compare", "--against", "lion"],
        ["tiger", "--csv", "--against", "lion"],
    ],
)
def test_a_bad_value_is_refused_even_where_it_makes_no_difference(arguments: list[str], punto: Punto) -> None:
    assert punto(*arguments).status == 2


def test_a_bad_declaration_is_shown_at_its_place(punto: Punto, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(dumps(GAMES["tiger"]).replace("banker total 6", "banker total 66", 1))
    for arguments in ([str(path)], ["tiger", "--against", str(path)]):
        error = refusal(punto, *arguments)
        assert (error["code"], error["at"], error["column"]) == ("bad-declaration", 39, 44)


# --- in a process of its own ----------------------------------------


@pytest.mark.parametrize("key", width(["fortune-six", "fa-fa-fabulous-4"], list(GAMES)))
def test_a_fresh_process_answers_the_same_and_soon(key: str, punto: Punto) -> None:
    before = seconds_of_children()
    said = process("odds", key, "--json")
    took = seconds_of_children() - before
    assert said == punto(key, "--json")
    assert took < 3  # of a processor, whatever else it does meanwhile


def seconds_of_children() -> float:
    """How long processors have worked for processes that this one started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("odds 7-up --json >/dev/full", 74),
        ("odds 7-up --csv >/dev/full", 74),
        ("odds 7-up >&-", 0),
        ("odds 7-up --compare | true; exit ${PIPESTATUS[0]}", 0),
        ("odds lion 2>&-", 2),
    ],
)
def test_closed_full_and_broken_streams_leave_no_traceback(command: str, status: int) -> None:
    done = run(["bash", "-c", f"{sys.executable} -m punto {command}"], capture_output=True, env=environment())
    assert (done.returncode, b"Traceback" in done.stderr, b"ignored" in done.stderr) == (status, False, False)
