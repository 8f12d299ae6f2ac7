"""Who is next: visitors take turns, each with one thing at a time and a few that wait."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, NamedTuple

from punto.errors import TooFast

# So many of all visitors together may wait; staff are few, and are not counted.
_MOST_WAITING: Final = 64
STAFF: Final = "staff/"


class _Waiting(NamedTuple):
    granted: asyncio.Future[None]
    long: bool


class Turns:
    """Lets so many work at once, and visitors one after the other, however much one of them asks for."""

    def __init__(self, slots: int, waiting_each: int) -> None:
        self._slots = slots
        self._each = waiting_each
        self._waiting: OrderedDict[str, deque[_Waiting]] = OrderedDict()
        self._busy: set[str] = set()
        self._running = 0
        self._long = 0

    @property
    def running(self) -> int:
        """How many work now."""
        return self._running

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def turn(self, visitor: str, patience_s: float, *, long: bool = False) -> AsyncIterator[None]:
        """A visitor's turn, once it comes; what takes *long* always leaves a place for the rest."""
        await self._take(visitor, patience_s, long=long)
        try:
            yield
        finally:
            self._give(visitor, long=long)

    async def _take(self, visitor: str, patience_s: float, *, long: bool) -> None:
        if not self._waiting.get(visitor) and self._may_start(visitor, long=long):
            self._start(visitor, long=long)
            return
        own = self._waiting.get(visitor, ())
        if len(own) >= self._each:
            raise TooFast("too much at once: wait for the answers")
        if self.waiting >= _MOST_WAITING and not visitor.startswith(STAFF):
            raise TooFast("too many are asking at once: try again in a moment")
        place = _Waiting(asyncio.get_running_loop().create_future(), long)
        self._waiting.setdefault(visitor, deque()).append(place)
        try:
            async with asyncio.timeout(patience_s):
                await asyncio.shield(place.granted)
        except BaseException as error:
            if place.granted.done():  # the turn came in the same moment
                self._give(visitor, long=long)
            else:
                self._leave(visitor, place)
            if isinstance(error, TimeoutError):
                raise TooFast("the floor is busy with other work: try again in a moment") from None
            raise

    def _leave(self, visitor: str, place: _Waiting) -> None:
        queue = self._waiting[visitor]
        queue.remove(place)
        if not queue:
            del self._waiting[visitor]

    def _may_start(self, visitor: str, *, long: bool) -> bool:
        free = self._running < self._slots and visitor not in self._busy
        return free and not (long and self._long >= self._slots - 1)

    def _start(self, visitor: str, *, long: bool) -> None:
        self._busy.add(visitor)
        self._running += 1
        self._long += long

    def _give(self, visitor: str, *, long: bool) -> None:
        """A turn is over: the visitors who wait are looked at in order, and who gets one goes to the end."""
        self._busy.discard(visitor)
        self._running -= 1
        self._long -= long
        for other in list(self._waiting):
            place = self._waiting[other][0]
            if not self._may_start(other, long=place.long):
                continue
            self._leave(other, place)
            if other in self._waiting:
                self._waiting.move_to_end(other)
            self._start(other, long=place.long)
            place.granted.set_result(None)
