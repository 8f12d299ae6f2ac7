"""What a process takes from the machine it runs on, besides its store: the time of day, chance, and a moment's rest.

Everything that is drawn at random for the record, for ids, tokens and keys comes from here, and so does the time of
day. A simulated casino gives each of its processes surroundings of its own; everybody else has those of the machine.
"""

import secrets
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from contextvars import Context, ContextVar
from dataclasses import dataclass
from typing import Final

_BITS: Final = 53


@dataclass(frozen=True)
class Surroundings:
    """The machine's own clock, generator and patience, unless others are given."""

    time_ns: Callable[[], int] = time.time_ns
    token_bytes: Callable[[int], bytes] = secrets.token_bytes
    sleep: Callable[[float], None] = time.sleep
    monotonic: Callable[[], float] = time.monotonic


MACHINE: Final = Surroundings()
_HERE: Final[ContextVar[Surroundings]] = ContextVar("surroundings", default=MACHINE)


def context_with(surroundings: Surroundings) -> Context:
    """A context in which whatever is run, and whatever that starts, takes its time and chance from elsewhere."""
    context = Context()
    context.run(_HERE.set, surroundings)
    return context


def time_ns() -> int:
    """The time of day, in nanoseconds."""
    return _HERE.get().time_ns()


def now_ms() -> int:
    """The time of day, for the record; nothing is measured by it."""
    return _HERE.get().time_ns() // 1_000_000


def monotonic() -> float:
    """Seconds on a clock that nobody sets."""
    return _HERE.get().monotonic()


def token_bytes(count: int) -> bytes:
    """So many bytes that nobody can guess."""
    return _HERE.get().token_bytes(count)


def token_hex(count: int) -> str:
    """So many bytes that nobody can guess, in hexadecimal."""
    return token_bytes(count).hex()


def token_urlsafe(count: int) -> str:
    """So many bytes that nobody can guess, as text that can stand in an address."""
    return urlsafe_b64encode(token_bytes(count)).rstrip(b"=").decode("ascii")


def rest(most_s: float) -> None:
    """Rest for a moment, and not as long as another process would."""
    part = int.from_bytes(token_bytes(8)) >> (64 - _BITS)
    _HERE.get().sleep(most_s * part / 2**_BITS)
