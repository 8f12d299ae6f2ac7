"""The stream of shoes that a seed stands for, as plain Python from its definition.

A block of a stream has 65 generators, xoshiro256++ seeded one after the other by SplitMix64 from the block's own
stretch of the seed's words. Eight shoes are shuffled side by side, each by Fisher and Yates from whatever order the
shoe before it in its lane has left. A lane draws 32 places at a time from the words of eight generators, four draws of
16 bits to a word, the lowest first. A draw is multiplied by its bound, and its upper half is the place (Lemire); where
the lower half is below 65536 modulo the bound it is rejected, and the upper 16 bits of the last generator's next word
are tried instead, until one is accepted.

A session has a generator of its own, SplitMix64 from the seed and the session's number, of whose words the upper 32
bits are drawn with in the same way; it too shuffles each shoe from the order that the one before has left.

Shoes of a game are those of its own seed: a hash over the game's digest and the seed that was asked for.
"""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TypeVar

Card = TypeVar("Card")

WORD = (1 << 64) - 1
HALF = (1 << 16) - 1
LONG_HALF = (1 << 32) - 1
GAMMA = 0x9E3779B97F4A7C15

LANES = 8
DRAWS = 32
WORDS = DRAWS // 4
GENERATORS = LANES * WORDS
LONGEST_COUP = 6


def mixed(word: int) -> int:
    """What SplitMix64 makes of its counter."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


def rotated(word: int, left: int) -> int:
    return (word << left | word >> 64 - left) & WORD


class Xoshiro:
    """Xoshiro256++, as published by Blackman and Vigna; its state is four words of SplitMix64."""

    def __init__(self, counter: int) -> None:
        self.state = [mixed(counter + number * GAMMA & WORD) for number in range(1, 5)]

    def next(self) -> int:
        """The next word."""
        s = self.state
        word = rotated(s[0] + s[3] & WORD, 23) + s[0] & WORD
        shifted = s[1] << 17 & WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotated(s[3], 45)
        return word


def drawn(half: int, bound: int) -> int | None:
    """The number below the bound that 16 bits stand for, if they are not rejected."""
    product = half * bound
    return None if product & HALF < (1 << 16) % bound else product >> 16


def of_game(seed: int, digest: str) -> int:
    """The seed of a game's own shoes: the first eight bytes of a hash over the game's digest and the seed."""
    return int.from_bytes(hashlib.sha256(f"{digest}:{seed}".encode("ascii")).digest()[:8], "little")


def shoes_of(seed: int, block: int, cards: Sequence[Card], needed: int) -> Iterator[list[Card]]:
    """The shoes of a block one after the other; of each, the first *needed* cards are in their final order."""
    start = mixed(seed) + 4 * (GENERATORS + 1) * block * GAMMA
    *generators, spare = [Xoshiro(start + 4 * number * GAMMA & WORD) for number in range(GENERATORS + 1)]
    lanes = [list(cards) for _ in range(LANES)]
    for _ in count():
        for first in range(0, needed, DRAWS):
            words = [generator.next() for generator in generators]
            for lane, shoe in enumerate(lanes):
                mine = words[lane * WORDS : (lane + 1) * WORDS]
                halves = [word >> shift & HALF for word in mine for shift in (0, 16, 32, 48)]
                for place, half in enumerate(halves[: needed - first], first):
                    bound = len(shoe) - place
                    further = drawn(half, bound)
                    while further is None:
                        further = drawn(spare.next() >> 48, bound)
                    shoe[place], shoe[place + further] = shoe[place + further], shoe[place]
        for shoe in lanes:
            yield list(shoe)


def shoes_of_session(seed: int, session: int, cards: Sequence[Card], needed: int) -> Iterator[list[Card]]:
    """The shoes of a session one after the other; of each, the first *needed* cards are in their final order."""
    state = mixed(mixed(seed) + session * GAMMA & WORD)
    shoe = list(cards)
    while True:
        for place in range(needed):
            bound = len(shoe) - place
            product = -1
            while product < 0 or product & LONG_HALF < (1 << 32) % bound:
                state = state + GAMMA & WORD
                product = (mixed(state) >> 32) * bound
            further = place + (product >> 32)
            shoe[place], shoe[further] = shoe[further], shoe[place]
        yield list(shoe)


def cards_needed(size: int, last: int) -> int:
    """How far a shoe is shuffled in which no round begins after *last* cards."""
    return min(size, last + LONGEST_COUP)
