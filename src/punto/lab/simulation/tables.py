"""A game as the small tables that the compiled loops deal by, worked out from its classes.

A card is a code whose lower four bits show its points, those from ten on none; so both totals and the points of the
fifth card can be had without a table, and together they are the key to the Table of Play. The first two cards of a hand
fall into a class, which has sixteen slots for the hand that stands and sixteen for the points of a third card; the
hands that both slots name meet in a cell of the tally.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from punto.errors import BadDeclaration
from punto.lab.classes import POINTS, Classes, Hands, Ints
from punto.rules import Game, Reading, Side, Winner
from punto.rules.traits import SIZE, TOTAL

NIBBLE: Final = 16
# Lower four bits of a code that count nothing.
_WORTHLESS: Final = (0, *range(10, NIBBLE))
SLOTS: Final = 32
DRAWN: Final = SLOTS // 2
# An entry of the Table of Play: the number of cards from the shoe, whether Player draws, Player's slot, and Banker's
# slot but for the points of the third card.
PLAYER_DRAWS_SHIFT: Final = 3
PLAYER_SLOT_SHIFT: Final = 4
BANKER_SLOT_SHIFT: Final = 9
# An entry of the joint table: the number of the cell, and above it the winner.
WINNER_SHIFT: Final = 14
MOST_CELLS: Final = 1 << WINNER_SHIFT
WINNERS: Final = (Winner.PLAYER, Winner.BANKER, Winner.TIE)
# Keys, pairs of codes and pairs of hands must fit into sixteen bits.
_WIDEST: Final = 256
_MOST_ENTRIES: Final = 1 << 16

Bytes = NDArray[np.uint8]
Halves = NDArray[np.uint16]


@dataclass(frozen=True)
class Cells:
    """The cells of the tally: the row that pays each wager, who wins, and the number of cards in both hands."""

    rows: Ints
    winner: Ints
    cards: Ints

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.winner)


class Rules(NamedTuple):
    """A game as the compiled loops read it."""

    # How many codes there can be: a row of the tables of first cards.
    row: np.uint16
    # Of Player's permanent card: how many there are (0 or 1), and its points.
    held: int
    held_points: int
    # [Player's total * 256 + Banker's total * 16 + points of the fifth card]: cards, and who draws.
    tableau: Halves
    # [first code * row + second code]: class of the two cards * SLOTS.
    open_player: Halves
    open_banker: Halves
    # [class * SLOTS + slot]: class of the hand; Player's is multiplied by the number of Banker's.
    final_player: Halves
    final_banker: Halves
    # [sum of both]: number of the cell | winner << WINNER_SHIFT.
    joint: Halves


@dataclass(frozen=True)
class Tables:
    """The tables of one game, what its cells stand for, and the code of each card of its deck."""

    cells: Cells
    codes: Bytes
    rules: Rules
    drawn: int

    def shoe(self, decks: int) -> Bytes:
        """The codes of all cards of a new shoe."""
        return np.tile(self.codes, decks)

    @classmethod
    def of(cls, game: Game) -> "Tables":
        """The tables of a game."""
        classes = Classes(game, extra=frozenset(Reading(side, SIZE) for side in Side))
        cells, cell_of = _cells(classes)
        codes, row = _codes(classes)
        if cells.size >= MOST_CELLS or row > _WIDEST:
            raise BadDeclaration(f"{game.key} tells too many coups apart: expected {MOST_CELLS - 1:,} kinds at most")
        joint, player_of, banker_of = _joint(classes, cell_of)
        most = max(joint.size, classes.player.classes * SLOTS, classes.banker.classes * SLOTS)
        if most > _MOST_ENTRIES:
            raise BadDeclaration(f"{game.key} tells too many hands apart: expected {_MOST_ENTRIES:,} pairs at most")
        held = game.opening.player
        rules = Rules(
            row=np.uint16(row),
            held=len(held),
            held_points=sum(card.points for card in held),
            tableau=_tableau(classes, len(game.opening.order)),
            open_player=_opening(classes.player, codes, row),
            open_banker=_opening(classes.banker, codes, row),
            final_player=_finals(classes.player, player_of * joint.shape[1]),
            final_banker=_finals(classes.banker, banker_of),
            joint=(joint | cells.winner[joint] << WINNER_SHIFT).astype(np.uint16).ravel(),
        )
        return cls(cells, codes[classes.kind_of].astype(np.uint8), rules, classes.drawn)


def _cells(classes: Classes) -> tuple[Cells, Ints]:
    """The cells, and the cell of each class of coup."""
    player, banker = (classes.trait(side, TOTAL) for side in Side)
    tie = WINNERS.index(Winner.TIE)
    winner = np.where(player == banker, tie, np.where(player > banker, 0, 1))
    cards = classes.trait(Side.PLAYER, SIZE) + classes.trait(Side.BANKER, SIZE)
    found, cell_of = np.unique(np.vstack([classes.rows, winner, cards]), axis=1, return_inverse=True)
    return Cells(found[:-2], found[-2], found[-1]), cell_of.ravel()


def _codes(classes: Classes) -> tuple[Ints, int]:
    """A code for each kind of card, and a power of two above them all."""
    codes = np.zeros(len(classes.kinds), dtype=np.int64)
    for points in POINTS:
        nibbles = (points,) if points else _WORTHLESS
        for number, kind in enumerate(np.flatnonzero(classes.points == points)):
            codes[kind] = nibbles[number % len(nibbles)] + NIBBLE * (number // len(nibbles))
    return codes, max(NIBBLE, 1 << int(codes.max()).bit_length())


def _opening(hands: Hands, codes: Ints, row: int) -> Halves:
    """The class of two cards; a card that is held already counts for nothing in it."""
    table = np.zeros((row, row), dtype=np.uint16)
    if hands.cards == 1:
        table[:, codes] = hands.dealt * SLOTS
    else:
        table[np.ix_(codes, codes)] = hands.dealt * SLOTS
    return table.ravel()


def _joint(classes: Classes, cell_of: Ints) -> tuple[Ints, Ints, Ints]:
    """The cell of every two hands, and the number of each state of Player's and Banker's; those alike have one."""
    joint = np.zeros((len(classes.player.states), len(classes.banker.states)), dtype=np.int64)
    joint[classes.ends] = cell_of[classes.coup_of]
    joint, player_of = np.unique(joint, axis=0, return_inverse=True)
    joint, banker_of = np.unique(joint, axis=1, return_inverse=True)
    return joint, player_of.ravel(), banker_of.ravel()


def _finals(hands: Hands, number_of: Ints) -> Halves:
    """The number of the state that each class ends in, slot by slot."""
    table = np.zeros((hands.classes, SLOTS), dtype=np.uint16)
    table[:, :DRAWN] = number_of[hands.stood][:, None]
    table[:, DRAWN : DRAWN + len(POINTS)] = number_of[hands.after]
    return table.ravel()


def _tableau(classes: Classes, opening: int) -> Halves:
    """The Table of Play by the key."""
    player, banker = (draws.astype(np.int64) for draws in classes.draws)
    player = np.broadcast_to(player[:, :, None], banker.shape)
    slot = player * (DRAWN + np.arange(len(POINTS)))
    entries = opening + player + banker
    entries = entries | player << PLAYER_DRAWS_SHIFT | slot << PLAYER_SLOT_SHIFT | banker * DRAWN << BANKER_SLOT_SHIFT
    table = np.full((NIBBLE, NIBBLE, NIBBLE), opening, dtype=np.uint16)
    table[: len(POINTS), : len(POINTS), : len(POINTS)] = entries
    return table.ravel()
