"""`punto report`: a file that is whole or not there, and one line for whatever is wrong."""

from functools import partial
from pathlib import Path

import pytest
from tests.cli import shell
from tests.cli.shell import Punto, Said, process
from tests.store.disks import unwritable

from punto.games import GAMES, dumps
from punto.lab.report import Results

QUICK = ("--rounds", "2e4", "--shoes", "10")


@pytest.fixture
def punto() -> Punto:
    """The command in this process."""
    return partial(shell.punto, "report")


@pytest.fixture(autouse=True)
def _few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The range of the return after few rounds only, but in a process of its own."""
    monkeypatch.setattr("punto.lab.report.results._MOST_VALUES", 4000)


@pytest.mark.parametrize("name", ["r.html", "R.PDF"])
def test_a_report_is_written_where_it_is_asked_for(
    name: str, punto: Punto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def made(results: Results, kind: str) -> bytes:
        asked.append((results, kind))
        return b"all that there is to say\r\n\xff"

    monkeypatch.setattr("punto.cli.report.report", made)
    target = tmp_path / name
    said = punto("7-up", "--decks", "6", "-o", str(target), "--seed", "3", *QUICK)
    assert said == Said(0, f"{target}: 7 Up Baccarat, 6 decks\n", "")
    assert asked == [(Results(GAMES["7-up"], 6, 20_000, 10, 3), name[2:].lower())]
    assert target.read_bytes() == b"all that there is to say\r\n\xff"
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.nightly
def test_a_game_from_a_file_is_reported_and_what_was_there_is_replaced(punto: Punto, tmp_path: Path) -> None:
    declared, target = tmp_path / "mine.toml", tmp_path / "mine.html"
    declared.write_text(dumps(GAMES["baccarat"]).replace('key = "baccarat"', 'key = "mine"', 1), encoding="utf-8")
    target.write_text("old")
    assert punto(str(declared), "--output", str(target), *QUICK).status == 0
    assert "<dd><code>mine</code></dd>" in target.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("7-up", "-o", "{}/r.docx"), ".pdf or .html"),
        (("7-up", "-o", "{}/r"), ".pdf or .html"),
        (("7-up", "-o", "{}/no/such/r.pdf"), "expected one that does"),
        (("7-up", "-o", "{}/folder.pdf"), "expected a file"),
        (("7-up",), "expected"),
        (("-o", "{}/r.pdf"), "expected"),
        (("8-up", "-o", "{}/r.pdf"), "is not a game"),
        (("{}/none.toml", "-o", "{}/r.pdf"), "cannot be read"),
        (("7-up", "-o", "{}/r.pdf", "--decks", "3"), "expected 4 to 10"),
        (("7-up", "-o", "{}/r.pdf", "--decks", "some"), "expected 4 to 10"),
        (("7-up", "-o", "{}/r.pdf", "--rounds", "0"), "expected 1 to"),
        (("7-up", "-o", "{}/r.pdf", "--rounds", "1.5"), "expected one as in"),
        (("7-up", "-o", "{}/r.pdf", "--rounds", "-1e3"), "expected 1 to"),
        (("7-up", "-o", "{}/r.pdf", "--shoes", "1"), "expected 2 to"),
        (("7-up", "-o", "{}/r.pdf", "--seed", "-1"), "expected 0 to"),
        (("7-up", "-o", "{}/r.pdf", "--seed", "x"), "expected a whole number"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(
    arguments: tuple[str, ...], expected: str, punto: Punto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder.pdf").mkdir()
    monkeypatch.setattr("punto.cli.report.report", pytest.fail, raising=False)
    said = punto(*[argument.format(tmp_path) for argument in arguments])
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("punto: ")
    assert said.err.count("\n") == 1
    assert expected in said.err
    assert [path.name for path in tmp_path.iterdir()] == ["folder.pdf"]


def test_a_folder_that_may_not_be_written_to_is_refused_before_the_work(punto: Punto, tmp_path: Path) -> None:
    with unwritable(tmp_path):
        said = punto("7-up", "-o", str(tmp_path / "r.pdf"))
        assert list(tmp_path.iterdir()) == []
    assert (said.status, said.out, said.err.count("\n")) == (2, "", 1)
    assert "cannot be written" in said.err


def test_what_was_there_stays_when_the_work_fails(
    punto: Punto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> bytes:
        raise KeyboardInterrupt

    target = tmp_path / "r.pdf"
    target.write_bytes(b"old")
    monkeypatch.setattr("punto.cli.report.report", interrupted)
    assert punto("7-up", "-o", str(target)).status == 130
    assert target.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1


def test_the_command_is_a_process_like_any_other(tmp_path: Path) -> None:
    game = 'key="mine"\ntitle="Mine"\n[[wager]]\nname="Tie"\npays=[{when="winner tie", odds="8 to 1"}]\n'
    (tmp_path / "mine.toml").write_text(game)  # with one wager, so that it is soon done
    said = process("report", "mine.toml", "-o", "here.pdf", *QUICK, cwd=tmp_path)
    assert said == Said(0, "here.pdf: Mine, 8 decks\n", "")
    assert (tmp_path / "here.pdf").read_bytes().startswith(b"%PDF")
