"""`punto books`: the meters of every table, by gaming day, shift or terminal; and the wallets."""

import csv
import sys
from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from punto.cli import wallets
from punto.cli.ink import QUIET, console
from punto.cli.stores import reading
from punto.errors import BadUsage, Corrupt, quoted
from punto.ledger import Meter, TableMeters
from punto.ledger.periods import SHIFTS, period_of
from punto.record.entries import entries_of
from punto.record.rounds import TABLE, no_table, tables_of
from punto.rules.money import money
from punto.store import Entry, Store
from punto.table.log import Logged, read

BY: Final = ("table", "terminal", "day", "shift", "patron")
ALL: Final = "all"
_COUNTS: Final = ("rounds", "voids")
_FIELDS: Final = ("in", "out", "wagered", "won", "returned", "escrow", "corrected", "drop", "hold")
_HEADINGS: Final = ("table", "period or terminal", *_COUNTS, *_FIELDS)

_WIDE: Final = 1_000
_GAP: Final = 2

# A terminal, a day, or a day and which of its shifts: something to sort by.
Key = tuple[int, int]


class Row(NamedTuple):
    """One line of the books."""

    table: str
    what: str
    meter: Meter

    @property
    def cells(self) -> list[Text]:
        """Its figures as they are drawn."""
        counts = [Text(str(getattr(self.meter, name))) for name in _COUNTS]
        return counts + [Text(money(cents), style="" if cents else QUIET) for cents in _amounts(self.meter)]


def show(url: str, table: str | None, by: str, *, as_csv: bool) -> None:
    """Print the books."""
    if by not in BY:
        raise BadUsage(f"--by: {quoted(by)} is no way to keep books: expected {', '.join(BY)}")
    if by == "patron":
        if table is not None:
            raise BadUsage("--table: a patron's credits are the whole floor's: expected none with --by patron")
        wallets.show(url, as_csv=as_csv)
        return
    with reading(url) as store:
        tables = tables_of(store)
        if table is not None:
            if table not in tables:
                raise no_table(store, table)
            tables = [table]
        books = {each: _meters(store, each, by) for each in tables}
    rows = list(_by_terminal(books) if by == "terminal" else _by_period(books, by))
    if as_csv:
        _write(rows)
    else:
        _draw(rows, by)


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
    periods: dict[Key, Meter] = {}
    before = Meter()
    period: Key | None = None
    for entry in entries_of(store, TABLE + table):
        try:
            logged = _logged(entry)
            now = _period(logged.at_ms, by)
            if now != period:
                _close(periods, period, meters.total, before)
                before, period = meters.total.copy(), now
            meters.add(logged.event)
        except Corrupt as error:
            raise Corrupt(f"{entry.stream}: entry {entry.version}: {error}", entry.version) from None
    _close(periods, period, meters.total, before)
    return {(position, 0): each for position, each in meters.positions.items()} if by == "terminal" else periods


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


def _close(periods: dict[Key, Meter], period: Key | None, total: Meter, before: Meter) -> None:
    """What has been added since a period began; the same period may come twice when clocks differ."""
    if period is not None:
        meter = periods.setdefault(period, Meter())
        meter.add(total)
        meter.subtract(before)


def _amounts(meter: Meter) -> list[int]:
    return [getattr(meter, f"{name}_cents") for name in _FIELDS]


def _write(rows: list[Row]) -> None:
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow([name if name not in _FIELDS else f"{name}_cents" for name in _HEADINGS])
    for table, what, meter in rows:
        out.writerow([table, what, meter.rounds, meter.voids, *_amounts(meter)])


def _draw(rows: list[Row], by: str) -> None:
    """One line for each where there is room for it, else one column for each, as many as fit beside each other."""
    out = console()
    lines = _as_lines(rows, by)
    if out.measure(lines, options=out.options.update(max_width=_WIDE)).maximum <= out.width:
        out.print(lines)
        return
    for place, part in enumerate(_fitting(rows, out.width)):
        if place:
            out.print()
        out.print(_as_columns(part))


def _as_lines(rows: list[Row], by: str) -> Table:
    drawn = _table()
    for heading in _names(by):
        drawn.add_column(heading, no_wrap=True)
    for heading in (*_COUNTS, *_FIELDS):
        drawn.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        names = (row.table, row.what)[: len(_names(by))]
        drawn.add_row(*names, *row.cells, style="bold" if row.table == ALL else "")
    return drawn


def _names(by: str) -> tuple[str, ...]:
    return ("table",) if by == "table" else ("table", by)


def _as_columns(rows: list[Row]) -> Table:
    drawn = _table()
    drawn.add_column(no_wrap=True)
    for row in rows:
        drawn.add_column(f"{row.table}\n{row.what}".rstrip(), justify="right", overflow="fold")
    for name, *figures in zip((*_COUNTS, *_FIELDS), *(row.cells for row in rows), strict=True):
        drawn.add_row(Text(name, style=QUIET), *figures)
    return drawn


def _fitting(rows: list[Row], width: int) -> Iterator[list[Row]]:
    """The rows in parts that are drawn beside each other."""
    name = max(map(len, (*_COUNTS, *_FIELDS)))
    part: list[Row] = []
    left = width - name
    for row in rows:
        wide = _GAP + max(*(cell.cell_len for cell in row.cells), cell_len(row.table), cell_len(row.what))
        if part and wide > left:
            yield part
            part, left = [], width - name
        part.append(row)
        left -= wide
    if part:
        yield part


def _table() -> Table:
    return Table(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP, 0, 0))
