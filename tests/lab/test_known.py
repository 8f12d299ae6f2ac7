"""Odds of a round of whose cards some are known: beside every deal that small shoes allow."""

from collections import Counter
from fractions import Fraction

import pytest
from tests.marks import KINDS, by_day

from punto.cards import Card, parse_cards
from punto.errors import BadComposition
from punto.games import GAMES
from punto.lab import Composition, Odds
from punto.rules import Deal, Game


def one(text: str, game: Game) -> list[Card | None]:
    """Cards in their order; a question mark where one is not known."""
    return [None if name == "?" else parse_cards(name, game.deck)[0] for name in text.split()]


def slowly(game: Game, shoe: Composition, known: list[Card | None]) -> tuple[Counter[str], Counter[int]]:
    """The expectation of each wager and the chance of each margin, from every deal that can come."""
    left = Counter({card: shoe.of(card) for card in game.deck.cards if shoe.of(card)})
    left.subtract(card for card in known if card is not None)
    worth: Counter[str] = Counter()
    margins: Counter[int] = Counter()

    def go_on(deal: Deal, place: int, chance: Fraction) -> None:
        if deal.next is None:
            assert deal.coup is not None
            for name, settlement in game.settle(deal.coup).items():
                worth[name] += chance * settlement.net  # type: ignore[assignment]
            margins[deal.coup.player.total - deal.coup.banker.total] += chance  # type: ignore[assignment]
            return
        card = known[place] if place < len(known) else None
        if card is not None:
            go_on(deal.take(card), place + 1, chance)
            return
        size = sum(left.values())
        for drawn in [each for each, number in left.items() if number > 0]:
            share = Fraction(left[drawn], size)
            left[drawn] -= 1
            go_on(deal.take(drawn), place + 1, chance * share)
            left[drawn] += 1

    go_on(game.begin(), 0, Fraction(1))
    return worth, margins


@pytest.mark.parametrize(
    ("key", "left", "known"),
    [
        ("baccarat", "As=2,4h=2,7d=1,9c=2,Kd=3", "7d"),
        ("baccarat", "As=2,4h=2,7d=1,9c=2,Kd=3", "? 9c"),
        ("baccarat", "As=2,4h=2,4d=1,9c=2,Kd=3", "4h As 4d"),
        ("tiger", "As=2,6h=2,6d=1,9c=2,Kd=3", "6d ? 6h Kd 9c"),
        ("tiger", "As=2,6h=2,6d=1,9c=2,Kd=3", "? ? ? ? 9c Kd"),
        ("tiger", "2s=2,3h=2,4d=1,Kc=2,Kd=3", "2s 3h Kd Kc 4d 2s"),
        ("7-up", "7s=2,7h=1,2d=2,5c=2,Kd=2", "7s"),
        ("7-up", "7s=2,7h=1,2d=2,5c=2,Kd=2", "? ? 2d 5c"),
        ("7-up", "7s=2,7h=1,2d=2,5c=2,Kd=2", "Kd ? ? ? 7h"),
        ("fabulous-4s", "4s=2,4h=2,4d=2,9c=2,Kd=3", "4d ? 4d"),
        ("fa-fa-fabulous-4", "4f=2,4g=2,8w=2,9e=2,Sf=3", "8w"),
    ],
)
def test_the_odds_are_those_of_every_deal_that_can_come(key: str, left: str, known: str) -> None:
    game = GAMES[key]
    shoe = Composition.remaining(left, game.deck)
    cards = one(known, game)
    found = Odds(game).given(shoe, cards)
    worth, margins = slowly(game, shoe, cards)
    assert {name: wager.ev for name, wager in found.wagers.items()} == {name: worth[name] for name in found.wagers}
    assert {m: Fraction(count, found.sequences) for m, count in found.margins.items() if count} == margins


@pytest.mark.parametrize("key", by_day(GAMES, KINDS))
def test_the_odds_of_a_whole_shoe_are_those_of_its_first_card_whichever_it_is(key: str) -> None:
    """The mean over every card that may come first is what is said of a card that nobody knows."""
    game = GAMES[key]
    odds, shoe = Odds(game), Composition.full(game.deck)
    usual = odds.of(shoe)
    given = [odds.given(shoe, [card]) for card in game.deck.cards]
    for name, wager in usual.wagers.items():
        assert sum(each.wagers[name].ev for each in given) / len(given) == wager.ev


def test_a_card_that_is_not_known_makes_no_difference() -> None:
    game = GAMES["tiger"]
    odds, shoe = Odds(game), Composition.full(game.deck)
    assert odds.given(shoe, []) == odds.given(shoe, [None, None]) == odds.of(shoe)
    seven = parse_cards("7d", game.deck)[0]
    assert odds.given(shoe, [None] * 6 + [seven]) == odds.of(shoe), "a seventh card is the next round's"


def test_a_card_that_the_shoe_does_not_hold_cannot_come() -> None:
    game = GAMES["tiger"]
    with pytest.raises(BadComposition, match="no 7d is left"):
        Odds(game).given(Composition.remaining("As=8,Kd=8", game.deck), list(parse_cards("7d", game.deck)))
