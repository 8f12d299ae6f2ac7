"""How the pages look: at every size, in both languages and both lights, in every phase; to an eye, and to axe."""

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, Literal

import msgspec
import pytest
from playwright.sync_api import Page, expect
from tests.marks import by_day
from tests.web.conftest import Visit
from tests.web.line import Line
from tests.web.sealed import shoe_text
from tests.web.sight import SIZES, at_every_size, english, faults, resize
from tests.web.terminal import Terminal
from tests.width import NIGHTLY

from punto.games import GAMES
from punto.roads import parse_outcomes
from punto.server.faces.roads import roads

Axe = Callable[..., list[str]]
Look = Callable[[Page], list[str]]

_DESK = (1366, 768)
# A phone both ways up, and a desk.
_FEW = (SIZES[0], SIZES[1], SIZES[4])
# A phone whose browser shows its bars.
_LOW = ((360, 640), (740, 360), (740, 300))
_PHONES = ((390, 844), (360, 640), (844, 390))
# Where four tables have room beside each other.
_DESKS = ((1440, 900), (1920, 1080), (3840, 2160))
# Whether the sheet covers its table, and how much of its breadth or height two cards take.
_COVERS = """panel => {
    const [under, card, sheet] = [panel, panel.querySelector("[role=slider]"), panel.querySelector(".squeezing")]
        .map((each) => each.getBoundingClientRect());
    const covers = ["left", "top", "right", "bottom"].every((side) => Math.abs(sheet[side] - under[side]) <= 2);
    return [covers, Math.max((2 * card.width) / sheet.width, card.height / sheet.height)];
}"""
_SIX = [[side, card] for side, card in zip(["player", "banker"] * 3, ("9h", "Ks", "2d", "3c", "7s", "Td"), strict=True)]
# What hangs on a wall is not a phone.
_WALLS = SIZES[4:]
_BARE: dict[str, Any] = {"cards": [], "totals": [None, None], "outcome": None, "said": None}
# Phases that a test cannot wait for.
_POSED: dict[str, dict[str, Any]] = {
    "change-of-shoe": {**_BARE, "clock": {"what": "next", "remaining_ms": 60_000, "total_ms": 60_000}},
    "void": {**_BARE, "void": "device-fault", "clock": {"what": "next", "remaining_ms": 60_000, "total_ms": 60_000}},
}


def _in_both_languages(
    page: Page,
    where: str,
    sizes: Iterable[tuple[int, int]] = SIZES,
    look: Look = faults,
    split: int | None = None,
    share: int = 2,
) -> list[str]:
    """What is wrong with a page as it stands; afterwards it is English again, and the size of a desk.

    With *split*, the place of this case among others like it, the gate takes one size in *share* in each language, and
    other sizes for the next case.
    """
    found = []
    chosen = {"en": list(sizes), "zh": list(sizes)}
    if split is not None and not NIGHTLY:
        chosen = {"en": chosen["en"][split % share :: share], "zh": chosen["zh"][(split + share // 2) % share :: share]}
    for language, each in chosen.items():
        _speak(page, language)
        # The size that the window has comes first.
        for size in sorted(each, key=lambda size: abs(size[0] - _DESK[0])):
            resize(page, size)
            found += [f"{where} {language} {size[0]}×{size[1]}: {fault}" for fault in look(page)]
    found += [f"{where}: in English: {text}" for text in english(page)]
    _speak(page, "en")
    return found


def _speak(page: Page, language: str) -> None:
    """Switch the language on the spot, behind whatever is open; there is room for the switch on a desk."""
    resize(page, _DESK)
    html, tag = page.locator("html"), {"en": "en", "zh": "zh-Hans"}[language]
    if html.get_attribute("lang") == tag:
        return
    switch = page.locator("header button:not(dialog *)").filter(has_text=re.compile("^(中(文)?|EN(glish)?|English)"))
    switch.first.evaluate("button => button.click()")
    expect(html).to_have_attribute("lang", tag)


# A plain table, the one with the most wagers, and one of another shape; the others at night.
_BY_DAY: Final = ("fa-fa-fabulous-4", "7-up")


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game in _BY_DAY else pytest.mark.nightly) for game in GAMES]
)
def test_the_table_of_a_game_lies_well_at_every_size(visit: Visit, game: str) -> None:
    place = list(GAMES).index(game)
    page = visit.blank()
    line = Line(page)
    terminal = Terminal.sit(visit, str(place + 1), page)
    terminal.open_bets()
    for wager in terminal.wagers[::2]:
        terminal.bet(wager)
    for wager in terminal.wagers[::2]:
        terminal.expect_stake(wager, 2_500)
    line.held = True
    found = _in_both_languages(page, game, split=place, share=4)
    assert not found, "\n".join(found)


@pytest.mark.nightly
def test_four_tables_beside_each_other_lie_well(visit: Visit) -> None:
    page = visit.blank()
    line = Line(page)
    fabulous = str(list(GAMES).index("fabulous-4s") + 1)
    terminal = Terminal.sit(visit, fabulous, page)
    _add(page, "calm-5", "calm-6", "calm-7")
    terminal.open_bets()
    line.held = True
    found = _in_both_languages(page, "four", _DESKS, split=0)
    assert not found, "\n".join(found)


def _add(page: Page, *tables: str) -> None:
    for table in tables:
        page.get_by_role("button", name="Add a table").first.click()
        page.get_by_role("dialog").get_by_role("button", name=re.compile(rf"Table {table}\b")).click()
        expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.nightly
def test_the_phase_is_in_sight_beside_the_roads_of_a_phone(visit: Visit) -> None:
    page = visit.blank(viewport={"width": 390, "height": 844})
    terminal = Terminal.sit(visit, "8", page)
    found = []
    for phase, words in {"bets-open": "Place your bets", "bets-closed": "No more bets", "settled": "wins|Tie"}.items():
        visit.table("8").move(phase)
        for width, height in _PHONES:
            resize(page, (width, height))
            terminal.act("Roads").click()
            shown = terminal.panel.locator(".pages p")
            expect(shown).to_have_text(re.compile(words))
            expect(shown).to_be_in_viewport(ratio=1)
            if phase == "bets-open":
                expect(shown).to_have_text(re.compile(r"^\d+ "))
            found += [f"{phase} {width}×{height}: {fault}" for fault in faults(page)]
    assert not found, "\n".join(found)


@pytest.mark.nightly
@pytest.mark.parametrize("several", [True, pytest.param(False, marks=pytest.mark.nightly)])
def test_cards_that_are_ours_cover_the_table_and_are_as_large_as_fits(visit: Visit, several: bool) -> None:
    page = visit.blank()
    line = Line(page)
    terminal = Terminal.sit(visit, "8", page)
    if several:
        _add(page, "calm-5", "calm-6", "calm-7")
        terminal.area("Player").focus()  # where there are tabs, this one is in front
    terminal.open_bets()
    line.held = True
    found = []
    for sides in (["player"], ["player", "banker"]):
        cards = [[side, ""] for side in sides for _ in range(2)]
        line.tell({"t": "table", "table": "8", "whole": False, "set": {"phase": "initial-deal", "cards": cards}})
        line.tell({"t": "own", "table": "8", "set": {"holding": {side: ["4h", "5s"] for side in sides}}})
        expect(page.get_by_role("slider")).to_have_count(len(cards))
        for size in (*_PHONES, *_DESKS):
            found += at_every_size(page, f"{len(sides)}", (size,))
            covered, filled = terminal.panel.evaluate(_COVERS)
            assert covered, size
            assert filled > 0.5 or len(sides) > 1, size
    assert not found, "\n".join(found)


_FOUR = [[side, ""] for side in ("player", "banker", "player", "banker")]
# Which buttons of an offer lie over a card, a name, or what is said of the phase.
_COVERED = """panel => {
    const seen = (selector) => [...panel.querySelectorAll(selector)]
        .filter((each) => each.checkVisibility({ visibilityProperty: true }))
        .map((each) => [each.textContent.trim() || each.className, each.getBoundingClientRect()]);
    const lie = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const others = seen(".slot:not(.at-2), .hand .name, .phase .title, .phase .line, .phase .time, .pages button");
    return seen(".offer button").flatMap(([name, box]) =>
        others.filter(([, other]) => lie(box, other)).map(([other]) => `${name} lies over ${other}`));
}"""


@pytest.mark.nightly
def test_two_offers_lie_below_their_hands_and_beside_cards_that_are_squeezed(visit: Visit) -> None:
    page = visit.blank()
    line = Line(page)
    terminal = Terminal.sit(visit, "8", page)
    terminal.open_bets()
    line.held = True

    def look(page: Page) -> list[str]:
        covered: list[str] = terminal.panel.evaluate(_COVERED)
        return faults(page) + covered

    clock = {"what": "cards", "remaining_ms": 60_000, "total_ms": 60_000, "side": "banker"}
    posed = {"phase": "drawing", "method": "A", "may_turn": ["player"], "cards": _FOUR, "clock": clock}
    found = []
    poses: tuple[tuple[list[str], dict[str, list[str]]], ...] = (
        (["player", "banker"], {}),
        (["banker"], {"player": ["4h", "5s"]}),
    )
    for split, (offered, holding) in enumerate(poses):
        line.tell({"t": "table", "table": "8", "whole": False, "set": posed})
        line.tell({"t": "own", "table": "8", "set": {"offered": offered, "holding": holding}})
        expect(terminal.act("Take the cards")).to_have_count(len(offered))
        found += _in_both_languages(page, f"{len(offered)} offered", look=look, split=split)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("table", ["9", pytest.param("3", marks=pytest.mark.nightly)])
def test_cards_odds_and_stakes_are_legible_on_a_low_phone(visit: Visit, table: str) -> None:
    page = visit.blank()
    line = Line(page)
    terminal = Terminal.sit(visit, table, page)
    expect(terminal.area("Banker")).to_be_visible()
    line.held = True
    wagers = terminal.wagers
    stakes = {wager: [1_234_500, 12] for wager in wagers}
    posed = {"phase": "drawing", "cards": _SIX, "totals": [8, 3], "stakes": stakes}
    own = [{"number": at, "wager": wager, "cents": 500_000} for at, wager in enumerate(wagers)]
    line.tell(
        {"t": "table", "table": table, "version": 0, "set": posed, "whole": False},
        {"t": "own", "table": table, "version": 0, "set": {"wagers": own}},
    )
    terminal.expect_stake("Banker", 500_000)
    spoken = terminal.area("Banker").locator(".unseen")
    expect(spoken).to_contain_text("from 5.00 to 5,000.00, stakes of all 12,345.00")
    if table == "9":
        expect(spoken).to_contain_text("pays 1 to 1, Banker wins and Banker's total is 4: push")
        expect(terminal.area("Banker").locator(".odds")).to_have_text(re.compile(r"1:1\s+push\s*2:1"))
    found = _in_both_languages(page, table, _LOW)
    assert not found, "\n".join(found)


_OF_COLOURS = ("color-contrast", "link-in-text-block")


def _in_both_lights(page: Page, where: str, axe: Axe) -> list[str]:
    """What axe finds, dark and light; afterwards the page is dark again. Light changes nothing but colours."""
    found = []
    looks: tuple[tuple[Literal["dark", "light"], tuple[str, ...]], ...] = (("dark", ()), ("light", _OF_COLOURS))
    for light, rules in looks:
        page.emulate_media(color_scheme=light, reduced_motion="reduce")
        page.wait_for_function("() => document.getAnimations().every((each) => each.playState !== 'running')")
        found += [f"{where} {light}: {fault}" for fault in axe(page, *rules)]
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    return found


_PHASES = ("bets-closed", "initial-deal", "settled")


@pytest.mark.parametrize("table", ["3"])
def test_every_phase_of_a_round_lies_well_and_is_accessible(visit: Visit, axe: Axe, table: str) -> None:
    page = visit.blank()
    line = Line(page)
    terminal = Terminal.sit(visit, table, page)
    terminal.open_bets()
    for wager in terminal.wagers[:4]:
        terminal.bet(wager, 2_500)
    line.held = True
    visit.table(table).settle()
    found = _in_both_lights(page, "bets-open", axe)
    for split, phase in enumerate(_PHASES):
        line.hold_at(phase)
        line.release()
        line.until_held()
        found += _in_both_languages(page, phase, _FEW, split=split)
        found += _in_both_lights(page, phase, axe)
    for split, (phase, more) in enumerate(_POSED.items()):
        line.tell({"t": "table", "table": table, "version": 0, "set": {"phase": phase, **more}, "whole": False})
        found += _in_both_languages(page, phase, _FEW, split=split)
        found += _in_both_lights(page, phase, axe)
    assert not found, "\n".join(found)


_DIALOGS = (
    "Credits and tickets",
    "Rules and pay table",
    "Last rounds",
    "Provably fair",
    "Add a table",
    "Settings",
    "Help",
)


@pytest.mark.nightly
def test_every_dialog_lies_well_and_is_accessible(visit: Visit, axe: Axe) -> None:
    page = visit.blank()
    page.goto("/table/10")
    expect(page.get_by_role("dialog", name="Welcome")).to_be_visible()
    found = _in_both_languages(page, "Welcome", _FEW) + _in_both_lights(page, "Welcome", axe)
    terminal = Terminal(visit, page, "10")
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Take")).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    terminal.open_bets()
    terminal.bet("Player", 2_500)
    terminal.settle()
    terminal.area("Player").click()
    found += _in_both_languages(page, "Why", _FEW) + _in_both_lights(page, "Why", axe)
    page.get_by_role("dialog").get_by_role("button", name="Receipt", exact=True).click()
    receipt = page.get_by_role("dialog", name="Receipt")
    expect(receipt.get_by_role("button", name="Download")).to_be_visible()
    found += _in_both_languages(page, "Receipt", _FEW) + _in_both_lights(page, "Receipt", axe)
    receipt.get_by_role("button", name="Close", exact=True).click()
    terminal.close()
    page.get_by_role("navigation").get_by_role("button", name="Menu", exact=True).click()
    found += _in_both_languages(page, "Menu", _FEW) + _in_both_lights(page, "Menu", axe)
    terminal.close()
    for split, name in enumerate(_DIALOGS):
        dialog = terminal.menu(name)
        if name == "Last rounds":
            dialog.get_by_role("listitem").first.get_by_role("button").click()
            expect(dialog.get_by_role("slider")).to_be_visible()
        found += _in_both_languages(page, name, _FEW, split=split) + _in_both_lights(page, name, axe)
        terminal.close()
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", by_day(["/", "/display/3", "/display", "/verify"], ["/", "/display/3"]))
def test_the_other_pages_lie_well_and_are_accessible(visit: Visit, axe: Axe, path: str) -> None:
    page = visit.page(path)
    expect(page.locator("h1").first).to_be_attached()
    if path == "/verify":
        page.get_by_role("textbox").fill(shoe_text("fortune-six"))
        expect(page.get_by_text("Everything that can be checked is right")).to_be_visible()
    elif path in {"/", "/display"}:
        expect(page.get_by_role("article").first).to_be_visible()
    if path.startswith("/display"):
        found = at_every_size(page, f"{path} en", _WALLS) + _in_both_lights(page, path, axe)
        page.goto(f"{path}?lang=zh")
        expect(page.locator("h1").first).to_be_attached()
        found += at_every_size(page, f"{path} zh", _WALLS) + [f"in English: {text}" for text in english(page)]
    else:
        found = _in_both_languages(page, path, split=len(path)) + _in_both_lights(page, path, axe)
    assert not found, "\n".join(found)


def test_long_figures_and_full_roads_find_their_room(visit: Visit) -> None:
    page = visit.blank()
    line = Line(page)
    full = msgspec.to_builtins(roads(parse_outcomes("BPPTBBbPpT" * 5 + "B" * 20 + "PB" * 5)))

    def forge(message: dict[str, Any]) -> None:
        if message["t"] == "purse":
            message["purse"] |= {"credits_cents": 9_999_999_999, "staked_cents": 99_999_999, "won_cents": 99_999_999}
        if message["t"] == "table":
            message["set"]["roads"] = full

    terminal = Terminal.sit(visit, "calm-4", page)
    line.alter = forge
    terminal.open_bets()
    terminal.bet("Player", 2_500)
    line.held = True
    found = _in_both_languages(page, "long", split=0)
    assert not found, "\n".join(found)


# In every frame: each hand's total as far as it is seen, and the points of the cards whose faces are seen.
_SEE_TOTALS: Final = """
    window.seen = new Map();
    const points = {Ace: 1, Two: 2, Three: 3, Four: 4, Five: 5, Six: 6, Seven: 7, Eight: 8, Nine: 9};
    const look = () => {
        for (const count of document.querySelectorAll(".total .count")) {
            if (Number(getComputedStyle(count).opacity) === 0) continue;
            const cards = [...count.closest("[role=group]").querySelectorAll("svg[role=img]")];
            const open = cards.filter((card) => !card.querySelector("pattern")).map((card) => card.ariaLabel);
            const sum = open.reduce((sum, name) => sum + (points[name.split(" ")[0]] ?? 0), 0) % 10;
            seen.set(`${count.innerText}: ${open.join(", ")}`, Number(count.innerText) === sum);
        }
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
"""


def test_a_total_is_never_seen_before_its_cards(visit: Visit, calm: str) -> None:
    page = visit.blank(reduced_motion="no-preference")
    page.add_init_script(_SEE_TOTALS)
    terminal = Terminal.sit(visit, calm, page)
    for _ in range(2):
        terminal.open_bets()
        terminal.bet("Player", 2_500)
        terminal.settle()
        page.wait_for_function("() => document.getAnimations().every((each) => each.playState !== 'running')")
    seen = page.evaluate("[...seen]")
    assert len(seen) >= 4, seen
    assert [what for what, right in seen if not right] == []


def test_nothing_moves_for_who_asks_for_less_motion(visit: Visit) -> None:
    page = visit.blank()
    page.add_init_script("""
        window.moved = new Set();
        const look = () => {
            for (const each of document.getAnimations()) {
                const { duration } = each.effect.getComputedTiming();
                if (each.playState === "running" && duration > 1)
                    moved.add(`${each.animationName ?? each.transitionProperty} of ${each.effect.target?.className}`);
            }
            requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
    """)
    terminal = Terminal.sit(visit, "5", page)
    terminal.open_bets()
    for wager in ("Player", "Banker", "Tie"):
        terminal.bet(wager, 2_500)
    terminal.settle()
    terminal.area("Player").click()
    terminal.close()
    assert page.evaluate("[...moved]") == []
