"""An evening on the floor: 200 terminals play for twenty minutes; memory stays flat, and the audit finds nothing.

`python -m bench.evening [MINUTES]`. Terminals come and go, wager, change their minds, lose their connections and ask
again. Memory is looked at from a quarter of the time on, when everything that is kept is there.
"""

import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import uvloop

from bench.crowd import WAGERS, Crowd
from bench.figure import Figure, told
from bench.server import free_port, listening, process, tokens
from punto.record.audit import audit
from punto.store import open_store

TERMINALS: Final = 200
TABLES: Final = 11
BETS_MS: Final = 4_000
MINUTES: Final = 20.0
_GROWTH: Final = 1.05


def resident_mib(pid: int) -> float:
    """The memory that a process has in use."""
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


async def played(folder: Path, minutes: float) -> list[Figure]:
    """Play, and look at the memory every few seconds."""
    port = free_port()
    arguments = (str(folder), str(port), str(TERMINALS), str(TABLES), str(BETS_MS))
    with process("bench.served", *arguments) as floor:
        cookies = await tokens(folder)
        await listening(port)
        crowd = Crowd(TABLES)
        await crowd.connect(port, cookies)
        seen: list[float] = []
        begun = time.monotonic()
        answers = 0
        while time.monotonic() - begun < 60 * minutes:
            for _ in range(TERMINALS // 4):
                number = random.randrange(TERMINALS)
                if crowd.table(number) in crowd.open:
                    crowd.wager(number, random.randrange(len(WAGERS)))
            if random.random() < 0.2:
                await crowd.reconnect(random.randrange(TERMINALS), port, cookies)
            await asyncio.sleep(0.5)
            if time.monotonic() - begun > 15 * minutes:
                seen.append(resident_mib(floor.pid))
            answers += len(crowd.taken_s)
            crowd.taken_s.clear()
        await crowd.answered(10)
        lost = len(crowd.asked)
        for terminal in crowd.terminals:
            terminal.close()
        await asyncio.sleep(1)
    quarter = max(1, len(seen) // 4)
    first, last = statistics.median(seen[:quarter]), statistics.median(seen[-quarter:])
    print(f"# {answers} answers; memory {first:.1f} MiB a quarter of the way on, {last:.1f} MiB at the end")
    return [
        Figure(
            "memory at the end against a quarter of the way on", last / first, _GROWTH, "times", more_is_better=False
        ),
        Figure("wagers without an answer, connections lost meanwhile aside", lost, 0, "", more_is_better=False),
        *_audited(folder),
    ]


def _audited(folder: Path) -> Iterator[Figure]:
    store = open_store(f"sqlite:{folder / 'floor.db'}", read_only=True)
    yield Figure("findings of the audit", audit(store).total, 0, "", more_is_better=False)
    store.close()


def main() -> int:
    """Play an evening, and tell."""
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES
    with tempfile.TemporaryDirectory() as folder:
        return told(uvloop.run(played(Path(folder), minutes)))


if __name__ == "__main__":
    sys.exit(main())
