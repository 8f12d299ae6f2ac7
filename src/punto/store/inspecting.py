"""Whether the tables of a PostgreSQL store are whole: read as they lie and by their indexes, at one moment."""

from collections.abc import Iterator
from typing import Final

import psycopg

from punto.store.contract import Fault
from punto.store.database import Connection

# Tables, each with the columns of its index.
_TABLES: Final = (
    ("entries", "stream, version", "true"),
    ("entries", "command", "command IS NOT NULL"),
    ("epochs", "name", "true"),
    ("snapshots", "stream", "true"),
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
# A version is a number from 1 on; another is passed over by everybody who reads a stream.
_OUT_OF_ORDER: Final = "SELECT stream, version FROM entries WHERE version < 1 ORDER BY stream, version LIMIT 100"
# What changes rows as they are written.
_ALTERED: Final = """
    SELECT rulename, tablename FROM pg_rules WHERE schemaname = %s
    UNION SELECT t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = %s AND NOT t.tgisinternal ORDER BY 1, 2
"""
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
            yield Fault(f"{stream!r}: an entry of version {version}, which nobody reads", hidden=True)
        for name, altered in connection.execute(_ALTERED, (schema, schema)).fetchall():
            yield Fault(f"{altered}: has a rule or trigger {name!r}, which no store has")
        for (place,) in connection.execute(_AMCHECK).fetchall():
            yield from _checked(connection, schema, str(place))
    finally:
        connection.rollback()


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
