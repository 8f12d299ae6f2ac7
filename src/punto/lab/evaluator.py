"""Exact edges of all wagers for many shoes at once.

A line of a pay table is reached in so many orders of each handful of cards, whatever the shoe, and a handful can be
drawn from a shoe in as many ways as falling factorials say. So a count is a polynomial in the numbers of cards, whose
coefficients are worked out once from the rules. With the kinds of card split into two halves, it is a few matrix
products for a whole batch of shoes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, groupby
from math import comb, lcm, perm
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from punto.cards import MOST_DECKS, Card
from punto.errors import BadComposition, TooFewCards
from punto.lab.classes import LOST, Classes, Ints
from punto.lab.exact import EXACT_FLOAT, Floats, one_thread
from punto.lab.handcounts import HandCounts
from punto.lab.quotients import weighed_quotients
from punto.rules import Game, Wager

# As many shoes as leave the work of one step in the processor's second cache.
_AT_ONCE: Final = 512
# Beyond so many orders of kinds of cards, coefficients would take longer than counting by hands does.
_MOST_ORDERS: Final = 6_000_000
_LOW_BITS: Final = 26

Numbers = NDArray[np.integer]
Number = TypeVar("Number", np.int64, np.float64)


class Evaluator:
    """Exact counts and edges of some wagers of a game, for batches of shoes.

    >>> from punto.games import find
    >>> evaluator = Evaluator(find("tiger"), ["Player", "Tiger"])
    >>> [f"{edge:.4%}" for edge in evaluator.edges(np.full((1, 52), 8))[0]]
    ['1.2351%', '16.6836%']
    """

    def __init__(self, game: Game, wagers: Iterable[str] | None = None) -> None:
        self.game = game
        self.wagers = game.wagers if wagers is None else tuple(game.wager(name) for name in wagers)
        self.lines = tuple(settlement for wager in self.wagers for settlement in wager.settlements)
        self.drawn = 6 - len(game.opening.player)
        parts = sorted((_Part.of(game, wager) for wager in dict.fromkeys(self.wagers)), key=lambda part: part.shape)
        self._groups = [_Group(tuple(group)) for _, group in groupby(parts, key=lambda part: part.shape)]

    def kinds(self, wager: str) -> tuple[tuple[Card, ...], ...]:
        """The cards in groups that the wager cannot tell apart."""
        parts = [part for group in self._groups for part in group.parts]
        return next(part.classes.kinds for part in parts if part.wager.name == wager)

    def counts(self, shoes: Numbers) -> Ints:
        """How many ordered draws lead to each line of each wager: one row for each shoe, exact.

        *shoes* has one row for each shoe, with the number left of each card, in the order of the deck.
        """
        cards = self._checked(shoes)
        found: dict[str, Ints] = {}
        for group in self._groups:
            counts = group.counts(cards, self.drawn)
            found |= {part.wager.name: columns for part, columns in zip(group.parts, counts, strict=True)}
        nothing = np.empty((len(cards), 0), dtype=np.int64)
        return np.concatenate([nothing, *[found[wager.name] for wager in self.wagers]], axis=1)

    def edges(self, shoes: Numbers) -> Floats:
        """The edge of each wager for each shoe: its exact value, rounded once to the nearest float."""
        counts = self.counts(shoes)
        draws = [perm(size, self.drawn) for size in np.asarray(shoes).sum(axis=1, dtype=np.int64).tolist()]
        edges: Floats = np.empty((len(counts), len(self.wagers)))
        place = 0
        for column, wager in zip(edges.T, self.wagers, strict=True):
            nets = [settlement.net for settlement in wager.settlements]
            unit = lcm(*[net.denominator for net in nets])
            own = counts[:, place : place + len(nets)]
            column[:] = weighed_quotients(own, [int(-net * unit) for net in nets], [unit * of for of in draws])
            place += len(nets)
        return edges

    def _checked(self, shoes: Numbers) -> Ints:
        """The shoes, if each can finish a coup and ten decks can hold it."""
        given = np.asarray(shoes)
        if given.ndim != 2 or given.shape[1] != self.game.deck.size:  # noqa: PLR2004
            raise BadComposition(f"shoes of shape {given.shape}: expected rows of {self.game.deck.size} numbers")
        cards = given.astype(np.int64)
        impossible = ((cards != given) | (cards < 0) | (cards > MOST_DECKS)).any(axis=1)
        if impossible.any():
            row = int(impossible.argmax()) + 1
            raise BadComposition(f"shoe {row}: expected whole numbers of cards from 0 to {MOST_DECKS}", row)
        short = cards.sum(axis=1) < self.drawn
        if short.any():
            row = int(short.argmax()) + 1
            raise TooFewCards(f"shoe {row} has too few cards: expected at least {self.drawn}", row)
        return cards


@dataclass(frozen=True)
class _Part:
    """One wager, with what it depends on: the first cards of a hand, those of both, or all cards."""

    wager: Wager
    classes: Classes
    depends: str

    @classmethod
    def of(cls, game: Game, wager: Wager) -> "_Part":
        classes = Classes(game, [wager])
        rows = classes.rows[0][classes.coup_of]
        if (rows != rows[:, :, :1, :1]).any():
            return cls(wager, classes, "all")
        first = rows[:, :, 0, 0]
        if (first == first[:, :1]).all():
            return cls(wager, classes, "player")
        return cls(wager, classes, "banker" if (first == first[:1]).all() else "first")

    @property
    def shape(self) -> tuple[str, tuple[tuple[str, ...], ...]]:
        """Wagers of one shape are counted together."""
        return self.depends, tuple(tuple(map(str, kind)) for kind in self.classes.kinds)

    @property
    def cards(self) -> int:
        """How many cards decide the wager."""
        player, banker = self.classes.player.cards, self.classes.banker.cards
        return {"player": player, "banker": banker, "first": player + banker, "all": player + banker + 2}[self.depends]

    def by_hands(self) -> HandCounts:
        """The same counts by the classes of both hands."""
        return HandCounts(self.classes, len(self.wager.pays), thirds=self.depends == "all")

    @cached_property
    def lines(self) -> Ints:
        """The line that each order of kinds of the deciding cards leads to, the last one where the wager is lost."""
        classes = self.classes
        kinds = len(classes.kinds)
        rows = classes.rows[0][classes.coup_of]
        player = classes.player.dealt.ravel()
        banker = classes.banker.dealt.ravel()
        match self.depends:
            case "player":
                found = rows[player, 0, 0, 0]
            case "banker":
                found = rows[0, banker, 0, 0]
            case "first":
                found = rows[player[:, None], banker[None, :], 0, 0]
            case _:
                points = classes.points
                found = rows[
                    player[:, None, None, None],
                    banker[None, :, None, None],
                    points[None, None, :, None],
                    points[None, None, None, :],
                ]
        lines = np.where(found == LOST, len(self.wager.pays), found)
        return lines.reshape((kinds,) * self.cards)


class _Group:
    """Wagers that are decided by as many cards of the same kinds."""

    def __init__(self, parts: tuple[_Part, ...]) -> None:
        self.parts = parts
        self.classes = parts[0].classes
        self.cards = parts[0].cards
        kinds = len(self.classes.kinds)
        self._belongs: Floats = np.zeros((self.classes.game.deck.size, kinds))
        self._belongs[np.arange(len(self._belongs)), self.classes.kind_of] = 1
        self._polynomial = _Polynomial(kinds, self.cards, parts) if kinds**self.cards <= _MOST_ORDERS else None
        self._by_hands = [] if self._polynomial else [part.by_hands() for part in parts]

    def counts(self, cards: Ints, drawn: int) -> list[Ints]:
        """The counts of the lines of each wager, out of ordered draws of so many cards."""
        left = cards @ self._belongs
        size = left.sum(axis=1)
        of = _falling(size.astype(np.int64), self.cards)
        others = _falling(size.astype(np.int64) - self.cards, drawn - self.cards)
        if self._polynomial is None:
            return [counts(left.astype(np.int64)) * others[:, None] for counts in self._by_hands]
        found = self._polynomial(left)
        columns = []
        for places in self._polynomial.places:
            won = found[:, places]
            lost = of - won.sum(axis=1)
            columns.append(np.column_stack([won, lost]) * others[:, None])
        return columns


class _Polynomial:
    """Sums over handfuls of cards, split into two halves of the kinds.

    *places* tells for each wager which results are the counts of its pay lines; equal ones are worked out once.
    """

    def __init__(self, kinds: int, degree: int, parts: Sequence[_Part]) -> None:
        self.degree = degree
        self._middle = kinds // 2
        self._halves = _Monomials(self._middle, degree), _Monomials(kinds - self._middle, degree)
        coefficients, self.places = _coefficients(kinds, degree, parts)
        self._columns = len(coefficients)
        number = _numbers(kinds, degree)
        self._products = []
        first, second = self._halves
        for size in range(degree + 1):
            few, many = first.of_size(size), second.of_size(degree - size)
            handfuls = [number[(*one, *[self._middle + kind for kind in other])] for one in few for other in many]
            chosen = coefficients[:, handfuls].reshape(len(coefficients), len(few), len(many))
            swap = len(few) > len(many)
            matrix = (chosen.transpose(0, 2, 1) if swap else chosen).astype(np.float64)
            if matrix.size and matrix.any():
                self._products.append((size, swap, np.ascontiguousarray(matrix)))

    def __call__(self, left: Floats) -> Ints:
        """The value of each sum for each row of cards left, exact."""
        values = np.empty((len(left), self._columns), dtype=np.int64)
        largest = int(left.sum(axis=1).max(initial=0))
        exact = perm(largest, self.degree) < EXACT_FLOAT
        with one_thread():
            for start in range(0, len(left), _AT_ONCE):
                part = left[start : start + _AT_ONCE].T
                values[start : start + _AT_ONCE] = (self._floats(part) if exact else self._integers(part)).T
        return values

    def _floats(self, left: Floats) -> Floats:
        """In floating point, where no number can reach 2⁵³."""
        first, second = (
            half(part) for half, part in zip(self._halves, (left[: self._middle], left[self._middle :]), strict=True)
        )
        values = np.zeros((self._columns, left.shape[1]))
        for size, swap, matrix in self._products:
            few, many = first[size], second[self.degree - size]
            if swap:
                few, many = many, few
            inner = (matrix.reshape(-1, matrix.shape[2]) @ many).reshape(*matrix.shape[:2], -1)
            inner *= few
            values += inner.sum(axis=1)
        return values

    def _integers(self, left: Floats) -> Ints:
        """In integers; for the matrix products these are cut in two, so that floating point holds either."""
        whole = left.astype(np.int64)
        first, second = (
            half(part) for half, part in zip(self._halves, (whole[: self._middle], whole[self._middle :]), strict=True)
        )
        values = np.zeros((self._columns, left.shape[1]), dtype=np.int64)
        for size, swap, matrix in self._products:
            few, many = first[size], second[self.degree - size]
            if swap:
                few, many = many, few
            flat = matrix.reshape(-1, matrix.shape[2])
            high, low = (
                (flat @ cut.astype(np.float64)).astype(np.int64)
                for cut in (many >> _LOW_BITS, many & ((1 << _LOW_BITS) - 1))
            )
            inner = ((high << _LOW_BITS) + low).reshape(*matrix.shape[:2], -1)
            inner *= few
            values += inner.sum(axis=1)
        return values


class _Monomials:
    """Products of falling factorials of the numbers of some kinds of cards: one for each handful.

    Handfuls of a size come in order of their last kind, then of how many of it there are; so those that have no later
    kind than a given one are always the first ones, and each block is a run of smaller ones times one factor.
    """

    def __init__(self, kinds: int, degree: int) -> None:
        self.kinds = kinds
        self.degree = degree
        self._starts = np.cumsum([0, *[_handfuls(kinds, size) for size in range(degree + 1)]])

    def of_size(self, size: int) -> list[tuple[int, ...]]:
        """The handfuls of a size, in order, each as its kinds."""
        handfuls = combinations_with_replacement(range(self.kinds), size)
        return sorted(handfuls, key=self._order)

    def _order(self, handful: tuple[int, ...]) -> list[tuple[int, int]]:
        """The last kind first, with how many there are of it."""
        return [(kind, handful.count(kind)) for kind in sorted(set(handful), reverse=True)]

    def __call__(self, left: NDArray[Number]) -> list[NDArray[Number]]:
        """Their values by size, for each column of cards left."""
        falling = [np.ones_like(left)]
        for power in range(self.degree):
            falling.append(falling[-1] * (left - power))
        values = np.empty((self._starts[-1], left.shape[1]), dtype=left.dtype)
        sizes = [values[self._starts[size] : self._starts[size + 1]] for size in range(self.degree + 1)]
        sizes[0][:] = 1
        for size in range(1, self.degree + 1):
            place = 0
            for kind in range(self.kinds):
                for power in range(1, size + 1):
                    count = _handfuls(kind, size - power)
                    np.multiply(
                        sizes[size - power][:count], falling[power][kind], out=sizes[size][place : place + count]
                    )
                    place += count
        return sizes


def _handfuls(kinds: int, size: int) -> int:
    """How many handfuls of a size there are of some kinds."""
    return comb(kinds + size - 1, size) if kinds else int(size == 0)


def _numbers(kinds: int, size: int) -> dict[tuple[int, ...], int]:
    """The handfuls of a size, numbered."""
    return {handful: number for number, handful in enumerate(combinations_with_replacement(range(kinds), size))}


def _coefficients(kinds: int, size: int, parts: Sequence[_Part]) -> tuple[Ints, list[list[int]]]:
    """In how many orders each handful leads to each pay line, without repeating equal ones, and where each is."""
    number, handfuls = _handful_of(kinds, size)
    known: dict[bytes, int] = {}
    columns: list[Ints] = []
    places = []
    for part in parts:
        lines = len(part.wager.pays) + 1
        counted = np.bincount(number * lines + part.lines.ravel(), minlength=handfuls * lines)
        found = []
        for column in counted.reshape(-1, lines).T[:-1]:
            key = column.tobytes()
            if key not in known:
                known[key] = len(columns)
                columns.append(column)
            found.append(known[key])
        places.append(found)
    return np.array(columns), places


@lru_cache(maxsize=4)
def _handful_of(kinds: int, size: int) -> tuple[Ints, int]:
    """The number of the handful that each order of kinds is made of, and how many handfuls there are."""
    orders = np.sort(np.indices((kinds,) * size, dtype=np.int8).reshape(size, -1), axis=0)
    handfuls = np.array(list(combinations_with_replacement(range(kinds), size)), dtype=np.int64)
    number = np.empty(kinds**size, dtype=np.int64)
    number[np.ravel_multi_index(tuple(handfuls.T), (kinds,) * size)] = np.arange(len(handfuls))
    return number[np.ravel_multi_index(tuple(orders), (kinds,) * size)], len(handfuls)


def _falling(base: NDArray[Number], count: int) -> NDArray[Number]:
    """The falling factorial of each number."""
    product = np.ones_like(base)
    for step in range(count):
        product = product * (base - step)
    return product
