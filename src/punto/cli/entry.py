"""The way in and out of the command line: every error becomes one line and an exit status."""

import os
import sys
from io import TextIOWrapper
from typing import TextIO

from punto.errors import BadDeclaration, BadUsage, PuntoError

BAD_INPUT = 2
INTERNAL = 70
UNWRITABLE = 74
INTERRUPTED = 130


def main() -> None:
    """Run `punto` with the process's own arguments, whatever state its streams are in."""
    open_streams()
    try:
        status = run(sys.argv[1:])
    except KeyboardInterrupt:
        status = INTERRUPTED
    sys.exit(flushed(status))


def run(arguments: list[str]) -> int:
    """Run one command; no exception but an interrupt comes out of here."""
    from click import UsageError
    from click.exceptions import Exit, NoArgsIsHelpError

    from punto.cli.app import app

    try:
        with app.make_context("punto", list(arguments)) as context:
            status = app.invoke(context)
        sys.stdout.flush()
    except Exit as done:
        return done.exit_code
    except NoArgsIsHelpError as error:
        return say(error.format_message(), 0)
    except PuntoError as error:
        return report(error, arguments)
    except UsageError as error:
        usage = error.ctx.get_usage().removeprefix("Usage: ") if error.ctx else "punto --help"
        return report(BadUsage(f"{error.format_message().rstrip('.')}: expected {usage}"), arguments)
    except (KeyboardInterrupt, EOFError):
        return INTERRUPTED
    except BrokenPipeError:
        return forsaken()
    except OSError as error:
        return report(PuntoError(f"cannot go on: {error.strerror or error}"), [], UNWRITABLE)
    except Exception as error:
        if "PUNTO_DEBUG" in os.environ:
            raise
        kind = type(error).__name__
        return report(PuntoError(f"internal error ({kind}: {error}); PUNTO_DEBUG=1 shows where"), arguments, INTERNAL)
    return status if isinstance(status, int) else 0


def report(error: PuntoError, arguments: list[str], status: int = BAD_INPUT) -> int:
    """Say what is wrong in one line: as JSON on standard output when JSON was asked for, else on standard error."""
    if "--json" not in arguments:
        return say(f"punto: {one_line(error.message)}", status, sys.stderr)
    from punto.cli.wire import encode

    return say(encode(as_json(error)), status)


def as_json(error: PuntoError) -> dict[str, dict[str, str | int]]:
    """The one shape of an error."""
    shape: dict[str, str | int] = {"code": error.code, "message": one_line(error.message), "at": error.at}
    if isinstance(error, BadDeclaration):
        shape["column"] = error.column
    return {"error": shape}


def one_line(message: str) -> str:
    """The message on one line, with whatever cannot be printed written out."""
    spaced = " ".join(message.split())
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in spaced)


def say(line: str, status: int, stream: TextIO | None = None) -> int:
    """Write one line and give the status back; a stream that takes nothing any more changes neither."""
    target = stream or sys.stdout
    try:
        target.write(line + "\n")
        target.flush()
    except OSError:
        forsaken()
    return status


def flushed(status: int) -> int:
    """The status, once the streams have taken all that was written to them."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            forsaken()
    return status


def forsaken() -> int:
    """Nobody is reading, or nothing more can be written: point the streams at nothing, and end in peace."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            os.dup2(nothing, stream.fileno())
        except (OSError, ValueError):
            continue
    return 0


def open_streams() -> None:
    """Streams that were closed read and write nothing; the others write out what they cannot encode."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
