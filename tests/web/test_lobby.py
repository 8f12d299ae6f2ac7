"""The lobby: every table with its game, its limits and how it went, and a chair at each."""

import re

import pytest
from playwright.sync_api import expect
from tests.web.conftest import PHONE, Visit
from tests.web.served import tables
from tests.web.terminal import Terminal

from punto.games import GAMES


def test_every_table_is_there_and_a_seat_is_one_tap_away(visit: Visit) -> None:
    page = visit.page("/")
    chairs = page.get_by_role("link", name=re.compile("^Sit down at table"))
    expect(chairs).to_have_count(len(tables()))
    first = page.get_by_role("article").filter(has=page.get_by_role("link", name="Sit down at table 1,"))
    expect(first).to_contain_text("$5.00 – $5,000.00")
    page.get_by_role("link", name=re.compile("^Sit down at table 3,")).click()
    expect(page).to_have_url(re.compile("/table/3$"))
    expect(page.get_by_role("dialog", name="Welcome")).to_be_visible()
    page.go_back()
    expect(chairs.first).to_be_visible()


def test_a_table_where_nobody_sits_waits_for_somebody(visit: Visit) -> None:
    page = visit.page("/")
    tile = page.get_by_role("article").filter(has_text="Sit down to begin").first
    expect(tile).to_contain_text("Nobody seated")
    expect(visit.page("/display").get_by_text("Sit down to begin").first).to_be_visible()


def test_a_tile_follows_its_table(visit: Visit) -> None:
    lobby = visit.page("/")
    tile = lobby.get_by_role("article").filter(has=lobby.get_by_role("link", name=re.compile("^Sit down at table 4,")))
    terminal = Terminal.sit(visit, "4")
    terminal.open_bets()
    expect(tile).to_contain_text("Place your bets")
    expect(tile).to_contain_text(re.compile(r"\b1 player\b"))
    terminal.settle()
    expect(tile).to_contain_text("Round over")
    expect(tile.get_by_role("img", name=re.compile("^Big road"))).to_be_visible()


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/table/nowhere", "no such table"),
        pytest.param("/table/%ff", "no such table", marks=pytest.mark.nightly),
        pytest.param("/display/nowhere", "no table nowhere", marks=pytest.mark.nightly),
        ("/nowhere", "nothing at this address"),
        ("/enter/used-before", "been used"),
    ],
)
def test_an_address_with_nothing_behind_it_says_so_on_a_page(visit: Visit, path: str, said: str) -> None:
    page = visit.page(path)
    expect(page.get_by_text(re.compile(said)).first).to_be_visible()


def test_from_an_address_with_nothing_behind_it_one_finds_the_tables(visit: Visit) -> None:
    page = visit.page("/nowhere")
    page.get_by_role("link", name="To the tables").click()
    expect(page.get_by_role("article").first).to_be_visible()


def test_who_goes_from_a_table_to_the_lobby_gives_up_the_seat(visit: Visit) -> None:
    terminal = Terminal.sit(visit, "calm-5", viewport=PHONE)
    lobby = visit.page("/")
    tile = lobby.get_by_role("article").filter(
        has=lobby.get_by_role("link", name=re.compile("^Sit down at table calm-5,"))
    )
    expect(tile).to_contain_text(re.compile(r"\b1 player\b"))
    terminal.page.get_by_role("button", name="Menu", exact=True).click()
    terminal.page.get_by_role("link", name="To the tables").click()
    expect(terminal.page.get_by_role("heading", name="Baccarat, by the book")).to_be_visible()
    expect(tile).to_contain_text("Nobody seated")


def test_the_titles_of_all_games_are_told_in_both_languages(visit: Visit) -> None:
    page = visit.page("/")
    for game in GAMES.values():
        expect(page.get_by_role("heading", name=game.title.en, exact=True).first).to_be_visible()
    page.get_by_role("button", name="中文").click()
    for game in GAMES.values():
        expect(page.get_by_role("heading", name=game.title.zh, exact=True).first).to_be_visible()
