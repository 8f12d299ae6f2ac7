"""The table of faults is complete and fits the code; a handful are planted, and one that changes nothing is told."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.clause_faults.derived import derived_faults
from tests.clause_faults.fault import Edit
from tests.clause_faults.table import WRITTEN, all_faults, unplantable, without_fault, written_faults
from tests.marks import CLAUSES, ROOT

# One that breaks what the clause says, one that changes a sentence only, and one that breaks the code.
THREE = """
[[fault]]
clauses = "EB4 1.1.12"
wrong = "a push counts as a win"
file = "rules/pay.py"
old = "return Result.WIN if self.pay.odds.won else Result.PUSH"
new = "return Result.WIN"

[[fault]]
clauses = "EB4 1.1.12"
wrong = "nothing but a sentence"
file = "rules/pay.py"
old = "Win, lose or push."
new = "Won, lost or pushed."

[[fault]]
clauses = "EB4 1.1.12"
wrong = "a name that is not there"
file = "rules/pay.py"
old = "return Result.WIN if self.pay.odds.won else Result.PUSH"
new = "return Result.WIN if self.pay.odds.won else Result.PUSHED"
"""


def planted(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.clause_faults", "--processes", "2", *arguments]
    return subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)


def test_every_clause_with_behaviour_has_a_fault_or_a_reason_for_having_none() -> None:
    assert without_fault() == []


def test_no_clause_has_both_a_fault_and_a_reason_for_having_none() -> None:
    broken = {name for fault in all_faults() for name in fault.clauses}
    assert broken <= set(CLAUSES)
    assert broken.isdisjoint(unplantable())
    assert all(unplantable().values())


def test_every_fault_written_by_hand_fits_the_code_as_it_is() -> None:
    edits = [fault.place for fault in written_faults(WRITTEN) if isinstance(fault.place, Edit)]
    assert len(edits) > 100
    for edit in edits:
        assert edit.found == 1, f"{edit.file}: expected once, came {edit.found} times: {edit.old}"
        assert edit.old != edit.new
        compile(edit.path.read_text().replace(edit.old, edit.new), edit.file, "exec")


def test_derived_faults_are_told_apart() -> None:
    places = [fault.place for fault in derived_faults()]
    assert len(set(places)) == len(places)


@pytest.mark.nightly
def test_what_breaks_a_clause_is_caught_and_what_changes_nothing_or_breaks_the_code_survives(tmp_path: Path) -> None:
    file = tmp_path / "three.toml"
    file.write_text(THREE)
    done = planted("--faults", file, "EB4 1.1.12")
    assert done.returncode == 1, done.stderr
    caught, _, rest = done.stdout.partition("\nSurvivors: 2\n")
    assert caught.startswith("EB4 1.1.12     a push counts as a win | tests/rules/test_pay.py::")
    broken, unnoticed = rest.splitlines()[:2]
    assert broken.startswith("EB4 1.1.12     a name that is not there | broke down: tests/rules/test_pay.py::")
    assert "AttributeError" in broken
    assert unnoticed == "EB4 1.1.12     nothing but a sentence"


@pytest.mark.nightly
def test_faults_of_every_kind_are_caught_by_the_tests_of_their_clauses() -> None:
    # In the code, in a game's declaration, and in a rulebook's conduct.
    done = planted("B8 5.16", "E7U 3.5.1", "FF2 5.3")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "3 clauses, 3 with behaviour; the tests of 3 caught their faults." in done.stdout
