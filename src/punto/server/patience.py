"""Patience: whoever waits for the store is told in time that it hangs, and what became of what was asked."""

import asyncio
from threading import Lock
from typing import Any, Final, TypeVar

from punto.errors import OutcomeUnknown, StoreGone

# Who asks by HTTP is told after so long that the store does not answer.
PATIENCE_S: Final = 5.0
T = TypeVar("T")


class Errand:
    """Something for a thread that speaks with the store: it can be given up as long as it has not begun."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._begun = False
        self._given_up = False

    def begin(self) -> bool:
        """Begin it; not if it was given up."""
        with self._lock:
            self._begun = not self._given_up
            return self._begun

    def give_up(self) -> bool:
        """Give it up: whether it never begins."""
        with self._lock:
            self._given_up = not self._begun
            return self._given_up

    @property
    def is_given_up(self) -> bool:
        """Whether it was given up."""
        return self._given_up


async def patiently(doing: "asyncio.Task[T]", errand: Errand, within_s: float | None = None) -> T:
    """What comes of something within a while.

    `StoreGone` if it did not even begin, and never will. `OutcomeUnknown` if it did: then it goes on by itself.
    """
    done, _ = await asyncio.wait({doing}, timeout=PATIENCE_S if within_s is None else within_s)
    if done:
        return doing.result()
    error = told(errand)
    if isinstance(error, OutcomeUnknown):
        _UNHEARD.add(doing)
        doing.add_done_callback(_heed)
    else:
        doing.cancel()
    raise error


async def patiently_read(reading: "asyncio.Task[T]", errand: Errand) -> T:
    """What is read within a while, or `StoreGone`; a reading that has begun by then goes on by itself."""
    try:
        done, _ = await asyncio.wait({reading}, timeout=PATIENCE_S)
        if done:
            return reading.result()
        raise hangs()
    finally:
        if not reading.done():
            if errand.give_up():
                reading.cancel()
            _UNHEARD.add(reading)
            reading.add_done_callback(_heed)


def told(errand: Errand) -> StoreGone:
    """What whoever has waited for long enough is told: an errand that has not begun is given up."""
    return hangs() if errand.give_up() else OutcomeUnknown("it is not known yet whether it was written")


def hangs() -> StoreGone:
    """The refusal of what was never given to a store that hangs."""
    return StoreGone("the store has not answered for a while: nothing was done")


# What goes on though nobody waits for it any more.
_UNHEARD: Final[set["asyncio.Task[Any]"]] = set()


def _heed(done: "asyncio.Task[Any]") -> None:
    _UNHEARD.discard(done)
    if not done.cancelled():
        done.exception()
