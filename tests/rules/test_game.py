from dataclasses import replace

import pytest

from punto.cards import ELEMENTS, PERMANENT_SEVEN, Card, Rank, Suit, parse_cards
from punto.errors import BadDecks, ForeignCard, NoCards, SurplusCard, TooManyCopies, UnknownWager
from punto.games import GAMES
from punto.rules import CLASSIC, Deal

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


def test_cards_of_another_deck_make_no_deal() -> None:
    with pytest.raises(ForeignCard) as refused:
        TIGER.deal([*parse_cards("9s", TIGER.deck), *parse_cards("4g", ELEMENTS)])
    assert (refused.value.at, refused.value.message) == (
        2,
        "card 2: 4g is not in the standard deck: expected one of its 52",
    )
    with pytest.raises(ForeignCard):
        GAMES["7-up"].deal([PERMANENT_SEVEN])
    with pytest.raises(ForeignCard):
        GAMES["fa-fa-fabulous-4"].deal([Card(Rank.KING, Suit.GOLD)])


def test_a_wager_is_found_by_its_name() -> None:
    assert TIGER.wager("Big Tiger") is TIGER.wagers[5]
    for ask in (lambda: TIGER.wager("Fortune Six"), lambda: TIGER.outcome_established(TIGER.begin(), ["Fortune Six"])):
        with pytest.raises(UnknownWager) as refused:
            ask()
        assert refused.value.message == (
            "'Fortune Six' is not a wager of tiger: "
            "expected Player, Banker, Tie, Tiger, Small Tiger, Big Tiger, Tiger Tie, Tiger Pair"
        )


def test_a_wager_is_declared_once() -> None:
    with pytest.raises(AssertionError, match=r"^a wager is known by its name$"):
        replace(TIGER, wagers=TIGER.wagers[:1] * 2)


def test_what_was_worked_out_is_no_part_of_a_game() -> None:
    game = replace(TIGER)
    game.standings(game.begin())
    declared = {"key", "title", "rulebook", "deck", "wagers", "opening"}
    assert set(vars(game)) > declared
    assert game.__getstate__() == {name: getattr(TIGER, name) for name in declared}


def test_a_deal_begins_with_what_the_opening_holds() -> None:
    assert TIGER.begin() == Deal(CLASSIC, ())
    assert GAMES["7-up"].begin().player == (PERMANENT_SEVEN,)
