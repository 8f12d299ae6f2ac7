"""The Table of Play: who draws a third card. The same in all five rulebooks.

EB4 3.8, FF2 3.8, B8 3.14, TNC5 3.14, E7U 3.7.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from punto.rules.coup import NATURALS, Side

STOOD: Final = None
ANY: Final[frozenset[int | None]] = frozenset({STOOD, *range(10)})

PLAYER_DRAWS: Final = frozenset({0, 1, 2, 3, 4, 5})

# Banker's total -> the points of Player's third card on which Banker draws; STOOD when Player stood.
BANKER_DRAWS: Final[Mapping[int, frozenset[int | None]]] = MappingProxyType(
    {
        0: ANY,
        1: ANY,
        2: ANY,
        3: ANY - {8},
        4: ANY - {0, 1, 8, 9},
        5: ANY - {0, 1, 2, 3, 8, 9},
        6: frozenset({6, 7}),
        7: frozenset(),
    }
)


def third_card(player: int, banker: int, drawn: int | None = None) -> Side | None:
    """Whose third card is due, if any, on these totals of two cards.

    *drawn* is the points of Player's third card once it has come; while Banker has only two cards.

    >>> third_card(5, 3), third_card(5, 3, drawn=8), third_card(6, 5), third_card(2, 9)
    (<Side.PLAYER: 'player'>, None, <Side.BANKER: 'banker'>, None)
    """
    if player in NATURALS or banker in NATURALS:
        return None
    if player in PLAYER_DRAWS and drawn is None:
        return Side.PLAYER
    # Player has drawn, or has stood: that is what STOOD, which is None, stands for here.
    return Side.BANKER if drawn in BANKER_DRAWS[banker] else None
