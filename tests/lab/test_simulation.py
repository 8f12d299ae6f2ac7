"""Simulation: the very shoes of the stream, each round once whoever deals it, and figures that agree with the exact."""

import json
import os
import random
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import groupby, islice, permutations, product
from math import factorial, inf, sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from tests.marks import KINDS, by_day
from tests.oracle import stream as oracle
from tests.width import NIGHTLY, SEED, width

from punto.cards import Card, Shoe
from punto.errors import BadCut, BadDecks, BadRounds, BadTally, BadUsage, UnreadableFile, UnwritableFile
from punto.games import GAMES, digest, dumps, loads
from punto.lab import Counting, Odds, Plan, Sessions, Stakes
from punto.lab.dealing import last_start
from punto.lab.dependence import line_covariances
from punto.lab.simulation import Part, Simulated, Stream, Tally, Terms, beside_the_exact, run, simulate, threads
from punto.lab.simulation import kernel as compiled
from punto.lab.simulation.agreement import FEWEST
from punto.lab.simulation.kernel import Kernel
from punto.lab.simulation.running import MOST_ROUNDS, MOST_WORKERS, Crew, Gathering, Handed
from punto.lab.simulation.tables import WINNERS
from punto.lab.simulation.tally import LONGEST_RUN, SHOES_IN_A_BLOCK
from punto.lab.tails import chi_square_tail
from punto.rules import Game, Winner

ALL = 1 << 40
LAST_SEED = 2**64 - 1
# Of Tiger: what its wagers, the winner and the number of cards tell apart.
CELLS = 52
BOTH = (Winner.PLAYER, Winner.BANKER)

# Wagers that ask for suits, ranks, totals and numbers of cards at once.
MIXED = """
key = "mixed"
title = "Mixed"
[[wager]]
name = "Suits and outcome"
pays = [
  { when = "player pair suit h and winner player", odds = "30 to 1" },
  { when = "player pair suit s and winner banker", odds = "25 to 1" },
  { when = "player pair suit s and winner tie", odds = "push" },
  { when = "player pair and banker total 6", odds = "9 to 2" },
]
[[wager]]
name = "Ranks and margin"
pays = [
  { when = "banker pair rank 4 and margin 3", odds = "40 to 1" },
  { when = "banker pair rank K", odds = "20 to 1" },
  { when = "banker pair suit d and cards 6", odds = "7 to 1" },
  { when = "margin 9", odds = "12 to 1" },
]
"""
# And a wager that counts sevens: there are more pairs of hands than sixteen bits can number.
MORE = (
    MIXED.replace("mixed", "more")
    + """
[[wager]]
name = "Sevens"
pays = [
  { when = "sevens 3", odds = "50 to 1" },
  { when = "sevens 2 and twin pairs", odds = "33 to 1" },
  { when = "natural and winner tie", odds = "push" },
  { when = "cards 5 and winner banker", odds = "1 to 1" },
]
"""
)
# The most rounds that a shoe can have: 650 cards, three a coup.
LONG = """
key = "long"
title = "Long"
deck = "elements"
opening = "permanent-7"
[[wager]]
name = "Suits"
pays = [
  { when = "banker pair suit g and winner banker", odds = "30 to 1" },
  { when = "winner player and player cards 2", odds = "1 to 1" },
]
"""


def game_of(name: str) -> Game:
    declared = {"mixed": MIXED, "more": MORE, "long": LONG}
    return loads(declared[name]) if name in declared else GAMES[name]


@cache
def stream_of(key: str, decks: int = 8, cut: int = 14, seed: int = 1) -> Stream:
    return Stream(Terms(game_of(key), decks, cut, seed))


# --- what is dealt, card by card -----------------------------------------


@dataclass
class Slow:
    """Counts of rounds that were dealt by punto's own deal, one card after the other."""

    cells: Counter[tuple[tuple[int, ...], Winner, int]] = field(default_factory=Counter)
    runs: Counter[tuple[Winner, int]] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    rounds: int = 0

    @property
    def reach(self) -> dict[tuple[Winner, int], int]:
        """How many runs of one winner came to each length."""
        longest = max((length for _, length in self.runs), default=0)
        found = {
            (winner, reached): sum(
                runs for (whose, length), runs in self.runs.items() if whose is winner and length >= reached
            )
            for winner, reached in product(BOTH, range(1, longest + 1))
        }
        return {key: runs for key, runs in found.items() if runs}


def slowly(game: Game, orders: Iterable[list[Card]], decks: int, cut: int, limit: int = ALL) -> Slow:
    """Deal shoes to the cutting card, and settle every round."""
    most = 6 - len(game.opening.player)
    found = Slow()
    for order in orders:
        if found.rounds == limit:
            break
        shoe = Shoe(game.deck, decks, tuple(order), cut)
        cards = iter(order)
        drawn, winners, over = 0, [], False
        while not over and found.rounds < limit:
            deal = game.begin()
            while deal.next is not None:
                deal = deal.take(next(cards))
            assert deal.coup is not None
            drawn += deal.drawn
            settled = game.settle(deal.coup).values()
            rows = tuple(-1 if settlement.row is None else settlement.row for settlement in settled)
            found.cells[rows, deal.coup.winner, len(deal.player) + len(deal.banker)] += 1
            winners.append(deal.coup.winner)
            found.rounds += 1
            over = shoe.ends_with(drawn) or len(order) - drawn < most
        if over:
            found.lengths[len(winners)] += 1
        for winner, alike in groupby(winner for winner in winners if winner is not Winner.TIE):
            found.runs[winner, len(list(alike))] += 1
    return found


def seed_of(stream: Stream) -> int:
    """The seed of the game's own shoes."""
    return oracle.of_game(stream.terms.seed, digest(stream.terms.game))


def slow_block(stream: Stream, block: int, limit: int, shoes: int = SHOES_IN_A_BLOCK) -> Slow:
    """The beginning of a block, dealt slowly from the shoes that the definition of the stream gives."""
    terms = stream.terms
    cards = terms.game.deck.cards * terms.decks
    last = min(len(cards) - terms.cut, len(cards) - 6 + len(terms.game.opening.player))
    orders = oracle.shoes_of(seed_of(stream), block, cards, oracle.cards_needed(len(cards), last))
    return slowly(terms.game, islice(orders, shoes), terms.decks, terms.cut, limit)


def agrees(stream: Stream, part: Part, slow: Slow) -> None:
    """The counts of a part are those that were found slowly."""
    cells = stream.tables.cells
    names = [
        (tuple(cells.rows[:, cell].tolist()), WINNERS[int(cells.winner[cell])], int(cells.cards[cell]))
        for cell in range(cells.size)
    ]
    assert len(set(names)) == len(names)
    assert part.rounds == slow.rounds
    assert {name: int(n) for name, n in zip(names, part.cells, strict=True) if n} == slow.cells
    reach = part.reach.reshape(2, LONGEST_RUN)
    assert {
        (winner, length): int(reach[place, length])
        for place, winner in enumerate(BOTH)
        for length in range(LONGEST_RUN)
        if reach[place, length]
    } == slow.reach
    assert {rounds: int(shoes) for rounds, shoes in enumerate(part.lengths) if shoes} == slow.lengths


def kernel_of(stream: Stream) -> Kernel:
    cards = stream.tables.shoe(stream.terms.decks)
    return Kernel(stream.tables.rules, cards, last_start(len(cards), stream.terms.cut, stream.tables.drawn))


def test_the_definition_has_the_kernels_lanes_and_draws() -> None:
    ours = (oracle.LANES, oracle.DRAWS, oracle.WORDS, oracle.GENERATORS)
    assert ours == (compiled.LANES, compiled.CHUNK, compiled.WORDS, compiled.GENERATORS)


@pytest.mark.parametrize("key", GAMES)
def test_every_game_is_dealt_and_settled_as_punto_deals_it_card_by_card(key: str) -> None:
    stream = stream_of(key)
    agrees(stream, stream.deal(0, 1, 1_500), slow_block(stream, 0, 1_500))


# Decks, cutting card, seed and block.
SHOES = [
    (4, 0, 1, 0),
    (6, 3, LAST_SEED, 12_345),
    (8, 14, LAST_SEED, 0),
    (8, 30, 1, 10**9),
    (10, 0, 1, 3),
    (10, 14, 0, 2**40),
    (4, 30, LAST_SEED, 1),
    (6, 6, 7, 1),
    (6, 5, 7, 2),
    (4, 200, 8, 0),
    (4, 207, 9, 0),
]


@pytest.mark.parametrize(
    ("key", "decks", "cut", "seed", "block"),
    # The gate has each kind of shoe once, the games in turn.
    [(KINDS[place % 4], *shoe) for place, shoe in enumerate(SHOES)]
    if not NIGHTLY
    else [(key, *shoe) for key, shoe in product(KINDS, [*SHOES, (8, 14, SEED, SEED)])],
)
def test_shoes_of_any_size_end_at_the_cutting_card(key: str, decks: int, cut: int, seed: int, block: int) -> None:
    stream = stream_of(key, decks, cut, seed)
    for limit in (1, 700):
        agrees(stream, stream.deal(block, 1, limit), slow_block(stream, block, limit))


@pytest.mark.parametrize(
    ("key", "decks", "cut"), [("mixed", 8, 14), ("mixed", 4, 0), ("long", 10, 0), ("long", 5, 7), ("long", 10, 14)]
)
def test_a_declared_game_of_suits_and_outcomes_is_dealt_as_punto_deals_it(key: str, decks: int, cut: int) -> None:
    stream = stream_of(key, decks, cut, 5)
    agrees(stream, stream.deal(9, 1, 2_500), slow_block(stream, 9, 2_500))


def test_a_game_of_more_pairs_of_hands_than_sixteen_bits_can_number_is_dealt_right() -> None:
    stream = stream_of("more", seed=5)
    agrees(stream, stream.deal(9, 1, 2_500), slow_block(stream, 9, 2_500))


def test_every_game_can_be_declared_anew_and_deals_the_same_rounds() -> None:
    for key, game in GAMES.items():
        declared = Stream(Terms(loads(dumps(game)), 8, 14, 1))
        assert declared.terms == stream_of(key).terms
        assert declared.deal(0, 1, 5_000) == stream_of(key).deal(0, 1, 5_000)


@pytest.mark.parametrize("shoes", [0, 1, 7, 8, 9, 20])
@pytest.mark.parametrize("limit", [0, 1, 85, 700, ALL])
def test_a_few_shoes_of_a_block_are_its_first(shoes: int, limit: int) -> None:
    stream = stream_of("7-up", 8, 14, LAST_SEED)
    part = Part.nothing(stream.tables.cells.size)
    rounds = kernel_of(stream).deal(seed_of(stream), 77, shoes, limit, part)
    slow = slow_block(stream, 77, limit, shoes)
    agrees(stream, Part(part.cells, part.reach, part.lengths, rounds), slow)
    whole = int(part.lengths.sum())
    assert whole == shoes if limit == ALL else whole <= min(shoes, limit // 66)  # no shoe of these has fewer rounds


def test_what_is_dealt_is_added_to_what_was_counted_before() -> None:
    stream = stream_of("tiger")
    kernel, part = kernel_of(stream), Part.nothing(stream.tables.cells.size)
    rounds = sum(kernel.deal(seed_of(stream), block, 3, ALL, part) for block in (0, 1))
    one, two = slow_block(stream, 0, ALL, 3), slow_block(stream, 1, ALL, 3)
    assert rounds == one.rounds + two.rounds == int(part.cells.sum())
    both = Slow(one.cells + two.cells, one.runs + two.runs, one.lengths + two.lengths, rounds)
    agrees(stream, Part(part.cells, part.reach, part.lengths, rounds), both)


def test_the_longest_shoe_of_the_shortest_coups_stays_within_its_bounds() -> None:
    # Nothing but Aces: Player has 7 and 1 against 2 in every coup of three cards.
    stream = stream_of("long", 10, 0)
    codes = stream.tables.shoe(10)
    aces = np.full(650, codes[0], dtype=codes.dtype)
    part = Part.nothing(stream.tables.cells.size)
    assert Kernel(stream.tables.rules, aces, last_start(650, 0, 5)).deal(1, 0, 16, ALL, part) == 16 * 216
    assert (part.lengths[216], part.lengths.sum()) == (16, 16)
    assert (part.cells.max(), part.cells.sum()) == (16 * 216, 16 * 216)
    assert part.reach[1 : LONGEST_RUN - 1].tolist() == [16] * (LONGEST_RUN - 2)
    assert part.reach[LONGEST_RUN:].sum() == 0


def test_blocks_and_seeds_give_different_shoes() -> None:
    seeds = [stream_of("baccarat", seed=seed).deal(0, 1, 3_000).cells.tobytes() for seed in (0, 1, 2, LAST_SEED)]
    blocks = [stream_of("baccarat").deal(block, 1, 3_000).cells.tobytes() for block in range(1, 50)]
    assert len({*seeds, *blocks}) == len(seeds) + len(blocks)


def test_a_limited_block_is_the_beginning_of_the_whole_one() -> None:
    stream = stream_of("fortune-six", seed=5)
    whole = stream.deal(3, 1, ALL)
    limits = [1, 2, 81, 82, 83, *random.Random(7).sample(range(100, 40_000), 20), whole.rounds - 1]
    for limit in limits:
        one, two = stream.deal(3, 1, limit), stream.deal(3, 1, limit + 1)
        assert (one.rounds, two.rounds) == (limit, limit + 1) == (one.cells.sum(), two.cells.sum())
        step = two.cells - one.cells
        assert (step.min(), step.sum()) == (0, 1)
        assert (two.reach - one.reach).min() >= 0
        assert (two.lengths - one.lengths).min() >= 0
        assert (whole.cells - two.cells).min() >= 0
    assert stream.deal(3, 1, whole.rounds) == whole
    assert whole.lengths.sum() == SHOES_IN_A_BLOCK


def test_several_blocks_are_dealt_one_after_the_other() -> None:
    stream = stream_of("fortune-six", seed=5)
    first, second, third = (stream.deal(block, 1, ALL) for block in (3, 4, 5))
    assert stream.deal(3, 3, ALL) == first + second + third
    assert stream.deal(3, 3, first.rounds) == first
    assert stream.deal(3, 3, first.rounds + 10) == first + stream.deal(4, 1, 10)
    assert stream.deal(3, 0, ALL).rounds == stream.deal(3, 2, 0).rounds == 0


# --- chance -----------------------------------------


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 52, 208, 312, 415, 416, 520, 649, 650])
def test_a_draw_is_as_likely_to_be_one_number_as_another(bound: int) -> None:
    found = Counter(oracle.drawn(half, bound) for half in range(1 << 16))
    rejected = found.pop(None, 0)
    assert rejected == (1 << 16) % bound
    assert found == dict.fromkeys(range(bound), (1 << 16) // bound)


def spread(found: Iterable[int], expected: float) -> float:
    return sum((number - expected) ** 2 / expected for number in found)


def within(square: float, freedom: int) -> bool:
    """Whether a sum of squares is one that chance gives in all but one case in ten thousand."""
    return 1e-4 < chi_square_tail(square, freedom) < 1 - 1e-4


def test_every_card_is_as_likely_at_every_place() -> None:
    seen = np.zeros((52, 52), dtype=np.int64)
    shoes = 24_000
    for shoe in islice(oracle.shoes_of(3, 0, range(52), 52), shoes):
        seen[np.arange(52), shoe] += 1
    assert within(spread(seen.ravel().tolist(), shoes / 52), 51 * 51)


def test_every_rank_is_as_likely_at_every_place_of_a_whole_shoe() -> None:
    seen = np.zeros((416, 13), dtype=np.int64)
    shoes = 1_600
    ranks = [card % 13 for card in range(416)]
    for shoe in islice(oracle.shoes_of(4, 1, ranks, 408), shoes):
        seen[np.arange(416), shoe] += 1
    # A shoe has all its cards somewhere, so that the places are a little alike: scale by n / (n - 1).
    square = spread(seen.ravel().tolist(), shoes / 13) * 415 / 416
    assert within(square, 415 * 12)


def test_every_order_of_a_few_cards_is_as_likely_in_every_lane() -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    lanes: Counter[tuple[int, int]] = Counter()
    shoes = 120_000
    for number, shoe in enumerate(islice(oracle.shoes_of(5, 2, range(5), 5), shoes)):
        orders[tuple(shoe)] += 1
        lanes[number % oracle.LANES, shoe[0]] += 1
    assert within(spread((orders[order] for order in permutations(range(5))), shoes / factorial(5)), factorial(5) - 1)
    assert within(spread(lanes.values(), shoes / oracle.LANES / 5), oracle.LANES * 4)


def test_a_shoe_does_not_depend_on_the_one_before_in_its_lane() -> None:
    before: deque[int] = deque(maxlen=oracle.LANES)
    pairs: Counter[tuple[int, ...]] = Counter()
    for shoe in islice(oracle.shoes_of(6, 0, range(13), 3), 80_000):
        if len(before) == oracle.LANES:
            pairs[before[0], shoe[0]] += 1
        before.append(shoe[0])
    assert within(spread((pairs[both] for both in product(range(13), repeat=2)), pairs.total() / 169), 168)


# --- every round once -----------------------------------------


@cache
def rounds_of_block(block: int) -> int:
    return stream_of("tiger").deal(block, 1, ALL).rounds


def dealt_by(crew: Crew, rounds: int, begun: Tally | None = None, key: str = "tiger") -> Tally:
    *_, tally = run(stream_of(key), rounds, crew, begun)
    return tally


def stop(running: Iterator[Tally]) -> None:
    """Leave a run alone in the middle."""
    assert isinstance(running, Generator)
    running.close()


def first_rounds(rounds: int, key: str = "tiger") -> Part:
    """The first rounds of the stream, by the definition of it."""
    return stream_of(key).deal(0, rounds // 1_000_000 + 1, rounds)


def borders() -> Iterator[int]:
    one, two = rounds_of_block(0), rounds_of_block(1)
    yield from (1, 2, 7, one - 1, one, one + 1, one + two - 1, one + two, one + two + 1, 3 * one + 12_345)


def test_exactly_the_rounds_asked_for_are_dealt_whoever_deals_them() -> None:
    for rounds in borders():
        tallies = []
        for workers in width((1, 3), (1, 2, 3, 8)):
            with threads(workers) as crew:
                tallies.append(dealt_by(crew, rounds))
        first, *others = tallies
        assert all(other == first for other in others)
        assert {tally.dumps() for tally in tallies} == {first.dumps()}
        assert first.dealt == first_rounds(rounds)
        assert first.dealt.rounds == rounds == first.dealt.cells.sum()


def test_a_tally_grows_by_whole_blocks() -> None:
    with threads(2) as crew:
        grown = list(run(stream_of("tiger"), 4_500_000, crew))
    assert [tally.blocks for tally in grown] == [1, 2, 3, 3]
    for tally in grown[:-1]:
        assert tally.rest is None
        assert tally.dealt == tally.part == stream_of("tiger").deal(0, tally.blocks, ALL)
    assert grown[-1].dealt.rounds == 4_500_000


def test_a_simulation_is_the_same_with_any_number_of_workers() -> None:
    alone, together = (simulate(GAMES["7-up"], 2_000_000, decks=6, cut=20, seed=9, workers=n) for n in (1, 3))
    assert alone == together
    assert alone.records() == together.records()
    assert alone != simulate(GAMES["7-up"], 2_000_000, decks=6, cut=20, seed=10)
    assert alone != simulate(GAMES["7-up"], 2_000_001, decks=6, cut=20, seed=9)


@pytest.mark.parametrize("blocks", [1, 2, 3])
def test_an_interrupted_run_goes_on_as_if_nothing_had_happened(blocks: int, tmp_path: Path) -> None:
    stream, kept = stream_of("tiger"), tmp_path / "kept.json"
    with threads(2) as crew:
        whole = dealt_by(crew, 5_555_555)
        running = run(stream, 5_555_555, crew)
        tally = [next(running) for _ in range(blocks)][-1]
        stop(running)
        tally.save(kept)
        begun = Tally.load(kept, stream.terms, stream.tables.cells.size)
        assert begun == tally
        again = dealt_by(crew, 5_555_555, begun)
    assert again == whole
    assert again.dumps() == whole.dumps()


def test_a_finished_run_can_be_extended_and_its_kept_file_too(tmp_path: Path) -> None:
    stream, kept = stream_of("tiger"), tmp_path / "kept.json"
    with threads(2) as crew:
        few = dealt_by(crew, 3_000_000)
        few.save(kept)
        begun = Tally.load(kept, stream.terms, stream.tables.cells.size)
        assert begun.dealt == few.part
        for start in (few, begun):
            assert dealt_by(crew, 6_000_000, start) == dealt_by(crew, 6_000_000)
            assert dealt_by(crew, 3_000_001, start) == dealt_by(crew, 3_000_001)
        # What lies beyond the last whole block is dealt again, so fewer of those rounds can be had too.
        assert dealt_by(crew, 2_900_000, begun) == dealt_by(crew, 2_900_000)


def test_a_run_that_has_all_its_rounds_already_is_refused() -> None:
    with threads(1) as crew:
        begun = dealt_by(crew, 3_000_000)
        for rounds in (1, begun.part.rounds - 1, begun.part.rounds):
            with pytest.raises(BadRounds, match="are dealt already: expected more"):
                dealt_by(crew, rounds, begun)


def test_a_part_counts_once_and_only_in_its_turn() -> None:
    stream = stream_of("tiger")
    begun = Tally(stream.terms, 0, Part.nothing(stream.tables.cells.size))
    parts = [stream.deal(block, 1, ALL) for block in range(3)]
    gathering = Gathering(begun, sum(part.rounds for part in parts[:2]) + 100)
    assert not gathering.take(1, 1, parts[1])  # too early
    assert gathering.take(0, 1, parts[0])
    assert not gathering.take(0, 1, parts[0])  # twice
    assert not gathering.take(2, 1, parts[2])
    assert gathering.tally == Tally(stream.terms, 1, parts[0])
    assert gathering.take(1, 1, parts[1])
    assert not gathering.take(1, 1, parts[1])
    assert not gathering.take(0, 1, parts[0])  # late
    assert not gathering.take(2, 1, parts[2])  # more than is left
    assert gathering.left == 100
    assert not gathering.take(2, 1, stream.deal(2, 1, 100))  # the last rounds end it, and make no whole block
    assert gathering.tally == Tally(stream.terms, 2, parts[0] + parts[1])
    assert gathering.end(stream.deal(2, 1, 100)).dealt == first_rounds(gathering.rounds)


@dataclass
class Piece:
    """Work that waits until somebody asks for it."""

    deal: Callable[[], Part]
    cancelled: bool = False

    def result(self) -> Part:
        return self.deal()

    def cancel(self) -> None:
        self.cancelled = True


@dataclass
class Lazy:
    """Deals a piece when its result is asked for, as often as it is told to."""

    blocks: int = 1
    ahead: int = 4
    times: int = 1
    pieces: list[Piece] = field(default_factory=list)

    def hand_out(self, stream: Stream, first: int, blocks: int, limit: int) -> Handed:
        def deal() -> Part:
            *_, dealt = (stream.deal(first, blocks, limit) for _ in range(self.times))
            return dealt

        self.pieces.append(Piece(deal))
        return self.pieces[-1]


class Shuffled:
    """Deals all pieces that are out in an order of its own, some of them twice, and hands them in late."""

    blocks = 1
    ahead = 6

    def __init__(self, pool: ThreadPoolExecutor, seed: int) -> None:
        self.pool = pool
        self.chance = random.Random(seed)
        self.waiting: list[tuple[Future[Part], Callable[[], Part]]] = []
        self.lock = threading.Lock()

    def hand_out(self, stream: Stream, first: int, blocks: int, limit: int) -> Handed:
        done: Future[Part] = Future()
        with self.lock:
            self.waiting.append((done, lambda: stream.deal(first, blocks, limit)))
        self.pool.submit(self.deal_one)
        return done

    def deal_one(self) -> None:
        time.sleep(self.chance.random() / 50)
        with self.lock:
            done, deal = self.waiting.pop(self.chance.randrange(len(self.waiting)))
            twice = self.chance.random() < 0.3
        if done.set_running_or_notify_cancel():
            dealt = deal()
            done.set_result(deal() if twice else dealt)


def test_a_worker_that_deals_everything_twice_changes_nothing() -> None:
    twice = Lazy(times=2)
    with threads(1) as crew:
        assert dealt_by(twice, 4_000_000) == dealt_by(crew, 4_000_000)


@pytest.mark.parametrize("seed", range(4))
def test_workers_that_are_late_and_out_of_order_change_nothing(seed: int) -> None:
    with threads(1) as crew:
        expected = dealt_by(crew, 9_000_000)
    with ThreadPoolExecutor(4) as pool:
        assert dealt_by(Shuffled(pool, seed), 9_000_000) == expected


@pytest.mark.parametrize(("blocks", "ahead"), [(1, 1), (1, 20), (2, 1), (3, 2), (64, 2)])
def test_the_size_of_the_pieces_of_work_changes_no_count(blocks: int, ahead: int) -> None:
    for rounds in (1, 1_000_000, rounds_of_block(0), rounds_of_block(0) + 1, 4_100_000):
        assert dealt_by(Lazy(blocks, ahead), rounds).dealt == first_rounds(rounds)


def test_a_run_may_go_on_with_pieces_of_another_size() -> None:
    running = run(stream_of("tiger"), 9_000_000, Lazy(blocks=2))
    begun = next(running)
    assert begun.blocks == 2
    assert dealt_by(Lazy(blocks=1), 9_000_000, begun) == dealt_by(Lazy(blocks=1), 9_000_000)
    assert dealt_by(Lazy(blocks=3), 9_000_000, begun).dealt == first_rounds(9_000_000)


def test_a_crew_may_grow_and_shrink_while_it_works() -> None:
    class Changing(Lazy):
        def hand_out(self, stream: Stream, first: int, blocks: int, limit: int) -> Handed:
            self.ahead = 1 + len(self.pieces) * 7 % 5
            return super().hand_out(stream, first, blocks, limit)

    assert dealt_by(Changing(), 9_000_000) == dealt_by(Lazy(), 9_000_000)


def test_work_that_fails_is_said_and_what_was_dealt_before_can_be_gone_on_with() -> None:
    class Failing(Lazy):
        def hand_out(self, stream: Stream, first: int, blocks: int, limit: int) -> Handed:
            if first == 2:
                return Piece(lambda: 1 // 0)  # type: ignore[arg-type, return-value]
            return super().hand_out(stream, first, blocks, limit)

    failing, grown = Failing(), [Tally(stream_of("tiger").terms, 0, Part.nothing(CELLS))]
    tallies = run(stream_of("tiger"), 9_000_000, failing)
    grown += [next(tallies), next(tallies)]
    with pytest.raises(ZeroDivisionError):
        next(tallies)
    assert [tally.blocks for tally in grown] == [0, 1, 2]
    assert all(piece.cancelled for piece in failing.pieces[2:])
    for begun in grown:
        assert dealt_by(Lazy(), 9_000_000, begun) == dealt_by(Lazy(), 9_000_000)


def test_work_that_is_not_needed_any_more_is_called_off() -> None:
    lazy = Lazy(ahead=5)
    running = run(stream_of("tiger"), 10**12, lazy)
    next(running)
    stop(running)
    assert [piece.cancelled for piece in lazy.pieces] == [False, True, True, True, True]
    lazy = Lazy(ahead=5)
    dealt_by(lazy, 10)
    # The first piece has all ten rounds.
    assert [piece.cancelled for piece in lazy.pieces] == [False, True, True, True, True]


# --- beside the exact figures -----------------------------------------


@cache
def long_run() -> Simulated:
    return simulate(GAMES["fortune-six"], 30_000_000, seed=20_260_701, workers=2)


def test_thirty_million_rounds_lie_near_the_exact_figures() -> None:
    seen = long_run()
    assert list(seen.wagers) == [wager.name for wager in GAMES["fortune-six"].wagers]
    for wager in seen.wagers.values():
        assert abs(wager.z) < 4.5
        assert all(abs(each.z) < 4.5 for each in wager.lines)
        assert wager.chi_square[2] > 1e-5


@pytest.mark.parametrize("key", by_day([*GAMES, "mixed", "long"], [*KINDS, "mixed", "long"]))
def test_every_game_agrees_with_its_exact_odds(key: str) -> None:
    seen = simulate(game_of(key), 3_000_000, decks=10 if key == "long" else 6, seed=3, workers=2)
    for wager in seen.wagers.values():
        assert abs(wager.z) < 4.5
        assert all(abs(each.z) < 4.5 for each in wager.lines)
        assert wager.chi_square[2] > 1e-5


def test_a_figure_of_the_simulation_is_that_of_its_counts() -> None:
    seen = long_run()
    banker = seen.wagers["Banker"]
    half, even, push, lost = (each.seen for each in banker.lines)
    assert half + even + push + lost == seen.rounds == 30_000_000
    assert banker.ev == (Fraction(half, 2) + even - lost) / 30_000_000
    # Rounds of one shoe have a covariance. It is small here: z and chi-square are nearly those of independent rounds.
    alone = seen.exact.wagers["Banker"].sd / sqrt(30_000_000)
    assert alone != banker.error == pytest.approx(alone, rel=1e-3)
    assert banker.z == pytest.approx(float(banker.ev - banker.expected) / banker.error)
    chance = float(banker.lines[0].line.probability)
    assert banker.lines[0].z == pytest.approx((half - 3e7 * chance) / sqrt(3e7 * chance * (1 - chance)), rel=0.01)
    square, freedom, tail = banker.chi_square
    wanted = [(each.seen, 3e7 * float(each.line.probability)) for each in banker.lines]
    assert square == pytest.approx(sum((count - expected) ** 2 / expected for count, expected in wanted), rel=0.02)
    assert (freedom, tail) == (3, chi_square_tail(square, 3))


def test_the_spread_of_the_lines_is_that_of_shoes() -> None:
    """Whole shoes of one length, and the beginning of another: variances within a round, covariances between rounds."""
    game = GAMES["7-up"]
    seen = simulate(game, 10 * 81 + 5, seed=3, same_rounds=True)
    assert seen.rounds_per_shoe == {81: 10}
    sevens = seen.wagers["Super 7's"]
    chances = np.array([float(each.line.probability) for each in sevens.lines])
    between = line_covariances(game, "Super 7's", 8)
    expected = 815 * (np.diag(chances) - np.outer(chances, chances)) + (10 * 81 * 80 + 5 * 4) * between
    assert np.allclose(sevens.spread, expected, rtol=1e-12, atol=0)
    nets = np.array([float(each.line.net) for each in sevens.lines])
    assert sevens.error == pytest.approx(sqrt(nets @ expected @ nets) / 815)
    assert sevens.lines[0].deviation == pytest.approx(sqrt(expected[0, 0]))


def test_lines_that_hardly_ever_come_are_compared_together() -> None:
    """In 10,000 rounds of Super 7's the lines of 70 and 700 are expected once, and that of 17 twenty times."""
    seen = simulate(GAMES["7-up"], 10_000, seed=2, same_rounds=True).wagers["Super 7's"]
    assert [each.expected < FEWEST for each in seen.lines] == [False, False, True, True, True, False]
    assert seen.chi_square[1] == 2
    assert simulate(GAMES["7-up"], 1_000_000, seed=2, same_rounds=True).wagers["Super 7's"].chi_square[1] == 4


def test_what_cannot_be_off_and_is_lies_infinitely_far_off() -> None:
    line = long_run().wagers["Tie"].lines[0]
    impossible = replace(line, line=replace(line.line, count=0), deviation=0.0)
    assert (impossible.z, replace(impossible, seen=0).z) == (inf, 0.0)


# --- over many seeds -----------------------------------------

# A seed's z has a variance of 1 within this; the gate has fewer seeds, and bounds of its own (five deviations).
SEEDS: Final = width(1_000, 20_000)
ROUNDS_A_SEED: Final = 100_000
VARIANCE_WITHIN: Final = width(5 * sqrt(2 / 1_000), 0.05)


def kolmogorov(found: Sequence[float], steps: float) -> float:
    """How far a sample lies from uniform at most, less what the steps of a count of so many explain."""
    ordered = np.sort(found)
    rank = np.arange(1, len(ordered) + 1) / len(ordered)
    distance = max(float((rank - ordered).max()), float((ordered - rank).max()) + 1 / len(ordered))
    return distance - 0.4 / sqrt(steps)


@pytest.mark.parametrize("same_rounds", [True, pytest.param(False, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("key", by_day(GAMES, ["7-up"]))
def test_over_many_seeds_z_has_a_variance_of_one_and_p_is_uniform(key: str, same_rounds: bool) -> None:
    """Were rounds of a shoe taken to be independent, the variance would be 0.5 for Super 7's."""
    game = GAMES[key]
    first = Stream(Terms(game, 8, 14, 0, same_rounds))
    exact, cells = Odds(game).of(), first.tables.cells
    found: dict[str, list[tuple[float, float]]] = {wager.name: [] for wager in game.wagers}
    steps: dict[str, float] = {}
    for seed in range(SEED, SEED + SEEDS):
        stream = first.with_seed(seed)
        seen = Simulated(Tally(stream.terms, 0, stream.deal(0, 1, ROUNDS_A_SEED)), exact, cells)
        for name, wager in seen.wagers.items():
            found[name].append((wager.z, wager.chi_square[2]))
            steps[name] = min(each.expected for each in wager.lines if each.expected >= FEWEST)
    for name, pairs in found.items():
        z, p = np.array(pairs).T
        assert z.var() == pytest.approx(1, abs=VARIANCE_WITHIN), name
        # Half a percent of all samples of a uniform law lie further off.
        assert kolmogorov(p.tolist(), steps[name]) < 1.75 / sqrt(SEEDS), name
        if same_rounds:
            assert abs(z.mean()) < 4.5 / sqrt(SEEDS), name


@pytest.mark.nightly
def test_the_same_seed_deals_other_shoes_in_every_game() -> None:
    """Eleven reports must not rest on one sample. Games with one deck and opening deal the same number of cards."""
    games = [game for game in GAMES.values() if game.deck is GAMES["baccarat"].deck and not game.opening.player]
    assert len(games) == 9
    dealt = [simulate(game, 10_000, seed=1).cards_per_round for game in games]
    assert len({tuple(each.values()) for each in dealt}) == len(games)
    counted = [Counting(game, wagers=["Player"]).exposures(Plan(shoes=5))[0].depths for game in games]
    assert len({tuple(depth.rounds for depth in each) for each in counted}) == len(games)
    played = [Sessions(game, "Player").play(Stakes.named("flat"), 100, 100, 20).final.tolist() for game in games]
    assert len({tuple(each) for each in played}) == len(games)


def test_the_shape_of_the_shoes_is_that_of_shoes_dealt_slowly() -> None:
    stream = stream_of("fortune-six", 6, 3, 11)
    slow = slow_block(stream, 0, 4_000)
    with threads(1) as crew:
        *_, tally = run(stream, 4_000, crew)
    seen = beside_the_exact(stream, tally)
    assert {(winner, length): n for winner in BOTH for length, n in seen.streaks[winner].items()} == slow.runs
    assert seen.rounds_per_shoe == slow.lengths
    cards: Counter[int] = Counter()
    for (_, _, number), count in slow.cells.items():
        cards[number] += count
    assert seen.cards_per_round == cards


def test_streaks_shoes_and_cards_add_up_to_the_rounds() -> None:
    seen = long_run()
    assert sum(seen.cards_per_round.values()) == seen.rounds
    whole = sum(rounds * shoes for rounds, shoes in seen.rounds_per_shoe.items())
    assert seen.rounds - 100 < whole <= seen.rounds
    assert all(66 <= rounds <= 101 for rounds in seen.rounds_per_shoe)
    ties = seen.wagers["Tie"].lines[0].seen
    in_runs = {winner: sum(length * n for length, n in runs.items()) for winner, runs in seen.streaks.items()}
    assert sum(in_runs.values()) == seen.rounds - ties
    assert in_runs[Winner.PLAYER] == seen.wagers["Player"].lines[0].seen
    # Runs of the two winners take turns in a shoe.
    player, banker = (sum(seen.streaks[winner].values()) for winner in BOTH)
    assert abs(player - banker) <= sum(seen.rounds_per_shoe.values()) + 1


def test_cards_in_a_round_are_as_many_as_the_exact_odds_say() -> None:
    seen = long_run()
    exact = seen.exact.cards
    assert seen.cards_per_round.keys() == exact.keys()
    for number, count in seen.cards_per_round.items():
        chance = exact[number] / seen.exact.sequences
        assert abs(count - seen.rounds * chance) < 4.5 * sqrt(seen.rounds * chance * (1 - chance))


def test_the_records_have_a_line_for_every_pay_line() -> None:
    seen = simulate(GAMES["tiger"], 1_000, seed=4)
    records = seen.records()
    assert [(record["wager"], record["count"]) for record in records] == [
        (wager.name, each.seen) for wager in seen.wagers.values() for each in wager.lines
    ]
    assert len(seen.to_pandas()) == len(seen.to_polars()) == seen.to_arrow().num_rows == len(records)


@pytest.mark.nightly
def test_a_single_round_can_be_held_against_the_exact_figures() -> None:
    for key in width(KINDS, tuple(GAMES)):
        seen = simulate(GAMES[key], 1)
        assert seen.rounds_per_shoe == {}
        assert sum(seen.cards_per_round.values()) == 1
        for wager in seen.wagers.values():
            assert sum(each.seen for each in wager.lines) == 1
            assert 0 <= wager.chi_square[2] <= 1


# The quantiles that every table of the distribution prints.
# --- the file of a tally -----------------------------------------


@cache
def a_tally() -> Tally:
    with threads(2) as crew:
        return dealt_by(crew, 3_000_000)


def load(path: Path, terms: Terms | None = None) -> Tally:
    stream = stream_of("tiger")
    return Tally.load(path, terms or stream.terms, stream.tables.cells.size)


def test_a_kept_tally_is_text_with_the_whole_blocks_and_nothing_else(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    a_tally().save(kept)
    content = json.loads(kept.read_bytes())
    assert list(content) == (
        "format game digest decks cut seed same_rounds blocks rounds cells reach lengths checksum".split()
    )
    assert (content["game"], content["decks"], content["cut"], content["seed"]) == ("tiger", 8, 14, 1)
    assert (content["blocks"], content["rounds"]) == (2, a_tally().part.rounds)
    assert load(kept) == Tally(a_tally().terms, 2, a_tally().part)
    assert load(kept).dumps() == kept.read_bytes() == a_tally().dumps()


def changed(**fields: Any) -> bytes:  # noqa: ANN401
    return json.dumps(json.loads(a_tally().dumps()) | fields).encode()


def counts(name: str, place: int, number: int) -> bytes:
    """The file with one count put to something else."""
    numbers = json.loads(a_tally().dumps())[name]
    numbers[place] = number
    return changed(**{name: numbers})


SPOILT: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "no JSON": lambda: b"Ceci n'est pas un tally",
    "another JSON": lambda: b"[1, 2, 3]",
    "null": lambda: b"null",
    "truncated": lambda: a_tally().dumps()[:-40],
    "truncated after a number": lambda: a_tally().dumps().rstrip(b"}\n ]"),
    "followed by more": lambda: a_tally().dumps() + b"{}",
    "binary": lambda: bytes(range(256)) * 8,
    "NUL bytes": lambda: b"\0" * 512,
    "a text that is not UTF-8": lambda: a_tally().dumps().replace(b"tiger", b"tig\xffr"),
    "UTF-16": lambda: a_tally().dumps().decode().encode("utf-16"),
    "deep": lambda: b'{"format": ' + b"[" * 100_000,
    "a field missing": lambda: a_tally().dumps().replace(b'"reach"', b'"rich"'),
    "a field too many": lambda: changed(extra=1),
    "another format": lambda: changed(format="punto simulation 3"),
    "a former format": lambda: changed(format="punto simulation 1"),
    "a number as text": lambda: changed(rounds=str(a_tally().part.rounds)),
    "a number with a fraction": lambda: changed(rounds=a_tally().part.rounds + 0.5),
    "rounds that are not the cells'": lambda: changed(rounds=a_tally().part.rounds + 1),
    "no rounds": lambda: changed(rounds=0),
    "a cell more": lambda: counts("cells", 0, int(a_tally().part.cells[0]) + 1),
    "a negative cell": lambda: counts("cells", 0, -5),
    "a negative run": lambda: counts("reach", 1, -1),
    "a negative length": lambda: counts("lengths", 80, -1),
    "a count beyond all bounds": lambda: counts("reach", 1, 10**30),
    "a fraction of a count": lambda: changed(cells=[0.5] * CELLS),
    "too few cells": lambda: changed(cells=json.loads(a_tally().dumps())["cells"][:-1]),
    "too many lengths": lambda: changed(lengths=[*json.loads(a_tally().dumps())["lengths"], 0]),
    "a negative number of blocks": lambda: changed(blocks=-1),
    "blocks beyond all bounds": lambda: changed(blocks=10**30),
    "other blocks than shoes": lambda: changed(blocks=3),
    "a shoe too many": lambda: counts("lengths", 80, int(a_tally().part.lengths[80]) + 1),
    "another digest": lambda: changed(digest="0" * 64),
    "another seed": lambda: changed(seed=2),
    "other decks": lambda: changed(decks=6),
    "another cut": lambda: changed(cut=15),
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_file_that_is_no_tally_of_this_simulation_is_refused_and_left_alone(name: str, tmp_path: Path) -> None:
    kept, content = tmp_path / "kept.json", SPOILT[name]()
    kept.write_bytes(content)
    with pytest.raises(BadTally) as refused:
        load(kept)
    assert "expected" in refused.value.message
    assert "\n" not in refused.value.message
    assert kept.read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["kept.json"]


@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        (Terms(GAMES["tiger-no-commission"], 8, 14, 1), "another declaration of the game"),
        (Terms(loads(dumps(GAMES["tiger"]).replace("8 to 1", "9 to 1")), 8, 14, 1), "another declaration of the game"),
        (Terms(GAMES["tiger"], 6, 14, 1), "other decks"),
        (Terms(GAMES["tiger"], 8, 13, 1), "another cut"),
        (Terms(GAMES["tiger"], 8, 14, LAST_SEED), "another seed"),
    ],
)
def test_the_tally_of_another_simulation_is_refused_with_the_reason(terms: Terms, reason: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    a_tally().save(kept)
    with pytest.raises(BadTally, match=f"is of tiger with {reason}"):
        load(kept, terms)
    assert kept.read_bytes() == a_tally().dumps()


def test_a_file_that_is_missing_or_a_folder_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path, tmp_path / "no" / "such.json"):
        with pytest.raises(UnreadableFile, match="cannot be read"):
            load(path)


@pytest.mark.parametrize("name", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_tally_is_kept_as_a_whole_or_not_at_all(
    name: str, error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept.json"
    kept.write_bytes(b"what was there")

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(os, name, fail)
    with pytest.raises(UnwritableFile if isinstance(error, OSError) else KeyboardInterrupt):
        a_tally().save(kept)
    monkeypatch.undo()
    assert kept.read_bytes() == b"what was there"
    assert [path.name for path in tmp_path.iterdir()] == ["kept.json"]
    a_tally().save(kept)
    assert load(kept).part == a_tally().part


def test_a_tally_is_not_kept_in_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match="cannot be written"):
        a_tally().save(tmp_path / "no" / "such.json")
    assert list(tmp_path.iterdir()) == []


# --- what cannot be -----------------------------------------


@pytest.mark.parametrize("rounds", [0, -1, MOST_ROUNDS + 1, 10**30])
def test_a_number_of_rounds_that_cannot_be_dealt_is_refused(rounds: int) -> None:
    lazy = Lazy()
    with pytest.raises(BadRounds, match="expected 1 to 1,000,000,000,000,000"):
        dealt_by(lazy, rounds)
    assert lazy.pieces == []
    with pytest.raises(BadRounds):
        simulate(GAMES["tiger"], rounds)


def test_the_most_rounds_can_be_begun() -> None:
    running = run(stream_of("tiger"), MOST_ROUNDS, Lazy())
    assert next(running).blocks == 1


@pytest.mark.parametrize("cut", [-1, 416, 10**9])
def test_a_cutting_card_outside_the_shoe_is_refused(cut: int) -> None:
    with pytest.raises(BadCut, match="expected 0 to 415"):
        Stream(Terms(GAMES["tiger"], 8, cut, 1))


def test_a_cutting_card_at_the_very_beginning_leaves_one_round_a_shoe() -> None:
    stream = stream_of("7-up", 4, 207)
    agrees(stream, stream.deal(0, 1, 50), slow_block(stream, 0, 50))
    assert simulate(GAMES["7-up"], 500, decks=4, cut=207).rounds_per_shoe == {1: 500}


@pytest.mark.parametrize("seed", [-1, 2**64, 10**30])
def test_a_seed_of_more_than_64_bits_is_refused(seed: int) -> None:
    with pytest.raises(BadUsage, match=f"expected 0 to {LAST_SEED}"):
        Stream(Terms(GAMES["tiger"], 8, 14, seed))


@pytest.mark.parametrize("decks", [0, 3, 11])
def test_decks_that_no_rulebook_allows_are_refused(decks: int) -> None:
    with pytest.raises(BadDecks):
        simulate(GAMES["tiger"], 10, decks=decks)


@pytest.mark.parametrize("workers", [0, -1, MOST_WORKERS + 1])
def test_no_workers_and_too_many_are_refused(workers: int) -> None:
    with pytest.raises(BadUsage, match="expected 1 to 1,024"), threads(workers):
        raise AssertionError
    with pytest.raises(BadUsage, match="expected 1 to 1,024"):
        simulate(GAMES["tiger"], 10, workers=workers)


# --- the same number of rounds from every shoe ----------------------------------------


@pytest.mark.parametrize(
    ("key", "decks", "cut", "rounds"), [("tiger", 8, 14, 68), ("7-up", 4, 14, 39), ("tiger", 4, 0, 34)]
)
def test_every_shoe_deals_as_many_rounds_as_are_certain_to_come(key: str, decks: int, cut: int, rounds: int) -> None:
    even = Stream(Terms(GAMES[key], decks, cut, 1, same_rounds=True)).deal(0, 1, 1 << 62)
    assert np.flatnonzero(even.lengths).tolist() == [rounds]
    assert even.lengths[rounds] == SHOES_IN_A_BLOCK
    assert even.rounds == rounds * SHOES_IN_A_BLOCK


def test_those_are_the_first_rounds_of_the_same_shoes() -> None:
    terms = Terms(GAMES["tiger"], 8, 14, 5, same_rounds=True)
    assert Stream(terms).deal(0, 1, 68) == Part(*_first_shoe_cut_to(68), rounds=68)


def _first_shoe_cut_to(rounds: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The first rounds of the first shoe, as the plain stream has them, which does not end there."""
    plain = stream_of("tiger", seed=5).deal(0, 1, rounds)
    lengths = plain.lengths.copy()
    lengths[rounds] += 1
    return plain.cells, plain.reach, lengths


@pytest.mark.nightly
def test_without_the_cutting_card_many_rounds_agree_with_the_exact_figures() -> None:
    rounds = width(50_000_000, 200_000_000)
    simulated = simulate(GAMES["7-up"], rounds, decks=4, seed=1, workers=2, same_rounds=True)
    assert max(abs(wager.z) for wager in simulated.wagers.values()) < 4
    assert min(wager.chi_square[2] for wager in simulated.wagers.values()) > 1e-4


def test_counts_that_were_put_in_each_others_place_are_noticed(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    content = json.loads(a_tally().dumps())
    content["cells"][0], content["cells"][1] = content["cells"][1], content["cells"][0]
    kept.write_text(json.dumps(content))
    with pytest.raises(BadTally, match="do not add up"):
        load(kept)


def test_a_tally_of_shoes_to_the_cutting_card_is_not_gone_on_with_otherwise(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    a_tally().save(kept)
    with pytest.raises(BadTally, match="other shoes"):
        load(kept, Terms(GAMES["tiger"], 8, 14, 1, same_rounds=True))
