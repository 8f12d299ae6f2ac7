"""Tables that move when a test says so.

In the floor's process `Steps` keeps the acts that wait for their time, and does them when a line on its standard input
asks for a phase; in the test's process `Stepped` writes that line, and reads the answer from the floor's output.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, Final

from punto.errors import OutcomeUnknown, StoreGone
from punto.server.clockwork import Timer, on_time
from punto.server.hall import Hall
from punto.server.hosted import Hosted
from punto.table import Phase

if TYPE_CHECKING:
    from subprocess import Popen

# A page's seat may still be on its way when a table is asked to move.
_PATIENCE_S: Final = 10.0
_LOOK_S: Final = 0.001
_LOSE: Final = "lose"
_FIND: Final = "find"


class _Act:
    """An act that waits until a test asks for it."""

    def __init__(self, acts: dict[str, "_Act"], table: str, act: Callable[[], None]) -> None:
        self._acts = acts
        self._table = table
        self.do = act
        acts[table] = self

    def cancel(self) -> None:
        """Forget the act."""
        if self._acts.get(self._table) is self:
            del self._acts[self._table]


class _Line:
    """The line to a store: the answer to what is written next is lost on it, and nothing is answered after that."""

    def __init__(self) -> None:
        self._whole: tuple[Any, Any] | None = None

    def turn(self, store: Any, asked: str) -> None:  # noqa: ANN401 (a store of any kind)
        """Lose the next answer, or have the line whole again."""
        if asked == _FIND:
            assert self._whole, "only what was lost is found"
            store.append, store.claim = self._whole
            return
        append, _ = self._whole = store.append, store.claim

        def lose(*written: Any) -> None:  # noqa: ANN401
            append(*written)
            store.append = away
            raise OutcomeUnknown("the answer was lost")

        def away(*_: Any) -> None:  # noqa: ANN401
            raise StoreGone("nobody answers: nothing was written")

        store.append, store.claim = lose, away


class Steps:
    """The schedule of a floor on which only some tables, *by_clock*, move by themselves."""

    def __init__(self, by_clock: Collection[str]) -> None:
        self._by_clock = by_clock
        self._acts: dict[str, _Act] = {}
        self._obeying: asyncio.Task[None] | None = None
        self._line = _Line()

    def schedule(self, table: str, at_s: float, act: Callable[[], None]) -> Timer:
        """Keep an act until it is asked for; one that need not wait at all, as when the floor stops, is done."""
        if table in self._by_clock or at_s <= asyncio.get_running_loop().time():
            return on_time(table, at_s, act)
        return _Act(self._acts, table, act)

    async def begin(self, hall: Hall) -> None:
        """Have a shoe loaded at every table that moves when it is told to, and listen from now on."""
        for key in tuple(self._acts):
            await self._move(hall.find(key), Phase.IDLE)
        asked = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(asked), sys.stdin)
        self._obeying = asyncio.create_task(self._obey(hall, asked))

    async def _obey(self, hall: Hall, asked: asyncio.StreamReader) -> None:
        while line := await asked.readline():
            key, phase = json.loads(line)
            hosted = hall.find(key)
            try:
                if phase in (_LOSE, _FIND):
                    self._line.turn(hall.writer.floor.store, phase)
                else:
                    await self._move(hosted, Phase(phase) if phase else None)
            except TimeoutError:
                answer: Any = f"table {key} stays in {hosted.table.phase.value}: nothing is due there"
            else:
                answer = [hosted.table.round, hosted.table.shoe.number, hosted.table.phase.value]
            print(json.dumps(answer), flush=True)  # noqa: T201

    async def _move(self, hosted: Hosted, phase: Phase | None) -> None:
        """Do what is due, one act at least, until the table is in a phase; where none is named, that one act."""
        async with asyncio.timeout(_PATIENCE_S):
            await self._step(hosted)
            while phase is not None and hosted.table.phase is not phase:
                await self._step(hosted)

    async def _step(self, hosted: Hosted) -> None:
        # Pages have their time to reveal what they contributed to a shoe, as on a floor that goes by the clock.
        while hosted.key not in self._acts or _is_revealing(hosted):  # noqa: ASYNC110 (a look costs nothing here)
            await asyncio.sleep(_LOOK_S)
        version = hosted.version
        self._acts.pop(hosted.key).do()
        while hosted.version == version and hosted.key not in self._acts:  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_S)


def _is_revealing(hosted: Hosted) -> bool:
    shoe = hosted.table.shoe
    return not shoe.is_complete and hosted.hall.now_ms() < shoe.reveal_until_ms


class Stepped:
    """A table of the floor that a test visits, which goes on when the test says so."""

    def __init__(self, floor: "Popen[str]", key: str) -> None:
        self._floor = floor
        self.key = key

    def open_bets(self) -> tuple[int, int]:
        """Finish the round that is under way, and open bets for the next: its number, and the shoe's."""
        number, shoe, _ = self._ask("bets-open")
        return number, shoe

    def close_bets(self) -> None:
        """Close bets."""
        self.move("bets-closed")

    def settle(self) -> None:
        """Play the round to its end, and pay it."""
        self.move("settled")

    def move(self, phase: str) -> None:
        """Go on, by one act at least, until the table is in a phase."""
        self._ask(phase)

    def act(self) -> str:
        """Do what is due, such as to deal one card: the phase after it."""
        return self._ask("")[2]

    def lose_answer(self) -> None:
        """Lose the store's answer to what is written next; it answers nothing more until it is found."""
        self._ask(_LOSE)

    def find_answer(self) -> None:
        """Let the store answer again."""
        self._ask(_FIND)

    def _ask(self, phase: str) -> tuple[int, int, str]:
        assert self._floor.stdin
        assert self._floor.stdout
        self._floor.stdin.write(json.dumps([self.key, phase]) + "\n")
        self._floor.stdin.flush()
        answer = json.loads(self._floor.stdout.readline() or '"the floor has gone"')
        assert isinstance(answer, list), answer
        number, shoe, phase = answer
        return number, shoe, phase
