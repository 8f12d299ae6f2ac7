"""Faults that are planted on purpose, to see that the torture finds them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from punto.floor.handler import Floor
from punto.store import SqliteStore
from punto.store.contract import Row
from punto.table import Table


class HastyStore(SqliteStore):
    """Answers before it commits: each batch is written when the next one comes."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._held: tuple[Sequence[Row], Mapping[str, int]] = ((), {})

    def append(self, entries: Sequence[Row], fences: Mapping[str, int]) -> None:
        super().append(*self._held)
        self._held = (list(entries), fences)


class TornStore(SqliteStore):
    """Writes a batch in two transactions: the tables' logs, then money and heads."""

    def append(self, entries: Sequence[Row], fences: Mapping[str, int]) -> None:
        logs = [entry for entry in entries if entry[0].startswith("table/")]
        super().append(logs, fences)
        super().append([entry for entry in entries if entry not in logs], {})


class ForgetfulFloor(Floor):
    """Now and then leaves a row of a wallet unwritten."""

    _rows = 0

    def _write(self, stream: str, body: bytes, command: str | None = None) -> None:
        self._rows += stream.startswith("wallet/")
        if not stream.startswith("wallet/") or self._rows % 50:
            super()._write(stream, body, command)


class MisdealingFloor(Floor):
    """After a restart, goes on one card too far in a virtual shoe."""

    def _next_card(self, key: str, table: Table) -> str | None:
        if table.shoe.drawn and key not in self._orders:
            card = super()._next_card(key, table)
            number, order = self._orders[key]
            self._orders[key] = number, (*order[1:], order[0])
            return card
        return super()._next_card(key, table)


STORES: Final[Mapping[str, type[SqliteStore]]] = {"hasty": HastyStore, "torn": TornStore}
FLOORS: Final[Mapping[str, type[Floor]]] = {"forgetful": ForgetfulFloor, "misdealing": MisdealingFloor}
