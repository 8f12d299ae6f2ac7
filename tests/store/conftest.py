"""Places for stores; the server of PostgreSQL is started once in each process that runs tests."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.places import Place, drop_schemas, files_in, schemas_in
from tests.store.server import Server


@pytest.fixture(scope="session")
def database_url() -> Iterator[str]:
    """A database that takes schemas: that of DATABASE_URL, or one of our own."""
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
