"""Floors as a person names them: by file or by folder, wherever a command needs their store and their key."""

import json
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


def test_an_audit_of_a_floor_finds_lost_play_and_lost_tails_in_any_of_its_folders(tmp_path: Path) -> None:
    home = made(tmp_path)
    file = home / "marina" / "floor.toml"
    file.write_text(file.read_text().replace('["../outside"]', '["../outside", "../second"]'))
    folders = [home / "outside", home / "second"]
    with closing(SqliteStore(home / "marina" / "floor.db")) as store:
        house = House(store, Keys.at(home / "floor.key"), ids=1_000)
        sequencer = Sequencer(house.floor.history, folders)
        sequencer.begin()
        house.round("T2")
        sequencer.checkpoint(START_MS)
        back_up(home / "marina" / "floor.db", home / "copy.db")
        house.round("T2")  # of which only the tails tell
    whole = punto("audit", "marina/floor.toml", cwd=home)
    assert (whole.status, whole.out.splitlines()[0]) == (0, "marina/floor.db: clean")
    shutil.copy(home / "copy.db", home / "marina" / "floor.db")
    shutil.move(folders[0], home / "away")  # the first folder is the empty one
    folders[0].mkdir()
    refused = punto("repair", "marina/floor.toml", cwd=home)
    for arguments in ([], ["--public", Keys.at(home / "floor.key").public]):
        judged = punto("audit", "marina/floor.toml", *arguments, cwd=home)
        assert (judged.status, judged.out.count("(outside-head)")) == (1, 1)
        assert "checkpoint outside: " in judged.out
        assert "the store has lost acknowledged play" in " ".join(judged.out.split())
    assert "the store has lost acknowledged play" in refused.err
    [found] = json.loads(punto("audit", "marina/floor.toml", "--json", cwd=home).out)["findings"]
    assert refused.err == f"punto: {found['said']}\n"
    for tail in folders[1].glob("tail*"):
        tail.unlink()
    lost = json.loads(punto("audit", "marina/floor.toml", "--json", cwd=home).out)
    assert [(each["code"], "so nothing outside shows" in each["said"]) for each in lost["findings"]] == [
        ("outside-head", True)
    ]
    assert punto("audit", "marina/floor.db", cwd=home).status == 0  # whoever names no folders has the store alone


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
