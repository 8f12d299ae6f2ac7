"""Receipts over HTTP: one's own, at once; with the proof of inclusion after the next checkpoint."""

from pathlib import Path
from typing import Any

import httpx
from tests.record.old_logs import KEYS, LOGS, stores_of
from tests.server.http.floor import BY_HAND, DORA, RUNNING, Opened, configured, opened
from tests.server.waiting import waits

from punto.floor import Floor, tickets
from punto.floor.migrating import migrate
from punto.proof.compact import unpacked
from punto.proof.consistency import Consistency, check_against
from punto.proof.headlog import open_checkpoint
from punto.proof.receipts import read_receipt
from punto.rules.money import Cents
from punto.server.app import Server
from punto.server.ids import fresh_id
from punto.store import Snapshot, SqliteStore
from punto.table import Actor
from punto.table import commands as do
from punto.table.log import read as read_logged


async def placed(floor: Opened, patron: Actor) -> str:
    """A wager at a table that is dealt by hand; the address of its receipt."""
    if floor.hall.tables["2"].table.shoe.number == 0:
        await floor.do(do.LoadShoe, DORA)
    await floor.do(do.OpenBets, DORA)
    await floor.stake(patron, "Banker", 1_000)
    table = floor.hall.tables["2"].table
    [wager] = [number for number, each in table.wagers.items() if each.patron == patron.name]
    return f"/api/tables/2/rounds/{table.round}/receipts/{wager}"


async def told(browser: httpx.AsyncClient, path: str) -> dict[str, Any]:
    answer = await browser.get(path)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def body_of(answer: dict[str, Any]) -> bytes:
    """The entry of which there is a receipt."""
    return unpacked(read_receipt(answer["text"]).packed)


@waits
async def test_a_patron_takes_a_receipt_and_nobody_else_does(tmp_path: Path) -> None:
    async with opened(tmp_path, BY_HAND, checkpoints=(str(tmp_path / "outside"),), checkpoint_every_s=3_600) as floor:
        browser, patron = await floor.guest()
        path = await placed(floor, patron)
        first = await told(browser, path)
        assert (first["checkpoint"], first["awaited"]) == (0, True)
        claim = read_receipt(first["text"]).check()
        assert (claim.kind, claim.patron, claim.wager, claim.cents) == ("wager", patron.name, "Banker", 1_000)
        assert claim.seal == floor.hall.tables["2"].table.shoe.commitment
        assert claim.round == floor.hall.tables["2"].table.round
        # A later change of the wager is what the next receipt is of.
        await floor.do(do.BuyIn, patron, patron=patron.name, cents=Cents(500), position=1)
        await floor.do(do.SetStake, patron, patron=patron.name, wager="Banker", stake_cents=Cents(1_500), position=1)
        changed = read_receipt((await told(browser, path))["text"]).check()
        assert (changed.kind, changed.wager, changed.cents) == ("stake", "Banker", 1_500)
        assert read_receipt((await told(browser, f"/api/receipts/{claim.command}"))["text"]).check() == claim
        # Nobody else sees it, and nothing tells them that it is there.
        stranger, _ = await floor.guest()
        for where in (path, f"/api/receipts/{claim.command}", "/api/receipts/nothing", path + "0"):
            answer = await stranger.get(where)
            assert (answer.status_code, answer.json()["code"]) == (404, "no-such-receipt")
        assert (await floor.nobody().get(path)).status_code == 401
        staff = await floor.staff()
        assert read_receipt((await told(staff, path))["text"]).check() == changed


@waits
async def test_a_receipt_of_what_staff_entered_names_them_and_one_of_what_the_patron_did_names_nobody(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, BY_HAND) as floor:
        browser, patron = await floor.guest()
        path = await placed(floor, patron)
        assert DORA.name.encode() not in body_of(await told(browser, path))
        await floor.do(do.BuyIn, patron, patron=patron.name, cents=Cents(500), position=1)
        paid = await floor.do(do.CashOut, DORA, patron=patron.name, cents=Cents(500), position=1)
        [first, *_] = floor.hall.writer.floor.history.read("table/2", paid.version - len(paid.events))
        body = body_of(await told(browser, f"/api/receipts/{read_logged(first.body).command}"))
        assert body == first.body
        assert f'"name":"{DORA.name}"'.encode() in body


@waits
async def test_the_proof_of_inclusion_comes_with_the_next_checkpoint(tmp_path: Path) -> None:
    async with opened(tmp_path, BY_HAND, checkpoints=(str(tmp_path / "outside"),), checkpoint_every_s=3_600) as floor:
        browser, patron = await floor.guest()
        path = await placed(floor, patron)
        assert (await told(browser, path))["checkpoint"] == 0
        await floor.server.checkpointing.take()
        early = await told(browser, path)
        assert early["checkpoint"] > 0
        await floor.stake(patron, "Player", 500)
        await floor.server.checkpointing.take()
        anybody = floor.nobody()
        listed = (await anybody.get("/api/checkpoints")).json()
        sizes = [each["size"] for each in listed["checkpoints"]]
        assert sizes[:2] == sorted(sizes[:2], reverse=True)
        assert sizes[1] == early["checkpoint"]
        later = open_checkpoint((await anybody.get("/api/checkpoints/latest")).content, (listed["key"],))
        assert (await anybody.get(f"/api/checkpoints/{sizes[1]}")).content.startswith(listed["origin"].encode())
        proof = await anybody.get("/api/checkpoints/consistency", params={"from": sizes[1], "to": sizes[0]})
        check_against(read_receipt(early["text"]), later, [Consistency.parse(proof.text)])
        check_against(read_receipt((await told(browser, path))["text"]), later)
        for wrong in ({"from": sizes[1] + 1, "to": sizes[0]}, {"from": sizes[0], "to": sizes[1]}):
            answer = await anybody.get("/api/checkpoints/consistency", params=wrong)
            assert (answer.status_code, answer.json()["code"]) == (404, "no-such-checkpoint")
        answer = await anybody.get("/api/checkpoints/consistency", params={"from": -1})
        assert answer.json()["message"].startswith("from: "), "as the address has it"


@waits
async def test_a_ticket_has_a_receipt_for_whoever_has_its_code(tmp_path: Path) -> None:
    async with opened(tmp_path, BY_HAND) as floor:
        _, patron = await floor.guest()
        await placed(floor, patron)
        await floor.do(do.BuyIn, patron, patron=patron.name, cents=Cents(700), position=1)
        code = tickets.code_of(floor.hall.writer.floor.keys, patron.name, fresh_id())
        cash_out: Any = do.CashOut(
            id=tickets.issue_id(code), table="2", by=patron, at_ms=1, patron=patron.name, cents=Cents(700), position=1
        )
        await floor.hall.writer.give(cash_out)
        anybody = floor.nobody()
        answer = await anybody.post("/api/receipts/ticket", json={"code": code.lower()})
        assert answer.json()["awaited"] is False
        claim = read_receipt(answer.json()["text"]).check()
        assert (claim.kind, claim.patron, claim.cents) == ("ticket", patron.name, 700)
        assert code not in answer.text
        missing = await anybody.post("/api/receipts/ticket", json={"code": "AAAA-AAAA-AAAA-AAAA"})
        assert (missing.status_code, missing.json()["code"]) == (404, "no-such-receipt")


@waits
async def test_an_older_receipt_comes_from_a_worker_also_where_tiles_are_damaged(tmp_path: Path) -> None:
    outside = (str(tmp_path / "outside"),)
    async with opened(tmp_path, BY_HAND, RUNNING, checkpoints=outside, checkpoint_every_s=3_600) as floor:
        browser, patron = await floor.guest()
        path = await placed(floor, patron)
        await floor.deal()
        cookies = browser.cookies
        claim = read_receipt((await told(browser, path))["text"]).check()
    async with opened(tmp_path, BY_HAND, checkpoints=outside, checkpoint_every_s=3_600) as floor:
        store = floor.hall.writer.floor.store
        await floor.hall.writer.call(store.keep, "headlog/tile/0/000", Snapshot(2**40, b"", b"x" * 64))
        browser = floor.nobody()
        browser.cookies = cookies
        found = await told(browser, path)
        again = read_receipt(found["text"]).check()
        assert (again.command, again.seal, again.round, again.head) == (
            claim.command,
            claim.seal,
            claim.round,
            claim.head,
        )
        assert again.checkpoint == found["checkpoint"] > 0


@waits
async def test_what_was_signed_before_a_migration_has_no_receipt_and_is_not_called_damaged(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db")
    _, old = next(stores_of(LOGS / "0.4-tickets.jsonl"))
    entries = [entry for stream, _ in old.streams() for entry in old.read(stream)]
    store.append(entries, {})
    [ticket, *_] = [entry.command for entry in entries if (entry.command or "").startswith("ticket-")]
    migrate(store, KEYS, 1_800_000_000_000, "hugo")
    server = Server(configured(tmp_path, BY_HAND), Floor(store, KEYS))
    await server.begin()
    floor = Opened(server)
    try:
        staff = await floor.staff()
        answer = await staff.get(f"/api/receipts/{ticket}")
        assert (answer.status_code, answer.json()["code"]) == (404, "no-such-receipt")
        assert "signed before receipts existed" in answer.text
    finally:
        await floor.close()
        await server.finish()
        server.hall.close()
