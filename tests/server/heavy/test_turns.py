"""Visitors take turns: one thing of each at a time, a few that wait, and nobody waits for the greediest."""

import asyncio

import pytest
from tests.server.waiting import waits

from punto.errors import TooFast
from punto.server.heavy.turns import STAFF, Turns


class Desk:
    """Notes who works, in order; each works until told to stop."""

    def __init__(self, slots: int, waiting_each: int) -> None:
        self.turns = Turns(slots, waiting_each)
        self.began: list[str] = []
        self.over = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    async def work(self, visitor: str, *, long: bool = False) -> None:
        async with self.turns.turn(visitor, 10, long=long):
            self.began.append(visitor)
            await self.over.wait()

    async def ask(self, *visitors: str, long: bool = False) -> None:
        self.tasks += [asyncio.create_task(self.work(visitor, long=long)) for visitor in visitors]
        for _ in range(5):
            await asyncio.sleep(0)

    async def finish(self) -> None:
        self.over.set()
        await asyncio.gather(*self.tasks)
        assert (self.turns.running, self.turns.waiting) == (0, 0)


@waits
async def test_a_visitor_has_one_turn_at_a_time_and_others_come_between() -> None:
    desk = Desk(slots=2, waiting_each=4)
    await desk.ask("eve", "eve", "eve", "eve")
    assert desk.began == ["eve"]
    await desk.ask("ann", "bob", "ann")
    assert desk.began == ["eve", "ann"]
    await desk.finish()
    assert sorted(desk.began) == ["ann", "ann", "bob", *["eve"] * 4]
    assert desk.began.index("bob") < 4


@waits
async def test_what_is_too_much_of_one_visitor_is_refused_and_another_is_served() -> None:
    desk = Desk(slots=1, waiting_each=2)
    await desk.ask("eve", "eve", "eve")
    with pytest.raises(TooFast, match="too much at once"):
        await desk.work("eve")
    await desk.ask("ann")
    await desk.finish()
    assert desk.began.index("ann") < len(desk.began) - 1


@waits
async def test_when_very_many_wait_newcomers_are_refused_but_staff_are_not() -> None:
    desk = Desk(slots=1, waiting_each=2)
    await desk.ask("x", *(f"address/{number}" for number in range(64)))
    with pytest.raises(TooFast, match="too many are asking"):
        await desk.work("ann")
    await desk.ask(f"{STAFF}pia")
    await desk.finish()
    assert len(desk.began) == 66


@waits
async def test_long_work_always_leaves_a_place() -> None:
    desk = Desk(slots=2, waiting_each=2)
    await desk.ask("pia", "pit", long=True)
    assert desk.began == ["pia"]
    await desk.ask("ann")
    assert desk.began == ["pia", "ann"]
    await desk.finish()


@waits
async def test_who_waits_too_long_or_goes_away_leaves_the_queue() -> None:
    desk = Desk(slots=1, waiting_each=2)
    await desk.ask("eve")
    with pytest.raises(TooFast, match="busy"):
        async with desk.turns.turn("ann", 0.01):
            raise AssertionError
    await desk.ask("bob")
    gone = desk.tasks.pop()
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    assert desk.turns.waiting == 0
    await desk.finish()
    assert desk.began == ["eve"]
