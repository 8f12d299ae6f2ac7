"""A floor to be measured: twenty electronic tables and a thousand enrolled terminals, in a process of its own.

`python -m bench.served FOLDER PORT TERMINALS TABLES BETS_MS [BUSY]` writes the terminals' tokens to FOLDER/tokens once
it serves, a link for a pit supervisor, a pit manager and a gaming shift manager to FOLDER/links, and keeps in
FOLDER/store_ns what processor time its store has used so far.
"""

import mmap
import struct
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import enumerate as enumerate_threads
from typing import Any, Final

from bench.floor import Table
from punto.floor import Floor, Keys
from punto.rules import Position
from punto.rules.money import Cents
from punto.server.app import Server
from punto.server.clockwork import Pace
from punto.server.config import FloorConfig, TableConfig
from punto.server.serving import serve
from punto.store import SqliteStore
from punto.store.contract import Row, Sending, SendingStore
from punto.store.hand import THREAD
from punto.table import Limit, Setup, Source, Timings

# As many as one page can make in a round of twenty seconds.
CHANGES: Final = 4_800


class Timed:
    """A store that adds up the processor time of its own writing: not that of making the entries."""

    def __init__(self, store: SendingStore, path: Path) -> None:
        self._store = store
        path.write_bytes(bytes(8))
        with path.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), 8)
        self._ns = 0

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        """Write, and note how long it took."""
        rows = list(entries)
        with self._timed():
            self._store.append(rows, fences)

    def send(self, entries: Iterable[Row], fences: Mapping[str, int]) -> Sending:
        """Send, and note how long that took; what the store's own thread takes is counted besides."""
        rows = list(entries)
        with self._timed():
            return self._store.send(rows, fences)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        begun = time.thread_time_ns()
        try:
            yield
        finally:
            self._ns += time.thread_time_ns() - begun
            self._shared[:] = struct.pack("<q", self._ns + _of_store_threads_ns())

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._store, name)


def _of_store_threads_ns() -> int:
    """The processor time of the threads that write for a store."""
    threads = [each.ident for each in enumerate_threads() if each.name == THREAD and each.ident is not None]
    return sum(time.clock_gettime_ns(time.pthread_getcpuclockid(each)) for each in threads)


def main(folder: str, port: int, *sizes: int) -> None:
    """Serve until told to stop; table 1 has had so many busy rounds by then."""
    terminals, tables, bets_ms, busy = (*sizes, 0)[:4]
    place = Path(folder)
    setup = Setup(
        game="fortune-six",
        source=Source.VIRTUAL,
        timings=Timings(bets_ms=bets_ms),
        limits={"*": Limit(Cents(100), Cents(1_000_000))},
    )
    pace = Pace(card_ms=100, speech_ms=100, result_ms=1500, shoe_ms=100, cut_ms=100)
    config = FloorConfig(
        name="Bench",
        tables=tuple(TableConfig(key=str(number), setup=setup, pace=pace) for number in range(1, tables + 1)),
        store=f"sqlite:{place / 'floor.db'}",
        key_file=str(place / "floor.key"),
        port=port,
        demonstration=True,
    )

    def made(config: FloorConfig) -> Server:
        store = Timed(SqliteStore(place / "floor.db"), place / "store_ns")
        floor = Floor(store, Keys.at(place / "floor.key"))
        if busy:
            table = Table(floor, "1", setup)
            for _ in range(busy):
                table.busy_round(CHANGES)
        return Server(config, floor)

    async def told(server: Server) -> None:
        """Enrol the terminals, each from an address of its own."""
        enrol, name = server.identity.enrol_guest, server.identity.cookies.terminal
        tokens = [await enrol(f"10.0.{number // 250}.{number % 250}") for number in range(terminals)]
        ranks = (Position.PIT_SUPERVISOR, Position.PIT_MANAGER, Position.GAMING_SHIFT_MANAGER)
        links = [server.identity.link(rank.value, rank) for rank in ranks]
        (place / "links").write_text("".join(f"{link}\n" for link in links), encoding="ascii")
        (place / "tokens").write_text("".join(f"{name}={token}\n" for token in tokens), encoding="ascii")

    serve(config, told, made=made)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
