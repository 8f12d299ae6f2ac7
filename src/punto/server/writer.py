"""The one that writes: commands of all tables, in groups, each group in one commit.

Commands that come within a tick, or while a group is being written, make up the next group. If more commands wait once
a group is judged, it is written while the next one is judged. An answer is given when the group is durable, and never
before. Where the store cannot say whether a group was written, nobody is told yes or no: the writer asks the store
again by itself until it knows.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

import structlog

from punto.errors import BadSetup, Conflict, Fenced, OutcomeUnknown, PuntoError, StoreGone, StoreLocked, StreamStopped
from punto.floor import Answer, Floor, Sent
from punto.floor.warrants import NO_WARRANT, Warrant
from punto.ledger import Holding, wallet
from punto.server import patience
from punto.server.delays import PATIENCE_S as DELAY_S
from punto.server.patience import Errand
from punto.surroundings import monotonic
from punto.table import AnyCommand, AnyEvent, Table
from punto.table import events as on
from punto.table.commands import OpenTable
from punto.table.setup import is_known

# Long enough for wagers of many tables to share a commit, and too short to be felt.
TICK_S: Final = 0.015
# What is not known is looked for again: soon at first, then less often.
_FIRST_LOOK_S: Final = 0.05
_LONGEST_WAIT_S: Final = 2.0
# What is claimed to see whether the store takes anything again.
_PROBE: Final = "probe"
Outcome = Answer | PuntoError
Then = Callable[[Outcome], None]
Unsure = Callable[[], None]
T = TypeVar("T")


class Asked(NamedTuple):
    """A command, who is told what came of it, what stands behind it, and who is told while that is not known.

    One with an *errand* may be given up before it is handled.
    """

    command: AnyCommand
    then: Then
    warrant: Warrant = NO_WARRANT
    unsure: Unsure | None = None
    errand: Errand | None = None


class Written(NamedTuple):
    """What a group left behind: the answers, the tables and wallets that it moved, and commands that are in doubt.

    Among the answers are those of earlier groups that were in doubt and are not any more.
    """

    asked: list[Asked]
    answers: list[Outcome]
    tables: dict[str, Table]
    holdings: dict[str, Holding]
    unsure: list[Asked]
    in_doubt: bool
    # Patrons whose wallets could not be read just now.
    unread: frozenset[str]


class Writer:
    """A floor behind one thread. All of its methods are called from the event loop."""

    def __init__(self, floor: Floor, publish: Callable[[Written], None]) -> None:
        self.floor = floor
        self._publish = publish
        # Told of each group, and of the seconds that it took.
        self.watch: Callable[[Written, float], None] | None = None
        # Told when the store has refused something because another process owns it.
        self.fenced: Callable[[], None] | None = None
        # Whether a group that was judged is written while the next one is judged.
        self.goes_on: Callable[[], bool] = lambda: bool(self._waiting)
        # Tables whose record was damaged when the floor opened: every command is refused there.
        self.stopped: dict[str, StreamStopped] = {}
        self._waiting: list[Asked] = []
        self._thread = ThreadPoolExecutor(1, "writer")
        # The group that is being written: nobody who sent a part of it has an answer. Only the writing thread sets it.
        self._sent: tuple[list[Asked], Sent] | None = None
        self._busy = False
        self._began = 0.0
        # Since when the store has done nothing that was asked of it, and whether it refused what it was last given to
        # write: until it takes something again, that it can be read proves nothing.
        self._since = 0.0
        self._failing = False
        # Why it refused that, where it has said so, and since when it has been at work on what it does now.
        self._refusal: PuntoError | None = None
        self._at_work_since = 0.0
        self._under_way = 0
        self._timer: asyncio.TimerHandle | None = None
        # Commands whose outcome is not known yet. Only the writing thread touches them.
        self._doubtful: list[Asked] = []
        # Patrons whose wallets could not be read.
        self._unread: set[str] = set()
        self._reading: frozenset[str] = frozenset()
        self._looking: asyncio.TimerHandle | None = None
        self._wait_s = _FIRST_LOOK_S
        self._sure = asyncio.Event()
        self._sure.set()
        self._closed = False
        self._log = structlog.get_logger("punto.writer")
        self._idle = asyncio.Event()
        self._idle.set()

    def put(
        self,
        command: AnyCommand,
        then: Then,
        warrant: Warrant = NO_WARRANT,
        unsure: Unsure | None = None,
        errand: Errand | None = None,
    ) -> None:
        """Have a command handled; *then* is called once, with what came of it.

        Before that, *unsure* is called if it is not known yet whether the command was written. Nothing is read here
        that a visitor wrote: the declaration of a game is known by now, or the command is refused.
        """
        refusal: PuntoError | None = self.stopped.get(command.table)
        if isinstance(command, OpenTable) and command.setup.declaration and not is_known(command.setup.declaration):
            refusal = BadSetup("the declaration of the game was not read beforehand: nothing was done")
        if refusal is not None:
            asyncio.get_running_loop().call_soon(then, refusal.anew())
            return
        self._waiting.append(Asked(command, then, warrant, unsure, errand))
        if not self._busy and self._timer is None:
            self._idle.clear()
            self._timer = asyncio.get_running_loop().call_later(TICK_S, self._start)

    async def give(self, command: AnyCommand, warrant: Warrant = NO_WARRANT, unsure: Unsure | None = None) -> Answer:
        """Have a command handled, and wait for its answer, however long that takes where somebody is told meanwhile.

        Without *unsure* it is `StoreGone` after a while, or `OutcomeUnknown` if it may have been written; whoever asks
        again under the same id is told.
        """
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[Answer] = loop.create_future()

        def then(outcome: Outcome) -> None:
            if answered.done():
                return
            if isinstance(outcome, PuntoError):
                answered.set_exception(outcome)
            else:
                answered.set_result(outcome)

        if unsure is not None:
            self.put(command, then, warrant, unsure)
            return await answered
        errand = Errand()
        self.put(command, then, warrant, errand=errand)
        impatient = loop.call_later(patience.PATIENCE_S, lambda: then(patience.told(errand)))
        try:
            return await answered
        finally:
            impatient.cancel()

    async def call(self, function: Callable[..., T], *arguments: Any, errand: Errand | None = None) -> T:  # noqa: ANN401
        """Run a function of the floor between two groups, on the thread that writes; no errand that was given up."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, self._run, errand, function, *arguments)
        except Fenced:
            if self.fenced is not None:
                self.fenced()
            raise
        except (StoreGone, StoreLocked):
            self._look_later()
            raise

    async def ask(self, function: Callable[..., T], *arguments: Any, within_s: float | None = None) -> T:  # noqa: ANN401
        """The same for whoever waits only for a while: `StoreGone` if it was not begun, `OutcomeUnknown` if it was."""
        errand = Errand()
        asking = asyncio.get_running_loop().create_task(self.call(function, *arguments, errand=errand))
        return await patience.patiently(asking, errand, within_s)

    @property
    def waiting_s(self) -> float:
        """How long the store has been at work on one thing, or has failed at everything."""
        since = self._since
        return monotonic() - since if since else 0.0

    @property
    def refusal(self) -> PuntoError | None:
        """Why the store takes nothing, in its own words; none while it takes something, or gives no answer at all."""
        refusal, since = self._refusal, self._at_work_since
        is_silent = since and monotonic() - since > DELAY_S
        return None if is_silent and not isinstance(refusal, StoreLocked) else refusal

    @property
    def left(self) -> int:
        """How many commands have no answer yet."""
        return self._under_way + len(self._waiting)

    async def settle_down(self, within_s: float | None = None) -> bool:
        """Wait until nothing is being written, for so long at most; whether that is so."""
        try:
            await asyncio.wait_for(self._idle.wait(), within_s)
        except TimeoutError:
            return False
        return True

    async def is_taken(self, within_s: float) -> bool:
        """Whether the store takes one small thing within so long."""
        try:
            async with asyncio.timeout(within_s):
                await self.call(self.floor.store.claim, _PROBE)
        except (TimeoutError, RuntimeError, PuntoError):
            return False
        return True

    async def be_sure(self) -> None:
        """Wait until it is known of every command whether it was written."""
        await self._sure.wait()

    def read_later(self, patron: str) -> None:
        """Have a wallet read that could not be, as soon as it can."""
        self._unread.add(patron)
        self._look_later()

    def close(self) -> None:
        """Let the thread go; one that hangs is left to the end of the process."""
        self._closed = True
        if self._looking is not None:
            self._looking.cancel()
        self._thread.shutdown(wait=not self.waiting_s, cancel_futures=True)

    def _run(self, errand: Errand | None, function: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401
        if errand is not None and not errand.begin():
            raise patience.hangs()
        return self._timed(partial(self._between, function, *arguments))

    def _between(self, function: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401 (whatever it takes)
        """Run a function between two groups: of the one before it is known whether it is durable."""
        self.floor.land()
        return function(*arguments)

    def _timed(self, function: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401 (whatever it takes)
        """Run a function on the writing thread, and note since when the store keeps it waiting."""
        self._at_work_since = monotonic()
        self._since = self._since or self._at_work_since
        try:
            return function(*arguments)
        except (StoreGone, StoreLocked) as error:
            self._failing = True
            self._remember(error)
            raise
        finally:
            self._at_work_since = 0.0
            if not self._failing:
                self._since, self._refusal = 0.0, None

    def _remember(self, error: PuntoError) -> None:
        """Remember why the store has refused something, unless it was only silent; what is locked is refused late."""
        is_late = monotonic() - self._at_work_since > DELAY_S
        is_silent = isinstance(error, OutcomeUnknown) or (is_late and not isinstance(error, StoreLocked))
        self._refusal = None if is_silent else error.anew()

    def _judge_store(self, outcomes: list[Outcome]) -> None:
        """Tell by what came of commands whether the store takes anything."""
        refusals = [each for each in outcomes if isinstance(each, StoreGone | StoreLocked)]
        if refusals:
            self._failing = True
            self._remember(refusals[-1])
        elif any(isinstance(each, Answer) for each in outcomes):
            self._failing = False

    def _look_again(self) -> None:
        """Look for what is not known, and whether the store takes anything again."""
        try:
            self.floor.settle()
            self._try_again()
        except PuntoError as error:
            if self._failing:
                self._remember(error)

    def _try_again(self) -> None:
        """Look whether a store that has refused something takes anything again."""
        if self._failing:
            self.floor.store.claim(_PROBE)
            self._failing = False

    def _start(self) -> None:
        self._timer = None
        group, self._waiting = self._waiting, []
        self._busy = True
        self._under_way = len(group) + (len(self._sent[0]) if self._sent is not None else 0)
        self._reading = frozenset(self._unread)
        loop = asyncio.get_running_loop()
        self._began = loop.time()
        writing = loop.run_in_executor(self._thread, self._timed, self._write, group, self._reading)
        writing.add_done_callback(self._written)

    def _written(self, writing: "asyncio.Future[Written]") -> None:
        self._busy = False
        self._under_way = 0
        seconds = asyncio.get_running_loop().time() - self._began
        read = self._reading
        if self._waiting or self._sent is not None:
            self._start()
        else:
            self._idle.set()
        written = writing.result()
        self._unread = (self._unread - read) | written.unread
        if written.in_doubt:
            self._sure.clear()
        else:
            self._sure.set()
        if written.in_doubt or self._unread or self._failing:
            self._look_later()
        else:
            self._wait_s = _FIRST_LOOK_S
        if self.watch is not None:
            self.watch(written, seconds)
        self._publish(written)

    def _look_later(self) -> None:
        """Look again before long, without waiting for the next command, for what is not known."""
        if self._looking is None and not self._closed:
            self._looking = asyncio.get_running_loop().call_later(self._wait_s, self._look)
            self._wait_s = min(_LONGEST_WAIT_S, 2 * self._wait_s)

    def _look(self) -> None:
        self._looking = None
        if not self._busy and self._timer is None and not self._closed:
            self._idle.clear()
            self._start()
        elif not self._closed:
            self._look_later()

    def _write(self, group: list[Asked], unread: frozenset[str]) -> Written:
        """Judge a group, on the writing thread, and say what came of it, or of the one before.

        If more commands are waiting by then, this group is written while they are judged, and is answered on the next
        call. Then nothing is read that it changes.
        """
        floor = self.floor
        group, given_up = _begun(group)
        floor.turn_away(given_up)
        ended = [] if self._sent is None else [self._sent]
        self._sent = None
        if group:
            commands, warrants = [asked.command for asked in group], [asked.warrant for asked in group]
            sent = floor.send(commands, warrants, self.goes_on)
            alone = bool(self._doubtful or unread) or not all(_is_told_whole(each) for _, each in ended)
            if floor.is_writing(sent) and not alone:
                self._sent = group, sent
            else:
                ended.append((group, sent))
        elif not ended:
            self._look_again()
        group = [asked for each, _ in ended for asked in each]
        outcomes = [outcome for each, sent in ended for outcome in self._finish(each, sent)]
        self._judge_store(outcomes)
        unsure = [each for each, outcome in zip(group, outcomes, strict=True) if isinstance(outcome, OutcomeUnknown)]
        self._doubtful += unsure
        asked, answers = self._settled()
        settled = bool(asked)
        if settled:  # it is known of all by now
            unsure = []
        for each, outcome in zip(group, outcomes, strict=True):
            if not isinstance(outcome, OutcomeUnknown):
                asked.append(each)
                answers.append(outcome)
        left: dict[str, Table] = {}
        held: dict[str, Holding] = {}
        # What was in doubt, or was handled anew, may have come after what a group has left: then all of it is read.
        for _, sent in ended if not settled and all(_is_told_whole(each) for _, each in ended) else ():
            left |= sent.tables
            held |= sent.holdings
        tables, patrons = self._moved(answers, left)
        holdings, missing = self._holdings(patrons.union(unread), held)
        return Written(asked, answers, tables, holdings, unsure, floor.in_doubt, missing)

    def _finish(self, group: list[Asked], sent: Sent) -> list[Outcome]:
        """What came of a group; should the store not have taken it, each is told so."""
        try:
            return self.floor.finish(sent)
        except PuntoError as error:
            return [error] * len(group)
        except Exception as error:  # noqa: BLE001 (a fault of ours must not leave anybody without an answer)
            self._log.error("a group failed", exc_info=error)
            unknown = OutcomeUnknown if self.floor.in_doubt else StoreGone
            return [unknown(f"the floor failed: {type(error).__name__}")] * len(group)

    def _settled(self) -> tuple[list[Asked], list[Outcome]]:
        """The commands that were in doubt and are not any more, with what came of them."""
        settled = None if self.floor.in_doubt else self.floor.take_settled()
        if settled is None:
            return [], []
        asked, self._doubtful = self._doubtful, []
        return asked, [settled.of(each.command) for each in asked]

    def _moved(self, answers: list[Outcome], left: Mapping[str, Table]) -> tuple[dict[str, Table], set[str]]:
        """The tables that the answers have moved, as groups *left* them, and the patrons whose wallets they have."""
        tables: dict[str, Table] = {}
        patrons: set[str] = set()
        for answer in answers:
            if isinstance(answer, Answer):
                key = answer.table
                patrons.update(patrons_of(answer.events))
                if key in tables or key in self.floor.lost:
                    continue
                if key in left:
                    tables[key] = left[key]
                elif not self.floor.in_doubt:  # a command that came again, or was in doubt
                    tables[key] = self.floor.table(key)
                elif (durable := self.floor.last_durable(key)) is not None:  # the group after this one is in doubt
                    tables[key] = durable
        return tables, patrons

    def _holdings(
        self, patrons: Iterable[str], left: Mapping[str, Holding]
    ) -> tuple[dict[str, Holding], frozenset[str]]:
        """What wallets hold, as groups *left* them or as far as they can be read, and whose must be read later.

        Whatever was written is written and is answered so, whether the wallets can be read now or not.
        """
        holdings: dict[str, Holding] = {}
        later = set(patrons)
        while later and not self.floor.in_doubt:
            patron = later.pop()
            account = wallet(patron)
            try:
                holdings[patron] = left[account] if account in left else self.floor.holding(account)
            except Conflict:  # nor will it be read for the others now
                later.add(patron)
                break
            except PuntoError:  # a wallet that is stopped stays so
                self._log.warning("a wallet cannot be read", patron=patron)
        return holdings, frozenset(later)


def _is_told_whole(sent: Sent) -> bool:
    """Whether a group that has ended says of every table how it left it."""
    answers = sent.answers if sent.error is None else ()
    return sent.error is None and all(each.table in sent.tables for each in answers if isinstance(each, Answer))


def _begun(group: Iterable[Asked]) -> tuple[list[Asked], list[AnyCommand]]:
    """The part of a group that is handled now, and the commands that were given up before."""
    begun: list[Asked] = []
    given_up: list[AnyCommand] = []
    for asked in group:
        if asked.errand is None or asked.errand.begin():
            begun.append(asked)
        else:
            given_up.append(asked.command)
    return begun, given_up


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
    on.CreditsWithheld,
    on.CreditsReleased,
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
