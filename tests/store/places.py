"""Where a store of each kind can be, for tests that try them all."""

import uuid
from collections.abc import Callable
from pathlib import Path

import psycopg

from punto.store import Entry, MemoryStore, Store, Tip, link, open_store, start
from punto.store.database import parse


class Place:
    """A place that holds a store: opened any number of times, and fresh when it is wanted so."""

    def __init__(self, kind: str, fresh_url: Callable[[], str]) -> None:
        self.kind = kind
        self._fresh_url = fresh_url
        self._opened: list[Store] = []
        self.url = ""
        self.urls: list[str] = []
        self.fresh()

    def fresh(self) -> None:
        """Go to a new place, where nothing is yet; a schema is emptied, which takes less time than to make one."""
        if self.kind == "postgres" and self._opened:
            self.close()
            empty_schema(self.url)
            return
        self.close()
        self.url = self._fresh_url()
        self.urls.append(self.url)
        self._memory = MemoryStore()

    def open(self) -> Store:
        """The store that is there; what is in memory cannot be opened twice."""
        store = self._memory if self.kind == "memory" else open_store(self.url)
        self._opened.append(store)
        return store

    def close(self) -> None:
        """Close whatever was opened."""
        for store in self._opened:
            store.close()
        self._opened.clear()


def files_in(folder: Path) -> Callable[[], str]:
    """Addresses of files that are not there yet."""
    return lambda: f"sqlite:{folder / uuid.uuid4().hex}.db"


def schemas_in(url: str) -> Callable[[], str]:
    """Addresses of schemas that are not there yet."""
    return lambda: f"{url}{'&' if '?' in url else '?'}schema=t{uuid.uuid4().hex}"


def empty_schema(url: str) -> None:
    """Remove all that a store has written to its tables."""
    address = parse(url)
    tables = ", ".join(
        f"{address.schema}.{table}" for table in ("entries", "epochs", "snapshots", "persons", "personal")
    )
    with psycopg.connect(address.conninfo, autocommit=True) as connection:
        connection.execute(f"TRUNCATE {tables}")


def drop_schemas(url: str, urls: list[str]) -> None:
    """Remove what a test has left in a database."""
    with psycopg.connect(url, autocommit=True) as connection:
        for made in urls:
            connection.execute(f"DROP SCHEMA IF EXISTS {made.partition('schema=')[2]} CASCADE")


def written(stream: str, *bodies: bytes, since: Tip | None = None, command: str | None = None) -> list[Entry]:
    """The entries that one command writes to a stream."""
    version, head = since or start(stream)
    entries = []
    for body in bodies:
        version, head = version + 1, link(head, stream, version + 1, command, body)
        entries.append(Entry(stream, version, command, body, head))
        command = None
    return entries


def tip_of(entries: list[Entry]) -> Tip:
    """Where entries end."""
    return Tip(entries[-1].version, entries[-1].hash)
