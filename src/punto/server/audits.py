"""Audits: one at a time, out of the way of the tables, on the store as it stood when it began.

Staff ask for one at any time. At a set time of day the floor asks by itself, and once more after it opens if it was
closed then. Whatever goes wrong with audits is an alarm, until one ends well.
"""

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog
from msgspec.structs import replace

from punto.errors import AuditUnderWay, FloorIsClosing, PuntoError, TooFast, named
from punto.proof.writers import HEADS
from punto.record.audit import Audited
from punto.server.auditkeeping import KeptAudit, keep, read_kept, read_progress_of
from punto.server.auditplan import AuditPlan
from punto.server.auditstate import AuditAlarm, AuditKind, AuditListener, AuditState
from punto.server.heavy.jobs import AUDIT
from punto.server.heavy.turns import STAFF
from punto.surroundings import monotonic

if TYPE_CHECKING:
    from punto.server.hall import Hall

# Who asks for an audit at the set time.
BY_ITSELF: Final = "floor"
_LOOK_S: Final = 30.0
_DAY_MS: Final = 24 * 3_600_000
# So long after it opens, the floor makes up for an audit that it has missed.
_SETTLE_S: Final = 300.0
# So long after an audit that failed, the next is tried; sooner where other work was under way.
_AFTER_FAILURE_S: Final = 3_600.0
_AFTER_OTHER_WORK_S: Final = 300.0
# An audit that is missing for so long is an alarm, once the floor has been open for long enough to make up for it.
_OVERDUE_MS: Final = 48 * 3_600_000
_OPEN_S: Final = 3_600.0


class Audits:
    """Starts audits, and keeps what the last one said."""

    def __init__(self, hall: "Hall", address: str, plan: AuditPlan) -> None:
        self._hall = hall
        self._address = address
        self._plan = plan
        self._log = structlog.get_logger("punto.audit")
        self._running: asyncio.Task[Audited] | None = None
        self._keeping: set[asyncio.Task[None]] = set()
        self._watch: asyncio.Task[None] | None = None
        # The last audit that is over, as it is shown, and the last that counts; what was kept, and what is under way.
        self._shown = self._last = AuditState("none")
        self._kept: KeptAudit | None = None
        self._now: AuditState | None = None
        # Since when an audit may be missing, when the floor was opened, and before when none is tried.
        self._since_ms = 0
        self._opened = self._not_before = monotonic()
        self._told = ""
        self.listeners: list[AuditListener] = []

    @property
    def state(self) -> AuditState:
        """The audit that is under way, or the last one."""
        due_ms = self._plan.due_ms(self._since_ms) if self._plan.at and self._since_ms else 0
        return replace(self._now or self._shown, due_ms=due_ms, alarm=self.alarm)

    @property
    def alarm(self) -> AuditAlarm:
        """What of audits needs somebody; nothing while all is well."""
        if self._last.state in ("wrong", "failed"):
            return self._last.state
        is_open = self._since_ms and monotonic() - self._opened >= _OPEN_S
        missing = is_open and self._now is None and self._hall.now_ms() - self._since_ms >= _OVERDUE_MS
        return "overdue" if missing and self._plan.at else ""

    @property
    def trouble(self) -> str:
        """The same in words; nothing while all is well."""
        last = self._last
        match self.alarm:
            case "wrong":
                things = "1 thing" if last.total == 1 else f"{last.total:,} things"
                return f"the last audit found {things} wrong: {last.findings[0]}"
            case "failed":
                return f"the last audit failed: {last.said}"
            case "overdue":
                return "there was no audit for two days"
        return ""

    async def begin(self) -> None:
        """Audit at the set time from now on."""
        if not self._plan.at:
            return
        writer = self._hall.writer
        self._opened = monotonic()
        self._not_before = self._opened + _SETTLE_S
        try:
            self._kept = await writer.call(read_kept, writer.floor.store, writer.floor.keys)
        except PuntoError as error:
            self._log.warning("what the last audit said cannot be read", said=error.message)
        if self._kept is not None:
            self._shown = self._last = self._kept.state
        now_ms = self._hall.now_ms()
        # Where nothing is known of an audit, what another process has written has waited for one.
        is_new = await writer.call(lambda: sum(1 for _ in writer.floor.store.streams(HEADS)) <= 1)
        self._since_ms = min(self._last.started_ms or (now_ms if is_new else now_ms - _DAY_MS), now_ms)
        self._watch = asyncio.get_running_loop().create_task(self._look_on())
        self._tell()

    async def end(self) -> None:
        """Audit no longer by itself."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
            self._watch = None

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_S)
            try:
                self.look()
            except Exception:  # noqa: BLE001 (a fault of ours must not end audits for good)
                self._log.exception("no audit could be begun")

    def look(self) -> None:
        """Begin an audit if one is due, and tell whether one is missing."""
        now_ms = self._hall.now_ms()
        due = now_ms >= self._plan.due_ms(self._since_ms) and monotonic() >= self._not_before
        if due and self._now is None and self._hall.fenced is None:
            whole_ms = self._kept.whole_ms if self._kept else 0
            self._begin("whole" if self._plan.is_whole_due(now_ms, whole_ms) else "new", BY_ITSELF, f"{STAFF}audit")
        self._tell()

    def start(self, by: str, visitor: str, kind: AuditKind = "whole") -> AuditState:
        """Begin an audit; its state from now on is to be had here."""
        if self._now is not None:
            raise AuditUnderWay("an audit is under way: wait until it is over")
        return self._begin(kind, by, visitor)

    def _begin(self, kind: AuditKind, by: str, visitor: str) -> AuditState:
        public = self._hall.writer.floor.keys.public
        self._now = AuditState("running", self._hall.now_ms(), by=by, public_key=public, kind=kind)
        self._running = asyncio.get_running_loop().create_task(self._audited(self._now, visitor))
        self._running.add_done_callback(partial(self._over, self._now, monotonic()))
        self._tell_listeners("started", self._now)
        return self.state

    async def _audited(self, asked: AuditState, visitor: str) -> Audited:
        """What the worker finds. Whoever asks for the whole has it read without regard to any audit before."""
        progress, whole = b"", asked.kind == "whole"
        if not whole or asked.by == BY_ITSELF:
            progress = await asyncio.to_thread(self._progress)
        audited: Audited = await self._hall.pool.run(AUDIT, visitor, self._address, asked.public_key, progress, whole)
        return audited

    def _progress(self) -> bytes:
        """The progress of the last audit, as the store has it, where this floor has stamped it."""
        floor = self._hall.writer.floor
        kept = read_kept(floor.store, floor.keys)
        if kept is None or not kept.pieces:
            return b""
        progress = read_progress_of(floor.store, kept)
        if not progress:
            self._log.warning("what the last audit has kept is damaged: everything is read again")
        return progress

    def _over(self, asked: AuditState, began: float, running: "asyncio.Future[Audited]") -> None:
        self._running = self._now = None
        took_ms = round(1000 * (monotonic() - began))
        error = None if running.cancelled() else running.exception()
        if running.cancelled() or error is not None:
            self._failed(asked, took_ms, error)
            return
        audited = running.result()
        report = audited.report
        counts = report.counts
        state = replace(
            asked,
            state="wrong" if report.total else "clean",
            took_ms=took_ms,
            streams=counts.streams,
            entries=counts.entries,
            rounds=counts.rounds,
            wagers=counts.wagers,
            cents=counts.cents,
            total=report.total,
            findings=tuple(replace(each, stream=named(each.stream)) for each in report.findings),
            kind="new" if audited.before else "whole",
            new=max(0, counts.entries - audited.before),
            anew=audited.anew,
        )
        if audited.anew:
            self._log.warning("the audit read everything again", why=audited.anew)
        if report.total:
            self._log.error("the audit found something wrong", count=report.total, first=str(state.findings[0]))
        else:
            self._log.info("the audit found nothing wrong", entries=counts.entries, new=state.new, took_ms=took_ms)
        self._since_ms = max(self._since_ms, asked.started_ms)
        whole_ms = asked.started_ms if not audited.before else self._kept.whole_ms if self._kept else 0
        self._kept = KeptAudit(state, whole_ms)
        self._end(state)
        keeping = asyncio.get_running_loop().create_task(self._keep(self._kept, audited.progress))
        self._keeping.add(keeping)
        keeping.add_done_callback(self._keeping.discard)

    def _failed(self, asked: AuditState, took_ms: int, error: BaseException | None) -> None:
        said = error.message if isinstance(error, PuntoError) else type(error).__name__ if error else "it was given up"
        state = replace(asked, state="failed", took_ms=took_ms, said=said)
        if error is None or isinstance(error, FloorIsClosing | TooFast):  # nothing is wrong with audits
            self._log.warning("the audit was given up", said=said)
            self._not_before = monotonic() + _AFTER_OTHER_WORK_S
            self._shown = state
            self._tell_listeners("ended", state)
            return
        self._log.error("the audit failed", error=said)
        self._not_before = monotonic() + _AFTER_FAILURE_S
        self._end(state)

    async def _keep(self, kept: KeptAudit, progress: bytes) -> None:
        """Keep what an audit said; what prevents it only makes the next one longer."""
        try:
            await keep(self._hall.writer, kept, progress)
        except (PuntoError, RuntimeError) as error:
            self._log.warning("what the audit said cannot be kept", said=str(error))

    def _end(self, state: AuditState) -> None:
        self._shown = self._last = state
        self._tell_listeners("ended", state)
        self._tell()

    def _tell_listeners(self, what: str, state: AuditState) -> None:
        for listener in self.listeners:
            try:
                getattr(listener, what)(state)
            except Exception:  # noqa: BLE001 (an audit goes on, whatever becomes of who listens)
                self._log.exception("somebody who is told of audits failed")

    def _tell(self) -> None:
        """Tell the log and the pit's pages when an alarm begins or ends."""
        alarm = self.alarm
        if alarm == self._told:
            return
        self._told = alarm
        if alarm == "overdue":
            self._log.error("there was no audit for two days")
        self._hall.tell_floor_alarms()
