"""The `punto` command as a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

PUNTO: Final = [sys.executable, "-m", "punto"]


class Said(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


def punto(*arguments: str | bytes, stdin: bytes = b"", cwd: Path | None = None, **environment: str) -> Said:
    """Run `punto` with these arguments."""
    done = subprocess.run(
        [*PUNTO, *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        cwd=cwd,
        timeout=60,
        env=os.environ | {"PYTHONUTF8": "1", "COLUMNS": "100"} | environment,
    )
    return Said(done.returncode, done.stdout.decode(), done.stderr.decode())


class Punto(Protocol):
    """The command, however it is run."""

    def __call__(self, *arguments: str) -> Said: ...


def answer(punto: Punto, *arguments: str) -> Any:  # noqa: ANN401
    """What a command answers a program, in one line."""
    said = punto(*arguments, "--json")
    assert (said.status, said.err) == (0, ""), said
    assert said.out.count("\n") == 1
    return json.loads(said.out)


def refusal(punto: Punto, *arguments: str) -> dict[str, Any]:
    """The refusal of a command, which must be the same in words and in JSON, and one line."""
    in_words, in_json = punto(*arguments), punto(*arguments, "--json")
    assert (in_words.status, in_json.status) == (2, 2), (in_words, in_json)
    assert (in_words.out, in_json.err) == ("", "")
    (error,) = json.loads(in_json.out).values()
    assert in_words.err == f"punto: {error['message']}\n"
    assert (in_json.out.count("\n"), in_words.err.count("\n")) == (1, 1)
    assert isinstance(error["at"], int)
    return dict(error)
