"""A server with people at its doors: a clock that is set by hand, browsers with cookies, hashes that are cheap."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from argon2 import PasswordHasher

from punto.floor import Floor, Keys
from punto.rules import Position
from punto.server.app import Server
from punto.server.config import FloorConfig, SecondFactor, TableConfig
from punto.server.identity import FirstAccount, Session
from punto.server.identity.events import read
from punto.server.identity.requests import Scope
from punto.store import SqliteStore

ADDRESS: Final = "http://127.0.0.1:8421"
MANAGER: Final = "greta"
PASSWORD: Final = "correct horse"
OTHER_PASSWORD: Final = "battery staple"
CHEAP: Final = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
MINUTE_MS: Final = 60_000


class Clock:
    """The time of day, as the test says."""

    def __init__(self) -> None:
        self.at_ms = 1_767_196_800_000

    def __call__(self) -> int:
        return self.at_ms

    def go(self, minutes: float) -> None:
        self.at_ms += round(minutes * MINUTE_MS)


@pytest.fixture(autouse=True)
def _cheap_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.server.identity.passwords._HASHER", CHEAP)


def configured(folder: Path, *tables: TableConfig, **more: Any) -> FloorConfig:  # noqa: ANN401
    key = str(folder / "floor.key")
    # Unless a test says otherwise, a password is enough for as long as a session lasts, and everybody is hired at once.
    usual: dict[str, Any] = {"second_factor": SecondFactor.OFFERED, "prove_again_s": 43_200, "independence_hours": 0}
    store = f"sqlite:{folder / 'floor.db'}"
    return FloorConfig(tables=tables, store=store, key_file=key, grace_s=0, **usual | more)


def with_cookie(name: str, token: str) -> Scope:
    """A request with one cookie."""
    return {"type": "http", "headers": [(b"cookie", f"{name}={token}".encode())]}


class Lobby:
    """A server that has begun, and browsers to come in with."""

    def __init__(self, server: Server, clock: Clock) -> None:
        self.server = server
        self.identity = server.identity
        self.clock = clock
        self._browsers: list[httpx.AsyncClient] = []

    def browser(self, address: str = "10.0.0.7", **headers: str) -> httpx.AsyncClient:
        """A browser with cookies of its own, on a page of the floor's."""
        transport = httpx.ASGITransport(self.server, client=(address, 1234))  # type: ignore[arg-type]
        browser = httpx.AsyncClient(
            transport=transport, base_url=ADDRESS, headers={"origin": ADDRESS} | headers, trust_env=False
        )
        self._browsers.append(browser)
        return browser

    async def signed_in(self, name: str = MANAGER, password: str = PASSWORD) -> httpx.AsyncClient:
        """A browser of somebody who has signed in."""
        browser = self.browser()
        answer = await browser.post("/api/sign-in", json={"name": name, "password": password})
        assert answer.status_code == 200, answer.text
        return browser

    async def hired(self, name: str, position: Position) -> httpx.AsyncClient:
        """A browser of somebody new on the staff, whose password is nobody else's."""
        manager = await self.session()
        await self.identity.accounts.open(manager, name, position, OTHER_PASSWORD)
        session, _ = await self.identity.sign_in(name, OTHER_PASSWORD)
        await self.identity.change_password(session, OTHER_PASSWORD, PASSWORD)
        await self.identity.sign_out(session)
        return await self.signed_in(name)

    async def session(self, name: str = MANAGER, password: str = PASSWORD) -> Session:
        """A session of somebody."""
        return (await self.identity.sign_in(name, password, name)).session

    def stored(self) -> bytes:
        """Everything that the store holds."""
        store = self.server.hall.writer.floor.store
        return b"\n".join(entry.body for stream, _ in store.streams() for entry in store.read(stream))

    def kinds(self, stream: str) -> list[str]:
        """What was written to a stream of identity."""
        entries = self.server.hall.writer.floor.store.read(f"identity/{stream}")
        return [type(read(entry.body).event).__name__ for entry in entries]

    async def close(self) -> None:
        for browser in self._browsers:
            await browser.aclose()


@asynccontextmanager
async def lobby(
    folder: Path,
    *tables: TableConfig,
    clock: Clock | None = None,
    first: tuple[FirstAccount, ...] = (),
    **more: Any,  # noqa: ANN401
) -> AsyncIterator[Lobby]:
    """A floor that is served, with one account at first: Greta's, the Gaming Shift Manager's."""
    config = configured(folder, *tables, **more)
    clock = clock or Clock()
    server = Server(config, Floor(SqliteStore(folder / "floor.db"), Keys.at(folder / "floor.key")), clock)
    await server.begin()
    opened = Lobby(server, clock)
    if not server.hall.writer.floor.store.tip("identity/staff"):
        await server.identity.first_accounts(FirstAccount(MANAGER, PASSWORD), *first)
    try:
        yield opened
    finally:
        await opened.close()
        await server.finish()
        server.hall.close()
