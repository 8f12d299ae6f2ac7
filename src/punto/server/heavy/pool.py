"""The pool: a few workers, started when they are needed, ended at their deadline and replaced when they die."""

import asyncio
import os
import pickle
import signal
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from typing import Any, Final

import structlog

from punto.errors import FloorIsClosing, PuntoError, TooMuchWork, WorkFailed
from punto.server.heavy.jobs import Job
from punto.server.heavy.turns import Turns
from punto.server.heavy.wire import SIZE, Answer, Fault, read_answer

USUAL_WORKERS: Final = 2
FEWEST_WORKERS: Final = 2
MOST_WORKERS: Final = 16
# How many things of one visitor may wait while another is done.
_WAITING_EACH: Final = 4
_PATIENCE_S: Final = 30.0
_START_S: Final = 30.0
_IDLE_S: Final = 10.0
_LAST_WORDS_S: Final = 2.0
# A worker that has had more memory than this is replaced: what was freed does not always go back to the system.
_LEAN_MB: Final = 64
_LARGEST_ANSWER: Final = 256 * 2**20
# All that a worker needs of the environment. Whatever else is there may be a secret.
_ENVIRONMENT: Final = (
    *("PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"),
    *("PYTHONPATH", "PYTHONUTF8", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE", "LD_LIBRARY_PATH"),
    *("SYSTEMROOT", "TEMP", "TMP", "USERPROFILE", "APPDATA"),
)
# One thread, and one heap: work has one worker, and more of either is only memory.
_LEAN: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}


class Pool:
    """Has heavy work done in processes of its own. It costs nothing until it is used."""

    def __init__(self, size: int = USUAL_WORKERS, *, database: bool = False) -> None:
        self._turns = Turns(size, _WAITING_EACH)
        self._database = database
        self._idle: list[_Worker] = []
        self._workers: set[_Worker] = set()
        self._burying: set[asyncio.Task[int]] = set()
        self._closed = False
        self._log = structlog.get_logger("punto.pool")
        # How many workers were ended at their deadline, and how many died.
        self.stopped = 0
        self.died = 0

    @property
    def running(self) -> int:
        """How many workers are at work."""
        return self._turns.running

    @property
    def waiting(self) -> int:
        """How much work waits."""
        return self._turns.waiting

    @property
    def pids(self) -> list[int]:
        """The processes of all workers."""
        return [worker.process.pid for worker in self._workers if worker.process is not None]

    async def run(self, job: Job, visitor: str, *arguments: Any) -> Any:  # noqa: ANN401 (whatever the job gives)
        """What comes of a job, once it is the visitor's turn; work beyond its limits is ended and refused."""
        async with self._turns.turn(visitor, _PATIENCE_S, long=job.long):
            if self._closed:
                raise _closing()
            worker = self._idle.pop() if self._idle else _Worker(self._database)
            self._workers.add(worker)
            try:
                answer = await worker.do(job, arguments)
            except BaseException as error:  # noqa: BLE001 (whatever it is, the worker is of no use any more)
                self._drop(worker)
                raise self._said(job, error) from None
            self._rest(worker)
        if isinstance(answer.came, Fault):
            self.died += 1
            self._log.error("a worker failed", job=job.name, fault=answer.came.said)
            raise WorkFailed("the floor failed at this: it is logged, and nothing was changed")
        if isinstance(answer.came, PuntoError):
            raise answer.came
        return answer.came

    def _said(self, job: Job, error: BaseException) -> BaseException:
        if self._closed and isinstance(error, (TimeoutError, EOFError, OSError)):
            return _closing()  # the worker was ended, and has not failed
        match error:
            case TimeoutError():
                self.stopped += 1
                self._log.warning("a worker was stopped at its deadline", job=job.name, seconds=job.deadline_s)
                return TooMuchWork(
                    f"it took longer than {job.deadline_s:g} seconds and was stopped: nothing was changed"
                )
            case EOFError() | OSError():
                self.died += 1
                self._log.error("a worker died", job=job.name, error=repr(error))
                return WorkFailed("the worker died at this: nothing was changed")
        return error

    def _rest(self, worker: "_Worker") -> None:
        """Keep a worker for what comes next, for a while, unless it has grown."""
        if worker.peak_mb > _LEAN_MB or self._closed:
            self._drop(worker)
            return
        self._idle.append(worker)
        worker.retiring = asyncio.get_running_loop().call_later(_IDLE_S, self._retire, worker)

    def _retire(self, worker: "_Worker") -> None:
        if worker in self._idle:
            self._idle.remove(worker)
            self._drop(worker)

    def _drop(self, worker: "_Worker") -> None:
        worker.kill()
        self._workers.discard(worker)
        if worker.process is not None:
            burying = asyncio.get_running_loop().create_task(worker.process.wait())
            self._burying.add(burying)
            burying.add_done_callback(self._burying.discard)

    def kill(self) -> None:
        """End all workers now; nobody waits for what they do."""
        self._closed = True
        self._idle.clear()
        for worker in self._workers:
            worker.kill()

    async def stop(self) -> None:
        """End all workers, and wait for a moment until they are gone."""
        self.kill()
        until = asyncio.get_running_loop().time() + _LAST_WORDS_S
        while self._workers and asyncio.get_running_loop().time() < until:  # one may only be starting
            for worker in [each for each in self._workers if each.process is not None]:
                self._drop(worker)
            await asyncio.sleep(0.01)
        if self._burying:
            await asyncio.wait(self._burying, timeout=_LAST_WORDS_S)


def _closing() -> FloorIsClosing:
    return FloorIsClosing("the floor is closing: nothing was changed")


class _Worker:
    """One process, from this side."""

    def __init__(self, database: bool) -> None:  # noqa: FBT001
        self._database = database
        self.process: Process | None = None
        self.peak_mb = 0
        self._killed = self._signalled = False
        self.retiring: asyncio.TimerHandle | None = None

    async def do(self, job: Job, arguments: tuple[Any, ...]) -> Answer:
        """What the worker answers; `TimeoutError` after its deadline, `EOFError` or `OSError` when it dies."""
        if self.retiring is not None:
            self.retiring.cancel()
        message = pickle.dumps((job.function, arguments, job.memory_mb, job.deadline_s))
        if self.process is None:
            try:
                async with asyncio.timeout(_START_S):
                    self.process = await self._started()
                    if self._killed:
                        self.kill()
                    await self._heard()
            except TimeoutError:
                raise EOFError("it did not start") from None
        async with asyncio.timeout(job.deadline_s):
            assert self.process.stdin
            self.process.stdin.write(SIZE.pack(len(message)) + message)
            await self.process.stdin.drain()
            answer = await self._heard()
        if answer is None:
            raise EOFError("it has no answer")
        self.peak_mb = answer.peak_mb
        return answer

    async def _started(self) -> Process:
        names = [*_ENVIRONMENT, *(name for name in os.environ if self._database and name.startswith("PG"))]
        environment = {name: os.environ[name] for name in names if name in os.environ} | _LEAN
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "punto.server.heavy.worker"), stdin=PIPE, stdout=PIPE, env=environment
        )

    async def _heard(self) -> Answer | None:
        assert self.process
        assert self.process.stdout
        [size] = SIZE.unpack(await self.process.stdout.readexactly(SIZE.size))
        if size > _LARGEST_ANSWER:
            raise EOFError("its answer is too large")
        return read_answer(await self.process.stdout.readexactly(size))

    def kill(self) -> None:
        """End the process, whatever it does, also one that is only being started."""
        self._killed = True
        if self.retiring is not None:
            self.retiring.cancel()
        if self.process is not None and self.process.returncode is None and not self._signalled:
            self._signalled = True
            # Not `process.kill()`: that one may take the exit status away from the thread that waits for it.
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)
