"""An event store on a simulated disk: the contract of every store, and the faults that real ones have."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Protocol

from punto.casino.disk import DiskFull, SyncFailed
from punto.casino.journal import Journal, Record
from punto.errors import OutcomeUnknown, PuntoError, StoreGone
from punto.store.batch import (
    check_addition,
    check_before,
    check_commands,
    check_dossier,
    check_fences,
    check_name,
    check_names,
    follow,
    streams_of,
)
from punto.store.contract import Dossier, DossierChange, Entry, Fault, Row, Snapshot, StoredRow, Tip


class Fate(Protocol):
    """What happens to a process around its transactions."""

    def moment(self, what: str) -> None:
        """A point between two steps: the process may die here, or the machine."""

    def is_prompt(self) -> bool:
        """Whether what is sent is written at once."""

    def loses_answer(self) -> bool:
        """Whether the answer to a commit is lost, which was made nevertheless."""

    def written(self, entries: list[Row]) -> None:
        """A transaction is durable."""

    def claimed(self, name: str, epoch: int) -> None:
        """A name was claimed."""


class Uneventful:
    """Nothing ever happens."""

    def moment(self, what: str) -> None:
        """Nothing."""

    def is_prompt(self) -> bool:
        """Always."""
        return True

    def loses_answer(self) -> bool:
        """Never."""
        return False

    def written(self, entries: list[Row]) -> None:
        """Nobody asks."""

    def claimed(self, name: str, epoch: int) -> None:
        """Nobody asks."""


class Late:
    """Entries that are written at one moment, and whose writer is told of it at another."""

    def __init__(self, write: Callable[[], None]) -> None:
        self._write = write
        self._error: PuntoError | None = None
        self._is_written = False

    def write(self) -> None:
        """Write them, once."""
        if not self._is_written:
            self._is_written = True
            try:
                self._write()
            except PuntoError as error:
                self._error = error

    def wait(self) -> None:
        """Write them unless they are written, and say what came of it."""
        self.write()
        if self._error is not None:
            raise self._error


class DiskStore:
    """One process's way to the journal of its machine."""

    def __init__(self, journal: Journal, fate: Fate | None = None) -> None:
        self._journal = journal
        self._fate = fate or Uneventful()
        self.is_closed = False
        # Whether fences are not looked at: a fault that is planted.
        self.has_no_fences = False

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        """Write all entries or none, and return when they are durable."""
        rows = [*entries]
        check_names(rows)
        journal = self._journal
        with journal.lock:
            self._check()
            if not self.has_no_fences:
                check_fences(fences, journal.epochs)
            tips = ((stream, journal.tip(stream)) for stream in streams_of(rows))
            follow(rows, {stream: tip.version for stream, tip in tips if tip})
            check_commands(rows, journal.commands.get)
            self._write(Record(rows))
            self._fate.written(rows)
        if rows and self._fate.loses_answer():
            raise OutcomeUnknown("disk: the answer was lost: it is not known whether it was written")
        self._fate.moment("before it is answered")

    def send(self, entries: Iterable[Row], fences: Mapping[str, int]) -> "Late":
        """Begin to write: the disk gets round to it at once, or only when somebody waits."""
        late = Late(partial(self.append, [*entries], fences))
        if self._fate.is_prompt():
            late.write()
        return late

    def _write(self, record: Record) -> None:
        try:
            self._journal.write(record, self._fate.moment)
        except DiskFull:
            raise StoreGone("disk: there is no more room: nothing was written") from None
        except SyncFailed:
            raise OutcomeUnknown("disk: does not answer: it is not known whether it was written") from None

    def read(self, stream: str, after: int = 0) -> Iterator[Entry]:
        """The entries of a stream after a version."""
        with self._journal.lock:
            self._check()
            entries = self._journal.after(stream, after)
        yield from entries

    def tip(self, stream: str) -> Tip | None:
        """The end of a stream."""
        self._check()
        return self._journal.tip(stream)

    def streams(self, prefix: str = "") -> Iterator[tuple[str, Tip]]:
        """Every stream whose name begins so, with its end, by name."""
        with self._journal.lock:
            self._check()
            found = [(name, self._journal.tip(name)) for name in self._journal.names(prefix)]
        for name, tip in found:
            assert tip is not None, "a stream has an entry"
            yield name, tip

    def find(self, command: str) -> Entry | None:
        """The first entry of a command."""
        self._check()
        return self._journal.commands.get(command)

    def claim(self, name: str) -> int:
        """Become the owner of a name."""
        check_name(name)
        with self._journal.lock:
            self._check()
            epoch = self._journal.epochs.get(name, 0) + 1
            self._write(Record(epochs={name: epoch}))
            self._fate.claimed(name, epoch)
        return epoch

    def epoch(self, name: str) -> int:
        """The epoch under which a name is held."""
        self._check()
        return self._journal.epochs.get(name, 0)

    def keep(self, stream: str, snapshot: Snapshot) -> None:
        """Keep a snapshot in place of the one before."""
        check_name(stream)
        with self._journal.lock:
            self._check()
            self._write(Record(snapshots={stream: (snapshot.version, snapshot.hash, snapshot.body)}))

    def snapshot(self, stream: str) -> Snapshot | None:
        """The snapshot of a stream."""
        self._check()
        return self._journal.snapshots.get(stream)

    def beyond(self, stream: str, end: int) -> Iterator[StoredRow]:
        """The entries of a stream after that one; no other rows can be here."""
        return map(StoredRow._make, self.read(stream, end))

    def prune(self, ends: Mapping[str, int], entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        """Remove what lies after these ends, and append entries."""
        rows = [*entries]
        check_names(rows)
        journal = self._journal
        with journal.lock:
            self._check()
            check_fences(fences, journal.epochs)
            tips = {stream: tip.version for stream in streams_of(rows) if (tip := journal.tip(stream))}
            follow(rows, {stream: min(end, ends.get(stream, end)) for stream, end in tips.items()})
            self._write(Record(rows, ends=dict(ends)))

    def add_to_dossier(self, person: str, more: Dossier, fences: Mapping[str, int]) -> None:
        """Keep more about a person."""
        check_dossier(person, more)
        journal = self._journal
        with journal.lock:
            self._check()
            check_fences(fences, journal.epochs)
            there = journal.dossiers.get(person)
            check_addition(person, there, more)
            rows = {**(there.rows if there else {}), **more.rows}
            self._write(Record(dossiers={person: (more.key, rows)}))

    def dossier(self, person: str, ref: str = "") -> Dossier | None:
        """What is kept about a person, or the row of one reference."""
        self._check()
        found = self._journal.dossiers.get(person)
        if found is None or not ref:
            return found
        return Dossier(found.key, {ref: found.rows[ref]} if ref in found.rows else {})

    def persons(self) -> Iterator[str]:
        """Everybody about whom something is kept."""
        with self._journal.lock:
            self._check()
            return iter(sorted(self._journal.dossiers))

    def change_dossiers(self, changes: Iterable[DossierChange], fences: Mapping[str, int]) -> None:
        """Put other dossiers in the place of what is kept, or none; the journal itself forgets nothing."""
        changes = [*changes]
        journal = self._journal
        with journal.lock:
            self._check()
            check_fences(fences, journal.epochs)
            for person, before, _ in changes:
                check_before(person, journal.dossiers.get(person), before)
            left = {person: (after.key, dict(after.rows)) if after else None for person, _, after in changes}
            self._write(Record(dossiers=left))

    def scrub(self) -> bool:
        """A simulated disk has nothing to hide."""
        return True

    def faults(self) -> list[Fault]:
        """What is wrong with the store itself: whether commands lead to the entries that they began."""
        journal = self._journal
        with journal.lock:
            self._check()
            led = {each.command: each for entries in journal.streams.values() for each in entries if each.command}
            return [] if led == journal.commands else [Fault("commands lead to other entries than theirs", hidden=True)]

    def close(self) -> None:
        """Take nothing more."""
        self.is_closed = True

    def _check(self) -> None:
        if self.is_closed:
            raise StoreGone("disk: the store is closed")
        self._journal.disk.check()
