"""Exact counts of coups: integers from the first card to the last.

Cards that have not been seen are exchangeable, so the two third cards may be drawn first. What is left deals the first
cards of both hands, and the number of ways to do so falls apart into products: all pairs of hands, less those that
share a card, plus those that share two (which were taken away twice). With *v* the ways to deal each class of hand, *u*
the ways that use a certain card, and *n* the cards left of each kind, that is

    w = v vᵀ − u n uᵀ + 2 diag(v)

one small matrix product for each choice of third cards. The products are made in floating point, where no number in
them can reach 2⁵³, so that each is exact; sums that may be larger are made in 64-bit integers.
"""

from contextlib import AbstractContextManager
from functools import cache
from math import perm
from typing import Final

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from punto.lab.classes import Classes, Hands, Ints

# 650 cards, the most that ten decks hold, in ordered draws of four and of six: what must fit, and does.
EXACT_FLOAT: Final = 2**53
_AT_ONCE: Final = 1 << 21
_MOST: Final = 650
# So few pairs of classes are counted each by itself.
_FEW_CELLS: Final = 64
assert perm(_MOST, 4) < EXACT_FLOAT
assert perm(_MOST, 6) < 2**63

Floats = NDArray[np.float64]


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()


def one_thread() -> AbstractContextManager[object]:
    """Matrix products on the calling thread alone: these are small, and threads that wait for one another cost more."""
    limit: AbstractContextManager[object] = _libraries().limit(limits=1, user_api="blas")
    return limit


def coup_counts(classes: Classes, left: Ints) -> Ints:
    """How many ordered draws lead to each class of coup, given how many cards of each kind are left."""
    counts = np.zeros(len(classes.coups), dtype=np.int64)
    with one_thread():
        np.add.at(counts, classes.coup_of, first_and_third(classes, left))
    return counts


def first_and_third(classes: Classes, left: Ints) -> Ints:
    """Ordered draws by the classes of both hands' first cards, and the points of Player's and Banker's third card."""
    one, other = np.triu_indices(len(left))
    ways = left[one] * (left[other] - (one == other))
    one, other, ways = (part[ways > 0] for part in (one, other, ways))
    rest = np.repeat(left[None, :], len(ways), axis=0)
    np.subtract.at(rest, (np.arange(len(ways)), one), 1)
    np.subtract.at(rest, (np.arange(len(ways)), other), 1)
    shape = (classes.player.classes, classes.banker.classes)
    drawn = np.zeros((10, 10, *shape), dtype=np.int64)
    step = max(1, _AT_ONCE // (len(left) * sum(shape)))
    for start in range(0, len(ways), step):
        part = slice(start, start + step)
        weighed = ways[part, None, None] * first_cards(classes.player, classes.banker, rest[part])
        first, second = classes.points[one[part]], classes.points[other[part]]
        np.add.at(drawn, (first, second), weighed)
        apart = one[part] != other[part]
        np.add.at(drawn, (second[apart], first[apart]), weighed[apart])
    return drawn.transpose(2, 3, 0, 1)


def first_cards(player: Hands, banker: Hands, left: Ints) -> Ints:
    """Ways to deal the first cards of both hands, by class, for each row of cards left of each kind."""
    cards = left.astype(np.float64)
    player_ways, player_uses = _ways(player, cards)
    banker_ways, banker_uses = _ways(banker, cards)
    shared = (player_uses * cards[:, None, :]) @ banker_uses.transpose(0, 2, 1)
    ways = player_ways[:, :, None] * banker_ways[:, None, :] - shared
    if player.cards == banker.cards:
        ways += _twice_shared(player, banker, cards)
    return ways.astype(np.int64)


def _ways(hands: Hands, cards: Floats) -> tuple[Floats, Floats]:
    """Ways to deal each class, and, of each kind of card, the ways for a certain card of it to be among those dealt."""
    kinds = cards.shape[1]
    belongs = np.equal.outer(np.arange(hands.classes), hands.dealt).astype(np.float64)
    if hands.cards == 1:
        return cards @ belongs.T, np.broadcast_to(belongs, (len(cards), *belongs.shape))
    same = np.diagonal(belongs, axis1=1, axis2=2)
    as_first = (cards @ belongs.reshape(-1, kinds).T).reshape(len(cards), hands.classes, kinds) - same
    as_second = (cards @ belongs.transpose(0, 2, 1).reshape(-1, kinds).T).reshape(as_first.shape) - same
    return (as_first * cards[:, None, :]).sum(axis=2), as_first + as_second


def _twice_shared(player: Hands, banker: Hands, cards: Floats) -> Floats:
    """Ways for both hands to share both cards, in the same order or crosswise."""
    if player.classes * banker.classes <= _FEW_CELLS:
        return _few_twice_shared(player, banker, cards)
    pairs = (cards[:, :, None] * (cards[:, None, :] - np.eye(cards.shape[1]))).reshape(len(cards), -1)
    ways = np.zeros((len(cards), player.classes * banker.classes))
    for seen in (banker.dealt, banker.dealt.T):
        cells = (player.dealt * banker.classes + seen).ravel()
        order = np.argsort(cells, kind="stable")
        found, starts = np.unique(cells[order], return_index=True)
        ways[:, found] += np.add.reduceat(pairs[:, order], starts, axis=1)
    return ways.reshape(len(cards), player.classes, banker.classes)


def _few_twice_shared(player: Hands, banker: Hands, cards: Floats) -> Floats:
    """The same as sums of n (n − 1) and n m over the cells of a table, one table for each pair of classes."""
    size, kinds = player.classes * banker.classes, cards.shape[1]
    tables = sum(
        np.equal.outer(np.arange(size), player.dealt * banker.classes + seen).astype(np.float64)
        for seen in (banker.dealt, banker.dealt.T)
    )
    once = (cards @ np.asarray(tables).transpose(2, 0, 1).reshape(kinds, -1)).reshape(len(cards), size, kinds)
    ways: Floats = ((once - np.diagonal(tables, axis1=1, axis2=2)) * cards[:, None, :]).sum(axis=2)
    return ways.reshape(len(cards), player.classes, banker.classes)
