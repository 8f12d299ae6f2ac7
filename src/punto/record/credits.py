"""A patron's credits around a round, as the wallet has them."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from punto.record.checks.written import Booked, read_booked
from punto.record.entries import does_not_read, end_of, entries_of, pages
from punto.store import Entry, Store

WALLET: Final = "wallet/"


class Credits(NamedTuple):
    """A patron's credits before and after a round, and debts likewise."""

    before_cents: int
    after_cents: int
    owed_before_cents: int
    owed_after_cents: int


_EMPTY: Final = Booked(at_ms=0, command="", giver="", taker="", cents=0)


def credits_around(store: Store, patron: str, commands: Sequence[str]) -> Credits | None:
    """A patron's credits just before the first and just after the last transfer of a round, as the wallet has them.

    *commands* are those of the round that may have moved the patron's money, in order; the first of them did.
    """
    stream = WALLET + patron
    for after in pages(end_of(store, stream)):
        found = _around(store, stream, after, commands)
        if found:
            return found
    return None


def _around(store: Store, stream: str, after: int, commands: Sequence[str]) -> Credits | None:
    """The credits around the commands, if the entries after this version are all that matter."""
    wanted = frozenset(commands)
    before: Booked | None = None if after else _EMPTY
    around: tuple[Booked, Booked] | None = None
    for entry in entries_of(store, stream, after):
        booked = _booked(entry)
        if booked.command in wanted:
            if around is None and (before is None or (after and booked.command != commands[0])):
                return None
            around = (around[0] if around else before or _EMPTY, booked)
        before = booked
    if around is None:
        return None
    first, last = around
    return Credits(first.balance_cents, last.balance_cents, first.owed_cents, last.owed_cents)


def _booked(entry: Entry) -> Booked:
    try:
        return read_booked(entry.body)
    except ValueError as error:
        raise does_not_read(entry, error) from None
