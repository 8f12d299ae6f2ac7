"""Acts that the rulebooks leave to people, performed on the pages in both languages, as a person finds them there."""

import re

import pytest
from playwright.sync_api import expect
from tests.marks import clause
from tests.web.staff.conftest import House
from tests.web.staff.ruling import RulingForm
from tests.web.staff.test_appearance import worded
from tests.web.staff.visit import Visit

from punto.rules import Found
from punto.server.words.irregularities import FOUND

LANGUAGES = pytest.mark.parametrize(
    ("locale", "table"),
    [pytest.param("en-SG", "words-en", id="en"), pytest.param("zh-CN", "words-zh", id="zh", marks=pytest.mark.nightly)],
)
ANN, BOB = "Ann Lee", "Bob Tan"


@LANGUAGES
@clause("B8 3.7", "B8 3.9.4.1", "B8 5.7.1", "B8 5.8.2.1", "B8 5.13", "B8 6.1")
def test_cards_and_wagers_are_reported_as_they_were_seen(house: House, locale: str, table: str) -> None:
    visit = Visit(house, table, locale)
    visit.brought("load-shoe")
    for position, patron in ((1, ANN), (2, BOB)):
        visit.brought("buy-in", patron=patron, cents=100_000, position=position)
    visit.brought("open-bets")
    chips_came_down_together(visit)
    each_wager_is_vouched_for(visit)
    visit.brought("close-bets")
    for _ in range(4):
        visit.brought("draw-card")
    one_card_lies_open(visit)
    a_second_matter_is_reported(visit)
    cards_came_together(visit)
    a_card_is_seen_between_rounds(visit)
    the_shoe_is_counted_and_kept(visit)
    a_card_that_comes_next_is_seen(visit)


def chips_came_down_together(visit: Visit) -> None:
    """Bob's chips came down with Ann's: neither was first."""
    console = visit.console
    visit.brought("place-wager", patron=ANN, wager="Player", stake_cents=5_000, position=1)
    visit.page.keyboard.press("p")
    visit.field("dealer.at").select_option("2")
    visit.field("dealer.patron").fill(BOB)
    console.dialog.get_by_role("group", name=visit.say("dealer.on"), exact=True).get_by_role("button").first.click()
    visit.field("dealer.amount").fill("50")
    visit.field("dealer.same-moment").select_option("1")
    visit.in_order()
    console.done(visit.button("dealer.place", console.dialog).click)
    console.shut()
    assert visit.came("wager-placed")[0]["same_moment_as"] == 1


def each_wager_is_vouched_for(visit: Visit) -> None:
    asked = visit.page.get_by_role("region", name=visit.say("dealer.prompts"))
    expect(asked.get_by_role("button")).to_have_count(2)
    for patron in (BOB, ANN):
        visit.console.done(asked.get_by_role("button", name=re.compile(patron)).click)
    expect(asked).to_have_count(0)
    assert [event["wager"] for event in visit.came("attested", "attested")] == [2, 1]


def one_card_lies_open(visit: Visit) -> None:
    """One card of a hand was dealt face up, and the other was not."""
    form = visit.report("2", "4")
    visit.button("banker", form).click()
    form.locator(".pick").get_by_role("button").nth(1).click()
    visit.page.keyboard.type("4c")
    visit.send(form)
    assert visit.came("irregularity-found", "cards-exposed")[1]["places"] == (2,)


def a_second_matter_is_reported(visit: Visit) -> None:
    """While a matter is pending another is reported, and what must wait is shut."""
    for _ in range(2):
        form = visit.report("7")
        form.get_by_role("textbox").fill("?")
        visit.send(form)
    assert [event["number"] for event in visit.came("referred", "referred")] == [1, 2]
    visit.page.keyboard.press("i")
    dialog = visit.console.dialog
    expect(dialog.locator("kbd").first).to_be_visible()
    visit.page.keyboard.press("3")
    expect(dialog.locator("ul.list button:enabled")).to_have_count(4)
    dialog.get_by_role("button", name=visit.say("dealer.irregularity.back")).click()
    visit.page.keyboard.press("2")
    expect(dialog.get_by_text(visit.say("dealer.irregularity.waits"))).to_be_visible()
    cutting_card = worded(FOUND[Found.CUTTING_CARD_FIRST].title, visit.locale)
    expect(dialog.locator("ul.list button:disabled")).to_have_count(1)
    expect(dialog.locator("ul.list button:disabled")).to_contain_text(cutting_card)
    visit.console.shut()


def cards_came_together(visit: Visit) -> None:
    """The third and the fourth card came together; what lies face down stays so, and needs no name."""
    form = visit.report("2", "3")
    expect(visit.button("dealer.irregularity.report", form)).to_be_disabled()
    for place in (2, 3):
        form.locator(".pick").get_by_role("button").nth(place).click()
    visit.send(form)
    found = visit.came("irregularity-found", "round-voided")[0]
    assert (found["together"], found["note"]) == ((3, 4), "? ? | ? 4c")


def a_card_is_seen_between_rounds(visit: Visit) -> None:
    """A card lies face up in the shoe before the next round: its name is told."""
    form = visit.report("1", "6")
    expect(visit.console.dialog).to_contain_text(visit.say("dealer.irregularity.coming"))
    visit.page.keyboard.type("9h")
    visit.send(form)
    assert visit.came("irregularity-found", "referred")[1]["cards"] == "9h"
    visit.brought("rule", "shift", ruling="continue", reason="!")
    assert visit.came("ruled")[0]["burnt"] == "9h"


def the_shoe_is_counted_and_kept(visit: Visit) -> None:
    """A foreign card puts the shoe in doubt: a Pit Manager has it counted, and keeps it."""
    visit.brought("open-bets")
    form = visit.report("1", "3")
    visit.page.keyboard.type("3h")
    visit.send(form)
    expect(visit.act).to_contain_text(visit.say("dealer.do.replace"))
    manager = Visit(visit.house, visit.table, visit.locale, "manager")
    expect(manager.page.get_by_role("contentinfo")).to_be_visible()
    manager.page.keyboard.press("x")
    keep = manager.button("dealer.do.keep", manager.console.dialog)
    expect(keep).to_be_disabled()
    table = visit.house.record.table(visit.table)
    left = table.open.decks * table.game.deck.size - table.shoe.drawn
    manager.field("dealer.shoe.counted").fill(str(left))
    manager.field("dealer.shoe.reason").fill("!")
    manager.in_order()
    manager.console.done(keep.click)
    expect(manager.console.dialog).to_be_hidden()
    assert visit.came("shoe-kept")[0]["counted"] == left
    expect(visit.act).to_contain_text(visit.say("dealer.do.open-bets"))
    visit.in_order()


def a_card_that_comes_next_is_seen(visit: Visit) -> None:
    """A card too many came face down and comes next, until somebody turns it over."""
    visit.brought("open-bets")
    visit.brought("close-bets")
    for _ in range(4):
        visit.brought("draw-card")
    five = {"player": "? ? ?", "banker": "? ?", "order": "? ? ? ? ?"}
    visit.brought("report-order", found="wrong-number", **five)
    form = visit.report("1", "8")
    visit.page.keyboard.type("7h")
    visit.send(form)
    assert visit.came("irregularity-found", "referred")[1]["cards"] == "7h"


@LANGUAGES
@clause("B8 5.10", "B8 3.11.1")
def test_a_patron_who_is_absent_from_the_device_is_reported(house: House, locale: str, table: str) -> None:
    visit = Visit(house, table.replace("words", "words-device"), locale)
    visit.brought("choose-method", "assistant", method="C")
    visit.brought("load-shoe")
    visit.brought("buy-in", patron=ANN, cents=100_000, position=1)
    visit.brought("open-bets")
    visit.brought("place-wager", patron=ANN, wager="Player", stake_cents=5_000, position=1)
    visit.brought("take-device", patron=ANN)
    visit.brought("close-bets")
    expect(visit.act).to_contain_text(visit.say("dealer.do.draws", patron=ANN))
    expect(visit.page.get_by_text(visit.say("demonstration-rules"), exact=True)).to_be_visible()
    form = visit.report("3", "3")
    at_device = form.get_by_role("button", name=visit.say("dealer.report.at-device", patron=ANN), exact=True)
    expect(at_device).to_have_attribute("aria-pressed", "true")
    visit.send(form)
    visit.came("irregularity-found", "device-given-up", "dealer-stood-in")
    expect(visit.act).to_contain_text(visit.say("dealer.do.card", side=visit.say("player")))
    the_dealer_deals_by_decision(visit)


def the_dealer_deals_by_decision(visit: Visit) -> None:
    """In a round that has begun, it takes a decision to deal by another method."""
    visit.brought("refer", matter="?")
    office = visit.house.office(visit.table, "shift", locale=visit.locale)
    expect(office.decision).to_be_visible()
    form = RulingForm(office, chinese=visit.locale == "zh-CN")
    form.round("continue")
    form.method("B")
    form.give("!")
    assert visit.came("ruled", "method-chosen")[1]["method"] == "B"


@LANGUAGES
@clause("EB4 5.10", "EB4 6.1")
def test_a_terminal_is_down_and_back_and_a_decision_is_explained_there(house: House, locale: str, table: str) -> None:
    visit = Visit(house, table.replace("words", "words-electronic"), locale)
    word = f"terminal {locale}"
    ann = house.patron(word)
    terminal = house.terminal(visit.table, word, locale=locale)
    ann.sit(visit.table, 1)
    ann.wire.ask("buy", table=visit.table, cents=100_000)
    visit.brought("load-shoe")
    visit.brought("open-bets")
    page = terminal.page
    player = page.locator('[data-wager="Player"]')
    expect(player).to_have_attribute("aria-disabled", "false")
    assert ann.stake(visit.table, "Tie", 2_500)["t"] == "accepted"
    form = visit.report("3", "2")
    form.get_by_role("textbox").fill("1, 3")
    visit.send(form)
    # The terminal says so, and takes nothing.
    down = visit.say("terminal.down")
    expect(page.get_by_text(down, exact=True).first).to_be_visible()
    expect(page.get_by_text(visit.say("terminal.down-means"))).to_be_visible()
    # What was accepted stands, and is shown.
    expect(page.locator('[data-wager="Tie"]')).to_contain_text("25")
    # It is marked as shut, and a touch has it say why.
    player.click(force=True)
    expect(player).to_contain_text(down)
    expect(player).to_have_attribute("aria-disabled", "true")
    assert ann.stake(visit.table, "Player", 5_000)["code"] == "terminal-is-down"
    listed = visit.page.get_by_role("region", name=visit.say("dealer.down"))
    expect(listed.get_by_role("listitem")).to_have_count(2)
    visit.in_order()
    for terminals in ((1,), (3,)):
        name = visit.say("dealer.down.back-one", terminal=terminals[0])
        visit.console.done(listed.get_by_role("button", name=name, exact=True).click)
        assert visit.came("terminals-restored")[0]["terminals"] == terminals
    expect(listed).to_have_count(0)
    expect(player).to_have_attribute("aria-disabled", "false")
    assert ann.stake(visit.table, "Player", 5_000)["t"] == "accepted"
    # A part goes back, and the rest is settled as decided: Player lost by the cards.
    visit.brought("close-bets")
    for card in "2s 4h Kd 5c".split():
        visit.brought("draw-card", card=card)
    visit.brought("refer", matter="?")
    number = next(n for n, each in house.record.table(visit.table).wagers.items() if each.wager == "Player")
    parts, results = [{"number": number, "cents": 2_000}], [{"number": number, "result": "win"}]
    visit.brought("rule", "shift", ruling="return", reason="!", parts=parts, results=results)
    settle(visit)
    returned = visit.say("terminal.returned-part", wager=visit.say("player"), amount="20.00", left="30.00")
    expect(page.get_by_text(returned)).to_be_visible()
    expect(player).to_contain_text(visit.say("terminal.result.win"))
    player.click()
    why = page.get_by_role("dialog")
    expect(why).to_contain_text(visit.say("terminal.decided-means"))
    expect(why).to_contain_text(visit.say("terminal.returned-by-decision"))
    expect(why).to_contain_text("EB4 6.1")


def settle(visit: Visit) -> None:
    """The round goes on to its end."""
    while (phase := visit.house.record.table(visit.table).phase.value) != "settled":
        visit.brought("settle" if phase == "outcome" else "announce")
