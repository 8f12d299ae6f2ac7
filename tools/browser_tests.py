"""Run the browser tests: `python -m tools.browser_tests`, with arguments for pytest after it.

One or two tests that fail are retried once, alone; the run lists them at its end and keeps them in a file. If more than
two fail, none is retried and the run fails. A separate step, never retried, judges what the floors logged and recorded:
a fault that a floor had during a test does not disappear when that test is retried.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
KEPT: Final = ROOT / ".cache" / "retried-tests.txt"
MOST_RETRIES: Final = 2
# Pytest's exit status when tests ran and some failed; after any other status a retry makes no sense.
SOME_FAILED: Final = 1
# An error that a floor logged (in JSON), a traceback, or a warning of Python.
TROUBLE: Final = re.compile(r'^.*(?:"level": ?"(?:error|critical)"|Traceback \(most|\w+Warning: )', re.MULTILINE)

# Where `punto init` puts a floor's key.
KEYS: Final = "-keys"
# Staff of these floors come in by links, which no real floor has beside its accounts: people are not judged here.
OF_PEOPLE: Final = frozenset(
    {
        *("unknown-person", "wrong-position", "no-session", "one-person-twice", "no-approval", "unknown-device"),
        "bad-register",
    }
)


def run_tests(arguments: Sequence[str], floors: Path, cache: Path) -> tuple[int, list[str]]:
    """Run pytest; its exit status, and the tests that failed."""
    command = [sys.executable, "-m", "pytest", "-q", "-o", f"cache_dir={cache}", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PUNTO_FLOORS": str(floors)}, check=False)
    last_failed = cache / "v" / "cache" / "lastfailed"
    return done.returncode, sorted(json.loads(last_failed.read_text())) if last_failed.exists() else []


def trouble_in(log: str) -> str:
    """The first error, traceback or warning in a floor's log, and what follows it; nothing where there is none."""
    found = TROUBLE.search(log)
    return log[found.start() :][:4_000] if found else ""


def faults_of(floor: Path) -> Iterator[str]:
    """What is wrong with a floor that tests have visited: its end, its log, its record."""
    from punto.floor import Keys
    from punto.record import audit
    from punto.store import open_store

    status = floor / "status"
    if not status.exists():
        yield "it was never stopped in order"
    elif status.read_text() != "0":
        yield f"it ended with status {status.read_text()}"
    key = floor / "floor.key"
    if not key.exists():  # as `punto init` has it, apart from the store
        key = floor.with_name(f"{floor.name}{KEYS}") / "floor.key"
    missing = [path.name for path in (floor / "log", floor / "floor.db", key) if not path.exists()]
    if missing:
        yield f"it left no {' and no '.join(missing)}"
        return
    log = (floor / "log").read_text(errors="replace")
    if trouble := trouble_in(log):
        yield f"its log reports trouble:\n{trouble}"
    store = open_store(f"sqlite:{floor / 'floor.db'}", read_only=True)
    try:
        report = audit(store, public_key=Keys.at(key, create=False).public)
    finally:
        store.close()
    for finding in report.findings:
        if finding.code.value in OF_PEOPLE:
            continue
        yield f"the audit finds: {finding}"


def judge(floors: Path) -> int:
    """Print what is wrong with the floors, and count those with faults; no floor at all is a fault too."""
    bad = 0
    beside = ("-checkpoints", KEYS)
    visited = sorted(path for path in floors.iterdir() if path.is_dir() and not path.name.endswith(beside))
    for floor in visited:
        faults = list(faults_of(floor))
        bad += bool(faults)
        tests = (floor / "tests").read_text().split("\n") if (floor / "tests").exists() else []
        for fault in faults:
            print(f"Floor {floor.name}: {fault}")
        if faults:
            print("  The tests that visited it:", *tests, sep="\n    ")
    floors_ = "1 floor" if len(visited) == 1 else f"{len(visited)} floors"
    print(f"{floors_} judged by their logs, their exit statuses and an audit: {bad or 'none'} with faults")
    if not visited:
        print("No floor was found to judge: the tests opened none, or ignored PUNTO_FLOORS.")
        return 1
    return bad


def keep(retried: Sequence[str], failed_again: Sequence[str]) -> None:
    """Print which tests were retried and how that ended, and add them to the file."""
    ended = {test: "failed" if test in failed_again else "passed" for test in retried}
    print("Retried, alone:", *(f"{how} {test}" for test, how in ended.items()), sep="\n  ")
    KEPT.parent.mkdir(exist_ok=True)
    with KEPT.open("a", encoding="utf-8") as file:
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        file.writelines(f"{now} {how} {test}\n" for test, how in ended.items())


def main(arguments: Sequence[str]) -> int:
    """Run the tests, retry one or two that failed, judge the floors."""
    with tempfile.TemporaryDirectory(prefix="punto-floors-") as folder:
        floors = Path(folder) / "floors"
        floors.mkdir()
        floors.parent.chmod(0o755)
        status, failed = run_tests(["-n", "auto", *(arguments or ["tests/web"])], floors, Path(folder) / "first")
        if status == SOME_FAILED and 0 < len(failed) <= MOST_RETRIES:
            print("Retrying what failed, alone:", flush=True)
            status, failed_again = run_tests(["-n", "0", *failed], floors, Path(folder) / "second")
            # A run that broke down has judged nothing.
            keep(failed, failed_again if status in (0, SOME_FAILED) else failed)
        elif status == SOME_FAILED:
            print(f"{len(failed)} tests failed; more than {MOST_RETRIES} are not retried.")
        return 1 if judge(floors) or status else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
