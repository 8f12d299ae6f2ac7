from pathlib import Path

import pytest

from punto.errors import BadStore
from punto.store import MemoryStore, SqliteStore, open_store


def test_a_store_in_memory_is_a_new_one_each_time() -> None:
    one, other = open_store("memory:"), open_store("memory:")
    assert type(one) is type(other) is MemoryStore
    assert one is not other


@pytest.mark.parametrize("address", ["sqlite:{}/floor.db", "{}/floor.db"])
def test_a_file_is_named_with_or_without_its_kind(tmp_path: Path, address: str) -> None:
    store = open_store(address.format(tmp_path))
    assert type(store) is SqliteStore
    assert store.path == tmp_path / "floor.db"
    store.close()


def test_a_path_may_be_relative_and_hold_a_colon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for address in ("floor.db", "sqlite:pit.db", "./night:1.db", "sqlite:night:2.db"):
        open_store(address).close()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["floor.db", "night:1.db", "night:2.db", "pit.db"]


@pytest.mark.parametrize(
    "address",
    ["", "sqlite:", "sqlite:///floor.db", "mysql://h/d", "memory:1", "postgresql:d", "file:floor.db", "a\0b", "a\nb"],
)
def test_anything_else_is_no_address(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadStore, match=r"names no store: expected memory:, sqlite:PATH, a path or postgresql://…$"):
        open_store(address)
    assert list(tmp_path.iterdir()) == []


def test_a_password_is_not_said_again() -> None:
    with pytest.raises(BadStore, match=r"^'db\.example/pit' names no store: "):
        open_store("mysql://floor:se@cret@db.example/pit")
