"""Pages that are open when somebody is no longer let in: they are told so and dropped, at once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from tests.server.house import Page, setup
from tests.server.identity.lobby import PASSWORD, Lobby, _cheap_hashes, lobby
from tests.server.waiting import waits
from websockets.asyncio.client import connect

from punto.rules import Position
from punto.server import attendance
from punto.server.config import TableConfig
from punto.server.outlet import LiveProtocol

__all__ = ["_cheap_hashes"]


class Street(Lobby):
    """A lobby on a real port."""

    def __init__(self, opened: Lobby, port: int) -> None:
        super().__init__(opened.server, opened.clock)
        self.port = port
        self.pages: list[Page] = []

    async def page(self, **cookies: str) -> Page:
        sent = "; ".join(f"punto_{name}={token}" for name, token in cookies.items())
        address = f"127.0.0.1:{self.port}"
        page = Page(
            await connect(
                f"ws://{address}/live",
                origin=f"http://{address}",  # type: ignore[arg-type]
                additional_headers={"Cookie": sent},
                proxy=None,
            )
        )
        self.pages.append(page)
        await page.until(lambda: page.told)
        return page


@asynccontextmanager
async def street(
    folder: Path,
    *more: TableConfig,
    idle_s: float = 1800,
    demonstration: bool = True,
    **more_config: Any,  # noqa: ANN401
) -> AsyncIterator[Street]:
    table = TableConfig(key="1", setup=setup(bets_ms=60_000), automatic=False)
    async with lobby(folder, table, *more, demonstration=demonstration, idle_s=idle_s, **more_config) as opened:
        config = uvicorn.Config(
            opened.server, port=0, ws=LiveProtocol, ws_per_message_deflate=False, lifespan="off", log_config=None
        )
        web = uvicorn.Server(config)
        web.capture_signals = nullcontext  # type: ignore[assignment,method-assign]
        serving = asyncio.create_task(web.serve())
        while not web.started:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        there = Street(opened, web.servers[0].sockets[0].getsockname()[1])
        try:
            yield there
        finally:
            for page in there.pages:
                await page.close()
            web.should_exit = True
            await serving


async def ended(page: Page) -> str:
    """The code with which a page was ended, before it has asked for anything more."""
    await page.gone()
    last = page.told[-1]
    assert last["t"] == "ended"
    assert page.socket.close_code == 1008
    code: str = last["code"]
    return code


@waits
async def test_pages_of_a_session_that_is_revoked_are_told_and_dropped_at_once(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        await there.hired("dan", Position.DEALER)
        dan, token = await there.identity.sign_in("dan", PASSWORD)
        _, other = await there.identity.sign_in("dan", PASSWORD)
        pages = [await there.page(staff=token), await there.page(staff=token)]
        stays = await there.page(staff=other)
        assert pages[0].told[0]["staff"] == "dan"
        await pages[0].ask("take-table", table="1")
        assert there.server.hall.tables["1"].dealer_name == "dan"
        await there.identity.revoke(await there.session(), dan.id)
        assert [await ended(page) for page in pages] == ["revoked", "revoked"]
        await stays.send(t="ping", n=1)
        await stays.until(lambda: {"t": "pong", "n": 1} in stays.told)
        assert len(there.server.hall.connections) == 1
        # Nobody deals at a table whose dealer was sent away.
        assert there.server.hall.tables["1"].dealer_name == ""


@waits
async def test_a_page_on_which_nobody_does_anything_ends_and_asking_whether_we_are_there_is_not_doing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with street(tmp_path, idle_s=600) as there:
        await there.hired("dan", Position.DEALER)
        (_, idle), (_, busy) = [await there.identity.sign_in("dan", PASSWORD) for _ in range(2)]
        idler, worker = await there.page(staff=idle), await there.page(staff=busy)
        monkeypatch.setattr(attendance, "_AT_FIRST_S", 0.0)  # neither has come just now
        there.clock.go(9)
        await idler.send(t="ping", n=1)
        await idler.socket.send("no message at all")
        await worker.send(t="watch", table="1", role="staff")
        await idler.until(lambda: any(each["t"] == "pong" for each in idler.told))
        await worker.until(lambda: "1" in worker.staff)
        there.clock.go(2)
        assert await ended(idler) == "idle"
        await worker.send(t="ping", n=2)
        await worker.until(lambda: {"t": "pong", "n": 2} in worker.told)


@waits
async def test_a_page_that_only_comes_back_again_and_again_is_no_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attendance, "_AT_FIRST_S", 3_600.0)  # each has come just now, however slow the machine
    async with street(tmp_path, idle_s=600) as there:
        await there.hired("dan", Position.DEALER)
        _, token = await there.identity.sign_in("dan", PASSWORD)
        for _ in range(3):
            page = await there.page(staff=token)
            await page.send(t="watch", table="1", role="staff")
            await page.until(lambda page=page: "1" in page.staff)  # type: ignore[misc]
            there.clock.go(4)
            last = page
        assert await ended(last) == "idle"


@waits
async def test_who_is_lent_a_position_has_it_on_every_open_page(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        await there.hired("dan", Position.DEALER)
        _, token = await there.identity.sign_in("dan", PASSWORD)
        page = await there.page(staff=token)
        await there.identity.accounts.let_act(await there.session(), "dan", Position.PIT_MANAGER, 60_000)
        await page.until(lambda: page.told[-1].get("position") == "pit-manager")
        there.clock.go(1)
        await page.until(lambda: page.told[-1].get("position") == "dealer")


@waits
async def test_a_terminal_that_is_withdrawn_is_told_and_dropped(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        greta = await there.session()
        offered = await there.identity.devices.offer(greta, 7, "")
        first = await there.page(terminal=await there.identity.enrol(offered.code))
        assert first.told[0]["patron"] == "terminal-7"
        offered = await there.identity.devices.offer(greta, 7, "")
        token = await there.identity.enrol(offered.code)
        assert await ended(first) == "replaced"
        second = await there.page(terminal=token)
        await there.identity.devices.revoke(greta, "terminal-7")
        assert await ended(second) == "revoked"
        assert (await there.page(terminal=token)).told[0]["patron"] == ""


@waits
async def test_a_seat_stays_when_the_same_browser_signs_out_as_staff(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        guest = await there.identity.enrol_guest()
        session, token = await there.identity.sign_in("greta", PASSWORD)
        seat, console = await there.page(terminal=guest, staff=token), await there.page(terminal=guest, staff=token)
        await seat.sit("1", 0)
        await console.send(t="watch", table="1", role="staff")
        await console.until(lambda: "1" in console.staff)
        await there.identity.sign_out(session)
        assert await ended(console) == "signed-out"
        await seat.until(lambda: [each for each in seat.told if each["t"] == "welcome"][-1]["staff"] == "")
        await seat.send(t="watch", table="1", role="staff")
        await seat.until(lambda: seat.told[-1].get("code") == "not-allowed")
