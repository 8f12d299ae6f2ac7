"""What is kept about people beside the streams: whole or not at all, one key each, and gone once it is erased."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random

import psycopg
import pytest
from tests.store.places import Place, schemas_in, written

from punto.errors import AlteredSchema, Fenced, Malformed, NotAStore, StaleVersion, StoreGone
from punto.store import SqliteStore, Store, open_store
from punto.store.backup import back_up
from punto.store.contract import PAGE, Dossier, DossierChange
from punto.store.database import MIGRATIONS as OF_DATABASES
from punto.store.database import parse
from punto.store.file import MIGRATIONS, log_of
from punto.store.postgres import PostgresStore

ANN = Dossier(b"ann's key", {"a": b"one", "b": bytes(range(256))})
MORE = Dossier(b"ann's key", {"c": b""})


@pytest.fixture
def store(place: Place) -> Store:
    return place.open()


def test_a_dossier_grows_and_is_read_back_by_every_process(place: Place, store: Store) -> None:
    store.add_to_dossier("Ann", ANN, {})
    store.add_to_dossier("Ann", MORE, {})
    store.add_to_dossier("贝拉", Dossier(b"k", {"a": b"x"}), {})
    whole = Dossier(b"ann's key", {"a": b"one", "b": bytes(range(256)), "c": b""})
    for reader in (store, place.open()):
        assert reader.dossier("Ann") == whole
        assert reader.dossier("Ann", "b") == Dossier(b"ann's key", {"b": bytes(range(256))})
        assert reader.dossier("Ann", "none") == Dossier(b"ann's key", {})
        assert reader.dossier("Bob") is None
        assert reader.dossier("") is None
        assert list(reader.persons()) == ["Ann", "贝拉"]
    assert list(store.streams()) == [], "nothing of it is in a stream"
    assert store.faults() == []


def test_one_person_has_one_key_and_a_reference_comes_once(store: Store) -> None:
    store.add_to_dossier("Ann", ANN, {})
    for more in (Dossier(b"another key", {"d": b"x"}), Dossier(b"ann's key", {"d": b"x", "a": b"x"})):
        with pytest.raises(StaleVersion, match="changed meanwhile: nothing was written"):
            store.add_to_dossier("Ann", more, {})
    assert store.dossier("Ann") == ANN


def test_what_is_no_name_is_nobody(store: Store) -> None:
    for person, ref in (("", "a"), ("two\nlines", "a"), ("Ann", ""), ("Ann", "x" * 201)):
        with pytest.raises(Malformed, match="is no name"):
            store.add_to_dossier(person, Dossier(b"k", {ref: b"x"}), {})
    assert list(store.persons()) == []


def test_a_writer_that_was_fenced_off_changes_no_dossier(store: Store) -> None:
    store.add_to_dossier("Ann", ANN, {"house": store.claim("house")})
    store.claim("house")
    with pytest.raises(Fenced):
        store.add_to_dossier("Ann", MORE, {"house": 1})
    with pytest.raises(Fenced):
        store.change_dossiers([DossierChange("Ann", ANN)], {"house": 1})
    assert store.dossier("Ann") == ANN


def test_an_erased_dossier_is_gone_and_the_others_stay(place: Place, store: Store) -> None:
    bob, cleo = Dossier(b"bob's key", {"a": b"b"}), Dossier(b"cleo's key", {"a": b"c", "z": b"d"})
    left = Dossier(b"cleo's new key", {"z": b"sealed anew"})
    for person, dossier in (("Ann", ANN), ("Bob", bob), ("Cleo", cleo)):
        store.add_to_dossier(person, dossier, {})
    store.change_dossiers([DossierChange("Ann", ANN), DossierChange("Cleo", cleo, left)], {})
    assert store.scrub()
    for reader in (store, place.open()):
        assert (reader.dossier("Ann"), reader.dossier("Bob"), reader.dossier("Cleo")) == (None, bob, left)
        assert list(reader.persons()) == ["Bob", "Cleo"]
    store.add_to_dossier("Ann", Dossier(b"a new key", {"a": b"again"}), {})
    assert store.dossier("Ann") == Dossier(b"a new key", {"a": b"again"})


def test_a_dossier_that_has_changed_meanwhile_is_not_erased_nor_is_any_other(store: Store) -> None:
    bob = Dossier(b"bob's key", {"a": b"b"})
    store.add_to_dossier("Ann", ANN, {})
    store.add_to_dossier("Bob", bob, {})
    store.add_to_dossier("Ann", MORE, {})
    for changed in (ANN, ANN._replace(key=b"another"), Dossier(b"ann's key", {})):
        with pytest.raises(StaleVersion, match="changed meanwhile: nothing was erased"):
            store.change_dossiers([DossierChange("Bob", bob), DossierChange("Ann", changed)], {})
    with pytest.raises(StaleVersion):
        store.change_dossiers([DossierChange("Bob", bob), DossierChange("nobody", bob)], {})
    assert store.dossier("Bob") == bob
    assert store.dossier("Ann") == Dossier(b"ann's key", {**ANN.rows, **MORE.rows})


def test_more_people_than_a_page_are_all_told(store: Store) -> None:
    names = [f"p{number:04}" for number in range(PAGE + 3)]
    if isinstance(store, PostgresStore):
        with psycopg.connect(store.address.conninfo, autocommit=True) as somebody:
            somebody.cursor().executemany(
                f"INSERT INTO {store.address.schema}.persons VALUES (%s, 'k')",  # noqa: S608
                [(name,) for name in names],
            )
    else:
        for name in names:
            store.add_to_dossier(name, Dossier(b"k", {}), {})
    assert list(store.persons()) == names


# On disk


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "floor.db"
    assert not [file for file in tmp_path.iterdir() if not file.name.startswith(("floor.db", "copy.db"))]


def left_in(folder: Path, *secrets: bytes) -> list[str]:
    """The files that hold any of these bytes, or their beginning, middle or end."""
    parts = {secret[start:][:16] for secret in secrets for start in (0, len(secret) // 2, max(0, len(secret) - 16))}
    return [file.name for file in sorted(folder.iterdir()) if any(part in file.read_bytes() for part in parts)]


@pytest.mark.parametrize("seed", [1, 8, 13])
def test_nothing_of_what_was_erased_is_left_in_the_file_or_its_log(path: Path, seed: int) -> None:
    """Rows of many people come in an order that splits pages again and again, so that SQLite copies them about.

    With these seeds, SQLite leaves copies if only the rows themselves are deleted, whatever `secure_delete` says.
    """
    chance = Random(seed)
    kept = {f"p{number}": Dossier(chance.randbytes(72), {}) for number in range(40)}
    with closing(SqliteStore(path, synchronous="OFF")) as store:
        for number in range(600):
            person = f"p{chance.randrange(40)}"
            size = 9_000 if number % 60 == 0 else chance.choice([30, 60, 200, 500, 900])
            more = Dossier(kept[person].key, {chance.randbytes(32).hex(): chance.randbytes(size)})
            store.add_to_dossier(person, more, {})
            kept[person] = Dossier(more.key, dict(sorted({**kept[person].rows, **more.rows}.items())))
        gone = {person: kept.pop(person) for person in ("p7", "p23", "p24")}
        assert all(left_in(path.parent, dossier.key) for dossier in gone.values()), "it was there"
        for person, dossier in gone.items():
            store.change_dossiers([DossierChange(person, dossier)], {})
        assert store.scrub()
        assert not log_of(path).stat().st_size
        secrets = [secret for dossier in gone.values() for secret in (dossier.key, *dossier.rows.values())]
        assert left_in(path.parent, *secrets) == []
        assert {person: store.dossier(person) for person in kept} == kept
        assert store.faults() == []
    assert left_in(path.parent, *secrets) == []


def test_whoever_reads_for_long_keeps_the_log_and_scrubbing_is_tried_again(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        store.add_to_dossier("Ann", ANN, {})
        with closing(sqlite3.connect(path)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM entries").fetchone()
            store.change_dossiers([DossierChange("Ann", ANN)], {})
            assert store.dossier("Ann") is None
            assert not store.scrub()
        assert store.scrub()
        assert left_in(path.parent, ANN.key, ANN.rows["b"]) == []


def test_what_stands_in_the_place_of_a_dossier_is_nobodys_and_no_erasure_fails_for_it(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        store.add_to_dossier("Ann", ANN, {})
        store.add_to_dossier("Bob", Dossier(b"bob's key", {"a": b"b"}), {})
        with closing(sqlite3.connect(path)) as somebody:
            for row in ("(7, 8, 9)", "('Ann', x'ff', x'01')", "(CAST(x'ff' AS TEXT), 'a', x'01')", "('Ann', 'n', 7)"):
                somebody.execute(f"INSERT INTO personal VALUES {row}")  # noqa: S608
            somebody.execute("INSERT INTO persons VALUES (CAST(x'ff' AS TEXT), x'01'), (8, 'key')")
            somebody.commit()
        there = store.dossier("Ann")
        assert there == Dossier(ANN.key, {**ANN.rows, "n": b""})
        assert list(store.persons()) == ["8", "Ann", "Bob"]
        store.change_dossiers([DossierChange("Ann", there)], {})
        assert store.dossier("Ann") is None
        assert store.dossier("Bob") == Dossier(b"bob's key", {"a": b"b"})
        with closing(sqlite3.connect(path)) as somebody:
            assert somebody.execute("SELECT sealed FROM personal WHERE person = 'Bob'").fetchall() == [(b"b",)]
            assert somebody.execute("SELECT count(*) FROM personal WHERE typeof(sealed) <> 'blob'").fetchone() == (0,)


def test_a_trigger_keeps_nothing_of_what_is_erased(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        store.add_to_dossier("Ann", ANN, {})
        with closing(sqlite3.connect(path)) as somebody:
            somebody.execute("CREATE TABLE hoard (sealed BLOB)")
            somebody.execute(
                "CREATE TRIGGER t AFTER DELETE ON personal BEGIN INSERT INTO hoard VALUES (old.sealed); END"
            )
        with pytest.raises(StoreGone, match="trigger"):
            store.change_dossiers([DossierChange("Ann", ANN)], {})
        with pytest.raises(StoreGone, match="trigger"):
            store.add_to_dossier("Ann", MORE, {})
        assert store.dossier("Ann") == ANN
    with pytest.raises(AlteredSchema, match="has a trigger 't' on 'personal'"):
        SqliteStore(path)


def test_a_copy_has_all_that_is_kept_and_nothing_of_what_was_erased(path: Path) -> None:
    bob = Dossier(b"bob's key, wrapped", {"a": b"what is kept about bob"})
    with closing(SqliteStore(path)) as store:
        store.add_to_dossier("Ann", ANN, {})
        store.add_to_dossier("Bob", bob, {})
        store.change_dossiers([DossierChange("Ann", ANN)], {})
        back_up(path, path.with_name("copy.db"))
    with closing(SqliteStore(path.with_name("copy.db"), read_only=True)) as copy:
        assert (copy.dossier("Bob"), copy.dossier("Ann")) == (bob, None)
    assert ANN.rows["b"] not in path.with_name("copy.db").read_bytes()


def test_a_reader_reads_dossiers_and_changes_none(path: Path) -> None:
    SqliteStore(path).close()
    with closing(SqliteStore(path)) as store:
        store.add_to_dossier("Ann", ANN, {})
    with closing(SqliteStore(path, read_only=True)) as reader:
        assert reader.dossier("Ann") == ANN
        for change in (
            partial(reader.add_to_dossier, "Ann", MORE, {}),
            partial(reader.change_dossiers, [DossierChange("Ann", ANN)], {}),
            reader.scrub,
        ):
            with pytest.raises(StoreGone, match="open for reading only"):
                change()


def test_a_file_of_an_older_punto_gets_the_tables_when_it_is_opened(path: Path) -> None:
    with closing(SqliteStore(path, migrations=MIGRATIONS[:1])) as older:
        older.append(written("table/1", b"1"), {})
    with pytest.raises(NotAStore, match="has tables of version 1: expected 2; open it for writing"):
        SqliteStore(path, read_only=True)
    with closing(SqliteStore(path)) as store:
        store.add_to_dossier("Ann", ANN, {})
        assert list(store.read("table/1")) == written("table/1", b"1")
        assert store.faults() == []


def test_a_database_of_an_older_punto_gets_the_tables_when_it_is_opened(database_url: str) -> None:
    url = schemas_in(database_url)()
    with closing(PostgresStore(url, migrations=OF_DATABASES[:1])) as older:
        older.append(written("table/1", b"1"), {})
    with closing(open_store(url)) as store:
        store.add_to_dossier("Ann", ANN, {})
        assert list(store.read("table/1")) == written("table/1", b"1")
        assert store.faults() == []
    with psycopg.connect(parse(url).conninfo, autocommit=True) as somebody:
        somebody.execute(f"DROP SCHEMA {parse(url).schema} CASCADE")
