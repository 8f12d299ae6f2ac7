"""What a receipt of something older needs, looked for in the store: the head that covers an entry, and the seal.

A head says which streams it moved, but no entry says by which head it is covered. Heads of a writer come in the order
of time, so the head is near the time of its commands; where a clock has jumped, all heads are read.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

import msgspec

from punto.errors import Corrupt, NoSuchReceipt
from punto.floor.receipting import Found, HeadPlace, Sealed, seal_of
from punto.proof.heads import Head, Statement, read_head, statement_of
from punto.proof.merkle import leaf_hash, tree_root
from punto.proof.migrations import migrating_writers
from punto.proof.receipts import TABLE
from punto.proof.writers import HEADS
from punto.store.contract import PAGE, Entry, Hash, Store
from punto.table import events as on
from punto.table.log import read as read_logged

# How far from where its time says a head is looked for: groups wait for each other, and clocks differ a little.
_AROUND: Final = 200
_SHOE: Final = b'"shoe-loaded"'
_BETS: Final = b'"bets-opened"'


def search(store: Store, believed: Store, entry: Entry) -> Found:
    """What the receipt of an entry needs; `NoSuchReceipt` where no head covers it, or only that of a migration.

    The seal is read from what is *believed*, since whoever signs the receipt vouches for it. The head proves itself.
    """
    at_ms = read_logged(entry.body).at_ms
    near = (head for stream, tip in store.streams(HEADS) for head in _near(store, stream, tip.version, at_ms))
    for stream, number, head in near:
        if _covers(head, entry):
            return Found(HeadPlace(stream, number, _commands(store, head)), _sealed(believed, entry))
    for stream, _ in store.streams(HEADS):
        for each in store.read(stream, 1):
            found = _read(each)
            if found is not None and _covers(found, entry):
                return Found(HeadPlace(stream, each.version, _commands(store, found)), _sealed(believed, entry))
    raise NoSuchReceipt("no signed head says when this was written: there is no receipt of it")


def _near(store: Store, stream: str, end: int, at_ms: int) -> Iterator[tuple[str, int, Head]]:
    """A writer's heads around a time."""
    low, high = 2, end + 1  # the first is the writer's certificate
    while low < high:
        middle = (low + high) // 2
        if _time(store, stream, middle) >= at_ms:
            high = middle
        else:
            low = middle + 1
    after = max(1, low - 1 - _AROUND)
    for entry in islice(store.read(stream, after), low + _AROUND - after):
        head = _read(entry)
        if head is not None:
            yield stream, entry.version, head


def _time(store: Store, stream: str, number: int) -> int:
    entry = next(store.read(stream, number - 1), None)
    try:
        return msgspec.json.decode(statement_of(entry.body), type=Statement).at_ms if entry else 0
    except (Corrupt, msgspec.DecodeError):
        return 0


def _read(entry: Entry) -> Head | None:
    try:
        return read_head(entry.body)
    except Corrupt:
        return None


def _covers(head: Head, entry: Entry) -> bool:
    move = head.moved.get(entry.stream)
    return move is not None and move.before.version < entry.version <= move.after.version


def _commands(store: Store, head: Head) -> tuple[Hash, ...]:
    """The hashes with which the commands of a head begin, in order.

    A migration has signed where older streams end, and not their commands: of those there are no receipts.
    """
    if head.statement.writer in migrating_writers(store):
        raise NoSuchReceipt("this was signed before receipts existed: there is no receipt of it")
    found: list[Hash] = []
    for stream, (before, after) in head.moved.items():
        if stream.startswith(TABLE):
            entries = islice(store.read(stream, before.version), after.version - before.version)
            found += [each.hash for each in entries if each.command is not None]
    found.sort()
    if tree_root([leaf_hash(each) for each in found]) != head.statement.root:
        raise Corrupt(f"head {head.statement.number} was signed over other commands than are there")
    return tuple(found)


def _sealed(store: Store, entry: Entry) -> Sealed:
    """The round and the shoe of an entry: the last that its table's log names before it."""
    end, after = entry.version, entry.version
    while True:
        after = max(0, end - max(PAGE, 2 * (end - after)))
        round_, shoe = 0, None
        for each in islice(store.read(entry.stream, after), end - after):
            if _SHOE in each.body or _BETS in each.body:
                event = read_logged(each.body).event
                if isinstance(event, on.ShoeLoaded):
                    shoe = event
                elif isinstance(event, on.BetsOpened):
                    round_ = event.round
        if (shoe is not None and round_) or not after:
            return Sealed(round_, seal_of(shoe.shoe, shoe.commitment) if shoe else None)
