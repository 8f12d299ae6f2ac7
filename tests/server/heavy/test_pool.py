"""Heavy work happens elsewhere, within limits: whatever it does, the floor goes on and the next one is served."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from tests.server.heavy.chores import chore
from tests.server.test_chances import play
from tests.server.waiting import waits

from punto.errors import BadDeclaration, BadShoeFile, FloorIsClosing, TooMuchWork, WorkFailed
from punto.games import GAMES, dumps
from punto.server.chances import LAB, Sight
from punto.server.heavy.jobs import DECLARATION, ODDS, VERIFY
from punto.server.heavy.pool import Pool
from punto.server.verdicts import Verdict


@asynccontextmanager
async def pool() -> AsyncIterator[Pool]:
    made = Pool()
    try:
        yield made
    finally:
        await made.stop()
        assert not any(map(is_there, made.pids))


def is_there(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


def peak_kb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0])


@waits
async def test_a_pool_costs_nothing_until_it_is_used_and_a_worker_is_used_again() -> None:
    async with pool() as workers:
        assert workers.pids == []
        first = await workers.run(chore("identify"), "ann")
        assert workers.pids == [first]
        assert await workers.run(chore("identify"), "bob") == first
        two = await asyncio.gather(*(workers.run(chore("doze"), who, 0.1) for who in ("ann", "bob", "eve")))
        assert two == [None] * 3
        assert len(workers.pids) == 2


@waits
async def test_whatever_goes_wrong_in_a_worker_is_one_refusal_and_the_next_is_served() -> None:
    async with pool() as workers:
        with pytest.raises(BadShoeFile, match="line 7: no") as refused:
            await workers.run(chore("refuse"), "eve")
        assert refused.value.at == 7
        with pytest.raises(WorkFailed, match="it is logged"):
            await workers.run(chore("fail"), "eve")
        with pytest.raises(TooMuchWork, match="more memory"):
            await workers.run(chore("hog"), "eve")
        with pytest.raises(WorkFailed, match="died"):
            await workers.run(chore("die"), "eve")
        began = time.monotonic()
        with pytest.raises(TooMuchWork, match=r"longer than 0\.3 seconds"):
            await workers.run(chore("spin", deadline_s=0.3), "eve")
        assert time.monotonic() - began < 5
        assert await workers.run(chore("echo"), "ann", 1, "two") == (1, "two")
        assert (workers.stopped, workers.died, workers.running, workers.waiting) == (1, 2, 0, 0)


@waits
async def test_a_worker_that_has_grown_is_replaced() -> None:
    async with pool() as workers:
        assert await workers.run(chore("grow", memory_mb=512), "eve") == 2**27
        assert workers.pids == []


@waits
async def test_a_worker_knows_no_secret_of_the_floor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PUNTO_KEY", "secret")
    monkeypatch.setenv("PGPASSWORD", "secret")
    with (tmp_path / "floor.key").open("w") as key:
        async with pool() as workers:
            environment, files, priority = await workers.run(chore("surroundings"), "ann")
    assert "secret" not in environment.values()
    assert not [each for each in files if each == key.name or "socket" in each]
    assert priority >= 10


@waits
async def test_a_floor_that_stops_waits_for_no_work() -> None:
    workers = Pool()
    working = asyncio.create_task(workers.run(chore("sleep"), "eve"))
    while not workers.pids:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    pids = workers.pids
    began = time.monotonic()
    await workers.stop()
    assert time.monotonic() - began < 2
    with pytest.raises(FloorIsClosing):
        await working
    with pytest.raises(FloorIsClosing):
        await workers.run(chore("echo"), "ann")
    assert not any(map(is_there, pids))


_FLOOR = """
import asyncio
from punto.server.heavy.pool import Pool
from tests.server.heavy.chores import chore

async def main():
    pool = Pool()
    working = asyncio.create_task(pool.run(chore("spin"), "eve"))
    print(await pool.run(chore("identify"), "ann"), flush=True)
    print(*pool.pids, flush=True)
    await working

asyncio.run(main())
"""


def test_no_worker_outlives_a_floor_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", _FLOOR], stdout=subprocess.PIPE) as floor:
        assert floor.stdout
        floor.stdout.readline()
        pids = [int(pid) for pid in floor.stdout.readline().split()]
        assert len(pids) == 2
        floor.kill()
    until = time.monotonic() + 10
    while any(map(is_there, pids)) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(map(is_there, pids))


@waits
async def test_declarations_and_shoes_are_read_by_a_lean_worker() -> None:
    game = GAMES["tiger"]
    async with pool() as workers:
        assert await workers.run(DECLARATION, "pia", dumps(game)) == game
        with pytest.raises(BadDeclaration, match="4 parts at most"):
            await workers.run(DECLARATION, "pia", ".".join(["a"] * 9_700) + " = 1")
        verdict = await workers.run(VERIFY, "ann", b"punto shoe 1\ngame tiger\n\n1 Ks 2h 5d 4c 9s = 4-6 B\n")
        assert verdict == Verdict(True, "", 1, 0, False, (), False)
        [pid] = workers.pids
        assert peak_kb(pid) < 60 * 1024


@waits
@pytest.mark.parametrize("name", ["strike", "strike_inside", "name_a_function", "name_a_class_that_does_things"])
async def test_an_answer_that_is_more_than_data_does_nothing_and_the_worker_is_replaced(
    tmp_path: Path, name: str
) -> None:
    struck = tmp_path / "struck"
    async with pool() as workers:
        first = await workers.run(chore("identify"), "ann")
        with pytest.raises(WorkFailed):
            await workers.run(chore(name), "ann", str(struck))
        assert not struck.exists()
        assert await workers.run(chore("identify"), "ann") != first


@waits
async def test_the_outlook_of_a_declared_game_comes_from_a_worker_as_it_was_worked_out() -> None:
    table = play("EB4")
    sight = Sight.of(table)
    assert sight is not None
    async with pool() as workers:
        outlook = await workers.run(ODDS, "ann", table.open, sight)
    assert outlook == LAB.outlook(table.open, sight)
    assert outlook.edges
    assert outlook.chances
