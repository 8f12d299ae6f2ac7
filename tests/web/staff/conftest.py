"""A floor with its staff: who is there, on which page, and what each page was told."""

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import APIRequestContext, APIResponse, Browser, BrowserContext, Page, WebSocket, expect
from tests.web.faults import note_faults
from tests.web.floors import Floor, folder_for, opened
from tests.web.staff.casebook import CASES
from tests.web.staff.console import Console, Office, Terminal
from tests.web.staff.record import Record
from tests.web.staff.wire import Wire

DESK: Final = {"width": 1366, "height": 768}
# Goes to another address as the pages' own links do, without loading anything anew.
_GO: Final = """address => {
    history.pushState(null, "", address);
    dispatchEvent(new PopStateEvent("popstate"));
    dispatchEvent(new HashChangeEvent("hashchange"));
}"""
# An address at which the pages show nothing and watch nothing.
_NOWHERE: Final = "/nowhere"
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

    def __init__(self, browser: Browser, floor: Floor) -> None:
        self.address = f"http://127.0.0.1:{floor.port}"
        self.record = Record(floor.folder)
        self.floor = floor
        self._ours = {"Origin": self.address}
        self._port = floor.port
        self._browser = browser
        self._links = floor.links
        self._papers: dict[str, list[Any]] = {}
        self._wires: dict[str, Wire] = {}
        self._patrons: dict[str, Patron] = {}
        self._contexts: dict[str, BrowserContext] = {}
        # Pages of this test alone; pages that go on to another table; and those that wait until somebody needs them.
        self._pages: list[Page] = []
        self._going: list[Page] = []
        self._waiting: defaultdict[BrowserContext, list[Page]] = defaultdict(list)
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

    def wire(self, name: str, *, taken: bool = False) -> Wire:
        """A member of staff without a page.

        A Dealer acts only at a table that a page has *taken*: elsewhere a Pit Supervisor does the Dealer's part.
        """
        name = "supervisor" if name == "dealer" and not taken else name
        if name not in self._wires:
            self._wires[name] = Wire(self._port, _header(self.papers(name)))
        return self._wires[name]

    def patron(self, word: str) -> Patron:
        """A patron whom the tests call so; everybody gets to know them under another name.

        Amy plays where no dealer is needed: she may be paid when the next test runs, and nobody counts her credits.
        """
        if word not in self._patrons:
            context = self._browser.new_context(base_url=self.address)
            answer = context.request.post("/api/guest", headers=self._ours)
            assert answer.ok, answer.text()
            name, cookies = answer.json()["patron"], context.cookies()
            context.close()
            self._patrons[word] = Patron(name, cookies, Wire(self._port, _header(cookies), 1))
        return self._patrons[word]

    def hire(self, name: str, position: str, password: str, by: str = "shift") -> None:
        """Put somebody on the staff, with a password to be changed at once."""
        data = {"name": name, "position": position, "password": password}
        answer = self._clerk(by).post("/api/staff", data=data, headers=self._ours)
        assert answer.ok, answer.text()

    def hire_as(self, page: Page, name: str, position: str, password: str) -> None:
        """The same by whoever is signed in on a page."""
        data = {"name": name, "position": position, "password": password}
        answer = page.context.request.post("/api/staff", data=data, headers=self._ours)
        assert answer.ok, answer.text()

    # Their pages

    def page(self, path: str, cookies: list[Any] | None = None, **options: Any) -> Page:  # noqa: ANN401
        """A page in its owner's browser, loaded anew."""
        return self._opened(self._browser_of(cookies or [], options), path)

    def visited(self, path: str, cookies: list[Any], **options: Any) -> Page:  # noqa: ANN401
        """A page in its owner's browser: one that was used before goes on to that address, else one is loaded."""
        context = self._browser_of(cookies, options)
        waiting = self._waiting[context]
        if waiting:
            page = waiting.pop()
            size = context.viewport  # type: ignore[attr-defined]
            if page.viewport_size != size:
                page.set_viewport_size(size)
            # What it was still told of another table has come before this answer, and is forgotten.
            page.evaluate("0")
            page.frames_heard.clear()  # type: ignore[attr-defined]
            page.evaluate(_GO, path)
        else:
            page = context.new_page()
            heard(page, self._faults)
            page.goto(path)
        self._going.append(page)
        return page

    def go(self, page: Page, path: str) -> None:
        """Go on to another address on the same page, as its own links do."""
        page.evaluate(_GO, path)

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
        options = {
            "viewport": DESK,
            "locale": "en-SG",
            "color_scheme": "dark",
            "reduced_motion": "reduce",
            "base_url": self.address,
        } | options
        context = self._browser.new_context(**options)
        context.viewport = options["viewport"]  # type: ignore[attr-defined]
        context.set_default_timeout(15_000)
        context.add_cookies(cookies)
        # Time goes on as ever, but can be moved on: a hand's pace costs no waiting.
        context.clock.install()
        return context

    def console(self, table: str, name: str = "dealer", **options: Any) -> Console:  # noqa: ANN401
        """The dealer's console of a table."""
        return Console(self.visited(f"/dealer/{table}", self.papers(name), **options))

    def office(self, table: str, name: str, **options: Any) -> Office:  # noqa: ANN401
        """The pit's console, open at a table."""
        return Office(self.visited(f"/pit#table/{table}", self.papers(name), **options))

    def section(self, name: str, position: str, **options: Any) -> Office:  # noqa: ANN401
        """A section of the pit's console; without a name all tables at a glance."""
        return Office(self.visited(f"/pit#{name}", self.papers(position), **options))

    def terminal(self, table: str, word: str, **options: Any) -> Terminal:  # noqa: ANN401
        """The terminal of a patron, where cards move."""
        options = {"reduced_motion": "no-preference"} | options
        patron = self.patron(word)
        return Terminal(self.visited(f"/table/{table}", patron.cookies, **options), patron.name)

    # Time

    def time_is_up(self, table: str) -> None:
        """Whatever time runs at a table is up; on the whole floor it is that much later."""
        process = self.floor.process
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"{table}\n")
        process.stdin.flush()
        answer = process.stdout.readline().strip()
        assert answer == "up", answer

    # Shoes that read their cards

    def shoe(self, table: str) -> str:
        """The token of a table's shoe, from a pit supervisor."""
        answer = self._clerk("supervisor").post("/api/shoes", data={"table": table, "label": "1"}, headers=self._ours)
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

    def was_refused(self, request: str, status: int) -> None:
        """A page was refused what the test had it ask for: that is no fault of the page."""
        found = [fault for fault in self._faults if fault.endswith(f"{request} was answered with {status}")]
        assert len(found) == 1, self._faults
        self._faults.remove(found[0])

    def leave(self) -> list[str]:
        """Close the pages, or have them wait for the next test; what went wrong on them."""
        going, self._going = self._going, []
        for page in going:
            page.evaluate(_GO, _NOWHERE)
            self._waiting[page.context].append(page)
        for page in self._pages:
            page.close()
        self._pages.clear()
        faults = self._faults[:]
        self._faults.clear()
        return faults

    def close(self) -> None:
        self.leave()
        for context in self._contexts.values():
            context.close()
        for wire in (*self._wires.values(), *(patron.wire for patron in self._patrons.values())):
            wire.close()
        self.record.close()


# What a terminal sends without a person: its contributions to the order of a shoe.
_OF_ITS_OWN: Final = re.compile(r'"do":"(contribute|reveal-contribution)"')
_ID: Final = re.compile(r'"id":"([^"]+)"')


def heard(page: Page, faults: list[str]) -> None:
    """Keep every frame that a page is told, what it sends by itself, and note whatever goes wrong on it."""
    frames: list[str] = []
    page.frames_heard = frames  # type: ignore[attr-defined]
    unasked: set[str] = set()
    page.sent_unasked = unasked  # type: ignore[attr-defined]

    def sent(frame: object) -> None:
        if _OF_ITS_OWN.search(str(frame)):
            unasked.update(_ID.findall(str(frame)))

    def connected(live: WebSocket) -> None:
        page.live = live  # type: ignore[attr-defined]
        live.on("framereceived", lambda frame: frames.append(str(frame)))
        live.on("framesent", sent)

    page.on("websocket", connected)
    note_faults(page, faults)


def _header(cookies: list[Any]) -> str:
    return "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in cookies)


@pytest.fixture(scope="session")
def staffed(
    chromium: Browser, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[House]:
    """The floor, in a process of its own; at the end everything on it must bear an audit."""
    folder = folder_for("staffed", lambda: tmp_path_factory.mktemp("staffed"))
    # A pit with fewer tables is faster to look at: only the cases that are played have one.
    tests = [item for item in request.session.items if isinstance(item, pytest.Function)]
    items = [test for test in tests if "house" in test.fixturenames]
    played = {item.callspec.params.get("case") for item in items if hasattr(item, "callspec")}
    (folder / "cases").write_text("\n".join(case.key for case in CASES if case in played), encoding="utf-8")
    with opened("tests.web.staff.staffed", folder) as floor:
        house = House(chromium, floor)
        yield house
        findings = () if "PUNTO_FLOORS" in os.environ else house.record.judged().findings
        house.close()
    assert not findings


@pytest.fixture
def house(staffed: House, request: pytest.FixtureRequest) -> Iterator[House]:
    """The floor for one test; afterwards no page may have had a fault."""
    staffed.floor.visited_by(request.node.nodeid)
    yield staffed
    assert not staffed.leave()
