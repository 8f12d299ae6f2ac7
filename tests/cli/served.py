"""A floor that is served by a process of its own."""

import json
import re
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

from tests.cli.shell import PUNTO

ADDRESS: Final = re.compile(r"is open at (https?://\S+?:\d+)[:\n]")
PATIENCE_S: Final = 40


class Open:
    """A floor that is being served."""

    def __init__(self, process: "subprocess.Popen[bytes]", said: Path) -> None:
        self.process = process
        self._said = said
        self.address = self._wait()

    @property
    def said(self) -> str:
        """What it has written so far."""
        return self._said.read_text()

    def _wait(self) -> str:
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            if found := ADDRESS.search(self.said):
                return found.group(1)
            assert self.process.poll() is None, self.said
            time.sleep(0.05)
        raise TimeoutError(self.said)

    def get(self, path: str, tls: ssl.SSLContext | None = None) -> Any:  # noqa: ANN401
        """What an address answers, once the floor answers at all."""
        for _ in range(100):
            try:
                with urlopen(self.address + path, timeout=10, context=tls) as answer:  # noqa: S310
                    return json.loads(answer.read())
            except ConnectionRefusedError:
                time.sleep(0.1)
        raise TimeoutError(path)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ask it to end; its status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_S)


@contextmanager
def serving(*arguments: str, cwd: Path) -> Iterator[Open]:
    said = cwd / "said.txt"
    with said.open("wb") as file:
        process = subprocess.Popen([*PUNTO, "serve", *arguments], cwd=cwd, stdout=file, stderr=file)
    try:
        yield Open(process, said)
    finally:
        process.kill()
        process.wait()


@contextmanager
def taken() -> Iterator[int]:
    """A port that somebody else listens on."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]
