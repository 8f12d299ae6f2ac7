"""Outposts: folders outside the store that keep its last checkpoint, and the end of what was acknowledged.

A folder on another disk survives what happens to the store. It holds `checkpoint`, the last signed note, and for each
writer a `tail`: after every transaction, before anybody is answered, the number and hash of its head. A store that has
lost acknowledged play lacks the head that the tail names.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from typing import Final
from zlib import crc32

from punto.errors import UnreadableFile, UnwritableFile
from punto.store.contract import Tip

try:
    import fcntl
except ImportError:  # no such locks on Windows
    fcntl = None  # type: ignore[assignment]

NOTE: Final = "checkpoint"
_TAIL: Final = "tail-"
# A tail has a few places of one size, written in turn, so that a torn one never hides the one before it.
_PLACE: Final = 160
_PLACES: Final = 64
# No store counts further.
_MOST: Final = 2**62


class Tail:
    """Where the end of a writer's heads is kept."""

    def __init__(self, folder: Path, writer: str) -> None:
        self.path = folder / f"{_TAIL}{writer}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            if fcntl is not None:  # whoever holds it still writes
                fcntl.flock(self._file, fcntl.LOCK_SH)
            os.pwrite(self._file, b" " * (_PLACE * _PLACES), 0)
            os.fsync(self._file)
            _sync(folder)
        except OSError as error:
            raise UnwritableFile(f"{folder}: the tail cannot be kept there: {error.strerror}") from None

    def write(self, stream: str, head: Tip) -> None:
        """Keep the end of a writer's heads; when it returns, it is durable."""
        said = f"{stream} {head.version} {head.hash.hex()}"
        line = f"{said} {crc32(said.encode()):08x}".ljust(_PLACE - 1) + "\n"
        try:
            os.pwrite(self._file, line.encode(), _PLACE * (head.version % _PLACES))
            os.fdatasync(self._file)
        except OSError as error:
            raise UnwritableFile(f"{self.path}: {error.strerror}") from None

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)


class Outpost:
    """A folder outside the store."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def check(self) -> None:
        """Refuse a folder in which nothing can be kept."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            number, name = mkstemp(prefix=".check.", dir=self.folder)
            os.close(number)
            Path(name).unlink()
        except OSError as error:
            raise UnwritableFile(f"{self.folder}: checkpoints cannot be kept there: {error.strerror}") from None

    def tail(self, writer: str) -> Tail:
        """Where the end of a writer's heads is kept from now on."""
        return Tail(self.folder, writer)

    def note(self) -> bytes | None:
        """The last checkpoint that is kept there; none where there is none."""
        try:
            return (self.folder / NOTE).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UnreadableFile(f"{self.folder / NOTE}: {error.strerror}") from None

    def publish(self, note: bytes) -> None:
        """Keep a checkpoint in place of the one before, whole or not at all."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            number, name = mkstemp(prefix=f".{NOTE}.", dir=self.folder)
            try:
                with os.fdopen(number, "wb") as file:
                    file.write(note)
                    file.flush()
                    os.fsync(file.fileno())
                Path(name).replace(self.folder / NOTE)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
            _sync(self.folder)
        except OSError as error:
            raise UnwritableFile(f"{self.folder}: a checkpoint cannot be kept there: {error.strerror}") from None

    def tails(self) -> Iterator[tuple[str, Tip]]:
        """The end of each writer's heads, as it was last kept."""
        for path in sorted(self.folder.glob(f"{_TAIL}*")) if self.folder.is_dir() else ():
            try:
                text = path.read_bytes()
            except OSError as error:
                raise UnreadableFile(f"{path}: {error.strerror}") from None
            yield from _last(text)

    def forget_tails(self, covered: Mapping[str, Tip]) -> None:
        """Remove the tails of writers that have ended, and whose last heads a checkpoint covers."""
        for path in self.folder.glob(f"{_TAIL}*"):
            try:
                ends = [*_last(path.read_bytes())]
                if all(stream in covered and tip.version <= covered[stream].version for stream, tip in ends):
                    _remove_unused(path)
            except OSError as error:
                raise UnwritableFile(f"{path}: {error.strerror}") from None

    def set_aside(self, at_ms: int) -> None:
        """Keep what is there under other names: a decision was recorded to go on without it."""
        for path in (self.folder / NOTE, *self.folder.glob(f"{_TAIL}*")):
            try:
                path.rename(path.with_name(f"aside-{at_ms}-{path.name}"))
            except FileNotFoundError:
                continue
            except OSError as error:
                raise UnwritableFile(f"{path}: cannot be set aside: {error.strerror}") from None


def _last(text: bytes) -> Iterator[tuple[str, Tip]]:
    """The greatest number among the places that were written whole."""
    best: tuple[str, Tip] | None = None
    for place in range(0, len(text), _PLACE):
        stream, _, rest = text[place : place + _PLACE].decode("ascii", "replace").strip().partition(" ")
        parts = rest.split(" ")
        with suppress(ValueError):
            number, hash_, check = parts
            if f"{crc32(f'{stream} {number} {hash_}'.encode()):08x}" == check:
                found = stream, Tip(int(number), bytes.fromhex(hash_))
                if 0 < found[1].version < _MOST and (best is None or found[1].version > best[1].version):
                    best = found
    if best is not None:
        yield best


def _remove_unused(path: Path) -> None:
    """Remove a tail that no process holds."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink(missing_ok=True)
    except BlockingIOError:
        pass  # its writer is still there
    finally:
        os.close(descriptor)


def _sync(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
