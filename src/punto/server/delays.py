"""Notices that the store keeps the floor waiting, and says so to everybody.

It looks from the event loop, for the thread that writes can say nothing while it hangs.
"""

import asyncio
from typing import TYPE_CHECKING, Final

from punto.record.journal import StoreLost, StoreRecovered

if TYPE_CHECKING:
    from punto.server.hall import Hall

# A group takes milliseconds. Whoever waits longer than this is told why.
PATIENCE_S: Final = 2.0
_EVERY_S: Final = 0.25


class DelayWatch:
    """One for each hall, on the event loop."""

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._task: asyncio.Task[None] | None = None
        # Since when it has been said that the floor waits.
        self._said_s: float | None = None

    @property
    def waiting_s(self) -> float:
        """For how long the floor has been waiting for its store; 0 while the store is as quick as it should be."""
        waiting_s = self._hall.writer.waiting_s
        return waiting_s if waiting_s > PATIENCE_S else 0.0

    def begin(self) -> None:
        """Look from now on."""
        self._task = asyncio.get_running_loop().create_task(self._watch())

    def end(self) -> None:
        """Look no longer."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_EVERY_S)
            self.look()

    def look(self) -> None:
        """Look once, and tell everybody what has changed."""
        hall, waiting_s = self._hall, self.waiting_s
        if waiting_s:
            for hosted in hall.tables.values():
                hosted.stall(stalled=True)
            if self._said_s is None:
                self._said_s = asyncio.get_running_loop().time() - waiting_s
                refusal = hall.writer.refusal
                why = {"said": refusal.message} if refusal else {}
                hall.log.error("the floor waits for its store", seconds=round(waiting_s, 1), **why)
                lost_at_ms = hall.now_ms() - round(1000 * waiting_s)
                hall.journal.note(StoreLost(refusal.message if refusal else ""), at_ms=lost_at_ms)
        elif self._said_s is not None:
            waited_s = asyncio.get_running_loop().time() - self._said_s
            self._said_s = None
            for hosted in hall.tables.values():
                hosted.stall(stalled=False)
            hall.log.warning("the store answers again", seconds=round(waited_s, 1))
            hall.journal.note(StoreRecovered(round(waited_s)))
