"""Five rulebooks and eleven games, as frozen constants, and the TOML form of a game."""

from punto.games.catalogue import GAMES, RULEBOOKS, find
from punto.games.declaration import digest, dumps, loads

__all__ = ["GAMES", "RULEBOOKS", "digest", "dumps", "find", "loads"]
