"""The event store: its contract, and its three kinds, in memory, in an SQLite file and in a PostgreSQL database.

A store holds streams of entries and knows nothing of what they mean. `open_store` opens the one that an address names.
"""

import re
from pathlib import Path
from typing import Final

from punto.errors import BadStore, quoted
from punto.store.chain import genesis, link, start, verified
from punto.store.contract import Entry, Hash, Snapshot, Store, Tip
from punto.store.memory import MemoryStore
from punto.store.sqlite import SqliteStore

__all__ = [
    "Entry",
    "Hash",
    "MemoryStore",
    "Snapshot",
    "SqliteStore",
    "Store",
    "Tip",
    "genesis",
    "is_unchecked",
    "link",
    "open_store",
    "start",
    "verified",
]

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")


def is_unchecked(url: str) -> bool:
    """Whether a store is a PostgreSQL on another machine that could be anybody: its certificate is not looked at.

    >>> is_unchecked("sqlite:floor.db"), is_unchecked("postgresql://floor@db.example/pit?sslmode=verify-full")
    (False, False)
    """
    if not url.startswith(("postgresql:", "postgres:")):
        return False
    from punto.store import database  # noqa: PLC0415 (as above)

    return database.is_unchecked(url)


def open_store(url: str, *, read_only: bool = False, create: bool = True) -> Store:
    """The store at `memory:`, `sqlite:PATH`, a plain path, or `postgresql://USER@HOST/DATABASE?schema=NAME`.

    A store that is not there is made, unless it is to be read only, or *create* says no.

    >>> store = open_store("memory:")
    >>> store.append([Entry("table/1", 1, "c1", b"{}", link(genesis("table/1"), "table/1", 1, "c1", b"{}"))], {})
    >>> store.tip("table/1").version
    1
    """
    scheme = _SCHEME.match(url) if url.isprintable() else None
    match scheme[1] if scheme else "", url[scheme.end() :] if scheme else url:
        case "memory", "":
            return MemoryStore()
        case "postgresql" | "postgres", rest if rest.startswith("//"):
            # Imported late: a floor on one machine never needs it.
            from punto.store.postgres import PostgresStore  # noqa: PLC0415

            return PostgresStore(url, read_only=read_only, create=create)
        case "" | "sqlite", path if path and path.isprintable() and not path.startswith("//"):
            return SqliteStore(Path(path), read_only=read_only, create=create)
        case _:
            told = quoted(url.rpartition("@")[2], 60)  # what comes before may be a password
            raise BadStore(f"{told} names no store: expected memory:, sqlite:PATH, a path or postgresql://…")
