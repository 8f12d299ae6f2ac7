"""`punto games`: the list of games."""

import sys
from typing import Any

from punto.cli.wire import encode
from punto.games import GAMES, RULEBOOKS, digest
from punto.rules import Game, Label, Language

_HEADINGS = (Label("game", "代号"), Label("title", "名称"), Label("rulebook", "规则"), Label("wagers", "注项"))


def show(*, as_json: bool, language: Language) -> None:
    """The games, as a table or as JSON."""
    if as_json:
        sys.stdout.write(encode([_plain(game) for game in GAMES.values()]) + "\n")
        return
    from rich.table import Table

    from punto.cli.ink import QUIET, console

    table = Table(box=None, pad_edge=False, header_style=QUIET)
    for heading in _HEADINGS:
        table.add_column(heading.text(language), overflow="fold")
    for game in GAMES.values():
        wagers = ", ".join(wager.label.text(language) for wager in game.wagers)
        table.add_row(game.key, game.title.text(language), game.rulebook, wagers)
    console().print(table)


def _plain(game: Game) -> dict[str, Any]:
    rulebook = RULEBOOKS[game.rulebook]
    return {
        "key": game.key,
        "title": game.title._asdict(),
        "rulebook": {
            "code": rulebook.code,
            "title": rulebook.title._asdict(),
            "version": rulebook.version,
            "in_force": rulebook.in_force.isoformat(),
        },
        "deck": game.deck.key,
        "opening": game.opening.key,
        "wagers": [wager.label._asdict() for wager in game.wagers],
        "digest": digest(game),
    }
