"""Shoes that were looked up before: the list of each table's, and the texts of those that can change no more."""

from collections import OrderedDict
from typing import Any, Final, NamedTuple

from msgspec import Struct

from punto.record import ShoeFile
from punto.record.entries import entries_of
from punto.record.rounds import TABLE, Plain, Step, no_table, read_step
from punto.store import Store

_MARKS: Final = (b'"shoe-loaded"', b'"shoe-cut"', b'"shoe-ended"')
_MOST_TEXTS: Final = 64


class ShoeInfo(Struct, frozen=True):
    """A shoe: what it was committed to, by how many cards it was cut, and whether it is out and lies open."""

    number: int
    commitment: str
    cut: int
    out: bool
    opened: bool
    loaded_ms: int
    ended_ms: int


class Shoes(NamedTuple):
    """The shoes of a table, as far as its log was read."""

    version: int = 0
    found: tuple[Plain, ...] = ()


def listed(store: Store, table: str, known: Shoes) -> Shoes:
    """The shoes of a table, where those up to a version are known: only what is new in its log is read."""
    stream = TABLE + table
    if store.tip(stream) is None:
        raise no_table(store, table)
    version, found = known.version, [dict(each) for each in known.found]
    for entry in entries_of(store, stream, version):
        version = entry.version
        if any(mark in entry.body for mark in _MARKS):
            _note(found, read_step(entry))
    return Shoes(version, tuple(found))


class Shelf:
    """Keeps the lists, and the texts of shoes that can change no more."""

    def __init__(self) -> None:
        self._lists: dict[str, Shoes] = {}
        self._texts: OrderedDict[tuple[str, int], ShoeFile] = OrderedDict()

    def known(self, table: str) -> Shoes:
        """The shoes of a table, as far as they are known."""
        return self._lists.get(table, Shoes())

    def note(self, table: str, shoes: Shoes) -> list[ShoeInfo]:
        """Keep a list that has come further than the last one; every shoe of the table, in order."""
        if shoes.version > self.known(table).version:
            self._lists[table] = shoes
        return [ShoeInfo(**each) for each in self.known(table).found]

    def text(self, table: str, number: int) -> ShoeFile | None:
        """The text of a shoe, if it is kept."""
        return self._texts.get((table, number))

    def keep(self, table: str, number: int, text: ShoeFile) -> None:
        """Keep a text to which nothing can be added any more."""
        self._texts[table, number] = text
        if len(self._texts) > _MOST_TEXTS:
            self._texts.popitem(last=False)


def _note(found: list[dict[str, Any]], step: Step) -> None:
    match step.type:
        case "shoe-loaded":
            if found:
                found[-1]["out"] = True
            fresh = {"number": step.event["shoe"], "commitment": step.event.get("commitment", ""), "cut": 0}
            found.append(fresh | {"out": False, "opened": False, "loaded_ms": step.at_ms, "ended_ms": 0})
        case "shoe-cut" if found:
            found[-1]["cut"] = step.event["cards"]
        case "shoe-ended" if found:
            found[-1] |= {"out": True, "opened": bool(step.event.get("order")), "ended_ms": step.at_ms}
