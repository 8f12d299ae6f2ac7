"""How the floor finds what a receipt needs: of its last commands by heart, of all others in the store."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.floor.attacker import Attacker
from tests.floor.floors import BOB, SHIFT, START_MS
from tests.floor.taken import TICKET, WAGER, Taken

from punto.errors import BadReceipt, Corrupt
from punto.floor import Answer
from punto.floor.keys import Keys
from punto.floor.receipting import Found, RecentHeads, Seals
from punto.floor.rotating import rotate
from punto.proof.headlog import origin_of
from punto.proof.receipts import Seal, read_receipt
from punto.proof.signers import LocalSigner
from punto.rules import Position
from punto.rules.money import Cents
from punto.store import SqliteStore
from punto.table import Actor
from punto.table import commands as do
from punto.table.log import Logged, read


def group(taken: Taken, count: int) -> list[str]:
    """So many cash-outs at two tables in one transaction; their ids."""
    patrons = [Actor(f"p{at}", Position.PATRON) for at in range(count)]
    for kind in (do.BuyIn, do.CashOut):
        answers = taken.house.floor.handle_all(
            kind(
                id=f"{kind.__name__}-{at}",
                table=("T1", "T2")[at % 2],
                by=each,
                at_ms=START_MS + 5_000,
                patron=each.name,
                cents=Cents(100),
                position=at + 3,
            )
            for at, each in enumerate(patrons)
        )
        assert all(isinstance(each, Answer) for each in answers), answers
    return [f"CashOut-{at}" for at in range(count)]


def test_what_is_known_by_heart_is_what_a_search_finds() -> None:
    taken = Taken().play()
    ids = group(taken, 7)
    for command in (WAGER, TICKET, *ids):
        entry = taken.history.find(command)
        assert entry
        assert taken.receipts.place(entry) == taken.found(command).place


def test_every_command_of_a_large_group_has_a_receipt() -> None:
    taken = Taken().play()
    ids = group(taken, 100)
    assert {len(taken.found(each).place.commands) for each in ids} == {100}
    assert {taken.take(each).check().command for each in ids[::9]} == set(ids[::9])
    assert {len(taken.take(each).path) for each in ids[::9]} <= {4, 7}, "as RFC 6962 splits a tree of 100 leaves"


def test_a_head_is_found_although_a_clock_has_jumped() -> None:
    taken = Taken().play()
    by_bob: dict[str, Any] = {"by": BOB, "patron": "bob", "cents": Cents(100), "position": 2}
    for id_ in ("ahead", *map(str, range(450))):  # more than a search looks around, and all of them a day ahead
        taken.house.floor.handle(do.BuyIn(id=id_, table="T2", at_ms=START_MS + 86_400_000, **by_bob))
    taken.house.give(do.BuyIn, BOB, cents=100, id="behind")
    taken.go_on(250)
    for command in (WAGER, "ahead", "449", "behind"):
        entry = taken.history.find(command)
        assert entry
        assert taken.found(command).place == taken.receipts.place(entry)


def test_another_writer_signs_the_receipt_after_a_restart(tmp_path: Path) -> None:
    first = Taken(store=SqliteStore(tmp_path / "floor.db")).play()
    first.checkpoint()
    first.store.close()
    second = Taken(store=SqliteStore(tmp_path / "floor.db"))
    second.go_on(3)
    receipt = second.take(WAGER)
    claim = receipt.check()
    assert receipt.signer is not None
    assert receipt.signer.name == second.history.writer_name != receipt.writer.name == first.history.writer_name
    assert claim.checkpoint
    second.store.close()


def test_a_receipt_is_right_after_the_floors_key_was_rotated(tmp_path: Path) -> None:
    """The log keeps the name that it has from the first key, and the receipt says so."""
    first = Taken(store=SqliteStore(tmp_path / "floor.db")).play()
    first.checkpoint()
    keys = Keys.fresh()
    assert isinstance(keys.signing, LocalSigner)
    rotate(first.store, first.history.keys, keys.signing, START_MS, "greta")
    first.store.close()
    second = Taken(store=SqliteStore(tmp_path / "floor.db"), keys=keys)
    second.go_on(3)
    early = second.take(WAGER)
    assert early.inclusion is None, "the newest checkpoint is one of the former key, which not everybody knows"
    assert early.check().check_keys({keys.public}) == {keys.public}
    second.checkpoint()
    receipt = second.take(WAGER)
    assert receipt.check().check_keys({keys.public}) == {keys.public}
    again = read_receipt(receipt.text())
    assert again == receipt
    assert again.check().checkpoint
    assert again.inclusion
    assert again.inclusion.origin == origin_of(first.history.keys.public)
    forged = replace(receipt, inclusion=again.inclusion._replace(log=bytes(8)))
    with pytest.raises(BadReceipt, match="does not include"):
        read_receipt(forged.text()).check()
    second.store.close()


def test_a_floor_that_has_signed_nothing_yet_becomes_a_writer_for_a_receipt(tmp_path: Path) -> None:
    first = Taken(store=SqliteStore(tmp_path / "floor.db")).play()
    first.store.close()
    second = Taken(store=SqliteStore(tmp_path / "floor.db"))
    assert second.history.writer is None
    made = second.history.make_writer(START_MS)
    assert second.take(WAGER).check().is_of(second.history.keys.public)
    second.go_on(1)
    assert second.history.writer is made, "and its certificate is on record with its next head"
    second.store.close()


def test_the_seal_is_that_of_the_shoe_of_that_moment() -> None:
    taken = Taken().play()
    house, seals = taken.house, Seals()
    seals.begin(house.floor.table("T2"), house.floor.version("T2"))
    wagers = []
    for _ in range(2):
        before = house.floor.version("T2")
        house.round("T2")
        wagers.append(_last_wager(taken))
        house.give(do.EndShoe, SHIFT, table="T2", reason="to see the cards")
        house.give(do.LoadShoe, table="T2")
        seals.hear(house.floor.version("T2"), [each.event for each in _logged(taken, before)])
    sealed = [taken.found(command).sealed for command, _ in wagers]
    assert sealed == [seals.at(version) for _, version in wagers]
    assert [each.seal.shoe for each in sealed if each.seal] == [1, 2]
    assert sealed[0].round < sealed[1].round
    assert seals.at(1) is None, "what came before is not known by heart"


def _logged(taken: Taken, after: int) -> list[Logged]:
    return [read(entry.body) for entry in taken.store.read("table/T2", after)]


def _last_wager(taken: Taken) -> tuple[str, int]:
    placed = [entry for entry in taken.store.read("table/T2") if b'"wager-placed"' in entry.body]
    assert placed[-1].command
    return placed[-1].command, placed[-1].version


def test_a_head_or_a_seal_that_was_tampered_with_gives_no_receipt(tmp_path: Path) -> None:
    taken = Taken(store=SqliteStore(tmp_path / "floor.db")).play()
    entry = taken.history.find(WAGER)
    assert entry
    found = taken.found(WAGER)
    attacker = Attacker(f"sqlite:{tmp_path / 'floor.db'}")
    attacker.run(
        "UPDATE entries SET hash = zeroblob(32) WHERE stream = ? AND version = ?",
        found.place.stream,
        found.place.number - 1,
    )
    with pytest.raises(BadReceipt, match="is not signed by writer"):
        taken.receipts.make(entry, found)
    attacker.run("UPDATE entries SET body = replace(body, '\"shoe\":1,', '\"shoe\":9,') WHERE stream = 'table/T1'")
    with pytest.raises(Corrupt):
        taken.found(WAGER)
    taken.store.close()


def test_the_oldest_heads_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.floor.receipting._MOST_HEADS", 3)
    recent = RecentHeads()
    for number in range(2, 7):
        recent.hear("heads/a", number, [bytes([number]) * 32])
        recent.hear("heads/a", number, [])
    assert [recent.find(bytes([number]) * 32) is None for number in range(2, 7)] == [True, True, False, False, False]


def test_what_does_not_belong_together_is_not_signed() -> None:
    taken = Taken().play()
    entry = taken.history.find(WAGER)
    assert entry
    place, sealed = taken.found(WAGER)
    strange = Found(place._replace(commands=(entry.hash, bytes(32))), sealed)
    with pytest.raises(BadReceipt):
        taken.receipts.make(entry, strange)
    other = Found(place, sealed._replace(seal=Seal(7, bytes(32))))
    assert taken.receipts.make(entry, other).check().shoe == 7, "the floor vouches for the seal; nobody else can"
