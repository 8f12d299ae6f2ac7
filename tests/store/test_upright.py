"""What a store finds wrong with itself: rows that an index hides or invents, and damage that its own check sees."""

import random
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from tests.record.play import KEYS, TERMINALS, play
from tests.store.places import Place, written

from punto.errors import PuntoError
from punto.record import Code, audit
from punto.store import MemoryStore, Snapshot, SqliteStore
from punto.store.contract import PAGE as PAGE_OF_NAMES

Damage = Callable[[sqlite3.Connection], object]
NAMES: Final = ("table/T1", "sequencer", "floor-key")


def test_a_store_in_order_finds_nothing_wrong_with_itself(place: Place) -> None:
    store = place.open()
    assert store.faults() == []
    store.append(written("table/1", b"1", b"2", b"3", command="c1"), {})
    store.append(written("wallet/ann", b"1", command="c2"), {})
    store.claim("table/1")
    store.keep("table/1", Snapshot(2, b"hash", b"state"))
    store.keep("table/1", Snapshot(2, b"hash", b"state"))
    assert store.faults() == []
    assert store.snapshot("table/1") == Snapshot(2, b"hash", b"state")


def test_commands_in_memory_that_lead_elsewhere_are_found() -> None:
    store = MemoryStore()
    store.append(written("table/1", b"1", command="c1"), {})
    store._commands["c2"] = store._commands.pop("c1")  # noqa: SLF001
    assert [fault.hidden for fault in store.faults()] == [True]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A store of a floor, in one file."""
    return made(tmp_path / "floor.db")


def made(path: Path) -> Path:
    with closing(SqliteStore(path)) as store:
        for name, entries in play(TERMINALS).entries.items():
            store.append(entries, {name: 0})
        for name in NAMES[:2]:
            store.claim(name)
        store.keep("table/T1", Snapshot(7, b"hash", b"state" * 200))
    return path


def codes(path: Path) -> set[Code]:
    with closing(SqliteStore(path, read_only=True)) as store:
        return {found.code for found in audit(store, public_key=KEYS.public).findings}


PAGE: Final = 4096
OF_ROWS, OF_INDEXES = 0x0D, 0x0A


def edited(path: Path, kind: int, old: bytes, new: bytes) -> None:
    """Put other bytes into the first page of a kind that has them; the file is closed."""
    data = bytearray(path.read_bytes())
    for start in range(PAGE, len(data), PAGE):
        place = data.find(old, start, start + PAGE) if data[start] == kind else -1
        if place >= 0:
            data[place : place + len(old)] = new
            path.write_bytes(data)
            return
    raise AssertionError(f"no page of kind {kind} has {old!r}")


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        (OF_ROWS, b'wallet/bob{"at_ms"', b'wallet/bog{"at_ms"'),
        (OF_ROWS, b'T1-0-2{"at_ms"', b'T1-0-x{"at_ms"'),
        (OF_INDEXES, b"wallet/bob", b"wallet/bog"),
        (OF_INDEXES, b"T1-0-2", b"T1-0-x"),
    ],
)
def test_a_row_that_is_not_what_its_index_says_is_hidden_damage(file: Path, kind: int, old: bytes, new: bytes) -> None:
    edited(file, kind, old, new)
    assert Code.HIDDEN_DAMAGE in codes(file)


def test_an_index_that_lacks_rows_is_found(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("DELETE FROM sqlite_schema WHERE name = 'entries_command'")
        connection.execute("PRAGMA schema_version = 900")
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("INSERT INTO entries SELECT 'purse/x', 1, 'c9', body, hash FROM entries LIMIT 1")
        connection.execute("PRAGMA writable_schema = ON")
        sql = "CREATE UNIQUE INDEX entries_command ON entries (command) WHERE command IS NOT NULL"
        declared = ("index", "entries_command", "entries", 4, sql)
        connection.execute(
            "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, ?, ?)", declared
        )
    assert {Code.HIDDEN_DAMAGE, Code.DATABASE_DAMAGED} <= codes(file)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE epochs SET epoch = 9",
        "DELETE FROM epochs WHERE name = 'sequencer'",
        "UPDATE snapshots SET body = x'00' WHERE stream = 'table/T1'",
        "DELETE FROM snapshots WHERE stream = 'table/T1'",
        "UPDATE snapshots SET body = CAST(body AS TEXT) WHERE stream = 'table/T1'",
        "UPDATE snapshots SET hash = CAST(hash AS TEXT) WHERE stream = 'sum of table/T1'",
        "INSERT INTO snapshots VALUES (x'00', 1, x'', x'')",
        "INSERT INTO epochs VALUES (x'00', 1)",
        "DROP INDEX entries_command",
        "CREATE TRIGGER later AFTER INSERT ON entries BEGIN SELECT 1; END",
    ],
)
def test_what_no_chain_covers_is_found_all_the_same(file: Path, change: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(change)
        connection.commit()
    assert codes(file) & {Code.DATABASE_DAMAGED, Code.HIDDEN_DAMAGE, Code.ALTERED_SCHEMA}


def test_an_entry_at_the_greatest_version_is_told_as_one_that_no_stream_reaches(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        for version in ("9223372036854775807", "'x'"):
            connection.execute(f"INSERT INTO entries VALUES ('table/T1', {version}, NULL, x'00', x'00')")  # noqa: S608
        connection.commit()
    with closing(SqliteStore(file, read_only=True)) as store:
        said = [str(found) for found in audit(store, public_key=KEYS.public).findings]
    assert any("an entry of version 9223372036854775807, which no stream reaches" in each for each in said)
    assert not [each for each in said if "9223372036854775808" in each or "comes 9223372036854775807" in each]


def test_an_index_that_is_missing_is_told_once_and_all_else_is_looked_at(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP INDEX entries_command")
        connection.execute("UPDATE epochs SET epoch = 9")
        connection.commit()
    with closing(SqliteStore(file, read_only=True)) as store:
        assert [fault.said for fault in store.faults()] == [
            "lacks the index entries_command",
            "the table epochs (which process runs which table) is not what was written",
        ]
    assert codes(file) == {Code.ALTERED_SCHEMA, Code.DATABASE_DAMAGED}


STRANGE: Final = (
    "x'00'",
    "x''",
    "CAST('wallet/ann' AS BLOB)",
    "CAST(x'ff' AS TEXT)",
    "CAST(x'77616c6c65742fff' AS TEXT)",  # before wallet/zoe, and like it
)


@pytest.mark.parametrize("name", STRANGE)
def test_a_stream_whose_name_is_no_text_hides_no_other(file: Path, name: str) -> None:
    with closing(SqliteStore(file)) as store:
        before = list(store.streams())
        store.append(written("wallet/zoe", b"1"), {})
    with closing(sqlite3.connect(file)) as connection:
        rows = "FROM entries WHERE stream = 'table/T1' AND version <= 3"
        connection.execute(f"INSERT INTO entries SELECT {name}, version, NULL, body, hash {rows}")
        connection.commit()
    with closing(SqliteStore(file)) as store:
        assert [each for each in store.streams() if each[0] != "wallet/zoe"] == before
        assert [each for each, _ in store.streams("wallet/")] == ["wallet/ann", "wallet/bob", "wallet/zoe"]
        assert list(store.read("wallet/zoe"))
        [fault] = store.faults()
        assert fault.hidden
        assert "of a stream whose name is no text, which nobody reads" in fault.said
        store.append(written("wallet/zoe", b"2", since=store.tip("wallet/zoe")), {})
        store.claim("table/T1")


def test_many_names_that_are_no_text_hide_no_other(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        store.append(written("a", b"1") + written("z", b"1"), {})
        with closing(sqlite3.connect(tmp_path / "floor.db")) as connection:
            names = [(b"b" + bytes([0x80 | number >> 6, 0xC0 | number & 63]),) for number in range(PAGE_OF_NAMES + 20)]
            connection.executemany("INSERT INTO entries VALUES (CAST(? AS TEXT), 1, NULL, x'', x'')", names)
            connection.commit()
        assert [name for name, _ in store.streams()] == ["a", "z"]


@pytest.mark.parametrize("kind", ["CAST(body AS TEXT)", "CAST(x'ff' AS TEXT)", "'text'", "7", "2.5"])
def test_a_snapshot_that_is_not_what_was_written_is_none_and_is_kept_anew(file: Path, kind: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"UPDATE snapshots SET body = {kind}, hash = {kind}")  # noqa: S608
        connection.execute("UPDATE snapshots SET version = 'x'")
        connection.commit()
    with closing(SqliteStore(file)) as store:
        assert store.snapshot("table/T1") is None
        store.keep("table/T1", Snapshot(3, b"hash", b"state"))
        assert store.snapshot("table/T1") == Snapshot(3, b"hash", b"state")


def answers(path: Path) -> object:
    """Whatever anybody can ask of a file, by every way to its rows; or the error that says that it is damaged."""
    try:
        with closing(SqliteStore(path, read_only=True)) as store:
            told: list[Any] = [(name, tip, list(store.read(name))) for name, tip in store.streams()]
            told += [store.find(entry.command) for _, _, entries in told for entry in entries if entry.command]
            told += [(store.epoch(name), store.snapshot(name)) for name in NAMES]
        with closing(sqlite3.connect(path)) as connection:
            connection.text_factory = bytes
            for table in ("entries", "snapshots", "sqlite_schema"):
                told.append(connection.execute(f"SELECT rowid, * FROM {table} NOT INDEXED").fetchall())  # noqa: S608
            told.append(connection.execute("SELECT * FROM epochs").fetchall())
            for pragma in ("user_version", "application_id", "encoding", "page_count", "auto_vacuum"):
                told.append(connection.execute(f"PRAGMA {pragma}").fetchall())
    except (PuntoError, sqlite3.Error, UnicodeDecodeError) as error:
        return type(error)
    return told


def is_found(path: Path) -> bool:
    try:
        with closing(SqliteStore(path, read_only=True)) as store:
            return bool(store.faults()) or bool(audit(store, public_key=KEYS.public).findings)
    except PuntoError:  # said in one line
        return True


def test_every_flipped_bit_that_changes_an_answer_is_found(file: Path, tmp_path: Path) -> None:
    chance = random.Random(17)
    data, before = file.read_bytes(), answers(file)
    flipped = tmp_path / "flipped.db"
    came: Counter[bool] = Counter()
    for bit in chance.sample(range(len(data) * 8), 200):
        flip = bytearray(data)
        flip[bit // 8] ^= 1 << bit % 8
        flipped.write_bytes(flip)
        changes = answers(flipped) != before
        assert not changes or is_found(flipped), f"byte {bit // 8}, bit {bit % 8}"
        came[changes] += 1
    assert came[True] > 50
    assert came[False] > 20, "bits of space that nothing uses, and of counters in the header"
