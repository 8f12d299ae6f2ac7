"""A store as it was when fewer heads had been signed, and audits that go on from one such moment to the next."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import cast

from punto.errors import Corrupt
from punto.proof.heads import read_head
from punto.proof.writers import HEADS
from punto.record.audit import Audited, audit, audit_on
from punto.store.contract import Entry, Fault, Store, Tip


class Cut:
    """What a store held when its streams ended there; what no writer had signed by then is not among it."""

    def __init__(self, store: Store, ends: Mapping[str, int]) -> None:
        self._store = store
        self._ends = {name: end for name, end in ends.items() if end}

    def read(self, stream: str, after: int = 0) -> Iterator[Entry]:
        end = self._ends.get(stream, 0)
        return (entry for entry in self._store.read(stream, after) if entry.version <= end)

    def tip(self, stream: str) -> Tip | None:
        entries = [*self.read(stream)]
        return Tip(entries[-1].version, entries[-1].hash) if entries else None

    def streams(self, prefix: str = "") -> Iterator[tuple[str, Tip]]:
        for name in sorted(self._ends):
            tip = self.tip(name) if name.startswith(prefix) else None
            if tip is not None:
                yield name, tip

    def faults(self) -> list[Fault]:
        return []


def now(store: Store) -> Store:
    """A store as it is at this moment, whatever is written to it later."""
    return cast("Store", Cut(store, {name: tip.version for name, tip in store.streams()}))


def cut(store: Store, until_ms: int) -> Store:
    """A store as it was before any writer had signed a head of a later time."""
    ends: dict[str, int] = {name: 0 for name, _ in store.streams()}
    for name, _ in store.streams(HEADS):
        for entry in store.read(name):
            try:
                head = read_head(entry.body) if entry.version > 1 else None
            except Corrupt:
                break
            if head is not None and head.statement.at_ms > until_ms:
                break
            ends[name] = entry.version
            for stream, move in head.moved.items() if head else ():
                ends[stream] = max(ends.get(stream, 0), move.after.version)
    return cast("Store", Cut(store, ends))


def first_heads(store: Store, count: int) -> Store:
    """A store of one writer as it was when that had signed so many heads."""
    [(name, _)] = store.streams(HEADS)
    ends = {name: count + 1}
    for entry in [*store.read(name)][1 : count + 1]:
        ends |= {stream: move.after.version for stream, move in read_head(entry.body).moved.items()}
    return cast("Store", Cut(store, ends))


def times(store: Store) -> list[int]:
    """The times of all heads that read."""
    found = set()
    for name, _ in store.streams(HEADS):
        for entry in store.read(name, 1):
            try:
                found.add(read_head(entry.body).statement.at_ms)
            except Corrupt:
                continue
    return sorted(found)


def gone_on(stages: "list[Store]", public_key: str, behind: int = 0) -> list[Audited]:
    """An audit of each stage that goes on from the one before; each reports what a whole one does."""
    done: list[Audited] = []
    progress = b""
    for stage in stages:
        audited = audit_on(stage, public_key=public_key, progress=progress, behind=behind)
        assert audited.report == audit(stage, public_key=public_key)
        progress = audited.progress
        done.append(audited)
    return done


def at_random(store: Store, chance: Random, stages: int = 3) -> "list[Store]":
    """A store at a few moments, and as it is."""
    moments = times(store)
    chosen = sorted(chance.sample(moments, min(stages, len(moments))))
    return [*(cut(store, each) for each in chosen), store]
