"""What a test proves: clauses of the rulebooks, and entries of the register of interpretations."""

import csv
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent
RULES: Final = ROOT / "docs" / "rules"

with (RULES / "clauses.csv").open() as _file:
    # Every clause by its name, as in "EB4 4.2", with the part of Punto that answers to it.
    CLAUSES: Final = {f"{row['rulebook']} {row['clause']}": row["part"] for row in csv.DictReader(_file)}


def clause(*names: str) -> pytest.MarkDecorator:
    """Mark a test as the proof of clauses."""
    unknown = [name for name in names if name not in CLAUSES]
    assert not unknown, f"no such clause: {unknown}"
    return pytest.mark.clause(*names)


def interpretation(*numbers: int) -> pytest.MarkDecorator:
    """Mark a test as the proof of readings in docs/interpretations.md."""
    return pytest.mark.interpretation(*numbers)
