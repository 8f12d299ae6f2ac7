"""Whole cents: what a stake wins, the chip unit, and how an amount is written."""

import pytest
from tests.marks import interpretation

from punto.cards import parse_cards
from punto.games import find
from punto.rules.money import Cents, money, most_won_cents, unit_of, won_cents
from punto.rules.pay import Settlement


def settled(key: str, cards: str, wager: str) -> Settlement:
    game = find(key)
    coup = game.deal(parse_cards(cards, game.deck)).coup
    assert coup
    return game.settle(coup)[wager]


@interpretation(6)
@pytest.mark.parametrize(
    ("key", "cards", "wager", "stake", "won"),
    [
        ("baccarat", "2s 3h 4d 6c", "Banker", 2_000, 1_900),  # 6 : 9, less five per cent
        ("fortune-six", "As 8s As 8s Ac", "Banker", 500, 250),  # half on a winning six
        ("fortune-six", "As 8s As 8s Ac", "Fortune Six", 500, 6_000),
        ("fortune-six", "9s Kh 9d 8c", "Player", 500, 0),  # a tie: the stake comes back, and wins nothing
        ("fortune-six", "As 8s As 8s Ac", "Tie", 500, 0),
    ],
)
def test_a_stake_wins_whole_cents(key: str, cards: str, wager: str, stake: int, won: int) -> None:
    assert won_cents(settled(key, cards, wager), Cents(stake)) == won


def test_a_part_of_a_cent_is_a_mistake_of_ours() -> None:
    with pytest.raises(AssertionError, match=r"^the chip unit rules out parts of a cent$"):
        won_cents(settled("baccarat", "2s 3h 4d 6c", "Banker"), Cents(10))


@pytest.mark.parametrize(("key", "unit"), [("baccarat", 20), ("fortune-six", 2), ("7-up", 10)])
def test_with_the_chip_unit_no_pay_line_comes_to_a_part_of_a_cent(key: str, unit: int) -> None:
    assert unit_of(find(key).wagers) == unit


@pytest.mark.parametrize(
    ("key", "wager", "stake", "most"),
    [("baccarat", "Banker", 25, 23), ("fortune-six", "Fortune Six", 500, 10_000), ("tiger", "Tie", 300, 2_400)],
)
def test_the_most_that_a_stake_can_win_is_rounded_down(key: str, wager: str, stake: int, most: int) -> None:
    assert most_won_cents(find(key).wager(wager), Cents(stake)) == most


@pytest.mark.parametrize(
    ("cents", "written"),
    [(0, "0.00"), (1, "0.01"), (99, "0.99"), (100, "1.00"), (123_456, "1,234.56"), (-5, "-0.05"), (-1_999, "-19.99")],
)
def test_an_amount_has_two_decimals(cents: int, written: str) -> None:
    assert money(cents) == written
