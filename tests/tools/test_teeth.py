"""The faults that `make teeth` plants can be planted: a line that moves takes its fault along."""

from collections import Counter
from pathlib import Path

import pytest
from tools.teeth import ROOT, BrokeDown, Fault, main, read_faults, run, stale

MANY = 40
ROOMS = {
    "cards",
    "rules",
    "games",
    "roads",
    "table",
    "ledger",
    "lab",
    "store",
    "proof",
    "record",
    "floor",
    "server",
    "cli",
    "pages",
}


def test_every_fault_can_be_planted() -> None:
    assert [f"{fault.name}: {why}" for fault in read_faults() if (why := stale(fault))] == []


def test_no_two_faults_have_one_name() -> None:
    assert [name for name, times in Counter(fault.name for fault in read_faults()).items() if times > 1] == []


def test_there_are_many_faults_and_every_room_has_some() -> None:
    faults = read_faults()
    assert len(faults) >= MANY
    assert {fault.room for fault in faults} >= ROOMS


def test_a_name_that_no_fault_has_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nope"]) == 2
    assert capsys.readouterr().err == "No fault of tests/teeth.toml has 'nope' in its name or room.\n"


def test_a_fault_that_cannot_be_planted_says_why() -> None:
    sound = read_faults()[0]
    assert "is gone" in stale(sound._replace(file="src/punto/cards/no_such_file.py"))
    assert "stands 0 times" in stale(sound._replace(old="no line of Punto reads like this"))
    assert "there is no tests/no_such_test.py" in stale(sound._replace(tests=("tests/no_such_test.py::test_it",)))
    assert stale(Fault(*sound)) == ""


@pytest.mark.nightly
def test_a_test_that_falls_is_named_and_one_that_cannot_run_says_nothing_of_a_fault(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text('from hypothesis import settings\nsettings.register_profile("unshrunk")\n')
    (tmp_path / "test_sound.py").write_text("def test_sound(): pass\n")
    (tmp_path / "test_fallen.py").write_text("def test_fallen(): assert not 1\n")
    (tmp_path / "test_broken.py").write_text("import no_such_module\n")
    assert run(tmp_path, ["test_sound.py"]) == (False, "")
    assert run(tmp_path, ["test_fallen.py"]) == (True, "test_fallen.py::test_fallen")
    for broken in ("test_broken.py", "no_such_test.py"):
        with pytest.raises(BrokeDown):
            run(tmp_path, [broken])


def test_a_test_of_the_night_catches_no_fault_even_where_it_is_named() -> None:
    with pytest.raises(BrokeDown):
        run(ROOT, ["tests/smoke/test_smoke.py::test_a_shoe_is_verified"])
