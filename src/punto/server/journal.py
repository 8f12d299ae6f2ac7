"""The journal as the server keeps it: significant events go on record soon after they happen, and none is lost.

Whoever notes an event never waits for the store. While the store is away, events wait in memory, in order.
"""

import asyncio
from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Final

from punto.errors import Corrupt, OutcomeUnknown, PuntoError, StreamStopped
from punto.record.checks.written import Actor as WrittenActor
from punto.record.journal import FLOOR, JOURNAL, AnyJournalEvent, EventsLost, JournalEntry, RecordAltered, write
from punto.record.significant import SignificantEvent, unwritten

if TYPE_CHECKING:
    from collections.abc import Callable

    from punto.server.hall import Hall
    from punto.table import Actor

_MOST_WAITING: Final = 1_000
_AT_ONCE: Final = 100
_FIRST_WAIT_S: Final = 0.25
_LONGEST_WAIT_S: Final = 5.0


class Journal:
    """One for each server, on the event loop."""

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._waiting: deque[JournalEntry] = deque()
        self._lost = 0
        # After which entry a group was to come whose fate is not known.
        self._tried_after: int | None = None
        self._news = asyncio.Event()
        self._turn = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        # That the record was altered, where that cannot be put on record: the journal itself is stopped, or the store.
        self.beside: list[SignificantEvent] = []
        # Told when something is on record, or beside it.
        self.written: Callable[[], None] | None = None

    def begin(self) -> None:
        """Write whatever is noted, from now on."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    def note(
        self, event: AnyJournalEvent, by: "Actor | None" = None, session: str = "", at_ms: int | None = None
    ) -> None:
        """Have an event written down, which has happened just now unless another time is given."""
        if len(self._waiting) >= _MOST_WAITING:
            self._lost += 1
            return
        actor = WrittenActor(by.name, by.position, by.acting) if by is not None else FLOOR
        self._waiting.append(JournalEntry(self._hall.now_ms() if at_ms is None else at_ms, actor, event, session))
        self._news.set()

    @property
    def waiting(self) -> int:
        """How many events are not on record yet."""
        return len(self._waiting)

    async def write_now(self) -> None:
        """Write what waits, and return when it is durable; the store's own errors come out of here."""
        async with self._turn:
            if self._lost:
                lost, self._lost = self._lost, 0
                self._waiting.append(JournalEntry(self._hall.now_ms(), FLOOR, EventsLost(lost)))
            while self._waiting:
                notes = [(JOURNAL, write(each)) for each in islice(self._waiting, _AT_ONCE)]
                await self._hall.writer.call(self._put, notes, self._hall.now_ms())
                for _ in notes:
                    self._waiting.popleft()
                if self.written is not None:
                    self.written()

    def _tell_beside(self) -> None:
        """Keep in memory what says that the record was altered: pages and syslog have it without the journal."""
        kept = [each for each in self._waiting if isinstance(each.event, RecordAltered)]
        for each in kept:
            self._waiting.remove(each)
            if len(self.beside) < _MOST_WAITING:
                self.beside.append(unwritten(len(self.beside) + 1, each))
        if kept and self.written is not None:
            self.written()

    def _put(self, notes: list[tuple[str, bytes]], at_ms: int) -> None:
        """On the writing thread: write entries, unless the store has them from a try whose answer was lost."""
        floor = self._hall.writer.floor
        floor.settle()
        after, self._tried_after = self._tried_after, None
        if after is not None:
            there = islice(floor.history.read(JOURNAL, after), len(notes))
            if [entry.body for entry in there] == [body for _, body in notes]:
                return
        end = floor.history.end(JOURNAL).version
        try:
            floor.note(notes, {}, at_ms)
        except OutcomeUnknown:
            self._tried_after = end
            raise

    async def end(self) -> None:
        """Write what is left, and write no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        await self.write_now()

    def give_up(self) -> None:
        """Write no more: another process runs the floor now."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _run(self) -> None:
        wait_s, said = _FIRST_WAIT_S, ""
        while True:
            await self._news.wait()
            self._news.clear()
            try:
                # Once it has begun, a write is finished, also where the floor closes meanwhile.
                await asyncio.shield(asyncio.ensure_future(self.write_now()))
            except RuntimeError:  # the writer has stopped
                return
            except PuntoError as error:
                if error.message != said:
                    said = error.message
                    self._hall.log.warning("significant events wait to be written", said=said)
                if isinstance(error, Corrupt):
                    self._tell_beside()
                if isinstance(error, StreamStopped):  # somebody has forged an entry: nothing is built on that
                    self._lost += len(self._waiting)
                    self._waiting.clear()
                    continue
                await asyncio.sleep(wait_s)
                wait_s = min(2 * wait_s, _LONGEST_WAIT_S)
                self._news.set()
            else:
                wait_s, said = _FIRST_WAIT_S, ""
