"""`python -m tests.torture kill|crash|damage [--store sqlite|postgres] [--count N] [--seed S]`.

Exit status 1 if anything is found, or goes unfound. A server of PostgreSQL does not sync here: it and its processes are
killed, and the machine under them is not.
"""

import argparse
import os
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

from tests.store.server import Server
from tests.torture import crash, damage, kill, report

# With so many kills every phase is hit.
_ENOUGH = 200


def _kills(count: int, seed: int, store: str) -> Iterator[str]:
    folder = Path(mkdtemp(prefix="punto-torture-"))
    server = Server() if store == "postgres" else None
    try:
        for tally in kill.kill_many(folder, count, seed, server=server):
            _tick(tally.kills, count)
    finally:
        if server is not None:
            server.close()
    yield from report.of_kills(tally)
    if tally.findings:
        yield f"the stores are left in {folder}"
        raise SystemExit(1)
    folder.rmdir()
    if missed := tally.missed():
        yield f"never hit: {missed}"
        if count >= _ENOUGH:
            raise SystemExit(1)


def _damage(count: int, seed: int, _: str) -> Iterator[str]:
    for tally in damage.damage_many(count, seed):
        _tick(tally.runs, count)
    yield from report.of_damage(tally)
    if tally.findings:
        raise SystemExit(1)


def _images(count: int, seed: int, _: str) -> Iterator[str]:
    for tally in crash.crash_many(count, seed):
        _tick(tally.images, count)
    yield from report.of_images(tally)
    for planted in ("OFF", "NORMAL"):
        for lossy in crash.crash_many(min(count, 40), seed, planted):
            _tick(lossy.images, min(count, 40))
        yield f"planted: synchronous={planted}: {lossy.failed} of {lossy.images} images failed, {lossy.lost} by a loss"
        if not lossy.lost:
            yield "and no acknowledged command was lost: the images prove nothing"
            raise SystemExit(1)
    if tally.findings:
        raise SystemExit(1)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _tick(done: int, count: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{done}/{count} ")


def main() -> None:
    """Run one of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("how", choices=("kill", "crash", "damage"))
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=os.environ.get("PUNTO_SEED") or secrets.randbelow(2**32))
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite", help="where the floor is killed")
    told = parser.parse_args()
    _say(f"torture {told.how}: --store {told.store} --count {told.count} --seed {told.seed}")
    started = time.monotonic()
    run = {"kill": _kills, "crash": _images, "damage": _damage}[told.how]
    try:
        for line in run(told.count, told.seed, told.store):
            _say(line)
    finally:
        _say(f"took {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
