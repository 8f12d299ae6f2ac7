from fractions import Fraction

import pytest
from tests.games.play import LOST, PUSHED, net, settled
from tests.marks import clause, interpretation

from punto.games import GAMES

KEY = "live-tiger-no-commission"
BANKER_SIX_ON_TWO = "Ks 2h 5d 4c 9s"
BANKER_SIX_ON_THREE = "Ks Kh 5d 2c 8s 4h"
TIE_ON_SIX = "2s 3h 4d 3c"
TIE_ON_SEVEN = "3s 3h 4d 4c"


@clause("TNC5 3.5")
@interpretation(5)
def test_eight_wagers_are_available() -> None:
    assert [wager.name for wager in GAMES[KEY].wagers] == [
        "Player", "Banker", "Tie", "Tiger", "Small Tiger", "Big Tiger", "Tiger Tie", "Tiger Pair",
    ]  # fmt: skip


@clause("TNC5 3.15")
@pytest.mark.parametrize(
    ("cards", "player", "banker"),
    [
        ("3s 2h 4d 4c", 1, LOST),  # 7 : 6
        ("9s Kh Kd Kc", 1, LOST),  # 9 : 0
        ("Ks Kh Ad Kc Ks Kh", 1, LOST),  # 1 : 0
        ("2s 3h 4d 4c", LOST, 1),  # 6 : 7
        ("Ks 9h Kd Kc", LOST, 1),  # 0 : 9
        ("4s 9h 4d Kc", LOST, 1),  # 8 : 9
    ],
)
def test_the_hand_with_the_higher_total_wins(cards: str, player: int, banker: int) -> None:
    assert (net(KEY, cards, "Player"), net(KEY, cards, "Banker"), net(KEY, cards, "Tie")) == (player, banker, LOST)


@clause("TNC5 4.1", "TNC5 3.15.1", "TNC5 1.1.10", "TNC5 1.1.11", "TNC5 1.1.14")
def test_a_tie_wins_tie_but_tiger_tie_only_on_six() -> None:
    assert (net(KEY, TIE_ON_SEVEN, "Player"), net(KEY, TIE_ON_SEVEN, "Banker")) == (PUSHED, PUSHED)
    assert (net(KEY, TIE_ON_SEVEN, "Tie"), net(KEY, TIE_ON_SEVEN, "Tiger Tie")) == (8, LOST)
    assert (net(KEY, TIE_ON_SIX, "Tie"), net(KEY, TIE_ON_SIX, "Tiger Tie")) == (8, 35)
    assert settled(KEY, TIE_ON_SEVEN, "Tiger Tie").clause == "TNC5 1.1.14"
    assert settled(KEY, TIE_ON_SEVEN, "Player").clause == "TNC5 3.15.1"
    assert settled(KEY, BANKER_SIX_ON_TWO, "Player").clause == "TNC5 3.15"
    assert settled(KEY, BANKER_SIX_ON_TWO, "Tie").clause == "TNC5 1.1.11"


@clause("TNC5 1.1.1", "TNC5 1.1.7", "TNC5 1.1.12", "TNC5 4.1", "TNC5 4.3")
@interpretation(4)
def test_tigers_win_on_bankers_six() -> None:
    wagers = ("Banker", "Tiger", "Small Tiger", "Big Tiger", "Tiger Tie")
    assert [net(KEY, BANKER_SIX_ON_TWO, wager) for wager in wagers] == [Fraction(1, 2), 12, 22, LOST, LOST]
    assert [net(KEY, BANKER_SIX_ON_THREE, wager) for wager in wagers] == [Fraction(1, 2), 20, LOST, 50, LOST]
    assert [net(KEY, "2s 3h 4d 4c", wager) for wager in wagers] == [1, LOST, LOST, LOST, LOST]


@clause("TNC5 1.1.13", "TNC5 1.1.13.1", "TNC5 1.1.13.2", "TNC5 1.1.13.3", "TNC5 3.13", "TNC5 4.2")
@interpretation(1, 4)
@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("9s Kh 9d 8c", 4),
        ("Ks 9h 8d 9c", 4),
        ("4s 9h 4d 9c", 20),
        ("Qs Qh Qd Qc 8s 9h", 100),
        ("9s Kh Kd 8c", LOST),
        ("9s Kh Td 8c", LOST),
    ],
)
def test_tiger_pair_is_decided_by_the_first_four_cards(cards: str, pays: int) -> None:
    assert net(KEY, cards, "Tiger Pair") == pays
