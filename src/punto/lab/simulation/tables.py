"""A game as the small tables that the kernel deals by, worked out from its classes.

A hand's first two cards fall into a class; a class has sixteen slots for the hand that stands and sixteen for the
points of a third card; both hands' slots together name the cell of the tally.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from punto.errors import BadDeclaration
from punto.lab.classes import POINTS, Classes, Hands, Ints
from punto.rules import Game, Reading, Side, Winner
from punto.rules.traits import SIZE, TOTAL

SLOTS: Final = 32
DRAWN: Final = 16
WINNER_BITS: Final = 2
WINNERS: Final = (Winner.PLAYER, Winner.BANKER, Winner.TIE)
# An entry of an opening table: Banker's total, Player's total, the class times its slots.
PLAYER_TOTAL_SHIFT: Final = 4
CLASS_SHIFT: Final = 8
# An entry of the Table of Play: bit x says that Banker draws when the fifth card counts x, this one that Player draws.
PLAYER_DRAWS_BIT: Final = 15
_MOST_CELLS: Final = 1 << 14

Bytes = NDArray[np.uint8]
Halves = NDArray[np.uint16]
Words = NDArray[np.uint32]


@dataclass(frozen=True)
class Cells:
    """The cells of the tally: the row that pays each wager, who wins, and the number of cards."""

    rows: Ints
    winner: Ints
    cards: Ints

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.winner)


@dataclass(frozen=True)
class Tables:
    """What the kernel reads."""

    game: Game
    cells: Cells
    kind_of: Bytes
    points: Bytes
    open_player: Words
    open_banker: Words
    tableau: Halves
    final_player: Halves
    final_banker: Halves
    joint: Halves
    drawn: int

    @property
    def kinds(self) -> int:
        """How many kinds of card there are."""
        return len(self.points)

    @property
    def held(self) -> int:
        """How many of the first four cards do not come out of the shoe: 7 Up's permanent 7."""
        return 6 - self.drawn

    def pool(self, decks: int) -> Bytes:
        """The kinds of all cards of a new shoe."""
        return np.tile(self.kind_of, decks)

    @classmethod
    def of(cls, game: Game) -> "Tables":
        """The tables of a game."""
        sizes = frozenset(Reading(side, SIZE) for side in Side)
        classes = Classes(game, extra=sizes)
        cells, cell_of = _cells(classes)
        if cells.size > _MOST_CELLS:
            raise BadDeclaration(
                f"{game.key} has {cells.size:,} kinds of coup: expected {_MOST_CELLS:,} at most to simulate"
            )
        width = len(classes.banker.states)
        joint = np.zeros((len(classes.player.states), width), dtype=np.int64)
        joint[classes.ends] = cell_of[classes.coup_of]
        return cls(
            game=game,
            cells=cells,
            kind_of=classes.kind_of.astype(np.uint8),
            points=classes.points.astype(np.uint8),
            open_player=_opening(classes.player, len(classes.kinds), PLAYER_TOTAL_SHIFT),
            open_banker=_opening(classes.banker, len(classes.kinds), 0),
            tableau=_tableau(classes),
            final_player=_finals(classes.player, width),
            final_banker=_finals(classes.banker, 1),
            joint=(joint << WINNER_BITS | cells.winner[joint]).astype(np.uint16).ravel(),
            drawn=classes.drawn,
        )


def _cells(classes: Classes) -> tuple[Cells, Ints]:
    """The cells, and the cell of each class of coup."""
    player, banker = (classes.trait(side, TOTAL) for side in Side)
    winner = np.where(player == banker, 2, np.where(player > banker, 0, 1))
    cards = classes.trait(Side.PLAYER, SIZE) + classes.trait(Side.BANKER, SIZE)
    found, cell_of = np.unique(np.vstack([classes.rows, winner, cards]), axis=1, return_inverse=True)
    return Cells(found[:-2], found[-2], found[-1]), cell_of.ravel()


def _opening(hands: Hands, kinds: int, shift: int) -> Words:
    """The total and the class of two cards; a card that is held already counts for nothing in it."""
    entry = hands.totals << shift | np.arange(hands.classes) * SLOTS << CLASS_SHIFT
    return np.broadcast_to(entry[hands.dealt], (kinds, kinds)).astype(np.uint32).ravel()


def _finals(hands: Hands, scale: int) -> Halves:
    """The state that each class ends in, slot by slot."""
    table = np.zeros((hands.classes, SLOTS), dtype=np.int64)
    table[:, :DRAWN] = hands.stood[:, None] * scale
    table[:, DRAWN : DRAWN + len(POINTS)] = hands.after * scale
    return table.astype(np.uint16).ravel()


def _tableau(classes: Classes) -> Halves:
    """The Table of Play by both totals."""
    player, banker = classes.draws
    table = np.zeros((16, 16), dtype=np.int64)
    bits = (banker << np.arange(len(POINTS))).sum(axis=2)
    table[: len(POINTS), : len(POINTS)] = bits | player.astype(np.int64) << PLAYER_DRAWS_BIT
    return table.astype(np.uint16).ravel()
