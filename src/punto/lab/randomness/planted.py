"""Shuffles with a known fault, which the battery must catch; they come from seeds, so that each is always the same."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from punto.lab.randomness.measures import Ints

# So many shoes of each are tried, under this seed.
PLANTED_SHOES: Final = 1_000
PLANTED_SEED: Final = 20_261
# The linear congruential generator of the C standard's example.
_FACTOR: Final = 1_103_515_245
_STEP: Final = 12_345
_SHORT: Final = 10
_LONG: Final = 16
_RIFFLES: Final = 7
_KEY: Final = 12
_STICKS: Final = 0.05
_REPEATS: Final = 100

Draw = Callable[[Generator, int, int], Ints]


@dataclass(frozen=True)
class Planted:
    """A shuffle with a fault: what is wrong with it, and so many shoes of so many cards."""

    name: str
    fault: str
    draw: Draw

    def shoes(self, number: int, size: int, seed: int = PLANTED_SEED) -> Ints:
        """Shoes, a row for each."""
        return self.draw(np.random.default_rng(seed), number, size)


def even(chance: Generator, number: int, size: int) -> Ints:
    """Shoes from a shuffle without a fault."""
    return chance.random((number, size)).argsort(axis=1)


def _exchanged(choices: NDArray[Any]) -> Ints:
    """Shoes by Fisher and Yates: from the last place down, each card changes places with the one at its choice."""
    number, size = choices.shape
    order = np.tile(np.arange(size), (number, 1))
    rows = np.arange(number)
    for place in range(size - 1, -1, -1):
        other = choices[:, place]
        order[rows, other], order[rows, place] = order[rows, place], order[rows, other].copy()
    return order


def _any_place(chance: Generator, number: int, size: int) -> Ints:
    return _exchanged(chance.integers(size, size=(number, size)))


def _one_cycle(chance: Generator, number: int, size: int) -> Ints:
    bounds = np.maximum(np.arange(size), 1)
    return _exchanged(chance.integers(bounds, size=(number, size)))


def _remainders(bits: int) -> Draw:
    def draw(chance: Generator, number: int, size: int) -> Ints:
        return _exchanged(chance.integers(2**bits, size=(number, size)) % np.arange(1, size + 1))

    return draw


def _low_bits(chance: Generator, number: int, size: int) -> Ints:
    """One stream of states for all shoes; each choice is the state's remainder."""
    states = np.array([chance.integers(2**31)], dtype=np.uint64)
    factor, step = _FACTOR, _STEP
    while len(states) < number * size:  # what one step does, two do, four, …
        states = np.concatenate([states, (states * np.uint64(factor) + np.uint64(step)) % np.uint64(2**31)])
        factor, step = factor * factor % 2**31, (factor * step + step) % 2**31
    choices = states[: number * size].astype(np.int64).reshape(number, size) % np.arange(1, size + 1)
    return _exchanged(choices)


def _short_seeds(chance: Generator, number: int, size: int) -> Ints:
    found = np.empty((number, size), dtype=np.int64)
    for row, seed in enumerate(chance.integers(2**_LONG, size=number)):
        found[row] = np.random.default_rng(seed).permutation(size)
    return found


def _riffled(chance: Generator, number: int, size: int) -> Ints:
    """Riffles after Gilbert, Shannon and Reeds: seen backwards, each card goes to one of two packets at random."""
    packets = chance.integers(2**_RIFFLES, size=(number, size))
    return packets.argsort(axis=1, kind="stable").argsort(axis=1)


def _short_keys(chance: Generator, number: int, size: int) -> Ints:
    return chance.integers(2**_KEY, size=(number, size)).argsort(axis=1, kind="stable")


def _sticky_top(chance: Generator, number: int, size: int) -> Ints:
    order = even(chance, number, size)
    for row in np.flatnonzero(chance.random(number) < _STICKS):
        at = int(np.flatnonzero(order[row] == 0)[0])
        order[row, at], order[row, 0] = order[row, 0], 0
    return order


def _sticky_pair(chance: Generator, number: int, size: int) -> Ints:
    """Two cards of new decks stay together: every shoe is even but for one pair of cards among those that stick."""
    order = even(chance, number, size)
    for row in np.flatnonzero(chance.random(number) < 4 * _STICKS):
        card = int(chance.integers(size // 26))
        others = order[row][order[row] != card + 1]
        at = int(np.flatnonzero(others == card)[0]) + 1
        order[row] = np.insert(others, at, card + 1)
    return order


def _repeated(chance: Generator, number: int, size: int) -> Ints:
    order = even(chance, number, size)
    order[_REPEATS - 1 :: _REPEATS] = order[: number - _REPEATS + 1 : _REPEATS]
    return order


def _last_stays(chance: Generator, number: int, size: int) -> Ints:
    order = even(chance, number, size - 1)
    return np.column_stack([order, np.full(number, size - 1)])


def _cut_only(chance: Generator, number: int, size: int) -> Ints:
    return (np.arange(size) + chance.integers(size, size=(number, 1))) % size


def _few_exchanges(chance: Generator, number: int, size: int) -> Ints:
    order = np.tile(np.arange(size), (number, 1))
    rows = np.arange(number)
    for one, other in chance.integers(size, size=(size, 2, number)):
        order[rows, one], order[rows, other] = order[rows, other], order[rows, one].copy()
    return order


def _half_again(chance: Generator, number: int, size: int) -> Ints:
    """Only the first half of the shoe before is shuffled again, the other half going in front first."""
    found = np.empty((number, size), dtype=np.int64)
    shoe = chance.permutation(size)
    for row in found:
        half = chance.permutation(shoe[: size // 2])
        row[:] = np.concatenate([shoe[size // 2 :], half])
        shoe = row
    return found


def _turned_over(chance: Generator, number: int, size: int) -> Ints:
    order = even(chance, number, size)
    order[1::2] = order[: number // 2 * 2 : 2, ::-1]
    return order


PLANTED: Final = (
    Planted("any place", "each card changes places with a card at any place, not only at those left", _any_place),
    Planted("one cycle", "no card can stay where it is (Sattolo's cycles)", _one_cycle),
    Planted("remainder", f"each choice is the remainder of a word of {_SHORT} bits", _remainders(_SHORT)),
    Planted("low bits", "each choice is the remainder of a linear congruential generator's state", _low_bits),
    Planted(
        "short seed", f"a good generator, but each shoe comes from a seed of {_LONG} bits of the time", _short_seeds
    ),
    Planted("seven riffles", f"{_RIFFLES} riffles: enough for one deck, and too few for a shoe", _riffled),
    Planted("short keys", f"cards are sorted by random keys of {_KEY} bits", _short_keys),
    Planted("sticky top", "the top card of new decks stays on top once in twenty shoes", _sticky_top),
    Planted("sticky pair", "two neighbours of new decks stay together once in five shoes", _sticky_pair),
    Planted("repeated shoe", f"one shoe in {_REPEATS} comes a second time, somewhat later", _repeated),
    Planted("last card stays", "the last card is never moved", _last_stays),
    Planted("cut only", "the decks are cut and not shuffled", _cut_only),
    Planted("few exchanges", "as many exchanges of two random cards as there are cards", _few_exchanges),
    Planted("half again", "only half of the shoe before is shuffled again", _half_again),
    Planted("turned over", "every second shoe is the one before in the opposite order", _turned_over),
)
# Faults that no test of shoes of this number can see, and that other parts of the evidence must.
UNSEEN: Final = (
    Planted("fine remainder", f"each choice is the remainder of a word of {_LONG} bits", _remainders(_LONG)),
)
