"""`punto repair`, as a person types it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.shell import punto
from tests.floor.attacker import Attacker
from tests.floor.test_repairing import add, play_on
from tests.record.play import T1

from punto.floor.keys import Keys
from punto.store import SqliteStore

WHAT_TO_DO = "docs/repair.md says what to do with each"


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    """A store with an entry that nobody has signed, and its key."""
    keys = Keys.at(tmp_path / "floor.db.key")
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        play_on(store, keys)
        add(store, T1)
        add(store, "wallet/ann", next(store.read("wallet/ann")).body)
    return tmp_path


def test_a_report_changes_nothing_and_setting_aside_leaves_a_store_that_is_sound(floor: Path) -> None:
    before = (floor / "floor.db").read_bytes()
    told = punto("repair", "floor.db", cwd=floor)
    assert told.status == 1
    assert told.out.splitlines() == [
        "table/T1: believed up to entry 33; 1 entry beyond it that nobody has signed",
        "wallet/ann: believed up to entry 10; 1 entry beyond it that nobody has signed, which claims 1,000.00 moved",
        f"floor.db: 2 of 7 streams are not sound; {WHAT_TO_DO}",
    ]
    assert json.loads(punto("repair", "floor.db", "--json", cwd=floor).out)["sound"] is False
    assert (floor / "floor.db").read_bytes() == before
    assert punto("audit", "floor.db", cwd=floor).status == 1
    for half in (["--set-aside", "why"], ["--set-aside", " ", "--by", "Ann"], ["--by", "Ann"]):
        wrong = punto("repair", "floor.db", *half, cwd=floor)
        assert (wrong.status, wrong.err.count("\n")) == (2, 1)
    done = punto("repair", "floor.db", "--set-aside", "nobody knows them", "--by", "Ann Tan", cwd=floor)
    assert (done.status, done.err) == (0, "")
    [aside] = floor.glob("floor.db.aside-*.jsonl")
    assert done.out.startswith(f"floor.db: 2 entries of 2 streams moved to {aside.name}")
    assert len(aside.read_text().splitlines()) == 3
    sound = punto("repair", "floor.db", cwd=floor)
    assert (sound.status, "there is nothing to repair" in sound.out) == (0, True)
    audited = punto("audit", "floor.db", cwd=floor)
    assert audited.status == 0
    assert "UTC: Ann Tan set aside 2 entries of table/T1, wallet/ann, which nobody had signed" in " ".join(
        audited.out.split()
    )
    assert "(“nobody knows them”)" in " ".join(audited.out.split())
    [told] = json.loads(punto("audit", "floor.db", "--json", cwd=floor).out)["interventions"]
    assert (told["kind"], told["by"], told["reason"]) == ("repair", "Ann Tan", "nobody knows them")
    again = punto("repair", "floor.db", "--set-aside", "again", "--by", "Ann Tan", cwd=floor)
    assert (again.status, again.err) == (2, "punto: everything in the store is signed: there is nothing to set aside\n")


def test_bad_input_is_said_in_one_line(floor: Path) -> None:
    with closing(SqliteStore(floor / "floor.db")) as store:
        list(store.read(T1))
        opened = punto("repair", "floor.db", "--set-aside", "why", "--by", "Ann Tan", cwd=floor)
    assert (opened.status, opened.err.count("\n"), "nothing was changed" in opened.err) == (2, 1, True)
    assert not list(floor.glob("*.aside-*"))
    for arguments in (["none.db"], ["floor.db", "--key", "none.key"], ["floor.db", "--checkpoints", "floor.db"]):
        wrong = punto("repair", *arguments, cwd=floor)
        assert (wrong.status, wrong.out, wrong.err.count("\n")) == (2, "", 1), arguments
    for words in (["--set-aside", "why\nnot", "--by", "Ann Tan"], ["--set-aside", "why", "--by", "Ann\x1b[2J"]):
        garbled = punto("repair", "floor.db", *words, cwd=floor)
        assert (garbled.status, garbled.err.count("\n")) == (2, 1)
        assert "expected one line without control characters; nothing was done" in garbled.err
    misspelt = punto("repair", "floor.db", "--checkpoints", "missing", cwd=floor)
    assert misspelt.err == "punto: missing: no such folder: expected a folder of checkpoints\n"


STRANGE = ("table/1\x1b[2J\n\u202eok", "wallet/\x9b31m" + "m" * 5_000, "table/T1: all is well", "")


@pytest.mark.parametrize(
    "command",
    [
        *("repair floor.db", "audit floor.db", "books floor.db", "replay floor.db --table X --round 1"),
        *("books floor.db --by patron", "books floor.db --by patron --csv"),
    ],
)
def test_a_forged_name_of_a_stream_is_quoted_and_cut(command: str, floor: Path) -> None:
    """Whoever can write to the database cannot write to the terminal of somebody who looks at it."""
    attacker = Attacker(str(floor / "floor.db"))
    for name in STRANGE:
        [*_, booked] = attacker.entries("wallet/ann")
        attacker.run("INSERT INTO entries VALUES (?, 1, NULL, ?, ?)", name, booked.body, booked.hash)
    told = punto(*command.split(), cwd=floor)
    said = told.out + told.err
    assert {sign for sign in said if not sign.isprintable()} <= {"\n"}
    assert "m" * 200 not in said.replace("\n", "")
    assert "all is well" not in said or "all is well'" in " ".join(said.split())
    assert "Traceback" not in said
    if told.status == 1:
        assert "\\x1b" in said or "\\x9b" in said


def test_a_store_whose_tables_were_changed_is_looked_at_and_not_written_to(floor: Path) -> None:
    with closing(sqlite3.connect(floor / "floor.db")) as somebody:
        somebody.execute("CREATE TRIGGER later AFTER INSERT ON entries BEGIN SELECT 1; END")
    assert "table/T1: believed up to entry 33" in punto("repair", "floor.db", cwd=floor).out
    audited = punto("audit", "floor.db", cwd=floor)
    assert (audited.status, "has a trigger 'later' on 'entries', which no store has" in audited.out) == (1, True)
    refused = punto("repair", "floor.db", "--set-aside", "why", "--by", "Ann Tan", cwd=floor)
    assert (refused.status, refused.err.count("\n"), "has a trigger 'later'" in refused.err) == (2, 1, True)
    assert not list(floor.glob("*.aside-*"))


@pytest.mark.parametrize("name", ["CAST('table/T1' AS BLOB)", "CAST(x'ff' AS TEXT)"])
def test_an_entry_whose_stream_is_no_text_is_reported_with_all_else(floor: Path, name: str) -> None:
    with closing(sqlite3.connect(floor / "floor.db")) as somebody:
        somebody.execute(f"INSERT INTO entries SELECT {name}, 1, NULL, x'7b7d', x'00'")
        somebody.execute("INSERT INTO entries VALUES ('table/T9', 'x', x'ff', 'text', 7)")
        somebody.commit()
    told = punto("repair", "floor.db", cwd=floor)
    lines = told.out.splitlines()
    assert (told.status, told.err) == (1, "")
    assert lines[0].startswith("database: ")
    assert "of a stream whose name is no text, which nobody reads" in told.out
    assert "table/T9: believed up to entry 0; 1 entry beyond it that nobody has signed" in lines
    assert "table/T1: believed up to entry 33; 1 entry beyond it that nobody has signed" in lines
    assert json.loads(punto("repair", "floor.db", "--json", cwd=floor).out)["faults"]
    audited = punto("audit", "floor.db", cwd=floor)
    assert (audited.status, audited.err, "wallet/ann" in audited.out) == (1, "", True)
    done = punto("repair", "floor.db", "--set-aside", "why", "--by", "Ann Tan", cwd=floor)
    assert (done.status, done.err) == (0, "")
    after = punto("repair", "floor.db", cwd=floor)
    assert after.status == 1
    assert after.out.splitlines()[-1].endswith("docs/repair.md says what to do about the database")
