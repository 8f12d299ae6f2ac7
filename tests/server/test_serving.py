"""A floor that another process has overtaken: it writes nothing more, says why, and ends."""

import asyncio
import json
import signal
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import msgspec
import pytest
from tests.cli.served import PATIENCE_S, Open, free_port, serving
from tests.cli.shell import punto
from tests.server.http.floor import configured, opened
from tests.server.identity.lobby import _cheap_hashes
from tests.server.waiting import waits
from tests.store.places import schemas_in
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from punto.errors import Fenced
from punto.server.app import make
from punto.server.config import FloorConfig
from punto.store import open_store
from punto.table import commands as do

__all__ = ["_cheap_hashes"]

PASSWORD = "planted-password-xyzzy"
FILE = """
store = "{store}"
key-file = "{key}"
port = {port}
[[table]]
key = "1"
game = "tiger"
always = true
"""


async def make_account(config: FloorConfig) -> None:
    """Open the first account of a floor."""
    server = make(config)
    await server.identity.begin()
    await server.identity.first_account("gus", PASSWORD)
    await server.identity.stop()
    server.hall.close()


def asked(floor: Open, path: str, **body: str) -> tuple[int, dict[str, object]]:
    """What a floor answers: the status, and the body."""
    headers = {"origin": floor.address, "content-type": "application/json"}
    request = Request(floor.address + path, json.dumps(body).encode() if body else None, headers)  # noqa: S310
    try:
        with urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310
            return answer.status, json.loads(answer.read())
    except HTTPError as error:
        return error.code, json.loads(error.read())


def heard(page: ClientConnection) -> Iterator[dict[str, Any]]:
    """Everything that a page is told until its connection is closed."""
    with suppress(ConnectionClosed):
        while True:
            yield from json.loads(page.recv(PATIENCE_S))


@pytest.mark.usefixtures("_cheap_hashes")
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.nightly)])
def test_a_floor_that_was_stopped_and_overtaken_writes_nothing_says_why_and_ends(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    postgres = kind == "postgres"
    store = schemas_in(request.getfixturevalue("database_url"))() if postgres else f"sqlite:{tmp_path}/floor.db"
    asyncio.run(make_account(FloorConfig(tables=(), store=store, key_file=str(tmp_path / "floor.key"))))
    other = tmp_path / "other"
    other.mkdir()
    for name in ("first.toml", "second.toml"):
        (tmp_path / name).write_text(FILE.format(store=store, key=tmp_path / "floor.key", port=free_port()))
    with serving("first.toml", cwd=tmp_path) as first:
        assert asked(first, "/api/sign-in", name="gus", password=PASSWORD)[0] == 200
        with connect(f"{first.address.replace('http', 'ws', 1)}/live", origin=first.address, proxy=None) as page:  # type: ignore[arg-type]
            page.send(json.dumps({"t": "watch", "table": "1"}))
            first.process.send_signal(signal.SIGSTOP)
            with closing(open_store(store, read_only=True)) as kept:
                written = dict(kept.streams("heads/"))
            (tmp_path / "floor.db.lock").unlink(missing_ok=True)  # as where a file system has no locks
            with serving("../second.toml", cwd=other) as second:
                first.process.send_signal(signal.SIGCONT)
                status, body = asked(first, "/api/sign-in", name="gus", password=PASSWORD)
                assert (status, body["code"]) == (503, "fenced")
                status, body = asked(first, "/health")
                assert (status, body["status"]) == (503, "ill")
                told = list(heard(page))
                assert [each["code"] for each in told if each["t"] == "ended"] == ["elsewhere"]
                shown = [each["set"] for each in told if each["t"] == "table"]
                assert shown[-1]["wait"] == {"what": "elsewhere", "clause": ""}
                assert shown[-1]["phase"] == "closed"
                assert first.process.wait(PATIENCE_S) == 2
                assert first.said.splitlines()[-1] == (
                    "punto: another process runs every table of this floor now: this one serves nothing any more"
                )
                assert "Traceback" not in first.said
                assert asked(second, "/health")[0] == 200
                with closing(open_store(store, read_only=True)) as kept:
                    assert {stream: kept.tip(stream) for stream in written} == written
                assert second.stop() == 0
    assert punto("audit", store, "--key", str(tmp_path / "floor.key")).status == 0


@waits
async def test_a_table_that_another_process_runs_is_shown_as_such_and_the_others_go_on(tmp_path: Path) -> None:
    """Floors that share a store own different tables; one that takes a table from another takes only that."""
    async with opened(tmp_path) as floor:
        nobody = floor.nobody()
        config = configured(tmp_path)
        other = make(msgspec.structs.replace(config, tables=config.tables[:1]))
        await other.begin()
        try:
            await floor.until(lambda: floor.hall.writer.floor.lost)
            tables = floor.hall.tables
            await floor.until(lambda: tables["1"].state().wait is not None)
            assert tables["1"].state().wait.what == "elsewhere"  # type: ignore[union-attr]
            assert (tables["1"].state().phase, tables["1"].state().cards) == ("closed", ())
            health = await nobody.get("/health")
            assert (health.status_code, health.json()["status"], health.json()["tables"]) == (200, "damaged", 2)
            _, ann = await floor.guest()  # who comes in is written down, as long as any table is this floor's
            with pytest.raises(Fenced):
                await floor.do(do.BuyIn, ann, "1", patron=ann.name, cents=500, position=1)
            await floor.do(do.BuyIn, ann, "2", patron=ann.name, cents=500, position=1)
            assert floor.hall.fenced is None
            for key in ("2", "3"):
                await other.hall.writer.call(other.hall.writer.floor.take_over, key)
            answer = await nobody.post("/api/guest")
            assert (answer.status_code, answer.json()["code"]) == (503, "fenced")
            assert floor.hall.fenced is not None
            assert (await nobody.get("/health")).status_code == 503
            await floor.until(lambda: floor.hall.is_over)
        finally:
            await other.finish()
            other.hall.close()
