"""The figures of the lab: simulation and evaluation against plain C, in time and in memory. Run by `make bench`.

Each ratio is the median of twenty, taken in one interleaved run: one side, then the other, over and over. It needs gcc.
"""

import ctypes
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.figure import Figure, told
from punto.cards import USUAL_CUT
from punto.games import GAMES, find, loads
from punto.lab import Evaluator, Mix, Sessions, Stakes
from punto.lab.dealing import last_start
from punto.lab.simulation import Part, Stream, Terms
from punto.lab.simulation.tables import BANKER_SLOT_SHIFT, MOST_CELLS, NIBBLE, PLAYER_DRAWS_SHIFT, WINNER_SHIFT, Tables
from punto.lab.simulation.tally import SHOES_IN_A_BLOCK

HERE = Path(__file__).parent
PUNTO = str(Path(sys.executable).parent / "punto")
PAIRS = 20
DECKS = 8
BLOCKS = 12
SHOES = 10_000
MAIN = ("Player", "Banker", "Tie")
ANY_ROUNDS = 1 << 62


def compiled(source: str, folder: str) -> ctypes.CDLL:
    """A C file of this folder, compiled for this machine."""
    gcc = shutil.which("gcc")
    if gcc is None:
        sys.exit("bench: gcc is not installed: the figures of the lab are held against plain C")
    library = Path(folder) / f"{source}.so"
    command = [gcc, "-O3", "-march=native", "-shared", "-fPIC", "-o", str(library), str(HERE / f"{source}.c")]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(library))


def seconds(act: Callable[[], object]) -> float:
    """How long the act takes, once."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def interleaved(one: Callable[[], object], other: Callable[[], object]) -> float:
    """How many times as long the other takes as the one, by the median of pairs."""
    one(), other()
    ratios = []
    for _ in range(PAIRS):
        took = seconds(one)
        ratios.append(seconds(other) / took)
    return statistics.median(ratios)


class PlainC:
    """The plain kernel, on the same tables in the layout that suits it."""

    def __init__(self, library: ctypes.CDLL, tables: Tables, decks: int, cut: int) -> None:
        rules, row = tables.rules, int(tables.rules.row)
        cards = tables.shoe(decks)
        points = np.arange(row) % NIBBLE
        points[points > 9] = 0
        player = np.full(row, rules.held_points)[:, None] if rules.held else points[:, None]
        totals = (player + points) % 10, (points[:, None] + points) % 10
        self._run = library.run
        self._run.restype = ctypes.c_int64
        entries = rules.tableau.reshape(NIBBLE, NIBBLE, NIBBLE).astype(np.int64)
        draws = (entries[:, :, :10] >> BANKER_SLOT_SHIFT != 0) << np.arange(10)
        tableau = draws.sum(axis=2) | (entries[:, :, 0] >> PLAYER_DRAWS_SHIFT & 1) << 15
        joint = rules.joint.astype(np.int64)
        self._arrays = [
            cards,
            points.astype(np.uint8),
            (rules.open_player.astype(np.uint32) << 8 | totals[0].astype(np.uint32).ravel() << 4).astype(np.uint32),
            (rules.open_banker.astype(np.uint32) << 8 | totals[1].astype(np.uint32).ravel()).astype(np.uint32),
            tableau.astype(np.uint16).ravel(),
            rules.final_player,
            rules.final_banker,
            ((joint % MOST_CELLS) << 2 | joint >> WINNER_SHIFT).astype(np.uint16),
        ]
        cards_, points_, *others = map(_pointer, self._arrays)
        size, last = len(cards), last_start(len(cards), cut, tables.drawn)
        numbers = [ctypes.c_int64(number) for number in (size, last, rules.held, row)]
        self._fixed = [cards_, *numbers, points_, *others]

    def deal(self, block: int, part: Part) -> int:
        """Deal one block of shoes."""
        counts = [_pointer(array) for array in (part.cells, part.reach, part.lengths)]
        block_ = [
            ctypes.c_uint64(1),
            ctypes.c_uint64(block),
            ctypes.c_int64(SHOES_IN_A_BLOCK),
            ctypes.c_int64(ANY_ROUNDS),
        ]
        return int(self._run(*block_, *self._fixed, *counts))


def _pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def simulation(folder: str) -> Iterator[Figure]:
    """The kernel against the plain one on one core, and two cores against one."""
    stream = Stream(Terms(find("fortune-six"), DECKS, USUAL_CUT, 1))
    plain = PlainC(compiled("simulate", folder), stream.tables, DECKS, USUAL_CUT)
    theirs, ours = Part.nothing(stream.tables.cells.size), stream.deal(0, BLOCKS, ANY_ROUNDS)
    rounds = sum(plain.deal(block, theirs) for block in range(BLOCKS))
    far = np.abs(theirs.cells / rounds - ours.cells / ours.rounds).max()
    assert far < 1e-3, "both deal the same game"

    def plainly() -> None:
        for block in range(BLOCKS):
            plain.deal(block, theirs)

    def alone() -> Part:
        return stream.deal(0, BLOCKS, ANY_ROUNDS)

    ratio = interleaved(alone, plainly)
    rate = ours.rounds / statistics.median(seconds(alone) for _ in range(5)) / 1e6
    print(f"{'simulation, one core: millions of rounds a second':<60} {rate:>10,.4g}")
    yield Figure("simulation, one core, against plain C", ratio, 1.8, "times")
    with ThreadPoolExecutor(2) as pool:

        def together() -> list[Part]:
            return list(pool.map(lambda half: stream.deal(half * BLOCKS, BLOCKS, ANY_ROUNDS), range(2)))

        yield Figure("simulation, two cores against one", 2 / interleaved(alone, together), 1.7, "times")
    few, many = (
        statistics.median(seconds(lambda blocks=blocks: stream.deal(0, blocks, ANY_ROUNDS)) / blocks for _ in range(5))  # type: ignore[misc]
        for blocks in (4, 80)
    )
    yield Figure("simulation, cost of a round: 20 times the rounds", many / few, 1.25, "times", more_is_better=False)
    before = _memory()
    stream.deal(100, 200, ANY_ROUNDS)
    growth = _memory() / before
    yield Figure("simulation, memory after 270 million rounds more", growth, 1.02, "times", more_is_better=False)


def evaluation(folder: str) -> Iterator[Figure]:
    """The evaluator against the factorised count in C, and by itself."""
    library = compiled("evaluate", folder)
    shoes = np.random.default_rng(1).integers(2, DECKS + 1, size=(SHOES, 52))
    ten = np.zeros((SHOES, 10))
    for place, card in enumerate(find("baccarat").deck.cards):
        ten[:, card.points] += shoes[:, place]
    counts = np.empty((SHOES, 3))
    main = Evaluator(find("baccarat"), MAIN)

    def in_c() -> None:
        library.evaluate(_pointer(ten), _pointer(counts), ctypes.c_size_t(SHOES))

    in_c()
    wins = [place for place, line in enumerate(main.lines) if line.net > 0]
    assert (main.counts(shoes)[:, wins] == counts).all(), "both count the same"
    speed = interleaved(lambda: main.edges(shoes), in_c)
    yield Figure("evaluation, main wagers, speed against factorised C", speed, 0.5, "times")
    every = Evaluator(find("fortune-six"))
    batch = statistics.median(seconds(lambda: every.edges(shoes)) for _ in range(PAIRS)) / SHOES
    yield Figure("evaluation, fortune-six, all wagers, a shoe of 10,000", batch * 1e6, 60, "µs", more_is_better=False)
    one = statistics.median(seconds(lambda: every.edges(shoes[:1])) for _ in range(200))
    yield Figure("evaluation, fortune-six, all wagers, a single shoe", one * 1e3, 3, "ms", more_is_better=False)
    many = np.concatenate([shoes] * 10)
    tenfold = statistics.median(seconds(lambda: every.edges(many)) for _ in range(3)) / len(many)
    yield Figure("evaluation, cost of a shoe: 10 times the shoes", tenfold / batch, 1.25, "times", more_is_better=False)


# An either-hand perfect pair tells all 52 cards apart.
EITHER = """
key = "either"
title = "Either"
[[wager]]
name = "Either Perfect Pair"
pays = [{ when = "{when}", odds = "25 to 1" }]
[[wager]]
name = "Tie"
pays = [{ when = "winner tie", odds = "8 to 1" }]
""".replace("{when}", " or ".join(f"{hand} pair suit {suit}" for hand in ("player", "banker") for suit in "shdc"))


def inferences() -> Iterator[Figure]:
    """What is inferred from the exact odds: sessions, the search for when the house is ahead, wagers of many cards."""
    either = loads(EITHER)
    shoes = np.random.default_rng(1).integers(2, DECKS + 1, size=(SHOES, 52))
    pair, tie = (Evaluator(either, [name]) for name in ("Either Perfect Pair", "Tie"))
    times = 1 / interleaved(lambda: pair.edges(shoes), lambda: tie.edges(shoes))
    yield Figure("evaluation, either-hand perfect pair against a tie", times, 4, "times", more_is_better=False)
    banker = Sessions(find("baccarat"), "Banker")
    plans = {
        "martingale, 200 rounds": lambda: banker.exact(Stakes.named("martingale"), 100, 200),
        "flat with a goal, 10,000 rounds": lambda: banker.exact(Stakes.named("flat"), 100, 10_000, 200),
        "flat, 20,000 rounds": lambda: banker.exact(Stakes.named("flat"), 1_000, 20_000),
    }
    for name, plan in plans.items():
        took = statistics.median(seconds(plan) for _ in range(5))
        yield Figure(f"exact session: {name}", took, 1, "s", more_is_better=False)
    mixes = [Mix(game, {wager.name: Fraction(1)}) for game in GAMES.values() for wager in game.wagers]
    slowest = max(seconds(mix.rounds_until_ahead) for mix in mixes)
    yield Figure("rounds until ahead, the slowest of all wagers", slowest, 2, "s", more_is_better=False)


def commands() -> Iterator[Figure]:
    """The command line, from a fresh process and back."""

    def took(*arguments: str) -> float:
        return seconds(lambda: subprocess.run([PUNTO, *arguments], check=True, stdout=subprocess.DEVNULL))

    slowest = max(statistics.median(took("odds", key) for _ in range(3)) for key in GAMES)
    yield Figure("command: punto odds, the slowest of eleven games", slowest, 1.5, "s", more_is_better=False)
    simulate = ("simulate", "fortune-six", "--rounds", "1e8", "--seed", "1", "--workers", "1")
    took(*simulate)
    dealt = statistics.median(took(*simulate) for _ in range(3))
    yield Figure("command: punto simulate --rounds 1e8 --workers 1", dealt, 10, "s", more_is_better=False)


def _memory() -> float:
    """The most memory that this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> int:
    """Measure everything, and say so line by line."""
    if (os.cpu_count() or 1) < 2:
        print("bench: this machine has one core; what is asked of two cannot be met")

    def figures() -> Iterator[Figure]:
        with tempfile.TemporaryDirectory() as folder:
            yield from simulation(folder)
            yield from evaluation(folder)
        yield from inferences()
        yield from commands()

    return told(figures())


if __name__ == "__main__":
    sys.exit(main())
