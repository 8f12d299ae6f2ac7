"""The journal of a life: what was about to be asked, and what was answered, written down outside the store.

Each line is written before the next thing is done, straight to the operating system, so it outlives a killed process.
"""

import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from punto.errors import PuntoError, StoreGone
from punto.floor.answers import Answer
from punto.floor.handler import Floor
from punto.floor.sequencer import Sequencer
from punto.proof.lastheads import last_heads
from punto.table import AnyCommand
from tests.torture.house import SETUPS


class Asked(Struct, frozen=True, tag="asked", omit_defaults=True):
    """The floor is about to be given these commands; or to recover, or to take a checkpoint, at that time."""

    commands: tuple[AnyCommand, ...] = ()
    recover_ms: int = 0
    checkpoint_ms: int = 0
    at_ns: int = 0


class Given(Struct, frozen=True, omit_defaults=True):
    """The answer to a command: where its events are, or the code of its refusal."""

    command: str
    table: str = ""
    version: int = 0
    events: int = 0
    refusal: str = ""


class Answered(Struct, frozen=True, tag="answered"):
    """The floor has answered. *head* is the number of the last one, *kept* that head as it is kept outside."""

    answers: tuple[Given, ...]
    head: int
    kept: str
    phases: dict[str, str]
    at_ns: int


class Failed(Struct, frozen=True, tag="failed"):
    """The store went away, and there was no answer: with which code, and which of the commands are there after all.

    Only after *unknown* may any of them be there. All of them are asked again.
    """

    code: str
    found: tuple[str, ...] = ()


Line = Asked | Answered | Failed
_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Line)

Write = Callable[[Line], None]
T = TypeVar("T")
_AGAIN_S: Final = 0.02


class Clerk:
    """Gives commands to a floor, and writes down before what is asked and after what was answered."""

    def __init__(self, floor: Floor, write: Write, sequencer: Sequencer | None = None) -> None:
        self._floor = floor
        self._write = write
        self._sequencer = sequencer

    def give(self, commands: Sequence[AnyCommand]) -> list[Answer | PuntoError]:
        """Give a group of commands to the floor, and again under the same ids as long as the store is gone."""
        self._write(Asked(tuple(commands), at_ns=time.monotonic_ns()))
        while True:
            try:
                answers = self._floor.handle_all(commands)
                break
            except StoreGone as error:
                find = self._floor.store.find
                found = [each.id for each in commands if self.patiently(partial(find, each.id))]
                self._write(Failed(error.code, tuple(found)))
        self._answer([_given(*each) for each in zip(commands, answers, strict=True)])
        return answers

    def patiently(self, asked: Callable[[], T]) -> T:
        """What the floor says, once its store is there."""
        while True:
            try:
                return asked()
            except StoreGone:
                time.sleep(_AGAIN_S)

    def checkpoint(self, at_ms: int) -> None:
        """Have a checkpoint taken, and kept outside."""
        assert self._sequencer is not None, "there is somewhere to keep it"
        self._write(Asked(checkpoint_ms=at_ms, at_ns=time.monotonic_ns()))
        self.patiently(partial(self._floor.balance, ""))
        try:
            self._sequencer.checkpoint(at_ms)
        except StoreGone as error:
            self._write(Failed(error.code))
            self.patiently(partial(self._floor.look_over, ()))
        self._answer([])

    def recover(self, at_ms: int) -> None:
        """Have the floor recover."""
        self._write(Asked(recover_ms=at_ms, at_ns=time.monotonic_ns()))
        answers = self._floor.recover(at_ms)
        self._answer([Given("", answer.table, answer.version, len(answer.events)) for answer in answers])

    def _answer(self, answers: list[Given]) -> None:
        store = self._floor.store
        found = self.patiently(partial(last_heads, store))
        # Each begins with a certificate, and the head with which it joined.
        number = sum(head.number - 2 for head in found.heads.values())
        kept = _ENCODER.encode(found).decode() if number else ""
        phases = {key: self.patiently(partial(self._floor.table, key)).phase.value for key in SETUPS}
        self._write(Answered(tuple(answers), number, kept, phases, time.monotonic_ns()))


def _given(command: AnyCommand, answer: Answer | PuntoError) -> Given:
    if isinstance(answer, Answer):
        return Given(command.id, answer.table, answer.version, len(answer.events))
    return Given(command.id, refusal=answer.code)


def writer(path: Path) -> Write:
    """Writes lines to a file, each in one call to the operating system."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def write(line: Line) -> None:
        os.write(descriptor, _ENCODER.encode(line) + b"\n")

    return write


class Reader:
    """Reads a journal as it grows."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._place = 0
        self.lines: list[Line] = []

    def read_on(self) -> list[Line]:
        """The lines that have come since; one that was cut off by a kill was never written."""
        if not self._path.exists():
            return []
        with self._path.open("rb") as file:
            file.seek(self._place)
            *whole, _ = file.read().split(b"\n")
        self._place += sum(len(line) + 1 for line in whole)
        lines = [_DECODER.decode(line) for line in whole]
        self.lines += lines
        return lines
