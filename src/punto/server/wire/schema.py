"""The JSON Schema of every message, published and turned into the pages' own types."""

from typing import Any

import msgspec

from punto.server.wire import asks, tells

# States travel in parts, so no message names them whole.
STATES = (tells.TableState, tells.OwnState, tells.StaffState)


def schema() -> dict[str, Any]:
    """What a page may send, what it is told, and the states of which it is told parts."""
    (sent, told, *_), parts = msgspec.json.schema_components(
        [asks.AnyAsk, tells.AnyTell, *STATES], ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Punto's live messages",
        "$defs": {**parts, "AnyAsk": sent, "AnyTell": told},
        "anyOf": [{"$ref": "#/$defs/AnyAsk"}, {"$ref": "#/$defs/AnyTell"}],
    }
