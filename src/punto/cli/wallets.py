"""`punto books --by patron`: what each wallet holds, and what its patron owes."""

import sys
from typing import Final

from rich.table import Table
from rich.text import Text

from punto.cli.ink import QUIET, console
from punto.cli.stores import reading
from punto.errors import named
from punto.floor.books import wallets, wallets_csv
from punto.rules.money import money

_HEADINGS: Final = ("patron", "credits", "owed")


def show(url: str, *, as_csv: bool) -> None:
    """Print every wallet, by name."""
    with reading(url) as store:
        found = list(wallets(store))
    if as_csv:
        sys.stdout.write(wallets_csv(found))
        return
    drawn = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for heading in _HEADINGS:
        name = heading == "patron"
        drawn.add_column(heading, justify="left" if name else "right", no_wrap=not name, overflow="fold")
    for patron, credits_, owed in found:
        drawn.add_row(Text(named(patron)), money(credits_), Text(money(owed), style="bold red" if owed else QUIET))
    total = [sum(cents) for cents in zip(*((each[1], each[2]) for each in found), strict=True)]
    if total:
        drawn.add_row(Text("all", style="bold"), *(Text(money(cents), style="bold") for cents in total))
    console().print(drawn)
