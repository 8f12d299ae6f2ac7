"""Claims on a real server: a patron disputes a round, staff who had no part in it answer, and both are on record."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from structlog.testing import capture_logs
from tests.floor.attacker import Attacker
from tests.server.house import Page, setup
from tests.server.identity.lobby import PASSWORD, _cheap_hashes
from tests.server.test_attendance import Street, street
from tests.server.waiting import waits

from punto.errors import NotSignedIn
from punto.record import audit
from punto.rules import Position
from punto.server.claims import ClaimAbout, Claims, Raising
from punto.server.claims import claims as module
from punto.server.claims.events import ClaimAnswered
from punto.server.claims.presence import patron_at
from punto.server.config import TableConfig
from punto.store.contract import Store
from punto.table import Actor, Source

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

    async def open(self, *names: str) -> None:
        for name in names:
            self.browsers[name] = await self.there.hired(name, STAFF[name])
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


async def pit(there: Street, *besides: str) -> Pit:
    opened = Pit(there)
    await opened.open("dan", "sue", *besides)
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
        where = {"claim": 1, "patron": opened.guest, "table": "2", "round": 1, "shoe": 1, "about": "payment"}
        assert sue.told[-1]["claims"] == [where | {"remaining_ms": 24 * 3_600_000}]
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


# What patrons are refused


@waits
async def test_a_patron_claims_only_about_rounds_in_which_the_patron_played(tmp_path: Path) -> None:
    async with street(tmp_path, DEALT) as there:
        opened = await pit(there)
        stranger, _, opened.browsers["stranger"] = await opened.comes()
        assert stranger != opened.guest
        assert code(await opened.claims(who="stranger")) == (409, "not-at-round")
        assert code(await opened.claims(7)) == (404, "no-such-round")
        elsewhere = await opened.browsers["guest"].post("/api/tables/9/rounds/1/claims", json=SAID)
        assert code(elsewhere) == (404, "no-such-table")
        # A stake that is refused is on no record: two rounds later it is still believed that somebody sat there.
        for _ in range(3):
            await opened.deal()
        assert (await opened.claims(3)).status_code == 200
        assert code(await opened.claims(4)) == (409, "not-at-round")
        report = opened.report()
        assert not report.total, report.findings


@waits
async def test_there_is_one_claim_by_one_patron_about_one_round_also_once_it_was_withdrawn(tmp_path: Path) -> None:
    async with street(tmp_path, DEALT) as there:
        opened = await pit(there)
        _, _, opened.browsers["stranger"] = await opened.comes()
        first = (await opened.claims(id="a1")).json()
        assert (await opened.claims(id="a1")).json() == first
        assert code(await opened.claims(id="a1", about="cards")) == (409, "id-in-use")
        assert code(await opened.claims(id="a2")) == (409, "claim-exists")
        away = "/api/claims/1/withdrawal"
        assert code(await opened.browsers["stranger"].post(away)) == (404, "no-such-claim")
        assert (await opened.browsers["stranger"].get("/api/claims/own")).json() == []
        assert code(await opened.browsers["sue"].post(away)) == (401, "not-signed-in")
        assert (await opened.browsers["guest"].post(away)).json()["outcome"] == "withdrawn"
        assert code(await opened.browsers["guest"].post(away)) == (409, "claim-closed")
        assert code(await opened.answers(1)) == (409, "claim-closed")
        there.clock.go(1)
        assert code(await opened.claims()) == (409, "claim-exists")
        assert len(list(opened.store.read("claims"))) == 3
        assert not opened.report().total


@waits
async def test_claims_are_bounded_in_age_number_rate_and_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with street(tmp_path, DEALT, claims_within_hours=2) as there:
        opened = await pit(there)
        await opened.deal("guest")
        monkeypatch.setattr(module, "MOST_OPEN", 1)
        for words in ("", " \n\x07 ", "x" * 501):
            assert code(await opened.claims(words=words)) == (400, "malformed"), words
        assert code(await opened.claims(about="weather")) == (400, "malformed")
        assert (await opened.claims(1)).status_code == 200
        assert code(await opened.claims(2)) == (409, "too-many-claims")
        there.clock.go(2 * HOUR_MIN + 1)
        monkeypatch.setattr(module, "MOST_OPEN", 5)
        assert code(await opened.claims(2)) == (409, "claim-too-late")
        answers = [code(await opened.claims(each)) for each in range(20, 30)]
        assert (429, "too-fast") in answers
        assert not opened.report().total


# What staff are refused


@waits
async def test_nobody_answers_a_claim_about_a_round_in_which_they_acted(tmp_path: Path) -> None:
    async with street(tmp_path, DEALT) as there:
        opened = await pit(there, "sid")
        assert (await opened.claims()).status_code == 200
        assert code(await opened.answers(1, "dan")) == (403, "not-allowed")
        await there.identity.accounts.move(await there.session(), "dan", Position.PIT_MANAGER)
        assert (await opened.browsers["dan"].get("/api/claims/1")).json()["own_act"]
        assert code(await opened.answers(1, "dan")) == (403, "own-act")
        # Nor does anybody at the very terminal that raised it.
        token = opened.browsers["guest"].cookies["punto_terminal"]
        opened.browsers["sue"].cookies.set("punto_terminal", token)
        assert code(await opened.answers(1, "sue")) == (403, "own-act")
        assert (await opened.answers(1, "sid")).status_code == 200
        assert code(await opened.answers(1, "sue")) == (409, "claim-closed")
        assert not opened.report().total


@waits
async def test_whoever_rules_on_a_matter_of_the_round_or_confirms_something_answers_no_claim_about_it(
    tmp_path: Path,
) -> None:
    async with street(tmp_path, DEALT) as there:
        opened = await pit(there, "sid", "pam")
        sue, pam = opened.pages["sue"], opened.pages["pam"]
        correct = {"patron": opened.guest, "cents": 500, "reason": "misread"}
        assert (await opened.claims()).status_code == 200
        proposed = await sue.act("2", "correct-credits", **correct)
        assert proposed["t"] == "proposed", proposed
        await accepted(pam.confirm("2", proposed["digest"]))
        for name in ("sue", "pam"):
            assert code(await opened.answers(1, name)) == (403, "own-act")
        [made] = (await opened.browsers["sid"].get("/api/claims/1")).json()["corrections"]
        assert made["cents"] == 500
        assert code(await opened.answers(1, "sid", correction=made["entry"] - 1)) == (409, "no-such-correction")
        assert code(await opened.answers(1, "sid", correction=10_000)) == (409, "no-such-correction")
        good = await opened.answers(1, "sid", upheld=True, correction=made["entry"])
        assert good.status_code == 200, good.text
        [own] = (await opened.browsers["guest"].get("/api/claims/own")).json()
        assert (own["outcome"], own["corrected"]) == ("upheld", True)
        assert not opened.report().total


@waits
async def test_an_overdue_claim_is_told_once_and_answered_by_who_is_let_in_and_has_proved_it(tmp_path: Path) -> None:
    terms: dict[str, Any] = {"prove_again_s": 600, "claims_answered_within_hours": 1, "idle_s": 43_200}
    async with street(tmp_path, DEALT, **terms) as there:
        opened = await pit(there)
        sue = opened.pages["sue"]
        await sue.send(t="watch-floor")
        assert (await opened.claims()).status_code == 200
        there.clock.go(HOUR_MIN + 1)
        claims = there.server.hall.claims
        with capture_logs() as logs:
            for _ in range(2):
                await claims.look()
        assert [each["event"] for each in logs if "overdue" in each["event"]] == ["a claim is overdue"]
        await sue.until(lambda: sue.told[-1].get("overdue") == 1)
        figures = (await opened.browsers["sue"].get("/metrics")).text
        assert "punto_claims_open 1.0" in figures
        assert "punto_claims_overdue 1.0" in figures
        assert (await there.browser().get("/health")).json()["status"] == "well"
        assert code(await opened.answers(1)) == (401, "prove-again")
        # Whoever is sent away while an answer is on its way has given none.
        session = await there.session("sue", PASSWORD)
        await there.identity.revoke(await there.session(), session.id)
        with pytest.raises(NotSignedIn):
            await claims.answer(
                Actor("sue", Position.PIT_SUPERVISOR), session.id, 1, ClaimAnswered(1, upheld=False, reason=""), "no"
            )
        assert claims.book.waiting == 1
        opened.browsers["sue"] = await there.signed_in("sue")
        assert (await opened.answers(1)).status_code == 200
        report = opened.report()
        assert (report.total, report.counts.claims_late) == (0, 1)


# What lasts


@waits
async def test_claims_outlast_the_floor_say_what_was_erased_and_hold_up_nothing_when_their_stream_is_damaged(
    tmp_path: Path,
) -> None:
    async with street(tmp_path, DEALT) as there:
        opened = await pit(there)
        token = opened.browsers["guest"].cookies["punto_terminal"]
        assert (await opened.claims()).status_code == 200
        assert (await opened.answers(1)).status_code == 200
        floor = there.server.hall.writer.floor
        for person in floor.personal.everybody():
            await there.server.hall.writer.call(floor.personal.erase, person)
    async with street(tmp_path, DEALT, clock=there.clock) as there:
        page = await there.page(terminal=token)
        await page.until(lambda: any(told["t"] == "claims" for told in page.told))
        [claim] = page.told[-1]["claims"]
        assert claim["outcome"] == "rejected"
        browser = there.browser()
        browser.cookies.set("punto_terminal", token)
        [own] = (await browser.get("/api/claims/own")).json()
        assert (own["words"], own["reason"], own["position"]) == (None, None, "pit-supervisor")
    Attacker(str(tmp_path / "floor.db")).edit("claims", 3, lambda plain: plain["event"].update(upheld=True), chain=True)
    async with street(tmp_path, DEALT, clock=there.clock) as there:
        assert (await there.browser().get("/health")).json()["damaged"] == {"claims": "the claims are stopped"}
        browser = there.browser()
        browser.cookies.set("punto_terminal", token)
        refused = await browser.post("/api/tables/2/rounds/1/claims", json=SAID)
        assert code(refused) == (503, "stream-stopped")
        assert (await browser.get("/api/tables/2")).status_code == 200


@waits
async def test_what_another_floor_wrote_meanwhile_is_read_before_anything_is_judged(tmp_path: Path) -> None:
    async with street(tmp_path, DEALT) as there:
        opened = await pit(there)
        await opened.deal("guest")
        hall = there.server.hall
        other = Claims(hall)
        await other.catch_up()
        assert (await opened.claims(1)).status_code == 200
        guest = Actor(opened.guest, Position.PATRON)
        at = patron_at(hall.writer.floor.history.believed, "2", 2, opened.guest)
        raised = await other.raise_claim(guest, Raising("2", 2, ClaimAbout.CARDS, "A card was shown.", ""), at)
        assert raised.number == 2
        assert (await opened.answers(2)).status_code == 200
        assert hall.claims.book.waiting == 1
        assert not opened.report().total


# Who is told


def _sees_tiles(page: Page) -> Callable[[], bool]:
    return lambda: bool(page.tiles)


def _heard_pong(page: Page) -> Callable[[], bool]:
    return lambda: {"t": "pong", "n": 1} in page.told


@waits
async def test_only_supervisors_are_told_of_the_queue_and_only_the_patron_of_the_own_claims(tmp_path: Path) -> None:
    async with street(tmp_path, DEALT) as there:
        opened = await pit(there, "sid")
        _, stranger, _ = await opened.comes()
        watching = [opened.pages["dan"], opened.pages["guest"], stranger, opened.pages["sue"], await there.page()]
        for page in watching:
            await page.send(t="watch-floor")
            await page.until(_sees_tiles(page))
        assert (await opened.claims()).status_code == 200
        sue = opened.pages["sue"]
        await sue.until(lambda: sue.told[-1].get("open") == 1)
        # Whoever has a lower position from now on sees no claims any more, on the open page.
        await there.identity.accounts.move(await there.session(), "sue", Position.DEALER)
        await sue.until(lambda: sue.told[-1] == {"t": "claim-queue", "claims": [], "open": 0, "overdue": 0})
        assert (await opened.answers(1, "sid")).status_code == 200
        for page in watching:
            await page.send(t="ping", n=1)
            await page.until(_heard_pong(page))
            queues = [told for told in page.told if told["t"] == "claim-queue" and told["open"]]
            own = [told for told in page.told if told["t"] == "claims"]
            assert bool(queues) == (page is sue)
            assert bool(own) == (page is opened.pages["guest"])


async def erases(opened: Pit, who: str, patron: str) -> dict[str, Any]:
    body = {"reason": "asked by letter"}
    answer = await opened.browsers[who].post(f"/api/people/{patron}/erasures", json=body)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


@waits
async def test_nobody_erases_what_is_said_in_a_claim_that_waits_nor_later_whoever_acted_in_its_round(
    tmp_path: Path,
) -> None:
    async with street(tmp_path, DEALT) as there:
        opened = await pit(there, "sid", "pam")
        greta = await there.session()
        assert (await opened.claims()).status_code == 200
        for name in ("dan", "pam"):
            await there.identity.accounts.move(greta, name, Position.GAMING_SHIFT_MANAGER)
        for name in ("dan", "pam"):
            told = await erases(opened, name, opened.guest)
            [stay] = told["stays"]
            assert (told["erased"], stay["kind"], stay["count"], stay["why"]) == (0, "claim", 1, "open-claim")
        assert (await opened.browsers["sid"].get("/api/claims/1")).json()["words"] == SAID["words"]
        [kept] = (await opened.browsers["pam"].get(f"/api/people/{opened.guest}")).json()["kept"]
        assert (kept["kind"], kept["why"]) == ("claim", "open-claim")
        assert (await opened.answers(1, "sid")).status_code == 200
        told = await erases(opened, "dan", opened.guest)
        [stay] = told["stays"]
        assert (told["erased"], stay["count"], stay["why"]) == (0, 2, "claim"), "dan has dealt the round"
        told = await erases(opened, "pam", opened.guest)
        assert (told["erased"], told["stays"]) == (2, [])
        assert not opened.report().total


@waits
async def test_what_was_said_in_a_claim_goes_by_itself_once_nobody_needs_it_and_somebody_had_it_erased(
    tmp_path: Path,
) -> None:
    async with street(tmp_path, DEALT) as there:
        opened = await pit(there, "sid")
        await there.identity.accounts.move(await there.session(), "dan", Position.GAMING_SHIFT_MANAGER)
        assert (await opened.claims()).status_code == 200
        assert (await erases(opened, "dan", opened.guest))["erased"] == 0
        assert (await opened.answers(1, "sid")).status_code == 200
        personal = there.server.hall.writer.floor.personal
        for hours, left in ((30, 2), (50, 1)):
            there.clock.go(60 * hours)
            await there.identity.sweep()
            assert len(personal.of(opened.guest).kept) == left, "the answer was not there when it was asked for"
        assert not opened.report().total
