"""How many connections one address may have open."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from tests.server.identity.lobby import _cheap_hashes, lobby
from tests.server.waiting import waits
from websockets.asyncio.client import connect

from punto.errors import TooFast
from punto.server.app import Server
from punto.server.crowd import Crowd
from punto.server.outlet import LiveProtocol, RequestProtocol

__all__ = ["_cheap_hashes"]

HOME, OTHER = ("10.0.0.1", 5), ("10.0.0.2", 5)


def test_an_address_has_so_many_connections_and_no_more_until_one_goes() -> None:
    crowd = Crowd()
    crowd.begin(2)
    first, second, third = object(), object(), object()
    assert [crowd.enter(each, HOME) for each in (first, second, third)] == [True, True, False]
    assert crowd.enter(third, OTHER)
    crowd.leave(first)
    crowd.leave(first)
    assert crowd.enter(first, HOME)
    assert crowd.turned_away == 1
    for each in (first, second, third):
        crowd.leave(each)
    assert len(crowd) == 0


def test_a_network_of_ipv6_counts_as_one() -> None:
    crowd = Crowd()
    crowd.begin(1)
    assert crowd.enter(object(), ("2001:db8::1", 5))
    assert not crowd.enter(object(), ("2001:db8::2", 5))
    assert crowd.enter(object(), ("2001:db8:0:1::1", 5))


@pytest.mark.parametrize("peer", [("127.0.0.1", 5), ("::1", 5), ("10.9.0.3", 5), None, ("", 5)])
def test_this_machine_and_its_proxies_are_not_counted(peer: tuple[str, int] | None) -> None:
    crowd = Crowd()
    crowd.begin(1, ["10.9.0.0/24"])
    assert all(crowd.enter(object(), peer) for _ in range(5))


def test_without_a_limit_everybody_comes_in() -> None:
    crowd = Crowd()
    assert all(crowd.enter(object(), HOME) for _ in range(5))
    with crowd.under_way("10.0.0.1"), crowd.under_way("10.0.0.1"):
        assert len(crowd) == 0


def test_behind_a_proxy_what_is_under_way_counts() -> None:
    crowd = Crowd()
    crowd.begin(1, ["127.0.0.1"])
    with (
        crowd.under_way("10.0.0.1"),
        crowd.under_way("10.0.0.2"),
        pytest.raises(TooFast, match="1 connections open"),
        crowd.under_way("10.0.0.1"),
    ):
        pass
    with crowd.under_way("10.0.0.1"):
        pass
    assert len(crowd) == 0


class Strict(Crowd):
    """One that counts this machine's own addresses, too: from no other can a test come."""

    @staticmethod
    def _is_free(_: str) -> bool:
        return False


@waits
async def test_who_has_too_many_open_is_told_so_and_finds_room_once_one_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd = Strict()
    crowd.begin(3)
    monkeypatch.setattr("punto.server.outlet.CROWD", crowd)
    async with lobby(tmp_path, demonstration=True) as opened, serving(opened.server) as port:
        pages = [await connect(f"ws://127.0.0.1:{port}/live", origin=_origin(port), proxy=None) for _ in range(2)]
        _, held = await asyncio.open_connection("127.0.0.1", port)
        reader, refused = await asyncio.open_connection("127.0.0.1", port)
        assert (await reader.readline()).startswith(b"HTTP/1.1 429 ")
        assert b'"too-fast"' in await reader.read()
        held.close()
        refused.close()
        await pages.pop().close()
        while crowd.open_at("127.0.0.1") > 1:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        again = await connect(f"ws://127.0.0.1:{port}/live", origin=_origin(port), proxy=None)
        for page in (*pages, again):
            await page.close()
        while len(crowd):  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def _origin(port: int) -> Any:  # noqa: ANN401 (as the library has it)
    return f"http://127.0.0.1:{port}"


@asynccontextmanager
async def serving(server: Server) -> AsyncIterator[int]:
    """The server on a port that nobody has."""
    config = uvicorn.Config(
        server,
        port=0,
        http=RequestProtocol,
        ws=LiveProtocol,
        lifespan="off",
        log_config=None,
        ws_per_message_deflate=False,
    )
    web = uvicorn.Server(config)
    web.capture_signals = nullcontext  # type: ignore[assignment,method-assign]
    running = asyncio.create_task(web.serve())
    while not web.started:  # noqa: ASYNC110
        await asyncio.sleep(0.005)
    try:
        yield web.servers[0].sockets[0].getsockname()[1]
    finally:
        web.should_exit = True
        await running
