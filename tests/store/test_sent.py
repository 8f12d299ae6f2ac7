"""A store that writes while its caller goes on: sent or appended, entries come to the same."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from threading import Event

import pytest
from tests.store.places import Place, drop_schemas, files_in, schemas_in, written
from tests.store.test_contract import *  # noqa: F403 (the contract of every store)
from tests.store.test_contract import _eager_threads  # noqa: F401 (a fixture)

from punto.errors import Fenced, KnownCommand, Malformed, PuntoError, StaleVersion, StoreGone
from punto.store import SqliteStore, Store
from punto.store.contract import Entry, Row
from punto.store.hand import Hand
from punto.store.postgres import PostgresStore

# The other process of this test appends.
del test_of_two_processes_exactly_one_gets_each_version_and_either_may_make_the_store  # noqa: F821


class SendingSqlite(SqliteStore):
    """One whose thread writes all entries."""

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        self.send(entries, fences).wait()


class SendingPostgres(PostgresStore):
    """The same on PostgreSQL."""

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        self.send(entries, fences).wait()


class SendingPlace(Place):
    def open(self) -> Store:
        if self.kind == "sqlite":
            store: Store = SendingSqlite(Path(self.url.removeprefix("sqlite:")))
        else:
            store = SendingPostgres(self.url)
        self._opened.append(store)
        return store


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "sqlite":
        held: Place = SendingPlace("sqlite", files_in(tmp_path))
    else:
        held = SendingPlace("postgres", schemas_in(request.getfixturevalue("database_url")))
    yield held
    held.close()
    if request.param == "postgres":
        drop_schemas(request.getfixturevalue("database_url"), held.urls)


@pytest.fixture
def file(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "floor.db")
    yield store
    store.close()


def test_whoever_sends_goes_on_at_once_and_whoever_writes_waits(file: SqliteStore) -> None:
    other = sqlite3.connect(file.path, isolation_level=None)
    with closing(other):
        other.execute("BEGIN IMMEDIATE")
        sending = file.send(written("table/1", b"1"), {})
        assert file.tip("table/1") is None, "it waits for the other process"
        other.execute("COMMIT")
    assert file.claim("table/1") == 1, "which waited for what was sent"
    assert file.tip("table/1")
    sending.wait()
    sending.wait()


def twice(store: SendingSqlite | SendingPostgres, rows: list[Entry], fences: dict[str, int]) -> None:
    """Send, and wait two times; PostgreSQL may refuse at once."""
    sending = store.send(rows, fences)
    with suppress(PuntoError):
        sending.wait()
    sending.wait()


def test_what_kept_entries_from_being_written_is_told_each_time(place: SendingPlace) -> None:
    file = place.open()
    assert isinstance(file, SendingSqlite | SendingPostgres)
    file.append(written("table/1", b"1", command="c1"), {})
    file.claim("table/1")
    for rows, fences, refusal in (
        (written("table/2", b"1", command="c1"), {}, KnownCommand),
        (written("table/2", b"1"), {"table/1": 0}, Fenced),
        (written("table/2", b"1"), {"table/9": 1}, Fenced),
        ([], {"table/1": 7}, Fenced),
    ):
        for _ in range(2):
            with pytest.raises(refusal):
                twice(file, rows, fences)
    for rows in (written("table/1", b"1"), written("table/1", b"1", b"2", b"3")[2:]):
        with pytest.raises(StaleVersion):
            file.send(rows, {}).wait()
    with pytest.raises(Malformed):
        file.send(written("", b"1"), {})
    file.send(written("table/2", b"1"), {"table/1": 1}).wait()
    assert [name for name, _ in file.streams()] == ["table/1", "table/2"]


def test_another_process_that_was_faster_is_noticed_while_entries_are_on_their_way(file: SqliteStore) -> None:
    other = sqlite3.connect(file.path, isolation_level=None)
    [entry] = written("table/1", b"1")
    with closing(other):
        other.execute("BEGIN IMMEDIATE")
        sending = file.send(written("table/1", b"2"), {})
        other.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", entry)
        other.execute("COMMIT")
    with pytest.raises(StaleVersion, match="expected 2"):
        sending.wait()
    assert [*file.read("table/1")] == [entry]


def test_with_a_trigger_in_the_way_nothing_is_written(file: SqliteStore) -> None:
    with closing(sqlite3.connect(file.path)) as forger:
        forger.execute(
            "CREATE TRIGGER swallow BEFORE INSERT ON entries WHEN NEW.stream = 'wallet/ann' "
            "BEGIN SELECT RAISE(IGNORE); END"
        )
    with pytest.raises(StoreGone, match=r"has a trigger .* nothing was written$"):
        file.send([*written("table/1", b"1"), *written("wallet/ann", b"1")], {}).wait()
    assert not [*file.streams()]


def test_an_epoch_that_is_no_number_fences_off_whoever_sends_under_it(file: SqliteStore) -> None:
    file.claim("table/1")
    with closing(sqlite3.connect(file.path)) as forger:
        forger.execute("UPDATE epochs SET epoch = 'one'")
        forger.commit()
    with pytest.raises(Fenced):
        file.send(written("table/1", b"1"), {"table/1": 1}).wait()
    file.send(written("table/1", b"1"), {"table/1": file.claim("table/1")}).wait()


def test_a_store_that_is_closed_takes_nothing_and_has_written_what_it_was_sent(place: SendingPlace) -> None:
    store = place.open()
    assert isinstance(store, SendingSqlite | SendingPostgres)
    sending = store.send(written("table/1", b"1"), {})
    store.close()
    sending.wait()
    with pytest.raises(StoreGone):
        store.send(written("table/1", b"2"), {}).wait()
    assert place.open().tip("table/1")


def test_a_hand_does_one_thing_after_another_and_stops() -> None:
    hand, free = Hand(), Event()
    done: list[int] = []

    def wait() -> None:
        done.append(-1 if free.wait(5) else -2)

    first = hand.start(wait)
    free.set()
    first.wait()
    for number in range(100):
        hand.start(partial(done.append, number)).wait()
    assert done == [-1, *range(100)]
    hand.stop()
    hand.stop()
    hand.start(lambda: done.append(100)).wait()
    assert done[-1] == 100
    hand.stop()
