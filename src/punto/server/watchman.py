"""The watchman: looks over the record while the floor is open, and says where it holds something nobody has signed.

He looks at the ends of streams that are in use every second, at the ends of all others every few seconds, and reads the
whole record again besides. A stream that is stopped stops whatever is built on it: a table, a patron's wallet, the
tickets. All else goes on.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from punto.errors import Corrupt, PuntoError, StreamStopped, named
from punto.floor.handler import FLOOR, SECURITY, TABLE
from punto.floor.patrol import Patrol
from punto.floor.sequencer import DECISIONS
from punto.floor.tickets import TICKETS
from punto.ledger import WALLET, book_of, wallet
from punto.proof.headlog import CHECKPOINTS
from punto.proof.rotations import KEYS
from punto.record.journal import RecordAltered
from punto.server.claims.events import CLAIMS
from punto.server.identity.events import STREAMS
from punto.server.ids import fresh_id
from punto.surroundings import monotonic
from punto.table.commands import ReleaseCredits

if TYPE_CHECKING:
    from punto.server.hall import Hall
    from punto.server.hosted import Hosted
    from punto.server.writer import Outcome

_EVERY_S: Final = 1.0
# How long a floor that opens looks at the ends of streams before it lets people in, and then each time.
_AT_THE_START_S: Final = 1.0
_AT_A_TIME_S: Final = 0.02
# So long after all streams were looked at, the next look at all of them begins: somebody may add to any of them.
_BETWEEN_LOOKS_S: Final = 5.0
_AT_ONCE: Final = 50
# So many entries of the whole record are read again each time, beside the thread that writes.
_ENTRIES_AT_ONCE: Final = 2_000
# A round of the whole record begins so long after the last one was over.
_BETWEEN_ROUNDS_S: Final = 30.0


class Watchman:
    """One for each hall, on the event loop."""

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._task: asyncio.Task[None] | None = None
        self._round: deque[str] = deque()
        history = hall.writer.floor.history
        self._patrol = Patrol(history.store, history.coverage)
        self._rests_until = self._looks_again_at = 0.0
        # Streams that are stopped, and why; under no name, what is wrong with the whole store.
        self.stopped: dict[str | None, Corrupt] = {}
        # Those of which the journal has been told, and of which tables that are closed for what their logs hold.
        self._noted: set[str] = set()
        # At which table, and for whom, what lies aside is being released.
        self._releasing: set[tuple[str, str]] = set()

    def begin(self) -> None:
        """Look over the record from now on."""
        self._task = asyncio.get_running_loop().create_task(self._watch())

    def end(self) -> None:
        """Look no longer."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_EVERY_S)
            try:
                await self.look()
            except PuntoError:  # the store does not answer: tables and health say so
                continue
            except RuntimeError:  # the floor is closing
                return

    async def look(self) -> None:
        """Look once, and tell what has changed."""
        floor = self._hall.writer.floor
        await self._go_round()
        await self._look(floor.look_over, self._next())
        if not floor.has_looked_over_all or monotonic() >= self._looks_again_at:
            await self._look(floor.look_over_all, _AT_A_TIME_S)
            self._looks_again_at = monotonic() + _BETWEEN_LOOKS_S

    async def _go_round(self) -> None:
        """Read a little more of the whole record again; a stream that does not hold what was signed is stopped then."""
        if monotonic() >= self._rests_until and await asyncio.to_thread(self._patrol.step, _ENTRIES_AT_ONCE):
            self._rests_until = monotonic() + _BETWEEN_ROUNDS_S

    async def look_at_all(self) -> None:
        """Look at every stream there is, and tell what is stopped: a wallet may wait for long until somebody asks.

        Where there are very many, the floor opens after a second, and the others are looked at while it is open.
        """
        await self._look(self._hall.writer.floor.look_over_all, _AT_THE_START_S)

    async def _look(self, look: Callable[..., dict[str, StreamStopped]], at: list[str] | float) -> None:
        try:
            stopped: dict[str | None, Corrupt] = dict((await self._hall.writer.call(look, at)).items())
        except Corrupt as error:
            stopped = {None: error}
        self._hall.look_at_owner()
        for stream in stopped.keys() - self.stopped.keys():
            name = "the store" if stream is None else named(stream)
            self._hall.log.error("a stream is stopped", stream=name, said=stopped[stream].message)
        self._note(stopped)
        if stopped.keys() != self.stopped.keys():
            changed = stopped.keys() ^ self.stopped.keys()
            self.stopped = stopped
            for stream in changed:
                if stream and stream.startswith(WALLET):
                    self._hall.tell_purse(stream.removeprefix(WALLET))
            for hosted in self._hall.tables.values():
                hosted.mark(self.of(hosted), stopped=self._is_stopped(hosted))
        for hosted in self._hall.tables.values():
            self._release(hosted)

    def _note(self, stopped: dict[str | None, Corrupt]) -> None:
        """Have the journal say, once for each, what was found to be otherwise than it was signed."""
        found: dict[str, Corrupt] = {TABLE + key: error for key, error in self._hall.writer.stopped.items()}
        found |= {"" if stream is None else named(stream): error for stream, error in stopped.items()}
        for stream in found.keys() - self._noted:
            self._noted.add(stream)
            self._hall.journal.note(RecordAltered(stream, found[stream].message))

    def _release(self, hosted: "Hosted") -> None:
        """Give patrons what lay aside for them, once their wallets can take it."""
        if self._is_stopped(hosted):
            return
        for patron in hosted.table.withheld:
            what = hosted.key, patron
            if wallet(patron) not in self.stopped and what not in self._releasing:
                self._releasing.add(what)
                at_ms = self._hall.now_ms()
                command = ReleaseCredits(id=fresh_id(), table=hosted.key, by=FLOOR, at_ms=at_ms, patron=patron)
                self._hall.writer.put(command, partial(self._released, what))

    def _released(self, what: tuple[str, str], outcome: "Outcome") -> None:
        self._releasing.discard(what)
        if isinstance(outcome, PuntoError):
            self._hall.log.warning("what is set aside stays there", table=what[0], patron=what[1], said=outcome.message)

    def _next(self) -> list[str]:
        """The streams to look at this time: a few, in turn, for each costs the writer a look into the store."""
        if not self._round:
            self._round = deque(self._streams())
        return [self._round.popleft() for _ in range(min(_AT_ONCE, len(self._round)))]

    def _streams(self) -> Iterator[str]:
        """The streams that somebody here builds on."""
        yield from (SECURITY, TICKETS, CLAIMS, CHECKPOINTS, DECISIONS, KEYS, *STREAMS)
        for key in self._hall.tables:
            yield from (TABLE + key, book_of(key))
        yield from map(wallet, self._hall.visitors.here())

    def of(self, hosted: "Hosted") -> tuple[str, ...]:
        """What is stopped that concerns a table: its own streams, its patrons' wallets, and what is everybody's."""
        stopped = sorted(self.stopped.items(), key=lambda each: each[0] or "")
        said = [error.message for stream, error in stopped if stream is None or self._concerns(stream, hosted)]
        closed = self._hall.writer.stopped.get(hosted.key)
        return (closed.message, *said) if closed and closed.message not in said else tuple(said)

    def _concerns(self, stream: str, hosted: "Hosted") -> bool:
        if stream.startswith(WALLET):
            patron = stream.removeprefix(WALLET)
            return patron in hosted.places or any(each.patron == patron for each in hosted.table.wagers.values())
        if stream.startswith((TABLE, book_of(""))):
            return stream in (TABLE + hosted.key, book_of(hosted.key))
        return True

    def _is_stopped(self, hosted: "Hosted") -> bool:
        """Whether nothing can go on at a table. One that owes something to a stopped wallet goes on."""
        own = {None, TABLE + hosted.key, book_of(hosted.key)}
        return hosted.key in self._hall.writer.stopped or not self.stopped.keys().isdisjoint(own)
