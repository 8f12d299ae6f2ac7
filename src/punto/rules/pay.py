"""What a wager pays: odds, pay rows, and the wager that they make up."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Final

from punto.rules.conditions import Condition, Values
from punto.rules.traits import Reading
from punto.rules.words import Label, Language

# The code of a rulebook and the number of one of its clauses, with a space between.
Clause = str

LOST_NET: Final = Fraction(-1)
_SMALL: Final = 10


@dataclass(frozen=True, slots=True)
class Odds:
    """So many units won for so many staked, in lowest terms; a push is odds of zero (EB4 1.1.12).

    >>> str(Odds(12)), str(Odds(1, 2)), str(Odds(95, 100)), str(PUSH)
    ('12 to 1', '1 to 2', '0.95 to 1', 'push')
    """

    won: int
    staked: int = 1

    def __post_init__(self) -> None:
        assert self.won >= 0 < self.staked
        divisor = gcd(self.won, self.staked)
        object.__setattr__(self, "won", self.won // divisor)
        object.__setattr__(self, "staked", self.staked // divisor)

    @property
    def net(self) -> Fraction:
        """Units won per unit staked."""
        return Fraction(self.won, self.staked)

    @property
    def figures(self) -> tuple[str, str]:
        """What is won and what is staked, as a layout prints them: small whole numbers, or hundredths to one."""
        if self.staked < _SMALL or 100 % self.staked:
            return str(self.won), str(self.staked)
        whole, hundredths = divmod(100 * self.won // self.staked, 100)
        return f"{whole}.{hundredths:02d}".removesuffix("0"), "1"

    def __str__(self) -> str:
        return " to ".join(self.figures) if self.won else "push"


EVEN: Final = Odds(1)
PUSH: Final = Odds(0)


@dataclass(frozen=True, slots=True)
class Pay:
    """One row of a pay table: where it stands, when it pays, and how much."""

    clause: Clause
    when: Condition
    odds: Odds


class Result(Enum):
    """What became of a wager."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"


@dataclass(frozen=True, slots=True)
class Wager:
    """A wager: the clause that defines it, and its pay rows; the first that fits pays, none means lost."""

    label: Label
    clause: Clause
    pays: tuple[Pay, ...]

    @property
    def name(self) -> str:
        """The wager's name as the rulebook has it, by which it is known everywhere."""
        return self.label.en

    @property
    def reads(self) -> frozenset[Reading]:
        """The traits that decide the wager."""
        return frozenset[Reading]().union(*[pay.when.reads for pay in self.pays])

    @property
    def settlements(self) -> "tuple[Settlement, ...]":
        """All that the wager can come to: one for each row, and last that it is lost."""
        return tuple(Settlement(self, row) for row in (*range(len(self.pays)), None))

    def row(self, values: Values) -> int | None:
        """Which row pays, given the values of the traits that the wager reads; none when it is lost."""
        return next((row for row, pay in enumerate(self.pays) if pay.when.holds(values)), None)

    def settle(self, values: Values) -> "Settlement":
        """The settlement, given the values of the traits that the wager reads."""
        return Settlement(self, self.row(values))


@dataclass(frozen=True)
class Settlement:
    """What a wager came to, and the row that says so; no row means that the stake is lost."""

    wager: Wager
    row: int | None

    @property
    def pay(self) -> Pay | None:
        """The row that paid."""
        return None if self.row is None else self.wager.pays[self.row]

    @cached_property
    def result(self) -> Result:
        """Win, lose or push."""
        if self.pay is None:
            return Result.LOSE
        return Result.WIN if self.pay.odds.won else Result.PUSH

    @cached_property
    def net(self) -> Fraction:
        """Units won per unit staked: -1 when lost, 0 on a push."""
        return self.pay.odds.net if self.pay else LOST_NET

    @cached_property
    def clause(self) -> Clause:
        """The clause of the row that paid; the wager's own when none did."""
        return self.pay.clause if self.pay else self.wager.clause

    def why(self, language: Language = Language.ENGLISH) -> str:
        """The reason in one line."""
        if self.pay is None:
            return _NONE_FITS.text(language).format(self.wager.label.text(language))
        return self.pay.when.sentence(language) + _COLON.text(language) + odds_in_words(self.pay.odds, language)


_COLON: Final = Label(": ", "：")
_NONE_FITS: Final = Label("No pay line of {} fits: lost", "{}的赔付各行均不符合：输")
_PAYS: Final = Label("pays {won} to {staked}", "{staked}赔{won}")
_PUSHES: Final = Label("push", "退还本金")


def odds_in_words(odds: Odds, language: Language) -> str:
    """What the odds mean for a stake, in words.

    >>> odds_in_words(Odds(12), Language.ENGLISH), odds_in_words(Odds(1, 2), Language.CHINESE)
    ('pays 12 to 1', '2赔1')
    """
    if not odds.won:
        return _PUSHES.text(language)
    won, staked = odds.figures
    return _PAYS.text(language).format(won=won, staked=staked)
