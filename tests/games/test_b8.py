from fractions import Fraction

import pytest
from tests.games.play import LOST, PUSHED, net, settled
from tests.marks import clause, interpretation

from punto.games import GAMES

KEY = "baccarat"


@clause("B8 3.5")
@interpretation(5)
def test_five_wagers_are_available() -> None:
    names = [wager.name for wager in GAMES[KEY].wagers]
    assert names == ["Player", "Banker", "Tie", "Player Pair", "Banker Pair"]


@clause("B8 1.1.1", "B8 4.1")
@interpretation(6)
def test_commission_is_taken_by_paying_less() -> None:
    assert net(KEY, "2s 3h 4d 4c", "Banker") == Fraction(19, 20)
    assert net(KEY, "Ks 2h 5d 4c 9s", "Banker") == Fraction(19, 20)  # six is no exception


@clause("B8 3.15")
@pytest.mark.parametrize(
    ("cards", "player", "banker"),
    [
        ("3s 2h 4d 4c", 1, LOST),  # 7 : 6
        ("9s Kh Kd Kc", 1, LOST),  # 9 : 0
        ("Ks Kh Ad Kc Ks Kh", 1, LOST),  # 1 : 0
        ("2s 3h 4d 4c", LOST, Fraction(19, 20)),  # 6 : 7
        ("Ks 9h Kd Kc", LOST, Fraction(19, 20)),  # 0 : 9
        ("4s 9h 4d Kc", LOST, Fraction(19, 20)),  # 8 : 9
    ],
)
def test_the_hand_with_the_higher_total_wins(cards: str, player: Fraction, banker: Fraction) -> None:
    assert (net(KEY, cards, "Player"), net(KEY, cards, "Banker"), net(KEY, cards, "Tie")) == (player, banker, LOST)


@clause("B8 3.15.1", "B8 1.1.10", "B8 1.1.11")
def test_a_tie_returns_player_and_banker_and_pays_tie() -> None:
    tie = "3s 3h 4d 4c"
    assert (net(KEY, tie, "Player"), net(KEY, tie, "Banker"), net(KEY, tie, "Tie")) == (PUSHED, PUSHED, 8)
    assert settled(KEY, tie, "Banker").clause == "B8 3.15.1"
    assert settled(KEY, "3s 2h 4d 4c", "Banker").clause == "B8 3.15"
    assert settled(KEY, "3s 2h 4d 4c", "Tie").clause == "B8 1.1.11"


@clause("B8 1.1.6", "B8 3.13")
@interpretation(1)
def test_pairs_are_decided_by_the_first_four_cards() -> None:
    assert (net(KEY, "4s Kh 4d 9c", "Player Pair"), net(KEY, "4s Kh 4d 9c", "Banker Pair")) == (11, LOST)
    assert (net(KEY, "9s Kh Kd Kc", "Player Pair"), net(KEY, "9s Kh Kd Kc", "Banker Pair")) == (LOST, 11)
    assert net(KEY, "9s Kh Kd Qc", "Banker Pair") == LOST
    assert settled(KEY, "9s Kh Kd Qc", "Banker Pair").clause == "B8 1.1.6"
