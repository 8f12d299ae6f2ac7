"""What is kept for staff: books, audit, head, logs."""

import asyncio
import csv
import io
from pathlib import Path

import pytest
from tests.server.heavy.chores import chore
from tests.server.http.floor import DORA, opened
from tests.server.waiting import waits

from punto.record import audit
from punto.rules import Position
from punto.table import commands as do

# What a member of staff might really send.
ACTS_OF_STAFF: dict[str, dict[str, object]] = {
    "/api/audit": {},
    "/api/program": {},
    "/api/desk": {"table": "3", "patron": "ann", "position": 1, "cents": 5_000, "kind": "in"},
    "/api/corrections": {
        "table": "3",
        "patron": "ann",
        "cents": 700,
        "reason": "miscounted",
    },
}
FOR_STAFF = ("/api/books", "/api/audit", "/api/head", "/api/security", "/api/program", "/api/tables/1/log")


@waits
async def test_what_is_for_staff_is_told_to_nobody_else(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        for browser in (floor.nobody(), (await floor.guest())[0]):
            for path in FOR_STAFF:
                answer = await browser.get(path)
                assert (answer.status_code, answer.json()["code"]) == (401, "not-signed-in"), path
            for path, body in ACTS_OF_STAFF.items():
                answer = await browser.post(path, json=body)
                assert (answer.status_code, answer.json()["code"]) == (401, "not-signed-in"), path
        strange = await floor.staff()
        strange.headers["origin"] = "https://example.org"
        assert (await strange.post("/api/audit")).status_code == 403


@waits
async def test_books_agree_in_both_forms_however_they_are_kept(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        (_, ann), pit = await floor.guest(), await floor.staff()
        await floor.do(do.LoadShoe, DORA)
        await floor.do(do.OpenBets, DORA)
        await floor.stake(ann, "Player", 1_000)
        for by in ("table", "terminal", "day", "shift"):
            books = (await pit.get(f"/api/books?by={by}&table=2")).json()
            [row] = books["rows"]
            assert (row["table"], row["in_cents"], row["escrow_cents"]) == ("2", 1_000, 1_000)
            answer = await pit.get(f"/api/books?by={by}&table=2&format=csv")
            assert answer.headers["content-disposition"] == f'attachment; filename="books-by-{by}.csv"'
            assert answer.headers["content-type"] == "text/csv; charset=utf-8"
            [line] = csv.DictReader(io.StringIO(answer.text))
            assert {key: str(row[key]) for key in line if key in row} == {key: line[key] for key in line if key in row}
        wallets = (await pit.get("/api/books?by=patron")).json()["wallets"]
        assert {"patron": ann.name, "credits_cents": 0, "owed_cents": 0} in wallets
        assert (await pit.get("/api/books?by=patron&format=csv")).text.startswith("patron,credits_cents,owed_cents\n")
        for query, status in (("by=year", 400), ("by=patron&table=2", 400), ("table=9", 404), ("format=xml", 400)):
            assert (await pit.get(f"/api/books?{query}")).status_code == status


@waits
async def test_an_audit_runs_in_the_background_while_the_floor_goes_on(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        pit = await floor.staff(name="pia")
        assert (await pit.get("/api/audit")).json()["state"] == "none"
        await floor.until(lambda: floor.hall.tables["1"].table.round > 3)
        started = await pit.post("/api/audit")
        assert (started.status_code, started.json()["state"], started.json()["by"]) == (202, "running", "pia")
        again = await pit.post("/api/audit")
        assert (again.status_code, again.json()["code"]) == (409, "audit-under-way")
        audits, version = started.json(), floor.hall.tables["1"].version
        while audits["state"] == "running":
            await asyncio.sleep(0.05)
            audits = (await pit.get("/api/audit")).json()
        assert floor.hall.tables["1"].version > version
        assert (audits["state"], audits["findings"]) == ("clean", [])
        assert audits["rounds"] >= 3
        head = await pit.get("/api/head")
        store, keys = floor.hall.writer.floor.store, floor.hall.writer.floor.keys
        assert [name.startswith("heads/") for name in head.json()["heads"]] == [True]
        await floor.hall.writer.settle_down()
        report = await floor.hall.writer.call(lambda: audit(store, public_key=keys.public, head=head.content))
        assert report.clean


@waits
async def test_refusals_for_want_of_authority_are_in_the_security_log(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        dealer, pit = await floor.staff(Position.DEALER, "dora"), await floor.staff(Position.PIT_SUPERVISOR, "pia")
        assert (await pit.get("/api/security")).json() == []
        with pytest.raises(Exception, match="may not"):
            await floor.do(do.RestrictAreas, DORA, most=2)
        [line] = (await pit.get("/api/security?last=5")).json()
        assert (line["by"], line["position"], line["do"], line["table"]) == ("dora", "dealer", "restrict-areas", "2")
        # What is no table's: a Dealer looks into the pit's books.
        for path in ("/api/security", "/api/books", "/api/audit", "/api/head"):
            assert (await dealer.get(path)).json()["code"] == "not-allowed"
        lines: list[dict[str, str]] = []
        async with asyncio.timeout(5):  # whoever asked need not wait until it is written
            while len(lines) < 5:
                lines = (await pit.get("/api/security")).json()
        assert [line["do"] for line in lines[:4]] == [
            "GET /api/head",
            "GET /api/audit",
            "GET /api/books",
            "GET /api/security",
        ]
        assert lines[0]["said"] == "a Dealer may not take the head home: only a Pit Supervisor or above may"


@waits
async def test_the_log_of_a_table_is_told_in_parts_in_order_and_in_words(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        pit = await floor.staff()
        await floor.until(lambda: floor.hall.tables["1"].version > 250)
        told: list[int] = []
        while len(told) < 250:
            log = (await pit.get(f"/api/tables/1/log?after={len(told)}")).json()
            told += [line["version"] for line in log["lines"]]
            assert all(line["said"]["en"] and line["said"]["zh"] for line in log["lines"])
        assert told == list(range(1, len(told) + 1))
        last = (await pit.get("/api/tables/1/log")).json()
        assert len(last["lines"]) >= 200
        assert (await pit.get("/api/tables/1/log?after=99999999")).json()["lines"] == []


@waits
async def test_a_floor_that_stops_does_not_wait_for_its_audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    monkeypatch.setattr("punto.server.audits.AUDIT", chore("sleep", 60, long=True))
    async with opened(tmp_path) as floor:
        pit = await floor.staff()
        assert (await pit.post("/api/audit")).status_code == 202
        audits = floor.server.office.audits
        await floor.server.finish()
        await floor.until(lambda: audits.state.state != "running")
        assert audits.state.state == "failed"
