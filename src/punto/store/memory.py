"""An event store in memory, for trying things out: it promises everything but to outlive its process."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock

from punto.errors import StoreGone
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


class MemoryStore:
    """An event store in memory."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._streams: dict[str, list[Entry]] = {}
        self._commands: dict[str, Entry] = {}
        self._epochs: dict[str, int] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self._dossiers: dict[str, Dossier] = {}
        self._closed = False

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        """Write all entries or none."""
        entries = list(entries)
        check_names(entries)
        with self._writing():
            check_fences(fences, self._epochs)
            follow(entries, {stream: len(self._streams.get(stream, ())) for stream in streams_of(entries)})
            check_commands(entries, self._commands.get)
            for entry in map(Entry._make, entries):
                self._streams.setdefault(entry.stream, []).append(entry)
                if entry.command is not None:
                    self._commands[entry.command] = entry

    def read(self, stream: str, after: int = 0) -> Iterator[Entry]:
        """The entries of a stream after a version."""
        with self._lock:  # never between two entries of a batch
            entries = self._streams.get(stream, [])[after:]
        yield from entries

    def tip(self, stream: str) -> Tip | None:
        """The end of a stream."""
        entries = self._streams.get(stream)
        return Tip(entries[-1].version, entries[-1].hash) if entries else None

    def streams(self, prefix: str = "") -> Iterator[tuple[str, Tip]]:
        """Every stream whose name begins so, with its end, by name."""
        with self._lock:
            last = [self._streams[stream][-1] for stream in sorted(self._streams) if stream.startswith(prefix)]
        for entry in last:
            yield entry.stream, Tip(entry.version, entry.hash)

    def find(self, command: str) -> Entry | None:
        """The first entry of a command."""
        return self._commands.get(command)

    def claim(self, name: str) -> int:
        """Become the owner of a name."""
        check_name(name)
        with self._writing():
            self._epochs[name] = self._epochs.get(name, 0) + 1
            return self._epochs[name]

    def epoch(self, name: str) -> int:
        """The epoch under which a name is held."""
        return self._epochs.get(name, 0)

    def keep(self, stream: str, snapshot: Snapshot) -> None:
        """Keep a snapshot in place of the one before."""
        check_name(stream)
        with self._writing():
            self._snapshots[stream] = snapshot

    def snapshot(self, stream: str) -> Snapshot | None:
        """The snapshot of a stream."""
        return self._snapshots.get(stream)

    def beyond(self, stream: str, end: int) -> Iterator[StoredRow]:
        """The entries of a stream after that one; no other rows can be here."""
        return map(StoredRow._make, self.read(stream, end))

    def prune(self, ends: Mapping[str, int], entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        """Remove what lies after these ends, and append entries."""
        entries = list(entries)
        with self._writing():
            check_fences(fences, self._epochs)
            for stream, end in ends.items():
                for entry in self._streams.get(stream, [])[end:]:
                    self._commands.pop(entry.command or "", None)
                self._streams[stream] = self._streams.get(stream, [])[:end]
                if not self._streams[stream]:
                    del self._streams[stream]
        self.append(entries, fences)

    def add_to_dossier(self, person: str, more: Dossier, fences: Mapping[str, int]) -> None:
        """Keep more about a person."""
        check_dossier(person, more)
        with self._writing():
            check_fences(fences, self._epochs)
            there = self._dossiers.get(person)
            check_addition(person, there, more)
            rows = {**(there.rows if there else {}), **more.rows}
            self._dossiers[person] = Dossier(more.key, dict(sorted(rows.items())))

    def dossier(self, person: str, ref: str = "") -> Dossier | None:
        """What is kept about a person, or the row of one reference."""
        found = self._dossiers.get(person)
        if found is None or not ref:
            return found
        return Dossier(found.key, {ref: found.rows[ref]} if ref in found.rows else {})

    def persons(self) -> Iterator[str]:
        """Everybody about whom something is kept."""
        return iter(sorted(self._dossiers))

    def change_dossiers(self, changes: Iterable[DossierChange], fences: Mapping[str, int]) -> None:
        """Put other dossiers in the place of what is kept, or none."""
        changes = list(changes)
        with self._writing():
            check_fences(fences, self._epochs)
            for person, before, _ in changes:
                check_before(person, self._dossiers.get(person), before)
            for person, _, after in changes:
                if after is None:
                    del self._dossiers[person]
                else:
                    self._dossiers[person] = after

    def scrub(self) -> bool:
        """Nothing is left in memory that nobody refers to."""
        return True

    def faults(self) -> list[Fault]:
        """What is wrong with the store itself: whether commands lead to the entries that they began."""
        with self._lock:
            led = {each.command: each for entries in self._streams.values() for each in entries if each.command}
            return [] if led == self._commands else [Fault("commands lead to other entries than theirs", hidden=True)]

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock:
            if self._closed:
                raise StoreGone("memory: is closed")
            yield

    def close(self) -> None:
        """Take nothing more."""
        self._closed = True
