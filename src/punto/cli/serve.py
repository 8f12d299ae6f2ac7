"""`punto serve`: a floor in the browser."""

import os
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import click
from rich.console import Console
from rich.text import Text

from punto.cli.entry import BAD_INPUT, one_line
from punto.cli.files import read_text
from punto.cli.ink import MONEY, QUIET
from punto.errors import Corrupt, StreamStopped, UnwritableFile
from punto.rules import Position
from punto.server.app import Server
from punto.server.config import FloorConfig, demonstration
from punto.server.floorfile import Mistake, read_exclusions, read_floor
from punto.server.http.pages import without_pages
from punto.server.serving import record_of, serve

MOST_SHOWN: Final = 20
_STAFF: Final = (
    ("Dealer", Position.DEALER),
    ("Pit supervisor", Position.PIT_SUPERVISOR),
    ("Pit manager", Position.PIT_MANAGER),
    ("Gaming shift manager", Position.GAMING_SHIFT_MANAGER),
)


def run_file(name: str, *, check: bool) -> int:
    """Serve the floor that a file declares, until it is stopped; or only say what is wrong with the file."""
    read = read_floor(read_text(name), Path(name).resolve().parent, time.time_ns() // 1_000_000)
    if read.config is None:
        return _show_mistakes(name, read.mistakes)
    if read.config.exclusions:
        _, mistakes = read_exclusions(read_text(read.config.exclusions))
        if mistakes:
            return _show_mistakes(os.path.relpath(read.config.exclusions), mistakes)
    if check:
        click.echo(f"{name}: a floor of {_tables(read.config)}, {read.config.address}")
        return 0
    with _saying_how(shlex.quote(name)):
        closed = serve(read.config, _tell_floor)
    _close_with(closed)
    return 0


def _show_mistakes(name: str, mistakes: tuple[Mistake, ...]) -> int:
    """Each mistake in a line, as compilers have it."""
    for mistake in mistakes[:MOST_SHOWN]:
        click.echo(one_line(f"{name}:{mistake.line}: {mistake.key}: {mistake.said}"), err=True)
    if len(mistakes) > MOST_SHOWN:
        click.echo(f"{name}: and {len(mistakes) - MOST_SHOWN} more", err=True)
    return BAD_INPUT


def run_demonstration(folder: str | None, port: int, *, fresh: bool) -> int:
    """Serve a demonstration floor until it is stopped."""
    kept = (
        Path(mkdtemp(prefix="punto-"))
        if fresh
        else Path(folder).absolute()
        if folder
        else user_data() / "demonstration"
    )
    try:
        kept.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnwritableFile(f"{kept}: a floor cannot be kept there: {error.strerror}") from None
    with _saying_how(shlex.quote(str(kept))):
        closed = serve(demonstration(kept, port), partial(_tell_demonstration, port), other_ports=True)
    _close_with(closed)
    return 0


# Names the command in the message of a fault about which somebody can decide.
_DECISION: Final = "'punto accept'"

# What of the record every floor must be able to read.
_IDENTITY: Final = "identity/"
_WITHOUT_IDENTITY: Final = (
    "it is about who works here and with which terminals, and no floor opens without that: put the entries back from a "
    "copy (docs/repair.md)"
)


@contextmanager
def _saying_how(floor: str) -> Iterator[None]:
    """What keeps a floor from opening before somebody decides is said with the command that records the decision."""
    try:
        yield
    except StreamStopped as error:
        if not error.message.startswith(_IDENTITY):
            raise
        raise StreamStopped(f"{error.message}; {_WITHOUT_IDENTITY}", error.at) from None
    except Corrupt as error:
        if _DECISION not in error.message:
            raise
        raise type(error)(f"{error.message} (here: punto accept {floor} --by NAME --reason TEXT)", error.at) from None


def user_data() -> Path:
    """Where this system keeps what belongs to a user's programs."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "Punto"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Punto"
    told = Path(os.environ.get("XDG_DATA_HOME", ""))  # one that is not absolute is to be ignored, says its standard
    return (told if told.is_absolute() else Path.home() / ".local" / "share") / "punto"


async def _tell_floor(server: Server) -> None:
    config = server.config
    _warn_of_pages()
    click.echo(f"{config.name} is open at {config.address}: {_tables(config)}", err=True)
    if marked := _marked(config):
        click.echo(marked, err=True)


async def _tell_demonstration(wanted: int, server: Server) -> None:
    """The address, and for each position of staff a link that lets one person in."""
    address, port = server.config.address, server.config.port
    _warn_of_pages()
    out = Console(stderr=True, highlight=False, emoji=False, markup=False, soft_wrap=True)
    out.print(Text.assemble("\n", ("Punto", MONEY), " is open at ", (address, "bold")))
    if wanted not in {0, port}:
        out.print(Text(f"Port {wanted} is taken by another process, so this is {port}.", QUIET))
    out.print()
    out.print(_line("Patrons", f"{address}/"))
    for name, position in _STAFF:
        out.print(_line(name, f"{address}/enter/{server.identity.link(name, position)}"))
    out.print(Text("\n" + _marked(server.config), QUIET))
    out.print(Text("Play credits only. A link of staff lets one person in, once. Ctrl-C closes the floor.", QUIET))


def _marked(config: FloorConfig) -> str:
    """Which tables have demonstration rules; nothing where none has."""
    keys = [table.key for table in config.tables if table.setup.demonstration]
    if not keys:
        return ""
    where = f"table {keys[0]}" if len(keys) == 1 else f"tables {', '.join(keys)}"
    return f"Demonstration rules at {where}: virtual cards, where the rulebook has a dealing device."


def _tables(config: FloorConfig) -> str:
    many = len(config.tables)
    return f"{many} tables" if many > 1 else "1 table"


def _line(who: str, link: str) -> Text:
    return Text.assemble("  ", (f"{who:<22}", QUIET), link)


def _warn_of_pages() -> None:
    if missing := without_pages():
        click.echo(f"punto: {missing.message}", err=True)


def _close_with(config: FloorConfig) -> None:
    click.echo(f"the floor is closed; its record is in {record_of(config)}", err=True)
