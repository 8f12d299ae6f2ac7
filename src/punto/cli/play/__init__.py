"""`punto play`: a table in the terminal, with one seat."""

import random

from punto.cards import check_decks
from punto.cli.play.loop import Loop
from punto.cli.play.screen import Screen
from punto.cli.play.seat import Seat
from punto.rules import Game, Language

__all__ = ["sit_down"]


def sit_down(game: Game, decks: int, *, seed: int | None, fast: bool, language: Language) -> None:
    """Play until the patron leaves."""
    check_decks(decks)
    chance: random.Random = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311
    Loop(Seat(game, decks, chance), Screen(language, fast=fast), read=input).run()
