"""Rounds of a table that has come far, found without reading all that came before them."""

from collections.abc import Iterator
from typing import Final

from punto.errors import NoSuchRound, named
from punto.games import GAMES, edition
from punto.record.entries import end_of, entries_of, pages
from punto.record.rounds import TABLE, Plain, Round, Step, last_rounds, no_table, read_step, rounds_of
from punto.store import Store

_MARK: Final = b'"bets-opened"'


def recall(store: Store, table: str, count: int, before: int | None, known: Plain) -> Iterator[Round]:
    """So many rounds of a table, in order: its last, or those just before the round of that number.

    Each is read only when it is asked for, so that nobody need hold all of them. *known* is the setup of the table as
    it is open now, for rounds that were played with it.
    """
    newest = last_rounds(store, table, 1)
    if not newest:
        return
    end = newest[0].number + 1
    after: int | None = None
    if before is None or before >= end:
        after = _near_end(store, table, end - count)
    else:
        end = before
        after = _begin(store, table, max(1, end - count))
    for each in rounds_of(store, table, after) if after is not None else ():
        if each.number >= end:
            return
        if each.number >= end - count:
            yield _set_up(each, known)


def _near_end(store: Store, table: str, number: int) -> int:
    """An entry after which the round of that number begins, looked for from the end of the log."""
    for after in pages(end_of(store, TABLE + table)):
        if next(_openings(store, table, after), number + 1) <= number:
            return after
    return 0


def seek(store: Store, table: str, number: int, known: Plain) -> Round:
    """The round of that number."""
    after = _begin(store, table, number) if number > 0 else None
    found = next(rounds_of(store, table, after), None) if after is not None else None
    if found is None or found.number != number:
        raise _no_round(store, table, number)
    return _set_up(found, known)


def _no_round(store: Store, table: str, number: int) -> NoSuchRound:
    last = last_rounds(store, table, 1)
    expected = f"expected 1 to {last[0].number}" if last else "it has had none"
    return NoSuchRound(f"table {named(table)} has no round {number}: {expected}")


def _begin(store: Store, table: str, number: int) -> int | None:
    """After which entry the first round begins that is no earlier than this one; none where there is no such round.

    Rounds are numbered in order, so that half of what is left can be ruled out by one look.
    """
    low, high = 0, end_of(store, TABLE + table)
    if not high:
        raise no_table(store, table)
    while low < high:
        middle = (low + high) // 2
        if next(_openings(store, table, middle), number) >= number:
            high = middle
        else:
            low = middle + 1
    return low if next(_openings(store, table, low), 0) >= number else None


def opening_of(store: Store, table: str, number: int) -> Step:
    """The step with which the round of that number began."""
    after = _begin(store, table, number) if number > 0 else None
    found = next(openings(store, table, after), None) if after is not None else None
    if found is None or found.event["round"] != number:
        raise _no_round(store, table, number)
    return found


def openings(store: Store, table: str, after: int) -> Iterator[Step]:
    """The steps with which rounds begin, after an entry."""
    for entry in entries_of(store, TABLE + table, after):
        if _MARK in entry.body:
            step = read_step(entry)
            if step.type == "bets-opened":
                yield step


def _openings(store: Store, table: str, after: int) -> Iterator[int]:
    """The numbers of the rounds that begin after an entry."""
    return (step.event["round"] for step in openings(store, table, after))


def _set_up(found: Round, known: Plain) -> Round:
    """The round with its setup, where the opening of the table was not among what was read."""
    if not found.setup:
        digest = found.opened["digest"]
        key = next((key for key in GAMES if edition(key, digest)), "")
        found.setup = known if known.get("digest") == digest else {"game": key}
    return found
