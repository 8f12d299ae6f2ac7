"""The papers for whoever judges Punto's safety: each item answered once, and everything they name is there."""

import csv
import re
import shlex
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import click
import pytest

from punto.cli.app import app
from tests.marks import ROOT

DOCS: Final = ROOT / "docs"
THREATS: Final = DOCS / "threats.md"
ASVS: Final = DOCS / "asvs.md"
LABORATORY: Final = DOCS / "laboratory.md"
PAPERS: Final = (THREATS, ASVS, LABORATORY)
ANSWERS: Final = ("yes", "partly", "no", "not applicable")
LINK: Final = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
_TEST: Final = re.compile(r"^ *(?:async )?def test_(\w+)\(", re.MULTILINE)
_CODE: Final = re.compile(r"`([^`\n]+)`")
_ITEM: Final = re.compile(r"V\d+\.\d+\.\d+")
_TARGET: Final = re.compile(r"^([a-z-]+(?: [a-z-]+)*):", re.MULTILINE)


class Row(NamedTuple):
    """A line of a table: its cells, and under which heading it stands."""

    heading: str
    cells: tuple[str, ...]


def rows(path: Path) -> list[Row]:
    """Every line of every table of a page, without the heads of the tables."""
    found: list[Row] = []
    heading = ""
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if line.startswith("|") and set(line) <= set("|-: "):
            found.pop()  # what stood above is the head of a table
        elif line.startswith("|"):
            found.append(Row(heading, tuple(cell.strip() for cell in line.strip("|").split("|"))))
    return found


@cache
def sentences_of(path: Path) -> frozenset[str]:
    """The tests of a file, as sentences."""
    return frozenset(name.replace("_", " ") for name in _TEST.findall(path.read_text()))


def named_tests(path: Path) -> list[tuple[str, Path]]:
    """Each test that a page names: its sentence, and the file that it is linked to."""
    found = []
    for said, target in LINK.findall(path.read_text()):
        file = (path.parent / target.partition("#")[0]).resolve()
        if file.is_relative_to(ROOT / "tests") and file.suffix == ".py":
            found.append((said, file))
    return found


def test_every_item_of_asvs_is_answered_once_with_its_level() -> None:
    with (ROOT / "tests" / "golden" / "asvs.csv").open() as file:
        asked = [(row["number"], row["level"]) for row in csv.DictReader(line for line in file if line[0] != "#")]
    assert Counter(level for _, level in asked) == {"1": 70, "2": 183}
    answered = [row.cells[:2] for row in rows(ASVS) if _ITEM.fullmatch(row.cells[0])]
    assert answered == asked


def test_every_answer_is_one_of_four_and_has_a_reason_or_a_place() -> None:
    for row in rows(ASVS):
        if _ITEM.fullmatch(row.cells[0]):
            _, _, subject, answer, why = row.cells
            assert answer in ANSWERS, row
            assert len(subject) > 3, row
            assert len(why) > 10, row
            assert answer != "yes" or LINK.search(why) or _CODE.search(why), f"where is it shown: {row}"


def test_the_sums_that_are_told_are_those_of_the_table() -> None:
    counts = Counter(row.cells[3] for row in rows(ASVS) if _ITEM.fullmatch(row.cells[0]))
    told = {row.cells[0]: int(row.cells[1]) for row in rows(ASVS) if row.cells[0] in ANSWERS}
    assert told == counts


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: path.stem)
def test_every_test_that_a_paper_names_is_there(paper: Path) -> None:
    named = named_tests(paper)
    assert len(named) > 50
    assert [f"{file.relative_to(ROOT)}: {said}" for said, file in named if said not in sentences_of(file)] == []


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: path.stem)
def test_every_file_and_every_target_of_make_that_a_paper_names_is_there(paper: Path) -> None:
    targets = {name for names in _TARGET.findall((ROOT / "Makefile").read_text()) for name in names.split()}
    for code in _CODE.findall(paper.read_text()):
        if code.startswith("make "):
            assert set(code.split()[1:]) <= targets, code
        elif code.partition("/")[0] in ("src", "tests", "web", "docs", "tools", "requirements", "bench"):
            assert (ROOT / code).exists(), code


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: path.stem)
def test_every_command_that_a_paper_names_is_there_with_its_options(paper: Path) -> None:
    for code in _CODE.findall(paper.read_text()):
        if code.startswith("punto "):
            check_command(code)


def check_command(line: str) -> None:
    """Fail where a line names a command or an option that there is not."""
    words = shlex.split(line)[1:]
    command: click.Command = app
    while isinstance(command, click.Group):
        assert words, f"{line}: which command"
        assert words[0] in command.commands, f"{line}: no command {words[0]}"
        command = command.commands[words.pop(0)]
    options = {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
    for word in words:
        if word.startswith("-") and word != "-":
            assert word.partition("=")[0] in options, f"{line}: no option {word}"


@pytest.mark.parametrize("line", ["punto no-such-thing", "punto audit STORE --no-such-option", "punto key"])
def test_a_command_or_an_option_that_there_is_not_is_found(line: str) -> None:
    with pytest.raises(AssertionError):
        check_command(line)


def test_every_attack_has_a_defence_and_a_test_or_is_said_to_be_open() -> None:
    attacks = [row for row in rows(THREATS) if len(row.cells) == 3 and row.heading.startswith("The ")]
    assert len(attacks) > 60
    for row in attacks:
        attack, defence, test = row.cells
        assert attack, row
        assert LINK.search(test) or test.startswith("not defended"), row
        assert defence or test.startswith("not defended"), row


def test_every_line_for_the_laboratory_has_a_place_or_says_whose_it_is() -> None:
    lines = [row for row in rows(LABORATORY) if len(row.cells) == 4]
    assert len(lines) > 70
    for row in lines:
        _, asked, answer, shown = row.cells
        assert asked, row
        assert LINK.search(shown) or _CODE.search(shown) or "the house's" in shown or shown.startswith("open"), row
        assert answer or "the house's" in shown, row
