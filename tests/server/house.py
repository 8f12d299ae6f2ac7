"""A real server on a real port, for one test: tables that deal fast, and pages that remember all they were told."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs

import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from punto.errors import Corrupt
from punto.floor import Floor, Keys
from punto.floor.shuffle import by_chance
from punto.rules import Position
from punto.server.allowance import Allowances
from punto.server.clockwork import Pace
from punto.server.config import PAGES_PER_ADDRESS
from punto.server.hall import Hall
from punto.server.identity import Papers
from punto.server.ids import fresh_id
from punto.server.live import Live
from punto.server.outlet import LiveProtocol
from punto.server.wire.tells import Welcome
from punto.store import SqliteStore, Store
from punto.table import Actor, Setup, Timings, with_virtual_cards
from punto.table import commands as do

HOUSE: Final = Actor("house", Position.GAMING_SHIFT_MANAGER)
QUICK: Final = Pace(card_ms=10, speech_ms=10, result_ms=120, shoe_ms=10, cut_ms=60)
ABOUT: Final = Welcome("Test", True, "$", ("en", "zh"), "", "", "", 0)
_PATIENCE_S: Final = 15.0

Message = dict[str, Any]


class ByName:
    """Who is behind a page, as its address says: `?p=ann` a patron, `?s=dora:dealer` staff."""

    def patron(self, scope: dict[str, Any]) -> Actor | None:
        name = _query(scope, "p")
        return Actor(name, Position.PATRON) if name else None

    def staff(self, scope: dict[str, Any]) -> Actor | None:
        name, _, position = _query(scope, "s").partition(":")
        return Actor(name, Position(position)) if name else None

    def visitor(self, scope: dict[str, Any]) -> str:
        patron, staff = self.patron(scope), self.staff(scope)
        if staff is not None:
            return f"staff/{staff.name}"
        return f"terminal/{patron.name}" if patron is not None else f"address/{_query(scope, 'a') or '127.0.0.1'}"

    def is_ours(self, scope: dict[str, Any]) -> bool:
        return not _query(scope, "strange")

    def papers(self, _: dict[str, Any]) -> Papers:
        return Papers()

    def listen(self, _: object) -> None:
        """Nothing ever happens to anybody here."""

    def active(self, _: Papers) -> None:
        """Nobody is ever idle here."""

    def staff_with(self, _: Papers) -> Actor | None:
        return None


def _query(scope: dict[str, Any], name: str) -> str:
    return str(parse_qs(scope["query_string"].decode()).get(name, [""])[0])


def setup(game: str = "fortune-six", bets_ms: int = 400, **more: Any) -> Setup:  # noqa: ANN401
    """A table with short times, and a virtual shoe unless told."""
    timings = Timings(bets_ms=bets_ms, answer_ms=more.pop("answer_ms", 400))
    made = Setup(**{"game": game, "timings": timings, **more})
    return made if "source" in more else with_virtual_cards(made)


class Page:
    """A page: what it was told, and the state that follows from it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[str] = []
        self.told: list[Message] = []
        self.tables: dict[str, Message] = {}
        self.own: dict[str, Message] = {}
        self.staff: dict[str, Message] = {}
        self.purse: Message = {}
        self.tiles: dict[str, Message] = {}
        self.answers: dict[str, Message] = {}
        # Ids of which it was said that nobody knows yet, as often as that was said.
        self.in_doubt: list[str] = []
        self._ids = count(1)
        self._news = asyncio.Event()
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        try:
            async for frame in self.socket:
                assert isinstance(frame, str)
                self.frames.append(frame)
                for message in json.loads(frame):
                    self._take(message)
                self._news.set()
        except ConnectionClosed:
            pass
        finally:
            self._news.set()

    def _take(self, message: Message) -> None:
        self.told.append(message)
        match message:
            case {"t": "table", "table": key, "set": fields, "whole": whole}:
                self.tables[key] = fields if whole else self.tables[key] | fields
            case {"t": "own", "table": key, "set": fields}:
                self.own[key] = self.own.get(key, {}) | fields
            case {"t": "staff", "table": key, "set": fields}:
                self.staff[key] = self.staff.get(key, {}) | fields
            case {"t": "floor", "tiles": tiles}:
                self.tiles |= {tile["key"]: tile for tile in tiles}
            case {"t": "purse", "purse": purse}:
                self.purse = purse
            case {"t": "accepted" | "proposed" | "refused" | "ticket", "id": id_}:
                self.answers[id_] = message
            case {"t": "unknown", "id": id_}:
                self.in_doubt.append(id_)

    async def send(self, **message: Any) -> None:  # noqa: ANN401
        """Send a message."""
        await self.socket.send(json.dumps(message))

    async def ask(self, t: str, **message: Any) -> Message:  # noqa: ANN401
        """Send a message that has an id, and wait for its answer."""
        id_ = message.pop("id", None) or f"{fresh_id()}-{next(self._ids)}"
        await self.send(t=t, id=id_, **message)
        await self.until(lambda: id_ in self.answers)
        return self.answers[id_]

    async def act(self, table: str, do: str, **fields: Any) -> Message:  # noqa: ANN401
        """Give a command, and wait for its answer."""
        return await self.ask("do", table=table, act={"do": do, **fields})

    async def confirm(self, table: str, digest: str, **more: str) -> Message:
        """Confirm, as the second person, what somebody has proposed, and wait for the answer."""
        return await self.ask("confirm", table=table, digest=digest, **more)

    async def take(self, table: str) -> None:
        """Take a table, as its dealer."""
        assert (await self.ask("take-table", table=table))["t"] == "accepted"

    async def sit(self, table: str, cents: int = 1_000_000) -> None:
        """Sit down with so many credits."""
        await self.send(t="sit", table=table)
        await self.until(lambda: table in self.own)
        if cents:
            assert (await self.ask("buy", table=table, cents=cents))["t"] == "accepted"

    async def stake(self, table: str, wager: str, cents: int, **more: Any) -> Message:  # noqa: ANN401
        """Put a stake on a wager."""
        return await self.ask("stake", table=table, wager=wager, cents=cents, **more)

    async def phase(self, table: str, *phases: str) -> None:
        """Wait until the table is in one of the phases."""
        await self.until(lambda: self.tables.get(table, {}).get("phase") in phases)

    async def until(self, is_so: Callable[[], Any]) -> None:
        """Wait until something is so."""
        async with asyncio.timeout(_PATIENCE_S):
            while not is_so():
                self._news.clear()
                await self._news.wait()
                assert is_so() or not self._listening.done(), f"hung up: {self.socket.close_reason}"

    async def gone(self) -> None:
        """Wait until the connection is closed."""
        async with asyncio.timeout(_PATIENCE_S):
            await asyncio.wait([self._listening])

    async def close(self) -> None:
        """Close the page."""
        await self.socket.close()
        await self._listening


class House:
    """A hall, its server, and the pages that were opened."""

    def __init__(self, hall: Hall, port: int) -> None:
        self.hall = hall
        self.port = port
        self._pages: list[Page] = []

    @property
    def floor(self) -> Floor:
        return self.hall.writer.floor

    async def page(self, **who: str) -> Page:
        """A page: p="ann" of a patron, s="dora:dealer" of staff, neither of anybody."""
        query = "&".join(f"{key}={value}" for key, value in who.items())
        page = Page(await connect(f"ws://127.0.0.1:{self.port}/live?{query}", proxy=None))
        self._pages.append(page)
        await page.until(lambda: page.told)
        return page

    async def until(self, is_so: Callable[[], Any]) -> None:
        """Wait until something is so in the hall, which tells no page of it."""
        async with asyncio.timeout(_PATIENCE_S):
            while not is_so():  # noqa: ASYNC110
                await asyncio.sleep(0.005)

    async def at_rest(self, table: str) -> bool:
        """Whether nothing happens at a table any more unless somebody does something."""
        await self.hall.writer.settle_down()
        clockwork = self.hall.tables[table].clockwork
        return clockwork._timer is None and not clockwork._acting  # noqa: SLF001

    async def close(self) -> None:
        for page in self._pages:
            await page.close()


@asynccontextmanager
async def house(
    folder: Path,
    *tables: Setup,
    pace: Pace = QUICK,
    automatic: bool = True,
    always: bool = False,
    about: Welcome = ABOUT,
    shuffle: Callable[[Any], Any] = by_chance,
    store: Store | None = None,
    pages_per_address: int = PAGES_PER_ADDRESS,
) -> AsyncIterator[House]:
    """A house whose file has these tables, "1", "2" and so on."""
    floor = Floor(store or SqliteStore(folder / "floor.db"), Keys.at(folder / "floor.key"), shuffle)
    hall = Hall(floor, about)
    keys = [str(number) for number, _ in enumerate(tables, 1)]
    for key, table in zip(keys, tables, strict=True):
        try:
            _open(floor, key, table, hall.now_ms())
            hall.host(key, automatic=automatic, pace=pace, always=always, file=table)
        except Corrupt as error:
            hall.host_stopped(key, error, automatic=automatic, file=table)
    live = Live(hall, ByName(), Allowances(pages_per_address))
    config = uvicorn.Config(
        live, port=0, ws=LiveProtocol, ws_per_message_deflate=False, lifespan="off", log_config=None
    )
    server = uvicorn.Server(config)
    server.capture_signals = _no_signals  # type: ignore[method-assign]
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110
        await asyncio.sleep(0.005)
    hall.begin()
    port = server.servers[0].sockets[0].getsockname()[1]
    opened = House(hall, port)
    try:
        yield opened
    finally:
        await opened.close()
        server.should_exit = True
        await serving
        await hall.pool.stop()
        hall.close()


def _open(floor: Floor, key: str, table: Setup, at_ms: int) -> None:
    if floor.table(key).setup is None:
        floor.handle(do.OpenTable(id=fresh_id(), table=key, by=HOUSE, at_ms=at_ms, setup=table))
    floor.recover(at_ms, [key])


def _no_signals() -> Any:  # noqa: ANN401
    from contextlib import nullcontext  # noqa: PLC0415

    return nullcontext()
