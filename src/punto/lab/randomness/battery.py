"""The battery: every test of a shuffle, by the topics that the chapters on generators name."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from hashlib import blake2b
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from punto.cards import Deck
from punto.lab.randomness import laws
from punto.lab.randomness.measures import (
    Block,
    Classes,
    Floats,
    Followers,
    Ints,
    Means,
    Measure,
    Places,
    Verdict,
    common_followers,
)

# Fewer shoes do not fill the classes of the tests.
FEWEST_SHOES: Final = 500
_LAGS: Final = range(1, 9)
_TOGETHER: Final = 5
_MOST_MATCHES: Final = 4
_LONGEST_RUN: Final = 6
# Runs are looked for in stretches of so many places.
_STRETCH: Final = 8
_LONGEST_GAP: Final = 10
_COLLECTORS: Final = 4
_BINS: Final = 8
# A round of baccarat has at most six cards, and the first four are the hands' first two.
_COUP: Final = 6
# Totals of 0 to 5, of 6 and 7, and naturals.
_TOTALS: Final = (0, 0, 0, 0, 0, 0, 1, 1, 2, 2)


@dataclass(frozen=True)
class Test:
    """One test: its topic, what it looks at, and how that is measured."""

    __test__ = False  # pytest collects what is called a test

    topic: str
    name: str
    measure: Measure


@dataclass(frozen=True)
class Finding:
    """What one test found."""

    topic: str
    name: str
    verdict: Verdict


class Battery:
    """All tests of shoes of one kind, while shoes come in."""

    def __init__(self, deck: Deck, decks: int) -> None:
        self.tests = battery_of(deck, decks)
        self.shoes = 0
        self._size = deck.size * decks
        self._totals: list[NDArray[Any] | None] = [None] * len(self.tests)
        self._seen: set[bytes] = set()

    def add(self, order: NDArray[Any]) -> None:
        """Take in some shoes: a row for each, with its cards numbered from 0 as they lie in new decks."""
        block = Block(order)
        if block.size != self._size:
            raise ValueError(f"shoes of {block.size} cards: expected {self._size}")
        self.shoes += len(block.order)
        self._seen.update(blake2b(row.tobytes(), digest_size=16).digest() for row in block.order.astype(np.uint16))
        for at, test in enumerate(self.tests):
            found, before = test.measure.tally(block), self._totals[at]
            self._totals[at] = found if before is None else before + found

    @property
    def repeats(self) -> int:
        """How many shoes came before already."""
        return self.shoes - len(self._seen)

    def findings(self) -> list[Finding]:
        """What every test found in the shoes so far."""
        found = [
            Finding(test.topic, test.name, test.measure.judged(total))
            for test, total in zip(self.tests, self._totals, strict=True)
            if total is not None
        ]
        # Two even shoes are the same with a probability of one in n!, which is no number that a float can hold.
        repeats = Verdict("repeats", self.repeats, 0, 0.0 if self.repeats else 1.0)
        return [*found, Finding("independence of shoes", "a shoe that came before", repeats)]


@cache
def battery_of(deck: Deck, decks: int) -> tuple[Test, ...]:
    """The tests of shoes of so many decks."""
    size = deck.size * decks
    cards = deck.cards * decks
    kind: Ints = np.arange(size) % deck.size
    rank: Ints = np.array([deck.ranks.index(card.rank) for card in cards])
    suit: Ints = np.array([deck.suits.index(card.suit) for card in cards if card.suit])
    points: Ints = np.array([card.points for card in cards])
    values = [int(number) for number in np.bincount(points, minlength=10)]
    each = [Fraction(1, deck.size)] * deck.size
    orders = [Fraction(1, 120)] * 120
    runs = laws.first_runs(_LONGEST_RUN)
    matching = laws.matches(size, _MOST_MATCHES)
    tens = points == 0
    suits = len(deck.suits)
    return (
        Test("frequency", "each card at each place", Places()),
        Test("frequency", "the kind of the first card", Classes(lambda block: kind[block.order[:, 0]], each)),
        Test("frequency", "the kind of the last card", Classes(lambda block: kind[block.order[:, -1]], each)),
        Test("serial", "each card followed by each", Followers(lambda block: block.order)),
        Test("serial", "places of cards that were neighbours", Followers(lambda block: block.places)),
        Test("serial", "neighbours as in new decks", Means(_still_neighbours)),
        Test("serial", "suits of two cards in a row", Means(_suit_pairs(suit, suits))),
        Test("serial correlation", "card numbers 1 to 8 places apart", Means(_correlation(np.arange(size)))),
        Test("serial correlation", "points 1 to 8 places apart", Means(_correlation(points))),
        Test("serial correlation", "place before and after", Means(_before_and_after)),
        Test("gap", "between cards that count nothing", Means(_gaps(tens))),
        Test("gap", "between cards of the first suit", Means(_gaps(suit == 0))),
        Test("poker", "ranks of five cards", Means(_hands(rank, len(deck.ranks), decks * suits))),
        Test("coupon collector", "cards until every rank has come", Means(_collectors(rank))),
        Test("coupon collector", "cards until all points have come", Means(_collectors(points))),
        Test("runs", "length of runs up", Classes(lambda block: _first_run(block.order), runs)),
        Test("runs", "length of runs down", Classes(lambda block: _first_run(-block.order), runs)),
        Test("runs", "number of runs up and down", Means(lambda block: _ups_and_downs(block.order))),
        Test("runs", "rising sequences", Means(lambda block: _ups_and_downs(block.places))),
        Test("permutations", "orders of five places in a row", Classes(lambda block: _orders(block.order), orders)),
        Test("permutations", "orders of five places apart", Classes(lambda block: _orders_apart(block.order), orders)),
        Test("permutations", "orders of five cards in a row", Classes(lambda block: _orders(block.places), orders)),
        Test("permutations", "orders of five cards apart", Classes(lambda block: _orders_apart(block.places), orders)),
        Test("permutations", "cycles, and even or odd", Means(_cycles)),
        Test("baccarat", "Player's first two cards", Means(_totals(points, values, 0))),
        Test("baccarat", "Banker's first two cards", Means(_totals(points, values, 1))),
        Test("baccarat", "both hands, naturals and standing", Means(_both_hands(points, values))),
        Test("baccarat", "suits at the six places of a coup", Means(_suits_of_coups(suit, suits))),
        Test("independence of shoes", "places as in new decks", Classes(_unmoved, matching)),
        Test("independence of shoes", "places as in the shoe before", Classes(_as_before, matching)),
        Test("independence of shoes", "neighbours and order of the shoe before", Means(_like_before)),
    )


Deviations = Callable[[Block], NDArray[Any]]


def _counts(found: Ints, classes: int) -> Ints:
    """How often each class comes in each row."""
    rows = len(found)
    placed = found.reshape(rows, -1) + classes * np.arange(rows)[:, None]
    return np.bincount(placed.ravel(), minlength=rows * classes).reshape(rows, classes)


def _against(found: Ints, expected: Iterable[Fraction | float]) -> Floats:
    """Counts less what is expected; they add up, so that the last one says nothing more."""
    off = found - np.array([float(each) for each in expected])
    return np.asarray(off[:, :-1], dtype=np.float64)


def _suit_pairs(suit: Ints, suits: int) -> Deviations:
    size = len(suit)
    held = np.bincount(suit, minlength=suits)
    chances = (np.outer(held, held) - np.diag(held)) / (size * (size - 1))

    def deviations(block: Block) -> Floats:
        found = suit[block.order[:, : size // 2 * 2]]
        return _against(_counts(found[:, ::2] * suits + found[:, 1::2], suits**2), (size // 2 * chances).ravel())

    return deviations


def _still_neighbours(block: Block) -> Floats:
    still = (np.roll(block.order, -1, axis=1) - block.order) % block.size == 1
    return np.asarray(still.sum(axis=1)[:, None] - common_followers(block.size)[0], dtype=np.float64)


def _correlation(numbers: Ints) -> Deviations:
    size = len(numbers)
    centred = numbers - float(numbers.mean())
    expected = -float((centred**2).sum()) / (size * (size - 1))

    def deviations(block: Block) -> Floats:
        found = centred[block.order]
        sums = [(found[:, :-lag] * found[:, lag:]).sum(axis=1) - (size - lag) * expected for lag in _LAGS]
        return np.column_stack(sums)

    return deviations


def _before_and_after(block: Block) -> Floats:
    centred = np.arange(block.size) - (block.size - 1) / 2
    return np.asarray(centred[block.order] @ centred, dtype=np.float64)[:, None]


def _gaps(marked: NDArray[np.bool_]) -> Deviations:
    size, number = len(marked), int(marked.sum())
    expected = laws.gaps(size, number, _LONGEST_GAP)

    def deviations(block: Block) -> Floats:
        shoes = len(block.order)
        at = np.nonzero(marked[block.order])[1].reshape(shoes, number)
        lengths = np.diff(at, axis=1, prepend=-1, append=size) - 1
        return _against(_counts(np.minimum(lengths, _LONGEST_GAP), _LONGEST_GAP + 1), expected)

    return deviations


def _hands(rank: Ints, ranks: int, each: int) -> Deviations:
    number = len(rank) // 5
    chances = laws.hands(ranks, each)
    # Five of a kind are rare, and counted with four.
    expected = [number * chance for chance in (*chances[:5], chances[5] + chances[6])]
    # The hand by how many of its ten pairs of cards have one rank.
    hand: Ints = np.array([0, 1, 2, 3, 4, 5, 5, 5, 5, 5, 5])

    def deviations(block: Block) -> Floats:
        five = rank[block.order[:, : number * 5]].reshape(len(block.order), number, 5)
        alike = sum((five[:, :, one] == five[:, :, other]).astype(np.int64) for one in range(5) for other in range(one))
        return _against(_counts(hand[alike], 6), expected)

    return deviations


def _collectors(kinds: Ints) -> Deviations:
    """Four collectors, each with a quarter of the shoe."""
    within = len(kinds) // _COLLECTORS
    held = [int(number) for number in np.bincount(kinds)]
    chances = laws.collected(held, within)
    # Numbers of cards are put together until each class is about as likely as the others.
    bins: Ints = np.zeros(len(chances), dtype=np.int64)
    expected = [Fraction(0)]
    for cards, chance in enumerate(chances):
        if expected[-1] >= Fraction(_COLLECTORS, _BINS):
            expected.append(Fraction(0))
        bins[cards] = len(expected) - 1
        expected[-1] += _COLLECTORS * chance
    if len(expected) > 1 and expected[-1] < Fraction(_COLLECTORS, 2 * _BINS):
        last = expected.pop()
        expected[-1] += last
        bins = np.minimum(bins, len(expected) - 1)

    def deviations(block: Block) -> Floats:
        quarters = kinds[block.order[:, : within * _COLLECTORS]].reshape(-1, within)
        needed = np.zeros(len(quarters), dtype=np.int64)
        for kind in range(len(held)):
            here = quarters == kind
            needed = np.maximum(needed, np.where(here.any(axis=1), here.argmax(axis=1) + 1, within + 1))
        return _against(_counts(bins[needed].reshape(-1, _COLLECTORS), len(expected)), expected)

    return deviations


def _first_run(order: Ints) -> Ints:
    """How long the first run up is in each stretch of places, stretches being independent of one another."""
    stretches = order[:, : order.shape[1] // _STRETCH * _STRETCH].reshape(-1, _STRETCH)
    falls = stretches[:, 1:] < stretches[:, :-1]
    length = np.where(falls.any(axis=1), falls.argmax(axis=1) + 1, _STRETCH)
    return np.minimum(length, _LONGEST_RUN) - 1


def _ups_and_downs(order: Ints) -> Floats:
    """Rises, and turns between rise and fall, less (n - 1)/2 and 2(n - 2)/3 of them."""
    size = order.shape[1]
    rises = order[:, 1:] > order[:, :-1]
    turns = rises[:, 1:] != rises[:, :-1]
    return np.column_stack([rises.sum(axis=1) - (size - 1) / 2, turns.sum(axis=1) - 2 * (size - 2) / 3])


def _orders(order: Ints) -> Ints:
    """Which of 120 orders the numbers at five places in a row have; groups of places are independent."""
    groups = order.shape[1] // _TOGETHER
    return _order_of(order[:, : groups * _TOGETHER].reshape(len(order), groups, _TOGETHER))


def _orders_apart(order: Ints) -> Ints:
    """The same of five places that are as far apart as can be."""
    groups = order.shape[1] // _TOGETHER
    return _order_of(order[:, : groups * _TOGETHER].reshape(len(order), _TOGETHER, groups).swapaxes(1, 2))


def _order_of(fives: Ints) -> Ints:
    number = np.zeros(fives.shape[:2], dtype=np.int64)
    for one in range(_TOGETHER):
        smaller = np.zeros(fives.shape[:2], dtype=np.int64)
        for other in range(one + 1, _TOGETHER):
            smaller += fives[:, :, other] < fives[:, :, one]
        number = number * (_TOGETHER - one) + smaller
    return number


def _cycles(block: Block) -> Floats:
    """The number of cycles less its mean, and 1 for an even order, -1 for an odd one."""
    size = block.size
    lowest: Ints = np.broadcast_to(np.arange(size), block.order.shape)
    jump = block.order
    for _ in range(size.bit_length()):  # each step doubles how far along its cycle a card has looked
        lowest = np.minimum(lowest, np.take_along_axis(lowest, jump, axis=1))
        jump = np.take_along_axis(jump, jump, axis=1)
    cycles = (lowest == np.arange(size)).sum(axis=1)
    return np.column_stack([cycles - (1 / np.arange(1, size + 1)).sum(), 1 - 2 * ((size - cycles) % 2)])


def _unmoved(block: Block) -> Ints:
    return np.asarray(np.minimum((block.order == np.arange(block.size)).sum(axis=1), _MOST_MATCHES))


def _as_before(block: Block) -> Ints:
    return np.asarray(np.minimum((block.order[1:] == block.order[:-1]).sum(axis=1), _MOST_MATCHES))


def _like_before(block: Block) -> Floats:
    """Followers in common with the shoe before, and how the places of cards in both go together, less their means."""
    size = block.size
    after = np.empty_like(block.order)
    np.put_along_axis(after, block.order, np.roll(block.order, -1, axis=1), axis=1)
    common = (after[1:] == after[:-1]).sum(axis=1) - common_followers(size)[0]
    centred = block.places - (size - 1) / 2
    return np.column_stack([common, (centred[1:] * centred[:-1]).sum(axis=1)])


def _coups(block: Block) -> Ints:
    """The shoe in coups of six cards each."""
    coups = block.size // _COUP
    return block.order[:, : coups * _COUP].reshape(len(block.order), coups, _COUP)


def _totals(points: Ints, values: Sequence[int], hand: int) -> Deviations:
    expected = [len(points) // _COUP * chance for chance in laws.two_cards(values)]

    def deviations(block: Block) -> Floats:
        coups = points[_coups(block)]
        return _against(_counts((coups[:, :, hand] + coups[:, :, hand + 2]) % 10, 10), expected)

    return deviations


def _both_hands(points: Ints, values: Sequence[int]) -> Deviations:
    kind: Ints = np.array(_TOTALS)
    kinds = max(_TOTALS) + 1
    expected = [len(points) // _COUP * chance for chance in laws.both_hands(values, _TOTALS)]

    def deviations(block: Block) -> Floats:
        coups = points[_coups(block)]
        player, banker = ((coups[:, :, hand] + coups[:, :, hand + 2]) % 10 for hand in (0, 1))
        return _against(_counts(kind[player] * kinds + kind[banker], kinds**2), expected)

    return deviations


def _suits_of_coups(suit: Ints, suits: int) -> Deviations:
    coups = len(suit) // _COUP
    expected = [coups * float((suit == each).mean()) for each in range(suits)]

    def deviations(block: Block) -> Floats:
        found = suit[_coups(block)]
        return np.hstack([_against(_counts(found[:, :, place], suits), expected) for place in range(_COUP)])

    return deviations
