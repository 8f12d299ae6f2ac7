"""No visitor holds up another: answers at other tables, and memory, while each kind of attack goes on. By `make bench`.

A floor in a process of its own has twenty tables. Two hundred terminals wager at nineteen of them, and one visitor, in
another process, sends one kind of hostile message or body as often as the floor allows. Of each attack this prints the
99th percentile of the answers at the other tables, and by how much the floor and its workers have grown together. With
names as arguments, only the attacks whose names contain one of them.
"""

import asyncio
import contextlib
import gc
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import uvloop

from bench.attacks import ATTACKS, PAGES
from bench.crowd import Crowd
from bench.figure import Figure, told
from bench.server import free_port, listening, process, tokens

TERMINALS: Final = 200
TABLES: Final = 20
SECONDS: Final = 6.0
# Wagers of all terminals together, in a second.
RATE: Final = 100
BETS_MS: Final = 20_000
# Rounds at table 1 in which stakes were changed thousands of times.
BUSY: Final = 30
MOST_MS: Final = 150
MOST_MB: Final = 200
_LOOK_S: Final = 0.1
_MB: Final = 2**20


class Seen(NamedTuple):
    """What others saw of an attack."""

    p99_ms: float
    lost: int
    grown_mb: float
    sent: int


def memory_mb(pid: int) -> float:
    """The memory of a process and of everything that it has started."""
    with contextlib.suppress(OSError, IndexError):
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * 4096 / _MB + sum(memory_mb(child) for child in _children(pid))
    return 0.0


def _children(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            yield from map(int, task.read_text(encoding="ascii").split())


class Watch:
    """The floor under attack, and the crowd that plays there."""

    def __init__(self, folder: Path, port: int, pid: int, crowd: Crowd) -> None:
        others = [number for number in range(len(crowd.terminals)) if crowd.table(number) != 1]
        self._at_other_tables = others
        self._folder = folder
        self._port = port
        self._pid = pid
        self._crowd = crowd
        # What the floor takes when nobody attacks it.
        self._calm_mb = memory_mb(pid)

    async def seen(self, names: Sequence[str], seconds: float) -> Seen:
        """What others see while attacks go on, or none."""
        crowd = self._crowd
        await self._calm_down()
        crowd.begin()
        crowd.asked.clear()
        attacks = [self._attack(name, seconds) for name in names]
        most_mb = await self._play(seconds)
        sent = sum([int((await asyncio.to_thread(attack.communicate, timeout=90))[0]) for attack in attacks])
        await crowd.answered(10)
        p99_ms = 1000 * statistics.quantiles(crowd.taken_s, n=100)[98] if len(crowd.taken_s) > 1 else 10_000
        return Seen(p99_ms, len(crowd.asked), most_mb - self._calm_mb, sent)

    async def _calm_down(self) -> None:
        """Wait until the workers of the last attack are gone, or no longer."""
        for _ in range(150):
            if not list(_children(self._pid)):
                return
            await asyncio.sleep(_LOOK_S)

    def _attack(self, name: str, seconds: float) -> "subprocess.Popen[bytes]":
        arguments = (str(self._folder), str(self._port), name, str(seconds))
        return subprocess.Popen([sys.executable, "-m", "bench.attacks", *arguments], stdout=subprocess.PIPE)

    async def _play(self, seconds: float) -> float:
        """Have the crowd wager; the most memory meanwhile."""
        loop = asyncio.get_running_loop()
        most_mb = 0.0
        # The attacker's process takes a moment to start.
        until = loop.time() + seconds + 1
        while loop.time() < until:
            for _ in range(int(RATE * _LOOK_S)):
                number = random.choice(self._at_other_tables)
                loop.call_later(random.random() * _LOOK_S, self._crowd.wager, number, random.randrange(6))
            await asyncio.sleep(_LOOK_S)
            most_mb = max(most_mb, memory_mb(self._pid))
        return most_mb


@contextlib.asynccontextmanager
async def watched(folder: Path, terminals: int = TERMINALS, tables: int = TABLES) -> AsyncIterator[Watch]:
    """A floor with a crowd that plays."""
    port = free_port()
    served = ("bench.served", str(folder), str(port), str(terminals + PAGES), str(tables), str(BETS_MS), str(BUSY))
    with (folder / "log").open("wb") as log, process(*served, log=log) as floor:
        cookies = await tokens(folder)
        await listening(port)
        crowd = Crowd(tables)
        await crowd.connect(port, cookies[:terminals])
        warm = Watch(folder, port, floor.pid, crowd)
        await warm.seen((), 1)
        yield Watch(folder, port, floor.pid, crowd)
        for terminal in crowd.terminals:
            terminal.close()


async def measured(folder: Path, wanted: list[str]) -> list[Figure]:
    """Every attack, one after the other."""
    figures = []
    names = [name for name in ATTACKS if not wanted or any(each in name for each in wanted)]
    async with watched(folder) as watch:
        gc.collect()
        gc.disable()
        for name in ("", *names):
            seen = await watch.seen([name] if name else [], SECONDS)
            row = f"{name or 'nobody attacks'}"
            print(
                f"# {row}: {seen.sent} sent, {seen.lost} without an answer, grown by {seen.grown_mb:.0f} MB", flush=True
            )
            pair = [
                Figure(f"{row}: 99th percentile", seen.p99_ms, MOST_MS, "ms", more_is_better=False),
                Figure(f"{row}: memory", max(0.0, seen.grown_mb), MOST_MB, "MB", more_is_better=False),
                Figure(f"{row}: without an answer", seen.lost, 0, "", more_is_better=False),
            ]
            for figure in pair:
                print(figure, flush=True)
            figures += pair
    return figures


def main() -> int:
    """Measure, and tell."""
    with tempfile.TemporaryDirectory() as folder:
        figures = uvloop.run(measured(Path(folder), sys.argv[1:]))
    short = [figure for figure in figures if not figure.met]
    print(f"# {len(figures) // 3 - 1} attacks; {len(short)} figures fall short")
    return told(short)


if __name__ == "__main__":
    sys.exit(main())
