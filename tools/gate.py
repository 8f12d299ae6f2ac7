"""Run `make test`, `make quick` or `make nightly`, and print at the end how long each part took.

`python -m tools.gate test` is `make test`, and so on. Checks run in two lanes side by side, then come the tests. Each
step is a make target of its own.
"""

import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent


class Plan(NamedTuple):
    """Lanes that run side by side, each about as long as the other, and what follows."""

    lanes: tuple[tuple[str, ...], ...]
    then: tuple[str, ...] = ()
    # Whether a failing step ends the run; `make nightly` goes on and reports every failure.
    stops: bool = True


_CHECKS: Final = (("types", "layers", "collected", "web-check", "web-test"), ("pages", "lint"))
PLANS: Final = {
    "test": Plan(_CHECKS, ("tests", "browser")),
    "quick": Plan((("types", "web-check"), ("quick-lint", "web-test", "pure"))),
    "nightly": Plan(
        _CHECKS,
        ("wide-tests", "wide-browser", "smoke", "clause-faults", "mutants", "teeth", "torture", "holes"),
        stops=False,
    ),
}


class Step(NamedTuple):
    """A make target that has run."""

    target: str
    status: int
    seconds: float


def run(target: str, *, aloud: bool, times: Path | None = None) -> Step:
    """Run one target; a quiet one speaks only when it fails."""
    began = time.monotonic()
    environment = os.environ | ({"PUNTO_TIMES": str(times)} if times else {})
    command = ["make", "--no-print-directory", target]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=not aloud, text=True, errors="replace", check=False
    )
    step = Step(target, done.returncode, time.monotonic() - began)
    if step.status and not aloud:
        sys.stdout.write(f"make {target} failed:\n{done.stdout}{done.stderr}\n")
    sys.stdout.write(f"  {target:<12} {'ok' if not step.status else 'FAILED':<7} {step.seconds:6.1f} s\n")
    sys.stdout.flush()
    return step


def run_lane(targets: Sequence[str]) -> list[Step]:
    """Run targets one after the other, all of them, so that one run shows all that is wrong."""
    return [run(target, aloud=False) for target in targets]


def print_times(steps: Sequence[Step], times: Path, began: float) -> None:
    """Print the worker seconds of each folder, the seconds of each step by the clock, and what could not be done."""
    tests: defaultdict[str, int] = defaultdict(int)
    seconds: defaultdict[str, float] = defaultdict(float)
    undone = []
    for line in times.read_text(encoding="utf-8").splitlines() if times.exists() else ():
        row = json.loads(line)
        if "undone" in row:
            undone.append(row["undone"])
            continue
        tests[row["folder"]] += row["tests"]
        seconds[row["folder"]] += row["seconds"]
    if seconds:
        print("\nTimes by folder, in worker seconds:")
    for folder, spent in sorted(seconds.items(), key=lambda item: -item[1]):
        print(f"  {folder:<18} {tests[folder]:>5} tests {spent:8.1f} s")
    print("Times by step, by the clock:")
    for step in steps:
        print(f"  {step.target:<18} {step.seconds:20.1f} s")
    print(f"  {'all, by the clock':<18} {time.monotonic() - began:20.1f} s")
    print(*undone, sep="\n", end="\n" if undone else "", flush=True)


def main(name: str) -> int:
    """Run all steps of a plan; its tests begin only once every check holds."""
    plan, began = PLANS[name], time.monotonic()
    if name == "nightly":
        seed = os.environ.get("PUNTO_SEED") or str(secrets.randbits(32))
        if not (seed.isascii() and seed.isdigit()):
            print(f"PUNTO_SEED={seed}: expected a whole number", file=sys.stderr)
            return 2
        os.environ |= {"PUNTO_NIGHTLY": "1", "PUNTO_SEED": seed}
        print(f"PUNTO_SEED={seed} make nightly repeats this night", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        times = Path(folder) / "times.jsonl"
        with ThreadPoolExecutor(len(plan.lanes)) as pool:
            steps = [step for lane in pool.map(run_lane, plan.lanes) for step in lane]
        for target in plan.then:
            if not plan.stops or not any(step.status for step in steps):
                steps.append(run(target, aloud=True, times=times))
        print_times(steps, times, began)
    failed = [step.target for step in steps if step.status]
    if failed:
        print(f"make {name} failed at: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
