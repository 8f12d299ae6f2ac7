"""A simulated disk: what was written lies in its cache until it is synced, and a power failure takes its pick of that.

A sector that was not synced may come back as it was before, as it was written, torn in the middle, or rotten. Sectors
that were synced stay as they are.
"""

from random import Random
from typing import Final

from punto.errors import StoreGone

SECTOR: Final = 512


class DiskFull(Exception):
    """There is no more room: nothing was written."""


class SyncFailed(Exception):
    """The disk did not take what was written: nobody knows how much of it is there."""


class Disk:
    """One file on one disk."""

    def __init__(self) -> None:
        self._cache = bytearray()
        self._platter = bytearray()
        self._dirty: set[int] = set()
        # What goes wrong just now.
        self.is_full = False
        self.is_away = False
        self.failing_syncs = 0
        # Whether syncs are acknowledged and not made: a fault that is planted.
        self.lies = False
        self.syncs = 0
        self.lost_sectors = 0

    @property
    def size(self) -> int:
        """How long the file is."""
        return len(self._cache)

    def read(self, start: int, count: int) -> bytes:
        """What the file holds, as every process on the machine sees it."""
        self.check()
        return bytes(self._cache[start : start + count])

    def check(self) -> None:
        """Refuse while the disk does not answer."""
        if self.is_away:
            raise StoreGone("disk: does not answer: nothing was written")

    def write(self, start: int, data: bytes) -> None:
        """Write whole sectors into the cache."""
        assert start % SECTOR == len(data) % SECTOR == 0, "only whole sectors are written"
        self.check()
        end = start + len(data)
        if self.is_full and end > len(self._cache):
            raise DiskFull
        if end > len(self._cache):
            more = bytes(end - len(self._cache))
            self._cache += more
            self._platter += more
        self._cache[start:end] = data
        self._dirty.update(range(start // SECTOR, end // SECTOR))

    def sync(self) -> None:
        """Make durable what was written."""
        self.check()
        self.syncs += 1
        if self.failing_syncs:
            self.failing_syncs -= 1
            raise SyncFailed
        if self.lies:
            return
        for sector in self._dirty:
            place = slice(sector * SECTOR, (sector + 1) * SECTOR)
            self._platter[place] = self._cache[place]
        self._dirty.clear()

    def lose_power(self, chance: Random) -> None:
        """Whatever was not synced comes back in one way or another."""
        for sector in sorted(self._dirty):
            place = slice(sector * SECTOR, (sector + 1) * SECTOR)
            new, old = self._cache[place], self._platter[place]
            fate = chance.random()
            if fate < 0.5:
                self.lost_sectors += 1
                continue
            if fate < 0.65:
                torn = chance.randrange(SECTOR)
                new = new[:torn] + old[torn:]
            elif fate < 0.75:
                new[chance.randrange(SECTOR)] ^= 1 << chance.randrange(8)
            self._platter[place] = new
        self._dirty.clear()
        self._cache[:] = self._platter
