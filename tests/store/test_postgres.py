import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic

import psycopg
import pytest
from tests.store.places import schemas_in, tip_of, written
from tests.store.proxy import Proxy
from tests.store.server import Server

from punto.errors import BadStore, Fenced, NewerSchema, NotAStore, StaleVersion, StoreGone, StoreLocked
from punto.store import Entry, Snapshot, database, open_store
from punto.store.database import MIGRATIONS, parse
from punto.store.postgres import PostgresStore

ENTRIES = written("table/1", b"1", b"2", command="c1")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that may be mistreated."""
    server = Server()
    yield server
    server.close()


@pytest.fixture
def url(server: Server) -> str:
    return schemas_in(server.url)()


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(url)) as store:
        store.append(ENTRIES, {})
        yield store


def execute(url: str, *statements: str) -> list[tuple[object, ...]]:
    """Do something behind the store's back, in its schema."""
    base, _, schema = url.partition("&schema=")
    with psycopg.connect(base, autocommit=True) as connection:
        connection.execute(f"SET search_path = {schema}")
        for statement in statements[:-1]:
            connection.execute(statement)
        done = connection.execute(statements[-1])
        return done.fetchall() if done.description else []


def plant(url: str, act: str, *, deferred: bool = False) -> None:
    """Have the server do something whenever an entry is written, or at the commit of one."""
    kind = "CONSTRAINT TRIGGER" if deferred else "TRIGGER"
    when = "DEFERRABLE INITIALLY DEFERRED" if deferred else ""
    execute(
        url,
        f"CREATE FUNCTION act() RETURNS trigger AS $$ BEGIN {act}; RETURN NULL; END $$ LANGUAGE plpgsql",
        f"CREATE {kind} planted AFTER INSERT ON entries {when} FOR EACH ROW EXECUTE FUNCTION act()",
    )


# The server goes away


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
def test_when_the_server_restarts_the_store_is_gone_and_then_goes_on(
    server: Server, store: PostgresStore, how: signal.Signals
) -> None:
    assert list(store.read("table/1")) == ENTRIES
    server.stop(how)
    more = written("table/1", b"3", since=tip_of(ENTRIES), command="c2")
    for _ in range(2):
        with pytest.raises(StoreGone, match="does not answer"):
            store.append(more, {})
        with pytest.raises(StoreGone, match="does not answer"):
            list(store.read("table/1"))
    server.start()
    assert list(store.read("table/1")) == ENTRIES
    store.append(more, {})
    assert list(store.read("table/1")) == ENTRIES + more


def test_a_server_that_is_not_there_is_said_in_one_line_without_the_password(tmp_path: Path) -> None:
    with pytest.raises(StoreGone) as refused:
        open_store(f"postgresql://floor:secret@/pit?host={tmp_path}")
    assert refused.value.message.startswith("postgresql:///pit?schema=punto: does not answer (")
    assert "secret" not in refused.value.message
    assert "\n" not in refused.value.message


def test_a_database_that_is_not_there_is_said(server: Server) -> None:
    with pytest.raises(StoreGone, match='database "pit" does not exist'):
        open_store(server.url.replace("postgres?", "pit?"))


def test_a_connection_killed_between_calls_is_made_anew(url: str, store: PostgresStore) -> None:
    list(store.read("table/1"))
    execute(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'punto'")
    more = written("table/1", b"3", since=tip_of(ENTRIES))
    with pytest.raises(StoreGone, match=r"closed the connection unexpectedly[^\n]*: nothing was written$"):
        store.append(more, {})
    store.append(more, {})
    assert store.tip("table/1") == tip_of(more)


def test_a_connection_killed_in_the_middle_of_an_append_has_written_nothing(url: str, store: PostgresStore) -> None:
    plant(url, "IF NEW.version = 4 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF")
    more = written("table/1", b"3", b"4", b"5", since=tip_of(ENTRIES), command="c2")
    with pytest.raises(StoreGone, match=r"closed the connection unexpectedly[^\n]*: nothing was written$"):
        store.append(more, {})
    assert store.find("c2") is None
    assert list(store.read("table/1")) == ENTRIES
    execute(url, "DROP TRIGGER planted ON entries")
    store.append(more, {})
    assert list(store.read("table/1")) == ENTRIES + more


def test_a_connection_killed_in_the_commit_leaves_it_open_whether_it_was_written(
    url: str, store: PostgresStore
) -> None:
    plant(url, "PERFORM pg_terminate_backend(pg_backend_pid())", deferred=True)
    more = written("table/1", b"3", since=tip_of(ENTRIES), command="c2")
    with pytest.raises(StoreGone, match=r": it is not known whether it was written$"):
        store.append(more, {})
    assert store.find("c2") is None
    execute(url, "DROP TRIGGER planted ON entries")
    store.append(more, {})


@pytest.mark.parametrize("deliver", [False, True])
def test_after_a_commit_without_an_answer_the_command_tells_whether_it_was_written(
    server: Server, deliver: bool
) -> None:
    with TemporaryDirectory(prefix="punto-") as folder, closing(Proxy(Path(folder), server.socket)) as proxy:
        url = schemas_in(proxy.url)()
        with closing(PostgresStore(url)) as store:
            store.append(ENTRIES, {})
            proxy.cut(b"COMMIT", deliver=deliver)
            more = written("table/1", b"3", since=tip_of(ENTRIES), command="c2")
            with pytest.raises(StoreGone, match=r": it is not known whether it was written$"):
                store.append(more, {})
            wait_for_quiet(server.url)
            assert store.find("c2") == (more[0] if deliver else None)
            if deliver:
                with pytest.raises(StaleVersion):
                    store.append(more, {})
            else:
                store.append(more, {})
            assert list(store.read("table/1")) == ENTRIES + more


def wait_for_quiet(url: str) -> None:
    """Until nobody is in a transaction."""
    query = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'punto' AND state <> 'idle'"
    with psycopg.connect(url, autocommit=True) as connection:
        while connection.execute(query).fetchone():
            pass


def test_a_connection_cut_before_the_commit_has_written_nothing(server: Server) -> None:
    with (
        TemporaryDirectory(prefix="punto-") as folder,
        closing(Proxy(Path(folder), server.socket)) as proxy,
        closing(PostgresStore(schemas_in(proxy.url)())) as store,
    ):
        proxy.cut(b"INSERT INTO entries", deliver=True)
        with pytest.raises(StoreGone, match=r": nothing was written$"):
            store.append(ENTRIES, {})
        store.append(ENTRIES, {})
        assert list(store.read("table/1")) == ENTRIES


# Other writers


@pytest.mark.parametrize("state", ["40001", "40P01"])
def test_a_transaction_that_the_server_gave_up_is_tried_again(url: str, store: PostgresStore, state: str) -> None:
    execute(url, "CREATE SEQUENCE tries")  # which no rollback undoes
    plant(url, f"IF nextval('tries') < 4 THEN RAISE EXCEPTION 'again' USING ERRCODE = '{state}'; END IF")
    store.append(written("table/2", b"1"), {})
    assert execute(url, "SELECT last_value FROM tries") == [(4,)]


def test_a_transaction_that_the_server_gives_up_every_time_is_locked_out(url: str, store: PostgresStore) -> None:
    plant(url, "RAISE EXCEPTION 'again' USING ERRCODE = '40001'")
    with pytest.raises(StoreLocked, match=r"other writers are in the way \(again\): nothing was written$"):
        store.append(written("table/2", b"1"), {})
    assert store.tip("table/2") is None


def test_entries_that_have_come_are_written_again_on_another_try(url: str, store: PostgresStore) -> None:
    execute(url, "CREATE SEQUENCE tries")
    again = "RAISE EXCEPTION 'again' USING ERRCODE = '40001'"
    plant(url, f"IF NEW.version = 150 AND nextval('tries') < 4 THEN {again}; END IF")
    entries = written("table/2", *(b"%d" % number for number in range(200)))
    store.append(iter(entries), {})
    assert list(store.read("table/2")) == entries


def test_a_writer_that_freezes_while_entries_are_made_loses_its_locks(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = written("table/2", *(b"%d" % number for number in range(200)))
    with closing(PostgresStore(url)) as other:
        monkeypatch.setattr(database, "_LONGEST_TRANSACTION", "2s")
        with closing(PostgresStore(url)) as frozen:

            def made() -> Iterator[Entry]:
                yield from more[:150]
                begun = monotonic()
                while not execute(url, "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted"):
                    assert monotonic() < begun + 30, "it holds no lock"
                assert other.claim("table/2") == epoch + 1  # which waits for the writer, until it is thrown out
                yield from more[150:]

            epoch = frozen.claim("table/2")
            with pytest.raises(StoreGone, match=r": nothing was written$"):
                frozen.append(made(), {"table/2": epoch})
            assert frozen.tip("table/2") is None
            with pytest.raises(Fenced):
                frozen.append(more, {"table/2": epoch})


def test_two_writers_in_each_others_way_do_not_wait_for_ever(url: str, store: PostgresStore) -> None:
    # PostgreSQL chooses who gives way: mostly the one that has waited longer, and that is the store.
    for attempt in range(10):
        streams = [f"table/{attempt}-{place}" for place in ("one", "two")]
        the_store_gave_way = collide(url, store, *streams)
        assert {"table/1", *streams} <= {name for name, _ in store.streams()}
        if the_store_gave_way:
            return
    pytest.fail("the store never had to give way")


def collide(url: str, store: PostgresStore, one: str, two: str) -> bool:
    """Let the store and somebody else write to two streams, each waiting for the other; whether the store gave way."""
    base, _, schema = url.partition("&schema=")
    insert = "INSERT INTO entries VALUES (%s, %s, %s, %s, %s)"
    first, second = written(one, b"1"), written(two, b"1")
    refused: list[type[Exception]] = []

    def append() -> None:
        try:
            store.append(first + second, {})
        except StaleVersion as error:
            refused.append(type(error))

    writer = Thread(target=append)
    with psycopg.connect(base) as other:
        other.execute(f"SET search_path = {schema}")
        other.execute(insert, second[0])
        writer.start()
        wait_for_lock(server_url=base)
        try:
            other.execute(insert, first[0])
            other_gave_way = False
        except psycopg.errors.DeadlockDetected:
            other.rollback()
            other_gave_way = True
    writer.join(30)
    assert not writer.is_alive()
    assert refused == ([] if other_gave_way else [StaleVersion])
    return not other_gave_way


def wait_for_lock(server_url: str) -> None:
    """Until somebody waits for somebody."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        while not connection.execute("SELECT 1 FROM pg_locks WHERE NOT granted").fetchone():
            pass


def test_a_claim_waits_for_the_writer_and_then_fences_it_off(url: str, store: PostgresStore) -> None:
    epoch = store.claim("table/1")
    base, _, schema = url.partition("&schema=")
    taken: list[int] = []
    with psycopg.connect(base) as writer:
        writer.execute(f"SET search_path = {schema}")
        writer.execute("SELECT epoch FROM epochs WHERE name = 'table/1' FOR SHARE")
        taker = Thread(target=lambda: taken.append(store.claim("table/1")))
        taker.start()
        wait_for_lock(server_url=base)
        assert taken == []
    taker.join(30)
    assert taken == [epoch + 1]


def test_a_lock_that_is_not_let_go_is_said(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_SETTINGS", "SET lock_timeout = '50ms'")
    base, _, schema = url.partition("&schema=")
    with closing(PostgresStore(url)) as store:
        store.claim("table/1")
        with psycopg.connect(base) as writer:
            writer.execute(f"SET search_path = {schema}")
            writer.execute("SELECT epoch FROM epochs FOR SHARE")
            with pytest.raises(StoreLocked, match=r"somebody else is writing \([^)]+\): nothing was written$"):
                store.claim("table/1")
        assert store.claim("table/1") == 2


# What is there to be opened


def test_a_schema_is_made_only_if_that_is_wanted(url: str) -> None:
    for options in ({"create": False}, {"read_only": True}):
        with pytest.raises(BadStore, match=r"nothing is there: expected a store$"):
            open_store(url, **options)
    open_store(url).close()
    open_store(url, create=False).close()


def test_a_schema_of_something_else_is_no_store(url: str) -> None:
    schema = url.partition("&schema=")[2]
    execute(url, f"CREATE SCHEMA {schema}")
    with pytest.raises(BadStore):
        open_store(url, create=False)
    execute(url, "CREATE TABLE entries (stream text)")
    for read_only in (False, True):
        with pytest.raises(NotAStore, match=r"is no store: epochs, meta, snapshots missing$"):
            open_store(url, read_only=read_only)


def test_a_table_that_is_lost_is_missed(url: str, store: PostgresStore) -> None:
    execute(url, "DROP TABLE snapshots")
    with pytest.raises(NotAStore, match="does not hold what a store holds"):
        store.snapshot("table/1")
    with pytest.raises(NotAStore, match=r"does not hold what a store holds \([^)]+\): nothing was written$"):
        store.keep("table/1", Snapshot(1, b"", b""))
    assert list(store.read("table/1")) == ENTRIES


SECOND = (*MIGRATIONS, ("ALTER TABLE epochs ADD COLUMN holder text", "CREATE TABLE notes (note text)"))
BROKEN = (*MIGRATIONS, ("CREATE TABLE notes (note text)", "ALTER TABLE missing ADD COLUMN holder text"))


def test_an_older_store_is_migrated_once_and_a_newer_one_is_left_alone(url: str, store: PostgresStore) -> None:
    with pytest.raises(NotAStore, match='relation "missing" does not exist'):
        PostgresStore(url, migrations=BROKEN)
    with pytest.raises(NotAStore, match="has tables of version 2: expected 3; open it for writing"):
        PostgresStore(url, migrations=SECOND, read_only=True)
    for _ in range(2):
        with closing(PostgresStore(url, migrations=SECOND)) as later:
            assert list(later.read("table/1")) == ENTRIES
    assert execute(url, "SELECT version, (SELECT count(*) FROM notes) FROM meta") == [(3, 0)]
    for read_only in (False, True):
        with pytest.raises(NewerSchema, match="has tables of version 3: this Punto knows up to 2"):
            PostgresStore(url, read_only=read_only)
    assert list(store.read("table/1")) == ENTRIES


def test_stores_opened_at_once_are_made_once(url: str) -> None:
    stores: list[PostgresStore] = []
    threads = [Thread(target=lambda: stores.append(PostgresStore(url))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(stores) == 6
    assert sorted(store.claim("table/1") for store in stores) == [1, 2, 3, 4, 5, 6]
    for store in stores:
        store.close()


def test_a_reader_reads_and_cannot_write(url: str, store: PostgresStore) -> None:
    with closing(PostgresStore(url, read_only=True)) as reader:
        assert list(reader.read("table/1")) == ENTRIES
        for write in (
            lambda: reader.append([], {}),
            lambda: reader.claim("table/1"),
            lambda: reader.keep("table/1", Snapshot(1, b"", b"")),
        ):
            with pytest.raises(StoreGone, match=r": is open for reading only$"):
                write()
    assert store.tip("table/1") == tip_of(ENTRIES)


def test_a_closed_store_answers_no_more(store: PostgresStore) -> None:
    store.close()
    store.close()
    for use in (lambda: store.append([], {}), lambda: store.tip("table/1"), lambda: store.claim("table/1")):
        with pytest.raises(StoreGone, match=r": is closed$"):
            use()


def test_a_database_in_another_encoding_is_refused(server: Server) -> None:
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    with pytest.raises(BadStore, match=r"is encoded in LATIN1: expected UTF8$"):
        open_store(server.url.replace("postgres?", "latin?"))


@pytest.mark.parametrize(
    ("url", "name", "schema"),
    [
        ("postgresql://u:p@h:1/d", "postgresql://h:1/d?schema=punto", "punto"),
        ("postgres://h/d?schema=night&sslmode=require", "postgresql://h/d?schema=night", "night"),
        ("postgresql:///d?host=/run/pg&schema=%5Fx", "postgresql:///d?schema=_x", "_x"),
        ("postgresql://", "postgresql:///?schema=punto", "punto"),
    ],
)
def test_an_address_names_server_database_and_schema(url: str, name: str, schema: str) -> None:
    address = parse(url)
    assert (address.name, address.schema) == (name, schema)
    assert "schema" not in address.conninfo


@pytest.mark.parametrize("schema", ["", "Night", "a b", "a;b", 'a"b', "1a", "x" * 64])
def test_a_schema_has_a_plain_name(schema: str) -> None:
    with pytest.raises(BadStore, match=r"expected lower-case letters, digits and underscores$"):
        parse(f"postgresql:///d?schema={schema}")


@pytest.mark.parametrize("url", ["postgresql://h/d?foo=1", "postgresql://[::1/d"])
def test_an_address_that_does_not_read_is_refused_without_its_password(url: str) -> None:
    for told in (url, url.replace("://", "://floor:secret@"), f"{url}&password=secret"):
        with pytest.raises(BadStore, match=r": expected postgresql://USER@HOST:PORT/DATABASE$") as refused:
            parse(told)
        assert "secret" not in refused.value.message


def test_a_store_without_its_version_is_damaged(url: str, store: PostgresStore) -> None:
    execute(url, "DELETE FROM meta")
    for read_only in (False, True):
        with pytest.raises(NotAStore, match="is damaged: it has no version"):
            PostgresStore(url, read_only=read_only)
    assert list(store.read("table/1")) == ENTRIES


def test_a_stream_without_a_name_is_listed(url: str, store: PostgresStore) -> None:
    execute(url, "INSERT INTO entries VALUES ('', 1, NULL, '', '')")
    assert [name for name, _ in store.streams()] == ["", "table/1"]


def test_a_password_shows_nowhere() -> None:
    address = parse("postgresql://floor:secret@db.example/pit?password=secret")
    assert "secret" not in repr(address)
    with pytest.raises(BadStore, match="the port is no number") as refused:
        open_store("postgresql://floor:secret/pit")
    assert "secret" not in refused.value.message


READY = "UPDATE pg_index SET indisready = {} WHERE indexrelid = 'entries_pkey'::regclass"
BEHIND = "INSERT INTO entries SELECT 'hidden', version, NULL, body, hash FROM entries"


def test_rows_that_an_index_does_not_have_are_found(store: PostgresStore, url: str) -> None:
    assert store.faults() == []
    execute(url, READY.format("false"), BEHIND, READY.format("true"), "SELECT 1")
    with closing(PostgresStore(url, read_only=True)) as reader:
        found = reader.faults()
    assert found[0].hidden
    assert "4 rows lie in the table, and 2 are found by the index" in found[0].said
    assert [entry.version for entry in store.read("table/1")] == [1, 2], "and what the index has, it still reads"
