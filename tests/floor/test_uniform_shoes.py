"""All parties to a shoe but one collude: the order is uniform, and withholding bends it as far as docs/shoes.md says.

The seeds are fixed. With others, the ten statistical tests of this file together would be wrong once in a hundred.
"""

from collections import Counter
from itertools import count, permutations
from math import sqrt
from random import Random

import pytest
from msgspec.structs import replace
from tests.floor.contributors import KEYS, Contributors, secret_of
from tests.floor.floors import SHIFT
from tests.width import width

from punto.errors import OutOfTurn
from punto.floor.shuffle import as_dealt, unseal
from punto.surroundings import Surroundings, context_with
from punto.table import commands as do
from punto.table.contributions import Contribution, permutation_seed, permuted, shoe_commitment

# Who is honest; of two patrons, the one who commits first or last.
HONEST = ("floor", "first patron", "last patron", "beacon")
CARDS = "abcd"
ORDERS = ["".join(each) for each in permutations(CARDS)]
TRIALS = width(20_000, 100_000)
# What chi squared with 23 degrees of freedom, and a normal deviate either way, exceed with a chance of 1 % in 10.
CHI_SQUARED = 49.8
DEVIATIONS = 3.29


def dealt(honest: str, fresh: str, order: str = CARDS) -> str:
    """The order that is dealt. The honest party brings something fresh, and everybody else what the cabal has fixed."""
    shoe = shoe_commitment(["T1", "1"], fresh if honest == "floor" else "the cabal's salt", order)
    secrets = [("eve", secret_of("eve")), ("mal", secret_of("mal"))]
    if honest == "first patron":
        secrets.insert(0, ("ann", fresh))
    elif honest == "last patron":
        secrets.append(("ann", fresh))
    return "".join(permuted(order, permutation_seed(shoe, secrets, fresh if honest == "beacon" else "a known value")))


@pytest.mark.parametrize("honest", HONEST)
def test_the_order_is_uniform_if_one_party_is_honest_and_nobody_withholds(honest: str) -> None:
    chance = Random(honest)
    counts: Counter[str] = Counter()
    for _ in range(TRIALS):
        order = "".join(chance.sample(CARDS, len(CARDS))) if honest == "floor" else CARDS
        counts[dealt(honest, chance.randbytes(32).hex(), order)] += 1
    expected = TRIALS / len(ORDERS)
    assert sum((counts[order] - expected) ** 2 / expected for order in ORDERS) < CHI_SQUARED


def test_where_nobody_is_honest_the_cabal_gets_the_order_that_it_wants() -> None:
    """So the tests above can fail."""
    tries = (dealt("last patron", secret_of(f"ground {number}")) for number in range(1_000))
    assert CARDS in tries


# On a real floor. It is dishonest: it knows its own order and tells the cabal; Ann alone is honest.


class Cabal(Contributors):
    """A floor and *names* who want a first card that counts nothing, and withhold for as long as they may."""

    def __init__(self, chance: Random, names: tuple[str, ...], *, reopens: bool) -> None:
        super().__init__(shuffle=lambda cards: tuple(chance.sample(cards, len(cards))))
        self._chance = chance
        self._names = names
        self._reopens = reopens
        self._secrets = count()

    def deal(self) -> tuple[str, int]:
        """The first card of a shoe on which bets open, and how many shoes that took."""
        for tries in count(1):
            here = self._brought()
            if self._is_wanted() or not here:
                self.reveal("ann", *here)
                first, *_ = self.round()
                self.end()
                return first, tries
            # They say nothing of their own until the last moment, and then one of them withholds.
            self.reveal("ann", *here[1:])
            self.abandon()
            if self._reopens:
                setup = self.table.open
                self.give(do.CloseTable, SHIFT)
                self.give(do.OpenTable, SHIFT, setup=setup)
        raise AssertionError("they go on for ever")

    def _brought(self) -> list[str]:
        """A shoe to which the cabal contributes first, all of them who may; they shut Ann out if they can."""
        self.give(do.LoadShoe)
        here = []
        for name in self._names:
            try:
                self.contribute(name)
            except OutOfTurn:  # a contribution of theirs was withheld
                continue
            here.append(name)
        with pytest.raises(OutOfTurn, match="patrons still contribute"):
            self.give(do.CloseContributions)
        self.contribute("ann")
        self.close()
        return here

    def _is_wanted(self) -> bool:
        """Whether the first card counts nothing if everybody reveals, as the cabal knows before it must."""
        shoe = self.table.shoe
        known = tuple(Contribution(each.patron, each.commitment, secret_of(each.patron)) for each in shoe.contributions)
        table = replace(self.table, shoe=replace(shoe, contributions=known))
        return counts_nothing(as_dealt(unseal(KEYS, "T1", self.table), table)[0])


def counts_nothing(card: str) -> bool:
    return card[0] in "TJQK"


@pytest.mark.parametrize("reopens", [False, True])
@pytest.mark.parametrize("names", [(), ("eve",), ("eve", "mal")])
def test_k_who_withhold_choose_among_k_and_one_shoes_and_no_more(names: tuple[str, ...], *, reopens: bool) -> None:
    """They play as well as they can, so that their luck is what docs/shoes.md says: neither more nor less."""
    chance, shoes = Random(f"{names} {reopens}"), width(200, 1_000)

    def play() -> int:
        cabal, hits = Cabal(chance, names, reopens=reopens), 0
        for _ in range(shoes):
            first, tries = cabal.deal()
            assert tries <= len(names) + 1
            hits += counts_nothing(first)
        return hits

    hits = context_with(Surroundings(token_bytes=chance.randbytes)).run(play)
    bound = 1 - (9 / 13) ** (len(names) + 1)
    assert abs(hits / shoes - bound) < DEVIATIONS * sqrt(bound * (1 - bound) / shoes)
