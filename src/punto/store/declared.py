"""What a database declares (tables, indexes, triggers), held against what a store declares: nothing less or more.

The audit names what differs, and whoever opens a store for writing refuses it: a trigger can change what is written,
and without an index two entries can have one place.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from punto.errors import AlteredSchema, StoreGone, quoted
from punto.store.contract import Fault

_WHAT_TO_DO: Final = "find out who did that, then undo it or restore the newest copy (docs/repair.md); nothing was done"
_LONGEST: Final = 60


class Thing(NamedTuple):
    """Something that is declared: the table that it is on, where that is another name than its own, and how."""

    on: str
    how: bytes | str | None


# By kind and name.
Declared = Mapping[tuple[str, str], Thing]


def differences(expected: Declared, found: Declared) -> Iterator[Fault]:
    """What is missing, what no store has, and what is declared otherwise, each thing by its name."""
    for kind, name in sorted(expected.keys() | found.keys()):
        usual, there = expected.get((kind, name)), found.get((kind, name))
        if there is None:
            yield Fault(f"lacks the {kind} {name}", declared=True)
        elif usual is None:
            a = "an" if kind.startswith(("a", "e", "i", "o", "u")) else "a"
            on = f" on {quoted(there.on, _LONGEST)}" if there.on and not name.startswith(f"of {there.on} ") else ""
            yield Fault(f"has {a} {kind} {quoted(name, _LONGEST)}{on}, which no store has", declared=True)
        elif there != usual:
            yield Fault(f"the {kind} {name} is not declared as it should be", declared=True)


def check_declared(place: str, expected: Declared, found: Declared) -> None:
    """Refuse to write where something is declared otherwise.

    A table of somebody else's changes nothing that a store writes or reads: only the audit names it.
    """
    ours = {what: thing for what, thing in found.items() if not _is_beside(what, thing, expected)}
    for fault in differences(expected, ours):
        raise AlteredSchema(f"{place}: {fault.said}: {_WHAT_TO_DO}")


def kept_out(place: str, expected: Declared, found: Declared) -> StoreGone:
    """What is said of entries that the database did not insert: most often a trigger has kept them out."""
    triggers = [fault.said for fault in differences(expected, found) if "trigger" in fault.said or "rule" in fault.said]
    return StoreGone(f"{place}: {(triggers or ['the database inserts no entries'])[0]}: nothing was written")


def _is_beside(what: tuple[str, str], thing: Thing, expected: Declared) -> bool:
    """Whether it is a table that no store has, or belongs to one."""
    kind, name = what
    table = thing.on or (name.partition(".")[0] if kind == "column" else name if kind == "table" else "")
    return bool(table) and ("table", table) not in expected
