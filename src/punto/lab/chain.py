"""Sessions worked out exactly: how likely a bankroll has each amount of money, round after round.

Rounds are taken to be independent, as if each came from a fresh shoe. Then the step of a way of staking and the money
that is left are all that the next round depends on: a Markov chain, of which every state keeps its probability.

Flat stakes have one step, and many of their rounds are passed at once. Money that cannot meet either end within *h*
rounds moves as a sum of *h* rounds does, which is one convolution; only money close to an end is followed more
closely, in halves of *h*. How far a sum can move is Chernoff's bound; what lies beyond it has a probability below
10⁻¹⁸.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import Final, Protocol

import numpy as np

from punto.errors import BadRounds
from punto.lab.exact import Floats
from punto.lab.sums import Sums

# What is less likely than this is left out, and added up.
_UNLIKELY: Final = 1e-18
# So many rounds are followed one by one.
_CLOSELY: Final = 64
# A chain that has to work out more probabilities than this is given up.
_MOST_WORK: Final = 1 << 29


_MOST_AMOUNTS: Final = 1 << 23
_TOO_MANY: Final = "too many amounts of money to be followed exactly: expected fewer rounds, lower stakes, or a goal"


class Stage(Protocol):
    """A step of a way of staking."""

    @property
    def stake(self) -> int:
        """The stake in units."""

    @property
    def win(self) -> int:
        """The step that follows a win."""

    @property
    def lose(self) -> int:
        """The step that follows a loss."""


@dataclass(frozen=True)
class Terms:
    """A session: the steps, what a unit staked can come to, where it begins, and where it ends.

    A unit has so many *parts*, in which the outcomes of one unit are counted. Money is counted in grains from where the
    session began: every stake moves it by a whole number of them.
    """

    steps: Sequence[Stage]
    outcomes: Mapping[int, float]
    parts: int
    bankroll: int
    goal: int | None

    @cached_property
    def grain(self) -> int:
        """The parts in a grain."""
        return gcd(*[step.stake * outcome for step in self.steps for outcome in self.outcomes]) or 1

    @cached_property
    def end(self) -> int | None:
        """The money at which a session has reached its goal."""
        return None if self.goal is None else self._grains(self.goal * self.parts)

    def needed(self, step: int) -> int:
        """The least money with which the next stake can be paid; without any, no session goes on."""
        return self._grains(max(1, self.steps[step].stake * self.parts))

    def move(self, step: int, outcome: int) -> int:
        """What an outcome moves the money by."""
        return self.steps[step].stake * outcome // self.grain

    def units(self, money: Floats) -> Floats:
        """Money in units."""
        return (self.bankroll * self.parts + money * self.grain) / self.parts

    def _grains(self, parts: int) -> int:
        """The first amount of money that is no less than so many parts."""
        return -((self.bankroll * self.parts - parts) // self.grain)


@dataclass
class Money:
    """Probabilities of amounts of money, from the lowest on."""

    lowest: int
    chances: Floats

    @classmethod
    def nothing(cls) -> "Money":
        """No amount at all."""
        return cls(0, np.zeros(0))

    @property
    def total(self) -> float:
        """How likely it is that there is any."""
        return float(self.chances.sum())

    def add(self, other: "Money") -> None:
        """Add probabilities of other amounts."""
        lowest, chances = other.lowest, other.chances
        if not len(chances):
            return
        if not len(self.chances):
            self.lowest, self.chances = lowest, chances.copy()
            return
        first = min(self.lowest, lowest)
        last = max(self.lowest + len(self.chances), lowest + len(chances))
        if first < self.lowest or last > self.lowest + len(self.chances):
            wider = np.zeros(_checked(last - first))
            wider[self.lowest - first : self.lowest - first + len(self.chances)] = self.chances
            self.lowest, self.chances = first, wider
        self.chances[lowest - self.lowest : lowest - self.lowest + len(chances)] += chances

    def trimmed(self) -> tuple["Money", float]:
        """The same without what is too unlikely at both ends, and how much that was."""
        likely = np.flatnonzero(self.chances > _UNLIKELY)
        if not len(likely):
            return Money.nothing(), self.total
        first, last = int(likely[0]), int(likely[-1]) + 1
        kept = self.chances[first:last]
        return Money(self.lowest + first, kept), self.total - float(kept.sum())


@dataclass(frozen=True)
class Standing:
    """Where a session can stand after some rounds: still going on, unable to pay, or at its goal."""

    going: Money
    short: Money
    reached: Money

    def law(self, terms: Terms) -> tuple[Floats, Floats]:
        """All amounts of money that there can be, in units, and how likely each is."""
        parts = [part for part in (self.going, self.short, self.reached) if len(part.chances)]
        amounts = np.concatenate([part.lowest + np.arange(len(part.chances)) for part in parts])
        every, which = np.unique(amounts, return_inverse=True)
        chances = np.zeros(len(every))
        np.add.at(chances, which, np.concatenate([part.chances for part in parts]))
        return terms.units(every.astype(np.float64)), chances


def _sum(parts: Iterable[Money]) -> Money:
    """All of it together."""
    found = Money.nothing()
    for part in parts:
        found.add(part)
    return found


class Chain:
    """A session under way."""

    def __init__(self, terms: Terms) -> None:
        self._ends = _Ends(terms)
        self._going = [Money.nothing() for _ in terms.steps]
        self._going[0] = self._ends.settle(0, Money(0, np.ones(1)))
        self._flat = _Flat(self._ends) if _is_flat(terms) else None

    @property
    def bets(self) -> float:
        """How many rounds with a stake are expected so far."""
        return self._ends.bets

    @property
    def left_out(self) -> float:
        """The probability of all that was too unlikely to be followed."""
        return self._ends.left_out

    def moments(self, moments: Sequence[int]) -> Iterator[Standing]:
        """Where the session can stand after each of these numbers of rounds, the smallest first."""
        done = 0
        for moment in moments:
            if self._flat:
                self._going = [_sum(self._flat.advance(self._going[0], moment - done))]
                self._trim()
            else:
                for _ in range(moment - done):
                    self._going = self._ends.round(self._going)
                    self._trim()
            done = moment
            yield Standing(_sum(self._going), self._ends.short, self._ends.reached)

    def _trim(self) -> None:
        for step, money in enumerate(self._going):
            self._going[step], lost = money.trimmed()
            self._ends.left_out += lost


class _Ends:
    """Rounds, and where they come to an end."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.short = Money.nothing()
        self.reached = Money.nothing()
        self.bets = 0.0
        self.left_out = 0.0
        self.work = 0

    def round(self, going: Sequence[Money]) -> list[Money]:
        """One round for the money at each step."""
        after = [Money.nothing() for _ in going]
        for number, (step, money) in enumerate(zip(self.terms.steps, going, strict=True)):
            if not len(money.chances):
                continue
            self.count(len(money.chances) * len(self.terms.outcomes))
            if step.stake:
                self.bets += money.total
            for outcome, chance in self.terms.outcomes.items():
                follows = step.win if outcome > 0 else step.lose if outcome < 0 else number
                moved = Money(money.lowest + self.terms.move(number, outcome), chance * money.chances)
                after[follows].add(self.settle(follows, moved))
        return after

    def count(self, work: int) -> None:
        """Count probabilities that are worked out; too many of them are refused."""
        self.work += work
        if self.work > _MOST_WORK:
            raise BadRounds(_TOO_MANY)

    def settle(self, step: int, money: Money) -> Money:
        """The money that goes on; what is at its goal, or cannot pay the stake of its next step, ends here."""
        lowest, chances = money.lowest, money.chances
        end = self.terms.end
        if end is not None and lowest + len(chances) > end:
            cut = max(0, end - lowest)
            self.reached.add(Money(lowest + cut, chances[cut:]))
            chances = chances[:cut]
        short = min(max(0, self.terms.needed(step) - lowest), len(chances))
        self.short.add(Money(lowest, chances[:short]))
        return Money(lowest + short, chances[short:])


def _is_flat(terms: Terms) -> bool:
    return len(terms.steps) == 1 and terms.steps[0].stake > 0


class _Flat:
    """Flat stakes: many rounds at once."""

    def __init__(self, ends: _Ends) -> None:
        self._ends = ends
        terms = ends.terms
        steps = {terms.move(0, outcome): chance for outcome, chance in terms.outcomes.items()}
        self._sums = Sums(steps)
        self._rises = Sums({-step: chance for step, chance in steps.items()})
        self._lowest = min(steps)
        self._width = max(steps) - self._lowest
        self._moves = [(step - self._lowest, chance) for step, chance in steps.items()]
        self._kernels: dict[int, tuple[int, Floats]] = {}

    def advance(self, money: Money, rounds: int) -> Iterator[Money]:
        """The money that goes on after so many rounds, in parts that overlap."""
        if money.total < _UNLIKELY:
            self._ends.left_out += money.total
            return
        if rounds <= _CLOSELY:
            yield self._closely(money, rounds)
            return
        needed, end = self._ends.terms.needed(0), self._ends.terms.end
        first = min(max(0, needed + self._sums.drop(rounds) - money.lowest), len(money.chances))
        last = len(money.chances)
        if end is not None:
            last = min(last, max(first, end - self._rises.drop(rounds) - money.lowest))
        if first < last:
            middle = money.chances[first:last]
            self._ends.bets += rounds * float(middle.sum())
            lowest, kernel = self._kernel(rounds)
            yield self._within(Money(money.lowest + first + lowest, _convolved(middle, kernel)))
        for place, near in ((0, money.chances[:first]), (last, money.chances[last:])):
            half = rounds // 2
            halfway = _sum(self.advance(Money(money.lowest + place, near), half))
            yield from self.advance(halfway, rounds - half)

    def _within(self, money: Money) -> Money:
        """The money without what next to no probability has carried beyond an end."""
        needed, end = self._ends.terms.needed(0), self._ends.terms.end
        first = max(0, needed - money.lowest)
        last = len(money.chances) if end is None else min(len(money.chances), end - money.lowest)
        kept = Money(money.lowest + first, money.chances[first:last])
        self._ends.left_out += money.total - kept.total
        return kept

    def _closely(self, money: Money, rounds: int) -> Money:
        """The money after so many rounds, followed one by one."""
        lowest, chances = money.lowest, money.chances
        needed, end = self._ends.terms.needed(0), self._ends.terms.end
        short = np.zeros(max(0, -self._lowest))
        reached = np.zeros(max(0, self._width + self._lowest))
        for _ in range(rounds):
            self._ends.bets += float(np.add.reduce(chances))
            size = len(chances)
            self._ends.count(size * len(self._moves))
            after = np.zeros(size + self._width)
            for place, chance in self._moves:
                after[place : place + size] += chance * chances
            lowest += self._lowest
            if end is not None and lowest + len(after) > end:
                cut = max(0, end - lowest)
                beyond, place = after[cut:], max(0, lowest - end)
                reached[place : place + len(beyond)] += beyond
                after = after[:cut]
            if lowest < needed:
                below, place = after[: needed - lowest], lowest - needed - self._lowest
                short[place : place + len(below)] += below
                after = after[needed - lowest :]
                lowest = needed
            chances = after
        self._ends.short.add(Money(needed + self._lowest, short))
        if end is not None:
            self._ends.reached.add(Money(end, reached))
        return Money(lowest, chances)

    def _kernel(self, rounds: int) -> tuple[int, Floats]:
        """What so many rounds come to: the lowest amount, and the chance of it and of all above it."""
        if rounds not in self._kernels:
            _checked(self._sums.span * sum(self._sums.reach(rounds)))
            values, chances = self._sums.distribution(rounds)
            filled = np.zeros(int(values[-1] - values[0]) + 1)
            filled[values - values[0]] = chances / chances.sum()
            self._kernels[rounds] = int(values[0]), filled
        return self._kernels[rounds]


def _checked(size: int) -> int:
    """The number of amounts, if it is not too large to be worked with."""
    if size > _MOST_AMOUNTS:
        raise BadRounds(_TOO_MANY)
    return size


def _convolved(one: Floats, other: Floats) -> Floats:
    size = _checked(len(one) + len(other) - 1)
    length = 1 << (size - 1).bit_length()
    found: Floats = np.fft.irfft(np.fft.rfft(one, length) * np.fft.rfft(other, length), length)[:size]
    return found
