"""Floors as a person names them: by file or by folder, wherever a command needs their store and their key."""

import shutil
from contextlib import closing
from pathlib import Path

from tests.cli.shell import punto
from tests.cli.test_keys import made
from tests.floor.floors import START_MS, House

from punto.floor import Keys
from punto.floor.sequencer import Sequencer
from punto.store import SqliteStore
from punto.store.backup import back_up


def test_commands_find_the_key_of_a_floor_by_its_file_its_folder_and_its_store(tmp_path: Path) -> None:
    home = made(tmp_path)
    for name in ("marina/floor.toml", "marina", "marina/floor.db"):
        repaired, audited, migrated = (punto(command, name, cwd=home) for command in ("repair", "audit", "migrate"))
        assert (repaired.status, repaired.err) == (0, "")
        assert repaired.out.startswith("marina/floor.db: ")
        assert (audited.status, audited.out.splitlines()[0]) == (0, "marina/floor.db: clean")
        assert (migrated.status, migrated.err) == (2, "punto: the store is up to date: there is nothing to migrate\n")
    assert punto("head", "marina", cwd=home).out == punto("head", "marina/floor.db", cwd=home).out
    (home / "marina" / "floor.toml").unlink()
    for command in ("repair", "migrate"):
        lost = punto(command, "marina/floor.db", cwd=home)
        assert (lost.status, lost.out, lost.err.count("\n")) == (2, "", 1)
        assert "marina/floor.db: its key is not beside it: name the floor's file" in lost.err
        assert "--key" in lost.err
    (home / "empty").mkdir()
    nothing = punto("repair", "empty", cwd=home)
    assert (nothing.status, nothing.err.count("\n"), "no floor is kept there" in nothing.err) == (2, 1, True)


def test_a_file_beside_the_store_that_is_another_floors_names_no_key(tmp_path: Path) -> None:
    home = made(tmp_path)
    file = home / "marina" / "floor.toml"
    for text in ('store = "other.db"\nkey-file = "../floor.key"\n', "store = ", 'key-file = 3\nstore = "floor.db"\n'):
        file.write_text(text)
        assert "is not beside it" in punto("repair", "marina/floor.db", cwd=home).err


def test_a_repair_and_an_audit_of_a_floor_compare_it_with_its_own_checkpoints(tmp_path: Path) -> None:
    home = made(tmp_path)
    back_up(home / "marina" / "floor.db", home / "copy.db")
    with closing(SqliteStore(home / "marina" / "floor.db")) as store:
        house = House(store, Keys.at(home / "floor.key"), ids=1_000)
        house.round("T2")
        Sequencer(house.floor.history, [home / "outside"]).checkpoint(START_MS)
    shutil.move(home / "copy.db", home / "marina" / "floor.db")
    older = punto("repair", "marina/floor.toml", cwd=home)
    assert (older.status, older.out, older.err.count("\n")) == (2, "", 1)
    assert "the store is older" in older.err
    assert punto("repair", "marina/floor.db", "--key", "floor.key", cwd=home).status == 0
    judged = punto("audit", "marina/floor.toml", cwd=home)
    assert (judged.status, "the history was cut off" in judged.out) == (1, True)
    assert punto("audit", "marina/floor.db", "--key", "floor.key", cwd=home).status == 0


def test_a_decision_about_a_demonstration_is_recorded_by_its_folder(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    keys = Keys.at(tmp_path / "kept" / "floor.key")
    with closing(SqliteStore(tmp_path / "kept" / "floor.db")) as store:
        history = House(store, keys).round_only().floor.history
        Sequencer(history, [tmp_path / "kept" / "checkpoints"]).checkpoint(START_MS)
    shutil.rmtree(tmp_path / "kept" / "checkpoints")
    done = punto("accept", "kept", "--by", "Ann Tan", "--reason", "the folder was lost", cwd=tmp_path)
    assert (done.status, done.err) == (0, "")
    assert "the decision is on record" in done.out
    audited = punto("audit", "kept", cwd=tmp_path)
    assert (audited.status, audited.out.splitlines()[0]) == (0, "kept/floor.db: clean")
    assert "Ann Tan decided to go on" in " ".join(audited.out.split())
    refused = punto("accept", str(tmp_path), "--by", "Ann", "--reason", "why", cwd=tmp_path)
    assert (refused.status, refused.err.count("\n")) == (2, 1)
