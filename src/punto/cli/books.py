"""`punto books`: the meters of every table, by gaming day, shift or terminal; and the wallets."""

import csv
import sys
from collections.abc import Iterator
from typing import Final

from rich.table import Table
from rich.text import Text

from punto.cli import wallets
from punto.cli.ink import QUIET, console
from punto.cli.stores import reading
from punto.errors import BadUsage, quoted
from punto.ledger import Meter, TableMeters
from punto.ledger.periods import period_of
from punto.record.rounds import TABLE, no_table, tables_of
from punto.rules.money import money
from punto.store import Store
from punto.table.log import read

BY: Final = ("table", "terminal", "day", "shift", "patron")
_FIELDS: Final = ("in", "out", "wagered", "won", "returned", "escrow", "corrected", "drop", "hold")
_HEADINGS: Final = ("table", "period or terminal", "rounds", "voids", *_FIELDS)

_WIDE: Final = 1_000

Row = tuple[str, str, Meter]


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
        rows = [row for each in tables for row in _rows(store, each, by)]
    if as_csv:
        _write(rows)
    else:
        _draw(rows)


def _rows(store: Store, table: str, by: str) -> Iterator[Row]:
    meters = TableMeters()
    periods: dict[str, Meter] = {}
    before = Meter()
    period = ""
    for entry in store.read(TABLE + table):
        logged = read(entry.body)
        if by in {"day", "shift"}:
            day, shift = period_of(logged.at_ms)
            now = f"{day}" if by == "day" else f"{day} {shift}"
            if now != period:
                _close(periods, period, meters.total, before)
                before, period = meters.total.copy(), now
        meters.add(logged.event)
    if by == "table":
        yield table, "", meters.total
    elif by == "terminal":
        for position, meter in sorted(meters.positions.items()):
            yield table, str(position), meter
    else:
        _close(periods, period, meters.total, before)
        for name, meter in periods.items():
            yield table, name, meter


def _close(periods: dict[str, Meter], period: str, total: Meter, before: Meter) -> None:
    """What has been added since a period began; the same period may come twice when clocks differ."""
    if period:
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


def _draw(rows: list[Row]) -> None:
    """One line for each where there is room for it, else one block for each."""
    out = console()
    drawn = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for heading in _HEADINGS:
        drawn.add_column(heading, justify="left" if heading in _HEADINGS[:2] else "right", no_wrap=True)
    for table, what, meter in rows:
        drawn.add_row(table, what, str(meter.rounds), str(meter.voids), *map(_money, _amounts(meter)))
    if out.measure(drawn, options=out.options.update(max_width=_WIDE)).maximum <= out.width:
        out.print(drawn)
        return
    for table, what, meter in rows:
        out.print(Text(f"{table}  {what}", style="bold"))
        block = Table(box=None, show_header=False, padding=(0, 2, 0, 2))
        block.add_column()
        block.add_column(justify="right")
        for name, cents in zip(_FIELDS, _amounts(meter), strict=True):
            block.add_row(name, _money(cents))
        block.add_row("rounds, void", f"{meter.rounds}, {meter.voids}")
        out.print(block)


def _money(cents: int) -> Text:
    return Text(money(cents), style="" if cents else QUIET)
