from fractions import Fraction

import pytest
from tests.games.play import LOST, PUSHED, net, settled
from tests.marks import clause, interpretation

from punto.games import GAMES

KEY = "7-up"


@clause("E7U 3.5.1")
@interpretation(5)
def test_four_wagers_are_available() -> None:
    assert [wager.name for wager in GAMES[KEY].wagers] == ["Player", "Banker", "Tie", "Super 7's"]


@clause("E7U 1.1.8", "E7U 1.1.9", "E7U 3.8", "E7U 3.8.1", "E7U 4.1")
@interpretation(13)
@pytest.mark.parametrize(
    ("cards", "nets"),
    [
        ("2s Kh 4d", (Fraction(1, 2), LOST, LOST)),  # 7 : 6, Player wins with seven
        ("2s Ah 4d", (1, LOST, LOST)),  # 8 : 6
        ("Ks 9h 7d", (LOST, Fraction(9, 5), LOST)),  # 6 : 7, Banker wins with seven
        ("Ks Kh 8d", (LOST, 1, LOST)),  # 7 : 8
        ("Ks Kh 7d", (PUSHED, PUSHED, 9)),  # 7 : 7
        ("Ks Ah 8d", (PUSHED, PUSHED, 7)),  # 8 : 8
    ],
)
def test_seven_has_its_own_prices(cards: str, nets: tuple[Fraction, ...]) -> None:
    assert tuple(net(KEY, cards, wager) for wager in ("Player", "Banker", "Tie")) == nets


@clause("E7U 1.1.7", "E7U 4.2")
@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("2s Kh 4d", LOST),  # the permanent seven alone
        ("7s Kh Kd", 2),
        ("2s 7h 4d 5s", 2),
        ("7s 7h 3d 5s 2d", 5),
        ("7s 7h 7d 5s 2d", 17),
        ("7s 7h 7d 7s 2d", 70),
        ("7s 7h 7d 7s 7c", 700),
    ],
)
def test_super_sevens_counts_the_permanent_seven_too(cards: str, pays: int) -> None:
    assert net(KEY, cards, "Super 7's") == pays


def test_lost_wagers_name_the_clause_that_defines_them() -> None:
    assert settled(KEY, "2s Kh 4d", "Super 7's").clause == "E7U 1.1.7"
    assert settled(KEY, "2s Kh 4d", "Banker").clause == "E7U 3.8"
    assert settled(KEY, "2s Kh 4d", "Tie").clause == "E7U 1.1.9"
