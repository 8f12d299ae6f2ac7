"""The five rulebooks and the eleven games, by code and by key."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from punto.errors import UnknownGame, quoted
from punto.games.b8 import B8, BACCARAT
from punto.games.e7u import E7U, SEVEN_UP
from punto.games.eb4 import EB4, FABULOUS_4S, FORTUNE_SIX, NO_COMMISSION, SUPER_6, SUPER_SIX, TIGER, TIGER_NO_COMMISSION
from punto.games.ff2 import FA_FA_FABULOUS_4, FF2
from punto.games.tnc5 import LIVE_TIGER_NO_COMMISSION, TNC5
from punto.rules import Game

RULEBOOKS: Final = MappingProxyType({rulebook.code: rulebook for rulebook in (EB4, FF2, B8, TNC5, E7U)})
GAMES: Final = MappingProxyType(
    {
        game.key: game
        for game in (
            BACCARAT,
            SUPER_SIX,
            FORTUNE_SIX,
            SUPER_6,
            NO_COMMISSION,
            TIGER,
            TIGER_NO_COMMISSION,
            FABULOUS_4S,
            FA_FA_FABULOUS_4,
            LIVE_TIGER_NO_COMMISSION,
            SEVEN_UP,
        )
    }
)

# Declarations that are no longer in force, the youngest first.
EDITIONS: Final[Mapping[str, tuple[Game, ...]]] = MappingProxyType({})


def find(key: str) -> Game:
    """The game with that key.

    >>> find("tigger")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    punto.errors.UnknownGame: 'tigger' is not a game: expected baccarat, super-six, ... 7-up, or a FILE.toml
    """
    game = GAMES.get(key)
    if game is None:
        raise UnknownGame(f"{quoted(key)} is not a game: expected {', '.join(GAMES)}, or a FILE.toml")
    return game
