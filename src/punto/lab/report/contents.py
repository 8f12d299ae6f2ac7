"""The sections of a report, in the order in which a laboratory reads them."""

from typing import Final

from punto.lab.report.declared import declaration, identity, interpretations, of_game, pays, rules
from punto.lab.report.document import Document
from punto.lab.report.exposure import counting
from punto.lab.report.method import method
from punto.lab.report.results import Results
from punto.lab.report.trials import agreement, volatility
from punto.lab.report.worth import by_decks, worth

SECTIONS: Final = (
    identity,
    rules,
    pays,
    method,
    worth,
    by_decks,
    volatility,
    agreement,
    counting,
    interpretations,
    declaration,
)
_SUMMARY: Final = (
    "This document states the rules of one game of baccarat as they are declared, what each of its wagers pays, and "
    "what follows from that: exact probabilities and edges, the range of the return, a simulation held against them, "
    "and how far the game is exposed to counting. It is made for a testing laboratory or a regulator."
)


def contents(results: Results) -> Document:
    """The whole document."""
    game = results.game
    return Document(
        title=game.title.en,
        subtitle=f"Mathematical report, {results.decks} decks",
        summary=_SUMMARY,
        running=of_game(game),
        sections=tuple(section(results) for section in SECTIONS),
    )
