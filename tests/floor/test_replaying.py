"""Snapshots are disposable: whatever stands in the place of one, all is worked out anew from entries."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.floor.floors import START_MS, House

from punto.floor.sequencer import Sequencer
from punto.store import SqliteStore


@pytest.mark.parametrize(
    "change",
    [
        "body = CAST(body AS TEXT)",
        "body = CAST(x'ff' AS TEXT), hash = 'text'",
        "body = 7, version = 'text'",
        "hash = CAST(x'ff' AS TEXT), version = 2.5",
        "version = x'00'",
    ],
)
def test_a_snapshot_of_another_type_is_ignored(tmp_path: Path, change: str) -> None:
    path = tmp_path / "floor.db"
    with closing(SqliteStore(path)) as store:
        house = House(store).round_only()
        assert Sequencer(house.floor.history, [tmp_path / "outside"]).checkpoint(START_MS)
        house.floor.keep_all()
        before = house.facts()
    with closing(sqlite3.connect(path)) as somebody:
        somebody.execute(f"UPDATE snapshots SET {change}")  # noqa: S608
        somebody.commit()
    with closing(SqliteStore(path)) as store:
        house = House(store)
        assert house.facts() == before
        assert house.floor.look_over_all() == {}
        house.round("T2")
        sequencer = Sequencer(house.floor.history, [tmp_path / "outside"])
        sequencer.compare()
        assert sequencer.checkpoint(START_MS)
        house.floor.keep_all()
        before = house.facts()
    with closing(SqliteStore(path)) as store:
        assert House(store).facts() == before
