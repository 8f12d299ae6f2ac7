"""The house: three tables of three rulebooks, staff, and patrons of whom some play at two tables from one wallet."""

from typing import Final

from punto.rules import RANKS, Method, Position
from punto.table import Actor, Setup, Source, Timings

TERMINALS: Final = "E1"
DEALT: Final = "B1"
FA_FA: Final = "F1"

SYSTEM: Final = Actor("clock", Position.SYSTEM)
DEALER, SUPERVISOR, MANAGER, ASSISTANT, SHIFT = (Actor(position.value, position) for position in RANKS)

_TIMINGS: Final = Timings(bets_ms=1_000, answer_ms=2_000)
_DECKS: Final = 4

# Shoes are short, so that they change often: about ten rounds each.
SETUPS: Final = {
    TERMINALS: Setup(
        game="fortune-six", source=Source.VIRTUAL, decks=_DECKS, behind=150, positions=50, timings=_TIMINGS
    ),
    DEALT: Setup(game="baccarat", decks=_DECKS, layout="B", method=Method.A, reads=False, timings=_TIMINGS),
    FA_FA: Setup(game="fa-fa-fabulous-4", decks=_DECKS, timings=_TIMINGS),
}
# After so many cards the cutting card comes out of a device.
CUTTING_CARD_AFTER: Final = 50


def patron(number: int) -> str:
    """A patron's name."""
    return f"p{number:02}"


# Who sits where: patrons 1 to 14 play at a terminal and at a dealt table too.
SEATS: Final = {
    TERMINALS: tuple((patron(number), number) for number in range(1, 51)),
    DEALT: tuple((patron(number), (number - 1) % 9 + 1) for number in (*range(1, 10), 61, 62, 63)),
    FA_FA: tuple((patron(number), (number - 6) % 9 + 1) for number in (*range(6, 15), 64, 65)),
}


def by(name: str) -> Actor:
    """A patron who acts."""
    return Actor(name, Position.PATRON)
