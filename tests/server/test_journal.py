"""The journal as a server keeps it: nothing is lost while the store is away, and nothing is written twice."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace
from tests.server.http.floor import configured, setup
from tests.server.waiting import until, waits

from punto.errors import OutcomeUnknown, StoreGone
from punto.floor import Floor, Keys
from punto.record import audit
from punto.record import journal as noted
from punto.record.journal import JOURNAL, FormerRun, read
from punto.record.significant import EventKind, last_events
from punto.server import journal as module
from punto.server.app import Server
from punto.server.config import FloorConfig, TableConfig
from punto.server.openings import values_of
from punto.store import SqliteStore

TOKEN: Final = "0123456789abcdef"
QUIET: Final = TableConfig(key="1", setup=setup("tiger"), automatic=False)


@asynccontextmanager
async def served(folder: Path, *, stops: bool = True, **more: Any) -> AsyncIterator[Server]:  # noqa: ANN401
    """A server that has begun; one that does not *stop* in order is cut off."""
    config = replace(configured(folder, QUIET), **more)
    server = Server(config, Floor(SqliteStore(folder / "floor.db"), Keys.at(folder / "floor.key")))
    await server.begin()
    try:
        yield server
    finally:
        if stops:
            await server.finish()
        else:
            await server.hall.stop(0)
        server.hall.close()


def events(folder: Path) -> list[Any]:
    store = SqliteStore(folder / "floor.db")
    found = [read(entry.body).event for entry in store.read(JOURNAL)]
    store.close()
    return found


def of(found: list[Any], kind: type) -> list[Any]:
    return [event for event in found if isinstance(event, kind)]


@waits
async def test_a_floor_says_when_it_opens_and_closes_and_how_it_ended_the_last_time(tmp_path: Path) -> None:
    async with served(tmp_path):
        pass
    async with served(tmp_path, stops=False):
        pass
    async with served(tmp_path):
        pass
    found = events(tmp_path)
    started = [event.former for event in of(found, noted.FloorStarted)]
    assert started == [FormerRun.NONE, FormerRun.STOPPED, FormerRun.CUT_OFF]
    assert len(of(found, noted.FloorStopped)) == 2
    assert isinstance(found[0], noted.FloorStarted)
    assert isinstance(found[-1], noted.FloorStopped), "nothing is written after it"
    store = SqliteStore(tmp_path / "floor.db")
    assert not audit(store, public_key=Keys.at(tmp_path / "floor.key").public).total
    store.close()


@waits
async def test_a_changed_file_is_on_record_with_what_it_said_before(tmp_path: Path) -> None:
    async with served(tmp_path):
        pass
    async with served(tmp_path):
        pass
    async with served(tmp_path, currency="€", metrics_token=TOKEN):
        pass
    first, second = of(events(tmp_path), noted.ConfigurationChanged)
    assert first.values["tables.1.setup.game"] == "tiger"
    assert first.before == {}
    assert second.before == {"currency": "$", "metrics-token": ""}
    assert (second.values["currency"], second.values["metrics-token"]) == ("€", "set")


def test_no_secret_of_the_floors_file_goes_on_record(tmp_path: Path) -> None:
    config: FloorConfig = replace(
        configured(tmp_path, QUIET),
        store="postgresql://ann:hunter2@db.example/floor",
        metrics_token=TOKEN,
        key_command=("vault", "--token", "s3cr3t"),
    )
    said = str(values_of(config))
    assert not any(secret in said for secret in ("hunter2", TOKEN, "s3cr3t"))
    assert "db.example" in said


@waits
async def test_events_wait_while_the_store_is_away_and_keep_their_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_FIRST_WAIT_S", 0.01)
    async with served(tmp_path) as server:
        store, append = server.hall.writer.floor.store, SqliteStore.append

        def away(*_: Any) -> None:  # noqa: ANN401
            raise StoreGone("the disk is away: nothing was written")

        monkeypatch.setattr(SqliteStore, "append", away)
        at_ms = server.hall.now_ms() - 5_000
        server.hall.journal.note(noted.StoreLost("disk"), at_ms=at_ms)
        await asyncio.sleep(0.05)
        monkeypatch.setattr(SqliteStore, "append", append)
        await until(lambda: [each for each in last_events(store, [EventKind.STORE]) if each.at_ms == at_ms])


@waits
async def test_an_event_whose_answer_was_lost_is_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FIRST_WAIT_S", 0.01)
    async with served(tmp_path) as server:
        append, lost = SqliteStore.append, list[bool]()

        def lose(self: SqliteStore, *written: Any) -> None:  # noqa: ANN401
            append(self, *written)
            if not lost:
                lost.append(True)
                raise OutcomeUnknown("the answer was lost")

        monkeypatch.setattr(SqliteStore, "append", lose)
        server.hall.journal.note(noted.RecordExported("books"))
        await until(lambda: lost and not server.hall.journal.waiting)
    assert len(of(events(tmp_path), noted.RecordExported)) == 1


@waits
async def test_more_events_than_memory_has_room_for_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_WAITING", 10)
    async with served(tmp_path) as server:
        for number in range(15):
            server.hall.journal.note(noted.TimeTrusted(number))
    found = events(tmp_path)
    assert len(of(found, noted.TimeTrusted)) == 10
    assert of(found, noted.EventsLost) == [noted.EventsLost(5)]
