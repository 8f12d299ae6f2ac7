"""Deadlines for calls that may never come back: a server that stands still answers nothing, not even that it is late.

One thread keeps all deadlines of a process. It sleeps while nothing is due, so a call that is on time costs next to
nothing.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Thread
from time import monotonic
from typing import Final


class Deadlines:
    """Cuts off what takes too long."""

    def __init__(self) -> None:
        self._due: dict[object, tuple[float, Callable[[], None]]] = {}
        self._changed = Condition()
        self._thread: Thread | None = None
        # Until when the thread sleeps at the longest.
        self._until = 0.0

    @contextmanager
    def within(self, seconds: float, cut: Callable[[], None]) -> Iterator[None]:
        """Call *cut* from another thread if the block takes longer; never once the block is over."""
        key = object()
        due = monotonic() + seconds
        with self._changed:
            self._due[key] = due, cut
            if self._thread is None or not self._thread.is_alive():
                self._until = due
                self._thread = Thread(target=self._watch, name="deadlines", daemon=True)
                self._thread.start()
            elif due < self._until:
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._due.pop(key, None)

    def _watch(self) -> None:
        with self._changed:
            while True:
                now = monotonic()
                for key, (due, cut) in tuple(self._due.items()):
                    if due <= now:
                        del self._due[key]
                        cut()
                self._until = min((due for due, _ in self._due.values()), default=now + _ASLEEP_S)
                self._changed.wait(self._until - now)


_ASLEEP_S: Final = 3_600.0
DEADLINES: Final = Deadlines()
