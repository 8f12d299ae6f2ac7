"""What the terminal drawings share: the console, and the three colours that mean something."""

from typing import Final

from rich.console import Console
from rich.text import Text

from punto.cards import Card, pretty
from punto.roads import Winner
from punto.rules import Label

BANKER: Final = "bold red"
PLAYER: Final = "bold dodger_blue1"
TIE: Final = "bold green3"
MONEY: Final = "bold gold1"
QUIET: Final = "grey62"
STYLE_OF: Final = {Winner.BANKER: BANKER, Winner.PLAYER: PLAYER, Winner.TIE: TIE}
SIGN_OF: Final = {Winner.BANKER: Label("B", "庄"), Winner.PLAYER: Label("P", "闲"), Winner.TIE: Label("T", "和")}
_SUIT_STYLE: Final = {
    "black": "bold",
    "red": "bold red",
    "yellow": "bold gold1",
    "magenta": "bold orange4",
    "green": "bold green3",
    "blue": "bold dodger_blue1",
}


def console() -> Console:
    """Standard output, with colour where it is a terminal."""
    return Console(highlight=False, emoji=False, markup=False)


def card_style(card: Card) -> str:
    """The style of a card's suit."""
    return _SUIT_STYLE[card.suit.colour] if card.suit else _SUIT_STYLE["yellow"]


def card_text(card: Card) -> Text:
    """The card with its sign, in its suit's colour."""
    return Text(pretty(card), style=card_style(card))
