"""`punto schema`: commands and events as JSON Schema."""

import json
import sys
from typing import Any

import msgspec

from punto.errors import BadUsage, quoted
from punto.table import AnyCommand, AnyEvent

_KINDS: dict[str, tuple[Any, str]] = {
    "commands": (AnyCommand, "A command to a table of Punto's"),
    "events": (AnyEvent, "An event of a table's log"),
}


def show(kind: str) -> None:
    """Print the schema."""
    if kind not in _KINDS:
        raise BadUsage(f"argument 1: {quoted(kind)} has no schema: expected {' or '.join(_KINDS)}")
    union, title = _KINDS[kind]
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **msgspec.json.schema(union)}
    sys.stdout.write(json.dumps(schema, indent=2, ensure_ascii=False) + "\n")
