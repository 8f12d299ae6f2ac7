"""A journal on a simulated disk: the one file that all processes of a machine share, as a database would.

Every transaction is one record: its length, its number, a checksum and its contents, padded to whole sectors. Whoever
opens the journal after a crash reads records until the first that is not whole. Where the journal ends, the processes
of a machine keep in memory they share, so that a record whose sync failed is seen by nobody while one of them lives,
and may be found whole after all of them have died, as with SQLite's log.
"""

import struct
from bisect import bisect_right
from collections.abc import Callable, Iterator
from threading import RLock
from typing import Final, NamedTuple
from zlib import crc32

import msgspec

from punto.casino.disk import SECTOR, Disk
from punto.store.contract import Dossier, Entry, Row, Snapshot, Tip

_HEADER: Final = struct.Struct("!4sQII")
_MARK: Final = b"jrnl"


class Record(msgspec.Struct, array_like=True):
    """One transaction: entries, epochs that were claimed, snapshots, where streams were cut before, dossiers."""

    entries: list[Row] = []
    epochs: dict[str, int] = {}
    snapshots: dict[str, tuple[int, bytes, bytes]] = {}
    ends: dict[str, int] = {}
    # What is kept about people after it; none of somebody who was erased.
    dossiers: dict[str, tuple[bytes, dict[str, bytes]] | None] = {}


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(Record)


class Contents(NamedTuple):
    """All that a journal holds: whoever can write to a database can take this and put back another."""

    entries: list[Entry]
    epochs: dict[str, int]
    snapshots: dict[str, Snapshot]
    dossiers: dict[str, Dossier]


# At which point of a transaction something may happen, before the next one.
Moment = Callable[[str], None]


class Journal:
    """What the processes of a machine know of their journal."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self.lock = RLock()
        self.open()

    def open(self) -> None:
        """Read the journal anew, as the first process after a crash does."""
        self.streams: dict[str, list[Entry]] = {}
        self.commands: dict[str, Entry] = {}
        self.epochs: dict[str, int] = {}
        self.snapshots: dict[str, Snapshot] = {}
        self.dossiers: dict[str, Dossier] = {}
        self._end = 0
        self._number = 0
        while (found := self._read(self._end, self._number + 1)) is not None:
            record, size = found
            self._apply(record)
            self._number += 1
            self._end += size

    def history(self) -> "Iterator[dict[str, list[Entry]]]":
        """The streams after each transaction that moved any of them."""
        past = Journal.__new__(Journal)
        past.streams, past.commands, past.epochs, past.snapshots = {}, {}, {}, {}
        start = number = 0
        while (found := self._read(start, number + 1)) is not None:
            record, size = found
            past._apply(record)  # noqa: SLF001 (a journal, too)
            start, number = start + size, number + 1
            if record.entries or record.ends:
                yield {stream: list(entries) for stream, entries in past.streams.items() if entries}

    def _read(self, start: int, number: int) -> tuple[Record, int] | None:
        """The record that begins there, and its size; none where no whole record does."""
        disk = self.disk
        header = disk.read(start, _HEADER.size)
        if len(header) < _HEADER.size:
            return None
        mark, found, length, check = _HEADER.unpack(header)
        body = disk.read(start + _HEADER.size, length)
        if (mark, found, len(body)) != (_MARK, number, length) or crc32(body, number & 0xFFFF) != check:
            return None
        return _DECODER.decode(body), _padded(_HEADER.size + length)

    def write(self, record: Record, moment: Moment) -> None:
        """Write a record and sync it; between the steps *moment* is told, and may let the process die there."""
        body = _ENCODER.encode(record)
        number = self._number + 1
        whole = _HEADER.pack(_MARK, number, len(body), crc32(body, number & 0xFFFF)) + body
        size = _padded(len(whole))
        moment("before it is written")
        half = size // SECTOR // 2 * SECTOR
        data = whole.ljust(size, b"\0")
        if half:
            self.disk.write(self._end, data[:half])
            moment("half written")
        self.disk.write(self._end + half, data[half:])
        moment("before it is synced")
        self.disk.sync()
        self._number = number
        self._end += size
        self._apply(record)

    def _apply(self, record: Record) -> None:
        for stream, end in record.ends.items():
            self._cut(stream, end)
        for row in record.entries:
            entry = Entry._make(row)
            self._put(entry)
        self.epochs |= record.epochs
        for stream, kept in record.snapshots.items():
            self.snapshots[stream] = Snapshot._make(kept)
        for person, dossier in record.dossiers.items():
            if dossier is None:
                self.dossiers.pop(person, None)
            else:
                self.dossiers[person] = Dossier._make(dossier)

    def _cut(self, stream: str, end: int) -> None:
        for entry in self.after(stream, end):
            self.commands.pop(entry.command or "", None)
        left = [entry for entry in self.streams.pop(stream, []) if entry.version <= end]
        if left:
            self.streams[stream] = left

    def _put(self, entry: Entry) -> None:
        entries = self.streams.setdefault(entry.stream, [])
        entries.append(entry)
        if entry.command is not None:
            self.commands[entry.command] = entry

    # What is there

    def after(self, stream: str, version: int) -> list[Entry]:
        """The entries of a stream after a version."""
        entries = self.streams.get(stream, [])
        if version < len(entries) and (not version or entries[version - 1].version == version):
            return entries[version:]
        return entries[bisect_right(entries, version, key=_version) :]

    def tip(self, stream: str) -> Tip | None:
        """The end of a stream."""
        entries = self.streams.get(stream)
        return Tip(entries[-1].version, entries[-1].hash) if entries else None

    def names(self, prefix: str) -> Iterator[str]:
        """The streams whose names begin so, in order."""
        return iter(sorted(stream for stream in self.streams if stream.startswith(prefix)))

    # Whoever writes to the database past the store

    def contents(self) -> Contents:
        """All that is there."""
        entries = [entry for stream in self.streams.values() for entry in stream]
        return Contents(entries, dict(self.epochs), dict(self.snapshots), dict(self.dossiers))

    def replace(self, contents: Contents) -> None:
        """Put something else in place of all that is there, durably."""
        rows: list[Row] = [*sorted(contents.entries, key=lambda entry: (entry.stream, entry.version))]
        self.disk.write(0, bytes(_padded(self.disk.size)))
        self.streams, self.commands, self.epochs, self.snapshots = {}, {}, {}, {}
        self.dossiers = {}
        self._end = self._number = 0
        self.write(
            Record(
                rows,
                contents.epochs,
                {name: (kept.version, kept.hash, kept.body) for name, kept in contents.snapshots.items()},
                dossiers={name: (kept.key, dict(kept.rows)) for name, kept in contents.dossiers.items()},
            ),
            _quiet,
        )


def _quiet(_: str) -> None:
    """Nothing happens."""


def _version(entry: Entry) -> int:
    return entry.version


def _padded(size: int) -> int:
    return -(-size // SECTOR) * SECTOR
