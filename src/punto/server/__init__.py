"""The floor in the browser: HTTP, WebSocket, identity, wire messages, the built pages.

A `Server` is one ASGI application, made from a `FloorConfig`; `serve` runs it in a process of its own.
"""

from punto.server.app import Server, make
from punto.server.config import FloorConfig, TableConfig, demonstration
from punto.server.floorfile import read_floor
from punto.server.serving import serve

__all__ = ["FloorConfig", "Server", "TableConfig", "demonstration", "make", "read_floor", "serve"]
