"""The ids of the latest accepted commands, with the place of each in the record: nobody can blank an id that is known.

A command is accepted once. The store says whether its id was there before, but whoever can write to the store can blank
an id. So the floor itself remembers the ids of its last hundred thousand commands. It learns them again when it reads a
table: from segments that it has stamped and kept, and from the signed entries after the last segment, where an id that
is gone breaks the chain. Segments can be thrown away: the entries say the same, and take longer to read. After a start
the ids of the last 200,000 entries are known: each table has an equal part, and what a short log leaves goes to others.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain, pairwise
from typing import Final

import msgspec
from msgspec import Struct

from punto.errors import PuntoError
from punto.floor.answers import Answer
from punto.floor.keys import Keys
from punto.store.contract import Snapshot, Store
from punto.table import AnyCommand

# So many ids are known at least; those before them are forgotten, as many at a time.
MOST_IDS: Final = 100_000
# So many entries are looked through when tables are read: a command has one or two.
_MOST_ENTRIES: Final = 2 * MOST_IDS
# A segment holds the ids of so many entries of a table's log at least, and so many of them are kept of each table.
_PER_SEGMENT: Final = 10_000
_SEGMENTS: Final = 24


class Segment(Struct, frozen=True, array_like=True):
    """The ids in a stretch of a table's log, each with the version of its command's first entry."""

    number: int
    after: int
    until: int
    ids: dict[str, int]


# Read(after, until): the versions of a table's signed entries, each with the id of the command that begins there.
Read = Callable[[int, int], Iterable[tuple[int, str | None]]]

_ENCODE: Final = msgspec.msgpack.Encoder().encode
_DECODER: Final = msgspec.msgpack.Decoder(Segment)


class AcceptedIds:
    """Where the latest accepted commands begin in the record, by id."""

    def __init__(self, store: Store, keys: Keys) -> None:
        self._store = store
        self._keys = keys
        # The latest ids, and those before them.
        self._places: dict[str, tuple[str, int]] = {}
        self._older: dict[str, tuple[str, int]] = {}
        # How far the log of each table was looked through, and the last segment that is kept of it.
        self._seen: dict[str, int] = {}
        self._last: dict[str, Segment] = {}

    def __contains__(self, id_: str) -> bool:
        return id_ in self._places or id_ in self._older

    def place(self, id_: str) -> tuple[str, int] | None:
        """The table of a command, and the version of its first entry in the table's log."""
        return self._places.get(id_) or self._older.get(id_)

    def add(self, accepted: Mapping[str, tuple[AnyCommand, Answer]]) -> None:
        """Commands were accepted, and are durable."""
        places = self._places
        for id_, (_, answer) in accepted.items():
            places[id_] = answer.table, answer.version - len(answer.events) + 1
            self._seen[answer.table] = answer.version
        self._forget()

    def learn(self, table: str, end: int, ends: Iterable[int], read: Read) -> None:
        """Know the ids of a table's log up to its end; *ends* are those of all tables, which share the memory."""
        if table not in self._seen:
            oldest = max(0, end - _share(ends))
            segments = [segment for segment in self._kept(table, end) if segment.until > oldest]
            number, after, until = 0, oldest, oldest
            if segments:
                number, after, until = segments[-1].number, segments[0].after, segments[-1].until
            if after > oldest:  # the segments before are gone
                self._take(table, read(oldest, after))
            for segment in segments:
                self._places.update((id_, (table, version)) for id_, version in segment.ids.items())
            self._seen[table], self._last[table] = until, Segment(number, 0, until, {})
        self._take(table, read(self._seen[table], end))
        self._seen[table] = end
        self._forget()

    def _take(self, table: str, commands: Iterable[tuple[int, str | None]]) -> None:
        places = self._places
        for version, id_ in commands:
            if id_ is not None:
                places[id_] = table, version

    def _forget(self) -> None:
        if len(self._places) > MOST_IDS:
            self._places, self._older = {}, self._places

    # Segments

    def file(self, table: str) -> None:
        """Keep a segment of a table's ids, once it has come far since the last one."""
        last, until = self._last.get(table), self._seen.get(table, 0)
        if last is None or until - last.until < _PER_SEGMENT:
            return
        ids = dict(reversed([*self._since(table, last.until)]))
        segment = Segment(last.number + 1, last.until, until, ids)
        with suppress(PuntoError):  # the entries say the same
            keep(self._store, self._keys, table, segment)
        self._last[table] = segment

    def _since(self, table: str, after: int) -> Iterator[tuple[str, int]]:
        """The ids of a table that begin after a version, the latest first."""
        for id_, (where, version) in chain(reversed(self._places.items()), reversed(self._older.items())):
            if where == table:
                if version <= after:
                    return
                yield id_, version

    def _kept(self, table: str, end: int) -> list[Segment]:
        """The segments of a table that follow on each other, up to the last one."""
        found = [each for slot in range(_SEGMENTS) if (each := self._read(table, slot)) and each.until <= end]
        found.sort(key=lambda segment: segment.until)
        first = max((place for place, (one, two) in enumerate(pairwise(found), 1) if one.until != two.after), default=0)
        return found[first:]

    def _read(self, table: str, slot: int) -> Segment | None:
        name = _name(table, slot)
        kept = self._store.snapshot(name)
        body = self._keys.unstamped(kept.body, name.encode()) if kept else None
        try:
            return _DECODER.decode(body) if body is not None else None
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None


def _share(ends: Iterable[int]) -> int:
    """How many entries of each log are looked through, so that they come to what there is room for."""
    room, lengths = _MOST_ENTRIES, sorted(ends)
    for place, length in enumerate(lengths):
        share = room // (len(lengths) - place)
        if length > share:
            return share
        room -= length
    return _MOST_ENTRIES


def keep(store: Store, keys: Keys, table: str, segment: Segment) -> None:
    """Keep a segment in place of the oldest one."""
    name = _name(table, segment.number % _SEGMENTS)
    store.keep(name, Snapshot(segment.until, b"", keys.stamped(_ENCODE(segment), name.encode())))


def names_of(table: str) -> list[str]:
    """The names under which segments of a table are kept."""
    return [_name(table, slot) for slot in range(_SEGMENTS)]


def _name(table: str, slot: int) -> str:
    return f"ids/{table}/{slot}"
