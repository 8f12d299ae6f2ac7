"""How frames leave: written straight to the transport, so that one frame can go to many pages.

Through ASGI every page would have its frame made anew, which is most of what telling a thousand pages costs. uvicorn
takes a protocol class of one's own; this one hands its transport to the application, and is otherwise uvicorn's.
"""

from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

OUTLET: Final = "punto.outlet"
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


class LiveProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol, with an outlet in the scope of every connection."""

    def handle_connect(self, event: Request) -> None:
        """Begin a connection."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[OUTLET] = Outlet(self)
