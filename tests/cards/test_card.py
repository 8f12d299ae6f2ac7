from itertools import pairwise

import pytest
from tests.marks import clause

from punto.cards import PERMANENT_SEVEN, Card, Rank, Suit

POINTS = [
    "A=1",
    "2=2",
    "3=3",
    "4=4",
    "5=5",
    "6=6",
    "7=7",
    "8=8",
    "9=9",
    "T=0",
    "J=0",
    "Q=0",
    "K=0",
    "S=0",
    "L=0",
    "F=0",
]


@clause(
    *[f"{code} {number}" for code in ("EB4", "FF2", "B8", "TNC5", "E7U") for number in ("3.3", "3.3.1", "3.3.2")],
)
@pytest.mark.parametrize("said", POINTS)
def test_each_rank_counts_what_the_rulebooks_say(said: str) -> None:
    letter, points = said.split("=")
    (rank,) = [rank for rank in Rank if rank.letter == letter]
    assert rank.points == int(points)
    assert Card(rank, Suit.GOLD).points == int(points)


def test_there_is_a_figure_for_every_rank() -> None:
    assert [said[0] for said in POINTS] == [rank.letter for rank in Rank]


def test_letters_of_ranks_and_of_suits_are_all_different() -> None:
    letters = sorted([rank.letter for rank in Rank] + [suit.letter for suit in Suit])
    assert all(left != right for left, right in pairwise(letters))


@clause("FF2 1.1.2")
def test_the_five_elements_have_their_signs() -> None:
    elements = [Suit.FIRE, Suit.GOLD, Suit.EARTH, Suit.WOOD, Suit.WATER]
    assert "".join(suit.letter for suit in elements) == "fgeow"
    assert "".join(suit.sign for suit in elements) == "火金土木水"


@clause("E7U 1.1.4")
def test_the_permanent_seven_is_a_seven_of_no_suit() -> None:
    assert PERMANENT_SEVEN.rank is Rank.SEVEN
    assert PERMANENT_SEVEN.suit is None
    assert PERMANENT_SEVEN.points == 7
    assert str(PERMANENT_SEVEN) == "7*"


def test_cards_are_values() -> None:
    assert Card(Rank.ACE, Suit.SPADES) == Card(Rank.ACE, Suit.SPADES)
    assert Card(Rank.ACE, Suit.SPADES) != Card(Rank.ACE, Suit.HEARTS)
    assert len({Card(Rank.ACE, Suit.SPADES), Card(Rank.ACE, Suit.SPADES)}) == 1
    assert repr(Card(Rank.TEN, Suit.CLUBS)) == "Card('Tc')"
