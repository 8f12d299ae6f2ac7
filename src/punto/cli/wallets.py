"""`punto books --by patron`: what each wallet holds, and what its patron owes."""

import sys
from typing import Final

from rich.table import Table
from rich.text import Text

from punto.cli.ink import QUIET, console
from punto.cli.options import Source
from punto.cli.showing import showing
from punto.errors import named
from punto.floor.books import wallets, wallets_csv
from punto.ledger import WALLET
from punto.rules.money import money

_HEADINGS: Final = ("patron", "credits", "owed")


def show(source: Source, *, as_csv: bool) -> int:
    """Print every wallet, by name; one whose last signed entry is missing or altered is left out."""
    with showing(source) as shown:
        found = [each for each in wallets(shown.store) if not shown.is_damaged(WALLET + each.patron)]
    if as_csv:
        sys.stdout.write(wallets_csv(found))
        return shown.status
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
    return shown.status
