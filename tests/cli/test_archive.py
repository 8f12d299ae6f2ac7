"""`punto archive`, as a person types it."""

from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.shell import punto
from tests.floor.floors import START_MS, House

from punto.floor import Keys
from punto.floor.sequencer import Sequencer
from punto.store import SqliteStore

DAY = "2025-12-31"
MORNING_MS = START_MS + 7 * 3_600_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store with one sealed day, with its key beside it, and its checkpoint outside."""
    keys = Keys.at(tmp_path / "t.db.key")
    with closing(SqliteStore(tmp_path / "t.db")) as store:
        house = House(store, keys).open()
        Sequencer(house.floor.history, [tmp_path / "outside"]).checkpoint(MORNING_MS)
        assert house.floor.seal_day(MORNING_MS)
    return tmp_path


def test_a_sealed_day_is_written_and_checked(folder: Path) -> None:
    public = Keys.at(folder / "t.db.key").public
    made = punto("archive", "t.db", "--day", DAY, "-o", "day", cwd=folder)
    assert (made.status, made.err) == (0, "")
    assert made.out.startswith(f"day: the gaming day {DAY} of t.db, ")
    written = (folder / "day").read_bytes()
    again = punto("archive", "t.db", "--day", DAY, "-o", "day", cwd=folder)
    assert (again.status, again.out, again.err) == (
        2,
        "",
        "punto: day: already exists: expected a path where nothing is yet\n",
    )
    assert (folder / "day").read_bytes() == written
    (folder / "t.db").unlink()
    checked = punto("archive", "--check", "day", "--public", public, "--checkpoint", "outside/checkpoint", cwd=folder)
    assert (checked.status, checked.err) == (0, "")
    assert checked.out.startswith(f"day: the gaming day {DAY} is whole: ")
    assert "the file itself names" not in checked.out
    assert "the file itself names" in punto("archive", "--check", "day", cwd=folder).out
    for wrong in ("0" * 64, "zz"):
        other = punto("archive", "--check", "day", "--public", wrong, cwd=folder)
        assert (other.status, other.out, other.err.count("\n")) == (2, "", 1)
    Keys.at(folder / "other.key")
    both = punto("archive", "--check", "day", "--public", public, "--key", "other.key", cwd=folder)
    assert (both.status, both.err) == (0, "")


def test_a_day_that_is_not_sealed_and_files_that_are_none_are_refused_in_one_line(folder: Path) -> None:
    (folder / "text").write_text("no archive")
    for arguments in (
        ["t.db", "--day", "2026-01-01", "-o", "none"],
        ["t.db", "--day", "wat", "-o", "none"],
        ["t.db", "--day", DAY],
        ["--check", "text"],
        ["--check", "missing"],
        ["t.db", "--check", "text"],
        [],
    ):
        refused = punto("archive", *arguments, cwd=folder)
        assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1), refused.err
    assert not (folder / "none").exists()
