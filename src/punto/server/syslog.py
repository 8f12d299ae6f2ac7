"""Syslog: significant events go to the receiver that the floor's file names, as RFC 5424 has them.

A thread of its own sends them, so that no table waits for a receiver. Over TCP and a unix socket the floor sees that
nobody receives, keeps the events, and goes on with them later; a datagram that is lost on the way nobody misses.
"""

import asyncio
import os
import socket
import ssl
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

import msgspec

from punto.errors import Conflict, PuntoError
from punto.floor.replaying import keep_body, kept_body
from punto.record.journal import JOURNAL
from punto.record.significant import EventsSince, SignificantEvent, events_after
from punto.surroundings import monotonic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from punto.server.hall import Hall

# The facility for messages about security and authority, of which only those who look after security read.
_FACILITY: Final = 10
_PATIENCE_S: Final = 5.0
_EVERY_S: Final = 1.0
_KEEP_EVERY_S: Final = 30.0
_FIRST_WAIT_S: Final = 1.0
_LONGEST_WAIT_S: Final = 60.0
_LAST_S: Final = 3.0
_UDP_PORT: Final = 514
_TCP_PORT: Final = 601
_TLS_PORT: Final = 6514
# So much of a message is sent in one datagram.
_LONGEST_DATAGRAM: Final = 1_400
_SCHEMES: Final = ("udp", "tcp", "tls", "unix")
_ENDS: Final = msgspec.msgpack.Decoder(dict[str, int])
ADDRESS: Final = "expected udp://HOST, tcp://HOST or tls://HOST, with :PORT if it is another, or unix:/PATH"


class Receiver(NamedTuple):
    """Where syslog messages go."""

    scheme: str
    host: str
    port: int = 0

    @classmethod
    def parse(cls, text: str) -> "Receiver":
        """The receiver that an address names; `ValueError` where it names none.

        >>> Receiver.parse("udp://log.example"), Receiver.parse("unix:/dev/log")
        (Receiver(scheme='udp', host='log.example', port=514), Receiver(scheme='unix', host='/dev/log', port=0))
        """
        url = urlsplit(text)
        if url.scheme not in _SCHEMES:
            raise ValueError(ADDRESS)
        if url.scheme == "unix":
            if url.netloc or not url.path.startswith("/"):
                raise ValueError(ADDRESS)
            return cls("unix", url.path)
        if not url.hostname or url.path or url.query or url.fragment or url.username:
            raise ValueError(ADDRESS)
        usual = {"udp": _UDP_PORT, "tcp": _TCP_PORT, "tls": _TLS_PORT}[url.scheme]
        return cls(url.scheme, url.hostname, url.port or usual)


def message(event: SignificantEvent, host: str) -> bytes:
    """An event as RFC 5424 has it, with its place in the record, by which a receiver knows it when it comes twice."""
    seconds, ms = divmod(event.at_ms, 1_000)
    at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{ms:03}Z"
    about = {
        "kind": event.kind.value,
        "by": event.by,
        "position": event.position.value,
        "stream": event.stream,
        "version": str(event.version),
    }
    data = " ".join(f'{name}="{_quoted(value)}"' for name, value in about.items())
    head = f"<{8 * _FACILITY + event.severity}>1 {at} {_word(host)} punto {os.getpid()} {_word(event.what)}"
    return f"{head} [event@32473 {data}] \ufeff{_line(event.said)}".encode()


def _quoted(text: str) -> str:
    for sign in '\\"]':
        text = text.replace(sign, "\\" + sign)
    return _line(text)


def _line(text: str) -> str:
    """One line: what is below a space would end the message, or move somebody's cursor."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def _word(text: str) -> str:
    """A word of printable ASCII, as the head of a message has them."""
    return "".join(sign if "!" <= sign <= "~" else "-" for sign in text)[:32] or "-"


class Line:
    """The line to a receiver; whoever sends waits until the receiver's machine has it, as far as that can be known."""

    def __init__(self, receiver: Receiver) -> None:
        self._receiver = receiver
        self._socket: socket.socket | None = None

    def send(self, messages: list[bytes]) -> None:
        """Send messages; `OSError` where they did not get away, and then some may have."""
        line = self._socket or self._open()
        self._socket = line
        try:
            for each in messages:
                if line.type == socket.SOCK_DGRAM:
                    line.send(each[:_LONGEST_DATAGRAM])
                else:
                    line.sendall(b"%d %b" % (len(each), each))
            if line.type == socket.SOCK_STREAM and _is_closed(line):
                raise OSError("the receiver has closed the line")  # noqa: TRY301
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Let the line go."""
        if self._socket is not None:
            with suppress(OSError):
                self._socket.close()
            self._socket = None

    def _open(self) -> socket.socket:
        scheme, host, port = self._receiver
        if scheme == "unix":
            return _unix(host)
        if scheme == "udp":
            family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
            line = socket.socket(family, kind, protocol)
            line.settimeout(_PATIENCE_S)
            line.connect(address)
            return line
        plain = socket.create_connection((host, port), _PATIENCE_S)
        return ssl.create_default_context().wrap_socket(plain, server_hostname=host) if scheme == "tls" else plain


def _unix(path: str) -> socket.socket:
    """A line to the system's own log, which takes datagrams on most systems, and a stream on some."""
    for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM):
        line = socket.socket(socket.AF_UNIX, kind)
        line.settimeout(_PATIENCE_S)
        try:
            line.connect(path)
        except OSError:
            line.close()
            if kind == socket.SOCK_STREAM:
                raise
        else:
            return line
    raise AssertionError("the last kind is refused aloud")


def _is_closed(line: socket.socket) -> bool:
    """Whether the receiver has hung up; it never says anything."""
    line.settimeout(0)
    try:
        return not line.recv(1)
    except (BlockingIOError, ssl.SSLWantReadError):
        return False
    finally:
        line.settimeout(_PATIENCE_S)


class Syslog:
    """Follows the record, and sends every significant event that comes; on the event loop, sending on a thread."""

    def __init__(self, hall: "Hall", address: str) -> None:
        self._hall = hall
        self._address = address
        self._line = Line(Receiver.parse(address))
        self._host = socket.gethostname()
        self._thread = ThreadPoolExecutor(1, "syslog")
        self._task: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        # How far events were sent, as it is now and as it was last kept.
        self._ends: dict[str, int] = {}
        self._kept_ends: dict[str, int] = {}
        self._keeps_at = 0.0
        # Of which streams no more is sent, for they do not read.
        self._faults: tuple[str, ...] = ()
        # How many of the events that the journal could not take were sent.
        self._sent_beside = 0
        # Why events do not get away; empty where they do.
        self.fault = ""

    async def begin(self, ends: "Mapping[str, int]") -> None:
        """Send what was not sent the last time, or where nothing ever was, what has come since streams ended there."""
        kept = await self._hall.writer.call(self._kept)
        self._ends = dict(ends) if kept is None else kept
        self._task = asyncio.get_running_loop().create_task(self._run())

    def hurry(self) -> None:
        """Something is on record: send it at once."""
        self._news.set()

    async def end(self, *, send: bool = True) -> None:
        """Stop; with *send*, once what is left is sent, if that can be done in a few seconds."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
            if send:
                await self._send_rest()
        with suppress(RuntimeError):  # ended before
            self._thread.submit(self._line.close)
        self._thread.shutdown(wait=False)

    async def _send_rest(self) -> None:
        with suppress(OSError, PuntoError, RuntimeError, TimeoutError):
            async with asyncio.timeout(_LAST_S):
                while await self._send():
                    pass
        with suppress(PuntoError, RuntimeError):
            await self._keep()

    async def _run(self) -> None:
        wait_s = _FIRST_WAIT_S
        while True:
            try:
                more = await self._send()
            except (OSError, Conflict) as error:
                self._fail(str(error) or type(error).__name__)
                await asyncio.sleep(wait_s)
                wait_s = min(2 * wait_s, _LONGEST_WAIT_S)
                continue
            except PuntoError as error:
                self._fail(error.message)
                await asyncio.sleep(_LONGEST_WAIT_S)
                continue
            wait_s = _FIRST_WAIT_S
            if self._faults:  # a stream is stopped, of which no more is sent
                self._fail("; ".join(self._faults))
            elif self.fault:
                self._hall.log.info("events get to syslog again", where=self._address)
                self.fault = ""
            if monotonic() >= self._keeps_at:
                with suppress(PuntoError, RuntimeError):
                    await self._keep()
            if not more:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_EVERY_S):
                        await self._news.wait()
                self._news.clear()

    async def _send(self) -> bool:
        """Send what has come; whether anything had."""
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._thread, self._look)
        beside = self._hall.journal.beside[self._sent_beside :]
        events = [*found.events, *beside]
        if events:
            messages = [message(event, self._host) for event in events]
            await loop.run_in_executor(self._thread, self._line.send, messages)
        self._ends, self._faults = found.ends, found.faults
        self._sent_beside += len(beside)
        return bool(events)

    def _kept(self) -> dict[str, int] | None:
        """On the writing thread: how far events were sent the last time; none where nothing was ever kept.

        What does not verify, as after a rotation of the key, may be forged: then everything is sent again.
        """
        history = self._hall.writer.floor.history
        if history.store.snapshot(JOURNAL) is None:
            return None
        kept = kept_body(history, JOURNAL)
        return _ENDS.decode(kept[1]) if kept else {}

    async def _keep(self) -> None:
        """Keep how far events were sent, so that those alone come twice that were sent since."""
        self._keeps_at = monotonic() + _KEEP_EVERY_S
        if self._ends == self._kept_ends:
            return
        self._kept_ends = dict(self._ends)
        history, body = self._hall.writer.floor.history, msgspec.msgpack.encode(self._ends)
        await self._hall.writer.call(lambda: keep_body(history, JOURNAL, history.end(JOURNAL), body))

    def _look(self) -> EventsSince:
        return events_after(self._hall.writer.floor.history.believed, self._ends)

    def _fail(self, said: str) -> None:
        if said != self.fault:
            self._hall.log.warning("events do not get to syslog", where=self._address, said=said)
        self.fault = said
