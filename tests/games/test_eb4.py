from fractions import Fraction

import pytest
from tests.games.play import LOST, PUSHED, net, settled
from tests.marks import clause, interpretation

from punto.games import GAMES

WITHOUT_COMMISSION = ["super-six", "fortune-six", "super-6", "no-commission", "tiger-no-commission"]
WITH_PAIRS = ["super-six", "fortune-six", "super-6", "no-commission"]
WITH_DRAGON = ["fortune-six", "super-6"]
TIGERS = ["tiger", "tiger-no-commission"]

# Deals by what is said of them, Player's total first.
BANKER_SIX_ON_TWO = "Ks 2h 5d 4c 9s"  # 4 : 6
BANKER_SIX_ON_THREE = "Ks Kh 5d 2c 8s 4h"  # 3 : 6
BANKER_SEVEN = "2s 3h 4d 4c"  # 6 : 7
PLAYER_SEVEN = "3s 2h 4d 4c"  # 7 : 6
TIE_ON_SIX = "2s 3h 4d 3c"
TIE_ON_SEVEN = "3s 3h 4d 4c"
NATURAL_TIE = "9s Kh Kd 9c"


@clause("EB4 3.9", "EB4 3.9.1", "EB4 1.1.19", "EB4 1.1.20")
@pytest.mark.parametrize("key", [*WITHOUT_COMMISSION, "tiger", "fabulous-4s"])
def test_a_tie_returns_player_and_banker_and_pays_tie(key: str) -> None:
    for wager in ("Player", "Banker"):
        assert net(key, TIE_ON_SEVEN, wager) == PUSHED
        assert settled(key, TIE_ON_SEVEN, wager).clause == "EB4 3.9.1"
    assert net(key, TIE_ON_SEVEN, "Tie") == 8
    assert net(key, PLAYER_SEVEN, "Tie") == LOST
    assert settled(key, PLAYER_SEVEN, "Tie").clause == "EB4 1.1.20"
    assert (net(key, PLAYER_SEVEN, "Player"), net(key, PLAYER_SEVEN, "Banker")) == (1, LOST)
    assert settled(key, PLAYER_SEVEN, "Banker").clause == "EB4 3.9"


@clause("EB4 1.1.4", "EB4 1.1.4.1", "EB4 4.1", "EB4 4.2", "EB4 4.3", "EB4 4.4", "EB4 4.7", "EB4 4.8")
def test_banker_is_paid_half_on_six_where_there_is_no_commission() -> None:
    for key in WITHOUT_COMMISSION:
        assert net(key, BANKER_SIX_ON_TWO, "Banker") == net(key, BANKER_SIX_ON_THREE, "Banker") == Fraction(1, 2)
        assert net(key, BANKER_SEVEN, "Banker") == 1
    for cards in (BANKER_SIX_ON_TWO, BANKER_SIX_ON_THREE, BANKER_SEVEN):
        assert net("tiger", cards, "Banker") == Fraction(19, 20)
    below_even = {key for key, game in GAMES.items() if any(pay.odds.staked == 20 for pay in game.wager("Banker").pays)}
    assert below_even == {"tiger", "baccarat"}  # of EB4's seven, Tiger alone


@clause("EB4 1.1.13", "EB4 3.7", "EB4 3.7.1", "EB4 3.7.2")
@interpretation(1, 5)
@pytest.mark.parametrize("key", WITH_PAIRS)
def test_pairs_are_decided_by_the_first_two_cards_of_a_hand(key: str) -> None:
    assert (net(key, "4s Kh 4d 9c", "Player Pair"), net(key, "4s Kh 4d 9c", "Banker Pair")) == (11, LOST)
    assert (net(key, "9s Kh Kd Kc", "Player Pair"), net(key, "9s Kh Kd Kc", "Banker Pair")) == (LOST, 11)
    assert net(key, "9s Th Td Kc", "Banker Pair") == LOST  # both count nothing, and are no pair
    assert net(key, "As 7h 4d Kc 4s", "Player Pair") == LOST  # the third card makes none
    assert settled(key, "9s Th Td Kc", "Banker Pair").clause == "EB4 1.1.13"


@clause("EB4 1.1.5", "EB4 1.1.18")
def test_six_wagers_win_only_when_banker_wins_with_six() -> None:
    assert net("super-six", BANKER_SIX_ON_TWO, "Super Six") == net("super-six", BANKER_SIX_ON_THREE, "Super Six") == 15
    assert net("super-6", BANKER_SIX_ON_TWO, "Super 6") == net("super-6", BANKER_SIX_ON_THREE, "Super 6") == 15
    assert net("fortune-six", BANKER_SIX_ON_TWO, "Fortune Six") == 12
    assert net("fortune-six", BANKER_SIX_ON_THREE, "Fortune Six") == 20
    for key, wager in (("super-six", "Super Six"), ("super-6", "Super 6"), ("fortune-six", "Fortune Six")):
        assert net(key, TIE_ON_SIX, wager) == net(key, PLAYER_SEVEN, wager) == net(key, BANKER_SEVEN, wager) == LOST


@clause("EB4 1.1.3", "EB4 1.1.17", "EB4 1.1.21", "EB4 1.1.23", "EB4 4.10")
@interpretation(4)
@pytest.mark.parametrize("key", TIGERS)
def test_tigers_win_on_bankers_six_each_for_itself(key: str) -> None:
    wagers = ("Tiger", "Small Tiger", "Big Tiger", "Tiger Tie")
    assert [net(key, BANKER_SIX_ON_TWO, wager) for wager in wagers] == [12, 22, LOST, LOST]
    assert [net(key, BANKER_SIX_ON_THREE, wager) for wager in wagers] == [20, LOST, 50, LOST]
    assert [net(key, TIE_ON_SIX, wager) for wager in wagers] == [LOST, LOST, LOST, 35]
    assert [net(key, TIE_ON_SEVEN, wager) for wager in wagers] == [LOST] * 4
    assert [net(key, PLAYER_SEVEN, wager) for wager in wagers] == [LOST] * 4


@clause("EB4 1.1.22", "EB4 1.1.22.1", "EB4 1.1.22.2", "EB4 1.1.22.3", "EB4 4.9")
@interpretation(1, 4)
@pytest.mark.parametrize("key", TIGERS)
@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("9s Kh 9d 8c", 4),  # Player's pair alone
        ("Ks 9h 8d 9c", 4),  # Banker's pair alone
        ("4s 9h 4d 9c", 20),  # both, of different ranks
        ("Ts Kh Td Kc 8s 9h", 20),  # tens and kings count alike, and are different ranks
        ("9s 9h 9d 9c", 100),  # both of one rank: paid once, by the highest line
        ("9s Kh Kd 8c", LOST),
        ("9s Th 8d Kc 9h", LOST),  # a ten and a king are no pair
        ("Js 9h Qd Kc", LOST),
    ],
)
def test_tiger_pair_pays_the_highest_line_once(key: str, cards: str, pays: int) -> None:
    assert net(key, cards, "Tiger Pair") == pays


@clause("EB4 1.1.1", "EB4 1.1.1.1", "EB4 1.1.1.2", "EB4 1.1.9", "EB4 1.1.10", "EB4 1.1.10.1", "EB4 1.1.10.2")
@clause("EB4 4.5", "EB4 4.6")
@interpretation(3)
@pytest.mark.parametrize("key", WITH_DRAGON)
@pytest.mark.parametrize(
    ("cards", "player", "banker"),
    [
        (NATURAL_TIE, PUSHED, PUSHED),
        ("4s 8h 4d Kc", PUSHED, PUSHED),  # eight against eight
        (TIE_ON_SIX, LOST, LOST),  # a tie, but no natural
        ("9s Kh Kd 8c", 1, LOST),  # a natural wins by one
        ("9s Kh Kd Kc", 1, LOST),  # and by nine: still even money
        ("8s 9h Kd Kc", LOST, 1),
        ("3s 2h 4d 4c", LOST, LOST),  # Player wins by one, without a natural
        ("3s 2h 4d 2c Ks", LOST, LOST),  # by three
        ("3s 2h 4d Kc As", 1, LOST),  # by four
        ("3s 2h 4d Kc Ks", 2, LOST),  # by five
        ("3s Kh 4d Kc As", 4, LOST),  # by six
        ("3s Kh 4d Kc Ks", 6, LOST),  # by seven
        ("Ks Kh 4d Kc 4s Kh", 10, LOST),  # by eight
        ("Ks Kh 5d Kc 4s Kh", 30, LOST),  # by nine
        ("Ks Kh Qd Kc Js 3h", LOST, LOST),  # Banker wins by three, without a natural
        ("Ks Kh Qd Kc Js 4h", LOST, 1),  # by four
        ("Ks Kh Qd Kc Js 5h", LOST, 2),  # by five
        ("Ks Kh Qd Kc Js 6h", LOST, 4),  # by six
        ("Ks Kh Qd Kc Js 7h", LOST, 6),  # by seven
        ("Ks Kh Qd Kc Js 8h", LOST, 10),  # by eight
        ("Ks Kh 5d Kc 5s 9h", LOST, 30),  # by nine
        ("Ks Kh Qd 9c", LOST, 1),  # by nine with a natural: even money
    ],
)
def test_dragon_bonus_pays_by_the_margin_or_for_a_natural(key: str, cards: str, player: int, banker: int) -> None:
    assert (net(key, cards, "Player Dragon Bonus"), net(key, cards, "Banker Dragon Bonus")) == (player, banker)


@clause("EB4 1.1.2", "EB4 1.1.11", "EB4 4.11")
@pytest.mark.parametrize(
    ("cards", "wager", "pays"),
    [
        ("Ks Kh 2d 2c 2s Ah", "Player", Fraction(1, 2)),  # 4 : 3
        ("Ks Kh 2d 2c 2s Ah", "Player Fabulous 4", 50),
        ("Ks Kh 2d 2c 2s Ah", "Banker Fabulous 4", LOST),
        ("Ks Kh 2d 2c 2s Ah", "Banker", LOST),
        ("Ks Kh 2d 2c As 2h", "Banker", PUSHED),  # 3 : 4
        ("Ks Kh 2d 2c As 2h", "Banker Fabulous 4", 25),
        ("Ks Kh 2d 2c As 2h", "Player Fabulous 4", LOST),
        ("Ks Kh 2d 2c As 2h", "Player", LOST),
        ("Ks Kh Ad Kc Ks Kh", "Player", 2),  # 1 : 0
        ("Ks Kh Qd Kc Ks Ah", "Banker", 2),  # 0 : 1
        ("3s 2h 4d 4c", "Player", 1),
        ("2s 3h 4d 4c", "Banker", 1),
        ("Ks Kh 2d 2c 2s 2h", "Player Fabulous 4", LOST),  # a tie on four
        ("Ks Kh 2d 2c 2s 2h", "Banker Fabulous 4", LOST),
        ("Ks Kh 2d 2c 2s 2h", "Tie", 8),
    ],
)
def test_fabulous_four_and_the_price_of_four_and_one(cards: str, wager: str, pays: Fraction) -> None:
    assert net("fabulous-4s", cards, wager) == pays


@clause("EB4 1.1.14", "EB4 1.1.14.1", "EB4 1.1.14.2", "EB4 1.1.14.3", "EB4 1.1.14.4", "EB4 3.7.3", "EB4 4.12")
@interpretation(7)
@pytest.mark.parametrize(
    ("first", "second", "pays"),
    [
        ("4d", "4d", 30),
        ("4c", "4c", 15),  # suited
        ("4h", "4s", 15),  # unsuited
        ("4d", "4s", 15),  # one diamond is not enough
        ("Qd", "Qd", 12),
        ("Qh", "Qh", 9),
        ("Kc", "Kh", 9),
        ("Qd", "Qs", 9),
        ("Qd", "Kd", LOST),
        ("4d", "5d", LOST),
    ],
)
def test_precious_pairs_pay_the_highest_line_once(first: str, second: str, pays: int) -> None:
    assert net("fabulous-4s", f"{first} 9h {second} Ks", "Player Precious Pair") == pays
    assert net("fabulous-4s", f"9h {first} Ks {second}", "Banker Precious Pair") == pays
    assert net("fabulous-4s", f"{first} 9h {second} Ks", "Banker Precious Pair") == LOST


@clause("EB4 3.7.3")
@pytest.mark.parametrize(
    ("cards", "player", "banker"),
    [
        ("2s Kh 2d 5c 9s", 9, LOST),  # Player draws to the pair
        ("2d Kh 2d 5c 9s", 12, LOST),
        ("Ks 2s 6d 2h 4d", LOST, 9),  # Banker draws to the pair
        ("Ks 2d 6d 2d 4d", LOST, 12),
        ("2s Kh 3d 5c 2d", LOST, LOST),  # and the third card makes none
    ],
)
def test_a_third_card_changes_nothing_of_precious_pairs(cards: str, player: int, banker: int) -> None:
    wagers = ("Player Precious Pair", "Banker Precious Pair")
    assert [net("fabulous-4s", cards, wager) for wager in wagers] == [player, banker]


@interpretation(7)
def test_each_game_offers_the_wagers_of_its_tables() -> None:
    main = ["Player", "Banker", "Tie"]
    tigers = ["Tiger", "Small Tiger", "Big Tiger", "Tiger Tie", "Tiger Pair"]
    pairs = ["Player Pair", "Banker Pair"]
    dragons = ["Player Dragon Bonus", "Banker Dragon Bonus"]
    offered = {key: [wager.name for wager in game.wagers] for key, game in GAMES.items() if game.rulebook == "EB4"}
    assert offered == {
        "super-six": [*main, *pairs, "Super Six"],
        "fortune-six": [*main, *pairs, "Fortune Six", *dragons],
        "super-6": [*main, *pairs, "Super 6", *dragons],
        "no-commission": [*main, *pairs],
        "tiger": [*main, *tigers],
        "tiger-no-commission": [*main, *tigers],
        "fabulous-4s": [
            *main, "Player Fabulous 4", "Banker Fabulous 4", "Player Precious Pair", "Banker Precious Pair",
        ],
    }  # fmt: skip
