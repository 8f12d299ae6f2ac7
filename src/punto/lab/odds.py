"""Exact odds: what every wager of a game is worth from any remaining shoe."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import perm, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from punto.cards import FEWEST_DECKS, MOST_DECKS, USUAL_DECKS, Card
from punto.errors import BadComposition, TooFewCards
from punto.lab.classes import Classes, Ints, outcome_readings
from punto.lab.composition import Composition
from punto.lab.exact import coup_counts
from punto.lab.known import counts_given
from punto.lab.tabular import Drawable, Record, Tabular
from punto.rules import Game, Result, Settlement, Side, Trait, Wager
from punto.rules.traits import NATURAL, SIZE, TOTAL

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROUNDS: Final = 1000
DECK_COUNTS: Final = range(FEWEST_DECKS, MOST_DECKS + 1)


@dataclass(frozen=True)
class Line:
    """One thing that a wager can come to: how many ordered draws lead there, of how many."""

    settlement: Settlement
    count: int
    of: int

    @property
    def net(self) -> Fraction:
        """Units won per unit staked."""
        return self.settlement.net

    @property
    def probability(self) -> Fraction:
        """How likely it is."""
        return Fraction(self.count, self.of)


@dataclass(frozen=True)
class WagerOdds:
    """What one wager is worth, exactly; per unit staked."""

    wager: Wager
    lines: tuple[Line, ...]

    @property
    def name(self) -> str:
        """The wager's name."""
        return self.wager.name

    @cached_property
    def ev(self) -> Fraction:
        """What the player can expect."""
        return sum((line.net * line.count for line in self.lines), Fraction(0)) / self.lines[0].of

    @property
    def edge(self) -> Fraction:
        """What the house can expect."""
        return -self.ev

    @property
    def hit(self) -> Fraction:
        """How often the wager wins."""
        return self._chance(Result.WIN)

    @property
    def push(self) -> Fraction:
        """How often the stake comes back."""
        return self._chance(Result.PUSH)

    @cached_property
    def variance(self) -> Fraction:
        """The variance of one round."""
        square = sum((line.net**2 * line.count for line in self.lines), Fraction(0)) / self.lines[0].of
        return square - self.ev**2

    @property
    def sd(self) -> float:
        """The standard deviation of one round."""
        return sqrt(self.variance)

    @property
    def resolved_edge(self) -> Fraction | None:
        """The edge per unit that is won or lost; none if every round is a push."""
        return None if self.push == 1 else self.edge / (1 - self.push)

    def break_even(self, line: Line) -> Fraction | None:
        """What the line would have to pay for the wager to be fair; none if it never comes."""
        return line.net - self.ev / line.probability if line.count else None

    def _chance(self, result: Result) -> Fraction:
        return sum((line.probability for line in self.lines if line.settlement.result is result), Fraction(0))


@dataclass(frozen=True)
class GameOdds(Tabular, Drawable):
    """All wagers of a game from one shoe, and how its coups turn out."""

    game: Game
    shoe: Composition
    sequences: int
    wagers: Mapping[str, WagerOdds]
    totals: Mapping[Side, tuple[int, ...]]
    margins: Mapping[int, int]
    naturals: Mapping[str, int]
    cards: Mapping[int, int]
    _counts: Ints = field(repr=False, compare=False)
    _rows: Ints = field(repr=False, compare=False)

    def covariance(self, one: str, other: str) -> Fraction:
        """The covariance of two wagers on the same round, one unit on each."""
        first, second = (self.wagers[self.game.wager(name).name] for name in (one, other))
        joint = self._joint(one, other)
        together = sum(
            (a.net * b.net * int(joint[i, j]) for i, a in enumerate(first.lines) for j, b in enumerate(second.lines)),
            Fraction(0),
        )
        return together / self.sequences - first.ev * second.ev

    def correlation(self, one: str, other: str) -> float:
        """The correlation of two wagers on the same round."""
        covariance = float(self.covariance(one, other))
        deviations = self.wagers[one].sd * self.wagers[other].sd
        return covariance / deviations if deviations else 0.0

    def together(self, stakes: Mapping[str, Fraction]) -> dict[Fraction, int]:
        """All that a player of several wagers at once can win or lose, and how many ordered draws lead to each."""
        names = [self.game.wager(name).name for name in stakes]
        places = [list(self.wagers).index(name) for name in names]
        kinds, which = np.unique(self._rows[places], axis=1, return_inverse=True)
        counts = np.zeros(kinds.shape[1], dtype=np.int64)
        np.add.at(counts, which.ravel(), self._counts)
        won: Counter[Fraction] = Counter()
        for rows, count in zip(kinds.T, counts, strict=True):
            nets = [
                self.wagers[name].lines[row].net * stake
                for name, row, stake in zip(names, rows, stakes.values(), strict=True)
            ]
            won[sum(nets, Fraction(0))] += int(count)
        return {net: count for net, count in won.items() if count}

    def _joint(self, one: str, other: str) -> NDArray[np.int64]:
        """Ordered draws by what both wagers come to; the last line of each is that it is lost."""
        names = list(self.wagers)
        rows = [self._rows[names.index(name)] for name in (one, other)]
        sizes = [len(self.wagers[name].lines) for name in (one, other)]
        joint = np.zeros(sizes, dtype=np.int64)
        np.add.at(joint, tuple(row % size for row, size in zip(rows, sizes, strict=True)), self._counts)
        return joint

    def records(self) -> Sequence[Record]:
        """One record for each pay line of each wager."""
        return [
            {
                "game": self.game.key,
                "decks": self.shoe.decks,
                "cards": self.shoe.size,
                "wager": odds.name,
                "result": line.settlement.result.value,
                "clause": line.settlement.clause,
                "net": float(line.net),
                "count": line.count,
                "probability": float(line.probability),
                "break_even": None if (fair := odds.break_even(line)) is None else float(fair),
                "ev": str(odds.ev),
                "edge": float(odds.edge),
                "edge_per_resolved": None if (resolved := odds.resolved_edge) is None else float(resolved),
                "hit": float(odds.hit),
                "push": float(odds.push),
                "sd": odds.sd,
            }
            for odds in self.wagers.values()
            for line in odds.lines
        ]

    def plot(self) -> "Figure":
        """The edge of each wager."""
        from punto.lab.figures import QUIET, colours, figure, title  # noqa: PLC0415

        names = list(self.wagers)
        with figure(height=0.9 + 0.32 * len(names)) as (drawn, axes):
            edges = [100 * float(odds.edge) for odds in self.wagers.values()]
            bars = axes.barh(names, edges, color=list(colours(names).values()), height=0.62)
            axes.bar_label(bars, [f"{edge:.4f} %" for edge in edges], padding=4, fontsize=8)
            axes.axvline(0, color=QUIET, linewidth=0.8)
            axes.invert_yaxis()
            axes.grid(visible=False, axis="y")
            axes.margins(x=0.15)
            title(drawn, f"{self.game.title.en}: house edge with {self.shoe.size} cards left")
            axes.set_xlabel("house edge, %")
        return drawn


class Odds:
    """The exact odds of one game; what is worked out from its rules serves every shoe.

    >>> from punto.games import find
    >>> tiger = Odds(find("tiger")).of().wagers["Tiger"]
    >>> f"{float(tiger.edge):.4%}", float(tiger.lines[0].net)
    ('16.6836%', 12.0)
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.classes = Classes(game, extra=outcome_readings())

    def of(self, shoe: Composition | None = None) -> GameOdds:
        """The odds from a shoe; by default from eight whole decks."""
        shoe = shoe or Composition.full(self.game.deck, USUAL_DECKS)
        check_shoe(self.classes, shoe)
        counts = coup_counts(self.classes, self.classes.count(shoe.array))
        return self._found(shoe, counts, perm(shoe.size, self.classes.drawn))

    def given(self, shoe: Composition, known: Sequence[Card | None]) -> GameOdds:
        """The odds of a round whose first cards are known, in the order in which they are drawn; none where one is not.

        The *shoe* holds the cards that are known too.
        """
        known = list(known)[: self.classes.drawn]
        while known and known[-1] is None:
            known.pop()
        if not known:
            return self.of(shoe)
        check_shoe(self.classes, shoe)
        others = shoe.without(card for card in known if card is not None)
        return self._found(shoe, *counts_given(self.classes, others.array, known))

    def _found(self, shoe: Composition, counts: Ints, sequences: int) -> GameOdds:
        return GameOdds(
            game=self.game,
            shoe=shoe,
            sequences=sequences,
            wagers={
                wager.name: _wager_odds(wager, rows, counts, sequences)
                for wager, rows in zip(self.game.wagers, self.classes.rows, strict=True)
            },
            totals={side: tuple(_spread(self.classes.trait(side, TOTAL), counts, range(10)).values()) for side in Side},
            margins=_spread(self._trait(TOTAL, -1), counts, range(-9, 10)),
            naturals=dict(
                zip(
                    ("none", "player", "banker", "both"),
                    _spread(self._trait(NATURAL, 2), counts, range(4)).values(),
                    strict=True,
                )
            ),
            cards=_spread(self._trait(SIZE, 1), counts, range(4, 7)),
            _counts=counts,
            _rows=self.classes.rows,
        )

    def compare(self, decks: Sequence[int] = DECK_COUNTS) -> "Comparison":
        """The odds of whole shoes of several sizes, side by side."""
        return Comparison(self.game, tuple(self.of(Composition.full(self.game.deck, number)) for number in decks))

    def _trait(self, trait: Trait, banker: int) -> Ints:
        """Player's value of a trait and so many times Banker's, in each class of coup."""
        return self.classes.trait(Side.PLAYER, trait) + banker * self.classes.trait(Side.BANKER, trait)


@dataclass(frozen=True)
class Comparison(Tabular, Drawable):
    """A game's odds for several numbers of decks."""

    game: Game
    odds: tuple[GameOdds, ...]

    def records(self) -> Sequence[Record]:
        """One record for each wager, with its edge for each number of decks."""
        return [
            {"wager": wager.name}
            | {f"{odds.shoe.decks} decks": float(odds.wagers[wager.name].edge) for odds in self.odds}
            for wager in self.game.wagers
        ]

    def plot(self) -> "Figure":
        """The edges against the number of decks: how far each lies from its own at eight."""
        from punto.lab.figures import colours, figure, title  # noqa: PLC0415

        numbers = [odds.shoe.decks for odds in self.odds]
        with figure(height=4.2) as (drawn, axes):
            for name, colour in colours(list(self.odds[0].wagers)).items():
                edges = [100 * float(odds.wagers[name].edge) for odds in self.odds]
                axes.plot(numbers, edges, "o-", color=colour, markersize=3.5, linewidth=1.4, label=name)
            title(drawn, f"{self.game.title.en}: house edge by number of decks")
            axes.set_xlabel("decks")
            axes.set_ylabel("house edge, %")
            axes.set_xticks(numbers)
            drawn.legend(loc="outside right center")
        return drawn


def check_shoe(classes: Classes, shoe: Composition) -> None:
    """Refuse a shoe that cannot finish a coup, or whose suits are open where the game asks for them."""
    key, needed = classes.game.key, classes.drawn
    if shoe.deck != classes.game.deck:
        raise BadComposition(f"a shoe of the {shoe.deck.key} deck: expected the {classes.game.deck.key} deck of {key}")
    if shoe.size < needed:
        raise TooFewCards(f"{shoe.size} cards are left: expected at least the {needed} that a coup of {key} may need")
    for rank in (rank for rank in shoe.deck.ranks if rank in shoe.open):
        cards = [card for card in shoe.deck.cards if card.rank is rank]
        if len({int(classes.kind_of[shoe.deck.cards.index(card)]) for card in cards}) > 1:
            reason = f"pays by suits, and the number of {rank.letter} left does not tell them"
            raise BadComposition(f"{key} {reason}: expected cards, as in {cards[0]}=2")


def _wager_odds(wager: Wager, rows: Ints, counts: Ints, sequences: int) -> WagerOdds:
    lines = []
    for settlement in wager.settlements:
        row = -1 if settlement.row is None else settlement.row
        lines.append(Line(settlement, int(counts[rows == row].sum()), sequences))
    return WagerOdds(wager, tuple(lines))


def _spread(values: Ints, counts: Ints, over: range) -> dict[int, int]:
    """The counts added up by value."""
    return {value: int(counts[values == value].sum()) for value in over}
