"""Places: where a stream ends, as 40 bytes: the version (8 bytes) and the hash of its last entry.

Heads are signed over places, and whoever reads very many heads compares and keeps places as they are. Places sort by
version.
"""

from collections.abc import Callable
from functools import lru_cache
from struct import Struct
from typing import Final

from punto.store.contract import Tip

PLACE: Final = 40
_PLACE: Final = Struct("!Q32s")
# Two places of one stream that differ in this byte do not lie in the same run of 256 entries.
RUN: Final = 6

pack = _PLACE.pack
unpack = _PLACE.unpack


def place_of(tip: Tip) -> bytes:
    """An end of a stream as a place.

    >>> tip_of(place_of(Tip(3, bytes(32)))).version
    3
    """
    return pack(*tip)


def tip_of(place: bytes) -> Tip:
    """The end of a stream again."""
    return Tip._make(unpack(place))


def split(places: bytes) -> tuple[bytes, ...]:
    """Places that were put together, one by one.

    >>> split(place_of(Tip(3, bytes(32))) * 2)[1] == place_of(Tip(3, bytes(32)))
    True
    """
    return _many(len(places) // PLACE)(places)


@lru_cache(maxsize=1024)
def _many(count: int) -> Callable[[bytes], tuple[bytes, ...]]:
    return Struct(f"{PLACE}s" * count).unpack


def after_version(version: int) -> bytes:
    """What sorts after every place of that version, and before every place of the next."""
    return pack(version, b"\xff" * 32) + b"\0"
