"""A floor for tests of the API: tables that are dealt fast or by hand, and browsers of guests, staff and nobody."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, cast

import httpx

from punto.rules import Method, Position
from punto.rules.money import Cents
from punto.server.app import Server, make
from punto.server.clockwork import Pace
from punto.server.config import FloorConfig, TableConfig
from punto.server.ids import fresh_id
from punto.table import Actor, Command, Limit, Setup, Source, Timings, with_virtual_cards
from punto.table import commands as do

ADDRESS: Final = "http://127.0.0.1:8421"
QUICK: Final = Pace(card_ms=1, speech_ms=1, result_ms=30, shoe_ms=1, cut_ms=1)
DORA: Final = Actor("dora", Position.DEALER)
PIT: Final = Actor("pia", Position.PIT_MANAGER)
LIMITS: Final = {"*": Limit(Cents(500), Cents(500_000))}
CARD: Final = re.compile(r"(?:10|[2-9TJQKA])[shdc]")


def setup(game: str = "fortune-six", **more: Any) -> Setup:  # noqa: ANN401
    """A table with a virtual shoe and short times."""
    usual: dict[str, Any] = {"timings": Timings(bets_ms=50, answer_ms=50), "limits": LIMITS}
    made = Setup(game=game, **usual | more)
    return made if "source" in more else with_virtual_cards(made)


# A table that runs by itself, one that is dealt by hand with all cards face down, and one with a shoe that reads.
RUNNING: Final = TableConfig(key="1", setup=setup(), pace=QUICK, always=True)
BY_HAND: Final = TableConfig(key="2", setup=setup("baccarat", method=Method.A), automatic=False)
READ: Final = TableConfig(key="3", setup=setup("tiger", source=Source.DEVICE), automatic=False)


def configured(folder: Path, *tables: TableConfig, **more: Any) -> FloorConfig:  # noqa: ANN401
    return FloorConfig(
        tables=tables or (RUNNING, BY_HAND, READ),
        store=f"sqlite:{folder / 'floor.db'}",
        key_file=str(folder / "floor.key"),
        grace_s=0,
        demonstration=True,
        **more,
    )


class Opened:
    """A server that has begun."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.hall = server.hall
        self._browsers: list[httpx.AsyncClient] = []

    def nobody(self, address: str = "10.0.0.7", **headers: str) -> httpx.AsyncClient:
        """A browser of nobody in particular, on a page of the floor's."""
        transport = httpx.ASGITransport(cast("Any", self.server), client=(address, 1234))
        headers = {"origin": ADDRESS} | headers
        browser = httpx.AsyncClient(transport=transport, base_url=ADDRESS, headers=headers, trust_env=False)
        self._browsers.append(browser)
        return browser

    async def guest(self) -> tuple[httpx.AsyncClient, Actor]:
        """A guest's browser, and who the guest is."""
        browser = self.nobody()
        name = (await browser.post("/api/guest")).json()["patron"]
        return browser, Actor(name, Position.PATRON)

    async def staff(self, position: Position = Position.PIT_MANAGER, name: str = "pia") -> httpx.AsyncClient:
        """A browser of staff, who came by a link."""
        browser = self.nobody()
        entered = await browser.get(f"/enter/{self.server.identity.link(name, position)}")
        assert entered.status_code in {302, 303, 307}, entered.text
        return browser

    async def do(self, kind: type[Command], by: Actor, table: str = "2", **fields: Any) -> Any:  # noqa: ANN401
        """Give a command."""
        command: Any = kind(id=fresh_id(), table=table, by=by, at_ms=self.hall.now_ms(), **fields)
        return await self.hall.writer.give(command)

    async def stake(self, patron: Actor, wager: str, cents: int, table: str = "2", position: int = 1) -> None:
        """Put a stake on a wager, of a patron who has just bought in for it."""
        at: dict[str, Any] = {"table": table, "patron": patron.name, "position": position}
        await self.do(do.BuyIn, patron, cents=Cents(cents), **at)
        await self.do(do.SetStake, patron, wager=wager, stake_cents=Cents(cents), **at)

    async def deal(self, table: str = "2") -> None:
        """Do what is due, by hand, until the round is over."""
        from punto.floor.croupier import next_step  # noqa: PLC0415

        while self.hall.tables[table].table.phase.value not in {"settled", "void"}:
            step = next_step(self.hall.tables[table].table)
            assert step
            await self.do(step.do, DORA, table, **step.fields)

    async def until(self, is_so: Callable[[], Any]) -> None:
        """Wait until something is so."""
        async with asyncio.timeout(20):
            while not is_so():  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def close(self) -> None:
        for browser in self._browsers:
            await browser.aclose()


@asynccontextmanager
async def opened(folder: Path, *tables: TableConfig, **more: Any) -> AsyncIterator[Opened]:  # noqa: ANN401
    """A floor, from its beginning to its end."""
    server = make(configured(folder, *tables, **more))
    await server.begin()
    floor = Opened(server)
    try:
        yield floor
    finally:
        await floor.close()
        await server.finish()
        server.hall.close()


def texts(plain: object) -> Iterator[str]:
    """Every text in an answer, wherever it is."""
    match plain:
        case str():
            yield plain
        case dict():
            for key, value in plain.items():
                yield from texts(key)
                yield from texts(value)
        case list():
            for value in plain:
                yield from texts(value)


def cards_in(plain: object) -> set[str]:
    """Every word of an answer that reads as a card."""
    words = (word for text in texts(plain) for word in re.split(r"[^A-Za-z0-9]+", text))
    return {word for word in words if CARD.fullmatch(word)}
