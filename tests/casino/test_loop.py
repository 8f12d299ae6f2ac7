"""Simulated time: what asyncio promises holds, nothing takes time but what is planned, and the dead do nothing."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from punto.casino.faults import Died
from punto.casino.loop import Agenda, Loop
from punto.surroundings import Surroundings, now_ms


class Machine:
    """An agenda and one process on it."""

    def __init__(self) -> None:
        self.agenda = Agenda()
        self.failures: list[dict[str, Any]] = []
        surroundings = Surroundings(lambda: round(self.agenda.now_s * 1e9), bytes, lambda _: None)
        self.loop = Loop(self.agenda, surroundings, lambda: 0.25, self.failures.append)

    def start(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        def begin() -> None:
            self.loop.create_task(work())

        self.agenda.add(0.0, self.loop, begin)

    def run(self, until_s: float = 1e9) -> None:
        while self.agenda.now_s < until_s and self.agenda.step():
            pass


def test_time_jumps_to_what_comes_next() -> None:
    machine, seen = Machine(), []

    async def work() -> None:
        for span_s in (1.0, 3_600.0, 86_400.0):
            await asyncio.sleep(span_s)
            seen.append((asyncio.get_running_loop().time(), now_ms()))

    machine.start(work)
    machine.run()
    assert seen == [(1.0, 1_000), (3_601.0, 3_601_000), (90_001.0, 90_001_000)]


def test_work_on_a_thread_is_done_later_in_order_and_its_result_comes_later_still() -> None:
    machine, seen = Machine(), []
    thread = object()

    def work_on(name: str) -> str:
        seen.append((name, machine.agenda.now_s))
        return name.upper()

    async def work() -> None:
        loop = asyncio.get_running_loop()
        first, second = (loop.run_in_executor(thread, work_on, name) for name in "ab")  # type: ignore[arg-type]
        seen.append((await first, loop.time()))
        seen.append((await second, loop.time()))

    machine.start(work)
    machine.run()
    assert seen == [("a", 0.25), ("b", 0.5), ("A", 0.5), ("B", 0.75)]


def test_a_process_that_is_killed_cleans_nothing_up() -> None:
    machine, seen = Machine(), []

    async def work() -> None:
        try:
            await asyncio.sleep(10)
        finally:
            seen.append("cleaned up")

    machine.start(work)
    machine.run(1.0)
    machine.loop.dead = True
    machine.run()
    assert not seen
    machine.loop.bury()
    assert not machine.failures


def test_a_process_may_die_in_the_middle_of_anything() -> None:
    machine, seen = Machine(), []

    def die() -> None:
        raise Died

    async def work() -> None:
        try:
            await asyncio.get_running_loop().run_in_executor(None, die)
        except BaseException:  # noqa: BLE001
            seen.append("caught")

    machine.start(work)
    machine.run()
    assert machine.loop.dead
    assert not seen
    machine.loop.bury()


def test_a_process_that_stands_still_goes_on_where_it_was() -> None:
    machine, seen = Machine(), []

    async def work() -> None:
        await asyncio.sleep(1)
        seen.append(asyncio.get_running_loop().time())

    machine.start(work)
    machine.agenda.after(0.5, lambda: setattr(machine.loop, "paused", True))
    machine.agenda.after(7.0, machine.loop.resume)
    machine.run()
    assert seen == [7.0]


@pytest.mark.parametrize("fails", [True, False])
def test_what_fails_in_a_process_is_noticed(fails: bool) -> None:
    machine = Machine()

    async def work() -> None:
        if fails:
            raise ZeroDivisionError

    machine.start(work)
    machine.run()
    assert [type(each["exception"]) for each in machine.failures] == [ZeroDivisionError] * fails
    machine.loop.bury()
