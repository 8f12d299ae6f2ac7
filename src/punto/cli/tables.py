"""What the answers of the lab look like: tables for a person, one line of JSON, comma-separated values."""

import csv
import sys
from fractions import Fraction
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from punto.cli.ink import BANKER, PLAYER, QUIET, TIE
from punto.cli.wire import encode
from punto.lab.tabular import Tabular
from punto.rules import Game, Language

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
        drawn.add_column(column, justify="right")
    return drawn


def wager_name(name: str) -> Text:
    """A wager's name in its colour."""
    return Text(name, style=_STYLE.get(name, "bold"))


def percent(share: Fraction | float, digits: int = 4) -> str:
    """A share in hundredths."""
    return f"{100 * float(share):.{digits}f} %"
