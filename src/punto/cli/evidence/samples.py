"""Shoes as the floor deals them, card by card: from its own shuffle, from contributions, and from both."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from punto.floor.shuffle import by_chance
from punto.surroundings import token_hex
from punto.table.contributions import SECRET_BYTES, permutation_seed, permuted, shoe_commitment

# Where contributions are tried alone, so many patrons contribute.
PATRONS: Final = 3


@dataclass(frozen=True)
class Sample:
    """A way in which shoes come about: its key, what it is in words, and a shoe of so many cards."""

    key: str
    title: str
    says: str
    shoe: Callable[[int], tuple[int, ...]]


def own(size: int) -> tuple[int, ...]:
    """A shoe from the floor's own shuffle."""
    return by_chance(tuple(range(size)))


def contributed(size: int) -> tuple[int, ...]:
    """New decks, permuted by contributions alone."""
    return _permuted(tuple(range(size)))


def both(size: int) -> tuple[int, ...]:
    """A shoe from the floor's own shuffle, permuted by contributions."""
    return _permuted(own(size))


def _permuted(order: tuple[int, ...]) -> tuple[int, ...]:
    """The order that the protocol makes of the floor's order, its salt and the secrets of patrons."""
    commitment = shoe_commitment(["laboratory", "1"], token_hex(16), " ".join(map(str, order)))
    secrets = [(f"patron {number}", token_hex(SECRET_BYTES)) for number in range(PATRONS)]
    return permuted(order, permutation_seed(commitment, secrets))


SAMPLES: Final = (
    Sample("floor", "floor", "the floor's own shuffle, as a shoe is dealt to which nobody contributes", own),
    Sample(
        "contributions",
        "contributions",
        f"new decks permuted by the contributions of {PATRONS} patrons alone: what stays random if the floor cheats",
        contributed,
    ),
    Sample("both", "both", "the floor's own shuffle permuted by contributions: the whole protocol", both),
)
