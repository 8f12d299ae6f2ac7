import pytest
from tests.marks import clause

from punto.cards import ELEMENTS, PERMANENT_SEVEN, STANDARD, parse_cards
from punto.rules import Coup, Hand, Side, Winner


def coup(player: str, banker: str) -> Coup:
    return Coup(Hand(parse_cards(player, STANDARD)), Hand(parse_cards(banker, STANDARD)))


@clause("EB4 3.4", "EB4 3.4.1", "EB4 3.4.2", "FF2 3.4", "FF2 3.4.1", "FF2 3.4.2", "FF2 1.1.8")
@clause("B8 3.4", "B8 3.4.1", "B8 3.4.2", "TNC5 3.4", "TNC5 3.4.1", "TNC5 3.4.2", "E7U 3.4", "E7U 3.4.1", "E7U 3.4.2")
@pytest.mark.parametrize(
    ("cards", "total"),
    [
        ("As 2h", 3),
        ("4s 5h", 9),
        ("5s 5h", 0),
        ("9s 9h", 8),
        ("9s 9h 9d", 7),
        ("Ks Qh", 0),
        ("Ks Qh Jd", 0),
        ("7s 6h 2d", 5),
    ],
)
def test_a_total_is_the_right_digit_of_the_sum(cards: str, total: int) -> None:
    assert Hand(parse_cards(cards, STANDARD)).total == total


@clause("EB4 1.1.8", "FF2 1.1.5", "B8 1.1.5", "TNC5 1.1.5")
@pytest.mark.parametrize(
    ("cards", "natural"),
    [("4s 4h", True), ("9s Kh", True), ("7s Kh", False), ("2s 2h 4d", False), ("2s 2h 5d", False), ("Ks Qh 9d", False)],
)
def test_a_natural_is_eight_or_nine_on_the_first_two_cards(cards: str, natural: bool) -> None:
    assert Hand(parse_cards(cards, STANDARD)).natural is natural


@clause("E7U 1.1.3")
@pytest.mark.parametrize(
    ("cards", "natural"),
    [("As", True), ("2h", True), ("Td", False), ("3c", False), ("6s 5h", False), ("Kd Ac", False)],
)
def test_the_permanent_seven_makes_a_natural_with_an_ace_or_a_two(cards: str, natural: bool) -> None:
    assert Hand((PERMANENT_SEVEN, *parse_cards(cards, STANDARD))).natural is natural


@clause("EB4 3.9", "FF2 3.9", "B8 3.15", "TNC5 3.15", "E7U 3.8")
@clause("EB4 1.1.19", "FF2 1.1.10", "B8 1.1.10", "TNC5 1.1.10", "E7U 1.1.8")
@pytest.mark.parametrize(
    ("player", "banker", "winner"),
    [
        ("4s 3h", "4d 2h", "player"),
        ("4s 2h", "4d 3h", "banker"),
        ("4s 3h", "Kd 7h", "tie"),
        ("Ks Qh 9d", "4d 5h", "tie"),
    ],
)
def test_the_higher_total_wins_and_equal_totals_tie(player: str, banker: str, winner: str) -> None:
    assert coup(player, banker).winner is Winner(winner)


def test_a_coup_is_natural_when_either_hand_is() -> None:
    assert coup("4s 4h", "4d 3h").natural
    assert coup("4s 3h", "4d 4h").natural
    assert not coup("4s 3h", "4d 3h").natural


def test_the_hands_are_found_by_side() -> None:
    both = coup("4s 3h", "4d 2h")
    assert both.hand(Side.PLAYER) is both.player
    assert both.hand(Side.BANKER) is both.banker


def test_pictures_of_the_element_deck_count_nothing() -> None:
    assert Hand(parse_cards("Sf Lg Fe", ELEMENTS)).total == 0
