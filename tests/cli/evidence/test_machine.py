"""What the evidence says of the machine and of the code."""

import random
from hashlib import sha256
from pathlib import Path

import pytest
from tests.marks import ROOT

import punto
from punto.cli.evidence import machine as about


def test_the_digests_are_those_of_the_files() -> None:
    digests = about.this_machine().digests
    assert digests.pop("random.py (Python)") == sha256(Path(random.__file__).read_bytes()).hexdigest()
    assert {"punto/floor/shuffle.py", "punto/table/contributions.py"} < digests.keys()
    for name, digest in digests.items():
        assert sha256((ROOT / "src" / name).read_bytes()).hexdigest() == digest


def test_every_module_of_the_battery_has_its_digest() -> None:
    modules = {f"punto/lab/randomness/{path.name}" for path in (ROOT / "src/punto/lab/randomness").glob("*.py")}
    assert modules - about.this_machine().digests.keys() == {"punto/lab/randomness/__init__.py"}


def test_the_versions_are_said() -> None:
    made = about.this_machine()
    assert made.punto == punto.__version__
    assert all((made.python, made.kernel, made.openssl, made.processor, made.numpy))


def test_a_machine_is_told_of_copies_where_the_driver_has_a_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(about, "_GENERATIONS", (str(tmp_path / "none"), str(tmp_path)))
    (tmp_path / "module").symlink_to(tmp_path)
    (tmp_path / "bind").write_text("")
    assert not about.this_machine().told_of_copies
    (tmp_path / "QEMUVGID:00").symlink_to(tmp_path)
    assert about.this_machine().told_of_copies
