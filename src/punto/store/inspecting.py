"""Whether the tables of a PostgreSQL store are whole: read as they lie and by their indexes, at one moment."""

from collections.abc import Iterator, Mapping
from typing import Final

import psycopg

from punto.store.contract import Fault
from punto.store.database import Connection
from punto.store.declared import Declared, Thing, differences
from punto.store.epochs import LAST_EPOCH, garbled

# Tables, each with the columns of its index.
_TABLES: Final = (
    ("entries", "stream, version", "true"),
    ("entries", "command", "command IS NOT NULL"),
    ("epochs", "name", "true"),
    ("snapshots", "stream", "true"),
    ("persons", "person", "true"),
    ("personal", "person, ref", "true"),
)
_PLAIN: Final = (
    "SET LOCAL enable_seqscan = on; SET LOCAL enable_indexscan = off; "
    "SET LOCAL enable_indexonlyscan = off; SET LOCAL enable_bitmapscan = off"
)
_INDEXED: Final = (
    "SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = on; "
    "SET LOCAL enable_indexonlyscan = on; SET LOCAL enable_bitmapscan = off"
)
# The digest is a sum, so that it does not depend on the order in which rows come.
_SUM: Final = (
    "SELECT count(*), coalesce(sum(hashtextextended(ROW({columns})::text, 0)::numeric), 0)"
    " FROM (SELECT {columns} FROM {table} WHERE {which} ORDER BY {columns}) AS rows"
)
# A version is a number from 1 on; no stream has any other.
_OUT_OF_ORDER: Final = "SELECT stream, version FROM entries WHERE version < 1 ORDER BY stream, version LIMIT 100"
_GARBLED: Final = f"SELECT name, epoch FROM epochs WHERE epoch NOT BETWEEN 1 AND {LAST_EPOCH} ORDER BY name LIMIT 100"  # noqa: S608
# All that a schema declares: its kind, its name (of an index, its columns), the table that it is on, and how it is
# declared. What an extension has brought is not ours; a constraint that is not null, or has an index, is told with its
# column or its index.
_DECLARED: Final = """
    WITH here AS (
        SELECT c.* FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = %s
        AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
                        AND d.deptype = 'e')
    )
    SELECT CASE relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'view' WHEN 'S' THEN 'sequence'
           ELSE 'relation' END, relname, '',
        concat_ws(' ', relkind, relpersistence, CASE WHEN relrowsecurity THEN 'secured' END,
                  CASE WHEN relhassubclass THEN 'inherited' END)
    FROM here WHERE relkind NOT IN ('i', 'I', 'c', 't')
    UNION ALL SELECT 'column', attname, here.relname,
        concat_ws(' ', format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'not null' END,
                  (SELECT collname FROM pg_collation WHERE oid = attcollation AND collname <> 'default'),
                  CASE WHEN atthasdef OR attidentity <> '' THEN 'default' END)
    FROM pg_attribute JOIN here ON here.oid = attrelid WHERE relkind = 'r' AND attnum > 0 AND NOT attisdropped
    UNION ALL SELECT 'index',
        (SELECT string_agg(pg_get_indexdef(indexrelid, k, true), ', ' ORDER BY k)
         FROM generate_series(1, indnatts) AS k), t.relname,
        concat_ws(' ', am.amname, CASE WHEN indisunique THEN 'unique' END,
                  CASE WHEN indisvalid AND indisready AND indislive THEN 'valid' END, pg_get_expr(indpred, indrelid))
    FROM pg_index JOIN here i ON i.oid = indexrelid JOIN pg_class t ON t.oid = indrelid
    JOIN pg_am am ON am.oid = i.relam WHERE t.relkind = 'r'
    -- One that is being built anew stands beside the one that it will replace.
    AND (indisvalid OR NOT EXISTS (
        SELECT 1 FROM pg_index AS twin WHERE twin.indrelid = pg_index.indrelid AND twin.indisvalid
        AND twin.indkey = pg_index.indkey AND twin.indisunique = pg_index.indisunique
    ))
    UNION ALL SELECT 'trigger', tgname, here.relname, '' FROM pg_trigger JOIN here ON here.oid = tgrelid
    WHERE NOT tgisinternal
    UNION ALL SELECT 'rule', rulename, here.relname, '' FROM pg_rewrite JOIN here ON here.oid = ev_class
    WHERE rulename <> '_RETURN'
    UNION ALL SELECT 'policy', polname, here.relname, '' FROM pg_policy JOIN here ON here.oid = polrelid
    UNION ALL SELECT 'constraint', conname, here.relname, '' FROM pg_constraint JOIN here ON here.oid = conrelid
    WHERE contype IN ('c', 'f', 'x') AND here.relkind = 'r'
    ORDER BY 1, 2, 3, 4
"""
_FIRST_COLUMNS: Final = {
    "meta": {"version": "integer not null"},
    "entries": {
        "stream": "text not null C",
        "version": "bigint not null",
        "command": "text C",
        "body": "bytea not null",
        "hash": "bytea not null",
    },
    "epochs": {"name": "text not null C", "epoch": "bigint not null"},
    "snapshots": {
        "stream": "text not null C",
        "version": "bigint not null",
        "hash": "bytea not null",
        "body": "bytea not null",
    },
}
_OF_PERSONS: Final = {
    "persons": {"person": "text not null C", "key": "bytea not null"},
    "personal": {"person": "text not null C", "ref": "text not null C", "sealed": "bytea not null"},
}


def _tables(columns: Mapping[str, Mapping[str, str]]) -> Declared:
    """Tables as they are declared, by their columns."""
    return {
        **{("table", table): Thing("", "r p") for table in columns},
        **{
            ("column", f"{table}.{column}"): Thing("", how)
            for table in columns
            for column, how in columns[table].items()
        },
    }


_FIRST: Final[Declared] = {
    **_tables(_FIRST_COLUMNS),
    # Whatever an index is called: a copy of a table has the same ones under other names.
    ("index", "of entries (stream, version)"): Thing("entries", "btree unique valid"),
    ("index", "of entries (command)"): Thing("entries", "btree unique valid (command IS NOT NULL)"),
    ("index", "of epochs (name)"): Thing("epochs", "btree unique valid"),
    ("index", "of snapshots (stream)"): Thing("snapshots", "btree unique valid"),
}
# What a store declares, for each version of its tables.
SHAPES: Final[tuple[Declared, ...]] = (
    _FIRST,
    {
        **_FIRST,
        **_tables(_OF_PERSONS),
        ("index", "of persons (person)"): Thing("persons", "btree unique valid"),
        ("index", "of personal (person, ref)"): Thing("personal", "btree unique valid"),
    },
)
# Where PostgreSQL's own check of indexes is, if it is installed.
_AMCHECK: Final = """
    SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'amcheck'
"""
_INDEXES: Final = """
    SELECT c.oid::regclass::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace JOIN pg_am a ON a.oid = c.relam
    WHERE n.nspname = %s AND a.amname = 'btree' ORDER BY 1
"""


def faults(connection: Connection, schema: str) -> Iterator[Fault]:
    """What is wrong with the tables; whatever the server cannot read at all is raised as its own error."""
    connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    try:
        for table, columns, which in _TABLES:
            yield from _compared(connection, table, columns, which)
        for stream, version in connection.execute(_OUT_OF_ORDER).fetchall():
            yield Fault(f"{stream!r}: an entry of version {version}, which no stream has", hidden=True)
        for name, epoch in connection.execute(_GARBLED).fetchall():
            yield garbled(str(name), epoch)
        yield from differences(SHAPES[-1], declared_in(connection, schema))
        for (place,) in connection.execute(_AMCHECK).fetchall():
            yield from _checked(connection, schema, str(place))
    finally:
        connection.rollback()


def declared_in(connection: Connection, schema: str) -> Declared:
    """What a schema declares."""
    found: dict[tuple[str, str], Thing] = {}
    for kind, name, on, how in connection.execute(_DECLARED, (schema,)).fetchall():
        match kind:
            case "column":
                found["column", f"{on}.{name}"] = Thing("", str(how))
            case "index":
                called = f"of {on} ({name})"
                if ("index", called) in found:
                    called += ", once more"
                found["index", called] = Thing(str(on), str(how))
            case _:
                found[str(kind), str(name)] = Thing(str(on), str(how))
    return found


def _compared(connection: Connection, table: str, columns: str, which: str) -> Iterator[Fault]:
    query = _SUM.format(table=table, columns=columns, which=which)
    found = []
    for way in (_PLAIN, _INDEXED):
        connection.execute(way)
        found.append(connection.execute(query).fetchone() or (0, 0))
    (there, one), (seen, other) = found
    if there != seen:
        said = f"{table}: {there:,} rows lie in the table, and {seen:,} are found by the index of {columns}"
        yield Fault(said, hidden=True)
    elif one != other:
        yield Fault(f"{table}: rows are not those that are found by the index of {columns}", hidden=True)


def _checked(connection: Connection, schema: str, place: str) -> Iterator[Fault]:
    """What PostgreSQL's own check of indexes says."""
    for (index,) in connection.execute(_INDEXES, (schema,)).fetchall():
        connection.execute("SAVEPOINT looking")
        try:
            connection.execute(f"SELECT {place}.bt_index_check(%s::regclass, true)", (index,))
        except psycopg.errors.InsufficientPrivilege:
            connection.execute("ROLLBACK TO looking")
        except psycopg.DatabaseError as error:
            connection.execute("ROLLBACK TO looking")
            yield Fault(str(error).splitlines()[0])
