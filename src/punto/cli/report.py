"""`punto report`: the document that goes to a test laboratory or a regulator."""

import sys

from rich.console import Console

from punto.lab.figures import check_target
from punto.lab.files import write_whole
from punto.lab.report import KINDS, Results, report
from punto.rules import Game


def write(game: Game, decks: int, output: str, rounds: int, shoes: int, seed: int) -> None:  # noqa: PLR0913, PLR0917
    """Make the report, and put it in its place once it is whole."""
    target = check_target(output, tuple(f".{kind}" for kind in KINDS))
    results = Results(game, decks, rounds, shoes, seed)
    with Console(stderr=True).status(f"{game.key}: working it all out"):
        content = report(results, target.suffix.lower().removeprefix("."))
    write_whole(target, content)
    sys.stdout.write(f"{output}: {game.title.en}, {decks} decks\n")
