"""Proofs over the log of heads: where a head is in it, that a checkpoint includes it, that one begins with another.

The store is not believed here. A checkpoint's note is verified by the floor's keys, and a proof against the roots of
such notes, before either is handed out.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from threading import Lock
from typing import Final, NamedTuple

from punto.errors import BadNote, BadSignature, Corrupt, NoSuchCheckpoint, WorkFailed
from punto.proof.consistency import Consistency
from punto.proof.headlog import (
    CHECKPOINTS,
    COSIGNATURES,
    Cosigned,
    HeadLog,
    Sequenced,
    floor_verifier,
    origin_of,
    read_cosigned,
    read_sequenced,
)
from punto.proof.merkle import Read, consistency_proof, inclusion_proof, leaf_hash, verify_consistency, verify_inclusion
from punto.proof.notes import Checkpoint, Note, open_note, parse_signatures
from punto.proof.receipts import Inclusion
from punto.proof.tiles import MemoryTiles, TileKeeper, TileStore, tiles_of
from punto.store.contract import Store

_MOST_KEPT: Final = 512
_MOST_LISTED: Final = 100
# More witnesses than any floor has.
_MOST_COSIGNED: Final = 50
_DAMAGED: Final = "the tiles of the log are damaged: no proof can be made from them"


class Taken(NamedTuple):
    """A checkpoint of the record: its place there, what it says, by which key of the floor, and what it took."""

    version: int
    at_ms: int
    checkpoint: Checkpoint
    key: str
    signature: bytes
    note: bytes
    took: Mapping[str, int]


class HeadPosition(NamedTuple):
    """A head by its writer's stream and its number, and its place in the log."""

    stream: str
    number: int
    place: int


class Proofs:
    """Proofs over the log of one store, by any thread."""

    def __init__(self, store: Store, floor_keys: tuple[str, ...]) -> None:
        self._store = store
        self._tiled: TileStore = store
        self.keys = floor_keys
        self._kept: dict[int, Taken] = {}
        self._lock = Lock()

    def taken(self, version: int) -> Taken:
        """A checkpoint of the record, whose note a key of the floor has signed."""
        with self._lock:
            found = self._kept.get(version)
        if found is None:
            entry = next(self._store.read(CHECKPOINTS, version - 1), None)
            if entry is None or entry.version != version:
                raise NoSuchCheckpoint(f"there is no checkpoint {version} on record")
            found = self._read(version, read_sequenced(entry.body))
            with self._lock:
                self._kept[version] = found
                if len(self._kept) > _MOST_KEPT:
                    del self._kept[next(iter(self._kept))]
        return found

    def _read(self, version: int, sequenced: Sequenced) -> Taken:
        raw = sequenced.note.encode()
        origin = sequenced.note.partition("\n")[0]
        for key in self.keys:
            try:
                opened = open_note(raw, [floor_verifier(key, origin)])
            except (BadNote, BadSignature):
                continue
            checkpoint = Checkpoint.parse(opened.text)
            return Taken(version, sequenced.at_ms, checkpoint, key, opened.verified[0].payload, raw, sequenced.took)
        raise Corrupt(f"{CHECKPOINTS}: entry {version} is no checkpoint that this floor has signed", version)

    def count(self) -> int:
        """How many checkpoints are on record."""
        return _end(self._store, CHECKPOINTS)

    def latest(self) -> Taken:
        """The newest checkpoint; `NoSuchCheckpoint` before the first."""
        return self.taken(self.count())

    def listed(self, count: int, before: int | None = None) -> Iterator[Taken]:
        """So many checkpoints, the newest first; with *before*, of those of fewer heads."""
        last = self.count() if before is None else self._first(lambda each: each.checkpoint.size >= before) - 1
        for version in range(last, max(0, last - min(count, _MOST_LISTED)), -1):
            yield self.taken(version)

    def of_size(self, size: int) -> Taken:
        """The checkpoint over so many heads."""
        version = self._first(lambda each: each.checkpoint.size >= size)
        found = self.taken(version) if version <= self.count() else None
        if found is None or found.checkpoint.size != size:
            raise NoSuchCheckpoint(f"no checkpoint has {size} heads: see /api/checkpoints")
        return found

    def _first(self, holds: Callable[[Taken], bool]) -> int:
        """The first checkpoint of which something holds that holds of all after it; one more than there are else."""
        low, high = 1, self.count() + 1
        while low < high:
            middle = (low + high) // 2
            if holds(self.taken(middle)):
                high = middle
            else:
                low = middle + 1
        return low

    def note(self, taken: Taken, believed: Store) -> bytes:
        """A checkpoint as a signed note, with the cosignatures that are on record of what is *believed*."""
        note = Note.parse(taken.note)
        low, high = 1, _end(believed, COSIGNATURES) + 1
        while low < high:
            middle = (low + high) // 2
            if _cosigned(believed, middle).size >= taken.checkpoint.size:
                high = middle
            else:
                low = middle + 1
        for entry in islice(believed.read(COSIGNATURES, low - 1), _MOST_COSIGNED):
            found = read_cosigned(entry.body)
            if found.size != taken.checkpoint.size:
                break
            note = note.add(parse_signatures("".join(found.lines)))
        return note.encode()

    @property
    def origin(self) -> str:
        """The name of the floor's log, which it keeps under every key."""
        return origin_of(self.keys[-1])

    # Proofs

    def position(self, stream: str, number: int) -> HeadPosition | None:
        """Where a head is in the log; none where no checkpoint covers it yet."""
        version = self._first(lambda each: each.took.get(stream, 0) >= number)
        if version > self.count():
            return None
        took = self.taken(version).took
        before = self.taken(version - 1) if version > 1 else None
        earlier = before.took if before else {}
        index = before.checkpoint.size if before else 0
        for each in sorted(took):
            if each == stream:
                break
            index += _heads(took[each]) - _heads(earlier.get(each, 0))
        return HeadPosition(stream, number, index + _heads(number) - 1 - _heads(earlier.get(stream, 0)))

    def inclusion(self, position: HeadPosition, statement: bytes, latest: Taken | None = None) -> Inclusion:
        """The proof that the newest checkpoint includes a head with that statement.

        `WorkFailed` where the tiles do not give it.
        """
        latest = latest or self.latest()
        size, index = latest.checkpoint.size, position.place
        try:
            path = inclusion_proof(index, size, self._tiles())
        except (LookupError, TypeError):  # a tile that is not there, or is none
            path = ()
        if not verify_inclusion(leaf_hash(statement), index, size, path, latest.checkpoint.root):
            raise WorkFailed(_DAMAGED)
        key, origin = latest.key, latest.checkpoint.origin
        log = b"" if origin == origin_of(key) else bytes.fromhex(origin.rpartition("/")[2])
        return Inclusion(size, index, path, bytes.fromhex(key), latest.signature, log)

    def consistency(self, since: int, to: int) -> Consistency:
        """The proof that one checkpoint begins with another; `WorkFailed` where the tiles do not give it."""
        if since > to:
            raise NoSuchCheckpoint(f"a log of {to} heads cannot begin with one of {since}: expected the smaller first")
        old, new = self.of_size(since).checkpoint, self.of_size(to).checkpoint
        try:
            proof = consistency_proof(since, to, self._tiles())
        except (LookupError, TypeError):
            proof = ()
        if not verify_consistency(since, to, old.root, new.root, proof):
            raise WorkFailed(_DAMAGED)
        return Consistency(since, to, proof)

    def _tiles(self) -> Read:
        return tiles_of(self._tiled).read

    def rebuilt(self, *leaves: int) -> "Proofs":
        """Proofs about these leaves from all heads, and not from tiles: that takes as long as the log is."""
        few = MemoryTiles(leaves)
        keeper = TileKeeper(few)
        log = HeadLog(note=keeper.add)
        for entry in self._store.read(CHECKPOINTS):
            log.take_up_to(self._store, read_sequenced(entry.body).took)
            keeper.keep()
        rebuilt = Proofs(self._store, self.keys)
        rebuilt._tiled = few
        return rebuilt


def _end(store: Store, stream: str) -> int:
    tip = store.tip(stream)
    return tip.version if tip else 0


def _cosigned(store: Store, version: int) -> Cosigned:
    return read_cosigned(next(store.read(COSIGNATURES, version - 1)).body)


def _heads(number: int) -> int:
    """How many heads a writer has up to a number: its first entry is its certificate."""
    return max(0, number - 1)
