"""Many shoes dealt side by side, and what is left in each before every round."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from punto.cards import USUAL_CUT
from punto.errors import BadCut, BadUsage
from punto.games import digest
from punto.lab.classes import Classes, Ints
from punto.lab.composition import Composition
from punto.rules import Game, Side

_BURNED_BY_A_PICTURE: Final = 10
_SEEDS: Final = 1 << 64


def check_cut(cut: int, size: int) -> int:
    """The number of cards behind the cutting card, if the shoe has so many before it that a round can be dealt."""
    if not 0 <= cut < size:
        raise BadCut(f"a cutting card {cut:,} from the end of {size} cards: expected 0 to {size - 1}")
    return cut


def check_seed(seed: int) -> int:
    """The seed, if it fits into 64 bits."""
    if not 0 <= seed < _SEEDS:
        raise BadUsage(f"--seed: {seed} is out of range: expected 0 to {_SEEDS - 1}")
    return seed


def shoe_seed(seed: int, game: Game) -> int:
    """The seed that a game's own shoes are shuffled by: the same seed stands for other shoes in every game.

    Otherwise all games with one deck would share their sample, and so their luck.
    """
    return int.from_bytes(hashlib.sha256(f"{digest(game)}:{check_seed(seed)}".encode()).digest()[:8], "little")


def last_start(size: int, cut: int, needed: int) -> int:
    """The most cards that may be gone when a round begins.

    The round in which the cutting card comes is the last; none begins that might run out of cards.
    """
    return min(size - cut, size - needed)


@dataclass(frozen=True)
class Procedure:
    """How a shoe is dealt: the cards behind the cutting card, the rounds after the one in which it comes, and burning.

    With *burn*, the first card is shown and as many as it counts, ten for a ten or a picture, go unseen.
    """

    cut: int = USUAL_CUT
    more: int = 0
    burn: bool = False


def rounds_of_shoes(
    game: Game, shoe: Composition, procedure: Procedure, shoes: int, chance: np.random.Generator
) -> Iterator[tuple[Ints, Ints]]:
    """Round by round: the shoes that are still dealt from, and the cards not yet seen of each before that round."""
    classes = Classes(game, [])
    deck = np.repeat(np.arange(game.deck.size), shoe.array)
    order = chance.permuted(np.tile(deck, (shoes, 1)), axis=1)
    left = np.tile(shoe.array, (shoes, 1))
    gone = np.zeros(shoes, dtype=np.int64)
    if procedure.burn:
        points = classes.points[classes.kind_of[order[:, 0]]]
        gone = 1 + np.where(points == 0, _BURNED_BY_A_PICTURE, points)
        left[np.arange(shoes), order[:, 0]] -= 1
    before_the_cut = shoe.size - check_cut(procedure.cut, shoe.size)
    more = np.where(gone <= before_the_cut, procedure.more, 0)
    live = np.flatnonzero(gone <= last_start(shoe.size, procedure.cut, classes.drawn))
    while len(live):
        yield live, left[live]
        cards = order[live[:, None], gone[live][:, None] + np.arange(classes.drawn)]
        used = _used(classes, cards)
        for place in range(classes.drawn):
            drawn = used > place
            left[live[drawn], cards[drawn, place]] -= 1
        gone[live] += used
        over = gone[live] > before_the_cut
        goes_on = (~over | (more[live] > 0)) & (gone[live] <= shoe.size - classes.drawn)
        more[live] -= over
        live = live[goes_on]


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
