"""Rotations of the floor's key: play goes on, whoever holds the old key stops, and nothing is lost in between."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest
from tests.floor.floors import KEYS, OPEN, SPENT, START_MS, House
from tests.record.old_logs import KEYS as OLD_KEYS
from tests.record.old_logs import LOGS, stores_of

from punto.errors import Conflict, KeyRotated, PuntoError, Refusal, StoreGone, StreamStopped, WrongKey
from punto.floor import Floor, Keys
from punto.floor.history import History
from punto.floor.migrating import migrate
from punto.floor.ownership import KEY_FENCE
from punto.floor.rotating import end_rotation, is_rotated, rotate
from punto.floor.sequencer import Sequencer
from punto.floor.shuffle import unseal
from punto.proof.headlog import open_checkpoint, origin_of
from punto.proof.rotations import KEYS as STREAM
from punto.proof.signers import LocalSigner
from punto.record import audit
from punto.store import MemoryStore, SqliteStore
from punto.table import commands as do

NEW = Keys.from_secret(b"the new one", (KEYS.sealing.key,))


def signer(keys: Keys) -> LocalSigner:
    assert isinstance(keys.signing, LocalSigner)
    return keys.signing


def rotated(house: House, old: Keys = KEYS, new: Keys = NEW) -> House:
    """The same floor, opened with the key that has come in the place of its own."""
    rotate(house.store, old, signer(new), START_MS, "greta")
    return House(house.store, new, ids=house.ids + 1_000)


def findings(house: House, public: str) -> set[str]:
    found = {str(each) for each in audit(house.store, public_key=public).findings}
    return {each for each in found if "an entry of identity that does not read" not in each}


def test_play_goes_on_where_it_was_and_the_record_is_clean() -> None:
    old = House(MemoryStore()).open()
    facts, order = old.facts(), unseal(KEYS, "T1", old.floor.table("T1")).order
    new = rotated(old)
    assert new.facts() == facts
    assert unseal(NEW, "T1", new.floor.table("T1")).order == order, "the sealed shoe in play still opens"
    new.give(do.CloseBets)
    while new.floor.table("T1").deal.next is not None:
        new.give(do.DrawCard)
    assert findings(new, NEW.public) == set()


def test_a_ticket_that_is_asked_for_again_has_the_same_code() -> None:
    new = rotated(House(MemoryStore()).open())
    assert new.floor.ticket_for("bob", "2") == (OPEN, 10_000)
    assert new.floor.ticket_for("bob", "1") == (SPENT, 10_000)
    code, worth = new.floor.ticket_for("bob", "3")
    assert worth is None
    assert code != House(MemoryStore()).floor.ticket_for("bob", "3")[0], "a new ticket is made with the new key"


def test_whoever_writes_with_the_old_key_is_stopped_and_says_why() -> None:
    old = House(MemoryStore()).open()
    other = House(old.store, ids=500)
    rotated(old)
    for house, act in ((old, lambda: old.round("T2")), (other, lambda: other.floor.look_over([]))):
        for _ in range(2):
            with pytest.raises(KeyRotated, match="the floor's key was rotated by greta"):
                act()
        assert isinstance(house.floor.history.ended, KeyRotated)
    with pytest.raises(KeyRotated):
        House(old.store)


def test_no_floor_opens_while_a_rotation_is_under_way() -> None:
    old = House(MemoryStore()).open()
    old.store.claim(KEY_FENCE)
    for keys in (KEYS, NEW):
        with pytest.raises(Conflict, match="the floor's key is being rotated"):
            House(old.store, keys)
    with pytest.raises(KeyRotated, match="somebody has begun to rotate the floor's key"):
        old.round("T2")
    # One that was cut short there is done again, or ended.
    new = rotated(old)
    assert old.store.epoch(KEY_FENCE) % 2 == 0
    new.round("T2")
    assert not end_rotation(new.store)
    new.store.claim(KEY_FENCE)
    assert end_rotation(new.store)
    assert is_rotated(new.store, KEYS, NEW.public)
    with pytest.raises(KeyRotated):
        is_rotated(new.store, KEYS, KEYS.public)


class Full(MemoryStore):
    """A store whose disk is full."""

    full = False

    def append(self, entries, fences) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
        if self.full:
            raise StoreGone("the disk is full: nothing was written")
        super().append(entries, fences)


def test_a_rotation_that_fails_leaves_the_old_key() -> None:
    store = Full()
    House(store).open()
    for old, new, by in ((KEYS, KEYS, "greta"), (KEYS, NEW, " "), (NEW, Keys.fresh(), "greta")):
        with pytest.raises((Refusal, WrongKey)):
            rotate(store, old, signer(new), START_MS, by)
    store.full = True
    with pytest.raises(StoreGone):
        rotate(store, KEYS, signer(NEW), START_MS, "greta")
    store.full = False
    again = House(store, ids=1_000)
    again.round("T2")
    assert not is_rotated(store, KEYS, NEW.public)
    rotated(again).round("T2")


def test_whoever_comes_with_an_old_key_is_told_the_key_of_today_however_often_it_was_rotated() -> None:
    house = House(MemoryStore()).open()
    newest = Keys.from_secret(b"the newest", NEW.sealing.former)
    rotated(rotated(house), NEW, newest)
    with pytest.raises(KeyRotated, match=f"floor's key is {newest.public[:16]}… now"):
        Floor(house.store, KEYS)


def test_the_floor_does_not_go_back_to_a_key_that_it_had() -> None:
    new = rotated(House(MemoryStore()).open())
    with pytest.raises(Refusal, match="one that the floor has or had"):
        rotate(new.store, NEW, signer(KEYS), START_MS, "greta")


def test_a_stream_of_keys_with_a_forged_entry_takes_no_rotation() -> None:
    house = House(MemoryStore()).open()
    group = house.floor.history.group()
    house.store.append(group.chain([(STREAM, None, b"{}")]), {})
    with pytest.raises(StreamStopped):
        rotate(house.store, KEYS, signer(NEW), START_MS, "greta")


def test_the_log_of_heads_is_the_same_log_under_every_key(tmp_path: Path) -> None:
    origins: list[str] = []
    sizes: list[int] = []
    third = Keys.from_secret(b"the third", (NEW.sealing.key, *NEW.sealing.former))
    for keys, then in ((KEYS, NEW), (NEW, third), (third, None)):
        with closing(SqliteStore(tmp_path / "floor.db")) as store:
            house = House(store, keys, ids=100 * len(sizes))
            sequencer = Sequencer(house.floor.history, [tmp_path / "outside"])
            sequencer.compare()  # with the checkpoint that the former key has signed
            sequencer.begin()
            house.round("T2") if sizes else house.open()
            assert sequencer.checkpoint(START_MS)
            found = open_checkpoint((tmp_path / "outside" / "checkpoint").read_bytes(), (keys.public,))
            origins.append(found.origin)
            sizes.append(found.size)
            if then is not None:
                rotate(store, keys, signer(then), START_MS, "greta")
            else:
                assert findings(house, keys.public) == set()
    assert origins == [origin_of(KEYS.public)] * 3
    assert sizes == sorted(set(sizes))


def test_a_copy_from_before_the_rotation_does_not_open_with_the_new_key(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        House(store).open()
    shutil.copy(tmp_path / "floor.db", tmp_path / "old.db")
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        rotate(store, KEYS, signer(NEW), START_MS, "greta")
    with closing(SqliteStore(tmp_path / "old.db")) as store, pytest.raises(WrongKey):
        House(store, NEW)


def test_a_store_that_was_migrated_is_rotated_and_stays_clean() -> None:
    store = next(stores_of(LOGS / "0.5.jsonl"))[1]
    migrate(store, OLD_KEYS, START_MS, "hugo")
    rotate(store, OLD_KEYS, signer(NEW), START_MS, "greta")
    assert audit(store, public_key=NEW.public).findings == ()
    assert History(store, NEW).coverage.trust.former == (OLD_KEYS.public,)


def test_what_signs_for_the_floor_signs_nothing_else() -> None:
    other = Keys.from_secret(b"other")
    with pytest.raises(PuntoError):
        signer(KEYS).certify("not a key", START_MS)
    house = House(MemoryStore()).open()
    rotation = rotate(house.store, KEYS, signer(NEW), START_MS, "greta")
    with pytest.raises(WrongKey):
        signer(other).endorse(rotation)
