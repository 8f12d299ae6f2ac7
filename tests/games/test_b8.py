from fractions import Fraction

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


@clause("B8 3.15", "B8 3.15.1", "B8 1.1.10", "B8 1.1.11")
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
