"""The Table of Play: who draws a third card. The same in all five rulebooks.

EB4 3.8, FF2 3.8, B8 3.14, TNC5 3.14, E7U 3.7.
"""

from collections.abc import Mapping
from typing import Final

from punto.rules.coup import NATURALS

STOOD: Final = None
ANY: Final[frozenset[int | None]] = frozenset({STOOD, *range(10)})

PLAYER_DRAWS: Final = frozenset({0, 1, 2, 3, 4, 5})

# Banker's total -> the points of Player's third card on which Banker draws; STOOD when Player stood.
BANKER_DRAWS: Final[Mapping[int, frozenset[int | None]]] = {
    0: ANY,
    1: ANY,
    2: ANY,
    3: ANY - {8},
    4: ANY - {0, 1, 8, 9},
    5: ANY - {0, 1, 2, 3, 8, 9},
    6: frozenset({6, 7}),
    7: frozenset(),
}


def no_more_cards(player: int, banker: int) -> bool:
    """Whether a natural on the initial deal ends the coup."""
    return player in NATURALS or banker in NATURALS


def player_draws(player: int) -> bool:
    """Whether Player draws on this total, when neither hand is a natural."""
    return player in PLAYER_DRAWS


def banker_draws(banker: int, third: int | None) -> bool:
    """Whether Banker draws on this total, against Player's third card or `STOOD`.

    >>> banker_draws(3, 8), banker_draws(6, 6), banker_draws(6, STOOD), banker_draws(5, STOOD)
    (False, True, False, True)
    """
    return third in BANKER_DRAWS[banker]
