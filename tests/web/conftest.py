"""A real floor and a real Chromium; neither is ever left out: where one is missing, the tests fail and say so."""

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from tests.web.served import CALM

from punto.server.http.pages import BUILT

Told = Callable[[str, str], None]

ROOT: Final = Path(__file__).resolve().parent.parent.parent
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESKTOP: Final = {"width": 1366, "height": 768}
PHONE: Final = {"width": 360, "height": 740}


class Visit:
    """The floor that is visited, and how one gets in."""

    def __init__(self, browser: Browser, port: int, links: dict[str, list[str]], folder: Path) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.port = port
        self.folder = folder
        self._browser = browser
        self._links = links
        self._contexts: list[BrowserContext] = []

    def context(self, **options: Any) -> BrowserContext:  # noqa: ANN401
        """A browser of somebody's own; English, dark and the size of a desk unless told otherwise."""
        options = {"viewport": DESKTOP, "locale": "en-SG", "color_scheme": "dark", "base_url": self.address} | options
        context = self._browser.new_context(**options)
        context.set_default_timeout(15_000)
        self._contexts.append(context)
        return context

    def blank(self, **options: Any) -> Page:  # noqa: ANN401
        """An empty page in a browser of its own; what goes wrong in its scripts fails the test."""
        page = self.context(**options).new_page()
        watch(page)
        return page

    def page(self, path: str = "/", **options: Any) -> Page:  # noqa: ANN401
        """A page of the floor in a browser of its own."""
        page = self.blank(**options)
        page.goto(path)
        return page

    def staff(self, name: str, path: str, **options: Any) -> Page:  # noqa: ANN401
        """A page of a member of staff, who came in by a one-time link."""
        context = self.context(**options)
        page = context.new_page()
        watch(page)
        context.request.get(f"/enter/{self._links[name].pop()}")
        page.goto(path)
        return page

    def leave(self) -> None:
        """Close all that was opened."""
        for context in self._contexts:
            context.close()
        self._contexts.clear()


def watch(page: Page) -> None:
    """Note whatever goes wrong on a page: exceptions, errors on the console, a breach of the policy."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" and _counts(said.text) else None)
    page.faults = faults  # type: ignore[attr-defined]
    _WATCHED.append(page)


_WATCHED: list[Page] = []


def _counts(text: str) -> bool:
    """A connection that is lost on purpose, and an answer such as 403, are no faults of the page."""
    return not any(
        known in text for known in ("WebSocket connection", "net::ERR_", "the server responded with a status of 4")
    )


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser."""
    path = subprocess.run(
        [sys.executable, ROOT / "tools" / "browser.py"], capture_output=True, text=True, check=True
    ).stdout.strip()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, dict[str, list[str]], Path]]:
    """The floor, in a process of its own."""
    assert (BUILT / "index.html").exists(), "the pages are not built: run make pages"
    folder = tmp_path_factory.mktemp("floor")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "tests.web.served", str(folder), str(port)]
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True) as running,
    ):
        assert running.stdout
        links = json.loads(running.stdout.readline() or "{}")
        assert links, (folder / "log").read_text()
        yield port, links, folder
        running.terminate()
        assert running.wait(30) == 0
    assert "Traceback" not in (folder / "log").read_text()


@pytest.fixture
def visit(chromium: Browser, served: tuple[int, dict[str, list[str]], Path]) -> Iterator[Visit]:
    """A visit to the floor; afterwards no page may have had a fault."""
    visiting = Visit(chromium, *served)
    _WATCHED.clear()
    yield visiting
    faults = [fault for page in _WATCHED for fault in page.faults]  # type: ignore[attr-defined]
    visiting.leave()
    assert not faults


@pytest.fixture(scope="session")
def axe() -> Callable[[Page], list[str]]:
    """Find fault with a page as it stands, by the rules of WCAG A and AA."""
    source = (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

    def look(page: Page) -> list[str]:
        page.evaluate(source)
        found = page.evaluate("tags => axe.run({runOnly: {type: 'tag', values: tags}})", tags)
        return [
            f"{each['id']}: {node['target']} {node['failureSummary']}"
            for each in found["violations"]
            for node in each["nodes"]
        ]

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
