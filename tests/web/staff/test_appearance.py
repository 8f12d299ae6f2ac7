"""The console on every screen, in both languages and both themes, in every phase and with every sheet open."""

import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.web.staff.conftest import House
from tests.web.staff.console import Console
from tests.web.staff.staffed import AUTOMATIC, DEALT

from punto.errors import Malformed, NotAllowed, Refusal

SCREENS = [(1366, 768), (820, 1180), (1920, 1080), (360, 740)]
# Names of people, tables and keys, signs of the trade, and codes of clauses: the same in every language.
_NAMES = re.compile(
    r"guest-\w+|dealer|assistant|manager|supervisor|shift|HLGA|B8|TNC5|Space|Enter|Punto|English|looks|dialogs|words|fa-fa|ordered|counted|case-\d+"
    r"|Ann Lee|Bob Tan|Ola Quek|Sam Xu|Tia Yap|Una Zee|Vic Ang|Wen Bai|\$[\d,.]+"
)
# On the pit's pages: the keys of all tables, who opened them, and files.
_KEPT = {word for key in (*DEALT, *AUTOMATIC) for word in key.split("-")} | {"house", "CSV", "head", "json"}
_ASKED = re.compile("What happened|发生了什么")
_LIVE = Path(__file__).resolve().parents[3] / "web" / "src" / "live"
Axe = Callable[[Page], list[str]]


def english(page: Page) -> list[str]:
    """Words that are left in English on a Chinese page, also those that are only read out.

    What the floor itself says to staff is in English, and marked as that.
    """
    shown = page.locator("body").inner_text()
    for marked in page.locator("body [lang=en]").all_inner_texts():
        shown = shown.replace(marked, "")
    labels = page.evaluate(
        "['aria-label', 'placeholder', 'title'].flatMap(name =>"
        " [...document.querySelectorAll(`[${name}]`)].map(each => each.getAttribute(name))).join('\\n')"
    )
    return re.findall(r"[A-Za-z]{3,}[A-Za-z ]*", _NAMES.sub("", f"{shown}\n{labels}"))


def fits(page: Page, width: int, height: int) -> None:
    """Nothing is wider than such a screen, once the page has taken its shape."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth", timeout=3_000)


def phases(house: House, table: str) -> Iterator[str]:
    """A round by Method A with a heavy hand and an offer, one phase after the other."""
    dealer, manager = house.wire("dealer"), house.wire("manager")
    ann, bob = "Ann Lee", "Bob Tan"
    yield "change-of-shoe"
    dealer.done(table, "load-shoe")
    yield "idle"
    dealer.done(table, "open-bets")
    for position, patron in ((1, ann), (2, bob)):
        dealer.done(table, "buy-in", patron=patron, cents=9_999_999_999, position=position)
    dealer.done(table, "place-wager", patron=ann, wager="Player", stake_cents=50_000, position=1)
    dealer.done(table, "place-wager", patron=bob, wager="Banker", stake_cents=20_000, position=2)
    yield "bets-open"
    dealer.done(table, "close-bets")
    yield "bets-closed"
    manager.done(table, "remove-wager", number=1, stake_cents=25_000)
    dealer.done(table, "draw-card", card="Ks")
    yield "initial-deal"
    for card in ("2h", "5d", "Kc"):
        dealer.done(table, "draw-card", card=card)
    yield "drawing"
    for side, patron in (("player", ann), ("banker", bob)):
        dealer.done(table, "accept-cards", side=side, patron=patron)
    dealer.done(table, "choose-first", side="player")
    for side, patron in (("player", ann), ("banker", bob)):
        dealer.done(table, "expose-cards", side=side, patron=patron)
    dealer.done(table, "announce")
    dealer.done(table, "refer", matter="?")
    yield "referred"
    house.wire("shift").done(table, "rule", ruling="continue", reason="!")
    dealer.done(table, "draw-card", card="4s")
    dealer.done(table, "expose-cards", side="player", patron=ann)
    dealer.done(table, "draw-card", card="3h")
    dealer.done(table, "expose-cards", side="banker", patron=bob)
    dealer.done(table, "announce")
    yield "outcome"
    dealer.done(table, "settle")
    yield "settled"
    dealer.done(table, "open-bets")
    dealer.done(table, "place-wager", patron=ann, wager="Player", stake_cents=1_000, position=1)
    dealer.done(table, "close-bets")
    dealer.done(table, "report-interruption")
    yield "answers"
    dealer.done(table, "answer-offer", patron=ann, withdraw=[])
    dealer.done(table, "report-cards", found="extra-cards")
    yield "void"


def test_the_console_is_in_order_in_every_phase(house: House, axe: Axe) -> None:
    console = house.console("looks", reduced_motion="reduce")
    chinese = house.console("looks", locale="zh-CN", color_scheme="light", reduced_motion="reduce")
    console.take()
    for phase in phases(house, "looks"):
        version = house.record.version("looks")
        for each in (console, chinese):
            each.until(version)
        assert not axe(console.page), phase
        assert not axe(chinese.page), phase
        assert not english(chinese.page), phase
        for width, height in SCREENS:
            fits(console.page, width, height)
            expect(console.act).to_be_in_viewport()
            expect(console.button("Irregularity")).to_be_in_viewport(ratio=1)


def sheets(console: Console) -> Iterator[tuple[str, Locator]]:
    """Every sheet of the console."""
    for key in "pbrmxi":
        console.page.keyboard.press(key)
        expect(console.dialog).to_be_visible()
        yield key, console.dialog
        console.shut()


@pytest.mark.parametrize(("locale", "theme"), [("en-SG", "light"), ("zh-CN", "dark")], ids=["en", "zh"])
def test_every_sheet_is_in_order(house: House, axe: Axe, locale: str, theme: str) -> None:
    console = house.console("dialogs", locale=locale, color_scheme=theme, reduced_motion="reduce")
    expect(console.page.get_by_role("contentinfo")).to_be_visible()
    for key, sheet in sheets(console):
        expect(sheet.get_by_role("button").first).to_be_visible()
        assert not axe(console.page), key
        if locale == "zh-CN":
            assert not english(console.page), key
        for width, height in SCREENS:
            fits(console.page, width, height)
            box = sheet.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width


@pytest.mark.parametrize(("locale", "table"), [("en-SG", "words"), ("zh-CN", "words"), ("zh-CN", "fa-fa")])
def test_every_report_is_in_order(house: House, axe: Axe, locale: str, table: str) -> None:
    console = house.console(table, locale=locale, reduced_motion="reduce")
    expect(console.page.get_by_role("contentinfo")).to_be_visible()
    seen = 0
    for group in count(1):
        listed = groups(console)
        if group > listed.count():
            break
        console.page.keyboard.press(str(group))
        expect(console.dialog.get_by_role("heading", level=2)).not_to_have_text(_ASKED)
        matters = max(1, console.dialog.locator("ul.list").get_by_role("listitem").count())
        for matter in range(1, matters + 1):
            if matter > 1:
                groups(console)
                console.page.keyboard.press(str(group))
            console.page.keyboard.press(str(matter))
            seen += 1
            faults = axe(console.page) if matter == 1 else []
            assert not faults, (group, matter)
            if locale == "zh-CN":
                assert not english(console.page), (group, matter)
            console.shut()
    assert seen >= 15


def groups(console: Console) -> Locator:
    """The first question of the sheet: what happened."""
    expect(console.page.get_by_role("contentinfo")).to_be_visible()
    console.page.keyboard.press("i")
    expect(console.dialog.get_by_role("heading", level=2)).to_have_text(_ASKED)
    listed = console.dialog.get_by_role("listitem")
    expect(listed.first).to_be_visible()
    return listed


def decisions(house: House) -> Iterator[tuple[str, str]]:
    """What somebody must decide, one after the other, and at which table."""
    dealer, patron = house.wire("dealer"), "Ann Lee"
    for table in ("ordered", "counted"):
        dealer.done(table, "load-shoe")
        dealer.done(table, "buy-in", patron=patron, cents=100_000, position=1)
        dealer.done(table, "open-bets")
        dealer.done(table, "place-wager", patron=patron, wager="Player", stake_cents=20_000, position=1)
        dealer.done(table, "close-bets")
    yield "ordered", "balance"
    house.wire("manager").done("ordered", "remove-wager", number=1, stake_cents=5_000)
    dealer.done("ordered", "refer", matter="?")
    yield "ordered", "ruling"
    house.wire("shift").done("ordered", "rule", ruling="continue", reason="!")
    for card in ("Ks", "2h", "5d", "Kc"):
        dealer.done("ordered", "draw-card", card=card)
    dealer.done("ordered", "announce")
    dealer.done("ordered", "report-order", found="drawn-together", player="Ks 5d 4s", banker="2h Kc 3h")
    yield "ordered", "order"
    house.wire("manager").done("counted", "permit-squeeze", side="player", patron=patron)
    for named in ({}, {"card": "3h"}, {}, {"card": "Ks"}):
        dealer.done("counted", "draw-card", **named)
    dealer.done("counted", "report-carried-off", side="player", cards=2)
    yield "counted", "aside"
    house.wire("shift").done("counted", "set-cards-aside", cards="4c Th")
    yield "counted", "count"


def test_every_form_of_a_decision_is_in_order(house: House, axe: Axe) -> None:
    shift = {
        (table, locale): house.console(table, "shift", locale=locale, color_scheme=theme, reduced_motion="reduce")
        for table in ("ordered", "counted")
        for locale, theme in (("zh-CN", "dark"), ("en-SG", "light"))
    }
    for table, what in decisions(house):
        for locale in ("zh-CN", "en-SG"):
            console = shift[table, locale]
            console.until(house.record.version(table))
            expect(console.decision).to_be_visible()
            assert not axe(console.page), what
            if locale == "zh-CN":
                assert not english(console.page), what
            for width, height in SCREENS:
                fits(console.page, width, height)


def test_refusals_on_a_chinese_page_are_chinese(house: House) -> None:
    console = house.console("fa-fa", locale="zh-CN")
    listed = groups(console)
    listed.last.get_by_role("button").click()
    console.dialog.get_by_role("textbox").fill("?")
    report = console.dialog.locator("form").get_by_role("button").last
    assert console.answered(report.click) == "refused"
    expect(console.dialog.get_by_role("alert")).to_contain_text("现在不行")
    assert not english(console.page)


def test_every_refusal_of_a_table_has_chinese_words() -> None:
    worded = set(
        re.findall(r"^  \"?([a-z-]+)\"?:", "".join(file.read_text() for file in _LIVE.glob("*.ts")), re.MULTILINE)
    )
    refusals = {kind.code for kind in Refusal.__subclasses__()} | {NotAllowed.code, Malformed.code}
    # Said at the entrance, in words of its own.
    assert refusals - worded <= {"bad-code"}


@pytest.mark.parametrize(
    "section", ["", "table/looks", "table/dialogs", "books", "staff", "terminals", "audit", "security"]
)
def test_the_pit_is_in_order(house: House, axe: Axe, section: str) -> None:
    # Something for the security log.
    assert house.wire("dealer").act("dialogs", "close-table")["code"] == "not-allowed"
    page = house.section(section, "shift", locale="zh-CN", color_scheme="light", reduced_motion="reduce").page
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    assert not axe(page)
    assert not {word.strip() for word in english(page)} - _KEPT
    for width, height in SCREENS:
        fits(page, width, height)
