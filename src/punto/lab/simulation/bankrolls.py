"""The compiled loop that follows bankrolls: plain, for a session is short."""

from typing import Any, Final

import numpy as np
from numba import njit

from punto.lab.simulation.tables import BANKER_SLOT_SHIFT, MOST_CELLS, PLAYER_DRAWS_SHIFT, PLAYER_SLOT_SHIFT, SLOTS

_GAMMA: Final = np.uint64(0x9E3779B97F4A7C15)
_LOW: Final = np.uint64(0xFFFFFFFF)
_HALF: Final = np.uint64(32)


@njit(inline="always")
def _mixed(word: Any) -> Any:
    """SplitMix64's finisher: every bit of the word depends on every other."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@njit(inline="always")
def _points(code: Any) -> Any:
    """What a card counts, by its code."""
    nibble = np.int64(code) & 15
    return nibble if nibble < 10 else 0  # noqa: PLR2004


@njit(nogil=True, cache=True)
def follow(  # noqa: C901, PLR0913, PLR0915, PLR0917
    seed: Any, number: Any, cards: Any, last: Any, rules: Any, nets: Any, steps: Any, bankroll: Any, goal: Any,
    unit: Any, moments: Any, path: Any, drawdown: Any,
) -> Any:  # fmt: skip
    """Follow one bankroll after the other, from a number on.

    Given back are how many could not pay the next stake, how many reached the goal, and the rounds bet on.

    Each session has its own generator (SplitMix64 from the seed and its number) and begins with a new shoe, shuffled by
    Fisher and Yates with bounds drawn from 32 bits by Lemire's multiplication, biased ones rejected.
    """
    size = len(cards)
    held = rules.held
    shoe = np.zeros(held + size + 2, np.uint8)
    needed = min(size, last + 6)
    unable = 0
    reached = 0
    played = 0
    for session in range(path.shape[1]):
        state = _mixed(_mixed(seed) + np.uint64(number + session) * _GAMMA)
        shoe[held : held + size] = cards
        left = bankroll
        peak = bankroll
        deepest = 0
        step = 0
        at = last + 1
        moment = 0
        round_ = 0
        live = left >= steps[0, 0] * unit
        unable += not live
        while moment < len(moments):
            if round_ == moments[moment] or not live:
                path[moment, session] = left
                moment += 1
                continue
            if at > last:
                for place in range(needed):
                    bound = np.uint64(size - place)
                    product = np.uint64(0)
                    while True:
                        state += _GAMMA
                        product = (_mixed(state) >> _HALF) * bound
                        if (product & _LOW) >= np.uint64(1 << 32) % bound:
                            break
                    there = held + place + np.int64(product >> _HALF)
                    card = shoe[there]
                    shoe[there] = shoe[held + place]
                    shoe[held + place] = card
                at = 0
            first = rules.held_points if held else _points(shoe[at])
            player = (first + _points(shoe[at + 2])) % 10
            banker = (_points(shoe[at + 1]) + _points(shoe[at + 3])) % 10
            entry = np.int64(rules.tableau[player * 256 + banker * 16 + _points(shoe[at + 4])])
            drawn = (entry >> PLAYER_DRAWS_SHIFT) & 1
            slot = (entry >> PLAYER_SLOT_SHIFT) & (SLOTS - 1)
            hand = np.int64(rules.open_player[shoe[at] * rules.row + shoe[at + 2]]) + slot
            other = np.int64(rules.open_banker[shoe[at + 1] * rules.row + shoe[at + 3]])
            other += (entry >> BANKER_SLOT_SHIFT) + _points(shoe[at + 4 + drawn])
            cell = rules.joint[np.int64(rules.final_player[hand]) + np.int64(rules.final_banker[other])]
            net = nets[cell & (MOST_CELLS - 1)]
            at += entry & 7
            round_ += 1
            stake = steps[step, 0]
            if stake:
                played += 1
                left += stake * net
            if net > 0:
                step = steps[step, 1]
            elif net < 0:
                step = steps[step, 2]
            peak = max(peak, left)
            deepest = max(deepest, peak - left)
            if left >= goal:
                reached += 1
                live = False
            elif left < steps[step, 0] * unit or left <= 0:
                unable += 1
                live = False
        drawdown[session] = deepest
    return unable, reached, played
