"""The golden deals of each game."""

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

from punto.cards import parse_cards
from punto.games import GAMES
from punto.rules import Coup

FOLDER = Path(__file__).parent / "deals"


class Golden(NamedTuple):
    """A deal, its totals, and what every wager comes to."""

    cards: str
    nets: dict[str, Fraction]
    totals: tuple[int, int]

    def coup(self, key: str) -> Coup:
        coup = GAMES[key].deal(parse_cards(self.cards, GAMES[key].deck)).coup
        assert coup, self.cards
        return coup


@cache
def golden(key: str) -> tuple[Golden, ...]:
    """The golden deals of a game."""
    head, *rows = (FOLDER / f"{key}.txt").read_text().splitlines()
    _, *names = [cell.strip() for cell in head.split(" | ")]
    deals = []
    for row in rows:
        cards, *nets, totals = [cell.strip() for cell in row.split(" | ")]
        player, banker = map(int, totals.split(" : "))
        deals.append(Golden(cards, dict(zip(names, map(Fraction, nets), strict=True)), (player, banker)))
    return tuple(deals)
