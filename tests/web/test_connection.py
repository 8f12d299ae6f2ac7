"""Pages that are loaded anew, lose the floor, or are one of two: nothing is lost, and nothing counts twice."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.marks import by_day
from tests.web.book import Book
from tests.web.conftest import Visit
from tests.web.line import Line
from tests.web.terminal import FIRST_CENTS, OPEN, Terminal

_LOST = re.compile("Connection lost")


def test_a_page_that_is_loaded_anew_in_mid_round_has_all_it_had(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    terminal.open_bets()
    terminal.take("25")
    terminal.bet("Player", 2_500)
    terminal.bet("Tie", 2_500)
    number = terminal.round
    terminal.page.reload()
    terminal.expect_stake("Player", 2_500)
    terminal.expect_stake("Tie", 2_500)
    terminal.expect_credits(FIRST_CENTS - 5_000)
    assert terminal.round == number
    terminal.bet("Player", 5_000)
    assert Book(visit.folder).stakes(calm, number[0], terminal.patron) == {"Player": 5_000, "Tie": 2_500}


def test_a_page_that_is_loaded_anew_after_the_outcome_has_its_payments(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    terminal.open_bets()
    terminal.take("25")
    for wager in ("Player", "Banker", "Tie"):
        terminal.bet(wager, 2_500)
    terminal.settle()
    before = terminal.credits_cents
    terminal.page.reload()
    expect(terminal.layout.get_by_role("button", name=re.compile("paid"))).to_have_count(3)
    terminal.expect_credits(before)


@pytest.mark.parametrize("how", ["answer", "question"])
def test_a_wager_under_way_when_the_line_is_cut_counts_once(visit: Visit, calm: str, how: str) -> None:
    page = visit.blank()
    line = Line(page)
    terminal = Terminal.sit(visit, calm, page)
    terminal.open_bets()
    terminal.take("25")
    terminal.bet("Player", 2_500)
    # Either the floor has it and its answer is lost, or it never came to the floor.
    line.mute, line.deaf = how == "answer", how == "question"
    terminal.bet("Player")
    asked = expect(terminal.area("Player"))
    asked.to_have_accessible_name(re.compile("your stake 50.00, not yet accepted$"))
    line.cut()
    expect(page.get_by_role("alert").filter(has_text=_LOST)).to_be_visible()
    line.mute = line.deaf = False
    terminal.expect_stake("Player", 5_000)
    expect(page.get_by_text(_LOST)).to_have_count(0)
    terminal.expect_credits(FIRST_CENTS - 5_000)
    assert Book(visit.folder).stakes(calm, terminal.round[0], terminal.patron) == {"Player": 5_000}
    ids = [each["id"] for each in line.asked("stake")]
    assert len(ids) == 3
    assert ids[1] == ids[2], "it was asked again, under the same id"


def test_taps_without_a_line_are_sent_when_it_is_back(visit: Visit, calm: str) -> None:
    page = visit.blank()
    line = Line(page)
    terminal = Terminal.sit(visit, calm, page)
    terminal.open_bets()
    terminal.take("25")
    line.cut()
    expect(page.get_by_text(_LOST)).to_be_visible()
    for _ in range(4):
        terminal.bet("Banker")
    terminal.expect_stake("Banker", 10_000)
    expect(page.get_by_text(_LOST)).to_have_count(0)
    assert Book(visit.folder).stakes(calm, terminal.round[0], terminal.patron) == {"Banker": 10_000}


def test_a_browser_that_goes_offline_says_so_and_comes_back_by_itself(visit: Visit) -> None:
    terminal = Terminal.sit(visit, "8")
    terminal.open_bets()
    terminal.take("25")
    terminal.bet("Player", 2_500)
    number, _ = terminal.round
    page = terminal.page
    page.context.set_offline(True)
    # The browser may keep a line that is open, but says that it is offline: nobody waits for the silence to tell.
    expect(page.get_by_role("alert").filter(has_text=_LOST)).to_be_visible(timeout=4_000)
    visit.table("8").settle()
    page.context.set_offline(False)
    expect(page.get_by_text(_LOST)).to_have_count(0)
    terminal.settled()
    paid = Book(visit.folder).payments("8", number, terminal.patron)
    terminal.expect_credits(FIRST_CENTS - 2_500 + sum(paid.values()))


def test_a_page_that_missed_the_close_shows_where_the_round_is(visit: Visit) -> None:
    page = visit.blank()
    line = Line(page)
    terminal = Terminal.sit(visit, "9", page)
    terminal.open_bets()
    number, _ = terminal.round
    terminal.take("25")
    terminal.bet("Player", 2_500)
    line.mute = True
    visit.table("9").close_bets()
    line.cut()
    line.mute = False
    terminal.shut()
    terminal.settle()
    paid = Book(visit.folder).payments("9", number, terminal.patron)
    terminal.expect_credits(FIRST_CENTS - 2_500 + sum(paid.values()))


def test_two_tabs_of_one_patron_show_the_same_and_count_once(visit: Visit, calm: str) -> None:
    first = Terminal.sit(visit, calm)
    page = visit.beside(first.page)
    page.goto(f"/table/{calm}")
    second = Terminal(visit, page, calm)
    first.open_bets()
    first.take("25")
    first.bet("Player", 2_500)
    second.expect_stake("Player", 2_500)
    second.expect_credits(FIRST_CENTS - 2_500)
    second.bet("Player", 5_000)
    first.expect_stake("Player", 5_000)
    second.take("100")
    second.bet("Banker", 10_000)
    first.expect_stake("Banker", 10_000)
    second.act("Undo").click()
    first.expect_stake("Banker", 0)
    page.close()
    first.bet("Player", 7_500)
    assert Book(visit.folder).stakes(calm, first.round[0], first.patron) == {"Player": 7_500}


@pytest.mark.parametrize("how", by_day(["answer", "question"], ["answer"]))
def test_an_old_tab_wagers_on_no_round_but_the_one_it_showed(visit: Visit, how: str) -> None:
    """A tab that slept through the close and the next opening shows the new round, with nothing on it."""
    table = {"answer": "10", "question": "11"}[how]
    page = visit.blank()
    line = Line(page)
    terminal = Terminal.sit(visit, table, page)
    terminal.open_bets()
    number, _ = terminal.round
    terminal.take("25")
    line.mute, line.deaf = True, how == "question"
    terminal.bet("Tie")  # it never comes to the floor, or its answer never comes back
    awake = visit.beside(page)
    awake.goto(f"/table/{table}")
    other = Terminal(visit, awake, table)
    other.expect_stake("Tie", 2_500 if how == "answer" else 0)
    other.open_bets()
    assert other.round[0] == number + 1
    line.cut()
    line.mute = line.deaf = False
    terminal.opened()
    expect(terminal.area("Tie")).to_have_accessible_name(re.compile("^Tie, pays .* That round is over"))
    terminal.bet("Player", 2_500)  # and the tab is as good as new
    assert terminal.round[0] == number + 1
    book, patron = Book(visit.folder), terminal.patron
    assert book.stakes(table, number, patron) == ({"Tie": 2_500} if how == "answer" else {})
    assert book.stakes(table, number + 1, patron) == {"Player": 2_500}


@pytest.mark.parametrize("wrong_ms", by_day([-86_400_000, 7 * 3_600_000], [7 * 3_600_000]))
def test_a_device_whose_clock_is_wrong_counts_down_right(visit: Visit, calm: str, wrong_ms: int) -> None:
    page = visit.blank(timezone_id="UTC")
    page.add_init_script(f"""{{
        const [Real, wrong] = [Date, {wrong_ms}];
        window.Date = class extends Real {{
            constructor(...given) {{ given.length ? super(...given) : super(Real.now() + wrong); }}
            static now() {{ return Real.now() + wrong; }}
        }};
    }}""")
    terminal = Terminal.sit(visit, calm, page)
    right = visit.page(f"/display/{calm}")
    terminal.open_bets()
    shown = _minutes(page.locator("header dd").first.inner_text())
    now = _minutes(right.evaluate("() => new Date().toISOString().slice(11, 16)"))
    assert (now - shown) % (24 * 60) <= 1, "the time of day is the floor's"
    counts = [_seconds(each) for each in (terminal.page, right)]
    assert abs(counts[0] - counts[1]) <= 1
    terminal.take("25")
    terminal.bet("Player", 2_500)


def _seconds(page: Any) -> int:  # noqa: ANN401
    return int(re.findall(r"\d+", page.get_by_role("timer").get_attribute("aria-label"))[0])


def test_a_page_that_was_busy_counts_from_when_it_was_told(visit: Visit, calm: str) -> None:
    page = visit.blank()
    line = Line(page)
    late: list[Any] = []

    def delay(message: dict[str, Any]) -> None:
        clock = message.get("set", {}).get("clock") or {}
        if clock.get("what") == "bets" and not message["whole"]:
            clock["at_ms"] -= 10_000
            late.append(clock)

    line.alter = delay
    Terminal.sit(visit, calm, page)
    visit.table(calm).open_bets()
    line.until(lambda: late)
    # Of sixty seconds ten had gone when the page heard of them; one that counted from then would be wrong for ten more.
    expect(page.get_by_role("timer")).to_have_accessible_name(re.compile(r"^(4[5-9]|50) "), timeout=5_000)


def _minutes(clock: str) -> int:
    hour, minute = clock.split(":")
    return int(hour) * 60 + int(minute)


_STOPPING = {"t": "ended", "code": "stopping", "message": "the floor is closing: your credits are kept"}


def test_a_floor_that_closes_says_that_credits_are_kept_and_when_it_opens_all_goes_on(visit: Visit, calm: str) -> None:
    page = visit.blank()
    line = Line(page)
    terminal = Terminal.sit(visit, calm, page)
    terminal.open_bets()
    line.tell(_STOPPING)
    line.down = True
    line.cut()
    banner = page.get_by_role("alert").filter(has_text="Your credits are kept; this page goes on by itself")
    expect(banner).to_be_visible()
    line.down = False
    expect(banner).to_be_hidden()
    terminal.expect_credits(FIRST_CENTS)
    expect(terminal.said).to_have_text(OPEN, timeout=60_000)


@pytest.mark.parametrize("path", ["/display/3", "/display", "/"])
def test_what_hangs_on_the_wall_comes_back_by_itself_when_the_floor_opens_again(visit: Visit, path: str) -> None:
    page = visit.blank()
    line = Line(page)
    page.goto(path)
    there = page.locator("h1, article").first
    expect(there).to_be_attached()
    line.tell(_STOPPING)
    line.down = True
    line.cut()
    expect(page.locator(".lost")).to_be_visible()
    line.down = False
    line.until_told("table", "floor")
    expect(page.locator(".lost")).to_have_count(0)
