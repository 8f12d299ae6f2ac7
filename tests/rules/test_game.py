import pytest

from punto.cards import parse_cards
from punto.errors import BadDecks, NoCards, SurplusCard, TooManyCopies
from punto.games import GAMES
from punto.rules import Deal
from punto.rules.settler import Settler

TIGER = GAMES["tiger"]


def test_a_deal_is_made_of_the_cards() -> None:
    cards = parse_cards("9s Kh 9d 8c", TIGER.deck)
    assert TIGER.deal(cards) == Deal.of(TIGER.opening, cards)
    assert TIGER.deal(iter(cards)) == Deal.of(TIGER.opening, cards)


def test_a_deal_needs_cards_and_a_possible_shoe() -> None:
    with pytest.raises(NoCards) as refused:
        TIGER.deal([])
    assert refused.value.message == "card 1 is missing: expected the cards of tiger in the order dealt"
    assert refused.value.at == 1
    for decks in (3, 11):
        with pytest.raises(BadDecks):
            TIGER.deal(parse_cards("9s", TIGER.deck), decks)
    with pytest.raises(SurplusCard):
        TIGER.deal(parse_cards("9s Kh 9d 8c 2s", TIGER.deck))


def test_no_more_copies_of_a_card_than_decks() -> None:
    five = parse_cards("As As As As As 4h", TIGER.deck)
    assert TIGER.deal(five)
    assert TIGER.deal(five, decks=5)
    with pytest.raises(TooManyCopies) as refused:
        TIGER.deal(five, decks=4)
    assert refused.value.at == 5
    assert refused.value.message == "card 5: As comes 5 times: expected at most 4 in 4 decks"
    assert TIGER.deal(five[1:-1], decks=4)
    with pytest.raises(TooManyCopies, match=r"^card 6: As comes 5 times: "):
        TIGER.deal(parse_cards("As As As As 4h As", TIGER.deck), decks=4)


def test_a_wager_is_found_by_its_name() -> None:
    assert TIGER.wager("Big Tiger") is TIGER.wagers[5]


def test_coups_of_one_class_are_settled_once() -> None:
    settler = Settler(TIGER.wagers)
    coups = [TIGER.deal(parse_cards(text, TIGER.deck)).coup for text in ("9s Kh 9d 8c", "9h Qh 9c 8d", "9h Qh 8c 8d")]
    first, same, other = coups
    assert first
    assert same
    assert other
    assert settler.class_of(first) == settler.class_of(same) != settler.class_of(other)
    assert settler.settle(first) is settler.settle(same)
    assert settler.settle(first) is not settler.settle(other)
    assert [reading.side.value for reading in settler.reads] == sorted(reading.side.value for reading in settler.reads)
    assert len(settler.reads) == len(settler.class_of(first))
    read = dict(zip(settler.reads, settler.class_of(first), strict=True))
    assert read == {reading: reading.trait.of(first.hand(reading.side)) for reading in settler.reads}
