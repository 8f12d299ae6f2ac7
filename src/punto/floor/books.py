"""The books: the meters of every table, by gaming day, shift or terminal; and the wallets."""

import csv
from collections.abc import Iterable, Iterator
from datetime import date
from io import StringIO
from typing import Final, NamedTuple

from punto.errors import Corrupt, named
from punto.ledger import WALLET, Meter, TableMeters
from punto.ledger.book import Booked
from punto.ledger.book import read as read_booked
from punto.ledger.periods import SHIFTS, believed_periods, period_of
from punto.record.entries import end_of, entries_of
from punto.record.rounds import TABLE, no_table, tables_of
from punto.store import Entry, Store
from punto.table.log import Logged, read

PATRON: Final = "patron"
BY: Final = ("table", "terminal", "day", "shift", PATRON)
# What all tables come to together.
ALL: Final = "all"
COUNTS: Final = ("rounds", "voids")
FIELDS: Final = ("in", "out", "wagered", "won", "returned", "escrow", "corrected", "drop", "hold")
_HEADINGS: Final = ("table", "period or terminal", *COUNTS, *(f"{name}_cents" for name in FIELDS))

# With these a spreadsheet takes a text for a formula.
# A table whose time is ahead of the clock by more was played at under another clock.
_APART_MS: Final = 60_000
_RECKONED: Final = ("=", "+", "-", "@", "\t", "\r")

# A terminal, a day, or a day and which of its shifts: something to sort by.
Key = tuple[int, int]


class Row(NamedTuple):
    """One line of the books."""

    table: str
    what: str
    meter: Meter

    @property
    def amounts(self) -> list[int]:
        """Its sums, in cents."""
        return [getattr(self.meter, f"{name}_cents") for name in FIELDS]


class Wallet(NamedTuple):
    """A patron's money, after the last transfer."""

    patron: str
    credits_cents: int
    owed_cents: int


def books(store: Store, table: str | None, by: str) -> list[Row]:
    """The books of all tables, or of one."""
    tables = tables_of(store)
    if table is not None:
        if table not in tables:
            raise no_table(store, table)
        tables = [table]
    kept = {each: _meters(store, each, by) for each in tables}
    return list(_by_terminal(kept) if by == "terminal" else _by_period(kept, by))


def wallets(store: Store) -> Iterator[Wallet]:
    """Every wallet, by name."""
    for stream, _ in store.streams(WALLET):
        last = _last(store, stream)
        yield Wallet(stream.removeprefix(WALLET), last.balance_cents, last.owed_cents)


def books_csv(rows: Iterable[Row]) -> str:
    """The books as comma-separated values."""
    return _csv(_HEADINGS, ([row.table, row.what, row.meter.rounds, row.meter.voids, *row.amounts] for row in rows))


def wallets_csv(found: Iterable[Wallet]) -> str:
    """Wallets as comma-separated values."""
    return _csv(Wallet._fields, found)


def _csv(headings: Iterable[str], lines: Iterable[Iterable[object]]) -> str:
    text = StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(headings)
    out.writerows([_cell(value) for value in line] for line in lines)
    return text.getvalue()


def _cell(value: object) -> object:
    """A value as it stands in a cell: a text that a spreadsheet would take for a formula gets a quotation mark first.

    A forged name that cannot be printed is quoted.

    >>> _cell("=1+1"), _cell("ann"), _cell(-5)
    ("'=1+1", 'ann', -5)
    """
    if isinstance(value, str) and not value.isprintable():
        return named(value)
    return f"'{value}" if isinstance(value, str) and value.startswith(_RECKONED) else value


def _by_terminal(books: dict[str, dict[Key, Meter]]) -> Iterator[Row]:
    """One table after the other."""
    for table, meters in books.items():
        for key in sorted(meters):
            yield Row(table, str(key[0]), meters[key])


def _by_period(books: dict[str, dict[Key, Meter]], by: str) -> Iterator[Row]:
    """One period after the other; where there are several tables, each with all of them together."""
    for key in sorted({key for meters in books.values() for key in meters}):
        what = _period_name(key, by)
        total = Meter()
        for table, meters in books.items():
            if key in meters:
                total.add(meters[key])
                yield Row(table, what, meters[key])
        if len(books) > 1:
            yield Row(ALL, what, total)


def _meters(store: Store, table: str, by: str) -> dict[Key, Meter]:
    """The meters of a table: of all its time, of each terminal, or of each period."""
    meters = TableMeters()
    # Of each run of entries in one period: the period, how many they are, and the meters after them.
    runs: list[tuple[Key, int]] = []
    after: list[Meter] = []
    entries = 0
    period: Key | None = None
    time_ms = 0
    for entry in entries_of(store, TABLE + table):
        try:
            logged = _logged(entry)
            if entry.command is not None:
                time_ms = _clock_ms(logged)
            now = _period(time_ms or logged.at_ms, by)
            if now != period and period is not None:
                runs.append((period, entries))
                after.append(meters.total.copy())
                entries = 0
            period = now
            entries += 1
            meters.add(logged.event)
        except Corrupt as error:
            raise Corrupt(f"{named(entry.stream)}: entry {entry.version}: {error}", entry.version) from None
    if by == "terminal":
        return {(position, 0): each for position, each in meters.positions.items()}
    if period is not None:
        runs.append((period, entries))
        after.append(meters.total)
    return _by_believed_period(runs, after)


def _clock_ms(logged: Logged) -> int:
    """What the floor's clock said, where the table had been played at under a clock far ahead of it; 0 elsewhere."""
    is_apart = bool(logged.given_ms) and logged.at_ms - logged.given_ms > _APART_MS
    return logged.given_ms if is_apart else 0


def _by_believed_period(runs: list[tuple[Key, int]], after: list[Meter]) -> dict[Key, Meter]:
    """What each period added to the meters; a period that is no later than the one before has come by a jump."""
    periods: dict[Key, Meter] = {}
    before = Meter()
    for period, total in zip(believed_periods(runs), after, strict=True):
        meter = periods.setdefault(period, Meter())
        meter.add(total)
        meter.subtract(before)
        before = total
    return periods


def _logged(entry: Entry) -> Logged:
    try:
        return read(entry.body)
    except (ValueError, RecursionError) as error:  # what is no text, or nests too deeply
        raise Corrupt(f"an event that does not read: {error}") from None


def _period(at_ms: int, by: str) -> Key:
    """The period of a moment; there is but one where books are not kept by periods."""
    if by not in {"day", "shift"}:
        return 0, 0
    day, shift = period_of(at_ms)
    return day.toordinal(), SHIFTS.index(shift) if by == "shift" else 0


def _period_name(key: Key, by: str) -> str:
    day, shift = key
    if not day:
        return ""
    return f"{date.fromordinal(day)} {SHIFTS[shift]}" if by == "shift" else str(date.fromordinal(day))


def _last(store: Store, stream: str) -> Booked:
    """The last transfer of a wallet."""
    end = end_of(store, stream)
    entry = next(entries_of(store, stream, end - 1))
    try:
        return read_booked(entry.body)
    except (Corrupt, ValueError, RecursionError) as error:
        raise Corrupt(f"{named(stream)}: entry {end}: {error}", end) from None
