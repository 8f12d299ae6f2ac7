"""The figures of the floor: from command to durable acknowledgement, replay, memory. Run by `make bench`.

Ratios are taken in one interleaved run: all wagers of a round go through the floor, in groups, and then the very same
rows go through a bare script, group by group, into a database with the same tables, indexes and settings. Both make
the same two syncs for each group: that of the database's log, and that of a tail outside, which a floor keeps as
`punto init` sets it up. The clock stops when the last group of the round is acknowledged. A figure that falls short
ends the run with status 1.
"""

import gc
import itertools
import json
import os
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import psycopg
from tests.store.server import Server

from bench.figure import Figure, told
from bench.server import free_port
from punto.floor import Answer, Floor
from punto.floor.history import History
from punto.floor.keys import Keys
from punto.floor.sequencer import Sequencer
from punto.ledger import TableMeters
from punto.proof.outposts import Outpost
from punto.rules import Position
from punto.store import SqliteStore, Store, open_store
from punto.store.contract import Entry, Row, Sending, Tip
from punto.table import Actor, AnyCommand, Phase, Setup, Source, evolve
from punto.table import Table as TableState
from punto.table import commands as do
from punto.table.log import DECODER

SECRET = sha256(b"bench").digest()
KEYS = Keys.from_secret(SECRET)
KEY_VARIABLE = "PUNTO_BENCH_KEY"
GROUP = 100
ROUNDS = 40
# So many groups of a hundred commands come in ten seconds.
CHECKPOINT_EVERY = 500
# What verification costs is measured on so many events, so many times.
PAIRED = 200_000
PAIRS = 25
START_MS = 1_767_196_800_000
TERMINALS = Setup(game="fortune-six", source=Source.VIRTUAL, positions=GROUP)
SYSTEM = Actor("clock", Position.SYSTEM)
SHIFT = Actor("manager", Position.GAMING_SHIFT_MANAGER)


class Watched:
    """A store that remembers the rows of its transactions."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.rows: list[list[Row]] = []

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        """Write, and remember what."""
        coming, remembered = itertools.tee(entries)
        self._store.append(coming, fences)
        self.rows.append([*remembered])

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._store, name)

    def taken(self) -> list[list[Row]]:
        """The rows since this was last asked."""
        rows, self.rows = self.rows, []
        return rows


class WatchedSending(Watched):
    """The same for a store that writes while the floor goes on."""

    def send(self, entries: Iterable[Row], fences: Mapping[str, int]) -> Sending:
        """Send, and remember what."""
        rows = list(entries)
        self.rows.append(rows)
        sending: Sending = self._store.send(rows, fences)  # type: ignore[attr-defined]
        return sending


class Table:
    """An electronic table with a hundred terminals, run round after round."""

    def __init__(self, floor: Store | Floor, key: str = "T1", setup: Setup = TERMINALS) -> None:
        self.floor = floor if isinstance(floor, Floor) else Floor(floor, KEYS)
        self.key = key
        self.ids = itertools.count()
        self.seated = [(at, Actor(f"{key}-patron-{at}", Position.PATRON)) for at in range(1, GROUP + 1)]
        self.give(do.OpenTable, SHIFT, setup=setup)
        self.give(do.LoadShoe)
        self.floor.handle_all([self.command(do.BuyIn, by, cents=10**12, position=at) for at, by in self.seated])

    def command(self, kind: type[Any], by: Actor = SYSTEM, **fields: Any) -> AnyCommand:  # noqa: ANN401
        """A command of the next id."""
        if by.position is Position.PATRON:
            fields["patron"] = by.name
        made: AnyCommand = kind(id=f"{self.key}-{next(self.ids):012}", table=self.key, by=by, at_ms=START_MS, **fields)
        return made

    def give(self, kind: type[Any], by: Actor = SYSTEM, **fields: Any) -> None:  # noqa: ANN401
        """Give a command."""
        self.floor.handle(self.command(kind, by, **fields))

    def rounds(self) -> Iterator[list[list[AnyCommand]]]:
        """Rounds without end, each of them groups of wagers: in a group is one of each terminal.

        The round is played once its groups have been taken.
        """
        kinds = tuple(self.floor.table(self.key).open.wagers)
        while True:
            self.give(do.OpenBets)
            yield [
                [self.command(do.PlaceWager, by, wager=wager, stake_cents=1_000, position=at) for at, by in self.seated]
                for wager in kinds
            ]
            self.play()

    def groups(self) -> Iterator[list[AnyCommand]]:
        """The same, group by group."""
        return itertools.chain.from_iterable(self.rounds())

    def busy_round(self, changes: int) -> None:
        """A round in which each of the terminals changes one stake so often that there are this many changes."""
        self.give(do.OpenBets)
        for number in range(changes // GROUP):
            cents = 1_000 + 1_000 * (number % 2)
            stake = {"wager": "Banker", "stake_cents": cents}
            self.floor.handle_all([self.command(do.SetStake, by, position=at, **stake) for at, by in self.seated])
        self.play()

    def play(self) -> None:
        """Deal and settle the round, and change the shoe when it is spent."""
        self.give(do.CloseBets)
        while self.floor.table(self.key).phase is not Phase.SETTLED:
            self.give(do.DrawCard)
        if self.floor.table(self.key).shoe.spent:
            self.give(do.EndShoe)
            self.give(do.LoadShoe)


def seconds(act: Callable[[], object]) -> float:
    """How long the act takes."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


class BareTail:
    """As many bytes as a floor's tail has for one head, written and synced by a bare script."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT)
        os.pwrite(self._file, b" " * (160 * 64), 0)
        os.fsync(self._file)
        self._places = itertools.cycle(range(0, 160 * 64, 160))

    def write(self) -> None:
        """Write a line over the oldest one."""
        os.pwrite(self._file, b"x" * 160, next(self._places))
        os.fdatasync(self._file)


def processor_seconds(act: Callable[[], object]) -> float:
    """How long the act keeps a processor busy, whatever else the machine does meanwhile."""
    start = time.process_time()
    act()
    return time.process_time() - start


def interleaved(name: str, folder: Path, store: Store, insert: Callable[[list[Row]], None]) -> Iterator[Figure]:
    """The floor against a bare script, and against a commit for each command, in turns."""
    watched = WatchedSending(store) if hasattr(type(store), "send") else Watched(store)
    table = Table(watched)
    table.floor.history.keep_tails([Outpost(folder / f"{name}-outside")])
    tail = BareTail(folder / f"{name}-tail")

    def bare(rows: list[Row]) -> None:
        insert(rows)
        tail.write()

    took: dict[str, list[float]] = {"floor": [], "bare": [], "each": []}
    for number, groups in enumerate(itertools.islice(table.rounds(), ROUNDS)):
        for rows in watched.taken():
            bare(rows)
        if number % 5 == 0:
            took["each"].append(seconds(partial(one_by_one, table.floor, groups[0])))
            watched.taken()
            continue
        took["floor"].append(seconds(partial(one_upon_the_other, table.floor, groups)) / len(groups))
        taken = watched.taken()
        assert len(taken) == len(groups), "each group is one transaction"
        took["bare"].append(seconds(partial(all_of, bare, taken)) / len(groups))
    rates = {kind: GROUP / statistics.median(times) for kind, times in took.items()}
    of_bare = statistics.median(bare / floor for bare, floor in zip(took["bare"], took["floor"], strict=True))
    yield Figure(f"{name}: wagers acknowledged, in groups of {GROUP}", rates["floor"], 0, "wagers/s")
    yield Figure(f"{name}: of the rate of a bare script with the same rows", of_bare, 0.5, "")
    yield Figure(f"{name}: times the rate of one commit each", rates["floor"] / rates["each"], 5, "times")


def one_upon_the_other(floor: Floor, groups: list[list[AnyCommand]]) -> None:
    """Groups as the server's writer gives them while commands wait: each is judged while the one before is written."""
    sent = floor.send(groups[0])
    for group in groups[1:]:
        following = floor.send(group)
        floor.finish(sent)
        sent = following
    assert all(isinstance(answer, Answer) for answer in floor.finish(sent)), "every wager is accepted"


def all_of(insert: Callable[[list[Row]], None], groups: list[list[Row]]) -> None:
    """The groups of rows, one after the other."""
    for rows in groups:
        insert(rows)


def one_by_one(floor: Floor, group: list[AnyCommand]) -> None:
    """A commit for each command."""
    for command in group:
        floor.handle(command)


def on_sqlite(folder: Path) -> Iterator[Figure]:
    """SQLite: the bare script inserts with executemany."""
    SqliteStore(folder / "bare.db").close()
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "cache_size = -65536", "wal_autocheckpoint = 1000"):
        connection.execute(f"PRAGMA {pragma}")
    statement = "INSERT INTO entries (stream, version, command, body, hash) VALUES (?, ?, ?, ?, ?)"

    def insert(rows: list[Row]) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(statement, rows)
        connection.execute("COMMIT")

    store = SqliteStore(folder / "floor.db")
    yield from interleaved("SQLite", folder, store, insert)
    store.close()
    connection.close()


def on_postgres(folder: Path) -> Iterator[Figure]:
    """PostgreSQL, a server of our own that syncs: the bare script copies the rows in."""
    server = Server(durable=True)
    url = server.url
    joined = "&" if "?" in url else "?"
    open_store(f"{url}{joined}schema=bare").close()
    with psycopg.connect(url) as connection:

        def insert(rows: list[Row]) -> None:
            with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
                copy.set_types(["text", "int8", "text", "bytea", "bytea"])
                for row in rows:
                    copy.write_row(row)
            connection.commit()

        store = open_store(f"{url}{joined}schema=floor")
        yield from interleaved("PostgreSQL", folder, store, insert)
        store.close()
    server.close()


_COPY = "COPY bare.entries (stream, version, command, body, hash) FROM STDIN (FORMAT BINARY)"


def filled(path: Path, wanted: int) -> float:
    """Play so many events at least into an SQLite file, left as a crash leaves it; how long the longest group took.

    Checkpoints are taken meanwhile, as they are every ten seconds on a busy floor.
    """
    store = SqliteStore(path, synchronous="OFF")
    table = Table(store)
    sequencer = Sequencer(table.floor.history, [path.with_suffix(".outside")])
    longest = 0.0
    for number, group in enumerate(table.groups()):
        longest = max(longest, seconds(partial(table.floor.handle_all, group)))
        if number % CHECKPOINT_EVERY == 0:
            sequencer.checkpoint(START_MS)
        if table.floor.version("T1") >= wanted:
            break
    store.close()
    return longest


def restart(folder: Path) -> Iterator[Figure]:
    """How long it takes to open a floor after a crash, and have it read its table."""
    path = folder / "million.db"
    wanted = int(os.environ.get("PUNTO_EVENTS", "1000000"))
    longest_ms = 1000 * filled(path, wanted)
    yield Figure(f"the longest group of {wanted:,} events", longest_ms, 250, "ms", more_is_better=False)
    start = time.perf_counter()
    store = SqliteStore(path)
    floor = Floor(store, KEYS)
    floor.table("T1")
    took = time.perf_counter() - start
    events = floor.version("T1")
    yield Figure(f"restart after a crash at {events:,} events", took, 3, "s", more_is_better=False)
    store.close()
    took = seconds_until_served(path)
    yield Figure(f"the same with punto serve, until it answers, at {events:,}", took, 3, "s", more_is_better=False)


def seconds_until_served(path: Path) -> float:
    """How long `punto serve` takes on a store until it is well and its table is open, from the start of its process."""
    port, file = free_port(), path.with_name("floor.toml")
    outside = path.with_suffix(".outside")
    lines = [
        *(f'store = "{path}"', f'key-env = "{KEY_VARIABLE}"', f'checkpoints = ["{outside}"]', f"port = {port}"),
        *("[[table]]", 'key = "T1"', 'game = "fortune-six"'),
    ]
    file.write_text("\n".join(lines), encoding="utf-8")
    start = time.perf_counter()
    command = [str(Path(sys.executable).with_name("punto")), "serve", str(file)]
    environment = os.environ | {KEY_VARIABLE: SECRET.hex()}
    served = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while served.poll() is None:
            with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/health", timeout=60) as answer:
                health = json.load(answer)
                assert (health["status"], health["tables"]) == ("well", 1), health
                return time.perf_counter() - start
            time.sleep(0.01)
        raise RuntimeError(f"the floor ended with status {served.returncode}")
    finally:
        served.kill()
        served.wait()


def replay(folder: Path) -> Iterator[Figure]:
    """A million events from an SQLite file: reopened as after a crash, and read from the first event on."""
    yield from restart(folder)
    path, keys = folder / "million.db", KEYS
    live, tip = _without_snapshots(path, keys)
    took = processor_seconds(partial(reopened, path, keys, live))
    yield Figure(f"replay of {tip.version:,} events", tip.version / took, 100_000, "events/s")
    path.unlink()
    yield from verification(folder, keys)


def verification(folder: Path, keys: Keys) -> Iterator[Figure]:
    """What it costs to verify a history, by many short pairs: a machine's speed changes from one second to the next."""
    path = folder / "pairs.db"
    filled(path, PAIRED)
    live, tip = _without_snapshots(path, keys)
    shares = []
    bare = processor_seconds(partial(unverified, path, live))
    for _ in range(PAIRS):
        believed = processor_seconds(partial(verified, path, keys, live))
        before, bare = bare, processor_seconds(partial(unverified, path, live))
        shares.append(100 * (2 * believed / (before + bare) - 1))
    name = f"verification of {tip.version:,} events, beside a replay that checks nothing"
    yield Figure(name, statistics.median(shares), 20, "%", more_is_better=False)


def _without_snapshots(path: Path, keys: Keys) -> tuple[TableState, Tip]:
    """Remove the snapshots of a store; its table, and where that ends."""
    store = SqliteStore(path)
    live, tip = Floor(store, keys).table("T1"), store.tip("table/T1")
    assert tip
    store.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM snapshots")
        connection.commit()
    return live, tip


def reopened(path: Path, keys: Keys, live: TableState) -> None:
    """Open a floor on a store, and have it read its table."""
    store = SqliteStore(path)
    assert Floor(store, keys).table("T1") == live, "replay gives the same table"
    store.close()


def folded(entries: Iterable[Entry], live: TableState) -> None:
    """Take a table's events together and count them."""
    table, meters = TableState(), TableMeters()
    for entry in entries:
        event = DECODER.decode(entry.body).event
        table = evolve(table, event)
        meters.add(event)
    assert table == live, "replay gives the same table"


def unverified(path: Path, live: TableState) -> None:
    """Replay a table as a floor would that believes whatever is there."""
    store = SqliteStore(path)
    folded(store.read("table/T1"), live)
    store.close()


def verified(path: Path, keys: Keys, live: TableState) -> None:
    """Replay a table as far as heads cover it, all of which are read for that."""
    store = SqliteStore(path)
    folded(History(store, keys).read("table/T1"), live)
    store.close()


def memory(folder: Path) -> Iterator[Figure]:
    """Rounds without end, with snapshots: what the process holds must not grow."""
    rounds = int(os.environ.get("PUNTO_ROUNDS", "100000"))
    store = SqliteStore(folder / "rounds.db", synchronous="OFF")
    table = Table(store)
    held = []
    for number in range(rounds):
        table.give(do.OpenBets)
        position, by = table.seated[number % GROUP]
        table.give(do.PlaceWager, by, wager="Banker", stake_cents=1_000, position=position)
        table.play()
        if number % (rounds // 20) == 0:
            gc.collect()
            held.append(_resident())
    grown = (held[-1] - held[len(held) // 4]) / held[len(held) // 4]
    yield Figure(f"memory at the end of {rounds:,} rounds", held[-1] / 2**20, 400, "MiB", more_is_better=False)
    yield Figure("growth over the last three quarters of them", 100 * grown, 5, "%", more_is_better=False)
    start = time.perf_counter()
    floor = Floor(store, table.floor.keys)
    assert floor.table("T1") == table.floor.table("T1")
    yield Figure("reopening from the snapshot", time.perf_counter() - start, 1, "s", more_is_better=False)
    store.close()


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


PARTS: dict[str, Callable[[Path], Iterator[Figure]]] = {
    "sqlite": on_sqlite,
    "postgres": on_postgres,
    "replay": replay,
    "restart": restart,
    "verification": lambda folder: verification(folder, KEYS),
    "memory": memory,
}


def main(arguments: list[str]) -> int:
    """Measure everything, or the parts that are named."""
    parts = arguments or [
        part for part in PARTS if part not in {"restart", "verification"}
    ]  # which are parts of replay
    with tempfile.TemporaryDirectory() as name:
        return told(figure for part in parts for figure in PARTS[part](Path(name)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
