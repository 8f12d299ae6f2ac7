"""A terminal that has credits becomes another device by two people, each in a session of their own."""

from pathlib import Path
from typing import Any, Final

import httpx
from tests.server.house import setup
from tests.server.identity.lobby import PASSWORD, Lobby, lobby
from tests.server.waiting import waits

from punto.record import audit
from punto.rules import Position
from punto.rules.money import Cents
from punto.server.config import TableConfig
from punto.server.identity import FirstAccount
from punto.server.ids import fresh_id
from punto.table import Actor, Source
from punto.table import commands as do

TABLE: Final = TableConfig(key="1", setup=setup("baccarat", bets_ms=60_000, source=Source.DEVICE), automatic=False)
SEVEN: Final = {"number": 7}
ANN: Final = Actor("terminal-7", Position.PATRON)
PROPOSED: Final = "/api/terminals/proposed"


def told(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"] if answer.content else ""


async def give(there: Lobby, kind: Any, by: Actor = ANN, **fields: Any) -> None:  # noqa: ANN401
    command = kind(id=fresh_id(), table="1", by=by, at_ms=there.clock(), **fields)
    await there.server.hall.writer.give(command)


async def fill(there: Lobby, cents: int = 5_000) -> None:
    """Let the patron at terminal 7 buy in."""
    await give(there, do.BuyIn, patron="terminal-7", cents=Cents(cents), position=1)
    there.clock.go(0.2)


async def enrolled(there: Lobby, pit: httpx.AsyncClient, **more: str) -> httpx.AsyncClient:
    """A device that is terminal 7."""
    device = there.browser(**more)
    code = (await pit.post("/api/terminals", json=SEVEN)).json()["code"]
    assert (await device.post("/api/enrol", json={"code": code})).json() == {"patron": "terminal-7"}
    return device


def clean(there: Lobby) -> bool:
    report = audit(there.server.hall.writer.floor.store)
    assert not report.total, report.findings[0]
    return True


@waits
async def test_a_terminal_with_credits_becomes_another_device_by_two_people(tmp_path: Path) -> None:
    async with lobby(tmp_path, TABLE) as there:
        sue, tom = await there.hired("sue", Position.PIT_SUPERVISOR), await there.hired("tom", Position.PIT_SUPERVISOR)
        dan, device, other = await there.hired("dan", Position.DEALER), await enrolled(there, sue), there.browser()
        await fill(there)
        waiting = (await sue.post("/api/terminals", json=SEVEN)).json()
        assert (waiting["name"], waiting["code"]) == ("terminal-7", "")
        digest = waiting["waits"]
        assert (await sue.post("/api/terminals", json=SEVEN)).json()["waits"] == digest, "asked twice it is the same"
        [shown] = (await tom.get(PROPOSED)).json()
        assert (shown["digest"], shown["name"], shown["by"]) == (digest, "terminal-7", "sue")
        assert told(await sue.post(f"{PROPOSED}/{digest}")) == (403, "not-allowed")
        assert told(await dan.post(f"{PROPOSED}/{digest}")) == (403, "not-allowed")
        assert told(await dan.get(PROPOSED)) == (403, "not-allowed")
        assert (await device.get("/api/me")).json()["patron"] == "terminal-7", "so far nothing has changed"
        code = (await tom.post(f"{PROPOSED}/{digest}")).json()["code"]
        assert told(await tom.post(f"{PROPOSED}/{digest}")) == (409, "nothing-pending")
        assert (await other.post("/api/enrol", json={"code": code})).json() == {"patron": "terminal-7"}
        assert (await device.get("/api/me")).json()["patron"] == ""
        assert (await tom.get(PROPOSED)).json() == []
        assert clean(there)


@waits
async def test_a_code_of_one_person_is_worth_nothing_once_credits_have_come(tmp_path: Path) -> None:
    async with lobby(tmp_path, TABLE) as there:
        sue = await there.hired("sue", Position.PIT_SUPERVISOR)
        device, other = await enrolled(there, sue), there.browser("10.0.0.9")
        code = (await sue.post("/api/terminals", json=SEVEN)).json()["code"]
        await fill(there)
        refused = await other.post("/api/enrol", json={"code": code})
        assert told(refused) == (409, "bad-code")
        assert "two members of staff" in refused.json()["message"]
        assert (await device.get("/api/me")).json()["patron"] == "terminal-7"
        # To withdraw the terminal first does not help.
        assert (await sue.delete("/api/terminals/terminal-7")).status_code == 204
        assert (await sue.post("/api/terminals", json=SEVEN)).json()["waits"]
        assert clean(there)


@waits
async def test_a_stake_on_a_table_counts_as_credits(tmp_path: Path) -> None:
    async with lobby(tmp_path, TABLE) as there:
        sue = await there.hired("sue", Position.PIT_SUPERVISOR)
        device, other = await enrolled(there, sue), there.browser("10.0.0.9")
        code = (await sue.post("/api/terminals", json=SEVEN)).json()["code"]
        await fill(there)
        dealer = Actor("dora", Position.DEALER)
        await give(there, do.LoadShoe, dealer)
        await give(there, do.OpenBets, dealer)
        await give(there, do.SetStake, patron="terminal-7", wager="Player", stake_cents=Cents(5_000), position=1)
        assert there.server.hall.has_stakes("terminal-7")
        assert (await sue.post("/api/terminals", json=SEVEN)).json()["waits"]
        assert told(await other.post("/api/enrol", json={"code": code})) == (409, "bad-code")
        assert (await device.get("/api/me")).json()["patron"] == "terminal-7"


@waits
async def test_the_second_person_is_independent_and_has_shown_who_it_is(tmp_path: Path) -> None:
    more: dict[str, Any] = {"demonstration": True, "independence_hours": 72, "prove_again_s": 600}
    async with lobby(tmp_path, TABLE, **more, first=(FirstAccount("gus", PASSWORD),)) as there:
        sue, gus = await there.hired("sue", Position.PIT_SUPERVISOR), await there.signed_in("gus")
        greta = await there.signed_in()
        await enrolled(there, sue)
        await fill(there)
        digest = (await sue.post("/api/terminals", json=SEVEN)).json()["waits"]
        assert [each["not_by"] for each in (await gus.get(PROPOSED)).json()] == [["greta"]]
        assert told(await greta.post(f"{PROPOSED}/{digest}")) == (403, "not-independent")
        there.clock.go(9)
        assert (await sue.post("/api/terminals", json=SEVEN)).json()["waits"] == digest
        there.clock.go(2)
        assert told(await gus.post(f"{PROPOSED}/{digest}")) == (401, "prove-again")
        assert told(await sue.post("/api/terminals", json=SEVEN)) == (401, "prove-again")


@waits
async def test_a_proposal_ends_with_its_time_its_session_or_a_word(tmp_path: Path) -> None:
    async with lobby(tmp_path, TABLE) as there:
        sue, tom = await there.hired("sue", Position.PIT_SUPERVISOR), await there.hired("tom", Position.PIT_SUPERVISOR)
        await enrolled(there, sue)
        await fill(there)

        async def proposed() -> str:
            return str((await sue.post("/api/terminals", json=SEVEN)).json()["waits"])

        digest = await proposed()
        there.clock.go(10)
        assert told(await tom.post(f"{PROPOSED}/{digest}")) == (409, "nothing-pending")
        digest = await proposed()
        assert (await tom.delete(f"{PROPOSED}/{digest}")).status_code == 204
        assert told(await tom.post(f"{PROPOSED}/{digest}")) == (409, "nothing-pending")
        digest = await proposed()
        await sue.post("/api/sign-out")
        assert told(await tom.post(f"{PROPOSED}/{digest}")) == (409, "nothing-pending")
        assert clean(there)
