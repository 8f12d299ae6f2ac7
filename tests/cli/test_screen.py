"""The table as it is drawn on a terminal, at several sizes and in both languages."""

import io
import random
import re

import pytest
from rich.cells import cell_len
from rich.console import Console
from tests.cli.tables import blocks, cells
from tests.width import width

from punto.cli.play.loop import Loop
from punto.cli.play.phrases import ENTER_TO_GO_ON
from punto.cli.play.screen import Screen
from punto.cli.play.seat import START_CENTS, Seat
from punto.games import GAMES
from punto.rules import Language

SIZES = [(100, 42), (80, 24), (60, 20)]
STYLE = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """A screen of a given size, and what is typed at it; a frame is what was drawn after the screen was cleared."""

    def __init__(self, key: str, size: tuple[int, int], language: Language, typed: list[str]) -> None:
        self.screen = Screen(language, fast=True)
        self.out = io.StringIO()
        columns, rows = size
        self.screen.console = Console(
            file=self.out, width=columns, height=rows, force_terminal=True, color_system="truecolor", highlight=False
        )
        self.screen.live = True
        self.typed = iter(typed)
        self.seat = Seat(GAMES[key], 8, random.Random(7))
        self.loop = Loop(self.seat, self.screen, read=self.read)

    def read(self, prompt: str) -> str:
        self.out.write(prompt + "\n")
        if prompt.startswith(self.screen.say(ENTER_TO_GO_ON)):
            return ""  # whoever reads something reads it to its end
        return next(self.typed, "q")

    def frames(self) -> list[str]:
        self.loop.run()
        return [STYLE.sub("", frame) for frame in self.out.getvalue().split("\x1b[H\x1b[J")[1:]]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    ("key", "size"),
    [(key, size) for key in ("fortune-six", "fa-fa-fabulous-4", "7-up") for size in SIZES
     if key == "fortune-six" or size in width(SIZES[-1:], SIZES)],
    ids=str,
)  # fmt: skip
def test_the_table_fits_the_screen(key: str, size: tuple[int, int], language: Language) -> None:
    stakes = " ".join(f"{code} 2" for code in Terminal(key, size, language, []).loop.codes)
    typed = [stakes, "", "r", "", "x2", "", "why", "roads", "?", "rules", *[""] * width(2, 16)]
    frames = Terminal(key, size, language, typed).frames()
    columns, rows = size
    for frame in frames[:-1]:
        assert "\x1b" not in frame
        lines = frame.rstrip("\n").split("\n")
        assert max(cell_len(line) for line in lines) <= columns
        assert len(lines) <= rows
    names = [wager.label.text(language) for wager in GAMES[key].wagers]
    assert all(name in frames[1] for name in names)
    words = {Language.ENGLISH: "demonstration rules: FF2", Language.CHINESE: "演示规则：FF2"}[language]
    assert (words in frames[0].split("\n")[1]) is (key == "fa-fa-fabulous-4")


def test_every_wager_has_its_own_prices_stake_and_result() -> None:
    terminal = Terminal("fortune-six", (100, 42), Language.ENGLISH, ["b 25 t 5 pp 3", ""])
    [shown] = [block for block in blocks(terminal.frames()[-1]) if block[0].startswith("p ")]
    assert cells(shown) == [
        ["p", "Player", "1:1", "", ""],
        ["b", "Banker", "1:2, 1:1", "25.00", "+25.00"],
        ["t", "Tie", "8:1", "5.00", "-5.00"],
        ["pp", "Player Pair", "11:1", "3.00", "-3.00"],
        ["bp", "Banker Pair", "11:1", "", ""],
        ["fs", "Fortune Six", "12:1, 20:1", "", ""],
        ["pdb", "Player Dragon Bonus", "1:1 … 30:1", "", ""],
        ["bdb", "Banker Dragon Bonus", "1:1 … 30:1", "", ""],
    ]


def test_stakes_stay_on_the_layout_and_out_of_the_credits_until_the_result_is_shown() -> None:
    terminal = Terminal("fortune-six", (100, 42), Language.ENGLISH, ["b 25", ""])
    _, *dealing, paid = terminal.frames()
    assert len(dealing) > 4
    for frame in dealing:
        assert "credits 975.00 " in frame
        assert re.search(r"^b +Banker +1:2, 1:1 +25\.00 *$", frame, re.MULTILINE)
    assert "credits 1,025.00 " in paid
    assert re.search(r"^b +Banker +1:2, 1:1 +25\.00 +\+25\.00$", paid, re.MULTILINE)


def test_roads_are_shown_where_there_is_room_for_them() -> None:
    shown = {}
    for size in SIZES:
        frame = Terminal("fortune-six", size, Language.ENGLISH, [""]).frames()[-1]
        shown[size] = ("Big road" in frame, "Cockroach pig" in frame)
    assert shown == {(100, 42): (True, True), (80, 24): (True, False), (60, 20): (False, False)}


def test_who_leaves_after_the_close_is_paid_first() -> None:
    terminal = Terminal("fortune-six", (100, 42), Language.ENGLISH, ["b 25", ""])
    terminal.screen.fast = False
    cards = 0

    def interrupted(*, hurry: bool) -> None:
        nonlocal cards
        cards += 1
        if not hurry and cards == 2:
            raise KeyboardInterrupt

    terminal.screen.pause = interrupted  # type: ignore[method-assign]
    last = terminal.frames()[-1]
    assert terminal.seat.rounds == 1
    assert terminal.seat.credits_cents != START_CENTS
    assert "Rounds: 1." in last
