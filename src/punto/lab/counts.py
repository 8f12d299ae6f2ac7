"""What each card is worth to a wager, and the counts that follow it best."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Final

from punto.cards import Card, Deck

USUAL_LEVEL: Final = 2


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


def best_count(effects: Sequence[Effect], level: int = USUAL_LEVEL) -> Count:
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


def apart(effects: tuple[Effect, ...], tags: Mapping[str, int], deck: Deck) -> tuple[Effect, ...]:
    """The effects with cards of a kind told apart where their tags differ."""
    found = []
    for effect in effects:
        alike: dict[int, list[Card]] = {}
        for card in effect.cards:
            alike.setdefault(tags.get(card.rank.letter, 0), []).append(card)
        found += [Effect(tuple(cards), name_of(tuple(cards), deck), effect.effect) for cards in alike.values()]
    return tuple(found)


def name_of(cards: tuple[Card, ...], deck: Deck) -> str:
    """A kind of card in few letters: its ranks if it has all their suits, else rank and suits."""
    ranks = [rank for rank in deck.ranks if any(card.rank is rank for card in cards)]
    if len(cards) == len(ranks) * len(deck.suits):
        return " ".join(rank.letter for rank in ranks)
    suits = [suit.letter for suit in deck.suits if any(card.suit is suit for card in cards)]
    return " ".join(rank.letter for rank in ranks) + " " + "".join(suits)
