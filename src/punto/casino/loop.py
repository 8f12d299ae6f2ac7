"""Event loops on simulated time: every process of the casino has one of its own, and all of them share one agenda.

A loop is asyncio's in what it promises to the code that runs on it. Time does not pass while code runs; it jumps from
one entry of the agenda to the next. What would run on a thread runs at a later moment on the same thread, and its
result comes later still. A process that is killed is a loop that is never run again: no clean-up code runs.
"""

import asyncio
from asyncio import events
from collections.abc import Callable, Coroutine
from contextvars import Context, copy_context
from heapq import heappop, heappush
from typing import Any

from punto.casino.faults import Died
from punto.errors import PuntoError
from punto.surroundings import Surroundings, context_with

# A moment, whose loop it concerns, and what is done then.
_Entry = tuple[float, int, "Loop | None", asyncio.Handle | Callable[[], None]]


class Agenda:
    """All that is going to happen, in order of time; what falls on one moment happens in the order it was planned."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self._entries: list[_Entry] = []
        self._count = 0

    def add(self, at_s: float, loop: "Loop | None", act: asyncio.Handle | Callable[[], None]) -> None:
        """Plan something for a moment."""
        self._count += 1
        heappush(self._entries, (max(at_s, self.now_s), self._count, loop, act))

    def after(self, span_s: float, act: Callable[[], None]) -> None:
        """Plan something that concerns no process."""
        self.add(self.now_s + span_s, None, act)

    def step(self) -> bool:
        """Do what comes next; whether there was anything."""
        if not self._entries:
            return False
        at_s, _, loop, act = heappop(self._entries)
        self.now_s = at_s
        if loop is not None:
            loop.take(act)
        elif isinstance(act, asyncio.Handle):  # pragma: no cover (only loops make handles)
            raise AssertionError("a handle without a loop")
        else:
            act()
        return True


# What nobody on a floor asks of a loop (sockets, signals, processes) stays as asyncio leaves it: not there.
_Abstract: Any = asyncio.AbstractEventLoop


class Loop(_Abstract):  # type: ignore[misc]
    """The event loop of one process."""

    def __init__(
        self,
        agenda: Agenda,
        surroundings: Surroundings,
        delay_s: Callable[[], float],
        failed: Callable[[dict[str, Any]], None],
    ) -> None:
        self._agenda = agenda
        self._context = context_with(surroundings)
        # How long work on a thread takes.
        self._delay_s = delay_s
        self._failed = failed
        self._threads: dict[object, float] = {}
        self._backlog: list[asyncio.Handle | Callable[[], None]] = []
        self._tasks: list[asyncio.Task[Any]] = []
        self.paused = False
        self.dead = False

    # The life of a process

    def take(self, act: "asyncio.Handle | Callable[[], None]") -> None:
        """Do something of this process, unless it is dead; one that is paused does it later."""
        if self.dead:
            return
        if self.paused:
            self._backlog.append(act)
            return
        events._set_running_loop(self)
        try:
            if isinstance(act, asyncio.Handle):
                if not act._cancelled:
                    act._run()
            else:
                self._context.run(act)
        except Died:
            self.dead = True
        finally:
            events._set_running_loop(None)

    def resume(self) -> None:
        """Go on after a pause."""
        self.paused = False
        backlog, self._backlog = self._backlog, []
        for act in backlog:
            self._agenda.add(self._agenda.now_s, self, act)

    def bury(self) -> None:
        """Let go of all that the process was doing; what its clean-up code does has no effect any more."""
        self.dead = True
        events._set_running_loop(self)
        try:
            for task in self._tasks:
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                if not task.done():
                    _close(task)
        finally:
            events._set_running_loop(None)
        self._tasks.clear()
        self._backlog.clear()

    # What asyncio asks of a loop

    def time(self) -> float:
        """The simulated time, in seconds."""
        return self._agenda.now_s

    def call_soon(self, callback: Callable[..., object], *args: Any, context: Context | None = None) -> asyncio.Handle:
        """Have a function called next."""
        handle = asyncio.Handle(callback, args, self, context)
        self._agenda.add(self._agenda.now_s, self, handle)
        return handle

    call_soon_threadsafe = call_soon

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Have a function called after a span."""
        return self.call_at(self._agenda.now_s + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Have a function called at a moment."""
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        self._agenda.add(when, self, handle)
        return handle

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """A handle that was cancelled is passed over when its time comes."""

    def create_future(self) -> "asyncio.Future[Any]":
        """A result that is still to come."""
        return asyncio.Future(loop=self)

    def create_task(self, coro: Coroutine[Any, Any, Any], **options: Any) -> "asyncio.Task[Any]":
        """Have a coroutine run."""
        task: asyncio.Task[Any] = asyncio.Task(coro, loop=self, **options)
        self._tasks.append(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: "asyncio.Task[Any]") -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, (PuntoError, Died)):
            self.call_exception_handler({"message": "a task failed", "exception": error})

    def run_in_executor(self, executor: object, func: Callable[..., Any], *args: Any) -> "asyncio.Future[Any]":
        """Have a function run at a later moment, after those that its thread has to run before."""
        future = self.create_future()
        context = copy_context()
        begins_s = max(self._agenda.now_s, self._threads.get(executor, 0.0)) + self._delay_s()
        self._threads[executor] = begins_s

        def work() -> None:
            set_, came = future.set_result, None
            try:
                came = context.run(func, *args)
            except (Died, KeyboardInterrupt):
                raise
            except BaseException as error:  # noqa: BLE001 (as an executor hands it on)
                set_, came = future.set_exception, error
            self._agenda.add(self._agenda.now_s + self._delay_s(), self, lambda: None if future.done() else set_(came))

        self._agenda.add(begins_s, self, work)
        return future

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Something of this process has failed, and nobody has caught it."""
        if not self.dead:
            self._failed(context)

    def get_debug(self) -> bool:
        """Never."""
        return False

    def is_running(self) -> bool:
        """Always, as far as anybody can tell who asks."""
        return True

    def is_closed(self) -> bool:
        """Never."""
        return False


def _close(task: "asyncio.Task[Any]") -> None:
    coroutine = task.get_coro()
    try:
        coroutine.close()
    except (RuntimeError, ValueError, Died):
        return  # it is being run just now, or it insists on going on
