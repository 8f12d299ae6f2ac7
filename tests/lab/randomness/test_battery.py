"""The battery: even shoes pass it as often as they should, and every planted shuffle fails it."""

from collections.abc import Iterator
from math import sqrt
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.width import SEED, width

from punto.cards import ELEMENTS, STANDARD, Deck
from punto.lab.randomness import FEWEST_SHOES, PLANTED, PLANTED_SHOES, UNSEEN, Battery, Finding, caught, even
from punto.lab.randomness.battery import battery_of
from punto.lab.randomness.planted import Planted

# The test that catches each planted shuffle first.
CATCHES: Final = {
    "any place": "orders of five cards apart",
    "one cycle": "cycles, and even or odd",
    "remainder": "place before and after",
    "low bits": "each card at each place",
    "short seed": "a shoe that came before",
    "seven riffles": "places of cards that were neighbours",
    "short keys": "number of runs up and down",
    "sticky top": "the kind of the first card",
    "sticky pair": "neighbours as in new decks",
    "repeated shoe": "a shoe that came before",
    "last card stays": "each card at each place",
    "cut only": "each card followed by each",
    "few exchanges": "each card at each place",
    "half again": "each card followed by each",
    "turned over": "neighbours and order of the shoe before",
}
# Kolmogorov's distance times the root of the number is as large as this once in a million times.
FURTHEST: Final = 2.7


def findings(shoes: NDArray[np.int64], deck: Deck = STANDARD, decks: int = 4) -> list[Finding]:
    battery = Battery(deck, decks)
    battery.add(shoes)
    return battery.findings()


def runs(number: int, shoes: int = FEWEST_SHOES) -> Iterator[list[Finding]]:
    chance = np.random.default_rng(SEED)
    for _ in range(number):
        yield findings(even(chance, shoes, 208))


def test_even_shoes_have_even_values_of_p_and_fail_once_in_a_hundred() -> None:
    """Every test for itself by Kolmogorov and Smirnov, and the battery as a whole."""
    number = width(40, 1_500)
    found = list(runs(number))
    for at, finding in enumerate(found[0]):
        if finding.verdict.law == "repeats":
            continue
        p = np.sort([run[at].verdict.p for run in found])
        steps = np.arange(number + 1) / number
        distance = max(float((steps[1:] - p).max()), float((p - steps[:-1]).max()))
        assert distance * sqrt(number) < FURTHEST, finding.name
    failed = sum(bool(caught(run)) for run in found)
    assert failed <= number / 100 + 5 * sqrt(number / 100)


def test_all_values_of_p_of_even_shoes_together_are_even() -> None:
    values = [finding.verdict.p for run in runs(width(10, 200)) for finding in run[:-1]]
    counts = np.bincount([min(int(10 * p), 9) for p in values], minlength=10)
    off = (counts - len(values) / 10) / sqrt(len(values) * 0.09)
    assert abs(off).max() < 5


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name.replace(" ", "-"))
def test_a_planted_shuffle_fails_the_battery(planted: Planted) -> None:
    shoes = planted.shoes(PLANTED_SHOES, 208)
    assert (np.sort(shoes, axis=1) == np.arange(208)).all()
    assert (planted.shoes(50, 208) == planted.shoes(50, 208)).all()
    assert caught(findings(shoes))[0].name == CATCHES[planted.name]


def test_at_least_eight_shuffles_are_planted_and_each_has_a_name_of_its_own() -> None:
    assert len({planted.name for planted in PLANTED}) == len(PLANTED) == len(CATCHES) >= 8


def test_a_fine_remainder_is_not_seen_in_its_shoes() -> None:
    """That is why scaling is counted word by word, in `draws`."""
    (planted,) = UNSEEN
    assert caught(findings(planted.shoes(PLANTED_SHOES, 208))) == []


def test_only_repeats_give_a_short_seed_away() -> None:
    """With few shoes none has come again yet, and each looks even."""
    (planted,) = (each for each in PLANTED if each.name == "short seed")
    shoes = planted.shoes(PLANTED_SHOES, 208)
    once = np.unique(shoes, axis=0, return_index=True)[1]
    assert len(once) < PLANTED_SHOES
    assert caught(findings(shoes[np.sort(once)])) == []


@pytest.mark.parametrize(("deck", "decks"), [(STANDARD, 8), (ELEMENTS, 4), (ELEMENTS, 10)])
def test_even_shoes_of_other_decks_pass_and_cut_ones_do_not(deck: Deck, decks: int) -> None:
    chance = np.random.default_rng(8)
    size = deck.size * decks
    assert caught(findings(even(chance, FEWEST_SHOES, size), deck, decks)) == []
    (cut,) = (each for each in PLANTED if each.name == "cut only")
    assert len(caught(findings(cut.shoes(FEWEST_SHOES, size), deck, decks))) > 10


def test_the_battery_has_the_topics_that_laboratories_name() -> None:
    topics = {test.topic for test in battery_of(STANDARD, 8)}
    assert topics >= {"frequency", "serial", "serial correlation", "gap", "poker", "coupon collector", "runs"}
    assert topics >= {"permutations", "independence of shoes", "baccarat"}


def test_shoes_come_in_blocks_and_a_repeat_is_seen_across_them() -> None:
    chance = np.random.default_rng(9)
    shoes = even(chance, 1_000, 208)
    whole, parts = Battery(STANDARD, 4), Battery(STANDARD, 4)
    whole.add(shoes)
    for start in range(0, 1_000, 250):
        parts.add(shoes[start : start + 250])
    for one, other in zip(whole.findings(), parts.findings(), strict=True):
        if one.topic != "independence of shoes":
            assert one.verdict.p == pytest.approx(other.verdict.p, rel=1e-6)
    parts.add(shoes[:1])
    assert (whole.repeats, parts.repeats) == (0, 1)
    assert caught(parts.findings())[0].name == "a shoe that came before"


def test_shoes_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match="shoes of 207 cards: expected 208"):
        Battery(STANDARD, 4).add(np.zeros((2, 207), dtype=np.int64))
