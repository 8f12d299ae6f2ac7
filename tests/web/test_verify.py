"""The page that checks a shoe: it finds what `punto verify` finds, and needs the floor for nothing."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.web.conftest import Visit
from tests.web.sealed import shoe_text
from tests.width import width

from punto.errors import BadShoeFile
from punto.games import GAMES, digest
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


_FORGERIES = (_seal, _dealt, _salt, _foreign, _totals, _left_out)


# The unit tests of the page judge every forgery; here it is seen that the page says what they find.
@pytest.mark.parametrize("forge", width(_FORGERIES[:2], _FORGERIES))
def test_whatever_was_changed_is_found_here_as_it_is_by_the_command(visit: Visit, forge: object) -> None:
    assert callable(forge)
    text = forge(shoe_text("fortune-six"))
    assert list(verify(read_shoe(text))) != []
    page = visit.page("/verify")
    _put(page, text)
    expect(page.get_by_text(_WRONG)).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text=": Wrong").first).to_be_visible()


def _refused(text: str) -> bool:
    """Whether the command refuses a text."""
    try:
        return bool(list(verify(read_shoe(text))))
    except BadShoeFile:
        return True


_DEVICE = "punto shoe 1\ngame {game}\n{headers}\n{rounds}"
_ROUND = "1 2s 4h Kd 5c = 2-9 B"
_BET = f"{_ROUND} ; ann / "
# Texts without an order, and whether they are right: game, headers, rounds.
_TEXTS = {
    "plain": (True, "baccarat", "", _ROUND),
    "all-told": (True, "baccarat", "rulebook B8 8\ndecks 4\nunit 100\n", f"{_BET}Tie / 10.00 / lose / 0.00"),
    "tens": (True, "baccarat", "", "1 2s 10h kd 5c 10s = 2-5 B"),
    "natural-mark": (False, "baccarat", "", "1 4s 2h 5d Kc = 9-2 Pn"),
    "pairs": (True, "baccarat", "", "1 4s 2h 4d 2c = 8-4 Pbp"),
    "pairs-left-out": (True, "baccarat", "", "1 4s 2h 4d 2c = 8-4 P"),
    "pairs-turned": (False, "baccarat", "", "1 4s 2h 4d 2c = 8-4 Ppb"),
    "a-pair-left-out": (False, "baccarat", "", "1 4s 2h 4d 2c = 8-4 Pp"),
    "pair-that-is-none": (False, "baccarat", "", f"{_ROUND}b"),
    "pair-with-the-seven": (True, "7-up", "", "1 Kh 7s 9c = 4-9 Bp"),
    "sequence": (True, "baccarat", "", f"{_ROUND}\n3{_ROUND[1:]}"),
    "same-round": (False, "baccarat", "", f"{_ROUND}\n{_ROUND}"),
    "back": (False, "baccarat", "", f"2{_ROUND[1:]}\n{_ROUND}"),
    "round-0": (False, "baccarat", "", f"0{_ROUND[1:]}"),
    "discarded": (True, "baccarat", "", f"1 2s = void B8 5.9\n{_ROUND}"),
    "unknown-game": (False, "tigger", "", _ROUND),
    "other-digest": (False, "baccarat", f"digest {'0' * 64}\n", _ROUND),
    "own-digest": (True, "baccarat", f"digest {digest(GAMES['baccarat'])}\n", _ROUND),
    "other-rulebook": (False, "baccarat", "rulebook EB4 4\n", _ROUND),
    "other-version": (True, "baccarat", "rulebook B8 7\n", _ROUND),
    "other-deck": (False, "fa-fa-fabulous-4", "", _ROUND),
    "own-deck": (True, "fa-fa-fabulous-4", "", "1 2f 4g Sw 5o = 2-9 B"),
    "too-often": (False, "baccarat", "decks 4\n", "\n".join(f"{n} 4s 2h 4s 2c = 8-4 P" for n in (1, 2, 3))),
    "three-decks": (False, "baccarat", "decks 3\n", _ROUND),
    "a-cut-of-nothing": (True, "baccarat", "cut many\n", _ROUND),
    "unit": (False, "baccarat", "unit 7\n", f"{_BET}Banker / 10.00 / win / 19.50"),
    "no-unit": (False, "baccarat", "unit 0\n", _ROUND),
    "stake-and-unit": (False, "baccarat", "unit 100\n", f"{_BET}Tie / 10.50 / lose / 0.00"),
    "void": (True, "baccarat", "", "1 2s = void B8 5.9"),
    "void-and-the-clause-alone": (True, "baccarat", "", "1 2s = void 5.9"),
    "void-without-a-clause": (False, "baccarat", "", "1 2s = void"),
    "void-by-another-book": (False, "baccarat", "", "1 2s = void EB4 5.9"),
    "void-where-nothing-is-referred": (True, "fa-fa-fabulous-4", "", "1 2f = void"),
    "void-and-many": (False, "baccarat", "", "1 2s 4h Kd 5c 5d = void B8 5.9"),
    "void-goes-back": (True, "baccarat", "", "1 2s = void B8 5.9 ; ann / Tie / 5.00 / void / 5.00"),
    "void-and-kept": (False, "baccarat", "", "1 2s = void B8 5.9 ; ann / Tie / 5.00 / void / 0.00"),
    "no-amount": (False, "baccarat", "", f"{_BET}Tie / 10 / lose / 0.00"),
    "no-amount-paid": (False, "baccarat", "", f"{_BET}Tie / 10.00 / lose / none"),
    "no-stake": (False, "baccarat", "", f"{_BET}Tie / 0.00 / lose / 0.00"),
    "no-patron": (False, "baccarat", "", f"{_ROUND} ;  / Tie / 10.00 / lose / 0.00"),
    "no-wager": (False, "baccarat", "", f"{_BET}Tiger / 10.00 / lose / 0.00"),
    "written-wager": (True, "baccarat", "", f"{_BET}%54ie / 10.00 / lose / 0.00"),
    "part": (True, "baccarat", "", f"{_BET}Tie / 10.00 of 15.00 / lose / 5.00"),
    "no-part": (False, "fortune-six", "", f"{_BET}Tie / 10.00 of 15.00 / lose / 5.00"),
    "more-than-the-stake": (False, "baccarat", "", f"{_BET}Tie / 20.00 of 15.00 / lose / 0.00"),
    "returned": (True, "baccarat", "", f"{_BET}Tie / 0.00 of 15.00 / returned / 15.00"),
    "returned-and-kept": (False, "baccarat", "", f"{_BET}Tie / 0.00 of 15.00 / returned / 5.00"),
}


def test_the_page_and_the_command_agree_on_every_text(visit: Visit) -> None:
    page = visit.page("/verify")
    verdict = page.locator(".verdict")
    for name, (right, game, headers, rounds) in _TEXTS.items():
        text = _DEVICE.format(game=game, headers=headers, rounds=rounds)
        assert _refused(text) is not right, name
        _put(page, "")
        expect(verdict).to_have_count(0)
        _put(page, text)
        expect(verdict, name).to_have_class(re.compile(r"verdict(?!.*\bbad\b)" if right else r"\bbad\b"))


def test_an_order_of_another_games_deck_is_wrong(visit: Visit) -> None:
    text = shoe_text("fortune-six").replace("game fortune-six", "game fa-fa-fabulous-4")
    assert _refused(text)
    page = visit.page("/verify")
    _put(page, text)
    expect(page.get_by_role("listitem").filter(has_text="Whole decks: Wrong")).to_be_visible()


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
    expect(page.get_by_text("请选择一靴，或粘贴牌靴或收据的文本。")).to_be_visible()


def test_a_shoe_in_play_cannot_be_had(visit: Visit) -> None:
    page = visit.page("/verify")
    page.get_by_role("combobox").first.select_option("calm-1")
    expect(page.get_by_role("combobox").last).to_have_text(re.compile("No shoe is out yet"))
    expect(page.get_by_role("button", name="Fetch it")).to_be_disabled()
