from fractions import Fraction

import pytest
from tests.games.play import LOST, PUSHED, net, settled
from tests.marks import clause, interpretation

from punto.cards import ELEMENTS
from punto.games import GAMES

KEY = "fa-fa-fabulous-4"


@clause("FF2 2.1", "FF2 3.5")
@interpretation(5)
def test_five_kinds_of_wager_are_independent_and_dealt_from_the_element_deck() -> None:
    game = GAMES[KEY]
    assert game.deck is ELEMENTS
    assert [wager.name for wager in game.wagers] == [
        "Player", "Banker", "Tie",
        "Player Fabulous 4", "Banker Fabulous 4", "Player Precious Pair", "Banker Precious Pair",
    ]  # fmt: skip


@clause("FF2 1.1.10", "FF2 3.9", "FF2 3.10")
def test_a_tie_returns_player_and_banker_and_pays_tie() -> None:
    tie = "3f 3g 4e 4o"
    assert (net(KEY, tie, "Player"), net(KEY, tie, "Banker"), net(KEY, tie, "Tie")) == (PUSHED, PUSHED, 8)
    assert settled(KEY, tie, "Player").clause == "FF2 3.10"
    assert (net(KEY, "3f 2g 4e 4o", "Player"), net(KEY, "3f 2g 4e 4o", "Banker")) == (1, LOST)
    assert settled(KEY, "3f 2g 4e 4o", "Banker").clause == "FF2 3.9"
    assert settled(KEY, "3f 2g 4e 4o", "Tie").clause == "FF2 1.1.10"


@clause("FF2 1.1.11", "FF2 4.1")
@interpretation(2)
@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("4f 4g 4w 4e", 800),  # different elements
        ("4f 4f 4f 4f", 800),  # the same
        ("4f 8g 4w Se", 8),  # a natural tie on eight, but only one hand of fours
        ("3f 4g 5w 4e", 8),
        ("4f 4g 4w 5e", LOST),
    ],
)
def test_tie_on_element_eights_is_paid_in_place_of_the_tie(cards: str, pays: int) -> None:
    assert net(KEY, cards, "Tie") == pays


@clause("FF2 1.1.1", "FF2 1.1.6", "FF2 3.11", "FF2 3.12")
@pytest.mark.parametrize(
    ("cards", "nets"),
    [
        ("Sf Lg 2e 2o Aw 2f", (LOST, PUSHED, LOST, 25)),  # 3 : 4, Banker wins with four
        ("Sf Lg 2e 2o 2w Af", (Fraction(1, 2), LOST, 50, LOST)),  # 4 : 3, Player wins with four
        ("Sf Lg 2e 2o 2w 2f", (PUSHED, PUSHED, LOST, LOST)),  # a tie on four
        ("Sf Lg Ae Fo Tw Tf", (2, LOST, LOST, LOST)),  # 1 : 0
        ("Sf Lg Te Fo Tw Af", (LOST, 2, LOST, LOST)),  # 0 : 1
    ],
)
def test_four_and_one_have_their_prices(cards: str, nets: tuple[Fraction, ...]) -> None:
    wagers = ("Player", "Banker", "Player Fabulous 4", "Banker Fabulous 4")
    assert tuple(net(KEY, cards, wager) for wager in wagers) == nets


@clause("FF2 1.1.7", "FF2 1.1.7.1", "FF2 1.1.7.2", "FF2 1.1.7.3", "FF2 1.1.7.4", "FF2 3.13", "FF2 4.2")
@pytest.mark.parametrize(
    ("first", "second", "pays"),
    [
        ("4g", "4g", 30),
        ("4w", "4w", 15),
        ("4g", "4w", 15),
        ("Sg", "Sg", 12),
        ("Lf", "Lf", 9),
        ("Ff", "Fg", 9),
        ("Sg", "Lg", LOST),
        ("4g", "5g", LOST),
    ],
)
def test_precious_pairs_pay_the_highest_line_once(first: str, second: str, pays: int) -> None:
    assert net(KEY, f"{first} 9f {second} So", "Player Precious Pair") == pays
    assert net(KEY, f"9f {first} So {second}", "Banker Precious Pair") == pays


@clause("FF2 3.13")
@pytest.mark.parametrize(
    ("cards", "player", "banker"),
    [
        ("2f Sg 2w 5e 9o", 9, LOST),  # Player draws to the pair
        ("2g Sg 2g 5e 9o", 12, LOST),
        ("Sf 2f 6w 2e 4o", LOST, 9),  # Banker draws to the pair
        ("Sf 2g 6w 2g 4o", LOST, 12),
        ("2f Sg 3w 5e 2g", LOST, LOST),  # and the third card makes none
    ],
)
def test_a_third_card_changes_nothing_of_precious_pairs(cards: str, player: int, banker: int) -> None:
    wagers = ("Player Precious Pair", "Banker Precious Pair")
    assert [net(KEY, cards, wager) for wager in wagers] == [player, banker]
