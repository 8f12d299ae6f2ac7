"""The figures of the server: a thousand terminals at twenty tables, on this machine, load and all. Run by `make bench`.

Wagers come at random moments of a ten-second window, and then all within one second. Every answer is timed, and every
connection is watched for an acceptance that comes after its cards. What a wager message costs is held against a bare
Starlette echo of the same bytes, with the same number of clients, in turns within one run; what the store itself uses
is told by the server and taken off. A figure that falls short ends the run with status 1.
"""

import asyncio
import gc
import random
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Final

import uvloop

from bench.crowd import Crowd
from bench.figure import Figure, told
from bench.terminals import Terminal
from punto.floor.handler import TABLE
from punto.record.audit import audit
from punto.store import open_store
from punto.table import events as on
from punto.table.log import read as read_logged

TERMINALS: Final = 1_000
TABLES: Final = 20
EACH: Final = 3
WINDOW_S: Final = 10.0
BETS_MS: Final = 13_000
TURNS: Final = 3
PATIENCE_S: Final = 10.0


def processor_ns(pid: int) -> int:
    """The processor time of a process so far, all of its threads together."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks)


async def spread(actions: Sequence[Callable[[], None]], span_s: float) -> None:
    """Have each thing done at a random moment of the span."""
    loop = asyncio.get_running_loop()
    for action in actions:
        loop.call_later(random.random() * span_s, action)
    await asyncio.sleep(span_s + 0.5)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def process(*arguments: str, log: IO[bytes] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """A module of the bench in a process of its own; what it logs goes to the screen, or to a file."""
    running = subprocess.Popen([sys.executable, "-m", *arguments], stderr=log)
    try:
        yield running
    finally:
        running.terminate()
        running.wait(30)


async def listening(port: int) -> None:
    """Wait until somebody answers on a port."""
    for _ in range(600):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return
    raise TimeoutError(port)


class Meter:
    """What messages cost a server's processor, its store aside where it tells."""

    def __init__(self, pid: int, store: Path | None = None) -> None:
        self._pid = pid
        self._store = store
        self._begun = 0

    def _now(self) -> int:
        [used] = struct.unpack("<q", self._store.read_bytes()) if self._store else [0]
        return processor_ns(self._pid) - used

    def begin(self) -> None:
        """Count from now on."""
        self._begun = self._now()

    def us(self, messages: int) -> float:
        """Microseconds a message."""
        return (self._now() - self._begun) / 1000 / messages


class Turns:
    """The same wagers and the same echoes, in turns: what they cost, and what became of the wagers."""

    def __init__(self, crowd: Crowd, clients: list[Terminal], floor: Meter, echo: Meter) -> None:
        self._crowd = crowd
        self._meters = floor, echo
        text = b'{"t":"stake","id":"w%014x-%07d","table":"17","wager":"Fortune Six","cents":1000}' % (time.time_ns(), 1)
        self._wagers = [partial(crowd.wager, number, place) for number in range(TERMINALS) for place in range(EACH)]
        self._echoes = [partial(client.send, text) for client in clients for _ in range(EACH)]
        self.asked = self.answered = self.lost = self.late = 0
        self.p99_ms = 0.0
        self.costs_us: list[tuple[float, float]] = []

    async def take(self, span_s: float, times: int) -> "Turns":
        """So many turns, the messages of each spread over so long."""
        crowd, (floor, echo) = self._crowd, self._meters
        for _ in range(times):
            await crowd.all_open()
            crowd.begin()
            floor.begin()
            await spread(self._wagers, span_s)
            await crowd.answered(PATIENCE_S)
            cost_us = floor.us(len(self._wagers))
            self.asked += len(self._wagers)
            self.answered += len(crowd.taken_s)
            self.lost += len(crowd.asked)
            self.late += crowd.late
            self.p99_ms = max(self.p99_ms, 1000 * statistics.quantiles(crowd.taken_s, n=100)[98])
            echo.begin()
            await spread(self._echoes, span_s)
            self.costs_us.append((cost_us, echo.us(len(self._echoes))))
        return self

    def figures(self, name: str) -> Iterator[Figure]:
        """What is asked of them all."""
        floor_us, echo_us = (statistics.median(costs) for costs in zip(*self.costs_us, strict=True))
        ratio = statistics.median(floor / echo for floor, echo in self.costs_us)
        crowd = self._crowd
        print(
            f"# {name}: {floor_us:.0f} µs a wager, store aside; echo {echo_us:.0f} µs; 99th percentile "
            f"{self.p99_ms:.0f} ms; {crowd.accepted} accepted and {crowd.refused} refused in the last turn"
        )
        yield Figure(f"{name}: answered", self.answered, self.asked, "")
        yield Figure(f"{name}: without an answer", self.lost, 0, "", more_is_better=False)
        yield Figure(f"{name}: accepted after cards", self.late, 0, "", more_is_better=False)
        yield Figure(f"{name}: cost against a bare echo", ratio, 4, "times", more_is_better=False)


async def measured(folder: Path) -> list[Figure]:
    """All figures."""
    port, echo_port = free_port(), free_port()
    served = ("bench.served", str(folder), str(port), str(TERMINALS), str(TABLES), str(BETS_MS))
    with process(*served) as floor, process("bench.echo", str(echo_port)) as echo:
        cookies = await tokens(folder)
        await listening(port)
        await listening(echo_port)
        crowd = Crowd(TABLES)
        await crowd.connect(port, cookies)
        clients = [await Terminal.connect(echo_port, "/live", lambda _: None) for _ in range(TERMINALS)]
        gc.collect()
        gc.disable()
        meters = Meter(floor.pid, folder / "store_ns"), Meter(echo.pid)
        calm = await Turns(crowd, clients, *meters).take(WINDOW_S, TURNS)
        figures = [Figure("3,000 wagers in 10 s: 99th percentile", calm.p99_ms, 150, "ms", more_is_better=False)]
        figures += calm.figures("3,000 wagers in 10 s")
        rush = await Turns(crowd, clients, *meters).take(1.0, TURNS)
        figures += rush.figures("3,000 wagers in 1 s")
        for terminal in (*crowd.terminals, *clients):
            terminal.close()
    return [*figures, *_record(folder)]


async def tokens(folder: Path) -> list[str]:
    """The cookies of the terminals, once the floor has enrolled them."""
    while not (folder / "tokens").exists():
        await asyncio.sleep(0.1)
    return (folder / "tokens").read_text(encoding="ascii").split()


def _record(folder: Path) -> Iterator[Figure]:
    """What the record says of it: no wager after a close, and nothing that an audit finds."""
    store = open_store(f"sqlite:{folder / 'floor.db'}", read_only=True)
    late = wagers = 0
    for number in range(1, TABLES + 1):
        is_open = False
        for entry in store.read(f"{TABLE}{number}"):
            event = read_logged(entry.body).event
            is_open = isinstance(event, on.BetsOpened) or (is_open and not isinstance(event, on.BetsClosed))
            if isinstance(event, on.WagerPlaced | on.WagerChanged):
                wagers += 1
                late += not is_open
    yield Figure("wagers on record", wagers, 1, "")
    yield Figure("wagers on record after a close", late, 0, "", more_is_better=False)
    yield Figure("findings of the audit", audit(store).total, 0, "", more_is_better=False)
    store.close()


def main() -> int:
    """Measure, and tell."""
    with tempfile.TemporaryDirectory() as folder:
        return told(uvloop.run(measured(Path(folder))))


if __name__ == "__main__":
    sys.exit(main())
