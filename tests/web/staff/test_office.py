"""The office behind the pit's tables: edges, the record, money at the desk, the books, staff and terminals."""

import csv
import json
import re
from itertools import cycle, islice
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.marks import clause
from tests.web.staff.conftest import House
from tests.web.staff.console import Office, card_name
from tests.web.staff.rounds import BANKER_WINS, PLAYER_WINS, begun, dealt, drawn

from punto.record import read_shoe, sealed, verify

PASSWORD = "seven green lanterns"
FIRST = "first word of the day"


def saved(office: Office, link: Locator) -> str:
    """The text of what is saved by a link."""
    with office.page.expect_download() as saving:
        link.click()
    return Path(saving.value.path()).read_text(encoding="utf-8")


# What the cards that are left are worth

# Rounds of naturals without tens or pictures; what they leave are few ranks, so that pairs come often.
NATURALS = ("4152", "3657", "9898")


def naturals(rounds: int) -> list[str]:
    """Cards for so many rounds, none more often than four decks have it."""
    suits = {rank: (suit for suit in "shdc" for _ in range(4)) for rank in "123456789"}
    return [
        " ".join(f"{rank.replace('1', 'A')}{next(suits[rank])}" for rank in ranks)
        for ranks in islice(cycle(NATURALS), rounds)
    ]


def test_the_edge_of_every_wager_is_shown_and_one_in_the_players_favour_is_an_alarm(house: House) -> None:
    begun(house, "edges")
    office = house.office("edges", "manager")
    edges = office.panel("House edge now")
    usual = {"Player": "1.24", "Banker": "1.05", "Tie": "14.59", "Player Pair": "13.04", "Banker Pair": "13.04"}
    for wager, edge in usual.items():
        expect(edges.get_by_role("img", name=f"{wager}: {edge}\u00a0% now, {edge}\u00a0% usually")).to_be_visible()
    expect(edges.get_by_role("listitem")).to_have_count(len(usual))
    expect(edges).not_to_contain_text("in the players' favour")
    first, *others = naturals(21)
    dealt(house, "edges", first)
    for cards in others:
        house.wire("dealer").done("edges", "open-bets")
        dealt(house, "edges", cards)
    cry = "In the players' favour: Player Pair, Banker Pair"
    for wager in ("Player Pair", "Banker Pair"):
        row = edges.get_by_role("listitem").filter(has_text=wager)
        expect(row).to_contain_text(re.compile(r"\u2212\d+\.\d\d\u00a0%"))
        expect(row).to_contain_text("in the players' favour")
    expect(office.page.get_by_role("alert").filter(has_text=cry)).to_be_visible()
    office.page.get_by_role("link", name="All tables").click()
    seen = office.page.get_by_role("link", name=re.compile("^Table edges "))
    expect(seen).to_contain_text(cry)


# The record


def test_a_round_is_replayed_by_its_number(house: House) -> None:
    begun(house, "recall", ("Kim Ong", "Player", 2_000), ("Kim Ong", "Tie", 500))
    dealt(house, "recall", PLAYER_WINS)
    begun(house, "recall", ("Kim Ong", "Player", 3_000))
    dealt(house, "recall", BANKER_WINS)
    office = house.office("recall", "manager")
    rounds = office.panel("Rounds")
    expect(rounds.get_by_role("row").filter(has_text="Banker 2–9")).to_contain_text("$30.00")
    rounds.get_by_label("Round number").fill("1")
    rounds.get_by_role("button", name="Replay", exact=True).first.click()
    replay = office.dialog.filter(has_text="Round 1 of table recall")
    expect(replay.get_by_role("row").filter(has_text="Player")).to_contain_text("$40.00")
    expect(replay.get_by_role("row").filter(has_text="Tie")).to_contain_text("$0.00")
    for card in PLAYER_WINS.split():
        expect(replay.get_by_role("img", name=card_name(card))).to_be_visible()
    steps = replay.get_by_role("listitem")
    whole = steps.count()
    expect(replay).to_contain_text(f"Step {whole} of {whole}")
    # From the beginning no card lies there; the fourth comes with the last draw.
    replay.get_by_role("button", name="First").click()
    expect(replay.get_by_role("img")).to_have_count(0)
    for _ in range(whole):
        replay.get_by_role("button", name="Next").click()
    expect(steps).to_have_count(whole)
    expect(replay.get_by_role("img")).to_have_count(4)
    office.shut()
    rounds.get_by_label("Round number").fill("99")
    rounds.get_by_role("button", name="Replay", exact=True).first.click()
    expect(rounds.get_by_role("alert")).to_contain_text("99")
    house.was_refused("/api/tables/recall/rounds/99", 404)


def test_the_list_of_rounds_follows_how_they_end(house: House) -> None:
    begun(house, "endings", ("Kay Lau", "Player", 2_000))
    office = house.office("endings", "manager")
    last = office.panel("Rounds").get_by_role("row").nth(1)
    expect(last).to_contain_text("In progress")
    dealt(house, "endings", PLAYER_WINS)
    expect(last).to_contain_text("Player 9–2")
    begun(house, "endings", ("Kay Lau", "Player", 2_000))
    expect(last).to_contain_text("In progress")
    house.wire("dealer").done("endings", "close-bets")
    house.wire("dealer").done("endings", "report-cards", found="extra-cards")
    expect(last).to_contain_text("Void")


# On a phone


SECTIONS = ("claims", "books", "staff", "personal", "terminals", "exclusions", "audit", "events")
# What is cut off sideways on a page: the page itself, a table, a cell, or the tab that says where one is.
CUT_OFF = """() => {
    const wide = (each) => each.scrollWidth > each.clientWidth + 1;
    const found = [...document.querySelectorAll("main .scroll, main td")].filter(wide).map((each) => each.innerText);
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page");
    const tab = document.querySelector("nav [aria-current]").getBoundingClientRect();
    const row = document.querySelector("nav:has([aria-current])").getBoundingClientRect();
    return tab.left < row.left || tab.right > row.right + 1 ? [...found, "the tab"] : found;
}"""


def test_on_a_phone_no_section_of_the_pit_is_cut_off_and_its_tab_is_in_sight(house: House) -> None:
    assert house.wire("dealer", taken=True).act("desk", "close-table")["code"] == "not-allowed"
    house.shoe("desk")
    page = house.section("", "shift", viewport={"width": 360, "height": 740}).page
    tabs = page.get_by_role("navigation", name="Sections")
    expect(tabs).to_have_attribute("data-after", "")
    expect(tabs).not_to_have_css("mask-image", "none")
    for section in SECTIONS:
        page.evaluate("section => location.hash = section", section)
        expect(tabs.locator("[aria-current]")).to_have_attribute("href", f"#{section}")
        if section in {"staff", "terminals", "events"}:
            expect(page.locator("main .stacked td.lead").first).to_be_visible()
        else:
            expect(page.get_by_role("heading", level=1)).to_be_attached()
        page.wait_for_function(f"() => !({CUT_OFF})().length", timeout=3_000)
    # At the end of the row there is nothing more, and the tabs that lie before it fade.
    expect(tabs).not_to_have_attribute("data-after", "")
    expect(tabs).to_have_attribute("data-before", "")


def test_the_text_of_a_shoe_that_is_out_bears_verifying(house: House) -> None:
    begun(house, "texts", ("Leo Sim", "Player", 2_500))
    drawn(house, "texts")
    office = house.office("texts", "manager")
    shoes = office.panel("Shoes")
    expect(shoes).to_contain_text("in play")
    office.panel("Acts").get_by_role("button", name="Replace the cards").click()
    replace = office.dialog.get_by_role("button", name="Replace the cards")
    expect(replace).to_be_disabled()
    office.dialog.get_by_label("Why, for the record").fill("worn cards")
    office.done(replace.click)
    shoe = read_shoe(saved(office, shoes.get_by_role("link", name="Save the text of shoe 1")))
    assert not list(verify(shoe))
    assert sealed(shoe)
    (coup,) = shoe.coups
    assert [(bet.patron, bet.wager, bet.stake_cents) for bet in coup.bets] == [("Leo Sim", "Player", 2_500)]


def test_an_audit_from_the_page_finds_everything_in_order(house: House) -> None:
    begun(house, "audited", ("Max Goh", "Banker", 2_500))
    office = house.section("audit", "manager")
    office.page.get_by_role("button", name="Audit everything").click()
    verdict = office.panel("Audit").get_by_role("status").first
    expect(verdict).to_have_text("Everything is in order", timeout=60_000)
    expect(office.panel("Audit")).to_contain_text("Asked by manager")
    # What is kept elsewhere names the last head of every writer; the floor's own key stands beside it.
    kept = json.loads(saved(office, office.page.get_by_role("link", name="Save head.json")))
    assert [name.startswith("heads/") for name in kept["heads"]] == [True] * len(kept["heads"])
    assert kept["heads"]
    expect(office.panel("The last signed heads")).to_contain_text(re.compile("[0-9a-f]{64}"))


# Money


def book(office: Office, what: str, patron: str, amount: str) -> Locator:
    """Cash for credits, or credits for cash."""
    desk = office.panel("Desk")
    desk.get_by_role("combobox", name="What").select_option(what)
    desk.get_by_label("Patron").first.fill(patron)
    desk.get_by_label("Amount").fill(amount)
    desk.get_by_role("button", name="Book it").click()
    return desk.get_by_role("alert").first


def test_cash_becomes_credits_at_the_desk_and_credits_cash(house: House) -> None:
    office = house.office("desk", "supervisor")
    book(office, "Cash for credits", "Nia Yeo", "250.50")
    office.said("Booked: Nia Yeo has $250.50")
    book(office, "Credits for cash", "Nia Yeo", "100")
    office.said("Booked: Nia Yeo has $150.50")
    expect(office.panel("Money")).to_contain_text("$100.00")
    desk = office.page.get_by_text("Nia Yeo was paid $100.00.")
    desk.get_by_role("button", name="Receipt").click()
    receipt = office.page.get_by_role("dialog", name="Receipt")
    expect(receipt).to_contain_text("It proves that $100.00 of Nia Yeo's credits were paid out at table desk")
    expect(receipt.locator("svg[role=img]")).to_be_visible()
    receipt.get_by_role("button", name="Close").click()
    for amount, said in (("150.51", "Not enough credits"), ("ten", "Amount: expected an amount, such as 100.00")):
        expect(book(office, "Credits for cash", "Nia Yeo", amount)).to_have_text(said)
    assert house.record.credits("Nia Yeo") == 15_050


def employed(house: House, name: str, position: str, by: str = "shift") -> Page:
    """The console of somebody on the staff, who has a password of their own; whom one person hired are one party."""
    house.hire(name, position, FIRST, by)
    page = house.alone("/sign-in")
    sign_in(page, name, FIRST)
    own_password(page)
    return page


def sign_in(page: Page, name: str, password: str) -> None:
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("main").locator("form").get_by_role("button", name="Sign in").click()


def own_password(page: Page) -> None:
    """Choose a password of one's own, as who was given one must."""
    page.get_by_label("Password so far").fill(FIRST)
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("New password again").fill(PASSWORD)
    page.get_by_role("button", name="Change password").click()
    page.wait_for_url(re.compile("/(pit|dealer)"))


def correct(office: Office, amount: str = "-25.00") -> Locator:
    """Credits that are to be put right; what is said against it."""
    desk = office.panel("Desk")
    if not desk.get_by_label("Reason").is_visible():
        desk.get_by_text("Correct credits").click()
    desk.get_by_label("Patron").nth(1).fill("Pia Rao")
    desk.get_by_label("Difference, with a minus to take away").fill(amount)
    desk.get_by_label("Reason").fill("paid twice")
    desk.get_by_role("button", name="Propose it", exact=True).click()
    return desk.get_by_role("alert").filter(has_text=re.compile("."))


def test_a_correction_is_proposed_by_one_and_approved_by_another_in_a_session_of_their_own(house: House) -> None:
    house.wire("dealer").done("correction", "buy-in", patron="Pia Rao", cents=10_000, position=1)
    office = house.office("correction", "supervisor")
    expect(office.panel("Desk").get_by_label("password")).to_have_count(0)
    expect(correct(office, "some")).to_have_text("Amount: expected an amount, such as 100.00")
    correct(office)
    office.said("It waits for a second person: nothing is done yet.")
    own = office.panel("Waits for a second person")
    expect(own).to_contain_text("Put credits right")
    expect(own.get_by_role("button", name="Confirm")).to_have_count(0)
    page = employed(house, "Ola Quek", "gaming-shift-manager")
    page.goto("/pit#table/correction")
    panel = Office(page).panel("Waits for a second person")
    for said in ("Pia Rao", "\u2212$25.00", "paid twice", "Pit Manager or above confirms"):
        expect(panel).to_contain_text(said)
    assert house.record.credits("Pia Rao") == 10_000
    panel.get_by_role("button", name="Turn down").click()
    expect(panel).to_have_count(0)
    correct(office)
    panel.get_by_role("button", name="Confirm", exact=True).click()
    expect(panel).to_have_count(0)
    assert house.record.credits("Pia Rao") == 7_500


def test_cash_above_a_limit_waits_for_somebody_who_is_independent(house: House) -> None:
    supervisor = employed(house, "Uma Nair", "pit-supervisor")
    shift = employed(house, "Ivy Goh", "gaming-shift-manager", by="night")
    house.hire_as(shift, "Puppet Tan", "pit-supervisor", FIRST)
    puppet = house.alone("/sign-in")
    sign_in(puppet, "Puppet Tan", FIRST)
    own_password(puppet)
    # Whom nobody knows, gets nothing until the name is registered.
    supervisor.goto("/pit#table/cash")
    office = Office(supervisor)
    expect(book(office, "Cash for credits", "Lin Wee", "20.00")).to_contain_text("Nobody here knows this patron")
    desk = office.panel("Desk")
    desk.get_by_text("Register a patron").click()
    desk.get_by_label("Name on record").fill("Lin Wee")
    desk.get_by_role("button", name="Register", exact=True).click()
    office.said("Lin Wee is registered: cash may move in this name.")
    book(office, "Cash for credits", "Lin Wee", "20.00")
    office.said("Booked: Lin Wee has $20.00")
    shift.goto("/pit#table/cash")
    book(Office(shift), "Cash for credits", "Lin Wee", "100001")
    Office(shift).said("It waits for a second person: nothing is done yet.")
    puppet.goto("/pit#table/cash")
    panel = Office(puppet).panel("Waits for a second person")
    expect(panel).to_contain_text("Cash in, above one person's limit")
    expect(panel).to_contain_text("You cannot confirm this")
    expect(panel.get_by_role("button", name="Confirm")).to_have_count(0)
    panel = office.panel("Waits for a second person")
    expect(panel).to_contain_text("$100,001.00")
    panel.get_by_role("button", name="Confirm", exact=True).click()
    expect(panel).to_have_count(0)
    assert house.record.credits("Lin Wee") == 10_002_100


def test_what_the_office_refuses_is_said_in_chinese_on_a_chinese_page(house: House) -> None:
    house.hire("Wen Bai", "dealer", FIRST)
    page = house.office("desk", "shift", locale="zh-CN").page
    desk = page.get_by_role("region", name="柜台", exact=True)
    for label, typed in (("玩家", "Wen Bai"), ("金额", "?")):
        desk.get_by_label(label).first.fill(typed)
    desk.get_by_role("button", name="入账").click()
    expect(desk.get_by_role("alert").first).to_have_text("金额：应为金额，例如 100.00")
    page.get_by_role("spinbutton", name="局号").fill("99")
    page.get_by_role("button", name="重放", exact=True).first.click()
    expect(page.get_by_role("alert").filter(has_text="没有此局")).to_be_visible()
    house.was_refused("/api/tables/desk/rounds/99", 404)
    page.goto("/pit#staff")
    form = page.get_by_role("region", name="新增员工")
    for name, password, said in (("Wen Bai", FIRST, "此姓名已被使用"), ("Yan Cao", "short", "此密码不可用")):
        form.get_by_label("姓名").fill(name)
        form.get_by_label("初始密码").fill(password)
        form.get_by_role("button", name="开立账户").click()
        expect(form.get_by_role("alert")).to_contain_text(said)
    house.was_refused("/api/staff", 400)


def test_the_books_of_a_day_and_of_a_shift_say_what_was_played(house: House) -> None:
    begun(house, "books", ("Quin Teo", "Player", 4_000), ("Rui Wee", "Banker", 6_000))
    dealt(house, "books", PLAYER_WINS)
    office = house.section("books", "manager")
    books = office.panel("Books")
    books.get_by_role("combobox", name="Of table").select_option("books")
    for by in ("Gaming day", "Shift"):
        books.get_by_role("combobox", name="By").select_option(by)
        # The table may have been opened in the shift before, in which nothing was played.
        row = books.get_by_role("row").filter(has_text=re.compile("^books")).filter(has_text="$20.00")
        expect(row).to_contain_text(re.compile(r"\d{4}-\d\d-\d\d"))
        lines = csv.DictReader(saved(office, books.get_by_role("link", name="Save as CSV")).splitlines())
        (line,) = (each for each in lines if each["wagered_cents"] != "0")
        figures = {name: int(line[f"{name}_cents"]) for name in ("in", "wagered", "won", "returned", "escrow", "hold")}
        assert figures == {
            "in": 200_000,
            "wagered": 10_000,
            "won": 4_000,
            "returned": 4_000,
            "escrow": 0,
            "hold": 2_000,
        }
        assert line["rounds"] == "1"
        shown = row.get_by_role("cell").all_inner_texts()
        assert shown[:3] == [line["table"], line["period or terminal"], "1"]
        assert shown[4] == "$2,000.00"


# People


def test_a_patron_gets_a_name_from_the_floor_and_the_full_name_is_seen_saved_and_erased(house: House) -> None:
    office = house.office("desk", "supervisor")
    desk = office.panel("Desk")
    desk.get_by_text("Register a patron").click()
    desk.get_by_label("Full name").fill("Xenia Quillfeather")
    desk.get_by_role("button", name="Register", exact=True).click()
    office.said("is registered: cash may move in this name.")
    handle = desk.get_by_label("Patron").first.input_value()
    assert re.fullmatch(r"patron-\d+", handle)
    expect(desk).to_contain_text(f"{handle}: Xenia Quillfeather")
    office = house.section("personal", "shift")
    panel = office.panel("Personal data")
    panel.get_by_label("Name on record").fill(handle.upper())
    panel.get_by_role("button", name="Look up").click()
    row = panel.get_by_role("row").filter(has_text="Xenia Quillfeather")
    expect(row).to_contain_text("full name")
    written = office.panel("Write something down")
    expect(written.get_by_label("Name on record")).to_have_value(handle)
    written.get_by_role("combobox", name="Kind").select_option("note")
    written.get_by_label("Text").fill("asks for table 3")
    written.get_by_role("button", name="Keep it").click()
    expect(panel.get_by_role("row").filter(has_text="asks for table 3")).to_contain_text("note")
    kept = json.loads(saved(office, panel.get_by_role("button", name="Save for the person")))
    assert {each["text"] for each in kept["kept"]} == {"Xenia Quillfeather", "asks for table 3"}
    panel.get_by_role("button", name="Erase personal data").click()
    dialog = office.dialog.filter(has_text="Reason")
    dialog.get_by_label("Reason").fill("Ms Quillfeather asked")
    dialog.get_by_role("button", name="Erase for good").click()
    expect(dialog.get_by_role("alert")).to_contain_text("must not name the person")
    house.was_refused(f"/api/people/{handle}/erasures", 400)
    dialog.get_by_label("Reason").fill("asked at the desk")
    dialog.get_by_role("button", name="Erase for good").click()
    expect(panel.get_by_role("status")).to_have_text(f"Erased about {handle}: 2")
    expect(panel).to_contain_text("Nothing is kept beside the record")


# Staff


def test_who_is_put_on_the_staff_signs_in_and_chooses_a_password(house: House) -> None:
    office = house.section("staff", "shift")
    form = office.panel("Put somebody on the staff")
    form.get_by_label("Name", exact=True).fill("Sam Xu")
    position = form.get_by_role("combobox", name="Position")
    # A Gaming Shift Manager opens accounts of every position, also of those above.
    expect(position.get_by_role("option").last).to_have_text("Casino Director")
    position.select_option("Pit Manager")
    form.get_by_label("First password").fill("short")
    form.get_by_role("button", name="Open account").click()
    expect(form.get_by_role("alert")).to_contain_text("10 to 200 characters")
    house.was_refused("/api/staff", 400)
    form.get_by_label("First password").fill(FIRST)
    form.get_by_role("button", name="Open account").click()
    row = office.panel("Accounts").get_by_role("row").filter(has_text="Sam Xu")
    expect(row).to_contain_text("must change the password")
    expect(row).to_contain_text("Pit Manager")
    page = house.alone("/sign-in")
    sign_in(page, "Sam Xu", PASSWORD)
    expect(page.get_by_role("alert")).to_have_text("The name and the password do not belong together")
    sign_in(page, "Sam Xu", FIRST)
    expect(page.get_by_text("choose your own before anything else")).to_be_visible()
    own_password(page)
    expect(page.get_by_role("link", name="Sam Xu, Pit Manager")).to_be_visible()
    office.page.reload()
    expect(row).to_contain_text("Pit Manager")
    expect(row).not_to_contain_text("must change")


@pytest.mark.nightly
@clause("B8 6.2")
def test_who_acts_in_a_higher_position_has_it_on_the_open_page_until_it_ends(house: House) -> None:
    page = employed(house, "Tia Yap", "dealer")
    page.goto("/pit")
    expect(page.get_by_role("link", name="Tia Yap, Dealer")).to_be_visible()
    office = house.section("staff", "assistant")
    accounts = office.panel("Accounts")
    accounts.get_by_role("button", name="Change Tia Yap").click()
    accounts.get_by_role("combobox", name="Acting as").select_option("Pit Manager")
    accounts.get_by_role("button", name="Let act").click()
    expect(page.get_by_role("link", name="Tia Yap, Pit Manager")).to_be_visible()
    expect(accounts.get_by_role("row").filter(has_text="Tia Yap")).to_contain_text("Pit Manager, until")
    accounts.get_by_role("button", name="End", exact=True).click()
    expect(page.get_by_role("link", name="Tia Yap, Dealer")).to_be_visible()
    # Nobody gives what is not below their own.
    acting = accounts.get_by_role("combobox", name="Acting as")
    expect(acting.get_by_role("option").filter(has_text="Gaming Shift Manager")).to_have_count(0)
    acting.select_option("Assistant Casino Manager")
    accounts.get_by_role("button", name="Let act").click()
    expect(accounts.get_by_role("alert").filter(has_text="may not let anybody act")).to_be_visible()


def test_who_is_taken_off_the_staff_is_out_at_once(house: House) -> None:
    page = employed(house, "Una Zee", "pit-supervisor")
    expect(page.get_by_role("link", name="Una Zee, Pit Supervisor")).to_be_visible()
    office = house.section("staff", "shift")
    accounts = office.panel("Accounts")
    accounts.get_by_role("button", name="Change Una Zee").click()
    accounts.get_by_role("button", name="Take off the staff").click()
    office.dialog.get_by_role("button", name="Take off the staff").click()
    expect(page.get_by_role("alert")).to_contain_text("The connection has ended: the account was closed")
    expect(accounts.get_by_role("row").filter(has_text="Una Zee")).to_have_count(0)
    page.goto("/sign-in")
    sign_in(page, "Una Zee", PASSWORD)
    expect(page.get_by_role("alert")).to_have_text("The name and the password do not belong together")


def test_somebody_in_the_pit_signs_out_where_they_are(house: House) -> None:
    page = employed(house, "Wes Lim", "pit-supervisor")
    page.get_by_role("banner").get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(re.compile("/sign-in$"))
    page.goto("/pit")
    expect(page.get_by_text("The pit is for staff.")).to_be_visible()


@pytest.mark.nightly
def test_a_session_is_ended_from_the_list_of_who_is_signed_in(house: House) -> None:
    page = employed(house, "Vic Ang", "pit-supervisor")
    expect(page.get_by_role("link", name="Vic Ang, Pit Supervisor")).to_be_visible()
    office = house.section("staff", "manager")
    end = office.panel("Signed in").get_by_role("button", name="End the session of Vic Ang")
    end.click()
    expect(page.get_by_role("alert")).to_contain_text("ended by a manager")
    expect(end).to_have_count(0)


@pytest.mark.nightly
def test_a_long_name_leaves_every_button_in_sight(house: House) -> None:
    name = "W" * 64
    house.hire(name, "assistant-casino-manager", FIRST)
    door = house.alone("/sign-in")
    sign_in(door, name, FIRST)
    expect(door.get_by_text("choose your own before anything else")).to_be_visible()
    office = house.section("staff", "shift")
    for width in (1366, 360):
        office.page.set_viewport_size({"width": width, "height": 768})
        for button in (f"Change {name}", f"End the session of {name}"):
            seen = office.page.get_by_role("button", name=button)
            seen.evaluate("button => button.scrollIntoView({ block: 'center', inline: 'nearest' })")
            box = seen.bounding_box()
            assert box
            # Within its panel, before anybody scrolls it sideways.
            assert seen.evaluate("button => button.closest('.scroll').scrollLeft") == 0
            assert box["x"] + box["width"] <= width - 16
            called = seen.locator("xpath=ancestor::tr").locator(".called").bounding_box()
            assert called
            assert called["x"] + called["width"] <= box["x"]
        assert office.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # Nor does what may be changed of the account push anything aside.
    office.page.get_by_role("button", name=f"Change {name}").click()
    expect(office.page.get_by_role("heading", name=name)).to_be_visible()
    assert office.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    office.page.get_by_role("button", name="Take off the staff").click()
    office.dialog.get_by_role("button", name="Take off the staff").click()
    expect(office.page.get_by_role("button", name=f"Change {name}")).to_have_count(0)


def test_a_terminal_is_enrolled_by_a_code_and_gone_when_it_is_revoked(house: House) -> None:
    office = house.section("terminals", "supervisor")
    enrol = office.panel("Enrol a terminal")
    enrol.get_by_label("Number").fill("7")
    enrol.get_by_label("Called").fill("by the door")
    enrol.get_by_role("button", name="Make a code").click()
    expect(enrol.get_by_role("status")).to_contain_text("Code for terminal-7")
    code = enrol.get_by_role("status").locator(".code").inner_text()
    page = house.alone("/sign-in")
    page.get_by_role("button", name="This device as a terminal").click()
    for typed, said in (("AAAA-BBBB-CCCC", "This code is wrong"), (code, "")):
        page.get_by_label("Code").fill(typed)
        page.get_by_role("button", name="Enrol this device").click()
        if said:
            expect(page.get_by_role("alert")).to_contain_text(said)
    expect(page.get_by_text("This device is terminal terminal-7 (by the door)")).to_be_visible()
    page.goto("/table/terminals")
    expect(page.get_by_role("button", name=re.compile("^Player, pays"))).to_be_visible()
    devices = office.panel("Terminals and shoes")
    devices.get_by_role("button", name="Refresh").click()
    devices.get_by_role("button", name="Revoke terminal-7").click()
    expect(page.get_by_role("alert")).to_contain_text("This terminal is no longer connected. Your credits are kept.")
    expect(devices.get_by_role("row").filter(has_text="terminal-7")).to_have_count(0)


_BUY_IN = """() => fetch("/api/desk", {method: "POST", headers: {"content-type": "application/json"},
    body: JSON.stringify({table: "terminals", patron: "terminal-8", position: 1, cents: 5000, kind: "in"})})
    .then(answer => answer.text())"""


def test_a_terminal_with_credits_becomes_another_device_once_a_second_person_confirms_it(house: House) -> None:
    ada, ben = employed(house, "Ada Moe", "pit-supervisor"), employed(house, "Ben Roy", "pit-supervisor", by="night")
    for page in (ada, ben):
        page.goto("/pit#terminals")
    enrol = Office(ada).panel("Enrol a terminal")

    def ask() -> Locator:
        enrol.get_by_label("Number").fill("8")
        enrol.get_by_role("button", name="Make a code").click()
        return enrol.get_by_role("status")

    expect(ask()).to_contain_text("Code for terminal-8")
    first = house.alone("/sign-in")
    first.get_by_role("button", name="This device as a terminal").click()
    first.get_by_label("Code").fill(enrol.locator(".code").inner_text())
    first.get_by_role("button", name="Enrol this device").click()
    expect(first.get_by_text("This device is terminal terminal-8")).to_be_visible()
    assert "credits_cents" in ada.evaluate(_BUY_IN)
    expect(ask()).to_contain_text("terminal-8 has credits, so this takes two people")
    own = Office(ada).panel("Waiting for a second person")
    expect(own).to_contain_text("Another person must confirm it, in a session of their own.")
    expect(own.get_by_role("button", name="Confirm")).to_have_count(0)
    expect(own.get_by_role("button", name="Withdraw")).to_be_visible()
    Office(ben).panel("Terminals and shoes").get_by_role("button", name="Refresh").click()
    moves = Office(ben).panel("Waiting for a second person")
    expect(moves).to_contain_text("Ada Moe proposes that another device become terminal-8, with its credits.")
    moves.get_by_role("button", name="Confirm and make a code").click()
    expect(Office(ben).panel("Enrol a terminal").get_by_role("status")).to_contain_text("Code for terminal-8")
    expect(moves).to_have_count(0)
