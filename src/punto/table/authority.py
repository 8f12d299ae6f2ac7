"""What a position can never do, at whatever table: read off the rulebooks, before anything else is looked at."""

from functools import lru_cache
from itertools import permutations
from typing import Final

from punto.games import RULEBOOKS
from punto.rules import HIGHER_RANKS, RANKS, Duty, Position
from punto.table.actor import may
from punto.table.commands import Command, OpenTable, PatronCommand

# The order by which tables are opened, and every order that an open table may have: the Dealer is always the lowest.
_TO_OPEN: Final = ((*RANKS, *HIGHER_RANKS),)
_ORDERS: Final = tuple((RANKS[0], *rest, *HIGHER_RANKS) for rest in permutations(RANKS[1:]))


@lru_cache(maxsize=1024)
def can_ever_give(position: Position, kind: type[Command]) -> bool:
    """Whether there is a table at which the position may give such a command.

    >>> from punto.table import commands as do
    >>> can_ever_give(Position.PATRON, do.CutShoe), can_ever_give(Position.PATRON, do.OpenTable)
    (True, False)
    """
    if kind.duty is None or (position is Position.PATRON and issubclass(kind, PatronCommand)):
        return True
    return can_ever_hold(position, kind.duty, to_open=kind is OpenTable)


@lru_cache(maxsize=1024)
def can_ever_hold(position: Position, duty: Duty, *, to_open: bool = False) -> bool:
    """Whether there is a rulebook, and a table with such ranks, by which the position carries the duty.

    While a table is being opened, the ranks that it will have do not count yet.
    """
    orders = _TO_OPEN if to_open else _ORDERS
    charges = [book.conduct.duties[duty] for book in RULEBOOKS.values() if duty in book.conduct.duties]
    return any(may(charge, ranks, position) for charge in charges for ranks in orders)
