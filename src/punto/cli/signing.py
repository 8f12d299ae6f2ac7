"""What `punto signer` does. It imports little: the less runs beside the key, the better."""

import os
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Final

import click

from punto.errors import BadUsage
from punto.floor.keyfiles import KeySource, Kind
from punto.floor.keys import signer_in
from punto.floor.signer import Signer, serve, sole
from punto.proof.headlog import origin_of

# Of user numbers that a system may have; the one after it means nobody.
_LAST_USER: Final = 2**32 - 2


def run_signer(key_file: str | None, key_env: str | None, socket: str, state: str | None, uid: int | None) -> None:
    """Answer on a unix socket until the process is stopped."""
    if bool(key_file) == bool(key_env):
        raise BadUsage("signer: expected either --key-file or --key-env")
    if sys.platform == "win32":
        raise BadUsage("signer: this system has no unix sockets")
    if uid is not None and not 0 <= uid <= _LAST_USER:
        raise BadUsage(f"--uid: {uid} is no user's number: expected 0 to {_LAST_USER}")
    text = KeySource(file=key_file or "", variable=key_env or "").read(Kind.SIGNING, Kind.WHOLE)
    key = signer_in(text)
    origin = origin_of(text.first or key.public)
    if state is None and key_file is None:
        raise BadUsage("signer: with --key-env expected --state, for what was signed last")
    kept = Path(state) if state else Path(key_file or "").with_name(f"{origin.replace('/', '-')}.state")
    peers = frozenset({os.getuid(), *([uid] if uid is not None else [])})
    signal.signal(signal.SIGTERM, _stop)
    with sole(kept):
        signer = Signer(key, origin, kept, _say)
        ready = f"the signer of {origin} answers at {socket}"
        serve(signer, Path(socket), peers, uid, lambda: _say(ready))


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)


def _say(said: str) -> None:
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    click.echo(f"{now} {said}", err=True)
