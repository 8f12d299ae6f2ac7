"""The order that follows from what the floor and the patrons commit to."""

from collections import Counter
from hashlib import sha256
from itertools import count, product

import pytest

from punto.table.contributions import Beacon, below, contribution_digest, permutation_seed, permuted, shoe_commitment


def test_every_order_of_a_few_cards_comes_equally_often() -> None:
    counts = Counter("".join(permuted("abcd", sha256(bytes([3, at >> 8, at & 255])).digest())) for at in range(24_000))
    expected = 24_000 / 24
    assert len(counts) == 24
    # The 99.9 % quantile of chi squared with 23 degrees of freedom.
    assert sum((each - expected) ** 2 / expected for each in counts.values()) < 49.7


@pytest.mark.parametrize("bound", range(1, 17))
def test_no_number_is_favoured_whatever_the_bound(bound: int) -> None:
    """With words of four bits in place of sixty-four, all of them can be tried: each number comes equally often."""
    fair = 16 - 16 % bound
    found = Counter(below(bound, iter([word, 0]), 16) for word in range(fair))
    assert set(found.values()) == {fair // bound}
    assert all(below(bound, iter([word, 0]), 16) == 0 for word in range(fair, 16)), "passed over for the next word"


def test_other_parts_give_other_digests() -> None:
    shoes = {shoe_commitment(parts, salt, "As Kd") for parts, salt in product((["a", "1"], ["a1"], ["", "a"]), "xy")}
    patrons = {contribution_digest(shoe, patron, "00") for shoe, patron in product(("aa", "bb"), ("ann", "bob"))}
    ann, bob = ("ann", "00"), ("bob", "11")
    asked: tuple[list[tuple[str, str]], ...] = ([], [ann], [bob], [ann, bob], [bob, ann])
    seeds = {permutation_seed("aa", secrets, beacon) for secrets, beacon in product(asked, ("", "drand 1 00"))}
    assert (len(shoes), len(patrons), len(seeds)) == (6, 4, 10)


def test_the_stream_is_what_the_documents_say() -> None:
    """A second implementation, from the words of docs/shoes.md alone."""
    seed = sha256(b"seed").digest()
    words = (
        int.from_bytes(sha256(seed + block.to_bytes(8, "big")).digest()[8 * part : 8 * part + 8], "big")
        for block, part in product(range(200), range(4))
    )
    cards = list(range(416))
    for size in count(len(cards), -1):
        if size == 1:
            break
        word = next(words)
        while word >= 2**64 // size * size:
            word = next(words)
        here, there = size - 1, word % size
        cards[here], cards[there] = cards[there], cards[here]
    assert permuted(range(416), seed) == tuple(cards)


def test_a_round_of_the_beacon_comes_after_the_moment_that_is_asked() -> None:
    beacon = Beacon("here", "", 1_000, 30)
    rounds = [beacon.round_after(1000 * at) for at in (0, 1_000, 1_029, 1_030, 1_059)]
    assert rounds == [1, 2, 2, 3, 3]
    assert all(beacon.comes_s(beacon.round_after(1000 * at)) > at for at in range(900, 1_200))
    assert beacon.comes_s(1) == 1_000
