"""Mutation testing: small wrongs in the code of cards, rules and roads, and in the declarations of the games.

What survives in the code must be listed, with the reason, in docs/mutants.md; run by `make mutants`.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
LISTED = ROOT / "docs" / "mutants.md"
ASKED = 0.95
KILLED = {"killed", "timeout", "caught by type check"}


def code() -> bool:
    """Run mutmut over the functions of the three rooms, and compare what survives with the list."""
    # mutmut keeps its verdicts, and does not notice that a test is new.
    shutil.rmtree(ROOT / "mutants", ignore_errors=True)
    subprocess.run([BIN / "mutmut", "run"], cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
    verdicts = re.findall(r"^\s*(\S+): (.+)$", mutmut("results", "--all", "true"), re.MULTILINE)
    killed = [name for name, verdict in verdicts if verdict in KILLED]
    survivors = {name: wrong(name) for name, verdict in verdicts if verdict not in KILLED}
    share = len(killed) / len(verdicts) if verdicts else 0
    print(f"code: {len(killed)} of {len(verdicts)} mutants killed, {share:.1%} (asked {ASKED:.0%})")
    listed = LISTED.read_text()
    claim = f"Of {len(verdicts):,} mutants of the code, {len(killed):,} are killed ({share:.1%})"
    if claim not in listed:
        print(f"{LISTED.name} claims other figures; it should say: {claim}")
    unlisted = {name: change for name, change in survivors.items() if change not in listed}
    for name, change in unlisted.items():
        print(f"survives and is not listed in {LISTED.name}: {name}\n{change}\n")
    return share >= ASKED and not unlisted and claim in listed


def mutmut(*arguments: str) -> str:
    """What a command of mutmut prints."""
    done = subprocess.run([BIN / "mutmut", *arguments], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout


def wrong(name: str) -> str:
    """What a mutant changes: the line before and after, as the list has it."""
    changed = [line for line in mutmut("show", name).splitlines() if re.match(r"[-+](?![-+])", line)]
    return "\n".join(f"{line[0]} {line[1:].strip()}" for line in changed)


def declarations() -> bool:
    """Run our own mutator over the eleven games."""
    print("declarations: ", end="", flush=True)
    done = subprocess.run(
        [BIN / "python", "-m", "tests.games.test_mutants"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    print(done.stdout + done.stderr, end="")
    found = re.match(r"(\d+) mutants of eleven games: \d+ killed, (\d+) proved equivalent", done.stdout)
    if not found:
        return False
    listed = " ".join(LISTED.read_text(encoding="utf-8").split())
    claims = (f"Of {int(found[1]):,} mutants of the declarations", f"all are killed but {int(found[2]):,},")
    wrongly = [claim for claim in claims if claim not in listed]
    if wrongly:
        print(f"{LISTED.name} claims other figures; it should say: {' … '.join(wrongly)}")
    return done.returncode == 0 and not wrongly


if __name__ == "__main__":
    # The width and the seed of `make test`, whatever run this is a part of.
    for name in ("PUNTO_SEED", "PUNTO_TIMES"):
        os.environ.pop(name, None)
    os.environ["PUNTO_NIGHTLY"] = "0"
    sys.exit(0 if all([code(), declarations()]) else 1)
