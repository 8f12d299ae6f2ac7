"""A card: rank, suit, and the points it counts."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Final


class Rank(Enum):
    """A rank of either deck, with its letter, its points and its sign (EB4 3.3, FF2 3.3)."""

    ACE = ("A", 1, "A")
    TWO = ("2", 2, "2")
    THREE = ("3", 3, "3")
    FOUR = ("4", 4, "4")
    FIVE = ("5", 5, "5")
    SIX = ("6", 6, "6")
    SEVEN = ("7", 7, "7")
    EIGHT = ("8", 8, "8")
    NINE = ("9", 9, "9")
    TEN = ("T", 0, "10")
    JACK = ("J", 0, "J")
    QUEEN = ("Q", 0, "Q")
    KING = ("K", 0, "K")
    SAU = ("S", 0, "寿")
    LUK = ("L", 0, "禄")
    FUK = ("F", 0, "福")

    def __init__(self, letter: str, points: int, sign: str) -> None:
        self.letter = letter
        self.points = points
        self.sign = sign


class Suit(Enum):
    """A suit of the standard deck, or an element, with its letter, sign and colour (FF2 1.1.2)."""

    SPADES = ("s", "♠", "black")
    HEARTS = ("h", "♥", "red")
    DIAMONDS = ("d", "♦", "red")
    CLUBS = ("c", "♣", "black")
    FIRE = ("f", "火", "red")
    GOLD = ("g", "金", "yellow")
    EARTH = ("e", "土", "magenta")
    WOOD = ("o", "木", "green")
    WATER = ("w", "水", "blue")

    def __init__(self, letter: str, sign: str, colour: str) -> None:
        self.letter = letter
        self.sign = sign
        self.colour = colour


@dataclass(frozen=True, slots=True)
class Card:
    """One card; only 7 Up's permanent 7 has no suit (E7U 1.1.4).

    >>> Card(Rank.TEN, Suit.DIAMONDS)
    Card('Td')
    >>> str(PERMANENT_SEVEN), PERMANENT_SEVEN.points
    ('7*', 7)
    """

    rank: Rank
    suit: Suit | None
    points: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", self.rank.points)

    def __str__(self) -> str:
        return self.rank.letter + (self.suit.letter if self.suit else "*")

    def __repr__(self) -> str:
        return f"Card('{self}')"


PERMANENT_SEVEN: Final = Card(Rank.SEVEN, None)
