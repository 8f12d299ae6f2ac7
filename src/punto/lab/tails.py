"""How likely chance alone goes so far: the tails of the laws that tests are judged by."""

from math import exp, lgamma, log, log1p
from typing import Final

# Where a sum or a fraction is as exact as a floating-point number can be.
_EXACT: Final = 1e-15
_TINY: Final = 1e-300
# More than the largest of our tables needs, whose degrees of freedom are those of 650 cards at 650 places.
_MOST_TERMS: Final = 100_000


def chi_square_tail(square: float, freedom: float) -> float:
    """The probability that chi-square of so many degrees of freedom is as large or larger.

    >>> round(chi_square_tail(3.841459, 1), 6), round(chi_square_tail(18.307, 10), 4)
    (0.05, 0.05)
    """
    if freedom < 1:
        return 1.0
    a, x = freedom / 2, square / 2
    if x <= 0:
        return 1.0
    scale = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        # The series of the lower incomplete gamma function.
        term = total = 1 / a
        n = a
        while abs(term) > abs(total) * _EXACT / 10:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - total * scale)
    # The continued fraction of the upper one, by Lentz's method.
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    h = d
    for i in range(1, _MOST_TERMS):
        factor = -i * (i - a)
        b += 2
        d = 1 / (factor * d + b or _TINY)
        c = b + factor / c or _TINY
        h *= c * d
        if abs(c * d - 1) < _EXACT:
            break
    return h * scale


def f_tail(ratio: float, above: float, below: float) -> float:
    """The probability that F with so many degrees of freedom above and below the line is as large or larger.

    >>> round(f_tail(4.9646, 1, 10), 4), round(f_tail(2.8450, 9, 22), 4) < 0.05
    (0.05, True)
    """
    if ratio <= 0:
        return 1.0
    return beta_share(below / (below + above * ratio), below / 2, above / 2)


def beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function: the share of the beta law of *a* and *b* that lies below *x*.

    >>> beta_share(0.25, 1, 1), round(beta_share(0.5, 3, 3), 12)
    (0.25, 0.5)
    """
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return max(0.0, 1 - beta_share(1 - x, b, a))
    scale = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    # The continued fraction, by Lentz's method.
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    h = d
    for m in range(1, _MOST_TERMS):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + factor * d or _TINY)
            c = 1 + factor / c or _TINY
            h *= c * d
        if abs(c * d - 1) < _EXACT:
            break
    return min(1.0, scale * h)
