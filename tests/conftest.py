"""How Hypothesis runs, what only the night runs, a cold start, and a server of PostgreSQL.

The examples are the same every time in `make test`. `make nightly` tries many fresh ones, from a seed that it prints.
"""

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, Phase, settings

from punto.games import GAMES
from tests import times
from tests.store.places import Place, drop_schemas, files_in, schemas_in
from tests.store.server import Server
from tests.tracing import Tracing
from tests.width import BY_DAY, NIGHTLY, SEED

settings.register_profile("gate", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("nightly", parent=settings.get_profile("gate"), derandomize=False, max_examples=1_000)
# Where only the fall of a test counts, nobody waits for the smallest example.
settings.register_profile("unshrunk", parent=settings.get_profile("gate"), phases=tuple(set(Phase) - {Phase.shrink}))
settings.load_profile("nightly" if NIGHTLY else "gate")
# Until all tests are collected, everything that is made stays: there is no garbage to look for.
gc.disable()


def pytest_configure(config: pytest.Config) -> None:
    """Seed Hypothesis in every worker alike, unless the command line has a seed of its own."""
    if NIGHTLY and config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = SEED
    times.register(config)
    config.pluginmanager.register(Tracing())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The seed by which a night can be repeated, also where only the end of a run is shown."""
    if NIGHTLY:
        terminalreporter.write_line(f"Full width: PUNTO_SEED={SEED} repeats this run")


# Games whose figures are worked out as those of another are. In the lab and on the command line, what is tried with
# every game is tried with these at night.
_LIKE_OTHERS: Final = frozenset(("super-six", "super-6", "no-commission", "tiger-no-commission", "fabulous-4s"))
_OF_FIGURES: Final = ("tests/lab/", "tests/cli/test_simulate", "tests/cli/test_session", "tests/cli/test_odds")


def _is_of_the_night(item: pytest.Item) -> bool:
    if item.get_closest_marker("nightly"):
        return True
    case = getattr(item, "callspec", None)
    return bool(
        case and item.nodeid.startswith(_OF_FIGURES) and not _LIKE_OTHERS.isdisjoint(map(str, case.params.values()))
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave to the night what is its own; a test that is named runs at any time, unless PUNTO_NIGHTLY=0."""
    if NIGHTLY:
        return
    named = () if BY_DAY else tuple(argument for argument in config.args if "::" in argument)
    left_out = {item for item in items if _is_of_the_night(item) and not item.nodeid.startswith(named)}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


def pytest_collection_finish() -> None:
    """Look for garbage from now on, but not among the thousands of tests that were collected: they stay to the end."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _cold_games() -> None:
    """Forget what earlier runs in this process worked out: the code is to be tried, not its caches."""
    for game in GAMES.values():
        for cached in ("_settler", "_outlooks"):
            vars(game).pop(cached, None)


@pytest.fixture(scope="session")
def database_url() -> Iterator[str]:
    """A database that takes schemas: that of DATABASE_URL, or one of our own, started once in each process."""
    told = os.environ.get("DATABASE_URL")
    if told:
        yield told
        return
    server = Server()
    yield server.url
    server.close()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A place for a store, of each kind in turn."""
    match request.param:
        case "postgres":
            url = request.getfixturevalue("database_url")
            held = Place("postgres", schemas_in(url))
            yield held
            held.close()
            drop_schemas(url, held.urls)
        case kind:
            held = Place(kind, files_in(tmp_path))
            yield held
            held.close()
