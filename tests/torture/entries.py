"""All entries of a store, stream by stream, and the ends of its streams as of each head."""

from typing import Any, cast

import msgspec

from punto.proof.heads import read_head
from punto.proof.writers import HEADS, read_certificate
from punto.store.contract import Entry, Store

Entries = dict[str, list[Entry]]
# A writer's certificate, and the head with which it joined.
_JOINED = 2


def read_all(store: Store) -> Entries:
    """Everything that a store holds."""
    return {stream: list(store.read(stream)) for stream, _ in store.streams()}


def heads_of(entries: Entries) -> list[Entry]:
    """The heads of all writers that are over something, in the order of their lives."""
    writers = [stream for stream in entries if stream.startswith(HEADS)]
    writers.sort(key=lambda stream: read_certificate(entries[stream][0].body).at_ms)
    return [head for stream in writers for head in entries[stream][_JOINED:]]


def ends_at(entries: Entries, head: int) -> dict[str, int]:
    """Where each stream ended when that many heads had been signed."""
    ends = {stream: _JOINED for stream in entries if stream.startswith(HEADS)}
    for entry in heads_of(entries)[:head]:
        ends[entry.stream] = entry.version
        for stream, move in read_head(entry.body).moved.items():
            ends[stream] = move.after.version
    return ends


def plain(body: bytes) -> dict[str, Any]:
    """A body as plain values."""
    return cast("dict[str, Any]", msgspec.json.decode(body))
