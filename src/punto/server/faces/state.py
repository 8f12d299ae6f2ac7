"""States as sets of encoded fields, so that what changed is found by comparing bytes."""

from typing import Final

import msgspec
from msgspec import Raw, Struct

Fields = dict[str, Raw]

ENCODER: Final = msgspec.json.Encoder()


def encoded(state: Struct) -> Fields:
    """Every field of a state, encoded."""
    encode = ENCODER.encode
    return {name: Raw(encode(getattr(state, name))) for name in state.__struct_fields__}


def changed(before: Fields, after: Fields) -> Fields:
    """The fields that are not what they were."""
    return {name: value for name, value in after.items() if before.get(name) != value}
