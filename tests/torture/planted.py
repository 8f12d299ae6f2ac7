"""Faults that are planted on purpose, to see that the torture finds them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final
from unittest.mock import patch

from punto.floor.shuffle import Opened, as_dealt
from punto.ledger import Holding, Posting, postings
from punto.store import SqliteStore
from punto.store.contract import Row
from punto.table import AnyEvent, Table


class HastyStore(SqliteStore):
    """Answers before it commits: each batch is written when the next one comes."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._held: tuple[Sequence[Row], Mapping[str, int]] = ((), {})

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        super().append(*self._held)
        self._held = (list(entries), fences)

    def claim(self, name: str) -> int:
        self.append((), {})
        return super().claim(name)


class TornStore(SqliteStore):
    """Writes a batch in two transactions: the tables' logs, then money and heads."""

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        entries = list(entries)
        logs = [entry for entry in entries if entry[0].startswith("table/")]
        super().append(logs, fences)
        super().append([entry for entry in entries if entry not in logs], {})


def forgetful(table: str, events: Sequence[AnyEvent], balance: Callable[[str], Holding]) -> list[Posting]:
    """Postings, of which some are left out."""
    return [posting for posting in postings(table, events, balance) if posting.cents != 500]


def misdealing(opened: Opened, table: Table) -> tuple[str, ...]:
    """The order of a shoe, which after a restart goes on one card too far."""
    order = as_dealt(opened, table)
    return (*order[1:], order[0]) if table.shoe.drawn else order


STORES: Final[Mapping[str, type[SqliteStore]]] = {"hasty": HastyStore, "torn": TornStore}
_IN_PLACE_OF: Final = {
    "forgetful": ("punto.floor.handler.postings", forgetful),
    "misdealing": ("punto.floor.virtual.as_dealt", misdealing),
}


def plant(fault: str) -> type[SqliteStore] | None:
    """Put a fault in its place for the rest of the process; the store to use, where it is that which is at fault."""
    if fault in _IN_PLACE_OF:
        patch(*_IN_PLACE_OF[fault]).start()
    return STORES.get(fault)
