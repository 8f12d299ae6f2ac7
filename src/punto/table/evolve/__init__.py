"""From one state of a table to the next: what an event changes. Nothing is judged here, and nothing refused."""

from typing import Final

from msgspec.structs import replace

from punto.table import events as on
from punto.table.evolve import custody, irregularities, rounds, rulings, shoes
from punto.table.evolve.changes import Changes
from punto.table.state import Table

__all__ = ["evolve"]


def evolve(table: Table, event: on.AnyEvent) -> Table:
    """The table after the event."""
    return _CHANGES[type(event)](table, event)


def _unchanged(table: Table, _: on.AnyEvent) -> Table:
    return table


def _withheld(table: Table, event: on.CreditsWithheld) -> Table:
    return replace(table, withheld=table.withheld | {event.patron: table.withheld.get(event.patron, 0) + event.cents})


def _released(table: Table, event: on.CreditsReleased) -> Table:
    return replace(table, withheld={name: cents for name, cents in table.withheld.items() if name != event.patron})


# Money moves in the ledger; what comes too late moves nothing.
_UNCHANGED: Final = (on.LateWager, on.LateWithdrawal, on.CreditsBought, on.CreditsCashedOut, on.CreditsCorrected)

_CHANGES: Final[Changes] = {
    **shoes.CHANGES,
    **rounds.CHANGES,
    **custody.CHANGES,
    **irregularities.CHANGES,
    **rulings.CHANGES,
    on.CreditsWithheld: _withheld,
    on.CreditsReleased: _released,
    **dict.fromkeys(_UNCHANGED, _unchanged),
}
