"""The audit on demand: one at a time, out of the way of the tables, on the store as it stood when it began."""

import asyncio
import time
from functools import partial
from typing import Literal

import structlog
from msgspec import Struct
from msgspec.structs import replace

from punto.errors import AuditUnderWay, PuntoError, named
from punto.record import Finding, Report
from punto.server.heavy.jobs import AUDIT
from punto.server.heavy.pool import Pool


class AuditState(Struct, frozen=True):
    """The last audit: whether it is over, how much it looked at, and what it found, the first thing first."""

    state: Literal["none", "running", "clean", "wrong", "failed"]
    started_ms: int = 0
    took_ms: int = 0
    by: str = ""
    public_key: str = ""
    streams: int = 0
    entries: int = 0
    rounds: int = 0
    wagers: int = 0
    cents: int = 0
    total: int = 0
    findings: tuple[Finding, ...] = ()
    # Why it failed, where it did.
    said: str = ""


class Audits:
    """Starts audits, and keeps what the last one said."""

    def __init__(self, address: str, public: str, pool: Pool) -> None:
        self._address = address
        self._public = public
        self._pool = pool
        self._running: asyncio.Task[Report] | None = None
        self.state = AuditState("none")

    def start(self, by: str, visitor: str) -> AuditState:
        """Begin an audit; its state from now on is to be had here."""
        if self._running is not None:
            raise AuditUnderWay("an audit is under way: wait until it is over")
        started_ms = time.time_ns() // 1_000_000
        self.state = AuditState("running", started_ms, by=by, public_key=self._public)
        auditing = self._pool.run(AUDIT, visitor, self._address, self._public)
        self._running = asyncio.get_running_loop().create_task(auditing)
        self._running.add_done_callback(partial(self._over, time.monotonic()))
        return self.state

    def _over(self, began: float, running: "asyncio.Future[Report]") -> None:
        self._running = None
        before = self.state
        took_ms = round(1000 * (time.monotonic() - began))
        error = None if running.cancelled() else running.exception()
        if running.cancelled() or error is not None:
            said = error.message if isinstance(error, PuntoError) else type(error).__name__
            structlog.get_logger("punto.audit").error("the audit failed", error=said)
            self.state = AuditState("failed", before.started_ms, took_ms, before.by, before.public_key, said=said)
            return
        report = running.result()
        counts = report.counts
        self.state = AuditState(
            state="wrong" if report.total else "clean",
            started_ms=before.started_ms,
            took_ms=took_ms,
            by=before.by,
            public_key=before.public_key,
            streams=counts.streams,
            entries=counts.entries,
            rounds=counts.rounds,
            wagers=counts.wagers,
            cents=counts.cents,
            total=report.total,
            findings=tuple(replace(each, stream=named(each.stream)) for each in report.findings),
        )
