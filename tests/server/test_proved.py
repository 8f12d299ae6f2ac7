"""Money and rulings: whoever books or decides has shown a while ago at most who it is, on open pages too."""

from pathlib import Path
from typing import Any, Final

from tests.server.identity.lobby import PASSWORD, _cheap_hashes
from tests.server.test_attendance import street
from tests.server.test_roles import DEALT
from tests.server.waiting import waits

from punto.record import audit
from punto.rules import Position

__all__ = ["_cheap_hashes"]

RULING = {"do": "rule", "ruling": "continue", "reason": "seen on the recording"}
CASH: Final = {"patron": "bob", "position": 1, "cents": 100_000}
WAGER: Final = {"patron": "bob", "position": 1, "wager": "Banker", "stake_cents": 50_000}
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


@waits
async def test_accounts_devices_patrons_and_what_a_table_is_played_for_ask_for_it_again_too(tmp_path: Path) -> None:
    async with street(tmp_path, DEALT, prove_again_s=600, demonstration=False) as there:
        for name, position in (("dan", Position.DEALER), ("sue", Position.PIT_SUPERVISOR)):
            await there.hired(name, position)
        browser = await there.signed_in()
        page = await there.page(staff=browser.cookies["punto_staff"])
        await there.identity.house.register_patron(await there.session(), "bob")
        await page.take("2")
        for name, more in (("load-shoe", {}), ("open-bets", {}), ("buy-in", CASH), ("place-wager", WAGER)):
            told = await page.act("2", name, **more)
            assert told["t"] == "accepted", told
        sues = next(each["id"] for each in (await browser.get("/api/sessions")).json() if each["name"] == "sue")
        there.clock.go(11)
        asked: list[tuple[str, str, Any]] = [
            ("DELETE", f"/api/sessions/{sues}", None),
            ("POST", "/api/people/dan/notes", {"kind": "full-name", "text": "Dan Lim"}),
            ("POST", "/api/patrons", {"name": "ann"}),
            ("POST", "/api/terminals", {"number": 7}),
            ("POST", "/api/shoes", {"table": "2"}),
            ("DELETE", "/api/terminals/shoe-2", None),
        ]
        for method, path, body in asked[:-1]:
            answer = await browser.request(method, path, json=body)
            assert (answer.status_code, answer.json()["code"]) == (401, "prove-again"), path
        acts: list[tuple[str, dict[str, Any]]] = [
            ("change-limits", {"limits": {"*": {"min_cents": 500, "max_cents": 400_000}}}),
            ("change-limits", {"limits": {"*": {"min_cents": 500, "max_cents": 900_000_000}}}),
            ("remove-wager", {"number": 1}),
            ("set-cards-aside", {"cards": "9s Kd"}),
        ]
        for name, more in acts:
            assert (await page.act("2", name, **more))["code"] == "prove-again", name
        # One's own session may be ended at any time.
        assert (await there.signed_in("dan")).cookies
        own = await there.signed_in()
        there.clock.go(11)
        mine = next(each["id"] for each in (await own.get("/api/sessions")).json() if each["own"])
        assert (await own.delete(f"/api/sessions/{mine}")).status_code == 204
        assert (await browser.post("/api/prove", json={"password": PASSWORD})).status_code == 204
        for method, path, body in asked:
            answer = await browser.request(method, path, json=body)
            assert answer.is_success, (path, answer.text)
        answers = [(await page.act("2", name, **more)).get("code", "accepted") for name, more in acts]
        assert (answers[0], "prove-again" in answers) == ("accepted", False)
        await there.server.hall.writer.settle_down()
        report = audit(there.server.hall.writer.floor.store)
        assert not report.total, report.findings[0]


@waits
async def test_what_somebody_proposed_who_must_show_it_again_is_done_by_nobody_else(tmp_path: Path) -> None:
    async with street(tmp_path, prove_again_s=600) as there:
        await there.hired("pam", Position.PIT_MANAGER)
        await there.identity.house.register_patron(await there.session(), "ann")
        greta = await there.signed_in()
        first = await there.page(staff=greta.cookies["punto_staff"])
        await first.send(t="watch", table="1", role="staff")
        await first.until(lambda: "1" in first.staff)
        waiting = await first.act("1", "correct-credits", patron="ann", cents=700, reason="misread")
        there.clock.go(11)
        pam = await there.signed_in("pam")
        second = await there.page(staff=pam.cookies["punto_staff"])
        await second.send(t="watch", table="1", role="staff")
        await second.until(lambda: "1" in second.staff)
        told = await second.confirm("1", waiting["digest"])
        assert (told["code"], "greta must show again who they are" in told["message"]) == ("refused", True)
        assert (await greta.post("/api/prove", json={"password": PASSWORD})).status_code == 204
        assert (await second.confirm("1", waiting["digest"]))["t"] == "accepted"
