"""Proofs over the log of heads: from tiles, and from all heads where tiles are damaged."""

from pathlib import Path

import msgspec
import pytest
from tests.floor.attacker import Attacker
from tests.floor.floors import KEYS, START_MS
from tests.floor.taken import TICKET, WAGER, Taken

from punto.errors import NoSuchCheckpoint, StoreGone, WorkFailed
from punto.floor.keys import Keys
from punto.floor.proving import Proofs
from punto.proof.headlog import CHECKPOINTS, HeadLog, read_sequenced
from punto.proof.heads import statement_of
from punto.proof.merkle import Frontier, leaf_hash
from punto.proof.tiles import TileKeeper
from punto.proof.writers import HEADS
from punto.record import audit
from punto.store import MemoryStore, SqliteStore, Store
from punto.store.contract import Snapshot


def proofs_of(store: Store, keys: Keys = KEYS) -> Proofs:
    return Proofs(store, (keys.public,))


def taken_by_two(store: Store) -> Proofs:
    """A log with the heads of several writers, in several checkpoints."""
    first = Taken(store=store).play()
    first.checkpoint()
    second = Taken(store=store)
    second.table = "T2"
    for floor in (first, second, first, second):
        floor.go_on(30)
    second.go_on(300)
    second.checkpoint()
    second.go_on(3)
    second.checkpoint()
    return proofs_of(store)


def test_every_head_of_every_writer_is_found_and_proved() -> None:
    store = MemoryStore()
    proofs = taken_by_two(store)
    size = proofs.latest().checkpoint.size
    places = []
    for stream, tip in store.streams(HEADS):
        for entry in list(store.read(stream, 1)):
            position = proofs.position(stream, entry.version)
            if position is None:
                assert entry.version == tip.version, "only the head of the last checkpoint itself is not covered"
                continue
            places.append(position.place)
            if entry.version % 17 == 0:
                found = proofs.inclusion(position, statement_of(entry.body))
                assert (found.size, found.place) == (size, position.place)
    assert sorted(places) == list(range(size))


def test_each_checkpoint_begins_with_those_before_it() -> None:
    proofs = taken_by_two(MemoryStore())
    sizes = [each.checkpoint.size for each in proofs.listed(10)]
    assert sizes == sorted(sizes, reverse=True)
    assert [each.checkpoint.size for each in proofs.listed(10, sizes[0])] == sizes[1:]
    for new in sizes:
        for old in (each for each in sizes if each <= new):
            proofs.consistency(old, new)
    for wrong in ((0, sizes[0] + 1), (sizes[-1] - 1, sizes[0]), (sizes[0], sizes[-1])):
        with pytest.raises(NoSuchCheckpoint):
            proofs.consistency(*wrong)
    with pytest.raises(NoSuchCheckpoint):
        Proofs(MemoryStore(), (KEYS.public,)).latest()


def test_a_damaged_tile_gives_no_proof_and_all_heads_do() -> None:
    store = MemoryStore()
    proofs = taken_by_two(store)
    [stream, _], *_ = store.streams(HEADS)
    [entry] = [each for each in store.read(stream, 1) if each.version == 7]
    position = proofs.position(stream, 7)
    assert position
    for name in ("headlog/tile/0/000", "headlog/tile/1/000"):
        store.keep(name, Snapshot(2**40, b"", b"x" * 8192))
        with pytest.raises(WorkFailed, match="tiles of the log are damaged"):
            proofs.inclusion(position, statement_of(entry.body))
    rebuilt = proofs.rebuilt(position.place, proofs.latest().checkpoint.size - 1)
    assert rebuilt.inclusion(position, statement_of(entry.body)).place == position.place


def test_a_checkpoint_of_another_floor_proves_nothing() -> None:
    store = MemoryStore()
    taken_by_two(store)
    with pytest.raises(Exception, match="no checkpoint that this floor has signed"):
        proofs_of(store, Keys.fresh()).latest()


def test_tiles_go_on_after_a_restart_and_are_made_again_where_they_are_lost(tmp_path: Path) -> None:
    for life in range(3):
        taken = Taken(store=SqliteStore(tmp_path / "floor.db"))
        if not life:
            taken.play()
        taken.go_on(90)
        taken.checkpoint()
        assert taken.take(TICKET).check().checkpoint == taken.receipts.proofs.latest().checkpoint.size
        taken.store.close()
        if life == 1:
            Attacker(f"sqlite:{tmp_path / 'floor.db'}").run("DELETE FROM snapshots WHERE stream LIKE 'headlog/tile/%'")


def test_tiles_of_a_log_are_those_of_its_leaves() -> None:
    store, frontier = MemoryStore(), Frontier()
    keeper = TileKeeper(store)
    for number in range(700):
        leaf = leaf_hash(b"%d" % number)
        keeper.add(leaf)
        frontier = frontier.append(leaf)
        if number % 99 == 0:
            keeper.keep()
            restored = TileKeeper.restored(store, frontier)
            assert restored is not None
            keeper = restored
    assert TileKeeper.restored(store, frontier) is None, "what was not kept is not there"


class Failing(MemoryStore):
    """A store that fails at the next transaction, once."""

    fails = False

    def append(self, entries, fences):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        if self.fails:
            list(entries)
            self.fails = False
            raise StoreGone("the disk is full: nothing was written")
        super().append(entries, fences)


def test_a_checkpoint_that_could_not_be_written_leaves_the_log_as_it_was() -> None:
    """Two writers: were the heads kept that the failed one took, the log would have them in another order."""
    store = Failing()
    first = Taken(store=store).play()
    first.checkpoint()
    second = Taken(store=store)
    second.table = "T2"
    for floor in (first, second):
        floor.go_on(2)
    first.house.floor.look_over([])  # and so it knows that the other table is the second floor's now
    store.fails = True
    with pytest.raises(StoreGone):
        first.sequencer.checkpoint(START_MS)
    assert first.history.unsure is None, "nothing was written, and the store has said so"
    for floor in (first, second):
        floor.history.watch([])
        floor.go_on(2)
    first.history.watch([])
    first.checkpoint()
    log = HeadLog()
    for entry in store.read(CHECKPOINTS):
        log.take_up_to(store, read_sequenced(entry.body).took)
    assert proofs_of(store).latest().checkpoint.root == log.frontier.root()
    assert not [each for each in audit(store, public_key=KEYS.public).findings if each.stream == CHECKPOINTS]
    assert msgspec.json.decode(first.take(WAGER).body)["event"]["patron"] == "ann"
