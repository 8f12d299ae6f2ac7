"""A floor's process: one to a store, on a port that is free, begun in order and stopped in order."""

import asyncio
import errno
import os
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from ssl import TLSVersion
from types import FrameType
from typing import Any, Final, TextIO, cast

import msgspec
import structlog
import uvicorn

from punto.errors import Conflict, MissingPart, PuntoError, StoreLocked, UnreadableFile, UnwritableFile
from punto.server.app import Server, make
from punto.server.config import FloorConfig, is_public
from punto.server.crowd import CROWD
from punto.server.descriptors import ROOM, raise_limit
from punto.server.logs import set_up
from punto.server.outlet import LiveProtocol, RequestProtocol
from punto.server.proxies import OnlyProxies
from punto.store import open_store
from punto.store.database import parse

try:
    import fcntl
except ImportError:  # no such locks on Windows
    fcntl = None  # type: ignore[assignment]

# What TLS 1.2 may use: forward secrecy, and no mode that has to be padded. All suites of TLS 1.3 are such.
_CIPHERS: Final = "ECDHE+AESGCM:ECDHE+CHACHA20"
Told = Callable[[Server], Awaitable[None]]

_SQLITE: Final = "sqlite:"
_MOST_PORTS: Final = 100
_LONGEST_MESSAGE: Final = 65_536
_LAST_WORDS_S: Final = 3
# The same where the store does not answer.
_SHORT_S: Final = 0.1
# A floor that is still there so long after its grace is ended whatever it waits for.
_LAST_RESORT_S: Final = 12
# The status of a floor that had to end without its store: not all that was asked has an answer.
WITHOUT_STORE: Final = 75


def record_of(config: FloorConfig) -> str:
    """Where the record of a floor is, as it may be named on a screen."""
    path = _file_of(config)
    return str(path) if path else parse(config.store).name


def _file_of(config: FloorConfig) -> Path | None:
    return Path(config.store.removeprefix(_SQLITE)) if config.store.startswith(_SQLITE) else None


def serve(
    config: FloorConfig, told: Told, *, other_ports: bool = False, made: Callable[[FloorConfig], Server] = make
) -> FloorConfig:
    """Serve a floor until it is stopped; *told* is called once it is open, on the port that it got."""
    _check_there(config)
    ROOM.begin(raise_limit())
    CROWD.begin(config.connections_per_address, config.proxies if config.behind_proxy else ())
    with _sole(config) as lock:
        with listening(config, other_ports=other_ports) as listener:
            config = msgspec.structs.replace(config, port=listener.getsockname()[1])
            if lock is not None:
                lock.truncate(0)
                lock.write(config.address)
                lock.flush()
            _check_keeping(config)
            _run(config, listener, told, made)
        return config


def _check_there(config: FloorConfig) -> None:
    """Refuse a file that is not there before anything is written beside it; a demonstration makes its own."""
    path = _file_of(config)
    if path is not None and not config.demonstration and not path.exists():
        open_store(config.store, create=False).close()


# One floor to a file


@contextmanager
def _sole(config: FloorConfig) -> Iterator[TextIO | None]:
    """The lock beside an SQLite file, as long as the floor is open; floors on PostgreSQL may share."""
    path = _file_of(config)
    if path is None or fcntl is None:  # where there are no such locks, the store's own fences must do
        yield None
        return
    beside = path.with_name(f"{path.name}.lock")
    try:
        lock = beside.open("a+", encoding="utf-8")
    except OSError as error:
        raise UnwritableFile(f"{beside.parent}: a floor cannot be kept there: {error.strerror}") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            where = lock.read(200).strip()
            raise StoreLocked(f"{path}: another floor is open on it{f', at {where}' if where else ''}") from None
        yield lock


def _check_keeping(config: FloorConfig) -> None:
    """Refuse a store without its key, and for a floor that is no demonstration, one that is not there."""
    path, key = _file_of(config), Path(config.key_file)
    if not config.demonstration:
        open_store(config.store, create=False).close()
    elif path is not None and path.exists() and not key.exists():
        raise UnreadableFile(f"{key}: no such file, and {path.name} was signed with it: expected the key, or --fresh")


# The port


@contextmanager
def listening(config: FloorConfig, *, other_ports: bool) -> Iterator[socket.socket]:
    """The socket that the floor listens on; the next free port where that is allowed."""
    ports = (
        range(config.port, min(config.port + _MOST_PORTS, 65_536)) if other_ports and config.port else (config.port,)
    )
    listener = None
    for port in ports:
        listener = _bound(config.host, port, taken_is_fine=other_ports and port != ports[-1])
        if listener is not None:
            break
    assert listener is not None, "the last port is refused aloud"
    with listener:
        yield listener


def _bound(host: str, port: int, *, taken_is_fine: bool) -> socket.socket | None:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise PuntoError(f"host {host}: {error.strerror}: expected an address of this machine") from None
    if sys.platform != "win32":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen()
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            if taken_is_fine:
                return None
            raise Conflict(f"port {port} of {host} is taken by another process: expected a free one") from None
        raise PuntoError(f"port {port} of {host}: {error.strerror}") from None
    listener.setblocking(False)
    return listener


# From the beginning to the end


class Life:
    """The beginning and the end of an application, by ASGI's own protocol; what goes wrong in them is raised here."""

    def __init__(self, application: Server) -> None:
        self._asked: asyncio.Queue[Any] = asyncio.Queue()
        self._said: asyncio.Queue[Any] = asyncio.Queue()
        scope: Any = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
        self._living = asyncio.ensure_future(application(scope, self._asked.get, self._said.put))

    async def begin(self) -> None:
        """Return when the application is ready."""
        await self._pass("startup")

    async def end(self) -> None:
        """Return when the application has stopped."""
        await self._pass("shutdown")
        await self._living

    async def _pass(self, step: str) -> None:
        self._asked.put_nowait({"type": f"lifespan.{step}"})
        answer = asyncio.ensure_future(self._said.get())
        await asyncio.wait({answer, self._living}, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            answer.cancel()
            self._living.result()
        elif answer.result()["type"] == f"lifespan.{step}.failed":
            raise PuntoError(answer.result().get("message") or "the floor cannot be opened")


class Web(uvicorn.Server):
    """uvicorn's server, which lets rounds end before it lets go of those who watch them."""

    def __init__(self, config: uvicorn.Config, floor: Server) -> None:
        super().__init__(config)
        self._floor = floor

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to whoever runs the floor."""
        yield

    async def on_tick(self, counter: int) -> bool:
        """Whether it is time to stop: when that is asked for, or when another process runs the floor now."""
        return await super().on_tick(counter) or self._floor.hall.is_over

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let nobody in, finish the rounds, and only then let everybody go."""
        for server in self.servers:
            server.close()
        await self._floor.finish()
        hangs = not self._floor.ended_in_order and self._floor.hall.fenced is None
        if hangs:  # whoever waits for the store would wait for good
            self.config.timeout_graceful_shutdown = _SHORT_S  # type: ignore[assignment]
        await super().shutdown(sockets)
        if hangs:
            end_without_store(self._floor)


class Stop:
    """Ctrl-C, or a request to end: the first closes the floor in order, the second ends it at once."""

    def __init__(self, grace_s: float) -> None:
        self.asked = False
        self.web: Web | None = None
        self.server: Server | None = None
        self._grace_s = grace_s
        self._last_resort: threading.Timer | None = None
        self._before = {each: signal.signal(each, self._heard) for each in (signal.SIGINT, signal.SIGTERM)}

    def _heard(self, _number: int, _frame: FrameType | None) -> None:
        self.asked = True
        self.forget()
        self._last_resort = threading.Timer(self._grace_s + _LAST_RESORT_S, self._end_at_once)
        self._last_resort.daemon = True
        self._last_resort.start()
        if self.web is not None:
            self.web.should_exit = True

    def _end_at_once(self) -> None:
        """The floor does not come to an end by itself: something hangs that cannot be interrupted."""
        end_without_store(self.server)

    def over(self) -> None:
        """The floor has ended."""
        if self._last_resort is not None:
            self._last_resort.cancel()
        self.forget()

    def forget(self) -> None:
        """Let signals do what they did before."""
        for each, before in self._before.items():
            signal.signal(each, before)


def end_without_store(server: Server | None) -> None:
    """End the process although a thread hangs in a call of the store, where nothing reaches it."""
    left = server.hall.writer.left if server else 0
    structlog.get_logger("punto.serving").error(
        "the floor ends without its store, which does not answer",
        unanswered=left,
        said="what was acknowledged is on record; whoever had no answer asks again under the same id",
    )
    sys.stderr.flush()
    sys.stdout.flush()
    os._exit(WITHOUT_STORE)


def _run(config: FloorConfig, listener: socket.socket, told: Told, made: Callable[[FloorConfig], Server]) -> None:
    stop = Stop(config.grace_s)
    set_up("warning" if config.demonstration else "info")
    try:
        server = stop.server = made(config)
        _warn_of_origins(server)
        try:
            web_config = settings(server)
            with asyncio.Runner(loop_factory=web_config.get_loop_factory()) as runner:
                runner.run(_live(server, web_config, listener, told, stop))
        finally:
            server.hall.writer.floor.store.close()
            if stop.asked and stop.web is not None and not server.ended_in_order:
                end_without_store(server)
    finally:
        stop.over()


def _warn_of_origins(server: Server) -> None:
    """Say what to add to the file where browsers come from elsewhere, and it does not say at which address."""
    origins = server.identity.origins
    if origins.are_guessed:
        structlog.get_logger("punto.serving").warning(
            "the file names no origins: pages are taken at the names that are known, and at addresses that are numbers",
            known=sorted(origins.names - {server.config.host}),
            add='origins = ["https://floor.example"], the address at which browsers reach this floor',
        )


class _Settings(uvicorn.Config):
    """Uvicorn's settings, and what it has no setting for."""

    def load(self) -> None:
        """Load the application and the certificate, before the first connection."""
        super().load()
        config = cast("Server", self.app).config
        if self.ssl is not None:
            self.ssl.minimum_version = TLSVersion.TLSv1_2
        if config.behind_proxy and is_public(config.host):
            self.loaded_app = OnlyProxies(self.loaded_app, config.proxies)


def settings(server: Server) -> uvicorn.Config:
    """How uvicorn serves a floor."""
    config = server.config
    try:
        return _Settings(
            server,
            http=RequestProtocol,
            ws=LiveProtocol,
            ws_per_message_deflate=False,
            ws_max_size=_LONGEST_MESSAGE,
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            # Without a proxy, what a request says of its own origin is not believed.
            proxy_headers=config.behind_proxy,
            forwarded_allow_ips=list(config.proxies) if config.behind_proxy else [],
            ssl_certfile=config.tls_certificate or None,
            ssl_keyfile=config.tls_key or None,
            ssl_ciphers=_CIPHERS,
            timeout_graceful_shutdown=_LAST_WORDS_S,
        )
    except ImportError as error:
        raise MissingPart(f"the floor needs {error.name}: expected an installation with all of Punto's parts") from None


async def _live(server: Server, config: uvicorn.Config, listener: socket.socket, told: Told, stop: Stop) -> None:
    life = Life(server)
    await life.begin()
    if not stop.asked:
        stop.web = Web(config, server)
        await told(server)
        server.hall.program.begin()
        await stop.web.serve(sockets=[listener])
    await life.end()
    if server.hall.fenced is not None:
        raise server.hall.fenced
