"""Tails: the end of each writer's heads, kept outside the store after every transaction, before anybody is answered.

A folder also keeps a list of its tails. Without it, a tail that is gone would be missed by nobody: the store can lack
everything that a writer has signed since the last checkpoint, the writer itself among it.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp
from typing import Final, NamedTuple
from zlib import crc32

from punto.errors import UnwritableFile
from punto.proof.folders import Folder
from punto.proof.writers import HEADS
from punto.store.contract import Tip
from punto.store.file import sync_folder

try:
    import fcntl
except ImportError:  # no such locks on Windows
    fcntl = None  # type: ignore[assignment]

_TAIL: Final = "tail-"
_LIST: Final = "tails"
_LOCK: Final = ".tails.lock"
_FIRST_LINE: Final = "punto tails 1"
# A tail has a few places of one size, written in turn, so that a torn one never hides the one before it.
_PLACE: Final = 160
_PLACES: Final = 64
_BLANK: Final = b" " * _PLACE
# No store counts further.
_MOST: Final = 2**62


class Doubt(NamedTuple):
    """A tail that does not say where its writer's heads ended: it is gone, or cannot be read.

    *where* is its path, and *said* what is wrong with it. Of one that is only damaged, *last* is the last number that
    can be read, and *further* is how many later numbers may have stood in places that cannot be read. Without a
    *stream* it is the list of tails.
    """

    where: str
    stream: str
    said: str
    last: int = 0
    further: int = 0


class Tail:
    """Where the end of a writer's heads is kept; the file is made with the first of them, whole or not at all."""

    def __init__(self, folder: Path | Folder, writer: str) -> None:
        self._folder = folder if isinstance(folder, Folder) else Folder(folder)
        self.path = self._folder.path / f"{_TAIL}{writer}"
        self._writer = writer
        self._tails = Tails(self._folder.path)
        self._file: int | None = None

    def write(self, stream: str, head: Tip) -> None:
        """Keep the end of a writer's heads; when it returns, it is durable."""
        said = f"{stream} {head.version} {head.hash.hex()}"
        line = (f"{said} {crc32(said.encode()):08x}".ljust(_PLACE - 1) + "\n").encode()
        place = _PLACE * (head.version % _PLACES)
        try:
            if self._file is not None and _is_at(self._file, self.path):
                os.pwrite(self._file, line, place)
                os.fdatasync(self._file)
            else:
                self._make(line, place)
        except OSError as error:
            raise UnwritableFile(f"{self.path}: the tail cannot be kept there: {error.strerror}") from None

    def _make(self, line: bytes, place: int) -> None:
        self.close()
        self._folder.use()
        made, name = mkstemp(prefix=f".{_TAIL}", dir=self.path.parent)
        try:
            if fcntl is not None:  # whoever holds it still writes
                fcntl.flock(made, fcntl.LOCK_SH)
            os.pwrite(made, _BLANK * _PLACES, 0)
            os.pwrite(made, line, place)
            os.fsync(made)
            Path(name).replace(self.path)
            sync_folder(self.path.parent)
            # The list names a tail only once it is there.
            self._tails.add(self._writer)
        except BaseException:
            os.close(made)
            Path(name).unlink(missing_ok=True)
            raise
        self._file = made

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


class Tails:
    """The tails in a folder, and the list of them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._list = folder / _LIST

    def paths(self) -> list[Path]:
        """The files: each tail that is there, and the list."""
        return [*self._there().values(), self._list]

    def read(self) -> Iterator[tuple[str, Tip]]:
        """The end of each writer's heads, as far as it can be read."""
        for path in self._there().values():
            with suppress(OSError):
                said = _read(path.read_bytes())
                if said is not None:
                    yield said.stream, said.tip

    def doubts(self, *, listed: bool) -> Iterator[Doubt]:
        """The tails that are gone or damaged; *listed* where there must be a list."""
        try:
            named = self._named()
        except (OSError, ValueError):
            named = set()
            yield Doubt(str(self._list), "", "cannot be read")
        if named is None and listed:
            yield Doubt(str(self._list), "", "is gone")
        there = self._there()
        for writer, path in there.items():
            try:
                said = _read(path.read_bytes())
            except FileNotFoundError:  # it was covered by a checkpoint just now
                continue
            except OSError:
                said = None
            if said is None:
                yield Doubt(str(path), HEADS + writer, "cannot be read")
            elif said.further:
                yield Doubt(str(path), HEADS + writer, "is damaged", said.tip.version, said.further)
        gone = (named or set()) - there.keys()
        with suppress(OSError, ValueError):  # one that a checkpoint has covered meanwhile is not listed any more
            gone &= (self._named() if gone else None) or set()
        for writer in sorted(gone):
            yield Doubt(str(self._folder / f"{_TAIL}{writer}"), HEADS + writer, "is gone")

    def are_listed(self) -> bool:
        """Whether there is a list that can be read."""
        with suppress(OSError, ValueError):
            return self._named() is not None
        return False

    def add(self, writer: str) -> None:
        """Name one tail more in the list."""
        with self._locked():
            self._write({*self._known(), writer})

    def begin(self) -> None:
        """See that there is a list: from now on one that is gone is missed."""
        with self._locked():
            with suppress(ValueError):
                if self._named() is not None:
                    return
            self._write(self._there())

    def forget(self, covered: Mapping[str, Tip]) -> None:
        """Remove the tails of writers that have ended, and whose last heads a checkpoint covers."""
        with self._locked():
            known, there = self._known(), self._there()
            for writer in sorted(known | there.keys()):
                path = there.get(writer)
                if _is_covered(path, HEADS + writer, covered):
                    with _nobody_holds(path) as free:
                        if free:  # the list names a tail only as long as it is there
                            known.discard(writer)
                            self._write(known)
                            if path is not None:
                                path.unlink(missing_ok=True)

    def _there(self) -> dict[str, Path]:
        """The files of tails, by writer."""
        found = sorted(self._folder.glob(f"{_TAIL}*")) if self._folder.is_dir() else ()
        return {path.name.removeprefix(_TAIL): path for path in found}

    def _named(self) -> set[str] | None:
        """The writers that the list names; none where there is no list, `ValueError` where it does not read."""
        try:
            text = self._list.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        first, *writers, check, end = text.decode("ascii").split("\n")
        if end or [first, *writers, check] != _lines(writers):
            raise ValueError
        return set(writers)

    def _known(self) -> set[str]:
        """The writers that the list names; where it does not read, those whose tails are there."""
        with suppress(ValueError):
            named = self._named()
            if named is not None:
                return named
        return set(self._there())

    def _write(self, writers: Iterable[str]) -> None:
        replace(self._list, ("\n".join(_lines(sorted(writers))) + "\n").encode())

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Change the list while no other process does."""
        self._folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self._folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if fcntl is not None:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


class _Said(NamedTuple):
    """What a tail says: the greatest number that can be read, and how many greater ones may have stood there."""

    stream: str
    tip: Tip
    further: int


def _read(text: bytes) -> _Said | None:
    """What a tail says; none where not one of its places can be read."""
    best: tuple[str, Tip] | None = None
    torn: list[bool] = []
    for start in range(0, _PLACE * _PLACES, _PLACE):
        place = text[start : start + _PLACE]
        found = _read_place(place)
        torn.append(found is None and place != _BLANK)
        if found is not None and (best is None or found[1].version > best[1].version):
            best = found
    if best is None:
        return None
    # Numbers follow each other, so only the places right after the greatest one can have held greater ones.
    further = 0
    while torn[(best[1].version + 1 + further) % _PLACES]:
        further += 1
    return _Said(*best, further)


def _read_place(place: bytes) -> tuple[str, Tip] | None:
    """The end that a place names; none where it was not written whole."""
    stream, _, rest = place.decode("ascii", "replace").strip().partition(" ")
    with suppress(ValueError):
        number, hash_, check = rest.split(" ")
        if f"{crc32(f'{stream} {number} {hash_}'.encode()):08x}" == check and 0 < int(number) < _MOST:
            return stream, Tip(int(number), bytes.fromhex(hash_))
    return None


def _lines(writers: Iterable[str]) -> list[str]:
    """The list as lines, the last of which tells whether it is whole."""
    lines = [_FIRST_LINE, *writers]
    return [*lines, f"{crc32(chr(10).join(lines).encode()):08x}"]


def _is_covered(path: Path | None, stream: str, covered: Mapping[str, Tip]) -> bool:
    """Whether a checkpoint covers all that a tail names; of one that says nothing, all that its writer has signed."""
    said = None
    with suppress(FileNotFoundError):
        said = _read(path.read_bytes()) if path is not None else None
    if said is None:
        return stream in covered
    return said.stream in covered and said.tip.version <= covered[said.stream].version


@contextmanager
def _nobody_holds(path: Path | None) -> Iterator[bool]:
    """Whether no process holds a tail, and none does meanwhile."""
    if path is None:
        yield True
        return
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        yield True
        return
    try:
        free = True
        if fcntl is not None:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                free = False  # its writer is still there
        yield free
    finally:
        os.close(descriptor)


def _is_at(descriptor: int, path: Path) -> bool:
    """Whether an open file is still the one at a path."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except (FileNotFoundError, NotADirectoryError):
        return False


def replace(path: Path, content: bytes) -> None:
    """Put a file in the place of the one before, whole or not at all, and durably."""
    number, name = mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
