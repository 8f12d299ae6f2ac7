"""What a test proves: clauses of the rulebooks, readings of the register; and which of a family the gate runs."""

import csv
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parent.parent
RULES: Final = ROOT / "docs" / "rules"

with (RULES / "clauses.csv").open() as _file:
    _ROWS: Final = {f"{row['rulebook']} {row['clause']}": row for row in csv.DictReader(_file)}

# Every clause by its name, as in "EB4 4.2", with how Punto answers to it: enforced, attested, or no behaviour; and why.
CLAUSES: Final = {name: row["answer"] for name, row in _ROWS.items()}
REASONS: Final = {name: row["reason"] for name, row in _ROWS.items()}
ANSWERS: Final = ("enforced", "attested", "no behaviour")


# A game of each kind: margins, pairs of any rank, another deck with suits that matter, a card that is always there.
KINDS: Final = ("fortune-six", "tiger", "fa-fa-fabulous-4", "7-up")


def by_day(family: Iterable[Any], kept: Collection[Any]) -> list[Any]:
    """Parameters of one family: the gate runs those *kept*, which stand for the others, and the night runs all."""
    members = list(family)
    unknown = [each for each in kept if each not in members]
    assert not unknown, f"not in the family: {unknown}"
    night = pytest.mark.nightly
    wrapped = [member if isinstance(member, tuple) else (member,) for member in members]
    return [
        pytest.param(*values, marks=() if member in kept else night)
        for member, values in zip(members, wrapped, strict=True)
    ]


def clause(*names: str) -> pytest.MarkDecorator:
    """Mark a test as the proof of clauses."""
    unknown = [name for name in names if name not in CLAUSES]
    assert not unknown, f"no such clause: {unknown}"
    return pytest.mark.clause(*names)


def interpretation(*numbers: int) -> pytest.MarkDecorator:
    """Mark a test as the proof of readings in docs/interpretations.md."""
    return pytest.mark.interpretation(*numbers)
