"""Entries of a store, read strictly: what is missing, or is not of the shape that entries have, ends the reading."""

from collections.abc import Iterator

from punto.errors import Corrupt, named
from punto.store import Entry, Store
from punto.store.contract import PAGE


def entries_of(store: Store, stream: str, after: int = 0) -> Iterator[Entry]:
    """The entries of a stream after a version; `Corrupt` where one is missing, or holds no bytes."""
    for version, entry in enumerate(store.read(stream, after), after + 1):
        if entry.version != version:
            raise Corrupt(f"{named(stream)}: entry {version} is not there", version)
        if not entry.hash:
            raise Corrupt(f"{named(stream)}: entry {version} is not what was written", version)
        yield entry


def end_of(store: Store, stream: str) -> int:
    """The last version of a stream; 0 when it has no entry."""
    tip = store.tip(stream)
    return tip.version if tip else 0


def does_not_read(entry: Entry, error: ValueError) -> Corrupt:
    """What is said of an entry that is of another shape."""
    return Corrupt(f"{named(entry.stream)}: entry {entry.version} does not read: {error}", entry.version)


def pages(end: int) -> Iterator[int]:
    """After which versions to read a stream backwards: a page, then twice as much each time, then all of it."""
    after = end
    while after > 0:
        after = max(0, after - max(PAGE, end - after))
        yield after
