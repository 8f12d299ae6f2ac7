"""A search for the count that wins the most, on shoes that were dealt.

A count is a sum of tags over the cards seen; recentred and divided by the decks left it is still a sum of tags, each
times a number that the round knows. So all that a count says of every round is one product of a table with its tags.
Beginning with some counts, one tag after the other is changed for whatever wins more, until none does.
"""

from collections.abc import Iterable
from itertools import combinations, product
from typing import Final

import numpy as np

from punto.lab.classes import Ints
from punto.lab.exact import Floats

# Values of a count are told apart in so many steps while the search goes on.
_STEPS: Final = 4096
_MOST_SWEEPS: Final = 16
# A gain of less than a hundredth may be luck.
_MORE: Final = 1.01


def features(seen: Ints, left: Ints, cards: Ints, deck: int, *, running: bool) -> Floats:
    """The table of a count: for each round, what a tag of one counts for on each kind of card.

    *seen* has the cards of each kind that were seen before each round, *left* the cards left, *cards* how many cards of
    each kind there are in a deck of *deck* cards.
    """
    if running:
        return seen.astype(np.float64)
    # Whole numbers up to the one division: counts that are multiples of each other stay so to the last digit.
    recentred = deck * seen - seen.sum(axis=1)[:, None] * cards[None, :]
    table: Floats = recentred / left[:, None]
    return table


def units_won(values: Floats, favour: Floats) -> float:
    """What betting from the best value of a count on wins, with values told apart in steps."""
    low, high = float(values.min()), float(values.max())
    if low == high:
        return max(0.0, float(favour.sum()))
    steps = ((values - low) * ((_STEPS - 1) / (high - low))).astype(np.int64)
    from_there = np.bincount(steps, favour, _STEPS)[::-1].cumsum()
    return max(0.0, float(from_there.max()))


def searched(table: Floats, favour: Floats, starts: Iterable[tuple[int, ...]], level: int) -> tuple[int, ...]:
    """The tags no larger than *level* that win the most of those that the search comes by."""
    climbs = [_Climb(table, favour, start, level) for start in starts]
    for climb in climbs:
        climb.one_by_one()
    best = min(climbs, key=lambda climb: (-round(climb.won, 9), sum(map(abs, climb.tags))))
    # Two tags that are changed together may win more where neither does alone.
    while best.in_pairs():
        best.one_by_one()
    return tuple(best.tags)


class _Climb:
    """Tags that are changed for better ones."""

    def __init__(self, table: Floats, favour: Floats, tags: tuple[int, ...], level: int) -> None:
        self._table = table
        self._favour = favour
        self._level = level
        self.tags = list(tags)
        self._values: Floats = table @ np.array(tags, dtype=np.float64)
        self.won = units_won(self._values, favour)
        self._sweeps = 0

    def one_by_one(self) -> None:
        """Change one tag at a time, until no change wins more."""
        better = True
        while better and self._sweeps < _MOST_SWEEPS:
            self._sweeps += 1
            places, tags = range(len(self.tags)), range(-self._level, self._level + 1)
            better = sum(self._changed({place: tag}) for place in places for tag in tags) > 0

    def in_pairs(self) -> bool:
        """Change two tags by one each, each pair once; whether that won more."""
        if self._sweeps >= _MOST_SWEEPS:
            return False
        self._sweeps += 1
        gains = sum(
            self._changed({one: self.tags[one] + up, other: self.tags[other] + down})
            for one, other in combinations(range(len(self.tags)), 2)
            for up, down in product((1, -1), repeat=2)
        )
        return gains > 0

    def _changed(self, tags: dict[int, int]) -> bool:
        """Put other tags in place if they win more."""
        if any(abs(tag) > self._level for tag in tags.values()):
            return False
        values = self._values
        for place, tag in tags.items():
            if tag != self.tags[place]:
                values = values + (tag - self.tags[place]) * self._table[:, place]
        if values is self._values:
            return False
        won = units_won(values, self._favour)
        if won <= self.won * _MORE:
            return False
        self.won, self._values = won, values
        for place, tag in tags.items():
            self.tags[place] = tag
        return True
