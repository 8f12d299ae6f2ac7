"""How frames leave: written straight to the transport, so that one frame can go to many pages.

Through ASGI every page would have its frame made anew, which is most of what telling a thousand pages costs. uvicorn
takes a protocol class of one's own; this one hands its transport to the application, and is otherwise uvicorn's.
"""

import json
from asyncio import TimerHandle
from typing import Any, Final, Protocol

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from punto.errors import PuntoError
from punto.server.crowd import CROWD, TURNED_AWAY
from punto.server.descriptors import FULL, ROOM

OUTLET: Final = "punto.outlet"
# How long a request may take to come in.
_PATIENCE_S: Final = 20.0
# How long a newcomer for whom there is no room may take to ask.
_LAST_WORDS_S: Final = 1.0
_TEXT: Final = 0x81
_SHORT: Final = 126
_MEDIUM: Final = 2**16
# A page that sends so many messages before the first of them is heard is cut off. Frames are counted after so many
# bytes: each takes some microseconds to read, and the network may bring thousands at once.
_MOST_UNHEARD: Final = 120
_READ_AT_ONCE: Final = 2_048
_REFUSED: Final = (
    b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nretry-after: 60\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%b"
)


class Share(Protocol):
    """What the visitor behind a page may take, as the page's outlet asks for it."""

    def take(self) -> bool:
        """Take a message, if there is one left."""

    def wrote(self, size: int) -> None:
        """So many bytes were given to the network on one of the pages."""


def framed(text: bytes) -> bytes:
    """A text as the frame that carries it (RFC 6455, 5.2).

    >>> framed(b"hi").hex()
    '81026869'
    """
    size = len(text)
    if size < _SHORT:
        return bytes((_TEXT, size)) + text
    if size < _MEDIUM:
        return bytes((_TEXT, 126)) + size.to_bytes(2) + text
    return bytes((_TEXT, 127)) + size.to_bytes(8) + text


class Outlet:
    """The sending end of a connection."""

    def __init__(self, protocol: WebSocketsSansIOProtocol) -> None:
        self._protocol = protocol
        # That of the visitor behind it.
        self.allowance: Share | None = None

    def write(self, frame: bytes) -> int:
        """Send a frame; how many bytes wait to be taken by the network, or -1 when nothing can be sent any more."""
        protocol = self._protocol
        transport = protocol.transport
        if protocol.close_sent or protocol.disconnected or transport.is_closing():
            return -1
        transport.write(frame)
        if self.allowance is not None:
            self.allowance.wrote(len(frame))
        return transport.get_write_buffer_size()

    @property
    def unsent(self) -> int:
        """How many bytes the network has not taken yet."""
        return self._protocol.transport.get_write_buffer_size()

    @property
    def unheard(self) -> int:
        """How many messages have come that nobody has listened to yet."""
        return self._protocol.queue.qsize()

    def is_reserved(self) -> bool:
        """Whether the connection has one of the last descriptors, which guests may not keep."""
        connection = self._protocol.transport.get_extra_info("socket")
        return connection is not None and ROOM.is_reserved(connection.fileno())

    def refuse(self, refusal: PuntoError | None) -> None:
        """Answer that there will be no connection, and hang up; without a refusal, that the floor has no room."""
        protocol = self._protocol
        if refusal is None:
            ROOM.note_turned_away()
            answer = FULL
        else:
            body = json.dumps({"code": refusal.code, "message": refusal.message}).encode()
            answer = _REFUSED % (len(body), body)
        protocol.handshake_complete = protocol.close_sent = True  # there is nothing left for uvicorn to say
        protocol.transport.write(answer)
        protocol.transport.close()

    def cut(self) -> None:
        """Hang up at once, whatever the other end has not read: one that never reads would keep us waiting for ever."""
        self._protocol.transport.abort()


class LiveProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol, with an outlet in the scope of every connection."""

    outlet: Outlet | None = None

    def handle_connect(self, event: Request) -> None:
        """Begin a connection."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[OUTLET] = self.outlet = Outlet(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        CROWD.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Frames have come: those of a page that sends far too many are not even read."""
        for start in range(0, len(data), _READ_AT_ONCE):
            super().data_received(data[start : start + _READ_AT_ONCE])
            if self.queue.qsize() > _MOST_UNHEARD:
                self.transport.abort()
            if self.transport.is_closing():
                return

    def handle_ping(self) -> None:
        """A ping counts as a message, though nobody hears it."""
        if self._is_taken():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """So does an answer to no ping of ours."""
        if self.pending_ping_payload is not None or self._is_taken():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """So does each further piece of a message."""
        if self._is_taken():
            super().handle_cont(event)

    def _is_taken(self) -> bool:
        """Whether the visitor has a message left for a frame that cannot be refused: else the page is cut off."""
        allowance = self.outlet.allowance if self.outlet else None
        if allowance is None or allowance.take():
            return True
        self.transport.abort()
        return False

    def keepalive_timeout(self) -> None:
        """A page has not answered for too long."""
        super().keepalive_timeout()
        self.transport.abort()


class RequestProtocol(HttpToolsProtocol):
    """uvicorn's protocol for requests: it hangs up on who begins one and does not go on, and on who finds no room."""

    _looking: TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:  # noqa: ANN401 (as uvicorn has it)
        """Somebody has connected."""
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        self._is_turned_away = connection is not None and ROOM.is_full(connection.fileno())
        if not self._is_turned_away and not CROWD.enter(transport, transport.get_extra_info("peername")):
            transport.write(TURNED_AWAY)
            transport.close()
            return
        if connection is not None and not self._is_turned_away and ROOM.is_reserved(connection.fileno()):
            self.timeout_keep_alive = 1  # others wait for this place
            self._looking = self.loop.call_later(_LAST_WORDS_S, self._look, 1)
        elif not self._is_turned_away:
            self._looking = self.loop.call_later(_PATIENCE_S, self._look, 0)
        elif connection.fileno() < ROOM.last:  # once its request is read, the answer gets through
            self.loop.call_later(_LAST_WORDS_S, transport.abort)
        else:
            self._turn_away()

    def data_received(self, data: bytes) -> None:
        """Part of a request has come."""
        if self._is_turned_away:
            self._turn_away()
        else:
            super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._look_no_more()
        CROWD.leave(self.transport)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """A page's connection begins."""
        self._look_no_more()
        super().handle_websocket_upgrade()

    def _look_no_more(self) -> None:
        """Forget the next look: it would keep everything of a connection that is gone, and there may be thousands."""
        if self._looking is not None:
            self._looking.cancel()

    def _turn_away(self) -> None:
        self.transport.write(FULL)
        self.transport.close()

    def _look(self, waited: int) -> None:
        """Hang up where the same request is still coming in as when we looked last."""
        transport = self.transport
        if transport.is_closing() or transport.get_protocol() is not self:
            return
        coming = self.cycle is None or (self.cycle.more_body and not self.cycle.response_complete)
        if coming and waited:
            transport.abort()
        else:
            self._looking = self.loop.call_later(_PATIENCE_S, self._look, int(coming))
