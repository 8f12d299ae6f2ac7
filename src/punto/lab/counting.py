"""Counting a game: the effect of every card that is gone, the best counts, and what they win."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import perm
from typing import Final

import numpy as np

from punto.cards import USUAL_DECKS, Card
from punto.errors import BadUsage, UnknownWager
from punto.lab.classes import Ints
from punto.lab.composition import Composition
from punto.lab.counts import USUAL_LEVEL, Count, Effect, apart, best_count, by_rank, correlation, name_of
from punto.lab.dealing import Procedure, check_seed, rounds_of_shoes, shoe_seed
from punto.lab.evaluator import Evaluator
from punto.lab.exact import Floats
from punto.lab.exposure import Bets, Counter, Exposure
from punto.lab.search import features, searched
from punto.rules import Game

USUAL_SHOES: Final = 2000
FEWEST_SHOES: Final = 2
MOST_SHOES: Final = 1_000_000
HIGHEST_LEVEL: Final = 4
_SHOES_AT_ONCE: Final = 250
# Counts are searched for on so many shoes of their own: as many as are dealt, within these bounds.
FEWEST_SEARCHED: Final = 100
MOST_SEARCHED: Final = 600


@dataclass(frozen=True)
class Plan:
    """How shoes are dealt and counted: by which procedure, how many, and which count is tried.

    Without *tags* by rank, counts up to the *level* are searched for; without a *trigger* it is the count from which on
    betting wins the most. *running* tags are added up and used so, not recentred and divided by the decks left.
    """

    procedure: Procedure = field(default_factory=Procedure)
    shoes: int = USUAL_SHOES
    seed: int = 1
    level: int = USUAL_LEVEL
    tags: Mapping[str, int] | None = None
    trigger: float | None = None
    running: bool = False

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
        kinds = {name: self.effects(name) for name in self.names}
        chosen = self._chosen(kinds, plan)
        tallies = {name: self._tally() for name in self.names}
        for batch in self._batches(plan):
            self._add(batch, chosen, tallies)
            report(int(batch.shoe.max()) + 1)
        return tuple(self._exposure(name, tallies[name], kinds[name], chosen[name], plan) for name in self.names)

    def _chosen(self, kinds: Mapping[str, tuple[Effect, ...]], plan: Plan) -> "dict[str, list[_Tried]]":
        """The counts of each wager, and from which value on each bets: chosen on shoes that nothing else is said of.

        Counts are searched for on half of these shoes. On the other half the count that follows the effects of removal
        best may take the place of what was found.
        """
        if plan.tags is not None and plan.trigger is not None:
            return {name: [self._own(plan)] for name in self.names}
        number = min(MOST_SEARCHED, max(FEWEST_SEARCHED, plan.shoes))
        dealt = list(self._batches(replace(plan, shoes=number), other=True))
        first = [some.of_shoes(number // 2) for some in dealt]
        chosen = {}
        for name in self.names:
            tried = [self._own(plan)] if plan.tags is not None else self._tried(name, kinds[name], plan, first)
            tally = self._tally()
            for some in dealt:
                self._add(some, {name: tried}, {name: tally})
            better: dict[tuple[bool, int], int] = {}
            for place, each in enumerate(tried):
                key = each.running, each.level
                if key not in better or tally.proved(place, number // 2) > tally.proved(better[key], number // 2):
                    better[key] = place
            chosen[name] = [
                replace(tried[place], trigger=tally.trigger(place), proved=tally.proved(place, number // 2))
                for place in better.values()
            ]
        return chosen

    def _own(self, plan: Plan) -> "_Tried":
        """The count that was asked for."""
        own = {card: (plan.tags or {}).get(card.rank.letter, 0) for card in self.game.deck.cards}
        return _Tried(own, max(map(abs, own.values())), plan.running, plan.trigger)

    def _tally(self) -> Bets:
        return Bets(self.shoe.size, self.game.deck.size)

    def _tried(self, name: str, kinds: tuple[Effect, ...], plan: Plan, dealt: "Sequence[_Rounds]") -> "list[_Tried]":
        """Two counts of each level, true and running: the one wins the most in these shoes, the other follows best."""
        deck = self.game.deck
        effects = by_rank(kinds, deck)
        cards = np.array([len(effect.cards) for effect in effects])
        belongs = np.array([[card in effect.cards for effect in effects] for card in deck.cards], dtype=np.int64)
        seen = np.concatenate([(self.shoe.array - some.left) @ belongs for some in dealt])
        left = np.concatenate([some.left.sum(axis=1) for some in dealt])
        favour = np.concatenate([some.favours[:, self.names.index(name)] for some in dealt])
        found = []
        for running in (False, True):
            table = features(seen, left, cards, deck.size, running=running)
            start: tuple[int, ...] = (0,) * len(effects)
            for level in range(1, max(USUAL_LEVEL, plan.level) + 1):
                follows = best_count(effects, level).tags
                start = searched(table, favour, (start, follows), level) if any(follows) else follows
                for each in dict.fromkeys((start, follows)):
                    tags = {card: tag for effect, tag in zip(effects, each, strict=True) for card in effect.cards}
                    found.append(_Tried(tags, level, running))
        return found

    def _add(self, some: "_Rounds", tried: "Mapping[str, Sequence[_Tried]]", tallies: Mapping[str, Bets]) -> None:
        """Add rounds to what comes of each wager, with what each count says before them."""
        deck = self.game.deck
        seen = self.shoe.array - some.left
        left = some.left.sum(axis=1)
        gone = seen.sum(axis=1)
        for name, counts in tried.items():
            columns = []
            for each in counts:
                tags = np.array([each.tags[card] for card in deck.cards])
                sum_ = seen @ tags
                columns.append(sum_ if each.running else (deck.size * sum_ - int(tags.sum()) * gone) / left)
            favour = some.favours[:, self.names.index(name)]
            tallies[name].add(some.shoe, left, favour, np.column_stack(columns).astype(np.float64))

    def _exposure(
        self, name: str, tally: Bets, kinds: tuple[Effect, ...], tried: "Sequence[_Tried]", plan: Plan
    ) -> Exposure:
        effects = apart(kinds, [each.tags for each in tried], self.game.deck)
        counters = []
        for place, each in enumerate(tried):
            tags = tuple(each.tags[effect.cards[0]] for effect in effects)
            count = Count(tags, correlation(effects, tags), each.running)
            play = tally.play(tally.from_count(place, each.trigger), plan.shoes)
            counters.append(Counter(each.level, count, each.trigger, play, each.proved))
        _, _, favour, _ = tally.rounds
        return Exposure(
            game=self.game,
            wager=self.game.wager(name),
            decks=self.shoe.decks,
            procedure=plan.procedure,
            shoes=plan.shoes,
            ev=self.ev(name),
            effects=effects,
            counters=tuple(counters),
            rounds=len(favour) / plan.shoes,
            perfect=tally.play(favour > 0, plan.shoes),
            depths=tally.depths(),
        )

    def _batches(self, plan: Plan, *, other: bool = False) -> "Iterator[_Rounds]":
        """The rounds of so many shoes, some shoes at a time; or of *other* shoes, which the same seed stands for."""
        chance = np.random.Generator(np.random.PCG64([shoe_seed(plan.seed, self.game), int(other)]))
        for start in range(0, plan.shoes, _SHOES_AT_ONCE):
            number = min(_SHOES_AT_ONCE, plan.shoes - start)
            rounds = list(rounds_of_shoes(self.game, self.shoe, plan.procedure, number, chance))
            left = np.concatenate([left for _, left in rounds])
            yield _Rounds(np.concatenate([shoe for shoe, _ in rounds]) + start, left, -self._evaluator.edges(left))


@dataclass(frozen=True)
class _Rounds:
    """Rounds: the shoe that each is of, the cards left before it, and the player's edge on each wager."""

    shoe: Ints
    left: Ints
    favours: Floats

    def of_shoes(self, number: int) -> "_Rounds":
        """The rounds of the first so many shoes."""
        first = self.shoe < number
        return _Rounds(self.shoe[first], self.left[first], self.favours[first])


@dataclass(frozen=True)
class _Tried:
    """A count that is tried: the tag of each card, the largest tag it might have, and whether it is a running one.

    *proved* is what it won in half of the shoes it was chosen on, from the trigger that served best in the other half.
    """

    tags: Mapping[Card, int]
    level: int
    running: bool
    trigger: float | None = None
    proved: float = 0.0
