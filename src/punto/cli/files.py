"""Files that a person names on the command line: read whole, or refused in one line."""

import codecs
import sys
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import cast

from punto.errors import BadDeclaration, UnknownGame, UnreadableFile
from punto.games import find, loads
from punto.rules import Game

_PROBE = 1 << 16
_LONGEST_LINE = 4096


def game_named(name: str) -> Game:
    """The game with that key, or the one that a FILE.toml declares."""
    try:
        return loads(read_text(name)) if name.lower().endswith(".toml") else find(name)
    except UnknownGame as error:
        raise UnknownGame(f"argument 1: {error.message}") from None
    except BadDeclaration as error:
        raise BadDeclaration(f"{name}: {error.message}", error.at, error.column) from None


def read_text(name: str) -> str:
    """The text of a file."""
    with open_binary(name) as file:
        try:
            content = file.read()
        except OSError as error:
            raise _unreadable(name, error) from None
    return as_text(name, content)


def open_binary(name: str) -> BufferedReader:
    """The file, opened; `-` is standard input."""
    if name == "-":
        return cast("BufferedReader", sys.stdin.buffer)
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


def lines_of(name: str) -> Iterator[bytes]:
    """The lines of a file as they come; a file that begins like a binary one is refused before the first.

    Of a line longer than any deal only the first words are kept, which is enough to refuse it.
    """
    with open_binary(name) as file:
        try:
            _check_beginning(name, file)
            while line := file.readline(_LONGEST_LINE):
                rest = line
                while len(rest) == _LONGEST_LINE and not rest.endswith(b"\n"):
                    rest = file.readline(_LONGEST_LINE)
                yield line if rest is line else line[: line.rfind(b" ") + 1]
        except OSError as error:
            raise _unreadable(name, error) from None


def _check_beginning(name: str, file: BufferedReader) -> None:
    """Refuse a file that has a NUL early on, or whose first line is no text; pass over a byte order mark."""
    head = file.peek(_PROBE)[:_PROBE]
    if b"\0" in head:
        as_text(name, head)
    as_text(name, head.split(b"\n")[0][:_LONGEST_LINE])
    if head.startswith(codecs.BOM_UTF8):
        file.read(len(codecs.BOM_UTF8))


def _unreadable(name: str, error: OSError | ValueError) -> UnreadableFile:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return UnreadableFile(f"{name}: cannot be read: {reason}: expected a text file")
