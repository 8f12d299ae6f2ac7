"""PostgreSQL gets entries together with their commit; whatever happens on the way, whoever waits is told the truth."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from tests.store.places import schemas_in, tip_of, written
from tests.store.proxy import Proxy
from tests.store.server import Server
from tests.store.test_postgres import ENTRIES, execute, plant, wait_for_quiet

from punto.errors import Fenced, KnownCommand, OutcomeUnknown, StaleVersion, StoreGone, StoreLocked
from punto.store.postgres import PostgresStore

MORE = written("table/1", b"3", b"4", since=tip_of(ENTRIES), command="c2")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
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


def test_the_server_writes_before_anybody_waits(url: str, store: PostgresStore) -> None:
    sent = store.send(MORE, {})
    with closing(PostgresStore(url, read_only=True)) as reader:
        while reader.find("c2") is None:
            pass
    sent.wait()
    sent.wait()
    assert [*store.read("table/1")] == ENTRIES + MORE


def test_many_long_entries_are_sent_at_once(store: PostgresStore) -> None:
    bodies = [bytes([number % 251]) * 20_000 for number in range(300)]
    entries = written("table/2", *bodies)
    store.send(entries, {}).wait()
    assert [*store.read("table/2")] == entries


def test_whatever_else_is_asked_of_the_store_waits_for_what_was_sent(store: PostgresStore) -> None:
    sent = store.send(MORE, {})
    assert store.claim("table/1") == 1
    assert store.tip("table/1") == tip_of(MORE)
    following = store.send(written("table/1", b"5", since=tip_of(MORE)), {"table/1": 1})
    sent.wait()
    store.append(written("table/2", b"1"), {})
    following.wait()
    assert {name: tip.version for name, tip in store.streams()} == {"table/1": 5, "table/2": 1}


def test_a_refusal_of_what_was_sent_is_told_to_whoever_waits_for_it_only(url: str, store: PostgresStore) -> None:
    base, _, schema = url.partition("&schema=")
    with psycopg.connect(base) as other:
        other.execute(f"LOCK TABLE {schema}.entries")  # so that no answer comes while it is being sent
        sent = store.send(written("table/2", b"1", command="c1"), {})
    store.append(MORE, {})
    with pytest.raises(KnownCommand):
        sent.wait()
    assert store.tip("table/2") is None


def test_another_writer_that_was_faster_is_noticed(url: str, store: PostgresStore) -> None:
    with closing(PostgresStore(url)) as other:
        other.append(MORE, {})
        other.claim("table/1")
    for rows, fences, refusal in (
        (written("table/1", b"x", since=tip_of(ENTRIES)), {}, StaleVersion),
        (written("table/2", b"x", command="c2"), {}, KnownCommand),
        (written("table/2", b"x"), {"table/1": 0}, Fenced),
    ):
        with pytest.raises(refusal):
            store.send(rows, fences).wait()
    assert store.tip("table/2") is None


@pytest.mark.parametrize("sends", [False, True])
def test_with_a_trigger_that_swallows_rows_nothing_is_written(url: str, store: PostgresStore, sends: bool) -> None:
    execute(
        url,
        "CREATE FUNCTION swallow() RETURNS trigger AS $$ BEGIN "
        "IF NEW.stream = 'wallet/ann' THEN RETURN NULL; END IF; RETURN NEW; END $$ LANGUAGE plpgsql",
        "CREATE TRIGGER swallow BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION swallow()",
    )
    rows = [*MORE, *written("wallet/ann", b"1")]
    with pytest.raises(StoreGone, match=r"has a trigger .* nothing was written$"):
        store.send(rows, {}).wait() if sends else store.append(rows, {})
    assert store.tip("table/1") == tip_of(ENTRIES)


@pytest.mark.parametrize("deferred", [False, True])
def test_a_connection_killed_on_the_way_leaves_it_open_whether_it_was_written(
    url: str, store: PostgresStore, deferred: bool
) -> None:
    plant(url, "PERFORM pg_terminate_backend(pg_backend_pid())", deferred=deferred)
    with pytest.raises(OutcomeUnknown, match=r": it is not known whether it was written$"):
        store.send(MORE, {}).wait()
    assert store.find("c2") is None
    execute(url, "DROP TRIGGER planted ON entries")
    store.send(MORE, {}).wait()
    assert store.tip("table/1") == tip_of(MORE)


@pytest.mark.parametrize("deliver", [False, True])
def test_after_a_commit_without_an_answer_the_command_tells_whether_it_was_written(
    server: Server, deliver: bool
) -> None:
    with (
        TemporaryDirectory(prefix="punto-") as folder,
        closing(Proxy(Path(folder), server.socket)) as proxy,
        closing(PostgresStore(schemas_in(proxy.url)())) as store,
    ):
        store.append(ENTRIES, {})
        proxy.cut(b"COMMIT", deliver=deliver)
        with pytest.raises(OutcomeUnknown):
            store.send(MORE, {}).wait()
        wait_for_quiet(server.url)
        assert (store.find("c2") is not None) == deliver
        if not deliver:
            store.send(MORE, {}).wait()
        assert [*store.read("table/1")] == ENTRIES + MORE


@pytest.mark.parametrize("state", ["40001", "40P01"])
def test_what_the_server_gave_up_is_written_again(url: str, store: PostgresStore, state: str) -> None:
    execute(url, "CREATE SEQUENCE tries")  # which no rollback undoes
    plant(url, f"IF nextval('tries') < 4 THEN RAISE EXCEPTION 'again' USING ERRCODE = '{state}'; END IF")
    store.send(written("table/2", b"1"), {}).wait()
    assert execute(url, "SELECT last_value FROM tries") == [(4,)]
    assert store.tip("table/2")


def test_what_the_server_gives_up_every_time_is_locked_out(url: str, store: PostgresStore) -> None:
    plant(url, "RAISE EXCEPTION 'again' USING ERRCODE = '40001'")
    with pytest.raises(StoreLocked, match=r": nothing was written$"):
        store.send(written("table/2", b"1"), {}).wait()
    assert store.tip("table/2") is None


def test_a_server_that_is_gone_is_told_and_the_store_goes_on_once_it_is_back(
    server: Server, store: PostgresStore
) -> None:
    server.stop()
    with pytest.raises(StoreGone):
        store.send(MORE, {}).wait()
    server.start()
    store.send(MORE, {}).wait()
    assert store.tip("table/1") == tip_of(MORE)
