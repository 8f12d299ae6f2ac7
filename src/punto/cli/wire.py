"""JSON as the commands print it."""

import msgspec

_ENCODER = msgspec.json.Encoder()


def encode(value: object) -> str:
    """One line of JSON."""
    return _ENCODER.encode(value).decode()
