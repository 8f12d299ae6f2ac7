"""Seats: where a patron sits at a table."""

from collections.abc import Mapping

from punto.errors import NotSeated, TableIsFull
from punto.table import Table


def seat_for(table: Table, seats: Mapping[int, str], patron: str, wanted: int) -> int:
    """A position for a patron: where wagers of the patron's lie, else the one asked for, else the next that is free."""
    setup = table.setup
    if setup is None:
        raise NotSeated("the table is closed")
    lying: list[int] = [each.position for at in table.seats.values() for each in at if each.patron == patron]
    held = [position for position, name in seats.items() if name == patron]
    asked: list[int] = [*lying, wanted, *held, *range(1, setup.positions + 1)]
    for position in asked:
        if 1 <= position <= setup.positions and _is_free(table, seats, position, patron):
            return position
    raise TableIsFull(f"all {setup.positions} places of the table are taken")


def _is_free(table: Table, seats: Mapping[int, str], position: int, patron: str) -> bool:
    if seats.get(position, patron) != patron:
        return False
    return all(placed.patron == patron for placed in table.seats.get(position, ()))
