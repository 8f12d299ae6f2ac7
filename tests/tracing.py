"""Coverage traces only the tests that reach the rooms it is asked of: tracing doubles what a test costs."""

from collections.abc import Iterable, Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, Final

import pytest

_ROOMS: Final = ("cards", "rules", "games", "roads", "table", "ledger")
_TRACED: Final = (
    *(f"tests/{room}/" for room in _ROOMS),
    *(f"src/punto/{room}/" for room in _ROOMS),
    "tests/test_errors.py",
    "tests/proof/test_merkle.py",
    "tests/proof/test_notes.py",
    "src/punto/proof/",
    "tests/floor/test_scenario",
    "tests/floor/test_handler.py",
)
# Searches that go again and again where other tests have been.
_SEARCHES: Final = ("tests/games/test_mutants.py", "tests/games/test_oracle.py", "tests/games/test_conformance.py")


def is_traced(test: str) -> bool:
    """Whether coverage counts what a test reaches."""
    return test.startswith(_TRACED) and not test.startswith(_SEARCHES)


class Tracing:
    """Has coverage trace the import of its rooms and the tests of these, fixtures included, and nothing else."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Stop the second collector that pytest-cov starts in each worker: pausing the first does not pause it."""
        coverage = _controller(session.config)
        if coverage and hasattr(session.config, "workerinput"):
            coverage.cov.stop()

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Pause coverage: to collect all tests takes twice as long where it is traced."""
        coverage = _controller(session.config)
        if coverage:
            _import(coverage.cov.config.source_pkgs)
            coverage.pause()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Run a test, traced or not."""
        coverage = _controller(item.config) if is_traced(item.nodeid) else None
        if coverage:
            coverage.resume()
        yield
        if coverage:
            coverage.pause()


def _import(rooms: Iterable[str]) -> None:
    """Import all modules of some rooms; what they declare is run once, and so is traced now or never."""
    for name in rooms:
        room = import_module(name)
        for found in walk_packages(getattr(room, "__path__", ()), f"{name}."):
            import_module(found.name)


def _controller(config: pytest.Config) -> Any:  # noqa: ANN401 (pytest-cov has no types)
    plugin = config.pluginmanager.getplugin("_cov")
    return plugin and plugin.cov_controller
