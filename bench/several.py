"""Several floors on one PostgreSQL: they do not wait for each other. Run by `make bench`.

Each floor is a process of its own with one table, whose terminals place wagers in groups of 100. What one floor
acknowledges is measured beside four on the same database and four that have a schema each, in turns, in one run: only
the four on the same database share streams, sequencer and joins. Four floors on two cores compete for them; where they
also waited for each other, they would acknowledge less than one.
"""

import statistics
import sys
import time
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from typing import Any, Final

from tests.store.server import Server

from bench.figure import Figure, told
from bench.floor import GROUP, Table, one_upon_the_other
from punto.store import open_store

FLOORS: Final = 4
TURNS: Final = 5
SECONDS: Final = 4.0


def play(url: str, key: str, together: Barrier, counted: Any) -> None:  # noqa: ANN401 (a queue)
    """Open a table, and once all have opened theirs, play rounds for a while; how many wagers were acknowledged."""
    store = open_store(url)
    table = Table(store, key)
    rounds = table.rounds()
    one_upon_the_other(table.floor, next(rounds))
    together.wait(60)
    until, wagers = time.perf_counter() + SECONDS, 0
    for groups in rounds:
        one_upon_the_other(table.floor, groups)
        wagers += GROUP * len(groups)
        if time.perf_counter() >= until:
            break
    counted.put(wagers / (time.perf_counter() - until + SECONDS))
    store.close()


def acknowledged(urls: list[str], turn: int) -> float:
    """How many wagers a second floors acknowledge together, each at its address."""
    context = get_context("spawn")
    together, counted = context.Barrier(len(urls)), context.Queue()
    floors = [
        context.Process(target=play, args=(url, f"T{turn}-{number}", together, counted))
        for number, url in enumerate(urls)
    ]
    for floor in floors:
        floor.start()
    rates: list[float] = [counted.get(timeout=120) for _ in floors]
    for floor in floors:
        floor.join()
    return sum(rates)


def several() -> Iterator[Figure]:
    """One floor, four on one database, and four with a schema each, in turns."""
    server = Server(durable=True)
    joined = f"{server.url}{'&' if '?' in server.url else '?'}schema="
    ways = {
        "one": [f"{joined}one"],
        "together": [f"{joined}together"] * FLOORS,
        "apart": [f"{joined}apart{number}" for number in range(FLOORS)],
    }
    rates: dict[str, list[float]] = {way: [] for way in ways}
    for urls in ways.values():
        for url in set(urls):
            open_store(url).close()
    for turn in range(TURNS):
        for way, urls in ways.items():
            rates[way].append(acknowledged(urls, turn))
    server.close()

    def ratio(way: str, to: str) -> float:
        return statistics.median(a / b for a, b in zip(rates[way], rates[to], strict=True))

    yield Figure("one floor on PostgreSQL, in groups of 100", statistics.median(rates["one"]), 0, "wagers/s")
    shared = f"{FLOORS} floors on one database"
    yield Figure(f"{shared}, of what one acknowledges", ratio("together", "one"), 1, "times")
    yield Figure(f"{shared}, of {FLOORS} with a schema each", ratio("together", "apart"), 0.8, "")


if __name__ == "__main__":
    sys.exit(told(several()))
