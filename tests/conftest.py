"""How Hypothesis runs, a cold start, and a server of PostgreSQL.

The examples are the same every time; HYPOTHESIS_PROFILE=wide tries many fresh ones.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from punto.games import GAMES
from tests.store.places import Place, drop_schemas, files_in, schemas_in
from tests.store.server import Server

settings.register_profile("punto", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("wide", parent=settings.get_profile("punto"), derandomize=False, max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "punto"))


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
