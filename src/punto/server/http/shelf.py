"""Shoes that were looked up before: the list of each table's, and the texts of those that can change no more."""

from collections import OrderedDict
from typing import Any, Final

from msgspec import Struct

from punto.record import ShoeFile, export
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


class Shelf:
    """Reads a table's log once, and from then on what is new in it. It is used by one thread at a time."""

    def __init__(self) -> None:
        self._lists: dict[str, tuple[int, list[Plain]]] = {}
        self._texts: OrderedDict[tuple[str, int], ShoeFile] = OrderedDict()

    def shoes(self, store: Store, table: str) -> list[ShoeInfo]:
        """Every shoe of a table, in order."""
        stream = TABLE + table
        if store.tip(stream) is None:
            raise no_table(store, table)
        version, found = self._lists.get(table, (0, []))
        for entry in entries_of(store, stream, version):
            version = entry.version
            if any(mark in entry.body for mark in _MARKS):
                _note(found, read_step(entry))
        self._lists[table] = version, found
        return [ShoeInfo(**each) for each in found]

    def text(self, store: Store, table: str, number: int, *, final: bool) -> ShoeFile:
        """A shoe as a text; *final* when nothing can be added to it any more."""
        kept = self._texts.get((table, number))
        if kept is None:
            kept = export(store, table, number)
            if final:
                self._texts[table, number] = kept
        if len(self._texts) > _MOST_TEXTS:
            self._texts.popitem(last=False)
        return kept


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
