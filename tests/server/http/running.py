"""A server on a real port of this machine, in a thread of its own, for clients that do not wait."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, nullcontext
from threading import Event, Thread
from typing import Any, Final, TypeVar

import uvicorn

from punto.server.app import Server, make
from punto.server.config import FloorConfig
from punto.server.outlet import LiveProtocol

T = TypeVar("T")

_PATIENCE_S: Final = 30


class Running:
    """A server that runs, and where."""

    def __init__(self, config: FloorConfig) -> None:
        self.config = config
        self.server: Server
        self._web: uvicorn.Server
        self._loop: asyncio.AbstractEventLoop
        self._ready = Event()
        self._thread = Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        assert self._ready.wait(_PATIENCE_S)
        port = self._web.servers[0].sockets[0].getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        self.live = f"ws://127.0.0.1:{port}/live"

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.server = make(self.config)
        self._web = uvicorn.Server(
            uvicorn.Config(
                self.server,
                port=0,
                ws=LiveProtocol,
                ws_per_message_deflate=False,
                log_config=None,
                access_log=False,
                timeout_graceful_shutdown=1,
            )
        )
        self._web.capture_signals = nullcontext  # type: ignore[assignment,method-assign]
        serving = asyncio.create_task(self._web.serve())
        while not self._web.started and not serving.done():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        self._ready.set()
        await serving

    def call(self, doing: Coroutine[Any, Any, T]) -> T:
        """Have something done on the server's own loop."""
        return asyncio.run_coroutine_threadsafe(doing, self._loop).result(_PATIENCE_S)

    def stop(self) -> None:
        self._web.should_exit = True
        self._thread.join(_PATIENCE_S)


@contextmanager
def running(config: FloorConfig) -> Iterator[Running]:
    """A server, from its beginning to its end."""
    server = Running(config)
    try:
        yield server
    finally:
        server.stop()
