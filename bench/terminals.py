"""Terminals for load: as many WebSocket clients as it takes, on one event loop, with as little work as can be.

The load comes from the machine that is measured, so that every microsecond here is one less for the server.
"""

import asyncio
import base64
import os
import struct
import sys
from collections.abc import Callable
from typing import Final, cast

Heard = Callable[[bytes], None]

LOOPBACK: Final = "127.0.0.1"
_TEXT: Final = 0x81
_CLOSE: Final = 0x88
_SHORT: Final = 125
_MASKED: Final = 0x80
_ZERO: Final = bytes(4)


def address(number: int) -> str:
    """An address of this machine for each client: the floor takes guests at one address for one visitor.

    >>> address(0), address(250)
    ('127.1.0.1', '127.1.1.1')
    """
    # macOS has only the first of the addresses that lead back.
    return LOOPBACK if sys.platform == "darwin" else f"127.1.{number // 250}.{number % 250 + 1}"


def hello(port: int, path: str, cookie: str = "") -> bytes:
    """The request with which a page asks for its connection."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {LOOPBACK}:{port}",
        f"Origin: http://{LOOPBACK}:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        "Sec-WebSocket-Version: 13",
        *([f"Cookie: {cookie}"] if cookie else []),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def masked(text: bytes) -> bytes:
    """A text as the frame with which a client sends it; the mask is of zeros, which costs nothing."""
    size = len(text)
    head = bytes((_TEXT, _MASKED | size)) if size <= _SHORT else struct.pack("!BBH", _TEXT, _MASKED | 126, size)
    return head + _ZERO + text


class Terminal(asyncio.Protocol):
    """One client: sends text, and hands on every text that comes."""

    def __init__(self, heard: Heard, request: bytes) -> None:
        self._heard = heard
        self._request = request
        self._rest = b""
        self._open = False
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.transport: asyncio.WriteTransport

    @classmethod
    async def connect(cls, port: int, path: str, heard: Heard, cookie: str = "", at: str = LOOPBACK) -> "Terminal":
        """A client at an address of this machine, whose connection is open."""
        request = hello(port, path, cookie)
        loop = asyncio.get_running_loop()
        _, terminal = await loop.create_connection(lambda: cls(heard, request), LOOPBACK, port, local_addr=(at, 0))
        await asyncio.wait_for(terminal.ready, 30)
        return terminal

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a WebSocket."""
        self.transport = cast("asyncio.WriteTransport", transport)
        self.transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        """Whoever waits for the connection learns that there is none."""
        if not self.ready.done():
            self.ready.set_exception(exc or ConnectionError("refused"))

    def send(self, text: bytes) -> None:
        """Send one text."""
        self.transport.write(masked(text))

    def data_received(self, data: bytes) -> None:
        """Take the frames apart."""
        data = self._rest + data if self._rest else data
        if not self._open:
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self._rest = head
                return
            if b" 101 " not in head[:20]:
                self.ready.set_exception(ConnectionError(head.partition(b"\r\n")[0].decode()))
                return
            self._open = True
            self.ready.set_result(None)
        at = 0
        while at + 2 <= len(data):
            size = data[at + 1]
            start = at + 2
            if size > _SHORT:
                wide = size == 127
                start += 8 if wide else 2
                size = int.from_bytes(data[at + 2 : start])
            if start + size > len(data):
                break
            kind = data[at]
            if kind == _TEXT:
                self._heard(data[start : start + size])
            elif kind == 0x89:
                self.transport.write(bytes((0x8A, _MASKED | size)) + _ZERO + data[start : start + size])
            elif kind == _CLOSE:
                self.transport.close()
            at = start + size
        self._rest = data[at:]

    def close(self) -> None:
        """Hang up."""
        self.transport.close()
