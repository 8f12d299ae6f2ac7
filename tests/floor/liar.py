"""Something that listens where a signer should, and a folder whose path is short enough for its socket."""

import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="punto-") as name:
        yield Path(name)


class Liar:
    """Something that listens on a socket and answers with a line of its own."""

    def __init__(self, path: Path, *lines: bytes) -> None:
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(path))
        self._listener.listen()
        self._lines = lines

    def __enter__(self) -> None:
        self._thread = Thread(target=self._answer, daemon=True)
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._thread.join()
        self._listener.close()

    def _answer(self) -> None:
        for line in self._lines:
            peer, _ = self._listener.accept()
            with peer:
                peer.recv(65_536)
                peer.sendall(line)
