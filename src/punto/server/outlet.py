"""How frames leave: written straight to the transport, so that one frame can go to many pages.

Through ASGI every page would have its frame made anew, which is most of what telling a thousand pages costs. uvicorn
takes a protocol class of one's own; this one hands its transport to the application, and is otherwise uvicorn's.
"""

from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from punto.server.descriptors import FULL, ROOM

OUTLET: Final = "punto.outlet"
# How long a request may take to come in.
_PATIENCE_S: Final = 20.0
# How long a newcomer for whom there is no room may take to ask.
_LAST_WORDS_S: Final = 1.0
_TEXT: Final = 0x81
_SHORT: Final = 126
_MEDIUM: Final = 2**16


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

    def write(self, frame: bytes) -> int:
        """Send a frame; how many bytes wait to be taken by the network, or -1 when nothing can be sent any more."""
        protocol = self._protocol
        transport = protocol.transport
        if protocol.close_sent or protocol.disconnected or transport.is_closing():
            return -1
        transport.write(frame)
        return transport.get_write_buffer_size()

    @property
    def waits(self) -> bool:
        """Whether the network has not taken what was sent last."""
        return self._protocol.transport.get_write_buffer_size() > 0

    def cut(self) -> None:
        """Hang up at once, whatever the other end has not read: one that never reads would keep us waiting for ever."""
        self._protocol.transport.abort()


class LiveProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol, with an outlet in the scope of every connection."""

    def handle_connect(self, event: Request) -> None:
        """Begin a connection."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[OUTLET] = Outlet(self)

    def keepalive_timeout(self) -> None:
        """A page has not answered for too long."""
        super().keepalive_timeout()
        self.transport.abort()


class RequestProtocol(HttpToolsProtocol):
    """uvicorn's protocol for requests: it hangs up on who begins one and does not go on, and on who finds no room."""

    def connection_made(self, transport: Any) -> None:  # noqa: ANN401 (as uvicorn has it)
        """Somebody has connected."""
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        self._is_turned_away = connection is not None and ROOM.is_full(connection.fileno())
        if not self._is_turned_away:
            self.loop.call_later(_PATIENCE_S, self._look, 0)
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
            self.loop.call_later(_PATIENCE_S, self._look, int(coming))
