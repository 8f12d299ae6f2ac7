"""The console on every screen, in both languages and both themes, in every phase and with every sheet open.

Every phase, sheet, report and form is seen at two sizes of four, which change from one to the next, and every Chinese
page is searched for English words. What axe finds fault with depends on none of that but the theme: it judges each of
them in one theme. At night all are seen at every size and in both themes.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.web.staff.conftest import House
from tests.web.staff.console import Console
from tests.web.staff.staffed import AUTOMATIC, DEALT
from tests.width import NIGHTLY

from punto.errors import Malformed, NotAllowed, Refusal
from punto.games import GAMES, RULEBOOKS
from punto.rules import Found, Label
from punto.server.words.irregularities import FOUND, INPUTS
from punto.table.reports import REPORTED_WITH

SCREENS = [(1366, 768), (820, 1180), (1920, 1080), (360, 740)]
# Names of people, tables and keys, signs of the trade, and codes of clauses: the same in every language.
_NAMES = re.compile(
    r"guest-\w+|dealer|assistant|manager|supervisor|shift|HLGA|B8|TNC5|Space|Enter|Punto|English|looks|dialogs|words-device|words|fa-fa|electronic|ordered|counted|case-\d+"
    r"|\b[0-9a-f]{8,}\b|Ann Lee|Bob Tan|Ola Quek|Sam Xu|Tia Yap|Una Zee|Vic Ang|Wen Bai|\$[\d,.]+"
)
# On the pit's pages: the keys of all tables, who opened them, files, and names of devices.
_KEPT = {word for key in (*DEALT, *AUTOMATIC) for word in key.split("-")} | {"house", "CSV", "head", "json", "shoe"}
_ASKED = re.compile("What happened|发生了什么")
_TO_WAGERS = re.compile("To the wagers|前往投注")
_LIVE = Path(__file__).resolve().parents[3] / "web" / "src" / "live"
Axe = Callable[[Page], list[str]]


def screens(at: int) -> list[tuple[int, int]]:
    """The sizes at which one of several states is seen, by its place among them."""
    return SCREENS if NIGHTLY else SCREENS[at % 2 :: 2]


def english(page: Page) -> list[str]:
    """Words that are left in English on a Chinese page, also those that are only read out.

    What the floor itself says to staff is in English, and marked as that.
    """
    shown = page.locator("body").inner_text()
    # The longest first: a word may stand alone, and again in a sentence.
    for marked in sorted(page.locator("body [lang=en]").all_inner_texts(), key=len, reverse=True):
        shown = shown.replace(marked, "")
    labels = page.evaluate(
        "['aria-label', 'placeholder', 'title'].flatMap(name =>"
        " [...document.querySelectorAll(`[${name}]`)].map(each => each.getAttribute(name))).join('\\n')"
    )
    return re.findall(r"[A-Za-z]{3,}[A-Za-z ]*", _NAMES.sub("", f"{shown}\n{labels}"))


# Whether nothing is wider than the screen, and of each thing the share is in sight that should be.
_SHAPE = """([things, shares]) => {
    if (document.documentElement.scrollWidth > innerWidth) return false;
    if (!things.length) return true;
    return new Promise(told => {
        const watch = new IntersectionObserver(seen => {
            watch.disconnect();
            told(seen.every(({ intersectionRatio }, at) => intersectionRatio >= shares[at]));
        });
        things.forEach(thing => watch.observe(thing));
    });
}"""
_STILL = "() => document.getAnimations().every(({ playState }) => playState !== 'running')"


def fits(page: Page, width: int, height: int, things: Iterable[tuple[Locator, float]] = ()) -> None:
    """Nothing is wider than such a screen, and of each thing a share is in sight, once the page has taken its shape."""
    page.set_viewport_size({"width": width, "height": height})
    seen = [[thing.element_handle() for thing, _ in things], [share for _, share in things]]
    page.wait_for_function(_SHAPE, arg=seen, timeout=3_000)


def judged(axe: Axe, page: Page) -> list[str]:
    """What axe finds fault with, once no colour changes any more."""
    page.wait_for_function(_STILL)
    return axe(page)


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
    console = house.console("looks")
    chinese = house.console("looks", locale="zh-CN", color_scheme="light")
    console.take()
    for at, phase in enumerate(phases(house, "looks")):
        for each in (console, chinese):
            each.until(house.record.version("looks"))
        for each in (console, chinese) if NIGHTLY else ((console, chinese)[at % 2],):
            assert not judged(axe, each.page), phase
        assert not english(chinese.page), phase
        for width, height in screens(at):
            # Something of the large button, and the whole of the other.
            fits(console.page, width, height, [(console.act, 0.01), (console.button("Irregularity"), 1)])


def sheets(console: Console) -> Iterator[tuple[str, Locator]]:
    """Every sheet of the console."""
    for key in "pbrmxi":
        console.page.keyboard.press(key)
        expect(console.dialog).to_be_visible()
        yield key, console.dialog
        console.shut()


@pytest.mark.parametrize(
    ("locale", "theme"),
    [pytest.param("en-SG", "light", id="en", marks=pytest.mark.nightly), pytest.param("zh-CN", "dark", id="zh")],
)
def test_every_sheet_is_in_order(house: House, axe: Axe, locale: str, theme: str) -> None:
    console = house.console("dialogs", locale=locale, color_scheme=theme)
    expect(console.page.get_by_role("contentinfo")).to_be_visible()
    for at, (key, sheet) in enumerate(sheets(console)):
        expect(sheet.get_by_role("button").first).to_be_visible()
        if NIGHTLY or at % 2 == (locale == "zh-CN"):
            assert not judged(axe, console.page), key
        if locale == "zh-CN":
            assert not english(console.page), key
        for width, height in screens(at + (locale == "zh-CN")):
            fits(console.page, width, height)
            box = sheet.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width


# What never happens at a table, for want of terminals, of methods of dealing, or of a device that is moved about.
_MOVED = {Found.EXPOSED_IN_MOVING, Found.DISORDERED_IN_MOVING}
_OF_METHODS = {
    Found.DEALT_FACE_UP,
    Found.EXPOSED_IN_ERROR,
    Found.CUTTING_CARD_FIRST,
    Found.WRONG_PATRON,
    Found.NOT_PASSED,
    Found.PATRON_ABSENT,
    Found.CARDS_CARRIED_OFF,
    Found.DEVICE_RESET,
}
_NEVER = {
    "words": _MOVED | {Found.TERMINALS_DOWN},
    "fa-fa": _MOVED | _OF_METHODS | {Found.TERMINALS_DOWN},
    "electronic": _MOVED | _OF_METHODS | {Found.OFF_LIMITS},
}
# The table itself finds it.
_UNREPORTED = {Found.DIFFERENTIAL, Found.CARD_SEEN}
# Here nobody has seen one card rather than another.
_UNNAMED = {Found.UNSHUFFLED_CARDS, Found.TOO_FEW_CARDS, Found.CARDS_CARRIED_OFF}


def worded(label: Label, locale: str) -> str:
    return label.zh if locale == "zh-CN" else label.en


def asked_for(table: str, found: Found, locale: str) -> list[str]:
    """The fields of a report by the names that its form has."""
    fields = [field for field in REPORTED_WITH[found].__struct_fields__ if field in INPUTS]
    rules = RULEBOOKS[GAMES[DEALT[table].game].rulebook].conduct.rules.get(found, ())
    turns_on_order = any("order" in when.value for rule in rules for when in rule.when)
    left_out = {
        "side",  # two buttons that need no name
        *(() if found not in _UNNAMED else ("cards",)),  # or named after the hand that they are gone from
        *(() if found is Found.DRAWN_TOGETHER else ("together",)),
        *(() if turns_on_order else ("order_known",)),
        *(() if found is not Found.INTERRUPTION else ("terminals",)),
    }
    return [worded(INPUTS[field], locale) for field in fields if field not in left_out]


_REPORTED_AT = (("zh-CN", "words"), ("en-SG", "electronic"), ("en-SG", "words"), ("zh-CN", "fa-fa"))


@pytest.mark.parametrize(("locale", "table"), _REPORTED_AT if NIGHTLY else _REPORTED_AT[:1])
def test_every_report_is_in_order(house: House, axe: Axe, locale: str, table: str) -> None:
    console = house.console(table, locale=locale)
    seen: dict[str, str] = {}
    listed = groups(console)
    heading = console.dialog.get_by_role("heading", level=2)
    asked = heading.inner_text()
    for group in range(1, listed.count() + 1):
        console.page.keyboard.press(str(group))
        expect(heading).not_to_have_text(asked)
        matters = console.dialog.locator("ul.list").get_by_role("listitem").count()
        form = console.dialog.locator("form")
        for matter in range(1, max(1, matters) + 1):
            if heading.inner_text() == asked:
                console.page.keyboard.press(str(group))
            if matters:
                console.page.keyboard.press(str(matter))
            expect(form.or_(console.dialog.get_by_role("button", name=_TO_WAGERS))).to_be_visible()
            if form.count():
                seen[heading.inner_text()] = form.inner_text()
            if matter == 1 and (NIGHTLY or table == "words"):
                assert not judged(axe, console.page), (group, matter)
            if locale == "zh-CN":
                assert not english(console.page), (group, matter)
            back(console)
        if heading.inner_text() != asked:
            back(console)
        expect(heading).to_have_text(asked)
    may_be = [found for found in Found if found not in _NEVER[table] | _UNREPORTED]
    assert seen.keys() == {worded(FOUND[found].title, locale) for found in may_be}
    for found in may_be:
        form_text = seen[worded(FOUND[found].title, locale)]
        missing = [label for label in asked_for(table, found, locale) if label not in form_text]
        assert not missing, found


def back(console: Console) -> None:
    """To the question before; whoever looks at a form goes on once it is gone."""
    console.dialog.get_by_role("button", name=re.compile("^(Back|返回)")).click()
    expect(console.dialog.locator("form")).to_have_count(0)


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
    dealer.done(
        "ordered", "report-order", found="drawn-together", together=[5, 6], player="Ks 5d 4s", banker="2h Kc 3h"
    )
    yield "ordered", "order"
    house.wire("manager").done("counted", "permit-squeeze", side="player", patron=patron)
    for named in ({}, {"card": "3h"}, {}, {"card": "Ks"}):
        dealer.done("counted", "draw-card", **named)
    dealer.done("counted", "report-carried-off", side="player", cards=2)
    yield "counted", "aside"
    house.wire("shift").done("counted", "set-cards-aside", cards="4c Th")
    yield "counted", "count"


@pytest.mark.nightly
def test_every_form_of_a_decision_is_in_order(house: House, axe: Axe) -> None:
    shift = {
        (table, locale): house.console(table, "shift", locale=locale, color_scheme=theme)
        for table in ("ordered", "counted")
        for locale, theme in (("zh-CN", "dark"), ("en-SG", "light"))
    }
    for at, (table, what) in enumerate(decisions(house)):
        for look, locale in enumerate(("zh-CN", "en-SG")):
            console = shift[table, locale]
            console.until(house.record.version(table))
            expect(console.decision).to_be_visible()
            if NIGHTLY or at % 2 == look:
                # A form may be longer than a screen: on one that shows all of it no bar covers half a button.
                console.page.set_viewport_size({"width": 1366, "height": 2000})
                assert not judged(axe, console.page), what
            if locale == "zh-CN":
                assert not english(console.page), what
            for width, height in screens(at + look):
                fits(console.page, width, height)


def test_refusals_on_a_chinese_page_are_chinese(house: House) -> None:
    console = house.console("fa-fa", locale="zh-CN")
    expect(console.page.get_by_role("contentinfo")).to_be_visible()
    console.page.keyboard.press("y")
    expect(console.page.get_by_text("由您发牌", exact=True)).to_be_visible()
    # No round is under way, so that nothing can have been interrupted.
    groups(console).filter(has_text="设备或电力").get_by_role("button").click()
    report = console.dialog.locator("form").get_by_role("button").last
    assert console.answered(report.click) == "refused"
    expect(console.dialog.get_by_role("alert")).to_contain_text("现在不行")
    assert not english(console.page)


def test_every_refusal_of_a_table_has_chinese_words() -> None:
    worded = set(
        re.findall(r"^  \"?([a-z-]+)\"?:", "".join(file.read_text() for file in _LIVE.glob("*.ts")), re.MULTILINE)
    )
    refusals = {kind.code for kind in Refusal.__subclasses__()} | {NotAllowed.code, Malformed.code}
    # The entrance words the first itself, the signer tells whoever runs the floor the second, and no page is connected
    # yet when the third comes.
    assert refusals - worded <= {"bad-code", "not-signed", "too-many-pages"}


# The sections of the pit, and what each of them reads.
_SECTIONS = {
    "": (),
    "table/looks": ("log", "shoes", "rounds"),
    "table/dialogs": ("log", "shoes", "rounds"),
    "books": ("books",),
    "staff": ("staff", "sessions"),
    "personal": ("staff", "patrons"),
    "terminals": ("terminals",),
    "audit": ("audit",),
    "events": ("events",),
    "claims": ("claims",),
}
_OF_THE_NIGHT = dict.fromkeys(("table/dialogs", "books", "terminals", "audit", "events", "claims"), pytest.mark.nightly)


@pytest.mark.parametrize("section", [pytest.param(each, marks=_OF_THE_NIGHT.get(each, ())) for each in _SECTIONS])
def test_the_pit_is_in_order(house: House, axe: Axe, section: str) -> None:
    # A refusal among the events.
    assert house.wire("dealer", taken=True).act("dialogs", "close-table")["code"] == "not-allowed"
    page = house.section("", "shift", locale="zh-CN", color_scheme="light").page
    expect(page.locator(".figures").first).to_be_visible()
    with ExitStack() as reading:
        for what in _SECTIONS[section]:
            reading.enter_context(page.expect_response(re.compile(rf"/api/.*{what}(\?|$)")))
        page.evaluate("section => location.hash = section", section)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    assert not judged(axe, page)
    left = {word.strip() for word in english(page)} - _KEPT
    assert not left
    for width, height in SCREENS:
        fits(page, width, height)
