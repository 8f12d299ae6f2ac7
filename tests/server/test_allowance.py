"""One visitor has so many pages, messages and unsent bytes, however many pages these come from."""

import asyncio
import contextlib
import json
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from bench.terminals import hello, masked
from tests.cli.served import serving
from tests.server.house import House, Page, house, setup
from tests.server.waiting import waits
from websockets.exceptions import InvalidStatus

from punto.server import allowance
from punto.server.allowance import Allowances
from punto.server.descriptors import KEPT, ROOM, Room

if TYPE_CHECKING:
    from punto.server.outlet import Outlet


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A visitor has ten messages, and one more a second."""
    monkeypatch.setattr(allowance, "_MOST_AT_ONCE", 10)
    monkeypatch.setattr(allowance, "_MOST_A_SECOND", 1)
    monkeypatch.setattr(allowance, "_REST_S", 0.2)


async def refused(opened: House, **who: str) -> tuple[int, str]:
    """The status and the code with which a page is not let in."""
    with pytest.raises(InvalidStatus) as caught:
        await opened.page(**who)
    answer = caught.value.response
    return answer.status_code, json.loads(answer.body)["code"]


def pongs(page: Page) -> int:
    return sum(told["t"] == "pong" for told in page.told)


def too_fast(page: Page) -> list[str]:
    return [told["id"] for told in page.told if told.get("code") == "too-fast"]


@asynccontextmanager
async def raw(opened: House, address: str) -> AsyncIterator[socket.socket]:
    """A connection that is let in and reads nothing after that."""
    loop = asyncio.get_running_loop()
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        connection.setblocking(False)
        await loop.sock_connect(connection, ("127.0.0.1", opened.port))
        await loop.sock_sendall(connection, hello(opened.port, f"/live?a={address}"))
        assert b" 101 " in await loop.sock_recv(connection, 16)
        yield connection


# Pages


@waits
async def test_guests_at_one_address_have_so_many_pages_and_nobody_else_has_fewer(tmp_path: Path) -> None:
    async with house(tmp_path, setup(), pages_per_address=3) as opened:
        first = await opened.page(a="10.0.0.1")
        for _ in range(2):
            await opened.page(a="10.0.0.1")
        there = len(opened.hall.connections)
        assert await refused(opened, a="10.0.0.1") == (429, "too-many-pages")
        assert len(opened.hall.connections) == there, "nothing was made for it"
        for others in ({"a": "10.0.0.2"}, {"p": "ann"}, {"s": "dora:dealer"}):
            await opened.page(**others)
        await first.close()
        await opened.until(lambda: len(opened.hall.connections) == there + 2)
        await opened.page(a="10.0.0.1")


@waits
async def test_a_terminal_and_a_member_of_staff_have_so_many_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(allowance, "_MOST_PAGES", 2)
    async with house(tmp_path, setup()) as opened:
        for who in ({"p": "ann"}, {"s": "dora:dealer"}):
            await opened.page(**who)
            await opened.page(**who)
            assert await refused(opened, **who) == (429, "too-many-pages")


def test_one_visitor_has_a_quarter_of_all_descriptors_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ROOM, "_most", 0)
    assert Allowances(200)._most_pages("address/10.0.0.1") == 200  # noqa: SLF001
    monkeypatch.setattr(ROOM, "_most", 400)
    assert Allowances(200)._most_pages("address/10.0.0.1") == 100  # noqa: SLF001


# Messages


@waits
@pytest.mark.usefixtures("few")
async def test_all_pages_of_one_visitor_share_their_messages(tmp_path: Path) -> None:
    async with house(tmp_path, setup()) as opened:
        one, two, other = [await opened.page(a=f"10.0.0.{host}") for host in (1, 1, 2)]
        for number in range(8):
            await one.send(t="ping", n=number)
        await one.until(lambda: pongs(one) == 8)
        for number in range(8):
            await two.send(t="stake", id=f"stake-{number}", table="1", wager="Tie", cents=100)
        await two.until(lambda: too_fast(two))
        assert too_fast(two)[0] in {"stake-2", "stake-3"}, "it is told whose answer that is"
        await other.send(t="ping", n=1)
        await other.until(lambda: pongs(other))


@waits
@pytest.mark.usefixtures("few")
async def test_a_page_whose_visitor_has_no_message_left_is_not_listened_to_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(allowance, "_REST_S", 0.4)
    async with house(tmp_path, setup()) as opened:
        page = await opened.page(a="10.0.0.1")
        for number in range(12):
            await page.send(t="ping", n=number)
        await page.until(lambda: too_fast(page))
        await asyncio.sleep(0.05)
        refused = len(too_fast(page))
        await page.send(t="ping", n=99)
        await asyncio.sleep(0.1)
        assert len(too_fast(page)) == refused
        await page.until(lambda: len(too_fast(page)) > refused)


@waits
async def test_who_closes_all_pages_and_comes_back_has_no_more_messages_than_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(allowance, "_MOST_AT_ONCE", 100)
    monkeypatch.setattr(allowance, "_MOST_A_SECOND", 200)
    allowances, outlet = Allowances(2), cast("Outlet", Pretended())
    first = allowances.enter("address/10.0.0.1", outlet)
    allowances.leave(first, outlet)
    await asyncio.sleep(0.4)
    again = allowances.enter("address/10.0.0.1", outlet)
    while again.take():
        pass
    allowances.leave(again, outlet)
    await asyncio.sleep(0.15)  # by now, whoever has not been here since the first page would be forgotten
    assert allowances.enter("address/10.0.0.1", outlet).refill() < 100


@waits
async def test_a_visitor_whose_last_page_is_gone_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowance, "_MOST_A_SECOND", 60_000)
    allowances = Allowances(2)
    outlets = [cast("Outlet", Pretended()) for _ in range(2)]
    taken = [allowances.enter("address/10.0.0.1", outlet) for outlet in outlets]
    assert len(allowances) == 1
    for one, outlet in zip(taken, outlets, strict=True):
        assert one.take()
        allowances.leave(one, outlet)
    assert len(allowances) == 1
    async with asyncio.timeout(5):
        while len(allowances):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


@waits
@pytest.mark.usefixtures("few")
async def test_frames_that_are_no_messages_count_as_messages(tmp_path: Path) -> None:
    async with house(tmp_path, setup()) as opened:
        here = len(opened.hall.connections)
        async with raw(opened, "10.0.0.1") as connection:
            await opened.until(lambda: len(opened.hall.connections) == here + 1)
            ping = b"\x89" + masked(b"hello")[1:]
            await asyncio.get_running_loop().sock_sendall(connection, ping * 12)
            await opened.until(lambda: len(opened.hall.connections) == here)


@waits
async def test_a_page_that_sends_hundreds_of_messages_at_once_is_cut_off(tmp_path: Path) -> None:
    async with house(tmp_path, setup()) as opened, raw(opened, "10.0.0.1") as connection:
        await opened.until(lambda: len(opened.hall.connections) == 1)
        await asyncio.get_running_loop().sock_sendall(connection, masked(b'{"t":"ping"}') * 500)
        await opened.until(lambda: not opened.hall.connections)


@waits
async def test_pages_that_rest_are_not_listened_to_again_all_at_once() -> None:
    own = allowance.Allowance("address/10.0.0.1", 9)
    rests = [own.rest_s() for _ in range(25)]
    assert rests[0] == pytest.approx(1, abs=0.01)
    assert rests[-1] - rests[0] == pytest.approx(0.1, abs=0.02)


# Unsent bytes


class Pretended:
    """An outlet that says how much it has not sent."""

    def __init__(self, unsent: int = 0) -> None:
        self.unsent = unsent
        self.allowance: Any = None

    def cut(self) -> None:
        self.unsent = 0


@waits
async def test_of_too_many_unsent_bytes_those_pages_are_let_go_that_read_least(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowance, "_COUNT_AFTER_S", 0)
    monkeypatch.setattr(allowance, "_MOST_UNSENT", 1_500)
    monkeypatch.setattr(allowance, "_COUNT_EVERY", 100)
    allowances = Allowances(9)
    outlets = [Pretended(size) for size in (900, 0, 800, 500)]
    for outlet in outlets:
        allowances.enter("address/10.0.0.1", cast("Outlet", outlet))
    own = outlets[0].allowance
    own.wrote(99)
    await asyncio.sleep(0.01)
    assert [outlet.unsent for outlet in outlets] == [900, 0, 800, 500], "nobody counts at every message"
    own.wrote(1)
    await asyncio.sleep(0.01)
    assert [outlet.unsent for outlet in outlets] == [0, 0, 800, 500]


@waits
async def test_pages_that_read_nothing_are_let_go_and_the_one_that_reads_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(allowance, "_MOST_UNSENT", 500_000)
    monkeypatch.setattr(allowance, "_COUNT_EVERY", 10_000)
    long = masked(json.dumps({"t": "redeem", "id": "x" * 19_000, "table": "1", "code": ""}).encode())
    async with house(tmp_path, setup()) as opened:
        page = await opened.page(a="10.0.0.1")
        async with contextlib.AsyncExitStack() as stack:
            there = [await stack.enter_async_context(raw(opened, "10.0.0.1")) for _ in range(8)]
            await opened.until(lambda: len(opened.hall.connections) == 9)
            for each in opened.hall.connections:  # else this machine itself keeps megabytes for each
                transport = each._outlet._protocol.transport  # noqa: SLF001
                transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)
            for _ in range(48):  # less than a megabyte each, which is the limit of a single page
                for connection in there:
                    with contextlib.suppress(OSError):
                        connection.send(long)
                await asyncio.sleep(0.005)
            await opened.until(lambda: len(opened.hall.connections) < 9)
            await page.send(t="ping", n=1)
            await page.until(lambda: pongs(page))


# Descriptors


def test_guests_leave_the_last_descriptors_to_others() -> None:
    room = Room()
    assert not room.is_reserved(10_000)  # where there is no limit, there is always room
    room.begin(1_000)
    assert [room.is_reserved(1_000 - KEPT - 125 + more) for more in (-1, 0)] == [False, True]
    room.begin(160)
    assert [room.is_reserved(160 - KEPT - 32 + more) for more in (-1, 0)] == [False, True]


@pytest.mark.skipif(sys.platform == "darwin", reason="one address of this machine only")
def test_staff_get_in_and_health_answers_while_guests_take_all_that_they_can(tmp_path: Path) -> None:
    shell = ("sh", "-c", 'ulimit -Sn 100 && ulimit -Hn 200 && exec "$@"', "sh")
    with (
        serving("--demonstration", "--folder", "kept", "--port", "0", cwd=tmp_path, before=shell) as floor,
        contextlib.ExitStack() as stack,
    ):
        floor.get("/health")
        port = int(floor.address.rpartition(":")[2])

        def ask(address: str, cookie: str = "") -> bytes:
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), 10, (address, 0)))
            connection.sendall(hello(port, "/live", cookie))
            return connection.recv(2_000)

        one = [ask("127.0.0.1") for _ in range(60)]
        assert sum(b" 101 " in answer[:20] for answer in one) == 200 // 4
        assert b"too-many-pages" in one[-1]
        others = [ask("127.0.0.2") for _ in range(50)]
        assert 0 < sum(b" 101 " in answer[:20] for answer in others) < 50
        assert b'"full"' in others[-1]
        assert floor.get("/health")["status"] == "well"
        browser = build_opener(cookies := HTTPCookieProcessor())
        link = floor.until(r"(http://\S+/enter/\S+)").group(1)
        with contextlib.suppress(HTTPError):  # the page that it leads to need not be built
            browser.open(link, timeout=10).close()
        token = "; ".join(f"{cookie.name}={cookie.value}" for cookie in cookies.cookiejar)
        assert b" 101 " in ask("127.0.0.2", token)[:20]
        stack.close()
        assert floor.stop() == 0
