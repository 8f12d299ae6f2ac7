"""Seals: a gaming day that is over, with one digest for each stream that moved in it.

A seal names the checkpoint that covers the day's heads. Whoever trusts the checkpoint and the seal checks a day of a
stream by one digest over its rows.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import islice
from typing import Final

import msgspec
from msgspec import Struct

from punto.errors import Corrupt, named
from punto.proof.heads import Head, read_head
from punto.proof.writers import HEADS
from punto.store.chain import leads
from punto.store.contract import Entry, Hash, Store, Tip

SEALS: Final = "seals"
# So many heads are read at a time when a day's end is looked for.
_PAGE: Final = 200


class SealedStream(Struct, frozen=True, array_like=True):
    """What a stream got in a day: its first and last version, the last entry's hash, and the digest over all rows."""

    first: int
    last: int
    hash: bytes
    digest: bytes


class Seal(Struct, frozen=True):
    """A gaming day that is over: all that was signed from one moment to another.

    *checkpoint* is the number of the checkpoint that covers it, and *size* and *root* are what that says.
    """

    day: str
    at_ms: int
    since_ms: int
    until_ms: int
    checkpoint: int
    size: int
    root: bytes
    streams: dict[str, SealedStream]


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Seal)
_PACK: Final = msgspec.msgpack.Encoder().encode


def write_seal(seal: Seal) -> bytes:
    """A seal, as it is stored."""
    return _ENCODER.encode(seal)


def read_seal(body: bytes) -> Seal:
    """A seal as it was stored; `Corrupt` where it cannot be one."""
    try:
        return _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"a seal that does not read: {error}") from None


class RowsDigest:
    """The digest over the rows of a stream in a day, in order."""

    def __init__(self, stream: str) -> None:
        self._digest = sha256(_PACK(("punto day 1", stream)))
        self.last = Tip(0, b"")

    def add(self, entry: Entry) -> None:
        """Take the next row."""
        self._digest.update(_PACK((entry.version, entry.command, entry.body, entry.hash)))
        self.last = Tip(entry.version, entry.hash)

    def value(self) -> Hash:
        """The digest so far."""
        return self._digest.digest()


def sealed_stream(stream: str, first: int, entries: Iterator[Entry]) -> SealedStream:
    """What a stream got, from its rows."""
    digest = RowsDigest(stream)
    for entry in entries:
        digest.add(entry)
    return SealedStream(first, digest.last.version, digest.last.hash, digest.value())


def heads_since(store: Store, stream: str, end: Tip, moment_ms: int) -> Iterator[Head]:
    """A writer's heads of that moment and after, the last one first; they lead to the end that is believed."""
    until = end
    while until.version > 1:
        after = max(0, until.version - _PAGE)
        page = list(islice(store.read(stream, after), until.version - after))
        if not page or not leads(page[1:], Tip(page[0].version, page[0].hash), until):
            raise Corrupt(f"{named(stream)}: heads up to {until.version} are not those that were believed", after + 1)
        for entry in reversed(page[1:]):
            head = read_head(entry.body)
            if head.statement.at_ms < moment_ms:
                return
            yield head
        until = Tip(page[0].version, page[0].hash)


def ends_at(
    store: Store, heads: Mapping[str, Tip], ends: Mapping[str, Tip], moment_ms: int
) -> tuple[dict[str, Tip], dict[str, int]]:
    """Where streams ended at a moment, and the last head of each writer before it."""
    found = dict(ends)
    numbers = {stream: end.version for stream, end in heads.items()}
    for writer, end in heads.items():
        for head in heads_since(store, writer, end, moment_ms):
            numbers[HEADS + head.statement.writer] = head.statement.number - 1
            for stream, move in head.moved.items():
                if stream in found and move.before.version < found[stream].version:
                    found[stream] = move.before
    return found, numbers
