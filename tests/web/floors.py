"""Floors in processes of their own, for browsers to visit: started, noted who was there, and stopped in order.

`PUNTO_FLOORS` names a folder where every floor leaves what it logged and recorded, to be judged when all tests are
over; without it a floor is judged by its log as soon as it has stopped.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.children import spawn
from tools.browser_tests import trouble_in

ROOT: Final = Path(__file__).resolve().parent.parent.parent
_KEPT: Final = os.environ.get("PUNTO_FLOORS")
_PATIENCE_S: Final = 30
_OPEN: Final = re.compile(r"is open at http://[^:]+:(\d+)")


@dataclass(frozen=True)
class Floor:
    """A floor that is open: where it is, and the one-time links of its staff."""

    process: "subprocess.Popen[str]"
    folder: Path
    port: int
    links: dict[str, list[str]]

    def visited_by(self, test: str) -> None:
        """Note which test is here, so that what goes wrong on the floor can be traced."""
        with (self.folder / "tests").open("a", encoding="utf-8") as tests:
            tests.write(f"{test}\n")


def folder_for(name: str, passing: Callable[[], Path]) -> Path:
    """The folder of a floor: among those that are judged after the run, or else one that is *passing*."""
    if _KEPT is None:
        return passing()
    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    folder = Path(_KEPT) / f"{name}-{worker}-{os.getpid()}"
    folder.mkdir(parents=True)
    return folder


@contextmanager
def opened(module: str, folder: Path) -> Iterator[Floor]:
    """Open the floor that a module serves, on a port that the system chooses, for as long as it is needed."""
    command = [sys.executable, "-m", module, str(folder), "0"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with (folder / "log").open("w") as log, spawn(command, cwd=ROOT, stderr=log, text=True, **pipes) as process:
        assert process.stdout
        links = json.loads(process.stdout.readline() or "{}")
        assert links, (folder / "log").read_text()
        # A floor writes its address into the lock beside its store.
        address = (folder / "floor.db.lock").read_text()
        with _stopping(process, folder):
            yield Floor(process, folder, int(address.rpartition(":")[2]), links)


@contextmanager
def served(file: Path) -> Iterator[int]:
    """Open the floor of a file with `punto serve`, for as long as it is needed; its port."""
    folder = file.parent
    command = [sys.executable, "-m", "punto", "serve", str(file)]
    with (
        (folder / "log").open("w") as log,
        spawn(command, cwd=ROOT, stderr=log, text=True) as process,
        _stopping(process, folder),
    ):
        until = time.monotonic() + _PATIENCE_S
        while not (found := _OPEN.search((folder / "log").read_text())):
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < until, "the floor does not open"
            time.sleep(0.02)
        yield int(found[1])


@contextmanager
def _stopping(process: "subprocess.Popen[str]", folder: Path) -> Iterator[None]:
    """Stop a floor in order, whatever comes, and keep its status beside its log."""
    try:
        yield
    finally:
        process.terminate()
        status = process.wait(_PATIENCE_S)
        (folder / "status").write_text(str(status))
    if _KEPT is None:
        assert status == 0
        assert not trouble_in((folder / "log").read_text())
