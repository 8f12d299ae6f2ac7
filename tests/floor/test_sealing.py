"""A gaming day that is over is sealed once, judged by the audit, and archived as a file that proves itself."""

import gzip
import shutil
from pathlib import Path

import msgspec
import pytest
from tests.floor.attacker import MALLORY
from tests.floor.floors import KEYS, STAFF, START_MS, House
from tests.floor.test_rotating import NEW

from punto.errors import Corrupt, Malformed, PuntoError, Refusal
from punto.floor.rotating import rotate
from punto.floor.sealing import seal_of
from punto.floor.sequencer import Sequencer
from punto.proof.headlog import origin_of
from punto.proof.notes import Checkpoint
from punto.proof.seals import SEALS, read_seal, write_seal
from punto.proof.signers import LocalSigner
from punto.record import Code, audit
from punto.record.archive import check_archive
from punto.record.archiving import write_archive
from punto.store import Entry, MemoryStore
from punto.table import commands as do

HOUR_MS = 3_600_000
# The house begins at midnight: its first gaming day is 31 December, and ends at six.
NIGHT, DAY = "2025-12-31", "2026-01-01"


class Scene:
    """A floor over two gaming days, with a checkpoint after each."""

    def __init__(self, folder: Path) -> None:
        self.outside = folder / "outside"
        self.house = House(MemoryStore()).open()
        self.store = self.house.store
        self.sequencer = Sequencer(self.house.floor.history, [self.outside])
        self.sequencer.checkpoint(START_MS + HOUR_MS)

    def day(self, hours: int) -> None:
        """Play a round at so many hours after the beginning, and take a checkpoint a minute later."""
        self.house.ids = hours * HOUR_MS
        self.house.round("T2")
        self.sequencer.checkpoint(START_MS + hours * HOUR_MS + 60_000)

    def seal(self, hours: int) -> bool:
        return self.house.floor.seal_day(START_MS + hours * HOUR_MS + 61_000)

    def archive(self, day: str, path: Path) -> Path:
        write_archive(self.store, day, path)
        return path


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    scene = Scene(tmp_path)
    scene.day(7)  # one o'clock past the end of the first day
    return scene


def findings(scene: Scene) -> list[str]:
    found = audit(scene.store, public_key=KEYS.public).findings
    return [f"{each.code.value} {each.said}" for each in found if each.stream != STAFF]


def test_a_day_is_sealed_up_to_six_and_once(scene: Scene) -> None:
    assert scene.seal(7)
    assert not scene.seal(8)
    [entry] = scene.store.read(SEALS)
    seal = read_seal(entry.body)
    assert (seal.day, seal.until_ms) == (NIGHT, START_MS + 6 * HOUR_MS)
    # The round after six is not in it, and the first day is, from its first entry on.
    ends = {name: tip.version for name, tip in scene.store.streams()}
    assert 0 < seal.streams["table/T2"].last < ends["table/T2"]
    assert seal.streams["table/T1"].last == ends["table/T1"]
    assert {stream.first for stream in seal.streams.values()} == {1}
    assert findings(scene) == []


def test_the_next_day_goes_on_where_the_last_one_ended(scene: Scene) -> None:
    assert scene.seal(7)
    scene.day(31)
    assert scene.seal(31)
    first, second = (read_seal(entry.body) for entry in scene.store.read(SEALS))
    assert (second.day, second.since_ms) == (DAY, first.until_ms)
    assert second.streams["table/T2"].first == first.streams["table/T2"].last + 1
    assert "table/T1" not in second.streams
    assert findings(scene) == []


def test_a_day_that_no_checkpoint_covers_waits(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    scene.house.give(do.OpenBets, table="T2")
    assert not scene.seal(7)
    scene.sequencer.checkpoint(START_MS + 7 * HOUR_MS)
    assert scene.seal(7)


@pytest.mark.parametrize(
    "change",
    [
        lambda seal: msgspec.structs.replace(seal, size=seal.size + 1),
        lambda seal: msgspec.structs.replace(
            seal, streams={**seal.streams, "table/T1": msgspec.structs.replace(seal.streams["table/T1"], digest=b"x")}
        ),
        lambda seal: msgspec.structs.replace(
            seal, streams={**seal.streams, "table/T1": msgspec.structs.replace(seal.streams["table/T1"], last=3)}
        ),
    ],
)
def test_the_audit_finds_a_seal_that_does_not_match(scene: Scene, change: object) -> None:
    """The floor itself wrote it: nothing but the seal is wrong."""
    found = seal_of(scene.house.floor.history, START_MS + 8 * HOUR_MS)
    assert found is not None
    forged = write_seal(change(read_seal(found[1])))  # type: ignore[operator]
    scene.house.floor.note([(SEALS, forged)], {SEALS: 0}, START_MS + 8 * HOUR_MS)
    [said] = findings(scene)
    assert said.startswith(Code.BAD_SEAL.value)


# Archives


def test_an_archive_is_checked_by_itself(scene: Scene, tmp_path: Path) -> None:
    assert scene.seal(7)
    scene.day(31)
    assert scene.seal(31)
    for day in (NIGHT, DAY):
        path = scene.archive(day, tmp_path / day)
        found = check_archive(path, KEYS.public)
        sealed = next(seal for entry in scene.store.read(SEALS) if (seal := read_seal(entry.body)).day == day)
        assert (found.day, found.streams) == (day, len(sealed.streams))
        assert found.entries == sum(stream.last - stream.first + 1 for stream in sealed.streams.values())
        assert check_archive(path).floor == KEYS.public
    with pytest.raises(Refusal, match="not sealed"):
        scene.archive("2026-01-02", tmp_path / "none")


def test_an_archive_is_held_against_a_checkpoint_that_was_kept_outside(scene: Scene, tmp_path: Path) -> None:
    kept = (scene.outside / "checkpoint").read_bytes()
    assert scene.seal(7)
    path = scene.archive(NIGHT, tmp_path / "day")
    assert check_archive(path, checkpoint=kept).day == NIGHT
    found = check_archive(path)
    origin = origin_of(KEYS.public)
    another = KEYS.signing.sign_checkpoint(Checkpoint(origin, found.size, bytes(32))).encode()
    with pytest.raises(Corrupt, match="another history"):
        check_archive(path, checkpoint=another)
    scene.day(31)
    with pytest.raises(Refusal, match=r"expected that of .* which the seal names"):
        check_archive(path, checkpoint=(scene.outside / "checkpoint").read_bytes())


def test_an_archive_of_another_key_is_refused(scene: Scene, tmp_path: Path) -> None:
    assert scene.seal(7)
    with pytest.raises(Corrupt, match="certified with"):
        check_archive(scene.archive(NIGHT, tmp_path / "day"), MALLORY.public)


def parts(path: Path) -> list[object]:
    raw, found = gzip.decompress(path.read_bytes()), []
    while raw:
        size = int.from_bytes(raw[:4])
        found.append(msgspec.msgpack.decode(raw[4 : 4 + size]))
        raw = raw[4 + size :]
    return found


def put_together(path: Path, pieces: list[object]) -> None:
    packed = [msgspec.msgpack.encode(piece) for piece in pieces]
    path.write_bytes(gzip.compress(b"".join(len(each).to_bytes(4) + each for each in packed)))


def flipped(value: object) -> object:
    """The same, with one thing in it changed."""
    match value:
        case bytes():
            return bytes([value[0] ^ 1, *value[1:]]) if value else b"x"
        case str():
            return value + "x"
        case int():
            return value + 1
        case _:
            return value


def leaves(value: object, at: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """The places of everything in a part that can be changed."""
    match value:
        case dict():
            return [place for key, each in value.items() for place in leaves(each, (*at, key))]
        case list():
            return [place for number, each in enumerate(value) for place in leaves(each, (*at, number))]
        case None:
            return []
    return [at]


@pytest.mark.parametrize("day", [NIGHT, DAY])
def test_no_part_of_an_archive_can_be_changed(scene: Scene, tmp_path: Path, day: str) -> None:
    assert scene.seal(7)
    scene.day(31)
    assert scene.seal(31)
    path = scene.archive(day, tmp_path / "day")
    whole = parts(path)
    forged = tmp_path / "forged"
    put_together(forged, whole)
    assert check_archive(forged, KEYS.public).day == day
    places = leaves(whole)
    # Everything of the first two parts, and some of all others.
    first = [place for place in places if place[0] in (0, 1)]
    for place in [*first, *places[len(first) :: max(1, len(places) // 60)]]:
        pieces = msgspec.msgpack.decode(msgspec.msgpack.encode(whole))
        holder = pieces
        for step in place[:-1]:
            holder = holder[step]
        holder[place[-1]] = flipped(holder[place[-1]])
        put_together(forged, pieces)
        with pytest.raises(PuntoError):
            check_archive(forged, KEYS.public)
    for number in range(len(whole)):  # nor left out
        put_together(forged, whole[:number] + whole[number + 1 :])
        with pytest.raises(PuntoError):
            check_archive(forged, KEYS.public)


def test_what_is_no_archive_is_refused_in_one_line(tmp_path: Path, scene: Scene) -> None:
    assert scene.seal(7)
    path = scene.archive(NIGHT, tmp_path / "day")
    shutil.copy(path, tmp_path / "cut")
    (tmp_path / "cut").write_bytes(path.read_bytes()[:-200])
    (tmp_path / "text").write_text("no archive")
    (tmp_path / "empty").write_bytes(b"")
    for name in ("cut", "text", "empty"):
        with pytest.raises(Malformed):
            check_archive(tmp_path / name)
    with pytest.raises(PuntoError, match="no such file"):
        check_archive(tmp_path / "none")


def test_an_entry_that_was_changed_before_it_was_archived_is_found(scene: Scene, tmp_path: Path) -> None:
    assert scene.seal(7)

    class Forged(MemoryStore):
        def read(self, stream: str, after: int = 0) -> object:  # type: ignore[override]
            for entry in scene.store.read(stream, after):
                yield entry._replace(body=b"{}") if (stream, entry.version) == ("wallet/bob", 2) else entry

        def streams(self, prefix: str = "") -> object:  # type: ignore[override]
            return scene.store.streams(prefix)

    write_archive(Forged(), NIGHT, tmp_path / "day")  # type: ignore[arg-type]
    with pytest.raises(Corrupt, match="wallet/bob"):
        check_archive(tmp_path / "day", KEYS.public)
    assert isinstance(next(iter(scene.store.read("wallet/bob"))), Entry)


# Archives of a floor whose key was rotated


def rotated(scene: Scene) -> None:
    """Go on under another key."""
    assert isinstance(NEW.signing, LocalSigner)
    rotate(scene.store, KEYS, NEW.signing, START_MS + 8 * HOUR_MS, "greta")
    scene.house = House(scene.store, NEW)
    scene.sequencer = Sequencer(scene.house.floor.history, [scene.outside])


def test_days_under_former_keys_are_checked_with_the_key_of_today(scene: Scene, tmp_path: Path) -> None:
    assert scene.seal(7)
    kept = (scene.outside / "checkpoint").read_bytes()
    before = scene.archive(NIGHT, tmp_path / "before")
    rotated(scene)
    scene.day(31)
    assert scene.seal(31)
    for day in (NIGHT, DAY):  # both keys have signed some of the second day
        found = check_archive(scene.archive(day, tmp_path / day), NEW.public)
        assert (found.day, found.floor) == (day, NEW.public)
        assert check_archive(tmp_path / day).floor == NEW.public
    assert check_archive(tmp_path / NIGHT, NEW.public, checkpoint=kept).day == NIGHT
    # A file from before the rotation does not know of it.
    with pytest.raises(Corrupt, match=r"no key of this floor: .* name it as well"):
        check_archive(before, NEW.public)
    assert check_archive(before, NEW.public, KEYS.public).day == NIGHT
    with pytest.raises(Corrupt, match="no key of this floor"):
        check_archive(tmp_path / DAY, MALLORY.public, KEYS.public)


@pytest.mark.parametrize("is_same_writer", [True, False])
def test_whoever_has_a_former_key_seals_no_day_after_its_rotation(
    scene: Scene, tmp_path: Path, is_same_writer: bool
) -> None:
    """The thief goes on from before the rotation, as a new writer or as one of then, and adds the rotation itself."""
    copy = MemoryStore()
    for name, _ in scene.store.streams():
        copy.append(list(scene.store.read(name)), {})
    assert isinstance(NEW.signing, LocalSigner)
    rotate(copy, KEYS, NEW.signing, START_MS + 8 * HOUR_MS, "greta")
    if not is_same_writer:
        scene.house = House(scene.store)
    assert scene.seal(9)
    stolen = parts(scene.archive(NIGHT, tmp_path / "stolen"))
    sealed = stolen[0]
    assert isinstance(sealed, list)
    sealed[-1] = [[each.version, each.command, each.body, each.hash] for each in copy.read("keys")]
    put_together(tmp_path / "forged", stolen)
    for keys in ([NEW.public], [NEW.public, KEYS.public]):
        with pytest.raises(Corrupt, match="was rotated"):
            check_archive(tmp_path / "forged", *keys)
