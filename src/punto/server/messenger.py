"""Messengers: each carries the newest checkpoint to one place outside, on a thread, until it has arrived.

Only the newest counts: one that is taken while another is on its way follows it. A place that does not answer is tried
again after a while, and after a longer while each time. The floor waits for none of them.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import structlog

from punto.errors import NoSuchCheckpoint, NotWitnessed, PuntoError
from punto.floor.proving import Proofs
from punto.proof.addresses import Address
from punto.proof.notes import Checkpoint, Note, Signature
from punto.proof.witness import Cosignatures, Witness, WitnessSize, add_checkpoint

PATIENCE_S: Final = 10.0
FIRST_WAIT_S: Final = 1.0
LONGEST_WAIT_S: Final = 60.0
# A witness that names one size after the other is asked no more than so often about one checkpoint.
_MOST_ASKED: Final = 3

# Carries a checkpoint, on a thread; what comes back goes to whoever waits for it.
Carry = Callable[[Note], tuple[Signature, ...]]
Brought = Callable[[Note, tuple[Signature, ...]], Awaitable[None]]


class Messenger:
    """Carries checkpoints to one place."""

    def __init__(self, where: str, carry: Carry, brought: Brought, wait_s: float = FIRST_WAIT_S) -> None:
        self.where = where
        self._carry = carry
        self._brought = brought
        self._first_wait_s = wait_s
        self._note: Note | None = None
        self._news = asyncio.Event()
        self._arrived = asyncio.Event()
        self._arrived.set()
        self._thread = ThreadPoolExecutor(1, "messenger")
        self._task: asyncio.Task[None] | None = None
        self._log = structlog.get_logger("punto.checkpoints")
        # Why the last one has not arrived; empty where it has.
        self.fault = ""

    def begin(self) -> None:
        """Carry from now on whatever is sent."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    def send(self, note: Note) -> None:
        """Carry a checkpoint, as soon as the last one has arrived or was given up."""
        self._note = note
        self._arrived.clear()
        self._news.set()

    async def end(self, patience_s: float) -> None:
        """Wait for a while until the last checkpoint has arrived, and stop."""
        try:
            async with asyncio.timeout(patience_s):
                await self._arrived.wait()
        except TimeoutError:
            self._log.warning("the last checkpoint has not arrived", where=self.where, said=self.fault)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _run(self) -> None:
        wait_s = self._first_wait_s
        while True:
            await self._news.wait()
            self._news.clear()
            note = self._note
            assert note is not None, "there is news when there is a note"
            try:
                signatures = await asyncio.get_running_loop().run_in_executor(self._thread, self._carry, note)
                if signatures:
                    await self._brought(note, signatures)
            except PuntoError as error:
                self._fail(error)
                await asyncio.sleep(wait_s)
                wait_s = min(2 * wait_s, LONGEST_WAIT_S)
                self._news.set()
            except Exception:  # noqa: BLE001 (a fault of ours must not end the carrying for good)
                self._log.exception("a checkpoint could not be carried", where=self.where)
            else:
                wait_s = self._first_wait_s
                if self.fault:
                    self._log.info("checkpoints arrive again", where=self.where)
                self.fault = ""
                if self._note is note:
                    self._arrived.set()

    def _fail(self, error: PuntoError) -> None:
        if error.message != self.fault:
            self._log.warning("a checkpoint has not arrived", where=self.where, said=error.message)
        self.fault = error.message


def to_address(address: Address) -> Carry:
    """Carry checkpoints to an address."""

    def carry(note: Note) -> tuple[Signature, ...]:
        address.publish(note.encode(), PATIENCE_S)
        return ()

    return carry


def to_witness(witness: Witness, proofs: Callable[[], Proofs]) -> Carry:
    """Carry checkpoints to a witness, each with the proof that the log has only grown; its cosignatures come back."""
    seen = 0

    def carry(note: Note) -> tuple[Signature, ...]:
        nonlocal seen
        size = Checkpoint.parse(note.text).size
        for _ in range(_MOST_ASKED):
            proof = _grown(witness, proofs(), min(seen, size), size)
            match add_checkpoint(witness, min(seen, size), proof, note, PATIENCE_S):
                case Cosignatures(signatures):
                    seen = size
                    return signatures
                case WitnessSize(other):
                    seen = other
        raise NotWitnessed(f"witness {witness.key.name} names another size each time it is asked", status=409)

    return carry


def _grown(witness: Witness, proofs: Proofs, seen: int, size: int) -> tuple[bytes, ...]:
    """The proof that a witness needs, from the size that it has seen last."""
    if seen in {0, size}:
        return ()
    try:
        return proofs.consistency(seen, size).proof
    except NoSuchCheckpoint:
        said = f"witness {witness.key.name} has seen a log of {seen} heads, which this floor never had"
        raise NotWitnessed(said, status=409) from None
