"""Virtual shoes that must not be played on when a floor opens: they are taken out, opened, and the reason is on record.

After a decision to go on from another store, patrons may know the cards of the shoes in place. And at a table that the
floor's file no longer has, nobody would ever open the shoe.
"""

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from punto.errors import Corrupt, PuntoError, Refusal
from punto.rules import Position
from punto.server.ids import fresh_id
from punto.table import Actor, Source, Table
from punto.table import commands as do
from punto.table.shoes import LONGEST_REASON
from punto.table.state import BETWEEN

if TYPE_CHECKING:
    from punto.server.hall import Hall
    from punto.server.writer import Outcome

# Who opens the tables that the configuration names.
HOUSE: Final = Actor("house", Position.GAMING_SHIFT_MANAGER)
_NOT_IN_FILE: Final = "the table is no longer in the floor's file"
_EVERY_S: Final = 0.25


class OldShoes:
    """Takes out the shoes that nobody may play on; one in mid-round once its round is over."""

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        # The shoe that waits for the end of its round, by its table.
        self._waiting: dict[str, int] = {}
        self._task: asyncio.Task[None] | None = None

    def replace(self, key: str, at_ms: int) -> None:
        """On the writing thread: somebody went on from another store, and the cards of the shoe may be known."""
        floor = self._hall.writer.floor
        table = floor.table(key)
        if not _is_sealed(table):
            return
        try:
            floor.handle(self._end(key, at_ms))
            self._hall.log.warning("the store may have been set back: the shoe is replaced", table=key)
        except Refusal as refusal:  # a round is under way
            self._waiting[key] = table.shoe.number
            said = "the store may have been set back in mid-round: the shoe is replaced after this round"
            self._hall.log.warning(said, table=key, why=refusal.message)

    def open_forgotten(self, keys: frozenset[str], at_ms: int) -> None:
        """On the writing thread: open the shoes of all tables on record but these, and close the tables."""
        floor = self._hall.writer.floor
        for key in sorted(set(floor.tables()) - keys):
            try:
                table = floor.table(key)
                if not _is_sealed(table):
                    continue
                if table.phase not in BETWEEN:
                    said = "a table is no longer in the floor's file, and its round is not over: put the table back"
                    self._hall.log.error(said, table=key)
                    continue
                for act in _closing(key, at_ms):
                    floor.handle(act)
                self._hall.log.warning("a table is no longer in the floor's file: its shoe is opened", table=key)
            except (Corrupt, Refusal) as error:
                self._hall.log.warning("the shoe of a former table cannot be opened", table=key, said=error.message)

    def begin(self) -> None:
        """From now on, replace the shoes that wait for the end of their rounds."""
        if self._waiting:
            self._task = asyncio.get_running_loop().create_task(self._run())

    def end(self) -> None:
        """The floor closes; the next start looks again."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        while self._waiting:
            for key, number in [*self._waiting.items()]:
                hosted = self._hall.tables.get(key)
                table = hosted.table if hosted is not None else None
                if table is None or table.shoe.number != number or table.shoe.out:
                    del self._waiting[key]
                elif table.phase in BETWEEN:
                    self._hall.writer.put(self._end(key, self._hall.now_ms()), self._ended)
            await asyncio.sleep(_EVERY_S)

    def _ended(self, outcome: "Outcome") -> None:
        if isinstance(outcome, PuntoError):  # bets have opened again, or the store is away: the next look tries anew
            self._hall.log.warning("the shoe is not replaced yet", said=outcome.message)

    def _end(self, key: str, at_ms: int) -> do.EndShoe:
        pins = self._hall.writer.floor.history.pins
        reason = f"{pins.by} decided to go on from another store, so its cards may be known: {pins.reason}"
        # A decision of an older Punto may have signs in it that the reason of a shoe must not have.
        printable = "".join(sign if sign.isprintable() else " " for sign in reason)
        return do.EndShoe(id=fresh_id(), table=key, by=HOUSE, at_ms=at_ms, reason=printable[:LONGEST_REASON])


def _is_sealed(table: Table) -> bool:
    """Whether a virtual shoe is in place that nobody has opened."""
    virtual = table.setup is not None and table.setup.source is Source.VIRTUAL
    return virtual and bool(table.shoe.commitment) and not table.shoe.out


def _closing(key: str, at_ms: int) -> Iterator[do.EndShoe | do.CloseTable]:
    yield do.EndShoe(id=fresh_id(), table=key, by=HOUSE, at_ms=at_ms, reason=_NOT_IN_FILE)
    yield do.CloseTable(id=fresh_id(), table=key, by=HOUSE, at_ms=at_ms)
