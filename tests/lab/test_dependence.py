"""Two rounds of one shoe: their covariance, beside every pair of rounds that small shoes can deal."""

from collections import Counter
from fractions import Fraction
from functools import cache
from math import comb, perm

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.marks import by_day

from punto.cards import Card
from punto.games import GAMES, find
from punto.lab import Composition, Evaluator, Odds
from punto.lab.dependence import covariances, line_covariances
from punto.rules import Deal, Game

SMALL = {
    "baccarat": "A=10,4=8,7=9,9=6,K=12",
    "7-up": "2=9,5=5,7=16,8=7,K=12",
    "tiger": "A=8,3=8,6=16,8=4,J=5",
}


def rounds_of(game: Game, shoe: Composition) -> dict[tuple[tuple[Card, ...], str], Fraction]:
    """Every round that a shoe can deal: the cards that it uses, what it is, and how likely it is.

    Cards of a rank stand for each other. Only cards that are dealt are used: nothing is drawn for show.
    """
    cards = game.deck.cards
    heads = {card.rank: card for card in cards}
    left = {head: sum(shoe.of(card) for card in cards if card.rank is rank) for rank, head in heads.items()}
    found: Counter[tuple[tuple[Card, ...], str]] = Counter()

    def go_on(deal: Deal, used: tuple[Card, ...], chance: Fraction) -> None:
        if deal.next is None:
            found[tuple(sorted(used, key=str)), str(deal.coup)] += chance  # type: ignore[assignment]
            coups[str(deal.coup)] = deal
            return
        gone = Counter(used)
        of = shoe.size - len(used)
        for card, number in left.items():
            if number > gone[card]:
                go_on(deal.take(card), (*used, card), chance * Fraction(number - gone[card], of))

    go_on(game.begin(), (), Fraction(1))
    return dict(found)  # type: ignore[arg-type]


coups: dict[str, Deal] = {}


@cache
def slowly(key: str, wager: str) -> tuple[Fraction, Fraction]:
    """The variance of a round, and the covariance of two rounds of one shoe, from all that a round can use up."""
    game = find(key)
    shoe = Composition.remaining(SMALL[key], game.deck, 8)
    odds = Odds(game)
    mean = odds.of(shoe).wagers[wager].ev
    after: dict[tuple[Card, ...], Fraction] = {}
    square = product = Fraction(0)
    for (used, name), chance in rounds_of(game, shoe).items():
        coup = coups[name].coup
        assert coup is not None
        net = game.settle(coup)[wager].net
        if used not in after:
            after[used] = odds.of(without_ranks(shoe, used)).wagers[wager].ev
        square += chance * net**2
        product += chance * net * after[used]
    return square - mean**2, product - mean**2


def without_ranks(shoe: Composition, used: tuple[Card, ...]) -> Composition:
    """The shoe without cards of these ranks, whichever of them are left."""
    counts = list(shoe.counts)
    for card in used:
        places = [place for place, other in enumerate(shoe.deck.cards) if other.rank is card.rank and counts[place]]
        counts[places[0]] -= 1
    return Composition(shoe.deck, shoe.decks, tuple(counts))


CASES = [
    ("baccarat", "Banker"),
    ("baccarat", "Tie"),
    ("baccarat", "Player Pair"),
    ("7-up", "Super 7's"),
    ("tiger", "Tiger Pair"),
]


# Ties, pairs, and a card that is always there.
BY_DAY = CASES[1:4]


@pytest.mark.parametrize(("key", "wager"), by_day(CASES, BY_DAY))
def test_the_covariance_is_that_of_every_two_rounds_that_a_shoe_can_deal(key: str, wager: str) -> None:
    game = find(key)
    shoe = Composition.remaining(SMALL[key], game.deck, 8)
    evaluator = Evaluator(game, [wager])
    _, covariance = slowly(key, wager)

    def expected(shoes: NDArray[np.int64]) -> NDArray[np.float64]:
        return -evaluator.edges(shoes)

    found = covariances(shoe, evaluator.kinds(wager), evaluator.drawn, expected, cards=evaluator.drawn)
    assert found[0, 0] == pytest.approx(float(covariance), rel=1e-8)


@pytest.mark.parametrize(("key", "wager"), by_day(CASES, BY_DAY))
def test_effects_of_more_than_three_cards_carry_no_more_than_is_said(key: str, wager: str) -> None:
    """A share of the variance of a round: C(m, 4) / C(N − m, 4) for four cards, and less for more."""
    game = find(key)
    shoe = Composition.remaining(SMALL[key], game.deck, 8)
    evaluator = Evaluator(game, [wager])
    variance, covariance = slowly(key, wager)
    drawn = evaluator.drawn
    found = covariances(shoe, evaluator.kinds(wager), drawn, lambda shoes: -evaluator.edges(shoes))
    bound = 2 * comb(drawn, 4) / comb(shoe.size - drawn, 4)
    assert abs(found[0, 0] - float(covariance)) < bound * float(variance)


def test_the_bound_holds_for_four_decks() -> None:
    assert 2 * comb(6, 4) / comb(208 - 6, 4) < 5e-7
    assert comb(6, 3) / comb(208 - 6, 3) < 2e-5


def test_rounds_of_super_7s_lean_against_each_other_and_those_of_pairs_do_not() -> None:
    """Sixty rounds of Super 7's vary 37 % less than independent ones."""
    nets = np.array([float(line.net) for line in Odds(GAMES["7-up"]).of().wagers["Super 7's"].lines])
    lines = line_covariances(GAMES["7-up"], "Super 7's", 8)
    variance = float(Odds(GAMES["7-up"]).of().wagers["Super 7's"].variance)
    assert 1 + 59 * float(nets @ lines @ nets) / variance == pytest.approx(0.626, abs=5e-4)
    # Some line comes in each round, so that nothing is left over.
    assert np.abs(lines.sum(axis=0)).max() < 1e-12
    assert np.allclose(lines, lines.T, atol=1e-15)


def test_a_pair_says_exactly_what_two_of_its_kind_have_in_common() -> None:
    """Both pairs are of one rank, or of two: all of it can be counted by hand."""
    lines = line_covariances(GAMES["baccarat"], "Player Pair", 8)
    one = 13 * perm(32, 2)
    both = 13 * perm(32, 4) + 13 * 12 * perm(32, 2) ** 2
    exact = Fraction(both, perm(416, 4)) - Fraction(one, perm(416, 2)) ** 2
    assert exact > 0
    assert lines[0, 0] == pytest.approx(float(exact), rel=1e-9)
