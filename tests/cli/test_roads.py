import json
import subprocess
import sys
from collections import Counter

import pytest
from rich.cells import cell_len
from tests.children import run
from tests.cli.shell import environment, punto
from tests.cli.tables import blocks, cells

from punto.roads import Chart, parse_outcomes, plain


def test_the_roads_are_given_as_json() -> None:
    said = punto("roads", "TBbPPPTBp", "--json")
    assert said.status == 0
    assert json.loads(said.out) == plain(Chart.of(parse_outcomes("TBbPPPTBp")))


def test_the_roads_are_drawn() -> None:
    said = punto("roads", "BbPPTPBTTBB")
    assert said.status == 0
    lines = said.out.splitlines()
    big = lines.index("Big road")
    assert lines[big + 1].startswith("˙B   P   B² ")
    assert lines[big + 2].startswith(" ·   P¹  B  ")
    assert "If Banker wins next   Big eye boy B   Small road R   Cockroach pig –" in said.out
    assert "\x1b" not in said.out


def test_every_mark_of_every_road_stands_in_its_cell() -> None:
    outcomes = "BbPPTPBTTBBBBPBPPBBBPPPTPpBP"
    found = json.loads(punto("roads", outcomes, "--json").out)
    beads, big, derived, asked = blocks(punto("roads", outcomes).out)
    columns = [[code(bead) for bead in column if bead != "·"] for column in zip(*cells(beads[1:]), strict=True)]
    assert [column for column in columns if column] == found["bead_plate"]
    streaks = {(cell["column"], cell["row"]): (cell["winner"], cell["ties"]) for cell in found["big_road"]["cells"]}
    assert streaks == {
        (column, row): (code(mark)[0], sum("¹²".index(each) + 1 for each in mark if each in "¹²"))
        for row, line in enumerate(cells(big[1:]), 1)
        for column, mark in enumerate(line, 1)
        if mark != "·"
    }
    names, *lines = cells(derived)
    roads = {"Big eye boy": "big_eye_boy", "Small road": "small_road", "Cockroach pig": "cockroach_pig"}
    assert names == list(roads)
    for road, drawn in zip(roads.values(), zip(*lines, strict=True), strict=True):
        assert Counter("".join(drawn)) & Counter("RB" * 99) == Counter(found[road])
    assert asked == [
        f"If {side} wins next   " + "   ".join(f"{name} {found['ask'][side.lower()][roads[name]]}" for name in roads)
        for side in ("Banker", "Player")
    ]


def code(mark: str) -> str:
    """A mark as a program is told it: the winner's letter, and whose first cards were a pair."""
    return mark.strip("˙.¹²") + "b" * ("˙" in mark) + "p" * ("." in mark)


def test_colour_and_chinese_are_there_when_wanted() -> None:
    said = punto("roads", "BPPB", "--lang", "zh", FORCE_COLOR="1", TERM="xterm-256color")
    assert "大路" in said.out
    assert "○" in said.out
    assert "庄" in said.out
    assert "\x1b[" in said.out


@pytest.mark.parametrize(("outcomes", "lang"), [("BbpTPBPBP", "zh"), ("Bp" + "T" * 12 + "PBPBP", "en")])
def test_crowded_cells_keep_the_rows_in_line(outcomes: str, lang: str) -> None:
    lines = punto("roads", outcomes, "--lang", lang).out.splitlines()
    start = next(place for place, line in enumerate(lines) if line in {"大路", "Big road"}) + 1
    widths = {cell_len(line) for line in lines[start : start + 6]}
    assert len(widths) == 1


def test_a_terminal_without_colours_gets_letters() -> None:
    look = "import pty, sys; sys.exit(pty.spawn([sys.executable, '-m', 'punto', 'roads', 'BPPB']) >> 8)"
    done = run(
        [sys.executable, "-c", look],
        capture_output=True,
        check=True,
        env=environment(TERM="dumb"),
        stdin=subprocess.DEVNULL,
    )
    assert "○" not in done.stdout.decode()


def test_a_long_shoe_shows_its_latest_columns() -> None:
    said = punto("roads", "BP" * 60 + "B", COLUMNS="80")
    assert max(len(line) for line in said.out.splitlines()[:15]) <= 80
    assert said.status == 0


def test_nothing_yet_is_a_road_too() -> None:
    said = punto("roads", "", "--json")
    assert said.status == 0
    assert json.loads(said.out)["bead_plate"] == []
    assert punto("roads", "").status == 0


@pytest.mark.parametrize(("outcomes", "at"), [("BPX", 3), ("b", 1), ("BPPbb", 5)])
def test_a_letter_that_is_no_outcome_is_refused(outcomes: str, at: int) -> None:
    said = punto("roads", outcomes, "--json")
    assert said.status == 2
    error = json.loads(said.out)["error"]
    assert (error["code"], error["at"]) == ("bad-outcome", at)
    assert punto("roads", outcomes) == (2, "", f"punto: {error['message']}\n")
