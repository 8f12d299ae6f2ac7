"""A fault's run: the tests linked to its clauses, in a process of its own in which the fault is planted.

The processes are forked from one that has imported pytest and nothing of `punto`, so each imports the product anew.
"""

import signal
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

import pytest

from tests.clause_faults.fault import Fault
from tests.marks import ROOT

# What a test says that has noticed something. Anything else is an accident of the planted text, and proves nothing.
NOTICED: Final = frozenset({"AssertionError", "Failed", "TimeoutError"})
# What every process needs and the product does not change.
WARM: Final = ["pytest", "hypothesis", "msgspec", "psycopg", "cryptography.fernet", "tests.clause_faults.running"]
_PLUGINS: Final = ["-p", "no:terminal", "-p", "no:cacheprovider"]
# Of processor time, so that a busy machine does not fail a test.
_LONGEST_S: Final = 300
_ENDS: Final = frozenset({pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED})

Links = Mapping[str, Collection[str]]


@dataclass(frozen=True, slots=True)
class Failure:
    """A test that failed, and how: the type of what it raised, and the first line of what that said."""

    test: str
    raised: str
    said: str

    @property
    def noticed(self) -> bool:
        """Whether the test noticed a wrong, and did not merely break down; refusals of the product count."""
        refused = self.raised.startswith("punto.errors.") and not self.raised.endswith(".BadScenario")
        return self.raised in NOTICED or refused


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a fault: by clause the test that caught it, and what failed by accident."""

    fault: Fault
    caught: Mapping[str, Failure]
    accidents: tuple[Failure, ...]

    @property
    def survived(self) -> tuple[str, ...]:
        """The clauses whose own tests did not notice."""
        return tuple(clause for clause in self.fault.clauses if clause not in self.caught)


def run_all(faults: Collection[Fault], links: Links, processes: int) -> Iterator[Verdict]:
    """Run every fault, and say what became of each as soon as it is known."""
    context = get_context("forkserver")
    context.set_forkserver_preload(WARM)
    with ProcessPoolExecutor(processes, mp_context=context, max_tasks_per_child=1) as pool:
        wanted = {
            pool.submit(run, fault, {clause: tuple(links.get(clause, ())) for clause in fault.clauses}): fault
            for fault in faults
        }
        for done in as_completed(wanted):
            caught, accidents = done.result()
            yield Verdict(wanted[done], caught, accidents)


def run(fault: Fault, links: Links) -> tuple[dict[str, Failure], tuple[Failure, ...]]:
    """Plant one fault here and run the linked tests, until each clause has one that noticed."""
    signal.signal(signal.SIGVTALRM, _too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, _LONGEST_S)
    fault.place.plant()
    watcher = _Watcher(links)
    files = sorted({test.split("::")[0] for tests in links.values() for test in tests})
    status = pytest.main([*_PLUGINS, *(str(ROOT / file) for file in files)], plugins=[watcher])
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    if status not in _ENDS:
        return {}, (Failure(", ".join(files), "pytest", f"did not run: {status}"),)
    return watcher.caught, tuple(watcher.accidents)


def _too_long(_: int, __: FrameType | None) -> NoReturn:
    raise TimeoutError("the test did not end")


class _Watcher:
    """Selects the linked tests, and stops once every clause has one that noticed."""

    def __init__(self, links: Links) -> None:
        self.links = links
        self.caught: dict[str, Failure] = {}
        self.accidents: list[Failure] = []
        self._raised: dict[str, str] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep what is linked, the scenarios last: they take longest."""
        linked = {test for tests in self.links.values() for test in tests}
        items[:] = sorted((item for item in items if item.nodeid in linked), key=_is_scenario)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A test that cannot even be collected proves nothing."""
        if report.failed:
            self.accidents.append(Failure(report.nodeid, "collection", str(report.longrepr)[-300:]))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
        """Note what a test raised, and under which clauses that counts."""
        yield
        if call.excinfo is None:
            return
        raised = _full_name(call.excinfo.type)
        failure = Failure(item.nodeid, raised, str(call.excinfo.value).strip().partition("\n")[0][:200])
        if not failure.noticed:
            self.accidents.append(failure)
            return
        for clause, tests in self.links.items():
            if item.nodeid in tests:
                self.caught.setdefault(clause, failure)
        if len(self.caught) == len(self.links):
            item.session.shouldstop = "every clause has a test that noticed"


def _is_scenario(item: pytest.Item) -> bool:
    return Path(item.path).name == "test_scenarios.py"


def _full_name(kind: type[BaseException]) -> str:
    """The name of an error, with its module unless that is Python's or pytest's own."""
    return (
        kind.__name__ if kind.__module__ in {"builtins", "_pytest.outcomes"} else f"{kind.__module__}.{kind.__name__}"
    )
