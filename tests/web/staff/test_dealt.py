"""Tables that a dealer deals, by Methods A, B and C: who handles the cards, and who sees what of them meanwhile."""

import json
import re
from collections.abc import Iterable

import pytest
from playwright.sync_api import expect
from tests.marks import clause
from tests.web.staff.conftest import House
from tests.web.staff.console import Console, Screen, Terminal, card_name

PHONE = {"width": 390, "height": 844}


def told(screen: Screen, cards: set[str]) -> list[str]:
    """The text around each mention of the cards in a page's messages. So no table's key may read like a card."""
    heard = "\n".join(screen.frames)
    name = re.compile(rf".{{0,40}}(?<![0-9A-Za-z])(?:{'|'.join(cards)})(?![0-9A-Za-z]).{{0,40}}")
    return name.findall(heard) if cards else []


def open_cards(screen: Screen) -> set[str]:
    """The cards that lie face up, as a page knows them."""
    lying: set[str] = set()
    for frame in screen.frames:
        for message in json.loads(frame):
            if message["t"] == "table":
                lying.update(card for _, card in message["set"].get("cards", ()) if card)
    return lying


class Onlookers:
    """Everybody who sees the table and handles no card of it."""

    def __init__(self, table: str, house: House, *others: Screen) -> None:
        wall = Screen(house.page(f"/display/{table}"))
        expect(wall.page.get_by_text("Player", exact=False).first).to_be_visible()
        self.screens = (wall, house.office(table, "manager"), *others)

    def know_nothing_of(self, cards: Iterable[str]) -> None:
        """No message has named one of the cards that are face down."""
        for screen in self.screens:
            hidden = set(cards) - open_cards(screen)
            assert not told(screen, hidden), f"{screen.page.url} was told what lies face down"

    def see_it_bend(self) -> None:
        for screen in self.screens:
            screen.told(lambda frame: '"t":"bent"' in str(frame))


def dealt(console: Console, cards: int = 4) -> None:
    """Deal the initial cards from the virtual shoe, with the large button."""
    for at in range(cards):
        console.next(f"Card for {'Banker' if at % 2 else 'Player'}")


def finished(console: Console, *terminals: Terminal) -> None:
    """Deal the round out; whoever has cards turns them."""
    for _ in range(20):
        before = console.act.text_content() or ""
        label = console.act.inner_text()
        if "Open bets" in label or "End the shoe" in label:
            return
        if "shows" in label:
            name = label.split(" shows")[0]
            holder = next(each for each in terminals if each.patron == name)
            reveal = holder.button("Reveal").first
            holder.done(reveal.click)
        elif "takes the cards" in label:
            console.other(f"{label.split()[0]} refuses")
        else:
            console.done(console.press)
        expect(console.act).not_to_have_text(before)
    raise AssertionError("the round does not end")


@pytest.fixture
def begun(house: House, request: pytest.FixtureRequest) -> Console:
    """A console at the table of the test, with a shoe, and bets open."""
    console = house.console(request.param)
    console.take()
    console.next("Load shoe")
    console.next("Open bets")
    return console


@clause("B8 1.1.8", "B8 3.9.2", "B8 3.9.6")
@pytest.mark.parametrize("begun", ["method-a"], indirect=True)
def test_by_method_a_the_highest_wager_squeezes_and_nobody_else_knows_the_cards(house: House, begun: Console) -> None:
    ann, bob = house.terminal("method-a", "ann"), house.terminal("method-a", "bob")
    for terminal, times in ((ann, 4), (bob, 1)):
        terminal.buy()
        terminal.stake("Player", times)
    onlookers = Onlookers("method-a", house, begun, bob)
    begun.next("No more bets")
    dealt(begun)
    expect(begun.hand("Player")).to_contain_text(f"Offered to {house.patron('ann').name}")
    ann.done(ann.button("Take the cards").click)
    expect(ann.cards).to_have_count(2)
    # Which hand is revealed first is the Dealer's to say; here it is chosen with a key.
    expect(begun.act).to_contain_text("Player first")
    begun.pace()
    begun.done(lambda: begun.page.keyboard.press("Space"))
    assert len(ann.holding()) in (1, 2)
    onlookers.know_nothing_of(ann.holding())
    # Bent and let go it lies down again; past half it turns.
    ann.squeeze(ann.cards.first, 0.4)
    onlookers.see_it_bend()
    expect(ann.cards).to_have_count(2)
    ann.squeeze(ann.cards.first, 0.6)
    expect(ann.cards).to_have_count(1)
    # It is turned for her alone, until both are.
    onlookers.know_nothing_of(ann.holding())
    hidden = ann.holding()
    ann.done(lambda: ann.squeeze(ann.cards.first, 0.6))
    for hand in (begun.hand("Player"), bob.page.get_by_role("group", name="Player", exact=True)):
        expect(hand.get_by_role("img", name="Face down")).to_have_count(0)
    assert hidden <= open_cards(bob)
    finished(begun, ann, bob)
    types = [event["type"] for event in house.record.events("method-a")]
    assert types[-1] == "round-settled"


@pytest.mark.nightly
@pytest.mark.parametrize("begun", ["method-a-touch"], indirect=True)
def test_a_card_is_squeezed_with_a_finger(house: House, begun: Console) -> None:
    ann = house.terminal("method-a-touch", "ann", viewport=PHONE, has_touch=True, is_mobile=True)
    ann.buy()
    ann.stake("Banker")
    onlookers = Onlookers("method-a-touch", house, begun)
    begun.next("No more bets")
    dealt(begun)
    ann.done(ann.button("Take the cards").click)
    expect(ann.cards).to_have_count(2)
    begun.other("Banker first")
    ann.touch(ann.cards.first, 0.4)
    onlookers.see_it_bend()
    expect(ann.cards).to_have_count(2)
    ann.touch(ann.cards.first, 0.6)
    expect(ann.cards).to_have_count(1)
    onlookers.know_nothing_of(ann.holding())
    ann.done(lambda: ann.touch(ann.cards.first, 0.6))
    finished(begun, ann)
    assert house.record.events("method-a-touch")[-1]["type"] == "round-settled"


@pytest.mark.nightly
@clause("B8 3.9.3", "B8 5.10")
@pytest.mark.parametrize("begun", ["method-a-short"], indirect=True)
def test_who_refuses_passes_the_hand_on_and_when_the_time_is_up_the_dealer_exposes(
    house: House, begun: Console
) -> None:
    ann, bob = house.terminal("method-a-short", "ann"), house.terminal("method-a-short", "bob")
    for terminal, times in ((ann, 3), (bob, 1)):
        terminal.buy()
        terminal.stake("Player", times)
    begun.next("No more bets")
    dealt(begun)
    ann.done(ann.button("Leave them").click)
    bob.done(bob.button("Take the cards").click)
    begun.next("Player first")
    name = house.patron("bob").name
    expect(begun.act).to_contain_text(f"{name} shows Player")
    house.time_is_up("method-a-short")
    expect(begun.page.get_by_role("timer")).to_have_accessible_name("0 seconds left")
    begun.other(f"{name} is absent")
    expect(bob.cards).to_have_count(0)
    begun.next("Expose Player")
    finished(begun)
    assert [event["type"] for event in house.record.events("method-a-short")].count("cards-refused") >= 1


def test_an_automatic_dealer_exposes_what_a_patron_never_turns(house: House) -> None:
    amy = house.terminal("automatic-a", "amy")
    amy.buy()
    expect(amy.page.get_by_role("timer")).to_be_visible()
    amy.stake("Player")
    house.time_is_up("automatic-a")
    amy.done(amy.button("Take the cards").click)
    expect(amy.cards).to_have_count(2)
    expect(amy.page.get_by_role("region", name="Squeeze the cards of Player").get_by_role("timer")).to_be_visible()
    house.time_is_up("automatic-a")
    expect(amy.cards).to_have_count(0)
    found = [event for event in house.record.events("automatic-a") if event["type"] == "irregularity-found"]
    assert found[0]["clause"] == "B8 5.10"


@pytest.mark.nightly
def test_who_has_both_hands_turns_them_quickly_and_everybody_sees_them_at_once(house: House) -> None:
    amy = house.terminal("automatic-both", "amy")
    amy.buy()
    expect(amy.page.get_by_role("timer")).to_be_visible()
    for wager in ("Player", "Banker"):
        amy.stake(wager)
    house.time_is_up("automatic-both")
    wall = Screen(house.page("/display/automatic-both"))
    offers = [amy.page.get_by_role("group", name=f"{side}: the cards are yours") for side in ("Player", "Banker")]
    for offer in offers:
        expect(offer).to_be_visible()
    amy.done(amy.button("Take the cards", offers[0]).click)
    expect(amy.cards).to_have_count(2)
    expect(amy.cards.first).to_be_focused()
    # The other hand is still offered, and its time is beside it; it is answered with the keyboard.
    banker = amy.page.get_by_role("region", name="Squeeze the cards of Banker")
    player = amy.page.get_by_role("region", name="Squeeze the cards of Player")
    expect(banker.get_by_role("timer")).to_be_visible()
    expect(player.get_by_role("timer")).to_have_count(0)
    for _ in range(4):
        amy.page.keyboard.press("Tab")
    expect(amy.button("Take the cards", offers[1])).to_be_focused()
    amy.done(lambda: amy.page.keyboard.press("Enter"))
    expect(amy.cards).to_have_count(4)
    expect(amy.cards.first).to_be_focused()
    expect(player.get_by_role("timer")).to_be_visible()
    hidden = amy.holding()
    # Banker's cards are turned, and wait for Player's; nothing is asked for out of turn.
    amy.button("Reveal both", banker).click()
    expect(banker).to_contain_text("Turned: Player is revealed first")
    assert not told(wall, hidden - open_cards(wall))
    for _ in range(2):
        player.get_by_role("button", name="Reveal", exact=True, disabled=False).first.click()
    for card in hidden:
        expect(wall.page.get_by_role("img", name=card_name(card)).first).to_be_visible()
    assert hidden <= open_cards(wall)
    assert not [frame for frame in amy.frames if '"t":"refused"' in frame]
    exposed = [event for event in house.record.events("automatic-both") if event["type"] == "cards-exposed"]
    assert [event["side"] for event in exposed[:2]] == ["player", "banker"]


@pytest.mark.nightly
@clause("B8 3.16")
@pytest.mark.parametrize("begun", ["method-b"], indirect=True)
def test_by_method_b_a_pit_manager_permits_a_squeeze(house: House, begun: Console) -> None:
    ann = house.terminal("method-b", "ann")
    ann.buy()
    ann.stake("Player")
    name = house.patron("ann").name
    begun.next("No more bets")

    def permit(console: Console) -> str:
        console.button("Hands").click()
        console.dialog.get_by_label("Patron", exact=True).fill(name)
        return console.answered(console.button("Permit a squeeze", console.dialog).click)

    assert permit(begun) == "refused"
    expect(begun.dialog.get_by_role("alert")).to_contain_text("only a Pit Manager or above may (B8 3.16)")
    begun.shut()
    manager = house.console("method-b", "manager")
    assert permit(manager) == "accepted"
    manager.shut()
    onlookers = Onlookers("method-b", house, begun, manager)
    dealt(begun)
    expect(ann.cards).to_have_count(2)
    onlookers.know_nothing_of(ann.holding())
    ann.squeeze(ann.cards.first, 0.4)
    onlookers.see_it_bend()
    ann.done(ann.button("Reveal both").click)
    finished(begun, ann)
    permitted = next(event for event in house.record.events("method-b") if event["type"] == "squeeze-permitted")
    assert permitted["patron"] == name


@clause("B8 3.8.2", "B8 3.11", "B8 3.11.3")
def test_by_method_c_a_patron_draws_and_hands_are_passed_on(house: House) -> None:
    console = house.console("method-c")
    console.take()
    console.next("Load shoe")
    console.button("Method").click()
    offered = console.dialog.get_by_role("button", name=re.compile("^C A patron"))
    expect(offered).to_be_disabled()
    expect(offered).to_contain_text("An Assistant Casino Manager")
    console.shut()
    assistant = house.console("method-c", "assistant")
    assistant.button("Method").click()
    assistant.done(assistant.dialog.get_by_role("button", name=re.compile("^C A patron")).click)
    expect(console.page.get_by_text("Method C", exact=True)).to_be_visible()
    console.next("Open bets")
    ann, bob = house.terminal("method-c", "ann"), house.terminal("method-c", "bob")
    for terminal, wager in ((ann, "Player"), (bob, "Banker")):
        terminal.buy()
        terminal.stake(wager)
    ann.done(ann.button("Take the device").click)
    onlookers = Onlookers("method-c", house, console)
    console.next("No more bets")
    expect(console.act).to_contain_text("draws")
    for at in range(4):
        ann.done(ann.button(f"Draw a card for {'Banker' if at % 2 else 'Player'}").click)
    expect(ann.cards).to_have_count(4)
    onlookers.know_nothing_of(ann.holding())
    # Banker's hand goes to bob, through the Dealer.
    console.button("Hands").click()
    console.button("Banker", console.dialog).click()
    console.dialog.get_by_label("Patron", exact=True).fill(house.patron("bob").name)
    console.done(console.button("Pass the hand on", console.dialog).click)
    console.shut()
    expect(ann.cards).to_have_count(2)
    expect(bob.cards).to_have_count(2)
    onlookers.know_nothing_of(ann.holding() | bob.holding())
    bob.squeeze(bob.cards.first, 0.4)
    onlookers.see_it_bend()
    for terminal in (ann, bob):
        terminal.done(terminal.button("Reveal both").click)
    for _ in range(4):
        if "draws" in console.act.inner_text():
            ann.done(ann.page.get_by_role("button", name=re.compile("^Draw a card for")).click)
        finished_or_drawing(console, ann, bob)
    types = {event["type"] for event in house.record.events("method-c")}
    assert {"device-taken", "hand-passed", "round-settled"} <= types


def finished_or_drawing(console: Console, *terminals: Terminal) -> None:
    """Go on until the round is over, or the patron at the device must draw."""
    for _ in range(8):
        before = console.act.text_content() or ""
        label = console.act.inner_text()
        if "draws" in label or "Open bets" in label:
            return
        if "shows" in label:
            holder = next(each for each in terminals if each.cards.count())
            holder.done(holder.button("Reveal").first.click)
        else:
            console.done(console.press)
        expect(console.act).not_to_have_text(before)
