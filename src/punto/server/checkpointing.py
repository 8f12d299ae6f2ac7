"""Checkpoints while the floor is open: one at every interval, and one when it closes."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from punto.errors import PuntoError
from punto.floor.sequencer import Sequencer
from punto.proof.outposts import Outpost

if TYPE_CHECKING:
    from punto.server.hall import Hall


class Checkpointing:
    """The floor's checkpoints, on the event loop."""

    def __init__(self, hall: "Hall", outside: Sequence[Path | Outpost], every_s: float) -> None:
        self._hall = hall
        self._every_s = every_s
        self._sequencer = Sequencer(hall.writer.floor.history, outside)
        self._task: asyncio.Task[None] | None = None
        self._said = ""

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

    async def take(self) -> None:
        """Take a checkpoint; what prevents it is logged, once."""
        try:
            await self._hall.writer.call(self._sequencer.checkpoint, self._hall.now_ms())
            self._said = ""
        except RuntimeError:  # the writer has stopped
            return
        except PuntoError as error:
            if error.message != self._said:
                self._said = error.message
                self._hall.log.error("no checkpoint could be taken", said=error.message)  # noqa: TRY400 (no fault of ours)
