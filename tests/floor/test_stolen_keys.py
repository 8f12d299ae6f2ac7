"""Forgeries with a stolen former key, or a stolen writer's key: nothing believes any of them.

The thief can write to the database and to the folder outside. He has the floor's first two keys, whole, and the keys of
writers of all three; he does not have the floor's key of today.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
import pytest
from tests.floor.attacker import MALLORY, Attacker
from tests.floor.floors import KEYS as FIRST
from tests.floor.floors import STAFF, START_MS, House
from tests.floor.forgeries import ACCOUNT
from tests.floor.test_forgeries import check

from punto.errors import Corrupt, PuntoError, StoreRewritten
from punto.floor.history import COVERAGE, History
from punto.floor.keys import Keys
from punto.floor.rotating import rotate
from punto.floor.sequencer import Sequencer
from punto.proof.coverage import Coverage
from punto.proof.headlog import CHECKPOINTS, Sequenced, origin_of
from punto.proof.heads import Move, head_row, joining_rows
from punto.proof.merkle import EMPTY_ROOT
from punto.proof.notes import Checkpoint
from punto.proof.places import place_of
from punto.proof.rotations import KEYS, Rotation, SignedRotation, read_rotation, sign_rotation
from punto.proof.signers import FloorSigner, LocalSigner
from punto.proof.writers import HEADS, Writer, fresh_writer
from punto.record import audit
from punto.store import SqliteStore
from punto.store.chain import link, start
from punto.store.contract import Entry, Tip

SECOND: Final = Keys.from_secret(b"the second", (FIRST.sealing.key,))
THIRD: Final = Keys.from_secret(b"the third", (SECOND.sealing.key, FIRST.sealing.key))


def local(keys: Keys) -> LocalSigner:
    assert isinstance(keys.signing, LocalSigner)
    return keys.signing


@dataclass
class Loot:
    """A floor that has rotated its key twice, and what the thief has of it: a writer of each key."""

    folder: Path
    writers: list[Writer]


@pytest.fixture(scope="module")
def loot(tmp_path_factory: pytest.TempPathFactory) -> Loot:
    folder = tmp_path_factory.mktemp("loot")
    writers = []
    with closing(SqliteStore(folder / "floor.db")) as store:
        for life, (keys, then) in enumerate([(FIRST, SECOND), (SECOND, THIRD), (THIRD, None)]):
            house = House(store, keys, ids=1_000 * life)
            sequencer = Sequencer(house.floor.history, [folder / "outside"])
            sequencer.begin()
            house.open() if keys is FIRST else house.round("T2")
            house.note(b'{"account":"%d"}' % life)
            sequencer.checkpoint(START_MS)
            writer = house.floor.history._writer  # noqa: SLF001 (it is stolen)
            assert writer is not None
            writers.append(writer)
            if then is not None:
                rotate(store, keys, local(then), START_MS, "greta")
    return Loot(folder, writers)


class Thief(Attacker):
    """Somebody who has stolen keys, and can write to the database."""

    def __init__(self, folder: Path, writers: list[Writer]) -> None:
        super().__init__(f"sqlite:{folder / 'floor.db'}")
        self.writers = writers
        self.outside = folder / "outside"

    def tip(self, stream: str) -> Tip:
        there = self.entries(stream)
        return Tip(there[-1].version, there[-1].hash) if there else start(stream)

    def forge_account(self) -> dict[str, Move]:
        """An account of his own, and the move that a head must cover."""
        before = self.tip(STAFF)
        self.append(STAFF, ACCOUNT)
        return {STAFF: Move(before, self.tip(STAFF))}

    def sign_as(self, signer: FloorSigner, at_ms: int = START_MS) -> None:
        """An account, signed by a writer that a key has certified."""
        writer = fresh_writer(signer, at_ms)
        moves = self.forge_account()
        for row in joining_rows(writer, at_ms, self.tip(CHECKPOINTS)):
            self.insert(Entry._make(row))
        self.insert(Entry._make(head_row(writer, self.tip(writer.stream), at_ms, moves)))

    def extend(self, writer: Writer) -> None:
        """An account, signed by a former writer after its last head."""
        self.insert(Entry._make(head_row(writer, self.tip(writer.stream), START_MS, self.forge_account())))

    def rotations(self) -> list[Rotation]:
        return [read_rotation(entry.body) for entry in self.entries(KEYS)]

    def put_keys(self, *bodies: bytes) -> None:
        """Another stream of rotations, chained as it should be."""
        self.run("DELETE FROM entries WHERE stream = ?", KEYS)
        for body in bodies:
            self.append(KEYS, body)

    def rotation(self, old: Keys, new: Keys, number: int | None = None, **more: object) -> Rotation:
        """A rotation that says it stands after the last, or at another place."""
        there = self.entries(KEYS)[: number - 1 if number else None]
        before = Tip(there[-1].version, there[-1].hash) if there else start(KEYS)
        made = Rotation(
            before.version + 1, before.hash, old.public, new.public, FIRST.public, START_MS, "mallory", 10**6, {}
        )
        return msgspec.structs.replace(made, **more)


def _certified_by_the_first(thief: Thief) -> None:
    thief.sign_as(FIRST.signing)


def _certified_by_the_second(thief: Thief) -> None:
    thief.sign_as(SECOND.signing)


def _certified_in_the_past(thief: Thief) -> None:
    thief.sign_as(FIRST.signing, at_ms=1)


def _first_writer_goes_on(thief: Thief) -> None:
    thief.extend(thief.writers[0])


def _second_writer_goes_on(thief: Thief) -> None:
    thief.extend(thief.writers[1])


def _heads_rewritten(thief: Thief) -> None:
    """The last head of a former writer, signed anew over something else; there are as many as before."""
    stream = thief.writers[0].stream
    last = thief.entries(stream)[-1]
    thief.cut(stream, last.version - 1)
    thief.insert(Entry._make(head_row(thief.writers[0], thief.tip(stream), START_MS, thief.forge_account())))


def _heads_cut(thief: Thief) -> None:
    stream = thief.writers[0].stream
    thief.cut(stream, thief.tip(stream).version - 1)


def _head_in_the_place_of_another(thief: Thief) -> None:
    """A writer of today signs in the stream of a former one."""
    today, former = thief.writers[2], thief.writers[0].stream
    row = head_row(today, thief.tip(former), START_MS, thief.forge_account())
    before = thief.tip(former)
    hash_ = link(before.hash, former, before.version + 1, None, row[3])
    thief.insert(Entry(former, before.version + 1, None, row[3], hash_))


def _rotation_before_the_first(thief: Thief) -> None:
    """His own key, as the one before the first: the rotations that follow are the real ones."""
    real = [entry.body for entry in thief.entries(KEYS)]
    mine = thief.rotation(MALLORY, FIRST, 1, first=MALLORY.public)
    thief.put_keys(sign_rotation(mine, local(MALLORY), local(FIRST)), *real)
    thief.sign_as(MALLORY.signing)


def _former_key_replaced(thief: Thief) -> None:
    """His own key in the place of the first one, which the second has followed."""
    real = [entry.body for entry in thief.entries(KEYS)]
    mine = thief.rotation(MALLORY, SECOND, 1)
    thief.put_keys(sign_rotation(mine, local(MALLORY), local(SECOND)), *real[1:])
    thief.sign_as(MALLORY.signing)


def _writer_named_in_the_past(thief: Thief) -> None:
    """The first rotation again, by both of its keys, naming a writer more."""
    real = [entry.body for entry in thief.entries(KEYS)]
    thief.sign_as(FIRST.signing)
    names = [str(row[0]) for row in thief.run("SELECT DISTINCT stream FROM entries") if row[0].startswith(HEADS)]
    mine = msgspec.structs.replace(thief.rotations()[0], writers={name: thief.tip(name) for name in names})
    thief.put_keys(sign_rotation(mine, local(FIRST), local(SECOND)), *real[1:])


def _last_rotation_changed(thief: Thief) -> None:
    """The last rotation with more writers; of the key of today there is only the old signature."""
    thief.sign_as(SECOND.signing)
    last = thief.entries(KEYS)[-1]
    signed = msgspec.json.decode(last.body, type=SignedRotation)
    names = [str(row[0]) for row in thief.run("SELECT DISTINCT stream FROM entries") if row[0].startswith(HEADS)]
    mine = msgspec.structs.replace(thief.rotations()[-1], writers={name: thief.tip(name) for name in names})
    body = sign_rotation(mine, local(SECOND), _Copied(signed.new_signature))
    thief.put_keys(thief.entries(KEYS)[0].body, body)


@dataclass
class _Copied:
    """A signature that was made for something else."""

    signature: str

    def endorse(self, _: Rotation) -> str:
        return self.signature


def _rotation_by_the_new_key_alone(thief: Thief) -> None:
    thief.append(KEYS, sign_rotation(thief.rotation(THIRD, MALLORY), local(MALLORY), local(MALLORY)))
    thief.sign_as(MALLORY.signing)


def _rotation_by_a_former_key(thief: Thief) -> None:
    """From the key of today to his own, with a former key's signature in the place of the old one's."""
    said = thief.rotation(THIRD, MALLORY)
    signature = _Copied(local(SECOND).endorse(msgspec.structs.replace(said, old=SECOND.public)))
    thief.append(KEYS, sign_rotation(said, signature, local(MALLORY)))
    thief.sign_as(MALLORY.signing)


def _rotation_from_a_former_key(thief: Thief) -> None:
    """Another successor of a former key: both of its keys have signed it."""
    thief.append(KEYS, sign_rotation(thief.rotation(SECOND, MALLORY), local(SECOND), local(MALLORY)))
    thief.sign_as(MALLORY.signing)


def _other_successor(thief: Thief) -> None:
    """The same, in the place of the real one."""
    real = [entry.body for entry in thief.entries(KEYS)]
    mine = sign_rotation(thief.rotation(SECOND, MALLORY, 2), local(SECOND), local(MALLORY))
    thief.put_keys(real[0], mine)
    thief.sign_as(MALLORY.signing)


def _rotation_repeated(thief: Thief) -> None:
    thief.append(KEYS, thief.entries(KEYS)[-1].body)


def _rotations_gone(thief: Thief) -> None:
    thief.put_keys()


def _last_rotation_gone(thief: Thief) -> None:
    thief.cut(KEYS, 1)


def _checkpoint_of_a_former_key(thief: Thief) -> None:
    note = SECOND.signing.sign_checkpoint(Checkpoint(origin_of(FIRST.public), 10_000, EMPTY_ROOT))
    thief.append(CHECKPOINTS, msgspec.json.encode(Sequenced(START_MS, note.encode().decode(), {})))


FORGERIES: Final[dict[str, Callable[[Thief], None]]] = {
    "a writer that the first key has certified": _certified_by_the_first,
    "a writer that the second key has certified": _certified_by_the_second,
    "a certificate with a date of the past": _certified_in_the_past,
    "heads of a first writer beyond the rotation": _first_writer_goes_on,
    "heads of a second writer beyond the rotation": _second_writer_goes_on,
    "heads of a former writer rewritten": _heads_rewritten,
    "heads of a former writer cut off": _heads_cut,
    "a writer of today in the stream of a former one": _head_in_the_place_of_another,
    "a rotation before the first": _rotation_before_the_first,
    "a former key replaced by another": _former_key_replaced,
    "a writer named in an old rotation": _writer_named_in_the_past,
    "the last rotation changed": _last_rotation_changed,
    "a rotation that the new key alone has signed": _rotation_by_the_new_key_alone,
    "a rotation that a former key has signed": _rotation_by_a_former_key,
    "a rotation from a former key": _rotation_from_a_former_key,
    "another successor of a former key": _other_successor,
    "a rotation repeated": _rotation_repeated,
    "all rotations gone": _rotations_gone,
    "the last rotation gone": _last_rotation_gone,
    "a checkpoint that a former key has signed": _checkpoint_of_a_former_key,
}


# What these leave as it was is signed as it should be: the floor stops the streams concerned, and plays on elsewhere.
LEAVE_THE_REST: Final = {
    "a writer that the first key has certified",
    "a writer that the second key has certified",
    "a certificate with a date of the past",
    "heads of a first writer beyond the rotation",
    "heads of a second writer beyond the rotation",
    "a writer of today in the stream of a former one",
    "a rotation that the new key alone has signed",
    "a rotation that a former key has signed",
    "a rotation from a former key",
    "a rotation repeated",
    "a checkpoint that a former key has signed",
}


@pytest.fixture
def folder(loot: Loot, tmp_path: Path) -> Path:
    return Path(shutil.copytree(loot.folder, tmp_path / "floor"))


@pytest.fixture
def live(folder: Path) -> Iterator[House]:
    """The floor, open with the key of today."""
    with closing(SqliteStore(folder / "floor.db")) as store:
        yield House(store, THIRD, ids=10_000)


def found(house: House) -> list[str]:
    """What the audit finds, given nothing but the key of today; the notes of the staff here say nothing that reads."""
    findings = map(str, audit(house.store, public_key=THIRD.public).findings)
    return [each for each in findings if "an entry of identity that does not read" not in each]


def test_the_honest_record_is_clean_with_the_key_of_today(live: House) -> None:
    assert found(live) == []
    assert live.floor.history.coverage.stopped == {}
    facts = live.facts()
    assert facts["staff"] == [b'{"account":"greta"}', *(b'{"account":"%d"}' % life for life in range(3))]
    assert not [name for name, fact in facts.items() if str(fact).startswith("refused: ")]


@pytest.mark.parametrize("name", FORGERIES)
def test_a_stolen_key_changes_nothing(loot: Loot, live: House, folder: Path, name: str) -> None:
    facts = live.facts()
    FORGERIES[name](Thief(folder, loot.writers))
    # The live floor: before it has looked, after that, and after it has tried to write.
    check(facts, live.facts())
    with suppress(Corrupt):
        live.floor.look_over([STAFF, KEYS, CHECKPOINTS])
    check(facts, live.facts())
    with suppress(PuntoError):
        live.note(b'{"account":"hugo"}')
    staff = live.facts()["staff"]
    assert ACCOUNT not in staff if isinstance(staff, list) else str(staff).startswith("refused: ")
    if name in LEAVE_THE_REST:
        live.round("T2")
        facts = live.facts()
    # The audit, given nothing but the key of today.
    assert found(live)
    # A floor that starts: what it believes by itself, whatever is kept outside.
    try:
        house = House(live.store, THIRD, ids=20_000)
    except Corrupt as refusal:
        assert "\n" not in refusal.message
        assert name not in LEAVE_THE_REST
        return
    after = house.facts()
    staff = after["staff"]
    assert ACCOUNT not in staff if isinstance(staff, list) else str(staff).startswith("refused: ")
    check(facts | {"staff": staff}, after)
    if name in LEAVE_THE_REST:
        Sequencer(house.floor.history, [folder / "outside"]).compare()
        house.round("T2")


def test_a_checkpoint_outside_that_a_former_key_has_signed_is_refused(folder: Path, live: House) -> None:
    note = SECOND.signing.sign_checkpoint(Checkpoint(origin_of(FIRST.public), 10_000, EMPTY_ROOT))
    (folder / "outside" / "checkpoint").write_bytes(note.encode())
    with pytest.raises(Corrupt, match="a former key signed after it was rotated"):
        Sequencer(live.floor.history, [folder / "outside"]).compare()


@pytest.mark.parametrize("keys", [FIRST, SECOND], ids=["first", "second"])
def test_a_snapshot_that_was_stamped_with_a_stolen_sealing_key_is_not_believed(
    loot: Loot, folder: Path, live: House, keys: Keys
) -> None:
    facts = live.facts()
    thief = Thief(folder, loot.writers)
    thief.sign_as(MALLORY.signing)
    believing = Coverage(live.store, THIRD.public)
    believing.catch_up()
    believing._ends[STAFF] = place_of(thief.tip(STAFF))  # noqa: SLF001 (as he would)
    body = keys.stamped(believing.written(), COVERAGE.encode())
    thief.run("INSERT OR REPLACE INTO snapshots (stream, version, hash, body) VALUES (?, 0, ?, ?)", COVERAGE, b"", body)
    check(facts, House(live.store, THIRD).facts())


def test_a_floor_with_a_former_key_does_not_open(live: House) -> None:
    for keys in (FIRST, SECOND):
        with pytest.raises(Corrupt, match=r"the floor's key was rotated by greta.*open the floor with that one"):
            House(live.store, keys)


def test_there_are_twelve_kinds_or_more() -> None:
    assert len(FORGERIES) >= 12


def test_a_damaged_head_of_a_former_key_is_told_by_its_number(loot: Loot, tmp_path: Path) -> None:
    shutil.copy(loot.folder / "floor.db", tmp_path / "floor.db")
    thief = Thief(tmp_path, loot.writers)
    stream = loot.writers[0].stream
    thief.run("UPDATE entries SET body = ? WHERE stream = ? AND version = 9", b"{}", stream)
    thief.run("DELETE FROM snapshots")
    with (
        closing(SqliteStore(tmp_path / "floor.db")) as store,
        pytest.raises(
            StoreRewritten, match=rf"head 9 of {stream} is not the one that was signed \(later ones are there"
        ),
    ):
        History(store, THIRD)


def test_heads_beyond_a_rotation_are_no_later_heads(loot: Loot, tmp_path: Path) -> None:
    """The thief signs two more heads with a former writer's key, and leaves a gap before them."""
    shutil.copy(loot.folder / "floor.db", tmp_path / "floor.db")
    thief = Thief(tmp_path, loot.writers)
    writer = loot.writers[0]
    version, before = thief.tip(writer.stream)
    for number in range(version + 1, version + 3):
        row = head_row(writer, Tip(number, before), START_MS, {})
        before = row[4]
        thief.insert(Entry._make(row))
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        coverage = History(store, THIRD).coverage
        coverage.check_heads()
        assert coverage.head(writer.stream, version + 2) is None
