"""The dealer's console: rounds, wagers, cards, the shoe, and what happens when a page or a line is lost."""

import re
from functools import partial

import pytest
from playwright.sync_api import FloatRect, Page, expect
from tests.marks import by_day, clause
from tests.web.staff.conftest import House
from tests.web.staff.console import Console, card_name
from tests.web.staff.rounds import BANKER_WINS, begun, dealt

# Keeps hold of the page's connection, so that a test can cut it.
_HELD = """
    const Live = WebSocket;
    window.WebSocket = class extends Live {
        constructor(...about) { super(...about); window.live = this; }
    };
"""


def started(house: House, table: str, console: Console | None = None) -> Console:
    """A console whose dealer has loaded the shoe."""
    console = console or house.console(table)
    console.take()
    console.next("Load shoe")
    return console


def alone(house: House, table: str) -> Console:
    """A console in a browser of its own: whatever is done to it, no other test has it."""
    return Console(house.page(f"/dealer/{table}", house.fresh_papers("dealer")))


def scanned(console: Console, *cards: str) -> None:
    """A scanner types each card and ends it with Enter."""
    for card in cards:
        expect(console.page.get_by_role("group", name="Card keypad")).to_be_visible()
        before = console.hands()
        console.pace()
        console.done(partial(console.page.keyboard.type, f"{card}\n"))
        console.settled(before)


def types(house: House, table: str) -> list[str]:
    return [event["type"] for event in house.record.events(table)]


def test_a_whole_round_is_dealt_with_one_key(house: House) -> None:
    console = house.console("rounds")
    expect(console.act).to_contain_text("Take the table")
    console.pace()
    console.page.keyboard.press("Space")
    expect(console.page.get_by_text("You deal", exact=True)).to_be_visible()
    for _ in range(16):
        console.pace()
        console.done(lambda: console.page.keyboard.press("Space"))
        if "round-settled" in types(house, "rounds"):
            break
    came = types(house, "rounds")
    assert came[:4] == ["table-opened", "shoe-loaded", "bets-opened", "bets-closed"]
    assert came[-2:] == ["outcome-announced", "round-settled"]
    expect(console.page.get_by_role("region", name="Pay", exact=True)).to_contain_text("No wagers: nothing to pay")


def test_a_second_click_of_the_same_hand_does_nothing(house: House) -> None:
    console = started(house, "clicks", alone(house, "clicks"))
    console.pace()
    console.done(console.act.dblclick)
    expect(console.act).to_contain_text("No more bets")
    assert types(house, "clicks")[-1] == "bets-opened"
    console.pace()
    console.done(lambda: console.act.click(click_count=3))
    expect(console.act).to_contain_text("Card for Player")
    assert types(house, "clicks")[-1] == "bets-closed"
    # Nor does one that comes when the first has been answered already; time stands still for the page meanwhile.
    console.page.clock.pause_at(console.page.evaluate("Date.now() / 1000 + 1"))
    console.done(console.act.click)
    expect(console.act).to_contain_text("Card for Banker")
    console.act.click()
    # What the page asks for later is answered later.
    chips(console, 1, "Abe Low", "100", "Buy in")
    assert types(house, "clicks").count("card-drawn") == 1


def chips(console: Console, position: int, patron: str, amount: str, button: str) -> None:
    """Chips for cash, or cash for chips."""
    sheet = console.opened("Chips")
    sheet.get_by_label("Position").select_option(str(position))
    sheet.get_by_label("Patron").fill(patron)
    sheet.get_by_label("Amount").fill(amount)
    console.done(console.button(button, sheet).click)
    console.shut()


def test_wagers_and_chips_of_patrons_without_a_terminal(house: House) -> None:
    console = started(house, "wagers")
    chips(console, 1, "Amy Lim", "500", "Buy in")
    console.next("Open bets")
    sheet = console.opened("Wager")
    sheet.get_by_label("Position").select_option("1")
    sheet.get_by_label("Patron").fill("Amy Lim")

    def place(wager: str, amount: str) -> str:
        on = sheet.get_by_role("group", name="On", exact=True)
        on.get_by_role("button", name=wager, exact=True).click()
        sheet.get_by_label("Amount").fill(amount)
        return console.answered(console.button("Place", sheet).click)

    assert place("Player", "100") == "accepted"
    expect(sheet.get_by_role("status")).to_have_text("Placed: Player $100.00")
    assert place("Tie", "10") == "accepted"
    row = sheet.get_by_role("listitem").filter(has_text="Player")
    # What is being typed stays, whatever else happens at the table.
    bob = house.patron("bob")
    bob.sit("wagers", 2)
    row.get_by_label("Change to: Player").fill("150")
    sheet.get_by_label("Patron").fill("Amy")
    bob.wire.ask("buy", table="wagers", cents=50_000)
    assert bob.stake("wagers", "Banker", 10_000)["t"] == "accepted"
    expect(console.page.get_by_role("region", name="Positions")).to_contain_text(bob.name)
    expect(sheet.get_by_label("Patron")).to_have_value("Amy")
    sheet.get_by_label("Patron").fill("Amy Lim")
    console.done(console.button("Change to", row).click)
    console.done(console.button("Take back", sheet.get_by_role("listitem").filter(has_text="Tie")).click)
    assert house.record.credits("Amy Lim") == 35_000
    # Too much is refused in one line, and nothing else happens.
    assert place("Player", "9000") == "refused"
    refusal = sheet.get_by_role("alert")
    expect(refusal).not_to_be_empty()
    assert "\n" not in refusal.inner_text()
    console.shut()
    # Somebody vouches that the patron asked for each wager, also for the one that was taken back.
    asked = console.page.get_by_role("region", name="To vouch for")
    expect(asked).to_contain_text("B8 3.7")
    expect(asked).to_contain_text("Amy Lim: Player $150.00")
    for left in (1, 0):
        console.done(lambda: console.page.keyboard.press("v"))
        expect(asked.get_by_role("textbox")).to_have_count(left)
    expect(console.page.get_by_role("region", name="To vouch for")).to_have_count(0)
    chips(console, 1, "Amy Lim", "350", "Cash out")
    assert house.record.credits("Amy Lim") == 0
    came = types(house, "wagers")
    assert came[-9:] == [
        "wager-placed",
        "wager-placed",
        "credits-bought",
        "wager-placed",
        "wager-changed",
        "wager-taken-back",
        "attested",
        "attested",
        "credits-cashed-out",
    ]


def test_who_bought_in_at_a_position_is_known_there(house: House) -> None:
    console = started(house, "bought")
    chips(console, 3, "Abe Low", "500", "Buy in")
    console.next("Open bets")
    sheet = console.opened("Wager")
    patron = sheet.get_by_label("Patron")
    expect(patron).to_have_value("")
    sheet.get_by_label("Position").select_option("3")
    expect(patron).to_have_value("Abe Low")
    expect(sheet.locator("datalist option[value='Abe Low']")).to_have_count(1)


@pytest.mark.parametrize("width", by_day([1024, 768, 390], [390]))
def test_every_tool_is_seen_on_a_narrow_screen(house: House, width: int) -> None:
    console = house.console("keys", viewport={"width": width, "height": 1024})
    tools = console.page.get_by_role("contentinfo").get_by_role("button")
    expect(tools).to_have_count(7)
    boxes = [tool.bounding_box() for tool in tools.all()]
    for at, tool in enumerate(tools.all()):
        expect(tool).to_be_in_viewport(ratio=1)
        assert not any(overlap(boxes[at], other) for other in boxes[:at]), tool.inner_text()


def overlap(one: FloatRect | None, other: FloatRect | None) -> bool:
    """Whether one thing on the page lies over another."""
    assert one
    assert other
    beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
    above = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    return not (beside or above)


def test_when_the_time_for_answers_is_up_there_is_only_time_to_call(house: House) -> None:
    # By the clock of the floor and of a page that nobody has moved on.
    console = alone(house, "late")
    console.take()
    begun(house, "late", ("Ada Foo", "Player", 3_000))
    for do in ("close-bets", "report-interruption"):
        house.wire("dealer").done("late", do)
    row = console.decision.get_by_role("listitem").filter(has_text="Ada Foo")
    expect(console.button("Plays on", row)).to_be_disabled()
    for checkbox in row.get_by_role("checkbox").all():
        checkbox.check()
    expect(row.get_by_role("button", name=re.compile("^Withdraws"))).to_be_disabled()
    console.call_time()
    expect(console.decision).to_have_count(0)


def paid(console: Console) -> list[tuple[str, ...]]:
    """What is listed to collect and to pay."""
    rows = console.page.get_by_role("table").get_by_role("row").all()[1:]
    lines = [[cell.inner_text() for cell in row.locator("th, td").all()] for row in rows]
    return [(line[0].split()[-1], line[1], line[2], line[4]) for line in lines]


@clause("B8 1.1.7")
def test_late_wagers_are_on_record_and_payments_come_in_paying_order(house: House) -> None:
    dealer = house.wire("dealer")
    console = started(house, "payouts")
    for position, patron in ((1, "Cho Wu"), (2, "Dee Ng")):
        dealer.done("payouts", "buy-in", patron=patron, cents=50_000, position=position)
    console.next("Open bets")
    for patron, position, wager, cents in (
        ("Dee Ng", 2, "Player", 3_000),
        ("Dee Ng", 2, "Banker", 6_000),
        ("Cho Wu", 1, "Player", 15_000),
        ("Cho Wu", 1, "Tie", 1_000),
    ):
        dealer.done("payouts", "place-wager", patron=patron, wager=wager, stake_cents=cents, position=position)
    console.next("No more bets")
    # What comes now comes too late, and is on record as that.
    console.button("Irregularity").click()
    console.dialog.get_by_role("button", name=re.compile("A wager")).click()
    console.dialog.get_by_role("button", name=re.compile("after the close")).click()
    console.button("To the wagers", console.dialog).click()
    console.dialog.get_by_label("Position").select_option("1")
    row = console.dialog.get_by_role("listitem").filter(has_text="Player")
    assert console.answered(console.button("Take back", row).click) == "refused"
    expect(console.dialog.get_by_role("alert")).to_contain_text("B8 5.5")
    console.shut()
    scanned(console, "Ks", "2h", "9d", "5c")
    console.next("Announce")
    # What is to be collected and paid stands there while it is done, and after.
    expect(console.act).to_contain_text("Pay")
    for _ in ("due", "paid"):
        expect(console.page.get_by_role("region", name="Pay", exact=True)).to_contain_text("Pay $180.00")
        assert paid(console) == [
            ("Wu", "Tie", "10.00", "–"),
            ("Ng", "Banker", "60.00", "–"),
            ("Wu", "Player", "150.00", "150.00"),
            ("Ng", "Player", "30.00", "30.00"),
        ]
        if "Pay" in console.act.inner_text():
            console.next("Pay")
            expect(console.act).to_contain_text("Open bets")
    assert house.record.credits("Cho Wu") == 64_000
    assert house.record.credits("Dee Ng") == 47_000
    assert types(house, "payouts").count("late-withdrawal") == 1


def test_cards_are_entered_on_keys_and_by_a_scanner(house: House) -> None:
    console = started(house, "cards")
    # A card that nobody waits for is not taken.
    console.page.keyboard.type("Ks")
    console.page.keyboard.press("Enter")
    expect(console.next_act.get_by_role("alert")).to_have_text("No card is due. Not entered: King of spades")
    console.next("Open bets")
    console.next("No more bets")
    keypad = console.page.get_by_role("group", name="Card keypad")
    keypad.get_by_role("button", name="K", exact=True).click()
    keypad.get_by_role("button", name="spades").click()
    console.next("King of spades for Player")
    scanned(console, "10h", "4d")
    # A slip is put right with Backspace before it counts.
    console.page.keyboard.type("9c")
    console.page.keyboard.press("Backspace")
    console.page.keyboard.type("s")
    expect(console.act).to_contain_text("Nine of spades for Banker")
    console.pace()
    console.done(lambda: console.page.keyboard.press("Enter"))
    console.next("Announce")
    console.next("Pay")
    drawn = [event["card"] for event in house.record.events("cards") if event["type"] == "card-drawn"]
    assert drawn == ["Ks", "Th", "4d", "9s"]
    # The same card can come only so often as there are decks.
    console.next("Open bets")
    console.next("No more bets")
    for card in ("As", "2s"):
        scanned(console, card)
    expect(console.hand("Player").get_by_role("img", name=card_name("As"))).to_be_visible()


def drawn(house: House, table: str) -> list[str]:
    return [event["card"] for event in house.record.events(table) if event["type"] == "card-drawn"]


@pytest.mark.parametrize(("table", "delay_ms"), [("scans", 0), ("scans-5", 5)])
def test_a_scanner_loses_no_card_however_fast_it_types(house: House, table: str, delay_ms: int) -> None:
    console = started(house, table)
    console.next("Open bets")
    expect(console.act).to_contain_text("No more bets")
    console.pace()
    # The first card comes before the close is answered.
    console.page.keyboard.press("Space")
    console.page.keyboard.type("9c\n5d\n10d\n3h\n", delay=delay_ms)
    expect(console.act).to_contain_text("Announce")
    assert drawn(house, table) == ["9c", "5d", "Td", "3h"]
    expect(console.hand("Player").get_by_role("img", name=card_name("Td"))).to_be_visible()
    expect(console.hand("Banker").get_by_role("img", name=card_name("3h"))).to_be_visible()
    # More than is due is not entered, and said so, card by card.
    console.page.keyboard.type("2s\nJh\n", delay=delay_ms)
    alert = console.next_act.get_by_role("alert")
    expect(alert).to_have_text("No card is due. Not entered: Two of spades, Jack of hearts")
    assert len(drawn(house, table)) == 4


def test_after_a_card_that_is_refused_no_other_is_entered(house: House) -> None:
    console = started(house, "scans-refused")
    console.next("Open bets")
    console.next("No more bets")
    expect(console.act).to_contain_text("Card for Player")
    console.page.keyboard.type("Ks\n" * 4)
    console.next("Announce")
    # Of four decks all Kings of spades are out.
    expect(console.act).to_contain_text("Third card for Player")
    console.page.keyboard.type("Ks\n5d\n3h\n")
    alert = console.next_act.get_by_role("alert")
    expect(alert).to_contain_text("Not entered: King of spades, Five of diamonds, Three of hearts")
    assert drawn(house, "scans-refused") == ["Ks"] * 4
    # Cards that come in one go with a refused one are dropped with it: this one comes a moment later.
    console.page.clock.fast_forward(1_000)
    # The next card is as good as ever, and what was said against the last is gone.
    console.page.keyboard.type("5d\n")
    expect(console.act).to_contain_text("Banker")
    assert drawn(house, "scans-refused")[4:] == ["5d"]
    expect(alert).to_be_empty()


def test_half_a_card_outlasts_the_answer_to_the_one_before_and_is_never_an_act(house: House) -> None:
    console = started(house, "halves")
    console.next("Open bets")
    console.next("No more bets")
    expect(console.act).to_contain_text("Card for Player")
    console.page.keyboard.type("9d\n4")
    expect(console.hand("Player").get_by_role("img", name=card_name("9d"))).to_be_visible()
    console.page.keyboard.type("c")
    expect(console.act).to_contain_text("Four of clubs for Banker")
    console.page.keyboard.press("Enter")
    expect(console.act).to_contain_text("Card for Player")
    # No letter of a card does anything by itself; the cutting card is asked for once more.
    before = types(house, "halves")
    console.page.keyboard.type("cdhsfgeow")
    expect(console.dialog).to_be_hidden()
    console.page.keyboard.press("Backspace")
    console.page.keyboard.press("z")
    expect(console.button("No", console.dialog)).to_be_focused()
    console.button("No", console.dialog).click()
    expect(console.dialog).to_be_hidden()
    console.pace()
    assert types(house, "halves") == before
    console.page.keyboard.press("z")
    console.done(console.button("It has come", console.dialog).click)
    assert types(house, "halves")[-1] == "cutting-card-came"


@clause("B8 5.18.1")
def test_when_one_hand_is_too_heavy_the_next_act_is_to_ask_for_decreases(house: House) -> None:
    dealer = house.wire("dealer")
    console = started(house, "heavy")
    dealer.done("heavy", "buy-in", patron="Eve Tan", cents=90_000, position=3)
    console.next("Open bets")
    dealer.done("heavy", "place-wager", patron="Eve Tan", wager="Player", stake_cents=30_000, position=3)
    console.next("No more bets")
    expect(console.act).to_contain_text("Ask patrons to decrease")
    expect(console.next_act).to_contain_text("Player is too heavy by $200.00")
    expect(console.next_act).to_contain_text("B8 5.18.1")
    console.press()
    expect(console.dialog.get_by_role("listitem")).to_contain_text("Eve Tan")
    console.dialog.get_by_label("Change to: Player").fill("100")
    console.done(console.button("Change to", console.dialog.get_by_role("listitem")).click)
    console.shut()
    expect(console.act).to_contain_text("Card for Player")


def test_who_loses_the_table_to_another_is_told_by_whom(house: House) -> None:
    console = started(house, "relief")
    manager = house.console("relief", "manager")
    expect(manager.act).to_contain_text("Take over")
    manager.take()
    alert = console.page.get_by_role("banner").get_by_role("alert")
    expect(alert).to_have_text(re.compile("has taken the table"))
    expect(console.act).to_contain_text("Take over")
    console.take()
    expect(alert).to_be_empty()


def test_a_round_that_nobody_deals_needs_a_person(house: House) -> None:
    console = started(house, "deserted")
    pit = house.page("/pit", house.papers("manager"))
    tile = pit.get_by_role("link", name=re.compile("^Table deserted "))
    expect(tile).to_contain_text("Dealer dealer")
    console.next("Open bets")
    console.button("Hand back").click()
    expect(tile).to_contain_text("No dealer")
    expect(tile).to_contain_text("A round is under way, and nobody deals")
    expect(pit.get_by_role("link", name=re.compile("^Table automatic "))).to_contain_text("Automatic")
    console.take()
    expect(tile).not_to_contain_text("nobody deals")


def test_cards_that_no_device_reads_are_named_when_they_are_turned(house: House) -> None:
    console = started(house, "unread")
    console.next("Open bets")
    console.next("No more bets")
    for _ in range(4):
        console.pace()
        before = console.hands()
        console.done(lambda: console.page.keyboard.press("u"))
        console.settled(before)
    expect(console.page.get_by_role("img", name="Face down")).to_have_count(4)
    console.next("Player first")
    for side, cards in (("Player", "9s Kd"), ("Banker", "2h 5c")):
        expect(console.act).to_contain_text(f"Expose {side}")
        expect(console.act).to_be_disabled()
        console.page.keyboard.type(cards.replace(" ", ""))
        console.next(f"Expose {side}")
    console.next("Announce")
    console.next("Pay")
    announced = next(event for event in house.record.events("unread") if event["type"] == "outcome-announced")
    assert (announced["player"], announced["banker"]) == (9, 7)


def test_a_shoe_that_reads_its_cards_draws_for_the_dealer_also_after_a_reload(house: House) -> None:
    token = house.shoe("readings")
    assert house.read("readings", token, "Ks").status in (409, 503)
    console = started(house, "readings", alone(house, "readings"))
    console.next("Open bets")
    console.next("No more bets")
    assert house.read("readings", "wrong", "Ks").status == 401
    assert house.read("readings", token, "Ks", "one").ok
    assert house.read("readings", token, "Ks", "one").ok
    expect(console.hand("Player").get_by_role("img", name=card_name("Ks"))).to_have_count(1)
    console.page.reload()
    expect(console.page.get_by_text("You deal", exact=True)).to_be_visible()
    assert house.read("readings", token, "2h", "two").ok
    expect(console.hand("Banker").get_by_role("img", name=card_name("2h"))).to_be_visible()
    assert types(house, "readings").count("card-drawn") == 2
    # A card that the table does not take is out of the shoe all the same: the dealer is told.
    assert house.read("readings", token, "1x", "three").status == 400
    expect(
        console.page.get_by_role("alert").filter(has_text="the shoe has read 1x, and it was not taken")
    ).to_be_visible()


def test_what_was_paid_lies_on_the_table_no_longer_when_the_shoe_is_changed(house: House) -> None:
    begun(house, "cleared", ("Kim Ho", "Player", 8_000))
    console = house.console("cleared")
    total = console.page.get_by_text(re.compile("^Total"))
    expect(total).to_contain_text("$80.00")
    dealt(house, "cleared", BANKER_WINS)
    house.wire("manager").done("cleared", "end-shoe", reason="worn cards")
    expect(total).to_contain_text("$0.00")
    house.wire("dealer").done("cleared", "load-shoe")
    expect(console.page.get_by_role("banner")).to_contain_text("416 of 416 cards")
    expect(total).to_contain_text("$0.00")
    expect(console.page.locator(".place", has_text="Kim Ho")).to_have_count(0)


def test_the_shoe_is_changed(house: House) -> None:
    console = started(house, "shoes")
    sheet = console.opened("Shoe")
    expect(sheet).to_contain_text("Shoe 1")
    expect(sheet).to_contain_text("A Pit Manager has the cards replaced")
    assert console.answered(console.button("End the shoe", sheet).click) == "refused"
    expect(sheet.get_by_role("alert")).to_contain_text("Pit Manager")
    console.shut()
    manager = house.console("shoes", "manager")
    manager.opened("Shoe")
    end = manager.button("End the shoe", manager.dialog)
    expect(end).to_be_disabled()
    manager.dialog.get_by_label("Reason").fill("worn cards")
    manager.done(end.click)
    console.next("Load shoe")
    expect(console.page.get_by_role("banner")).to_contain_text("Shoe 2")


def test_a_table_that_is_handed_back_is_dealt_by_the_automatic_dealer(house: House) -> None:
    amy = house.terminal("automatic", "amy")
    amy.buy()
    console = house.console("automatic")
    console.take()
    expect(console.page.get_by_text("You deal", exact=True)).to_be_visible()
    console.button("Hand back").click()
    expect(console.page.get_by_text("No dealer at the table")).to_be_visible()
    expect(amy.page.get_by_role("timer")).to_be_visible()
    house.time_is_up("automatic")
    expect(console.page.get_by_text("Settled", exact=True)).to_be_visible()
    by = {each.by.name for each in house.record.logged("automatic") if each.event.__class__.__name__ == "RoundSettled"}
    assert by == {"automatic dealer"}


def test_a_lost_connection_loses_no_card_and_doubles_none(house: House) -> None:
    console = alone(house, "reloads")
    console.page.add_init_script(_HELD)
    console.page.reload()
    console.take()
    for label in ("Load shoe", "Open bets", "No more bets", "Card for Player"):
        console.next(label)
    lose(console.page)
    expect(console.page.get_by_role("alert").filter(has_text="connection was lost")).to_be_visible()
    # Nothing is done that nobody could see done.
    expect(console.act).to_be_disabled()
    console.pace()
    console.page.keyboard.press("Space")
    console.page.context.set_offline(False)
    expect(console.page.get_by_text("connection was lost")).to_have_count(0)
    expect(console.page.get_by_text("You deal", exact=True)).to_be_visible()
    console.next("Card for Banker")
    assert types(house, "reloads").count("card-drawn") == 2
    console.next("Card for Player")
    # And a page that is loaded anew in the middle of the round is where it was.
    console.page.reload()
    expect(console.page.get_by_text("You deal", exact=True)).to_be_visible()
    console.next("Card for Banker")
    assert types(house, "reloads").count("card-drawn") == 4


def lose(page: Page) -> None:
    """Cut the connection, and let no other be made."""
    page.context.set_offline(True)
    page.evaluate("live.close()")


@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("b", "Chips for cash, cash for chips"),
        ("r", "Who handles the cards"),
        ("i", "What happened?"),
        ("m", "Method of dealing"),
        ("p", "Wager for a patron"),
        ("x", "The shoe"),
    ],
)
def test_every_sheet_has_a_key(house: House, key: str, title: str) -> None:
    console = house.console("keys")
    expect(console.act).to_be_visible()
    console.page.keyboard.press(key)
    expect(console.page.get_by_role("dialog", name=title)).to_be_visible()
    console.shut()


def test_a_sheet_opens_again_before_the_browser_has_reported_that_it_closed(house: House) -> None:
    console = house.console("keys")
    expect(console.act).to_be_visible()
    console.page.keyboard.press("i")
    expect(console.dialog).to_be_visible()
    # A browser reports a closed dialog only after everything that is already under way; a fast hand comes earlier.
    still_open = console.page.evaluate(
        """async () => {
            const dialog = document.querySelector("dialog[open]");
            const reported = new Promise(done => dialog.addEventListener("close", done, { once: true }));
            dialog.querySelector(".cross").click();
            for (let at = 0; at < 20; at += 1) await null;
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "i", bubbles: true }));
            await reported;
            await new Promise(requestAnimationFrame);
            return dialog.open;
        }"""
    )
    assert still_open
    console.shut()
