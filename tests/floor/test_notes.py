"""Notes: entries of streams that are no table's, chained and signed like everything else."""

import pytest
from tests.store.places import Place

from punto.errors import StaleVersion, StoreGone
from punto.floor import Floor, Keys
from punto.proof.heads import read_head
from punto.proof.writers import HEADS
from punto.record import Code, audit
from punto.rules import Position
from punto.store import MemoryStore
from punto.table import Actor, Setup
from punto.table import commands as do

KEYS = Keys.from_secret(b"floor")
AT_MS = 1_767_196_800_000
STAFF, SESSIONS = "identity/staff", "identity/sessions"
SHIFT = Actor("greta", Position.GAMING_SHIFT_MANAGER)


def test_notes_of_several_streams_are_one_transaction_under_one_head(place: Place) -> None:
    store = place.open()
    floor = Floor(store, KEYS)
    ends = floor.note([(STAFF, b"1"), (SESSIONS, b"2"), (STAFF, b"3")], {STAFF: 0, SESSIONS: 0}, AT_MS)
    assert ends == {STAFF: store.tip(STAFF), SESSIONS: store.tip(SESSIONS)}
    assert [entry.body for entry in store.read(STAFF)] == [b"1", b"3"]
    [(stream, _)] = store.streams(HEADS)
    [_, _, entry] = store.read(stream)
    head = read_head(entry.body)
    assert (head.statement.at_ms, {name: move.after.version for name, move in head.moved.items()}) == (
        AT_MS,
        {STAFF: 2, SESSIONS: 1},
    )


def test_notes_and_commands_take_turns() -> None:
    store = MemoryStore()
    floor = Floor(store, KEYS)
    floor.note([(STAFF, b"1")], {STAFF: 0}, AT_MS)
    floor.handle(do.OpenTable(id="1", table="T1", by=SHIFT, at_ms=AT_MS, setup=Setup(game="fortune-six")))
    floor.note([(STAFF, b"2")], {STAFF: 1}, AT_MS)
    floor.handle(do.LoadShoe(id="2", table="T1", by=SHIFT, at_ms=AT_MS))
    codes = {finding.code for finding in audit(store, public_key=KEYS.public).findings}
    assert codes == {Code.UNREADABLE}  # these notes say nothing, but the record of them is whole


def test_whoever_has_not_read_on_writes_nothing() -> None:
    store = MemoryStore()
    one, other = Floor(store, KEYS), Floor(store, KEYS)
    one.note([(STAFF, b"1")], {STAFF: 0}, AT_MS)
    with pytest.raises(StaleVersion, match="moved on from entry 0"):
        other.note([(STAFF, b"2")], {STAFF: 0}, AT_MS)
    other.note([(STAFF, b"2")], {STAFF: 1}, AT_MS)
    one.note([(SESSIONS, b"3")], {SESSIONS: 0}, AT_MS)  # only the heads have moved on meanwhile
    assert [entry.body for entry in store.read(STAFF)] == [b"1", b"2"]


def test_a_store_that_takes_nothing_leaves_nothing_half_done() -> None:
    class Failing(MemoryStore):
        fails = False

        def append(self, entries, fences):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
            if self.fails:
                raise StoreGone("no")
            return super().append(entries, fences)

    store = Failing()
    floor = Floor(store, KEYS)
    store.fails = True
    with pytest.raises(StoreGone):
        floor.note([(STAFF, b"1")], {STAFF: 0}, AT_MS)
    store.fails = False
    assert floor.note([(STAFF, b"2")], {STAFF: 0}, AT_MS)[STAFF].version == 1
    assert [entry.body for entry in store.read(STAFF)] == [b"2"]
