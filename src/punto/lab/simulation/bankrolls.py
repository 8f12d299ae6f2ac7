"""The compiled loop that follows bankrolls: plain, for a session is short."""

from typing import Final

import numpy as np
from numba import njit

_GAMMA: Final = np.uint64(0x9E3779B97F4A7C15)
_LOW: Final = np.uint64(0xFFFFFFFF)
_HALF: Final = np.uint64(32)


@njit(inline="always")
def _mixed(word):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """SplitMix64's finisher: every bit of the word depends on every other."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@njit(nogil=True, cache=True)
def follow(  # type: ignore[no-untyped-def]  # noqa: ANN201, PLR0913, PLR0915, PLR0917, C901
    seed,  # noqa: ANN001
    pool,  # noqa: ANN001
    last_start,  # noqa: ANN001
    opening,  # noqa: ANN001
    kinds,  # noqa: ANN001
    points,  # noqa: ANN001
    open_player,  # noqa: ANN001
    open_banker,  # noqa: ANN001
    tableau,  # noqa: ANN001
    final_player,  # noqa: ANN001
    final_banker,  # noqa: ANN001
    cell_of,  # noqa: ANN001
    nets,  # noqa: ANN001
    steps,  # noqa: ANN001
    bankroll,  # noqa: ANN001
    goal,  # noqa: ANN001
    unit,  # noqa: ANN001
    moments,  # noqa: ANN001
    path,  # noqa: ANN001
    drawdown,  # noqa: ANN001
):
    """Follow one bankroll after the other; how many were ruined, reached the goal, and the rounds bet on.

    Each session has its own generator (SplitMix64 from the seed and its number) and begins with a new shoe, shuffled by
    Fisher and Yates with bounds drawn from 32 bits by Lemire's multiplication, biased ones rejected.
    """
    size = len(pool)
    held = 4 - opening
    shoe = np.zeros(size + held + 2, np.uint8)
    needed = min(size, last_start + 6)
    ruined = 0
    reached = 0
    played = 0
    for session in range(path.shape[1]):
        state = _mixed(_mixed(seed) + np.uint64(session) * _GAMMA)
        shoe[held : held + size] = pool
        left = bankroll
        peak = bankroll
        deepest = 0
        step = 0
        position = last_start + 1
        moment = 0
        round_ = 0
        live = True
        while moment < len(moments):
            if round_ == moments[moment] or not live:
                path[moment, session] = left
                moment += 1
                continue
            if position > last_start:
                for place in range(needed):
                    bound = np.uint64(size - place)
                    product = np.uint64(0)
                    while True:
                        state += _GAMMA
                        product = (_mixed(state) >> _HALF) * bound
                        if (product & _LOW) >= np.uint64(4294967296) % bound:
                            break
                    there = held + place + np.int64(product >> _HALF)
                    card = shoe[there]
                    shoe[there] = shoe[held + place]
                    shoe[held + place] = card
                position = 0
            player = open_player[shoe[position] * kinds + shoe[position + 2]]
            banker = open_banker[shoe[position + 1] * kinds + shoe[position + 3]]
            draws = np.int64(tableau[(player | banker) & 255])
            fifth = np.int64(points[shoe[position + 4]])
            player_draws = draws >> 15
            banker_draws = (draws >> fifth) & 1
            last = np.int64(points[shoe[position + 4 + player_draws]])
            row = final_player[(player >> 8) + (player_draws << 4) + fifth]
            column = final_banker[(banker >> 8) + (banker_draws << 4) + last]
            net = nets[cell_of[np.int64(row) + np.int64(column)]]
            position += opening + player_draws + banker_draws
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
                ruined += 1
                live = False
        drawdown[session] = deepest
    return ruined, reached, played
