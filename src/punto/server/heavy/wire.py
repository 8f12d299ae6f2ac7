"""What a floor and its workers send each other: pickles, each after its size.

A worker parses what strangers send, so the floor reads its answers with a reader that makes data of Punto's own and
nothing else: no function that does anything can be called from an answer.
"""

import io
import pickle
from dataclasses import is_dataclass
from enum import Enum
from inspect import isfunction
from struct import Struct
from typing import Any, Final, NamedTuple

import msgspec

from punto.errors import PuntoError

SIZE: Final = Struct(">I")
# Where the data of answers is declared, and where the functions that a declared game reads its cards with.
_DATA: Final = (
    *("punto.cards.", "punto.rules.", "punto.games.", "punto.table.", "punto.ledger.", "punto.proof.", "punto.record."),
    "punto.program.",
    *("punto.floor.books", "punto.floor.cashreports", "punto.floor.receipting", "punto.store.contract", "punto.errors"),
    *("punto.server.chances", "punto.server.verdicts", "punto.server.wire.", "punto.server.heavy.wire"),
    *("punto.server.http.telling", "punto.server.http.shelf"),
)
_READINGS: Final = ("punto.rules.traits", "punto.rules.facts")
_NUMBERS: Final = {("fractions", "Fraction"), ("datetime", "date")}


class Fault(NamedTuple):
    """A mistake of ours, as the worker met it."""

    said: str


class Answer(NamedTuple):
    """What came of the work, a refusal or a fault; and the most memory that the worker has had so far."""

    came: Any
    peak_mb: int


class _Reader(pickle.Unpickler):
    """Reads an answer; what is no data of Punto's is refused."""

    def find_class(self, module: str, name: str, /) -> Any:  # noqa: ANN401 (whatever it is called)
        """The class of that name, if it only holds data."""
        if (module, name) in _NUMBERS:
            return super().find_class(module, name)
        if module.startswith(_DATA) and "." not in name:
            found = super().find_class(module, name)
            own = getattr(found, "__module__", "") == module
            if own and (_is_data(found) or (module in _READINGS and isfunction(found))):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of an answer")


def _is_data(found: object) -> bool:
    """Whether something is a class whose instances only hold what they are given."""
    if not isinstance(found, type):
        return False
    named = issubclass(found, tuple) and hasattr(found, "_fields")
    return named or is_dataclass(found) or issubclass(found, msgspec.Struct | Enum | PuntoError)


def read_answer(body: bytes) -> Answer | None:
    """What a worker says: nothing when it is ready, and after that its answers; `EOFError` where it is neither."""
    try:
        answer = _Reader(io.BytesIO(body)).load()
    except Exception as error:  # noqa: BLE001 (whatever a worker sends that does not read, the worker is of no use)
        raise EOFError(f"its answer does not read: {error}") from None
    if answer is not None and not isinstance(answer, Answer):
        raise EOFError("its answer is none")
    return answer
