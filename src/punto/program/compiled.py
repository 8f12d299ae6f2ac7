"""Compiled files: Python runs them in place of sources, as long as their stamps fit.

Each is compared with what its source compiles to, whatever its stamp says it is.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final, NamedTuple

from punto.program import comparing
from punto.program.differences import Difference, Word
from punto.program.interpreter import Interpreter

CACHE: Final = "__pycache__"
# How long one compiled file may take.
_PATIENCE_S: Final = 20.0
# Python writes one of these at each level of optimization.
_LEVELS: Final = {"": 0, ".opt-1": 1, ".opt-2": 2}
_CRASHED: Final = "reading it as Python reads it crashes"
_HANGS: Final = "reading it as Python reads it does not end"


class Pair(NamedTuple):
    """A source, a file that may be compiled from it at a level, and how both are called."""

    source: str
    compiled: str
    level: int
    name: str


def pairs_of(source: str, name: str, interpreter: Interpreter) -> Iterator[Pair]:
    """The compiled files that this Python may take in place of a source."""
    folder, _, file = source.rpartition(os.sep)
    stem = file.removesuffix(".py")
    if interpreter.cache_prefix is None:
        cache = os.path.join(folder, CACHE)
        shown = f"{name.rpartition('/')[0]}/{CACHE}"
    else:
        below = os.path.splitdrive(folder)[1].lstrip(os.sep)
        cache = shown = os.path.join(interpreter.cache_prefix, below)
    for mark, level in _LEVELS.items():
        compiled = f"{stem}.{interpreter.cache_tag}{mark}.pyc"
        path = os.path.join(cache, compiled)
        if os.path.lexists(path):
            yield Pair(source, path, level, f"{shown}/{compiled}")


def differences_of(pairs: Iterable[Pair], interpreter: Interpreter) -> Iterator[Difference]:
    """Those compiled files that Python would run, and that do not say what their sources say."""
    left = list(pairs)
    while left:
        said = _judged(left, interpreter)
        for pair, wrong in zip(left, said, strict=False):
            if wrong:
                yield Difference(pair.name, Word.COMPILED, wrong)
        left = left[len(said) :]


def _judged(pairs: Sequence[Pair], interpreter: Interpreter) -> list[str]:
    """What is wrong with the first pairs, as far as one process comes; the last of them may have ended it."""
    command = [sys.executable, "-I", "-S", "-B", "-X", "utf8", str(Path(comparing.__file__))]
    pipe = subprocess.PIPE
    with subprocess.Popen(  # noqa: S603 (our own script)
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env={"PATH": os.environ.get("PATH", "")}
    ) as process:
        answers: SimpleQueue[str] = SimpleQueue()
        assert process.stdin
        assert process.stdout
        threads = [
            Thread(target=_send, args=(process, pairs, interpreter.believes), daemon=True),
            Thread(target=_hear, args=(process, answers), daemon=True),
        ]
        for thread in threads:
            thread.start()
        said: list[str] = []
        try:
            while len(said) < len(pairs):
                line = answers.get(timeout=_PATIENCE_S)
                said.append(json.loads(line) if line else _CRASHED)
                if not line:
                    break
        except Empty:
            said.append(_HANGS)
        finally:
            process.kill()
            for thread in threads:
                thread.join()
    return said


def _send(process: "subprocess.Popen[bytes]", pairs: Sequence[Pair], believes: str) -> None:
    assert process.stdin
    with suppress(OSError):
        for pair in pairs:
            process.stdin.write(json.dumps([pair.source, pair.compiled, pair.level, believes]).encode() + b"\n")
        process.stdin.flush()


def _hear(process: "subprocess.Popen[bytes]", answers: "SimpleQueue[str]") -> None:
    """Pass on each line, and an empty one at the end."""
    assert process.stdout
    for line in process.stdout:
        if not line.endswith(b"\n"):
            break
        answers.put(line.decode())
    answers.put("")
