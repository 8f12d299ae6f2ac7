"""`punto books`: the meters of every table, by gaming day, shift or terminal; and the wallets."""

import sys
from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from punto.cli import wallets
from punto.cli.ink import QUIET, console
from punto.cli.noting import note, who
from punto.cli.options import Source
from punto.cli.showing import showing
from punto.cli.stores import store_named
from punto.errors import BadUsage, named, quoted
from punto.floor.books import ALL, BY, COUNTS, FIELDS, PATRON, Row, books, books_csv
from punto.record.journal import RecordExported
from punto.rules.money import money

_WIDE: Final = 1_000
_GAP: Final = 2


def show(source: Source, table: str | None, by: str, *, as_csv: bool) -> int:
    """Print the books, as far as they are signed."""
    _check(by, table)
    if by == PATRON:
        return wallets.show(source, as_csv=as_csv)
    with showing(source) as shown:
        rows = books(shown.store, table, by)
    if as_csv:
        note(store_named(source.store), RecordExported("books", f"by {by}", who()))
        sys.stdout.write(books_csv(rows))
    else:
        _draw(rows, by)
    return shown.status


def _check(by: str, table: str | None) -> None:
    """Refuse a way in which no books are kept."""
    if by not in BY:
        raise BadUsage(f"--by: {quoted(by)} is no way to keep books: expected {', '.join(BY)}")
    if by == PATRON and table is not None:
        raise BadUsage("--table: a patron's credits are the whole floor's: expected none with --by patron")


def _cells(row: Row) -> list[Text]:
    """The figures of a row as they are drawn."""
    counts = [Text(str(getattr(row.meter, name))) for name in COUNTS]
    return counts + [Text(money(cents), style="" if cents else QUIET) for cents in row.amounts]


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
    for heading in (*COUNTS, *FIELDS):
        drawn.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        names = (Text(named(row.table)), Text(named(row.what) if row.what else ""))[: len(_names(by))]
        drawn.add_row(*names, *_cells(row), style="bold" if row.table == ALL else "")
    return drawn


def _names(by: str) -> tuple[str, ...]:
    return ("table",) if by == "table" else ("table", by)


def _as_columns(rows: list[Row]) -> Table:
    drawn = _table()
    drawn.add_column(no_wrap=True)
    for row in rows:
        drawn.add_column(
            f"{named(row.table)}\n{row.what and named(row.what)}".rstrip(), justify="right", overflow="fold"
        )
    for name, *figures in zip((*COUNTS, *FIELDS), *(_cells(row) for row in rows), strict=True):
        drawn.add_row(Text(name, style=QUIET), *figures)
    return drawn


def _fitting(rows: list[Row], width: int) -> Iterator[list[Row]]:
    """The rows in parts that are drawn beside each other."""
    name = max(map(len, (*COUNTS, *FIELDS)))
    part: list[Row] = []
    left = width - name
    for row in rows:
        wide = _GAP + max(
            *(cell.cell_len for cell in _cells(row)), cell_len(named(row.table)), cell_len(row.what and named(row.what))
        )
        if part and wide > left:
            yield part
            part, left = [], width - name
        part.append(row)
        left -= wide
    if part:
        yield part


def _table() -> Table:
    return Table(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP, 0, 0))
