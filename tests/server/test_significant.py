"""Every significant event, end to end: it happens on a floor, and the record, the page, the command, syslog have it."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from tests.cli.shell import punto
from tests.floor.attacker import Attacker
from tests.program.laid import Laid
from tests.server.http.floor import DORA, Opened, setup
from tests.server.identity.lobby import MANAGER, Clock, Lobby, _cheap_hashes, lobby
from tests.server.test_programcheck import laid
from tests.server.test_syslog import Heard, receiver
from tests.server.waiting import until

from punto.errors import PuntoError, StoreGone
from punto.floor import tickets
from punto.record import audit
from punto.record.significant import EventKind, last_events
from punto.rules import Position
from punto.rules.money import Cents
from punto.server import delays
from punto.server.config import CashReporting, TableConfig
from punto.server.houseclock import HouseClock
from punto.server.ids import fresh_id
from punto.store import SqliteStore
from punto.surroundings import now_ms
from punto.table import Actor
from punto.table import commands as do

__all__ = ["_cheap_hashes", "laid"]

BY_HAND: Final = TableConfig(key="1", setup=setup("tiger"), automatic=False)
FILE: Final = """
store = "sqlite:floor.db"
key-file = "floor.key"
[[table]]
key = "1"
game = "tiger"
"""
# What a laboratory asks for: nothing of it may be missing anywhere.
EXPECTED: Final = {
    "floor-started",
    "floor-stopped",
    "configuration-changed",
    "table-configured",
    "program-checked",
    "sign-ins-failed",
    "sign-in-slowed",
    "account-opened",
    "account-closed",
    "position-changed",
    "not-allowed",
    "time-in-doubt",
    "time-trusted",
    "store-lost",
    "store-recovered",
    "record-altered",
    "audit-began",
    "audit-ended",
    "record-exported",
    "ticket-issued",
    "ticket-redeemed",
    "claim-raised",
    "claim-answered",
    "patron-excluded",
    "exclusion-lifted",
    "cash-report-filed",
    "person-erased",
    "repair",
    "rotation",
}


async def people_come_and_go(opened: Lobby) -> httpx.AsyncClient:
    """A stranger guesses; somebody is hired, promoted, refused something and let go."""
    stranger = opened.browser("10.9.9.9")
    for _ in range(6):
        await stranger.post("/api/sign-in", json={"name": MANAGER, "password": "guess"})
    opened.clock.go(minutes=2)
    manager = await opened.signed_in()
    dealer = await opened.hired("dan", Position.DEALER)
    assert (await dealer.get("/api/books")).status_code == 403
    moved = await manager.put("/api/staff/dan/position", json={"position": "pit-supervisor"})
    assert moved.status_code == 200, moved.text
    assert (await manager.delete("/api/staff/dan")).status_code < 300
    return manager


async def the_clock_steps(opened: Lobby) -> None:
    hall, wall = opened.server.hall, [1_767_196_800_000]
    steady = [0]
    hall.clock = HouseClock(lambda: wall[0], lambda: steady[0])
    wall[0] += 3_600_000
    hall._clock_watch.look()  # noqa: SLF001 (it looks every second)
    wall[0] -= 3_600_000
    hall._clock_watch.look()  # noqa: SLF001


async def the_store_goes_away(opened: Lobby, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delays, "PATIENCE_S", 0.05)
    append = SqliteStore.append

    def away(*_: Any) -> None:  # noqa: ANN401
        raise StoreGone("the disk is full: nothing was written")

    monkeypatch.setattr(SqliteStore, "append", away)
    hall = opened.server.hall

    async def ask() -> None:
        while True:  # what is read meanwhile succeeds, and then the store is not waited for
            with suppress(PuntoError):
                await hall.writer.give(buy_in("ann"))
            await asyncio.sleep(0.01)

    asking = asyncio.create_task(ask())
    await until(lambda: hall.delays.waiting_s)
    hall.delays.look()
    monkeypatch.setattr(SqliteStore, "append", append)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    await until(lambda: not hall.delays.waiting_s)
    hall.delays.look()


def buy_in(patron: str, id_: str = "") -> do.BuyIn:
    by = Actor(patron, Position.PATRON)
    return do.BuyIn(id=id_ or fresh_id(), table="1", by=by, at_ms=1, patron=patron, cents=Cents(700), position=1)


async def a_ticket_is_printed_and_redeemed(opened: Lobby) -> None:
    patron = (await opened.server.identity.devices.enrol_guest()).name
    floor, by = opened.server.hall.writer.floor, Actor(patron, Position.PATRON)
    await opened.server.hall.writer.give(buy_in(patron))
    code = tickets.code_of(floor.keys, patron, fresh_id())
    out = do.CashOut(id=tickets.issue_id(code), table="1", by=by, at_ms=2, patron=patron, cents=Cents(700), position=1)
    await opened.server.hall.writer.give(out)
    await opened.server.hall.writer.give(buy_in(patron, tickets.redeem_id(code)))


async def a_patron_disputes_a_round(opened: Lobby, manager: httpx.AsyncClient) -> None:
    token = await opened.server.identity.enrol_guest()
    patron = Actor(opened.server.identity.named(token), Position.PATRON)
    floor = Opened(opened.server)
    for kind in (do.LoadShoe, do.OpenBets):
        await floor.do(kind, DORA, "1")
    await floor.stake(patron, "Player", 500, "1")
    await floor.do(do.CloseBets, DORA, "1")
    await floor.deal("1")
    round_ = opened.server.hall.tables["1"].table.round
    terminal = opened.browser()
    terminal.cookies.set("punto_terminal", token)
    said = {"about": "payment", "words": "The Tie was not paid."}
    raised = await terminal.post(f"/api/tables/1/rounds/{round_}/claims", json=said)
    assert raised.status_code < 300, raised.text
    answer = {"upheld": False, "reason": "The cards show no tie."}
    answered = await manager.post(f"/api/claims/{raised.json()['claim']}/answer", json=answer)
    assert answered.status_code < 300, answered.text


async def a_patron_is_excluded_reported_and_erased(manager: httpx.AsyncClient) -> None:
    at_desk = {"table": "1", "patron": "ann", "position": 1, "cents": 20_000, "kind": "in"}
    wishes: list[tuple[str, Any]] = [
        ("patrons", {"name": "ann", "full_name": "Xenia Quillfeather"}),
        ("desk", at_desk),
        ("exclusions", {"patron": "ann", "reason": "asked for it"}),
        ("exclusions/ann/lift", {"reason": "a mistake"}),
        ("people/ann/erasures", {"reason": "asked at the desk"}),
    ]
    for path, body in wishes:
        answer = await manager.post(f"/api/{path}", json=body)
        assert answer.status_code < 300, answer.text
    [report] = (await manager.get("/api/cash-reports")).json()["reports"]
    filed = {name: report[name] for name in ("patron", "day", "kind", "cents")} | {"reference": "R-1"}
    assert (await manager.post("/api/cash-reports", json=filed)).status_code < 300


def the_key_is_rotated_and_the_store_repaired(folder: Path) -> None:
    """What is done on the machine while the floor is closed."""
    file = folder / "floor.toml"
    file.write_text(FILE)
    rotated = punto("key", "rotate", str(file), "--new-key", str(folder / "new.key"), "--by", "it-operations")
    assert rotated.status == 0, rotated.err
    (folder / "new.key").replace(folder / "floor.key")
    Attacker(f"sqlite:{folder / 'floor.db'}").append("wallet/zoe", b"{}")
    repaired = punto("repair", str(file), "--set-aside", "nobody knows of it", "--by", "it-operations")
    assert repaired.status == 0, repaired.err
    file.unlink()


async def the_record_is_altered(opened: Lobby) -> None:
    floor = opened.server.hall.writer.floor
    assert isinstance(floor.store, SqliteStore)
    Attacker(f"sqlite:{floor.store.path}").append("wallet/mallory", b"{}")
    await opened.server.hall.watchman.look_at_all()


async def the_program_is_changed(manager: httpx.AsyncClient, program: Laid) -> None:
    for what in ("same", "different"):
        assert (await manager.post("/api/program")).status_code == 202
        for _ in range(500):
            state = (await manager.get("/api/program")).json()
            if not state["checking"]:
                break
            await asyncio.sleep(0.02)
        assert state["state"] == what
        program.write("punto/more.py", "print(1)\n")


async def the_record_is_audited(manager: httpx.AsyncClient) -> None:
    assert (await manager.post("/api/audit")).status_code == 202
    for _ in range(500):
        if (await manager.get("/api/audit")).json()["state"] != "running":
            return
        await asyncio.sleep(0.02)
    raise AssertionError("the audit does not end")


async def happen(opened: Lobby, program: Laid, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Everything happens; the events as the pit's page gets them."""
    manager = await people_come_and_go(opened)
    await the_clock_steps(opened)
    await a_ticket_is_printed_and_redeemed(opened)
    await the_store_goes_away(opened, monkeypatch)
    await a_patron_disputes_a_round(opened, manager)
    await a_patron_is_excluded_reported_and_erased(manager)
    await the_program_is_changed(manager, program)
    await the_record_is_audited(manager)
    assert (await manager.get("/api/books", params={"format": "csv"})).status_code == 200
    await the_record_is_altered(opened)
    await until(lambda: not opened.server.hall.journal.waiting)
    lines: list[dict[str, Any]] = (await manager.get("/api/events", params={"last": 500})).json()
    return lines


async def whole_evening(
    folder: Path, heard: Heard, program: Laid, monkeypatch: pytest.MonkeyPatch
) -> list[dict[str, Any]]:
    clock = Clock()
    clock.at_ms = now_ms()  # commands on the machine go by its clock
    async with lobby(folder, BY_HAND, clock=clock, syslog=heard.address) as _:
        pass
    the_key_is_rotated_and_the_store_repaired(folder)
    clock.go(minutes=1)
    reports = CashReporting(Cents(10_000))
    async with lobby(folder, BY_HAND, clock=clock, syslog=heard.address, currency="€", cash_reports=reports) as opened:
        lines = await happen(opened, program, monkeypatch)
    await until(lambda: b"closed in order" in heard.raw.rpartition(b"\xe2\x82\xac")[2])
    return lines


def test_every_significant_event_is_on_record_on_the_page_in_the_command_and_in_syslog(
    tmp_path: Path, laid: Laid, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "floor"
    folder.mkdir()
    with receiver("udp", tmp_path) as heard:
        on_page = asyncio.run(whole_evening(folder, heard, laid, monkeypatch))
        said = heard.raw.decode(errors="replace")
    store = SqliteStore(folder / "floor.db")
    recorded = last_events(store)
    report = audit(store)
    store.close()
    assert [str(found) for found in report.findings if found.stream == "journal"] == []
    assert EXPECTED - {event.what for event in recorded} == set()
    assert all(event.at_ms and event.said and event.said_zh and event.by for event in recorded)
    assert EXPECTED - {"floor-stopped"} - {line["what"] for line in on_page} == set()
    shown = punto("events", str(folder / "floor.db"), "--json")
    assert EXPECTED - {json.loads(line)["what"] for line in shown.out.splitlines()} == set()
    assert {what for what in EXPECTED if f" {what} [event@" not in said} == set()
    assert {event.kind for event in recorded} == set(EventKind)
    assert set(heard.kinds) == {kind.value for kind in EventKind}
    [differs] = [event for event in recorded if event.what == "program-checked" and event.severity.name == "ALERT"]
    assert "more.py" in differs.said, "it names the file"
