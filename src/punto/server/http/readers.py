"""Readers: a few threads that read the store for whoever asks by HTTP. A store that hangs keeps nobody waiting.

A reading that does not come back keeps its thread, and its visitor's turn, until the store lets go of it: however many
ask meanwhile, no further thread waits.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar, cast

from punto.errors import StoreGone, TooFast, TooMuchWork
from punto.server import patience
from punto.server.heavy.turns import Turns
from punto.server.patience import Errand
from punto.store import Entry, Store

T = TypeVar("T")

_READERS: Final = 4
# How much of one visitor may wait for a reader.
_WAITING_EACH: Final = 16
# How many entries may be read for one who asks: some tenths of a second's work.
_MOST_ENTRIES: Final = 10_000
# A round may be longer, and a claim about it must be heard all the same.
MOST_OF_ROUNDS: Final = 200_000
# While others work on the store, somebody looks whether it answers: so often, and waits for it so much of the patience.
_LOOK_EVERY_S: Final = 1.0
_LOOK_SHARE: Final = 0.6


class _Bounded:
    """A store of which so many entries may be read."""

    def __init__(self, store: Store, most: int) -> None:
        self._store = store
        self._most = self._left = most

    def read(self, stream: str, after: int = 0) -> Iterator[Entry]:
        """The entries of a stream after a version, as far as any are left to be read."""
        for entry in self._store.read(stream, after):
            if not self._left:
                raise TooMuchWork(f"more than {self._most:,} entries would have to be read: ask for less at once")
            self._left -= 1
            yield entry

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever else a store has)
        return getattr(self._store, name)


def bounded(store: Store, most: int = 0) -> Store:
    """A store of which only a little may be read: what takes long on a thread of the floor's holds up the floor."""
    return cast("Store", _Bounded(store, most or _MOST_ENTRIES))


class Readers:
    """One for each server, on the event loop. *look* is a small question to the store."""

    def __init__(self, look: Callable[[], object]) -> None:
        self._look = look
        self._threads = ThreadPoolExecutor(_READERS, "reader")
        self._turns = Turns(_READERS, _WAITING_EACH)
        # When the readings that are under way began, and when the last one came back.
        self._began_s: dict[Errand, float] = {}
        self._answered_s = 0.0
        # Looks whether the store answers, and the look that is under way, with the time when it began.
        self._lookout = ThreadPoolExecutor(1, "lookout")
        self._looking: asyncio.Future[object] | None = None
        self._looked_s = 0.0

    async def read(self, visitor: str, function: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401
        """What a function reads, once it is the visitor's turn; `StoreGone` where that takes longer than patience."""
        loop, errand = asyncio.get_running_loop(), Errand()
        reading = loop.create_task(self._read(visitor, errand, function, arguments))
        try:
            return await patience.patiently_read(reading, errand)
        except StoreGone:
            if errand.is_given_up and self._goes_on():
                raise TooFast("the floor is busy with other work: try again in a moment") from None
            raise

    async def _read(self, visitor: str, errand: Errand, function: Callable[..., T], arguments: tuple[Any, ...]) -> T:
        loop = asyncio.get_running_loop()
        async with self._turns.turn(visitor, 2 * patience.PATIENCE_S):  # whoever asks gives up before
            if not errand.begin():
                raise patience.hangs()
            self._began_s[errand] = loop.time()
            try:
                found = await loop.run_in_executor(self._threads, function, *arguments)
            finally:
                del self._began_s[errand]
            self._answered_s = loop.time()
            return found

    def _goes_on(self) -> bool:
        """Whether others are answered, so that whoever waits for a turn waits for them, and not for the store."""
        since_s = asyncio.get_running_loop().time() - patience.PATIENCE_S / 2
        return self._answered_s > since_s and min(self._began_s.values(), default=since_s + 1) > since_s

    async def beside(self, work: Coroutine[Any, Any, T]) -> T:
        """What comes of work that another process does on the store; it is ended once the store does not answer."""
        loop = asyncio.get_running_loop()
        working, watching = loop.create_task(work), loop.create_task(self._watch())
        try:
            await asyncio.wait({working, watching}, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                watching.result()
            return working.result()
        finally:
            for task in (working, watching):
                task.cancel()
            await asyncio.gather(working, watching, return_exceptions=True)

    async def _watch(self) -> None:
        """Return when the store does not answer, with `StoreGone`."""
        while True:
            await self._look_once()
            await asyncio.sleep(_LOOK_EVERY_S)

    async def _look_once(self) -> None:
        """Ask the store something small; whoever else waits for the same look shares it."""
        loop = asyncio.get_running_loop()
        if self._looking is None or self._looking.done():
            self._looking, self._looked_s = loop.run_in_executor(self._lookout, self._look), loop.time()
        left_s = self._looked_s + _LOOK_SHARE * patience.PATIENCE_S - loop.time()
        looking = self._looking
        await asyncio.wait({looking}, timeout=max(0.0, left_s))
        if not looking.done():
            raise patience.hangs()
        looking.result()

    def close(self) -> None:
        """Let the threads go; one that hangs is left to the end of the process."""
        for threads in (self._threads, self._lookout):
            threads.shutdown(wait=False, cancel_futures=True)
