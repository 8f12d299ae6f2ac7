"""A process joins before it writes: what was written on a copy of the store, under the same key, is of no use here."""

from collections.abc import Callable, Iterable, Mapping

import pytest
from tests.floor.attacker import Attacker
from tests.floor.floors import KEYS, SHIFT, START_MS, House
from tests.store.places import Place

from punto.errors import StoreRewritten
from punto.floor.history import COVERAGE, History
from punto.floor.keys import Keys
from punto.floor.rotating import rotate
from punto.floor.sequencer import Sequencer
from punto.proof.headlog import CHECKPOINTS, read_sequenced
from punto.proof.rotations import KEYS as ROTATIONS
from punto.proof.signers import LocalSigner
from punto.proof.writers import HEADS
from punto.record import audit
from punto.record.checks.findings import Code
from punto.rules import Position
from punto.store import MemoryStore, Snapshot, Store
from punto.store.contract import Entry, Row
from punto.table import Actor, Setup, Source
from punto.table import commands as do

STORES = pytest.mark.parametrize("place", ["sqlite", "postgres"], indirect=True)
MALLORY = Actor("mallory", Position.PATRON)


def checkpoint(house: House, at_ms: int = START_MS) -> None:
    assert Sequencer(house.floor.history, []).checkpoint(at_ms)


def rows_of(store: Store) -> list[Entry]:
    return [entry for name, _ in store.streams() for entry in store.read(name)]


def writers_of(store: Store) -> set[str]:
    return {name for name, _ in store.streams(HEADS)}


def copy_of(store: Store) -> MemoryStore:
    """A copy of a store, as a rehearsed restore has it."""
    copy = MemoryStore()
    copy.append([(*entry,) for entry in rows_of(store)], {})
    return copy


def fortune(copy: Store) -> list[Entry]:
    """What another process, under the floor's own key, writes on a copy: a fortune for Mallory."""
    before = set(rows_of(copy))
    house = House(copy, ids=5_000)
    house.give(do.OpenTable, SHIFT, "T9", setup=Setup(game="fortune-six", source=Source.VIRTUAL))
    house.give(do.BuyIn, MALLORY, "T9", cents=900_000)
    return [entry for entry in rows_of(copy) if entry not in before]


def plant(place: Place, rows: Iterable[Entry]) -> None:
    attacker = Attacker(place.url)
    for row in rows:
        attacker.insert(row)


def check(house: House, place: Place) -> None:
    """Neither the live floor nor one that starts believes in Mallory's fortune, both go on, and the audit finds it."""
    starting = place.open()
    for _ in range(2):
        house.floor.look_over_all()
        assert house.floor.history.end("wallet/mallory").version == 0
        assert [name for name in house.floor.history.coverage.stopped if name.startswith(HEADS)]
        house.round("T2")
        again = House(starting, ids=7_000)
        assert again.floor.history.end("wallet/mallory").version == 0
        assert again.floor.history.end("table/T2") == house.floor.history.end("table/T2")
        starting.keep(COVERAGE, Snapshot(2**40, b"", b"nothing that reads"))  # now from the first head on
    found = audit(house.store, public_key=KEYS.public).findings
    assert Code.BAD_HEAD in {each.code for each in found if each.stream.startswith(HEADS)}


@STORES
@pytest.mark.parametrize("later_ms", [0, 60_000])
def test_what_was_written_on_a_copy_is_not_adopted_after_the_next_checkpoint(place: Place, later_ms: int) -> None:
    house = House(place.open()).round_only()
    rows = fortune(copy_of(house.store))
    checkpoint(house, START_MS + later_ms)
    plant(place, rows)
    check(house, place)


@STORES
def test_a_copy_with_as_many_checkpoints_of_its_own_is_another_history_all_the_same(place: Place) -> None:
    house = House(place.open()).round_only()
    checkpoint(house)
    copy = copy_of(house.store)
    other = House(copy, ids=3_000)
    for each in (house, other):
        each.note(b"{}")
        checkpoint(each)
    plant(place, fortune(copy))
    check(house, place)


@STORES
def test_a_copy_that_is_ahead_by_checkpoints_is_another_history(place: Place) -> None:
    house = House(place.open()).round_only()
    copy = copy_of(house.store)
    other = House(copy, ids=3_000)
    for _ in range(3):
        other.note(b"{}")
        checkpoint(other)
    plant(place, fortune(copy))
    house.floor.look_over_all()
    assert house.floor.history.end("wallet/mallory").version == 0
    for _ in range(3):  # when this one has as many, it is so still
        house.note(b"{}")
        checkpoint(house)
        assert house.floor.history.end("wallet/mallory").version == 0
    check(house, place)


@STORES
def test_a_damaged_checkpoint_lets_nobody_in(place: Place) -> None:
    house = House(place.open()).round_only()
    rows = fortune(copy_of(house.store))
    checkpoint(house)
    house.floor.keep_all()
    attacker = Attacker(place.url)
    whole = attacker.entries(CHECKPOINTS)[0].body
    change = "UPDATE entries SET body = ? WHERE stream = ? AND version = 1"
    attacker.run(change, b"{}", CHECKPOINTS)
    plant(place, rows)
    house.floor.look_over_all()
    assert house.floor.history.end("wallet/mallory").version == 0
    house.round("T2")
    assert History(place.open(), KEYS).end("wallet/mallory").version == 0
    place.open().keep(COVERAGE, Snapshot(2**40, b"", b"nothing that reads"))
    with pytest.raises(StoreRewritten, match="restore the newest copy"):  # from the first head on nobody is known
        History(place.open(), KEYS)
    attacker.run(change, whole, CHECKPOINTS)
    check(house, place)


@STORES
def test_a_rotation_that_was_made_on_a_copy_ends_nobody(place: Place) -> None:
    house = House(place.open()).round_only()
    copy = copy_of(house.store)
    before = set(rows_of(copy))
    other = Keys.from_secret(b"a rehearsal", (KEYS.sealing.key,))
    assert isinstance(other.signing, LocalSigner)
    rotate(copy, KEYS, other.signing, START_MS, "greta")
    house.round("T2")
    plant(place, [row for row in rows_of(copy) if row not in before])
    house.floor.look_over_all()
    house.round("T2")
    assert "another copy" in house.floor.history.coverage.stopped[ROTATIONS].message
    House(place.open(), ids=7_000)


def test_an_outsider_is_told_whichever_writer_is_read_first() -> None:
    orders = set()
    for _ in range(200):
        house = House(MemoryStore()).round_only()
        rows = fortune(copy_of(house.store))
        other = House(house.store, ids=9_000)  # it takes the checkpoint that lacks the outsider
        checkpoint(other)
        house.store.append([(*row,) for row in rows], {})
        [outsider] = {row.stream for row in rows if row.stream.startswith(HEADS)}
        history = History(house.store, KEYS)
        assert history.end("wallet/mallory").version == 0
        assert "another copy of the store" in history.coverage.stopped[outsider].message
        assert history.end("table/T2") == house.floor.history.end("table/T2")
        orders.add(sorted(writers_of(house.store)).index(outsider))
        if len(orders) == 3:  # first, last, and between the two others
            return
    pytest.fail("the names of writers came in too few orders")


# Processes that join at the same time


class Busy(MemoryStore):
    """A store in which others do something just before an entry of this process is written."""

    before: Callable[[], object] | None = None
    times = 1

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        entries = list(entries)
        if self.before is not None and self.times:
            self.times -= 1
            before, self.before = self.before, None
            before()
            self.before = before
        super().append(entries, fences)


def check_joined(store: Store, house: House, *others: House) -> None:
    """Every process is believed by every other, by one that starts, and by the audit."""
    others[0].floor.note([("identity/staff", b"{}")], {}, START_MS)
    checkpoint(others[0])
    for each in (house, *others, House(store)):
        each.floor.look_over_all()
        assert not each.floor.history.coverage.stopped
    took = [read_sequenced(entry.body).took for entry in store.read(CHECKPOINTS)][-1]
    assert set(took) == writers_of(store)
    findings = audit(store, public_key=KEYS.public).findings
    assert not [each for each in findings if not each.stream.startswith("identity/")]


@pytest.mark.parametrize("times", [1, 3])
def test_a_checkpoint_that_is_taken_while_a_process_joins_makes_it_join_again(times: int) -> None:
    store = Busy()
    house = House(store).round_only()
    store.times = times

    def take() -> None:
        house.note(b"{}")
        checkpoint(house)

    other = House(store, ids=9_000)
    store.before = take
    other.floor.note([("identity/staff", b"{}")], {}, START_MS)
    assert not store.times
    check_joined(store, house, other)


@pytest.mark.parametrize("times", [1, 2])
def test_a_process_that_joins_while_a_checkpoint_is_taken_is_in_it(times: int) -> None:
    store = Busy()
    house = House(store).round_only()
    checkpoint(house)
    joined: list[House] = []

    def join() -> None:
        joined.append(House(store, ids=9_000 + 100 * len(joined)))
        joined[-1].floor.note([("identity/staff", b"{}")], {}, START_MS)

    house.round("T2")
    store.times, store.before = times, join
    assert Sequencer(house.floor.history, []).checkpoint(START_MS)
    assert len(joined) == times
    store.before = None
    check_joined(store, house, *joined)
