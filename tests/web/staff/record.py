"""What the floor has written down, read beside it: a table's events, what patrons have, and an audit of it all."""

from pathlib import Path
from typing import Any

import msgspec

from punto.floor import Floor, Keys
from punto.floor.handler import TABLE
from punto.ledger import wallet
from punto.record import Report, audit
from punto.store import Store, open_store
from punto.table import Table
from punto.table.log import Logged, fold, read


class Record:
    """A store that somebody else writes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._store: Store = open_store(f"sqlite:{folder / 'floor.db'}", read_only=True)

    def version(self, table: str) -> int:
        """How long a table's log is."""
        tip = self._store.tip(TABLE + table)
        return tip.version if tip else 0

    def logged(self, table: str, after: int = 0) -> list[Logged]:
        """What was written, with who did it."""
        return [read(entry.body) for entry in self._store.read(TABLE + table, after)]

    def events(self, table: str, after: int = 0) -> list[dict[str, Any]]:
        """What happened at a table, as plain values."""
        return [msgspec.to_builtins(each.event) for each in self.logged(table, after)]

    def table(self, key: str) -> Table:
        """The table as its log makes it."""
        return fold((entry.body for entry in self._store.read(TABLE + key)), Table())

    def credits(self, patron: str) -> int:
        """What a patron has, in cents."""
        return Floor(self._store, Keys.at(self._folder / "floor.key")).balance(wallet(patron))

    def judged(self) -> Report:
        """The judgement of an audit over everything."""
        return audit(self._store)

    def close(self) -> None:
        self._store.close()
