"""Honest people on a real server: whatever they do, the audit ties each command to who gave it, and is clean."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.server.house import Page, setup
from tests.server.identity.lobby import OTHER_PASSWORD, PASSWORD, _cheap_hashes
from tests.server.test_attendance import Street, ended, street
from tests.server.waiting import waits

from punto.errors import NotAllowed, NotSignedIn
from punto.floor.warrants import Warrant
from punto.record import audit
from punto.rules import Method, Position
from punto.rules.money import Cents
from punto.server.config import TableConfig
from punto.server.ids import fresh_id
from punto.store import open_store
from punto.table import Actor, Source
from punto.table import commands as do
from punto.table.log import Logged
from punto.table.log import read as read_logged

if TYPE_CHECKING:
    import httpx

    from punto.server.identity import Session

__all__ = ["_cheap_hashes"]

READ = TableConfig(key="2", setup=setup("baccarat", source=Source.DEVICE, method=Method.A), automatic=False)


class Day:
    """A day on the floor: who is there, and what has happened so far."""

    def __init__(self, there: Street) -> None:
        self.there = there
        self.identity = there.identity
        self.sessions: dict[str, Session] = {}
        self.pages: dict[str, Page] = {}
        self.did: list[str] = []

    async def comes(self, name: str) -> Page:
        self.sessions[name], token = await self.identity.sign_in(name, PASSWORD)
        self.pages[name] = await self.there.page(staff=token)
        return self.pages[name]

    async def done(self, what: str) -> None:
        """Everything so far is clean."""
        await self.there.server.hall.writer.settle_down()
        store = self.there.server.hall.writer.floor.store
        report = audit(store)
        assert not report.total, (what, [str(found) for found in report.findings[:3]])
        self.did.append(what)

    def last(self, table: str) -> Logged:
        """The first event of the last command at a table."""
        store = self.there.server.hall.writer.floor.store
        leads = [entry for entry in store.read(f"table/{table}") if entry.command]
        return read_logged(leads[-1].body)


async def accepted(asking: Any) -> None:  # noqa: ANN401 (whatever answers)
    answer = await asking
    assert answer["t"] == "accepted", answer


async def _staff(day: Day) -> None:
    there, identity = day.there, day.identity
    for name, position in (
        ("dan", Position.DEALER),
        ("sue", Position.PIT_SUPERVISOR),
        ("pam", Position.PIT_MANAGER),
    ):
        await there.hired(name, position)
    await day.done("people are hired, and change the passwords that others had set")
    dan, greta = await day.comes("dan"), await day.comes("greta")
    await dan.take("1")
    await accepted(dan.act("1", "load-shoe"))
    assert day.last("1").session == day.sessions["dan"].id
    await day.done("a dealer takes a table and changes its shoe")
    refused = await dan.act("1", "close-table")
    assert refused["code"] == "not-allowed"
    await day.done("a dealer is refused what takes another position")
    await identity.accounts.let_act(day.sessions["greta"], "dan", Position.PIT_SUPERVISOR, 60_000)
    await dan.until(lambda: dan.told[-1].get("position") == "pit-supervisor")
    await accepted(dan.act("1", "open-bets"))
    assert day.last("1").by == Actor("dan", Position.PIT_SUPERVISOR, acting=True)
    await day.done("somebody acts in a higher position for a while")
    there.clock.go(1)
    await dan.until(lambda: dan.told[-1].get("position") == "dealer")
    await accepted(dan.act("1", "close-bets"))
    await day.done("and acts in the one that is held when the time is over")
    there.clock.go(-2)
    await accepted(dan.act("1", "draw-card"))
    assert day.last("1").given_ms == there.clock() < day.last("1").at_ms
    there.clock.go(2)
    await day.done("the clock is set back, and a command bears the time of the one before it")
    proposed = await greta.act("1", "change-limits", limits={"*": {"min_cents": 500, "max_cents": 900_000_000}})
    assert proposed["t"] == "proposed", proposed
    pam = await day.comes("pam")
    await accepted(pam.confirm("1", proposed["digest"]))
    assert (day.last("1").session, day.last("1").second) == (day.sessions["greta"].id, day.sessions["pam"].id)
    await day.done("two people change limits beyond the file")


async def _sessions(day: Day) -> None:
    identity = day.identity
    await identity.sign_out(day.sessions["dan"])
    assert await ended(day.pages["dan"]) == "signed-out"
    dan = await day.comes("dan")
    await dan.take("1")
    await accepted(dan.act("1", "draw-card"))
    await day.done("a dealer signs out, comes back and goes on")
    await identity.revoke(day.sessions["greta"], day.sessions["dan"].id)
    assert await ended(dan) == "revoked"
    dan = await day.comes("dan")
    await dan.take("1")
    await accepted(dan.act("1", "draw-card"))
    await day.done("a manager ends a session, and its dealer signs in again")
    await identity.accounts.move(day.sessions["greta"], "dan", Position.PIT_SUPERVISOR)
    await dan.until(lambda: dan.told[-1].get("position") == "pit-supervisor")
    await accepted(dan.act("1", "draw-card"))
    await day.done("a dealer becomes a supervisor, on the open page")
    await identity.accounts.set_password(day.sessions["greta"], "dan", OTHER_PASSWORD)
    assert await ended(dan) == "password-changed"
    session, _ = await identity.sign_in("dan", OTHER_PASSWORD)
    await identity.change_password(session, OTHER_PASSWORD, PASSWORD)
    await day.done("a password is set by another, and changed")
    for _ in range(5):
        with pytest.raises(Exception, match="do not belong together"):
            await identity.sign_in("sue", "wrong")
    await identity.sweep()
    await identity.accounts.unlock(day.sessions["greta"], "sue")
    await day.comes("sue")
    await day.done("an account is locked, unlocked, and signs in")


async def _devices(day: Day) -> None:
    there, identity = day.there, day.identity
    guest = await there.page(terminal=await identity.enrol_guest())
    await guest.sit("2")
    await day.done("a guest sits down and buys credits")
    offered = await identity.devices.offer(day.sessions["sue"], 7, "")
    first = await there.page(terminal=await identity.enrol(offered.code))
    await first.sit("2")
    proposed = await identity.devices.offer(day.sessions["sue"], 7, "")
    offered = await identity.devices.confirm(day.sessions["greta"], proposed.waits)
    second = await there.page(terminal=await identity.enrol(offered.code))
    assert await ended(first) == "replaced"
    await second.sit("2")
    await day.done("a terminal is enrolled, and another device takes its place")
    dan = await day.comes("dan")
    await dan.take("2")
    for act in ("load-shoe", "open-bets"):
        await accepted(dan.act("2", act))
    await accepted(second.stake("2", "Banker", 1_000))
    await accepted(dan.act("2", "close-bets"))
    shoe = await identity.devices.enrol_shoe(day.sessions["greta"], "2", "")
    device = there.browser(authorization=f"Bearer {shoe.token}")
    for number, card in enumerate(("9s", "3d")):
        assert (await device.post("/api/tables/2/readings", json={"id": f"r{number}", "card": card})).status_code == 200
    assert (day.last("2").device, day.last("2").session) == ("shoe-2", day.sessions["dan"].id)
    await day.done("a shoe is enrolled, and reads cards for the dealer")
    await identity.devices.revoke(day.sessions["sue"], "terminal-7")
    assert await ended(second) == "revoked"
    await day.done("a terminal is withdrawn while its wager lies on the table")


async def _money(day: Day) -> None:
    there = day.there
    pit: httpx.AsyncClient = await there.signed_in("sue")
    assert (await pit.post("/api/patrons", json={"name": "ann"})).status_code == 200
    await day.done("a patron is registered")
    desk = {"table": "2", "patron": "ann", "position": 1, "cents": 5_000, "kind": "in"}
    assert (await pit.post("/api/desk", json=desk)).status_code == 200
    await day.done("credits are bought at the desk")
    correction = {"table": "2", "patron": "ann", "cents": 700, "reason": "miscounted"}
    for _ in range(2):
        waiting = (await pit.post("/api/corrections", json=correction | {"id": "c1"})).json()
    await accepted(day.pages["pam"].confirm("2", waiting["waits"]))
    assert (day.last("2").second, day.last("2").by.name) == (day.sessions["pam"].id, "sue")
    assert (await pit.post("/api/corrections", json=correction | {"id": "c1"})).status_code == 409
    await day.done("a correction is approved by another, in a session of their own, and asked for twice")
    await day.identity.accounts.close(day.sessions["greta"], "pam")
    assert await ended(day.pages["pam"]) == "account-closed"
    await day.done("an account is closed")


@waits
async def test_whatever_honest_people_do_is_clean_also_after_the_floor_was_opened_again(tmp_path: Path) -> None:
    async with street(tmp_path, READ) as there:
        day = Day(there)
        for part in (_staff, _sessions, _devices, _money):
            await part(day)
        assert len(day.did) >= 15
    async with street(tmp_path, READ) as there:  # two rounds were under way
        await Day(there).done("the floor is opened again, and judges what was interrupted")
    store = open_store(f"sqlite:{tmp_path / 'floor.db'}", read_only=True)
    assert not audit(store).total
    store.close()


@waits
async def test_a_command_that_was_sent_before_its_sender_knew_is_refused(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        await there.hired("dan", Position.DEALER)
        session, _ = await there.identity.sign_in("dan", PASSWORD)
        greta = await there.session()
        writer, at_ms = there.server.hall.writer, there.clock()
        dan = Actor("dan", Position.DEALER)
        load = do.LoadShoe(id=fresh_id(), table="1", by=dan, at_ms=at_ms)
        # The page of the dealer hears of the end when it is durable; a command may be on its way by then.
        ending = asyncio.ensure_future(there.identity.accounts.close(greta, "dan"))
        await asyncio.sleep(0)
        with pytest.raises(NotSignedIn, match="the session is over"):
            await writer.give(load, Warrant(session.id))
        await ending
        again = do.LoadShoe(id=fresh_id(), table="1", by=dan, at_ms=at_ms)
        with pytest.raises(NotAllowed, match="another position"):
            await writer.give(again, Warrant(greta.id))
        late = do.LoadShoe(
            id=fresh_id(), table="1", by=Actor("greta", Position.GAMING_SHIFT_MANAGER), at_ms=greta.until_ms
        )
        with pytest.raises(NotSignedIn, match="the session is over"):
            await writer.give(late, Warrant(greta.id))
        offered = await there.identity.devices.offer(greta, 9, "")
        await there.identity.enrol(offered.code)
        await there.identity.devices.revoke(greta, "terminal-9")
        patron = Actor("terminal-9", Position.PATRON)
        buy = do.BuyIn(
            id=fresh_id(), table="1", by=patron, at_ms=at_ms, patron=patron.name, cents=Cents(100), position=1
        )
        with pytest.raises(NotSignedIn, match="this terminal is not known"):
            await writer.give(buy, Warrant(at_terminal=True))
        draw = do.DrawCard(id=fresh_id(), table="1", by=dan, at_ms=at_ms, card="9s")
        with pytest.raises(NotSignedIn, match="this shoe is not known"):
            await writer.give(draw, Warrant(device="shoe-1"))
        assert not audit(writer.floor.store).total
