"""The messages between pages and the floor, as types, and their JSON Schema."""

from punto.server.wire import asks, tells
from punto.server.wire.schema import schema

__all__ = ["asks", "schema", "tells"]
