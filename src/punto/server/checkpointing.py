"""Checkpoints while the floor is open: one at every interval, and one when it closes. Each is carried outside."""

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from punto.errors import PuntoError, StaleVersion, UnreadableFile
from punto.floor.sealing import NotCovered, seal_of
from punto.floor.sequencer import Sequencer
from punto.ledger.periods import period_of
from punto.proof.addresses import Address
from punto.proof.calls import is_address
from punto.proof.notes import Note, Signature, VerifierKey
from punto.proof.outposts import Outpost
from punto.proof.seals import SEALS
from punto.proof.witness import Witness
from punto.server.config import FloorConfig
from punto.server.messenger import Messenger, to_address, to_witness

if TYPE_CHECKING:
    from datetime import date

    from punto.server.hall import Hall

TOKEN: Final = "PUNTO_CHECKPOINT_TOKEN"  # noqa: S105 (the name of a variable)
# How long a floor that closes waits for its last checkpoint to arrive.
_LAST_S: Final = 5.0
_LAST_IF_FAULTY_S: Final = 0.5


class Checkpointing:
    """The floor's checkpoints, on the event loop."""

    def __init__(self, hall: "Hall", config: FloorConfig, outside: Sequence[Path | Outpost] = ()) -> None:
        self._hall = hall
        self._every_s = config.checkpoint_every_s
        outside = outside or [Path(each) for each in folders_of(config)]
        self._witnesses = witnesses_of(config)
        self._sequencer = Sequencer(hall.writer.floor.history, outside, addresses_of(config), self._witnesses)
        self._messengers: list[Messenger] = []
        self._task: asyncio.Task[None] | None = None
        self._sent: Note | None = None
        self._said = ""
        # Lost folders that the log has named.
        self._missed: set[str] = set()
        self._sealed_before: date | None = None

    @property
    def takes(self) -> bool:
        """Whether checkpoints are taken."""
        return self._task is not None

    @property
    def faults(self) -> dict[str, str]:
        """What is wrong outside, by place.

        Why checkpoints do not arrive at addresses, which tails were gone or damaged when the floor opened, and which
        folders have been lost since.
        """
        unsent = {each.where: each.fault for each in self._messengers if each.fault}
        return unsent | self._sequencer.comparison.doubted | self._losses()

    def _losses(self) -> dict[str, str]:
        """The folders that were gone while the floor was open."""
        return {str(each.folder): each.loss for each in self._sequencer.outposts if each.loss}

    async def begin(self) -> None:
        """Compare the store with what is kept outside, and take checkpoints from now on."""
        sequencer = self._sequencer
        await asyncio.get_running_loop().run_in_executor(None, sequencer.comparison.gather)
        for said in sequencer.comparison.unanswered:
            self._hall.log.warning("no checkpoint could be asked for", said=said)
        await self._hall.writer.call(sequencer.compare)
        if not (sequencer.outposts or sequencer.addresses or self._witnesses):
            return
        for where, said in sequencer.comparison.doubted.items():
            self._hall.log.warning("something outside is damaged", where=where, said=said)
        await self._hall.writer.call(sequencer.begin)
        self._messengers = [Messenger(each.url, to_address(each), self._brought) for each in sequencer.addresses]
        for each in self._witnesses:
            carry = to_witness(each, lambda: self._hall.receipts.proofs)
            self._messengers.append(Messenger(each.address, carry, self._brought))
        for messenger in self._messengers:
            messenger.begin()
        self._task = asyncio.get_running_loop().create_task(self._run())
        self._hall.seals = True

    async def end(self) -> None:
        """Take the last checkpoint; messengers are still carrying it when this returns."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
            await self.take()

    async def end_messengers(self, *, wait: bool) -> None:
        """Let the messengers go; with *wait* once the last checkpoint has arrived, or a few seconds have passed.

        A place where none has arrived of late is hardly waited for.
        """
        messengers, self._messengers = self._messengers, []
        ending = [each.end((_LAST_IF_FAULTY_S if each.fault else _LAST_S) if wait else 0) for each in messengers]
        await asyncio.gather(*ending)

    def give_up(self) -> None:
        """Take no more checkpoints: another process runs the floor now."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _run(self) -> None:
        while True:
            try:
                await self.take()
            except Exception:  # a fault of ours must not end checkpoints for good
                self._hall.log.exception("a checkpoint failed")
            await asyncio.sleep(self._every_s)

    async def _seal(self) -> None:
        """Seal the gaming day before this one, once; it is worked out beside the thread that writes.

        On a quiet floor the last head of a day is that of its last checkpoint, which the next checkpoint covers. A
        clock that was only just read, or has jumped, may be a day ahead: then the day may still go on.
        """
        if not self._hall.clock.runs_on:
            return
        now_ms, floor = self._hall.now_ms(), self._hall.writer.floor
        today = period_of(now_ms).day
        if today == self._sealed_before:
            return
        try:
            found = await asyncio.to_thread(seal_of, floor.history, now_ms)
        except NotCovered:
            return
        if found is not None:
            with suppress(StaleVersion):  # another process has sealed it
                await self._hall.writer.call(floor.note, [(SEALS, found[1])], {SEALS: found[0]}, now_ms)
        self._sealed_before = today

    async def take(self) -> None:
        """Take a checkpoint, and have it carried outside; what prevents it is logged, once."""
        try:
            taken = await self._hall.writer.call(self._sequencer.checkpoint, self._hall.now_ms())
            if taken or self._sealed_before is None:
                await self._seal()
            self._said = ""
            self._hall.checkpoint_fault = None
        except RuntimeError:  # the writer has stopped
            return
        except PuntoError as error:
            self._hall.checkpoint_fault = error
            if error.message != self._said:
                self._said = error.message
                self._hall.log.error("no checkpoint could be taken", said=error.message)  # noqa: TRY400 (no fault of ours)
        for where, said in self._losses().items():
            if where not in self._missed:
                self._missed.add(where)
                self._hall.log.warning("a folder of checkpoints was lost", where=where, said=said)
        self._send()

    def _send(self) -> None:
        """Have the newest note carried to addresses, and a new checkpoint to witnesses."""
        note, sent = self._sequencer.note, self._sent
        if note is None or note == sent:
            return
        self._sent = note
        news = self._messengers if sent is None or sent.text != note.text else self._to_addresses
        for messenger in news:
            messenger.send(note)

    @property
    def _to_addresses(self) -> list[Messenger]:
        return self._messengers[: len(self._sequencer.addresses)]

    async def _brought(self, note: Note, signatures: tuple[Signature, ...]) -> None:
        """A witness has cosigned: that goes on record, and beside the note wherever it is kept."""
        cosign = partial(self._sequencer.cosign, note.text, signatures, self._hall.now_ms())
        with suppress(RuntimeError):  # the writer has stopped
            await self._hall.writer.call(cosign)
        self._send()


def folders_of(config: FloorConfig) -> tuple[str, ...]:
    """The folders that keep checkpoints."""
    return tuple(each for each in config.checkpoints if not is_address(each))


def addresses_of(config: FloorConfig) -> tuple[Address, ...]:
    """The addresses that keep checkpoints, with the token that lets the floor write there."""
    named = [each for each in config.checkpoints if is_address(each)]
    token = _token(config) if named else ""
    return tuple(Address(each, token) for each in named)


def witnesses_of(config: FloorConfig) -> tuple[Witness, ...]:
    """The witnesses that cosign checkpoints."""
    return tuple(Witness(each.address, VerifierKey.parse(each.key)) for each in config.witnesses)


def _token(config: FloorConfig) -> str:
    """The token, from its file or from the environment."""
    if not config.checkpoint_token_file:
        return os.environ.get(TOKEN, "").strip()
    try:
        return Path(config.checkpoint_token_file).read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else "it is no text"
        raise UnreadableFile(f"{config.checkpoint_token_file}: no token: {said}") from None
