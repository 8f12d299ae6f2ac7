"""The figures of the rules core: settlement, partial deals, and the command line. Run by `make bench`.

Each figure is the median of several runs, and stands beside what is asked of it; a figure that falls short ends the run
with status 1.
"""

import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.figure import Figure, told
from punto.cards import Card
from punto.games import GAMES, find
from punto.rules import Deal, Game

RUNS = 7
DEALS = 20_000
LINES = 50_000
PUNTO = str(Path(sys.executable).parent / "punto")


def complete_deals(game: Game, count: int, chance: random.Random) -> list[tuple[Card, ...]]:
    """Cards of complete deals."""
    kinds = game.deck.cards
    deals = []
    for _ in range(count):
        deal = Deal.begin(game.opening)
        while deal.next:
            deal = deal.take(chance.choice(kinds))
        deals.append(deal.cards)
    return deals


def seconds(act: Callable[[], object]) -> float:
    """How long the act takes, by the median."""
    took = []
    for _ in range(RUNS):
        start = time.perf_counter()
        act()
        took.append(time.perf_counter() - start)
    return statistics.median(took)


def settlement() -> Figure:
    """All wagers of complete fortune-six deals, from cards to nets."""
    game = find("fortune-six")
    deals = complete_deals(game, DEALS, random.Random(1))

    def act() -> None:
        for cards in deals:
            coup = game.deal(cards).coup
            assert coup
            for settled in game.settle(coup).values():
                _ = settled.net, settled.clause

    return Figure(
        "library: fortune-six, all wagers settled", DEALS / seconds(act), 30_000, "deals/s", more_is_better=True
    )


def partial_deals() -> Figure:
    """The slowest question about a partial deal, over all games, once warm."""
    chance = random.Random(2)
    worst = 0.0
    for game in GAMES.values():
        game.tabulate()
        for cards in complete_deals(game, 200, chance):
            for count in range(len(cards)):
                deal = Deal.of(game.opening, cards[:count])
                took = []
                for _ in range(3):
                    start = time.perf_counter()
                    game.outcome_established(deal)
                    took.append(time.perf_counter() - start)
                worst = max(worst, min(took))
    return Figure("library: slowest partial deal, all wagers, warm", worst * 1000, 1, "ms", more_is_better=False)


def command(name: str, asked: float, *arguments: str) -> Figure:
    """A command, from the shell and back."""

    def act() -> None:
        subprocess.run([PUNTO, *arguments], check=True, stdout=subprocess.DEVNULL)

    act()
    return Figure(f"command: {name}", seconds(act), asked, "s", more_is_better=False)


def batch() -> Figure:
    """Lines of a batch, the start of the process included."""
    deals = complete_deals(find("fortune-six"), LINES, random.Random(3))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deals"
        path.write_text("".join(" ".join(map(str, cards)) + "\n" for cards in deals))

        def act() -> None:
            subprocess.run(
                [PUNTO, "settle", "fortune-six", "--batch", str(path)], check=True, stdout=subprocess.DEVNULL
            )

        return Figure("command: punto settle --batch", LINES / seconds(act), 10_000, "lines/s", more_is_better=True)


def main() -> int:
    """Measure everything, and say so line by line."""
    figures: list[Callable[[], Figure]] = [
        settlement,
        partial_deals,
        lambda: command("punto --help", 0.4, "--help"),
        lambda: command("punto settle, one deal", 0.6, "settle", "fortune-six", "Ks 2h 5d 4c 9s", "--json"),
        lambda: command("punto settle, one deal, drawn", 0.6, "settle", "fortune-six", "Ks 2h 5d 4c 9s"),
        lambda: command("punto settle, a partial deal", 0.6, "settle", "fa-fa-fabulous-4", "4g 2f", "--json"),
        batch,
    ]
    return told(measure() for measure in figures)


if __name__ == "__main__":
    sys.exit(main())
