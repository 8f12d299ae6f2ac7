"""Short ways to say what became of a wager."""

from fractions import Fraction

from punto.cards import parse_cards
from punto.games import GAMES
from punto.rules import Settlement

LOST, PUSHED = Fraction(-1), Fraction(0)


def settled(key: str, cards: str, wager: str) -> Settlement:
    """The settlement of one wager on a complete deal."""
    game = GAMES[key]
    coup = game.deal(parse_cards(cards, game.deck)).coup
    assert coup, f"{cards} is no complete deal"
    return next(each for each in game.settle(coup) if each.wager.name == wager)


def net(key: str, cards: str, wager: str) -> Fraction:
    """What one wager comes to on a complete deal, per unit staked."""
    return settled(key, cards, wager).net
