"""`punto books --by patron`: what each wallet holds, and what its patron owes."""

import csv
import sys
from collections.abc import Iterator
from typing import Final, NamedTuple

from rich.table import Table
from rich.text import Text

from punto.cli.ink import QUIET, console
from punto.cli.stores import reading
from punto.errors import Corrupt
from punto.ledger import WALLET
from punto.ledger.book import Booked, read
from punto.record.entries import end_of, entries_of
from punto.rules.money import money
from punto.store import Store

_HEADINGS: Final = ("patron", "credits", "owed")


class Wallet(NamedTuple):
    """A patron's money, after the last transfer."""

    patron: str
    credits_cents: int
    owed_cents: int


def show(url: str, *, as_csv: bool) -> None:
    """Print every wallet, by name."""
    with reading(url) as store:
        wallets = list(_wallets(store))
    if as_csv:
        out = csv.writer(sys.stdout, lineterminator="\n")
        out.writerow(Wallet._fields)
        out.writerows(wallets)
        return
    drawn = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for heading in _HEADINGS:
        name = heading == "patron"
        drawn.add_column(heading, justify="left" if name else "right", no_wrap=not name, overflow="fold")
    for patron, credits_, owed in wallets:
        drawn.add_row(patron, money(credits_), Text(money(owed), style="bold red" if owed else QUIET))
    total = [sum(cents) for cents in zip(*((each[1], each[2]) for each in wallets), strict=True)]
    if total:
        drawn.add_row(Text("all", style="bold"), *(Text(money(cents), style="bold") for cents in total))
    console().print(drawn)


def _wallets(store: Store) -> Iterator[Wallet]:
    for stream, _ in store.streams():
        if stream.startswith(WALLET):
            last = _last(store, stream)
            yield Wallet(stream.removeprefix(WALLET), last.balance_cents, last.owed_cents)


def _last(store: Store, stream: str) -> Booked:
    """The last transfer of a wallet."""
    end = end_of(store, stream)
    entry = next(entries_of(store, stream, end - 1))
    try:
        return read(entry.body)
    except (Corrupt, ValueError, RecursionError) as error:
        raise Corrupt(f"{stream}: entry {end}: {error}", end) from None
