"""The tiles of the log of heads, kept as snapshots: from a few of them any proof over a long log is worked out.

Tiles need not be believed. Whoever builds a proof from them checks it against a signed root before handing it out.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from punto.proof.merkle import HASH_LENGTH, TILE_HEIGHT, TILE_WIDTH, Frontier, Supply, Tiles, tile_path, tree_root
from punto.store.contract import Snapshot

_PREFIX: Final = "headlog/"
_LEAVES: Final = "headlog/tile/0/"


class TileStore(Protocol):
    """As much of a store as tiles need."""

    def keep(self, stream: str, snapshot: Snapshot, /) -> None:
        """Keep a tile."""

    def snapshot(self, stream: str, /) -> Snapshot | None:
        """A tile, if it is kept."""


def tiles_of(store: TileStore) -> Tiles:
    """The tree, as far as its tiles are kept."""
    return Tiles(_supply(store))


def _supply(store: TileStore) -> Supply:
    read: dict[tuple[int, int], Sequence[bytes] | None] = {}  # one proof reads the same tile several times

    def supply(level: int, index: int) -> Sequence[bytes] | None:
        if (level, index) not in read:
            kept = store.snapshot(_PREFIX + tile_path(level, index))
            read[level, index] = _hashes(kept.body) if kept else None
        return read[level, index]

    return supply


def _hashes(body: bytes) -> list[bytes]:
    return [body[at : at + HASH_LENGTH] for at in range(0, len(body), HASH_LENGTH)]


class MemoryTiles:
    """Tiles that are worked out for a few proofs: of the lowest level only those with certain leaves."""

    def __init__(self, leaves: Iterable[int]) -> None:
        self._wanted = {_PREFIX + tile_path(0, leaf >> TILE_HEIGHT) for leaf in leaves}
        self._kept: dict[str, Snapshot] = {}

    def keep(self, stream: str, snapshot: Snapshot, /) -> None:
        """Keep a tile that a proof needs."""
        if stream in self._wanted or not stream.startswith(_LEAVES):
            self._kept[stream] = snapshot

    def snapshot(self, stream: str, /) -> Snapshot | None:
        """A tile, if a proof needs it."""
        return self._kept.get(stream)


class TileKeeper:
    """Gathers the leaves of the log as they are taken, and keeps its tiles when it is told to."""

    def __init__(self, store: TileStore) -> None:
        self._store = store
        # The last tile of each level, which is not full, and how many full ones are before it.
        self._rows: list[list[bytes]] = [[]]
        self._full: list[int] = [0]
        self._unkept: dict[tuple[int, int], list[bytes]] = {}

    @classmethod
    def restored(cls, store: TileStore, frontier: Frontier) -> "TileKeeper | None":
        """The keeper of a log that has come so far; none where its last tiles are not those of that log."""
        keeper = cls(store)
        supply = _supply(store)
        try:
            if Frontier.of(frontier.size, Tiles(supply).read) != frontier:
                return None
        except (LookupError, TypeError):
            return None
        rows: list[list[bytes]] = []
        full: list[int] = []
        size = frontier.size
        while size or not rows:
            tiles, width = divmod(size, TILE_WIDTH)
            tile = supply(len(rows), tiles) if width else ()
            if tile is None or len(tile) < width:
                return None
            rows.append(list(tile[:width]))
            full.append(tiles)
            size >>= TILE_HEIGHT
        keeper._rows, keeper._full = rows, full
        return keeper

    def add(self, leaf: bytes) -> None:
        """One leaf more."""
        level, hash_ = 0, leaf
        while True:
            if level == len(self._rows):
                self._rows.append([])
                self._full.append(0)
            row = self._rows[level]
            row.append(hash_)
            self._unkept[level, self._full[level]] = row
            if len(row) < TILE_WIDTH:
                return
            hash_ = tree_root(row)
            self._rows[level] = []
            self._full[level] += 1
            level += 1

    def keep(self) -> None:
        """Keep what has come since the last time: the leaves are those of a checkpoint that is on record."""
        for (level, index), row in self._unkept.items():
            self._store.keep(_PREFIX + tile_path(level, index), Snapshot(len(row), b"", b"".join(row)))
        self._unkept.clear()
