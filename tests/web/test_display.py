"""The wall: one table or the whole floor, for anybody who looks up, and nothing that is not for everybody."""

import json
import re
from typing import Any

from playwright.sync_api import Page, WebSocket, expect
from tests.web.conftest import Visit
from tests.web.terminal import Terminal


def _heard(page: Page) -> list[str]:
    """Every frame that a page is sent from now on."""
    frames: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: frames.append(str(frame)))

    page.on("websocket", listen)
    return frames


def test_a_wall_shows_a_round_from_the_opening_to_its_outcome(visit: Visit) -> None:
    wall = visit.blank(reduced_motion="no-preference")
    frames = _heard(wall)
    wall.goto("/display/2")
    expect(wall.get_by_role("heading", level=1)).to_have_text("Super Six No Commission Baccarat")
    terminal = Terminal.sit(visit, "2")
    terminal.open_bets()
    number, shoe = terminal.round
    expect(wall.get_by_text("Place your bets, please").last).to_be_visible()
    assert abs(_seconds(wall) - _seconds(terminal.page)) <= 1
    expect(wall.get_by_role("list", name="Limits")).to_contain_text("$5.00 – $5,000.00")
    expect(wall.get_by_text(f"Table 2 · Shoe {shoe} · Round {number}")).to_be_visible()
    terminal.take("25")
    terminal.bet("Player", 2_500)
    terminal.close_bets()
    expect(wall.get_by_text("No more bets").last).to_be_visible()
    terminal.settle()
    for side in ("Player", "Banker"):
        cards = wall.get_by_role("region", name=side).get_by_role("img", name=re.compile(" of "))
        expect(cards.nth(1)).to_be_visible()
    expect(wall.get_by_text(re.compile("^(Player wins|Banker wins|Tie)$")).last).to_be_visible()
    for road in ("Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach pig"):
        expect(wall.get_by_role("img", name=re.compile(f"^{road}"))).to_be_visible()

    assert wall.context.cookies() == [], "nobody has to be anybody to look on"
    _nothing_secret(frames, terminal.patron)


def _seconds(page: Page) -> int:
    return int(re.findall(r"\d+", page.get_by_role("timer").get_attribute("aria-label") or "")[0])


def _nothing_secret(frames: list[str], patron: str) -> None:
    """No names, no wallets, no order of a shoe, and no card before it lies on the table."""
    assert frames
    told: list[dict[str, Any]] = [message for frame in frames for message in json.loads(frame)]
    assert {message["t"] for message in told} <= {"welcome", "table", "floor", "pong", "bent"}
    whole = "".join(frames)
    for secret in (patron, "guest-", "salt", "order", "credits_cents", "holding"):
        assert secret not in whole
    lying = 0
    for message in told:
        if message["t"] != "table":
            continue
        if message["set"].get("phase") in {"bets-open", "bets-closed"}:
            lying = len(message["set"].get("cards", ()))
            assert not lying
        for _, card in message["set"].get("cards", ()):
            assert re.fullmatch(r"(?:10|[2-9TJQKASLF])[shdcfgeow]|", card)


def test_the_whole_floor_hangs_on_one_wall(visit: Visit) -> None:
    wall = visit.blank(viewport={"width": 1920, "height": 1080})
    frames = _heard(wall)
    wall.goto("/display")
    terminal = Terminal.sit(visit, "1")
    terminal.open_bets()
    tile = wall.get_by_role("article").filter(has=wall.get_by_text("1", exact=True)).first
    expect(tile).to_contain_text(re.compile("Place your bets|Bets are open"))
    expect(tile.get_by_role("timer")).to_be_visible()
    expect(tile).to_contain_text("$5.00 – $5,000.00")
    terminal.settle()
    expect(tile).to_contain_text(re.compile("wins|Tie"))
    for side in ("Player", "Banker"):
        expect(tile.get_by_role("group", name=side).get_by_role("img", name=re.compile(" of ")).nth(1)).to_be_visible()
    terminal.open_bets()
    expect(tile).to_contain_text(re.compile("Place your bets.*last"))  # whose round the bead is of
    expect(tile.get_by_role("img", name=re.compile("^Big road"))).to_be_visible()
    assert wall.context.cookies() == []
    _nothing_secret(frames, terminal.patron)
    scrolls = wall.evaluate("document.documentElement.scrollHeight > innerHeight")
    assert not scrolls, "nobody scrolls a wall"


def test_the_name_of_a_game_is_not_cut_on_a_large_wall(visit: Visit) -> None:
    wall = visit.page("/display", viewport={"width": 3840, "height": 2160})
    name = wall.get_by_role("heading", name="Tiger Baccarat", exact=True)
    expect(name).to_be_visible()
    assert not name.evaluate("name => name.scrollHeight > name.clientHeight")


def test_a_wall_speaks_the_language_that_its_address_asks_for(visit: Visit) -> None:
    page = visit.page("/display/3?lang=zh")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.get_by_text("3号桌")).to_be_visible()


def test_a_wall_that_lost_the_floor_says_so(visit: Visit) -> None:
    page = visit.page("/display/1")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.route("**/live", lambda route: route.abort())
    page.context.set_offline(True)
    expect(page.get_by_text("The connection was lost")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("The connection was lost")).to_have_count(0)
