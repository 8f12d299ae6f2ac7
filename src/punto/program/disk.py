"""Reading files so that what is said of them holds: no link goes unseen, and no file that changes is believed."""

import hashlib
import os
import stat
from collections.abc import Iterator
from typing import Final, NamedTuple

from punto.program.differences import Word

_BLOCK: Final = 1 << 18
_TRIES: Final = 3
_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class Unmeasured(Exception):
    """A file of which no digest can be had, and why."""

    def __init__(self, word: Word, said: str) -> None:
        super().__init__(said)
        self.word = word
        self.said = said


class Entry(NamedTuple):
    """Something in a folder: its path on disk, and its path from where the walk began."""

    path: str
    name: str
    is_link: bool


def digest_of(path: str, algorithm: str = "sha256") -> bytes:
    """The digest of a file, links followed; a file that changes meanwhile is read again, a few times."""
    for _ in range(_TRIES):
        try:
            digest = _read_once(path, algorithm)
        except OSError as error:
            raise Unmeasured(Word.UNREADABLE, error.strerror or str(error)) from None
        if digest is not None:
            return digest
    raise Unmeasured(Word.UNSTEADY, "it changed each time while it was being read")


def _read_once(path: str, algorithm: str) -> bytes | None:
    descriptor = os.open(path, _FLAGS)
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise Unmeasured(Word.UNREADABLE, "no plain file")
        hashed, left = hashlib.new(algorithm), before.st_size
        while left >= 0 and (block := os.read(descriptor, _BLOCK)):  # one that grows all the time would never end
            hashed.update(block)
            left -= len(block)
        same = _stamp(before) == _stamp(os.fstat(descriptor)) == _stamp(os.stat(path))
        return hashed.digest() if same else None
    finally:
        os.close(descriptor)


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    return status.st_ino, status.st_size, status.st_mtime_ns


def walk(folder: str, name: str) -> Iterator[Entry]:
    """All that is below a folder, but the folders themselves; one that cannot be read is there under its own name.

    No link to a folder is followed: it comes as what it is.
    """
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda each: each.name)
    except OSError:
        yield Entry(folder, name, is_link=False)
        return
    for entry in entries:
        path, below = entry.path, f"{name}/{entry.name}" if name else entry.name
        if entry.is_dir(follow_symlinks=False):
            yield from walk(path, below)
        else:
            yield Entry(path, below, entry.is_symlink())
