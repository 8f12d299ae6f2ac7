"""One page's connection: what it is told goes out as one frame at a time, and a page that is too slow is let go."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from punto.server.outlet import Outlet
from punto.table import Actor

if TYPE_CHECKING:
    from punto.server.faces import Fields
    from punto.server.hall import Hall

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]

# A page for which so much waits to be sent is cut off: it asks anew, and gets a fresh start.
_MOST_BYTES: Final = 1_000_000
# How long a page that is let go may take to read why.
_LAST_WORDS_S: Final = 2.0


class Connection:
    """A page: who is behind it, where it sits, and what it was told last."""

    def __init__(self, hall: "Hall", send: Send, outlet: Outlet, patron: Actor | None, staff: Actor | None) -> None:
        self.hall = hall
        self.patron = patron
        self.staff = staff
        # The session of the member of staff behind it.
        self.session = ""
        # Where it sits, by table; and its own state as it was told last.
        self.seats: dict[str, int] = {}
        self.own: dict[str, Fields] = {}
        self.watching: set[str] = set()
        # Ids of commands whose outcome is not known yet.
        self.in_doubt: set[str] = set()
        # Commands that wait for their answers; messages heard within this second, and what of them was not allowed.
        self.waiting = 0
        self.second = 0.0
        self.heard = 0
        self.trespasses = 0
        # Whether it has asked for what is not a patron's to do.
        self.was_refused = False
        self.closed = False
        self.news: list[bytes] = []
        self._send = send
        self._outlet = outlet
        self._closing: asyncio.Task[None] | None = None

    def tell(self, message: bytes) -> None:
        """Put a message, encoded, into the next frame."""
        if self.closed:
            return
        if not self.news:
            self.hall.flush_soon(self)
        self.news.append(message)

    def write(self, frame: bytes) -> None:
        """Send a frame."""
        if self.closed:
            return
        waiting = self._outlet.write(frame)
        if waiting > _MOST_BYTES:
            self.closed = True
            self._outlet.cut()
        elif waiting < 0:
            self.closed = True

    def drop(self, code: int, reason: str) -> None:
        """Close the connection from our side."""
        if self.closed:
            return
        self.closed = True
        if self._outlet.unsent:
            asyncio.get_running_loop().call_later(_LAST_WORDS_S, self._outlet.cut)
        closing: Message = {"type": "websocket.close", "code": code, "reason": reason}
        self._closing = asyncio.get_running_loop().create_task(self._close(closing))

    async def _close(self, closing: Message) -> None:
        with suppress(Exception):  # the page may have gone meanwhile
            await self._send(closing)
