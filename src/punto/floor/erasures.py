"""A list of what was erased, kept outside the store: a copy of the store from before an erasure does not know of it.

Each line is the commitment to something that was erased. It says nothing any more to anybody who reads it.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from punto.errors import UnreadableFile, UnwritableFile
from punto.store.file import sync_folder

_NAME: Final = "erased"
_COMMITMENT: Final = re.compile("[0-9a-f]{64}")
# So many commitments are read at most, which is more than a casino keeps of all people in a lifetime.
_MOST: Final = 10_000_000


class Erasures:
    """The list in one folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _NAME

    def read(self) -> set[str]:
        """The commitments on the list; a line that is none, or was torn, is passed over."""
        try:
            with self._path.open(encoding="ascii", errors="replace") as file:
                found = {line.strip() for _, line in zip(range(_MOST), file, strict=False)}
        except FileNotFoundError:
            return set()
        except OSError as error:
            raise UnreadableFile(
                f"{self._path}: the list of what was erased cannot be read: {error.strerror}"
            ) from None
        return {line for line in found if _COMMITMENT.fullmatch(line)}

    def add(self, commitments: Iterable[str]) -> None:
        """Put commitments on the list that are not there, durably."""
        missing = sorted(set(commitments) - self.read())
        if not missing:
            return
        try:
            self._path.parent.mkdir(exist_ok=True)
            with self._path.open("ab") as file:
                # After a torn line the first of these begins a line of its own.
                file.write(b"\n" + "".join(f"{each}\n" for each in missing).encode())
                file.flush()
                os.fsync(file.fileno())
            sync_folder(self._path.parent)
        except OSError as error:
            raise UnwritableFile(f"{self._path}: what was erased cannot be noted there: {error.strerror}") from None
