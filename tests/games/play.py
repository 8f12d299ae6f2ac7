"""Short ways to say what became of a wager."""

from fractions import Fraction

from punto.cards import parse_cards
from punto.games import GAMES
from punto.rules import Settlement

Net = Fraction | int

LOST: Net = -1
PUSHED: Net = 0


def settled(key: str, cards: str, wager: str) -> Settlement:
    """The settlement of one wager on a complete deal."""
    game = GAMES[key]
    coup = game.deal(parse_cards(cards, game.deck)).coup
    assert coup, f"{cards} is no complete deal"
    return game.settle(coup)[wager]


def net(key: str, cards: str, wager: str) -> Net:
    """What one wager comes to on a complete deal, per unit staked."""
    return settled(key, cards, wager).net
