"""Counting a game: the effect of every card that is gone, the best counts, and what they win."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import perm
from typing import Final

import numpy as np

from punto.cards import USUAL_DECKS
from punto.errors import BadUsage, UnknownWager
from punto.lab.classes import Ints
from punto.lab.composition import Composition
from punto.lab.counts import USUAL_LEVEL, Count, Effect, apart, best_count, name_of
from punto.lab.dealing import Procedure, check_seed, rounds_of_shoes, shoe_seed
from punto.lab.evaluator import Evaluator
from punto.lab.exposure import Bets, Exposure
from punto.rules import Game

USUAL_SHOES: Final = 2000
FEWEST_SHOES: Final = 2
MOST_SHOES: Final = 1_000_000
HIGHEST_LEVEL: Final = 4
_SHOES_AT_ONCE: Final = 250


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

    def __post_init__(self) -> None:
        if not 1 <= self.level <= HIGHEST_LEVEL:
            raise BadUsage(f"--level: {self.level} is too large or too small: expected 1 to {HIGHEST_LEVEL}")
        if not FEWEST_SHOES <= self.shoes <= MOST_SHOES:
            expected = f"{FEWEST_SHOES} to {MOST_SHOES:,}"
            raise BadUsage(f"--shoes: {self.shoes} is too large or too small: expected {expected}")
        check_seed(self.seed)


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
        return self._of(wager)[0]

    def effects(self, wager: str) -> tuple[Effect, ...]:
        """The exact effect of removal of each kind of card that the wager tells apart."""
        whole, *without = self._of(wager)
        found = []
        for kind in self._evaluator.kinds(wager):
            effect = without[self.game.deck.cards.index(kind[0])] - whole
            found.append(Effect(kind, name_of(kind, self.game.deck), effect))
        return tuple(found)

    def _of(self, wager: str) -> list[Fraction]:
        if wager not in self._expectations:
            raise UnknownWager(f"{wager!r} is not counted here: expected {', '.join(self.names)}")
        return self._expectations[wager]

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

    def exposures(
        self, plan: Plan | None = None, report: Callable[[int], None] = lambda _shoes: None
    ) -> tuple[Exposure, ...]:
        """What the wagers can be counted for: their edges are worked out exactly before every round dealt.

        *report* is told the number of shoes dealt so far.
        """
        plan = plan or Plan()
        effects = [apart(self.effects(name), plan.tags or {}, self.game.deck) for name in self.names]
        counts = [[best_count(each, size) for size in range(1, max(USUAL_LEVEL, plan.level) + 1)] for each in effects]
        used = [self._own(each, plan) or found[plan.level - 1] for each, found in zip(effects, counts, strict=True)]
        tags = np.array([self._tags(each, count) for each, count in zip(effects, used, strict=True)])
        tallies = [Bets(self.shoe.size, self.game.deck.size) for _ in self.names]
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
        tally: Bets,
        effects: tuple[Effect, ...],
        counts: list[Count],
        count: Count,
        plan: Plan,
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

    def _own(self, effects: Sequence[Effect], plan: Plan) -> Count | None:
        """The count that was asked for, in the order of the effects, and how well it follows them."""
        if plan.tags is None:
            return None
        tags = tuple(plan.tags.get(effect.cards[0].rank.letter, 0) for effect in effects)
        spread = np.repeat(
            [(float(e.effect), t) for e, t in zip(effects, tags, strict=True)], [len(e.cards) for e in effects], axis=0
        )
        correlation = float(np.corrcoef(spread.T)[0, 1]) if spread.std(axis=0).all() else 0.0
        return Count(tags, correlation)

    def _batches(self, plan: Plan) -> "Iterator[_Batch]":
        """The compositions before every round of so many shoes, some shoes at a time."""
        chance = np.random.Generator(np.random.PCG64(shoe_seed(plan.seed, self.game)))
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
