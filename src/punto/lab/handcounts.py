"""Exact counts of a wager that tells many kinds of card apart, for many shoes at once.

A third card matters by its points alone. So the first cards of both hands are counted with all that the wager tells
apart, and then third cards by points: with *n* cards of points *x* in the shoe, of which the first cards hold *c*,
there are *n* − *c* for a third one. Each class of first cards has to say which points it holds; then the number of
third cards that lead to a line is a polynomial of the second degree in the ten numbers of cards by points.
"""

from typing import Final

import numpy as np

from punto.lab.classes import LOST, POINTS, Classes, Hands, Ints
from punto.lab.exact import Floats, first_cards, one_thread

# As many numbers as the processor's second cache holds.
_AT_ONCE: Final = 1 << 19


class HandCounts:
    """The lines of one wager, counted by the classes of first cards; *thirds* tells whether third cards decide it."""

    def __init__(self, classes: Classes, pays: int, *, thirds: bool) -> None:
        self._kinds_by_points: Floats = np.equal.outer(classes.points, np.arange(len(POINTS))).astype(np.float64)
        self._lines = pays + 1
        rows = classes.rows[0][classes.coup_of]
        rows = np.where(rows == LOST, pays, rows)
        points = classes.points if thirds else np.zeros_like(classes.points)
        self._player, players, player_holds = _merged(classes.player, rows, points)
        self._banker, bankers, banker_holds = _merged(classes.banker, rows.transpose(1, 0, 2, 3), points)
        leads = np.equal.outer(np.arange(self._lines), rows[players][:, bankers])
        self._leads: Ints = leads[:, :, :, 0, 0].astype(np.int64)
        holds = player_holds[:, None, :] + banker_holds[None, :, :]
        self._coefficients = _coefficients(leads.astype(np.float64), holds) if thirds else None

    def __call__(self, left: Ints) -> Ints:
        """How many ordered draws lead to each line, for each row of cards left of each kind.

        The draws are of the first cards, and of both third cards where these decide.
        """
        size = self._player.classes * self._banker.classes * (self._lines if self._coefficients is not None else 1)
        at_once = max(16, _AT_ONCE // (size + len(self._kinds_by_points) * self._player.classes))
        counts = np.empty((len(left), self._lines), dtype=np.int64)
        with one_thread():
            for start in range(0, len(left), at_once):
                part = slice(start, start + at_once)
                counts[part] = self._count(left[part])
        return counts

    def _count(self, left: Ints) -> Ints:
        ways = first_cards(self._player, self._banker, left)
        if self._coefficients is None:
            found: Ints = np.einsum("spb,lpb->sl", ways, self._leads)
            return found
        by_points = left @ self._kinds_by_points
        squares = (by_points[:, :, None] * by_points[:, None, :]).reshape(len(left), -1)
        numbers = np.concatenate([squares, by_points, np.ones((len(left), 1))], axis=1)
        thirds = (numbers @ self._coefficients).astype(np.int64).reshape(len(left), self._lines, -1)
        weighed: Ints = np.einsum("slf,sf->sl", thirds, ways.reshape(len(left), -1))
        return weighed


def _merged(hands: Hands, rows: Ints, points: Ints) -> tuple[Hands, Ints, Ints]:
    """The classes of a side that lead to different lines or hold other points, with how many of which points that is.

    *rows* has the side's classes in its first axis. Given back are the new classes, one of the old ones that belong to
    each, and the points.
    """
    _, alike = np.unique(rows.reshape(len(rows), -1), axis=0, return_inverse=True)
    shape = hands.dealt.shape
    held = [points[place] for place in np.indices(shape)]
    low, high = (np.minimum(*held), np.maximum(*held)) if len(held) > 1 else (held[0], held[0])
    keys = (alike.ravel()[hands.dealt] * len(POINTS) + low) * len(POINTS) + high
    found, where, dealt = np.unique(keys, return_index=True, return_inverse=True)
    holds = np.zeros((len(found), len(POINTS)), dtype=np.int64)
    for each in held:
        holds[np.arange(len(found)), each.ravel()[where]] += 1
    of = hands.dealt.ravel()[where]
    merged = Hands(dealt.reshape(shape), hands.totals[of], hands.stood[of], hands.after[of], hands.states)
    return merged, of, holds


def _coefficients(leads: Floats, holds: Ints) -> Floats:
    """The polynomials: squares, numbers and 1 down; lines and pairs of classes across.

    The number of third cards is the sum, over their points *x* and *y*, of (nˣ − cˣ)(nʸ − cʸ − [x = y]).
    """
    lines, players, bankers = leads.shape[:3]
    ten = len(POINTS)
    held = holds.astype(np.float64)
    alike = np.eye(ten)
    squares = leads.transpose(3, 4, 0, 1, 2).reshape(ten * ten, -1)
    first = np.einsum("lpbxy,pby->xlpb", leads, held) + np.einsum("lpbxy,xy->xlpb", leads, alike)
    second = np.einsum("lpbxy,pbx->ylpb", leads, held)
    ones = np.einsum("lpbxy,pbx,pby->lpb", leads, held, held) + np.einsum("lpbxy,pbx,xy->lpb", leads, held, alike)
    single = -(first + second).reshape(ten, -1)
    return np.concatenate([squares, single, ones.reshape(1, lines * players * bankers)])
