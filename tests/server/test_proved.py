"""Money and rulings: whoever books or decides has shown a while ago at most who it is, on open pages too."""

from pathlib import Path

from tests.server.identity.lobby import PASSWORD, _cheap_hashes
from tests.server.test_attendance import street
from tests.server.waiting import waits

from punto.record import audit

__all__ = ["_cheap_hashes"]

RULING = {"do": "rule", "ruling": "continue", "reason": "seen on the recording"}
SLIP = {"table": "1", "patron": "ann", "position": 1, "cents": 5_000, "kind": "in", "id": "slip-1"}


@waits
async def test_money_at_the_desk_and_rulings_ask_for_it_again_and_are_done_once_it_is_shown(tmp_path: Path) -> None:
    async with street(tmp_path, prove_again_s=600) as there:
        browser = await there.signed_in()
        page = await there.page(staff=browser.cookies["punto_staff"])
        assert (await browser.post("/api/patrons", json={"name": "ann"})).status_code == 200
        assert (await page.ask("do", table="1", id="1-r", act=RULING))["code"] != "prove-again"
        there.clock.go(11)
        for _ in range(2):
            page.answers.clear()
            answer = await browser.post("/api/desk", json=SLIP)
            assert (answer.status_code, answer.json()["code"]) == (401, "prove-again")
            assert (await page.ask("do", table="1", id="2-r", act=RULING))["code"] == "prove-again"
        assert (await page.ask("do", table="1", id="3-o", act={"do": "open-bets"}))["code"] != "prove-again"
        assert (await browser.post("/api/prove", json={"password": "wrong"})).status_code == 401
        assert (await browser.post("/api/prove", json={"password": PASSWORD})).status_code == 204
        booked = await browser.post("/api/desk", json=SLIP)
        assert (booked.status_code, booked.json()["credits_cents"]) == (200, 5_000)
        page.answers.clear()
        assert (await page.ask("do", table="1", id="2-r", act=RULING))["code"] != "prove-again"
        await there.server.hall.writer.settle_down()
        report = audit(there.server.hall.writer.floor.store)
        assert not report.total, report.findings[0]
