"""What the API keeps besides the hall: threads that read the store, the audit, and what is measured."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

from punto.errors import NotAllowed, PuntoError, TooFast
from punto.server.audits import Audits
from punto.server.http.measures import Pulse
from punto.server.http.shelf import Shelf
from punto.server.metrics import Metrics
from punto.table import Actor

if TYPE_CHECKING:
    from punto.server.app import Server

T = TypeVar("T")

_READERS: Final = 4
# How many may wait for a reader before others are sent away; and for the one who does what takes long.
_MOST_WAITING: Final = 64
_MOST_LONG: Final = 8


class Office:
    """One for each server, on the event loop."""

    def __init__(self, server: "Server") -> None:
        self._server = server
        self.metrics = Metrics(server.hall)
        self.audits = Audits(server.config.store, server.hall.writer.floor)
        self.pulse = Pulse()
        self.shelf = Shelf()
        self._readers = Crew(_READERS, _MOST_WAITING)
        self._slow = Crew(1, _MOST_LONG)
        self._logging: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """The floor stops: nobody waits for what is still being worked out."""
        self.audits.close()

    def log_refusal(self, staff: Actor, asked: str, refusal: NotAllowed) -> None:
        """Write down who was refused what, soon; whoever asked need not wait for it."""
        task = asyncio.get_running_loop().create_task(self._log_refusal(staff, asked, refusal))
        self._logging.add(task)
        task.add_done_callback(self._logging.discard)

    async def _log_refusal(self, staff: Actor, asked: str, refusal: NotAllowed) -> None:
        hall = self._server.hall
        with suppress(PuntoError, RuntimeError):  # the floor may be closing; the process's own log has it in any case
            await hall.writer.call(hall.writer.floor.log_refusal, hall.now_ms(), staff, asked, refusal)

    async def read(self, function: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401 (whatever it takes)
        """Run something that reads the store, which it gets first, away from the event loop."""
        return await self._readers.run(function, self._server.hall.writer.floor.store, *arguments)

    async def work(self, function: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401
        """Run something that may take long, one at a time."""
        return await self._slow.run(function, *arguments)

    async def read_long(self, function: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401
        """Run something that may read a whole log, one at a time."""
        return await self.work(function, self._server.hall.writer.floor.store, *arguments)


class Crew:
    """Threads, and how many may wait for them."""

    def __init__(self, threads: int, most: int) -> None:
        self._threads = ThreadPoolExecutor(threads, "reader")
        self._most = most
        self._waiting = 0

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401
        """Run something as soon as a thread is free."""
        if self._waiting >= self._most:
            raise TooFast("too many are asking for records at once: try again in a moment")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)
        finally:
            self._waiting -= 1
