"""Numbers as a report prints them: thousands apart, a true minus sign, as many places as can be relied on."""

from fractions import Fraction
from typing import Final

NOTHING: Final = "–"
_MINUS: Final = "−"


def whole(number: int) -> str:
    """A whole number.

    >>> whole(4998398275503360), whole(-12)
    ('4,998,398,275,503,360', '−12')
    """
    return _signed(f"{number:,}")


def decimal(number: Fraction | float, places: int, *, plus: bool = False) -> str:
    """A number with so many decimal places; one that rounds to nothing has no sign.

    >>> decimal(-0.012351, 4), decimal(Fraction(1, 3), 3, plus=True), decimal(-1e-9, 4)
    ('−0.0124', '+0.333', '0.0000')
    """
    text = f"{float(number):+,.{places}f}" if plus else f"{float(number):,.{places}f}"
    return _signed(text) if any(digit in "123456789" for digit in text) else text.lstrip("+-")


def percent(share: Fraction | float, places: int = 4) -> str:
    """A share in hundredths.

    >>> percent(Fraction(1, 3)), percent(-0.5, 1)
    ('33.3333 %', '−50.0 %')
    """
    return f"{decimal(100 * share, places)} %"


def fraction(value: Fraction) -> str:
    """A fraction in lowest terms.

    >>> fraction(Fraction(-2, 6000)), fraction(Fraction(0))
    ('−1 / 3,000', '0')
    """
    if value.denominator == 1:
        return whole(value.numerator)
    return f"{whole(value.numerator)} / {whole(value.denominator)}"


def net(value: Fraction) -> str:
    """What a line wins per unit, with its sign.

    >>> net(Fraction(19, 20)), net(Fraction(-1)), net(Fraction(0)), net(Fraction(12))
    ('+0.95', '−1', '0', '+12')
    """
    return _signed(f"{float(value):+,.10g}") if value else "0"


def tag(value: int) -> str:
    """A card's tag in a count.

    >>> tag(2), tag(0), tag(-1)
    ('+2', '0', '−1')
    """
    return _signed(f"{value:+d}") if value else "0"


def counted(number: int, one: str, many: str) -> str:
    """A number of things.

    >>> counted(1, "card", "cards"), counted(1000, "card", "cards")
    ('1 card', '1,000 cards')
    """
    return f"{whole(number)} {one if number == 1 else many}"


def _signed(text: str) -> str:
    return text.replace("-", _MINUS)
