"""A second hand: a thread that writes for a store, while whoever asked for it goes on."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Final

THREAD: Final = "store"


class Handed:
    """Something that is being written."""

    def __init__(self, write: Callable[[], None]) -> None:
        self._write = write
        self._error: BaseException | None = None
        self.begun, self._done = Lock(), Lock()
        self.begun.acquire()
        self._done.acquire()

    def run(self) -> None:
        """Write it."""
        self.begun.release()
        try:
            self._write()
        except BaseException as error:  # noqa: BLE001 (whoever waits is told)
            self._error = error
        finally:
            self._done.release()

    def wait(self) -> None:
        """Wait until it is durable; raises what kept it from being written, each time."""
        with self._done:
            if self._error is not None:
                raise self._error


class Hand:
    """A thread that writes one thing after another; it begins with the first."""

    def __init__(self) -> None:
        self._given: SimpleQueue[Handed | None] | None = None

    def start(self, write: Callable[[], None]) -> Handed:
        """Have something written; returns once the thread has begun.

        Without this the caller might keep the interpreter busy, and the thread would only begin once the caller waits.
        """
        handed = Handed(write)
        if self._given is None:
            given: SimpleQueue[Handed | None] = SimpleQueue()
            try:
                Thread(target=_write_all, args=(given,), name=THREAD, daemon=True).start()
            except RuntimeError:  # there is no room for a thread just now
                handed.run()
                return handed
            self._given = given
        self._given.put(handed)
        handed.begun.acquire()
        return handed

    def stop(self) -> None:
        """Let the thread end once it has written what it was given."""
        if self._given is not None:
            self._given.put(None)
            self._given = None


def _write_all(given: "SimpleQueue[Handed | None]") -> None:
    while True:
        handed = given.get()
        if handed is None:
            return
        handed.run()
