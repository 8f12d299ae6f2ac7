"""Five rulebooks and eleven games, as frozen constants, and the TOML form of a game."""

from punto.games.catalogue import GAMES, RULEBOOKS, find

__all__ = ["GAMES", "RULEBOOKS", "find"]
