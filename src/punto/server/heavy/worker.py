"""A worker: does one piece of heavy work after the other, as its floor sends them, and ends when the floor is gone.

It is started with `python -m punto.server.heavy.worker` and with pipes to the floor. It gets no key and no secret of
the floor's environment, has a low priority, and limits its own memory and time.
"""

import gc
import os
import pickle
import signal
import sys
import threading
import traceback
from contextlib import suppress
from importlib import import_module
from queue import SimpleQueue
from typing import Any, BinaryIO, Final

from punto.errors import PuntoError, TooMuchWork
from punto.server.heavy.wire import SIZE, Answer, Fault

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

_POLITE: Final = 10
_MB: Final = 2**20
# The floor ends a worker at its deadline; should the floor be gone, the worker ends by itself so much later.
_AFTERWARDS_S: Final = 5.0
# As <linux/prctl.h> has it.
_SET_DEATH_SIGNAL: Final = 1
_STACK: Final = 256 * 1024


def main() -> None:
    """Work until the floor hangs up."""
    with suppress(OSError):
        os.nice(_POLITE)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints, prints into the log
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the floor, which ends its workers
    _die_with_the_floor()
    asked: SimpleQueue[bytes] = SimpleQueue()
    threading.stack_size(_STACK)
    threading.Thread(target=_listen, args=(sys.stdin.buffer, asked), daemon=True).start()
    _send(answers, None)
    while True:
        _send(answers, _done(asked.get()))


def _die_with_the_floor() -> None:
    """Have the system end this process with the floor, even where one step of the work takes very long."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 (only here)

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


def _listen(floor: BinaryIO, asked: "SimpleQueue[bytes]") -> None:
    """Take what the floor sends. When the floor hangs up or dies there is nobody left to work for."""
    while True:
        head = floor.read(SIZE.size)
        if len(head) < SIZE.size:
            os._exit(0)
        asked.put(floor.read(*SIZE.unpack(head)))


def _done(message: bytes) -> Answer:
    """What comes of a piece of work, within its limits."""
    name, arguments, memory_mb, deadline_s = pickle.loads(message)  # noqa: S301 (it comes from the floor)
    _limit(memory_mb, deadline_s)
    came: Any
    try:
        module, _, function = name.partition(":")
        came = getattr(import_module(module), function)(*arguments)
    except PuntoError as refusal:
        came = refusal
    except (MemoryError, RecursionError):
        came = TooMuchWork("it takes more memory than one visitor may have: nothing was changed")
    except Exception:  # noqa: BLE001 (the floor logs it)
        came = Fault(traceback.format_exc())
    _limit(0, 0)
    gc.collect()
    return Answer(came, _peak_mb())


def _limit(memory_mb: int, deadline_s: float) -> None:
    """Allow so much memory and so many seconds from now on; 0 for as much as there is."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, deadline_s + _AFTERWARDS_S if deadline_s else 0)
    if resource is not None and hasattr(resource, "RLIMIT_DATA"):
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (memory_mb * _MB if memory_mb else hard, hard))


def _peak_mb() -> int:
    """The most memory so far, where the system tells. What `getrusage` tells may be that of the floor which forked."""
    try:
        with open("/proc/self/status", "rb") as status:  # noqa: PTH123 (a worker stays small)
            return next(int(line.split()[1]) // 1024 for line in status if line.startswith(b"VmHWM:"))
    except (OSError, StopIteration):
        return 0


def _send(floor: BinaryIO, answer: object) -> None:
    body = pickle.dumps(answer)
    try:
        floor.write(SIZE.pack(len(body)) + body)
        floor.flush()
    except OSError:
        os._exit(0)


if __name__ == "__main__":
    main()
