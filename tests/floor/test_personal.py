"""What is kept about people: nobody reads it without the floor's key, nor anybody once it is erased."""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.floor.floors import KEYS
from tests.store.places import Place

from punto.errors import Conflict, DamagedPersonal, Fenced, Malformed, StoreGone
from punto.floor import Floor, Keys
from punto.floor.ownership import KEY_FENCE
from punto.floor.personal import LONGEST_TEXT, KeptKind, Personal, key_of
from punto.store import MemoryStore, SqliteStore
from punto.store.contract import Dossier, DossierChange

TEXT = "Tan Ah Lian, née O'Brien-Smythe"


@pytest.fixture
def floor() -> Floor:
    return Floor(MemoryStore(), KEYS)


def test_a_text_is_read_again_by_its_commitment_and_in_no_other_way(place: Place) -> None:
    floor = Floor(place.open(), KEYS)
    first = floor.personal.keep("patron-204", TEXT, KeptKind.FULL_NAME)
    note = floor.personal.keep("Patron-204", "likes\nwindow seats 🪟")
    assert len(first) == 64
    assert int(first, 16)
    for again in (floor, Floor(place.open(), KEYS)):
        assert again.personal.read("patron-204", first) == TEXT
        assert again.personal.read("PATRON-204", note) == "likes\nwindow seats 🪟"
        assert again.personal.read("patron-205", first) is None
        assert again.personal.read("patron-204", "0" * 64) is None
        assert again.personal.read("", "") is None
        held = again.personal.of("patron-204")
        assert {(each.commitment, each.kind, each.text) for each in held.kept} == {
            (first, KeptKind.FULL_NAME, TEXT),
            (note, KeptKind.NOTE, "likes\nwindow seats 🪟"),
        }
        assert held.damaged == ()
        assert again.personal.everybody() == ["patron-204"]


def test_a_commitment_is_the_digest_of_person_salt_and_text_and_never_the_same_twice(floor: Floor) -> None:
    first, second = (floor.personal.keep("Ann", TEXT) for _ in range(2))
    assert first != second
    there = floor.store.dossier("ann")
    assert there
    assert TEXT.encode() not in b"".join(there.rows.values())
    assert {each.commitment for each in floor.personal.of("Ann").kept} == {first, second}
    guesses = {hashlib.sha256(f"punto personal 1\nann\n{TEXT}".encode()).hexdigest()}
    assert first not in guesses, "without the salt the right guess is no proof"


@pytest.mark.parametrize("text", ["", " \n", "x" * (LONGEST_TEXT + 1), "half \ud83c"])
def test_what_is_no_text_is_refused(floor: Floor, text: str) -> None:
    with pytest.raises(Malformed):
        floor.personal.keep("Ann", text)
    assert floor.personal.everybody() == []


@pytest.mark.parametrize("person", ["", "two\nlines", "x" * 201])
def test_who_has_no_name_is_nobody(floor: Floor, person: str) -> None:
    with pytest.raises(Malformed, match="is nobody's name"):
        floor.personal.keep(person, TEXT)
    assert floor.personal.read(person, "0" * 64) is None
    assert floor.personal.of(person) == ((), ())
    assert floor.personal.erase(person) == ()


def test_an_erased_text_is_gone_and_what_stays_has_another_key(place: Place) -> None:
    floor = Floor(place.open(), KEYS)
    name = floor.personal.keep("Ann", TEXT, KeptKind.FULL_NAME)
    note = floor.personal.keep("Ann", "sits by the window")
    other = floor.personal.keep("Bob", "Robert")
    before = floor.store.dossier("ann")
    assert before
    assert floor.personal.erase("ANN", [KeptKind.FULL_NAME, KeptKind.CLAIM]) == (name,)
    assert floor.personal.read("Ann", name) is None
    assert floor.personal.read("Ann", note) == "sits by the window"
    after = floor.store.dossier("ann")
    assert after
    assert after.key != before.key
    with pytest.raises(DamagedPersonal):
        _put(floor, "ann", after, Dossier(before.key, after.rows))
    _put(floor, "ann", Dossier(before.key, after.rows), after, read=False)
    assert floor.personal.erase("Ann", [KeptKind.FULL_NAME]) == ()
    assert floor.personal.erase("Ann") == (note,)
    assert floor.personal.of("Ann") == ((), ())
    assert floor.personal.read("Bob", other) == "Robert"
    again = floor.personal.keep("Ann", TEXT)
    assert floor.personal.read("Ann", again) == TEXT


def _put(floor: Floor, person: str, before: Dossier, after: Dossier, *, read: bool = True) -> None:
    """Change a dossier as somebody does who writes to the database, and read all of it."""
    floor.store.change_dossiers([DossierChange(person, before, after)], {})
    for ref in after.rows if read else ():
        floor.personal.read(person, ref)


def test_what_was_erased_before_is_erased_again_from_a_copy(floor: Floor) -> None:
    name = floor.personal.keep("Ann", TEXT, KeptKind.FULL_NAME)
    note = floor.personal.keep("Ann", "sits by the window")
    other = floor.personal.keep("Bob", "Robert")
    whole = floor.store.dossier("ann")
    assert whole
    assert floor.personal.erase("Ann", [KeptKind.FULL_NAME]) == (name,)
    left = floor.store.dossier("ann")
    assert left
    floor.store.change_dossiers([DossierChange("ann", left, whole)], {})
    assert floor.personal.read("Ann", name) == TEXT, "the copy has it again"
    assert floor.personal.erase_these({name, "0" * 64}) == {"ann": (name,)}
    assert floor.personal.read("Ann", name) is None
    assert floor.personal.read("Ann", note) == "sits by the window"
    assert floor.personal.erase_these({name}) == {}
    assert floor.personal.erase_these({note, other}, "Bob") == {"bob": (other,)}


def test_a_row_that_was_swapped_or_altered_is_damage_and_never_shown(floor: Floor) -> None:
    ann, bob = floor.personal.keep("Ann", TEXT), floor.personal.keep("Bob", "Robert")
    note = floor.personal.keep("Ann", "a note")
    of_ann, of_bob = floor.store.dossier("ann"), floor.store.dossier("bob")
    assert of_ann
    assert of_bob
    row, other = of_ann.rows[ann], of_ann.rows[note]
    cheats = {
        "a bit": Dossier(of_ann.key, {ann: row[:-1] + bytes([row[-1] ^ 1]), note: other}),
        "cut": Dossier(of_ann.key, {ann: row[:8], note: other}),
        "swapped": Dossier(of_ann.key, {ann: other, note: row}),
        "of another": Dossier(of_ann.key, {ann: of_bob.rows[bob], note: other}),
        "key of another": Dossier(of_bob.key, {ann: of_bob.rows[bob]}),
        "key altered": Dossier(of_ann.key[:-1] + b"\0", {ann: row}),
        "no key": Dossier(b"", {ann: row}),
        "another reference": Dossier(of_ann.key, {"f" * 64: row}),
    }
    there = of_ann
    for how, cheat in cheats.items():
        with pytest.raises(DamagedPersonal, match="ann") as told:
            _put(floor, "ann", there, cheat)
        there = cheat
        assert TEXT not in told.value.message
        damaged = floor.personal.of("Ann")
        assert damaged.damaged, how
        assert TEXT not in str(damaged.kept)
    _put(floor, "ann", there, of_ann)
    assert floor.personal.of("Ann").damaged == ()


def test_what_does_not_open_is_no_reason_to_keep_the_rest(floor: Floor) -> None:
    name, note = floor.personal.keep("Ann", TEXT, KeptKind.FULL_NAME), floor.personal.keep("Ann", "a note")
    whole = floor.store.dossier("ann")
    assert whole
    torn = Dossier(whole.key, {**whole.rows, "f" * 64: b"torn"})
    _put(floor, "ann", whole, torn, read=False)
    assert set(floor.personal.erase("Ann", [KeptKind.FULL_NAME])) == {name, "f" * 64}
    assert floor.personal.read("Ann", note) == "a note"
    left = floor.store.dossier("ann")
    assert left
    shut = Dossier(b"no key", {**left.rows, "e" * 64: b"x"})
    _put(floor, "ann", left, shut, read=False)
    with pytest.raises(DamagedPersonal, match="does not open"):
        floor.personal.erase("Ann", [KeptKind.FULL_NAME])
    assert floor.store.dossier("ann") == shut, "what law keeps is not lost for want of a key"
    assert floor.personal.erase_these(["e" * 64]) == {"ann": ("e" * 64,)}
    assert floor.personal.erase("Ann") == (note,)


def test_after_a_rotation_the_new_key_opens_what_the_former_one_sealed() -> None:
    store = MemoryStore()
    kept = Floor(store, Keys.from_secret(b"1" * 32)).personal.keep("Ann", TEXT)
    former = (Keys.from_secret(b"1" * 32).sealing.key,)
    rotated = Personal(store, Keys.from_secret(b"2" * 32, former), dict)
    assert rotated.read("Ann", kept) == TEXT
    later = rotated.keep("Ann", "a note")
    assert rotated.read("Ann", later) == "a note"
    assert rotated.erase("Ann", [KeptKind.ADDRESS]) == ()
    stranger = Personal(store, Keys.from_secret(b"3" * 32), dict)
    with pytest.raises(DamagedPersonal):
        stranger.read("Ann", kept)


def test_a_floor_that_was_fenced_off_keeps_and_erases_nothing(floor: Floor) -> None:
    kept = floor.personal.keep("Ann", TEXT)
    floor.store.claim(KEY_FENCE)
    with pytest.raises(Fenced):
        floor.personal.keep("Ann", "more")
    with pytest.raises(Fenced):
        floor.personal.erase("Ann")
    assert floor.personal.read("Ann", kept) == TEXT


def test_two_floors_that_keep_something_about_a_new_person_at_once_both_do(place: Place) -> None:
    first, second = Floor(place.open(), KEYS), Floor(place.open(), KEYS)
    look, made = first.store.dossier, []

    def overtaken(person: str, ref: str = "") -> Dossier | None:
        there = look(person, ref)
        first.store.dossier = look  # type: ignore[method-assign]
        made.append(second.personal.keep("Ann", "the other's"))
        return there

    first.store.dossier = overtaken  # type: ignore[method-assign]
    kept = first.personal.keep("Ann", TEXT)
    assert second.personal.read("Ann", kept) == TEXT
    assert first.personal.read("Ann", made[0]) == "the other's"


def test_a_store_that_never_stands_still_is_told_as_such(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    floor.personal.keep("Ann", TEXT)
    there = floor.store.dossier("ann")
    assert there
    other = Dossier(b"another", there.rows)
    monkeypatch.setattr(floor.store, "dossier", lambda *_: there._replace(rows={}))
    floor.store.change_dossiers([DossierChange("ann", there, other)], {})
    with pytest.raises(Conflict, match="try again"):
        floor.personal.keep("Ann", "more")


def test_a_store_that_is_gone_says_so() -> None:
    store = MemoryStore()
    floor = Floor(store, KEYS)
    store.close()
    with pytest.raises(StoreGone):
        floor.personal.keep("Ann", TEXT)


# On disk


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    assert {path.name for path in tmp_path.iterdir()} <= {"floor.db"}


def test_a_text_is_in_no_file_in_the_clear_and_after_its_erasure_in_none_at_all(folder: Path) -> None:
    path = folder / "floor.db"
    with closing(SqliteStore(path)) as store:
        floor = Floor(store, KEYS)
        floor.personal.keep("Ann", TEXT, KeptKind.FULL_NAME)
        floor.personal.keep("Bob", "Robert")
        there = store.dossier("ann")
        assert there
        secrets = [there.key, *there.rows.values()]
        assert _files_with(folder, secrets), "it is there, sealed"
        assert not _files_with(folder, [TEXT.encode(), b"Tan Ah Lian"])
        floor.personal.erase("Ann")
        assert not floor.personal.has_remains
        assert not _files_with(folder, secrets)


def test_while_somebody_reads_remains_are_known_and_cleared_later(folder: Path) -> None:
    path = folder / "floor.db"
    with closing(SqliteStore(path)) as store:
        floor = Floor(store, KEYS)
        floor.personal.keep("Ann", TEXT)
        with closing(sqlite3.connect(path)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM entries").fetchone()
            floor.personal.erase("Ann")
            assert floor.personal.has_remains
        assert floor.personal.clear_remains()
        assert not floor.personal.has_remains


def _files_with(folder: Path, secrets: list[bytes]) -> list[str]:
    return [path.name for path in folder.iterdir() if any(secret in path.read_bytes() for secret in secrets)]


def test_one_person_has_one_name_however_it_is_written() -> None:
    assert key_of("Ａｎｎ") == key_of("ann") == "ann"
