"""Prospects: what settlement will pay is said once it is determined, and never by a card that nobody sees."""

from typing import Any

import pytest
from tests.marks import interpretation
from tests.table.desk import SHIFT, Desk

from punto.floor.prospects import Prospect, Unknown, prospects
from punto.rules import Method, Result, Side
from punto.table import Table
from punto.table import commands as do
from punto.table.events import Ruling, Sequel, StatedResult
from punto.table.state import Laid, Offer, replace

WAGERS = ("Player", "Banker", "Tie", "Player Pair", "Banker Pair")


def dealt(cards: str, **setup: Any) -> Desk:  # noqa: ANN401
    """Five patrons have 10.00 each, one on each wager, and these cards have come."""
    desk = Desk(**setup)
    desk.bets(*[(f"p{number}", wager, 1_000) for number, wager in enumerate(WAGERS, 1)])
    desk(do.CloseBets)
    desk.draw(cards)
    return desk


def foreseen(table: Table) -> list[int | Unknown | None]:
    """What is paid on each wager, or what that depends on."""
    return [_paid(each) for wagers in prospects(table).values() for each in wagers]


def _paid(prospect: Prospect) -> int | Unknown | None:
    assert (prospect.depends_on is None) is (prospect.paid_cents is not None) is (prospect.result is not None)
    return prospect.paid_cents if prospect.depends_on is None else prospect.depends_on


@pytest.mark.parametrize(
    ("cards", "paid"),
    [
        ("Ks 2h 9d 5c", [2_000, 0, 0, 0, 0]),
        ("2h Ks 5c 9d", [0, 1_950, 0, 0, 0]),
        ("9s 9h Kd Kc", [1_000, 1_000, 9_000, 0, 0]),
        # A card is due: what the first two cards of a hand decide is decided.
        ("Ks 9d 5c 2h", [Unknown.CARDS, Unknown.CARDS, Unknown.CARDS, 0, 0]),
        ("Ks 9d Kd 2h", [Unknown.CARDS, Unknown.CARDS, Unknown.CARDS, 12_000, 0]),
        ("Ks 9d", [Unknown.CARDS] * 5),
        ("", [Unknown.CARDS] * 5),
    ],
)
def test_what_the_cards_that_lie_open_decide_is_foreseen(cards: str, paid: list[int | Unknown]) -> None:
    table = dealt(cards).table
    assert foreseen(table) == paid


def test_a_round_that_is_over_leaves_nothing_to_settle() -> None:
    desk = dealt("Ks 2h 9d 5c")
    paid = foreseen(desk.table)
    desk(do.Announce)
    assert foreseen(desk.table) == paid
    desk(do.Settle)
    assert [payment.paid_cents for payment in desk.table.payments] == paid
    assert prospects(desk.table) == {}


@interpretation(48)
def test_a_card_that_lies_face_down_decides_nothing() -> None:
    table = dealt("9s 9h Kd Kc", method=Method.A).table
    assert foreseen(table) == [Unknown.CARDS] * 5
    # A hand that lies open decides what it decides, whatever the other one is.
    half = replace(table, cards=tuple(replace(laid, up=laid.side is Side.PLAYER) for laid in table.cards))
    for hidden in ("9h Kc", "Ah Ac", "Kh Kc", "2h 3c"):
        first, second = hidden.split()
        lying = zip(half.cards, ("9s", first, "Kd", second), strict=True)
        other = replace(half, cards=tuple(Laid(name, laid.side, laid.up, laid.in_hands) for laid, name in lying))
        assert foreseen(other) == [Unknown.CARDS, Unknown.CARDS, Unknown.CARDS, 0, Unknown.CARDS]


@interpretation(48)
def test_a_third_card_that_lies_face_down_decides_nothing() -> None:
    table = dealt("2s 7h 3d Kc").table
    for third in ("4c", "Kc", "9c"):
        lying = (*table.cards, Laid(third, Side.PLAYER, up=False))
        assert foreseen(replace(table, cards=lying)) == [Unknown.CARDS, Unknown.CARDS, Unknown.CARDS, 0, 0]


@interpretation(38, 46)
def test_a_wager_that_may_be_withdrawn_depends_on_its_patrons_answer() -> None:
    desk = dealt("Ks 2h")
    desk(do.Refer, matter="the cards were crossed")
    desk(do.ReportInterruption)
    stated = (StatedResult(3, Result.WIN),)
    desk(do.Rule, SHIFT, ruling=Ruling.ORDER, order="2h Ks", reason="by the cameras", results=stated)
    assert isinstance(desk.table.pending, Offer)
    assert foreseen(desk.table) == [Unknown.ANSWERS, Unknown.ANSWERS, 9_000, Unknown.ANSWERS, Unknown.ANSWERS]


@interpretation(48)
def test_what_is_offered_tells_nothing_of_cards_in_a_patrons_hands() -> None:
    table = dealt("9s 2h Kd 3c", method=Method.A).table
    for sequel in Sequel:
        for offered in ((1, 2, 3, 4, 5), (1, 2, 3), ()):
            offer = Offer("B8 5.9", offered, (), whole=True, until_ms=0, sequel=sequel)
            assert foreseen(replace(table, pending=offer)) == [Unknown.CARDS] * 5


@interpretation(46)
def test_a_result_that_lapses_when_bets_reopen_is_not_foreseen() -> None:
    desk = dealt("Ks 2h")
    desk(do.Refer, matter="the cards were crossed")
    desk(do.Rule, SHIFT, ruling=Ruling.CONTINUE, reason="by the cameras", results=(StatedResult(3, Result.WIN),))
    assert foreseen(desk.table)[2] == 9_000
    desk(do.ReportReset)
    assert isinstance(desk.table.pending, Offer)
    assert foreseen(desk.table) == [Unknown.ANSWERS] * 5
