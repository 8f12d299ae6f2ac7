"""Stores that a person names on the command line, and the floor's key that belongs to one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from punto.errors import BadUsage
from punto.proof.oldheads import OLD_HEADS
from punto.proof.writers import HEADS
from punto.store import MemoryStore, SqliteStore, Store, open_store

KEY_VARIABLE = "PUNTO_KEY"


@contextmanager
def reading(url: str) -> Iterator[Store]:
    """A store that is only read."""
    store = open_store(url, read_only=True, create=False)
    try:
        yield store
    finally:
        store.close()


def name_of(store: Store, url: str) -> str:
    """The store as it may be named on a screen: a password is nobody's business."""
    address = getattr(store, "address", None)
    return str(address.name) if address else url


def key_file(store: Store, named: str | None) -> Path:
    """Where the key of a store's floor is: as named, in PUNTO_KEY, or beside an SQLite file."""
    if named or KEY_VARIABLE in os.environ:
        return Path(named or os.environ[KEY_VARIABLE])
    if isinstance(store, SqliteStore):
        return store.path.with_name(store.path.name + ".key")
    raise BadUsage(f"the floor's key is not with this store: name it with --key or {KEY_VARIABLE}")


def shown(path: Path) -> str:
    """A path as a person would type it here."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_absolute() and path.is_relative_to(here) else path)


def is_kept(store: Store) -> bool:
    """Whether the store outlives the command."""
    return not isinstance(store, MemoryStore)


def is_empty(store: Store) -> bool:
    """Whether nothing was ever written to the store, so that a key may be made for it."""
    return store.tip(OLD_HEADS) is None and next(store.streams(HEADS), None) is None
