"""What the API keeps besides the hall: threads that read the store, the audit, and what is measured.

What reads a little is read by a thread. What is heavy goes to the pool, where it cannot hold up the floor. In both,
visitors take turns, and neither waits for a store that hangs.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from punto.errors import NotAllowed, PuntoError, TooFast, TooMuchWork
from punto.floor.handler import TABLE
from punto.floor.ownership import KEY_FENCE
from punto.ledger import WALLET
from punto.record.journal import PERSONAL, RecordExported
from punto.server.auditjournal import AuditsOnRecord
from punto.server.audits import Audits
from punto.server.heavy.jobs import Job
from punto.server.http.asking import Ask, scope_of, visitor_of
from punto.server.http.measures import Pulse
from punto.server.http.readers import MOST_OF_ROUNDS, Readers, bounded
from punto.server.http.shelf import Shelf
from punto.server.metrics import Metrics
from punto.surroundings import monotonic
from punto.table import Actor

if TYPE_CHECKING:
    from punto.server.app import Server
    from punto.server.http.telling import RecallQuery, RoundQuery
    from punto.store import Store

T = TypeVar("T")

# How many large bodies of one visitor, and of all together, are read or judged at once.
_BODIES_EACH: Final = 5
_MOST_BODIES: Final = 64
# Somebody who is shown the same again within a session is noted no more often than this.
_SAME_LOOK_S: Final = 60.0


class Office:
    """One for each server, on the event loop."""

    def __init__(self, server: "Server") -> None:
        self._server = server
        # Whatever is shown of the record is read as far as it is signed, and no further.
        self._believed: Store = server.hall.writer.floor.history.believed
        self.metrics = Metrics(server.hall)
        self.address = server.config.store
        self.audits = server.hall.audits = Audits(server.hall, self.address, server.config.audit_plan)
        self.audits.listeners.append(AuditsOnRecord(server.hall.journal))
        self.pulse = Pulse()
        self.shelf = Shelf()
        self._readers = Readers(partial(server.hall.writer.floor.store.epoch, KEY_FENCE))
        self._bodies: Counter[str] = Counter()
        self._logging: set[asyncio.Task[None]] = set()
        # When a session was last noted to have been shown what is kept about a person.
        self._looks: dict[tuple[str, str], float] = {}

    def log_refusal(self, staff: Actor, asked: str, refusal: NotAllowed) -> None:
        """Write down who was refused what, soon; whoever asked need not wait for it."""
        self._server.hall.trespasses.count(staff.name)
        task = asyncio.get_running_loop().create_task(self._log_refusal(staff, asked, refusal))
        self._logging.add(task)
        task.add_done_callback(self._logging.discard)

    def note_export(self, request: Ask, staff: Actor, what: str, of: str) -> None:
        """Have the journal say that somebody on the staff takes a copy of part of the record along."""
        session = self._server.identity.session(scope_of(request))
        self._server.hall.journal.note(RecordExported(what, of), staff, session.id if session else "")

    def note_look(self, request: Ask, staff: Actor, person: str) -> None:
        """Have the journal say who is shown what is kept about a person; a page that asks again adds nothing soon."""
        session = self._server.identity.session(scope_of(request))
        look, now_s = (session.id if session else staff.name, person), monotonic()
        self._looks = {each: at_s for each, at_s in self._looks.items() if now_s - at_s < _SAME_LOOK_S}
        if look not in self._looks:
            self._looks[look] = now_s
            self.note_export(request, staff, PERSONAL, person)

    async def _log_refusal(self, staff: Actor, asked: str, refusal: NotAllowed) -> None:
        hall = self._server.hall
        with suppress(PuntoError, RuntimeError):  # the floor may be closing; the process's own log has it in any case
            await hall.writer.call(hall.writer.floor.log_refusal, hall.now_ms(), staff, asked, refusal)

    async def read(self, request: Ask, function: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401
        """Run something that reads a little of the record, which it gets first, away from the event loop.

        `TooMuchWork` where it is more than a little.
        """
        return await self._readers.read(visitor_of(request), function, bounded(self._believed), *arguments)

    async def read_far(self, request: Ask, function: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401
        """The same for what reads whole rounds of a table, however many patrons play there."""
        return await self._readers.read(
            visitor_of(request), function, bounded(self._believed, MOST_OF_ROUNDS), *arguments
        )

    async def read_on(
        self,
        request: Ask,
        job: Job,
        function: Callable[..., T],
        asked: "RoundQuery | RecallQuery",
        *more: Any,  # noqa: ANN401
    ) -> T:
        """Run something that mostly reads a little of a table's log; where it is more, a worker does it as a *job*."""
        try:
            return await self.read(request, function, asked, *more)
        except TooMuchWork:
            excerpt = await self.excerpt(request, asked.table)
            found: T = await self.work(request, job, self.address, excerpt, asked, *more)
            return found

    async def excerpt(self, request: Ask, table: str = "") -> bytes:
        """How far a table's log is believed, or that of all tables and wallets, for work in another process."""
        coverage = self._server.hall.writer.floor.history.coverage
        streams = (TABLE + table,) if table else (TABLE, WALLET)
        # Whoever reads new heads from the store holds up all who ask how far it is believed.
        return await self.read(request, lambda _: coverage.excerpt(*streams))

    @contextmanager
    def admitted(self, request: Ask) -> Iterator[None]:
        """Let a visitor send a large body, if not too many are under way; whoever is refused has sent it in vain."""
        visitor = visitor_of(request)
        if self._bodies[visitor] >= _BODIES_EACH or self._bodies.total() >= _MOST_BODIES:
            raise TooFast("too much at once: wait for the answers")
        self._bodies[visitor] += 1
        try:
            yield
        finally:
            self._bodies[visitor] -= 1
            if not self._bodies[visitor]:
                del self._bodies[visitor]

    async def work(self, request: Ask, job: Job, *arguments: Any) -> Any:  # noqa: ANN401
        """Have heavy work done in a process of its own."""
        work = self._server.hall.pool.run(job, visitor_of(request), *arguments)
        return await (self._readers.beside(work) if job.reads else work)

    def close(self) -> None:
        """Let the threads go."""
        self._readers.close()
