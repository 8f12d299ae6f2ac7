"""`punto migrate`, `punto backup` and `punto accept`, as a person types them."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.children import run
from tests.cli.served import free_port, serving
from tests.cli.shell import PUNTO, environment, punto
from tests.floor.attacker import Attacker
from tests.record.old_logs import LOGS, stores_of

from punto.store import SqliteStore


@pytest.fixture
def marina(tmp_path: Path) -> Path:
    """A floor of one's own, that was open once."""
    (tmp_path / "password").write_text("a password of some length\n")
    made = punto(
        *("init", "marina", "--manager", "Ann Tan", "--password-file", "password", "--games", "tiger"),
        *("--port", str(free_port())),
        cwd=tmp_path,
    )
    assert made.status == 0, made.err
    with serving("marina/floor.toml", cwd=tmp_path) as floor:
        assert floor.stop() == 0
    return tmp_path


def test_a_floor_whose_checkpoints_are_gone_opens_after_a_decision(marina: Path) -> None:
    shutil.rmtree(marina / "marina-checkpoints")
    refused = run([*PUNTO, "serve", "marina/floor.toml"], cwd=marina, capture_output=True, text=True, env=environment())
    said = [line for line in refused.stderr.splitlines() if line.startswith("punto: ")]
    assert refused.returncode == 2
    assert ["no checkpoint of this floor is there" in line and "punto accept" in line for line in said] == [True]
    assert said[0].endswith("(here: punto accept marina/floor.toml --by NAME --reason TEXT)")
    assert "Traceback" not in refused.stderr
    for missing in (["--by", "Ann"], ["--reason", "lost"], ["--by", " ", "--reason", "lost"]):
        assert punto("accept", "marina/floor.toml", *missing, cwd=marina).status == 2
    for garbled in ("Ann\nTan", "Ann\x1b[2J", "Ann\u202e"):
        for words in (["--by", garbled, "--reason", "lost"], ["--by", "Ann", "--reason", garbled]):
            told = punto("accept", "marina/floor.toml", *words, cwd=marina)
            assert (told.status, told.err.count("\n"), "without control characters" in told.err) == (2, 1, True)
    accepted = punto("accept", "marina/floor.toml", "--by", "Ann", "--reason", "the disk is gone", cwd=marina)
    assert (accepted.status, accepted.err) == (0, "")
    with serving("marina/floor.toml", cwd=marina) as floor:
        assert floor.get("/health")["status"] == "well"
        assert floor.stop() == 0
    assert punto("audit", "marina/floor.db", "--key", "marina-keys/floor.key", cwd=marina).status == 0


def test_a_floor_without_its_accounts_says_what_is_missing_and_what_to_do(marina: Path) -> None:
    with closing(sqlite3.connect(marina / "marina" / "floor.db")) as store, store:
        store.execute("DELETE FROM entries WHERE stream = 'identity/staff'")
    refused = run([*PUNTO, "serve", "marina/floor.toml"], cwd=marina, capture_output=True, text=True, env=environment())
    [said] = [line for line in refused.stderr.splitlines() if line.startswith("punto: identity/")]
    assert refused.returncode == 2
    assert "no floor opens without that: put the entries back from a copy (docs/repair.md)" in said


def test_a_copy_is_restored_by_a_decision(marina: Path) -> None:
    copied = punto("backup", "marina/floor.db", "copy.db", cwd=marina)
    assert (copied.status, copied.err) == (0, "")
    assert copied.out.startswith("copy.db: a copy of marina/floor.db, ")
    again = punto("backup", "marina/floor.db", "copy.db", cwd=marina)
    assert (again.status, again.err.count("\n")) == (2, 1)
    assert punto("backup", "postgresql://x@y/z", "copy.db", cwd=marina).err.count("pg_dump") == 1
    assert punto("audit", "copy.db", "--key", "marina-keys/floor.key", cwd=marina).status == 0


def test_a_store_that_its_floor_has_seen_with_more_heads_opens_after_a_decision(marina: Path) -> None:
    attacker = Attacker(f"sqlite:{marina / 'marina' / 'floor.db'}")
    heads = attacker.heads()
    attacker.cut(heads, len(attacker.entries(heads)) - 1)
    refused = run([*PUNTO, "serve", "marina/floor.toml"], cwd=marina, capture_output=True, text=True, env=environment())
    assert (refused.returncode, "punto accept marina/floor.toml" in refused.stderr) == (2, True)
    assert "and this floor has seen" in refused.stderr
    shutil.rmtree(marina / "marina-checkpoints")  # then nothing outside is newer, and the report is of the store alone
    found = punto("repair", "marina/floor.db", "--key", "marina-keys/floor.key", cwd=marina)
    assert (found.status, "record a decision with 'punto accept'" in found.out) == (1, True)
    accepted = punto("accept", "marina/floor.toml", "--by", "Ann", "--reason", "cut", cwd=marina)
    assert (accepted.status, "'punto repair marina/floor.toml'" in accepted.out) == (0, True)
    aside = ["--set-aside", "its head is gone", "--by", "Ann"]
    assert punto("repair", "marina/floor.toml", *aside, cwd=marina).status == 0
    assert punto("repair", "marina/floor.toml", cwd=marina).status == 0
    with serving("marina/floor.toml", cwd=marina) as floor:
        assert floor.stop() == 0


def test_a_damaged_head_is_not_taken_for_an_older_copy(marina: Path) -> None:
    attacker = Attacker(f"sqlite:{marina / 'marina' / 'floor.db'}")
    heads = attacker.heads()
    attacker.run("UPDATE entries SET body = ? WHERE stream = ? AND version = 4", b"{}", heads)
    damaged = f"head 4 of {heads} is not the one that was signed (later ones are there): put the entry back"
    audited = punto("audit", "marina/floor.toml", cwd=marina)
    assert (audited.status, damaged in " ".join(audited.out.split())) == (1, True)
    assert "the store is older" not in audited.out
    attacker.run("DELETE FROM snapshots")
    accept = ["accept", "marina/floor.toml", "--by", "Ann", "--reason", "the floor does not open"]
    for arguments in (["repair", "marina/floor.toml"], [*accept]):
        said = punto(*arguments, cwd=marina)
        assert (said.status, damaged in said.err) == (2, True), arguments
    refused = run([*PUNTO, "serve", "marina/floor.toml"], cwd=marina, capture_output=True, text=True, env=environment())
    assert (refused.returncode, damaged in refused.stderr, "punto accept" in refused.stderr) == (2, True, False)


def test_an_old_store_is_migrated_by_one_command(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "old.db")) as store:
        for stream, _ in (old := next(stores_of(LOGS / "0.5.jsonl"))[1]).streams():
            store.append(list(old.read(stream)), {})
    assert punto("migrate", "old.db", cwd=tmp_path).status == 2
    for options in (["--key", "none.key"], ["--by", " "]):
        wrong = punto("migrate", "old.db", *options, cwd=tmp_path)
        assert (wrong.status, wrong.err.count("\n")) == (2, 1)
    assert punto("head", "old.db", cwd=tmp_path).status == 2
