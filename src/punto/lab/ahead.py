"""From how many rounds on the house is ahead with some certainty, for good.

The certainty goes up and down: one large win of a patron takes many rounds to be won back, and until then one round
more may leave the house behind. So the search begins where no violation can follow, by Chernoff's bound, and walks
down to the last violation there is.
"""

from math import ceil, exp
from typing import Final

import numpy as np

from punto.lab.shoelaw import ShoeLaw
from punto.lab.sums import DOUBT, Sums

# So many numbers of rounds, or stretches of them, are looked at in one go.
_AT_ONCE: Final = 256
# So many probabilities are worked out for one answer, about.
_LOOKED_AT: Final = 1 << 16
_MOST_WORK: Final = 1 << 25


def rounds_until_ahead(sums: Sums, certainty: float, most: int) -> int | None:
    """The number of independent rounds from which on their sum is above zero with that certainty.

    None if that is beyond *most*. No number of rounds is left out: within *k* rounds a sum falls by no more than
    `Sums.drop(k)`, so if it is above that after *n* rounds with the certainty asked for, it is above zero after *n* to
    *n* + *k*, and all these are passed at once.
    """
    needed = sums.settled_from(certainty)
    if needed is None:
        return None
    end = ceil(needed)
    if end > most and sums.at_most(np.array([most]), np.array([0]))[0] > 1 - certainty:
        return None
    # So many rounds are passed at once. They become more while that succeeds.
    stretch = 1
    while end > 0:
        stretch = min(stretch, end)
        starts = end + 1 - stretch * np.arange(1, min(_AT_ONCE, end // stretch) + 1)
        fall = sums.drop(stretch - 1) if stretch > 1 else 0
        slip = exp(-DOUBT) if stretch > 1 else 0.0
        safe = sums.at_most(starts, np.full(len(starts), fall)) + slip <= 1 - certainty
        passed = len(safe) if safe.all() else int(safe.argmin())
        end -= passed * stretch
        if passed == len(safe):
            stretch *= 2
        elif stretch > 1:
            stretch = max(1, stretch // 4)
        else:
            break
    return end + 1 if end < most else None


def rounds_of_shoes_until_ahead(law: ShoeLaw, certainty: float, most: int) -> int | None:
    """About the number of rounds from which on they come to more than zero with that certainty, as shoes deal them.

    Every number of rounds is looked at, from the largest on; some are left out where that would take too long.
    """
    needed = law.settled_from(certainty)
    if needed is None:
        return None
    settled = ceil(needed)
    if settled > most and law.behind(np.array([most]))[0] > 1 - certainty:
        return None
    looked_at = min(_LOOKED_AT if settled < _LOOKED_AT else _LOOKED_AT >> 3, _MOST_WORK // law.frequencies(settled))
    stride = -(-settled * law.atoms(settled) // looked_at)
    for end in range(settled, 0, -_AT_ONCE * stride):
        rounds = np.arange(end, max(0, end - _AT_ONCE * stride), -stride)
        behind = law.behind(rounds) > 1 - certainty
        if behind.any():
            found = int(rounds[behind.argmax()])
            nearby = np.arange(found + stride - 1, found - 1, -1)
            last = int(nearby[(law.behind(nearby) > 1 - certainty).argmax()])
            return last + 1 if last < most else None
    return 1
