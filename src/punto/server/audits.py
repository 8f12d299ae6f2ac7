"""The audit on demand: one at a time, out of the way of the tables, on the store as it stood when it began."""

import asyncio
import os
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from signal import SIGTERM
from typing import Final, Literal

import structlog
from msgspec import Struct

from punto.errors import AuditUnderWay, PuntoError
from punto.floor import Floor
from punto.record import Finding, Report, audit
from punto.store import MemoryStore, Store, open_store

_POLITE: Final = 10
_START_S: Final = 5.0


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

    def __init__(self, address: str, floor: Floor) -> None:
        self._address = address
        self._floor = floor
        self._running: asyncio.Future[Report] | None = None
        self._process: Future[int] | None = None
        self.state = AuditState("none")

    def start(self, by: str) -> AuditState:
        """Begin an audit; its state from now on is to be had here."""
        if self._running is not None:
            raise AuditUnderWay("an audit is under way: wait until it is over")
        public = self._floor.keys.public
        started_ms = time.time_ns() // 1_000_000
        self.state = AuditState("running", started_ms, by=by, public_key=public)
        store = self._floor.store
        loop = asyncio.get_running_loop()
        worker: Executor
        if isinstance(store, MemoryStore):
            worker = ThreadPoolExecutor(1, "audit")
            self._running = loop.run_in_executor(worker, _audit, store, public)
        else:  # a process of its own: an audit takes as much of a processor as it can get
            worker = ProcessPoolExecutor(1, get_context("spawn"), os.nice, (_POLITE,))
            self._process = worker.submit(os.getpid)
            self._running = loop.run_in_executor(worker, _audit_at, self._address, public)
        self._running.add_done_callback(partial(self._over, worker, time.monotonic()))
        return self.state

    def close(self) -> None:
        """The floor stops: it does not wait for an audit."""
        if self._running is not None and self._process is not None:
            with suppress(BrokenExecutor, TimeoutError, ProcessLookupError):
                os.kill(self._process.result(_START_S), SIGTERM)

    def _over(self, worker: Executor, began: float, running: "asyncio.Future[Report]") -> None:
        worker.shutdown(wait=False)
        self._running = self._process = None
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
            findings=report.findings,
        )


def _audit(store: Store, public: str) -> Report:
    return audit(store, public_key=public)


def _audit_at(address: str, public: str) -> Report:
    store = open_store(address, read_only=True, create=False)
    try:
        return _audit(store, public)
    finally:
        store.close()
