"""Counting: what each card is worth to a wager, the best counts, and what they win."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import perm, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from punto.cards import USUAL_DECKS, Card, Deck
from punto.lab.classes import Ints
from punto.lab.composition import Composition
from punto.lab.dealing import Procedure, rounds_of_shoes
from punto.lab.evaluator import Evaluator
from punto.lab.exact import Floats
from punto.lab.tabular import Drawable, Record, Tabular
from punto.rules import Game, Wager

if TYPE_CHECKING:
    from matplotlib.figure import Figure

USUAL_SHOES: Final = 2000
USUAL_LEVEL: Final = 2
HUNDRED: Final = 100
# True counts are told apart in steps of a quarter.
_STEPS: Final = 4
_SHOES_AT_ONCE: Final = 250


@dataclass(frozen=True)
class Effect:
    """What it does to a wager when one card of a kind is gone from a whole shoe."""

    cards: tuple[Card, ...]
    name: str
    effect: Fraction


@dataclass(frozen=True)
class Count:
    """A count: a tag for each kind of card, in the order of the effects, and how well it follows them."""

    tags: tuple[int, ...]
    correlation: float

    @property
    def level(self) -> int:
        """The largest tag."""
        return max(map(abs, self.tags), default=0)


@dataclass(frozen=True)
class Plan:
    """How shoes are dealt and counted: by which procedure, how many, and which count is tried.

    Without *tags* by rank it is the best one of the *level*; without a *trigger* the true count from which on betting
    wins the most.
    """

    procedure: Procedure = field(default_factory=Procedure)
    shoes: int = USUAL_SHOES
    seed: int = 1
    level: int = USUAL_LEVEL
    tags: Mapping[str, int] | None = None
    trigger: float | None = None


@dataclass(frozen=True)
class Play:
    """What somebody wins who bets one unit whenever a rule says so, and otherwise waits."""

    bets: float
    won: float
    error: float
    rounds: float

    @property
    def won_per_hundred(self) -> float:
        """Units won in a hundred rounds, waited for or bet on."""
        return HUNDRED * self.won / self.rounds if self.rounds else 0.0

    @property
    def frequency(self) -> float:
        """The share of rounds on which there is a bet."""
        return self.bets / self.rounds if self.rounds else 0.0

    @property
    def edge(self) -> float:
        """The player's edge on a bet."""
        return self.won / self.bets if self.bets else 0.0


@dataclass(frozen=True)
class Depth:
    """How things stand when so many decks are gone: the share of rounds in the player's favour, and by how much."""

    decks_gone: float
    rounds: int
    favourable: float
    edge: float
    won_per_hundred: float


@dataclass(frozen=True)
class Exposure(Tabular, Drawable):
    """How far a wager can be counted: exact effects, the best counts, what perfect play and a counter win."""

    game: Game
    wager: Wager
    decks: int
    procedure: Procedure
    shoes: int
    ev: Fraction
    effects: tuple[Effect, ...]
    counts: tuple[Count, ...]
    count: Count
    trigger: float | None
    rounds: float
    perfect: Play
    counter: Play
    depths: tuple[Depth, ...]

    def records(self) -> Sequence[Record]:
        """One record for each kind of card."""
        return [
            {
                "game": self.game.key,
                "wager": self.wager.name,
                "decks": self.decks,
                "cards": effect.name,
                "effect": float(effect.effect),
                "tag": tag,
            }
            for effect, tag in zip(self.effects, self.count.tags, strict=True)
        ]

    def plot(self) -> "Figure":
        """The effects of removal, and what perfect play wins by depth."""
        from punto.lab.figures import COLOURS, QUIET, figure  # noqa: PLC0415

        with figure(height=5.2) as (drawn, spare):
            spare.remove()
            above, below = drawn.subplots(2, 1)
            values = [100 * float(effect.effect) for effect in self.effects]
            shade = [COLOURS["Tie"] if value > 0 else COLOURS["Banker"] for value in values]
            names = [effect.name for effect in self.effects]
            above.bar(range(len(values)), values, color=shade, width=0.7)
            above.set_xticks(range(len(values)), names, rotation=90 if max(map(len, names)) > 4 else 0)  # noqa: PLR2004
            above.axhline(0, color=QUIET, linewidth=0.8)
            above.set_title(f"{self.wager.name}: effect of removing one card from {self.decks} decks")
            above.set_ylabel("percentage points")
            gone = [depth.decks_gone for depth in self.depths]
            below.bar(gone, [depth.won_per_hundred for depth in self.depths], width=0.42, color=COLOURS["Player"])
            below.set_title("What perfect play wins, by depth")
            below.set_xlabel("decks gone")
            below.set_ylabel("units in 100 rounds")
            below.set_xlim(-0.5, self.decks)
        return drawn


class Counting:
    """The counting exposure of one game's wagers, from shoes dealt in the same way for all of them.

    >>> from punto.games import find
    >>> effects = Counting(find("tiger")).effects("Player")
    >>> [(effect.name, f"{100 * float(effect.effect):+.4f}") for effect in effects][:2]
    [('T J Q K', '-0.0018'), ('A', '-0.0045')]
    """

    def __init__(self, game: Game, decks: int = USUAL_DECKS, wagers: Sequence[str] | None = None) -> None:
        self.game = game
        self.shoe = Composition.full(game.deck, decks)
        self.names = [wager.name for wager in (game.wagers if wagers is None else map(game.wager, wagers))]
        self._evaluator = Evaluator(game, self.names)

    def ev(self, wager: str) -> Fraction:
        """What a wager is worth from the whole shoe."""
        return self._expectations[wager][0]

    def effects(self, wager: str) -> tuple[Effect, ...]:
        """The exact effect of removal of each kind of card that the wager tells apart."""
        whole, *without = self._expectations[wager]
        found = []
        for kind in self._evaluator.kinds(wager):
            effect = without[self.game.deck.cards.index(kind[0])] - whole
            found.append(Effect(kind, _name(kind, self.game.deck), effect))
        return tuple(found)

    @cached_property
    def _expectations(self) -> dict[str, list[Fraction]]:
        """The expectation of each wager from the whole shoe, and from the shoe without one of each card."""
        shoes = np.vstack([self.shoe.array, self.shoe.array - np.eye(self.game.deck.size, dtype=np.int64)])
        counts = self._evaluator.counts(shoes)
        found: dict[str, list[Fraction]] = {name: [] for name in self.names}
        for row, size in zip(counts, shoes.sum(axis=1), strict=True):
            totals = dict.fromkeys(self.names, Fraction(0))
            for line, count in zip(self._evaluator.lines, row, strict=True):
                totals[line.wager.name] += line.net * int(count)
            for name, total in totals.items():
                found[name].append(total / perm(int(size), self._evaluator.drawn))
        return found

    def best_count(self, effects: Sequence[Effect], level: int = USUAL_LEVEL) -> Count:
        """The balanced count with tags no larger than *level* that follows the effects best.

        For each sum and each sum of squares that tags can have, the best tags are found one kind after the other, so
        that no count is overlooked.
        """
        weights = [len(effect.cards) for effect in effects]
        mean = sum((w * float(e.effect) for w, e in zip(weights, effects, strict=True)), 0.0) / sum(weights)
        values = [float(effect.effect) - mean for effect in effects]
        found: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {(0, 0): (0.0, ())}
        for weight, value in zip(weights, values, strict=True):
            better: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {}
            for (total, squares), (score, tags) in found.items():
                for tag in range(-level, level + 1):
                    key = (total + weight * tag, squares + weight * tag * tag)
                    sum_ = score + weight * tag * value
                    if key not in better or sum_ > better[key][0]:
                        better[key] = (sum_, (*tags, tag))
            found = better
        size = sqrt(sum(w * v * v for w, v in zip(weights, values, strict=True)))
        balanced = [
            (score / (size * sqrt(squares)), tags)
            for (total, squares), (score, tags) in found.items()
            if total == 0 and squares and size
        ]
        # Of equals the one with the smallest tags.
        correlation, tags = max(
            balanced, key=lambda pair: (round(pair[0], 9), -sum(map(abs, pair[1]))), default=(0.0, (0,) * len(values))
        )
        return Count(tags, correlation)

    def exposures(
        self, plan: "Plan | None" = None, report: Callable[[int], None] = lambda _shoes: None
    ) -> tuple[Exposure, ...]:
        """What the wagers can be counted for: their edges are worked out exactly before every round dealt.

        *report* is told the number of shoes dealt so far.
        """
        plan = plan or Plan()
        effects = [_apart(self.effects(name), plan.tags or {}, self.game.deck) for name in self.names]
        counts = [
            [self.best_count(each, size) for size in range(1, max(USUAL_LEVEL, plan.level) + 1)] for each in effects
        ]
        used = [self._own(each, plan) or found[plan.level - 1] for each, found in zip(effects, counts, strict=True)]
        tags = np.array([self._tags(each, count) for each, count in zip(effects, used, strict=True)])
        tallies = [_Tally(self.shoe.size, self.game.deck.size) for _ in self.names]
        for batch in self._batches(plan):
            size = batch.left.sum(axis=1)
            favours = -self._evaluator.edges(batch.left)
            true = (self.shoe.array - batch.left) @ tags.T / (size / self.game.deck.size)[:, None]
            for tally, favour, count in zip(tallies, favours.T, true.T, strict=True):
                tally.add(batch.shoe, size, favour, count)
            report(int(batch.shoe.max()) + 1)
        return tuple(
            self._exposure(*found, plan) for found in zip(self.names, tallies, effects, counts, used, strict=True)
        )

    def _exposure(  # noqa: PLR0913, PLR0917
        self,
        name: str,
        tally: "_Tally",
        effects: tuple[Effect, ...],
        counts: list[Count],
        count: Count,
        plan: "Plan",
    ) -> Exposure:
        trigger = tally.trigger() if plan.trigger is None else plan.trigger
        shoes = plan.shoes
        _, _, favour, true = tally.rounds
        bet = np.zeros(len(true), dtype=bool) if trigger is None else true >= trigger
        return Exposure(
            game=self.game,
            wager=self.game.wager(name),
            decks=self.shoe.decks,
            procedure=plan.procedure,
            shoes=shoes,
            ev=self.ev(name),
            effects=effects,
            counts=tuple(counts),
            count=count,
            trigger=trigger,
            rounds=len(favour) / shoes,
            perfect=tally.play(favour > 0, shoes),
            counter=tally.play(bet, shoes),
            depths=tally.depths(),
        )

    def _tags(self, effects: Sequence[Effect], count: Count) -> list[int]:
        """The tag of each card of the deck."""
        tag = {card: tag for effect, tag in zip(effects, count.tags, strict=True) for card in effect.cards}
        return [tag[card] for card in self.game.deck.cards]

    def _own(self, effects: Sequence[Effect], plan: "Plan") -> Count | None:
        """The count that was asked for, in the order of the effects, and how well it follows them."""
        if plan.tags is None:
            return None
        tags = tuple(plan.tags.get(effect.cards[0].rank.letter, 0) for effect in effects)
        spread = np.repeat(
            [(float(e.effect), t) for e, t in zip(effects, tags, strict=True)], [len(e.cards) for e in effects], axis=0
        )
        correlation = float(np.corrcoef(spread.T)[0, 1]) if spread.std(axis=0).all() else 0.0
        return Count(tags, correlation)

    def _batches(self, plan: "Plan") -> "Iterator[_Batch]":
        """The compositions before every round of so many shoes, some shoes at a time."""
        chance = np.random.Generator(np.random.PCG64(plan.seed))
        for start in range(0, plan.shoes, _SHOES_AT_ONCE):
            number = min(_SHOES_AT_ONCE, plan.shoes - start)
            rounds = list(rounds_of_shoes(self.game, self.shoe, plan.procedure, number, chance))
            yield _Batch(
                np.concatenate([shoe for shoe, _ in rounds]) + start, np.concatenate([left for _, left in rounds])
            )


@dataclass(frozen=True)
class _Batch:
    """Compositions, and the shoe that each is of."""

    shoe: Ints
    left: Ints


class _Tally:
    """What comes of one wager over many rounds."""

    def __init__(self, size: int, deck: int) -> None:
        self.size = size
        self.deck = deck
        self._shoe: list[Ints] = []
        self._left: list[Ints] = []
        self._favour: list[Floats] = []
        self._count: list[Floats] = []

    def add(self, shoe: Ints, left: Ints, favour: Floats, count: Floats) -> None:
        """Rounds with the player's edge and the true count before each."""
        self._shoe.append(shoe)
        self._left.append(left)
        self._favour.append(favour)
        self._count.append(count)

    @cached_property
    def rounds(self) -> tuple[Ints, Ints, Floats, Floats]:
        """All rounds, put together."""
        return (
            np.concatenate(self._shoe),
            np.concatenate(self._left),
            np.concatenate(self._favour),
            np.concatenate(self._count),
        )

    def play(self, bet: NDArray[np.bool_], shoes: int) -> Play:
        """What betting on some of the rounds wins, per shoe."""
        shoe, _, favour, _ = self.rounds
        won = np.bincount(shoe[bet], favour[bet], minlength=shoes)
        error = float(won.std(ddof=1)) / sqrt(shoes) if shoes > 1 else 0.0
        return Play(float(bet.sum()) / shoes, float(won.mean()), error, len(shoe) / shoes)

    def trigger(self) -> float | None:
        """The true count from which on betting wins the most; none if it never wins."""
        _, _, favour, count = self.rounds
        steps = np.floor(count * _STEPS).astype(np.int64)
        lowest = int(steps.min())
        from_there = np.bincount(steps - lowest, favour)[::-1].cumsum()[::-1]
        best = int(from_there.argmax())
        return (best + lowest) / _STEPS if from_there[best] > 0 else None

    def depths(self) -> tuple[Depth, ...]:
        """By half decks gone."""
        _, left, favour, _ = self.rounds
        halves = (self.size - left) * 2 // self.deck
        found = []
        for half in range(int(halves.max()) + 1):
            here = favour[halves == half]
            good = here[here > 0]
            if len(here):
                share = len(good) / len(here)
                edge = float(good.mean()) if len(good) else 0.0
                found.append(Depth(half / 2 + 0.25, len(here), share, edge, HUNDRED * share * edge))
        return tuple(found)


def _apart(effects: tuple[Effect, ...], tags: Mapping[str, int], deck: Deck) -> tuple[Effect, ...]:
    """The effects with cards of a kind told apart where their tags differ."""
    found = []
    for effect in effects:
        alike: dict[int, list[Card]] = {}
        for card in effect.cards:
            alike.setdefault(tags.get(card.rank.letter, 0), []).append(card)
        found += [Effect(tuple(cards), _name(tuple(cards), deck), effect.effect) for cards in alike.values()]
    return tuple(found)


def _name(cards: tuple[Card, ...], deck: Deck) -> str:
    """A kind of card in few letters: its ranks if it has all their suits, else rank and suits."""
    ranks = [rank for rank in deck.ranks if any(card.rank is rank for card in cards)]
    if len(cards) == len(ranks) * len(deck.suits):
        return " ".join(rank.letter for rank in ranks)
    suits = [suit.letter for suit in deck.suits if any(card.suit is suit for card in cards)]
    return " ".join(rank.letter for rank in ranks) + " " + "".join(suits)
