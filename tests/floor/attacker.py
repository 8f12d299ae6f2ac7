"""Somebody who can write to the database, has read all of Punto's source, and holds no key."""

import json
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import contextmanager, suppress
from typing import Any

import psycopg

from punto.floor.keys import Keys
from punto.proof.headlog import CHECKPOINTS
from punto.proof.heads import Move, head_row, joining_rows
from punto.proof.writers import HEADS, fresh_writer
from punto.store.chain import genesis, link, start
from punto.store.contract import Entry, Tip
from punto.store.database import parse

MALLORY = Keys.from_secret(b"mallory's own")
_COLUMNS = "stream, version, command, body, hash"


class Attacker:
    """Writes to the tables of a store, past the store."""

    def __init__(self, url: str) -> None:
        self._url = url

    @contextmanager
    def _connected(self) -> Any:  # noqa: ANN401
        if self._url.startswith("postgresql"):
            address = parse(self._url)
            with psycopg.connect(address.conninfo) as server:
                server.execute(f'SET search_path = "{address.schema}"')
                yield server
        else:
            connection = sqlite3.connect(self._url.removeprefix("sqlite:"), timeout=10)
            try:
                yield connection
                connection.commit()
            finally:
                connection.close()

    def run(self, query: str, *values: object) -> list[Any]:
        """Run a statement; `?` marks a value."""
        marked = query.replace("?", "%s") if self._url.startswith("postgresql") else query
        with self._connected() as connection:
            found = connection.execute(marked, values)
            try:
                return list(found.fetchall())
            except psycopg.ProgrammingError:  # nothing to fetch
                return []

    # Reading

    def entries(self, stream: str) -> list[Entry]:
        """A stream as it is stored."""
        rows = self.run(f"SELECT {_COLUMNS} FROM entries WHERE stream = ? ORDER BY version", stream)  # noqa: S608
        return [Entry(row[0], row[1], row[2], bytes(row[3]), bytes(row[4])) for row in rows]

    def heads(self) -> str:
        """The floor's stream of heads with the most entries."""
        query = (
            "SELECT stream FROM entries WHERE substr(stream, 1, 6) = 'heads/' GROUP BY stream ORDER BY count(*) DESC"
        )
        return str(self.run(query)[0][0])

    def all(self) -> list[Any]:
        """Everything that is stored, to be put back later."""
        return self.run(f"SELECT {_COLUMNS} FROM entries")  # noqa: S608

    # Writing

    def insert(self, entry: Entry) -> None:
        """Write an entry as it is."""
        self.run(f"INSERT INTO entries ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)", *entry)  # noqa: S608

    def append(self, stream: str, body: dict[str, Any] | bytes, command: str | None = None) -> Entry:
        """Write an entry after the last one, chained as it should be."""
        there = self.entries(stream)
        version, before = (there[-1].version, there[-1].hash) if there else (0, genesis(stream))
        raw = body if isinstance(body, bytes) else json.dumps(body, separators=(",", ":")).encode()
        entry = Entry(stream, version + 1, command, raw, link(before, stream, version + 1, command, raw))
        self.insert(entry)
        return entry

    def edit(self, stream: str, version: int, change: Callable[[dict[str, Any]], object], *, chain: bool) -> None:
        """Change what an entry says, and chain it and all after it anew if wanted."""
        entry = self.entries(stream)[version - 1]
        body = json.loads(entry.body)
        change(body)
        self.run(
            "UPDATE entries SET body = ? WHERE stream = ? AND version = ?",
            json.dumps(body, separators=(",", ":")).encode(),
            stream,
            version,
        )
        if chain:
            self.chain(stream)

    def chain(self, stream: str) -> None:
        """Chain a whole stream anew."""
        before = genesis(stream)
        for entry in self.entries(stream):
            before = link(before, stream, entry.version, entry.command, entry.body)
            self.run("UPDATE entries SET hash = ? WHERE stream = ? AND version = ?", before, stream, entry.version)

    def cut(self, stream: str, left: int) -> None:
        """Leave only so many entries."""
        self.run("DELETE FROM entries WHERE stream = ? AND version > ?", stream, left)

    def put_back(self, rows: Iterable[Any]) -> None:
        """Bring the store back to an earlier state."""
        self.run("DELETE FROM entries")
        for row in rows:
            self.insert(Entry(row[0], row[1], row[2], bytes(row[3]), bytes(row[4])))
        with suppress(sqlite3.Error, psycopg.Error):
            self.run("DELETE FROM snapshots")

    def sign(self, streams: Iterable[str], keys: Keys = MALLORY) -> None:
        """Sign streams with a key of one's own, as a writer that one has certified oneself."""
        writer = fresh_writer(keys.signing, 1)
        moves = {name: Move(start(name), _tip(self.entries(name))) for name in streams if self.entries(name)}
        checkpoints = self.entries(CHECKPOINTS)
        joining = joining_rows(writer, 1, _tip(checkpoints) if checkpoints else start(CHECKPOINTS))
        for row in (*joining, head_row(writer, Tip(joining[1][1], joining[1][4]), 1, moves)):
            self.insert(Entry._make(row))

    def resign(self) -> None:
        """Sign the whole store with a key of one's own, and remove all signatures of the floor's."""
        self.run("DELETE FROM entries WHERE substr(stream, 1, 6) = 'heads/'")
        names = [row[0] for row in self.run("SELECT DISTINCT stream FROM entries")]
        self.sign(name for name in names if not name.startswith(HEADS))


def _tip(entries: list[Entry]) -> Tip:
    return Tip(entries[-1].version, entries[-1].hash)
