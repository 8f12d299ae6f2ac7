"""Processes that tests start: they start with default signal handlers, however the suite itself was started.

A signal that is ignored stays ignored in whatever a process starts, and a shell ignores Ctrl-C for a job in the
background, `nohup` a hangup. A child of a test gets what a person's own command gets: each signal does its usual thing.
"""

import os
import pty
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

# Those that a shell or `nohup` may ignore. SIGPIPE, which Python itself ignores, is `subprocess`'s own business.
_IGNORED: Final = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)

Arguments = Sequence[str | bytes | Path]


def spawn(arguments: Arguments, **options: Any) -> "subprocess.Popen[Any]":  # noqa: ANN401
    """Start a process, as `subprocess.Popen` does."""
    with _usual_signals():
        return subprocess.Popen(arguments, **options)


def run(arguments: Arguments, **options: Any) -> "subprocess.CompletedProcess[Any]":  # noqa: ANN401
    """Run a process to its end, as `subprocess.run` does; the caller looks at its status unless *check* is given."""
    options = {"check": False} | options
    with _usual_signals():
        return subprocess.run(arguments, **options)  # noqa: PLW1510 (it is among the options)


def fork_terminal(arguments: list[str], cwd: Path) -> tuple[int, int]:
    """Start a process on a terminal of its own: its id, and the other end of that terminal."""
    child, terminal = pty.fork()
    if not child:
        for number in (*_IGNORED, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        os.chdir(cwd)
        os.execv(arguments[0], arguments)  # noqa: S606
    return child, terminal


@contextmanager
def _usual_signals() -> Iterator[None]:
    """Let what is started meanwhile hear what is ignored here: a handler, unlike ignoring, ends with `exec`."""
    ignored = [number for number in _IGNORED if signal.getsignal(number) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, _nothing)
    try:
        yield
    finally:
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)


def _nothing(_number: int, _frame: object) -> None:
    """Do here what ignoring does."""
