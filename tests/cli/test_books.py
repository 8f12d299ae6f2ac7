"""Books: that they add up over tables, periods and terminals."""

import csv
import io
import json
from functools import partial
from pathlib import Path

import pytest
from rich.cells import cell_len
from tests.cli import shell
from tests.cli.shell import Punto
from tests.cli.tables import blocks, cells, figure, table
from tests.cli.test_replay import dealt, stored

from punto.store import open_store

HOUR_S = 3_600
COUNTS = ("rounds", "voids")
AMOUNTS = ("in", "out", "wagered", "won", "returned", "escrow", "corrected", "drop", "hold")


@pytest.fixture
def punto() -> Punto:
    """The command on a screen of 80 columns."""
    return partial(shell.punto, COLUMNS="80")


def opened(table: str) -> list[dict[str, object]]:
    """A table on terminals, and two patrons with money."""
    return [
        {"by": "pit-supervisor", "do": "open-table", "table": table, "setup": {"game": "fortune-six"}},
        {"by": "dealer", "do": "load-shoe", "table": table},
        {"by": "patron ann", "do": "buy-in", "table": table, "patron": "ann", "cents": 10_000, "position": 1},
        {"by": "patron bob", "do": "buy-in", "table": table, "patron": "bob", "cents": 5_000, "position": 2},
    ]


def played(table: str, *positions: int, after_s: int = 1, void: bool = False) -> list[dict[str, object]]:
    """A round that Player wins, with a wager of ten on Player at each of the positions."""
    wager = {"by": "patron ann", "do": "place-wager", "table": table, "patron": "ann", "wager": "Player"}
    bets = [{**wager, "stake_cents": 1_000, "position": position} for position in positions]
    end: list[dict[str, object]] = [{"by": "dealer", "draw": "9s 2h Kd 5c", "table": table}]
    if void:
        end = [{"by": "dealer", "do": "report-interruption", "table": table}]
    return [
        {"by": "dealer", "do": "open-bets", "table": table, "after_s": after_s},
        *bets,
        {"by": "dealer", "do": "close-bets", "table": table},
        *end,
    ]


def rows(punto: Punto, url: str, by: str) -> list[dict[str, str]]:
    said = punto("books", url, "--by", by, "--csv")
    assert (said.status, said.err) == (0, "")
    return list(csv.DictReader(io.StringIO(said.out)))


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Two tables: T1 with rounds in two shifts and two days, T2 with one."""
    lines = [
        *opened("T1"),
        *opened("T2"),
        *played("T1", 1),
        *played("T2", 2),
        *played("T1", 1, 2, after_s=6 * HOUR_S),
        *played("T1", 2, after_s=8 * HOUR_S, void=True),
    ]
    return stored(tmp_path / "t.db", "\n".join(map(json.dumps, lines)))


@pytest.mark.parametrize("by", ["table", "day", "shift"])
def test_all_tables_together_are_a_line_of_every_period(punto: Punto, url: str, by: str) -> None:
    found = rows(punto, url, by)
    for period in {row["period or terminal"] for row in found}:
        *single, total = [row for row in found if row["period or terminal"] == period]
        assert total["table"] == "all"
        assert "all" not in {row["table"] for row in single}
        for name in (*COUNTS, *(f"{name}_cents" for name in AMOUNTS)):
            assert int(total[name]) == sum(int(row[name]) for row in single), name
    every = [row for row in found if row["table"] == "all"]
    assert sum(int(row["drop_cents"]) for row in every) == 30_000
    assert sum(int(row["hold_cents"]) for row in every) == -4_000


def test_periods_follow_each_other_in_time(punto: Punto, url: str) -> None:
    periods = [row["period or terminal"] for row in rows(punto, url, "shift") if row["table"] == "T1"]
    assert periods == ["2025-12-31 night", "2026-01-01 day", "2026-01-01 swing"]
    assert [row["table"] for row in rows(punto, url, "day")] == ["T1", "T2", "all", "T1", "all"]


def test_one_table_needs_no_total(punto: Punto, url: str, tmp_path: Path) -> None:
    one = csv.DictReader(io.StringIO(punto("books", url, "--table", "T1", "--csv").out))
    assert [row["table"] for row in one] == ["T1"]
    alone = stored(tmp_path / "u.db", "\n".join(map(json.dumps, opened("T1"))))
    assert [row["table"] for row in rows(punto, alone, "day")] == ["T1"]


def test_a_terminal_had_part_in_the_rounds_in_which_its_wagers_were_settled_or_returned(punto: Punto, url: str) -> None:
    found = {(row["table"], row["period or terminal"]): row for row in rows(punto, url, "terminal")}
    assert {key: (row["rounds"], row["voids"]) for key, row in found.items()} == {
        ("T1", "1"): ("2", "0"),
        ("T1", "2"): ("2", "1"),
        ("T2", "1"): ("0", "0"),
        ("T2", "2"): ("1", "0"),
    }


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two tables; the books of the first have another amount in almost every column."""
    bob = {"by": "patron bob", "table": "T1", "patron": "bob", "position": 2}
    pam = {"name": "pam", "position": "pit-manager"}
    misread = {"table": "T1", "patron": "ann", "cents": 600, "reason": "misread", "approved_by": pam}
    lines = [
        *opened("T1"),
        *opened("T2"),
        *played("T1", 1),
        *played("T2", 2),
        *played("T1", 1, 2),
        *played("T1", 2, after_s=14 * HOUR_S, void=True),
        {**bob, "do": "cash-out", "cents": 2_500},
        {"by": "pit-supervisor eve", "do": "correct-credits", **misread},
        {"by": "dealer", "do": "open-bets", "table": "T1"},
        {**bob, "do": "place-wager", "wager": "Tie", "stake_cents": 400},
    ]
    return stored(tmp_path_factory.mktemp("full") / "t.db", "\n".join(map(json.dumps, lines)))


def test_every_amount_stands_under_its_heading(punto: Punto, full: str) -> None:
    [first, second, both] = table(punto("books", full, COLUMNS="200").out, "table", *COUNTS, *AMOUNTS)
    assert first == {
        "table": "T1",
        "rounds": "4",
        "voids": "1",
        "in": "150.00",
        "out": "25.00",
        "wagered": "44.00",
        "won": "30.00",
        "returned": "40.00",
        "escrow": "4.00",
        "corrected": "6.00",
        "drop": "150.00",
        "hold": "-30.00",
    }
    assert (second["table"], second["wagered"], both["table"], both["wagered"]) == ("T2", "10.00", "all", "54.00")


@pytest.mark.parametrize("by", ["table", "terminal", "day", "shift"])
def test_a_person_and_a_spreadsheet_are_told_the_same(punto: Punto, full: str, by: str) -> None:
    wanted = {
        f"{row['table']} {row['period or terminal']}".rstrip(): [
            *(int(row[name]) for name in COUNTS),
            *(int(row[f"{name}_cents"]) / 100 for name in AMOUNTS),
        ]
        for row in rows(punto, full, by)
    }
    names = ["table", *([by] if by != "table" else [])]
    lines = table(punto("books", full, "--by", by, COLUMNS="200").out, *names, *COUNTS, *AMOUNTS)
    assert wanted == {
        " ".join(row[name] for name in names): [figure(row[name]) for name in (*COUNTS, *AMOUNTS)] for row in lines
    }
    shown: dict[str, list[object]] = {}
    for block in blocks(punto("books", full, "--by", by, COLUMNS="60").out):
        left, *columns = zip(*cells(block), strict=True)
        assert left[len(names) :] == (*COUNTS, *AMOUNTS)
        shown |= {" ".join(column[: len(names)]): list(map(figure, column[len(names) :])) for column in columns}
    assert wanted == shown


def test_a_patrons_credits_are_no_debt(punto: Punto, full: str, tmp_path: Path) -> None:
    for url in (full, dealt(tmp_path / "owed.db", "5.7-after-cash-out")):
        shown = table(punto("books", url, "--by", "patron").out, "patron", "credits", "owed")
        kept = [
            (row["patron"], int(row["credits_cents"]) / 100, int(row["owed_cents"]) / 100)
            for row in rows(punto, url, "patron")
        ]
        assert [*kept, ("all", sum(each[1] for each in kept), sum(each[2] for each in kept))] == [
            (row["patron"], figure(row["credits"]), figure(row["owed"])) for row in shown
        ]
    assert shown[0] == {"patron": "bob", "credits": "0.00", "owed": "90.00"}


@pytest.mark.parametrize("columns", ["60", "80", "200"])
@pytest.mark.parametrize("by", ["table", "terminal", "day", "shift", "patron"])
def test_every_figure_has_room(punto: Punto, url: str, by: str, columns: str) -> None:
    said = punto("books", url, "--by", by, COLUMNS=columns)
    assert max(map(cell_len, said.out.splitlines())) <= int(columns)
    assert "…" not in said.out


def test_a_floor_without_tables_has_empty_books(punto: Punto, tmp_path: Path) -> None:
    empty = str(tmp_path / "t.db")
    open_store(empty).close()
    for by in ("table", "terminal", "day", "shift", "patron"):
        assert punto("books", empty, "--by", by).status == 0
