"""A floor that is served by a process of its own."""

import json
import os
import re
import signal
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.request import urlopen

from tests.children import spawn
from tests.cli.shell import PUNTO, environment

if TYPE_CHECKING:
    import subprocess

ADDRESS: Final = r"is open at (https?://\S+?:\d+)[:\n]"
PATIENCE_S: Final = 40
# Each process of the suite begins elsewhere, so that none takes what another has just found free.
_PORTS: Final = count(10_000 + os.getpid() % 1_000 * 20)


class Open:
    """A floor that is being served."""

    def __init__(self, process: "subprocess.Popen[bytes]", said: Path) -> None:
        self.process = process
        self._said = said
        self.address = self.until(ADDRESS).group(1)

    @property
    def said(self) -> str:
        """What it has written so far."""
        return self._said.read_text()

    def until(self, pattern: str) -> re.Match[str]:
        """Wait until it has written something."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if found := re.search(pattern, self.said):
                return found
            assert self.process.poll() is None, self.said
            time.sleep(0.02)
        raise TimeoutError(self.said)

    def get(self, path: str, tls: ssl.SSLContext | None = None) -> Any:  # noqa: ANN401
        """What an address answers, once the floor answers at all."""
        for _ in range(500):
            try:
                with urlopen(self.address + path, timeout=10, context=tls) as answer:  # noqa: S310
                    return json.loads(answer.read())
            except ConnectionRefusedError:
                time.sleep(0.02)
        raise TimeoutError(path)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ask it to end; its status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_S)


@contextmanager
def serving(*arguments: str, cwd: Path, before: tuple[str, ...] = ()) -> Iterator[Open]:
    """A floor in a process of its own; *before* is a command that starts it, such as `prlimit`."""
    said = cwd / "said.txt"
    with said.open("wb") as file:
        process = spawn([*before, *PUNTO, "serve", *arguments], cwd=cwd, stdout=file, stderr=file, env=environment())
    try:
        yield Open(process, said)
    finally:
        process.kill()
        process.wait()


def free_port() -> int:
    """A port that nobody listens on, and that no system gives to who asks for any: those begin higher."""
    for port in _PORTS:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError


@contextmanager
def taken() -> Iterator[int]:
    """A port that somebody else listens on."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]
