"""`punto claims`: the claims of a store, signed ones only, for a person and for a program."""

import asyncio
import json
from pathlib import Path

import pytest
from tests.cli.shell import punto
from tests.record.test_claims import live

from punto.floor import Keys
from punto.store import SqliteStore


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with claims: one rejected, one withdrawn, one upheld late, one open."""
    folder = tmp_path_factory.mktemp("claims")
    store = SqliteStore(folder / "floor.db")
    asyncio.run(live(store, Keys.at(folder / "floor.db.key")))
    store.close()
    return folder


def test_the_claims_of_a_store_are_listed_with_what_became_of_them(folder: Path) -> None:
    told = json.loads(punto("claims", "floor.db", "--json", cwd=folder).out)["claims"]
    assert [(each["claim"], each["round"], each["outcome"], each["by"]) for each in told] == [
        (1, 1, "rejected", "sue"),
        (2, 3, "withdrawn", ""),
        (3, 5, "upheld", "sue"),
        (4, 2, "open", ""),
    ]
    assert {each["patron"] for each in told} == {"terminal-7"}
    said = punto("claims", "floor.db", cwd=folder, COLUMNS="200")
    assert "upheld by sue, late" in said.out
    assert "no tie" not in said.out
    [line] = punto("claims", "floor.db", "--open", cwd=folder, COLUMNS="200").out.splitlines()[1:]
    assert line.split()[:5] == ["4", "T1", "2", "terminal-7", "payment"]
    assert line.endswith("overdue")


def test_an_audit_says_how_many_claims_there_are_and_how_many_were_answered_late(folder: Path) -> None:
    assert "claims: 4, answered late: 1, open: 1" in punto("audit", "floor.db", cwd=folder, COLUMNS="200").out


def test_a_store_without_claims_says_so(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "empty.db").close()
    assert punto("claims", "empty.db", cwd=tmp_path).out == "empty.db: no claims\n"
    assert punto("claims", "empty.db", "--open", cwd=tmp_path).out == "empty.db: no open claims\n"
    assert punto("claims", "none.db", cwd=tmp_path).status == 2
