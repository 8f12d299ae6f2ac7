"""The page that checks a shoe: it finds what `punto verify` finds, and needs the floor for nothing."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.web.conftest import Visit
from tests.web.sealed import shoe_text

from punto.errors import BadShoeFile
from punto.games import GAMES
from punto.record import read_shoe, verify

_RIGHT = "Everything that can be checked is right"
_WRONG = "Something is wrong"


def _put(page: Page, text: str) -> None:
    page.get_by_role("textbox").fill(text)


def test_shoes_of_every_game_are_right_without_the_floor(visit: Visit) -> None:
    page = visit.page("/verify")
    expect(page.get_by_role("combobox").first).to_be_visible()
    page.context.set_offline(True)
    for game in GAMES:
        text = shoe_text(game)
        assert list(verify(read_shoe(text))) == []
        _put(page, "")
        _put(page, text)
        expect(page.get_by_text(_RIGHT)).to_be_visible()
        rounds = len(read_shoe(text).coups)
        expect(page.get_by_role("listitem").filter(has_text=f"{game}, {rounds} rounds")).to_be_visible()
        expect(page.get_by_text("Round 1", exact=True)).to_be_visible()


def _seal(text: str) -> str:
    return re.sub(
        r"^commitment [0-9a-f]",
        lambda seal: seal[0][:-1] + ("0" if seal[0][-1] != "0" else "1"),
        text,
        flags=re.MULTILINE,
    )


def _salt(text: str) -> str:
    return text.replace("salt 5a", "salt 5b")


def _foreign(text: str) -> str:
    order = next(line for line in text.splitlines() if line.startswith("order "))
    return text.replace(order, re.sub(r"As", "2s", order, count=1))


def _dealt(text: str) -> str:
    line = next(line for line in text.splitlines() if line.startswith("1 "))
    cards = line.split()
    cards[1] = "2s" if cards[1] != "2s" else "3s"
    return text.replace(line, " ".join(cards))


def _totals(text: str) -> str:
    return re.sub(
        r"^2 (.*) = (\d)-(\d)",
        lambda coup: f"2 {coup[1]} = {(int(coup[2]) + 1) % 10}-{coup[3]}",
        text,
        flags=re.MULTILINE,
    )


def _left_out(text: str) -> str:
    return re.sub(r"^3 .*\n", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("forge", [_seal, _salt, _foreign, _dealt, _totals, _left_out])
def test_whatever_was_changed_is_found_here_as_it_is_by_the_command(visit: Visit, forge: object) -> None:
    assert callable(forge)
    text = forge(shoe_text("fortune-six"))
    assert list(verify(read_shoe(text))) != []
    page = visit.page("/verify")
    _put(page, text)
    expect(page.get_by_text(_WRONG)).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text=": Wrong").first).to_be_visible()


@pytest.mark.parametrize(
    ("old", "new"),
    [("punto shoe 1", "punto shoe 2"), ("game fortune-six\n", ""), ("decks 4", "decks many"), ("\n1 ", "\n1 xx ")],
)
def test_a_text_that_does_not_read_is_refused_with_its_line(visit: Visit, old: str, new: str) -> None:
    text = shoe_text("fortune-six").replace(old, new, 1)
    page = visit.page("/verify")
    _put(page, text)
    expect(page.get_by_text(re.compile("line \\d+:|no number|is no card"))).to_be_visible()
    with suppress(BadShoeFile):
        assert list(verify(read_shoe(text))) != []


def test_a_file_is_taken_and_cleared_again(visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "shoe.txt"
    path.write_text(shoe_text("tiger"))
    page = visit.page("/verify")
    page.locator("input[type=file]").set_input_files(path)
    expect(page.get_by_text(_RIGHT)).to_be_visible()
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_text("凡可查验之处均无误")).to_be_visible()
    page.get_by_role("button", name="清除").click()
    expect(page.get_by_text("请选择一靴，或粘贴其文本。")).to_be_visible()


def test_a_shoe_in_play_cannot_be_had(visit: Visit) -> None:
    page = visit.page("/verify")
    page.get_by_role("combobox").first.select_option("calm-1")
    expect(page.get_by_role("combobox").last).to_have_text(re.compile("No shoe is out yet"))
    expect(page.get_by_role("button", name="Fetch it")).to_be_disabled()
