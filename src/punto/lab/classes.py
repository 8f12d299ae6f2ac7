"""The coups of a game, sorted into classes that its wagers cannot tell apart.

Every rule is taken from the game: traits are asked about pairs of cards, the Table of Play about totals, and each pay
row once per class. What comes out is arrays, for whoever counts coups (exactly, in batches, or by dealing them).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from punto.cards import Card
from punto.rules import Game, Reading, Side, Trait, Wager, third_card
from punto.rules.deal import INITIAL
from punto.rules.traits import NATURAL, SIZE, TOTAL, Value
from punto.rules.view import State, View

POINTS: Final = range(10)
LOST: Final = -1

Ints = NDArray[np.int64]
Sight = Mapping[Reading, Mapping[Value, Value]]


def outcome_readings() -> frozenset[Reading]:
    """What the distributions of a game are made of: totals, numbers of cards, naturals."""
    return frozenset(Reading(side, trait) for side in Side for trait in (TOTAL, SIZE, NATURAL))


@dataclass(frozen=True)
class Hands:
    """One side's hands: which class its first cards fall into, and what each class becomes.

    *dealt* has one axis for each card that comes out of the shoe before the third: two, or one for 7 Up's Player.
    """

    dealt: Ints
    totals: Ints
    stood: Ints
    after: Ints
    states: tuple[State, ...]

    @property
    def classes(self) -> int:
        """How many classes of first cards there are."""
        return len(self.totals)

    @property
    def cards(self) -> int:
        """How many of the first cards come out of the shoe."""
        return self.dealt.ndim


class Classes:
    """All coups of some wagers of a game, by class.

    >>> from punto.games import find
    >>> [len(Classes(find(key)).kinds) for key in ("7-up", "fortune-six", "fabulous-4s", "fa-fa-fabulous-4")]
    [10, 13, 26, 26]
    """

    def __init__(
        self, game: Game, wagers: Iterable[Wager] | None = None, extra: frozenset[Reading] = frozenset()
    ) -> None:
        self.game = game
        self.wagers = tuple(game.wagers if wagers is None else wagers)
        reads = extra.union(*[wager.reads for wager in self.wagers])
        self.views = {side: View(side, reads) for side in Side}
        self._sight = _sight(self, extra)
        tables = {side: self._first_cards(side) for side in Side}
        self.kinds = _kinds(game.deck.cards, [table for table, _ in tables.values()])
        heads = [game.deck.cards.index(kind[0]) for kind in self.kinds]
        self.points: Ints = np.array([kind[0].points for kind in self.kinds], dtype=np.int64)
        self.kind_of: Ints = np.empty(game.deck.size, dtype=np.int64)
        for number, kind in enumerate(self.kinds):
            self.kind_of[[game.deck.cards.index(card) for card in kind]] = number
        self.player, self.banker = (
            self._hands(side, table[np.ix_(*[heads] * table.ndim)], states) for side, (table, states) in tables.items()
        )

    @property
    def drawn(self) -> int:
        """How many cards a coup can draw from the shoe: six, and five in 7 Up."""
        return self.player.cards + self.banker.cards + 2

    def count(self, cards: NDArray[np.integer]) -> Ints:
        """How many cards of each kind there are, given how many of each card, in the last axis."""
        belongs = np.equal.outer(self.kind_of, np.arange(len(self.kinds))).astype(np.int64)
        return cards.astype(np.int64) @ belongs

    @cached_property
    def draws(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Whether Player draws, by both totals, and whether Banker does, by both and the points that Player drew."""
        player = np.zeros((10, 10), dtype=bool)
        banker = np.zeros((10, 10, 10), dtype=bool)
        for first, second in product(POINTS, POINTS):
            side = third_card(first, second)
            player[first, second] = side is Side.PLAYER
            for points in POINTS:
                if player[first, second]:
                    banker[first, second, points] = third_card(first, second, points) is Side.BANKER
                else:
                    banker[first, second, points] = side is Side.BANKER
        return player, banker

    @cached_property
    def ends(self) -> tuple[Ints, Ints]:
        """The hands that a coup ends with: by the classes of first cards, and the points of both third cards.

        The third cards are Player's and Banker's, whether or not they are drawn.
        """
        player, banker = self.player, self.banker
        first, second = player.totals[:, None], banker.totals[None, :]
        player_draws, banker_draws = (draws[first, second] for draws in self.draws)
        player_ends = np.where(player_draws[:, :, None], player.after[:, None, :], player.stood[:, None, None])
        banker_ends = np.where(
            banker_draws[:, :, :, None], banker.after[None, :, None, :], banker.stood[None, :, None, None]
        )
        shape = (player.classes, banker.classes, 10, 10)
        return np.broadcast_to(player_ends[:, :, :, None], shape), np.broadcast_to(banker_ends, shape)

    @cached_property
    def coups(self) -> tuple[tuple[State, State], ...]:
        """The classes of coups that can come about: the state of each hand at its end."""
        return tuple((self.player.states[p], self.banker.states[b]) for p, b in self._pairs_of_ends)

    @cached_property
    def coup_of(self) -> Ints:
        """The number of the coup's class, by the same four axes as `ends`."""
        number = {pair: place for place, pair in enumerate(self._pairs_of_ends)}
        table = np.full((len(self.player.states), len(self.banker.states)), LOST, dtype=np.int64)
        for (p, b), place in number.items():
            table[p, b] = place
        return table[self.ends]

    @cached_property
    def _pairs_of_ends(self) -> tuple[tuple[int, int], ...]:
        player, banker = self.ends
        width = len(self.banker.states)
        found = np.unique(player * width + banker)
        return tuple((int(pair) // width, int(pair) % width) for pair in found)

    @cached_property
    def rows(self) -> Ints:
        """The row that pays each wager on each class of coup; -1 where it is lost."""
        readings = self.views[Side.PLAYER].readings + self.views[Side.BANKER].readings
        states = [player + banker for player, banker in self.coups]
        table = np.empty((len(self.wagers), len(states)), dtype=np.int64)
        for line, wager in zip(table, self.wagers, strict=True):
            seen = [place for place, reading in enumerate(readings) if reading in wager.reads]
            known: dict[State, int] = {}
            for number, state in enumerate(states):
                key = tuple([state[place] for place in seen])
                if key not in known:
                    row = wager.row(dict(zip(readings, state, strict=True)))
                    known[key] = LOST if row is None else row
                line[number] = known[key]
        return table

    def trait(self, side: Side, trait: Trait) -> NDArray[np.int64]:
        """The value of a trait of one side's hand in each class of coup."""
        place = self.views[side].traits.index(trait)
        which = 0 if side is Side.PLAYER else 1
        return np.array([coup[which][place] for coup in self.coups], dtype=np.int64)

    def _first_cards(self, side: Side) -> tuple[Ints, tuple[State, ...]]:
        """The class of a side's first cards, card by card of the deck, and the state of each class."""
        cards = self.game.deck.cards
        held = self.game.opening.player if side is Side.PLAYER else ()
        seen = [
            map(self._sight[reading].__getitem__, _dealt(reading.trait, held, cards))
            for reading in self.views[side].readings
        ]
        numbers: dict[State, int] = {}
        table = [numbers.setdefault(state, len(numbers)) for state in zip(*seen, strict=True)]
        return np.array(table, dtype=np.int64).reshape([len(cards)] * (INITIAL - len(held))), tuple(numbers)

    def _seen(self, side: Side, state: State) -> State:
        """The state as the wagers see it: values that none of them tells apart are one."""
        readings = self.views[side].readings
        return tuple([self._sight[reading][value] for reading, value in zip(readings, state, strict=True)])

    def _hands(self, side: Side, dealt: Ints, states: tuple[State, ...]) -> Hands:
        """The classes of a side, with what becomes of each when it stands and when it draws."""
        view = self.views[side]
        ends: dict[State, int] = {}
        stood = [ends.setdefault(state, len(ends)) for state in states]
        after = [
            [ends.setdefault(self._seen(side, view.after(state, points)), len(ends)) for points in POINTS]
            for state in states
        ]
        totals = [int(state[0]) for state in states]
        return Hands(dealt, np.array(totals), np.array(stood), np.array(after), tuple(ends))


def _sight(classes: Classes, extra: frozenset[Reading]) -> Sight:
    """Of each trait of each side: which of its values the wagers tell apart, now or after a third card.

    Every value is mapped to the first of those that are the same to all wagers. Totals are always told apart, for the
    Table of Play reads them, and so is whatever is read besides.
    """
    cards = classes.game.deck.cards
    values: dict[Reading, tuple[Value, ...]] = {}
    for side, view in classes.views.items():
        held = classes.game.opening.player if side is Side.PLAYER else ()
        for reading in view.readings:
            values[reading] = _values(reading.trait, held, cards)
    sight = {reading: dict.fromkeys(found, found[0]) for reading, found in values.items()}
    for reading, found in values.items():
        told_apart = reading.trait is TOTAL or reading in extra
        looks = {value: (value,) if told_apart else _looks(classes, reading, value, values) for value in found}
        sight[reading] = _stable(reading.trait, looks)
    return sight


@cache
def _dealt(trait: Trait, held: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Value, ...]:
    """The value of a trait on every two cards that begin with those held."""
    dealt = product(*[held[place : place + 1] or cards for place in range(INITIAL)])
    return tuple([trait.dealt(first, second) for first, second in dealt])


def _values(trait: Trait, held: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Value, ...]:
    """All values that a trait can have, dealt or after a third card."""
    found = dict.fromkeys(_dealt(trait, held, cards))
    for value in tuple(found):
        found.update(dict.fromkeys(trait.drawn(value, points) for points in POINTS))
    return tuple(found)


def _looks(
    classes: Classes, reading: Reading, value: Value, values: Mapping[Reading, tuple[Value, ...]]
) -> tuple[Value, ...]:
    """What all comparisons of the wagers make of a value, whatever the other traits are."""
    seen: list[Value] = []
    for wager in classes.wagers:
        for pay in wager.pays:
            for comparison in pay.when.comparisons:
                fact = comparison.fact
                if reading in fact.reads:
                    choices = [(value,) if read == reading else values[read] for read in fact.reads]
                    seen += [fact.of(*chosen) == comparison.value for chosen in product(*choices)]
    return tuple(seen)


def _stable(trait: Trait, looks: Mapping[Value, tuple[Value, ...]]) -> dict[Value, Value]:
    """The coarsest merging of values that look alike and go on looking alike whatever card is drawn."""
    merged = _merged(looks)
    while True:
        finer = _merged(
            {
                value: (merged[value], *[merged.get(trait.drawn(value, points), value) for points in POINTS])
                for value in looks
            }
        )
        if len(set(finer.values())) == len(set(merged.values())):
            return merged
        merged = finer


def _merged(looks: Mapping[Value, tuple[Value, ...]]) -> dict[Value, Value]:
    first: dict[tuple[Value, ...], Value] = {}
    return {value: first.setdefault(look, value) for value, look in looks.items()}


def _kinds(cards: tuple[Card, ...], tables: list[Ints]) -> tuple[tuple[Card, ...], ...]:
    """The cards in groups: two are of a kind if putting one for the other never changes a class."""
    groups: list[list[int]] = []
    for card in range(len(cards)):
        for group in groups:
            if cards[group[0]].points == cards[card].points and _alike(group[0], card, tables):
                group.append(card)
                break
        else:
            groups.append([card])
    groups.sort(key=lambda group: cards[group[0]].points)
    return tuple(tuple(cards[card] for card in group) for group in groups)


def _alike(one: int, other: int, tables: list[Ints]) -> bool:
    swapped = np.arange(len(tables[-1]))
    swapped[other] = one
    return all(np.array_equal(table, table[np.ix_(*[swapped] * table.ndim)]) for table in tables)
