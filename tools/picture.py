"""Draw the README's picture: a table in the terminal, as `punto play` shows it. Run by `make picture`."""

import io
import random
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme

from punto.cli.play.loop import Loop
from punto.cli.play.screen import Screen
from punto.cli.play.seat import Seat
from punto.games import find
from punto.rules import Language

TARGET = Path(__file__).resolve().parent.parent / "docs" / "play.svg"
ROUNDS = 34
SEED = 5
WIDTH, HEIGHT = 96, 40
BLACK, WHITE = (13, 17, 16), (222, 226, 222)
RED, GREEN, YELLOW, BLUE = (224, 72, 72), (72, 176, 104), (232, 190, 90), (84, 150, 240)
NIGHT = TerminalTheme(BLACK, WHITE, [BLACK, RED, GREEN, YELLOW, BLUE, (176, 120, 200), (90, 190, 190), WHITE])


def main() -> int:
    """Play some rounds by themselves, and keep the last screen."""
    screen = Screen(Language.ENGLISH, fast=True)
    screen.live = True
    screen.console = Console(
        record=True, width=WIDTH, height=HEIGHT, force_terminal=True, color_system="truecolor", highlight=False,
        file=io.StringIO(), legacy_windows=False,
    )  # fmt: skip
    lines = iter([""] * ROUNDS + ["b 100 t 10 fs 10 bdb 5", ""])
    loop = Loop(Seat(find("fortune-six"), 8, random.Random(SEED)), screen, read=lambda _: next(lines, "q"))  # noqa: S311
    for _ in range(ROUNDS + 2):
        loop._obey(loop._ask())  # noqa: SLF001
    screen.console.export_text(clear=True)
    loop._draw()  # noqa: SLF001
    svg = screen.console.export_svg(title="punto play fortune-six", theme=NIGHT, unique_id="punto")
    # No font from elsewhere: the reader's own monospaced one will do.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code", "DejaVu Sans Mono, Menlo, Consolas").replace(
        "<!-- Generated with Rich https://www.textualize.io -->", ""
    )
    TARGET.write_text("\n".join(line.rstrip() for line in svg.splitlines()) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
