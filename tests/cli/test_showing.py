"""What commands show of a store that somebody has written to without the floor's key, and what they say beside it."""

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.shell import punto
from tests.floor.attacker import MALLORY, Attacker
from tests.floor.floors import START_MS, House
from tests.floor.test_repairing import add, play_on
from tests.record.old_logs import LOGS, stores_of
from tests.record.play import T1

from punto.floor.history import History
from punto.floor.keys import Keys
from punto.floor.sequencer import Sequencer
from punto.proof.writers import HEADS
from punto.store import SqliteStore

WALLETS = ("books", "floor.db", "--by", "patron", "--csv")
SHOWING = (
    WALLETS,
    ("books", "floor.db"),
    ("recall", "floor.db", "--table", "T1"),
    ("replay", "floor.db", "--table", "T1", "--round", "1"),
    ("export", "floor.db", "--table", "T1", "--shoe", "1"),
)


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    """A store with play that was signed, and its key beside it."""
    keys = Keys.at(tmp_path / "floor.db.key")
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        play_on(store, keys)
    return tmp_path


def attacker(floor: Path) -> Attacker:
    return Attacker(str(floor / "floor.db"))


def enriched(floor: Path) -> None:
    """Somebody adds to ann's wallet and to the table, chained as it should be, and signs neither."""
    last = json.loads(attacker(floor).entries("wallet/ann")[-1].body)
    last |= {"command": "forged", "balance_cents": 50_996_450, "cents": 50_000_000}
    attacker(floor).append("wallet/ann", last)
    opened = next(each for each in attacker(floor).entries(T1) if b'"bets-opened"' in each.body)
    attacker(floor).append(T1, opened.body.replace(b'"round":1', b'"round":77'), "forged")


def test_what_nobody_has_signed_is_left_out_and_said(floor: Path) -> None:
    before = {command: punto(*command, cwd=floor) for command in SHOWING}
    assert {(said.status, said.err) for said in before.values()} == {(0, "")}
    enriched(floor)
    for command in SHOWING:
        said = punto(*command, cwd=floor)
        assert (said.status, said.out) == (1, before[command].out), command
        assert 1 <= said.err.count("\n") <= 3
        for line in said.err.splitlines():
            assert line.endswith("carry no signature of this floor: left out ('punto repair' says more)")
    assert punto(*WALLETS, cwd=floor).err.startswith("punto: wallet/ann: entries after 10 carry no signature")


def test_a_payment_that_was_edited_and_chained_anew_is_not_shown(floor: Path) -> None:
    [settled, *_] = [each for each in attacker(floor).entries(T1) if b'"round-settled"' in each.body]
    attacker(floor).edit(
        T1, settled.version, lambda plain: plain["event"]["payments"][0].update(paid_cents=99_999_900), chain=True
    )
    for command in SHOWING[1:]:
        said = punto(*command, cwd=floor)
        assert said.status in {1, 2}
        assert "99999900" not in said.out.replace(",", "").replace(".", "")
        assert "table/T1: entries 1 to 33 are not those that were signed: left out" in said.err
    assert punto(*WALLETS, cwd=floor).status == 0  # which shows nothing of the table


def test_a_wallet_that_has_lost_its_end_is_shown_with_no_older_balance(floor: Path) -> None:
    attacker(floor).cut("wallet/ann", 9)
    said = punto(*WALLETS, cwd=floor)
    assert (said.status, "ann," in said.out, "bob," in said.out) == (1, False, True)
    assert said.err == (
        "punto: wallet/ann: entries 1 to 10 are not those that were signed: left out ('punto repair' says more)\n"
    )


def test_a_long_wallet_that_was_altered_near_its_end_is_shown_with_no_older_balance(tmp_path: Path) -> None:
    """Its first 256 entries are still as they were signed; the balance after them is not what the patron holds."""
    booked = {"at_ms": START_MS, "command": "c", "giver": "cash/1", "taker": "wallet/ann", "cents": 1}
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        history = History(store, Keys.at(tmp_path / "floor.db.key"))
        for number in range(1, 301):
            group = history.group()
            group.at_ms = START_MS
            body = json.dumps({**booked, "balance_cents": number}).encode()
            history.append(group, group.chain([("wallet/ann", None, body)]), {})
    assert punto(*WALLETS, cwd=tmp_path).out.splitlines()[1:] == ["ann,300,0"]
    attacker(tmp_path).edit("wallet/ann", 290, lambda plain: plain.update(cents=2), chain=False)
    said = punto(*WALLETS, cwd=tmp_path)
    assert (said.status, said.out.splitlines()[1:]) == (1, [])
    assert said.err.startswith("punto: wallet/ann: entries 257 to 300 are not those that were signed: left out")


def test_of_many_streams_five_are_named(floor: Path) -> None:
    with closing(SqliteStore(floor / "floor.db")) as store:
        for number in range(7):
            add(store, f"wallet/ghost{number}")
    said = punto(*WALLETS, cwd=floor)
    assert (said.status, "ghost" in said.out, said.err.count("wallet/ghost")) == (1, False, 5)
    assert said.err.splitlines()[-1] == "punto: and 2 more streams of which something is left out"


def test_without_the_floors_key_the_store_is_held_to_the_key_that_it_names(floor: Path) -> None:
    enriched(floor)
    (floor / "floor.db.key").rename(floor / "away.key")
    said = punto(*WALLETS, cwd=floor)
    assert (said.status, "50996450" in said.out) == (1, False)
    assert "checked against the key that it names itself: name it with --key" in said.err.splitlines()[0]
    assert punto(*WALLETS, "--key", "away.key", cwd=floor).err.count("\n") == 1
    Keys.at(floor / "other.key")
    for wrong, why in (("other.key", "the store was signed with the key"), ("none.key", "no such file")):
        refused = punto(*WALLETS, "--key", wrong, cwd=floor)
        assert (refused.status, refused.out, refused.err.count("\n"), why in refused.err) == (2, "", 1, True)


def test_a_key_beside_the_store_that_does_not_read_is_said_and_does_without(floor: Path) -> None:
    (floor / "floor.db.key").write_text("no key")
    said = punto(*WALLETS, cwd=floor)
    assert (said.status, said.err.count("\n"), "ann,84000,0" in said.out) == (0, 1, True)
    assert "the floor's key cannot be had (" in said.err


@pytest.mark.parametrize(
    ("name", "why", "status"), [("0.4", "was signed by an older Punto", 0), ("0.5", "no signed heads", 1)]
)
def test_a_store_that_no_writer_has_signed_is_shown_as_it_lies_and_that_is_said(
    tmp_path: Path, name: str, why: str, status: int
) -> None:
    old = next(stores_of(LOGS / "0.4.jsonl"))[1]
    with closing(SqliteStore(tmp_path / "old.db")) as store:
        for stream, _ in old.streams():
            if stream != "heads" or name == "0.4":
                store.append(list(old.read(stream)), {})
    said = punto("books", "old.db", "--by", "patron", cwd=tmp_path)
    assert (said.status, said.err.count("\n"), said.out.count("\n") > 1) == (status, 1, True)
    assert why in said.err
    assert said.err.endswith(("verified: 'punto migrate'\n", "verified\n"))


def test_a_store_that_nobody_may_write_to_is_shown_and_left_as_it_is(floor: Path) -> None:
    enriched(floor)
    before = {path.name: path.read_bytes() for path in floor.iterdir()}
    for path in (floor / "floor.db", floor):
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        assert [punto(*command, cwd=floor).status for command in SHOWING] == [1] * len(SHOWING)
    finally:
        floor.chmod(0o700)
    assert {path.name: path.read_bytes() for path in floor.iterdir() if path.name in before} == before
    assert os.access(floor, os.W_OK)


# Heads


def zeros(db: Attacker) -> None:
    db.run("INSERT INTO entries SELECT ?, max(version) + 1, NULL, x'00', zeroblob(32) FROM entries WHERE stream = ?",
           db.heads(), db.heads())  # fmt: skip


def of_mallory(db: Attacker) -> None:
    db.sign(["wallet/ann"], MALLORY)


@pytest.mark.parametrize("forge", [zeros, of_mallory])
def test_only_heads_whose_signatures_hold_are_printed(floor: Path, forge: Callable[[Attacker], None]) -> None:
    honest = punto("head", "floor.db", cwd=floor)
    assert (honest.status, honest.err) == (0, "")
    forge(attacker(floor))
    said = punto("head", "floor.db", cwd=floor)
    assert (said.status, said.out, said.err.count("\n")) == (1, honest.out, 1)
    assert "are no heads of a writer that the floor's key has certified: left out" in said.err


def test_a_store_with_no_head_that_holds_has_none_to_print(floor: Path) -> None:
    attacker(floor).run("UPDATE entries SET body = x'00' WHERE stream LIKE 'heads/%'")
    said = punto("head", "floor.db", cwd=floor)
    assert (said.status, said.out) == (2, "")
    assert "the store has no head that is signed" in said.err.splitlines()[-1]


# Damage that a floor does not open with


def test_books_are_shown_of_a_store_whose_checkpoint_is_damaged_and_the_doubt_is_said(tmp_path: Path) -> None:
    keys = Keys.at(tmp_path / "floor.db.key")
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        house = House(store, keys).round_only()
        Sequencer(house.floor.history, [tmp_path / "outside"]).checkpoint(START_MS)
    whole = punto(*WALLETS, cwd=tmp_path)
    attacker(tmp_path).run("UPDATE entries SET body = ? WHERE stream = 'checkpoints'", b"{}")
    said = punto(*WALLETS, cwd=tmp_path)
    assert (said.status, said.out, whole.status) == (1, whole.out, 0)
    assert "nobody can tell whether all that is shown was written here" in said.err


def test_a_day_with_an_altered_entry_is_not_archived(tmp_path: Path) -> None:
    keys = Keys.at(tmp_path / "floor.db.key")
    morning_ms = START_MS + 7 * 3_600_000
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        house = House(store, keys).open()
        Sequencer(house.floor.history, [tmp_path / "outside"]).checkpoint(morning_ms)
        assert house.floor.seal_day(morning_ms)
    attacker(tmp_path).edit(T1, 2, lambda plain: plain.update(at_ms=1), chain=True)
    said = punto("archive", "floor.db", "--day", "2025-12-31", "-o", "day", cwd=tmp_path)
    assert (said.status, said.out, (tmp_path / "day").exists()) == (2, "", False)
    assert "are not those that were signed" in said.err
    assert HEADS not in said.err
    with closing(sqlite3.connect(tmp_path / "floor.db")) as connection:
        connection.execute("DELETE FROM entries WHERE stream = ?", ("seals",))
        connection.commit()
    assert punto("archive", "floor.db", "--day", "2025-12-31", "-o", "day", cwd=tmp_path).status == 2
