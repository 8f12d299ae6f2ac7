"""A store that stands still under an open floor: everybody is told, and the floor can be stopped all the same."""

import asyncio
import json
import re
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError

import httpx
import pytest
from tests.cli.served import Open, free_port, serving
from tests.store.places import schemas_in
from tests.store.server import Server
from websockets.asyncio.client import connect

from punto.floor import Keys
from punto.server.serving import WITHOUT_STORE
from punto.store import open_store

GRACE_S: Final = 0
# Machines that run tests do other things too.
SLACK_S: Final = 0.5
# Until it is said; the floor waits two seconds before it calls that a delay.
SAID_S: Final = 8.0
FILE: Final = """
port = {port}
store = "{store}"
key-file = "floor.key"
grace-s = {grace}
[[table]]
key = "1"
game = "tiger"
always = true
timings = {{ bets-ms = 2000 }}
"""


def floor_file(folder: Path, store: str) -> None:
    Keys.at(folder / "floor.key")
    (folder / "floor.toml").write_text(FILE.format(port=free_port(), store=store, grace=GRACE_S))


async def watched(floor: Open, is_so: Callable[[dict[str, Any]], bool], then: Callable[[], None]) -> dict[str, Any]:
    """What a page of the table shows once it is so; *then* is called when the page shows anything."""
    live = floor.address.replace("http", "ws") + "/live"
    async with asyncio.timeout(SAID_S), connect(live, additional_headers={"origin": floor.address}, proxy=None) as page:
        await page.send(json.dumps({"t": "watch", "table": "1"}))
        shown: dict[str, Any] = {}
        async for frame in page:
            for message in json.loads(frame):
                if message["t"] == "table":
                    if not shown:
                        then()
                    shown |= message["set"]
                    if is_so(shown):
                        return shown
    raise AssertionError(shown)


def is_held(shown: dict[str, Any]) -> bool:
    return bool(shown["wait"]) and shown["wait"]["what"] == "store"


def health(floor: Open) -> tuple[int, dict[str, Any]]:
    try:
        return 200, floor.get("/health")
    except HTTPError as error:
        return error.code, json.loads(error.read())


@contextmanager
def asking(floor: Open) -> Iterator[None]:
    """While a terminal asks for something that the store must keep, and gets no answer."""
    time.sleep(0.8)  # the floor looks after sessions twice a second: by now it waits for the store itself
    headers = {"origin": floor.address}
    with ThreadPoolExecutor(1) as thread, httpx.Client(headers=headers, trust_env=False, timeout=20) as browser:
        asked = thread.submit(browser.post, f"{floor.address}/api/enrol", json={"code": "AAAA"})
        time.sleep(0.2)
        yield
        assert isinstance(asked.exception(10), httpx.HTTPError)


def check_end(floor: Open) -> None:
    """The floor ends within a second of its grace, whoever still waits for it, and says what it leaves behind."""
    with asking(floor):
        began = time.monotonic()
        assert floor.stop(signal.SIGTERM) == WITHOUT_STORE
        assert time.monotonic() - began < GRACE_S + 1 + SLACK_S
    assert re.search(r'"unanswered": \d+.*"the floor ends without its store, which does not answer"', floor.said)
    assert "Traceback" not in floor.said


def test_a_server_that_stands_still_is_told_to_everybody_and_the_floor_ends_when_asked(tmp_path: Path) -> None:
    server = Server()
    try:
        url = schemas_in(server.url)()
        open_store(url).close()
        floor_file(tmp_path, f"{url}&deadline_s=60")
        with serving("floor.toml", cwd=tmp_path) as floor:
            held = asyncio.run(watched(floor, is_held, server.freeze))
            assert held["clock"] is None, "no countdown runs while nothing can be written"
            status, said = health(floor)
            assert (status, said["status"]) == (503, "waiting")
            assert 2 <= said["waiting_s"] < SAID_S
            assert said["said"].startswith("the store has not answered for "), "it has not refused anything"
            assert floor.said.count("the floor waits for its store") == 1
            asyncio.run(watched(floor, lambda shown: not is_held(shown), server.thaw))
            floor.until("the store answers again")
            assert health(floor)[0] == 200
            server.freeze()
            check_end(floor)
    finally:
        server.thaw()
        server.close()


def lock(store: sqlite3.Connection) -> None:
    store.execute("BEGIN IMMEDIATE")


def unlock(store: sqlite3.Connection) -> None:
    store.execute("ROLLBACK")


def make_trigger(store: sqlite3.Connection) -> None:
    store.execute("CREATE TRIGGER gulp BEFORE INSERT ON entries BEGIN SELECT RAISE(IGNORE); END")


def drop_trigger(store: sqlite3.Connection) -> None:
    store.execute("DROP TRIGGER gulp")


@pytest.mark.parametrize(
    ("harm", "mend", "said"),
    [pytest.param(lock, unlock, "another", marks=pytest.mark.nightly), (make_trigger, drop_trigger, "gulp")],
    ids=["locked", "with a trigger"],
)
def test_a_store_that_can_be_read_and_takes_nothing_is_told_to_everybody_until_it_does(
    tmp_path: Path, harm: Callable[[Any], None], mend: Callable[[Any], None], said: str
) -> None:
    open_store(str(tmp_path / "floor.db")).close()
    floor_file(tmp_path, "floor.db")
    somebody = sqlite3.connect(tmp_path / "floor.db", isolation_level=None, check_same_thread=False)
    with serving("floor.toml", cwd=tmp_path) as floor, closing(somebody):
        held = asyncio.run(watched(floor, is_held, lambda: harm(somebody)))
        assert held["clock"] is None
        floor.until("the floor waits for its store")
        assert health(floor)[0] == 503
        for _ in range(6):
            now = health(floor)[1]
            assert (now["status"], said in now["said"]) == ("waiting", True), now
            time.sleep(0.4)
        assert floor.said.count("the floor waits for its store") == 1
        assert "the store answers again" not in floor.said
        asyncio.run(watched(floor, lambda shown: not is_held(shown), lambda: mend(somebody)))
        floor.until("the store answers again")
        assert health(floor)[0] == 200
        harm(somebody)
        time.sleep(1)
        began = time.monotonic()
        assert floor.stop(signal.SIGTERM) == WITHOUT_STORE
        assert time.monotonic() - began < GRACE_S + 1 + SLACK_S
        assert said in floor.said


@pytest.mark.nightly
def test_a_disk_that_stands_still_does_not_keep_the_floor_from_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store(str(tmp_path / "floor.db")).close()
    floor_file(tmp_path, "floor.db")
    monkeypatch.setattr("tests.cli.served.PUNTO", [sys.executable, str(Path(__file__).with_name("hanging.py"))])
    with serving(cwd=tmp_path) as floor:
        held = asyncio.run(watched(floor, is_held, (tmp_path / "frozen").touch))
        assert held["clock"] is None
        assert health(floor)[1]["status"] == "waiting"
        check_end(floor)
