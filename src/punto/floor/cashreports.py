"""Reports of cash: what patrons paid in and were paid in cash within a gaming day, worked out of the record.

Nothing is kept of sums: they follow from the tables' logs, over all tables and floors of a store, however often the
floor was stopped meanwhile. Single acts do not matter: many small ones come to the same sum.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from enum import Enum
from typing import Final, NamedTuple

from msgspec import Struct

from punto.floor.history import History
from punto.ledger import WALLET
from punto.ledger.book import read as read_booked
from punto.ledger.periods import begins_ms, period_of
from punto.record.entries import entries_of
from punto.record.rounds import TABLE, tables_of
from punto.rules import Position
from punto.rules.money import Cents
from punto.store import Store
from punto.table import Actor
from punto.table import events as on
from punto.table.log import Logged, read

_CASH: Final = "cash/"
# Staff who redeem a ticket take in no cash; pages cannot choose ids that begin so.
_REDEEM: Final = "redeem-"
# The import of a shoe is no person, and no cash is moved.
_IMPORT: Final = Actor("import", Position.GAMING_SHIFT_MANAGER)
# So many entries of a wallet are read at a time, the newest first.
_PAGE: Final = 200


class Direction(Enum):
    """Whether a patron pays cash in, or is paid."""

    IN = "in"
    OUT = "out"


class CashMove(Struct, frozen=True):
    """Cash that a member of staff has taken from a patron or paid to one."""

    table: str
    command: str
    at_ms: int
    cents: Cents
    by: str


class DaySum(NamedTuple):
    """All cash of a patron in one direction within a gaming day; whether it has *crossed* the threshold of its time."""

    patron: str
    day: date
    direction: Direction
    moves: tuple[CashMove, ...]
    crossed: bool

    @property
    def cents(self) -> Cents:
        """What they come to."""
        return Cents(sum(move.cents for move in self.moves))


class Threshold(NamedTuple):
    """From when on sums of so much are reported; 0 for none."""

    since_ms: int
    cents: int


_Key = tuple[str, date, Direction]


def crossings(store: Store, thresholds: Sequence[Threshold]) -> list[DaySum]:
    """The sums that have reached the threshold of their time, by day and patron."""
    moves: defaultdict[_Key, list[CashMove]] = defaultdict(list)
    for table in tables_of(store):
        for entry in entries_of(store, TABLE + table):
            key, move = _moved(table, read(entry.body))
            if key is not None and move is not None:
                moves[key].append(move)
    sums = (_sum(key, sorted(found, key=lambda move: move.at_ms), thresholds) for key, found in moves.items())
    return sorted((each for each in sums if each.crossed), key=lambda each: (each.day, each.patron, each.cents))


def cash_of_day(history: History, patron: str, now_ms: int) -> dict[Direction, int]:
    """What a patron has paid in and was paid in cash since the gaming day began."""
    since_ms = begins_ms(period_of(now_ms).day)
    sums = dict.fromkeys(Direction, 0)
    for command in _cash_commands(history, WALLET + patron, since_ms):
        entry = history.find(command)
        key, move = _moved("", read(entry.body)) if entry is not None else (None, None)
        if key is not None and move is not None and move.at_ms >= since_ms:
            sums[key[2]] += move.cents
    return sums


def _cash_commands(history: History, stream: str, since_ms: int) -> Iterator[str]:
    """The commands that moved cash of a wallet since a time, newest pages first."""
    first = history.end(stream).version
    while first > 0:
        until, first = first, max(0, first - _PAGE)
        page = [read_booked(entry.body) for entry in history.read(stream, first) if entry.version <= until]
        yield from (each.command for each in page if each.giver.startswith(_CASH) or each.taker.startswith(_CASH))
        if page and page[0].at_ms < since_ms:
            return


def _moved(table: str, logged: Logged) -> tuple[_Key, CashMove] | tuple[None, None]:
    """The cash that an event of a table has moved through the hands of staff."""
    event, by = logged.event, logged.by
    if not isinstance(event, on.CreditsBought | on.CreditsCashedOut):
        return None, None
    if by.position in (Position.PATRON, Position.SYSTEM) or by == _IMPORT:
        return None, None
    if isinstance(event, on.CreditsBought) and logged.command.startswith(_REDEEM):
        return None, None
    at_ms = logged.given_ms or logged.at_ms
    direction = Direction.IN if isinstance(event, on.CreditsBought) else Direction.OUT
    key = event.patron, period_of(at_ms).day, direction
    return key, CashMove(table, logged.command, at_ms, event.cents, by.name)


def _sum(key: _Key, moves: Sequence[CashMove], thresholds: Iterable[Threshold]) -> DaySum:
    so_far, crossed = 0, False
    for move in moves:
        so_far += move.cents
        in_force = [each.cents for each in thresholds if each.since_ms <= move.at_ms]
        crossed |= bool(in_force and 0 < in_force[-1] <= so_far)
    return DaySum(*key, tuple(moves), crossed)
