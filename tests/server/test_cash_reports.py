"""Reports of cash, on a real server: sums of a gaming day, whoever moved them and in however many acts."""

from datetime import date
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from tests.server.identity.lobby import Clock, _cheap_hashes
from tests.server.test_attendance import Street, street
from tests.server.test_insiders import OTHER_TABLE, balance, dealing, is_clean, registered
from tests.server.waiting import waits

from punto.errors import NothingToReport
from punto.floor.warrants import Warrant
from punto.record import audit
from punto.rules import Position
from punto.rules.money import Cents
from punto.server.config import CashReporting
from punto.server.identity import events as on
from punto.table import Actor
from punto.table import commands as do

__all__ = ["_cheap_hashes"]

LIMIT: Final[dict[str, Any]] = {"cash_reports": CashReporting(Cents(10_000))}
ANN: Final = {"patron": "ann", "position": 1}
HOUR: Final = 60


async def desk(there: Street) -> httpx.AsyncClient:
    """The browser of Greta, who has signed in not long ago."""
    for browser in there._browsers:  # noqa: SLF001
        if (await browser.get("/api/me")).json()["staff"] == "greta":
            return browser
    return await there.signed_in()


async def books(there: Street, kind: str, cents: int, table: str = "1") -> dict[str, Any]:
    answer = await (await desk(there)).post("/api/desk", json={"table": table, **ANN, "cents": cents, "kind": kind})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


async def reports(there: Street) -> list[dict[str, Any]]:
    answer = await (await desk(there)).get("/api/cash-reports")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["reports"]
    return found


async def files(there: Street, report: dict[str, Any], **more: Any) -> tuple[int, str]:  # noqa: ANN401
    body = {name: report[name] for name in ("patron", "day", "kind", "cents")} | {"reference": "R-1"} | more
    answer = await (await desk(there)).post("/api/cash-reports", json=body)
    return answer.status_code, answer.json()["code"] if answer.content else ""


@waits
async def test_small_acts_at_several_tables_and_by_several_people_come_to_one_report(tmp_path: Path) -> None:
    async with street(tmp_path, OTHER_TABLE, **LIMIT) as there:
        await there.hired("dan", Position.DEALER)
        await registered(there)
        dan = await dealing(there)
        for _ in range(3):
            assert (await dan.act("1", "buy-in", **ANN, cents=3_000))["t"] == "accepted"
        await books(there, "out", 9_000)
        assert await reports(there) == []
        browser = await there.signed_in("dan")
        today = (await browser.get("/api/desk/cash/ann")).json()
        assert today == {"threshold_cents": 10_000, "in_cents": 9_000, "out_cents": 9_000}
        await books(there, "in", 1_000, table="2")
        [report] = await reports(there)
        told = {name: report[name] for name in ("patron", "kind", "cents", "due", "filed")}
        assert told == {"patron": "ann", "kind": "in", "cents": 10_000, "due": True, "filed": None}
        assert [(move["table"], move["cents"], move["by"]) for move in report["moves"]] == [
            ("1", 3_000, "dan"), ("1", 3_000, "dan"), ("1", 3_000, "dan"), ("2", 1_000, "greta")
        ]  # fmt: skip
        # Filed as it was shown, and by nobody below a Pit Supervisor.
        assert (await browser.get("/api/cash-reports")).status_code == 403
        assert await files(there, report, cents=9_999) == (409, "nothing-to-report")
        assert await files(there, report, kind="out") == (409, "nothing-to-report")
        assert await files(there, report) == (204, "")
        [report] = await reports(there)
        assert (report["due"], report["filed"]["reference"], report["filed"]["by"]) == (False, "R-1", "greta")
        # Once filed, it is not due, and its reference stays.
        assert await files(there, report, reference="R-2") == (409, "nothing-to-report")
        filed = on.CashReportFiled("ann", report["day"], "in", report["cents"], "R-3")
        with pytest.raises(NothingToReport):  # nor by whoever asked at the same time
            await there.identity.house.file_report(await there.session(), filed)
        [report] = await reports(there)
        assert report["filed"]["reference"] == "R-1"
        # More cash on the same day: the report is due again, of all of it.
        await books(there, "in", 500)
        [report] = await reports(there)
        assert (report["due"], report["cents"], report["filed"]["cents"]) == (True, 10_500, 10_000)
        # Another day begins from nothing.
        there.clock.go(24 * HOUR)
        await there.identity.sweep()
        await books(there, "in", 9_999)
        assert len(await reports(there)) == 1
        await is_clean(there)
        counts = audit(there.server.hall.writer.floor.store).counts
        assert (counts.cash_reports, counts.cash_reports_late) == (1, 0)
        there.clock.go(24 * HOUR)
        await there.identity.sweep()
        await books(there, "out", 1)
        await there.server.hall.writer.settle_down()
        counts = audit(there.server.hall.writer.floor.store).counts
        assert (counts.cash_reports, counts.cash_reports_late) == (1, 1)


@waits
async def test_whoever_files_a_report_shows_again_who_they_are(tmp_path: Path) -> None:
    async with street(tmp_path, prove_again_s=60, **LIMIT) as there:
        await registered(there)
        await books(there, "in", 10_000)
        there.clock.go(2)
        [report] = await reports(there)
        assert await files(there, report) == (401, "prove-again")
        [report] = await reports(there)
        assert report["due"]


@waits
async def test_no_id_of_a_command_hides_cash_from_the_reports(tmp_path: Path) -> None:
    async with street(tmp_path, **LIMIT) as there:
        await there.hired("dan", Position.DEALER)
        await registered(there)
        dan = await dealing(there)
        for id_ in ("import-h0", "import-1-2-3", "redeem-h0"):
            refused = await dan.ask("do", table="1", id=id_, act={"do": "buy-in", **ANN, "cents": 9_000})
            assert refused["code"] == "malformed"
        # Nor does one that came to the floor by another way.
        by = Actor("dan", Position.DEALER)
        session = there.identity.house._people.sessions_of("dan")[-1]  # noqa: SLF001 (who is dealing)
        warrant = Warrant(session.id)
        writer = there.server.hall.writer
        for id_ in ("import-1-2-3", "import-h0"):
            about: dict[str, Any] = {"id": id_, "table": "1", "by": by, "at_ms": there.server.hall.now_ms()}
            command = do.BuyIn(**about, patron="ann", position=1, cents=Cents(9_000))
            await writer.give(command, warrant)
        [report] = await reports(there)
        assert (report["patron"], report["cents"], report["due"]) == ("ann", 18_000, True)
        browser = await there.signed_in("dan")
        assert (await browser.get("/api/desk/cash/ann")).json()["in_cents"] == 18_000
        await is_clean(there)
        assert audit(writer.floor.store).counts.cash_reports == 1


@waits
async def test_tickets_and_play_credits_are_no_cash_and_without_a_threshold_nothing_is_due(tmp_path: Path) -> None:
    async with street(tmp_path, **LIMIT) as there:
        token = await there.identity.enrol_guest()
        page = await there.page(terminal=token)
        await page.sit("1", 50_000)
        ticket = await page.ask("collect", table="1")
        staff = await desk(there)
        name = there.identity.named(token)
        body = {"table": "1", "patron": name, "position": 1, "code": ticket["code"]}
        assert (await staff.post("/api/desk/ticket", json=body)).status_code == 200
        assert balance(there, name) == 0
        # What the ticket was redeemed for is no cash that came in; what was paid for it went out.
        assert [(each["kind"], each["cents"]) for each in await reports(there)] == [("out", 50_000)]
    later = Clock()
    later.go(24 * HOUR)
    async with street(tmp_path, clock=later) as there:
        await registered(there)
        await books(there, "in", 50_000)
        assert [each["patron"] for each in await reports(there)] == [name]
        assert date.fromisoformat((await reports(there))[0]["day"])
        await is_clean(there)
