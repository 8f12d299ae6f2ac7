"""A PostgreSQL that stands still: whatever is asked by HTTP has its answer in time, and no threads pile up."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import enumerate as threads
from time import monotonic, sleep
from typing import Any, Final

import msgspec
import pytest
from tests.server.http.floor import BY_HAND, Opened, configured
from tests.server.waiting import waits
from tests.store.places import schemas_in
from tests.store.server import Server

from punto.errors import TooFast
from punto.rules import Position
from punto.server.app import make
from punto.server.http.readers import Readers
from punto.table import commands as do

PATIENCE_S: Final = 0.6
SLACK_S: Final = 1.0
# How an address of the API is filled in.
FILLED: Final = {
    "key": "2",
    "number": "1",
    "wager": "1",
    "claim": "1",
    "command": "unheard-of",
    "size": "1",
    "codes": "EB4 3.9",
    "name": "ann",
    "patron": "ann",
}
MANAGER: Final = ("gus", Position.GAMING_SHIFT_MANAGER)
# What is answered from memory, however the store is.
FROM_MEMORY: Final = {
    *(
        "/api/me",
        "/api/factors",
        "/api/wire",
        "/api/staff",
        "/api/sessions",
        "/api/terminals",
        "/api/terminals/proposed",
        "/api/patrons",
        "/api/claims",
        "/api/claims/own",
        "/api/exclusions",
        "/api/cash-reports",
        "/api/desk/cash/{patron}",
        "/api/audit",
        "/api/program",
        "/metrics",
    ),
    *("/api/games", "/api/clauses/{codes}"),
    *("/api/tables", "/api/tables/{key}", "/api/tables/{key}/irregularities"),
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr("punto.server.patience.PATIENCE_S", PATIENCE_S)
    server = Server()
    yield server
    server.thaw()
    server.close()


@asynccontextmanager
async def opened(folder: Path, server: Server) -> AsyncIterator[Opened]:
    config = configured(folder, BY_HAND)
    floor = Opened(make(msgspec.structs.replace(config, store=f"{schemas_in(server.url)()}&deadline_s=4")))
    await floor.server.begin()
    try:
        yield floor
    finally:
        server.thaw()
        await floor.close()
        await floor.server.finish()
        floor.server.office.close()
        floor.hall.close()


async def timed(asking: Any) -> tuple[int, str, float]:  # noqa: ANN401 (whatever is awaited)
    began = monotonic()
    answer = await asking
    code = answer.json()["code"] if answer.status_code >= 400 else ""
    return answer.status_code, code, monotonic() - began


@waits
async def test_every_route_that_reads_a_store_which_stands_still_says_so_in_time(
    tmp_path: Path, server: Server
) -> None:
    before = set(threads())  # a floor of another test may still be closing
    async with opened(tmp_path, server) as floor:
        paths = (await floor.nobody().get("/schema/openapi.json")).json()["paths"]
        elsewhere = {"/health", "/api/games/{key}"}  # the first has patience of its own, the second reads nothing
        routes = sorted(path for path in paths if "get" in paths[path] and path not in elsewhere)
        browsers = {path: await floor.staff(MANAGER[1], f"gus-{place}") for place, path in enumerate(routes)}
        _, ann = await floor.guest()
        await floor.do(do.BuyIn, ann, patron=ann.name, cents=500, position=1)
        server.freeze()
        asked = {path: timed(browsers[path].get(path.format(**FILLED))) for path in routes}
        asked["ticket"] = timed(floor.nobody().post("/api/receipts/ticket", json={"code": "ABCD-EFGH"}))
        answers = dict(zip(asked, await asyncio.gather(*asked.values()), strict=True))
        assert {path: took for path, (_, _, took) in answers.items() if took > PATIENCE_S + SLACK_S} == {}
        assert {path for path, (status, _, _) in answers.items() if status == 200} == FROM_MEMORY
        others = {path: answer[:2] for path, answer in answers.items() if path not in FROM_MEMORY}
        assert set(others.values()) == {(503, "store-gone")}, others
        assert {"/api/checkpoints", "/api/books", "/api/head", "/api/tables/{key}/rounds"} < others.keys()
        again = [timed(floor.nobody(f"10.0.1.{each}").get("/api/checkpoints")) for each in range(40)]
        assert {answer[:2] for answer in await asyncio.gather(*again)} == {(503, "store-gone")}
        names = [each.name.partition("_")[0] for each in threads() if each not in before]
        assert names.count("reader") <= 4, "however many ask, no further thread waits"
        assert names.count("lookout") <= 1
        server.thaw()
        async with asyncio.timeout(10):  # a look at the store that began before may take a moment to come back
            for path in ("/api/checkpoints", "/api/books"):
                while (await browsers[path].get(path)).status_code != 200:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)


@waits
async def test_whoever_waits_for_others_and_not_for_the_store_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.server.patience.PATIENCE_S", 0.4)
    readers = Readers(lambda: None)
    asked = [readers.read("ann", sleep, 0.05) for _ in range(16)]
    came = await asyncio.gather(*asked, return_exceptions=True)
    readers.close()
    assert came[0] is None
    assert isinstance(came[-1], TooFast), came
