"""What the terminal drawings share: the console, and the three colours that mean something."""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from punto.cards import Card, pretty
from punto.rules import Label, Side, Winner

BANKER: Final = "bold red"
PLAYER: Final = "bold dodger_blue1"
TIE: Final = "bold green3"
MONEY: Final = "bold gold1"
QUIET: Final = "grey62"
NARROWEST: Final = 60
STYLE_OF: Final = {Winner.BANKER: BANKER, Winner.PLAYER: PLAYER, Winner.TIE: TIE}
SIDE_STYLE: Final = {Side.PLAYER: PLAYER, Side.BANKER: BANKER}
SIGN_OF: Final = {Winner.BANKER: Label("B", "庄"), Winner.PLAYER: Label("P", "闲"), Winner.TIE: Label("T", "和")}
_SUIT_STYLE: Final = {
    "black": "bold",
    "red": "bold red",
    "yellow": "bold gold1",
    "magenta": "bold orange4",
    "green": "bold green3",
    "blue": "bold dodger_blue1",
}


class _Console(Console):
    """A console that leaves a reader who has gone to whoever runs the command."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console() -> Console:
    """Standard output, with colour where it is a terminal; never so narrow that a figure would be cut."""
    out = _Console(highlight=False, emoji=False, markup=False)
    out.width = max(out.width, NARROWEST)
    return out


def print_hanging(  # noqa: PLR0913
    out: Console, lead: Text, parts: Sequence[str], *, indent: int, style: str = "", between: str = ", "
) -> None:
    """The lead and then the parts, as many on a line as fit; the lines below are indented."""
    line = lead.copy()
    for place, part in enumerate(parts):
        piece = part if place == len(parts) - 1 else f"{part}{between}"
        if line.cell_len > indent and line.cell_len + cell_len(piece.rstrip()) > out.width:
            line.rstrip()
            out.print(line)
            line = Text(" " * indent)
        line.append(piece, style=style)
    line.rstrip()
    out.print(line)


def has_colour(out: Console) -> bool:
    """Whether red and blue can be told apart there."""
    return out.is_terminal and not out.no_color and out.color_system is not None


def card_style(card: Card) -> str:
    """The style of a card's suit."""
    return _SUIT_STYLE[card.suit.colour] if card.suit else _SUIT_STYLE["yellow"]


def card_text(card: Card) -> Text:
    """The card with its sign, in its suit's colour."""
    return Text(pretty(card), style=card_style(card))
