"""The run of the browser tests: what it retries and prints, and that it judges every floor, once."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from punto.floor import Floor, Keys
from punto.store import Entry, open_store
from tools import browser_tests

Runs = list[tuple[int, list[str]]]
Spoil = Callable[[Path], object]


def leave_floor(floors: Path) -> Path:
    """A floor that was visited and stopped in order."""
    folder = floors / "served-gw0-1"
    folder.mkdir()
    store = open_store(f"sqlite:{folder / 'floor.db'}")
    Floor(store, Keys.at(folder / "floor.key"))
    store.close()
    (folder / "log").write_text("The floor is open at http://127.0.0.1:1\n")
    (folder / "status").write_text("0")
    (folder / "tests").write_text("test_a\n")
    return folder


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., int]:
    """Runs tests that end as they are told to, on a floor that is left behind as it is told to."""
    monkeypatch.setattr(browser_tests, "KEPT", tmp_path / "kept" / "retried.txt")

    def run(runs: Runs, spoil: Spoil | None = lambda _: None) -> int:
        left = list(runs)

        def run_tests(_: Sequence[str], floors: Path, __: Path) -> tuple[int, list[str]]:
            if spoil and len(left) == len(runs):
                spoil(leave_floor(floors))
            return left.pop(0)

        monkeypatch.setattr(browser_tests, "run_tests", run_tests)
        status = browser_tests.main([])
        assert not left
        return status

    return run


def test_a_run_in_which_nothing_fails_passes_and_keeps_nothing(run: Callable[..., int]) -> None:
    assert run([(0, [])]) == 0
    assert not browser_tests.KEPT.exists()


def test_what_fails_once_is_listed_and_kept(run: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([(1, ["a", "b"]), (0, [])]) == 0
    assert "Retried, alone:\n  passed a\n  passed b\n" in capsys.readouterr().out
    assert [line.split(maxsplit=1)[1] for line in browser_tests.KEPT.read_text().splitlines()] == [
        "passed a",
        "passed b",
    ]


def test_what_fails_twice_fails_the_run(run: Callable[..., int]) -> None:
    assert run([(1, ["a"]), (1, ["a"])]) == 1
    assert browser_tests.KEPT.read_text().endswith("failed a\n")


def test_each_test_that_is_tried_again_is_kept_with_its_own_end(run: Callable[..., int]) -> None:
    assert run([(1, ["a", "b"]), (1, ["b"])]) == 1
    assert [line.split(maxsplit=1)[1] for line in browser_tests.KEPT.read_text().splitlines()] == [
        "passed a",
        "failed b",
    ]


def test_tests_whose_second_run_breaks_down_have_not_passed(run: Callable[..., int]) -> None:
    assert run([(1, ["a"]), (3, [])]) == 1
    assert browser_tests.KEPT.read_text().endswith("failed a\n")


@pytest.mark.parametrize("ended", [(1, ["a", "b", "c"]), (2, []), (5, [])])
def test_more_than_two_failures_and_other_trouble_are_not_tried_again(
    run: Callable[..., int], ended: tuple[int, list[str]]
) -> None:
    assert run([ended]) == 1


def forge_entry(floor: Path) -> None:
    """Write what nobody has signed."""
    store = open_store(f"sqlite:{floor / 'floor.db'}")
    store.append([Entry("wallet/ann", 1, None, b"{}", b"no head")], {})
    store.close()


def logged(line: str) -> Spoil:
    """Log one more line."""

    def spoil(floor: Path) -> None:
        with (floor / "log").open("a") as log:
            log.write(f"{line}\n")

    return spoil


SPOILT: dict[str, Spoil] = {
    "its log reports trouble:\nTraceback (m": logged("Traceback (most recent call last):"),
    "its log reports trouble:\n{": logged(
        '{"error": "ZeroDivisionError()", "event": "the lab failed", "level": "error"}'
    ),
    "its log reports trouble:\nsys:1: Runt": logged("sys:1: RuntimeWarning: coroutine 'go' was never awaited"),
    "it was never stopped": lambda floor: (floor / "status").unlink(),
    "it ended with status -9": lambda floor: (floor / "status").write_text("-9"),
    "it left no floor.db": lambda floor: (floor / "floor.db").unlink(),
    "the audit finds": forge_entry,
}


@pytest.mark.parametrize("fault", SPOILT)
def test_a_fault_of_a_floor_fails_the_run_though_every_test_passes_at_last(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str], fault: str
) -> None:
    assert run([(1, ["a"]), (0, [])], SPOILT[fault]) == 1
    assert fault in capsys.readouterr().out


def test_a_run_that_left_no_floor_to_judge_fails(run: Callable[..., int]) -> None:
    assert run([(0, [])], None) == 1


SCRATCH = """
import os
from pathlib import Path


def test_that_passes() -> None:
    Path(os.environ["PUNTO_FLOORS"], "visited").touch()


def test_that_fails() -> None:
    raise AssertionError
"""


@pytest.mark.parametrize(
    ("name", "ended"),
    [("passes", (0, [])), ("", (1, ["test_that_fails"])), ("nowhere", (5, []))],
)
def test_pytest_itself_says_which_tests_failed(tmp_path: Path, name: str, ended: tuple[int, list[str]]) -> None:
    (tmp_path / "test_scratch.py").write_text(SCRATCH)
    arguments = ["-n", "0", "-k", name, "-p", "no:hypothesispytest", str(tmp_path / "test_scratch.py")]
    status, failed = browser_tests.run_tests(arguments, tmp_path, tmp_path / "cache")
    assert (status, [test.rpartition("::")[2] for test in failed]) == ended
    assert (tmp_path / "visited").exists() == (name in ("passes", ""))
