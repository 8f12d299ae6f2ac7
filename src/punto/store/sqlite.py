"""An event store in an SQLite file: one floor process writes, others may read.

The log is written ahead and synced at every commit. What the writer knows of epochs it keeps in memory for its claims,
for as long as SQLite says that no other connection has changed the file. Whether entries follow on what is there, and
whether their fences hold, the statement that writes them looks up itself.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Final

import msgspec

from punto.errors import NotAStore, OutcomeUnknown, StaleVersion, StoreGone
from punto.store.batch import (
    check_addition,
    check_before,
    check_commands,
    check_dossier,
    check_fences,
    check_name,
    check_names,
    follow,
    streams_of,
)
from punto.store.contract import GARBLED, Dossier, DossierChange, Fault, Row, Snapshot
from punto.store.declared import check_declared, kept_out
from punto.store.epochs import LAST_EPOCH, epoch_after, epoch_of
from punto.store.file import (
    MIGRATIONS,
    Link,
    Migration,
    Mode,
    check_file,
    check_header,
    check_tables,
    code_of,
    connect,
    damaged,
    fault,
    make,
    migrate,
)
from punto.store.hand import Hand, Handed
from punto.store.reading import DOSSIER, FIND, Found, Reading, dossier_of, is_text, number_of
from punto.store.upright import EPOCHS, SUM_OF, declared_by, declared_in, digest_of, faults, sum_of

_CLOSING_S: Final = 1.0
# After these faults nothing was committed; after any other it may have been.
_BEFORE_COMMIT: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_SCHEMA,
        sqlite3.SQLITE_TOOBIG,
    }
)
# Whoever has a file open has it open for long.
_ALONE_MS: Final = 100
_CACHE_KIB: Final = 16 * 1024
_CHECKPOINT_PAGES: Final = 1_000  # 4 MB of log: a short log has little to lose

_INSERT: Final = "INSERT INTO entries (stream, version, command, body, hash) VALUES (?, ?, ?, ?, ?)"
# The epoch under which a fence is held.
_EPOCH: Final = f"""
    CASE WHEN epochs.name IS NULL THEN 0
    WHEN typeof(epochs.epoch) = 'integer' AND epochs.epoch BETWEEN 1 AND {LAST_EPOCH} THEN epochs.epoch
    ELSE {GARBLED} END
"""
# All entries or none, by one statement, so that a second thread that writes need not wait for the interpreter in the
# middle of it. It inserts nothing where a stream ends elsewhere than just before its first entry here, a fence is held
# under another epoch, or somebody has made a trigger.
_INSERT_ALL: Final = f"""
    INSERT INTO entries (stream, version, command, body, hash)
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
        substr(?2, json_extract(value, '$[3]'), json_extract(value, '$[4]')),
        substr(?2, json_extract(value, '$[5]'), json_extract(value, '$[6]'))
    FROM json_each(?1)
    WHERE NOT EXISTS (
        SELECT 1 FROM json_each(?3) AS fence LEFT JOIN epochs ON epochs.name = fence.key
        WHERE {_EPOCH} <> fence.value
    )
    AND NOT EXISTS (
        SELECT 1 FROM json_each(?4) AS begun
        WHERE ifnull((SELECT max(version) FROM entries WHERE stream = begun.key), 0) <> begun.value
    )
    AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'trigger')
"""  # noqa: S608
# What is none of a stream's entries 1 to a certain one. Versions have an order whatever their types are.
_IS_BEYOND: Final = "stream = ? AND NOT (typeof(version) = 'integer' AND version BETWEEN 1 AND ?)"
_PLACES_BEYOND: Final = f"SELECT rowid FROM entries WHERE {_IS_BEYOND} ORDER BY version, rowid"  # noqa: S608
_AT: Final = """
    SELECT stream, version, command, body, hash FROM entries WHERE rowid IN (SELECT value FROM json_each(?))
    ORDER BY version, rowid
"""
_INSERT_PERSON: Final = "INSERT INTO persons (person, key) VALUES (?, ?)"
_INSERT_PERSONAL: Final = "INSERT INTO personal (person, ref, sealed) VALUES (?, ?, ?)"
# What is still kept; whatever stands in the place of a row belongs to nobody, and is not written anew.
_SET_ASIDE: Final = """
    CREATE TEMP TABLE aside AS SELECT * FROM {table}
    WHERE typeof({value}) = 'blob' AND person NOT IN (SELECT value FROM json_each(?))
"""
# Nobody waits longer than this for readers to let go of the log.
_SCRUB_MS: Final = 100
_TRIGGERS: Final = "SELECT 1 FROM sqlite_schema WHERE type = 'trigger'"
_KEEP_DIGEST: Final = "INSERT OR REPLACE INTO snapshots (stream, version, hash, body) VALUES (?, 0, ?, x'')"
_KEEP: Final = "INSERT OR REPLACE INTO snapshots (stream, version, hash, body) VALUES (?, ?, ?, ?)"
_JSON: Final = msgspec.json.Encoder().encode
# Text sorts before bytes: a name that is no text is no stream that anybody could ask for.
_NAMES: Final = """
    WITH RECURSIVE names (stream, place) AS (
        SELECT min(stream), 1 FROM entries WHERE stream > CAST(? AS TEXT) AND stream < x''
        UNION ALL
        SELECT (SELECT min(entries.stream) FROM entries WHERE entries.stream > names.stream AND entries.stream < x''),
            place + 1
        FROM names WHERE stream IS NOT NULL AND place < ?
    )
    SELECT names.stream, entries.version, entries.hash FROM names JOIN entries
    ON entries.stream = names.stream
    AND entries.version = (SELECT max(version) FROM entries WHERE entries.stream = names.stream)
    ORDER BY names.stream
"""


class SqliteStore(Reading):
    """An event store in an SQLite file."""

    names_query = _NAMES

    def __init__(  # noqa: PLR0913
        self,
        path: Path,
        *,
        read_only: bool = False,
        create: bool = True,
        migrations: Sequence[Migration] = MIGRATIONS,
        busy_ms: int = 2_000,
        synchronous: str = "FULL",
    ) -> None:
        if create and not read_only and not os.path.exists(path):  # noqa: PTH110 (that of pathlib can raise)
            make(path, migrations, busy_ms)
        check_file(path)
        self.path: Final = path.resolve()  # the log lies beside the file itself, not beside a link to it
        self._read_only = read_only
        self._migrations = migrations
        self._synchronous = synchronous
        self._busy_ms = busy_ms
        self._closed = False
        self._write_lock, self._read_lock = Lock(), Lock()
        self._writer = Link(self.path, busy_ms, Mode.WRITE, self._prepare_writer)
        self._reader = Link(self.path, busy_ms, Mode.READ if read_only else Mode.WRITE, self._prepare_reader)
        self._hand = Hand()
        self._seen = -1
        self._epochs: dict[str, int] = {}
        try:
            if not read_only:
                self._writer.connection()
            self._reader.connection()
        except BaseException:
            self.close()
            raise

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        """Write all entries or none, and return when they are durable."""
        self._begin(entries, fences)()

    def send(self, entries: Iterable[Row], fences: Mapping[str, int]) -> Handed:
        """Have all entries written or none, by a second thread."""
        return self._hand.start(self._begin(entries, fences))

    def _begin(self, entries: Iterable[Row], fences: Mapping[str, int]) -> Callable[[], None]:
        """Look whether the entries follow on each other, and take the lock; what writes them lets it go."""
        rows = list(entries)
        check_names(rows)
        self._write_lock.acquire()
        try:
            return partial(self._insert, self._connected(), rows, fences)
        except BaseException:
            self._write_lock.release()
            raise

    def _insert(self, connection: sqlite3.Connection, rows: Sequence[Row], fences: Mapping[str, int]) -> None:
        """Write the entries by one statement, which is a transaction, and let the lock go."""
        try:
            self._insert_all(connection, rows, fences)
        except BaseException as error:
            self._undo(connection)
            self._tell(error, committing=True)
            raise
        finally:
            self._write_lock.release()

    def _insert_all(self, connection: sqlite3.Connection, rows: Sequence[Row], fences: Mapping[str, int]) -> None:
        begun = _begun(rows)
        try:
            follow(rows, begun)
            inserted = connection.execute(_INSERT_ALL, packed(rows, fences, begun)).rowcount if rows else 0
            refused = not rows or inserted != len(rows)
        except (sqlite3.IntegrityError, StaleVersion):
            refused = True
        if refused:
            check_fences(fences, _stored_epochs(connection))
            follow(rows, _ends(connection, rows))
            check_commands(rows, lambda command: connection.execute(FIND, (command,)).fetchone())
            if rows:
                raise kept_out(str(self.path), declared_by(tuple(self._migrations)), declared_in(connection))

    def claim(self, name: str) -> int:
        """Become the owner of a name."""
        check_name(name)
        with self._writing() as connection:
            self._check_triggers(connection)
            epoch = self._epochs[name] = epoch_after(self._epochs.get(name, 0))
            connection.execute("INSERT OR REPLACE INTO epochs (name, epoch) VALUES (?, ?)", (name, epoch))
            connection.execute(_KEEP_DIGEST, (EPOCHS, digest_of(self._epochs)))
        return epoch

    def add_to_dossier(self, person: str, more: Dossier, fences: Mapping[str, int]) -> None:
        """Keep more about a person."""
        check_dossier(person, more)
        with self._writing() as connection:
            self._check_triggers(connection)
            check_fences(fences, self._epochs)
            there = _dossier(connection, person)
            check_addition(person, there, more)
            if there is None or not there.key:
                connection.execute("INSERT OR REPLACE INTO persons (person, key) VALUES (?, ?)", (person, more.key))
            rows = [(person, ref, sealed) for ref, sealed in more.rows.items()]
            connection.executemany(_INSERT_PERSONAL, rows)

    def change_dossiers(self, changes: Iterable[DossierChange], fences: Mapping[str, int]) -> None:
        """Put other dossiers in the place of what is kept, or none.

        When SQLite moves rows from page to page, it leaves copies of them in free room. Whatever `secure_delete` says,
        deleting a row does not reach those. So both tables are emptied, which overwrites all of their pages with zeros,
        and what is still kept is written anew.
        """
        changes = list(changes)
        with self._writing() as connection:
            self._check_triggers(connection)
            check_fences(fences, self._epochs)
            for person, before, _ in changes:
                check_before(person, _dossier(connection, person), before)
            changed = _JSON([person for person, _, _ in changes]).decode()
            for table, value in (("persons", "key"), ("personal", "sealed")):
                connection.execute(_SET_ASIDE.format(table=table, value=value), (changed,))
                connection.execute(f"DELETE FROM {table}")  # noqa: S608
                connection.execute(f"INSERT INTO {table} SELECT * FROM temp.aside")  # noqa: S608
                connection.execute("DROP TABLE temp.aside")
            for person, _, after in changes:
                if after is not None:
                    connection.execute(_INSERT_PERSON, (person, after.key))
                    rows = [(person, ref, sealed) for ref, sealed in after.rows.items()]
                    connection.executemany(_INSERT_PERSONAL, rows)

    def scrub(self) -> bool:
        """Move the log into the file, and cut it to nothing; somebody who reads for long keeps it from that."""
        with self._write_lock:
            connection = self._connected()
            try:
                connection.execute(f"PRAGMA busy_timeout = {_SCRUB_MS}")
                try:
                    (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                finally:
                    connection.execute(f"PRAGMA busy_timeout = {self._busy_ms}")
            except sqlite3.Error as error:
                if code_of(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
                    return False
                self._tell(error, committing=False)
                raise
        return not busy

    def _check_triggers(self, connection: sqlite3.Connection) -> None:
        if connection.execute(_TRIGGERS).fetchone():
            raise kept_out(str(self.path), declared_by(tuple(self._migrations)), declared_in(connection))

    def keep(self, stream: str, snapshot: Snapshot) -> None:
        """Keep a snapshot in place of the one before."""
        check_name(stream)
        with self._writing() as connection:
            connection.execute(_KEEP, (stream, *snapshot))
            connection.execute(_KEEP_DIGEST, (SUM_OF + stream, sum_of(*snapshot)))

    def prune(self, ends: Mapping[str, int], entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        """Remove what lies beyond these ends, and append entries, while nobody else has the file open."""
        entries = list(entries)
        check_names(entries)
        with self._write_lock, self._read_lock:
            self._connected()
            self._reader.close()
            self._writer.close()
            self._forget()
            try:
                with closing(connect(self.path, Mode.WRITE.value, _ALONE_MS)) as connection:
                    self._prune(connection, ends, entries, fences)
            except sqlite3.Error as error:
                raise fault(self.path, error, ": nothing was changed") from error

    def _prune(
        self, connection: sqlite3.Connection, ends: Mapping[str, int], entries: Sequence[Row], fences: Mapping[str, int]
    ) -> None:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # which nobody gets while another has the file open
        connection.execute("BEGIN EXCLUSIVE")
        check_fences(fences, _stored_epochs(connection))
        connection.executemany(f"DELETE FROM entries WHERE {_IS_BEYOND}", ends.items())  # noqa: S608
        follow(entries, _ends(connection, entries))
        connection.executemany(_INSERT, map(tuple, entries))
        connection.execute("COMMIT")

    def faults(self) -> list[Fault]:
        """What is wrong with the file, at one moment."""
        with self._read_lock:
            while not self._closed:
                connection = self._reader.connection()
                found: list[Fault] = []
                try:
                    found.extend(faults(connection, self._migrations))  # as far as it comes
                except sqlite3.Error as error:
                    found.append(Fault(str(error)))
                    if not self._reader.overtaken():
                        self._reader.close()
                if not self._reader.overtaken():
                    return found
        raise StoreGone(f"{self.path}: is closed")

    def close(self) -> None:
        """Close the file, unless the disk stands still under somebody's call; a second time does nothing."""
        self._closed = True
        for lock, link in ((self._read_lock, self._reader), (self._write_lock, self._writer)):
            if lock.acquire(timeout=_CLOSING_S):
                try:
                    link.close()
                finally:
                    lock.release()
        self._hand.stop()

    def _connected(self) -> sqlite3.Connection:
        """The connection that writes; whoever asks for it has the lock."""
        if self._closed or self._read_only:
            raise StoreGone(f"{self.path}: is {'closed' if self._closed else 'open for reading only'}")
        return self._writer.connection()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: committed at the end, or undone, with all that was known forgotten."""
        with self._write_lock:
            connection = self._connected()
            committing = False
            try:
                connection.execute("BEGIN IMMEDIATE")
                self._catch_up(connection)
                yield connection
                committing = True
                connection.execute("COMMIT")
            except BaseException as error:
                self._undo(connection)
                self._tell(error, committing=committing)
                raise

    def _undo(self, connection: sqlite3.Connection) -> None:
        """Roll back, and forget what was known."""
        self._forget()
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error:
            self._writer.close()

    def _forget(self) -> None:
        """Look at the file again before a name is claimed."""
        self._seen = -1

    def _tell(self, error: BaseException, *, committing: bool) -> None:
        """Raise a fault of the database in Punto's words; after all but the harmless ones the file is opened anew."""
        if isinstance(error, UnicodeDecodeError):
            raise damaged(self.path) from error
        if not isinstance(error, sqlite3.Error) or isinstance(error, sqlite3.ProgrammingError):
            return
        code = code_of(error)
        if code not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL}:
            self._writer.close()
        # A log that could not be synced may yet be found whole after a crash. Where there was no room, the frame that
        # makes a commit was not written; nor was it where another process held the log.
        if committing and code not in _BEFORE_COMMIT:
            raise OutcomeUnknown(fault(self.path, error, ": it is not known whether it was written").message) from error
        raise fault(self.path, error, ": nothing was written") from error

    def _catch_up(self, connection: sqlite3.Connection) -> None:
        """Forget what was known if another connection has written since."""
        (seen,) = connection.execute("PRAGMA data_version").fetchone()
        if seen != self._seen:
            self._epochs = _stored_epochs(connection)
            self._seen = seen

    def _rows(self, query: str, *parameters: str | int | bytes | list[str]) -> list[Found]:
        """The rows of a query, all at once, so that no lock outlives it."""
        with self._read_lock:
            while not self._closed:
                connection = self._reader.connection()
                try:
                    rows = _fetched(connection, query, parameters)
                except UnicodeEncodeError:
                    return []  # half a letter is in no name
                except sqlite3.Error as error:
                    if self._reader.overtaken():
                        continue
                    self._reader.close()
                    raise fault(self.path, error) from error
                if not self._reader.overtaken():
                    return rows
        raise StoreGone(f"{self.path}: is closed")

    def _places_beyond(self, stream: str, end: int) -> list[int]:
        return [place for (place,) in self._rows(_PLACES_BEYOND, stream, end)]

    def _rows_at(self, stream: str, places: list[int]) -> list[Found]:  # noqa: ARG002 (a place is that of one row)
        return self._rows(_AT, _JSON(places).decode())

    def _prepare_writer(self, connection: sqlite3.Connection) -> None:
        self._seen = -1
        version = check_header(self.path, connection, self._migrations)
        if version:
            check_tables(self.path, connection)
            usual = declared_by(tuple(self._migrations[:version]))
            check_declared(str(self.path), usual, declared_in(connection))
        if connection.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
            raise StoreGone(f"{self.path}: cannot have a write-ahead log there")
        connection.execute(f"PRAGMA synchronous = {self._synchronous}")
        connection.execute("PRAGMA secure_delete = ON")  # pages that are freed at any time may have held a dossier
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        migrate(self.path, connection, self._migrations)

    def _prepare_reader(self, connection: sqlite3.Connection) -> None:
        version, expected = check_header(self.path, connection, self._migrations), len(self._migrations)
        if version < expected:
            later = "open it for writing to bring them up to date"
            raise NotAStore(f"{self.path}: has tables of version {version}: expected {expected}; {later}")
        check_tables(self.path, connection)
        connection.execute("PRAGMA query_only = ON")


def _begun(rows: Iterable[Row]) -> dict[str, int]:
    """Where the streams must end for the rows to follow."""
    begun: dict[str, int] = {}
    for row in rows:
        if row[0] not in begun:
            begun[row[0]] = row[1] - 1
    return begun


def packed(rows: Iterable[Row], fences: Mapping[str, int], begun: Mapping[str, int]) -> tuple[str, bytes, str, str]:
    """The rows as parameters: names and numbers with the places of their bytes, then all bytes; fences; ends."""
    lines: list[tuple[object, ...]] = []
    pieces: list[bytes] = []
    place = 1
    for stream, version, command, body, hash_ in rows:
        size, hash_size = len(body), len(hash_)
        lines.append((stream, version, command, place, size, place + size, hash_size))
        pieces += (body, hash_)
        place += size + hash_size
    return _JSON(lines).decode(), b"".join(pieces), _JSON(fences).decode(), _JSON(begun).decode()


def _fetched(connection: sqlite3.Connection, query: str, parameters: Sequence[object]) -> list[Found]:
    """The rows of a query; text that is none comes with half letters in it, which no name, id or hash has."""
    try:
        return connection.execute(query, parameters).fetchall()
    except sqlite3.OperationalError as error:
        if code_of(error):  # it has none where text does not read
            raise
    connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
    try:
        return connection.execute(query, parameters).fetchall()
    finally:
        connection.text_factory = str


def _stored_epochs(connection: sqlite3.Connection) -> dict[str, int]:
    """The epochs under which names are held; a name that is no text is nobody's."""
    found = _fetched(connection, "SELECT name, epoch FROM epochs", ())
    return {name: epoch_of(epoch) for name, epoch in found if isinstance(name, str) and is_text(name)}


def _dossier(connection: sqlite3.Connection, person: str) -> Dossier | None:
    """What the file has about a person."""
    return dossier_of(_fetched(connection, DOSSIER, (person, person)))


def _ends(connection: sqlite3.Connection, entries: Sequence[Row]) -> dict[str, int]:
    """Where the streams of the entries end, as the file has it."""
    query = "SELECT max(version) FROM entries WHERE stream = ?"
    found = {stream: connection.execute(query, (stream,)).fetchone()[0] for stream in streams_of(entries)}
    return {stream: 0 if version is None else number_of(version) for stream, version in found.items()}
