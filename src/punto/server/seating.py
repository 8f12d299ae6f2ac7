"""Seats: where a patron sits at a table, and where a Dealer deals."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from punto.errors import NotAllowed, NotSeated, TableIsFull
from punto.rules import Position
from punto.table import Actor, Table

if TYPE_CHECKING:
    from punto.server.hosted import Hosted


def has_table(by: Actor, hosted: "Hosted") -> bool:
    """Whether somebody may act at a table: a Dealer only where the Dealer has taken it, others anywhere."""
    return by.position is not Position.DEALER or hosted.dealer_name == by.name


def check_own_table(by: Actor, hosted: "Hosted") -> None:
    """Refuse a Dealer who has not taken the table."""
    if not has_table(by, hosted):
        raise NotAllowed(f"{by.name} has not taken table {hosted.key}: a Dealer acts only at the table that is taken")


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
