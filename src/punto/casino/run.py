"""One run of the casino, from the first process to the audit."""

import gc
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import structlog

from punto.casino.diskstore import DiskStore
from punto.casino.house import Casino
from punto.casino.plants import plant_named
from punto.casino.process import Process
from punto.casino.trace import Broken
from punto.record import audit

STEPS: Final = 300
_PATIENCE_S: Final = 25.0
# A run in which little happens ends after so long.
_LONGEST_S: Final = 60.0
# Seeds after which memory is tidied.
_TIDY_EVERY: Final = 20


@dataclass(frozen=True)
class Outcome:
    """What came of a seed."""

    seed: int
    digest: str
    steps: int
    simulated_s: float
    rounds: int
    voids: int
    entries: int
    counts: Counter[str] = field(default_factory=Counter)
    # What broke, if anything, and the last steps before.
    broken: str = ""
    last: tuple[str, ...] = ()


def run_seed(seed: int, *, steps: int = STEPS, plant: str = "", attacked: bool | None = None) -> Outcome:
    """Run a seed, and say what came of it."""
    casino, broken = played(seed, steps=steps, plant=plant, attacked=attacked)
    truth, trace = casino.truth, casino.trace
    return Outcome(
        seed,
        casino.digest(),
        trace.steps,
        casino.agenda.now_s,
        truth.rounds,
        truth.voids,
        truth.entries,
        trace.counts + truth.shoes,
        broken,
        tuple(trace.last),
    )


def played(seed: int, *, steps: int = STEPS, plant: str = "", attacked: bool | None = None) -> tuple[Casino, str]:
    """The casino of a seed once its run is over, and what broke, if anything."""
    casino = Casino(seed, plant_named(plant), attacked=attacked)
    enabled = gc.isenabled()
    gc.disable()
    broken = ""
    try:
        with _logged(casino):
            try:
                _run(casino, steps)
            except Broken as error:
                broken = str(error)
            finally:
                casino.bury()
    finally:
        if enabled:
            gc.enable()
        if seed % _TIDY_EVERY == 0:
            gc.collect()
    return casino, broken


def _run(casino: Casino, steps: int) -> None:
    casino.start_process()
    while casino.trace.steps < steps and casino.agenda.now_s < _LONGEST_S and casino.closed_for_good is None:
        casino.step()
    casino.fates.end()
    process = _settled(casino)
    if process is not None:
        _check_shown(casino, process)
        casino.is_closing = True
        casino.stop(process)
        while not process.loop.dead:
            casino.step()
    _judge(casino)


def _settled(casino: Casino) -> Process | None:
    """Wait until everybody has an answer; the process that serves them then, or none where the floor is closed."""
    for person in casino.people:
        person.is_done = True
    until_s = casino.agenda.now_s + _PATIENCE_S
    while casino.closed_for_good is None and casino.agenda.now_s < until_s:
        waiting = any(person.pending for person in casino.people)
        alone = sum(not process.loop.dead for process in casino.processes) == 1
        if _serving(casino) is not None and alone and not waiting and not _lacks_checkpoint(casino):
            break
        casino.step()
    if casino.closed_for_good is not None:
        return None
    process = _serving(casino)
    if process is None:
        raise Broken("no process is open at the end")
    if not casino.fates.forged:
        for person in casino.people:
            for id_, asked in person.pending.items():
                raise Broken(f"{person.name} has no answer to {asked.message['t']} ({id_}) at the end")
    return process


def _serving(casino: Casino) -> Process | None:
    """The process at the front door, unless it is fenced off: that one shows nothing any more, and ends before long."""
    front = casino.front()
    return None if front is None or front.server is None or front.server.hall.fenced else front


def _lacks_checkpoint(casino: Casino) -> bool:
    """Whether the last checkpoint could not be taken, and no other was taken since; it must be, before long."""
    front = casino.front()
    return bool(front and front.server and front.server.hall.checkpoint_fault and not casino.fates.forged)


def _check_shown(casino: Casino, process: Process) -> None:
    """What the process holds at the end is what is on record."""
    assert process.server is not None, "it is open"
    hall = process.server.hall
    if casino.fates.forged:
        return
    # That an outpost was full is told until the next transaction.
    damaged = [said for stream, said in hall.damaged().items() if stream != "outside"]
    if damaged:
        raise Broken(f"nobody has forged anything, and the floor says: {damaged[0]}")
    for key, hosted in hall.tables.items():
        if hosted.table != casino.truth.at(key, hosted.version):
            raise Broken(f"table {key}: what is shown at the end is not what a replay of the log gives")
        if hosted.glance() != hosted.glance(anew=True):
            raise Broken(f"table {key}: at a glance it is shown as it was before")


def _judge(casino: Casino) -> None:
    """The audit of all that was written: clean without a forgery, and not clean after one."""
    if not casino.fates.forged:
        casino.check_acknowledged()
    store = DiskStore(casino.journal)
    report = audit(store, public_key=casino.keys.public, head=casino.heads_outside)
    casino.trace.note(str(report.findings).encode())
    forged = casino.fates.forged and not casino.fates.is_scrap
    if report.findings and not forged:
        raise Broken(f"the audit: {report.findings[0]}")
    if forged and not report.findings:
        raise Broken(f"the audit finds nothing after somebody has done this: {casino.fates.forged}")


@contextmanager
def _logged(casino: Casino) -> Iterator[None]:
    """Take what the server logs into the run: what it calls a fault of its own is one."""

    def take(_: Any, method: str, event: Any) -> Any:
        if method == "exception":
            casino.broke(Broken(f"the server logs: {event.get('event')}: {sys.exception()!r}"))
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(processors=[take])
    try:
        yield
    finally:
        structlog.configure(**before)
