"""Servers that stand still, lines that pass nothing on, owners that freeze: nothing waits for ever."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Timer
from time import monotonic, sleep

import pytest
from tests.store.places import schemas_in, tip_of, written
from tests.store.proxy import Proxy
from tests.store.server import Server
from tests.width import width

from punto.errors import BadStore, Fenced, OutcomeUnknown, StoreGone, StoreLocked
from punto.store import postgres
from punto.store.database import DEADLINE_S, parse
from punto.store.deadlines import Deadlines
from punto.store.postgres import PostgresStore

ENTRIES = written("table/1", b"1", b"2", command="c1")
MORE = written("table/1", b"3", since=tip_of(ENTRIES), command="c2")
OWNERS = width(4, 16)
_PATIENCE_S = 10


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that may be mistreated."""
    server = Server()
    yield server
    with suppress(OSError):
        server.thaw()
    server.close()


def test_what_takes_too_long_is_cut_off_and_what_is_on_time_is_not() -> None:
    deadlines, cut, spared = Deadlines(), Event(), Event()
    with deadlines.within(30, spared.set):
        pass
    with deadlines.within(0.02, cut.set):
        assert cut.wait(10)
    assert not spared.is_set()


def test_a_server_that_stands_still_is_given_up_and_found_again(server: Server) -> None:
    url = f"{schemas_in(server.url)()}&deadline_s=0.3"
    with closing(PostgresStore(url)) as store:
        store.append(ENTRIES, {})
        assert store.tip("table/1") == tip_of(ENTRIES)
        server.freeze()
        patience = Timer(_PATIENCE_S, server.thaw)  # whoever waits for the server fails then, and does not hang
        patience.start()
        try:
            began = monotonic()
            with pytest.raises(StoreGone, match=r": does not answer \(for 0\.3 s\)$"):
                store.tip("table/1")
            with pytest.raises(StoreGone, match=r": does not answer \(for 0\.3 s\): nothing was written$"):
                store.append(MORE, {})
            assert monotonic() < began + 5
        finally:
            patience.cancel()
            server.thaw()
        store.append(MORE, {})
        assert list(store.read("table/1")) == ENTRIES + MORE


def test_a_commit_that_comes_late_is_not_made_once_it_was_looked_for(server: Server) -> None:
    with (
        TemporaryDirectory(prefix="punto-") as folder,
        closing(Proxy(Path(folder), server.socket)) as proxy,
        closing(PostgresStore(f"{schemas_in(proxy.url)()}&deadline_s=0.3")) as store,
    ):
        store.append(ENTRIES, {})
        proxy.hold(b"COMMIT")
        with pytest.raises(OutcomeUnknown, match=r"\(for 0\.3 s\): it is not known whether it was written$"):
            store.append(MORE, {})
        assert store.find("c2") is None
        proxy.let_go()
        sleep(0.1)  # time enough for the server, had its session not been ended
        assert store.find("c2") is None
        store.append(MORE, {})
        assert list(store.read("table/1")) == ENTRIES + MORE


def test_a_store_is_closed_even_while_a_call_hangs(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "_CLOSING_S", 0.05)
    store = PostgresStore(schemas_in(server.url)())
    with store._write_lock, store._read_lock:  # noqa: SLF001 (as two calls hold them that hang)
        store.close()
        assert store._writer.is_cut_off  # noqa: SLF001
    store.close()
    with pytest.raises(StoreGone, match="is closed"):
        store.tip("table/1")


@pytest.mark.parametrize(("told", "is_"), [("", DEADLINE_S), ("?deadline_s=2.5", 2.5), ("?schema=a&deadline_s=3", 3)])
def test_an_address_says_how_long_its_server_may_take(told: str, is_: float) -> None:
    assert parse(f"postgresql://db/pit{told}").deadline_s == is_


@pytest.mark.parametrize("told", ["0", "-1", "soon", ""])
def test_a_deadline_is_some_seconds(told: str) -> None:
    with pytest.raises(BadStore, match="expected seconds, more than 0"):
        parse(f"postgresql://db/pit?deadline_s={told}")


def test_who_claims_a_name_ends_an_owner_that_is_frozen_in_a_transaction(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_CLAIM_PATIENCE_S", 0.2)
    url = schemas_in(server.url)()
    with closing(PostgresStore(url)) as successor:
        command = [sys.executable, "-m", "tests.store.frozen", url, str(OWNERS)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as owner:
            try:
                assert owner.stdin is not None
                assert owner.stdout is not None
                assert owner.stdout.readline() == "under way\n"
                os.kill(owner.pid, signal.SIGSTOP)
                for number in range(OWNERS):
                    began = monotonic()
                    assert successor.claim(f"table/{number}") == 2
                    assert monotonic() < began + 4, "it waited for the server to throw the owner out"
                    successor.append(written(f"table/{number}", b"mine"), {f"table/{number}": 2})
                os.kill(owner.pid, signal.SIGCONT)
                owner.stdin.close()
                assert owner.stdout.read().split() == [StoreGone.code] * OWNERS
            finally:
                owner.kill()
        for number in range(OWNERS):
            assert [entry.body for entry in successor.read(f"table/{number}")] == [b"mine"]


def test_who_claims_a_name_waits_for_a_session_of_another_role(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "_CLAIM_PATIENCE_S", 0.05)
    monkeypatch.setattr("punto.store.database._SETTINGS", "SET lock_timeout = '100ms'")
    url = schemas_in(server.url)()
    with closing(PostgresStore(url)) as store:
        assert store.claim("table/1") == 1
        with server.as_other_role() as other:
            key = postgres._lock_key(parse(url).schema, "table/1")  # noqa: SLF001
            other.execute(f"BEGIN; SELECT pg_advisory_xact_lock({key})")
            with pytest.raises(StoreLocked, match=r"somebody else is writing \([^)]+\): nothing was written$"):
                store.claim("table/1")
        assert store.claim("table/1") == 2
        with pytest.raises(Fenced):
            store.append(ENTRIES, {"table/1": 1})
