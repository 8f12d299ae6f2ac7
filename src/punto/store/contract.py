"""What every event store promises, whatever it is built on.

A store holds *streams*: named, append-only lists of entries, each version one more than the last. It knows nothing of
what the entries mean. One call to `append` is one transaction, over as many streams as it takes; when it returns, the
entries are durable, and when it raises, none of them is there. One error leaves that open: after `OutcomeUnknown` the
commit may have been made, or may yet be made, and its answer was lost. A later claim of a name among its fences ends
that: after it, `find` tells for good by the command whether it was.

Names of streams and owners and ids of commands are printable text of 1 to 200 characters, and sort by code point.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple, Protocol

Hash = bytes

# The epoch under which a name is held if what is written there is no epoch. No claim gives it, so that whoever has
# claimed the name is fenced off until it is claimed anew. It is even, as while nobody rotates the floor's key.
GARBLED: Final = 2**62

# How many entries a store reads at a time.
PAGE: Final = 500


# An entry as plain values, for who writes many of them.
Row = tuple[str, int, str | None, bytes, Hash]


class Entry(NamedTuple):
    """One entry of a stream, as it is stored.

    *command* is the id of the command that caused it, on the first entry of each command only, and unique in the
    store; *hash* chains the entry to the one before (see `punto.store.chain`).
    """

    stream: str
    version: int
    command: str | None
    body: bytes
    hash: Hash


# A value as a database has it: SQLite takes any type in any column. Text that is no UTF-8 has half letters in it.
Value = int | float | str | bytes | None


class StoredRow(NamedTuple):
    """A row as the database has it, whether it is an entry or not."""

    stream: str
    version: Value
    command: Value
    body: Value
    hash: Value


class Tip(NamedTuple):
    """Where a stream ends: its last version and hash."""

    version: int
    hash: Hash


class Snapshot(NamedTuple):
    """A state worked out from a stream up to a version; it can always be thrown away."""

    version: int
    hash: Hash
    body: bytes


class Dossier(NamedTuple):
    """What is kept about a person outside all streams: a key, and what is sealed under it, by reference.

    A store knows nothing of what either means. Unlike entries, a dossier can be erased.
    """

    key: bytes
    rows: Mapping[str, bytes]


class DossierChange(NamedTuple):
    """What takes the place of a dossier: another one, or none."""

    person: str
    before: Dossier
    after: Dossier | None = None


class Fault(NamedTuple):
    """What a store finds wrong with itself.

    *hidden* where whoever reads by an index does not see it; *declared* where something is declared as no store does.
    """

    said: str
    hidden: bool = False
    declared: bool = False


class Sending(Protocol):
    """Entries that are being written."""

    def wait(self) -> None:
        """Wait until the entries are durable; raises what `append` raises."""


class Store(Protocol):
    """An event store. One thread at a time writes; reading is allowed from any thread."""

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        """Write all entries or none, and return when they are durable.

        They may still be in the making: a store is free to write the first ones before the last one has come. What is
        raised while they are made undoes the transaction; whoever makes them may read the store, but not write to it.

        Raises, in this order, `Fenced` when a name of *fences* is not held under its epoch, `StaleVersion` when a
        stream does not end just before its first entry here, `KnownCommand` when the id of a command is already there.
        """

    def read(self, stream: str, after: int = 0) -> Iterator[Entry]:
        """The entries of a stream after a version, in order, as they are stored: nothing is checked.

        They are read a page at a time; what is appended meanwhile may come too.
        """

    def tip(self, stream: str) -> Tip | None:
        """The end of a stream; none when it has no entry."""

    def streams(self, prefix: str = "") -> Iterator[tuple[str, Tip]]:
        """Every stream whose name begins so, with its end, by name."""

    def find(self, command: str) -> Entry | None:
        """The first entry of a command."""

    def claim(self, name: str) -> int:
        """Become the owner of a name: the new epoch, with which every earlier owner is fenced off.

        That is the next number; in place of a garbled epoch it is one that no process holds.
        """

    def epoch(self, name: str) -> int:
        """The epoch under which a name is held; 0 where nobody has claimed it, `GARBLED` where it is no epoch."""

    def keep(self, stream: str, snapshot: Snapshot) -> None:
        """Keep a snapshot in place of the one before; it need not be durable.

        The one before may be newer: somebody may have put it there who can write to the database.
        """

    def snapshot(self, stream: str) -> Snapshot | None:
        """The snapshot of a stream, if one is kept."""

    def beyond(self, stream: str, end: int) -> Iterator[StoredRow]:
        """The rows of a stream that are none of its entries 1 to *end*, each value as the database has it.

        Beside the entries after *end* these are the rows whose version is less than 1, or no whole number.
        """

    def prune(self, ends: Mapping[str, int], entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        """Remove what lies beyond these ends of streams, as `beyond` gives it, and append entries, in one transaction.

        Nothing but a repair does this, of what nobody has signed. `StoreLocked` while anybody else has the store open.
        """

    def add_to_dossier(self, person: str, more: Dossier, fences: Mapping[str, int]) -> None:
        """Keep more about a person, and return when it is durable.

        Raises `Fenced` as `append` does, and `StaleVersion` when another key is there, or a reference is.
        """

    def dossier(self, person: str, ref: str = "") -> Dossier | None:
        """What is kept about a person, at one moment, or of that the row of one reference; none without anything."""

    def persons(self) -> Iterator[str]:
        """Everybody about whom something is kept, by name."""

    def change_dossiers(self, changes: Iterable[DossierChange], fences: Mapping[str, int]) -> None:
        """Put other dossiers in the place of what is kept, or none: all of them or nothing, and durably.

        Raises `Fenced` as `append` does, and `StaleVersion` when a dossier is not as it was *before*. What is gone is
        overwritten where the store has files of its own; `scrub` gets rid of the rest.
        """

    def scrub(self) -> bool:
        """Leave nothing in the store's own files of what was erased; whether that is done, or is to be tried again."""

    def faults(self) -> list[Fault]:
        """What is wrong with the store itself at this moment, looked at by every way to its rows.

        It reads all that is there. What the entries say is not judged here.
        """

    def close(self) -> None:
        """Let go of files and connections."""


class SendingStore(Store, Protocol):
    """An event store that writes while its caller does something else."""

    def send(self, entries: Iterable[Row], fences: Mapping[str, int]) -> Sending:
        """Begin to do what `append` does; the entries are durable once they were waited for.

        Until then the caller writes nothing else, and does not read what they change. What `append` raises comes now or
        while the caller waits.
        """
