"""The journal of a life: what was about to be asked, and what was answered, written down outside the store.

Each line is written before the next thing is done, straight to the operating system, so it outlives a killed process.
"""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from punto.errors import PuntoError
from punto.floor.answers import Answer
from punto.floor.handler import Floor
from punto.proof.lastheads import last_heads
from punto.table import AnyCommand
from tests.torture.house import SETUPS


class Asked(Struct, frozen=True, tag="asked", omit_defaults=True):
    """The floor is about to be given these commands; or, with *recover_ms*, to recover at that time."""

    commands: tuple[AnyCommand, ...] = ()
    recover_ms: int = 0
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


Line = Asked | Answered
_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Line)

Write = Callable[[Line], None]


class Clerk:
    """Gives commands to a floor, and writes down before what is asked and after what was answered."""

    def __init__(self, floor: Floor, write: Write) -> None:
        self._floor = floor
        self._write = write

    def give(self, commands: Sequence[AnyCommand]) -> list[Answer | PuntoError]:
        """Give a group of commands to the floor."""
        self._write(Asked(tuple(commands), at_ns=time.monotonic_ns()))
        answers = self._floor.handle_all(commands)
        self._answer([_given(*each) for each in zip(commands, answers, strict=True)])
        return answers

    def recover(self, at_ms: int) -> None:
        """Have the floor recover."""
        self._write(Asked(recover_ms=at_ms, at_ns=time.monotonic_ns()))
        answers = self._floor.recover(at_ms)
        self._answer([Given("", answer.table, answer.version, len(answer.events)) for answer in answers])

    def _answer(self, answers: list[Given]) -> None:
        store = self._floor.store
        found = last_heads(store)
        number = sum(head.number - 1 for head in found.heads.values())  # each begins with a certificate
        kept = _ENCODER.encode(found).decode() if number else ""
        phases = {key: self._floor.table(key).phase.value for key in SETUPS}
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
