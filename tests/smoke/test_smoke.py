"""Terminal, console and verify in browsers other than Chromium: enough to know that they work there at all."""

import time
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pytest
from tests.smoke.drivers import Browser, firefox, wait_for, webkit
from tests.web.floors import Floor, folder_for, opened
from tests.web.sealed import shoe_text
from tests.web.steps import Stepped

pytestmark = pytest.mark.nightly

BROWSERS: Final = {"firefox": firefox, "webkit": webkit}
# The first element that matches and shows, with the words in it if there are any, scrolled into sight: its middle.
_MIDDLE: Final = """(selector, words) => {
    const shown = [...document.querySelectorAll(selector)].find((each) =>
        each.checkVisibility() && !each.disabled && (each.innerText + (each.ariaLabel ?? "")).includes(words));
    if (!shown) return null;
    shown.scrollIntoView({ block: "center", behavior: "instant" });
    const box = shown.getBoundingClientRect();
    return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
}"""
NEXT_ACT: Final = '[aria-label="Next act"] button'
_PACE_S: Final = 0.5
_WORDS: Final = "() => document.body?.innerText ?? ''"
_NOTE_ERRORS: Final = """() => {
    window.smokeErrors = [];
    addEventListener("error", (event) => smokeErrors.push(String(event.message)));
    addEventListener("unhandledrejection", (event) => smokeErrors.push(String(event.reason)));
}"""


class Screen:
    """A page, as a person uses it: it is looked at, and pressed with a mouse."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address

    def open(self, path: str) -> None:
        """Go to a page of the floor, and note from then on what goes wrong in its scripts."""
        self._browser.open(self._address + path)
        self._browser.run(_NOTE_ERRORS)

    def press(self, selector: str, words: str = "") -> None:
        """Press what matches, once it is there and has come to rest."""
        x, y = self._resting(selector, words)
        pointer = [
            {"type": "pointerMove", "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._browser.act([{"type": "pointer", "id": "mouse", "actions": pointer}])

    def press_at_leisure(self, selector: str, words: str = "") -> None:
        """Press what matches, not so soon after the last press that the console takes it for a slip."""
        self._resting(selector, words)
        time.sleep(_PACE_S)
        self.press(selector, words)

    def _resting(self, selector: str, words: str) -> tuple[int, int]:
        def twice_the_same() -> Any:  # noqa: ANN401
            place = self._browser.run(_MIDDLE, selector, words)
            return place if place and place == self._browser.run(_MIDDLE, selector, words) else None

        x, y = wait_for(f"{selector} with “{words}”", twice_the_same)
        return int(x), int(y)

    def shows(self, words: str) -> None:
        """Wait until words are on the page."""
        wait_for(f"“{words}”", lambda: words in self._browser.run(_WORDS))

    def says(self, selector: str, *words: str) -> None:
        """Wait until something has one of the words, seen or read out."""
        wait_for(f"{words} in {selector}", lambda: any(self._browser.run(_MIDDLE, selector, each) for each in words))

    def paste(self, text: str) -> None:
        """Put a text into the page's one field, as pasting does."""
        self.press("textarea")
        self._browser.run(
            "(text) => { const field = document.querySelector('textarea'); field.value = text;"
            " field.dispatchEvent(new Event('input', { bubbles: true })); }",
            text,
        )

    @property
    def errors(self) -> list[str]:
        """What went wrong in the page's scripts since it was opened."""
        noted: list[str] = self._browser.run("() => window.smokeErrors")
        return noted


class Visit(NamedTuple):
    """A browser, and a floor whose tables move as the test says."""

    screen: Screen
    floor: Floor


@pytest.fixture(scope="module", params=BROWSERS)
def visit(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """A browser of each kind, on a floor of its own."""
    folder = tmp_path_factory.mktemp(request.param)
    kept = folder_for(f"smoke-{request.param}", lambda: tmp_path_factory.mktemp("floor"))
    with opened("tests.web.served", kept) as floor, BROWSERS[request.param](folder) as browser:
        yield Visit(Screen(browser, f"http://127.0.0.1:{floor.port}"), floor)


def test_a_patron_bets_and_is_told_the_outcome(visit: Visit) -> None:
    screen, floor = visit
    table = Stepped(floor.process, "calm-1")
    screen.open("/table/calm-1")
    screen.press("dialog[open] footer button")
    table.open_bets()
    screen.press('[data-wager="Player"]')
    screen.says('[data-wager="Player"]', "your stake 25.00")
    table.settle()
    screen.says('[data-wager="Player"]', ", Wins", ", Loses", ", Push")
    assert screen.errors == []


def test_a_dealer_takes_a_table_and_deals(visit: Visit) -> None:
    screen, floor = visit
    screen.open(f"/enter/{floor.links['dealer'].pop()}")
    screen.open("/dealer/method-a")
    for act in ("", "Load shoe", "Open bets", "No more bets", "Card for Player", "Card for Banker"):
        screen.press_at_leisure(NEXT_ACT, act)
    screen.says(NEXT_ACT, "Card for Player")
    screen.shows("You deal")
    assert screen.errors == []


def test_a_shoe_is_verified(visit: Visit) -> None:
    screen = visit.screen
    screen.open("/verify")
    screen.paste(shoe_text("fortune-six"))
    screen.shows("Everything that can be checked is right")
    screen.paste(shoe_text("fortune-six").replace("salt 5a", "salt 5b"))
    screen.shows("Something is wrong")
    assert screen.errors == []
