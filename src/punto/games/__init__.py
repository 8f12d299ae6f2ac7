"""Five rulebooks and eleven games, as frozen constants, and the TOML form of a game."""

from punto.games.catalogue import EDITIONS, GAMES, RULEBOOKS, find
from punto.games.declaration import digest, dumps, edition, loads

__all__ = ["EDITIONS", "GAMES", "RULEBOOKS", "digest", "dumps", "edition", "find", "loads"]
