"""Coverage traces only the tests that reach the rooms it is asked of: tracing doubles what a test costs."""

from collections.abc import Iterator
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
    """Pauses coverage around every test that is not traced, its fixtures included."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Stop the second collector that pytest-cov starts in each worker: pausing the first does not pause it."""
        coverage = _controller(session.config)
        if coverage and hasattr(session.config, "workerinput"):
            coverage.cov.stop()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Run a test, traced or not."""
        coverage = None if is_traced(item.nodeid) else _controller(item.config)
        if coverage:
            coverage.pause()
        yield
        if coverage:
            coverage.resume()


def _controller(config: pytest.Config) -> Any:  # noqa: ANN401 (pytest-cov has no types)
    plugin = config.pluginmanager.getplugin("_cov")
    return plugin and plugin.cov_controller
