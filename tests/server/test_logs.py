"""Logs: one line for each thing that happened, and no secret in any of them."""

import asyncio
import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import structlog
from tests.server.http.floor import configured, opened
from tests.server.http.running import running
from tests.server.identity.lobby import _cheap_hashes
from tests.server.waiting import waits
from websockets.asyncio.client import connect

from punto.rules import Position
from punto.server.logs import set_up

__all__ = ["_cheap_hashes"]

PASSWORD = "planted-password-xyzzy"
PLANTED = "planted-secret-plugh"


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """Everything that is logged, at its most talkative."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    text = io.StringIO()
    set_up("debug", text)
    yield text
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.getLogger("punto").setLevel(logging.NOTSET)
    structlog.reset_defaults()


async def sit_and_cash(live: str, origin: str, cookies: dict[str, str]) -> str:
    """A session at a table by WebSocket: the code of the ticket at its end."""
    cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
    async with connect(
        f"{live}?q={PLANTED}", additional_headers={"cookie": cookie, "origin": origin}, proxy=None
    ) as live_:
        await live_.send(json.dumps({"t": "sit", "table": "1"}))
        await live_.send(json.dumps({"t": "buy", "id": "b1", "table": "1", "cents": 10_000}))
        async with asyncio.timeout(20):
            async for frame in live_:
                for message in json.loads(frame):
                    if message["t"] == "accepted":
                        await live_.send(json.dumps({"t": "collect", "id": "c1", "table": "1"}))
                    if message["t"] == "ticket":
                        return str(message["code"])
    raise AssertionError("no ticket came")


@pytest.mark.usefixtures("_cheap_hashes")
def test_a_whole_session_leaves_no_secret_in_the_logs(tmp_path: Path, logged: io.StringIO) -> None:
    with running(configured(tmp_path)) as server:
        identity = server.server.identity
        server.call(identity.first_account("greta", PASSWORD))
        link = identity.link("dora", Position.DEALER)
        origin = {"origin": server.address}
        secrets = [PASSWORD, PLANTED, link]
        with httpx.Client(base_url=server.address, headers=origin, trust_env=False) as browser:
            browser.get(f"/enter/{link}")
            browser.get(f"/enter/{PLANTED}")
            browser.post("/api/sign-in", json={"name": "greta", "password": PASSWORD}).raise_for_status()
            browser.post("/api/sign-in", json={"name": "greta", "password": PLANTED})
            browser.post("/api/sign-in", content=PLANTED.encode())
            browser.get(f"/api/tables?token={PLANTED}")
            browser.get(f"/api/tables/{PLANTED}", headers={"authorization": f"Bearer {PLANTED}"})
            browser.get("/api/books", headers={"cookie": f"punto_staff={PLANTED}"})
            browser.get(f"/{PLANTED}")
            browser.post("/api/verify", content=PLANTED.encode())
            browser.post("/api/guest")
            body = {"table": "1", "patron": "ann", "cents": 1, "reason": "r"}
            browser.post("/api/corrections", json=body | {"password": PLANTED})
            cookies = dict(browser.cookies)
            assert len(cookies) == 3
            secrets += cookies.values()
        secrets.append(asyncio.run(sit_and_cash(server.live, server.address, cookies)))
    text = logged.getvalue()
    lines = [json.loads(line) for line in text.splitlines()]
    assert sum(line["event"] == "a request" for line in lines) > 5
    assert any(line["logger"] == "punto.security" for line in lines)
    assert {line["route"] for line in lines if "route" in line} >= {"/enter/{code}", "/api/sign-in", "none"}
    assert [secret for secret in secrets if secret in text] == []


def test_what_is_named_like_a_secret_is_never_logged(logged: io.StringIO) -> None:
    log = structlog.get_logger("punto.test")
    log.info("said", password=PLANTED, token=PLANTED, cookie=PLANTED, code="Ab3-XyZ9", table="1")
    log.info("said", code="no-such-table")
    first, second = (json.loads(line) for line in logged.getvalue().splitlines())
    assert PLANTED not in json.dumps(first)
    assert (first["code"], first["table"], second["code"]) == ("…", "1", "no-such-table")


def test_a_fault_is_logged_with_its_traceback_and_without_what_was_in_its_variables(logged: io.StringIO) -> None:
    def fail(password: str) -> None:
        raise RuntimeError(f"failed at {len(password)}")

    try:
        fail(PLANTED)
    except RuntimeError as error:
        structlog.get_logger("punto.test").error("it failed", exc_info=error)
    [line] = map(json.loads, logged.getvalue().splitlines())
    assert "RuntimeError: failed at" in line["exception"]
    assert PLANTED not in line["exception"]


def test_on_a_terminal_logs_are_readable(logged: io.StringIO) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    assert logged is not None
    screen = Terminal()
    set_up("warning", screen)
    structlog.get_logger("punto.test").info("not told")
    structlog.get_logger("punto.test").warning("it is told", table="1")
    assert "it is told" in screen.getvalue()
    assert "not told" not in screen.getvalue()


@waits
async def test_a_request_that_a_closing_floor_gives_up_is_no_failure(tmp_path: Path, logged: io.StringIO) -> None:
    async with opened(tmp_path) as floor:
        asking = asyncio.create_task(floor.nobody().get("/api/tables/2/shoes"))
        await floor.until(lambda: floor.hall.pool.pids)
        await floor.server.finish()
        answer = await asking
    assert (answer.status_code, answer.json()["code"]) == (503, "closing")
    lines = [json.loads(line) for line in logged.getvalue().splitlines()]
    assert [line for line in lines if line["level"] in {"warning", "error"}] == []
    [line] = [line for line in lines if line["event"] == "a request came while the floor was closing"]
    assert (line["level"], line["route"], line["status"]) == ("info", "/api/tables/{key}/shoes", 503)


@waits
async def test_whoever_hangs_up_in_the_middle_of_a_body_is_no_failure(tmp_path: Path, logged: io.StringIO) -> None:
    with running(configured(tmp_path)) as floor:
        host = floor.address.removeprefix("http://")
        _, writer = await asyncio.open_connection(*host.split(":"))
        writer.write(f"POST /api/sign-in HTTP/1.1\r\nHost: {host}\r\nOrigin: {floor.address}\r\n".encode())
        writer.write(b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
        await writer.drain()
        writer.close()
        for _ in range(100):
            lines = [json.loads(line) for line in logged.getvalue().splitlines()]
            if any("/api/sign-in" in str(line.get("route")) for line in lines):
                break
            await asyncio.sleep(0.05)
    [line] = [line for line in lines if "/api/sign-in" in str(line.get("route"))]
    assert (line["level"], line["status"]) == ("info", 400)
    assert [line for line in lines if line["level"] == "error"] == []
