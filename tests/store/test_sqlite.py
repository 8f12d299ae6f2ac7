import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

import pytest
from tests.store.disks import files_no_longer_than, small_disk, unwritable
from tests.store.places import tip_of, written

from punto.errors import (
    BadStore,
    BrokenChain,
    Conflict,
    NewerSchema,
    NotAStore,
    PuntoError,
    StaleVersion,
    StoreGone,
    StoreLocked,
)
from punto.store import Entry, Snapshot, SqliteStore, open_store, start, verified
from punto.store.contract import PAGE
from punto.store.file import APPLICATION, MIGRATIONS, log_of

ENTRIES = written("table/1", *[b"%d" % number * 50 for number in range(200)], command="c1")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with entries, closed in order."""
    path = tmp_path / "floor.db"
    with closing(SqliteStore(path)) as store:
        store.append(ENTRIES, {})
    return path


def in_a_process(code: str, *arguments: str | Path) -> None:
    subprocess.run([sys.executable, "-c", code, *arguments], check=True, timeout=60)


def crashed(path: Path) -> Path:
    """The store of a writer that died right after its answer: all entries but the first are in the log alone."""
    in_a_process(
        """
import os, sys
from pathlib import Path
from tests.store.test_sqlite import ENTRIES
from punto.store import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
store.append(ENTRIES, {})
os._exit(0)
""",
        path,
    )
    assert log_of(path).stat().st_size
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


# What is there to be opened


def test_a_store_is_made_whole_and_leaves_one_file(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "floor.db").close()
    assert [file.name for file in tmp_path.iterdir()] == ["floor.db"]
    head = (tmp_path / "floor.db").read_bytes()[:100]
    assert int.from_bytes(head[68:72]) == APPLICATION
    assert int.from_bytes(head[60:64]) == len(MIGRATIONS)


def test_a_missing_file_is_made_only_if_that_is_wanted(tmp_path: Path) -> None:
    for options in ({"create": False}, {"read_only": True}, {"read_only": True, "create": True}):
        with pytest.raises(BadStore, match=r"/floor\.db: no such file: expected a store$"):
            open_store(f"sqlite:{tmp_path / 'floor.db'}", **options)
    assert list(tmp_path.iterdir()) == []


def test_a_store_cannot_be_made_where_there_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in ("missing", "file", "x" * 300):
        with pytest.raises(BadStore, match=r"a store cannot be made there$"):
            SqliteStore(tmp_path / folder / "floor.db")
    with pytest.raises(BadStore, match=r"File name too long: a store cannot be made there$"):
        SqliteStore(tmp_path / ("x" * 300))


def test_what_is_no_file_is_no_address(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "loop", tmp_path / "nowhere"):
        for read_only in (False, True):
            with pytest.raises(BadStore, match=r"expected a store$"):
                SqliteStore(path, read_only=read_only)


@pytest.mark.parametrize("name", ["with space.db", "100%.db", "a?mode=memory", "a#b", "'quoted'.db", "赌场.db"])
def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    with closing(SqliteStore(tmp_path / name)) as store:
        store.append(ENTRIES, {})
        assert {file.name for file in tmp_path.iterdir()} == {name, f"{name}-wal", f"{name}-shm"}
    with closing(SqliteStore(tmp_path / name, read_only=True)) as store:
        assert list(store.read("table/1")) == ENTRIES


def test_a_store_may_be_opened_through_a_link(tmp_path: Path, path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(path)
    with closing(SqliteStore(link)) as store:
        store.append(written("table/2", b"1"), {})
        store.append(written("table/3", b"1"), {})
    with closing(SqliteStore(path, read_only=True)) as store:
        assert len(list(store.streams())) == 3


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    ("content", "refusal"),
    [
        (b"", "is empty: expected a store, or no file at all"),
        (b"\0", "is cut short: expected a store, or no file at all"),
        (b"\0" * 8192, "is no store"),
        (b"Banker wins.\n" * 1000, "is no store"),
        (bytes(range(256)) * 64, "is no store"),
        (b"SQLite format 3\0", "is cut short: expected a store, or no file at all"),
        (b"SQLite format 3\0" + b"\xff" * 8176, "is no store"),
    ],
)
def test_a_file_of_something_else_is_no_store_and_stays_as_it_is(
    tmp_path: Path, read_only: bool, content: bytes, refusal: str
) -> None:
    path = tmp_path / "floor.db"
    path.write_bytes(content)
    with pytest.raises(NotAStore) as refused:
        SqliteStore(path, read_only=read_only)
    assert refused.value.message.startswith(f"{path}: {refusal}")
    assert contents(tmp_path) == {"floor.db": content}


def test_an_sqlite_file_of_something_else_is_no_store_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    for application in (0, 7, APPLICATION + 1):
        with closing(sqlite3.connect(path)) as other:
            other.execute(f"PRAGMA application_id = {application}")
            other.execute("CREATE TABLE IF NOT EXISTS entries (stream)")
        before = contents(tmp_path)
        for read_only in (False, True):
            with pytest.raises(NotAStore, match=r"is an SQLite file of something else: expected a store$"):
                SqliteStore(path, read_only=read_only)
        assert contents(tmp_path) == before


def test_a_store_without_one_of_its_tables_is_part_of_a_store(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("DROP TABLE snapshots")
    for read_only in (False, True):
        with pytest.raises(NotAStore, match=r"is part of a store: snapshots missing$"):
            SqliteStore(path, read_only=read_only)


def cut_short() -> list[int]:
    return [1, 15, 16, 99, 100, 511, 512, 1000, 4095, 4096, 4097, 8192, 12288, 20000, 28672]


@pytest.mark.parametrize("size", cut_short())
def test_a_store_cut_short_is_refused_in_one_line(path: Path, size: int) -> None:
    assert path.stat().st_size > max(cut_short())
    os.truncate(path, size)
    for read_only in (False, True):
        with pytest.raises(NotAStore, match=r"^[^\n]+floor\.db: [^\n]+$"):
            SqliteStore(path, read_only=read_only)
    assert path.stat().st_size == size


def test_whatever_byte_is_overwritten_the_damage_is_found_or_does_no_harm(path: Path) -> None:
    whole = path.read_bytes()
    found = 0
    for at in range(0, len(whole), 97):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :])
        try:
            with closing(SqliteStore(path, read_only=True)) as store:
                read = list(verified(store.read("table/1"), start("table/1")))
                assert [entry[3:] for entry in read] == [entry[3:] for entry in ENTRIES[: len(read)]]
                found += len(read) < len(ENTRIES)
        except (NotAStore, BrokenChain, NewerSchema):
            found += 1
    assert found > len(whole) // 97 // 3


def test_damage_found_while_writing_is_said_and_nothing_is_acknowledged(path: Path) -> None:
    whole = path.read_bytes()
    more = written("table/1", b"more", since=tip_of(ENTRIES), command="c2")
    refused = 0
    for page in range(1, len(whole) // 4096):
        path.write_bytes(whole[: page * 4096] + b"\xa5" * 4096 + whole[(page + 1) * 4096 :])
        try:
            with closing(SqliteStore(path)) as store:
                store.append(more, {})
        except (NotAStore, StaleVersion):
            refused += 1
            assert more[0].body not in b"".join(contents(path.parent).values())
        else:  # the damage lies where this entry does not go, and what was acknowledged is there
            with closing(SqliteStore(path)) as store:
                assert store.find("c2") == more[0]
    assert refused


# Versions of the tables

SECOND = (*MIGRATIONS, ("ALTER TABLE epochs ADD COLUMN holder TEXT", "CREATE TABLE notes (note TEXT)"))
BROKEN = (*MIGRATIONS, ("CREATE TABLE notes (note TEXT)", "ALTER TABLE missing ADD COLUMN holder TEXT"))


def test_an_older_store_is_migrated_once_and_keeps_what_it_holds(path: Path) -> None:
    for _ in range(2):
        with closing(SqliteStore(path, migrations=SECOND)) as store:
            assert list(store.read("table/1")) == ENTRIES
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA user_version").fetchone() == (3,)
        assert raw.execute("SELECT count(*) FROM notes").fetchone() == (0,)
        assert raw.execute("SELECT count(holder) FROM epochs").fetchone() == (0,)


def test_a_new_store_goes_through_all_migrations(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "floor.db", migrations=SECOND)) as store:
        store.append(ENTRIES, {"table/1": store.claim("table/1")})
    with closing(sqlite3.connect(tmp_path / "floor.db")) as raw:
        assert raw.execute("PRAGMA user_version").fetchone() == (3,)
        assert raw.execute("SELECT count(*) FROM notes").fetchone() == (0,)
        assert raw.execute("SELECT count(holder) FROM epochs").fetchone() == (0,)


def test_a_migration_that_fails_leaves_the_store_as_it_was(path: Path) -> None:
    with pytest.raises(NotAStore, match="no such table: missing"):
        SqliteStore(path, migrations=BROKEN)
    with closing(SqliteStore(path)) as store:
        assert list(store.read("table/1")) == ENTRIES
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'notes'").fetchone() == (0,)


def test_an_older_store_is_not_migrated_by_a_reader(path: Path) -> None:
    before = contents(path.parent)
    with pytest.raises(NotAStore, match="has tables of version 2: expected 3; open it for writing"):
        SqliteStore(path, read_only=True, migrations=SECOND)
    assert contents(path.parent) == before


def test_a_store_of_a_later_punto_is_left_alone(path: Path) -> None:
    SqliteStore(path, migrations=SECOND).close()
    before = contents(path.parent)
    for read_only in (False, True):
        with pytest.raises(NewerSchema, match=r"has tables of version 3: this Punto knows them up to 2$"):
            SqliteStore(path, read_only=read_only)
    assert contents(path.parent) == before


# Another process

_HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held_by_another(path: Path) -> Iterator[None]:
    holder = subprocess.Popen([sys.executable, "-c", _HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout
    assert holder.stdout.readline() == b"held\n"
    try:
        yield
    finally:
        holder.communicate(timeout=60)


def test_while_another_process_writes_the_store_is_locked_and_can_be_read(path: Path) -> None:
    with closing(SqliteStore(path, busy_ms=30)) as store:
        with held_by_another(path):
            refusal = r"floor\.db: another process is writing \(database is locked\)"
            with pytest.raises(StoreLocked, match=f"{refusal}: nothing was written$"):
                store.append(written("table/2", b"1"), {})
            with pytest.raises(StoreLocked, match=refusal):
                store.claim("table/1")
            with pytest.raises(StoreLocked, match=refusal):
                store.keep("table/1", Snapshot(1, b"", b""))
            with pytest.raises(StoreLocked, match=refusal):
                SqliteStore(path, busy_ms=30)
            assert list(store.read("table/1")) == ENTRIES
            with closing(SqliteStore(path, read_only=True)) as reader:
                assert list(reader.read("table/1")) == ENTRIES
        store.append(written("table/2", b"1"), {})
        assert store.tip("table/2") == tip_of(written("table/2", b"1"))


def test_a_writer_that_died_leaves_no_lock_and_loses_nothing(tmp_path: Path) -> None:
    with closing(SqliteStore(crashed(tmp_path / "floor.db"))) as store:
        assert list(store.read("table/1")) == ENTRIES
        store.append(written("table/1", b"more", since=tip_of(ENTRIES)), {})


def test_a_reader_in_the_middle_of_a_stream_does_not_hold_up_the_log(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        more = written("table/2", *[b"%d" % number for number in range(2 * PAGE)])
        store.append(more, {})
        reading = store.read("table/2")
        assert next(reading) == more[0]
        with closing(sqlite3.connect(path)) as other:
            busy, _, _ = other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        assert busy == 0
        assert list(reading) == more[1:]


# Reading only


def test_a_reader_changes_nothing_and_leaves_nothing_behind(path: Path) -> None:
    before = contents(path.parent)
    with closing(SqliteStore(path, read_only=True)) as store:
        assert list(store.read("table/1")) == ENTRIES
        assert contents(path.parent) == before
        for write in (
            lambda: store.append([], {}),
            lambda: store.claim("table/1"),
            lambda: store.keep("table/1", Snapshot(1, b"", b"")),
        ):
            with pytest.raises(StoreGone, match=r"floor\.db: is open for reading only$"):
                write()
    assert contents(path.parent) == before


def test_a_reader_reads_what_a_dead_writer_left_in_the_log(tmp_path: Path) -> None:
    path = crashed(tmp_path / "floor.db")
    before = contents(tmp_path)
    with closing(SqliteStore(path, read_only=True)) as store:
        assert list(store.read("table/1")) == ENTRIES
    after = contents(tmp_path)
    assert after.pop("floor.db-shm")  # SQLite's index of the log, made anew by whoever comes first
    before.pop("floor.db-shm")
    assert after == before


@pytest.mark.parametrize("log", [False, True])
def test_a_reader_needs_no_right_to_write(tmp_path: Path, path: Path, log: bool) -> None:
    folder = tmp_path / "evidence"
    folder.mkdir()
    if log:
        crashed(folder / "floor.db")
    else:
        shutil.copy(path, folder)
    with unwritable(folder):
        with closing(SqliteStore(folder / "floor.db", read_only=True)) as store:
            assert list(store.read("table/1")) == ENTRIES
        with pytest.raises(StoreGone, match=r"floor\.db: cannot be (written to|opened) \([^)]+\)$"):
            SqliteStore(folder / "floor.db")


def test_a_reader_sees_what_a_writer_does_who_comes_later(path: Path) -> None:
    with closing(SqliteStore(path, read_only=True)) as reader:
        reading = reader.read("table/1")
        assert next(reading) == ENTRIES[0]
        with closing(SqliteStore(path)) as writer:
            for number in range(3):
                writer.append(written(f"table/{number}.5", b"1"), {})
                assert len(list(reader.streams())) == number + 2
        in_a_process(
            "import sys; from punto.store import *; store = open_store(sys.argv[1])\n"
            "store.append([Entry('table/9', 1, None, b'x' * 5000, b'')], {}); store.close()",
            path,
        )
        assert len(list(reader.streams())) == 5
        assert list(reading) == ENTRIES[1:]


# Disks that fail


def more(number: int) -> list[Entry]:
    return written(f"wallet/{number}", bytes(8000), command=f"w{number}")


def test_a_full_disk_is_said_and_once_there_is_room_the_store_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    with small_disk(folder) as mounted, closing(SqliteStore(folder / "floor.db")) as store:
        filler = folder / "filler"
        filler.write_bytes(bytes(200_000 if mounted else 0))
        if not mounted:
            limit_pages(store, 20)
        done = until_full(store)
        assert done
        for _ in range(2):
            with pytest.raises(StoreGone, match=r"floor\.db: there is no more room \([^)]+\): nothing was written$"):
                store.append(more(done), {})
        assert len(list(store.streams())) == done
        assert store.find(f"w{done}") is None
        filler.unlink()
        if not mounted:
            limit_pages(store, 1000)
        store.append(more(done), {})
        assert len(list(store.streams())) == done + 1
        store.close()
        with closing(SqliteStore(folder / "floor.db", read_only=True)) as again:
            for number in range(done + 1):
                assert list(again.read(f"wallet/{number}")) == more(number)


def until_full(store: SqliteStore) -> int:
    for done in range(1000):
        try:
            store.append(more(done), {})
        except StoreGone:
            return done
    raise AssertionError("there is always room")


def limit_pages(store: SqliteStore, pages: int) -> None:
    store._writer.connection().execute(f"PRAGMA max_page_count = {pages}")  # noqa: SLF001


def test_a_store_cannot_be_made_on_a_full_disk_and_leaves_nothing(tmp_path: Path) -> None:
    # Where a small disk can be mounted SQLite says that it is full, where a limit stands in for it that writing failed.
    with small_disk(tmp_path, "8k") as mounted, nullcontext() if mounted else files_no_longer_than(8192):
        words = "there is no more room" if mounted else "the disk does not answer"
        with pytest.raises(StoreGone, match=rf"floor\.db: {words} \("):
            SqliteStore(tmp_path / "floor.db")
        assert list(tmp_path.iterdir()) == []


def test_when_the_disk_fails_in_the_commit_it_is_not_known_whether_it_was_written(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        store.append(more(1), {})
        with files_no_longer_than(log_of(path).stat().st_size):
            refusal = r"floor\.db: the disk does not answer \([^)]+\): it is not known whether it was written$"
            with pytest.raises(StoreGone, match=refusal):
                store.append(more(2), {})
        assert store.find("w2") is None
        store.append(more(2), {})
        assert list(store.read("wallet/2")) == more(2)
        assert list(store.read("table/1")) == ENTRIES


def test_a_store_that_becomes_unwritable_says_so(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        store._writer.connection().execute("PRAGMA query_only = ON")  # noqa: SLF001
        with pytest.raises(StoreGone, match=r"floor\.db: cannot be written to \([^)]+\): nothing was written$"):
            store.append(more(1), {})
        store.append(more(1), {})  # opened anew, it can be written to


@pytest.mark.parametrize("which", ["floor.db", "floor.db-wal"])
def test_a_file_taken_away_is_missed_and_the_store_goes_on_when_it_is_back(path: Path, which: str) -> None:
    file, away = path.with_name(which), path.with_name("away")
    with closing(SqliteStore(path)) as store:
        store.append(more(1), {})
        file.rename(away)
        with pytest.raises(StoreGone, match=r"floor\.db: the file was removed, or another took its place$"):
            store.append(more(2), {})
        with pytest.raises(StoreGone):
            list(store.read("table/1"))
        away.rename(file)
        assert list(store.read("table/1")) == ENTRIES
        store.append(more(2), {})
        assert store.tip("wallet/2") == tip_of(more(2))


def test_a_removed_file_is_not_made_anew(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        path.unlink()
        for _ in range(2):
            with pytest.raises(StoreGone):
                store.append(more(1), {})
            with pytest.raises(StoreGone):
                store.find("c1")
        assert not path.exists()


def test_a_copy_put_in_its_place_is_taken_for_what_it_is(tmp_path: Path, path: Path) -> None:
    shutil.copy(path, tmp_path / "backup.db")
    with closing(SqliteStore(path)) as store:
        store.append(more(1), {"table/1": store.claim("table/1")})
        shutil.copy(tmp_path / "backup.db", tmp_path / "copy.db")
        (tmp_path / "copy.db").replace(path)
        for side in ("-wal", "-shm"):
            path.with_name(f"floor.db{side}").unlink()
        with pytest.raises(StoreGone):
            store.append([], {})
        with pytest.raises(StoreGone):
            store.find("w1")
        assert store.find("w1") is None
        store.append(more(1), {"table/1": 0})
        assert store.find("w1") == more(1)[0]


# The end


def test_a_closed_store_answers_no_more(path: Path) -> None:
    store = SqliteStore(path)
    reading = store.read("table/1")
    store.close()
    store.close()
    for use in (
        lambda: store.append([], {}),
        lambda: store.tip("table/1"),
        lambda: next(reading),
        lambda: store.claim("table/1"),
    ):
        with pytest.raises(StoreGone, match=r"floor\.db: is closed$"):
            use()
    assert [file.name for file in path.parent.iterdir()] == ["floor.db"]


@pytest.mark.parametrize("kind", [StoreLocked, StoreGone])
def test_faults_that_pass_are_conflicts_and_damage_is_not(kind: type[PuntoError]) -> None:
    assert issubclass(kind, Conflict)
    assert not issubclass(NotAStore, Conflict)


def test_entries_are_synced_at_every_commit_unless_a_test_plants_otherwise(path: Path) -> None:
    for synchronous, level in (("FULL", 2), ("OFF", 0)):
        with closing(SqliteStore(path, synchronous=synchronous)) as store:
            connection = store._writer.connection()  # noqa: SLF001
            assert connection.execute("PRAGMA synchronous").fetchone() == (level,)
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize("name", ["x'00'", "CAST(x'ff' AS TEXT)", "CAST('table/1' AS BLOB)"])
def test_an_epoch_whose_name_is_no_text_is_nobody_s_and_is_told(path: Path, name: str) -> None:
    with closing(SqliteStore(path)) as store:
        store.claim("table/1")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"INSERT INTO epochs VALUES ({name}, 'x')")  # noqa: S608
        connection.commit()
    with closing(SqliteStore(path)) as store:
        epoch = store.claim("table/1")
        assert epoch == 2
        store.append([], {"table/1": epoch})
        [fault] = store.faults()
        assert "the name of an epoch that is no text" in fault.said


def test_a_stream_without_a_name_is_listed(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO entries VALUES ('', 1, NULL, x'', x'')")
        connection.commit()
    with closing(SqliteStore(path)) as store:
        assert [name for name, _ in store.streams()] == ["", "table/1"]


def test_rows_that_a_trigger_swallows_are_noticed_and_nothing_is_written(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        with closing(sqlite3.connect(tmp_path / "floor.db")) as forger:
            when = "BEFORE INSERT ON entries WHEN NEW.stream = 'wallet/ann'"
            forger.execute(f"CREATE TRIGGER swallow {when} BEGIN SELECT RAISE(IGNORE); END")
        rows = [(stream, 1, None, b"{}", b"x" * 32) for stream in ("table/1", "wallet/ann")]
        with pytest.raises(StoreGone, match="has a trigger 'swallow'"):
            store.append(rows, {})
        assert store.tip("table/1") is None
        with pytest.raises(StoreGone, match="has a trigger 'swallow'"):
            store.claim("table/1")
