"""Public test programs: their answers are read, and what is missing is said."""

from pathlib import Path

import pytest

from punto.cli.evidence.programs import dieharder, ent

DIEHARDER = """#!/bin/sh
if [ "$1" = -l ]; then echo "# dieharder version 3.31.1 Copyright"; exit; fi
case "$*" in
  *"-d 100 "*) echo "# The file file_input_raw was rewound 1 times"; echo "sts_monobit,0.5";;
  *"-d 101 "*) echo "no such test";;
  *) echo "         some_test,0.00012345";;
esac
"""
ENT = """#!/bin/sh
echo 0,File-bytes,Entropy,Chi-square,Mean,Monte-Carlo-Pi,Serial-Correlation
echo 1,1000000,7.99,293.2478,127.5,3.14,0.001959964
"""


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    """More than a million words of bits."""
    path = tmp_path / "bits"
    path.write_bytes(bytes(6_500_000))
    return path


def installed(folder: Path, name: str, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have one program on the path, and the shell's own."""
    (folder / name).write_text(script)
    (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/bin:/usr/bin")


def test_dieharder_is_read_line_by_line(stream: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, "dieharder", DIEHARDER, monkeypatch)
    run = dieharder(stream)
    assert (run.program, run.version) == ("dieharder", "3.31.1")
    assert {(row.test, row.p) for row in run.rows} == {("some_test", 0.00012345)}
    assert len(run.rows) == 5
    assert all(row.bytes <= 6_500_000 for row in run.rows)
    assert run.not_run == [
        "dieharder -d 100: no answer that can be read",
        "dieharder -d 101: no answer that can be read",
    ]


def test_a_test_for_which_there_are_too_few_bits_is_not_run(
    stream: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path, "dieharder", DIEHARDER, monkeypatch)
    stream.write_bytes(bytes(799_999))
    run = dieharder(stream)
    assert [row.options for row in run.rows] == ["-d 3 -t 3000 -p 11"]
    assert run.not_run[1] == "dieharder -d 100: too few shoes for its 800,000 bytes"


def test_the_p_of_ent_are_worked_out_from_its_figures(
    stream: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The 95 % quantile of chi-square with 255 degrees of freedom, and 1.96 deviations of a correlation."""
    installed(tmp_path, "ent", ENT, monkeypatch)
    square, correlation = ent(stream).rows
    assert (square.bytes, correlation.bytes) == (1_000_000, 1_000_000)
    assert square.p == pytest.approx(0.1, rel=1e-3)
    assert correlation.p == pytest.approx(0.05, rel=1e-3)


def test_an_answer_that_cannot_be_read_is_said(stream: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, "ent", "#!/bin/sh\necho what?\n", monkeypatch)
    assert ent(stream).not_run == ["ent: no answer that can be read"]


def test_a_program_that_is_not_installed_is_not_run(stream: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    for run in (dieharder(stream), ent(stream)):
        assert run.rows == []
        assert run.not_run == [f"{run.program} is not installed: it was not run"]
