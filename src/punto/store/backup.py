"""A copy of an SQLite store, taken while a floor writes to it.

The copy is made inside one read transaction, so it is the store at one moment, and it takes about as long as reading
the file once. SQLite's online backup begins anew at every commit, and on a busy floor it never ends.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from punto.errors import NotAStore, UnwritableFile
from punto.store.file import MIGRATIONS, Mode, check_file, check_header, check_tables, connect, fault

_BUSY_MS: Final = 10_000


def back_up(store: Path, copy: Path) -> int:
    """Copy a store to a file that is not there yet; its size in bytes. The copy appears whole or not at all."""
    check_file(store)
    if copy.exists():
        raise UnwritableFile(f"{copy}: already exists: expected a path where nothing is yet")
    try:
        folder = Path(mkdtemp(prefix=f".{copy.name}.", dir=copy.parent))
    except OSError as error:
        raise UnwritableFile(f"{copy.parent}: a copy cannot be made there: {error.strerror}") from None
    made = folder / copy.name
    try:
        with closing(connect(store, Mode.READ.value, _BUSY_MS)) as connection:
            check_header(store, connection, MIGRATIONS)
            connection.execute("VACUUM INTO ?", (str(made),))
        made.chmod(0o600)  # as the store itself
        _check(made)
        with made.open("rb") as file:
            os.fsync(file.fileno())
        copy.hardlink_to(made)  # unlike a rename it never replaces
        return copy.stat().st_size
    except sqlite3.Error as error:
        raise fault(store, error) from error
    except OSError as error:
        raise UnwritableFile(f"{copy}: {error.strerror}: no copy was made") from None
    finally:
        made.unlink(missing_ok=True)
        folder.rmdir()


def _check(path: Path) -> None:
    """Refuse a copy that SQLite itself finds damaged."""
    with closing(connect(path, Mode.READ.value, _BUSY_MS)) as connection:
        check_tables(path, connection)
        (said,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if said != "ok":
        raise NotAStore(f"the store is damaged, and so would its copy be: {said}")
