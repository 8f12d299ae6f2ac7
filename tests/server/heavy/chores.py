"""Work for workers of tests: it takes too long, too much memory, or ends badly."""

import os
import signal
import time
from pathlib import Path
from typing import Any, Final

from punto.errors import BadShoeFile
from punto.server.heavy.jobs import Job
from punto.store import SqliteStore, open_store

_HERE: Final = "tests.server.heavy.chores"
# No test waits so long; a worker that is forgotten ends by itself.
_LONG_S: Final = 60.0


def chore(name: str, deadline_s: float = 20.0, memory_mb: int = 128, *, long: bool = False) -> Job:
    """A job of this file; the worker finds it by `PYTHONPATH`."""
    return Job(f"{_HERE}:{name}", deadline_s, memory_mb, long)


def echo(*arguments: Any) -> Any:  # noqa: ANN401
    return arguments


def sleep(*_: Any) -> None:  # noqa: ANN401
    time.sleep(_LONG_S)


def doze(seconds: float) -> None:
    time.sleep(seconds)


def spin() -> None:
    """Never let go of the interpreter."""
    sum(range(10**12))


def hog() -> None:
    bytearray(2**30)


def grow() -> int:
    return len(bytes(range(256)) * 2**19)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fail() -> None:
    raise KeyError("a mistake of ours")


def refuse() -> None:
    raise BadShoeFile("line 7: no", 7)


def surroundings() -> tuple[dict[str, str], list[str], int]:
    """The environment of a worker, its open files, and its priority."""
    files = [os.readlink(each) for each in Path("/proc/self/fd").iterdir() if int(each.name) > 2 and each.is_symlink()]  # noqa: PTH115
    return dict(os.environ), files, os.nice(0)


def identify() -> int:
    return os.getpid()


class Blow:
    """What strikes whoever reads it as a pickle: a folder is made."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (self._path,)


def strike(path: str) -> Blow:
    return Blow(path)


def strike_inside(path: str) -> Any:  # noqa: ANN401
    return {"rows": [Blow(path)]}


def name_a_function(_: str) -> Any:  # noqa: ANN401
    return open_store


def name_a_class_that_does_things(_: str) -> Any:  # noqa: ANN401
    return SqliteStore
