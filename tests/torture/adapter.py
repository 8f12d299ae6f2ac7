"""APSW in the shape of Python's own sqlite3 module, as far as the store uses it."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import apsw

from punto.store import file
from tests.torture.vfs import Note, RecordingVFS

_VFS = "punto-torture"
_ERRORS: dict[type[apsw.Error], type[sqlite3.Error]] = {apsw.ConstraintError: sqlite3.IntegrityError}


class Rows:
    """The rows of a statement, all read at once, and how many rows it has changed."""

    def __init__(self, rows: list[Any], rowcount: int) -> None:
        self._rows = rows
        self.rowcount = rowcount

    def fetchone(self) -> Any:  # noqa: ANN401
        """The next row, if there is one."""
        return self._rows.pop(0) if self._rows else None

    def fetchall(self) -> list[Any]:
        """All rows."""
        return self._rows

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows)


class Connection:
    """An APSW connection that is used like one of sqlite3's."""

    def __init__(self, path: Path, busy_ms: int) -> None:
        self._apsw = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=_VFS)
        self._apsw.set_busy_timeout(busy_ms)

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._apsw.in_transaction

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> Rows:
        """Run a statement to its end."""
        with _as_sqlite3():
            before = self._apsw.total_changes()
            found = self._apsw.execute(statement, tuple(parameters)).fetchall()
            return Rows(found, self._apsw.total_changes() - before)

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]]) -> Rows:
        """Run a statement for every row."""
        with _as_sqlite3():
            before = self._apsw.total_changes()
            found = self._apsw.executemany(statement, [tuple(row) for row in rows]).fetchall()
            return Rows(found, self._apsw.total_changes() - before)

    def close(self) -> None:
        """Close the file."""
        self._apsw.close()


@contextmanager
def _as_sqlite3() -> Iterator[None]:
    try:
        yield
    except apsw.Error as error:
        raise _ERRORS.get(type(error), sqlite3.OperationalError)(str(error)) from error


@contextmanager
def recorded(note: Note) -> Iterator[None]:
    """Stores that are opened meanwhile note every change to the disk."""
    vfs = RecordingVFS(_VFS, note)

    def connect(path: Path, query: str, busy_ms: int) -> Connection:
        assert query == file.Mode.WRITE.value, "a store that plays is opened for writing"
        return Connection(path, busy_ms)

    try:
        with patch.object(file, "connect", connect):
            yield
    finally:
        vfs.unregister()
