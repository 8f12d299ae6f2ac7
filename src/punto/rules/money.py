"""Money: whole cents, and what a stake comes to (interpretation 6)."""

from collections.abc import Iterable
from math import lcm
from typing import Final, NewType

from punto.rules.pay import Settlement, Wager

Cents = NewType("Cents", int)

# Amounts and payouts stay below this, so that every reader of JSON has them exactly.
MOST_CENTS: Final = Cents(2**53)


def unit_of(wagers: Iterable[Wager]) -> Cents:
    """The smallest chip unit with which no pay line of these wagers comes to a part of a cent.

    >>> from punto.games import find
    >>> unit_of(find("baccarat").wagers), unit_of(find("7-up").wagers)
    (20, 10)
    """
    return Cents(lcm(*[pay.odds.staked for wager in wagers for pay in wager.pays]))


def won_cents(settlement: Settlement, stake_cents: Cents) -> Cents:
    """What a stake wins, in whole cents; a lost stake wins nothing."""
    odds = settlement.pay.odds if settlement.pay else None
    if odds is None:
        return Cents(0)
    won, part = divmod(stake_cents * odds.won, odds.staked)
    assert not part, "the chip unit rules out parts of a cent"
    return Cents(won)


def most_won_cents(wager: Wager, stake_cents: Cents) -> Cents:
    """The most that a stake on the wager can win, rounded down."""
    return Cents(max(stake_cents * pay.odds.won // pay.odds.staked for pay in wager.pays))


def money(cents: int) -> str:
    """An amount with two decimals.

    >>> money(123456), money(-5)
    ('1,234.56', '-0.05')
    """
    return f"{cents // 100:,}.{cents % 100:02d}" if cents >= 0 else f"-{money(-cents)}"
