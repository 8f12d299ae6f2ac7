"""What somebody has changed about the tables: whoever would write is told its name, and readers still read."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import psycopg
import pytest
from tests.store.places import drop_schemas, schemas_in, written

from punto.errors import AlteredSchema
from punto.store import SqliteStore, open_store
from punto.store.database import MIGRATIONS, parse
from punto.store.file import MIGRATIONS as OF_FILES
from punto.store.inspecting import SHAPES
from punto.store.postgres import PostgresStore

ENTRIES: Final = written("table/1", b"1", b"2", command="c1")
IN_A_FILE: Final = {
    "CREATE TRIGGER later AFTER INSERT ON entries BEGIN SELECT 1; END": "has a trigger 'later' on 'entries', which",
    "DROP INDEX entries_command": "lacks the index entries_command",
    "CREATE INDEX bodies ON entries (body)": "has an index 'bodies' on 'entries', which",
    "ALTER TABLE entries ADD COLUMN note TEXT": "the table entries is not declared as",
    "CREATE VIEW wealth AS SELECT * FROM entries": "has a view 'wealth', which",
}
FUNCTION: Final = "CREATE FUNCTION act() RETURNS trigger AS $$ BEGIN RETURN NEW; END $$ LANGUAGE plpgsql;"
IN_A_DATABASE: Final = {
    f"{FUNCTION} CREATE TRIGGER later BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION act()": (
        "has a trigger 'later' on 'entries', which"
    ),
    "CREATE RULE silent AS ON INSERT TO entries DO INSTEAD NOTHING": "has a rule 'silent' on 'entries', which",
    "DROP INDEX entries_command": "lacks the index of entries (command)",
    "DROP INDEX entries_command; CREATE INDEX entries_command ON entries (command) WHERE command IS NOT NULL": (
        "the index of entries (command) is not declared as"
    ),
    "ALTER TABLE entries DROP CONSTRAINT entries_pkey": "lacks the index of entries (stream, version)",
    "CREATE INDEX bodies ON entries (body)": "has an index 'of entries (body)', which",
    "CREATE INDEX again ON epochs (name)": "has an index 'of epochs (name), once more', which",
    "ALTER TABLE entries ADD COLUMN note text": "has a column 'entries.note', which",
    "ALTER TABLE entries ALTER COLUMN body DROP NOT NULL": "the column entries.body is not declared as",
    "ALTER TABLE epochs ALTER COLUMN epoch SET DEFAULT 7": "the column epochs.epoch is not declared as",
    "ALTER TABLE entries SET UNLOGGED": "the table entries is not declared as",
    "ALTER TABLE entries ENABLE ROW LEVEL SECURITY": "the table entries is not declared as",
    "ALTER TABLE entries ADD CONSTRAINT small CHECK (version < 9)": "has a constraint 'small' on 'entries', which",
    "CREATE TABLE more () INHERITS (entries)": "the table entries is not declared as",
    "CREATE VIEW wealth AS SELECT 1": "has a view 'wealth', which",
    "CREATE SEQUENCE counter": "has a sequence 'counter', which",
}


@pytest.mark.parametrize(("change", "said"), IN_A_FILE.items(), ids=IN_A_FILE.values())
def test_a_file_whose_schema_was_changed_is_not_written_to(tmp_path: Path, change: str, said: str) -> None:
    path = tmp_path / "floor.db"
    with closing(SqliteStore(path)) as store:
        store.append(ENTRIES, {})
    with closing(sqlite3.connect(path)) as somebody:
        somebody.execute(change)
        somebody.commit()
    before = path.read_bytes()
    with pytest.raises(AlteredSchema) as refused:
        SqliteStore(path)
    assert refused.value.message.startswith(f"{path}: {said}")
    assert refused.value.message.endswith("restore the newest copy (docs/repair.md); nothing was done")
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["floor.db"]
    with closing(SqliteStore(path, read_only=True)) as reader:
        assert list(reader.read("table/1")) == ENTRIES
        assert [fault.said for fault in reader.faults() if fault.said.startswith(said.removesuffix(", which"))]


def test_an_older_file_is_held_against_what_was_declared_in_its_day(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    SqliteStore(path).close()
    with closing(sqlite3.connect(path)) as somebody:
        somebody.execute("CREATE VIEW notes AS SELECT 1")
    second = (*OF_FILES, ("CREATE TABLE later (note TEXT)",))
    with pytest.raises(AlteredSchema, match="has a view 'notes'"):
        SqliteStore(path, migrations=second)
    with closing(sqlite3.connect(path)) as somebody:
        assert somebody.execute("PRAGMA user_version").fetchone() == (len(OF_FILES),), "it was not brought up to date"
        somebody.execute("DROP VIEW notes")
    for _ in range(2):
        SqliteStore(path, migrations=second).close()


def test_a_database_whose_schema_was_changed_is_not_written_to(database_url: str) -> None:
    url = schemas_in(database_url)()
    address = parse(url)
    with psycopg.connect(address.conninfo, autocommit=True) as somebody:
        for change, said in IN_A_DATABASE.items():
            with closing(open_store(url)) as store:
                store.append(ENTRIES, {})
                assert store.faults() == []
            somebody.execute(f'SET search_path = "{address.schema}"')
            somebody.execute(change)
            with pytest.raises(AlteredSchema) as refused:
                PostgresStore(url)
            assert refused.value.message.startswith(f"{address.name}: {said}"), change
            with closing(PostgresStore(url, read_only=True)) as reader:
                assert any(fault.said.startswith(said.removesuffix(", which")) for fault in reader.faults()), change
            drop_schemas(database_url, [url])


def test_a_copy_of_the_tables_is_a_store_whatever_its_indexes_are_called(database_url: str) -> None:
    url, copy = schemas_in(database_url)(), schemas_in(database_url)()
    open_store(url).close()
    one, other = parse(url).schema, parse(copy).schema
    with psycopg.connect(parse(url).conninfo, autocommit=True) as somebody:
        somebody.execute(f'CREATE SCHEMA "{other}"')
        for table in ("meta", "entries", "epochs", "snapshots", "persons", "personal"):
            somebody.execute(f'CREATE TABLE "{other}".{table} (LIKE "{one}".{table} INCLUDING ALL)')
        somebody.execute(f'INSERT INTO "{other}".meta TABLE "{one}".meta')
    with closing(open_store(copy)) as store:
        assert store.faults() == []
    drop_schemas(database_url, [url, copy])


BESIDE: Final = ("CREATE TABLE notes (note TEXT PRIMARY KEY)", "CREATE INDEX of_notes ON notes (note)", "ANALYZE")


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_tables_beside_those_of_a_store_keep_nobody_from_writing(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """A tool that copies stores may have tables of its own, and a database keeps statistics in some."""
    if kind == "sqlite":
        url = f"sqlite:{tmp_path / 'floor.db'}"
    else:
        url = schemas_in(request.getfixturevalue("database_url"))()
    with closing(open_store(url)) as store:
        store.append(ENTRIES, {})
    if kind == "sqlite":
        with closing(sqlite3.connect(tmp_path / "floor.db")) as somebody:
            for change in BESIDE:
                somebody.execute(change)
            somebody.commit()
    else:
        address = parse(url)
        with psycopg.connect(address.conninfo, autocommit=True) as at_server:
            at_server.execute(f'SET search_path = "{address.schema}"')
            for change in BESIDE:
                at_server.execute(change)
    with closing(open_store(url)) as store:
        store.append(written("table/2", b"1"), {})
        assert any("notes" in fault.said for fault in store.faults()), "the audit names them"


def test_every_version_of_the_tables_has_its_shape() -> None:
    assert len(SHAPES) == len(MIGRATIONS)
