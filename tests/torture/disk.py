"""A disk that forgets: what is certain to be on it, and what a power cut may take back or tear.

A write is certain once its file was synced after it. Until then any of its sectors may be on the disk, or not, in any
order. A new file's name is certain once the file was synced, for SQLite then syncs its folder as well; a removed file
may come back as long as its folder was not synced.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import NamedTuple


class Made(NamedTuple):
    """A file was made."""

    name: str


class Wrote(NamedTuple):
    """Bytes were written."""

    name: str
    offset: int
    data: bytes


class Cut(NamedTuple):
    """A file was made shorter, or longer."""

    name: str
    size: int


class Synced(NamedTuple):
    """A file was synced."""

    name: str


class Removed(NamedTuple):
    """A file was removed; *certain* when its folder was synced."""

    name: str
    certain: bool


Change = Made | Wrote | Cut | Synced | Removed


@dataclass
class _File:
    data: bytearray = field(default_factory=bytearray)
    loose: list[Wrote | Cut] = field(default_factory=list)
    # Whether its name is certain to be in the folder, and still is; and which file had the name before.
    named: bool = False
    removed: bool = False
    former: "_File | None" = None

    def settle(self) -> None:
        for change in self.loose:
            _apply(self.data, change)
        self.loose.clear()
        self.named = True
        self.former = None

    def survivor(self, chance: Random) -> "_File | None":
        """The file that has the name when the power comes back, if any has."""
        if (self.named and not self.removed) or chance.random() < 0.5:
            return self
        return self.former.survivor(chance) if self.former else None


class Disk:
    """Files as changes make them."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self._files = {name: _File(bytearray(data), named=True) for name, data in files.items()}

    def change(self, change: Change) -> None:
        """One more change."""
        match change:
            case Made(name):
                self._files[name] = _File(former=self._files.get(name))
            case Synced(name):
                self._files[name].settle()
            case Removed(name, certain):
                if certain:
                    del self._files[name]
                else:
                    self._files[name].removed = True
            case Wrote(name) | Cut(name):
                # A file that was there before anything was noted has its name.
                self._files.setdefault(name, _File(named=True)).loose.append(change)

    @property
    def loose(self) -> int:
        """How many changes are not certain yet."""
        return sum(len(file.loose) for file in self._files.values())

    def after_power_cut(self, chance: Random) -> dict[str, bytes]:
        """The files as they may be when the power comes back."""
        sector = chance.choice((512, 4096))
        share = chance.choice((0.0, 1.0, chance.random(), chance.random()))
        left = {name: file.survivor(chance) for name, file in self._files.items()}
        return {name: _torn(file, chance, sector, share) for name, file in left.items() if file}


def _torn(file: _File, chance: Random, sector: int, share: float) -> bytes:
    """What was certain, and of the rest some sectors."""
    data = bytearray(file.data)
    for change in file.loose:
        if isinstance(change, Cut):
            if chance.random() < share:
                _apply(data, change)
            continue
        for part in _sectors(change, sector):
            if chance.random() < share:
                _apply(data, part)
    return bytes(data)


def _sectors(write: Wrote, sector: int) -> list[Wrote]:
    """The parts of a write that lie in one sector each."""
    end = write.offset + len(write.data)
    edges = [write.offset, *range(write.offset - write.offset % sector + sector, end, sector), end]
    return [
        Wrote(write.name, start, write.data[start - write.offset : stop - write.offset])
        for start, stop in pairwise(edges)
    ]


def _apply(data: bytearray, change: Wrote | Cut) -> None:
    if isinstance(change, Cut):
        del data[change.size :]
        data.extend(bytes(change.size - len(data)))
        return
    data.extend(bytes(max(0, change.offset - len(data))))
    data[change.offset : change.offset + len(change.data)] = change.data
