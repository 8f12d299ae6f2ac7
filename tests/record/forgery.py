"""A store in the hands of somebody who would rather it said something else."""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from punto.floor.keys import Keys
from punto.proof.headlog import CHECKPOINTS
from punto.proof.heads import Move, head_row, joining_rows, read_head
from punto.proof.writers import HEADS, fresh_writer
from punto.store.chain import genesis, link, start
from punto.store.contract import Entry, Fault, Row, Snapshot, Store, StoredRow, Tip
from punto.store.views import ImpersonalView

Change = Callable[[dict[str, Any]], object]


class Forgery(ImpersonalView):
    """A copy of a store whose entries can be tampered with, chained anew and signed anew."""

    def __init__(self, store: Store) -> None:
        self.entries = {name: list(store.read(name)) for name, _ in store.streams()}
        # The head that first covers each entry, and the time of each head.
        self.covered: dict[str, list[int]] = {name: [0] * len(entries) for name, entries in self.entries.items()}
        self.times: list[int] = []
        # The stream of heads of the one writer.
        [self.heads] = [name for name in self.entries if name.startswith(HEADS)]
        reached = dict.fromkeys(self.entries, 0)
        for entry in self.entries[self.heads][2:]:
            head = read_head(entry.body)
            self.times.append(head.statement.at_ms)
            for name, move in head.moved.items():
                for place in range(reached[name], move.after.version):
                    self.covered[name][place] = entry.version
                reached[name] = move.after.version

    # What is done to it

    def version_of(self, stream: str, type_: str, nth: int = 0) -> int:
        """The version of the nth event of a type, counted from 0, or from the end when negative."""
        found = [entry.version for entry in self.entries[stream] if json.loads(entry.body)["event"]["type"] == type_]
        return found[nth]

    def body(self, stream: str, version: int) -> dict[str, Any]:
        """What an entry says."""
        body: dict[str, Any] = json.loads(self.entries[stream][version - 1].body)
        return body

    def edit(self, stream: str, version: int, change: Change) -> None:
        """Change what an entry says, and nothing else."""
        body = self.body(stream, version)
        change(body)
        self.write(stream, version, json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode())

    def write(self, stream: str, version: int, body: bytes) -> None:
        """Put other bytes in the place of an entry's."""
        self.entries[stream][version - 1] = self.entries[stream][version - 1]._replace(body=body)

    def remove(self, stream: str, version: int) -> None:
        """Take an entry out."""
        del self.entries[stream][version - 1]
        del self.covered[stream][version - 1]

    def insert(self, stream: str, version: int, body: dict[str, Any], command: str | None = None) -> None:
        """Put an entry before another, signed with the one before it."""
        text = json.dumps(body, separators=(",", ":")).encode()
        self.entries[stream].insert(version - 1, Entry(stream, version, command, text, b""))
        self.covered[stream].insert(version - 1, self.covered[stream][version - 2])

    def join(self, stream: str, version: int) -> None:
        """Let an entry, and all money that moved with it, belong to the command of the entry before it."""
        lead, joined = self.body(stream, version - 1), self.body(stream, version)
        head = self.covered[stream][version - 2]
        whose = {name: lead[name] for name in ("by", "command", "at_ms")}
        self.edit(stream, version, lambda body: body.update(whose))
        self.entries[stream][version - 1] = self.entries[stream][version - 1]._replace(command=None)
        self.covered[stream][version - 1] = head
        if joined["command"] == lead["command"]:
            return
        booked = {"command": lead["command"], "at_ms": lead["at_ms"]}
        for name in [name for name in self.entries if name not in (self.heads, stream)]:
            for entry in self.entries[name]:
                if self.body(name, entry.version).get("command") == joined["command"]:
                    self.edit(name, entry.version, lambda body: body.update(booked))
                    self.covered[name][entry.version - 1] = head

    def swap(self, stream: str, version: int) -> None:
        """Let an entry and the next change places."""
        entries = self.entries[stream]
        one, other = entries[version - 1], entries[version]
        entries[version - 1] = one._replace(body=other.body, command=other.command, hash=other.hash)
        entries[version] = other._replace(body=one.body, command=one.command, hash=one.hash)

    def cut(self, stream: str, left: int) -> None:
        """Leave only so many entries."""
        del self.entries[stream][left:]
        del self.covered[stream][left:]

    def drop(self, stream: str) -> None:
        """Leave nothing."""
        del self.entries[stream]
        del self.covered[stream]

    # How it is covered up

    def chain(self) -> "Forgery":
        """Number and chain every stream but the heads anew."""
        for name, entries in self.entries.items():
            if name == self.heads:
                continue
            before = genesis(name)
            for place, entry in enumerate(entries):
                before = link(before, name, place + 1, entry.command, entry.body)
                entries[place] = entry._replace(version=place + 1, hash=before)
        return self

    def sign(self, keys: Keys) -> "Forgery":
        """Chain everything anew, and sign every head anew, as a writer that these keys have certified."""
        self.chain()
        writer = fresh_writer(keys.signing, self.times[0])
        count = len(self.entries.pop(self.heads)) - 2
        self.covered[writer.stream] = self.covered.pop(self.heads)
        self.heads = writer.stream
        rows = joining_rows(writer, self.times[0], start(CHECKPOINTS))
        ends: dict[str, Tip] = {}
        for number, at_ms in enumerate(self.times[:count], 3):
            moves = {}
            for name, covered in self.covered.items():
                end = bisect_left(covered, number + 1)
                if name != self.heads and end and covered[end - 1] == number:
                    after = Tip(end, self.entries[name][end - 1].hash)
                    moves[name] = Move(ends.get(name) or start(name), after)
                    ends[name] = after
            rows.append(head_row(writer, Tip(rows[-1][1], rows[-1][4]), at_ms, moves))
        self.entries[self.heads] = [Entry._make(row) for row in rows]
        return self

    # What every store can do

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        raise NotImplementedError

    def read(self, stream: str, after: int = 0) -> Iterator[Entry]:
        yield from [entry for entry in self.entries.get(stream, ()) if entry.version > after]

    def tip(self, stream: str) -> Tip | None:
        entries = self.entries.get(stream)
        return Tip(entries[-1].version, entries[-1].hash) if entries else None

    def streams(self, prefix: str = "") -> Iterator[tuple[str, Tip]]:
        for name, entries in sorted(self.entries.items()):
            if entries and name.startswith(prefix):
                yield name, Tip(entries[-1].version, entries[-1].hash)

    def find(self, command: str) -> Entry | None:
        raise NotImplementedError

    def claim(self, name: str) -> int:
        raise NotImplementedError

    def epoch(self, name: str) -> int:
        raise NotImplementedError

    def keep(self, stream: str, snapshot: Snapshot) -> None:
        raise NotImplementedError

    def snapshot(self, stream: str) -> Snapshot | None:
        raise NotImplementedError

    def beyond(self, stream: str, end: int) -> Iterator[StoredRow]:
        return map(StoredRow._make, self.read(stream, end))

    def prune(self, ends: Mapping[str, int], entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        raise NotImplementedError

    def faults(self) -> list[Fault]:
        return []

    def close(self) -> None:
        raise NotImplementedError
