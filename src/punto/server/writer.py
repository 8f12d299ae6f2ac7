"""The one that writes: commands of all tables, in groups, each group in one commit.

Commands that come within a tick, or while a group is being written, make up the next group. An answer is given when the
group is durable, and never before.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple, TypeVar

import structlog

from punto.errors import BadSetup, Conflict, Corrupt, PuntoError, StoreGone
from punto.floor import Answer, Floor
from punto.ledger import Holding, TableMeters, wallet
from punto.table import AnyCommand, AnyEvent, Table
from punto.table import events as on
from punto.table.commands import OpenTable
from punto.table.setup import is_known

# Long enough for wagers of many tables to share a commit, and too short to be felt.
TICK_S: Final = 0.015
Outcome = Answer | PuntoError
Then = Callable[[Outcome], None]
T = TypeVar("T")


class Asked(NamedTuple):
    """A command, and who is told what came of it."""

    command: AnyCommand
    then: Then


class Reread(NamedTuple):
    """A table as the store has it, after a group of which nobody knows whether it was written."""

    table: Table
    version: int
    meters: TableMeters


class Written(NamedTuple):
    """What a group left behind: the answers, the tables and wallets that it moved, and what was read anew."""

    asked: list[Asked]
    answers: list[Outcome]
    tables: dict[str, Table]
    holdings: dict[str, Holding]
    reread: dict[str, Reread]


class Writer:
    """A floor behind one thread. All of its methods are called from the event loop."""

    def __init__(self, floor: Floor, publish: Callable[[Written], None]) -> None:
        self.floor = floor
        self._publish = publish
        # Told of each group, and of the seconds that it took.
        self.watch: Callable[[Written, float], None] | None = None
        self._waiting: list[Asked] = []
        self._thread = ThreadPoolExecutor(1, "writer")
        self._busy = False
        self._began = 0.0
        self._timer: asyncio.TimerHandle | None = None
        # Tables of groups of which nobody knows whether they were written.
        self._unsure: set[str] = set()
        self._log = structlog.get_logger("punto.writer")
        self._idle = asyncio.Event()
        self._idle.set()

    def put(self, command: AnyCommand, then: Then) -> None:
        """Have a command handled; *then* is called with what came of it.

        Nothing is read here that a visitor wrote: the declaration of a game is known by now, or the command is refused.
        """
        if isinstance(command, OpenTable) and command.setup.declaration and not is_known(command.setup.declaration):
            unread = BadSetup("the declaration of the game was not read beforehand: nothing was done")
            asyncio.get_running_loop().call_soon(then, unread)
            return
        self._waiting.append(Asked(command, then))
        if not self._busy and self._timer is None:
            self._idle.clear()
            self._timer = asyncio.get_running_loop().call_later(TICK_S, self._start)

    async def give(self, command: AnyCommand) -> Answer:
        """Have a command handled, and wait for its answer."""
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def then(outcome: Outcome) -> None:
            if answered.cancelled():
                return
            if isinstance(outcome, PuntoError):
                answered.set_exception(outcome)
            else:
                answered.set_result(outcome)

        self.put(command, then)
        return await answered

    async def call(self, function: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401 (whatever it takes)
        """Run a function of the floor between two groups, on the thread that writes."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)

    async def settle_down(self) -> None:
        """Wait until nothing is being written."""
        await self._idle.wait()

    def close(self) -> None:
        """Let the thread go."""
        self._thread.shutdown()

    def _start(self) -> None:
        self._timer = None
        group, self._waiting = self._waiting, []
        self._busy = True
        self._began = asyncio.get_running_loop().time()
        writing = asyncio.get_running_loop().run_in_executor(self._thread, self._write, group)
        writing.add_done_callback(self._written)

    def _written(self, writing: "asyncio.Future[Written]") -> None:
        self._busy = False
        seconds = asyncio.get_running_loop().time() - self._began
        if self._waiting:
            self._start()
        else:
            self._idle.set()
        written = writing.result()
        if self.watch is not None:
            self.watch(written, seconds)
        self._publish(written)

    def _write(self, group: list[Asked]) -> Written:
        """Handle a group, on the writing thread; should the store not take it, each is told so."""
        floor = self.floor
        tables: dict[str, Table] = {}
        holdings: dict[str, Holding] = {}
        try:
            answers = floor.handle_all([asked.command for asked in group])
            for answer in answers:
                if isinstance(answer, Answer):
                    tables.setdefault(answer.table, floor.table(answer.table))
                    for patron in patrons_of(answer.events):
                        account = wallet(patron)
                        holdings[patron] = floor.holding(account)
        except PuntoError as error:
            answers = [error] * len(group)
        except Exception as error:  # noqa: BLE001 (a fault of ours must not leave anybody without an answer)
            self._log.exception("a group failed")
            answers = [StoreGone(f"the floor failed: {type(error).__name__}; it is not known whether it was written")]
            answers *= len(group)
        else:
            return Written(group, answers, tables, holdings, self._read_again(holdings))
        self._unsure |= {asked.command.table for asked in group}
        holdings.clear()
        return Written(group, answers, {}, holdings, self._read_again(holdings))

    def _read_again(self, holdings: dict[str, Holding]) -> dict[str, Reread]:
        """The tables of groups that failed, once the store can be read; and what the wallets of their patrons hold."""
        reread: dict[str, Reread] = {}
        for key in sorted(self._unsure):
            try:
                found = Reread(self.floor.table(key), self.floor.version(key), self.floor.meters(key))
                patrons = {each.patron for each in found.table.wagers.values()}
                holdings |= {patron: self.floor.holding(wallet(patron)) for patron in patrons}
            except (Conflict, Corrupt):
                continue  # it is tried again with the next group
            except PuntoError:
                self._unsure.discard(key)
            else:
                self._unsure.discard(key)
                reread[key] = found
        return reread


_OF_ONE: Final = (
    on.WagerPlaced,
    on.WagerChanged,
    on.WagerTakenBack,
    on.WagerRemoved,
    on.WagerWithdrawn,
    on.StakeFound,
    on.CreditsBought,
    on.CreditsCashedOut,
    on.CreditsCorrected,
)


def patrons_of(events: Iterable[AnyEvent]) -> Iterator[str]:
    """The patrons whose credits the events may move."""
    for event in events:
        if isinstance(event, _OF_ONE):
            yield event.patron
        elif isinstance(event, on.RoundSettled | on.SettlementReversed):
            yield from {payment.patron for payment in event.payments}
        elif isinstance(event, on.RoundVoided | on.Ruled):
            yield from {each.patron for each in event.returns}
