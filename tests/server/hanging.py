"""A floor whose disk stands still while a file named `frozen` lies in its folder: a commit does not come back.

No file system is frozen for that. The store waits in place of the disk, on the writing thread, where no signal and no
exception reaches it.
"""

import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from punto.cli import main
from punto.store import sqlite
from punto.store.contract import Row

_append = sqlite.SqliteStore.append


def _hang(self: sqlite.SqliteStore, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
    with self._write_lock:  # as a commit holds it
        while (self.path.parent / "frozen").exists():
            time.sleep(0.05)
    _append(self, entries, fences)


if __name__ == "__main__":
    sqlite.SqliteStore.append = _hang  # type: ignore[method-assign]
    sys.argv = ["punto", "serve", str(Path("floor.toml"))]
    main()
