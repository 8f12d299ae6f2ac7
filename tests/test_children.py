"""Children of tests: what they hear does not depend on how the suite was started."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from tests.children import fork_terminal, run, spawn

DEAF: Final = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)
LOOK: Final = "import signal; print([n for n in (1, 2, 3, 13, 15) if signal.getsignal(n) == signal.SIG_IGN])"


@pytest.fixture(autouse=True)
def _deaf() -> Iterator[None]:
    """A suite that was started as a job in the background and with `nohup`."""
    before = {number: signal.signal(number, signal.SIG_IGN) for number in DEAF}
    yield
    assert all(signal.getsignal(number) is signal.SIG_IGN for number in DEAF)
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_child_hears_what_the_suite_ignores() -> None:
    without = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, check=True)
    assert without.stdout == b"[1, 2, 3, 13, 15]\n"  # or the next lines show nothing
    assert run([sys.executable, "-c", LOOK], capture_output=True).stdout == b"[13]\n"  # which is Python's own doing
    with spawn([sys.executable, "-c", LOOK], stdout=subprocess.PIPE) as child:
        assert child.communicate()[0] == b"[13]\n"


def test_a_child_on_a_terminal_hears_what_the_suite_ignores(tmp_path: Path) -> None:
    child, terminal = fork_terminal([sys.executable, "-c", LOOK], tmp_path)
    shown = b""
    with suppress(OSError):  # the other end is closed
        while more := os.read(terminal, 100):
            shown += more
    assert shown == b"[13]\r\n"
    assert os.waitpid(child, 0)[1] == 0
    os.close(terminal)
