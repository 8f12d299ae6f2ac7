import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.marks import ROOT

from punto.proof import (
    EMPTY_ROOT,
    Frontier,
    Leaves,
    Tiles,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    node_hash,
    tile_path,
    verify_consistency,
    verify_inclusion,
)

PUBLISHED = tomllib.loads((ROOT / "tests" / "golden" / "proof" / "trees.toml").read_text())
PUBLISHED_LEAVES = Leaves([leaf_hash(bytes.fromhex(leaf)) for leaf in PUBLISHED["leaves"]])
PUBLISHED_ROOTS = [bytes.fromhex(root) for root in PUBLISHED["roots"]]

MOST = 70
HASHES = [leaf_hash(b"leaf %d" % number) for number in range(MOST)]
LEAVES = Leaves(HASHES)
STRANGE = sha256(b"strange").digest()


# The definitions of RFC 6962, 2.1, word for word: MTH, PATH and PROOF.
@cache
def tree(begin: int, end: int) -> bytes:
    if end - begin == 0:
        return sha256().digest()
    if end - begin == 1:
        return HASHES[begin]
    middle = begin + half(end - begin)
    return sha256(b"\1" + tree(begin, middle) + tree(middle, end)).digest()


def half(count: int) -> int:
    power = 1
    while power * 2 < count:
        power *= 2
    return power


def path(index: int, begin: int, end: int) -> list[bytes]:
    if end - begin == 1:
        return []
    middle = begin + half(end - begin)
    if index < middle - begin:
        return [*path(index, begin, middle), tree(middle, end)]
    return [*path(index - (middle - begin), middle, end), tree(begin, middle)]


def subproof(old: int, begin: int, end: int, *, is_known: bool) -> list[bytes]:
    if old == end - begin:
        return [] if is_known else [tree(begin, end)]
    middle = begin + half(end - begin)
    if old <= middle - begin:
        return [*subproof(old, begin, middle, is_known=is_known), tree(middle, end)]
    return [*subproof(old - (middle - begin), middle, end, is_known=False), tree(begin, middle)]


def unhexed(hashes: Sequence[str]) -> tuple[bytes, ...]:
    return tuple(map(bytes.fromhex, hashes))


def flipped(data: bytes) -> Iterator[bytes]:
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        yield bytes(changed)


def test_the_roots_are_those_that_certificate_transparency_publishes() -> None:
    frontier = Frontier()
    assert [frontier.root()] == PUBLISHED_ROOTS[:1] == [EMPTY_ROOT]
    for leaf, root in zip(PUBLISHED_LEAVES.hashes, PUBLISHED_ROOTS[1:], strict=True):
        frontier = frontier.append(leaf)
        assert frontier.root() == root


@pytest.mark.parametrize("case", PUBLISHED["inclusion"])
def test_the_inclusion_proofs_are_those_that_are_published(case: dict[str, object]) -> None:
    match case:
        case {"index": int(index), "size": int(size), "proof": list(proof)}:
            assert inclusion_proof(index, size, PUBLISHED_LEAVES.read) == unhexed(proof)
            leaf, root = PUBLISHED_LEAVES.hashes[index], PUBLISHED_ROOTS[size]
            assert verify_inclusion(leaf, index, size, unhexed(proof), root)


@pytest.mark.parametrize("case", PUBLISHED["consistency"])
def test_the_consistency_proofs_are_those_that_are_published(case: dict[str, object]) -> None:
    match case:
        case {"old": int(old), "new": int(new), "proof": list(proof)}:
            assert consistency_proof(old, new, PUBLISHED_LEAVES.read) == unhexed(proof)
            assert verify_consistency(old, new, PUBLISHED_ROOTS[old], PUBLISHED_ROOTS[new], unhexed(proof))


def test_a_frontier_has_the_root_of_the_definition_at_every_size() -> None:
    frontier = Frontier()
    for size in range(MOST + 1):
        assert frontier == Frontier.of(size, LEAVES.read)
        assert frontier.root() == tree(0, size)
        assert frontier.is_sound()
        if size < MOST:
            frontier = frontier.append(HASHES[size])


def test_a_frontier_is_stored_as_a_plain_tuple() -> None:
    frontier = Frontier.of(13, LEAVES.read)
    size, peaks = frontier
    assert (size, peaks) == (13, (tree(0, 8), tree(8, 12), HASHES[12]))
    assert Frontier(size, peaks).append(HASHES[13]).root() == tree(0, 14)


@pytest.mark.parametrize(
    "stored",
    [(-1, ()), (1, ()), (2, (STRANGE, STRANGE)), (1, (b"short",)), ("1", (STRANGE,)), (1, [STRANGE]), (1, (7,))],
)
def test_a_frontier_that_no_tree_has_is_not_sound(stored: tuple[int, tuple[bytes, ...]]) -> None:
    assert not Frontier(*stored).is_sound()


def test_every_inclusion_proof_is_that_of_the_definition_and_holds_for_its_place_alone() -> None:
    for size in range(1, MOST + 1):
        root = tree(0, size)
        for index in range(size):
            proof = inclusion_proof(index, size, LEAVES.read)
            assert list(proof) == path(index, 0, size)
            assert verify_inclusion(HASHES[index], index, size, proof, root)
            assert verify_inclusion(HASHES[index], index, size, list(proof), root)
            for other in {0, index - 1, index + 1, index ^ 2, size - 1, size} - {index}:
                assert not verify_inclusion(HASHES[index], other, size, proof, root)


def test_every_consistency_proof_is_that_of_the_definition() -> None:
    for new in range(MOST + 1):
        for old in range(new + 1):
            proof = consistency_proof(old, new, LEAVES.read)
            assert list(proof) == (subproof(old, 0, new, is_known=True) if old else [])
            assert verify_consistency(old, new, tree(0, old), tree(0, new), proof)
            assert not verify_consistency(old, new, STRANGE, tree(0, new), proof)
            # From nothing everything follows, so the new root needs no proof.
            assert verify_consistency(old, new, tree(0, old), STRANGE, proof) is (old == 0 < new)


@pytest.mark.parametrize(("index", "size"), [(0, 1), (0, 2), (5, 8), (6, 7), (31, 37), (36, 37), (64, 70)])
def test_no_flipped_bit_of_an_inclusion_proof_goes_unseen(index: int, size: int) -> None:
    proof, root = inclusion_proof(index, size, LEAVES.read), tree(0, size)
    assert not any(verify_inclusion(leaf, index, size, proof, root) for leaf in flipped(HASHES[index]))
    assert not any(verify_inclusion(HASHES[index], index, size, proof, other) for other in flipped(root))
    for place, hash_ in enumerate(proof):
        for other in flipped(hash_):
            changed = (*proof[:place], other, *proof[place + 1 :])
            assert not verify_inclusion(HASHES[index], index, size, changed, root)


@pytest.mark.parametrize(("old", "new"), [(1, 2), (4, 7), (6, 8), (7, 8), (37, 70), (64, 65)])
def test_no_flipped_bit_of_a_consistency_proof_goes_unseen(old: int, new: int) -> None:
    proof, before, after = consistency_proof(old, new, LEAVES.read), tree(0, old), tree(0, new)
    assert not any(verify_consistency(old, new, other, after, proof) for other in flipped(before))
    assert not any(verify_consistency(old, new, before, other, proof) for other in flipped(after))
    for place, hash_ in enumerate(proof):
        for other in flipped(hash_):
            assert not verify_consistency(old, new, before, after, (*proof[:place], other, *proof[place + 1 :]))


def wrong_lengths(proof: tuple[bytes, ...], root: bytes) -> list[tuple[bytes, ...]]:
    """The proof with a hash more or less, or with a hash that is longer or shorter."""
    return [
        *[(*proof[:place], *proof[place + 1 :]) for place in range(len(proof))],
        *[(*proof[:place], more, *proof[place:]) for place in range(len(proof) + 1) for more in (STRANGE, root)],
        *[(*proof[:place], proof[place][:-1], *proof[place + 1 :]) for place in range(len(proof))],
        *[(*proof[:place], proof[place] + b"\0", *proof[place + 1 :]) for place in range(len(proof))],
        (STRANGE,) * 1000,
    ]


def test_a_proof_of_another_length_does_not_hold() -> None:
    for size in range(1, 20):
        root = tree(0, size)
        for place in range(size):
            for wrong in wrong_lengths(inclusion_proof(place, size, LEAVES.read), root):
                assert not verify_inclusion(HASHES[place], place, size, wrong, root)
            for wrong in wrong_lengths(consistency_proof(place, size, LEAVES.read), root):
                assert not verify_consistency(place, size, tree(0, place), root, wrong)


@pytest.mark.parametrize("number", [-1, 2**63, 2**64 + 5, 10**30, 5.0, "5", None])
def test_a_number_that_is_no_size_does_not_hold(number: int) -> None:
    inclusion, consistency = inclusion_proof(5, 8, LEAVES.read), consistency_proof(5, 8, LEAVES.read)
    root = tree(0, 8)
    assert not verify_inclusion(HASHES[5], number, 8, inclusion, root)
    assert not verify_inclusion(HASHES[5], 5, number, inclusion, root)
    assert not verify_consistency(number, 8, tree(0, 5), root, consistency)
    assert not verify_consistency(5, number, tree(0, 5), root, consistency)


@pytest.mark.parametrize("wrong", [b"", b"short", STRANGE + b"\0", STRANGE.hex(), None, 7])
def test_what_is_no_hash_does_not_hold(wrong: bytes) -> None:
    inclusion, consistency = inclusion_proof(5, 8, LEAVES.read), consistency_proof(5, 8, LEAVES.read)
    root, before = tree(0, 8), tree(0, 5)
    assert not verify_inclusion(wrong, 5, 8, inclusion, root)
    assert not verify_inclusion(HASHES[5], 5, 8, inclusion, wrong)
    assert not verify_inclusion(HASHES[5], 5, 8, (wrong, *inclusion[1:]), root)
    assert not verify_inclusion(HASHES[5], 5, 8, wrong, root)  # type: ignore[arg-type]
    assert not verify_consistency(5, 8, wrong, root, consistency)
    assert not verify_consistency(5, 8, before, wrong, consistency)
    assert not verify_consistency(5, 8, before, root, (wrong, *consistency[1:]))


def test_a_longer_tree_does_not_lead_to_a_shorter_one() -> None:
    proof = consistency_proof(5, 8, LEAVES.read)
    assert not verify_consistency(8, 5, tree(0, 8), tree(0, 5), proof)
    assert not verify_consistency(8, 5, tree(0, 5), tree(0, 8), proof)


def test_the_empty_tree_has_one_root() -> None:
    assert verify_consistency(0, 0, EMPTY_ROOT, EMPTY_ROOT, ())
    assert not verify_consistency(0, 0, STRANGE, STRANGE, ())
    assert not verify_consistency(0, 8, STRANGE, tree(0, 8), ())
    assert not verify_inclusion(STRANGE, 0, 0, (), EMPTY_ROOT)


def test_a_node_does_not_pass_for_a_leaf() -> None:
    assert leaf_hash(HASHES[0] + HASHES[1]) != node_hash(HASHES[0], HASHES[1])
    assert not verify_inclusion(tree(0, 2), 0, 4, (tree(2, 4),), tree(0, 4))


def test_the_proof_of_the_longest_tree_holds() -> None:
    # The last leaf of a tree of 2**63 - 1 has a sibling at each of 62 levels.
    size, leaf = 2**63 - 1, HASHES[0]
    proof, root = HASHES[1:63], leaf
    for sibling in proof:
        root = node_hash(sibling, root)
    assert verify_inclusion(leaf, size - 1, size, proof, root)
    assert not verify_inclusion(leaf, size - 2, size, proof, root)


def test_a_proof_of_what_is_not_there_is_our_own_mistake() -> None:
    for index, size in ((8, 8), (-1, 8), (0, 0)):
        with pytest.raises(AssertionError):
            inclusion_proof(index, size, LEAVES.read)
    with pytest.raises(AssertionError):
        consistency_proof(9, 8, LEAVES.read)


@given(st.integers(1, 2**63 - 1), st.integers(0), st.lists(st.binary(min_size=31, max_size=33), max_size=70))
def test_verification_never_raises(size: int, index: int, proof: list[bytes]) -> None:
    assert not verify_inclusion(STRANGE, index % (size + 2), size, proof, HASHES[0])
    assert not verify_consistency(1 + index % size, size + 1, STRANGE, HASHES[0], proof)


LARGE = 70_000
LARGE_HASHES = [number.to_bytes(32) for number in range(LARGE)]


@pytest.fixture(scope="module")
def tiles() -> dict[tuple[int, int], list[bytes]]:
    """The tiles of a tree of 70,000 leaves, the example of the specification."""
    made: dict[tuple[int, int], list[bytes]] = {}
    level, row = 0, LARGE_HASHES
    while row:
        cut = [row[first : first + 256] for first in range(0, len(row), 256)]
        made |= {(level, index): tile for index, tile in enumerate(cut)}
        row = [Frontier.of(256, Leaves(tile).read).root() for tile in cut if len(tile) == 256]
        level += 1
    return made


def test_a_tree_of_70000_leaves_has_the_tiles_of_the_specification(tiles: dict[tuple[int, int], list[bytes]]) -> None:
    widths = [(level, len(tile)) for (level, _), tile in tiles.items()]
    assert widths == [*[(0, 256)] * 273, (0, 112), (1, 256), (1, 17), (2, 1)]


def test_proofs_are_read_from_tiles(tiles: dict[tuple[int, int], list[bytes]]) -> None:
    read = Tiles(lambda level, index: tiles.get((level, index))).read
    frontier = Frontier.of(LARGE, read)
    root = frontier.root()
    for index in (0, 255, 256, 65_535, 65_536, 69_887, 69_888, LARGE - 1):
        proof = inclusion_proof(index, LARGE, read)
        assert verify_inclusion(LARGE_HASHES[index], index, LARGE, proof, root)
    for old in (1, 255, 256, 257, 65_536, 65_537, 69_999, LARGE):
        before = Frontier.of(old, read)
        assert verify_consistency(old, LARGE, before.root(), root, consistency_proof(old, LARGE, read))
        if old < LARGE:
            assert before.append(LARGE_HASHES[old]) == Frontier.of(old + 1, read)


def test_tiles_give_what_leaves_give(tiles: dict[tuple[int, int], list[bytes]]) -> None:
    from_tiles, from_leaves = Tiles(lambda level, index: tiles.get((level, index))).read, Leaves(LARGE_HASHES).read
    for level, index in ((0, 0), (0, 69_999), (3, 5), (7, 1), (8, 0), (8, 272), (9, 135), (11, 33)):
        assert from_tiles(level, index) == from_leaves(level, index)


def test_a_tile_that_is_missing_or_too_short_is_named(tiles: dict[tuple[int, int], list[bytes]]) -> None:
    read = Tiles(lambda level, index: tiles.get((level, index))).read
    with pytest.raises(LookupError, match=r"^tile 274 of level 0 is missing$"):
        read(0, 274 * 256)
    with pytest.raises(LookupError, match=r"^hashes 112 to 112 are needed, and there are 112$"):
        read(0, LARGE)
    with pytest.raises(LookupError, match=r"^hashes 64 to 127 are needed, and there are 70$"):
        LEAVES.read(6, 1)


def test_a_tile_has_the_path_of_the_specification() -> None:
    assert tile_path(0, 1234067) == "tile/0/x001/x234/067"
    assert tile_path(2, 0, 1) == "tile/2/000.p/1"
    assert tile_path(63, 1000, 255) == "tile/63/x001/000.p/255"
