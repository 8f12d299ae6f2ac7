"""All entries of a store, stream by stream, and the ends of its streams as of each head."""

from typing import Any, cast

import msgspec

from punto.store.contract import Entry, Store
from punto.store.heads import HEADS, read

Entries = dict[str, list[Entry]]


def read_all(store: Store) -> Entries:
    """Everything that a store holds."""
    return {stream: list(store.read(stream)) for stream, _ in store.streams()}


def ends_at(entries: Entries, head: int) -> dict[str, int]:
    """Where each stream ended when a head was signed."""
    ends = {HEADS: head}
    for entry in entries.get(HEADS, [])[:head]:
        for stream, (version, _) in read(entry.body)[0].moved.items():
            ends[stream] = version
    return ends


def plain(body: bytes) -> dict[str, Any]:
    """A body as plain values."""
    return cast("dict[str, Any]", msgspec.json.decode(body))
