"""Exact odds of a round of whose cards some are known before it begins.

Known cards stand at their places in the order of drawing; the others are drawn from what is left. The first cards of
both hands are counted kind by kind, and the third cards by their points, as far as they are not known. The fifth card
is Player's third, or Banker's where Player stands.
"""

from collections.abc import Sequence
from math import perm

import numpy as np

from punto.cards import Card
from punto.lab.classes import POINTS, Classes, Ints
from punto.rules import Side

TEN = len(POINTS)


def counts_given(classes: Classes, cards: Ints, known: Sequence[Card | None]) -> tuple[Ints, int]:
    """How many ordered draws lead to each class of coup, and of how many.

    *cards* has the number of each card of the deck that can still be drawn, without those *known*; of these one stands
    for each place in the order of drawing, from the first on, and none where the card is not known.
    """
    deck = classes.game.deck
    order = classes.game.opening.order
    left = classes.count(cards)
    places = [None if card is None else int(classes.kind_of[deck.cards.index(card)]) for card in known]
    places += [None] * (classes.drawn - len(places))
    first, thirds = places[: len(order)], places[len(order) : classes.drawn]
    drawn, ways = _first(left, first)
    hands = {side: tuple(drawn[place] for place, whose in enumerate(order) if whose is side) for side in Side}
    player = classes.player.dealt[hands[Side.PLAYER]]
    banker = classes.banker.dealt[hands[Side.BANKER]]
    rest = _rest(classes, left, drawn, first)
    draws = classes.draws[0][classes.player.totals[player], classes.banker.totals[banker]]
    weights = ways[:, None, None] * _thirds(
        rest, draws, [None if each is None else classes.points[each] for each in thirds]
    )
    coups = classes.coup_of[player, banker]
    # No sum reaches 2⁵³: at least one card is known, and five of 650 have fewer orders.
    counts = np.bincount(coups.ravel(), weights.ravel().astype(np.float64), len(classes.coups))
    free = sum(each is None for each in places)
    return counts.astype(np.int64), perm(int(cards.sum()), free)


def _first(left: Ints, known: Sequence[int | None]) -> tuple[list[Ints], Ints]:
    """The kinds of the first cards, in every way that they can be drawn, and in how many ways each of these."""
    choices = [np.arange(len(left)) if each is None else np.array([each]) for each in known]
    drawn = [each.ravel() for each in np.meshgrid(*choices, indexing="ij")]
    ways = np.ones(len(drawn[0]), dtype=np.int64)
    for place, each in enumerate(known):
        if each is None:
            before = [drawn[other] == drawn[place] for other in range(place) if known[other] is None]
            ways *= np.maximum(left[drawn[place]] - sum(map(np.int64, before)), 0) if before else left[drawn[place]]
    kept = ways > 0
    return [each[kept] for each in drawn], ways[kept]


def _rest(classes: Classes, left: Ints, drawn: Sequence[Ints], known: Sequence[int | None]) -> Ints:
    """The cards by points that are left for third cards."""
    by_points = np.zeros(TEN, dtype=np.int64)
    np.add.at(by_points, classes.points, left)
    rest = np.repeat(by_points[None, :], len(drawn[0]), axis=0)
    for kinds, each in zip(drawn, known, strict=True):
        if each is None:
            rest[np.arange(len(kinds)), classes.points[kinds]] -= 1
    return rest


def _thirds(
    rest: Ints, player_draws: "np.ndarray[tuple[int], np.dtype[np.bool_]]", known: Sequence[int | None]
) -> Ints:
    """The ways to draw the fifth and the sixth card, by Player's third and Banker's.

    Where Player stands, the fifth is Banker's, and the sixth stands in for the one that Player does not draw.
    """
    fifth, sixth = known
    ways = np.zeros((len(rest), TEN, TEN), dtype=np.int64)
    if fifth is None and sixth is None:
        ways += rest[:, :, None] * (rest[:, None, :] - np.eye(TEN, dtype=np.int64))
    elif sixth is None:
        ways[:, fifth, :] = rest
    elif fifth is None:
        ways[:, :, sixth] = rest
    else:
        ways[:, fifth, sixth] = 1
    return np.where(player_draws[:, None, None], ways, ways.transpose(0, 2, 1))
