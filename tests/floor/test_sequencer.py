"""Checkpoints outside the store: taken in order, and compared when the floor opens again."""

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from tests.floor.attacker import Attacker
from tests.floor.floors import ANN, BOB, KEYS, OPEN, SPENT, START_MS, House
from tests.store.places import Place

from punto.errors import (
    Conflict,
    NoCheckpoint,
    OutcomeUnknown,
    PuntoError,
    StoreRewritten,
    StreamStopped,
    UnwritableFile,
    WrongKey,
)
from punto.floor import Floor, Keys
from punto.floor.acceptedids import Segment, keep
from punto.floor.history import History
from punto.floor.repairing import Who, set_aside, survey
from punto.floor.sequencer import DECISIONS, SEQUENCER, Sequencer
from punto.floor.tickets import issue_id, redeem_id
from punto.proof.headlog import CHECKPOINTS, HeadLog, floor_verifier, open_checkpoint, read_sequenced
from punto.proof.notes import Checkpoint, open_note
from punto.proof.outposts import Outpost, Tail
from punto.proof.signedpart import SignedPart
from punto.record import audit
from punto.store import MemoryStore, SqliteStore, Tip
from punto.store.backup import back_up
from punto.store.contract import Row
from punto.table import commands as do


class Opened:
    """A floor on a file, with its folder outside."""

    def __init__(self, folder: Path, keys: Keys = KEYS) -> None:
        self.path, self.outside = folder / "floor.db", folder / "outside"
        self.store = SqliteStore(self.path)
        self.house = House(self.store, keys)
        self.sequencer = Sequencer(self.house.floor.history, [self.outside])

    def open(self) -> "Opened":
        """Compare with what is outside, and go on from there."""
        self.sequencer.compare()
        self.sequencer.begin()
        return self

    def close(self) -> None:
        self.sequencer.checkpoint(START_MS)
        self.house.floor.keep_all()
        self.store.close()


def checkpoint_of(folder: Path) -> Checkpoint:
    return open_checkpoint((folder / "outside" / "checkpoint").read_bytes(), (KEYS.public,))


def test_a_checkpoint_is_the_root_of_all_heads_and_signed_by_the_floor(tmp_path: Path) -> None:
    floor = Opened(tmp_path).open()
    floor.house.open()
    floor.close()
    outside = checkpoint_of(tmp_path)
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        [entry] = store.read(CHECKPOINTS)
        log = HeadLog()
        log.take_up_to(store, read_sequenced(entry.body).took)
        assert (log.frontier.size, log.frontier.root()) == (outside.size, outside.root)
        assert outside.size > 20
        assert not [each for each in audit(store, public_key=KEYS.public).findings if each.stream == CHECKPOINTS]
    raw = (tmp_path / "outside" / "checkpoint").read_bytes()
    assert open_note(raw, [floor_verifier(KEYS.public)]).verified
    with pytest.raises(PuntoError):
        open_checkpoint(raw, (Keys.fresh().public,))


def test_checkpoints_follow_each_other_over_many_lives(tmp_path: Path) -> None:
    sizes = []
    for life in range(4):
        floor = Opened(tmp_path).open()
        if life == 0:
            floor.house.open()
        for _ in range(3):
            floor.house.round("T2")
            floor.sequencer.checkpoint(START_MS)
        floor.house.give(do.BuyIn, BOB, cents=100)
        floor.close()
        sizes.append(checkpoint_of(tmp_path).size)
    assert sizes == sorted(set(sizes))
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        codes = {finding.code.value for finding in audit(store, public_key=KEYS.public).findings}
        assert codes == {"unreadable"}, "the notes of the staff here say nothing"


def test_where_nothing_has_happened_no_checkpoint_is_taken(tmp_path: Path) -> None:
    floor = Opened(tmp_path).open()
    assert not floor.sequencer.checkpoint(START_MS)
    floor.house.open()
    assert floor.sequencer.checkpoint(START_MS)
    assert not floor.sequencer.checkpoint(START_MS)
    assert not floor.sequencer.checkpoint(START_MS)
    floor.house.round("T2")
    assert floor.sequencer.checkpoint(START_MS)
    floor.store.close()


def played(folder: Path) -> Opened:
    floor = Opened(folder).open()
    floor.house.open()
    floor.close()
    return floor


def test_an_older_copy_does_not_open(tmp_path: Path) -> None:
    played(tmp_path)
    shutil.copy(tmp_path / "floor.db", tmp_path / "old.db")
    floor = Opened(tmp_path).open()
    floor.house.round("T2")
    floor.close()
    shutil.copy(tmp_path / "old.db", tmp_path / "floor.db")
    with pytest.raises(StoreRewritten, match=r"older than the checkpoint outside.*punto accept"):
        Opened(tmp_path).open()


def test_a_copy_that_was_continued_elsewhere_does_not_open(tmp_path: Path) -> None:
    played(tmp_path)
    (tmp_path / "other").mkdir()
    shutil.copy(tmp_path / "floor.db", tmp_path / "other" / "floor.db")
    shutil.copytree(tmp_path / "outside", tmp_path / "other" / "outside")
    for folder in (tmp_path, tmp_path / "other"):
        floor = Opened(folder).open()
        floor.house.round("T2")
        floor.close()
    shutil.copy(tmp_path / "other" / "floor.db", tmp_path / "floor.db")
    with pytest.raises(StoreRewritten):
        Opened(tmp_path).open()


def test_play_that_was_acknowledged_after_the_last_checkpoint_is_missed_too(tmp_path: Path) -> None:
    """As after a damaged log: the file is whole, and its last transactions are gone."""
    played(tmp_path)
    floor = Opened(tmp_path).open()
    floor.house.give(do.BuyIn, ANN, cents=100)
    shutil.copy(tmp_path / "floor.db", tmp_path / "before.db")
    for end in ("-wal", "-shm"):
        shutil.copy(tmp_path / f"floor.db{end}", tmp_path / f"before.db{end}")
    floor.house.give(do.BuyIn, BOB, cents=10_000, id=redeem_id(OPEN))
    floor.store.close()
    for end in ("", "-wal", "-shm"):
        shutil.copy(tmp_path / f"before.db{end}", tmp_path / f"floor.db{end}")
    with pytest.raises(StoreRewritten, match="has lost acknowledged play"):
        Opened(tmp_path).open()


@pytest.mark.parametrize("damage", ["flip", "cut", "remove"])
def test_a_damaged_log_is_noticed(tmp_path: Path, damage: str) -> None:
    played(tmp_path)
    floor = Opened(tmp_path).open()
    for _ in range(5):
        floor.house.round("T2")
    wal = tmp_path / "floor.db-wal"
    shutil.copy(tmp_path / "floor.db", tmp_path / "copy.db")
    data = bytearray(wal.read_bytes())
    floor.store.close()
    shutil.copy(tmp_path / "copy.db", tmp_path / "floor.db")
    (tmp_path / "floor.db-shm").unlink(missing_ok=True)
    if damage == "flip":
        data[len(data) // 2] ^= 1
    wal.write_bytes(b"" if damage == "remove" else data[: len(data) // 2] if damage == "cut" else data)
    if damage == "remove":
        wal.unlink()
    with pytest.raises(StoreRewritten, match="has lost acknowledged play"):
        Opened(tmp_path).open()


def test_a_floor_that_was_killed_before_its_first_checkpoint_was_kept_opens_again(tmp_path: Path) -> None:
    played(tmp_path)
    (tmp_path / "outside" / "checkpoint").unlink()  # the tail is there
    Opened(tmp_path).open().store.close()


def test_a_folder_that_is_gone_needs_a_decision_from_the_first_checkpoint_on(tmp_path: Path) -> None:
    played(tmp_path)
    shutil.rmtree(tmp_path / "outside")
    with pytest.raises(NoCheckpoint, match="no checkpoint of this floor is there"):
        Opened(tmp_path).open()


def test_a_floor_that_names_no_place_any_more_needs_a_decision(tmp_path: Path) -> None:
    played(tmp_path)
    with (
        closing(SqliteStore(tmp_path / "floor.db")) as store,
        pytest.raises(NoCheckpoint, match="names no place for checkpoints"),
    ):
        Sequencer(History(store, KEYS), ()).compare()


@pytest.mark.parametrize("live", [True, False])
def test_what_was_given_up_by_a_decision_never_comes_back(tmp_path: Path, *, live: bool) -> None:
    played(tmp_path)
    old, path = tmp_path / "old.db", tmp_path / "floor.db"
    floor = Opened(tmp_path).open()
    floor.house.round("T2")
    back_up(path, old)
    floor.house.give(do.BuyIn, ANN, cents=500_000)  # by a writer that the copy has, and then by one that it lacks
    floor.close()
    floor = Opened(tmp_path).open()
    floor.house.give(do.BuyIn, BOB, cents=500_000)
    floor.close()
    given_up = tmp_path / "given-up.db"
    back_up(path, given_up)
    path.unlink()
    back_up(old, path)
    again = Opened(tmp_path)
    with pytest.raises(StoreRewritten):
        again.sequencer.compare()
    again.sequencer.accept(START_MS + 99_000, "Ann Tan", "the disk was lost")
    again.store.close()
    floor = Opened(tmp_path).open()
    if not live:
        floor.store.close()
    with closing(sqlite3.connect(path)) as attacker, attacker:
        attacker.execute("ATTACH ? AS up", (str(given_up),))
        attacker.execute(
            "INSERT INTO entries SELECT * FROM up.entries AS one WHERE NOT EXISTS "
            "(SELECT 1 FROM entries WHERE stream = one.stream AND version = one.version) "
            "AND (stream LIKE 'heads/%' OR stream IN ('wallet/ann', 'wallet/bob', 'table/T1'))"
        )
    if live:
        floor.house.floor.look_over(["wallet/ann", "wallet/bob", "table/T1"])
        for account in ("wallet/ann", "wallet/bob"):
            with pytest.raises(StreamStopped, match="carry no signature"):
                floor.house.floor.balance(account)
        floor.store.close()
    else:
        with pytest.raises(StoreRewritten, match=r"given up|nothing else says which processes"):
            Opened(tmp_path)
    with closing(SqliteStore(path)) as store:
        assert any("go on without" in str(each) for each in audit(store, public_key=KEYS.public).findings)
        part = SignedPart(store, KEYS.public)  # and no command shows it
        for stream in ("wallet/ann", "wallet/bob", "table/T1"):
            assert not [each for each in part.read(stream) if b'"cents":500000' in each.body]
            assert "carry no signature" in part.left_out[stream]


def test_a_decision_is_refused_where_nothing_is_wrong(tmp_path: Path) -> None:
    played(tmp_path)
    floor = Opened(tmp_path).open()
    with pytest.raises(Conflict, match="nothing to decide"):
        floor.sequencer.accept(START_MS, "Ann Tan", "just so")
    assert checkpoint_of(tmp_path).size
    floor.store.close()


def test_a_checkpoint_that_could_not_be_kept_is_kept_the_next_time(tmp_path: Path) -> None:
    floor = Opened(tmp_path).open()
    floor.house.open()
    shutil.rmtree(tmp_path / "outside", ignore_errors=True)
    (tmp_path / "outside").write_text("a file")
    with pytest.raises(UnwritableFile):
        floor.sequencer.checkpoint(START_MS)
    (tmp_path / "outside").unlink()
    assert not floor.sequencer.checkpoint(START_MS), "nothing is new"
    assert checkpoint_of(tmp_path).size > 20
    floor.store.close()


def test_without_a_checkpoint_outside_a_decision_is_needed_and_is_on_record(tmp_path: Path) -> None:
    played(tmp_path)
    floor = Opened(tmp_path).open()
    floor.house.round("T2")
    floor.close()
    shutil.rmtree(tmp_path / "outside")
    with pytest.raises(NoCheckpoint, match="no checkpoint of this floor is there, and 2 were taken"):
        Opened(tmp_path).open()
    floor = Opened(tmp_path)
    floor.sequencer.accept(START_MS, "greta", "the disk of the checkpoints has failed")
    floor.store.close()
    again = Opened(tmp_path).open()
    [decision] = again.store.read(DECISIONS)
    assert b"the disk of the checkpoints has failed" in decision.body
    for _ in range(2):
        again.house.round("T2")
        again.sequencer.checkpoint(START_MS)
    again.close()
    Opened(tmp_path).open().store.close()
    shutil.rmtree(tmp_path / "outside")
    with pytest.raises(NoCheckpoint):
        Opened(tmp_path).open()


def test_whoever_restores_a_copy_decides_so_and_what_was_outside_is_set_aside(tmp_path: Path) -> None:
    played(tmp_path)
    shutil.copy(tmp_path / "floor.db", tmp_path / "old.db")
    floor = Opened(tmp_path).open()
    floor.house.round("T2")
    floor.close()
    shutil.copy(tmp_path / "old.db", tmp_path / "floor.db")
    restored = Opened(tmp_path)
    restored.sequencer.accept(START_MS, "greta", "restored from the copy of noon")
    restored.store.close()
    again = Opened(tmp_path).open()
    again.house.round("T2")
    again.close()
    assert [path for path in (tmp_path / "outside").iterdir() if path.name.endswith("-checkpoint")]
    Opened(tmp_path).open().store.close()


def test_a_checkpoint_that_another_floor_has_signed_is_refused(tmp_path: Path) -> None:
    played(tmp_path)
    (tmp_path / "floor.db").unlink()
    with pytest.raises(WrongKey, match=r"holds no checkpoint of this floor .* 'punto accept'"):
        Opened(tmp_path, Keys.fresh()).open()
    (tmp_path / "outside" / "checkpoint").write_text("not a note")
    with pytest.raises(StoreRewritten, match="lost acknowledged play"):
        Opened(tmp_path).open()


def test_one_process_at_a_time_takes_checkpoints() -> None:
    store = MemoryStore()
    one, other = House(store).open(), House(store)
    first, second = Sequencer(one.floor.history, []), Sequencer(other.floor.history, [])
    assert first.checkpoint(START_MS)
    one.round("T2")
    other.floor.history.watch([])
    assert second.checkpoint(START_MS)
    one.round("T2")
    assert not first.checkpoint(START_MS), "the other has taken over"
    assert not [each for each in audit(store, public_key=KEYS.public).findings if each.stream == CHECKPOINTS]


class Failing(MemoryStore):
    """A store that loses the answer to a transaction, which was not made."""

    def __init__(self) -> None:
        super().__init__()
        self.fails = False

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        if self.fails:
            self.fails = False
            list(entries)
            raise OutcomeUnknown("the answer was lost")
        super().append(entries, fences)


def test_after_a_checkpoint_that_was_not_written_the_next_one_is_right() -> None:
    store = Failing()
    one, other = House(store).open(), House(store)
    sequencer = Sequencer(one.floor.history, [])

    def both_write() -> None:
        one.round("T2")
        other.floor.history.watch(["identity/staff"])
        other.staff = other.floor.history.end("identity/staff").version
        other.note(b"{}")
        one.floor.look_over([])

    assert sequencer.checkpoint(START_MS)
    both_write()
    store.fails = True
    with pytest.raises(OutcomeUnknown):
        sequencer.checkpoint(START_MS)
    one.floor.look_over([])
    both_write()
    assert sequencer.checkpoint(START_MS)
    assert not [each for each in audit(store, public_key=KEYS.public).findings if each.stream == CHECKPOINTS]


def test_a_checkpoint_that_was_never_kept_outside_is_kept_before_another_is_taken(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    for life in range(3):
        floor = Opened(tmp_path).open()
        floor.house.open() if not life else floor.house.round("T2")
        outside.rename(tmp_path / "elsewhere")
        outside.write_text("there is no room")
        with pytest.raises(UnwritableFile):
            floor.sequencer.checkpoint(START_MS)
        floor.store.close()
        outside.unlink()
        (tmp_path / "elsewhere").rename(outside)
    assert Opened(tmp_path).open().sequencer.checkpoint(START_MS)
    assert checkpoint_of(tmp_path).size


class LosingAnswers(MemoryStore):
    """A store that loses the answer to a transaction, which was made; and tells of each checkpoint that comes."""

    def __init__(self) -> None:
        super().__init__()
        self.loses = False
        self.on_checkpoint: Callable[[], object] = lambda: None

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        rows = list(entries)
        if rows[0][0] == CHECKPOINTS:
            self.on_checkpoint()
        super().append(rows, fences)
        if self.loses:
            self.loses = False
            raise OutcomeUnknown("the answer was lost")


def test_a_checkpoint_whose_answer_was_lost_is_kept_before_another_is_taken(tmp_path: Path) -> None:
    store, outside = LosingAnswers(), Outpost(tmp_path / "outside")
    house = House(store).open()
    sequencer = Sequencer(house.floor.history, [outside])
    sequencer.begin()
    store.loses = True
    with pytest.raises(OutcomeUnknown):
        sequencer.checkpoint(START_MS)
    assert outside.note() is None
    house.round("T2")
    kept: list[bytes | None] = []
    store.on_checkpoint = lambda: kept.append(outside.note())
    assert sequencer.checkpoint(START_MS)
    first = read_sequenced(next(store.read(CHECKPOINTS)).body).note.encode()
    assert kept == [first]


def test_a_checkpoint_of_a_process_that_was_killed_is_kept_before_another_process_takes_one(tmp_path: Path) -> None:
    store, outside = LosingAnswers(), Outpost(tmp_path / "outside")
    one, other = House(store).open(), House(store)
    assert Sequencer(one.floor.history, []).checkpoint(START_MS), "it is killed before it keeps that outside"
    one.round("T2")
    kept: list[bytes | None] = []
    store.on_checkpoint = lambda: kept.append(outside.note())
    assert Sequencer(other.floor.history, [outside]).checkpoint(START_MS)
    first = read_sequenced(next(store.read(CHECKPOINTS)).body).note.encode()
    assert kept == [first]


class Interrupted(MemoryStore):
    """A store at which something else happens before a sequencer's claim."""

    def __init__(self) -> None:
        super().__init__()
        self.before: list[Callable[[], object]] = []

    def claim(self, name: str) -> int:
        if name == SEQUENCER and self.before:
            self.before.pop(0)()
        return super().claim(name)


def test_a_checkpoint_that_another_process_takes_while_this_one_joins_is_in_the_next_one() -> None:
    store = Interrupted()
    one, another, late = House(store).open(), House(store), House(store)
    first, second = Sequencer(one.floor.history, []), Sequencer(late.floor.history, [])

    def write() -> None:
        one.round("T2")
        another.floor.history.watch(["identity/staff"])
        another.staff = another.floor.history.end("identity/staff").version
        another.note(b"{}")
        one.floor.look_over([])

    def meanwhile() -> None:
        write()
        assert first.checkpoint(START_MS)
        write()

    write()
    store.before = [lambda: None, meanwhile]
    assert second.checkpoint(START_MS), "it takes one, and joins for that"
    assert late.floor.history.end(CHECKPOINTS).version == 2
    assert not [each for each in audit(store, public_key=KEYS.public).findings if each.stream == CHECKPOINTS]


def test_a_floor_opens_while_another_takes_a_checkpoint(tmp_path: Path) -> None:
    store, outside = MemoryStore(), tmp_path / "outside"
    one = House(store).open()
    first = Sequencer(one.floor.history, [outside])
    first.begin()
    assert first.checkpoint(START_MS)
    opening = Sequencer(History(store, KEYS), [outside])
    one.round("T2")
    assert first.checkpoint(START_MS)
    opening.compare()


def test_no_checkpoint_takes_the_place_of_a_newer_one(tmp_path: Path) -> None:
    store, outside = MemoryStore(), tmp_path / "outside"
    one, other = House(store).open(), House(store)
    first, second = Sequencer(one.floor.history, [outside]), Sequencer(other.floor.history, [outside])
    outside.write_text("there is no room")
    with pytest.raises(UnwritableFile):
        first.checkpoint(START_MS)
    outside.unlink()
    one.round("T2")
    other.floor.history.watch([])
    assert second.checkpoint(START_MS)
    size = checkpoint_of(tmp_path).size
    assert not first.checkpoint(START_MS)
    assert checkpoint_of(tmp_path).size == size


def test_a_tail_survives_a_torn_place(tmp_path: Path) -> None:
    tail = Tail(tmp_path, "w")
    for number in range(2, 200):
        tail.write("heads/w", Tip(number, bytes([number]) * 32))
    tail.close()
    assert [*Outpost(tmp_path).tails()] == [("heads/w", Tip(199, bytes([199]) * 32))]
    text = bytearray((tmp_path / "tail-w").read_bytes())
    text[160 * (199 % 64) + 20] ^= 1
    (tmp_path / "tail-w").write_bytes(text)
    assert [*Outpost(tmp_path).tails()] == [("heads/w", Tip(198, bytes([198]) * 32))]


def test_a_folder_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("a file")
    with pytest.raises(UnwritableFile, match="checkpoints cannot be kept there"):
        Opened(tmp_path).sequencer.begin()


def test_a_tail_that_cannot_be_kept_any_more_is_told_and_play_goes_on(tmp_path: Path) -> None:
    floor = Opened(tmp_path).open()
    shutil.rmtree(tmp_path / "outside")
    (tmp_path / "outside").write_text("a file")
    floor.house.open()
    assert floor.house.floor.history.outside_fault is not None
    floor.store.close()


def test_a_folder_that_fails_takes_no_tail_from_those_after_it(tmp_path: Path) -> None:
    floor = Opened(tmp_path).open()
    history = floor.house.floor.history
    (tmp_path / "bad").write_text("a file")
    history.keep_tails([Outpost(tmp_path / "bad"), Outpost(tmp_path / "good")])
    floor.house.open()
    assert history.outside_fault is not None
    assert history.writer is not None
    assert [*Outpost(tmp_path / "good").tails()] == [*history.coverage.believed_heads().items()]
    floor.store.close()


def test_play_after_a_folder_was_lost_is_missed_by_what_is_kept_in_its_place(tmp_path: Path) -> None:
    floor = Opened(tmp_path).open()
    floor.house.open()
    assert floor.sequencer.checkpoint(START_MS)
    back_up(floor.path, tmp_path / "copy.db")
    shutil.rmtree(floor.outside)
    assert not floor.sequencer.outposts[0].loss, "nothing was to be kept there yet"
    assert not floor.sequencer.checkpoint(START_MS), "nothing has happened"
    assert checkpoint_of(tmp_path), "the last one is kept all the same"
    assert "made anew" in floor.sequencer.outposts[0].loss
    shutil.rmtree(floor.outside)
    floor.house.round("T2")
    assert [*floor.sequencer.outposts[0].tails()] == [
        tail for tail in floor.house.floor.history.coverage.believed_heads().items() if tail[1].version > 1
    ]
    floor.sequencer.checkpoint(START_MS)
    floor.house.round("T2")
    floor.store.close()
    shutil.copy(tmp_path / "copy.db", floor.path)
    with pytest.raises(StoreRewritten):
        Opened(tmp_path).open()


def test_a_coverage_that_was_kept_is_that_of_all_heads(tmp_path: Path) -> None:
    played(tmp_path)
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        kept = History(store, KEYS).coverage
        with closing(sqlite3.connect(tmp_path / "floor.db")) as connection:
            connection.execute("DELETE FROM snapshots")
            connection.commit()
        read = History(store, KEYS).coverage
        assert kept.streams() == read.streams()
        assert {name: kept.end(name) for name in kept.streams()} == {name: read.end(name) for name in read.streams()}
        assert kept.believed_heads() == read.believed_heads()
        assert Floor(store, KEYS).table("T1").round == 2


# A store that is older than what its floor has seen there


def given_up(folder: Path) -> None:
    """A floor is closed, its store is replaced by a copy, and snapshots of what was played since lie in the copy."""
    old, path = folder / "old.db", folder / "floor.db"
    floor = Opened(folder).open()
    floor.house.round_only()
    floor.sequencer.checkpoint(START_MS)
    back_up(path, old)
    for code in (SPENT, OPEN):
        floor.house.round("T2")
        floor.house.give(do.CashOut, BOB, "T2", cents=100, id=issue_id(code))
    floor.sequencer.checkpoint(START_MS)
    segment = Segment(0, 0, floor.house.floor.history.end("table/T2").version, {"an id": 1})
    keep(floor.store, KEYS, "T2", segment)
    floor.close()
    with closing(sqlite3.connect(old)) as copy, copy, closing(sqlite3.connect(path)) as whole:
        for row in whole.execute("SELECT stream, version, hash, body FROM snapshots"):
            copy.execute("INSERT OR REPLACE INTO snapshots (stream, version, hash, body) VALUES (?, ?, ?, ?)", row)
    path.unlink()
    old.rename(path)


@pytest.mark.parametrize("is_outside", [True, False])
def test_a_store_that_is_older_than_its_own_snapshots_opens_after_a_decision(
    tmp_path: Path, *, is_outside: bool
) -> None:
    given_up(tmp_path)
    if not is_outside:  # nothing outside tells, and the snapshot alone must do
        with closing(SqliteStore(tmp_path / "floor.db")) as store:
            note = read_sequenced([*store.read(CHECKPOINTS)][-1].body).note
        shutil.rmtree(tmp_path / "outside")
        Outpost(tmp_path / "outside").publish(note.encode())
    with pytest.raises(StoreRewritten, match=r"this store has \d+ heads of writer .* has seen \d+.*'punto accept'"):
        Opened(tmp_path)
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        sequencer = Sequencer(History(store, KEYS, older=True), [tmp_path / "outside"])
        sequencer.accept(START_MS + 99_000, "Ann Tan", "the disk was lost")
        [decision] = store.read(DECISIONS)
        assert b"this floor has seen" in decision.body
    floor = Opened(tmp_path).open()
    assert floor.house.floor.look_over_all() == {}
    assert floor.house.floor.ticket_worth(OPEN) is None
    for _ in range(3):
        floor.house.round("T2")
        floor.sequencer.checkpoint(START_MS)
    floor.close()
    again = Opened(tmp_path).open()
    again.house.round("T2")
    again.close()
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        report = audit(store, public_key=KEYS.public)
        assert (report.total, [each.by for each in report.interventions]) == (0, ["Ann Tan"])
        assert not store.faults()


def test_a_floor_keeps_nothing_in_a_store_that_was_replaced_under_it(place: Place) -> None:
    if place.kind == "memory":
        return  # nobody else can write to it
    with closing(place.open()) as store:
        floor = House(store).round_only().floor
        attacker = Attacker(place.url)
        attacker.cut(attacker.heads(), 5)
        snapshots = "SELECT stream, version FROM snapshots ORDER BY stream"
        before = attacker.run(snapshots)
        for _ in range(2):
            floor.keep_all()
            assert attacker.run(snapshots) == before
        assert isinstance(floor.history.ended, StoreRewritten)
        assert House(store).floor.history.coverage.heads == 5


def test_a_store_whose_heads_end_early_is_reported_and_repaired(place: Place, tmp_path: Path) -> None:
    if place.kind == "memory":
        return
    with closing(place.open()) as store:
        House(store).round_only().floor.keep_all()
    attacker = Attacker(place.url)
    attacker.cut(heads := attacker.heads(), 8)
    with closing(place.open()) as store:
        with pytest.raises(StoreRewritten, match=r"has 8 heads of writer .*record a decision with 'punto accept'"):
            Floor(store, KEYS)
        found = survey(store, KEYS)
        assert (found.is_sound, heads.removeprefix("heads/") in found.lack) == (False, True)
        moved = set_aside(store, KEYS, Who("Ann Tan", "nobody has signed them", START_MS), tmp_path / "aside")
        assert moved.keys() == found.beyond.keys() != set()
        Sequencer(History(store, KEYS, older=True), ()).accept(START_MS, "Ann Tan", "the end was cut off")
    with closing(place.open()) as store:
        again = House(store)
        assert again.floor.look_over_all() == {}
        again.give(do.BuyIn, ANN, "T2", cents=100)
        assert again.floor.balance("wallet/ann") == 100
        assert audit(store, public_key=KEYS.public).total == 0
