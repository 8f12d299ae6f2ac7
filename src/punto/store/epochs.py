"""Epochs: how many times a name was claimed. Whatever else somebody has written in their place is garbled.

Epochs are not chained, and worth no restored copy: a claim puts a good one in place of a garbled one. No process that
is still open may hold that one. How far the name was counted is lost, so the new epoch is drawn at random, far beyond
any number to which names are counted.
"""

from typing import Final

from punto.errors import quoted
from punto.store.contract import GARBLED, Fault
from punto.surroundings import token_hex

LAST_EPOCH: Final = GARBLED - 1
_BEYOND: Final = 2**61
_RANDOM_BYTES: Final = 7
_LONGEST: Final = 60


def is_epoch(value: object) -> bool:
    """Whether a claim can have given it."""
    return isinstance(value, int) and 0 < value <= LAST_EPOCH


def epoch_of(value: object) -> int:
    """The epoch under which a name is held of which this is written.

    >>> epoch_of(7), epoch_of("x") == epoch_of(-5) == epoch_of(2**63 - 1) == GARBLED
    (7, True)
    """
    return value if isinstance(value, int) and is_epoch(value) else GARBLED


def fresh_epoch() -> int:
    """An epoch in place of a garbled one. It is odd, as if the garbled one were even and had been counted on."""
    return _BEYOND + 2 * int(token_hex(_RANDOM_BYTES), 16) + 1


def epoch_after(held: int) -> int:
    """The epoch that the next claim gives.

    >>> epoch_after(0), epoch_after(7), epoch_after(GARBLED) > 2**61, epoch_after(LAST_EPOCH) < LAST_EPOCH
    (1, 8, True, True)
    """
    return held + 1 if held < LAST_EPOCH else fresh_epoch()


def garbled(name: str, value: object) -> Fault:
    """What a store says of a garbled epoch."""
    said = f"the table epochs (which process runs which table) has {quoted(str(value), _LONGEST)}, which is no epoch"
    return Fault(f"{quoted(name, _LONGEST)}: {said}")
