"""The way in and out of the command line: every error becomes one line and an exit status."""

import os
import sys
from io import TextIOWrapper

from punto.errors import BadDeclaration, BadUsage, PuntoError

BAD_INPUT = 2
INTERNAL = 70
INTERRUPTED = 130


def main() -> None:
    """Run `punto` with the process's own arguments."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; no exception comes out of here."""
    from click import ClickException
    from click.exceptions import Exit, NoArgsIsHelpError

    from punto.cli.app import app

    try:
        with app.make_context("punto", list(arguments)) as context:
            status = app.invoke(context)
        sys.stdout.flush()
    except Exit as done:
        return done.exit_code
    except NoArgsIsHelpError as error:
        sys.stdout.write(error.format_message() + "\n")
        return 0
    except PuntoError as error:
        return report(error, arguments)
    except ClickException as error:
        return report(BadUsage(error.format_message()), arguments)
    except (KeyboardInterrupt, EOFError):
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever was reading has gone: point stdout at nothing, so that the interpreter can flush it in peace.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if "PUNTO_DEBUG" in os.environ:
            raise
        kind = type(error).__name__
        return report(PuntoError(f"internal error ({kind}: {error}); PUNTO_DEBUG=1 shows where"), arguments, INTERNAL)
    return status if isinstance(status, int) else 0


def report(error: PuntoError, arguments: list[str], status: int = BAD_INPUT) -> int:
    """Say what is wrong in one line: as JSON on standard output when JSON was asked for, else on standard error."""
    if "--json" in arguments:
        from punto.cli.wire import encode

        sys.stdout.write(encode(as_json(error)) + "\n")
    else:
        sys.stderr.write(f"punto: {one_line(error.message)}\n")
    return status


def as_json(error: PuntoError) -> dict[str, dict[str, str | int]]:
    """The one shape of an error."""
    shape: dict[str, str | int] = {"code": error.code, "message": one_line(error.message), "at": error.at}
    if isinstance(error, BadDeclaration):
        shape["column"] = error.column
    return {"error": shape}


def one_line(message: str) -> str:
    """The message without line ends, and without what cannot be printed."""
    return " ".join(message.encode("utf-8", "backslashreplace").decode().split())
