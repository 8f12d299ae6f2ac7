"""Many shoes dealt side by side, and what is left in each before every round."""

from collections.abc import Iterator

import numpy as np

from punto.errors import BadCut
from punto.lab.classes import Classes, Ints
from punto.lab.composition import Composition
from punto.rules import Game, Side


def check_cut(cut: int, size: int) -> int:
    """The number of cards behind the cutting card, if the shoe has so many before it that a round can be dealt."""
    if not 0 <= cut < size:
        raise BadCut(f"a cutting card {cut:,} from the end of {size} cards: expected 0 to {size - 1}")
    return cut


def last_start(size: int, cut: int, needed: int) -> int:
    """The most cards that may be gone when a round begins.

    The round in which the cutting card comes is the last; none begins that might run out of cards.
    """
    return min(size - cut, size - needed)


def rounds_of_shoes(
    game: Game, shoe: Composition, cut: int, shoes: int, chance: np.random.Generator
) -> Iterator[tuple[Ints, Ints]]:
    """Round by round: the shoes that are still dealt from, and the cards left in each before that round."""
    classes = Classes(game, [])
    deck = np.repeat(np.arange(game.deck.size), shoe.array)
    order = chance.permuted(np.tile(deck, (shoes, 1)), axis=1)
    last = last_start(shoe.size, check_cut(cut, shoe.size), classes.drawn)
    left = np.tile(shoe.array, (shoes, 1))
    gone = np.zeros(shoes, dtype=np.int64)
    live = np.arange(shoes)
    while len(live):
        yield live, left[live]
        cards = order[live[:, None], gone[live][:, None] + np.arange(classes.drawn)]
        used = _used(classes, cards)
        for place in range(classes.drawn):
            drawn = used > place
            left[live[drawn], cards[drawn, place]] -= 1
        gone[live] += used
        live = live[gone[live] <= last]


def _used(classes: Classes, cards: Ints) -> Ints:
    """How many of the next cards each coup takes."""
    kinds = classes.kind_of[cards]
    order = classes.game.opening.order
    first = {side: kinds[:, [place for place, whose in enumerate(order) if whose is side]] for side in Side}
    player, banker = (
        hands.totals[hands.dealt[tuple(first[side].T)]]
        for side, hands in ((Side.PLAYER, classes.player), (Side.BANKER, classes.banker))
    )
    third = classes.points[kinds[:, len(order)]]
    player_draws, banker_draws = classes.draws
    used: Ints = len(order) + player_draws[player, banker] + banker_draws[player, banker, third].astype(np.int64)
    return used
