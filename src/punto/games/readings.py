"""Readings that bear on the figures of a game: where a rulebook leaves room, and how we have settled it.

The numbers are those of the register (docs/interpretations.md), which has the reasons. Whether a reading bears on a
game is read off its declaration, so that it is known for a game from a file too.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from punto.cards import FEWEST_DECKS, MOST_DECKS, USUAL_DECKS
from punto.games import names
from punto.games.e7u import BANKER_SEVEN
from punto.games.eb4 import EB4
from punto.games.families import BIG_SIX, SMALL_SIX
from punto.games.ff2 import ELEMENT_EIGHTS
from punto.rules import PUSH, Condition, Game, Label, Odds, Rulebook, Trait
from punto.rules.facts import TIE, margin, natural, twin_pairs
from punto.rules.traits import PAIR_RANK, PAIR_SUIT

Bearing = Callable[[Game], bool]


@dataclass(frozen=True, slots=True)
class Reading:
    """How a question that the rulebook leaves open is settled: its number, the reading, and the games it bears on."""

    number: int
    statement: str
    applies: Bearing = field(repr=False, compare=False)


def _always(_game: Game) -> bool:
    return True


def _reads(*traits: Trait) -> Bearing:
    """Some wager is decided by one of these traits."""
    return lambda game: any(reading.trait in traits for wager in game.wagers for reading in wager.reads)


def _pays(when: Condition, odds: Odds) -> Bearing:
    """Some wager has a line with that condition at those odds."""
    return lambda game: any((pay.when, pay.odds) == (when, odds) for wager in game.wagers for pay in wager.pays)


def _asks(*conditions: Condition) -> Bearing:
    """Some wager has a line for each of these conditions."""
    return lambda game: any({pay.when for pay in wager.pays}.issuperset(conditions) for wager in game.wagers)


def _offers(rulebook: Rulebook, *labels: Label) -> Bearing:
    """Under that rulebook some wager goes by one of these names."""
    return lambda game: game.rulebook == rulebook.code and any(wager.label in labels for wager in game.wagers)


def _has_parts(game: Game) -> bool:
    """Some line pays a part of the stake."""
    return any(pay.odds.staked > 1 for wager in game.wagers for pay in wager.pays)


def _overlaps_sixes(game: Game) -> bool:
    """A winning six is paid on more than one wager."""
    return sum(any(pay.when in {SMALL_SIX, BIG_SIX} for pay in wager.pays) for wager in game.wagers) > 1


def _opens_with_a_card(game: Game) -> bool:
    return bool(game.opening.player)


_OPTIONAL: Final = (
    names.PLAYER_DRAGON_BONUS,
    names.BANKER_DRAGON_BONUS,
    names.PLAYER_PRECIOUS_PAIR,
    names.BANKER_PRECIOUS_PAIR,
    names.TIGER,
    names.SMALL_TIGER,
    names.BIG_TIGER,
    names.TIGER_TIE,
    names.TIGER_PAIR,
)

READINGS: Final = (
    Reading(
        1, "Two cards are a pair only if they are of one rank: a Ten and a King are none.", _reads(PAIR_RANK, PAIR_SUIT)
    ),
    Reading(
        2,
        "A Tie on Element Eights is paid the price of its own line in place of the Tie's, and not on top of it.",
        _asks(ELEMENT_EIGHTS, TIE),
    ),
    Reading(
        3,
        "Dragon Bonus is a push on a tie of two naturals alone and loses on every other tie; a win with a natural is "
        "paid even money whatever the margin.",
        _pays(natural() & margin(0), PUSH),
    ),
    Reading(
        4,
        "Tiger Pair is paid by its best line that fits, once; Tiger, Small Tiger and Big Tiger are wagers of their "
        "own, and each is paid for itself.",
        lambda game: _asks(twin_pairs())(game) or _overlaps_sixes(game),
    ),
    Reading(
        6,
        "Nothing is rounded, for stakes come in units that every line pays in whole cents; a commission is the part by "
        "which a price falls short of even money, and is never collected apart.",
        _has_parts,
    ),
    Reading(
        7,
        "Wagers that the rulebook calls optional belong to the games that their clauses name, Precious Pairs to "
        "Fabulous 4's; all of them are taken to be on offer.",
        _offers(EB4, *_OPTIONAL),
    ),
    Reading(
        13,
        f"Banker's win on 7 is paid {BANKER_SEVEN.odds}, as the pay table has it, and not what the picture says.",
        _pays(BANKER_SEVEN.when, BANKER_SEVEN.odds),
    ),
    Reading(
        21,
        "The round in which the cutting card comes is dealt to its end, and is the last of its shoe.",
        _always,
    ),
    Reading(22, "No card is burnt: the first card of a new shoe belongs to a round.", _always),
    Reading(
        30,
        "Player's permanent 7 has no suit and is part of no deck; the cards come to Banker, Player and Banker, and "
        "Player's third card before Banker's.",
        _opens_with_a_card,
    ),
    Reading(
        31,
        f"A shoe holds {FEWEST_DECKS} to {MOST_DECKS} decks; {USUAL_DECKS} are taken where no number is asked for.",
        _always,
    ),
)


def readings_of(game: Game) -> tuple[Reading, ...]:
    """The readings that bear on a game's figures.

    >>> from punto.games import find
    >>> [reading.number for reading in readings_of(find("7-up"))]
    [6, 13, 21, 22, 30, 31]
    """
    return tuple(reading for reading in READINGS if reading.applies(game))
