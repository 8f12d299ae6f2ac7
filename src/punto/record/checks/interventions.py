"""What people did to the store itself, beside play: decisions, repairs, rotations of the key and migrations.

None of it is wrong. An auditor must see it all the same: who did it, when, why, and what was given up.
"""

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final

from msgspec import Struct

from punto.errors import named
from punto.proof.migrations import Migration
from punto.proof.pins import DECISIONS
from punto.proof.rotations import KEYS, Rotation
from punto.record.checks.written import Decision
from punto.store.contract import Entry

_SHORT: Final = 16


class InterventionKind(Enum):
    """The kinds of interventions."""

    # `punto accept`: the floor went on without what was kept outside.
    ACCEPTED = "accept"
    # `punto repair --set-aside`: what nobody had signed left the store.
    REPAIRED = "repair"
    ROTATED = "rotation"
    MIGRATED = "migration"


class Intervention(Struct, frozen=True):
    """Something that a person did to the store: *what* says it in words, *version* is its entry in its stream.

    *aside* has the first and the last entry of each stream that a repair moved into a file, *rows* how many rows of it,
    and *file* the SHA-256 of that file.
    """

    kind: InterventionKind
    at_ms: int
    by: str
    reason: str
    what: str
    stream: str
    version: int
    aside: dict[str, tuple[int, int]] = {}
    file: str = ""
    rows: dict[str, int] = {}


def of_decision(entry: Entry, said: Decision) -> Intervention:
    """What somebody decided about the store."""
    if said.aside:
        # Decisions of before say only the first and the last.
        rows = said.rows or {stream: last - first + 1 for stream, (first, last) in said.aside.items()}
        count = sum(rows.values())
        entries = f"{count:,} {'entry' if count == 1 else 'entries'}"
        streams = ", ".join(map(named, sorted(said.aside)))
        what = f"set aside {entries} of {streams}, which nobody had signed, in the file with SHA-256 {said.file}"
        kind = InterventionKind.REPAIRED
    else:
        heads = sum(max(0, tip.version - 1) for tip in said.writers.values())
        kept = f" with the {heads:,} heads in the store" if said.writers else ""
        what = f"decided to go on{kept}; outside there was {said.outside}"
        kind = InterventionKind.ACCEPTED
    return Intervention(
        kind, said.at_ms, said.by, said.reason, what, DECISIONS, entry.version, said.aside, said.file, said.rows
    )


def of_migration(entry: Entry, said: Migration) -> Intervention:
    """A store of an older Punto was signed over."""
    what = f"signed over a store of Punto 0.4 or earlier: {said.old_heads:,} old heads, {len(said.commands):,} streams"
    return Intervention(InterventionKind.MIGRATED, said.at_ms, said.by, "", what, entry.stream, entry.version)


def of_rotations(rotations: Iterable[Rotation]) -> Iterator[Intervention]:
    """Rotations of the floor's key, each of which leads to the key of today."""
    for each in rotations:
        what = f"rotated the floor's key from {each.old[:_SHORT]}… to {each.new[:_SHORT]}…"
        yield Intervention(InterventionKind.ROTATED, each.at_ms, each.by, "", what, KEYS, each.number)
