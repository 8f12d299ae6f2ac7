"""The Merkle tree of RFC 6962: one hash for a list that only grows, and short proofs about the list.

An inclusion proof shows that an entry is in the list; a consistency proof shows that a later list begins with an
earlier one. Proofs are built from the hashes of complete subtrees, which the caller supplies as `Read`. A check needs
only the proof and the roots; the answer to a wrong proof is False, never an exception.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple

HASH_LENGTH: Final = 32
# RFC 6962, 2.1: the root of a tree without leaves.
EMPTY_ROOT: Final = sha256().digest()
# The greatest size that other implementations can count to, and so the greatest that a proof may speak of.
LARGEST_SIZE: Final = 2**63 - 1
# A tree of the largest size has 63 levels, and a consistency proof may begin with one hash more.
LONGEST_PROOF: Final = 64
# Tiles are 2**8 hashes wide and 8 levels high.
TILE_HEIGHT: Final = 8
TILE_WIDTH: Final = 2**TILE_HEIGHT

# Read(level, index) is the hash of the complete subtree over the leaves from index * 2**level on, 2**level of them.
Read = Callable[[int, int], bytes]
# Supply(level, index) is a tile as far as it is filled; None where there is no such tile.
Supply = Callable[[int, int], Sequence[bytes] | None]


def leaf_hash(data: bytes) -> bytes:
    """The hash of an entry (RFC 6962, 2.1).

    >>> leaf_hash(b"").hex()[:16]
    '6e340b9cffb37a98'
    """
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node over its two children (RFC 6962, 2.1)."""
    return sha256(b"\x01" + left + right).digest()


def tree_root(leaves: Sequence[bytes]) -> bytes:
    """The root of a tree, all of whose leaves are there (RFC 6962, 2.1).

    >>> tree_root([leaf_hash(b"")]).hex()[:16]
    '6e340b9cffb37a98'
    """
    if not leaves:
        return EMPTY_ROOT
    level = list(leaves)
    while len(level) > 1:
        # A node without a neighbour moves up as it is, which is where the RFC splits the list.
        odd = level.pop() if len(level) % 2 else None
        level = [sha256(b"\x01" + left + right).digest() for left, right in zip(level[::2], level[1::2], strict=True)]
        if odd is not None:
            level.append(odd)
    return level[0]


class Frontier(NamedTuple):
    """All that a tree needs in order to grow: its size, and the roots of its complete subtrees, the largest first.

    A frontier is a plain tuple: `Frontier(*stored)` is the frontier again.

    >>> Frontier().append(leaf_hash(b"")).root().hex()[:16]
    '6e340b9cffb37a98'
    """

    size: int = 0
    peaks: tuple[bytes, ...] = ()

    @classmethod
    def of(cls, size: int, read: Read) -> "Frontier":
        """The frontier of a tree whose subtrees can be read."""
        return cls(size, tuple(_peaks(0, size, read)))

    def append(self, leaf: bytes) -> "Frontier":
        """The frontier with one leaf more."""
        peaks, joined, size = list(self.peaks), leaf, self.size
        while size & 1:
            joined = node_hash(peaks.pop(), joined)
            size >>= 1
        return Frontier(self.size + 1, (*peaks, joined))

    def root(self) -> bytes:
        """The root of the tree."""
        return _folded(self.peaks) if self.peaks else EMPTY_ROOT

    def is_sound(self) -> bool:
        """Whether a tree of this size can have these peaks: worth asking of a frontier that comes from a store."""
        return (
            _is_size(self.size)
            and isinstance(self.peaks, tuple)
            and len(self.peaks) == self.size.bit_count()
            and _are_hashes(self.peaks)
        )


def inclusion_proof(index: int, size: int, read: Read) -> tuple[bytes, ...]:
    """The proof that the leaf at *index* is in the tree of *size* leaves (RFC 6962, 2.1.1)."""
    assert 0 <= index < size, f"leaf {index} is not in a tree of {size} leaves"
    proof: list[bytes] = []
    begin, end = 0, size
    while end - begin > 1:
        middle = _middle(begin, end)
        if index < middle:
            proof.append(_span(middle, end, read))
            end = middle
        else:
            proof.append(_span(begin, middle, read))
            begin = middle
    return tuple(reversed(proof))


def consistency_proof(old: int, new: int, read: Read) -> tuple[bytes, ...]:
    """The proof that the tree of *new* leaves begins with the tree of *old* leaves (RFC 6962, 2.1.2).

    The proof is empty where nothing needs one: for two trees of one size, and from the empty tree.
    """
    assert 0 <= old <= new, f"a tree of {new} leaves does not begin with one of {old}"
    if old == 0:
        return ()
    proof: list[bytes] = []
    begin, end = 0, new
    while old != end:
        middle = _middle(begin, end)
        if old <= middle:
            proof.append(_span(middle, end, read))
            end = middle
        else:
            proof.append(_span(begin, middle, read))
            begin = middle
    if begin:  # otherwise the old root itself is the last hash, and whoever checks the proof has it
        proof.append(_span(begin, end, read))
    return tuple(reversed(proof))


def inclusion_length(index: int, size: int) -> int:
    """How many hashes the inclusion proof of a leaf has."""
    inner = (index ^ (size - 1)).bit_length()
    return inner + (index >> inner).bit_count()


def inclusion_root(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes | None:
    """The root that a proof leads to from a leaf of that hash at *index*; none where it can be no such proof."""
    if not (_is_size(index) and _is_size(size) and index < size and _are_proof(proof) and _are_hashes((leaf,))):
        return None
    # Below this height the leaf's subtree is complete, and its side is a bit of the index; above it the leaf lies at
    # the right edge of the tree, where a node has a sibling on its left or none.
    inner = (index ^ (size - 1)).bit_length()
    if len(proof) != inclusion_length(index, size):
        return None
    found = leaf
    for height, sibling in enumerate(proof):
        is_right = height >= inner or index >> height & 1
        found = node_hash(sibling, found) if is_right else node_hash(found, sibling)
    return found


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether the proof shows that a leaf of that hash is at *index* in the tree of *size* leaves with that root."""
    return _are_hashes((root,)) and inclusion_root(leaf, index, size, proof) == root


def verify_consistency(old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that the tree of *new* leaves begins with the tree of *old* leaves, given both roots."""
    if not (_is_size(old) and _is_size(new) and old <= new and _are_proof(proof) and _are_hashes((old_root, new_root))):
        return False
    if (old == 0 and old_root != EMPTY_ROOT) or (new == 0 and new_root != EMPTY_ROOT):
        return False
    if old in {0, new}:
        return not proof and (old == 0 or old_root == new_root)
    if not proof:
        return False
    # The proof climbs from the last complete subtree of the old tree: its root is the old root or the first hash.
    level = (old & -old).bit_length() - 1
    start, *siblings = proof if old != 1 << level else (old_root, *proof)
    last = (old - 1) >> level
    inner = (last ^ (new - 1 >> level)).bit_length()
    if len(siblings) != inner + (last >> inner).bit_count():
        return False
    before = after = start
    for height, sibling in enumerate(siblings):
        if height >= inner or last >> height & 1:
            before, after = node_hash(sibling, before), node_hash(sibling, after)
        else:
            after = node_hash(after, sibling)
    return before == old_root and after == new_root


@dataclass(frozen=True, slots=True)
class Leaves:
    """The hashes of all leaves, from which every subtree is worked out: for small trees."""

    hashes: Sequence[bytes]

    def read(self, level: int, index: int) -> bytes:
        """The hash of a complete subtree; `LookupError` where the leaves do not reach."""
        return _complete(self.hashes, index << level, 1 << level)


@dataclass(frozen=True, slots=True)
class Tiles:
    """The tree in tiles of 256 hashes (C2SP tlog-tiles).

    A tile of level 0 holds leaf hashes; each hash of a tile above stands for a full tile of the level below. The last
    tile of a level may be partial.
    """

    supply: Supply

    def read(self, level: int, index: int) -> bytes:
        """The hash of a complete subtree; `LookupError` where its tile is missing or too short."""
        tile_level, height = divmod(level, TILE_HEIGHT)
        tile_index, first = divmod(index << height, TILE_WIDTH)
        tile = self.supply(tile_level, tile_index)
        if tile is None:
            raise LookupError(f"tile {tile_index} of level {tile_level} is missing")
        return _complete(tile, first, 1 << height)


def tile_path(level: int, index: int, width: int = TILE_WIDTH) -> str:
    """Where a tile lies below the address of a log (C2SP tlog-tiles).

    >>> tile_path(0, 1234067), tile_path(1, 0, 17)
    ('tile/0/x001/x234/067', 'tile/1/000.p/17')
    """
    groups = [f"{index % 1000:03}"]
    while index := index // 1000:
        groups.insert(0, f"x{index % 1000:03}")
    return f"tile/{level}/{'/'.join(groups)}" + ("" if width == TILE_WIDTH else f".p/{width}")


def _middle(begin: int, end: int) -> int:
    """Where a tree is split: the left part is the largest power of two below its size."""
    return begin + (1 << (end - begin - 1).bit_length() - 1)


def _peaks(begin: int, end: int, read: Read) -> Iterable[bytes]:
    """The roots of the complete subtrees over these leaves, from left to right."""
    while begin < end:
        level = (end - begin).bit_length() - 1
        yield read(level, begin >> level)
        begin += 1 << level


def _span(begin: int, end: int, read: Read) -> bytes:
    """The root of the tree over these leaves."""
    return _folded(tuple(_peaks(begin, end, read)))


def _folded(peaks: Sequence[bytes]) -> bytes:
    root = peaks[-1]
    for peak in reversed(peaks[:-1]):
        root = node_hash(peak, root)
    return root


def _complete(hashes: Sequence[bytes], first: int, count: int) -> bytes:
    """The root over so many hashes, a power of two."""
    row = list(hashes[first : first + count])
    if len(row) != count:
        raise LookupError(f"hashes {first} to {first + count - 1} are needed, and there are {len(hashes)}")
    while len(row) > 1:
        row = [node_hash(left, right) for left, right in zip(row[::2], row[1::2], strict=True)]
    return row[0]


def _is_size(number: int) -> bool:
    return isinstance(number, int) and 0 <= number <= LARGEST_SIZE


def _are_hashes(hashes: Iterable[bytes]) -> bool:
    return all(isinstance(each, bytes) and len(each) == HASH_LENGTH for each in hashes)


def _are_proof(proof: Sequence[bytes]) -> bool:
    return isinstance(proof, Sequence) and len(proof) <= LONGEST_PROOF and _are_hashes(proof)
