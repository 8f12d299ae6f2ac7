"""`punto play`: a table in the terminal, with one seat."""

import contextlib
import random
import sys
from collections.abc import Callable

from punto.cards import check_decks
from punto.cli.play.loop import Loop
from punto.cli.play.screen import Screen
from punto.cli.play.seat import Seat
from punto.rules import Game, Language

__all__ = ["sit_down"]


LONGEST_LINE = 1000


def reader() -> Callable[[str], str]:
    """How a line is asked for: with editing and a history at a terminal, plainly anywhere else."""
    if not sys.stdin.isatty():
        return _plain
    with contextlib.suppress(ImportError):  # where there is none, the terminal's own editing must do
        import readline  # noqa: F401
    return input


def _plain(prompt: str) -> str:
    sys.stdout.write(prompt)
    line = sys.stdin.readline(LONGEST_LINE)
    if not line:
        raise EOFError
    return line


def sit_down(game: Game, decks: int, *, seed: int | None, fast: bool, language: Language) -> None:
    """Play until the patron leaves."""
    check_decks(decks)
    chance: random.Random = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311
    Loop(Seat(game, decks, chance), Screen(language, fast=fast), read=reader()).run()
