"""A coup: the cards of one round, as two hands."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from punto.cards import Card

NATURALS: Final = frozenset({8, 9})


class Side(Enum):
    """One of the two hands of a coup."""

    PLAYER = "player"
    BANKER = "banker"


class Winner(Enum):
    """How a coup ends."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"

    @classmethod
    def of(cls, player: int, banker: int) -> "Winner":
        """Who wins with these totals: the higher one.

        EB4 1.1.19, 3.9; FF2 1.1.10, 3.9; B8, TNC5 1.1.10, 3.15; E7U 1.1.8, 3.8.
        """
        if player == banker:
            return cls.TIE
        return cls.PLAYER if player > banker else cls.BANKER


def total(cards: Sequence[Card]) -> int:
    """The point total of a hand: the right digit of its sum (EB4, FF2, B8, TNC5, E7U 3.4; FF2 1.1.8)."""
    return sum([card.points for card in cards]) % 10


def is_natural(cards: Sequence[Card]) -> bool:
    """Whether the first two cards come to eight or nine (EB4 1.1.8; FF2, B8, TNC5 1.1.5; E7U 1.1.3)."""
    return total(cards[:2]) in NATURALS


@dataclass(frozen=True, slots=True)
class Hand:
    """The two or three cards of one side (EB4 1.1.6; FF2 1.1.3; B8, TNC5 1.1.2; E7U 1.1.1)."""

    cards: tuple[Card, ...]

    @property
    def total(self) -> int:
        """The point total."""
        return total(self.cards)

    @property
    def natural(self) -> bool:
        """Whether the hand is a natural."""
        return is_natural(self.cards)


@dataclass(frozen=True, slots=True)
class Coup:
    """The two hands of a round, complete by the Table of Play."""

    player: Hand
    banker: Hand

    def hand(self, side: Side) -> Hand:
        """The hand of the side."""
        return self.player if side is Side.PLAYER else self.banker

    @property
    def winner(self) -> Winner:
        """Who won."""
        return Winner.of(self.player.total, self.banker.total)

    @property
    def natural(self) -> bool:
        """Whether either hand is a natural."""
        return self.player.natural or self.banker.natural
