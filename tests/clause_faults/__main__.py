"""`python -m tests.clause_faults`: plant every fault, and print by which test each clause's own was caught."""

import argparse
import os
import sys
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from tests.clause_faults.fault import Fault, Nothing
from tests.clause_faults.running import Failure, Verdict, run_all
from tests.clause_faults.table import (
    WITH_BEHAVIOUR,
    all_faults,
    linked_tests,
    unplantable,
    without_fault,
    written_faults,
)
from tests.marks import CLAUSES, REASONS


def main(arguments: Sequence[str]) -> int:
    """Plant the faults of all clauses, or of those named; fail where one survives or a clause has none."""
    parser = argparse.ArgumentParser(prog="clause-faults", description=main.__doc__)
    parser.add_argument("clauses", nargs="*", help='clauses such as "EB4 3.9"; all unless named')
    parser.add_argument("--faults", type=Path, help="plant the faults of this file, and no others")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args(arguments)
    wanted = tuple(name for name in CLAUSES if not asked.clauses or name in asked.clauses)
    unknown = [name for name in asked.clauses if name not in CLAUSES]
    if unknown:
        parser.error(f"no such clause: {', '.join(unknown)}")
    begun = time.monotonic()
    links = linked_tests()
    planted = written_faults(asked.faults) if asked.faults else all_faults()
    faults = [fault for fault in planted if set(wanted) & set(fault.clauses)]
    sound = Fault("nothing is wrong", wanted, Nothing())
    verdicts = list(run_all([sound, *faults], links, asked.processes))
    [unharmed] = [verdict for verdict in verdicts if verdict.fault is sound]
    verdicts.remove(unharmed)
    failing = sorted({failure.test for failure in (*unharmed.caught.values(), *unharmed.accidents)})
    caught = _caught(verdicts, wanted)
    survivors = _survivors(verdicts, wanted)
    missing = [name for name in without_fault() if name in wanted and not asked.faults]
    _print(line for name in wanted for line in caught.get(name, ()))
    _print(["", f"Survivors: {len(survivors)}", *survivors])
    _print(["", f"Clauses with neither a fault nor a reason: {len(missing)}", *missing])
    _print(["", f"Linked tests that fail with nothing planted: {len(failing)}", *failing])
    _print(["", "Clauses for which no fault can be planted:", *_reasons(wanted)])
    behaviour = [name for name in wanted if name in WITH_BEHAVIOUR]
    proved = sum(name in caught for name in behaviour)
    _print(["", f"{len(wanted)} clauses, {len(behaviour)} with behaviour; the tests of {proved} caught their faults."])
    _print([f"{len(faults)} faults planted, {len(survivors)} survivors, {time.monotonic() - begun:.0f} s."])
    return 1 if survivors or missing or failing else 0


def _caught(verdicts: Iterable[Verdict], wanted: Collection[str]) -> Mapping[str, list[str]]:
    """By clause, a line for each of its faults that was caught."""
    lines: defaultdict[str, list[str]] = defaultdict(list)
    for verdict in verdicts:
        for name, failure in verdict.caught.items():
            if name in wanted:
                lines[name].append(f"{name:<14} {verdict.fault.wrong} | {failure.test}")
    return {name: sorted(each) for name, each in lines.items()}


def _survivors(verdicts: Iterable[Verdict], wanted: Collection[str]) -> list[str]:
    """The clauses whose tests did not notice, with what broke down there without noticing."""
    return sorted(
        f"{name:<14} {verdict.fault.wrong}{_broken_down(verdict.accidents)}"
        for verdict in verdicts
        for name in verdict.survived
        if name in wanted
    )


def _broken_down(accidents: Sequence[Failure]) -> str:
    return f" | broke down: {accidents[0].test}: {accidents[0].raised}: {accidents[0].said}" if accidents else ""


def _reasons(wanted: Collection[str]) -> list[str]:
    bare = {name: f"no behaviour: {REASONS[name]}" for name, answer in CLAUSES.items() if answer == "no behaviour"}
    return [f"{name:<14} {reason}" for name, reason in {**bare, **unplantable()}.items() if name in wanted]


def _print(lines: Iterable[str]) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    # The gate's width and seed and no more plugins than needed, whatever the surrounding run asks for.
    for name in ("PUNTO_NIGHTLY", "PUNTO_SEED", "PUNTO_TIMES"):
        os.environ.pop(name, None)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    sys.exit(main(sys.argv[1:]))
