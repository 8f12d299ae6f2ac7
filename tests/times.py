"""How long the tests of each folder took: a run writes it where `PUNTO_TIMES` says, and `make test` prints it."""

import json
import os
from collections import defaultdict
from pathlib import Path, PurePosixPath
from typing import Final

import pytest

_FOLDER_DEPTH: Final = 2


class FolderTimes:
    """Adds up the worker seconds of each folder of tests."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tests: defaultdict[str, int] = defaultdict(int)
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a test once, and the time of all its phases."""
        folder = folder_of(report.nodeid)
        self._tests[folder] += report.when == "call"
        self._seconds[folder] += report.duration

    def pytest_sessionfinish(self) -> None:
        """Add this run to the file."""
        lines = [
            json.dumps({"folder": folder, "tests": self._tests[folder], "seconds": round(seconds, 2)})
            for folder, seconds in self._seconds.items()
        ]
        with self._path.open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)


def folder_of(nodeid: str) -> str:
    """The folder under which a test's time is listed.

    >>> folder_of("tests/lab/test_exact.py::test_one"), folder_of("tests/web/staff/test_pit.py::test_two")
    ('tests/lab', 'tests/web/staff')
    >>> folder_of("src/punto/cards/card.py::punto.cards.card.Card"), folder_of("README.md::README.md")
    ('src/punto', '.')
    """
    path = PurePosixPath(nodeid.partition("::")[0])
    depth = _FOLDER_DEPTH + (path.parts[:2] == ("tests", "web"))
    return PurePosixPath(*path.parent.parts[:depth]).as_posix()


def register(config: pytest.Config) -> None:
    """Measure, where a file is named; what this run starts, workers and tests' own children, does not write to it."""
    path = os.environ.pop("PUNTO_TIMES", None)
    if path:
        config.pluginmanager.register(FolderTimes(Path(path)), "folder-times")
