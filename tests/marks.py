"""What a test proves: clauses of the rulebooks, and entries of the register of interpretations."""

import csv
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent
RULES: Final = ROOT / "docs" / "rules"

with (RULES / "clauses.csv").open() as _file:
    _ROWS: Final = {f"{row['rulebook']} {row['clause']}": row for row in csv.DictReader(_file)}

# Every clause by its name, as in "EB4 4.2", with how Punto answers to it: enforced, attested, or no behaviour; and why.
CLAUSES: Final = {name: row["answer"] for name, row in _ROWS.items()}
REASONS: Final = {name: row["reason"] for name, row in _ROWS.items()}
ANSWERS: Final = ("enforced", "attested", "no behaviour")


def clause(*names: str) -> pytest.MarkDecorator:
    """Mark a test as the proof of clauses."""
    unknown = [name for name in names if name not in CLAUSES]
    assert not unknown, f"no such clause: {unknown}"
    return pytest.mark.clause(*names)


def interpretation(*numbers: int) -> pytest.MarkDecorator:
    """Mark a test as the proof of readings in docs/interpretations.md."""
    return pytest.mark.interpretation(*numbers)
