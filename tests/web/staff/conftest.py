"""A floor with its staff: who is there, on which page, and what each page was told."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import APIRequestContext, APIResponse, Browser, BrowserContext, Page, expect
from tests.web.staff.console import Console, Office, Terminal
from tests.web.staff.record import Record
from tests.web.staff.wire import Wire

ROOT: Final = Path(__file__).resolve().parents[3]
DESK: Final = {"width": 1366, "height": 768}
# A connection that is lost on purpose, and an answer such as 403, are no faults of a page.
_EXPECTED: Final = ("WebSocket connection", "net::ERR_", "the server responded with a status of 4")
# Two cores may be shared by many.
expect.set_options(timeout=15_000)


class Patron:
    """A guest with a terminal, who may also act without a page."""

    def __init__(self, name: str, cookies: list[Any], wire: Wire) -> None:
        self.name = name
        self.cookies = cookies
        self.wire = wire

    def sit(self, table: str, position: int = 0) -> None:
        """Take a seat; without a page."""
        self.wire.send(t="sit", table=table, position=position)

    def stake(self, table: str, wager: str, cents: int) -> dict[str, Any]:
        """Have so much on a wager, in all."""
        return self.wire.ask("stake", table=table, wager=wager, cents=cents)


class House:
    """The floor: everybody's papers, and what is written down."""

    def __init__(self, browser: Browser, port: int, links: dict[str, list[str]], folder: Path) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.record = Record(folder)
        self._ours = {"Origin": self.address}
        self._port = port
        self._browser = browser
        self._links = links
        self._papers: dict[str, list[Any]] = {}
        self._wires: dict[str, Wire] = {}
        self._patrons: dict[str, Patron] = {}
        self._contexts: dict[str, BrowserContext] = {}
        self._pages: list[Page] = []
        self._faults: list[str] = []

    # Who is there

    def papers(self, name: str) -> list[Any]:
        """The cookies of a member of staff, who comes in by a link once and stays."""
        if name not in self._papers:
            self._papers[name] = self.fresh_papers(name)
        return self._papers[name]

    def fresh_papers(self, name: str) -> list[Any]:
        """The cookies of a session of one's own."""
        context = self._browser.new_context(base_url=self.address)
        context.request.get(f"/enter/{self._links[name].pop()}")
        cookies = context.cookies()
        context.close()
        assert cookies
        return cookies

    def wire(self, name: str) -> Wire:
        """A member of staff without a page."""
        if name not in self._wires:
            self._wires[name] = Wire(self._port, _header(self.papers(name)))
        return self._wires[name]

    def patron(self, word: str) -> Patron:
        """A patron whom the tests call so; everybody gets to know them under another name."""
        if word not in self._patrons:
            context = self._browser.new_context(base_url=self.address)
            answer = context.request.post("/api/guest", headers=self._ours)
            assert answer.ok, answer.text()
            name, cookies = answer.json()["patron"], context.cookies()
            context.close()
            self._patrons[word] = Patron(name, cookies, Wire(self._port, _header(cookies), 1))
        return self._patrons[word]

    def hire(self, name: str, position: str, password: str) -> None:
        """Put somebody on the staff, with a password to be changed at once."""
        data = {"name": name, "position": position, "password": password}
        answer = self._clerk("shift").post("/api/staff", data=data, headers=self._ours)
        assert answer.ok, answer.text()

    # Their pages

    def page(self, path: str, cookies: list[Any] | None = None, **options: Any) -> Page:  # noqa: ANN401
        """A page in its owner's browser."""
        return self._opened(self._browser_of(cookies or [], options), path)

    def alone(self, path: str) -> Page:
        """A page in a browser that was never here before."""
        context = self._contexts[f"alone {len(self._contexts)}"] = self._fresh_browser([], {})
        return self._opened(context, path)

    def blank(self, cookies: list[Any] | None = None, **options: Any) -> Page:  # noqa: ANN401
        """An empty page in its owner's browser."""
        return self._new_page(self._browser_of(cookies or [], options))

    def _opened(self, context: BrowserContext, path: str) -> Page:
        page = self._new_page(context)
        page.goto(path)
        return page

    def _new_page(self, context: BrowserContext) -> Page:
        """A page that notes what it is told and whatever goes wrong."""
        page = context.new_page()
        self._pages.append(page)
        heard(page, self._faults)
        return page

    def _browser_of(self, cookies: list[Any], options: dict[str, Any]) -> BrowserContext:
        """Somebody's browser, which knows the pages from the last time; one for each look."""
        look = json.dumps([_header(cookies), options], sort_keys=True)
        if look not in self._contexts:
            self._contexts[look] = self._fresh_browser(cookies, options)
        return self._contexts[look]

    def _fresh_browser(self, cookies: list[Any], options: dict[str, Any]) -> BrowserContext:
        options = {"viewport": DESK, "locale": "en-SG", "color_scheme": "dark", "base_url": self.address} | options
        context = self._browser.new_context(**options)
        context.set_default_timeout(15_000)
        context.add_cookies(cookies)
        return context

    def console(self, table: str, name: str = "dealer", **options: Any) -> Console:  # noqa: ANN401
        """The dealer's console of a table."""
        return Console(self.page(f"/dealer/{table}", self.papers(name), **options))

    def office(self, table: str, name: str, **options: Any) -> Office:  # noqa: ANN401
        """The pit's console, open at a table."""
        return Office(self.page(f"/pit#table/{table}", self.papers(name), **options))

    def section(self, name: str, position: str, **options: Any) -> Office:  # noqa: ANN401
        """A section of the pit's console; without a name all tables at a glance."""
        return Office(self.page(f"/pit#{name}", self.papers(position), **options))

    def terminal(self, table: str, word: str, **options: Any) -> Terminal:  # noqa: ANN401
        """The terminal of a patron."""
        return Terminal(self.page(f"/table/{table}", self.patron(word).cookies, **options))

    # Shoes that read their cards

    def shoe(self, table: str) -> str:
        """The token of a table's shoe, from a pit supervisor."""
        answer = self._clerk("supervisor").post(
            "/api/shoes", data={"table": table, "label": "a shoe"}, headers=self._ours
        )
        assert answer.ok, answer.text()
        return str(answer.json()["token"])

    def read(self, table: str, token: str, card: str, id_: str = "") -> APIResponse:
        """The shoe has read a card."""
        data = {"id": id_ or f"{self.record.version(table)}", "card": card}
        headers = {"Authorization": f"Bearer {token}"}
        return self._clerk("").post(f"/api/tables/{table}/readings", data=data, headers=headers)

    def _clerk(self, name: str) -> APIRequestContext:
        """Somebody's requests; nobody's without a name."""
        return self._browser_of(self.papers(name) if name else [], {}).request

    # The end

    def leave(self) -> list[str]:
        """Close all pages; what went wrong on them."""
        for page in self._pages:
            page.close()
        self._pages.clear()
        faults, self._faults = self._faults, []
        return faults

    def close(self) -> None:
        self.leave()
        for context in self._contexts.values():
            context.close()
        for wire in (*self._wires.values(), *(patron.wire for patron in self._patrons.values())):
            wire.close()
        self.record.close()


def heard(page: Page, faults: list[str]) -> None:
    """Keep every frame that a page is told, and note what goes wrong in its scripts."""
    frames: list[str] = []
    page.frames_heard = frames  # type: ignore[attr-defined]
    page.on("websocket", lambda live: live.on("framereceived", lambda frame: frames.append(str(frame))))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console",
        lambda said: (
            faults.append(said.text)
            if said.type == "error" and not any(known in said.text for known in _EXPECTED)
            else None
        ),
    )


def _header(cookies: list[Any]) -> str:
    return "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in cookies)


@pytest.fixture(scope="session")
def staffed(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The floor, in a process of its own; at the end everything on it must bear an audit."""
    folder = tmp_path_factory.mktemp("staffed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "tests.web.staff.staffed", str(folder), str(port)]
    with (folder / "log").open("w") as log:
        running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True)
    with running:
        try:
            assert running.stdout
            links = json.loads(running.stdout.readline() or "{}")
            assert links, (folder / "log").read_text()
            house = House(chromium, port, links, folder)
            yield house
            findings = house.record.judged().findings
            house.close()
        finally:
            running.terminate()
        assert running.wait(30) == 0
    assert "Traceback" not in (folder / "log").read_text()
    assert not findings


@pytest.fixture
def house(staffed: House) -> Iterator[House]:
    """The floor for one test; afterwards no page may have had a fault."""
    yield staffed
    assert not staffed.leave()
