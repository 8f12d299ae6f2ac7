"""Many shoes at once: counts and edges that are those of one shoe at a time."""

import subprocess
import sys
import time
from fractions import Fraction
from functools import cache
from math import perm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.marks import KINDS, by_day
from tests.width import SEED, width

from punto.errors import BadComposition, TooFewCards, UnknownWager
from punto.games import GAMES, loads
from punto.lab import Composition, Evaluator, GameOdds, Odds
from punto.rules import Game

Shoes = NDArray[np.int64]
FIRST_SEED = width(0, SEED)
EXAMPLES = width(20, 300)


@cache
def odds(key: str) -> Odds:
    return Odds(GAMES[key])


@cache
def evaluator(key: str) -> Evaluator:
    return Evaluator(GAMES[key])


def declared(*conditions: str) -> Game:
    """A game with one wager for each condition."""
    lines = ['key = "declared"\ntitle = "Declared"']
    for place, when in enumerate(conditions, 1):
        lines.append(f'[[wager]]\nname = "Wager {place}"\npays = [{{ when = "{when}", odds = "2 to 1" }}]')
    return loads("\n".join(lines))


def shoes(size: int, number: int, seed: int, decks: int | None = None) -> Shoes:
    """Shoes of four to ten decks, of which some have lost much and some hardly anything."""
    chance = np.random.default_rng([size, seed])
    full = chance.integers(4, 11, (number, 1)) if decks is None else np.full((number, 1), decks)
    kept = chance.random((number, 1)) ** 0.3
    left = chance.binomial(np.broadcast_to(full, (number, size)), kept).astype(np.int64)
    left[:, 0] += np.maximum(0, 6 - left.sum(axis=1))
    return left


def exact(game: Game, row: Shoes) -> GameOdds:
    solver = odds(game.key) if game.key in GAMES else Odds(game)
    return solver.of(Composition(game.deck, 10, tuple(int(number) for number in row)))


def lines_of(found: GameOdds) -> list[int]:
    return [line.count for wager in found.wagers.values() for line in wager.lines]


@pytest.mark.parametrize("key", by_day(GAMES, KINDS))
def test_a_batch_counts_what_each_shoe_counts_alone(key: str) -> None:
    game = GAMES[key]
    batch = shoes(game.deck.size, width(8, 100), FIRST_SEED + 1)
    batch[0], batch[1] = 10, 4
    counts = evaluator(key).counts(batch)
    assert counts.dtype == np.int64
    for row, found in zip(batch, counts.tolist(), strict=True):
        assert found == lines_of(exact(game, row)), row.tolist()


@pytest.mark.parametrize("key", by_day(GAMES, KINDS))
def test_counts_beyond_what_floating_point_holds_are_exact(key: str) -> None:
    game = GAMES[key]
    batch = np.full((3, game.deck.size), 10)
    batch[1, :7] -= 1
    batch[2, -20:] -= np.arange(20) % 3
    if key != "7-up":
        assert perm(int(batch[2].sum()), 6) > 2**53
    for row, found in zip(batch, evaluator(key).counts(batch).tolist(), strict=True):
        assert found == lines_of(exact(game, row))


@pytest.mark.parametrize("key", by_day(GAMES, KINDS))
def test_an_edge_is_the_float_nearest_to_the_exact_one(key: str) -> None:
    game = GAMES[key]
    batch = np.concatenate([shoes(game.deck.size, width(8, 40), FIRST_SEED + 2), np.full((1, game.deck.size), 10)])
    edges = evaluator(key).edges(batch)
    assert edges.shape == (len(batch), len(game.wagers))
    for row, found in zip(batch, edges, strict=True):
        wanted = [float(wager.edge) for wager in exact(game, row).wagers.values()]
        assert found.tolist() == wanted


@pytest.mark.parametrize(("key", "wager"), [("baccarat", "Player"), ("tiger", "Big Tiger"), ("7-up", "Super 7's")])
def test_an_edge_next_to_nothing_is_rounded_once_too(key: str, wager: str) -> None:
    """Where wins and losses nearly cancel out, sums of floats keep few digits or none."""
    game = GAMES[key]
    chance = np.random.default_rng(FIRST_SEED)
    batch = chance.binomial(8, 0.2, (20_000, game.deck.size))
    edges = Evaluator(game, [wager]).edges(batch)[:, 0]
    nearest = np.argsort(np.abs(edges))[:20]
    assert np.abs(edges[nearest]).max() < 0.03
    for place in nearest:
        assert edges[place] == float(exact(game, batch[place]).wagers[wager].edge)


@pytest.mark.parametrize("key", ["fortune-six", "fa-fa-fabulous-4", "7-up"])
@pytest.mark.parametrize("number", [1, 511, 512, 513, 1025])
def test_it_does_not_matter_in_which_batch_a_shoe_is(key: str, number: int) -> None:
    batch = shoes(GAMES[key].deck.size, number, number)
    counts = evaluator(key).counts(batch)
    assert counts.shape == (number, len(evaluator(key).lines))
    assert np.array_equal(evaluator(key).counts(batch[::-1]), counts[::-1])
    for place in {0, number // 2, 510 % number, 511 % number, 512 % number, number - 1}:
        alone = evaluator(key).counts(batch[place : place + 1])
        assert np.array_equal(alone[0], counts[place])
        assert alone[0].tolist() == lines_of(exact(GAMES[key], batch[place]))


def test_one_full_shoe_in_a_batch_of_small_ones_spoils_none() -> None:
    batch = shoes(65, 600, 3, decks=1)
    batch[300] = 10
    together = evaluator("fa-fa-fabulous-4").counts(batch)
    apart = [
        evaluator("fa-fa-fabulous-4").counts(batch[part]) for part in (slice(300), slice(300, 301), slice(301, 600))
    ]
    assert np.array_equal(together, np.concatenate(apart))


PAIRS = "Player Pair: 11 -1 | Banker Pair: 11 -1"
HALF_ON_SIX = "Player: 1 0 -1 | Banker: 1/2 1 0 -1 | Tie: 8 -1"
DRAGONS = "Player Dragon Bonus: 1 30 10 6 4 2 1 0 -1 | Banker Dragon Bonus: 1 30 10 6 4 2 1 0 -1"
TIGERS = "Tiger: 12 20 -1 | Small Tiger: 22 -1 | Big Tiger: 50 -1 | Tiger Tie: 35 -1 | Tiger Pair: 100 20 4 -1"
FOURS = "Player Fabulous 4: 50 -1 | Banker Fabulous 4: 25 -1"
PRECIOUS = "Player Precious Pair: 30 15 12 9 -1 | Banker Precious Pair: 30 15 12 9 -1"
# What one unit wins on each line, as the pay tables are printed, and last what it loses.
PAY_TABLES = {
    "baccarat": f"Player: 1 0 -1 | Banker: 19/20 0 -1 | Tie: 8 -1 | {PAIRS}",
    "super-six": f"{HALF_ON_SIX} | {PAIRS} | Super Six: 15 -1",
    "fortune-six": f"{HALF_ON_SIX} | {PAIRS} | Fortune Six: 12 20 -1 | {DRAGONS}",
    "super-6": f"{HALF_ON_SIX} | {PAIRS} | Super 6: 15 -1 | {DRAGONS}",
    "no-commission": f"{HALF_ON_SIX} | {PAIRS}",
    "tiger": f"Player: 1 0 -1 | Banker: 19/20 0 -1 | Tie: 8 -1 | {TIGERS}",
    "tiger-no-commission": f"{HALF_ON_SIX} | {TIGERS}",
    "live-tiger-no-commission": f"{HALF_ON_SIX} | {TIGERS}",
    "fabulous-4s": f"Player: 1/2 2 1 0 -1 | Banker: 0 2 1 0 -1 | Tie: 8 -1 | {FOURS} | {PRECIOUS}",
    "fa-fa-fabulous-4": f"Player: 1/2 2 1 0 -1 | Banker: 0 2 1 0 -1 | Tie: 800 8 -1 | {FOURS} | {PRECIOUS}",
    "7-up": "Player: 1/2 1 0 -1 | Banker: 9/5 1 0 -1 | Tie: 9 7 -1 | Super 7's: 2 5 17 70 700 -1",
}


@pytest.mark.parametrize("key", GAMES)
def test_lines_come_in_the_order_of_the_wagers_and_their_pay_tables(key: str) -> None:
    tables = [table.split(": ") for table in PAY_TABLES[key].split(" | ")]
    lines = [(name, Fraction(net)) for name, nets in tables for net in nets.split()]
    assert [(line.wager.name, line.net) for line in evaluator(key).lines] == lines
    assert [wager.name for wager in evaluator(key).wagers] == [name for name, _ in tables]


def test_wagers_come_in_the_order_in_which_they_are_asked_for() -> None:
    asked = ["Tiger Pair", "Tie", "Player"]
    some, every = Evaluator(GAMES["tiger"], asked), evaluator("tiger")
    batch = shoes(52, 10, 4)
    assert [wager.name for wager in some.wagers] == asked
    assert [line.wager.name for line in some.lines] == [*["Tiger Pair"] * 4, *["Tie"] * 2, *["Player"] * 3]
    names = [line.wager.name for line in every.lines]
    columns = [column for name in asked for column, other in enumerate(names) if other == name]
    assert np.array_equal(some.counts(batch), every.counts(batch)[:, columns])
    wagers = [[wager.name for wager in every.wagers].index(name) for name in asked]
    assert some.edges(batch) == pytest.approx(every.edges(batch)[:, wagers], rel=1e-13)


def test_a_wager_asked_for_twice_is_answered_twice() -> None:
    batch = shoes(52, 5, 5)
    twice = Evaluator(GAMES["tiger"], ["Player", "Tie", "Player"])
    once = Evaluator(GAMES["tiger"], ["Player", "Tie"])
    assert np.array_equal(twice.counts(batch), once.counts(batch)[:, [0, 1, 2, 3, 4, 0, 1, 2]])
    assert twice.edges(batch) == pytest.approx(once.edges(batch)[:, [0, 1, 0]], rel=1e-13)


def test_no_wager_and_no_shoe_are_answered_with_nothing() -> None:
    assert Evaluator(GAMES["tiger"], []).counts(shoes(52, 3, 6)).shape == (3, 0)
    assert evaluator("tiger").counts(shoes(52, 0, 6)).shape == (0, len(evaluator("tiger").lines))
    assert evaluator("tiger").edges(shoes(52, 0, 6)).shape == (0, len(GAMES["tiger"].wagers))


def test_an_unknown_wager_is_refused() -> None:
    with pytest.raises(UnknownWager, match="'Lion' is not a wager of tiger"):
        Evaluator(GAMES["tiger"], ["Player", "Lion"])


# --- shoes that cannot be ----------------------------------------


@pytest.mark.parametrize("shape", [(52,), (1, 51), (1, 53), (1, 65), (2, 1, 52), (52, 1), ()])
def test_rows_of_another_width_are_refused(shape: tuple[int, ...]) -> None:
    for ask in (evaluator("tiger").counts, evaluator("tiger").edges):
        with pytest.raises(BadComposition, match="expected rows of 52 numbers") as caught:
            ask(np.full(shape, 8))
        assert (caught.value.code, caught.value.at) == ("bad-composition", 1)


@pytest.mark.parametrize("row", [1, 2, 700])
def test_fewer_than_no_cards_are_refused_with_the_shoe(row: int) -> None:
    batch = np.full((700, 52), 8)
    batch[row - 1, 17] = -1
    batch[-1, 3] = -5
    for ask in (evaluator("tiger").counts, evaluator("tiger").edges):
        with pytest.raises(BadComposition, match=f"^shoe {row}: expected whole numbers") as caught:
            ask(batch)
        assert caught.value.at == row


@pytest.mark.parametrize(("key", "fewest"), [("tiger", 6), ("7-up", 5)])
@pytest.mark.parametrize("row", [1, 3])
def test_too_few_cards_are_refused_with_the_shoe(key: str, fewest: int, row: int) -> None:
    batch = np.zeros((3, 52), dtype=np.int64)
    batch[:, 5] = fewest
    assert evaluator(key).counts(batch).shape == (3, len(evaluator(key).lines))
    batch[row - 1, 5] = fewest - 1
    with pytest.raises(TooFewCards, match=f"^shoe {row} has too few cards: expected at least {fewest}$") as caught:
        evaluator(key).edges(batch)
    assert (caught.value.code, caught.value.at) == ("too-few-cards", row)


def test_more_cards_than_can_be_counted_are_refused_with_the_shoe() -> None:
    batch = np.full((2, 52), 8)
    batch[1] = 1000
    with pytest.raises(BadComposition) as caught:
        evaluator("tiger").counts(batch)
    assert caught.value.at == 2


def test_parts_of_cards_are_not_cut_off_in_silence() -> None:
    with pytest.raises(BadComposition):
        evaluator("tiger").counts(np.full((1, 52), 7.5))


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64])
def test_whole_numbers_of_any_width_are_read(kind: type[np.integer]) -> None:
    batch = shoes(52, 3, 7)
    assert np.array_equal(evaluator("tiger").counts(batch.astype(kind)), evaluator("tiger").counts(batch))
    assert np.array_equal(evaluator("tiger").edges(batch.astype(kind)), evaluator("tiger").edges(batch))


def test_a_batch_is_left_as_it_was() -> None:
    batch = shoes(52, 5, 8)
    before = batch.copy()
    evaluator("fabulous-4s").edges(batch)
    assert np.array_equal(batch, before)


# --- wagers of an unusual sort ----------------------------------------


SUITS_AND_OUTCOMES = declared(
    "player pair suit d and winner player",
    "winner tie",
    "(twin pairs or banker pair suit s) and cards 5",
    "player pair",
)


def test_a_wager_that_mixes_suits_with_outcomes_is_counted_by_hands() -> None:
    batch = shoes(52, 5, 9)
    batch[0] = 10
    mixed = Evaluator(SUITS_AND_OUTCOMES)
    for row, counts, edges in zip(batch, mixed.counts(batch).tolist(), mixed.edges(batch), strict=True):
        found = exact(SUITS_AND_OUTCOMES, row)
        assert counts == lines_of(found)
        assert edges.tolist() == [float(wager.edge) for wager in found.wagers.values()]


EITHER_PERFECT_PAIR = declared(
    " or ".join(f"{hand} pair suit {suit}" for hand in ("player", "banker") for suit in "shdc"),
    "winner tie",
)


def test_a_perfect_pair_of_either_hand_is_counted_exactly() -> None:
    """All 52 cards are told apart, and four of them decide."""
    batch = shoes(52, 5, 11)
    batch[0] = 10
    for row, counts in zip(batch, Evaluator(EITHER_PERFECT_PAIR).counts(batch).tolist(), strict=True):
        assert counts == lines_of(exact(EITHER_PERFECT_PAIR, row))


def test_a_perfect_pair_of_either_hand_takes_as_long_as_other_wagers() -> None:
    """It took 0.14 s a shoe, some ten thousand times as long as a tie. Times are taken in turn, and the best counts."""
    batch = shoes(52, 2_000, 12, 8)
    evaluators = {name: Evaluator(EITHER_PERFECT_PAIR, [name]) for name in ("Wager 1", "Wager 2")}
    times: dict[str, list[float]] = {name: [] for name in evaluators}
    for _ in range(5):
        for name, asked in evaluators.items():
            begun = time.perf_counter()
            asked.edges(batch)
            times[name].append(time.perf_counter() - begun)
    assert min(times["Wager 1"]) < 6 * min(times["Wager 2"])


def test_no_shoe_is_answered_with_nothing_for_such_a_wager_too() -> None:
    assert Evaluator(SUITS_AND_OUTCOMES).counts(shoes(52, 0, 6)).shape == (0, 8)


@pytest.mark.parametrize("never", ["player natural and player cards 3", "margin 9 and natural and cards 6"])
def test_a_wager_that_can_never_win_is_always_lost(never: str) -> None:
    game = declared(never)
    assert Odds(game).of().wagers["Wager 1"].ev == -1
    assert Evaluator(game).counts(np.full((2, 52), 8)).tolist() == [[0, perm(416, 6)]] * 2
    assert Evaluator(game).edges(np.full((1, 52), 8)).tolist() == [[1.0]]


def test_a_wager_that_can_never_win_does_no_harm_beside_others() -> None:
    game = declared("player natural and player cards 3", "player pair", "player natural", "winner tie")
    batch = shoes(52, 5, 10)
    for row, counts in zip(batch, Evaluator(game).counts(batch).tolist(), strict=True):
        assert counts == lines_of(exact(game, row))


def test_a_wager_that_always_wins_is_never_lost() -> None:
    game = declared("winner player or not winner player", "player pair or not player pair")
    assert Evaluator(game).counts(np.full((1, 52), 8)).tolist() == [[perm(416, 6), 0] * 2]


# --- any shoe ----------------------------------------


@pytest.mark.parametrize("key", ["fortune-six", "tiger", "fabulous-4s", "fa-fa-fabulous-4", "7-up"])
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_any_shoe_counts_alike_in_both_ways(key: str, data: st.DataObject) -> None:
    size = GAMES[key].deck.size
    most = data.draw(st.integers(1, 4))
    row = np.array(data.draw(st.lists(st.integers(0, most), min_size=size, max_size=size)))
    row[data.draw(st.integers(0, size - 1))] += 6
    counts = evaluator(key).counts(row[None])
    assert counts[0].tolist() == lines_of(exact(GAMES[key], row))
    assert (counts >= 0).all()


@settings(max_examples=EXAMPLES)
@given(
    suit=st.permutations(range(4)),
    left=st.lists(st.integers(0, 8), min_size=52, max_size=52),
    key=st.sampled_from(["fortune-six", "tiger", "7-up"]),
)
def test_suits_may_change_places_where_nobody_asks_for_them(suit: list[int], left: list[int], key: str) -> None:
    row = np.array(left).reshape(4, 13)
    row[:, 8] += 2
    batch = np.stack([row.ravel(), row[suit].ravel()])
    one, other = evaluator(key).counts(batch)
    assert np.array_equal(one, other)


# --- what is not needed ----------------------------------------


@pytest.mark.parametrize("module", ["punto.lab", "punto.lab.evaluator", "punto.lab.odds"])
def test_exact_odds_need_numpy_and_nothing_more(module: str) -> None:
    look = (
        "import sys, numpy as np; from importlib import import_module; import_module(sys.argv[1]);"
        "from punto.games import find; from punto.lab import Evaluator, Odds;"
        "Odds(find('tiger')).of(); Evaluator(find('7-up')).edges(np.full((1, 52), 8));"
        "print(sorted({'numba', 'matplotlib', 'pandas', 'polars', 'pyarrow', 'scipy', 'typst'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", look, module], capture_output=True, check=False, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[]\n", "")
