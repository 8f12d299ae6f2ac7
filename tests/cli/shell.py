"""The `punto` command as a process of its own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

PUNTO: Final = [sys.executable, "-m", "punto"]


class Said(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


def punto(*arguments: str | bytes, stdin: bytes = b"", cwd: Path | None = None, **environment: str) -> Said:
    """Run `punto` with these arguments."""
    done = subprocess.run(
        [*PUNTO, *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        cwd=cwd,
        timeout=60,
        env=os.environ | {"PYTHONUTF8": "1", "COLUMNS": "100"} | environment,
    )
    return Said(done.returncode, done.stdout.decode(), done.stderr.decode())
