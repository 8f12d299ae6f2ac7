"""A copy of a store that is being written to: whole, of one moment, and restored by putting it in its place."""

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest
from tests.floor.floors import KEYS, House

from punto.errors import BadStore, NotAStore, UnwritableFile
from punto.record import audit
from punto.store import SqliteStore
from punto.store.backup import back_up


def test_a_copy_of_a_busy_store_is_whole_and_can_be_opened(tmp_path: Path) -> None:
    stop, rounds = Event(), 0
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        house = House(store).open()

        def play() -> None:
            nonlocal rounds
            while not stop.is_set():
                house.round("T2")
                rounds += 1

        playing = Thread(target=play)
        playing.start()
        try:
            for number in range(3):
                assert back_up(tmp_path / "floor.db", tmp_path / f"{number}.db") > 10_000
        finally:
            stop.set()
            playing.join()
        assert rounds
        last = house.floor.table("T2").round
    seen = []
    for number in range(3):
        with closing(SqliteStore(tmp_path / f"{number}.db")) as copy:
            codes = {finding.code.value for finding in audit(copy, public_key=KEYS.public).findings}
            assert codes == {"unreadable"}, "the notes of the staff here say nothing"
            restored = House(copy)
            seen.append(restored.floor.table("T2").round)
            assert restored.floor.balance("wallet/bob") >= 0
    assert seen == sorted(seen)
    assert seen[-1] <= last
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_what_cannot_be_copied_is_told_and_nothing_is_left(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "floor.db").close()
    (tmp_path / "there.db").write_text("mine")
    with pytest.raises(UnwritableFile, match="already exists"):
        back_up(tmp_path / "floor.db", tmp_path / "there.db")
    with pytest.raises(UnwritableFile, match="a copy cannot be made there"):
        back_up(tmp_path / "floor.db", tmp_path / "no" / "copy.db")
    with pytest.raises(BadStore):
        back_up(tmp_path / "none.db", tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.execute("CREATE TABLE t (x)")
    with pytest.raises(NotAStore):
        back_up(tmp_path / "other.db", tmp_path / "copy.db")
    assert (tmp_path / "there.db").read_text() == "mine"
    assert not (tmp_path / "copy.db").exists()
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
