"""The terminal: chips by tap, by drag and by key, what is accepted and what is refused, and what is said meanwhile."""

import re
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Locator, expect
from tests.web.book import Book
from tests.web.conftest import Visit
from tests.web.line import Line
from tests.web.served import BY_CLOCK
from tests.web.terminal import CLOSED, FIRST_CENTS, OPEN, Terminal

from punto.roads import parse_outcomes
from punto.server.faces.roads import roads


def test_chips_are_put_down_by_tap_by_drag_and_by_key(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    terminal.open_bets()
    terminal.take("100")
    terminal.bet("Banker", 10_000)

    chip = terminal.page.get_by_role("radio", name="Chip of 25", exact=True)
    chip.drag_to(terminal.area("Tie"))
    terminal.expect_stake("Tie", 2_500)

    terminal.page.keyboard.press("3")
    expect(terminal.page.get_by_role("radio", name="Chip of 100", exact=True)).to_be_checked()
    terminal.area("Banker").focus()
    terminal.page.keyboard.press("ArrowLeft")
    expect(terminal.area("Player")).to_be_focused()
    terminal.page.keyboard.press("Enter")
    terminal.expect_stake("Player", 10_000)
    terminal.page.keyboard.press("+")
    terminal.expect_stake("Player", 20_000)
    terminal.page.keyboard.press("-")
    terminal.expect_stake("Player", 10_000)
    terminal.expect_credits(FIRST_CENTS - 22_500)
    terminal.page.keyboard.press("ArrowRight")
    expect(terminal.area("Banker")).to_be_focused()


def test_a_chip_dropped_beside_the_layout_is_no_wager(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    terminal.open_bets()
    line = terminal.page.get_by_role("radio", name="Chip of 25", exact=True)
    line.drag_to(terminal.page.get_by_role("timer"))
    terminal.bet("Player", 2_500)  # the chip stays in hand
    terminal.expect_credits(FIRST_CENTS - 2_500)


def test_bets_are_undone_cleared_and_doubled(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    terminal.open_bets()
    expect(terminal.act("Undo")).to_be_disabled()
    terminal.take("25")
    terminal.bet("Player", 2_500)
    terminal.bet("Player", 5_000)
    terminal.bet("Tie", 2_500)

    terminal.act("Double").click()
    terminal.expect_stake("Player", 10_000)
    terminal.expect_stake("Tie", 5_000)
    terminal.act("Undo").click()  # all that one touch did
    terminal.expect_stake("Player", 5_000)
    terminal.expect_stake("Tie", 2_500)
    terminal.act("Undo").click()
    terminal.expect_stake("Tie", 0)

    terminal.act("Clear").click()
    terminal.expect_stake("Player", 0)
    terminal.expect_credits(FIRST_CENTS)
    expect(terminal.act("Double")).to_be_disabled()
    terminal.page.keyboard.press("Backspace")
    terminal.expect_stake("Player", 5_000)
    terminal.page.keyboard.press("d")
    terminal.expect_stake("Player", 10_000)
    terminal.page.keyboard.press("c")
    terminal.expect_credits(FIRST_CENTS)


def test_the_bets_of_the_last_round_are_placed_again(visit: Visit) -> None:
    terminal = Terminal.sit(visit, "3")
    terminal.open_bets()
    number, _ = terminal.round
    expect(terminal.act("Rebet")).to_be_disabled()
    terminal.take("25")
    terminal.bet("Player", 2_500)
    terminal.bet("Fortune Six", 2_500)
    terminal.settle()
    terminal.open_bets()
    assert terminal.round[0] == number + 1
    terminal.act("Rebet").click()
    terminal.expect_stake("Player", 2_500)
    terminal.expect_stake("Fortune Six", 2_500)
    expect(terminal.act("Rebet")).to_be_disabled()
    stakes = Book(visit.folder).stakes("3", number + 1, terminal.patron)
    assert stakes == {"Player": 2_500, "Fortune Six": 2_500}
    terminal.close_bets()
    terminal.page.reload()
    terminal.open_bets()
    terminal.act("Rebet").click()  # nor is it lost with the page
    terminal.expect_stake("Player", 2_500)
    terminal.expect_stake("Fortune Six", 2_500)


def test_a_stake_over_the_maximum_goes_as_far_as_it_may_and_then_no_further(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    terminal.open_bets()
    dialog = terminal.menu("Credits and tickets")
    dialog.get_by_role("button", name="$10,000.00", exact=True).click()
    terminal.expect_credits(FIRST_CENTS + 1_000_000)
    terminal.close()
    terminal.take("5K")
    terminal.bet("Banker", 500_000)
    terminal.bet("Banker")
    expect(terminal.area("Banker")).to_contain_text("The most is 5,000.00")
    expect(terminal.voice).to_contain_text("Banker: The most is 5,000.00")
    expect(terminal.toast).to_have_count(0)
    terminal.expect_stake("Banker", 500_000)


def test_a_stake_that_credits_do_not_cover_is_refused_in_one_line(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    terminal.open_bets()
    terminal.take("500")
    terminal.bet("Banker", 50_000)
    terminal.bet("Banker", 100_000)
    terminal.bet("Banker")
    expect(terminal.area("Banker")).to_contain_text("Not enough credits")
    expect(terminal.voice).to_contain_text("Banker: Not enough credits")
    expect(terminal.toast).to_have_count(0)
    terminal.expect_stake("Banker", 100_000)
    terminal.expect_credits(0)
    terminal.act("Undo").click()  # what was refused is not what is undone
    terminal.expect_stake("Banker", 50_000)


def test_a_wager_after_the_close_says_so_and_changes_nothing(visit: Visit) -> None:
    page = visit.blank()
    line = Line(page)
    terminal = Terminal.sit(visit, "5", page)
    terminal.open_bets()
    terminal.take("25")
    terminal.bet("Player", 2_500)
    line.held = True  # the page does not hear of the close
    visit.table("5").close_bets()
    terminal.bet("Player")
    expect(terminal.area("Player")).to_have_accessible_name(re.compile("your stake 50.00, not yet accepted"))
    line.release()
    expect(terminal.voice).to_have_text(re.compile("Player: (Too late|No more bets|Not now)"))
    terminal.settle()
    staked = Book(visit.folder).stakes("5", terminal.round[0], terminal.patron)
    assert staked == {"Player": 2_500}


def test_an_area_that_is_touched_after_the_close_says_why_nothing_happens(visit: Visit) -> None:
    terminal = Terminal.sit(visit, "5")
    terminal.open_bets()
    terminal.close_bets()
    terminal.area("Tie").evaluate("area => area.click()")
    expect(terminal.area("Tie")).to_contain_text("No more bets")
    expect(terminal.voice).to_have_text("Tie: No more bets")
    terminal.settle()
    terminal.area("Tie").click()  # now it is asked why
    expect(terminal.page.get_by_role("dialog", name="Tie")).to_be_visible()
    expect(terminal.area("Tie")).not_to_contain_text("No more bets")


def test_a_table_goes_on_by_itself_when_its_time_is_up(visit: Visit) -> None:
    """By the clock: bets close when the page has counted down, cards are dealt, and the next round opens."""
    terminal = Terminal.sit(visit, BY_CLOCK, reduced_motion="no-preference")
    terminal.take("25")
    terminal.opened(least_s=4)
    number, shoe = terminal.round
    terminal.bet("Player", 2_500)
    terminal.page.evaluate(_COUNT, BY_CLOCK)
    terminal.settled()
    counted, shut_at = terminal.page.evaluate("[counted, shutAt]")
    seconds = [each for each, _ in counted]
    assert seconds == sorted(seconds, reverse=True)
    assert seconds[-1] <= 1, "bets stay open until nothing is left to count"
    assert shut_at - counted[-1][1] < 1_500
    paid = Book(visit.folder).payments(BY_CLOCK, number, terminal.patron)["Player"]
    terminal.expect_credits(FIRST_CENTS - 2_500 + paid)
    terminal.opened()
    assert terminal.round > (number, shoe)


# What the countdown showed and when, until no more bets were taken, and when that was.
_COUNT = """table => {
    const panel = document.querySelector(`article[data-table="${table}"]`);
    window.counted = [];
    const look = () => {
        if (panel.querySelector("[data-wager]").getAttribute("aria-disabled") === "true") {
            window.shutAt = performance.now();
            return;
        }
        const seconds = Number(/\\d+/.exec(panel.querySelector("[role=timer]").getAttribute("aria-label"))[0]);
        if (counted.at(-1)?.[0] !== seconds) counted.push([seconds, performance.now()]);
        requestAnimationFrame(look);
    };
    look();
}"""


def test_why_is_of_one_round_and_stays_until_it_is_closed(visit: Visit) -> None:
    terminal = Terminal.sit(visit, "7")
    terminal.open_bets()
    number, shoe = terminal.round
    terminal.take("25")
    terminal.bet("Player", 2_500)
    terminal.settle()
    terminal.area("Player").click()
    why = terminal.page.get_by_role("dialog", name="Player")
    expect(why).to_contain_text(f"Table 7 · Round {number}, shoe {shoe}")
    paid = why.get_by_role("definition").all_inner_texts()
    assert "$25.00" in paid
    terminal.open_bets()
    assert terminal.round[0] == number + 1
    assert why.get_by_role("definition").all_inner_texts() == paid
    terminal.close()


def test_a_key_that_is_held_down_stakes_once(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    keyboard = terminal.page.keyboard
    terminal.open_bets()
    terminal.take("25")
    terminal.area("Player").focus()

    def hold(key: str) -> None:
        for _ in range(5):
            keyboard.down(key)
        keyboard.up(key)

    for key, stake in {"Enter": 2_500, "Space": 5_000, "+": 7_500, "-": 5_000, "d": 10_000, "Backspace": 5_000}.items():
        hold(key)
        terminal.expect_stake("Player", stake)
    terminal.act("Double").focus()
    hold("Enter")
    terminal.expect_stake("Player", 10_000)
    terminal.expect_credits(FIRST_CENTS - 10_000)


def test_what_another_page_has_taken_back_is_not_laid_again(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    other = Terminal(visit, visit.beside(terminal.page), calm)
    other.page.goto(f"/table/{calm}")
    terminal.open_bets()
    terminal.take("25")
    terminal.bet("Player", 2_500)
    terminal.bet("Player", 5_000)
    other.expect_stake("Player", 5_000)
    other.act("Clear").click()
    terminal.expect_stake("Player", 0)
    expect(terminal.act("Undo")).to_be_disabled()
    other.act("Undo").click()  # it was theirs
    terminal.expect_stake("Player", 5_000)


def test_chips_are_one_stop_of_the_tabulator_and_chosen_with_arrows(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    keyboard = terminal.page.keyboard

    def chip(name: str) -> Locator:
        return terminal.page.get_by_role("radio", name=f"Chip of {name}", exact=True)

    terminal.take("25")
    pressed = {"ArrowRight": "100", "ArrowUp": "25", "ArrowLeft": "5", "End": "5K", "ArrowDown": "5", "Home": "5"}
    for key, name in pressed.items():
        keyboard.press(key)
        expect(chip(name)).to_be_checked()
        expect(chip(name)).to_be_focused()
    keyboard.press("Shift+Tab")
    expect(terminal.page.get_by_role("radio").and_(terminal.page.locator(":focus"))).to_have_count(0)
    keyboard.press("Tab")
    expect(chip("5")).to_be_focused()


def test_bets_are_doubled_all_or_none(visit: Visit, calm: str) -> None:
    page = visit.blank()
    line = Line(page)
    terminal = Terminal.sit(visit, calm, page)
    terminal.open_bets()
    terminal.take("100")
    for wager in terminal.wagers[:6]:
        terminal.bet(wager, 10_000)
    asked = len(line.asked("stake"))
    terminal.act("Double").click()
    expect(terminal.toast).to_have_text("Double: Not enough credits")
    page.get_by_role("button", name="中文").click()
    expect(terminal.toast).to_have_text("加倍：余额不足")  # it is said in the page's language
    assert len(line.asked("stake")) == asked


def test_the_first_credits_are_bought_once_however_often_they_are_asked_for(visit: Visit, calm: str) -> None:
    page = visit.page(f"/table/{calm}")
    buy = page.locator("dialog[open] footer button")
    expect(buy).to_be_focused()  # not the cross: Enter begins to play
    buy.evaluate("button => { button.click(); button.click(); }")
    terminal = Terminal(visit, page, calm)
    terminal.expect_credits(FIRST_CENTS)
    expect(terminal.area("Player")).to_be_focused()
    assert Book(visit.folder).credits_cents(terminal.patron) == FIRST_CENTS


def test_acceptance_is_spoken_once_for_quick_taps_and_so_is_a_loss(visit: Visit) -> None:
    terminal = Terminal.sit(visit, "8")
    terminal.open_bets()
    terminal.take("25")
    terminal.area("Player").evaluate("area => { for (let tap = 0; tap < 4; tap += 1) area.click(); }")
    expect(terminal.voice).to_have_text("Player 100.00 accepted")
    terminal.act("Undo").click()
    expect(terminal.voice).to_have_text("Player 75.00 accepted")
    terminal.act("Clear").click()
    expect(terminal.voice).to_have_text("Player taken back")
    unlikely = next(each for each in terminal.wagers if each not in {"Player", "Banker"})
    terminal.bet(unlikely, 2_500)
    expect(terminal.voice).to_have_text(re.compile(" 25.00 accepted$"))
    terminal.settle()
    paid = Book(visit.folder).payments("8", terminal.round[0], terminal.patron)[unlikely]
    if not paid:
        expect(terminal.voice).to_have_text("You lost 25.00")


@pytest.mark.parametrize("motion", ["no-preference", pytest.param("reduce", marks=pytest.mark.nightly)])
def test_offered_cards_are_spoken_and_have_the_focus_until_the_last_is_turned(
    visit: Visit, calm: str, motion: str
) -> None:
    page = visit.blank(reduced_motion=motion)
    line = Line(page)
    terminal = Terminal.sit(visit, calm, page)
    terminal.open_bets()
    line.held = True  # this table deals to nobody's hand: the page is told so all the same
    own = {"t": "own", "table": calm}
    line.tell(own | {"set": {"offered": ["player"]}})
    expect(terminal.act("Take the cards")).to_be_focused()
    expect(terminal.voice).to_have_text("Player: the cards are yours to squeeze")
    cards = {"t": "table", "table": calm, "whole": False}
    line.tell(cards | {"set": {"cards": [["player", ""], ["player", ""]]}})
    line.tell(own | {"set": {"offered": [], "holding": {"player": ["4h", "5s"]}}})
    faces = page.get_by_role("slider")
    expect(faces).to_have_count(2)
    expect(faces.first).to_be_focused()
    page.keyboard.press("Enter")
    expect(faces).to_have_count(1)
    expect(faces.first).to_be_focused()
    page.keyboard.press("Enter")
    line.tell(cards | {"set": {"cards": [["player", "4h"], ["player", "5s"]]}})
    expect(terminal.area("Player")).to_be_focused()


def test_turned_cards_are_shown_when_it_is_their_turn_and_asked_for_once(visit: Visit, calm: str) -> None:
    page = visit.blank()
    page.clock.install()
    line = Line(page)
    terminal = Terminal.sit(visit, calm, page)
    terminal.open_bets()
    line.held = True  # nobody squeezes here: what the page asks has no answer but the one that it is told below

    def table(**fields: Any) -> None:  # noqa: ANN401
        line.tell({"t": "table", "table": calm, "whole": False, "set": fields})

    def asked() -> list[dict[str, Any]]:
        line.until_pinged()  # whatever the page had to say before, it has said
        return line.asked("do")

    table(phase="drawing", method="A", may_turn=[], cards=[["banker", ""], ["banker", ""]])
    line.tell({"t": "own", "table": calm, "set": {"holding": {"banker": ["4h", "5s"]}}})
    terminal.act("Reveal both").click()
    hand = page.get_by_role("region", name="Squeeze the cards of Banker")
    expect(hand).to_contain_text("Turned: the Dealer says which hand is first")
    expect(terminal.voice).to_have_text("Banker: Turned: the Dealer says which hand is first")
    table(may_turn=["player"])
    expect(hand).to_contain_text("Turned: Player is revealed first")
    assert not asked()
    table(may_turn=["banker"])
    table(stakes={})
    [first] = asked()
    assert first["act"] == {"do": "expose-cards", "side": "banker", "patron": ""}
    line.tell({"t": "refused", "id": first["id"], "code": "out-of-turn", "message": "", "clause": ""})
    expect(terminal.toast).to_have_text("Not now: it is not the turn for that")
    assert len(asked()) == 1
    terminal.act("Reveal both").click()  # it is not dead
    assert len(asked()) == 2
    line.tell({"t": "refused", "id": asked()[1]["id"], "code": "too-fast", "message": "", "clause": ""})
    expect(terminal.act("Reveal both")).to_be_enabled()
    table(hands={"player": {"position": 2, "offered": 0}, "banker": {"position": 1, "offered": 0}})
    assert len(asked()) == 3  # the table has moved on
    table(cards=[["banker", "4h"], ["banker", "5s"]], may_turn=[])
    expect(hand).to_have_count(0)
    assert len(asked()) == 3


def test_a_card_bent_elsewhere_falls_back_when_no_more_is_heard_of_it(visit: Visit, calm: str) -> None:
    page = visit.blank()
    page.clock.install()
    line = Line(page)
    terminal = Terminal.sit(visit, calm, page)
    terminal.open_bets()
    line.held = True
    line.tell({"t": "table", "table": calm, "whole": False, "set": {"cards": [["player", ""], ["player", ""]]}})
    bent = {"t": "bent", "table": calm, "side": "player", "lift": 0.3}
    line.tell(bent | {"card": 0, "edge": "left"}, bent | {"card": 1, "edge": "middle"})
    bending = terminal.panel.get_by_role("img", name="A card is being squeezed")
    expect(bending).to_have_count(2)
    expect(bending.first.locator("polygon").first).to_be_attached()
    page.clock.run_for(3_500)
    expect(bending).to_have_count(2)
    page.clock.run_for(1_000)
    expect(bending).to_have_count(0)


def test_the_shoe_is_counted_in_the_singular_too(visit: Visit, calm: str) -> None:
    page = visit.blank()
    line = Line(page)
    terminal = Terminal.sit(visit, calm, page)
    terminal.open_bets()
    line.held = True
    for beads, words in {"B": "1 round", "BP": "2 rounds"}.items():
        told = msgspec.to_builtins(roads(parse_outcomes(beads)))
        line.tell({"t": "table", "table": calm, "whole": False, "set": {"roads": told}})
        expect(terminal.panel.get_by_role("cell", name=words, exact=True)).to_be_visible()


def test_what_is_sent_and_what_is_accepted_can_be_told_apart(visit: Visit, calm: str) -> None:
    page = visit.blank()
    line = Line(page)
    terminal = Terminal.sit(visit, calm, page)
    terminal.open_bets()
    terminal.take("25")
    before = terminal.area("Tie").screenshot()
    line.held = True
    terminal.bet("Tie")
    expect(terminal.area("Tie")).to_have_accessible_name(re.compile("your stake 25.00, not yet accepted$"))
    sent = terminal.area("Tie").screenshot(animations="disabled")
    line.release()
    terminal.expect_stake("Tie", 2_500)
    accepted = terminal.area("Tie").screenshot(animations="disabled")
    assert before != sent != accepted


def test_thirty_quick_taps_come_to_exactly_thirty_chips_once(visit: Visit, calm: str) -> None:
    page = visit.blank()
    line = Line(page)
    terminal = Terminal.sit(visit, calm, page)
    terminal.open_bets()
    terminal.take("25")
    terminal.area("Player").evaluate("area => { for (let tap = 0; tap < 30; tap += 1) area.click(); }")
    terminal.expect_stake("Player", 75_000)
    terminal.expect_credits(FIRST_CENTS - 75_000)
    book, number = Book(visit.folder), terminal.round[0]
    assert book.stakes(calm, number, terminal.patron) == {"Player": 75_000}
    assert len(line.asked("stake")) < 30  # what is tapped meanwhile goes out together
    ids = [each["id"] for each in line.asked("stake")]
    assert len(set(ids)) == len(ids)


def test_open_close_and_outcome_are_announced_to_a_screen_reader(visit: Visit) -> None:
    page = visit.blank()
    page.add_init_script("""
        window.spoken = [];
        new MutationObserver(() => {
            const region = document.querySelector("article [aria-live][aria-atomic]");
            const words = region && [region.getAttribute("aria-live"), region.textContent];
            if (words?.[1] && String(words) !== String(spoken.at(-1))) spoken.push(words);
        }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    """)
    terminal = Terminal.sit(visit, "2", page)
    terminal.open_bets()
    terminal.take("25")
    for wager in ("Player", "Banker", "Tie"):
        terminal.bet(wager, 2_500)
    terminal.settle()
    terminal.page.wait_for_function("() => spoken.some(([, words]) => words.includes('You won'))")
    spoken = terminal.page.evaluate("spoken")
    assert any(OPEN.match(words) for _, words in spoken)
    assert "assertive" in [how for how, words in spoken if CLOSED.match(words)]
    assert re.search(r"(Player|Banker) wins|Tie", spoken[-1][1])
    assert re.search(r"You won [\d,]+\.\d\d$", spoken[-1][1])


def test_the_pay_table_has_every_row_with_its_clause(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    rules = terminal.menu("Rules and pay table")
    expect(rules).to_contain_text("Rulebook EB4")
    for wager in terminal.wagers:
        expect(rules.get_by_role("heading", level=3).filter(has_text=wager).first).to_be_visible()
    row = rules.get_by_role("row").filter(has_text="20:1")
    expect(row).to_contain_text("EB4 4.2")


def test_the_last_rounds_are_recalled_and_one_is_gone_through_again(visit: Visit) -> None:
    terminal = Terminal.sit(visit, "7")
    terminal.open_bets()
    number, shoe = terminal.round
    terminal.take("25")
    terminal.bet("Banker", 2_500)
    terminal.settle()
    recall = terminal.menu("Last rounds")
    paid = Book(visit.folder).payments("7", number, terminal.patron)["Banker"]
    row = recall.get_by_role("button", name=re.compile(f"Round {number}, shoe {shoe}"))
    expect(row).to_contain_text(f"{abs(paid - 2_500) // 100}.{abs(paid - 2_500) % 100:02}")
    row.click()

    cards = Book(visit.folder).round("7", number).cards.split()
    drawn = recall.get_by_role("img").filter(visible=True)
    expect(recall.get_by_role("slider")).to_be_visible()
    whole = drawn.count()
    assert whole == len(cards)
    expect(recall.get_by_role("listitem")).to_contain_text("25.00 → ")
    back = recall.get_by_role("button", name="Back", exact=True)
    while back.is_enabled():
        back.click()
    expect(drawn).to_have_count(0)
    on = recall.get_by_role("button", name="On", exact=True)
    while on.is_enabled():
        on.click()
    expect(drawn).to_have_count(whole)
    recall.get_by_role("button", name="Last rounds", exact=True).click()
    expect(row).to_be_visible()


def test_a_dialog_that_closes_as_its_page_is_left_does_no_harm(visit: Visit) -> None:
    """The browser tells of a closed dialog a moment later, when the dialog is no longer there."""
    terminal = Terminal.sit(visit, "1")
    page = terminal.page
    page.get_by_role("navigation").get_by_role("button", name="Menu", exact=True).click()
    page.evaluate("""async () => {
        const entries = [...document.querySelectorAll("dialog[open] .entries button")];
        entries.find((each) => each.textContent === "Settings").click();
        for (let steps = 0; steps < 50; steps += 1) await Promise.resolve();
        history.pushState(null, "", "/");
        dispatchEvent(new PopStateEvent("popstate"));
    }""")
    expect(page.get_by_role("link", name=re.compile("^Sit down at table 3,"))).to_be_visible()


def test_settings_are_kept_on_the_device(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    settings = terminal.menu("Settings")
    chosen = {"Light": "Light", "Keys for betting": "Off", "Sound": "Sound off"}
    for group, choice in chosen.items():
        settings.get_by_role("group", name=group).get_by_role("button", name=choice, exact=True).click()
    settings.get_by_role("group", name="Remind me").get_by_role("button", name="15 min", exact=True).click()
    terminal.close()
    terminal.take("100")
    terminal.page.reload()
    expect(terminal.page.get_by_role("radio", name="Chip of 100", exact=True)).to_be_checked()
    settings = terminal.menu("Settings")
    for group, choice in chosen.items():
        button = settings.get_by_role("group", name=group).get_by_role("button", name=choice, exact=True)
        expect(button).to_have_attribute("aria-pressed", "true")
    pressed = settings.get_by_role("group", name="Remind me").get_by_role("button", name="15 min", exact=True)
    expect(pressed).to_have_attribute("aria-pressed", "true")
    settings.get_by_role("group", name="Language").get_by_role("button", name="中文", exact=True).click()
    terminal.page.reload()
    expect(terminal.page.locator("html")).to_have_attribute("lang", "zh-Hans")


def test_keys_that_are_switched_off_do_nothing(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    settings = terminal.menu("Settings")
    settings.get_by_role("group", name="Keys").get_by_role("button", name="Off", exact=True).click()
    terminal.close()
    terminal.open_bets()
    terminal.take("25")
    terminal.bet("Player", 2_500)
    for key in ("c", "d", "Backspace", "3"):
        terminal.page.keyboard.press(key)
    terminal.bet("Player", 5_000)


def test_a_patron_is_reminded_of_time_and_result_until_it_is_acknowledged(visit: Visit, calm: str) -> None:
    page = visit.blank()
    line = Line(page)
    terminal = Terminal.sit(visit, calm, page)
    settings = terminal.menu("Settings")
    settings.get_by_role("group", name="Remind me").get_by_role("button", name="15 min", exact=True).click()
    terminal.close()

    def later(message: dict[str, object]) -> None:
        purse = message.get("purse")
        if isinstance(purse, dict):
            purse["played_ms"] += 15 * 60_000

    line.alter = later
    terminal.open_bets()
    terminal.take("25")
    terminal.bet("Player", 2_500)  # the purse is told anew
    reminder = page.get_by_role("dialog", name="You have been playing")
    expect(reminder).to_contain_text("0:15")
    expect(reminder).to_contain_text("$0.00")
    page.mouse.click(5, 5)
    expect(reminder).to_be_visible()
    reminder.get_by_role("button", name="Play on").click()
    expect(reminder).to_have_count(0)
    terminal.bet("Player", 5_000)


def test_a_reminder_is_due_by_the_time_played_on_all_pages_of_a_visit(visit: Visit, calm: str) -> None:
    page = visit.blank()
    line = Line(page)
    terminal = Terminal.sit(visit, calm, page)
    minutes = 0

    def later(message: dict[str, object]) -> None:
        purse = message.get("purse")
        if isinstance(purse, dict):
            purse["played_ms"] += minutes * 60_000

    def after(so_many: int) -> None:
        nonlocal minutes
        minutes = so_many
        page.reload()
        expect(page.locator("header").get_by_text(f"0:{so_many:02}", exact=True)).to_be_visible()

    line.alter = later
    reminder = page.get_by_role("dialog", name="You have been playing")
    after(10)
    settings = terminal.menu("Settings")
    settings.get_by_role("group", name="Remind me").get_by_role("button", name="15 min", exact=True).click()
    terminal.close()
    after(20)  # it counts from when it was chosen
    expect(reminder).to_have_count(0)
    after(25)
    reminder.get_by_role("button", name="Play on").click()
    after(35)
    expect(reminder).to_have_count(0)
    after(2)  # another visit
    expect(reminder).to_have_count(0)
    after(16)
    expect(reminder).to_contain_text("0:16")


@pytest.mark.parametrize(
    "viewport", [pytest.param({"width": 1600, "height": 900}, marks=pytest.mark.nightly), {"width": 360, "height": 740}]
)
def test_several_tables_are_played_on_one_credit(visit: Visit, viewport: dict[str, int]) -> None:
    terminal = Terminal.sit(visit, "calm-1", viewport=viewport)
    page = terminal.page
    tables = {"calm-1": terminal, "calm-2": Terminal(visit, page, "calm-2"), "calm-3": Terminal(visit, page, "calm-3")}
    for other in ("calm-2", "calm-3"):
        page.get_by_role("button", name="Add a table").first.click()
        page.get_by_role("dialog").get_by_role("button", name=re.compile(rf"Table {other}\b")).click()
        expect(page.get_by_role("dialog")).to_have_count(0)
    narrow = page.get_by_role("navigation", name="Tables")
    staked = 0
    for table, each in tables.items():
        if narrow.count():
            narrow.get_by_role("button", name=re.compile(table)).click()
        each.open_bets()
        each.take("25")
        each.bet("Player", 2_500)
        staked += 2_500
        terminal.expect_credits(FIRST_CENTS - staked)
    numbers = {}
    for table, each in tables.items():
        if narrow.count():
            narrow.get_by_role("button", name=re.compile(table)).click()
        numbers[table] = each.round[0]
    book, patron = Book(visit.folder), terminal.patron
    assert all(book.stakes(table, number, patron) == {"Player": 2_500} for table, number in numbers.items())
    page.reload()
    for table, each in tables.items():  # all of them are there again
        if narrow.count():
            narrow.get_by_role("button", name=re.compile(table)).click()
        each.expect_stake("Player", 2_500)
    if not narrow.count():
        page.get_by_role("button", name="Leave table calm-3").click()
        expect(tables["calm-3"].panel).to_have_count(0)
        expect(terminal.toast).to_have_text("Table calm-3: your stake of 25.00 stays, and is settled")
        page.reload()
        expect(tables["calm-2"].panel).to_be_visible()
        expect(tables["calm-3"].panel).to_have_count(0)
