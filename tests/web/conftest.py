"""A real floor and a real Chromium; neither is ever left out: where one is missing, the tests fail and say so."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright
from tests.web.faults import note_faults
from tests.web.floors import ROOT, Floor, folder_for, opened
from tests.web.served import CALM
from tests.web.steps import Stepped

from punto.server.http.pages import BUILT

Told = Callable[[str, str], None]

FLAGS: Final = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--mute-audio",
    # A browser that is kept shows its next page in the process of the last one, which has compiled its scripts.
    "--process-per-site",
    # Chromium refuses its sandbox to root, and only to root.
    *(["--no-sandbox"] if os.geteuid() == 0 else []),
)
DESKTOP: Final[ViewportSize] = {"width": 1366, "height": 768}
PHONE: Final[ViewportSize] = {"width": 360, "height": 740}
# How a page is shown unless a test says otherwise: nothing moves where motion is not what is tried.
_SHOWN: Final = {"viewport": DESKTOP, "color_scheme": "dark", "reduced_motion": "reduce"}
# A file of the floor without scripts: an empty page at its address.
_EMPTY: Final = "/favicon.svg"
# Two cores may be shared by many.
expect.set_options(timeout=15_000)


class Kept:
    """A browser that is kept for the next test, empty: what it loaded before need not be loaded anew."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.context = browser.new_context(viewport=DESKTOP, locale="en-SG", base_url=address)
        self.context.set_default_timeout(15_000)
        # As long as this page stays, the process stays in which the others are shown.
        self._first = self.context.new_page()
        self._first.goto(_EMPTY)

    def page(self, shown: dict[str, Any]) -> Page:
        """An empty page of a size, in a light, with motion or without."""
        page = self.context.new_page()
        if shown["viewport"] != DESKTOP:
            page.set_viewport_size(shown["viewport"])
        page.emulate_media(color_scheme=shown["color_scheme"], reduced_motion=shown["reduced_motion"])
        return page

    def empty(self) -> None:
        """Forget who was here, and all that they left."""
        for page in self.context.pages:
            if page is not self._first:
                page.close()
        self.context.set_offline(offline=False)
        self.context.clear_cookies()
        self._first.evaluate("localStorage.clear()")


class Browsers:
    """The browsers that are kept: as many as one test ever needed at a time."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address
        self._free: list[Kept] = []
        self._lent: list[Kept] = []

    def lend(self) -> Kept:
        """One that nobody has now."""
        kept = self._free.pop() if self._free else Kept(self._browser, self._address)
        self._lent.append(kept)
        return kept

    def take_back(self) -> None:
        """Empty those that were lent."""
        for kept in self._lent:
            kept.empty()
        self._free += self._lent
        self._lent = []

    def close(self) -> None:
        """Close them all."""
        for kept in self._free:
            kept.context.close()
        self._free = []


class Visit:
    """The floor that is visited, and how one gets in."""

    def __init__(self, browser: Browser, address: str, folder: Path, floor: Floor | None = None) -> None:
        self.address = address
        self.folder = folder
        self._floor = floor
        self._browser = browser
        self._browsers = Browsers(browser, address)
        self._contexts: list[BrowserContext] = []
        self._watched: list[tuple[Page, list[str]]] = []

    def table(self, key: str) -> Stepped:
        """A table that moves when it is told to."""
        assert self._floor, "the tables of this floor go by the clock"
        return Stepped(self._floor.process, key)

    def context(self, **options: Any) -> BrowserContext:  # noqa: ANN401
        """A browser that was never here before; English, dark and the size of a desk by default."""
        options = {"locale": "en-SG", "base_url": self.address} | _SHOWN | options
        context = self._browser.new_context(**options)
        context.set_default_timeout(15_000)
        self._contexts.append(context)
        return context

    def blank(self, **options: Any) -> Page:  # noqa: ANN401
        """An empty page in a browser of its own; what goes wrong in its scripts fails the test."""
        if options.keys() <= _SHOWN.keys():
            return self.watch(self._browsers.lend().page(_SHOWN | options))
        return self.watch(self.context(**options).new_page())

    def page(self, path: str = "/", **options: Any) -> Page:  # noqa: ANN401
        """A page of the floor in a browser of its own."""
        page = self.blank(**options)
        page.goto(path)
        return page

    def first(self, path: str, name: str = "") -> Page:
        """A page of the floor in a browser that was never here before; *name* is a member of staff's."""
        context = self.context()
        if name:
            assert self._floor
            context.request.get(f"/enter/{self._floor.links[name].pop()}")
        page = self.watch(context.new_page())
        page.goto(path)
        return page

    def beside(self, page: Page) -> Page:
        """Another empty page in the browser of a page."""
        return self.watch(page.context.new_page())

    def watch(self, page: Page) -> Page:
        """Note whatever goes wrong on a page."""
        faults: list[str] = []
        note_faults(page, faults)
        self._watched.append((page, faults))
        return page

    def leave(self) -> None:
        """Close all that was opened; no page may have had a fault."""
        for context in self._contexts:
            context.close()
        self._contexts.clear()
        self._browsers.take_back()
        faults = [fault for _, faults in self._watched for fault in faults]
        self._watched.clear()
        assert not faults

    def close(self) -> None:
        """Come here no more."""
        self.leave()
        self._browsers.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser."""
    path = subprocess.run(
        [sys.executable, ROOT / "tools" / "browser.py"], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.strip()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """The floor, in a process of its own."""
    assert (BUILT / "index.html").exists(), "the pages are not built: run make pages"
    with opened("tests.web.served", folder_for("served", lambda: tmp_path_factory.mktemp("floor"))) as floor:
        yield floor


@pytest.fixture(scope="session")
def _visits(chromium: Browser, floor: Floor) -> Visit:
    return Visit(chromium, f"http://127.0.0.1:{floor.port}", floor.folder, floor)


@pytest.fixture
def visit(_visits: Visit, floor: Floor, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A visit to the floor; afterwards no page may have had a fault."""
    floor.visited_by(request.node.nodeid)
    yield _visits
    _visits.leave()


# Looks at a page as it stands, by the rules of WCAG A and AA, or by some of these rules only. Where a dialog is open,
# the rest of the page is out of reach.
_LOOK: Final = """async ([tags, rules]) => {
    const runOnly = rules.length ? { type: "rule", values: rules } : { type: "tag", values: tags };
    const modal = [...document.querySelectorAll("dialog[open]")].at(-1);
    const { violations } = await axe.run(modal ?? document, { runOnly, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
}"""
_TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


@pytest.fixture(scope="session")
def axe() -> Callable[..., list[str]]:
    """Find fault with a page as it stands."""
    source = (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")

    def look(page: Page, *rules: str) -> list[str]:
        if not page.evaluate("'axe' in window"):
            page.evaluate(source)
        found: list[str] = page.evaluate(_LOOK, [_TAGS, rules])
        return found

    return look


_CALM = cycle(CALM)


@pytest.fixture
def calm() -> str:
    """A table where bets stay open for long, and nobody else has been for a while."""
    return next(_CALM)


@pytest.fixture
def told(record_property: Told) -> Told:
    """Tells a figure that was measured, at the end of the run."""
    return record_property


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The figures that tests have told."""
    for report in terminalreporter.getreports("passed"):
        for name, figure in report.user_properties:
            terminalreporter.write_line(f"{name:50} {figure}")
