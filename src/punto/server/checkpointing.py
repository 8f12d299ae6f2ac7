"""Checkpoints while the floor is open: one at every interval, and one when it closes."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from punto.errors import PuntoError, StaleVersion
from punto.floor.sealing import seal_of
from punto.floor.sequencer import Sequencer
from punto.ledger.periods import period_of
from punto.proof.seals import SEALS

if TYPE_CHECKING:
    from datetime import date

    from punto.server.hall import Hall


class Checkpointing:
    """The floor's checkpoints, on the event loop."""

    def __init__(self, hall: "Hall", folders: tuple[str, ...], every_s: float) -> None:
        self._hall = hall
        self._every_s = every_s
        self._sequencer = Sequencer(hall.writer.floor.history, [Path(folder) for folder in folders])
        self._task: asyncio.Task[None] | None = None
        self._said = ""
        self._sealed_before: date | None = None

    async def begin(self) -> None:
        """Compare the store with what is kept outside, and take checkpoints from now on."""
        if not self._sequencer.outposts:
            return
        await self._hall.writer.call(self._sequencer.compare)
        await self._hall.writer.call(self._sequencer.begin)
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def end(self) -> None:
        """Take the last checkpoint."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
            await self.take()

    async def _run(self) -> None:
        while True:
            try:
                await self.take()
            except Exception:  # a fault of ours must not end checkpoints for good
                self._hall.log.exception("a checkpoint failed")
            await asyncio.sleep(self._every_s)

    async def _seal(self) -> None:
        """Seal the gaming day before this one, once; it is worked out beside the thread that writes."""
        now_ms, floor = self._hall.now_ms(), self._hall.writer.floor
        today = period_of(now_ms).day
        if today == self._sealed_before:
            return
        found = await asyncio.to_thread(seal_of, floor.history, now_ms)
        if found is not None:
            with suppress(StaleVersion):  # another process has sealed it
                await self._hall.writer.call(floor.note, [(SEALS, found[1])], {SEALS: found[0]}, now_ms)
        self._sealed_before = today

    async def take(self) -> None:
        """Take a checkpoint; what prevents it is logged, once."""
        try:
            await self._hall.writer.call(self._sequencer.checkpoint, self._hall.now_ms())
            await self._seal()
            self._said = ""
        except RuntimeError:  # the writer has stopped
            return
        except PuntoError as error:
            if error.message != self._said:
                self._said = error.message
                self._hall.log.error("no checkpoint could be taken", said=error.message)  # noqa: TRY400 (no fault of ours)
