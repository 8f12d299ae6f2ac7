"""A file system for SQLite that writes down every change to the disk, and passes it on to the real one."""

from collections.abc import Callable
from pathlib import Path

import apsw

from tests.torture.disk import Change, Cut, Made, Removed, Synced, Wrote

Note = Callable[[Change], None]


class RecordingVFS(apsw.VFS):
    """The real file system, each change to it noted."""

    def __init__(self, name: str, note: Note) -> None:
        super().__init__(name, "")
        self._note = note

    def xOpen(self, name: "str | apsw.URIFilename | None", flags: list[int]) -> "RecordingFile":  # noqa: N802
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        new = path is not None and not Path(path).exists()
        file = RecordingFile(name, flags, Path(path or "").name, self._note)
        if path and new:
            self._note(Made(Path(path).name))
        return file

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        self._note(Removed(Path(filename).name, bool(syncdir)))


class RecordingFile(apsw.VFSFile):
    """A real file, each change to it noted once it is made."""

    def __init__(self, opened: "str | apsw.URIFilename | None", flags: list[int], name: str, note: Note) -> None:
        super().__init__("", opened, flags)
        self._name = name
        self._note = note

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        super().xWrite(data, offset)
        self._note(Wrote(self._name, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        super().xTruncate(newsize)
        self._note(Cut(self._name, newsize))

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        self._note(Synced(self._name))
