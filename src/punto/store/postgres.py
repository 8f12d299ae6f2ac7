"""An event store in a PostgreSQL database, shared by several floor processes.

What a writer knows of the ends of streams it keeps in memory; another process may have overtaken it, and then the
primary key says so. Epochs are read anew in every transaction, and held until its end. Entries are appended as they
come, so that the server writes the first ones while the last ones are made. What is *sent* goes to the server together
with its commit; the answer is read when somebody waits for it.
"""

import select
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, lru_cache, partial
from hashlib import sha256
from itertools import islice
from threading import Lock
from time import monotonic, sleep
from typing import Final, TypeVar

import psycopg
from psycopg.errors import DeadlockDetected, DivisionByZero, LockNotAvailable, SerializationFailure, UniqueViolation

from punto.errors import BadStore, NotAStore, OutcomeUnknown, PuntoError, StaleVersion, StoreGone, StoreLocked
from punto.store.arrays import columns
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
from punto.store.database import MIGRATIONS, Connection, Link, Migration, Session, check, fault, migrate, parse
from punto.store.deadlines import DEADLINES
from punto.store.declared import check_declared, kept_out
from punto.store.epochs import LAST_EPOCH, fresh_epoch
from punto.store.inspecting import SHAPES, declared_in, faults
from punto.store.reading import DOSSIER, Found, Reading, dossier_of

_TRIES: Final = 5

# As many entries as the server is sent at a time.
_CHUNK: Final = 50

# The epoch under which a name is held that somebody has claimed.
_EPOCH: Final = f"CASE WHEN epochs.epoch BETWEEN 1 AND {LAST_EPOCH} THEN epochs.epoch ELSE {GARBLED} END"

# It divides by zero, and so ends the transaction, unless every fence holds and every entry was inserted: a trigger can
# leave entries out.
_INSERT: Final = f"""
    WITH inserted AS (
        INSERT INTO entries (stream, version, command, body, hash)
        SELECT * FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::bytea[], %s::bytea[])
        WHERE NOT EXISTS (
            SELECT 1 FROM unnest(%s::text[], %s::bigint[]) AS fence (name, epoch)
            LEFT JOIN epochs ON epochs.name = fence.name
            WHERE CASE WHEN epochs.name IS NULL THEN 0 ELSE {_EPOCH} END <> fence.epoch
        )
        RETURNING 1
    )
    SELECT 1 / (count(*) = %s)::integer FROM inserted
"""  # noqa: S608
# The lock is in memory only, which is quicker than one on the rows; it is taken by a statement of its own, so that the
# next one reads the epochs of the moment after it was granted.
_LOCKS: Final = "SELECT pg_advisory_xact_lock_shared(key) FROM unnest(%s::bigint[]) AS keys (key)"
_EPOCHS: Final = f"SELECT name, {_EPOCH} FROM epochs WHERE name = ANY(?)"  # noqa: S608
_LOCK_OUT: Final = "SELECT pg_advisory_xact_lock({key})"
# Whoever claims a name gives its owner so long to finish; an owner that stands still in the middle of a transaction
# would hold its lock for ever. Other writers wait for as long as any transaction may take.
_CLAIM_PATIENCE_S: Final = 2
_WRITE_PATIENCE_S: Final = 8
_MIGRATION_S: Final = 60.0
_CLOSING_S: Final = 1.0
# How long a session that was given up has to end before nobody can say what became of its commit.
_ENDING_S: Final = 5.0
_GLANCE_S: Final = 0.01
# Ends the sessions of this role that hold the locks of names, if their transactions are as old as that.
_END_HOLDERS: Final = """
    SELECT pg_terminate_backend(holder.pid)
    FROM pg_catalog.pg_locks AS held JOIN pg_catalog.pg_stat_activity AS holder ON holder.pid = held.pid
    WHERE held.locktype = 'advisory' AND held.granted AND held.objsubid = 1
    AND held.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
    AND ((held.classid::bigint << 32) | held.objid::bigint) = ANY(%s::bigint[])
    AND holder.usename = current_user AND holder.pid <> pg_backend_pid()
    AND clock_timestamp() - holder.xact_start >= make_interval(secs => %s)
"""
_END_SESSION: Final = """
    SELECT pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity WHERE pid = %s AND backend_start = %s
"""
_ENDS: Final = """
    SELECT name, (SELECT max(version) FROM entries WHERE stream = name) FROM unnest(?::text[]) AS names (name)
"""
# What is none of a stream's entries 1 to a certain one.
_IS_BEYOND: Final = "stream = ? AND (version < 1 OR version > ?)"
_PLACES_BEYOND: Final = f"SELECT version FROM entries WHERE {_IS_BEYOND} ORDER BY version"  # noqa: S608
_AT: Final = """
    SELECT stream, version, command, body, hash FROM entries WHERE stream = ? AND version = ANY(?::bigint[])
    ORDER BY version
"""
_NAMES: Final = """
    WITH RECURSIVE names (stream, place) AS (
        (SELECT stream, 1 FROM entries WHERE stream > ? ORDER BY stream LIMIT 1)
        UNION ALL
        SELECT (SELECT min(entries.stream) FROM entries WHERE entries.stream > names.stream), place + 1
        FROM names WHERE stream IS NOT NULL AND place < ?
    )
    SELECT names.stream, ends.version, ends.hash FROM names CROSS JOIN LATERAL (
        SELECT version, hash FROM entries WHERE entries.stream = names.stream ORDER BY version DESC LIMIT 1
    ) AS ends
    ORDER BY names.stream
"""
# Whoever else of us is connected to the database.
_OTHERS: Final = """
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid NOT IN (pg_backend_pid(), %s)
    AND application_name = current_setting('application_name')
"""
_TRIGGERS: Final = """
    SELECT 1 FROM pg_catalog.pg_class AS entries
    WHERE relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = %s) AND relname = 'entries'
    AND (EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = entries.oid AND NOT tgisinternal)
        OR EXISTS (SELECT 1 FROM pg_catalog.pg_rewrite WHERE ev_class = entries.oid))
"""
_CLAIM: Final = f"""
    INSERT INTO epochs (name, epoch) VALUES (%s, 1)
    ON CONFLICT (name) DO UPDATE
    SET epoch = CASE WHEN epochs.epoch BETWEEN 1 AND {LAST_EPOCH - 1} THEN epochs.epoch + 1 ELSE %s END
    RETURNING epoch
"""  # noqa: S608
_KEEP: Final = """
    INSERT INTO snapshots (stream, version, hash, body) VALUES (%s, %s, %s, %s)
    ON CONFLICT (stream) DO UPDATE SET version = excluded.version, hash = excluded.hash, body = excluded.body
"""
# Whoever adds to a dossier and whoever erases it wait for each other.
_ADD_PERSON: Final = "INSERT INTO persons (person, key) VALUES (%s, %s) ON CONFLICT (person) DO NOTHING"
_HOLD_PERSON: Final = "SELECT 1 FROM persons WHERE person = %s FOR UPDATE"
_MEND_PERSON: Final = "UPDATE persons SET key = %s WHERE person = %s"
_ADD_PERSONAL: Final = "INSERT INTO personal (person, ref, sealed) VALUES (%s, %s, %s)"

T = TypeVar("T")
_IN_THE_WAY: Final = (DeadlockDetected, LockNotAvailable, SerializationFailure)


class _Coming:
    """Entries that are taken as they come, in chunks; a second try begins with all that were taken."""

    def __init__(self, entries: Iterable[Row]) -> None:
        self._coming = iter(entries)
        self.taken: list[Row] = []

    def chunks(self) -> Iterator[list[Row]]:
        """All entries: those that were taken before as one chunk, then the others as they come."""
        if self.taken:
            yield self.taken[:]
        while chunk := list(islice(self._coming, _CHUNK)):
            self._take(chunk)
            yield chunk

    def take_all(self) -> None:
        """Take all entries now."""
        self._take([*self._coming])

    def _take(self, rows: list[Row]) -> None:
        check_names(rows)
        self.taken += rows


class _Attempt:
    """A transaction on a connection; once it was told to commit, nobody knows what became of it if the line is lost."""

    def __init__(self, connection: Connection, session: Session | None) -> None:
        self.connection, self.session = connection, session
        self.committing = False


class Sent:
    """Entries that were sent to the server, which may have committed them by now."""

    def __init__(self, finish: Callable[[], None]) -> None:
        self._finish = finish
        self._lock = Lock()
        self._is_over = False
        self._error: BaseException | None = None

    def wait(self) -> None:
        """Wait until they are durable; raises what kept them from being written, each time."""
        with self._lock:
            if not self._is_over:
                self._is_over = True
                try:
                    self._finish()
                except BaseException as error:  # noqa: BLE001 (whoever waits is told)
                    self._error = error
        if self._error is not None:
            raise self._error


class PostgresStore(Reading):
    """An event store in a PostgreSQL database."""

    names_query = _NAMES

    def __init__(
        self,
        url: str,
        *,
        read_only: bool = False,
        create: bool = True,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> None:
        self.address: Final = parse(url)
        self._read_only = read_only
        self._closed = False
        self._write_lock, self._read_lock = Lock(), Lock()
        self._writer = Link(self.address, read_only=False)
        self._reader = Link(self.address, read_only=True)
        # What was sent last, until its answer was read.
        self._sent: Sent | None = None
        self._ends: dict[str, int] = {}
        # Sessions whose connection was lost in the middle of a transaction, and which may still commit it.
        self._lost: list[Session] = []
        self._lost_lock = Lock()
        first = self._reader if read_only else self._writer
        try:
            connection = first.connection()
            with DEADLINES.within(_MIGRATION_S, first.cut):
                self._prepare(connection, migrations, create=create)
        except psycopg.Error as error:
            told = fault(self.address, error, late_s=_MIGRATION_S if first.is_cut_off else 0)
            self.close()
            raise told from error
        except BaseException:
            self.close()
            raise

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        """Write all entries or none, and return when they are durable."""
        self._transact(partial(self._insert, _Coming(entries), fences), fences)

    def send(self, entries: Iterable[Row], fences: Mapping[str, int]) -> Sent:
        """Send all entries with their commit, and return while the server is at work."""
        coming = _Coming(entries)
        coming.take_all()
        self._finish_sent()
        self._write_lock.acquire()
        try:
            self._check_open()
            connection, pipeline = self._connected(self._writer), ExitStack()
            attempt = _Attempt(connection, self._writer.session)
            with self._minding(attempt), self._refusing(connection, coming, fences), _closed_on_failure(pipeline):
                pipeline.enter_context(connection.pipeline())
                self._put(connection, coming, fences)
                attempt.committing = True
                connection.execute("COMMIT")
                _flush(connection)
        except _IN_THE_WAY:  # the server said so before it was sent everything
            self._write_lock.release()
            return Sent(partial(self._transact, partial(self._insert, coming, fences), fences))
        except BaseException:
            self._write_lock.release()
            raise
        self._sent = sent = Sent(partial(self._finish, attempt, pipeline, coming, fences))
        return sent

    def _finish(self, attempt: _Attempt, pipeline: ExitStack, coming: _Coming, fences: Mapping[str, int]) -> None:
        """Read what the server says of entries that were sent; if other writers were in the way, write them again."""
        self._sent = None
        try:
            with self._minding(attempt), self._refusing(attempt.connection, coming, fences):
                pipeline.close()
        except _IN_THE_WAY:
            again = True
        else:
            again = False
        finally:
            self._write_lock.release()
        if again:
            self._transact(partial(self._insert, coming, fences), fences)

    def _finish_sent(self) -> None:
        """Wait for what was sent before; whoever waits for that is told what came of it."""
        sent = self._sent
        if sent is not None:
            with suppress(PuntoError):
                sent.wait()

    def _insert(self, coming: _Coming, fences: Mapping[str, int], connection: Connection) -> None:
        """Insert all entries, the first ones while the last ones are still being made."""
        with self._refusing(connection, coming, fences), connection.pipeline():
            self._put(connection, coming, fences)

    def _put(self, connection: Connection, coming: _Coming, fences: Mapping[str, int]) -> None:
        """Begin a transaction that no claim of the fences' names can pass, and insert all entries."""
        moved: dict[str, int] = {}
        self._lock(connection, fences)
        for chunk in coming.chunks():
            self._follow(chunk, moved)
            values = *columns(chunk), list(fences), list(fences.values()), len(chunk)
            connection.execute(_INSERT, values, prepare=True)
        if not coming.taken:
            check_fences(fences, dict(self._rows(_EPOCHS, list(fences))))

    @contextmanager
    def _refusing(self, connection: Connection, coming: _Coming, fences: Mapping[str, int]) -> Iterator[None]:
        """Say why the server, or what is known of it, refuses entries."""
        try:
            yield
        except (StaleVersion, UniqueViolation, DivisionByZero) as error:
            connection.rollback()
            rows = coming.taken
            check_fences(fences, dict(self._rows(_EPOCHS, list(fences))))
            follow(rows, self._stored_ends(streams_of(rows)))
            check_commands(rows, self.find)
            if isinstance(error, DivisionByZero):
                found = declared_in(connection, self.address.schema)
                raise kept_out(self.address.name, SHAPES[-1], found) from error
            raise

    def claim(self, name: str) -> int:
        """Become the owner of a name, once those who write under it are done, or have been for too long."""
        check_name(name)
        lock_out = _LOCK_OUT.format(key=_lock_key(self.address.schema, name))

        def write(connection: Connection) -> int:
            usual: Found | None = connection.execute("SHOW lock_timeout").fetchone()
            assert usual
            connection.execute(f"BEGIN; SET LOCAL lock_timeout = '{_CLAIM_PATIENCE_S}s'")
            try:
                connection.execute(lock_out)
            except LockNotAvailable:
                connection.rollback()
                self._end_holders(connection, [name], _CLAIM_PATIENCE_S)
                connection.execute(f"BEGIN; {lock_out}")
            else:
                connection.execute(f"SET LOCAL lock_timeout = '{usual[0]}'")
            if connection.execute(_TRIGGERS, [self.address.schema]).fetchone():
                raise kept_out(self.address.name, SHAPES[-1], declared_in(connection, self.address.schema))
            row: Found | None = connection.execute(_CLAIM, (name, fresh_epoch())).fetchone()
            assert row
            return int(row[0])

        return self._transact(write)

    def add_to_dossier(self, person: str, more: Dossier, fences: Mapping[str, int]) -> None:
        """Keep more about a person."""
        check_dossier(person, more)

        def write(connection: Connection) -> None:
            self._begin_fenced(connection, fences)
            connection.execute(_ADD_PERSON, (person, more.key))
            there = _dossier(connection, person)
            check_addition(person, there, more)
            if there is None or not there.key:
                connection.execute(_MEND_PERSON, (more.key, person))
            _add_rows(connection, person, more)

        self._transact(write, fences)

    def change_dossiers(self, changes: Iterable[DossierChange], fences: Mapping[str, int]) -> None:
        """Put other dossiers in the place of what is kept, or none."""
        changed = sorted(changes, key=lambda change: change.person)

        def write(connection: Connection) -> None:
            self._begin_fenced(connection, fences)
            for person, before, after in changed:
                check_before(person, _dossier(connection, person), before)
                connection.execute("DELETE FROM personal WHERE person = %s", (person,))
                connection.execute("DELETE FROM persons WHERE person = %s", (person,))
                if after is not None:
                    connection.execute(_ADD_PERSON, (person, after.key))
                    _add_rows(connection, person, after)

        self._transact(write, fences)

    def scrub(self) -> bool:
        """What the server keeps of rows that are gone is its own affair (docs/store.md)."""
        return True

    def _begin_fenced(self, connection: Connection, fences: Mapping[str, int]) -> None:
        """Begin a transaction that no claim of the fences' names can pass."""
        self._lock(connection, fences)
        found: list[Found] = connection.execute(_marked(_EPOCHS), (list(fences),)).fetchall()
        check_fences(fences, dict(found))

    def keep(self, stream: str, snapshot: Snapshot) -> None:
        """Keep a snapshot in place of the one before."""
        check_name(stream)

        def write(connection: Connection) -> None:
            connection.execute("BEGIN; SET LOCAL synchronous_commit = off")
            connection.execute(_KEEP, (stream, *snapshot))

        self._transact(write)

    def prune(self, ends: Mapping[str, int], entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        """Remove what lies beyond these ends, and append entries, while no other process has the database open."""
        rows = list(entries)
        check_names(rows)

        def write(connection: Connection) -> None:
            self._begin_fenced(connection, fences)
            if connection.execute(_OTHERS, (self._reader_pid(),)).fetchone():
                raise StoreLocked(f"{self.address.name}: another process has it open: nothing was changed")
            for stream, end in ends.items():
                connection.execute(_marked(f"DELETE FROM entries WHERE {_IS_BEYOND}"), (stream, end))  # noqa: S608
            there: list[Found] = connection.execute(_marked(_ENDS), (list(streams_of(rows)),)).fetchall()
            follow(rows, {stream: end or 0 for stream, end in there})
            if rows:
                connection.execute(_INSERT, (*columns(rows), [], [], len(rows)))

        self._ends.clear()
        self._transact(write)

    def _reader_pid(self) -> int:
        with self._read_lock:
            return 0 if self._reader.is_closed else self._reader.connection().info.backend_pid

    def faults(self) -> list[Fault]:
        """What is wrong with the tables and their indexes, at one moment."""
        with self._read_lock:
            if self._closed:
                raise StoreGone(f"{self.address.name}: is closed")
            connection = self._reader.connection()
            found: list[Fault] = []
            try:
                found.extend(faults(connection, self.address.schema))  # as far as it comes
            except psycopg.Error as error:
                self._reader.close()
                if isinstance(error, psycopg.OperationalError):
                    raise fault(self.address, error) from error
                found.append(Fault(str(error).splitlines()[0]))
            return found

    def close(self) -> None:
        """Close the connections, and cut off who still waits for an answer there; a second time does nothing."""
        self._closed = True
        with DEADLINES.within(_CLOSING_S, self._writer.cut):
            self._finish_sent()
        for lock, link in ((self._write_lock, self._writer), (self._read_lock, self._reader)):
            if lock.acquire(timeout=_CLOSING_S):
                try:
                    link.close()
                finally:
                    lock.release()
            else:
                link.cut()

    def _prepare(self, connection: Connection, migrations: Sequence[Migration], *, create: bool) -> None:
        """See that the tables are there and up to date."""
        version, expected = check(connection, self.address, migrations), len(migrations)
        if not version and (self._read_only or not create):
            raise BadStore(f"{self.address.name}: nothing is there: expected a store")
        if version < expected and self._read_only:
            later = "open it for writing to bring them up to date"
            raise NotAStore(f"{self.address.name}: has tables of version {version}: expected {expected}; {later}")
        if not self._read_only and 0 < version <= len(SHAPES):
            check_declared(self.address.name, SHAPES[version - 1], declared_in(connection, self.address.schema))
        if version < expected:
            migrate(connection, self.address, migrations)

    def _check_open(self) -> None:
        if self._closed or self._read_only:
            raise StoreGone(f"{self.address.name}: is {'closed' if self._closed else 'open for reading only'}")

    def _transact(self, work: Callable[[Connection], T], fences: Iterable[str] = ()) -> T:
        """Do the work in a transaction, and again if other writers were in the way."""
        self._finish_sent()
        with self._write_lock:
            self._check_open()
            tries = 0
            while True:
                tries += 1
                try:
                    return self._once(work)
                except (DeadlockDetected, SerializationFailure) as error:
                    if tries == _TRIES:
                        raise fault(self.address, error, ": nothing was written") from error
                except LockNotAvailable as error:
                    # A writer that stands still holds rows for ever; all writers hold the locks of their fences.
                    ended = tries == 1 and self._end_holders(self._writer.connection(), fences, _WRITE_PATIENCE_S)
                    if not ended:
                        raise fault(self.address, error, ": nothing was written") from error

    def _once(self, work: Callable[[Connection], T]) -> T:
        """Do the work in a transaction: committed at the end, or undone, with all that was known forgotten."""
        attempt = _Attempt(self._connected(self._writer), self._writer.session)
        with self._minding(attempt):
            done = work(attempt.connection)
            attempt.committing = True
            attempt.connection.commit()
        return done

    @contextmanager
    def _minding(self, attempt: _Attempt) -> Iterator[None]:
        """Undo a transaction that fails, and say whether it was written. If others were in the way, try again."""
        connection, deadline_s = attempt.connection, self.address.deadline_s
        try:
            with DEADLINES.within(deadline_s, self._writer.cut):
                yield
        except _IN_THE_WAY:
            self._undo(connection)
            raise
        except psycopg.Error as error:
            # The commit may have reached the server, and its answer been lost.
            unsure = attempt.committing and connection.closed
            late_s = deadline_s if self._writer.is_cut_off else 0
            if connection.closed and attempt.session is not None:
                with self._lost_lock:
                    self._lost.append(attempt.session)
            self._undo(connection)
            if unsure:
                told = fault(self.address, error, ": it is not known whether it was written", late_s=late_s)
                raise OutcomeUnknown(told.message) from error
            raise fault(self.address, error, ": nothing was written", late_s=late_s) from error
        except BaseException:
            self._undo(connection)
            raise

    def _connected(self, link: Link) -> Connection:
        """The connection of a link, at a server where no lost session of this store can commit anything any more.

        The last thing that a lost session was sent may be its commit, and reach the server late: whether it was made
        is known only once that session has ended.
        """
        connection = link.connection()
        if self._lost:
            with self._lost_lock:
                until = monotonic() + _ENDING_S
                try:
                    with DEADLINES.within(_ENDING_S, link.cut):
                        while self._lost:
                            if not connection.execute(_END_SESSION, self._lost[-1]).fetchone():
                                self._lost.pop()
                            elif monotonic() > until:
                                raise StoreGone(f"{self.address.name}: an earlier session does not end")
                            else:
                                sleep(_GLANCE_S)
                except psycopg.Error as error:
                    told = fault(self.address, error, late_s=_ENDING_S if link.is_cut_off else 0)
                    link.close()
                    raise told from error
        return connection

    def _end_holders(self, connection: Connection, names: Iterable[str], seconds: int) -> bool:
        """End the sessions that have held locks of these names for so long; whether there were any."""
        keys = [_lock_key(self.address.schema, name) for name in names]
        try:
            with DEADLINES.within(self.address.deadline_s, self._writer.cut):
                return bool(connection.execute(_END_HOLDERS, (keys, seconds)).fetchall())
        except psycopg.Error as error:
            told = fault(self.address, error, ": nothing was written")
            self._undo(connection)
            raise told from error

    def _undo(self, connection: Connection) -> None:
        """Roll back, and forget what was known."""
        self._ends.clear()
        try:
            with DEADLINES.within(self.address.deadline_s, self._writer.cut):
                connection.rollback()
        except psycopg.Error:
            self._writer.close()

    def _follow(self, entries: Sequence[Row], moved: dict[str, int]) -> None:
        """Move the ends of the streams; what is not known here is looked up, unless it seems to be a new stream."""
        try:
            after = follow(entries, self._ends)
        except StaleVersion:
            self._ends.update(self._stored_ends(streams_of(entries) - moved.keys()))
            after = follow(entries, self._ends)
        moved.update(after)
        self._ends.update(after)

    def _stored_ends(self, streams: Iterable[str]) -> dict[str, int]:
        """Where the streams end, as the database has it."""
        return {stream: end or 0 for stream, end in self._rows(_ENDS, list(streams))}

    def _rows(self, query: str, *parameters: str | int | bytes | list[str]) -> list[Found]:
        """The rows of a query; a connection that was lost since the last one is opened anew."""
        with self._read_lock:
            if self._closed:
                raise StoreGone(f"{self.address.name}: is closed")
            deadline_s = self.address.deadline_s
            while True:
                fresh = self._reader.is_closed
                connection = self._connected(self._reader)
                try:
                    with DEADLINES.within(deadline_s, self._reader.cut):
                        return connection.execute(_marked(query), parameters, binary=True).fetchall()
                except (UnicodeEncodeError, psycopg.DataError):
                    return []  # what PostgreSQL cannot take for text is in no name
                except psycopg.Error as error:
                    lost, late = connection.closed, self._reader.is_cut_off
                    if lost:
                        self._reader.close()
                    if fresh or late or not lost:
                        raise fault(self.address, error, late_s=deadline_s if late else 0) from error

    def _places_beyond(self, stream: str, end: int) -> list[int]:
        return [version for (version,) in self._rows(_PLACES_BEYOND, stream, end)]

    def _rows_at(self, stream: str, places: list[int]) -> list[Found]:
        return self._rows(_AT, stream, [*map(str, places)])

    def _lock(self, connection: Connection, fences: Iterable[str]) -> None:
        """Begin a transaction that no claim of these names can pass."""
        connection.execute("BEGIN")
        keys = sorted(_lock_key(self.address.schema, name) for name in fences)
        connection.execute(_LOCKS, (keys,), prepare=True)


def _flush(connection: Connection) -> None:
    """Hand all that was sent to the system, which takes only so much at a time."""
    room = select.poll()
    room.register(connection.fileno(), select.POLLOUT)
    while connection.pgconn.flush():
        room.poll()


def _dossier(connection: Connection, person: str) -> Dossier | None:
    """What is kept about a person, which nobody else changes before this transaction has ended."""
    connection.execute(_HOLD_PERSON, (person,))
    found: list[Found] = connection.execute(_marked(DOSSIER), (person, person), binary=True).fetchall()
    return dossier_of(found)


def _add_rows(connection: Connection, person: str, dossier: Dossier) -> None:
    for ref, sealed in dossier.rows.items():
        connection.execute(_ADD_PERSONAL, (person, ref, sealed))


@contextmanager
def _closed_on_failure(pipeline: ExitStack) -> Iterator[None]:
    """Leave a pipeline where something fails in it."""
    try:
        yield
    except BaseException:
        with suppress(psycopg.Error):
            pipeline.close()
        raise


@cache
def _marked(query: str) -> str:
    """The query with PostgreSQL's marks for parameters."""
    return query.replace("?", "%s")


@lru_cache(maxsize=4096)
def _lock_key(schema: str, name: str) -> int:
    """The number that stands for a name of a schema in PostgreSQL's advisory locks, which a whole database shares."""
    return int.from_bytes(sha256(f"{schema} {name}".encode()).digest()[:8], signed=True)
