"""Outposts: folders outside the store that keep its last checkpoint, and the end of what was acknowledged.

A folder on another disk survives what happens to the store. It holds `checkpoint`, the last signed note, for each
writer a `tail`, and `tails`, the list of those. A store that has lost acknowledged play lacks the head that the tail
names; a tail that is lost itself is named by the list.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import mkstemp
from typing import Final

from punto.errors import UnreadableFile, UnwritableFile
from punto.proof.folders import Folder
from punto.proof.tails import Doubt, Tail, Tails, replace
from punto.store.contract import Tip

__all__ = ["NOTE", "Doubt", "Outpost", "Tail"]

NOTE: Final = "checkpoint"


class Outpost:
    """A folder outside the store."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._tails = Tails(folder)
        self._used = Folder(folder)

    @property
    def is_lost(self) -> bool:
        """Whether the folder is gone that this process has used."""
        return self._used.is_lost

    @property
    def loss(self) -> str:
        """How the folder was lost while this process used it; empty where it was not."""
        return self._used.loss

    def check(self) -> None:
        """Refuse a folder in which nothing can be kept."""
        try:
            self._used.use()
            number, name = mkstemp(prefix=".check.", dir=self.folder)
            os.close(number)
            Path(name).unlink()
        except OSError as error:
            raise UnwritableFile(f"{self.folder}: checkpoints cannot be kept there: {error.strerror}") from None

    def tail(self, writer: str) -> Tail:
        """Where the end of a writer's heads is kept from now on."""
        return Tail(self._used, writer)

    def note(self) -> bytes | None:
        """The last checkpoint that is kept there; none where there is none."""
        try:
            return (self.folder / NOTE).read_bytes()
        except FileNotFoundError:
            return None
        except IsADirectoryError:
            where = self.folder / NOTE
            raise UnreadableFile(
                f"{where}: a folder stands where the checkpoint file should be: move it away"
            ) from None
        except OSError as error:
            raise UnreadableFile(f"{self.folder / NOTE}: {error.strerror}") from None

    def publish(self, note: bytes) -> None:
        """Keep a checkpoint in place of the one before, whole or not at all."""
        try:
            self._used.use()
            self._tails.begin()  # a folder with a checkpoint has a list of its tails
            replace(self.folder / NOTE, note)
        except OSError as error:
            raise UnwritableFile(f"{self.folder}: a checkpoint cannot be kept there: {error.strerror}") from None

    def tails(self) -> Iterator[tuple[str, Tip]]:
        """The end of each writer's heads, as it was last kept; one that cannot be read is among the doubts."""
        return self._tails.read()

    def doubts(self) -> Iterator[Doubt]:
        """The tails that should be there and are gone, or cannot be read."""
        return self._tails.doubts(listed=(self.folder / NOTE).exists())

    def lists_tails(self) -> bool:
        """Whether there is a list of the tails."""
        return self._tails.are_listed()

    def forget_tails(self, covered: Mapping[str, Tip]) -> None:
        """Remove the tails of writers that have ended, and whose last heads a checkpoint covers."""
        try:
            self._tails.forget(covered)
        except OSError as error:
            raise UnwritableFile(f"{self.folder}: a tail cannot be removed there: {error.strerror}") from None

    def set_aside(self, at_ms: int) -> None:
        """Keep what is there under other names: a decision was recorded to go on without it."""
        # The checkpoint goes first: what is left without it needs no list.
        for path in (self.folder / NOTE, *self._tails.paths()):
            try:
                path.rename(path.with_name(f"aside-{at_ms}-{path.name}"))
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                raise UnwritableFile(f"{path}: cannot be set aside: {error.strerror}") from None
