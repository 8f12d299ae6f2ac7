"""What each card is worth to a wager, and the counts that follow it best.

A count need not be balanced: it is used *recentred*, that is, with the sum of its tags less what as many cards of the
whole shoe hold on average. So `7=-1` and `7=-12, others +1` are one and the same count. It follows a wager as well as
its tags correlate with the effects of removal; tens, Jacks, Queens and Kings may have different tags, for two of them
can share what a whole number cannot express.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Final

import numpy as np

from punto.cards import Card, Deck
from punto.lab.exact import Floats

USUAL_LEVEL: Final = 2
# What is closer than this is the same but for rounding.
_ALIKE: Final = 1e-12


@dataclass(frozen=True)
class Effect:
    """What it does to a wager when one card of a kind is gone from a whole shoe."""

    cards: tuple[Card, ...]
    name: str
    effect: Fraction


@dataclass(frozen=True)
class Count:
    """A count: a tag for each kind of card, in the order of the effects, and how well it follows them.

    A *running* count is the sum of the tags of all cards seen; otherwise that sum is recentred and divided by the decks
    left, which is the true count.
    """

    tags: tuple[int, ...]
    correlation: float
    running: bool = False

    @property
    def level(self) -> int:
        """The largest tag."""
        return max(map(abs, self.tags), default=0)


def best_count(effects: Sequence[Effect], level: int = USUAL_LEVEL) -> Count:
    """The count with tags no larger than *level* that follows the effects best, balanced or not.

    For each sum and each sum of squares that tags can have, the best tags are found one kind after the other, so
    that no count is overlooked.
    """
    weights = [len(effect.cards) for effect in effects]
    values = _centred(weights, [float(effect.effect) for effect in effects])
    cards = sum(weights)
    most, squares = level * cards, level * level * cards
    scores = np.full((2 * most + 1, squares + 1), -np.inf)
    scores[most, 0] = 0
    chosen = []
    for weight, value in zip(weights, values, strict=True):
        better = np.full_like(scores, -np.inf)
        choice = np.zeros(scores.shape, dtype=np.int8)
        for tag in sorted(range(-level, level + 1), key=abs):
            moved = _moved(scores, weight * tag, weight * tag * tag) + weight * tag * value
            ahead = moved > better + _ALIKE * abs(value)
            better[ahead], choice[ahead] = moved[ahead], tag
        scores = better
        chosen.append(choice)
    total, square = np.indices(scores.shape)
    spread = square - (total - most) ** 2 / cards
    size = sqrt(sum(weight * value * value for weight, value in zip(weights, values, strict=True)))
    if not size:
        return Count((0,) * len(weights), 0.0)
    possible = (spread > _ALIKE) & np.isfinite(scores)
    follows = np.where(possible, scores, -np.inf) / (size * np.sqrt(np.where(possible, spread, 1)))
    # Of equals the one with the smallest tags.
    best = np.argwhere(follows > follows.max() - _ALIKE)
    at, of = min(best.tolist(), key=lambda place: (place[1], abs(place[0] - most)))
    tags = []
    for weight, choice in zip(reversed(weights), reversed(chosen), strict=True):
        tag = int(choice[at, of])
        tags.append(tag)
        at, of = at - weight * tag, of - weight * tag * tag
    found = tuple(reversed(tags))
    return Count(found, correlation(effects, found))


def _moved(scores: Floats, by: int, squares: int) -> Floats:
    """The table with every sum and every sum of squares larger by so much."""
    moved = np.full_like(scores, -np.inf)
    height, width = scores.shape
    rows = slice(max(0, by), min(height, height + by)), slice(max(0, -by), min(height, height - by))
    moved[rows[0], squares:] = scores[rows[1], : width - squares]
    return moved


def correlation(effects: Sequence[Effect], tags: Sequence[int]) -> float:
    """How well tags follow the effects, card by card; a count that tells nothing apart follows nothing."""
    weights = [len(effect.cards) for effect in effects]
    values = _centred(weights, [float(effect.effect) for effect in effects])
    centred = _centred(weights, [float(tag) for tag in tags])
    product = sum(w * v * t for w, v, t in zip(weights, values, centred, strict=True))
    sizes = [sum(w * each * each for w, each in zip(weights, numbers, strict=True)) for numbers in (values, centred)]
    return product / sqrt(sizes[0] * sizes[1]) if sizes[0] > 0 and sizes[1] > _ALIKE else 0.0


def _centred(weights: Sequence[int], values: Sequence[float]) -> list[float]:
    mean = sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)
    return [value - mean for value in values]


def by_rank(effects: Sequence[Effect], deck: Deck) -> tuple[Effect, ...]:
    """The effects with ranks told apart that are alike to the wager."""
    return _split(effects, {card: card.rank.letter for card in deck.cards}, deck)


def apart(effects: Sequence[Effect], tags: Sequence[Mapping[Card, int]], deck: Deck) -> tuple[Effect, ...]:
    """The effects with cards of a kind told apart where their tags differ in some count."""
    return _split(effects, {card: tuple(each[card] for each in tags) for card in deck.cards}, deck)


def _split(effects: Sequence[Effect], marks: Mapping[Card, object], deck: Deck) -> tuple[Effect, ...]:
    found = []
    for effect in effects:
        alike: dict[object, list[Card]] = {}
        for card in effect.cards:
            alike.setdefault(marks[card], []).append(card)
        found += [Effect(tuple(cards), name_of(tuple(cards), deck), effect.effect) for cards in alike.values()]
    return tuple(found)


def name_of(cards: tuple[Card, ...], deck: Deck) -> str:
    """A kind of card in few letters: its ranks if it has all their suits, else rank and suits."""
    ranks = [rank for rank in deck.ranks if any(card.rank is rank for card in cards)]
    if len(cards) == len(ranks) * len(deck.suits):
        return " ".join(rank.letter for rank in ranks)
    suits = [suit.letter for suit in deck.suits if any(card.suit is suit for card in cards)]
    return " ".join(rank.letter for rank in ranks) + " " + "".join(suits)
