"""Public test programs, where they are installed: dieharder and ent, on the bits of the choices that made the shoes."""

import re
import shutil
import subprocess
from math import erfc, sqrt
from pathlib import Path
from typing import Final

from msgspec import Struct

from punto.lab.tails import chi_square_tail

# No run of a program may take longer.
_LONGEST_S: Final = 60
_WORD: Final = 4
# One p-value of dieharder's is drawn from so many, if there are bits enough; with fewer than the least it is not run.
_SAMPLES: Final = 30
_FEWEST: Final = 10
# What dieharder says where a test came to the end of the stream and began again.
_REWOUND: Final = "was rewound"
_VERSION: Final = re.compile(r"version (\S+)")


class Row(Struct, frozen=True):
    """One p-value of a program: of which test, and on how many bytes."""

    program: str
    test: str
    options: str
    bytes: int
    p: float


class Run(Struct, frozen=True):
    """What a program said of one stream of bits, or why it was not run."""

    program: str
    version: str
    rows: list[Row]
    not_run: list[str]


class _Test(Struct, frozen=True):
    """A test of dieharder's: its number, how large a sample is, and how many words of four bytes each sample takes."""

    number: int
    ntuple: int
    size: int
    words: int

    def options(self, samples: int) -> list[str]:
        ntuple = ["-n", str(self.ntuple)] if self.ntuple else []
        return ["-d", str(self.number), *ntuple, "-t", str(self.size), "-p", str(samples)]


# Tests that fail an even stream of this length no more often than they say.
_TESTS: Final = (
    _Test(0, 0, 100, 100 * 512),
    _Test(3, 0, 3_000, 3_000 * 6),
    _Test(100, 0, 20_000, 20_000),
    _Test(101, 0, 20_000, 20_000),
    _Test(200, 2, 5_000, 5_000 * 4),
    _Test(202, 4, 5_000, 5_000 * 4),
    _Test(203, 3, 5_000, 5_000 * 4),
)


def dieharder(stream: Path) -> Run:
    """A stated part of dieharder; no test reads more bytes than there are."""
    program = shutil.which("dieharder")
    if program is None:
        return Run("dieharder", "", [], ["dieharder is not installed: it was not run"])
    banner = _said([program, "-l"])
    version = _VERSION.search(banner)
    rows, not_run = [], []
    length = stream.stat().st_size
    for test in _TESTS:
        samples = min(_SAMPLES, length // _WORD // test.words)
        name = f"dieharder -d {test.number}"
        if samples < _FEWEST:
            not_run.append(f"{name}: too few shoes for its {_FEWEST * test.words * _WORD:,} bytes")
            continue
        options = test.options(samples)
        output = [word for field in ("test_name", "pvalues") for word in ("-D", field)]
        said = _said([program, *options, "-g", "201", "-f", str(stream), *output, "-c", ","])
        found = [] if _REWOUND in said else _values(said)
        if not found:
            not_run.append(f"{name}: no answer that can be read")
        rows += [Row("dieharder", named, " ".join(options), samples * test.words * _WORD, p) for named, p in found]
    return Run("dieharder", version[1] if version else "", rows, not_run)


def _values(said: str) -> list[tuple[str, float]]:
    r"""The lines of dieharder's that hold the name of a test and a p.

    >>> _values("  sts_runs,0.51233010\n# a comment\n")
    [('sts_runs', 0.5123301)]
    """
    found = []
    for line in said.splitlines():
        name, _, p = line.rpartition(",")
        try:
            found.append((name.strip(), float(p)))
        except ValueError:
            continue
    return found


def ent(stream: Path) -> Run:
    """Chi-square of bytes and their serial correlation, as ent counts them."""
    program = shutil.which("ent")
    if program is None:
        return Run("ent", "", [], ["ent is not installed: it was not run"])
    lines = [line.split(",") for line in _said([program, "-t", str(stream)]).splitlines()]
    try:
        found = dict(zip(*lines, strict=True))
        length, square = int(found["File-bytes"]), float(found["Chi-square"])
        correlation = float(found["Serial-Correlation"])
    except (KeyError, TypeError, ValueError):
        return Run("ent", "", [], ["ent: no answer that can be read"])
    tail = chi_square_tail(square, 255)
    rows = [
        Row("ent", "chi-square of bytes", "-t", length, min(1.0, 2 * min(tail, 1 - tail))),
        Row("ent", "serial correlation of bytes", "-t", length, erfc(abs(correlation) * sqrt(length / 2))),
    ]
    return Run("ent", "", rows, [])


def _said(command: list[str]) -> str:
    """What a program writes; nothing where it does not end in time."""
    try:
        done = subprocess.run(  # noqa: S603
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=_LONGEST_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode(errors="replace")
