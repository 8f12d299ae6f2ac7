"""Rounds of a table that has come far, found without reading all that came before them."""

from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from punto.errors import NoSuchRound, named
from punto.games import GAMES, edition
from punto.record.entries import end_of, entries_of
from punto.record.rounds import TABLE, Plain, Round, last_rounds, no_table, read_step, rounds_of
from punto.store import Store

_MARK: Final = b'"bets-opened"'


def recall(store: Store, table: str, count: int, before: int | None, known: Plain) -> list[Round]:
    """So many rounds of a table, in order: its last, or those just before the round of that number.

    *known* is the setup of the table as it is open now, for rounds that were played with it.
    """
    found = last_rounds(store, table, count)
    if before is not None and found and before <= found[-1].number:
        after = _begin(store, table, max(1, before - count))
        rounds = rounds_of(store, table, after) if after is not None else iter(())
        found = list(takewhile(lambda each: each.number < before, rounds))
    return [_set_up(each, known) for each in found]


def seek(store: Store, table: str, number: int, known: Plain) -> Round:
    """The round of that number."""
    after = _begin(store, table, number) if number > 0 else None
    found = next(rounds_of(store, table, after), None) if after is not None else None
    if found is None or found.number != number:
        last = last_rounds(store, table, 1)
        expected = f"expected 1 to {last[0].number}" if last else "it has had none"
        raise NoSuchRound(f"table {named(table)} has no round {number}: {expected}")
    return _set_up(found, known)


def _begin(store: Store, table: str, number: int) -> int | None:
    """After which entry the first round begins that is no earlier than this one; none where there is no such round.

    Rounds are numbered in order, so that half of what is left can be ruled out by one look.
    """
    stream = TABLE + table
    low, high = 0, end_of(store, stream)
    if not high:
        raise no_table(store, table)
    while low < high:
        middle = (low + high) // 2
        if next(_openings(store, stream, middle), number) >= number:
            high = middle
        else:
            low = middle + 1
    return low if next(_openings(store, stream, low), 0) >= number else None


def _openings(store: Store, stream: str, after: int) -> Iterator[int]:
    """The numbers of the rounds that begin after an entry."""
    for entry in entries_of(store, stream, after):
        if _MARK in entry.body:
            step = read_step(entry)
            if step.type == "bets-opened":
                yield step.event["round"]


def _set_up(found: Round, known: Plain) -> Round:
    """The round with its setup, where the opening of the table was not among what was read."""
    if not found.setup:
        digest = found.opened["digest"]
        key = next((key for key in GAMES if edition(key, digest)), "")
        found.setup = known if known.get("digest") == digest else {"game": key}
    return found
