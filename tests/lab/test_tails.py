"""The tails of the laws, held against published tables and closed forms."""

from itertools import pairwise
from math import comb, erfc, exp, factorial, lgamma, log, sqrt

import pytest

from punto.lab.tails import beta_share, chi_square_tail, f_tail


@pytest.mark.parametrize(
    ("freedom", "tail", "square"),
    [
        (1, 0.95, 0.0039321),
        (1, 0.05, 3.841459),
        (1, 0.01, 6.634897),
        (1, 0.001, 10.827566),
        (2, 0.05, 5.991465),
        (2, 0.01, 9.210340),
        (3, 0.99, 0.114832),
        (3, 0.05, 7.814728),
        (5, 0.99, 0.554298),
        (5, 0.05, 11.070498),
        (10, 0.95, 3.940299),
        (10, 0.05, 18.307038),
        (10, 0.005, 25.188180),
        (30, 0.95, 18.492661),
        (30, 0.01, 50.892181),
        (100, 0.95, 77.929465),
        (100, 0.05, 124.342113),
        (100, 0.01, 135.806723),
    ],
)
def test_the_tail_of_chi_square_is_that_of_the_tables(freedom: int, tail: float, square: float) -> None:
    assert chi_square_tail(square, freedom) == pytest.approx(tail, rel=1e-4, abs=1e-7)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 8, 20, 50, 168, 2601, 5000])
def test_the_tail_of_chi_square_falls_from_one_to_nothing(freedom: int) -> None:
    squares = [freedom * step / 200 for step in range(1_000)]
    tails = [chi_square_tail(square, freedom) for square in squares]
    assert tails[0] == 1.0
    assert all(0 <= tail <= 1 for tail in tails)
    assert all(later <= earlier + 1e-12 for earlier, later in pairwise(tails))
    assert chi_square_tail(1e6, freedom) < 1e-300


def test_the_tail_of_chi_square_has_its_closed_forms() -> None:
    for square in (1e-9, 0.1, 0.5, 1.0, 2.0, 3.5, 7.0, 20.0, 60.0, 200.0):
        assert chi_square_tail(square, 1) == pytest.approx(erfc(sqrt(square / 2)), rel=1e-10)
        for freedom in (2, 4, 6, 20):
            half = square / 2
            closed = exp(-half) * sum(half**k / factorial(k) for k in range(freedom // 2))
            assert chi_square_tail(square, freedom) == pytest.approx(closed, rel=1e-10)
    assert chi_square_tail(0.0, 0) == chi_square_tail(5.0, 0) == 1.0


@pytest.mark.parametrize("off", [-3.0, -1.0, 0.0, 1.0, 3.0, 6.0])
def test_the_tail_of_chi_square_holds_for_the_degrees_of_a_whole_shoe(off: float) -> None:
    """With an even number of degrees the tail is a sum of Poisson's probabilities, term by term."""
    freedom = 415**2 - 1
    square = freedom + off * sqrt(2 * freedom)
    rate = square / 2
    closed = sum(exp(k * log(rate) - rate - lgamma(k + 1)) for k in range(freedom // 2))
    assert chi_square_tail(square, freedom) == pytest.approx(closed, rel=1e-6)


@pytest.mark.parametrize(
    ("above", "below", "tail", "ratio"),
    # Abramowitz and Stegun, table 26.9.
    [
        (1, 1, 0.05, 161.4),
        (1, 10, 0.05, 4.96),
        (5, 10, 0.05, 3.33),
        (10, 20, 0.05, 2.35),
        (30, 60, 0.05, 1.65),
        (1, 10, 0.01, 10.04),
        (5, 10, 0.01, 5.64),
        (10, 20, 0.01, 3.37),
        (30, 60, 0.01, 2.03),
        (5, 10, 0.001, 10.48),
        (10, 20, 0.001, 5.08),
    ],
)
def test_the_tail_of_f_is_that_of_the_tables(above: int, below: int, tail: float, ratio: float) -> None:
    assert f_tail(ratio, above, below) == pytest.approx(tail, rel=0.015)


def test_the_tail_of_f_has_its_closed_forms() -> None:
    for ratio in (1e-6, 0.1, 0.5, 1.0, 2.0, 7.0, 60.0, 1e4):
        assert f_tail(ratio, 1, 2) == pytest.approx(1 - sqrt(ratio / (2 + ratio)), rel=1e-9)
        for below in (2, 7, 500):
            assert f_tail(ratio, 2, below) == pytest.approx((1 + 2 * ratio / below) ** (-below / 2), rel=1e-9)
    assert f_tail(0.0, 3, 4) == f_tail(-1.0, 3, 4) == 1.0


@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 5), (5, 2), (30, 40), (3, 200)])
def test_the_share_of_a_beta_law_is_a_binomial_sum(a: int, b: int) -> None:
    for x in (0.01, 0.2, 0.5, 0.77, 0.99):
        tries = a + b - 1
        closed = sum(comb(tries, k) * x**k * (1 - x) ** (tries - k) for k in range(a, tries + 1))
        assert beta_share(x, a, b) == pytest.approx(closed, rel=1e-9)
    assert (beta_share(0.0, a, b), beta_share(1.0, a, b)) == (0.0, 1.0)


def test_with_many_degrees_below_the_line_f_becomes_chi_square() -> None:
    for square in (1.0, 9.0, 25.0):
        assert f_tail(square / 9, 9, 1e7) == pytest.approx(chi_square_tail(square, 9), rel=1e-4)
