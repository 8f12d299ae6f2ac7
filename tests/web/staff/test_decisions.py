"""What a Gaming Shift Manager decides in parts: the page foresees it to the cent, and that is what happens."""

import re
from collections.abc import Iterable
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.marks import clause, interpretation
from tests.web.staff.conftest import House
from tests.web.staff.rounds import PLAYER_WINS, begun, finished
from tests.web.staff.ruling import Money, RulingForm, named
from tests.web.staff.visit import LOCALES, spoken
from tests.web.staff.wire import Wire

from punto.rules import Side
from punto.table import Table

# However busy a table is, its log is read only so often.
LOG_REST_MS = 1_000


class Manager:
    """A Gaming Shift Manager at one table's page, who holds what was foreseen against what then happened."""

    def __init__(self, house: House, table: str, locale: str) -> None:
        self.house = house
        self.table = table
        self.chinese = locale == "zh-CN"
        self.office = house.office(table, "shift", locale=locale)

    def form(self) -> RulingForm:
        """The form of the matter that is pending, once the page knows of it."""
        self.office.until(self.house.record.version(self.table))
        expect(self.office.decision).to_be_visible()
        return RulingForm(self.office, chinese=self.chinese)

    def names(self, cards: Iterable[str]) -> list[str]:
        return [named(card, chinese=self.chinese) for card in cards]

    def give(self, form: RulingForm) -> dict[str, Any]:
        """Give the decision; credits, stakes and hands must be as they were foreseen. The event of the decision."""
        money = form.money()
        hands = {side: form.hand(side.value) for side in Side}
        before = {patron: self.house.record.credits(patron) for patron in money}
        version = self.house.record.version(self.table)
        form.give("by the cameras")
        table = self.house.record.table(self.table)
        assert money, "there are wagers"
        for patron, foreseen in money.items():
            assert self.house.record.credits(patron) - before[patron] == foreseen.credits, patron
            assert staked(table, patron) == foreseen.stake, patron
        for side, foreseen_cards in hands.items():
            assert foreseen_cards == self.names(laid.card for laid in table.hand(side) if table.phase.value != "void")
        return next(each for each in self.house.record.events(self.table, version) if each["type"] == "ruled")


def taken(house: House, table: str) -> Wire:
    """The wire of a dealer who has taken a table."""
    dealer = house.wire("dealer")
    answer = dealer.ask("take-table", table=table)
    assert answer["t"] == "accepted", answer
    return dealer


def staked(table: Table, patron: str) -> int:
    return sum(placed.cents for placed in table.wagers.values() if placed.patron == patron) * (not table.settled)


@interpretation(46)
@pytest.mark.parametrize("locale", LOCALES)
def test_a_wrong_order_is_put_right_a_wager_paid_at_a_line_and_the_shoe_replaced(house: House, locale: str) -> None:
    table = f"decided-{locale[:2]}"
    dealer = taken(house, table)
    begun(house, table, ("Ann Lee", "Player", 5_000), ("Bob Tan", "Tie", 1_000), ("Bob Tan", "Banker", 2_000))
    dealer.done(table, "close-bets")
    for card in ("9f", "Se", "2g"):
        dealer.done(table, "draw-card", card=card)
    dealer.done(table, "report-order", found="wrong-order", player="9f 2g", banker="Se", order="9f 2g Se")
    shift = Manager(house, table, locale)
    form = shift.form()
    form.round("order")
    form.order(["2g", "9f", "Se"])
    assert (form.hand("player"), form.hand("banker")) == (shift.names(["2g", "Se"]), shift.names(["9f"]))
    assert shift.give(form)["ruling"] == "order"
    # The round is paid; then two matters turn up, which are decided in order.
    dealer.done(table, "draw-card", card="5o")
    while house.record.table(table).phase.value == "drawing":
        if dealer.act(table, "announce")["t"] != "accepted":
            dealer.done(table, "draw-card", card="Sw")
    dealer.done(table, "settle")
    dealer.done(table, "refer", matter="?")
    dealer.done(table, "refer", matter="??")
    form = shift.form()
    expect(shift.office.decision).to_contain_text("其后： ??" if shift.chinese else "Then: ??")
    form.round("continue")
    form.shoe("replace")
    assert shift.give(form)["shoe"] == "replace"
    assert house.record.table(table).shoe.spent
    form = shift.form()
    form.round("continue")
    form.wager(2, re.compile(r"\b8 to 1|赔 8 "))
    form.wager(1, "push")
    form.wager(3, "lose")
    pushed, lost = {"number": 1, "result": "push"}, {"number": 3, "result": "lose"}
    assert shift.give(form)["results"] == (pushed, {"number": 2, "result": "win", "pays": "8 to 1"}, lost)


@pytest.mark.nightly
@interpretation(43, 46)
@pytest.mark.parametrize("locale", LOCALES)
def test_what_settlement_will_pay_is_shown_before_the_decision_is_given(house: House, locale: str) -> None:
    table = f"prospects-{locale[:2]}"
    dealer = taken(house, table)
    begun(house, table, ("Ann Lee", "Tie", 1_000), ("Ann Lee", "Player", 5_000), ("Bob Tan", "Banker", 2_000))
    dealer.done(table, "close-bets")
    for card in ("Ks", "2h", "9d", "5c"):
        dealer.done(table, "draw-card", card=card)
    dealer.done(table, "announce")
    dealer.done(table, "refer", matter="?")
    shift = Manager(house, table, locale)
    form = shift.form()
    form.round("continue")
    assert form.money() == {"Ann Lee": Money(0, 6_000, 10_000), "Bob Tan": Money(0, 2_000, 0)}
    form.wager(1, re.compile(r"\b8 to 1|赔 8 "))
    assert form.money() == {"Ann Lee": Money(0, 6_000, 19_000), "Bob Tan": Money(0, 2_000, 0)}
    assert form.wagers() == (
        ["和 $10.00 赢 $80.00（按裁决）", "闲 $50.00 赢 $50.00", "庄 $20.00 输 $20.00"]
        if shift.chinese
        else ["Tie $10.00 wins $80.00, by decision", "Player $50.00 wins $50.00", "Banker $20.00 loses $20.00"]
    )
    shift.give(form)
    before = house.record.credits("Ann Lee")
    dealer.done(table, "settle")
    assert house.record.credits("Ann Lee") - before == 19_000
    # Once that is paid, another order leaves a card to be drawn; a third one does not.
    dealer.done(table, "refer", matter="?")
    form = shift.form()
    form.round("order")
    form.order(["Ks", "9d", "5c", "2h"])
    assert form.money()["Bob Tan"] == Money(0, 2_000, None)
    depends = "取决于未发或未翻开的牌" if shift.chinese else "depends on cards to come or face down"
    assert [line.endswith(depends) for line in form.wagers()] == [False, True, True]
    form.order_again()
    form.order(["2h", "Ks", "5c", "9d"])
    assert form.money()["Bob Tan"] == Money(0, 2_000, 3_900)
    shift.give(form)
    before = house.record.credits("Bob Tan")
    dealer.done(table, "announce")
    dealer.done(table, "settle")
    assert house.record.credits("Bob Tan") - before == 3_900
    # Once bets have opened again, the round before can only stand.
    begun(house, table, ("Ann Lee", "Player", 5_000))
    dealer.done(table, "refer", matter="?")
    form = shift.form()
    form.earlier(1)
    assert form.money() == {"Ann Lee": Money(0, 5_000, None)}
    ruled = shift.give(form)
    assert (ruled["ruling"], ruled["round"]) == ("continue", 1)


@pytest.mark.nightly
@clause("B8 6.1")
@interpretation(23)
@pytest.mark.parametrize("locale", LOCALES)
def test_a_wager_goes_back_in_part_bets_reopen_and_a_card_is_burnt(house: House, locale: str) -> None:
    table = f"reopened-{locale[:2]}"
    dealer = taken(house, table)
    begun(house, table, ("Ann Lee", "Player", 5_000), ("Bob Tan", "Banker", 2_000))
    dealer.done(table, "close-bets")
    for card in ("4s", "2h"):
        dealer.done(table, "draw-card", card=card)
    dealer.done(table, "refer", matter="?")
    shift = Manager(house, table, locale)
    form = shift.form()
    form.round("continue")
    form.wager(1, "part", "20")
    form.reopen()
    assert form.discarded() == shift.names(["4s", "2h"])
    assert shift.give(form)["returns"] == ({"number": 1, "patron": "Ann Lee", "cents": 2_000},)
    assert house.record.table(table).phase.value == "bets-open"
    dealer.done(table, "report-cards", found="face-up-in-device", cards="7d")
    form = shift.form()
    form.round("continue")
    form.burn_named("8c", "8c")
    assert form.discarded() == shift.names(["7d", "8c", "8c"])
    assert shift.give(form)["burnt"] == "7d 8c 8c"
    # A wager goes back in whole, and the next cards are burnt unseen.
    dealer.done(table, "refer", matter="?")
    form = shift.form()
    form.round("continue")
    form.wager(2, "back")
    form.burn_next(2)
    ruled = shift.give(form)
    assert (ruled["returns"], ruled["burnt_next"]) == (({"number": 2, "patron": "Bob Tan", "cents": 2_000},), 2)
    # What the table would refuse is told before it is given, and cannot be given.
    dealer.done(table, "refer", matter="?")
    form = shift.form()
    form.round("continue")
    form.shoe("keep")
    form.counted(1)
    refused = "不能如此裁决" if shift.chinese else "This cannot be decided: 1 cards were counted"
    expect(shift.office.decision.get_by_role("status")).to_contain_text(refused)
    expect(shift.office.button("裁决" if shift.chinese else "Decide", shift.office.decision)).to_be_disabled()
    form.shoe("stays")
    form.round("void")
    assert shift.give(form)["ruling"] == "void"
    assert house.record.table(table).phase.value == "void"


@clause("B8 3.17", "B8 6.1")
@interpretation(21, 23)
@pytest.mark.parametrize("locale", LOCALES)
def test_another_round_follows_the_cutting_card_and_a_card_that_was_seen_is_played(house: House, locale: str) -> None:
    table = f"another-{locale[:2]}"
    dealer = taken(house, table)
    begun(house, table, ("Ann Lee", "Player", 5_000))
    dealer.done(table, "close-bets")
    dealer.done(table, "show-cutting-card")
    dealer.done(table, "refer", matter="?")
    shift = Manager(house, table, locale)
    form = shift.form()
    form.round("continue")
    form.shoe("keep")
    assert shift.give(form)["shoe"] == "keep"
    finished(house, table, PLAYER_WINS)
    begun(house, table, ("Ann Lee", "Player", 5_000))
    dealer.done(table, "report-cards", found="face-up-in-device", cards="6c")
    form = shift.form()
    form.round("continue")
    form.card("6c", "played")
    assert shift.give(form)["played"] == "6c"


@clause("B8 5.13")
@interpretation(17)
@pytest.mark.parametrize("locale", LOCALES)
def test_cards_that_are_to_be_replaced_are_kept_for_a_reason_and_a_count(house: House, locale: str) -> None:
    table, say = f"proposed-{locale[:2]}", partial(spoken, locale)
    dealer = taken(house, table)
    begun(house, table, ("Ann Lee", "Player", 5_000))
    dealer.done(table, "close-bets")
    dealer.done(table, "draw-card", card="4s")
    dealer.done(table, "report-cards", found="missing-cards")
    office = house.office(table, "manager", locale=locale)
    panel = office.panel(say("pit.proposed"))
    expect(panel).to_contain_text(say("pit.proposed.doubt"))
    keep = panel.get_by_role("button", name=say("pit.proposed.keep"))
    panel.get_by_label(say("pit.proposed.reason")).fill("They stuck together")
    expect(keep).to_be_disabled()
    panel.get_by_label(say("pit.proposed.counted")).fill("414")
    assert office.answered(keep.click) == "refused"
    expect(panel.get_by_role("alert")).to_contain_text("414 cards were counted")
    panel.get_by_label(say("pit.proposed.counted")).fill("415")
    office.done(keep.click)
    expect(panel).to_have_count(0)
    office.page.clock.fast_forward(LOG_REST_MS)
    expect(office.panel(say("pit.log"))).to_contain_text("They stuck together")
    dealer.done(table, "open-bets")
    # Another time they are replaced.
    dealer.done(table, "close-bets")
    dealer.done(table, "draw-card", card="5s")
    dealer.done(table, "report-cards", found="order-altered")
    office.done(panel.get_by_role("button", name=say("pit.acts.end-shoe")).click)
    assert house.record.table(table).phase.value == "change-of-shoe"


@clause("EB4 5.10")
@pytest.mark.parametrize("locale", LOCALES)
def test_terminals_that_are_down_are_said_to_be_back(house: House, locale: str) -> None:
    table, say = f"down-{locale[:2]}", partial(spoken, locale)
    dealer = taken(house, table)
    begun(house, table)
    dealer.done(table, "report-interruption", terminals=[2, 5])
    office = house.office(table, "manager", locale=locale)
    panel = office.panel(say("pit.down"))
    expect(panel.get_by_role("listitem")).to_have_count(2)

    def back(terminal: int) -> None:
        name = f"^{say('pit.down.back')}.*{say('pit.down.terminal', terminal=terminal)}"
        office.done(panel.get_by_role("button", name=re.compile(name)).click)

    back(2)
    expect(panel.get_by_role("listitem")).to_have_count(1)
    assert house.record.table(table).down == (5,)
    back(5)
    expect(panel).to_have_count(0)
    office.page.clock.fast_forward(LOG_REST_MS)
    expect(office.panel(say("pit.log"))).to_contain_text(re.compile("终端恢复：5|Terminals are back: 5"))
