"""The gate: what runs, what a failure ends, and what is said at the end."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tools import gate

Run = Callable[..., tuple[int, list[str]]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a plan whose steps take no time, and some of which fail; its status, and the steps in their order."""
    monkeypatch.setenv("PUNTO_SEED", "7")
    monkeypatch.setenv("PUNTO_NIGHTLY", "0")

    def run(name: str, *failing: str) -> tuple[int, list[str]]:
        ran: list[str] = []

        def step(target: str, *, aloud: bool, times: Path | None = None) -> gate.Step:
            assert aloud == bool(times)
            ran.append(target)
            if times:
                with times.open("a") as file:
                    if target == "holes":
                        file.write(json.dumps({"undone": "NOBODY HAS LOOKED"}) + "\n")
                    file.write(json.dumps({"folder": f"tests/{target}", "tests": 3, "seconds": 1.5}) + "\n")
            return gate.Step(target, int(target in failing), 1.0)

        monkeypatch.setattr(gate, "run", step)
        return gate.main(name), ran

    return run


def test_checks_come_first_then_tests_and_times_by_folder_last(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    status, ran = run("test")
    assert status == 0
    assert set(ran[:7]) == {"types", "layers", "collected", "pages", "lint", "web-check", "web-test"}
    assert ran[7:] == ["tests", "browser"]
    said = capsys.readouterr().out
    assert "  tests/browser          3 tests      1.5 s\n" in said
    assert said.index("Times by folder") < said.index("Times by step") < said.index("all, by the clock")


def test_a_check_that_fails_is_told_with_all_the_others_and_no_test_begins(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    status, ran = run("test", "lint", "web-test")
    assert status == 1
    assert sorted(ran) == ["collected", "layers", "lint", "pages", "types", "web-check", "web-test"]
    assert capsys.readouterr().out.endswith("make test failed at: web-test, lint\n")


def test_tests_that_fail_end_the_gate_but_not_the_night(run: Run) -> None:
    status, ran = run("test", "tests")
    assert (status, ran[7:]) == (1, ["tests"])
    status, ran = run("nightly", "wide-tests", "teeth")
    assert status == 1
    assert ran[7:] == [
        "wide-tests", "wide-browser", "smoke", "clause-faults", "mutants", "teeth", "torture", "holes",
    ]  # fmt: skip


def test_a_night_says_how_it_is_repeated(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run("nightly")
    assert capsys.readouterr().out.startswith("PUNTO_SEED=7 make nightly repeats this night\n")


def test_a_seed_that_is_no_number_is_refused_before_anything_runs(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PUNTO_SEED", "seven")
    assert run("nightly") == (2, [])
    assert capsys.readouterr().err == "PUNTO_SEED=seven: expected a whole number\n"


def test_what_could_not_be_done_is_said_last(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    status, _ = run("nightly")
    assert status == 0
    assert capsys.readouterr().out.endswith(" s\nNOBODY HAS LOOKED\n")


def test_every_step_of_every_plan_is_a_target_of_make() -> None:
    targets = {line.partition(":")[0] for line in (gate.ROOT / "Makefile").read_text().splitlines() if ":" in line}
    for plan in gate.PLANS.values():
        steps = [*plan.then, *(target for lane in plan.lanes for target in lane)]
        assert set(steps) <= targets
