"""Plant faults one at a time and see which test falls: `python -m tools.teeth`; words after it choose faults by name.

The faults are data in `tests/teeth.toml`. Each is planted in a scratch copy of the repository, where a part of
`make test` runs; a fault that no test notices fails the run, and so does one that can no longer be planted.
"""

import compileall
import os
import py_compile
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
FAULTS: Final = ROOT / "tests" / "teeth.toml"
# Steps of `make test` that are not pytest tests.
TARGETS: Final = ("types", "layers", "lint", "web-check", "web-test", "pages")
LANES: Final = 2
_FELL: Final = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
_FELL_IN_PAGES: Final = re.compile(r"^\s*FAIL\s+(.+)$", re.MULTILINE)
_NOT_INSTALLED: Final = re.compile(r"npm ci .*ended with status")
_ESCAPES: Final = re.compile(r"\x1b\[[0-9;]*m")


class BrokeDown(Exception):
    """Something other than a test failed, which says nothing about the fault."""


class Fault(NamedTuple):
    """One wrong line, and the part of `make test` that must notice it."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    @property
    def is_in_pages(self) -> bool:
        """Whether the pages must be built to have it."""
        return self.file.startswith("web/")

    @property
    def room(self) -> str:
        """The room of the package that it is in, or the pages."""
        parts = Path(self.file).parts
        return "pages" if self.is_in_pages else parts[2].removesuffix(".py")


class Verdict(NamedTuple):
    """What became of a fault: which test fell, or why none could."""

    fault: Fault
    fell: str
    trouble: str
    seconds: float


def read_faults() -> list[Fault]:
    """The faults of the file, each with a name of its own."""
    rows = tomllib.loads(FAULTS.read_text(encoding="utf-8"))["fault"]
    return [Fault(row["name"], row["file"], row["old"], row["new"], tuple(row["tests"])) for row in rows]


def stale(fault: Fault) -> str:
    """Why a fault can no longer be planted, or nothing."""
    path = ROOT / fault.file
    if not path.is_file():
        return f"{fault.file} is gone"
    times = path.read_text(encoding="utf-8").count(fault.old)
    if times != 1:
        return f"its old text stands {times} times in {fault.file}"
    missing = [each for each in fault.tests if each not in TARGETS and not (ROOT / each.partition("::")[0]).exists()]
    return f"there is no {missing[0]}" if missing else ""


def copy_into(scratch: Path) -> None:
    """Copy what git knows or would take, and link what was installed and built."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for name in filter(None, listed.split("\0")):
        target = scratch / name
        if (ROOT / name).is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
    shutil.copytree(ROOT / "src/punto/server/pages", scratch / "src/punto/server/pages")
    (scratch / ".venv").symlink_to(ROOT / ".venv")
    (scratch / "web/node_modules").symlink_to(ROOT / "web/node_modules")
    # What was compiled is checked by content, so that no fault runs from an older file.
    mode = py_compile.PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(scratch / "src", quiet=1, invalidation_mode=mode)


def environment(scratch: Path) -> dict[str, str]:
    """The environment in which the scratch copy is the only Punto."""
    # By day and by night a fault is planted under the width and the seed of `make test`, with its tests and no others.
    told = {"PUNTO_NIGHTLY": "0", "PYTHONPATH": str(scratch / "src"), "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1"}
    return {name: value for name, value in os.environ.items() if name not in ("PUNTO_SEED", "PUNTO_TIMES")} | told


def run(scratch: Path, tests: Sequence[str], workers: int = 0) -> tuple[bool, str]:
    """Run a part of `make test` until something falls; whether it did, and its name."""
    paths = [each for each in tests if each not in TARGETS]
    commands = [["make", "--no-print-directory", each] for each in tests if each in TARGETS]
    if paths:
        quiet = [
            "-q",
            "-x",
            "-n",
            str(workers),
            "--no-cov",
            "-p",
            "no:cacheprovider",
            "-rfE",
            "--tb=line",
            "--no-header",
        ]
        quiet.append("--hypothesis-profile=unshrunk")
        commands.append([str(ROOT / ".venv/bin/python"), "-m", "pytest", *quiet, *paths])
    for command in commands:
        done = subprocess.run(
            command,
            cwd=scratch,
            env=environment(scratch),
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode:
            said = _ESCAPES.sub("", done.stdout + done.stderr)
            fell = _FELL.search(said) or _FELL_IN_PAGES.search(said)
            # Pytest ends with 1 where tests fell; with another status it could not run them.
            if _NOT_INSTALLED.search(said) or (command[0] != "make" and not workers and done.returncode != 1):
                raise BrokeDown((said.strip().splitlines() or [f"status {done.returncode}"])[-1])
            return True, fell.group(1).strip() if fell else f"make {command[-1]}"
    return False, ""


def plant(scratch: Path, fault: Fault) -> Verdict:
    """Plant one fault, see what falls, and take it out again."""
    began = time.monotonic()
    if why := stale(fault):
        return Verdict(fault, "", why, 0.0)
    path = scratch / fault.file
    sound = path.read_text(encoding="utf-8")
    path.write_text(sound.replace(fault.old, fault.new), encoding="utf-8")
    try:
        # The fault before may have been in the pages; what is built already is left alone.
        needs_pages = any(each.startswith("tests/web") for each in fault.tests)
        built = not needs_pages or not run(scratch, ["pages"])[0]
        _, fell = run(scratch, fault.tests) if built else (False, "")
        trouble = "" if built else "the pages cannot be built"
    except BrokeDown as why:
        fell, trouble = "", f"it broke down: {why}"
    finally:
        path.write_text(sound, encoding="utf-8")
    return Verdict(fault, fell, trouble, time.monotonic() - began)


def tell(verdict: Verdict) -> None:
    """One line for one fault."""
    fault = verdict.fault
    outcome = verdict.fell or f"NOT CAUGHT{f' ({verdict.trouble})' if verdict.trouble else ''}"
    print(f"  {fault.room:<9} {fault.name:<66} {outcome}  [{verdict.seconds:.0f} s]", flush=True)


def main(words: Sequence[str]) -> int:
    """Plant the faults whose names have all of the words, two at a time."""
    faults = [fault for fault in read_faults() if all(word in f"{fault.room} {fault.name}" for word in words)]
    if not faults:
        print(
            f"No fault of tests/teeth.toml has {' and '.join(map(repr, words))} in its name or room.", file=sys.stderr
        )
        return 2
    with tempfile.TemporaryDirectory(prefix="punto-teeth-") as folder:
        copies: SimpleQueue[Path] = SimpleQueue()
        for lane in range(LANES):
            scratch = Path(folder) / f"lane-{lane}"
            copy_into(scratch)
            copies.put(scratch)
        scratch = copies.get()
        asked = sorted({each for fault in faults for each in fault.tests})
        parts = "1 part" if len(asked) == 1 else f"{len(asked)} parts"
        print(f"Without a fault, {parts} of make test must pass …", flush=True)
        fell, name = run(scratch, asked, LANES)
        copies.put(scratch)
        if fell:
            print(f"{name} falls without a fault: nothing can be said of the others.")
            return 1

        def in_turn(fault: Fault) -> Verdict:
            scratch = copies.get()
            verdict = plant(scratch, fault)
            copies.put(scratch)
            tell(verdict)
            return verdict

        with ThreadPoolExecutor(LANES) as lanes:
            verdicts = list(lanes.map(in_turn, faults))
    caught = sum(bool(verdict.fell) for verdict in verdicts)
    rooms = len({fault.room for fault in faults})
    print(f"{caught} of {len(faults)} planted faults were caught, over {rooms} room{'s' * (rooms != 1)}")
    return 0 if caught == len(faults) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
