"""House exclusion in the browser: a terminal that is closed to play says so calmly, and the pit says why."""

import re

from playwright.sync_api import expect
from tests.web.staff.conftest import House
from tests.web.staff.rounds import PLAYER_WINS
from tests.web.staff.test_office import book

CLOSED = "This terminal is closed to play. Please speak to the staff."


def test_a_patron_who_is_excluded_in_mid_round_keeps_the_stakes_and_then_is_told_to_speak_to_the_staff(
    house: House,
) -> None:
    dealer = house.wire("dealer")
    dealer.done("excluded", "load-shoe")
    terminal = house.terminal("excluded", "exa")
    terminal.buy()
    dealer.done("excluded", "open-bets")
    terminal.stake("Player")
    expect(terminal.page.get_by_text(CLOSED)).to_have_count(0)
    office = house.section("exclusions", "shift")
    form = office.panel("Exclude a patron")
    form.get_by_label("Patron").fill(terminal.patron)
    form.get_by_label("Reason").fill("rude to the dealer")
    form.get_by_role("button", name="Exclude", exact=True).click()
    row = office.panel("Exclusions").get_by_role("row").filter(has_text=terminal.patron)
    for said in ("for good", "rude to the dealer", "shift"):
        expect(row).to_contain_text(said)
    # What was accepted is played, and said to stand; nothing more is taken.
    notice = terminal.page.get_by_role("status").filter(has_text=CLOSED)
    expect(notice).to_be_visible()
    expect(terminal.page.locator("[data-wager='Player']").first).to_be_visible()
    dealer.done("excluded", "close-bets")
    for card in PLAYER_WINS.split():
        dealer.done("excluded", "draw-card", card=card)
    dealer.done("excluded", "open-bets")
    expect(terminal.page.locator("[data-wager='Player']")).to_have_count(0)
    expect(notice).to_be_visible()
    # What is left is collected without a seat.
    terminal.page.get_by_role("main").get_by_role("button", name="Collect").click()
    dialog = terminal.page.get_by_role("dialog")
    dialog.get_by_role("button", name=re.compile("Collect|ticket", re.IGNORECASE)).first.click()
    expect(dialog).to_contain_text(re.compile("[A-Z2-7]{4}-[A-Z2-7]{4}-[A-Z2-7]{4}-[A-Z2-7]{4}"))
    expect(dialog.get_by_text("Redeem a ticket")).to_have_count(0)
    code = str(re.search("[A-Z2-7]{4}(-[A-Z2-7]{4}){3}", dialog.inner_text())[0])  # type: ignore[index]
    desk = house.office("excluded", "supervisor")
    panel = desk.panel("Desk")
    panel.get_by_role("combobox", name="What").select_option("Cash for a ticket")
    panel.get_by_label("Patron").first.fill(terminal.patron)
    field = panel.get_by_label("Code of the ticket")
    field.fill("ABCD-EFGH-JKLM-NPQR")
    panel.get_by_role("button", name="Book it").click()
    expect(panel).to_contain_text("This ticket is not valid, or was redeemed before")
    expect(field).to_have_value("")
    field.fill(code)
    panel.get_by_role("button", name="Book it").click()
    desk.said(f"Booked: {terminal.patron} has $0.00")
    # Lifted, the terminal has its table again.
    row.get_by_role("button", name=f"Lift the exclusion of {terminal.patron}").click()
    panel = office.panel("Exclusions")
    panel.get_by_label(f"Why {terminal.patron} may play again").fill("an apology")
    panel.get_by_role("button", name="Lift", exact=True).last.click()
    expect(row).to_have_count(0)
    expect(terminal.page.locator("[data-wager='Player']").first).to_be_visible()


def test_a_dealer_is_told_that_a_patron_is_excluded_and_the_desk_pays_all_the_same(house: House) -> None:
    house.wire("dealer").done("excluded-desk", "buy-in", patron="Pax Lee", cents=10_000, position=1)
    office = house.section("exclusions", "manager", locale="zh-CN")
    form = office.page.get_by_role("region", name="禁止玩家")
    form.get_by_label("玩家").fill("Pax Lee")
    form.get_by_label("原因").fill("家属要求")
    form.get_by_role("button", name="禁玩").click()
    expect(office.page.get_by_role("row").filter(has_text="Pax Lee")).to_contain_text("长期")
    desk = house.office("excluded-desk", "supervisor")
    expect(book(desk, "Cash for credits", "Pax Lee", "50.00")).to_contain_text("The house has excluded this patron")
    book(desk, "Credits for cash", "Pax Lee", "50.00")
    desk.said("Booked: Pax Lee has $50.00")
    assert house.record.credits("Pax Lee") == 5_000
