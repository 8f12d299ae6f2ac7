"""What the pages may cost: time to the first paint, bytes on the line, and the main thread while cards are dealt."""

from statistics import median

import pytest
from playwright.sync_api import Page, expect
from tests.web.conftest import DESKTOP, PHONE, Visit
from tests.web.terminal import Terminal

FIRST_PAINT_MS = 1_000
PACKED_BYTES = 150_000
TASK_MS = 100
PAGES = ("/", "/table/calm-8", "/display/1", "/display", "/verify")

_PAINT = """() => new Promise((resolve) => {
    new PerformanceObserver((list) => {
        const painted = list.getEntries().find((entry) => entry.name === "first-contentful-paint");
        if (painted) resolve(painted.startTime);
    }).observe({ type: "paint", buffered: true });
})"""
_BYTES = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .reduce((sum, entry) => sum + entry.transferSize, 0)"""
_LONG = """
    window.long = [];
    new PerformanceObserver((list) => {
        for (const { startTime, duration } of list.getEntries()) long.push([startTime, duration]);
    }).observe({ type: "longtask", buffered: true });
"""


def _ready(page: Page) -> None:
    expect(page.locator("h1").first).to_be_attached()
    page.wait_for_load_state("networkidle")


def _first_paint(visit: Visit, path: str) -> float:
    page = visit.page(path)
    painted = float(page.evaluate(_PAINT))
    page.context.close()
    return painted


@pytest.mark.parametrize("path", PAGES)
def test_the_first_paint_comes_within_a_second(visit: Visit, path: str) -> None:
    painted = median(_first_paint(visit, path) for _ in range(5))
    assert painted < FIRST_PAINT_MS


@pytest.mark.parametrize("path", PAGES)
def test_a_first_visit_costs_few_bytes(visit: Visit, path: str) -> None:
    page = visit.page(path)
    _ready(page)
    size = page.evaluate(_BYTES)
    assert 10_000 < size < PACKED_BYTES


def test_what_was_loaded_once_is_not_loaded_again(visit: Visit) -> None:
    page = visit.page("/table/calm-8")
    _ready(page)
    again = page.context.new_page()
    again.goto("/table/calm-8")
    _ready(again)
    assert again.evaluate(_BYTES) < 5_000


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE])
def test_nothing_holds_the_page_up_while_cards_are_dealt(visit: Visit, viewport: dict[str, int]) -> None:
    page = visit.blank(viewport=viewport)
    page.add_init_script(_LONG)
    terminal = Terminal.sit(visit, "3", page)
    longest = []
    for _ in range(3):
        terminal.opened(3)
        terminal.take("25")
        terminal.bet("Player", 2_500)
        since = page.evaluate("performance.now()")
        terminal.settled()
        tasks = page.evaluate("since => long.filter(([start]) => start >= since).map(([, lasted]) => lasted)", since)
        longest.append(max(tasks, default=0))
        if longest[-1] < TASK_MS:
            break
        terminal.shut()
    # Another process may take the processor away for a moment, but not every time.
    assert min(longest) < TASK_MS
