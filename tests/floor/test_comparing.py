"""Addresses outside: asked when the floor opens, beside the folders."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from tests.floor.attacker import Attacker
from tests.floor.floors import KEYS, START_MS, House
from tests.floor.keeping_server import Keeping, keeping_server
from tests.proof.witness_server import TestWitness, serving

from punto.errors import NoCheckpoint, OutsideGone, StoreRewritten, StreamStopped, WrongKey
from punto.floor import Keys
from punto.floor.history import History
from punto.floor.proving import Proofs
from punto.floor.repairing import survey
from punto.floor.sequencer import Sequencer
from punto.proof.addresses import Address
from punto.proof.headlog import floor_verifier
from punto.proof.outposts import Outpost
from punto.proof.witness import Witness
from punto.server.messenger import to_witness
from punto.store import SqliteStore


@pytest.fixture
def keeping() -> Iterator[Keeping]:
    with keeping_server() as server:
        yield server


def lived(path: Path, keeping: Keeping, rounds: int = 1, keys: Keys = KEYS) -> None:
    """A floor opens, plays, and puts its last checkpoint at the address."""
    with closing(SqliteStore(path)) as store:
        house = House(store, keys)
        sequencer = compared(house, keeping)
        if not house.floor.history.end("table/T1").version:
            house.open()
        for _ in range(rounds):
            house.round("T2")
        assert sequencer.checkpoint(START_MS)
        assert sequencer.note
        sequencer.addresses[0].publish(sequencer.note.encode(), 5)


def compared(house: House, keeping: Keeping) -> Sequencer:
    sequencer = Sequencer(house.floor.history, [], [Address(keeping.url)])
    sequencer.comparison.gather()
    sequencer.compare()
    sequencer.begin()
    return sequencer


def test_an_older_copy_is_noticed_by_an_address_alone(tmp_path: Path, keeping: Keeping) -> None:
    lived(tmp_path / "floor.db", keeping)
    shutil.copy(tmp_path / "floor.db", tmp_path / "old.db")
    lived(tmp_path / "floor.db", keeping)
    with closing(SqliteStore(tmp_path / "old.db")) as store, pytest.raises(StoreRewritten, match="older than"):
        compared(House(store), keeping)


def test_an_address_that_does_not_answer_is_no_checkpoint(tmp_path: Path, keeping: Keeping) -> None:
    for _ in range(2):
        lived(tmp_path / "floor.db", keeping)
    note, keeping.note = keeping.note, b"<html>a page of a proxy's</html>"
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        house = House(store)
        with pytest.raises(NoCheckpoint, match=r"something else than a checkpoint.*punto accept"):
            compared(house, keeping)
        folder = tmp_path / "outside"
        Outpost(folder).publish(note or b"")
        both = Sequencer(house.floor.history, [folder], [Address(keeping.url), Address("http://127.0.0.1:9/nobody")])
        both.comparison.gather()
        both.compare()
        assert [each.partition(" ")[0] for each in both.comparison.unanswered] == [
            keeping.url,
            "http://127.0.0.1:9/nobody",
        ]


@pytest.mark.parametrize("is_outside", [True, False])
def test_no_decision_opens_a_floor_on_damaged_checkpoints(tmp_path: Path, *, is_outside: bool) -> None:
    """The good checkpoint outside stays; the entry comes back from any copy, since the signed hash covers it."""
    path, outside = tmp_path / "floor.db", tmp_path / "outside"
    for life in range(4):
        with closing(SqliteStore(path)) as store:
            house = House(store)
            sequencer = Sequencer(house.floor.history, [outside])
            sequencer.compare()
            sequencer.begin()
            if not life:
                house.round_only()
            house.round("T2")
            assert sequencer.checkpoint(START_MS)
            house.floor.keep_all()
        if life == 1:
            shutil.copy(path, tmp_path / "old.db")
    attacker = Attacker(f"sqlite:{path}")
    attacker.run("UPDATE entries SET body = ? WHERE stream = 'checkpoints' AND version = 2", b"{}")
    kept = tmp_path / "kept"
    if not is_outside:
        outside.rename(kept)
    before = {each.name: each.read_bytes() for each in outside.glob("*")}
    with closing(SqliteStore(path)) as store:
        rows = [(name, tip) for name, tip in store.streams()]
        sequencer = Sequencer(House(store).floor.history, [outside])
        with pytest.raises(StreamStopped, match=r"not those that were signed.*cannot make up for that") as refused:
            sequencer.accept(START_MS, "Ann", "the audit says so")
        assert "\n" not in refused.value.message
        assert [(name, tip) for name, tip in store.streams()] == rows
        assert {each.name: each.read_bytes() for each in outside.glob("*")} == before
    if not is_outside:
        kept.rename(outside)
    with closing(SqliteStore(path)) as store, pytest.raises(StreamStopped):
        Sequencer(House(store).floor.history, [outside]).compare()
    with closing(sqlite3.connect(path)) as somebody, somebody:
        somebody.execute("ATTACH ? AS copy", (str(tmp_path / "old.db"),))
        which = "WHERE stream = 'checkpoints' AND version = 2"
        somebody.execute(f"INSERT OR REPLACE INTO main.entries SELECT * FROM copy.entries {which}")  # noqa: S608
    with closing(SqliteStore(path)) as store:
        house = House(store)
        Sequencer(house.floor.history, [outside]).compare()
        assert house.floor.look_over_all() == {}
        assert not store.faults()


def test_a_decision_puts_aside_what_lies_at_an_address(tmp_path: Path, keeping: Keeping) -> None:
    lived(tmp_path / "floor.db", keeping)
    shutil.copy(tmp_path / "floor.db", tmp_path / "old.db")
    lived(tmp_path / "floor.db", keeping)
    with closing(SqliteStore(tmp_path / "old.db")) as store:
        Sequencer(House(store).floor.history, [], [Address(keeping.url)]).accept(START_MS, "Ann", "the disk is gone")
    lived(tmp_path / "old.db", keeping)
    lived(tmp_path / "old.db", keeping)


def test_a_checkpoint_of_another_floor_keeps_this_one_shut(tmp_path: Path, keeping: Keeping) -> None:
    lived(tmp_path / "other.db", keeping, keys=Keys.fresh())
    with closing(SqliteStore(tmp_path / "floor.db")) as store, pytest.raises(WrongKey, match="no checkpoint of this"):
        compared(House(store), keeping)


def test_an_address_is_written_to_with_its_token(keeping: Keeping) -> None:
    keeping.token = "a token of some length"
    with pytest.raises(OutsideGone, match="status 401"):
        Address(keeping.url).publish(b"note", 5)
    address = Address(keeping.url, keeping.token)
    assert keeping.token not in repr(address)
    address.publish(b"note", 5)
    assert address.note(5) == b"note"
    keeping.answers.clear()
    with pytest.raises(OutsideGone, match=r"does not answer within 0.05 s"):
        address.note(0.05)


def test_a_damaged_checkpoint_is_told_with_what_a_person_can_do(tmp_path: Path, keeping: Keeping) -> None:
    lived(tmp_path / "floor.db", keeping)
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        House(store).floor.keep_all()  # so that the writers are known without their checkpoint
    Attacker(f"sqlite:{tmp_path / 'floor.db'}").run("UPDATE entries SET body = ? WHERE stream = 'checkpoints'", b"{}")
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        house = House(store)
        with pytest.raises(StreamStopped, match=r"not those that were signed.*put the entry back from any copy"):
            compared(house, keeping)


def test_a_garbled_checkpoint_in_one_folder_hides_no_older_copy(tmp_path: Path) -> None:
    path, folders = tmp_path / "floor.db", [tmp_path / "a", tmp_path / "b"]
    for life in range(2):
        if life:
            shutil.copy(path, tmp_path / "old.db")
        with closing(SqliteStore(path)) as store:
            house = House(store)
            sequencer = Sequencer(house.floor.history, folders)
            sequencer.compare()
            sequencer.begin()
            if not life:
                house.open()
            house.round("T2")
            assert sequencer.checkpoint(START_MS)
    note = folders[0] / "checkpoint"
    garbled = bytearray(note.read_bytes())
    garbled[len(garbled) // 2] ^= 1
    note.write_bytes(garbled)
    with closing(SqliteStore(tmp_path / "old.db")) as store:
        sequencer = Sequencer(House(store).floor.history, folders)
        with pytest.raises(StoreRewritten, match="older than the checkpoint outside"):
            sequencer.compare()
        sequencer.accept(START_MS, "Ann", "the disk is gone")
        [entry] = store.read("decisions")
        assert b"heads; " in entry.body, "the decision says what was good and what was garbled"
        assert str(folders[0]).encode() in entry.body
    for each in (*folders[0].glob("aside-*"), *folders[1].glob("aside-*")):
        each.rename(each.with_name(each.name.split("-", 2)[2]))
    with closing(SqliteStore(path)) as store:
        sequencer = Sequencer(House(store).floor.history, folders)
        sequencer.compare()
        assert [*sequencer.comparison.doubted] == [str(folders[0])]
        folders[1].joinpath("checkpoint").unlink()
        with pytest.raises(WrongKey, match="no checkpoint of this floor"):
            Sequencer(House(store).floor.history, folders).compare()


def witnessed(path: Path, witness: Witness, *, rounds: int = 1) -> None:
    """A floor opens, plays, and has its last checkpoint cosigned by a witness; no other place keeps it."""
    with closing(SqliteStore(path)) as store:
        house = House(store)
        sequencer = Sequencer(house.floor.history, [], (), [witness])
        sequencer.comparison.gather()
        sequencer.compare()
        if not house.floor.history.end("table/T1").version:
            house.open()
        for _ in range(rounds):
            house.round("T2")
        assert sequencer.checkpoint(START_MS)
        assert sequencer.note
        history = house.floor.history
        to_witness(witness, lambda: Proofs(history.believed, (KEYS.public,)))(sequencer.note)


def test_a_witness_alone_notices_an_older_copy_and_another_history(tmp_path: Path) -> None:
    path, old = tmp_path / "floor.db", tmp_path / "old.db"
    with serving(TestWitness(floor_verifier(KEYS.public))) as witness:
        for _ in range(3):
            witnessed(path, witness)
        shutil.copy(path, old)
        witnessed(path, witness)
        with pytest.raises(StoreRewritten, match=r"older than the log of \d+ heads that witness"):
            witnessed(old, witness)
        with closing(SqliteStore(old)) as store:
            sequencer = Sequencer(House(store).floor.history, [], (), [witness])
            sequencer.accept(START_MS, "Ann", "the disk is gone")
            again = Sequencer(House(store).floor.history, [], (), [witness])
            again.comparison.gather()
            again.compare()
    gone = replace(witness, address="http://127.0.0.1:9/nobody")
    with pytest.raises(NoCheckpoint, match=r"witness witness.example/w1: no checkpoint of this floor is there"):
        witnessed(path, gone)


def test_a_witness_that_saw_another_checkpoint_of_the_same_size_keeps_the_floor_shut(tmp_path: Path) -> None:
    path, other = tmp_path / "floor.db", tmp_path / "other.db"
    state = TestWitness(floor_verifier(KEYS.public))
    with serving(state) as witness:
        witnessed(path, witness)
        shutil.copy(path, other)
        witnessed(path, witness)
        with serving(TestWitness(floor_verifier(KEYS.public))) as another:
            witnessed(other, another)
        with pytest.raises(StoreRewritten, match="tells another history than the log"):
            witnessed(other, witness)


# A head that is damaged while later ones are there


def lives(path: Path, outside: Path, rounds: int) -> str:
    """A floor opens, plays, and closes; the stream of its heads."""
    with closing(SqliteStore(path)) as store:
        house = House(store)
        sequencer = Sequencer(house.floor.history, [outside])
        sequencer.compare()
        sequencer.begin()
        if not house.floor.history.end("table/T2").version:
            house.round_only()
        for _ in range(rounds):
            house.round("T2")
        assert sequencer.checkpoint(START_MS)
        house.floor.keep_all()
        return "heads/" + house.floor.history.writer_name


HARM: Final = {
    "altered": "UPDATE entries SET body = ? WHERE stream = ? AND version = ?",
    "hash": "UPDATE entries SET hash = ? WHERE stream = ? AND version = ?",
}
DAMAGED: Final = r"head 9 of heads/\w+ is not the one that was signed \(later ones are there\): put the entry back"


@pytest.mark.parametrize("has_snapshot", [True, False])
@pytest.mark.parametrize("kind", [*HARM, "missing"])
def test_no_decision_opens_a_floor_on_a_damaged_head_with_later_ones_after_it(
    tmp_path: Path, kind: str, *, has_snapshot: bool
) -> None:
    """The store is not older: the entry comes back from any copy, and all is as it was."""
    path, outside = tmp_path / "floor.db", tmp_path / "outside"
    heads = lives(path, outside, 4)
    lives(path, outside, 1)
    shutil.copy(path, tmp_path / "copy.db")
    attacker = Attacker(f"sqlite:{path}")
    if kind == "missing":
        attacker.run("DELETE FROM entries WHERE stream = ? AND version = 9", heads)
    else:
        attacker.run(HARM[kind], bytes(32), heads, 9)
    if not has_snapshot:
        attacker.run("DELETE FROM snapshots")
    with closing(SqliteStore(path)) as store:
        rows = [*store.streams()]
        if not has_snapshot:
            with pytest.raises(StreamStopped, match=DAMAGED):
                Sequencer(House(store).floor.history, [outside]).compare()
            with pytest.raises(StreamStopped, match=DAMAGED):
                Sequencer(House(store).floor.history, []).compare()
            for folders in ([], [outside]):
                with pytest.raises(StreamStopped, match=DAMAGED):
                    survey(store, KEYS, folders)
        with pytest.raises(StreamStopped, match=f"{DAMAGED}.*nothing was done"):
            Sequencer(History(store, KEYS, older=True), [outside]).accept(START_MS, "Ann", "the floor says so")
        assert [*store.streams()] == rows
    with closing(sqlite3.connect(path)) as somebody, somebody:
        somebody.execute("ATTACH ? AS copy", (str(tmp_path / "copy.db"),))
        which = "WHERE stream = ? AND version = 9"
        somebody.execute(f"INSERT OR REPLACE INTO main.entries SELECT * FROM copy.entries {which}", (heads,))  # noqa: S608
    lives(path, outside, 1)
    with closing(SqliteStore(path)) as store:
        assert survey(store, KEYS, [outside]).is_sound


def test_what_nobody_has_signed_is_no_damaged_head(tmp_path: Path) -> None:
    """Rows after the last head, by whoever has no key, or given up by a decision: those go on to be set aside."""
    path, outside = tmp_path / "floor.db", tmp_path / "outside"
    heads = lives(path, outside, 1)
    shutil.copy(path, tmp_path / "whole.db")
    shutil.copytree(outside, tmp_path / "kept")
    attacker = Attacker(f"sqlite:{path}")
    there = attacker.entries(heads)
    for junk in (there[-2].body, there[-1].body, b"{}"):
        attacker.append(heads, junk)
    attacker.run("DELETE FROM entries WHERE stream = ? AND version = ?", heads, len(there) + 1)
    attacker.run("DELETE FROM snapshots")
    with closing(SqliteStore(path)) as store:
        Sequencer(House(store).floor.history, [outside]).compare()
        assert survey(store, KEYS, [outside]).beyond == {heads: len(there)}
    for cut in (len(there) - 6, len(there) - 5):
        shutil.copy(tmp_path / "whole.db", path)
        shutil.rmtree(outside)
        shutil.copytree(tmp_path / "kept", outside)
        attacker.cut(heads, cut)
        attacker.run("DELETE FROM snapshots")
        with closing(SqliteStore(path)) as store:
            Sequencer(House(store).floor.history, [outside]).accept(START_MS + 99_000, "Ann", "the disk is gone")
        for entry in there[-4:]:
            attacker.insert(entry)
        for _ in range(2):
            with closing(SqliteStore(path)) as store:
                History(store, KEYS).coverage.check_heads()
            attacker.run("DELETE FROM snapshots")
