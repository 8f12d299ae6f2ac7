"""Whether an SQLite file is upright: its rows are the same by every way to them, and SQLite's own check is content.

Whoever reads through an index sees the index's names and numbers, and not those of the rows behind it. So the rows are
also read as they lie, and compared.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache
from hashlib import sha256
from typing import Final

from punto.errors import quoted
from punto.store.contract import Fault
from punto.store.declared import Declared, Thing, differences
from punto.store.epochs import garbled, is_epoch
from punto.store.file import APPLICATION, Migration

# Neither epochs nor snapshots are chained: a file keeps digests of them among its snapshots, under these names.
EPOCHS: Final = "epochs"
SUM_OF: Final = "sum of "
_LONGEST: Final = 60
# So many complaints of SQLite's are told.
_MOST: Final = 20
_PLAIN: Final = {
    "application_id": APPLICATION,
    "encoding": b"UTF-8",
    "auto_vacuum": 0,
    "default_cache_size": -2000,
}
# What is read as it lies, and by an index; both must hold the same rows. An index that is missing is told by itself.
_BOTH_WAYS: Final = (
    (
        "entries",
        "sqlite_autoindex_entries_1",
        "SELECT stream, version, command, body, hash FROM entries NOT INDEXED",
        "SELECT stream, version, command, body, hash FROM entries INDEXED BY {} "  # noqa: ISC004
        "ORDER BY stream, version",
    ),
    (
        "ids of commands",
        "entries_command",
        "SELECT command, rowid FROM entries NOT INDEXED WHERE command IS NOT NULL",
        "SELECT command, rowid FROM entries INDEXED BY {} WHERE command IS NOT NULL",
    ),
    (
        "snapshots",
        "sqlite_autoindex_snapshots_1",
        "SELECT stream, version, hash, body FROM snapshots NOT INDEXED",
        "SELECT stream, version, hash, body FROM snapshots INDEXED BY {} ORDER BY stream",
    ),
)


# A version is a number from 1 on; no stream has any other.
_OUT_OF_ORDER: Final = (
    "SELECT stream, version FROM entries NOT INDEXED WHERE typeof(version) <> 'integer' OR version < 1 LIMIT 100"
)


# Whose name is no text nobody can ask for.
_NAMED: Final = "SELECT typeof(stream), stream, count(*) FROM entries GROUP BY stream"
_KEPT: Final = (
    "SELECT typeof(stream), stream, version, hash, body, typeof(version) || typeof(hash) || typeof(body) FROM snapshots"
)
_EPOCHS: Final = "SELECT typeof(name), name, epoch FROM epochs"
_AS_WRITTEN: Final = b"integerblobblob"


def digest_of(epochs: Mapping[str, object]) -> bytes:
    """What stands for all epochs at once, but for garbled ones, of which each is told by itself."""
    lines = (f"{name}\0{epoch}\n" for name, epoch in sorted(epochs.items()) if is_epoch(epoch))
    return sha256("".join(lines).encode()).digest()


def sum_of(version: object, hash_: object, body: object) -> bytes:
    """What stands for a snapshot."""
    return sha256(repr((version, hash_, body)).encode()).digest()


def faults(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> Iterator[Fault]:
    """What is wrong with a file, at one moment; whatever SQLite cannot read at all is raised as its own error."""
    connection.text_factory = bytes
    connection.execute("BEGIN")
    try:
        yield from _header(connection)
        declared = declared_in(connection)
        yield from differences(declared_by(tuple(migrations)), declared)
        for (said,) in connection.execute(f"PRAGMA integrity_check({_MOST})"):
            if said != b"ok":
                yield Fault(said.decode(errors="replace"))
        for what, index, plain, indexed in _BOTH_WAYS:
            if ("index", index) in declared:
                yield from _compared(what, connection.execute(plain), connection.execute(indexed.format(index)))
        for stream, version in connection.execute(_OUT_OF_ORDER):
            yield Fault(f"{_words(stream)!r}: an entry of version {_words(version)}, which no stream has", hidden=True)
        yield from _nameless(connection)
        yield from _digests(connection)
    finally:
        connection.execute("ROLLBACK")
        connection.text_factory = str


def _header(connection: sqlite3.Connection) -> Iterator[Fault]:
    for name, expected in _PLAIN.items():
        found = connection.execute(f"PRAGMA {name}").fetchone()
        if found is not None and found[0] != expected:
            yield Fault(f"the header says {name} {_words(found[0])}: expected {_words(expected)}")


@cache
def declared_by(migrations: tuple[Migration, ...]) -> Declared:
    """What a fresh file declares that has gone through these migrations."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        for migration in migrations:
            for statement in migration:
                fresh.execute(statement)
        return declared_in(fresh)


def declared_in(connection: sqlite3.Connection) -> Declared:
    """What a file declares."""
    # Bytes, for a damaged file can hold anything in the place of text.
    columns = ", ".join(f"CAST({column} AS BLOB)" for column in ("type", "name", "tbl_name", "sql"))
    rows = connection.execute(f"SELECT {columns} FROM sqlite_schema").fetchall()  # noqa: S608 (of fixed columns)
    return {
        (_words(kind), _words(name)): Thing("" if table == name else _words(table), sql)
        for kind, name, table, sql in rows
    }


def _compared(what: str, plain: Iterable[object], indexed: Iterable[object]) -> Iterator[Fault]:
    """The same rows come both ways, whatever their order."""
    (there, one), (found, other) = _sum(plain), _sum(indexed)
    if there != found:
        yield Fault(f"{what}: {there:,} rows lie in the file, and {found:,} are found by the index", hidden=True)
    elif one != other:
        yield Fault(f"{what}: rows in the file are not those that are found by the index", hidden=True)


def _sum(rows: Iterable[object]) -> tuple[int, int]:
    count = total = 0
    for row in rows:
        count += 1
        total += hash(row)
    return count, total


def _nameless(connection: sqlite3.Connection) -> Iterator[Fault]:
    """Entries of streams whose names are no text."""
    for kind, name, count in connection.execute(_NAMED):
        if not _is_text(kind, name):
            entries = f"{count:,} entries" if count > 1 else "an entry"
            said = f"{entries} of a stream whose name is no text, which nobody reads"
            yield Fault(f"{quoted(_words(name), _LONGEST)}: {said}", hidden=True)


def _digests(connection: sqlite3.Connection) -> Iterator[Fault]:
    """Epochs and snapshots are those of which digests were kept."""
    garbage = list(_garbled(connection))
    yield from garbage
    sums: dict[str, object] = {}
    found: dict[str, bytes] = {}
    for kind, stream, version, hash_, body, kinds in connection.execute(_KEPT):
        name = _words(stream)
        if not _is_text(kind, stream):
            yield Fault(f"{quoted(name, _LONGEST)}: a snapshot whose name is no text, which nobody reads", hidden=True)
        elif name == EPOCHS or name.startswith(SUM_OF):
            sums[name.removeprefix(SUM_OF)] = hash_ if kinds == _AS_WRITTEN else None
        elif kinds == _AS_WRITTEN:
            found[name] = sum_of(version, hash_, body)
        else:
            yield Fault(f"the snapshot {name!r} is not what was written: it holds no bytes, or has no number")
    for name, kept in sums.items():
        if name == EPOCHS:
            if kept != _digest_now(connection) and not garbage:  # which changes the digest, too
                yield Fault("the table epochs (which process runs which table) is not what was written")
        elif found.get(name) != kept:
            yield Fault(f"the snapshot {name!r} is not what was written: its digest is another")


def _garbled(connection: sqlite3.Connection) -> Iterator[Fault]:
    """Epochs that are none, and those whose names are no text."""
    for kind, called, epoch in connection.execute(_EPOCHS):
        name = _words(called)
        if not _is_text(kind, called):
            said = "the name of an epoch that is no text, which nobody can claim"
            yield Fault(f"{quoted(name, _LONGEST)}: {said}", hidden=True)
        elif not is_epoch(epoch):
            yield garbled(name, _words(epoch))


def _digest_now(connection: sqlite3.Connection) -> bytes:
    return digest_of({_words(name): epoch for kind, name, epoch in connection.execute(_EPOCHS) if _is_text(kind, name)})


def _is_text(kind: object, value: object) -> bool:
    """Whether a value was stored as text, and is some."""
    if kind != b"text" or not isinstance(value, bytes):
        return False
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True


def _words(value: object) -> str:
    """A value as text; a damaged file can hold anything in the place of text."""
    return value.decode(errors="backslashreplace") if isinstance(value, bytes) else str(value)
