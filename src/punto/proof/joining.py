"""Joining: a writer's stream begins with its certificate and a head that says which checkpoint was the last one then.

No checkpoint is taken while a process joins, so the next one covers the writer. A writer that it does not cover, or
that names a checkpoint which is not of this history, has joined another copy of the store.
"""

import struct
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Final

from msgspec import Struct

from punto.errors import Corrupt
from punto.proof.headlog import CHECKPOINTS, read_sequenced
from punto.proof.heads import is_head_of, is_in_place, read_head
from punto.proof.pins import Pins
from punto.proof.places import place_of, tip_of
from punto.proof.rotations import Trust
from punto.proof.writers import HEADS, read_certificate
from punto.store.chain import leads, link, start, verified
from punto.store.contract import Entry, Store, Tip

# With so many entries a writer has joined.
JOINED: Final = 2


class WriterHeads(Struct):
    """A writer's heads, as far as they were read and believed."""

    key: str
    floor: str
    version: int
    hash: bytes
    # The last checkpoint when it joined, as a place.
    after: bytes

    def joined_after(self) -> Tip:
        """The last checkpoint when it joined."""
        return tip_of(self.after)


def joined_writer(store: Store, stream: str, trust: Trust, pins: Pins) -> WriterHeads | None:
    """The writer that has joined with the first two entries of a stream; none where those are something else."""
    entries = sound(list(islice(store.read(stream), JOINED)), start(stream))
    if len(entries) < JOINED:
        return None
    first, second = entries
    try:
        certificate = read_certificate(first.body)
        trust.check(stream, certificate.floor)
        after = read_head(second.body).statement.after
    except Corrupt:
        return None
    if HEADS + certificate.writer != stream or pins.is_given_up(stream, certificate.at_ms):
        return None
    if after is None or not holds(certificate.key, second, first.hash):
        return None
    return WriterHeads(certificate.key, certificate.floor, JOINED, second.hash, place_of(after))


def is_of_here(stream: str, after: Tip, end: Tip, read: Callable[[str, int, int], Iterator[Entry]]) -> bool:
    """Whether a writer has joined after a checkpoint of this history, and before the next, which then covers it.

    *end* is where the checkpoints end, and *read* gives those between two versions, as far as they are believed;
    `Corrupt` where they cannot be read.
    """
    if after.version >= end.version:
        return after == end
    around = {each.version: each for each in read(CHECKPOINTS, max(0, after.version - 1), after.version + 1)}
    if after.hash != (around[after.version].hash if after.version else start(CHECKPOINTS).hash):
        return False
    return read_sequenced(around[after.version + 1].body).took.get(stream, 0) >= JOINED


def sound(entries: list[Entry], since: Tip) -> list[Entry]:
    """The entries up to the first that does not follow from those before it."""
    if not entries or leads(entries, since, Tip(entries[-1].version, entries[-1].hash)):
        return entries
    followed: list[Entry] = []
    with suppress(Corrupt):
        for entry in verified(entries, since):
            followed.append(entry)  # noqa: PERF402 (those before a broken one are kept)
    return followed


def has_later_head(key: str, rows: Iterable[Entry], since: Tip, until: int) -> bool:
    """Whether a writer has signed a head up to that number which is not the first one after a place.

    The rows are those after that place, as they lie in the store: what leads to a head may be missing or altered, and
    whatever nobody has signed may lie among them.
    """
    befores: list[bytes] = []
    for row in rows:
        try:
            if any(holds(key, row, before) for before in befores) and row.version <= until:
                return True
            befores = [row.hash]
            if row.version == since.version + 1:  # perhaps its hash alone was altered
                befores.append(link(since.hash, row.stream, row.version, row.command, row.body))
        except (TypeError, AttributeError, ValueError, OverflowError, struct.error):
            befores = []  # a damaged file can hold anything in the place of text, number or bytes
    return False


def holds(key: str, entry: Entry, before: bytes) -> bool:
    """Whether an entry is a head of a writer's, where it says that it is."""
    try:
        head = read_head(entry.body)
    except Corrupt:
        return False
    return is_in_place(head, entry.stream, entry.version) and is_head_of(key, head, before)
