"""The floor in the browser: HTTP, WebSocket, identity, wire messages, the built pages.

A `Server` is one ASGI application, made from a `FloorConfig`; `serve` runs it in a process of its own.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from punto.server.app import Server, make
    from punto.server.config import FloorConfig, TableConfig, demonstration
    from punto.server.floorfile import read_floor
    from punto.server.serving import serve

__all__ = ["FloorConfig", "Server", "TableConfig", "demonstration", "make", "read_floor", "serve"]

# Where each is found. They are imported when they are asked for: a worker comes through this door and needs none.
_FOUND: Final = {
    "FloorConfig": "config",
    "Server": "app",
    "TableConfig": "config",
    "demonstration": "config",
    "make": "app",
    "read_floor": "floorfile",
    "serve": "serving",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (whatever it is)
    if name not in _FOUND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_FOUND[name]}"), name)
