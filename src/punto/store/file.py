"""The SQLite file of a store: made whole or not at all, known by its header, its faults in Punto's words."""

import os
import sqlite3
import stat
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from enum import Enum
from pathlib import Path
from tempfile import mkstemp
from typing import Final

from punto.errors import BadStore, NewerSchema, NotAStore, PuntoError, StoreGone, StoreLocked

APPLICATION: Final = int.from_bytes(b"Punt")

Migration = tuple[str, ...]

# A migration, once released, is never changed; the next one is added below it.
MIGRATIONS: Final[tuple[Migration, ...]] = (
    (
        # With a rowid, bodies lie together in the order of writing, and only the small index is touched all over: that
        # is written much faster than a table clustered by stream.
        """
        CREATE TABLE entries (
            stream TEXT NOT NULL,
            version INTEGER NOT NULL,
            command TEXT,
            body BLOB NOT NULL,
            hash BLOB NOT NULL,
            PRIMARY KEY (stream, version)
        )
        """,
        "CREATE UNIQUE INDEX entries_command ON entries (command) WHERE command IS NOT NULL",
        "CREATE TABLE epochs (name TEXT NOT NULL PRIMARY KEY, epoch INTEGER NOT NULL) WITHOUT ROWID",
        """
        CREATE TABLE snapshots (
            stream TEXT NOT NULL PRIMARY KEY,
            version INTEGER NOT NULL,
            hash BLOB NOT NULL,
            body BLOB NOT NULL
        )
        """,
    ),
    # What is kept about people, outside all streams: it can be erased. A table without rowids is one tree, whose pages
    # are freed, and overwritten, as a whole.
    (
        "CREATE TABLE persons (person TEXT NOT NULL PRIMARY KEY, key BLOB NOT NULL) WITHOUT ROWID",
        """
        CREATE TABLE personal (
            person TEXT NOT NULL,
            ref TEXT NOT NULL,
            sealed BLOB NOT NULL,
            PRIMARY KEY (person, ref)
        ) WITHOUT ROWID
        """,
    ),
)

_SHORTEST: Final = 512  # bytes: a page of the smallest size that SQLite has

# Since the first version of the tables.
_TABLES: Final = {"entries", "epochs", "snapshots"}

_FAULTS: Final[Mapping[int, tuple[type[PuntoError], str]]] = {
    sqlite3.SQLITE_BUSY: (StoreLocked, "another process is writing"),
    sqlite3.SQLITE_LOCKED: (StoreLocked, "another process is writing"),
    sqlite3.SQLITE_FULL: (StoreGone, "there is no more room"),
    sqlite3.SQLITE_IOERR: (StoreGone, "the disk does not answer"),
    sqlite3.SQLITE_READONLY: (StoreGone, "cannot be written to"),
    sqlite3.SQLITE_CANTOPEN: (StoreGone, "cannot be opened"),
    sqlite3.SQLITE_CORRUPT: (NotAStore, "is damaged"),
    sqlite3.SQLITE_NOTADB: (NotAStore, "is no store"),
    sqlite3.SQLITE_ERROR: (NotAStore, "does not hold what a store holds"),
}


def code_of(error: sqlite3.Error) -> int:
    """SQLite's primary code of a fault; 0 where Python's module found it."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def fault(path: Path, error: sqlite3.Error, then: str = "") -> PuntoError:
    """A fault of SQLite's in Punto's words, and what became of the writing."""
    # Without a code: text that is no text.
    kind, words = _FAULTS.get(code_of(error) or sqlite3.SQLITE_CORRUPT, (StoreGone, "does not answer"))
    return kind(f"{path}: {words} ({error}){then}")


def damaged(path: Path) -> PuntoError:
    """A file that holds something else where text or a number should be."""
    return NotAStore(f"{path}: is damaged (what should be text or a number is none)")


def connect(path: Path, query: str, busy_ms: int) -> sqlite3.Connection:
    """The file, opened for any thread; transactions are begun and ended by hand."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{query}",
        uri=True,
        timeout=busy_ms / 1000,
        isolation_level=None,
        check_same_thread=False,
    )


def check_file(path: Path) -> None:
    """Refuse what is no file, or is empty; it is not opened, since closing it would drop SQLite's locks."""
    try:
        found = path.stat()
    except FileNotFoundError:
        raise BadStore(f"{path}: no such file: expected a store") from None
    except (OSError, ValueError) as error:
        raise BadStore(f"{path}: {_reason(error)}: expected a store") from None
    if not stat.S_ISREG(found.st_mode):
        raise BadStore(f"{path}: not a file: expected a store")
    if found.st_size < _SHORTEST:
        raise NotAStore(f"{path}: is {'cut short' if found.st_size else 'empty'}: expected a store, or no file at all")


def make(path: Path, migrations: Sequence[Migration], busy_ms: int) -> None:
    """Make an empty store; the file appears under its name when it is whole, so an empty one is never ours."""
    try:
        descriptor, name = mkstemp(prefix=f"{path.name}.", suffix=".new", dir=path.parent)
    except (OSError, ValueError) as error:
        raise BadStore(f"{path}: {_reason(error)}: a store cannot be made there") from None
    os.close(descriptor)
    made = Path(name)
    try:
        with closing(connect(made, "mode=rw", busy_ms)) as connection:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            migrate(path, connection, migrations)
        path.hardlink_to(made)  # unlike a rename it never replaces
        sync_folder(path.parent)
    except FileExistsError:
        pass  # somebody else was first, and that store is as good
    except sqlite3.Error as error:
        raise fault(path, error) from error
    except OSError as error:
        raise StoreGone(f"{path}: {_reason(error)}: a store cannot be made there") from error
    finally:
        made.unlink()


def check_header(path: Path, connection: sqlite3.Connection, migrations: Sequence[Migration]) -> int:
    """The version of the tables; `NotAStore` when the file is another application's, `NewerSchema` if it is later."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION:
        raise NotAStore(f"{path}: is an SQLite file of something else: expected a store")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    assert isinstance(version, int)
    if version > len(migrations):
        raise NewerSchema(f"{path}: has tables of version {version}: this Punto knows them up to {len(migrations)}")
    return version


def check_tables(path: Path, connection: sqlite3.Connection) -> None:
    """Refuse a file that lacks tables of a store."""
    found = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if missing := _TABLES - found:
        raise NotAStore(f"{path}: is part of a store: {', '.join(sorted(missing))} missing")


def migrate(path: Path, connection: sqlite3.Connection, migrations: Sequence[Migration]) -> None:
    """Bring the tables to the last version, in one transaction that also tells whether the file can be written to."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = check_header(path, connection, migrations)
        for migration in migrations[version:]:
            for statement in migration:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
        check_tables(path, connection)
        connection.execute("COMMIT" if version < len(migrations) else "ROLLBACK")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def log_of(path: Path) -> Path:
    """The write-ahead log beside the file; it is there while anybody has the file open."""
    return path.with_name(f"{path.name}-wal")


class Mode(Enum):
    """How the file is opened."""

    WRITE = "mode=rw"
    READ = "mode=ro"


# SQLite cannot read a file with a log unless it may write beside it. Where nobody has the file open there is none, and
# it can be read as it lies.
STILL: Final = "mode=ro&immutable=1"


class Link:
    """A connection that is opened when it is needed, and let go when the file fails or is no longer the same.

    A link that takes the file to be *still*, that is, open to nobody, is opened anew as soon as anything has moved.
    """

    def __init__(self, path: Path, busy_ms: int, mode: Mode, prepare: Callable[[sqlite3.Connection], None]) -> None:
        self._path = path
        self._log = log_of(path)
        self._busy_ms = busy_ms
        self._mode = mode
        self._prepare = prepare
        self._connection: sqlite3.Connection | None = None
        self._still = False
        self._identity: tuple[int, ...] = ()

    def connection(self) -> sqlite3.Connection:
        """The connection to the file that is there."""
        if self._connection is not None and self._look() != self._identity:
            self.close()
            if not self._still:
                raise StoreGone(f"{self._path}: the file was removed, or another took its place")
        return self._connection or self._open()

    def overtaken(self) -> bool:
        """Whether what was just read from a still file may be half old and half new."""
        return self._still and self._look() != self._identity

    def close(self) -> None:
        """Let go of the connection."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _open(self) -> sqlite3.Connection:
        self._still = self._mode is Mode.READ and not self._log.exists()
        self._identity = self._look()
        if not self._identity:
            raise StoreGone(f"{self._path}: the file is gone")
        try:
            connection = connect(self._path, STILL if self._still else self._mode.value, self._busy_ms)
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
        except sqlite3.Error as error:
            raise fault(self._path, error) from error
        except UnicodeDecodeError as error:
            raise damaged(self._path) from error
        if not self._still:
            self._identity = self._look()
        self._connection = connection
        return connection

    def _look(self) -> tuple[int, ...]:
        """What tells this file, and a still one's state, from any other; nothing when there is none."""
        try:
            found = self._path.stat()
        except OSError:
            return ()
        try:
            log = self._log.stat().st_ino
        except OSError:
            log = 0
        state = (found.st_size, found.st_mtime_ns) if self._still else ()
        return (found.st_dev, found.st_ino, log, *state)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _reason(error: OSError | ValueError) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
