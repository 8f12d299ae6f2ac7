"""Take the README's pictures of every page: `make pictures`.

A demonstration floor is dealt some thirty rounds by the book before it opens, from shoes that are the same every time,
so that there is something to see: roads, wagers, money. Then a browser visits it as a patron, as a dealer, as the pit.
"""

import asyncio
import json
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final

import msgspec
from playwright.sync_api import Browser, Page, sync_playwright

from punto.cards import Card
from punto.floor import Floor, Keys
from punto.floor.croupier import AUTOMATIC, CLOCK, next_step
from punto.rules import Position
from punto.server import FloorConfig, Server, demonstration, serve
from punto.store import SqliteStore
from punto.table import Actor, Phase
from punto.table import commands as do

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "docs" / "pictures"
FLAGS: Final = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
HOUSE: Final = Actor("house", Position.GAMING_SHIFT_MANAGER)
PATRONS: Final = tuple(Actor(name, Position.PATRON) for name in ("guest-4f21aa", "guest-9b03c7", "guest-e81d52"))
ROUNDS: Final = 34
_DAY_MS: Final = 86_400_000
STAFF: Final = {"dealer": Position.DEALER, "manager": Position.PIT_MANAGER, "shift": Position.GAMING_SHIFT_MANAGER}
DESK: Final = (1366, 768)
PHONE: Final = (390, 844)
WALL: Final = (1920, 1080)


class Evening:
    """Rounds dealt before the floor opens, the same ones every time."""

    def __init__(self, config: FloorConfig) -> None:
        self._chance = random.Random(7)  # noqa: S311 (pictures, not money)
        self._ids = count(1)
        self._at_ms = time.time_ns() // 1_000_000 - _DAY_MS // 12
        store = SqliteStore(Path(config.store.removeprefix("sqlite:")))
        self.floor = Floor(store, Keys.at(Path(config.key_file)), self._shuffled)
        for table in config.tables:
            self._deal(table.key, table.setup)
        store.close()

    def _shuffled(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(self._chance.sample(cards, len(cards)))

    def _deal(self, key: str, setup: Any) -> None:  # noqa: ANN401
        self._give(key, do.OpenTable, HOUSE, setup=setup)
        for place, patron in enumerate(PATRONS, 1):
            self._give(key, do.BuyIn, patron, patron=patron.name, cents=2_000_000, position=place)
        rounds = ROUNDS - 3 * (int(key) % 4)
        while self.floor.table(key).round < rounds or self.floor.table(key).phase is not Phase.SETTLED:
            self._step(key)

    def _step(self, key: str) -> None:
        table = self.floor.table(key)
        if table.phase is Phase.BETS_OPEN and not table.seats:
            for place, patron in enumerate(PATRONS, 1):
                for wager in self._chance.sample(table.open.wagers, 2):
                    stake = {"wager": wager, "stake_cents": 500 * self._chance.randint(1, 30), "position": place}
                    self._give(key, do.SetStake, patron, patron=patron.name, **stake)
        step = next_step(table)
        assert step, "nothing needs a person on a quiet evening"
        by = CLOCK if table.book.conduct.terminals else AUTOMATIC
        self._give(key, step.do, by, **step.fields)

    def _give(self, key: str, kind: type, by: Actor, **fields: Any) -> None:  # noqa: ANN401
        self._at_ms += 400
        self.floor.handle(kind(id=f"picture-{next(self._ids)}", table=key, by=by, at_ms=self._at_ms, **fields))


def open_floor(folder: str, port: str) -> None:
    """In a process of its own: deal the evening, then serve, and print the links of staff."""
    config = msgspec.structs.replace(demonstration(Path(folder), int(port)), name="Punto")
    Evening(config)

    async def told(server: Server) -> None:
        print(json.dumps({name: server.identity.link(name.title(), held) for name, held in STAFF.items()}), flush=True)
        await asyncio.sleep(0)

    serve(config, told)


@contextmanager
def opened() -> Iterator[tuple[str, dict[str, str]]]:
    """A floor that is open: its address, and the links of its staff."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        command = [sys.executable, "-m", "tools.pictures", folder, str(port)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout
            yield f"http://127.0.0.1:{port}", json.loads(running.stdout.readline())
            running.terminate()


class Camera:
    """A browser that visits the floor, and keeps what it sees."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address

    def page(self, path: str, size: tuple[int, int], *, language: str = "en", scheme: str = "dark") -> Page:
        """A page of somebody's own."""
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale="zh-CN" if language == "zh" else "en-SG",
            color_scheme=scheme,  # type: ignore[arg-type]
            base_url=self._address,
            has_touch=size == PHONE,
        )
        page = context.new_page()
        page.goto(path)
        return page

    def keep(self, page: Page, name: str) -> None:
        """Take the picture, once the letters are there, and close the page."""
        page.evaluate("document.fonts.ready")
        page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=88)
        print(f"  docs/pictures/{name}.jpg")
        page.context.close()


def seated(page: Page) -> Page:
    """Take play credits, and wait for bets."""
    page.get_by_role("dialog").get_by_role("button").last.click()
    page.get_by_text("Place your bets, please").or_(page.get_by_text("请下注")).first.wait_for(timeout=40_000)
    return page


def wagered(page: Page, *areas: str) -> Page:
    """Put a chip on each of these."""
    for area in areas:
        page.get_by_role("button", name=area).first.click()
    page.wait_for_timeout(700)
    return page


def over(page: Page) -> Page:
    """Wait for the outcome."""
    page.get_by_text("wins,").or_(page.get_by_text("Tie at")).or_(page.get_by_text("比")).first.wait_for(timeout=60_000)
    page.wait_for_timeout(1_500)
    return page


def dealing(page: Page) -> Page:
    """Take the table, and deal until cards lie there."""
    for _ in range(6):
        page.get_by_role("region", name="Next act").get_by_role("button").first.click()
        page.wait_for_timeout(1_200)
    return page


def take(camera: Camera, links: dict[str, str]) -> None:
    """All pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    playing = wagered(seated(camera.page("/table/3", DESK)), "Banker,", "Fortune Six,", "Player Pair,")
    camera.keep(camera.page("/", DESK), "lobby")
    camera.keep(over(playing), "terminal")
    phone = camera.page("/table/9", PHONE, language="zh", scheme="light")
    camera.keep(wagered(seated(phone), "庄", "和"), "phone")
    wall = camera.page("/display/6", WALL)
    other = seated(camera.page("/table/6", DESK))
    camera.keep(over(wall), "display")
    other.context.close()
    camera.keep(camera.page("/display", WALL), "floor")
    console = camera.page(f"/enter/{links['dealer']}", DESK)
    console.goto("/dealer/10")
    camera.keep(dealing(console), "dealer")
    for name, path, role in (("pit", "/pit", "manager"), ("pit-table", "/pit#table/3", "shift")):
        page = camera.page(f"/enter/{links[role]}", DESK)
        page.goto(path)
        page.wait_for_timeout(2_000)
        camera.keep(page, name)
    for name in ("verify", "sign-in"):
        camera.keep(camera.page(f"/{name}", DESK), name)


def main(camera_of: Callable[[Browser, str], Camera] = Camera) -> int:
    """Open a floor, and take its pictures."""
    path = subprocess.run([sys.executable, "-m", "tools.browser"], capture_output=True, text=True, check=True, cwd=ROOT)
    with opened() as (address, links), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path.stdout.strip(), args=list(FLAGS))
        take(camera_of(browser, address), links)
        browser.close()
    return 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        open_floor(*sys.argv[1:])
    else:
        sys.exit(main())
