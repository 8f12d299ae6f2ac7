"""What a floor and its workers send each other: pickles, each after its size."""

from struct import Struct
from typing import Any, Final, NamedTuple

SIZE: Final = Struct(">I")


class Fault(NamedTuple):
    """A mistake of ours, as the worker met it."""

    said: str


class Answer(NamedTuple):
    """What came of the work, a refusal or a fault; and the most memory that the worker has had so far."""

    came: Any
    peak_mb: int
