"""Claims on a real server: a patron disputes a round, staff who had no part in it answer, and both are on record."""

import asyncio
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from tests.server.house import Page, setup
from tests.server.identity.lobby import PASSWORD, _cheap_hashes
from tests.server.test_attendance import Street, street
from tests.server.waiting import waits

from punto.record import audit
from punto.rules import Position
from punto.rules.money import Cents
from punto.server.claims import claims as module
from punto.server.config import TableConfig
from punto.server.ids import fresh_id
from punto.store.contract import Store
from punto.table import Actor, Source
from punto.table import commands as do

__all__ = ["_cheap_hashes"]

DEALT: Final = TableConfig(key="2", setup=setup("baccarat", source=Source.DEVICE), automatic=False)
HOUR_MIN: Final = 60
STAFF: Final = {
    "dan": Position.DEALER,
    "sue": Position.PIT_SUPERVISOR,
    "sid": Position.PIT_SUPERVISOR,
    "pam": Position.PIT_MANAGER,
}
SAID: Final = {"about": "payment", "words": "The Tie was not paid."}


class Pit:
    """A table where a round was dealt, its staff, and a patron who played."""

    def __init__(self, there: Street) -> None:
        self.there = there
        self.clock = there.clock
        self.pages: dict[str, Page] = {}
        self.browsers: dict[str, httpx.AsyncClient] = {}
        self.guest = ""

    @property
    def store(self) -> Store:
        return self.there.server.hall.writer.floor.store

    async def open(self) -> None:
        for name, position in STAFF.items():
            self.browsers[name] = await self.there.hired(name, position)
            _, token = await self.there.identity.sign_in(name, PASSWORD)
            self.pages[name] = await self.there.page(staff=token)
        await self.pages["dan"].take("2")
        self.guest, self.pages["guest"], self.browsers["guest"] = await self.comes()
        page = self.pages["guest"]
        await page.send(t="sit", table="2")
        await page.until(lambda: page.own.get("2"))
        await page.ask("buy", table="2", cents=100_000)
        await self.deal("guest")

    async def comes(self) -> tuple[str, Page, httpx.AsyncClient]:
        """A guest: the name, a page, and a browser."""
        token = await self.there.identity.enrol_guest()
        browser = self.there.browser()
        browser.cookies.set("punto_terminal", token)
        return self.there.identity.named(token), await self.there.page(terminal=token), browser

    async def deal(self, patron: str = "", dealer: str = "dan") -> int:
        """A round from its first bet to its payment; its number."""
        did = self.pages[dealer]
        table = self.there.server.hall.tables["2"]
        if table.table.phase.value == "change-of-shoe":
            await accepted(did.act("2", "load-shoe"))
        await accepted(did.act("2", "open-bets"))
        if patron:
            await accepted(self.pages[patron].stake("2", "Player", 500))
        await accepted(did.act("2", "close-bets"))
        for card in ("9s", "8d", "Kc", "Kh"):
            await accepted(did.act("2", "draw-card", card=card))
        await accepted(did.act("2", "announce"))
        await accepted(did.act("2", "settle"))
        return table.table.round

    async def claims(self, round_: int = 1, who: str = "guest", **said: Any) -> httpx.Response:  # noqa: ANN401
        return await self.browsers[who].post(f"/api/tables/2/rounds/{round_}/claims", json=SAID | said)

    async def answers(self, claim: int, who: str = "sue", **said: Any) -> httpx.Response:  # noqa: ANN401
        body = {"upheld": False, "reason": "The cards show no tie."} | said
        return await self.browsers[who].post(f"/api/claims/{claim}/answer", json=body)

    def report(self) -> Any:  # noqa: ANN401
        return audit(self.store)


async def accepted(asking: Any) -> None:  # noqa: ANN401
    answer = await asking
    assert answer["t"] == "accepted", answer


async def pit(there: Street) -> Pit:
    opened = Pit(there)
    await opened.open()
    return opened


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, str(answer.json().get("code", ""))


@waits
async def test_a_patron_claims_a_supervisor_answers_and_both_are_on_record(tmp_path: Path) -> None:
    async with street(tmp_path, DEALT) as there:
        opened = await pit(there)
        page, sue, dan = (opened.pages[name] for name in ("guest", "sue", "dan"))
        await sue.send(t="watch-floor")
        await dan.send(t="watch", table="2", role="staff")
        await dan.until(lambda: dan.staff.get("2"))
        raised = await opened.claims()
        assert raised.status_code == 200, raised.text
        told = raised.json()
        assert (told["claim"], told["outcome"], told["words"]) == (1, "open", SAID["words"])
        assert told["due_ms"] - told["raised_ms"] == 24 * 3_600_000
        await page.until(lambda: page.told[-1]["t"] == "claims")
        assert page.told[-1]["claims"][0]["remaining_ms"] == 24 * 3_600_000
        await sue.until(lambda: sue.told[-1].get("open") == 1)
        assert sue.told[-1]["claims"][0] | {"remaining_ms": 0} == {
            "claim": 1, "patron": opened.guest, "table": "2", "round": 1, "shoe": 1, "about": "payment", "remaining_ms": 0,
        }  # fmt: skip
        await dan.until(lambda: dan.staff["2"]["claims"] == 1)
        [listed] = (await opened.browsers["sue"].get("/api/claims")).json()
        assert (listed["claim"], listed["outcome"]) == (1, "open")
        found = (await opened.browsers["sue"].get("/api/claims/1")).json()
        assert (found["words"], found["own_act"]) == (SAID["words"], False)
        answered = await opened.answers(1, reason="  The cards\nshow no tie. ")
        assert answered.status_code == 200, answered.text
        await page.until(lambda: page.told[-1].get("claims", [{}])[0].get("outcome") == "rejected")
        await dan.until(lambda: dan.staff["2"]["claims"] == 0)
        await sue.until(lambda: sue.told[-1].get("open") == 0)
        [own] = (await opened.browsers["guest"].get("/api/claims/own")).json()
        assert (own["reason"], own["position"]) == ("The cards\nshow no tie.", "pit-supervisor")
        stored = b"".join(entry.body for entry in opened.store.read("claims"))
        assert b"Tie was not paid" not in stored
        assert b"show no tie" not in stored
        report = opened.report()
        assert not report.total, report.findings
        assert (report.counts.claims, report.counts.claims_late, report.counts.claims_open) == (1, 0, 0)
