"""The three kinds of measure, held against enumeration, closed forms and a published example."""

from fractions import Fraction
from itertools import permutations, product
from math import inf

import numpy as np
import pytest

from punto.lab.randomness.measures import Block, Classes, Followers, Ints, Means, Places, common_followers
from punto.lab.tails import chi_square_tail, f_tail


def test_places_are_the_inverse_of_the_order() -> None:
    block = Block(np.array([[2, 0, 1], [0, 2, 1]]))
    assert block.places.tolist() == [[1, 2, 0], [0, 2, 1]]


def test_chi_square_is_that_of_the_published_example() -> None:
    """Knuth, The Art of Computer Programming 2, 3.3.1: two dice, thrown 144 times."""
    thrown = [2, 4, 10, 12, 22, 29, 21, 15, 14, 9, 6]
    chances = [Fraction(6 - abs(7 - total), 36) for total in range(2, 13)]
    measure = Classes(lambda block: block.order, chances)
    tally = measure.tally(Block(np.repeat(np.arange(11), thrown)[None, :]))
    assert tally.tolist() == thrown
    verdict = measure.judged(tally)
    assert verdict.value == pytest.approx(7 + 7 / 48)
    assert verdict.freedom == 10
    assert verdict.p == pytest.approx(2 * (1 - chi_square_tail(7 + 7 / 48, 10)))


def test_counts_that_are_too_even_fail_as_well() -> None:
    measure = Classes(lambda block: block.order, [Fraction(1, 100)] * 100)
    assert measure.judged(np.full(100, 50)).p < 1e-12


@pytest.mark.parametrize(("size", "shoes"), [(3, 2), (3, 3), (4, 2)])
def test_counts_of_card_by_place_have_just_the_mean_and_the_variance_that_are_stated(size: int, shoes: int) -> None:
    """Over all shoes that there can be."""
    orders = list(permutations(range(size)))
    places = Places()
    values = np.array(
        [places.judged(places.tally(Block(np.array(drawn)))).value for drawn in product(orders, repeat=shoes)]
    )
    assert values.mean() == pytest.approx((size - 1) ** 2)
    assert values.var() == pytest.approx(2 * (size - 1) ** 2 * (shoes - 1) / shoes)


@pytest.mark.parametrize("size", [4, 5, 6, 7])
def test_rings_have_as_many_followers_in_common_as_is_stated(size: int) -> None:
    straight = {(card, (card + 1) % size) for card in range(size)}
    common = np.array(
        [
            len(straight & {(one, other) for one, other in zip((0, *rest), (*rest, 0), strict=True)})
            for rest in permutations(range(1, size))
        ]
    )
    assert (common.mean(), common.var()) == pytest.approx(common_followers(size))


@pytest.mark.parametrize("size", [4, 5])
def test_followers_have_the_mean_and_the_variance_of_their_chi_square(size: int) -> None:
    """Over all pairs of rings; of two shoes, half the variance that many have for each pair of shoes."""
    followers = Followers(lambda block: block.order)
    rings = [(0, *rest) for rest in permutations(range(1, size))]
    verdicts = [followers.judged(followers.tally(Block(np.array(pair)))) for pair in product(rings, repeat=2)]
    values, freedom = np.array([verdict.value for verdict in verdicts]), verdicts[0].freedom
    assert values.mean() == pytest.approx(freedom)
    assert values.var() == pytest.approx(2 * freedom / 2)


def test_t_square_of_one_number_is_the_square_of_students_t() -> None:
    rows = np.array([0.5, -1.0, 2.0, 0.25, 1.5])[:, None]
    measure = Means(lambda _: rows)
    verdict = measure.judged(measure.tally(Block(np.zeros((5, 2)))))
    t_square = 5 * rows.mean() ** 2 / rows.var(ddof=1)
    assert verdict.value == pytest.approx(t_square)
    assert verdict.freedom == 1
    assert verdict.p == pytest.approx(f_tail(t_square, 1, 4))


def test_t_square_does_not_change_when_numbers_are_mixed() -> None:
    chance = np.random.default_rng(3)
    rows = chance.normal(size=(200, 4)) + 0.1
    mixed = rows @ chance.normal(size=(4, 4))
    one, other = (Means(lambda _, found=found: found) for found in (rows, mixed))  # type: ignore[misc]
    empty = Block(np.zeros((1, 2)))
    assert one.judged(one.tally(empty)).p == pytest.approx(other.judged(other.tally(empty)).p)


def test_numbers_that_say_nothing_new_do_not_count() -> None:
    rows = np.random.default_rng(4).normal(size=(100, 2))
    more = np.column_stack([rows, rows.sum(axis=1), np.zeros(100)])
    empty = Block(np.zeros((1, 2)))
    few, many = (Means(lambda _, found=found: found) for found in (rows, more))  # type: ignore[misc]
    verdict = many.judged(many.tally(empty))
    assert verdict.freedom == 2
    assert verdict.p == pytest.approx(few.judged(few.tally(empty)).p)


def test_what_never_varies_fails_where_it_is_off_and_not_otherwise() -> None:
    empty = Block(np.zeros((1, 2)))
    off, right = Means(lambda _: np.full((50, 1), 0.5)), Means(lambda _: np.zeros((50, 1)))
    assert (off.judged(off.tally(empty)).value, off.judged(off.tally(empty)).p) == (inf, 0.0)
    assert right.judged(right.tally(empty)).p == 1.0


def test_blocks_add_up() -> None:
    chance = np.random.default_rng(5)
    orders: Ints = chance.random((30, 6)).argsort(axis=1)
    for measure in (Places(), Followers(lambda block: block.places), Means(lambda block: block.order - 2.5)):
        parts = measure.tally(Block(orders[:11])) + measure.tally(Block(orders[11:]))
        assert np.allclose(parts, measure.tally(Block(orders)))
