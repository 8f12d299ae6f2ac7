"""An audit of a store to which a floor goes on writing."""

from collections.abc import Iterator

import pytest
from tests.store.places import written

from punto.errors import StoreGone
from punto.floor import Floor, Keys
from punto.record import audit
from punto.record.moment import Moment
from punto.rules import Position
from punto.store import Entry, MemoryStore, Tip
from punto.table import Actor, Setup
from punto.table import commands as do

AT_MS = 1_767_196_800_000
PIT = Actor("pia", Position.GAMING_SHIFT_MANAGER)


class Busy(MemoryStore):
    """A store to which something is written whenever somebody looks at the ends of its streams."""

    def __init__(self) -> None:
        super().__init__()
        self.floor: Floor | None = None
        self.written = 0

    def streams(self, prefix: str = "") -> Iterator[tuple[str, Tip]]:
        found = list(super().streams(prefix))
        self.write()
        return iter(found)

    def read(self, stream: str, after: int = 0) -> Iterator[Entry]:
        for entry in super().read(stream, after):
            self.write()
            yield entry

    def write(self) -> None:
        floor, self.floor = self.floor, None
        if floor is not None and self.written < 50:
            self.written += 1
            floor.handle(opening(f"t{self.written}"))
            self.floor = floor


def opening(table: str) -> do.OpenTable:
    return do.OpenTable(id=f"open-{table}", table=table, by=PIT, at_ms=AT_MS, setup=Setup(game="tiger"))


def floor_on(store: MemoryStore) -> Floor:
    floor = Floor(store, Keys.fresh())
    floor.handle(opening("1"))
    return floor


def test_what_is_written_meanwhile_is_no_finding() -> None:
    store = Busy()
    floor = floor_on(store)
    store.floor = floor
    report = audit(store, public_key=floor.keys.public)
    assert store.written > 1
    assert report.findings == ()
    store.floor = None
    assert audit(store, public_key=floor.keys.public).counts.entries > report.counts.entries


def test_what_no_head_covers_is_found_all_the_same() -> None:
    store = MemoryStore()
    floor = floor_on(store)
    tip = store.tip("table/1")
    assert tip
    store.append(written("table/1", b"{}", since=tip), {})
    store.append(written("table/x", b"{}"), {})
    codes = [finding.code.value for finding in audit(store, public_key=floor.keys.public).findings]
    assert codes.count("not-covered") == 2


def test_a_moment_is_only_read() -> None:
    store = MemoryStore()
    floor_on(store)
    moment = Moment(store)
    assert [name for name, _ in moment.streams()] == [name for name, _ in store.streams()]
    assert moment.find("open-1") == store.find("open-1")
    assert moment.find("nix") is None
    assert moment.snapshot("table/1") is None
    with pytest.raises(StoreGone):
        moment.append([], {})
    with pytest.raises(StoreGone):
        moment.claim("table/1")
