"""Folders that things are kept in while a floor is open, on disks that can go away meanwhile."""

import os
from pathlib import Path
from typing import Final

_ANEW: Final = "was gone while the floor was open, and was made anew: is its disk mounted?"
_ANOTHER: Final = "was gone while the floor was open, and another folder is in its place: is its disk mounted?"


class Folder:
    """A folder that is made where it is not there, and that notices when it was lost after it was first used."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # How the lost folder is told, until the process ends; empty while none was lost.
        self.loss = ""
        self._used: os.stat_result | None = None

    @property
    def is_lost(self) -> bool:
        """Whether the folder that was used is not there any more."""
        return self._used is not None and not _is_same(self._used, self._found())

    def use(self) -> None:
        """See that it is there, before something is kept in it."""
        found = self._found()
        lost = self._used is not None and not _is_same(self._used, found)
        self.path.mkdir(parents=True, exist_ok=True)
        self._used = self.path.stat()
        if lost:
            self.loss = self.loss or (_ANOTHER if found else _ANEW)

    def _found(self) -> os.stat_result | None:
        try:
            return self.path.stat()
        except OSError:  # whoever uses it is told why
            return None


def _is_same(used: os.stat_result, found: os.stat_result | None) -> bool:
    return found is not None and os.path.samestat(used, found)
