"""All parties to a shoe but one collude: the order is uniform, and withholding bends it as far as docs/shoes.md says.

The seeds are fixed. With others, the sixteen statistical tests of this file together would be wrong once in a hundred.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import permutations
from math import sqrt
from random import Random

import pytest
from msgspec.structs import replace
from tests.floor.contributors import KEYS, Contributors, secret_of
from tests.width import width

from punto.floor.shuffle import as_dealt, unseal
from punto.surroundings import Surroundings, context_with
from punto.table.contributions import Contribution, permutation_seed, permuted, shoe_commitment

HONEST = ("floor", "patron", "beacon")
CARDS = "abcd"
ORDERS = ["".join(each) for each in permutations(CARDS)]
# What the others want: this order, of 24.
WANTED = "abcd"
TRIALS = width(4_000, 60_000)
# What chi squared with 23 degrees of freedom, and a normal deviate either way, exceed with a chance of 1 % in 16.
CHI_SQUARED = 51.4
DEVIATIONS = 3.42


@dataclass
class Cabal:
    """All parties but the *honest* one. They know each other's secrets, and the order of a floor of theirs."""

    honest: str
    names: list[str]
    chance: Random
    tries: int = 0

    def deal(self) -> str:
        """The order that is dealt in the end: as long as they do not like what would come, one of them withholds."""
        dealt = self.shoe()
        while self.names and not self._is_content(dealt):
            self.names.pop()  # whoever withholds sits out from then on
            dealt = self.shoe()
        return dealt

    def _is_content(self, dealt: str) -> bool:
        if self.honest == "floor":  # its order is under seal: they must decide without it
            return self.chance.random() < 0.5
        return dealt == WANTED

    def shoe(self) -> str:
        """What one shoe comes to with everybody's contributions, each as whoever brings it likes it best."""
        self.tries += 1
        order = "".join(self.chance.sample(CARDS, len(CARDS))) if self.honest == "floor" else WANTED
        shoe = shoe_commitment(["T1", str(self.tries)], self._fresh(), order)
        secrets = [(name, self._ground(shoe, name, order)) for name in self.names]
        if self.honest == "patron":
            secrets.append(("ann", self._fresh()))
        beacon = self._fresh() if self.honest == "beacon" else "the cabal's own"
        return "".join(permuted(order, permutation_seed(shoe, secrets, beacon)))

    def _ground(self, shoe: str, name: str, order: str) -> str:
        """Of some secrets, the one that would give the order they want without the honest party."""
        tried = [self._fresh() for _ in range(4)]
        fits = (each for each in tried if "".join(permuted(order, permutation_seed(shoe, [(name, each)]))) == WANTED)
        return next(fits, tried[0])

    def _fresh(self) -> str:
        return self.chance.randbytes(32).hex()


def colluders(count: int) -> list[str]:
    return [f"colluder {number}" for number in range(count)]


@pytest.mark.parametrize("honest", HONEST)
@pytest.mark.parametrize("count", [0, 3])
def test_the_order_is_uniform_if_one_party_is_honest_and_nobody_withholds(honest: str, count: int) -> None:
    chance = Random(f"{honest} {count}")
    counts = Counter(Cabal(honest, colluders(count), chance).shoe() for _ in range(TRIALS))
    expected = TRIALS / len(ORDERS)
    assert sum((counts[order] - expected) ** 2 / expected for order in ORDERS) < CHI_SQUARED


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("honest", HONEST)
def test_k_who_withhold_have_k_and_one_tries_and_no_more(honest: str, count: int) -> None:
    chance = Random(f"{honest} {count} withhold")
    hits = sum(Cabal(honest, colluders(count), chance).deal() == WANTED for _ in range(TRIALS))
    share = 1 / len(ORDERS)
    # An honest floor's order is under seal: who lets a shoe go does not know whether it was the one that they want.
    bound = share if honest == "floor" else 1 - (1 - share) ** (count + 1)
    assert abs(hits / TRIALS - bound) < DEVIATIONS * sqrt(bound * (1 - bound) / TRIALS)


def test_where_nobody_is_honest_the_cabal_gets_the_order_that_it_wants() -> None:
    """So the tests above can fail."""
    chance, hits, shoes = Random(5), 0, 100
    for number in range(shoes):
        shoe = shoe_commitment([str(number)], "", WANTED)
        tried = (chance.randbytes(32).hex() for _ in range(200))
        hits += any("".join(permuted(WANTED, permutation_seed(shoe, [("eve", each)]))) == WANTED for each in tried)
    assert hits > 0.95 * shoes


# On a real floor


def first_card(house: Contributors) -> str:
    """The first card that comes if everybody reveals, as the floor and the colluders can know it before they do."""
    shoe = house.table.shoe
    revealed = tuple(Contribution(each.patron, each.commitment, secret_of(each.patron)) for each in shoe.contributions)
    table = replace(house.table, shoe=replace(shoe, contributions=revealed))
    return as_dealt(unseal(KEYS, "T1", house.table), table)[0]


def counts_nothing(card: str) -> bool:
    return card[0] in "TJQK"


def test_on_a_real_floor_two_who_withhold_see_three_first_cards_and_no_more() -> None:
    """Eve and Mal want a first card that counts nothing, and know what would come; Ann is honest."""
    chance, shoes = Random(7), width(60, 600)
    hits = context_with(Surroundings(token_bytes=chance.randbytes)).run(_played_with_withholders, shoes, chance)
    bound = 1 - (9 / 13) ** 3
    assert abs(hits / shoes - bound) < DEVIATIONS * sqrt(bound * (1 - bound) / shoes)


def _played_with_withholders(shoes: int, chance: Random) -> int:
    """How many shoes begin as the two want it."""
    house, hits = Contributors(shuffle=lambda cards: tuple(chance.sample(cards, len(cards)))), 0
    for _ in range(shoes):
        withholding, tries = ["eve", "mal"], 1
        house.load("ann", *withholding)
        house.close()
        while withholding and not counts_nothing(first_card(house)):
            withholding.pop()
            house.reveal("ann", *withholding)
            house.abandon()
            house.load("ann", *withholding)
            house.close()
            tries += 1
        house.reveal("ann", *withholding)
        expected, (dealt, *_) = first_card(house), house.round()
        assert (dealt, tries <= 3) == (expected, True)
        hits += counts_nothing(dealt)
        house.end()
    return hits
