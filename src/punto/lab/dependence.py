"""How far two rounds of one shoe move together.

The rounds of a shoe are exchangeable: a round ends with the cards that it needs, so two rounds may change places
without any other card moving. Hence any two of them have the same covariance, and cards that a round leaves undealt
may be taken for drawn: two rounds are two disjoint draws of six cards (five in 7 Up).

Hoeffding's decomposition of a draw without replacement writes what a round comes to as a sum of effects of one card,
of two cards together, of three, and so on, all uncorrelated. An effect of *j* cards shows in what is expected of
shoes that lack those cards, and it gives two disjoint draws of *m* out of *N* cards the covariance

    (−1)^j · C(m, j)² / C(N − j, j) · (mean of its square)

Effects of three cards are the last that are taken in. Those of four cards and more carry less than 5·10⁻⁷ of
the variance of a round over to another one, even with four decks.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, groupby
from math import comb, perm
from typing import Final

import numpy as np

from punto.cards import Card
from punto.games import digest
from punto.lab.classes import Ints
from punto.lab.composition import Composition
from punto.lab.evaluator import Evaluator
from punto.lab.exact import Floats
from punto.rules import Game

MOST_CARDS: Final = 3
# With many kinds of card, effects of three would take more shoes than this. They carry less than 2·10⁻⁵ over.
_MOST_SHOES: Final = 10_000

Handful = tuple[int, ...]
Expected = Callable[[Ints], Floats]


def line_covariances(game: Game, wager: str, decks: int) -> Floats:
    """For each two lines of a wager: the covariance of the one coming in a round and the other in another round."""
    key = digest(game), wager, decks
    if key not in _known:
        evaluator = Evaluator(game, [wager])

        def chances(shoes: Ints) -> Floats:
            of = [float(perm(int(size), evaluator.drawn)) for size in shoes.sum(axis=1)]
            chances: Floats = evaluator.counts(shoes) / np.array(of)[:, None]
            return chances

        shoe = Composition.full(game.deck, decks)
        _known[key] = covariances(shoe, evaluator.kinds(wager), evaluator.drawn, chances)
    return _known[key]


_known: dict[tuple[str, str, int], Floats] = {}


def covariances(
    shoe: Composition, kinds: Sequence[tuple[Card, ...]], drawn: int, expected: Expected, cards: int = MOST_CARDS
) -> Floats:
    """The covariance of each two figures, the one in one round and the other in another round of the same shoe.

    *expected* gives what is expected of each figure, for rows of cards left; it must not tell cards of a kind apart.
    *cards* is the largest number of cards whose effect is taken in.
    """
    places = [[shoe.deck.cards.index(card) for card in kind] for kind in kinds]
    left = [int(shoe.array[kind].sum()) for kind in places]
    size = sum(left)
    cards = min(cards, drawn)
    while cards > 1 and comb(len(kinds) + cards, cards) > _MOST_SHOES:
        cards -= 1
    handfuls = [
        handful
        for number in range(cards + 1)
        for handful in combinations_with_replacement(range(len(kinds)), number)
        if all(times <= left[kind] for kind, times in _counted(handful))
    ]
    found = expected(np.array([_without(shoe.array, places, handful) for handful in handfuls]))
    lacking = dict(zip(handfuls, found - found[0], strict=True))
    effects: dict[Handful, Floats] = {}
    total = np.zeros((found.shape[1], found.shape[1]))
    for handful in handfuls[1:]:
        number = len(handful)
        known: Floats = np.zeros(found.shape[1])
        for part in range(1, number):
            share = (-1) ** part * comb(drawn, part) / comb(size - number, part)
            known += share * sum(effects[few] for few in combinations(handful, part))
        effect = (-1) ** number * comb(size - number, number) / comb(drawn, number) * (lacking[handful] - known)
        effects[handful] = effect
        ways = 1
        for kind, times in _counted(handful):
            ways *= comb(left[kind], times)
        carried = (-1) ** number * comb(drawn, number) ** 2 / comb(size - number, number)
        total += carried * ways / comb(size, number) * np.outer(effect, effect)
    return total


def _counted(handful: Handful) -> Iterator[tuple[int, int]]:
    """The kinds of a handful, and how many cards of each there are."""
    return ((kind, sum(1 for _ in cards)) for kind, cards in groupby(handful))


def _without(cards: Ints, places: Sequence[Sequence[int]], handful: Handful) -> Ints:
    """The shoe without a handful; of a kind, whichever cards are there are taken."""
    less = cards.copy()
    for kind in handful:
        less[next(place for place in places[kind] if less[place])] -= 1
    return less
