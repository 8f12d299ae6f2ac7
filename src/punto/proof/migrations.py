"""Migrations: a store whose heads are of the old kind, signed over once more by a writer.

The old entries stay as they are. The migrating writer's heads cover them in steps, so that every stream can be read
from any of those steps. An entry of its own says who migrated the store, and pins the ids of commands, which the old
hash did not cover.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

import msgspec
from msgspec import Struct

from punto.errors import Corrupt
from punto.proof.heads import read_head
from punto.proof.writers import HEADS
from punto.store.contract import Entry, Store

MIGRATIONS: Final = "migrations"


class Migration(Struct, frozen=True):
    """A store was migrated: by whom, which writer signed it over, and the digest of each stream's ids of commands."""

    at_ms: int
    by: str
    writer: str
    old_heads: int
    commands: dict[str, str]


_DECODER: Final = msgspec.json.Decoder(Migration)


def read_migration(body: bytes) -> Migration:
    """A migration as it was stored; `Corrupt` where it cannot be one."""
    try:
        return _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"a migration that does not read: {error}") from None


class CommandsDigest:
    """A digest of the ids of commands in a stream, each with the version that it stands at."""

    def __init__(self) -> None:
        self._digest = sha256(b"punto commands 1\0")

    def add(self, entry: Entry) -> None:
        """Take the next entry."""
        if entry.command is not None:
            self._digest.update(f"{entry.version} {entry.command}\n".encode("utf-8", "surrogatepass"))

    def text(self) -> str:
        """The digest so far, in hexadecimal."""
        return self._digest.hexdigest()


def migrating_writers(store: Store) -> Iterator[str]:
    """The writers that have signed an older record over."""
    for entry in store.read(MIGRATIONS):
        try:
            writer = read_migration(entry.body).writer
        except Corrupt:
            continue  # the audit tells it where it reads the stream
        yield writer


def marks_of(store: Store) -> dict[str, list[int]]:
    """The versions at which migrating writers have signed each stream, in order."""
    marks: dict[str, set[int]] = {}
    for writer in migrating_writers(store):
        for head in store.read(HEADS + writer, 1):
            try:
                moves = read_head(head.body).moved
            except Corrupt:
                continue
            for stream, move in moves.items():
                marks.setdefault(stream, set()).add(move.after.version)
    return {stream: sorted(versions) for stream, versions in marks.items()}
