"""Stores that a person names on the command line, and the floor's key that belongs to one."""

import os
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from punto.errors import BadUsage
from punto.floor.keyfiles import Kind, read_key_file
from punto.floor.keys import Keys, signer_in
from punto.proof.oldheads import OLD_HEADS
from punto.proof.writers import HEADS
from punto.store import MemoryStore, SqliteStore, Store, open_store

if TYPE_CHECKING:
    from punto.server.config import FloorConfig

KEY_VARIABLE = "PUNTO_KEY"
_FLOOR = "floor.toml"


class NamedStore(NamedTuple):
    """A store as a person has named it: by its address, or by its floor, which also says where the key is."""

    name: str
    url: str
    floor: "FloorConfig | None" = None


def store_named(name: str) -> NamedStore:
    """The store with that address, or the one of the floor with that file or folder."""
    if not name.lower().endswith(".toml") and not Path(name).is_dir():
        return NamedStore(name, name)
    from punto.cli.floors import floor_named  # only some commands need the server

    floor = floor_named(name)
    path = floor.store.removeprefix("sqlite:")
    return NamedStore(name, shown(Path(path)) if path != floor.store else floor.store, floor)


@contextmanager
def reading(name: str) -> Iterator[Store]:
    """A store that is only read, as it lies: a command that shows any of it takes `showing` in its place.

    A floor's file or folder names it as well.
    """
    store = open_store(store_named(name).url, read_only=True, create=False)
    try:
        yield store
    finally:
        store.close()


def name_of(store: Store, url: str) -> str:
    """The store as it may be named on a screen: a password is nobody's business."""
    address = getattr(store, "address", None)
    return str(address.name) if address else url


def keys_of(store: Store, named: NamedStore, key: str | None) -> Keys:
    """The keys of a store's floor: from the key file, or from where the floor's file says."""
    is_named = bool(key) or KEY_VARIABLE in os.environ
    if named.floor is not None and not is_named:
        return Keys.open(named.floor.key_source, named.floor.signer)
    path = key_file(store, key)
    if not is_named and not path.exists():
        raise BadUsage(
            f"{named.url}: its key is not beside it: name the floor's file in place of the store, or the key with --key"
        )
    return Keys.at(path, create=False)


def key_file(store: Store, key: str | None, *, ask_floor: bool = True) -> Path:
    """Where the key of a store's floor is: as named, in PUNTO_KEY, beside an SQLite file, or as the floor's file says.

    Where there is none yet, it is the place beside the store.
    """
    if key or KEY_VARIABLE in os.environ:
        return Path(key or os.environ[KEY_VARIABLE])
    if not isinstance(store, SqliteStore):
        raise BadUsage(f"the floor's key is not with this store: name it with --key or {KEY_VARIABLE}")
    path = store.path
    beside = path.with_name(path.name + ".key")
    # A demonstration has its key under the other name.
    places = [beside, path.with_suffix(".key"), *(_key_of_floor(path) if ask_floor else ())]
    return next((each for each in places if each.exists()), beside)


class PublicKey(NamedTuple):
    """The floor's public key, if it is known, and where it was taken from."""

    public: str | None
    source: str
    how: str = "in"


def public_key(store: Store, named: NamedStore, key: str | None, *, ask_floor: bool = True) -> PublicKey:
    """The floor's public key: of its key file, or from where the floor's file says; none where there is no file."""
    if named.floor is not None and not key:
        return PublicKey(keys_of(store, named, key).public, named.name, "of")
    try:
        path = key_file(store, key, ask_floor=ask_floor)
    except BadUsage:
        path = Path()
    if path.is_file():
        return PublicKey(signer_in(read_key_file(path, Kind.WHOLE, Kind.SIGNING)).public, shown(path))
    if key:
        raise BadUsage(f"--key: {key}: no such file")
    return PublicKey(None, "")


def _key_of_floor(store: Path) -> Iterator[Path]:
    """The key file that the floor's file beside a store names, if it is that store's floor and signs for itself."""
    file = store.with_name(_FLOOR)
    try:
        told = tomllib.loads(file.read_text(encoding="utf-8"))
        ours = (file.parent / str(told.get("store", "")).removeprefix("sqlite:")).resolve() == store.resolve()
        if ours and "signer" not in told and isinstance(told.get("key-file"), str):
            yield Path(os.path.normpath(file.parent / told["key-file"]))
    except (OSError, ValueError, RecursionError):
        return


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
