"""A table from its log, as it was written, or from a snapshot that this floor has kept of it.

A snapshot is stamped with the floor's key, together with its place in the log: one that was altered, moved, or made by
somebody else is passed over, and the table is worked out from its first event.
"""

from collections.abc import Iterator

from punto.errors import BrokenChain
from punto.floor.keys import Keys
from punto.store import chain
from punto.store.contract import Hash, Snapshot, Store, Tip
from punto.table import Table
from punto.table.log import fold, read_state, write_state


def keep(store: Store, keys: Keys, stream: str, tip: Tip, table: Table) -> None:
    """Keep a snapshot of a table as it stands at a place of its log."""
    body = keys.stamped(write_state(table), _about(stream, *tip))
    store.keep(stream, Snapshot(tip.version, tip.hash, body))


def replayed(store: Store, keys: Keys, stream: str) -> tuple[Table, Tip, int]:
    """A table from its log, the log's end, and the version of the snapshot that it started from."""
    table, since = _kept_state(store, keys, stream) or (Table(), chain.start(stream))
    last = since
    kept = since.version

    def bodies() -> Iterator[bytes]:
        nonlocal last
        for entry in chain.verified(store.read(stream, since.version), since):
            last = Tip(entry.version, entry.hash)
            yield entry.body

    table = fold(bodies(), table)
    return table, last, kept


def _kept_state(store: Store, keys: Keys, stream: str) -> tuple[Table, Tip] | None:
    """The table of a snapshot that this floor has kept, and where it was kept; the log must hold that place."""
    snapshot = store.snapshot(stream)
    if snapshot is None:
        return None
    version, hash_, body = snapshot
    known = keys.unstamped(body, _about(stream, version, hash_))
    state = read_state(known) if known else None
    if state is None:
        return None
    at = next(iter(store.read(stream, version - 1)), None)
    if at is None or (at.version, at.hash) != (version, hash_):
        raise BrokenChain(f"{stream}: entry {version} is not what it was when the table was last kept", version)
    return state, Tip(version, hash_)


def _about(stream: str, version: int, hash_: Hash) -> bytes:
    """What a snapshot is of."""
    return f"{stream}\n{version}\n".encode() + hash_
