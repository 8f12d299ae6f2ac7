"""Refusals for want of authority on open sockets: each is counted once and on record once, and a proposal is none."""

import asyncio
from pathlib import Path
from typing import Any, Final

import msgspec
from tests.server.house import Message, Page
from tests.server.identity.lobby import OTHER_PASSWORD, PASSWORD, _cheap_hashes
from tests.server.test_attendance import Street, street
from tests.server.test_insiders import LIMITS, OTHER_TABLE, buys, comes, corrects, dealing, hired, registered
from tests.server.waiting import waits

from punto.floor.handler import SECURITY
from punto.rules import Position

__all__ = ["_cheap_hashes"]

BEND: Final[dict[str, Any]] = {"side": "player", "card": 1, "lift": 0.5, "edge": "left"}


class Watched:
    """What is counted and on record of somebody, from one refusal to the next."""

    def __init__(self, there: Street, name: str) -> None:
        self._there, self._name = there, name
        self.before = self._seen()

    def _seen(self) -> tuple[int, int]:
        lines = [msgspec.json.decode(entry.body) for entry in self._there.server.hall.writer.floor.store.read(SECURITY)]
        own = [line for line in lines if line["by"]["name"] == self._name]
        self.last = own[-1] if own else {}
        return self._there.server.hall.trespasses.of(self._name), len(own)

    async def more(self) -> tuple[int, int]:
        """How often more, since the last time, the person was counted and put on record."""
        while self._there.server._live._reception._answering:  # noqa: ASYNC110, SLF001
            await asyncio.sleep(0.001)
        await self._there.server.hall.writer.settle_down()
        seen = self._seen()
        before, self.before = self.before, seen
        return seen[0] - before[0], seen[1] - before[1]


async def told(page: Page, **message: Any) -> Message:  # noqa: ANN401
    """What a page is told that asks something to which no id belongs."""
    known = len(page.told)
    await page.send(**message)
    await page.until(lambda: any(each["t"] == "refused" for each in page.told[known:]))
    return next(each for each in page.told[known:] if each["t"] == "refused")


@waits
async def test_each_refusal_on_an_open_socket_is_counted_and_on_record_once_and_a_proposal_is_not(
    tmp_path: Path,
) -> None:
    async with street(tmp_path, OTHER_TABLE, cash_limits=LIMITS, independence_hours=72) as there:
        for name, position in (("dan", Position.DEALER), ("sue", Position.PIT_SUPERVISOR)):
            await there.hired(name, position)
        await registered(there)
        dan, sue = await dealing(there), await comes(there, "sue")
        by_dan, by_sue = Watched(there, "dan"), Watched(there, "sue")
        # What takes two people is proposed, and done once another confirms it.
        waiting = await corrects(sue)
        cash = await buys(dan, 20_000)
        assert (waiting["t"], cash["t"]) == ("proposed", "proposed")
        assert await by_sue.more() == await by_dan.more() == (0, 0)
        # Nobody confirms a proposal of their own, and no Dealer a correction.
        for page, watched, digest in ((sue, by_sue, waiting["digest"]), (dan, by_dan, waiting["digest"])):
            assert (await page.confirm("1", digest))["t"] == "refused"
            assert await watched.more() == (1, 1)
            assert watched.last["do"] == "confirm"
        assert (await dan.ask("withdraw", table="1", digest=waiting["digest"]))["code"] == "not-allowed"
        assert await by_dan.more() == (1, 1)
        there.clock.go(2)
        dan, sue = await dealing(there), await comes(there, "sue")
        # What the table refuses, once, however often it is asked under the same id.
        for times in (1, 0):
            answer = await dan.ask("do", table="1", id="same", act={"do": "close-table"})
            assert answer["code"] == "not-allowed"
            assert await by_dan.more() == (times, times)
        # At a table that the Dealer has not taken.
        assert (await dan.act("2", "open-bets"))["code"] == "not-allowed"
        assert await by_dan.more() == (1, 1)
        assert (by_dan.last["table"], by_dan.last["do"]) == ("2", "open-bets")
        assert (await dan.confirm("2", "ab12"))["code"] == "not-allowed"
        assert await by_dan.more() == (1, 1)
        # What is a patron's.
        for message in ({"t": "sit", "table": "1"}, {"t": "bend", "table": "2"} | BEND):
            assert (await told(sue, **message))["code"] == "not-allowed"
            assert await by_sue.more() == (1, 1)
            assert by_sue.last["do"] == message["t"]


@waits
async def test_whoever_stands_with_nobody_yet_is_counted_once_when_proposing(tmp_path: Path) -> None:
    async with street(tmp_path, demonstration=False, independence_hours=72) as there:
        await hired(there, "pam", Position.PIT_MANAGER)
        await registered(there)
        pam = await comes(there, "pam")
        by_pam = Watched(there, "pam")
        # Pam's account is still in the hands of whoever opened it.
        assert (await corrects(pam))["code"] == "not-on-own-device"
        assert await by_pam.more() == (1, 1)


@waits
async def test_whoever_is_not_independent_is_counted_once_when_confirming(tmp_path: Path) -> None:
    async with street(tmp_path, independence_hours=72) as there:
        await hired(there, "sam", Position.GAMING_SHIFT_MANAGER)
        await registered(there)
        there.clock.go(80 * 60)
        await there.identity.sweep()
        await there.identity.accounts.open(await there.session("sam"), "pet", Position.PIT_MANAGER, OTHER_PASSWORD)
        session, _ = await there.identity.sign_in("pet", OTHER_PASSWORD, "pet's")
        await there.identity.change_password(session, OTHER_PASSWORD, PASSWORD)
        sam, pet = await comes(there, "sam"), await comes(there, "pet")
        by_pet = Watched(there, "pet")
        waiting = await corrects(sam)
        assert (await pet.confirm("1", waiting["digest"]))["code"] == "not-independent"
        assert await by_pet.more() == (1, 1)


@waits
async def test_a_patron_whose_finger_is_still_on_a_card_that_another_handles_is_not_slowed_down(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        token = await there.identity.enrol_guest()
        page = await there.page(terminal=token)
        await page.sit("1")
        for _ in range(6):
            assert (await told(page, t="bend", table="1", **BEND))["code"] == "not-allowed"
        assert (await page.ask("buy", table="1", cents=500))["t"] == "accepted"
        assert there.server.hall.trespasses.of(there.identity.named(token)) == 0
        assert (await page.act("1", "close-table"))["code"] == "not-allowed"
        assert there.server.hall.trespasses.of(there.identity.named(token)) == 1
