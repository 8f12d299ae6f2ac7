"""A table from its history, or from a snapshot that this floor has kept of it and the history since.

A snapshot is stamped with the floor's key, together with its place in the log: one that was altered, moved, or made by
somebody else is passed over, and the table is worked out from its first event.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

import msgspec

from punto.errors import Corrupt, named
from punto.floor.acceptedids import MOST_IDS
from punto.floor.history import History
from punto.ledger import TableMeters
from punto.store.chain import start
from punto.store.contract import Entry, Hash, Snapshot, Tip
from punto.table import Table, evolve
from punto.table.log import DECODER, read_state, write_state

_METERS: Final = msgspec.json.Decoder(TableMeters)
_ENCODER: Final = msgspec.json.Encoder()
_SIZE: Final = 8


class Replayed(NamedTuple):
    """A table as its history leaves it: where the history ends, when its last command was given, and its meters."""

    table: Table
    tip: Tip
    at_ms: int
    meters: TableMeters
    # The version of the snapshot that it was worked out from; 0 without one.
    kept: int
    # Of the last entries since then, the id of the command that begins there.
    commands: Collection[str | None] = ()


def keep(history: History, stream: str, state: Replayed) -> None:
    """Keep a snapshot of a table as it stands at a place of its log."""
    table, meters = write_state(state.table), _ENCODER.encode(state.meters)
    body = state.at_ms.to_bytes(_SIZE) + len(table).to_bytes(_SIZE) + table + meters
    keep_body(history, stream, state.tip, body)


def keep_body(history: History, stream: str, tip: Tip, body: bytes) -> None:
    """Keep a snapshot of whatever was worked out from a stream up to a place."""
    history.store.keep(stream, Snapshot(*tip, history.keys.stamped(body, _about(stream, *tip))))


def replayed(history: History, stream: str) -> Replayed:
    """A table from its history; `StreamStopped` where the store does not hold what was signed."""
    history.coverage.check(stream)
    return _since(history, stream, _kept(history, stream) or Replayed(Table(), start(stream), 0, TableMeters(), 0))


def as_signed(history: History, stream: str) -> Table | None:
    """A stopped table as far as its history was signed, whatever lies beyond; none where that part is damaged, too."""
    try:
        state = _kept(history, stream) or Replayed(Table(), start(stream), 0, TableMeters(), 0)
        return _folded(stream, state, history.coverage.read(stream, state.tip.version)).table
    except Corrupt:
        return None


def _since(history: History, stream: str, state: Replayed) -> Replayed:
    """A state, and all that has happened after it."""
    count = history.end(stream).version - state.tip.version
    entries = history.read(stream, state.tip.version)
    commands: deque[str | None] = deque(maxlen=MOST_IDS)
    # Of the last entries the ids are noted, too.
    state = _folded(stream, state, islice(entries, max(0, count - MOST_IDS)))
    return _folded(stream, state, _noted(entries, commands))._replace(commands=commands)


def _noted(entries: Iterable[Entry], commands: deque[str | None]) -> Iterator[Entry]:
    for entry in entries:
        commands.append(entry.command)
        yield entry


def _folded(stream: str, state: Replayed, entries: Iterable[Entry]) -> Replayed:
    table, meters, logged = state.table, state.meters, None
    decode, count = DECODER.decode, meters.add
    entry: Entry | None = None
    try:
        for entry in entries:
            logged = decode(entry.body)
            event = logged.event
            table = evolve(table, event)
            count(event)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        at = entry.version if entry else 0
        raise Corrupt(f"{named(stream)}: an event that does not read: {error}", at) from None
    if entry is None or logged is None:
        return state
    return state._replace(table=table, tip=Tip(entry.version, entry.hash), at_ms=logged.at_ms)


def _kept(history: History, stream: str) -> Replayed | None:
    """The state of a snapshot that this floor has kept, if it is of a place that the history leads through."""
    kept = kept_body(history, stream)
    return _read(kept[1], kept[0]) if kept else None


def kept_body(history: History, stream: str) -> tuple[Tip, bytes] | None:
    """A snapshot that this floor has kept, and the place of the stream that it is of."""
    snapshot = history.store.snapshot(stream)
    if snapshot is None:
        return None
    version, hash_, stamped = snapshot
    body = history.keys.unstamped(stamped, _about(stream, version, hash_))
    if body is None:
        return None
    at = next(history.coverage.read(stream, version - 1, version), None)
    if at is None or at.hash != hash_:
        raise history.coverage.stop(stream, f"entry {version} is not what it was when a snapshot was last kept")
    return Tip(version, hash_), body


def _read(body: bytes, tip: Tip) -> Replayed | None:
    """What a snapshot holds; none where it is of another make."""
    at_ms, size = int.from_bytes(body[:_SIZE]), int.from_bytes(body[_SIZE : 2 * _SIZE])
    table = read_state(body[2 * _SIZE : 2 * _SIZE + size])
    try:
        meters = _METERS.decode(body[2 * _SIZE + size :])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return Replayed(table, tip, at_ms, meters, tip.version) if table is not None else None


def _about(stream: str, version: int, hash_: Hash) -> bytes:
    """What a snapshot is of."""
    return f"{stream}\n{version}\n".encode() + hash_
