"""The check of the program: soon after the start, every day and on demand, in a worker, away from the tables."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, Literal, NamedTuple

import structlog
from msgspec import Struct
from msgspec.structs import replace

from punto.errors import FloorIsClosing, PuntoError
from punto.program import Check, Difference, Interpreter, Reference
from punto.server.heavy.jobs import PROGRAM
from punto.server.heavy.pool import Pool
from punto.server.heavy.turns import STAFF

Why = Literal["start", "daily", "asked"]

# Punto's own files are looked at while they are still those that were loaded; all the rest once the floor has settled.
_SOON_S: Final = 2.0
_WHOLE_AFTER_S: Final = 60.0
_DAY_S: Final = 86_400.0
_AGAIN_S: Final = 300.0
_SHOWN: Final = 100
_LOGGED: Final = 5
_VISITOR: Final = f"{STAFF}program"


class ProgramState(Struct, frozen=True):
    """The last check: when and why it was made, what it compared, and in what the program differs.

    *root* is that of the files on disk, *release* that of the release's manifest; *against* says what the files were
    compared with. *whole* says whether Python and the dependencies were looked at, too. *checking* says that another
    check is under way.
    """

    state: Literal["none", "same", "different", "no-release", "failed"] = "none"
    checking: bool = False
    why: Why = "start"
    by: str = ""
    at_ms: int = 0
    took_ms: int = 0
    version: str = ""
    root: str = ""
    release: str = ""
    against: Literal["", "release", "former"] = ""
    files: int = 0
    python: str = ""
    dependencies: int = 0
    whole: bool = False
    total: int = 0
    differences: tuple[Difference, ...] = ()
    # Why it failed, where it did.
    said: str = ""


class Result(NamedTuple):
    """A check that is over: how it is shown, and all that was measured; nothing of one that failed."""

    state: ProgramState
    check: Check | None


class _Asked(NamedTuple):
    why: Why
    by: str
    whole: bool


class ProgramCheck:
    """One for each hall, on the event loop. Whoever wants to know of each result is among the *listeners*."""

    def __init__(self, pool: Pool, now_ms: Callable[[], int]) -> None:
        self._pool = pool
        self._now_ms = now_ms
        self._log = structlog.get_logger("punto.program")
        self._watching: asyncio.Task[None] | None = None
        self._running: asyncio.Task[None] | None = None
        self._under_way: _Asked | None = None
        self._next: _Asked | None = None
        self.state = ProgramState()
        self.listeners: list[Callable[[Result], None]] = []
        # What was measured first, or what somebody accepted since: it tells what no release can.
        self.reference: Reference | None = None
        # Looks whether somebody has accepted another reference meanwhile.
        self.recall: Callable[[], Awaitable[Reference | None]] | None = None

    @property
    def faults(self) -> dict[str, str]:
        """What is wrong with the program, for whoever watches over the floor."""
        if self.state.state != "different":
            return {}
        first = self.state.differences[0]
        more = f", and {self.state.total - 1} more" if self.state.total > 1 else ""
        return {"program": f"{first.path}: {first.word.value}{more}"}

    def begin(self) -> None:
        """Check soon, and every day from now on."""
        self._watching = asyncio.get_running_loop().create_task(self._watch())

    def end(self) -> None:
        """Check no more; one that is under way is given up."""
        self._next = None
        for task in (self._watching, self._running):
            if task is not None:
                task.cancel()
        self._watching = None

    def ask(self, by: str) -> ProgramState:
        """Have the whole program checked now; its state is to be had here. One that is under way is joined."""
        asked = _Asked("asked", by, whole=True)
        if self._running is None:
            self._start(asked)
        elif self._under_way is not None and not self._under_way.whole:
            self._next = asked
        return self.state

    async def _watch(self) -> None:
        await asyncio.sleep(_SOON_S)
        await self._make(_Asked("start", "", whole=False))
        await asyncio.sleep(_WHOLE_AFTER_S)
        why: Why = "start"
        while True:
            await self._make(_Asked(why, "", whole=True))
            failed = self.state.state == "failed"
            why = why if failed else "daily"
            await asyncio.sleep(_AGAIN_S if failed else _DAY_S)

    async def _make(self, asked: _Asked) -> None:
        """Make a check, once one that is under way is over."""
        while self._running is not None:
            await asyncio.wait({self._running})
        await asyncio.wait({self._start(asked)})

    def _start(self, asked: _Asked) -> "asyncio.Task[None]":
        self._under_way = asked
        self.state = replace(self.state, checking=True)
        self._running = asyncio.get_running_loop().create_task(self._check(asked))
        self._running.add_done_callback(self._over)
        return self._running

    def _over(self, _: "asyncio.Task[None]") -> None:
        self._running = self._under_way = None
        if self._next is not None:
            asked, self._next = self._next, None
            self._start(asked)

    async def _check(self, asked: _Asked) -> None:
        at_ms = self._now_ms()
        check: Check | None = None
        try:
            if self.recall is not None:
                self.reference = await self.recall() or self.reference
            check = await self._pool.run(PROGRAM, _VISITOR, Interpreter.here(), self.reference, asked.whole)
            assert check is not None
            state = _state_of(check, asked, at_ms)
        except FloorIsClosing:
            return
        except PuntoError as error:
            state = ProgramState("failed", why=asked.why, by=asked.by, at_ms=at_ms, said=error.message)
        finally:
            self.state = replace(self.state, checking=False)
        before, self.state = self.state, state
        if check is not None and check.measured.whole:
            self.reference = check.reference
        self._log_change(before)
        for listener in self.listeners:
            with suppress(RuntimeError):  # the floor is closing
                listener(Result(state, check))

    def _log_change(self, before: ProgramState) -> None:
        state = self.state
        if (state.state, state.differences) == (before.state, before.differences):
            return
        match state.state:
            case "different":
                first = [str(each) for each in state.differences[:_LOGGED]]
                self._log.error("the program is not what it should be", first=first, files=state.total, root=state.root)
            case "failed":
                self._log.warning("the program could not be checked", said=state.said)
            case "no-release":
                self._log.info("the program is no release, and is compared with nothing", root=state.root)
            case _ if before.state == "different":
                self._log.warning("the program is what it should be again", root=state.root)
            case _:
                self._log.info("the program is what it should be", root=state.root)


def _state_of(check: Check, asked: _Asked, at_ms: int) -> ProgramState:
    measured = check.measured
    return ProgramState(
        check.verdict,
        why=asked.why,
        by=asked.by,
        at_ms=at_ms,
        took_ms=measured.took_ms,
        version=measured.version,
        root=measured.root,
        release=check.release,
        against=check.against,
        files=len(measured.files),
        python=measured.python,
        dependencies=max(0, len(measured.beside) - 1),
        whole=measured.whole,
        total=len(check.differences),
        differences=check.differences[:_SHOWN],
    )
