"""The figures of audits that go on: what one takes after one per cent more entries, and what is kept of a record.

A whole audit and one that goes on take turns on the same store. `python -m bench.audits 400000` does it on a record of
that many entries.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from bench.figure import Figure, told
from bench.floor import KEYS, Table
from punto.record.audit import audit, audit_on
from punto.store import SqliteStore, Store
from punto.table import AnyCommand

ENTRIES = 200_000
MORE = 100
TURNS = 3
T = TypeVar("T")


def main() -> int:
    """Print the figures."""
    entries = int(sys.argv[1]) if len(sys.argv) > 1 else ENTRIES
    with tempfile.TemporaryDirectory() as folder:
        return told(_figures(Path(folder) / "floor.db", entries))


def _figures(path: Path, entries: int) -> Iterator[Figure]:
    with closing(SqliteStore(path)) as store:
        table = Table(store)
        rounds = table.rounds()
        _play(store, table, rounds, entries)
        first = audit_on(store, public_key=KEYS.public)
        _play(store, table, rounds, entries + entries // MORE)
        whole_s, more_s, check_s = [], [], []
        for _ in range(TURNS):
            whole, seconds = _timed(lambda: audit(store, public_key=KEYS.public))
            whole_s.append(seconds)
            more, seconds = _timed(lambda: audit_on(store, public_key=KEYS.public, progress=first.progress))
            more_s.append(seconds)
            check_s.append(_timed(store.faults)[1])
            assert more.before, "it went on"
            assert more.report == whole, "an audit that goes on reports what a whole one does"
        whole_for, more_for, check_for = map(statistics.median, (whole_s, more_s, check_s))
        new = whole.counts.entries - more.before
        print(
            f"{whole.counts.entries:,} entries, {new:,} of them new; {whole_for:.2f} s whole, {more_for:.2f} s going on"
        )
        yield Figure("an audit that goes on, of a whole one", 100 * more_for / whole_for, 25, "%", more_is_better=False)
        judging = 100 * (more_for - check_for) / (whole_for - check_for)
        yield Figure("the same without the database's own check", judging, 10, "%", more_is_better=False)
        kept = len(first.progress) / first.report.counts.entries * 100_000
        yield Figure("what is kept of 100,000 entries", kept / 1024, 1024, "KiB", more_is_better=False)


def _play(store: Store, table: Table, rounds: Iterator[list[list[AnyCommand]]], entries: int) -> None:
    """Play until there are so many entries."""
    while sum(tip.version for _, tip in store.streams()) < entries:
        for group in next(rounds):
            table.floor.handle_all(group)


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    began = time.perf_counter()
    done = work()
    return done, time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
