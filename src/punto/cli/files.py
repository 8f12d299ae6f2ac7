"""Files that a person names on the command line: read whole, or refused in one line."""

import codecs
import re
import sys
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import NamedTuple, cast

from punto.errors import BadDeclaration, UnknownGame, UnreadableFile, UnwritableFile
from punto.games import find, loads
from punto.rules import Game

_PROBE = 1 << 16
_ADDRESS = re.compile(r"(memory|sqlite|postgres|postgresql):")
_PASSWORD = re.compile(r"(://[^:/@]*):.*@")
_WORD_AFTER = re.compile(r"(password=)[^&]*")
_MEGABYTE = 1_000_000
LONGEST_LINE = 1 << 16
# No file that is read whole is longer: one that never ends, such as a device, is refused after so many bytes.
LONGEST_FILE = 16_000_000
# Neither a receipt, a checkpoint, a proof nor the text of a shoe is longer.
LONGEST_PROOF = 1_000_000


def game_named(name: str, where: str = "argument 1") -> Game:
    """The game with that key, or the one that a FILE.toml declares."""
    try:
        return loads(read_text(name)) if name.lower().endswith(".toml") else find(name)
    except UnknownGame as error:
        raise UnknownGame(f"{where}: {error.message}") from None
    except BadDeclaration as error:
        raise BadDeclaration(f"{name}: {error.message}", error.at, error.column) from None


def read_text(name: str, longest: int = LONGEST_FILE) -> str:
    """The text of a file, or of a pipe, that has no more bytes than that."""
    with open_binary(name) as file:
        try:
            content = file.read(longest + 1)
        except OSError as error:
            raise _unreadable(name, error) from None
    if len(content) > longest:
        raise UnreadableFile(f"{name}: is longer than {longest:,} bytes: expected a shorter file", longest + 1)
    return as_text(name, content)


def check_free(folder: Path) -> None:
    """Refuse a folder in which there is something already."""
    try:
        there = any(folder.iterdir())
    except FileNotFoundError:
        return
    except OSError as error:
        raise UnwritableFile(f"{folder}: {error.strerror}: expected a folder that is empty, or none") from None
    if there:
        raise UnwritableFile(f"{folder}: not empty: expected an empty folder, or one that does not exist yet")


def file_size(size: int) -> str:
    """How large a file is.

    >>> file_size(900), file_size(45_678), file_size(1_234_567)
    ('1 kB', '46 kB', '1.2 MB')
    """
    return f"{size / 1e6:,.1f} MB" if size >= _MEGABYTE else f"{max(1, round(size / 1e3))} kB"


def without_password(address: str) -> str:
    """An address as it was given, fit for a message.

    >>> without_password("postgresql://ann:secret@127.0.0.1/floor?password=secret")
    'postgresql://ann@127.0.0.1/floor?password=…'
    """
    return _WORD_AFTER.sub(r"\1…", _PASSWORD.sub(r"\1@", address))


def is_address(name: str) -> bool:
    """Whether it is the address of a store, and no path."""
    return _ADDRESS.match(name) is not None and not Path(name).exists()


def open_binary(name: str) -> BufferedReader:
    """The file, opened; `-` is standard input."""
    if name == "-":
        return cast("BufferedReader", sys.stdin.buffer)
    if is_address(name):
        raise UnreadableFile(f"{without_password(name)} is the address of a store: expected a file")
    try:
        return Path(name).open("rb")
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from None


def as_text(name: str, content: bytes) -> str:
    """The content as text, if it is any: UTF-8 without NUL bytes."""
    nul = content.find(b"\0")
    if nul >= 0:
        raise UnreadableFile(f"{name}: byte {nul + 1} is NUL, a binary file: expected text", nul + 1)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = error.start + 1
        raise UnreadableFile(f"{name}: byte {at} is not UTF-8: expected text", at) from None


class Line(NamedTuple):
    """A line of a file: its beginning, and whether that is all of it."""

    content: bytes
    whole: bool


def lines_of(name: str) -> Iterator[Line]:
    """The lines of a file as they come; a file that begins like a binary one is refused before the first."""
    with open_binary(name) as file:
        try:
            _check_beginning(name, file.peek(_PROBE)[:_PROBE])
            while content := file.readline(LONGEST_LINE):
                rest = content
                while len(rest) == LONGEST_LINE and not rest.endswith(b"\n"):
                    rest = file.readline(LONGEST_LINE)
                yield Line(content, rest is content)
        except OSError as error:
            raise _unreadable(name, error) from None


def _check_beginning(name: str, head: bytes) -> None:
    """Refuse a file that has a NUL early on, or not one line of text."""
    lines = head.split(b"\n")
    if b"\0" in head or not any(_is_text(line) for line in lines[:-1] or lines):
        as_text(name, head)


def _is_text(line: bytes) -> bool:
    """Whether the line is UTF-8, but for a last letter that may be cut short."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(line)
    except UnicodeDecodeError:
        return False
    return True


def _unreadable(name: str, error: OSError | ValueError) -> UnreadableFile:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return UnreadableFile(f"{name}: cannot be read: {reason}: expected a text file")
