"""The `punto` command, in this process or in one of its own.

`punto` runs a command here: a process of its own costs a fifth of a second, and a second or more where the command
imports numba. It has the streams (on their descriptors), arguments, folder and environment of a process, enters by the
same `main`, and must leave nothing behind. `test_apart.py` runs every command both ways and compares what they say.

`process` runs it as a person does. The tests that need this, because the process itself is what they try:

- what is imported, and when: here everything is imported already (`test_app`);
- closed, full and broken streams, and a reader who goes away (`test_settle`, `test_odds`);
- signals: Ctrl-C and the end of a floor (`test_simulate`, `test_serve`, `tests/lab/test_cluster.py`);
- a floor that is open, or that gets as far as opening: it sets up the logs of its process (`test_serve`, `test_init`);
- a terminal: questions, echo, colours, progress (`test_init`, `test_roads`, `test_simulate`);
- the encoding and the language of the streams (`test_apart`, `test_odds`);
- how soon a command answers that has worked nothing out before (`test_odds`), and that its plots, reports and counts do
  not depend on what was worked out before (`test_odds`, `test_session`, `test_report`, `test_simulate`);
- `python -m punto` and the installed `punto` (`test_apart`).
"""

import json
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, Protocol

import pytest
from tests.children import run

from punto.cli import main

PUNTO: Final = [sys.executable, "-m", "punto"]
_COLUMNS: Final = "100"
# What a machine may tell all its programs, and what a test must not depend on unless it says so.
_TOLD: Final = ("CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "FORCE_COLOR", "LINES", "NO_COLOR", "TTY_COMPATIBLE")
_OURS: Final = ("PUNTO_DEBUG", "PUNTO_KEY", "XDG_DATA_HOME")
# What an interpreter reads once, when it starts: only a process of its own can be told.
_READ_ONCE: Final = ("PYTHON", "LANG", "LC_", "TZ")


class Said(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


class Punto(Protocol):
    """The command, however it is run."""

    def __call__(self, *arguments: str, **environment: str) -> Said: ...


def environment(**told: str) -> dict[str, str]:
    """The environment of a command: that of the suite without what would change the looks of what it says."""
    kept = {name: value for name, value in os.environ.items() if name not in {*_TOLD, *_OURS}}
    return kept | {"COLUMNS": _COLUMNS} | told


def process(*arguments: str | bytes, stdin: bytes = b"", cwd: Path | None = None, **told: str) -> Said:
    """Run `punto` with these arguments in a process of its own."""
    done = run(
        [*PUNTO, *map(_encoded, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        timeout=60,
        env=environment(**{"PYTHONUTF8": "1"} | told),
    )
    return Said(done.returncode, done.stdout.decode(), done.stderr.decode())


def punto(*arguments: str | bytes, stdin: bytes = b"", cwd: Path | None = None, **told: str) -> Said:
    """Run `punto` with these arguments in this process."""
    assert not [name for name in told if name.startswith(_READ_ONCE)], "only a process of its own can be told that"
    with _streams(stdin) as said, pytest.MonkeyPatch.context() as place:
        wanted = environment(**told)
        for name in os.environ.keys() - wanted.keys():
            place.delenv(name)
        for name in wanted.keys() - {name for name, value in os.environ.items() if wanted[name] == value}:
            place.setenv(name, wanted[name])
        if cwd is not None:
            place.chdir(cwd)
        place.setattr(sys, "argv", ["punto", *map(_decoded, arguments)])
        with _nothing_left_behind(), pytest.raises(SystemExit) as ended:
            main()
    status = ended.value.code
    assert isinstance(status, int)
    return Said(status, *said)


def _encoded(argument: str | bytes) -> bytes:
    return argument.encode("utf-8", "surrogateescape") if isinstance(argument, str) else argument


def _decoded(argument: str | bytes) -> str:
    """An argument as a process gets it, which has all its arguments as bytes."""
    return _encoded(argument).decode("utf-8", "surrogateescape")


@contextmanager
def _streams(stdin: bytes) -> Iterator[list[str]]:
    """Streams like those of a process, on the same descriptors; in the end, what was written to the last two."""
    with tempfile.TemporaryFile() as into, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        into.write(stdin)
        into.seek(0)
        said: list[str] = []
        with _descriptors(into, out, err):
            yield said
        for file in (out, err):
            file.seek(0)
            said.append(file.read().decode())


@contextmanager
def _descriptors(*files: IO[bytes]) -> Iterator[None]:
    """Put files in the place of the standard streams, for Python and for all that asks the system."""
    before = sys.stdin, sys.stdout, sys.stderr
    for stream in before[1:]:
        stream.flush()
    kept = [os.dup(number) for number in range(3)]
    try:
        for number, file in enumerate(files):
            os.dup2(file.fileno(), number)
        with (
            open(0, encoding="utf-8", errors="surrogateescape", closefd=False) as sys.stdin,
            open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False) as sys.stdout,
            open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False) as sys.stderr,
        ):
            yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
        for number, was in enumerate(kept):
            os.dup2(was, number)
            os.close(was)


@contextmanager
def _nothing_left_behind() -> Iterator[None]:
    """Refuse a command that changes this process for whatever runs in it next."""
    before = _state()
    yield
    assert _state() == before, "the command needs a process of its own"


def _state() -> tuple[object, ...]:
    signals = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE)]
    mask = os.umask(0)
    os.umask(mask)
    return Path.cwd(), signals, mask, list(logging.root.handlers), logging.root.level


def answer(punto: Punto, *arguments: str) -> Any:  # noqa: ANN401
    """What a command answers a program, in one line."""
    said = punto(*arguments, "--json")
    assert (said.status, said.err) == (0, ""), said
    assert said.out.count("\n") == 1
    return json.loads(said.out)


def refusal(punto: Punto, *arguments: str) -> dict[str, Any]:
    """The refusal of a command, which must be the same in words and in JSON, and one line."""
    in_words, in_json = punto(*arguments), punto(*arguments, "--json")
    assert (in_words.status, in_json.status) == (2, 2), (in_words, in_json)
    assert (in_words.out, in_json.err) == ("", "")
    (error,) = json.loads(in_json.out).values()
    assert in_words.err == f"punto: {error['message']}\n"
    assert (in_json.out.count("\n"), in_words.err.count("\n")) == (1, 1)
    assert isinstance(error["at"], int)
    return dict(error)
