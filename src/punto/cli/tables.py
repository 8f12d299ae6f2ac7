"""What the answers of the lab look like: tables for a person, one line of JSON, comma-separated values."""

import csv
import sys
from fractions import Fraction
from textwrap import fill
from typing import Any, Final

from rich.console import Console
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import Text

from punto.cli.ink import BANKER, PLAYER, QUIET, TIE
from punto.cli.wire import encode
from punto.lab.tabular import Tabular
from punto.rules import Game, Language

_WIDEST_HEADING: Final = 12
_WIDEST: Final = 1000
_BETWEEN: Final = 2
_STYLE: Final = {"Player": PLAYER, "Banker": BANKER, "Tie": TIE}


def print_json(answer: dict[str, Any]) -> None:
    """One line of JSON."""
    sys.stdout.write(encode(answer) + "\n")


def print_csv(*tables: Tabular) -> None:
    """The records of tables that have the same fields, as comma-separated values."""
    records = [record for table in tables for record in table.records()]
    writer = csv.DictWriter(sys.stdout, list(records[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)


def heading(game: Game, language: Language, *said: str) -> Text:
    """What the page is about."""
    parts = [game.key, *([game.rulebook] if game.rulebook else []), *said]
    return Text(game.title.text(language), style="bold").append("\n" + " · ".join(parts), style=QUIET)


def table(first: str, *columns: str) -> Table:
    """An empty table: names on the left, figures on the right."""
    drawn = Table(box=None, pad_edge=False, header_style=QUIET)
    drawn.add_column(first)
    for column in columns:
        drawn.add_column(fill(column, _WIDEST_HEADING), justify="right", no_wrap=True)
    return drawn


def show(out: Console, drawn: Table) -> None:
    """Print a table, if need be wider than the terminal: no figure is ever cut."""
    width = out.width
    out.width = max(width, sum(_needed(out, column) + _BETWEEN for column in drawn.columns))
    out.print(drawn)
    out.width = width


def _needed(out: Console, column: Column) -> int:
    """How wide a column must be: as its longest word, or as its longest figure."""
    sizes = [Measurement.get(out, out.options.update_width(_WIDEST), cell) for cell in (column.header, *column.cells)]
    return max(size.maximum if column.no_wrap else size.minimum for size in sizes)


def wager_name(name: str) -> Text:
    """A wager's name in its colour."""
    return Text(name, style=_STYLE.get(name, "bold"))


def percent(share: Fraction | float, digits: int = 4) -> str:
    """A share in hundredths."""
    return f"{100 * float(share):.{digits}f} %"
