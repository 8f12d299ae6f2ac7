"""The pit's console: all tables at a glance, and one of them with its limits, its acts and its opening."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect
from tests.marks import clause
from tests.web.line import Line
from tests.web.staff.conftest import House
from tests.web.staff.console import Office
from tests.web.staff.rounds import BANKER_WINS, PLAYER_WINS, begun, dealt, drawn

from punto.rules import Method

# All tables at a glance


def tile(office: Office, table: str) -> Locator:
    return office.page.get_by_role("link", name=re.compile(f"^Table {table} "))


def figure(seen: Locator, label: str, amount: str) -> None:
    """Wait until a figure of a tile is this."""
    expect(seen.locator(".figures > span").filter(has_text=re.compile(f"^{label}"))).to_contain_text(amount)


def test_a_tile_tells_the_phase_the_stakes_and_the_money(house: House) -> None:
    pit = house.section("", "manager")
    seen = tile(pit, "glance")
    expect(seen).to_contain_text("Change of shoe")
    begun(house, "glance", ("Gil Ho", "Player", 8_000))
    expect(seen).to_contain_text("Place your bets")
    figure(seen, "Staked", "$80.00")
    figure(seen, "Drop", "$1,000.00")
    figure(seen, "Hold", "$0.00")
    dealt(house, "glance", BANKER_WINS)
    expect(seen).to_contain_text("Round over")
    figure(seen, "Staked", "$0.00")
    figure(seen, "Hold", "$80.00 8.0")


# All amounts of a tile that touch another, or the edge of their row.
_CROWDED = """() => [...document.querySelectorAll(".figures")].flatMap(row => {
    const room = row.getBoundingClientRect();
    const all = [...row.querySelectorAll(".money, .share")];
    const amounts = all.map(each => [each.textContent, each.getBoundingClientRect()]);
    const gap = parseFloat(getComputedStyle(row).fontSize) / 4;
    return amounts.filter(([, a]) => a.left < room.left - 1 || a.right > room.right + 1 ||
        amounts.some(([, b]) => a !== b && a.left < b.right + gap && b.left < a.right + gap &&
            a.top < b.bottom - 1 && b.top < a.bottom - 1)).map(([text]) => text);
})"""


@pytest.mark.parametrize("cents", [9_999_999_999, 99_999_999_999_999])
def test_long_figures_of_a_tile_have_room(house: House, cents: int) -> None:
    page = house.blank(house.papers("manager"))
    line = Line(page)

    def forge(message: dict[str, Any]) -> None:
        if message["t"] == "welcome":
            message["currency"] = "S$"
        for at, told in enumerate(message.get("tiles", ())):
            told["staked_cents"] = cents * (at % 2)
            told["max_cents"] = cents
            told["money"] |= {"drop_cents": cents, "hold_cents": -cents * (at % 3)}
            if told["balance"]:
                told["balance"]["player_cents"] = cents
            told["dealer"] = "W" * 64

    line.alter = forge
    page.goto("/pit")
    expect(page.locator(".figures").first).to_contain_text(f"S${cents // 100:,}.99")
    for width in (1366, 1920, 820, 360):
        page.set_viewport_size({"width": width, "height": 768})
        assert page.evaluate(_CROWDED) == [], width
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


@clause("B8 5.18")
def test_a_tile_weighs_the_hands_and_cries_when_one_is_too_heavy(house: House) -> None:
    pit = house.section("", "manager")
    seen = tile(pit, "balance")
    begun(house, "balance", ("Gus Ho", "Player", 8_000))
    figure(seen, "Headroom", "$20.00")
    expect(seen).to_have_accessible_name(re.compile(r"Player \$80.00, Banker \$0.00"))
    dealer = house.wire("dealer")
    dealer.done("balance", "place-wager", patron="Gus Ho", wager="Banker", stake_cents=5_000, position=1)
    figure(seen, "Headroom", "$70.00")
    dealer.done("balance", "change-wager", patron="Gus Ho", number=1, stake_cents=20_000)
    figure(seen, "Over by", "$50.00")
    expect(seen).not_to_contain_text("differential")
    dealer.done("balance", "close-bets")
    # Whoever hears the page hears it too.
    expect(seen).to_have_accessible_name(re.compile("The table differential is exceeded"))
    house.wire("manager").done("balance", "remove-wager", number=1, stake_cents=10_000)
    expect(seen).not_to_contain_text("differential")
    figure(seen, "Headroom", "$50.00")
    # Where there is no differential, there are the limits.
    figure(tile(pit, "limits"), "Limits", "$5.00 – $5,000.00")


# Limits of an open table


def limits(office: Office, wager: str) -> Locator:
    """A line of the limits, least and most."""
    return office.panel("Limits").get_by_role("table").first.get_by_role("row").filter(has_text=wager).first


def changing(office: Office) -> Locator:
    """The limits, about to be changed."""
    panel = office.panel("Limits")
    panel.get_by_role("button", name="Change the limits").click()
    return panel


def typed(panel: Locator, **amounts: str) -> None:
    """Type amounts: `Tie_Most="100"`."""
    for name, amount in amounts.items():
        wager, _, which = name.rpartition("_")
        panel.get_by_label(f"{wager.replace('_', ' ')}: {which}", exact=True).fill(amount)


def test_new_limits_wait_for_the_next_round(house: House) -> None:
    begun(house, "limits")
    ann = house.terminal("limits", "ann")
    ann.buy()
    office = house.office("limits", "supervisor")
    panel = changing(office)
    typed(panel, Every_wager_Least="20", Every_wager_Most="100", Tie_Least="5")
    panel.get_by_label("Table differential").fill("80")
    office.done(panel.get_by_role("button", name="From the next round on").click)
    office.said("The new limits count from the next round on")
    expect(limits(office, "Player")).to_contain_text("$5.00→ $20.00")
    expect(limits(office, "Player")).to_contain_text("$5,000.00→ $100.00")
    expect(limits(office, "Tie")).not_to_contain_text("→ $5.00")
    expect(panel.get_by_role("row", name="Table differential")).to_contain_text("no differential→ $80.00")
    # The round under way has those that were displayed when it began.
    area = ann.page.get_by_role("button", name=re.compile("^Player, pays"))
    expect(area).to_have_accessible_name(re.compile("from 5.00 to 5,000.00"))
    ann.page.get_by_role("radio", name="Chip of 5", exact=True).click()
    ann.stake("Player", 2)
    expect(area).to_have_accessible_name(re.compile("your stake 10.00"))
    bob = house.patron("bob")
    bob.sit("limits", 2)
    bob.wire.ask("buy", table="limits", cents=100_000)
    assert bob.stake("limits", "Banker", 50_000)["t"] == "accepted"
    dealt(house, "limits", PLAYER_WINS)
    house.wire("dealer").done("limits", "open-bets")
    # The next has the new ones, on every page.
    expect(area).to_have_accessible_name(re.compile("from 20.00 to 100.00"))
    expect(limits(office, "Player")).to_have_text(re.compile(r"^Player\s*\$20.00\s*\$100.00$"))
    expect(panel.get_by_role("row", name="Table differential")).to_contain_text("$80.00")
    expect(panel).not_to_contain_text("→")
    area.click()
    expect(ann.page.get_by_text("The least is 20.00").first).to_be_visible()
    ann.page.get_by_role("radio", name="Chip of 100", exact=True).click()
    ann.stake("Player")
    area.click()
    expect(ann.page.get_by_text("The most is 100.00").first).to_be_visible()
    for cents in (500, 10_100):
        assert bob.stake("limits", "Player", cents)["code"] == "bad-stake"
    assert bob.stake("limits", "Tie", 500)["t"] == "accepted"


@pytest.mark.parametrize(
    ("amounts", "said"),
    [
        ({"Tie_Least": "five"}, "Tie: expected an amount, such as 100.00"),
        ({"Tie_Most": "0"}, "Tie: expected an amount, such as 100.00"),
        ({"Tie_Least": "12,34"}, "Tie: expected an amount, such as 100.00"),
        ({"Player_Pair_Least": "6,000"}, "Player Pair: expected the least amount first, then the most"),
        ({"Every_wager_Least": "9000"}, "Player: expected the least amount first, then the most"),
        ({"Player_Least": "200"}, ""),
    ],
    ids=["no-amount", "nothing", "comma", "least-over-most", "every", "differential"],
)
def test_limits_that_cannot_be_are_not_asked_for(house: House, amounts: dict[str, str], said: str) -> None:
    office = house.office("amounts", "supervisor")
    panel = changing(office)
    typed(panel, **amounts)
    if not said:
        panel.get_by_label("Table differential").fill("2.00")
        said = "Differential: expected no less than the least wager, $5.00"
    panel.get_by_role("button", name="From the next round on").click()
    expect(panel.get_by_role("alert").filter(has_text=said)).to_have_text(said)
    assert house.record.events("amounts")[1:] == []


@pytest.mark.parametrize(
    ("name", "amounts", "said"),
    [
        ("supervisor", {}, "these are the limits already"),
        ("supervisor", {"Tie_Least": "5.50"}, "limits of Tie: expected whole units of 1.00, the least first"),
        ("dealer", {"Tie_Least": "10"}, "dealer has not taken table"),
    ],
    ids=["same", "unit", "dealer"],
)
def test_limits_that_the_table_refuses_are_told_in_one_line(
    house: House, name: str, amounts: dict[str, str], said: str
) -> None:
    office = house.office("amounts", name)
    panel = changing(office)
    typed(panel, **amounts)
    assert office.answered(panel.get_by_role("button", name="From the next round on").click) == "refused"
    alert = panel.get_by_role("alert").filter(has_text=said)
    expect(alert).to_be_visible()
    assert "\n" not in alert.inner_text()
    assert house.record.events("amounts")[1:] == []


def test_limits_that_are_left_as_they_are_stay(house: House) -> None:
    office = house.office("amounts", "supervisor")
    panel = changing(office)
    typed(panel, Every_wager_Least="50")
    panel.get_by_role("button", name="Leave as they are").click()
    expect(panel.get_by_role("textbox")).to_have_count(0)
    expect(limits(office, "Player")).to_have_text(re.compile(r"^Player\s*\$5.00\s*\$5,000.00$"))
    # What was typed and left is forgotten.
    expect(changing(office).get_by_label("Player: Least", exact=True)).to_have_value("5.00")
    assert house.record.events("amounts")[1:] == []


def test_limits_that_are_changed_back_are_none_to_wait_for(house: House) -> None:
    office = house.office("back", "supervisor")
    for amount in ("10", "5"):
        panel = changing(office)
        typed(panel, Tie_Least=amount)
        office.done(panel.get_by_role("button", name="From the next round on").click)
        expect(panel.get_by_text("from the next round on")).to_have_count(1 if amount == "10" else 0)
    expect(limits(office, "Tie")).to_have_text(re.compile(r"^Tie\s*\$5.00\s*\$5,000.00$"))


# Acts


@clause("B8 3.8.2")
def test_methods_a_and_b_are_a_pit_managers_to_choose_and_c_takes_somebody_above(house: House) -> None:
    office = house.office("methods", "manager")
    acts = office.panel("Acts")
    office.done(acts.get_by_role("button", name="A", exact=True).click)
    expect(acts.get_by_role("button", name="A", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(office.panel("Limits").get_by_role("row", name="Method of dealing")).to_contain_text("A")
    assert office.answered(acts.get_by_role("button", name="C", exact=True).click) == "refused"
    expect(acts.get_by_role("alert").filter(has_text="Assistant Casino Manager")).to_be_visible()
    above = house.office("methods", "assistant")
    above.done(above.panel("Acts").get_by_role("button", name="C", exact=True).click)
    expect(acts.get_by_role("button", name="C", exact=True)).to_have_attribute("aria-pressed", "true")
    # Nothing changes in a round.
    begun(house, "methods")
    assert office.answered(acts.get_by_role("button", name="B", exact=True).click) == "refused"
    expect(acts.get_by_role("alert").filter(has_text="only before a round begins")).to_be_visible()
    assert house.record.table("methods").method is Method.C


@clause("B8 3.6.1")
def test_a_pit_manager_restricts_the_wagers_of_an_area(house: House) -> None:
    begun(house, "areas", ("Hua Li", "Player", 1_000))
    office = house.office("areas", "manager")
    acts = office.panel("Acts")
    acts.get_by_label("Wagers per area").fill("1")
    office.done(acts.get_by_role("button", name="Restrict").click)
    expect(office.panel("Limits").get_by_role("row", name="Wagers per playing area")).to_contain_text("1")
    dealer = house.wire("dealer")
    dealer.done("areas", "buy-in", patron="Ian Ng", cents=10_000, position=1)
    answer = dealer.act("areas", "place-wager", patron="Ian Ng", wager="Player", stake_cents=1_000, position=1)
    assert answer["code"] == "area-is-full"


@clause("B8 3.16")
def test_whom_a_pit_manager_permits_to_squeeze_has_the_cards(house: House) -> None:
    begun(house, "squeeze")
    ann = house.terminal("squeeze", "ann")
    ann.buy()
    ann.stake("Player", 1)
    office = house.office("squeeze", "manager")
    acts = office.panel("Acts")
    name = house.patron("ann").name
    acts.get_by_label("Patron").select_option(name)
    house.wire("dealer").done("squeeze", "close-bets")
    office.done(acts.get_by_role("button", name="Permit to squeeze").click)
    expect(office.panel("People").get_by_role("row").filter(has_text=name)).to_contain_text("handles Player")
    for card in PLAYER_WINS.split():
        house.wire("dealer").done("squeeze", "draw-card", card=card)
    expect(ann.cards).to_have_count(2)


# Closing and opening


def wait_for_the_end(office: Office) -> None:
    """Ask for the table to be closed while its round is under way."""
    office.panel("Acts").get_by_role("button", name="Close the table").click()
    office.dialog.get_by_role("button", name="Close the table").click()
    expect(office.panel("Acts").get_by_role("status")).to_contain_text("The table closes when this round is over")


def field(form: Locator, label: str) -> Locator:
    """A field of a form; one that is chosen from a list is named by all of it."""
    return form.get_by_label(label, exact=True).or_(form.get_by_role("combobox", name=label, exact=True))


def test_a_table_closes_when_its_round_is_over_and_opens_with_the_setup_of_the_file(house: House) -> None:
    begun(house, "closing", ("Joy Tan", "Player", 1_000))
    office = house.office("closing", "manager")
    wait_for_the_end(office)
    office.panel("Acts").get_by_role("button", name="Cancel").click()
    expect(office.panel("Acts").get_by_role("button", name="Close the table")).to_be_visible()
    wait_for_the_end(office)
    assert house.record.table("closing").phase.value == "bets-open"
    # Limits that were changed are not the file's.
    house.wire("supervisor").done("closing", "change-limits", limits={"Tie": {"min_cents": 500, "max_cents": 6_000}})
    dealt(house, "closing", PLAYER_WINS)
    form = office.panel("Open the table")
    expect(form).to_be_visible()
    assert [event["type"] for event in house.record.events("closing")][-2:] == ["shoe-ended", "table-closed"]
    for label, value in (
        ("Game", "baccarat"),
        ("Cards from", "device"),
        ("Least wager", "5.00"),
        ("Most wager", "5,000.00"),
        ("Differential", "100.00"),
        ("Method", "B"),
        ("Time for bets, seconds", "600"),
    ):
        expect(field(form, label)).to_have_value(value)
    form.get_by_text("Single wagers").click()
    expect(form.get_by_role("group", name="Tie").get_by_label("Most")).to_have_value("")
    # A Pair is always offered (B8 3.5).
    expect(form.get_by_role("checkbox", name="is offered")).to_have_count(0)
    form.get_by_label("Most wager").fill("200")
    form.get_by_role("group", name="Tie").get_by_label("Most").fill("50")
    office.done(form.get_by_role("button", name="Open the table").click)
    expect(limits(office, "Player")).to_contain_text("$200.00")
    expect(limits(office, "Tie")).to_contain_text("$50.00")
    setup = house.record.table("closing").open
    assert (setup.differential_cents, setup.method, setup.hlga) == (10_000, Method.B, True)


def test_who_may_not_have_the_cards_replaced_cannot_close_a_table_before_the_cutting_card(house: House) -> None:
    begun(house, "kept")
    office = house.office("kept", "supervisor")
    wait_for_the_end(office)
    dealt(house, "kept", PLAYER_WINS)
    expect(office.panel("Acts").get_by_role("alert").filter(has_text="Pit Manager")).to_be_visible()
    assert house.record.table("kept").phase.value == "settled"


def test_a_table_closes_when_its_round_is_over_wherever_in_the_pit_one_is(house: House) -> None:
    begun(house, "wished")
    office = house.office("wished", "manager")
    office.panel("Acts").get_by_role("button", name="Close the table").click()
    # Cards of a device are not opened.
    expect(office.dialog).to_contain_text("The cards are taken out of the device")
    office.dialog.get_by_role("button", name="Close the table").click()
    expect(office.panel("Acts").get_by_role("status")).to_contain_text("as long as this page is open")
    office.page.get_by_role("link", name="Books").click()
    expect(office.panel("Books")).to_be_visible()
    dealt(house, "wished", PLAYER_WINS)
    office.page.get_by_role("link", name="Tables", exact=True).click()
    expect(tile(office, "wished")).to_contain_text("Closed")


def test_a_wish_waits_for_who_comes_back_and_a_refusal_names_the_table(house: House) -> None:
    begun(house, "wished-kept")
    office = house.office("wished-kept", "supervisor")
    office.panel("Acts").get_by_role("button", name="Replace the cards").click()
    office.dialog.get_by_label("Why, for the record").fill("worn cards")
    office.dialog.get_by_role("button", name="Replace the cards").click()
    waits = office.panel("Acts").get_by_role("status")
    expect(waits).to_contain_text("The cards are replaced when this round is over, as long as this page is open")
    office.page.get_by_role("link", name="All tables").click()
    tile(office, "wished-kept").click()
    expect(waits).to_contain_text("The cards are replaced")
    office.page.get_by_role("link", name="All tables").click()
    drawn(house, "wished-kept")
    office.said("Table wished-kept: ")
    assert house.record.table("wished-kept").phase.value == "settled"


@pytest.mark.parametrize(
    ("label", "value", "said"),
    [
        ("Least wager", "much", "Least wager: expected an amount, such as 100.00"),
        ("Least wager", "6000", "Least wager: expected the least amount first, then the most"),
        ("Differential", "1", "Differential: expected no less than the least wager, $5.00"),
        ("Chip unit", "?", "Chip unit: expected an amount, such as 100.00"),
    ],
    ids=["amount", "order", "differential", "unit"],
)
def test_what_a_table_cannot_be_opened_with_is_told_in_one_line(
    house: House, label: str, value: str, said: str
) -> None:
    if house.record.table("setups").phase.value != "closed":
        house.wire("supervisor").done("setups", "close-table")
    office = house.office("setups", "supervisor")
    form = office.panel("Open the table")
    expect(form.get_by_role("combobox", name="Game")).to_have_value("baccarat")
    field(form, label).fill(value)
    form.get_by_role("button", name="Open the table").click()
    expect(form.get_by_role("alert").filter(has_text=said)).to_have_text(said)
    assert house.record.table("setups").phase.value == "closed"
