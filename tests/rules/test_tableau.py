"""The Table of Play against a drawing of it, and against whole deals: every pair of totals and every third card."""

from itertools import product

import pytest
from tests.marks import clause

from punto.cards import STANDARD, parse_cards
from punto.rules import CLASSIC, PERMANENT, Deal, Side, third_card

TABLE_OF_PLAY = clause("EB4 3.8", "FF2 3.8", "B8 3.14", "TNC5 3.14")

# A row for each of Banker's totals; a column for each of Player's third cards 0 to 9, then for Player standing.
DRAWN = """
0  D D D D D D D D D D  D
1  D D D D D D D D D D  D
2  D D D D D D D D D D  D
3  D D D D D D D D . D  D
4  . . D D D D D D . .  D
5  . . . . D D D D . .  D
6  . . . . . . D D . .  .
7  . . . . . . . . . .  .
"""
BANKER = {int(row[0]): row.split()[1:] for row in DRAWN.strip().splitlines()}
# Two cards that come to each total.
TWO_CARDS = {0: "Ks Qs", 1: "As Ks", 2: "2s Ks", 3: "2s As", 4: "4s Ks", 5: "5s Ks", 6: "6s Ks", 7: "7s Ks"}
TWO_CARDS |= {8: "8s Ks", 9: "9s Ks"}
THIRDS = ["Th", "Ah", "2h", "3h", "4h", "5h", "6h", "7h", "8h", "9h"]


@TABLE_OF_PLAY
@pytest.mark.parametrize(("banker", "third"), list(product(range(8), range(10))))
def test_banker_draws_as_the_table_of_play_says(banker: int, third: int) -> None:
    for player in range(6):
        assert third_card(player, banker) is Side.PLAYER
        assert third_card(player, banker, third) is (Side.BANKER if BANKER[banker][third] == "D" else None)


@TABLE_OF_PLAY
@pytest.mark.parametrize(("player", "banker"), list(product((6, 7), range(8))))
def test_player_stands_on_six_and_seven_and_banker_draws_on_five_and_less(player: int, banker: int) -> None:
    assert BANKER[banker][10] == ("D" if banker <= 5 else ".")
    assert third_card(player, banker) is (Side.BANKER if banker <= 5 else None)


@TABLE_OF_PLAY
@pytest.mark.parametrize(("player", "banker"), list(product(range(10), range(10))))
def test_a_natural_ends_the_deal(player: int, banker: int) -> None:
    ended = third_card(player, banker) is None
    assert ended is (player >= 8 or banker >= 8 or (player >= 6 and banker >= 6))


def draws(player: int, banker: int, third: int) -> str:
    """Who draws when these two-card totals meet and Player's third card would be this one, by a second rule."""
    if max(player, banker) >= 8:
        return ""
    if player >= 6:
        return "B" if banker <= 5 else ""
    return "P" + ("B" if BANKER[banker][third] == "D" else "")


def drawn_after(initial: Deal) -> list[str]:
    """Who draws after this initial deal, for each number of points that every further card could have."""
    found = []
    for card in parse_cards(" ".join(THIRDS), STANDARD):
        deal, drawn = initial, ""
        while deal.next:
            drawn += "P" if deal.next is Side.PLAYER else "B"
            deal = deal.take(card)
        found.append(drawn)
    return found


@TABLE_OF_PLAY
@clause("EB4 1.1.8", "FF2 1.1.5", "B8 1.1.5", "TNC5 1.1.5")
@pytest.mark.parametrize(("player", "banker"), list(product(range(10), range(10))))
def test_every_pair_of_totals_and_every_third_card(player: int, banker: int) -> None:
    (first, third), (second, fourth) = TWO_CARDS[player].split(), TWO_CARDS[banker].split()
    initial = Deal.of(CLASSIC, parse_cards(f"{first} {second} {third} {fourth}", STANDARD))
    assert drawn_after(initial) == [draws(player, banker, points) for points in range(10)]


# Player's card beside the permanent 7, for each total that the two come to.
BESIDE_SEVEN = {7: "Ts", 8: "As", 9: "2s", 0: "3s", 1: "4s", 2: "5s", 3: "6s", 4: "7s", 5: "8s", 6: "9s"}


@clause("E7U 1.1.3", "E7U 3.7")
@pytest.mark.parametrize(("player", "banker"), list(product(range(10), range(10))))
def test_the_permanent_seven_counts_with_every_card_beside_it(player: int, banker: int) -> None:
    first, third = TWO_CARDS[banker].split()
    initial = Deal.of(PERMANENT, parse_cards(f"{first} {BESIDE_SEVEN[player]} {third}", STANDARD))
    assert drawn_after(initial) == [draws(player, banker, points) for points in range(10)]
