"""Counting and the hold: against published results, brute force, slow deals; and what the commands refuse."""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from tests.cli import shell
from tests.cli.shell import Punto, process
from tests.marks import KINDS, by_day
from tests.width import SEED, width

from punto.cards import Shoe
from punto.errors import BadCut, UnknownWager
from punto.games import GAMES, find, loads
from punto.lab import Composition, Counting, Exposure, Mix, Odds, Plan, Procedure
from punto.lab.counts import Count, Effect, best_count, by_rank
from punto.lab.dealing import rounds_of_shoes
from punto.lab.exposure import Bets
from punto.lab.search import features, searched, units_won
from punto.rules import Deal, Game

PUBLISHED: Final = Path(__file__).parent.parent / "golden" / "published"
COUNTS: Final[Mapping[str, Any]] = tomllib.loads((PUBLISHED / "counting" / "counts.toml").read_text("utf-8"))
RANKS: Final = "TA23456789"
PICTURES: Final = "TJQK"
SHOES: Final = width(2000, 4000)
# The published counts that the gate tries: one of Banker's third card, one with its correlation, one of naturals.
TRIED: Final = {"Dragon 7", "Big Tiger", "9 over 7"}
NIGHTLY: Final = pytest.mark.nightly
FIRST_SEED: Final = width(0, SEED)


@pytest.fixture(autouse=True, scope="module")
def _once() -> Iterator[None]:
    """Work out the odds of a game, and the best count for its effects, once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("punto.lab.counting.best_count", cache(best_count))
        yield


def game_with(wagers: list[dict[str, Any]]) -> Game:
    lines = ['key = "counted"', 'title = "Counted"']
    for wager in wagers:
        pays = [f"{{ when = {json.dumps(pay['when'])}, odds = {json.dumps(pay['odds'])} }}" for pay in wager["pays"]]
        lines += ["[[wager]]", f"name = {json.dumps(wager['name'])}", f"pays = [{', '.join(pays)}]"]
    return loads("\n".join(lines))


def game_of(count: Mapping[str, Any]) -> Game:
    return GAMES[count["game"]] if "game" in count else game_with(COUNTS["wager"])


def tags_of(text: str) -> dict[str, int]:
    """Tags by rank; a ten's goes for the pictures too."""
    tags = {rank: int(tag) for rank, tag in (part.split("=") for part in text.split())}
    return tags | dict.fromkeys(PICTURES, tags["T"])


def exposure(game: Game, wager: str, plan: Plan) -> Exposure:
    (found,) = Counting(game, wagers=[wager]).exposures(plan)
    return found


# --- effects of removal ----------------------------------------


def published_effects() -> list[tuple[str, str, Game, dict[str, str]]]:
    """By file and wager: the effects as printed, by rank."""
    found = []
    for path in sorted(PUBLISHED.glob("*.toml")):
        content = tomllib.loads(path.read_text("utf-8"))
        for block in content.get("figures", ()):
            effects = {of.split()[1]: printed for of, printed in block["printed"] if re.fullmatch("effect .", of)}
            if effects:
                found.append((path.stem, block["wager"], game_with(content["wager"]), effects))
    return found


@pytest.mark.parametrize(
    ("file", "wager", "game", "printed"),
    published_effects(),
    ids=[f"{each[0]}: {each[1]}" for each in published_effects()],
)
def test_the_effects_of_removal_are_those_published(file: str, wager: str, game: Game, printed: dict[str, str]) -> None:
    assert (len(printed), bool(file)) == (10, True)
    for effect in Counting(game, wagers=[wager]).effects(wager):
        figure = printed[effect.cards[0].rank.letter]
        percent = figure.endswith("%")
        places = len(figure.removesuffix("%").partition(".")[2])
        assert round(effect.effect * (100 if percent else 1), places) == Fraction(figure.removesuffix("%"))


def test_effects_are_published_for_the_main_wagers_and_for_lucky_6() -> None:
    assert [(file, wager) for file, wager, *_ in published_effects()] == [
        ("effects-of-removal", "Banker"),
        ("effects-of-removal", "Player"),
        ("effects-of-removal", "Tie"),
        ("wizard-lucky-6", "Lucky 6 at 12 and 23"),
    ]


@cache
def counting_of(key: str, decks: int = 8) -> Counting:
    return Counting(GAMES[key], decks)


@pytest.mark.parametrize(("key", "decks"), by_day(product(GAMES, (4, 8)), [*product(KINDS, (8,))]))
def test_a_card_that_goes_unseen_changes_nothing(key: str, decks: int) -> None:
    counting = counting_of(key, decks)
    for wager in counting.names:
        effects = counting.effects(wager)
        assert sum(len(effect.cards) for effect in effects) == GAMES[key].deck.size
        assert sum(len(effect.cards) * effect.effect for effect in effects) == 0


@pytest.mark.parametrize("key", by_day(GAMES, KINDS))
def test_an_effect_is_the_difference_of_two_exact_odds(key: str) -> None:
    game = GAMES[key]
    odds, counting = Odds(game), counting_of(key)
    whole = odds.of().wagers
    for wager in counting.names:
        assert counting.ev(wager) == whole[wager].ev
    for card in game.deck.cards[3::17]:
        less = odds.of(Composition.full(game.deck).without([card])).wagers
        for wager in counting.names:
            (effect,) = (each.effect for each in counting.effects(wager) if card in each.cards)
            assert effect == less[wager].ev - whole[wager].ev


# --- what a counter wins ----------------------------------------


@cache
def dealt(number: int) -> Exposure:
    """One of the published counts, tried on our shoes."""
    count = COUNTS["count"][number]
    plan = Plan(Procedure(**count["deal"]), SHOES, 1, tags=tags_of(count["tags"]), trigger=count["trigger"])
    return exposure(game_of(count), count["wager"], plan)


def printed_value(figure: str) -> tuple[float, float]:
    """A figure, and half of its last digit."""
    unit = 0.01 if figure.endswith("%") else 1.0
    digits = figure.removesuffix("%")
    return float(digits) * unit, 0.5 * unit * 10.0 ** -len(digits.partition(".")[2])


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(
            number,
            id=f"{count['wager']} {count['trigger']}",
            marks=() if count["wager"] in TRIED else NIGHTLY,
        )
        for number, count in enumerate(COUNTS["count"])
    ],
)
def test_a_counter_wins_what_is_published(number: int) -> None:
    printed: dict[str, str] = COUNTS["count"][number]["printed"]
    found = dealt(number)
    counter = found.counter
    # What is won has the error of how often there is a bet and of what a bet wins: neither alone is less sure.
    unsure = 3 * counter.error / counter.won
    assert 0 < unsure < 0.2
    for name, value, error in (
        ("won", counter.won, unsure),
        ("hundred", counter.won_per_hundred, unsure),
        ("frequency", counter.frequency, unsure),
        ("edge", counter.edge, unsure),
        ("correlation", found.count.correlation, 0.0),
    ):
        if name in printed:
            figure, half = printed_value(printed[name])
            assert abs(value - figure) <= half + error * value, (name, value, figure)


@pytest.mark.nightly
def test_as_many_rounds_are_dealt_from_a_shoe_as_published() -> None:
    (won, half_won), (hundred, half_hundred) = map(printed_value, COUNTS["shopping"]["printed"].values())
    fewest, most = 100 * (won - half_won) / (hundred + half_hundred), 100 * (won + half_won) / (hundred - half_hundred)
    rounds = shopping(2).rounds
    # A shoe of about 81 rounds has one more or one less now and then: two are a bound for its deviation.
    assert fewest - 3 * 2 / sqrt(SHOES) < rounds < most + 3 * 2 / sqrt(SHOES)
    assert dealt(2).rounds == pytest.approx(rounds, abs=6 * 2 / sqrt(SHOES))


@cache
def shopping(level: int) -> Exposure:
    told = COUNTS["shopping"]
    return exposure(GAMES[told["game"]], told["wager"], Plan(Procedure(**told["deal"]), SHOES, 1, level))


@pytest.mark.nightly
def test_what_is_published_of_the_dragon_bonus_lies_between_a_simple_count_and_perfect_play() -> None:
    won, _ = printed_value(COUNTS["shopping"]["printed"]["won"])
    simple, better = shopping(1), shopping(2)
    assert simple.counters[0].count.level == 1
    first = simple.counters[0].play
    assert first.won - 3 * first.error < won < better.counter.won + 3 * better.counter.error
    assert won < better.perfect.won - 3 * better.perfect.error
    assert first.won < better.counter.won < better.perfect.won == simple.perfect.won


# --- counts ----------------------------------------


def made_up(effects: list[int], weights: list[int]) -> list[Effect]:
    """Effects of kinds that hold so many cards each."""
    cards = iter(find("baccarat").deck.cards)
    kinds = [tuple(next(cards) for _ in range(weight)) for weight in weights]
    return [Effect(kind, str(kind[0]), Fraction(effect, 100)) for kind, effect in zip(kinds, effects, strict=True)]


def best_of_all(effects: list[Effect], level: int) -> float:
    """The correlation of the best count, balanced or not, found by trying them all."""
    weights = np.array([len(effect.cards) for effect in effects])
    values = np.array([float(effect.effect) for effect in effects])
    values -= values @ weights / weights.sum()
    tags = np.array(list(product(range(-level, level + 1), repeat=len(effects))), dtype=np.float64)
    tags -= (tags @ weights / weights.sum())[:, None]
    tags = tags[np.abs(tags).max(axis=1) > 1e-9]
    return float((tags @ (weights * values) / np.sqrt((tags**2) @ weights * (values**2 @ weights))).max())


@pytest.mark.parametrize(
    ("key", "wager"), [("fortune-six", "Player Dragon Bonus"), ("tiger", "Big Tiger"), ("baccarat", "Banker")]
)
def test_no_count_of_level_one_follows_a_wager_better_than_the_best(key: str, wager: str) -> None:
    effects = counting_of(key).effects(wager)
    best = best_count(effects, 1)
    assert best.level == 1
    assert best.correlation == pytest.approx(best_of_all(list(effects), 1), abs=1e-9)


@pytest.mark.parametrize("seed", range(width(4, 12)))
@pytest.mark.parametrize(("level", "kinds"), [(1, 8), (2, 6), (3, 5), (4, 4)])
def test_no_count_of_any_level_follows_made_up_effects_better_than_the_best(level: int, kinds: int, seed: int) -> None:
    chance = np.random.default_rng([level, FIRST_SEED + seed])
    weights = [int(weight) for weight in chance.integers(1, 7, kinds)]
    effects = made_up([int(effect) for effect in chance.integers(-50, 51, kinds)], weights)
    best = best_count(effects, level)
    assert best.level <= level
    assert best.correlation == pytest.approx(best_of_all(effects, level), abs=1e-9)


def test_a_finer_count_never_follows_worse() -> None:
    counting = counting_of("tiger")
    for wager in counting.names:
        follows = [best_count(counting.effects(wager), level).correlation for level in (1, 2, 3, 4)]
        assert follows == sorted(follows)
        assert all(0 <= each <= 1 + 1e-12 for each in follows)


def test_tens_and_pictures_may_have_different_tags() -> None:
    """What a running count drifts by is made up for by as many ranks as it takes: one of the tens, not all of them."""
    deck = find("7-up").deck
    kinds = counting_of("7-up").effects("Super 7's")
    assert [len(by_rank(kinds, deck)), len(kinds)] == [13, 10]
    game = find("7-up")
    one = exposure(game, "Super 7's", Plan(shoes=200, tags={"7": -1, "K": 1}, running=True))
    every = exposure(game, "Super 7's", Plan(shoes=200, tags={"7": -1} | dict.fromkeys("TJQK", 1), running=True))
    assert one.counter.won > 1 > every.counter.won
    assert [effect.name for effect in one.effects if effect.cards[0].rank.letter in "TJQK"] == ["T J Q", "K"]


SEVENS_ALONE: Final = {"7": -1}
SEVENS_BALANCED: Final = {"7": -12} | dict.fromkeys("A2345689TJQK", 1)


def test_sevens_alone_are_nearly_perfect_play_for_super_7s() -> None:
    """Divided by the decks left without its drift, this count had no profitable bet."""
    found = exposure(find("7-up"), "Super 7's", Plan(shoes=100, tags=SEVENS_ALONE))
    assert found.counter.won > 0.99 * found.perfect.won > 1
    assert found.trigger is not None


@cache
def sevens_alone() -> Exposure:
    return exposure(find("7-up"), "Super 7's", Plan(shoes=60, tags=SEVENS_ALONE))


@pytest.mark.parametrize("shift", [0, 1, 3, -2])
def test_a_count_is_the_same_whatever_all_its_tags_are_shifted_by(shift: int) -> None:
    game, alone = find("7-up"), sevens_alone()
    shifted = {rank: 13 * SEVENS_ALONE.get(rank, 0) + shift for rank in "A23456789TJQK"}
    other = exposure(game, "Super 7's", Plan(shoes=60, tags=SEVENS_BALANCED if shift == 1 else shifted))
    assert other.counter == alone.counter
    assert alone.trigger is not None
    assert other.trigger == pytest.approx(13 * alone.trigger)
    assert other.count.correlation == pytest.approx(alone.count.correlation)


def test_a_true_count_is_recentred_and_divided_by_the_decks_left() -> None:
    """Card by card, as a person at the table would reckon it."""
    game, tags = find("tiger"), {"6": -3, "7": 1, "8": 2}
    counting = Counting(game, wagers=["Big Tiger"])
    mean = Fraction(4 * sum(tags.values()), 52)
    for batch in counting._batches(Plan(shoes=3)):  # noqa: SLF001 (the shoes that are dealt)
        bets = Bets(416, 52)
        own = counting._own(Plan(tags=tags))  # noqa: SLF001
        counting._add(batch, {"Big Tiger": [own]}, {"Big Tiger": bets})  # noqa: SLF001
        for left, found in zip(batch.left, bets.rounds[3][:, 0], strict=True):
            seen = 8 - left
            sum_ = sum(int(n) * tags.get(card.rank.letter, 0) for n, card in zip(seen, game.deck.cards, strict=True))
            size = int(left.sum())
            assert found == pytest.approx(float((sum_ - mean * (416 - size)) / Fraction(size, 52)), abs=1e-12)


def test_a_running_count_is_the_sum_of_its_tags() -> None:
    """Balanced or not, it is neither recentred nor divided: deep in the shoe the same sum is worth more."""
    game, wager = find("7-up"), "Super 7's"
    running, true = (
        exposure(game, wager, Plan(shoes=100, tags=SEVENS_BALANCED, running=running)) for running in (True, False)
    )
    assert running.count.running
    assert running.trigger == int(running.trigger or 0)
    assert 0 < running.counter.won < true.counter.won


@pytest.mark.nightly
def test_the_best_count_wins_more_units_than_the_one_that_follows_best() -> None:
    """Counts are searched for by what they win; the four kinds are all there, and none wins more than perfect play."""
    for key, wager in (("7-up", "Super 7's"), ("tiger", "Big Tiger")):
        counting = Counting(GAMES[key], wagers=[wager])
        (found,) = counting.exposures(Plan(shoes=300))
        assert [(each.count.running, each.level) for each in found.counters] == [
            (False, 1),
            (False, 2),
            (True, 1),
            (True, 2),
        ]
        balanced = {
            card.rank.letter: tag
            for effect, tag in zip(counting.effects(wager), balanced_count(counting.effects(wager)), strict=True)
            for card in effect.cards
        }
        (old,) = counting.exposures(Plan(shoes=300, tags=balanced))
        assert old.counter.won <= found.counter.won + 0.01 <= found.perfect.won + 0.01
        assert all(each.count.level <= each.level for each in found.counters)


def balanced_count(effects: Sequence[Effect]) -> tuple[int, ...]:
    """The balanced count of level two that follows best, as it was called the best before; tens have one tag."""
    weights = np.array([len(effect.cards) for effect in effects])
    values = np.array([float(effect.effect) for effect in effects])
    values -= values @ weights / weights.sum()
    best: tuple[float, tuple[int, ...]] = (0.0, (0,) * len(effects))
    chance = np.random.default_rng(1)
    for scale in chance.uniform(0.2, 3, 4000):
        tags = np.clip(np.round(values / np.abs(values).max() * scale * 2), -2, 2)
        if tags @ weights == 0 and tags.any():
            follows = float(tags @ (weights * values) / np.sqrt(tags**2 @ weights * (values**2 @ weights)))
            best = max(best, (follows, tuple(int(tag) for tag in tags)))
    return best[1]


def test_the_search_finds_the_best_of_all_counts_where_all_can_be_tried() -> None:
    """Five kinds of card and tags from -1 to 1: 243 counts, each tried on every round."""
    chance = np.random.default_rng(FIRST_SEED)
    for running in (False, True):
        seen = chance.binomial(32, chance.random((4_000, 1)), (4_000, 5))
        cards = np.array([4, 4, 4, 4, 36])
        left = 500 - seen.sum(axis=1)
        table = features(seen, left, cards, 52, running=running)
        favour = table @ chance.normal(0, 1, 5) - 0.5 * np.abs(table).max() + chance.normal(0, 0.1, 4_000)
        every = {tags: units_won(table @ np.array(tags), favour) for tags in product((-1, 0, 1), repeat=5)}
        found = searched(table, favour, [(0, 0, 0, 0, 0), (1, 0, -1, 0, 0), (0, 1, 0, -1, 0)], 1)
        assert every[found] == pytest.approx(max(every.values()), rel=0.02)


@pytest.mark.parametrize(("key", "wager"), [("baccarat", "Player Pair"), ("tiger", "Tiger Pair")])
def test_a_wager_on_pairs_alone_cannot_be_counted(key: str, wager: str) -> None:
    counting = Counting(GAMES[key], wagers=[wager])
    effects = counting.effects(wager)
    assert {effect.effect for effect in effects} == {0}
    assert best_count(effects) == Count((0,) * len(effects), 0.0)
    tried = exposure(GAMES[key], wager, Plan(shoes=20, tags=tags_of("A=1 2=1 3=1 4=1 5=0 6=0 7=-1 8=-1 9=-1 T=0")))
    assert tried.count.correlation == 0
    assert tried.count.level == 1


def test_a_count_with_the_effects_themselves_for_tags_follows_them_wholly() -> None:
    effects = Counting(find("baccarat"), wagers=["Tie"]).effects("Tie")
    tags = {card.rank.letter: round(10**9 * effect.effect) for effect in effects for card in effect.cards}
    found = exposure(find("baccarat"), "Tie", Plan(shoes=2, tags=tags, trigger=0.0))
    assert found.count.correlation == pytest.approx(1, abs=1e-9)


def test_a_rank_without_a_tag_counts_nothing() -> None:
    whole = tags_of("A=0 2=0 3=-1 4=-1 5=-1 6=-2 7=1 8=2 9=2 T=0")
    some = {rank: tag for rank, tag in whole.items() if tag}
    one, other = (
        exposure(find("tiger"), "Big Tiger", Plan(shoes=50, tags=tags, trigger=4.0)) for tags in (whole, some)
    )
    assert one == other
    assert one.counter.bets > 0


def test_a_tag_of_the_king_alone_is_not_overlooked() -> None:
    """Kings count as tens do, but a count may keep them apart."""
    tags = {"6": -4, "K": 4}
    found = exposure(find("tiger"), "Big Tiger", Plan(shoes=2, tags=tags, trigger=1.0))
    effects = [(card, float(effect.effect)) for effect in found.effects for card in effect.cards]
    spread = np.array([(value, tags.get(card.rank.letter, 0)) for card, value in effects])
    assert found.count.correlation == pytest.approx(np.corrcoef(spread.T)[0, 1])


# --- plays ----------------------------------------


@pytest.mark.parametrize("key", by_day(GAMES, ["tiger"]))
def test_nobody_wins_more_than_perfect_play(key: str) -> None:
    shoes = width(10, 40)
    for found in counting_of(key).exposures(Plan(shoes=shoes, seed=FIRST_SEED + 3)):
        assert found.perfect.won >= found.counter.won - 1e-12
        assert found.perfect.won >= 0
        assert found.perfect.bets <= found.rounds
        assert (found.shoes, found.perfect.rounds) == (shoes, found.rounds)
        if found.trigger is None:
            assert found.counter.bets == 0
        for counter in found.counters:
            assert found.perfect.won >= counter.play.won - 1e-12


def test_the_trigger_that_is_found_wins_the_most_on_the_shoes_it_is_chosen_on() -> None:
    game, tags = find("tiger"), {"6": -2, "7": 1, "8": 2, "9": 2, "4": -1}
    counting = Counting(game, wagers=["Big Tiger"])
    plan = Plan(shoes=200, seed=5, tags=tags)
    (best,) = counting.exposures(plan)
    assert best.trigger is not None
    bets = Bets(416, 52)
    for batch in counting._batches(plan, other=True):  # noqa: SLF001
        counting._add(batch, {"Big Tiger": [counting._own(plan)]}, {"Big Tiger": bets})  # noqa: SLF001
    won = {step: bets.play(bets.from_count(0, best.trigger + step), 200).won for step in (-2, -0.25, -0.01, 0, 0.01, 1)}
    assert won[0] == max(won.values()) > won[-2]
    # What it wins elsewhere is another matter: those shoes had no part in the choice.
    (given,) = counting.exposures(replace(plan, trigger=best.trigger))
    assert given.counter == best.counter


def test_what_a_counter_wins_is_said_of_shoes_that_had_no_part_in_the_choice() -> None:
    """The same tags and trigger, tried on many other shoes, win as much within the error."""
    counting = Counting(find("tiger"), wagers=["Big Tiger"])
    (found,) = counting.exposures(Plan(shoes=400, seed=9))
    tags = {
        card.rank.letter: tag
        for effect, tag in zip(found.effects, found.count.tags, strict=True)
        for card in effect.cards
    }
    again = Plan(shoes=1_500, seed=77, tags=tags, trigger=found.trigger, running=found.count.running)
    (fresh,) = counting.exposures(again)
    assert abs(found.counter.won - fresh.counter.won) < 4 * sqrt(found.counter.error**2 + fresh.counter.error**2)


def test_the_same_seed_deals_the_same_shoes() -> None:
    game, wager = find("fortune-six"), "Fortune Six"
    plan = Plan(Procedure(20, 1, burn=True), shoes=100, seed=11)
    one = exposure(game, wager, plan)
    assert one == exposure(game, wager, plan)
    assert one.rounds != exposure(game, wager, Plan(plan.procedure, 100, 12)).rounds


@pytest.mark.nightly
def test_a_wager_wins_the_same_whether_others_are_counted_with_it_or_not() -> None:
    game = find("fortune-six")
    together = {found.wager.name: found for found in Counting(game).exposures(Plan(shoes=60))}
    for wager, found in together.items():
        alone = exposure(game, wager, Plan(shoes=60))
        assert alone.perfect.won == pytest.approx(found.perfect.won, abs=1e-12)
        assert (alone.rounds, alone.effects) == (found.rounds, found.effects)


@pytest.mark.parametrize(("key", "wager"), [("tiger", "Tiger"), ("7-up", "Super 7's"), ("fortune-six", "Player")])
def test_the_depths_add_up_to_perfect_play(key: str, wager: str) -> None:
    found = exposure(GAMES[key], wager, Plan(Procedure(10, 1, burn=True), shoes=100))
    assert sum(depth.rounds for depth in found.depths) == round(100 * found.rounds)
    bets = sum(depth.rounds * depth.favourable for depth in found.depths)
    won = sum(depth.rounds * depth.won_per_hundred / 100 for depth in found.depths)
    assert bets / 100 == pytest.approx(found.perfect.bets)
    assert won / 100 == pytest.approx(found.perfect.won)
    gone = [depth.decks_gone for depth in found.depths]
    assert gone == sorted(gone)
    assert 0.25 <= gone[0] <= gone[-1] < 8


def test_a_play_is_told_in_several_ways_that_agree() -> None:
    play = exposure(find("tiger"), "Tiger", Plan(shoes=100)).perfect
    assert play.won == pytest.approx(play.bets * play.edge)
    assert play.frequency == pytest.approx(play.bets / play.rounds)
    assert play.won_per_hundred == pytest.approx(100 * play.frequency * play.edge)


@pytest.mark.nightly
def test_more_can_be_won_of_a_shoe_that_is_dealt_deeper() -> None:
    won = [
        exposure(find("tiger"), "Big Tiger", Plan(Procedure(cut), shoes=400)).perfect.won for cut in (200, 100, 50, 14)
    ]
    assert won == sorted(won)
    assert won[0] < won[-1] / 5


# --- shoes, dealt slowly ----------------------------------------


def slow_rounds(game: Game, shoe: Shoe, procedure: Procedure) -> list[list[int]]:
    """The cards not yet seen before every round of one shoe, dealt card by card."""
    left = Counter(shoe.order)
    gone = 0
    if procedure.burn:
        left[shoe.order[0]] -= 1
        gone = 1 + (shoe.order[0].points or 10)
    most = len(shoe.order) - (5 if game.key == "7-up" else 6)
    rounds: list[list[int]] = []
    after: int | None = procedure.more if gone > shoe.ahead else None
    if after is not None:
        return rounds
    while gone <= most and after != -1:
        rounds.append([left[card] for card in shoe.deck.cards])
        deal = Deal.begin(game.opening)
        while deal.next:
            card = shoe.order[gone]
            deal = deal.take(card)
            left[card] -= 1
            gone += 1
        if after is not None:
            after -= 1
        elif shoe.ends_with(gone):
            after = procedure.more - 1
    return rounds


PROCEDURES: Final = [
    Procedure(),
    Procedure(0),
    Procedure(3, more=5),
    Procedure(14, more=1, burn=True),
    Procedure(60, more=3, burn=True),
    Procedure(200),
    Procedure(207, burn=True),
    Procedure(205, more=2, burn=True),
]


@pytest.mark.parametrize("procedure", PROCEDURES, ids=str)
@pytest.mark.parametrize("key", ["baccarat", "7-up", "fa-fa-fabulous-4"])
def test_every_round_of_a_shoe_begins_with_the_cards_that_a_slow_deal_leaves(key: str, procedure: Procedure) -> None:
    game, shoes, seed = GAMES[key], 12, 5
    whole = Composition.full(game.deck, 4)
    chance = np.random.Generator(np.random.PCG64(seed))
    found: list[list[list[int]]] = [[] for _ in range(shoes)]
    for live, left in rounds_of_shoes(game, whole, procedure, shoes, chance):
        assert (left >= 0).all()
        for number, row in zip(live, left, strict=True):
            found[number].append(row.tolist())
    # The same shuffle: cards numbered as the deck has them, and each shoe a row.
    again = np.random.Generator(np.random.PCG64(seed))
    orders = again.permuted(np.tile(np.repeat(np.arange(game.deck.size), 4), (shoes, 1)), axis=1)
    for number, order in enumerate(orders):
        shoe = Shoe(game.deck, 4, tuple(game.deck.cards[card] for card in order), procedure.cut)
        assert found[number] == slow_rounds(game, shoe, procedure), number


@pytest.mark.parametrize("cut", [-1, 416, 1000])
def test_a_cutting_card_lies_within_the_shoe(cut: int) -> None:
    plan = Plan(Procedure(cut), shoes=2)
    with pytest.raises(BadCut, match=f"^a cutting card {cut:,} from the end of 416 cards: expected 0 to 415$"):
        Counting(find("baccarat")).exposures(plan)


def test_an_unknown_wager_is_not_counted() -> None:
    with pytest.raises(UnknownWager, match="expected Player, Banker, Tie"):
        Counting(find("baccarat"), wagers=["Player", "Nobody"])


# --- the commands ----------------------------------------


@pytest.fixture
def punto() -> Punto:
    """The command on a screen of 100 columns."""
    return partial(shell.punto, COLUMNS="100")


def refusal(punto: Punto, *arguments: str) -> tuple[str, str]:
    """The code and the message of a refusal."""
    error = shell.refusal(punto, *arguments)
    return error["code"], error["message"]


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ("--cut -1", "bad-cut", "a cutting card -1 from the end of 416 cards: expected 0 to 415"),
        ("--cut 416", "bad-cut", "a cutting card 416 from the end of 416 cards: expected 0 to 415"),
        ("--decks 4 --cut 208", "bad-cut", "a cutting card 208 from the end of 208 cards: expected 0 to 207"),
        ("--cut x", "bad-usage", "--cut: 'x' is no number: expected the number of cards behind the cutting card"),
        ("--wager Nobody", "unknown-wager", "'Nobody' is not a wager of baccarat: expected Player, Banker, Tie, *"),
        ("--wager=", "unknown-wager", "'' is not a wager of baccarat: expected Player, Banker, Tie, *"),
        ("--tags 6", "bad-usage", "--tags: part 1: '6': expected each rank once with its tag, as in 6=-3,7=1"),
        ("--tags 6=x", "bad-usage", "--tags: part 1: '6=x': expected each rank once with its tag, *"),
        ("--tags 6=1,X=1", "bad-usage", "--tags: part 2: 'X=1': expected each rank once with its tag, *"),
        ("--tags 6=1,7=2,6=1", "bad-usage", "--tags: part 3: '6=1': expected each rank once with its tag, *"),
        ("--tags 6=1000", "bad-usage", "--tags: part 1: '6=1000': expected each rank once with its tag, *"),
        ("--tags=", "bad-usage", "--tags: part 1: '': expected each rank once with its tag, *"),
        ("--trigger 3", "bad-usage", "count: --trigger is for tags of your own: expected --tags TAGS too"),
        ("--tags 6=1 --trigger x", "bad-usage", "--trigger: 'x' is no number: expected a count, as in 4"),
        ("--tags 6=1 --trigger nan", "bad-usage", "--trigger: 'nan' is no number: expected a count, as in 4"),
        ("--tags 6=1 --trigger -inf", "bad-usage", "--trigger: '-inf' is no number: expected a count, as in 4"),
        ("--level 0", "bad-usage", "--level: 0 is too large or too small: expected 1 to 4"),
        ("--level 5", "bad-usage", "--level: 5 is too large or too small: expected 1 to 4"),
        ("--shoes 1", "bad-usage", "--shoes: 1 is too large or too small: expected 2 to 1,000,000"),
        ("--shoes 1000001", "bad-usage", "--shoes: 1000001 is too large or too small: expected 2 to 1,000,000"),
        ("--seed -1", "bad-usage", "--seed: -1 is out of range: expected 0 to *"),
        ("--more -1", "bad-usage", "--more: -1 is below 0: expected 0 or more"),
        ("--decks 3", "bad-decks", "3 decks: expected 4 to 10"),
        ("--running", "bad-usage", "count: --running is for tags of your own: expected --tags TAGS too"),
        ("--plot count.svg", "bad-usage", "count: --plot draws one wager: expected --wager WAGER too"),
        ("--wager Tie --plot count.gif", "unwritable-file", "'count.gif': expected a name that ends in *"),
        ("--wager Tie --plot /nowhere/a.svg", "unwritable-file", "'/nowhere/a.svg': its folder does not exist: *"),
    ],
)
def test_count_says_in_one_line_what_is_wrong(punto: Punto, options: str, code: str, message: str) -> None:
    found = refusal(punto, "count", "baccarat", *options.split(" "))
    assert found[0] == code
    assert re.fullmatch(re.escape(message).replace(r"\*", ".+"), found[1]), found[1]


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ("--mix Nobody=1", "unknown-wager", "'Nobody' is not a wager of baccarat: expected Player, Banker, Tie, *"),
        ("--mix=", "unknown-wager", "'' is not a wager of baccarat: expected Player, Banker, Tie, *"),
        ("--mix Banker=-1", "bad-mix", "part 1: 'Banker=-1': expected each wager once, with a stake of 0 or more, *"),
        ("--mix Tie=1,Banker=x", "bad-mix", "part 2: 'Banker=x': expected each wager once, *"),
        ("--mix Banker=1,Banker=2", "bad-mix", "part 2: 'Banker=2': expected each wager once, *"),
        ("--mix Banker=1/0", "bad-mix", "part 1: 'Banker=1/0': expected each wager once, *"),
        ("--mix Banker=0", "bad-mix", "a mix without a stake: expected at least one wager with a stake above 0"),
        ("--mix Banker=1 --rounds 0", "bad-rounds", "0 rounds: expected 1 to 1,000,000,000"),
        ("--mix Banker=1 --rounds 1e10", "bad-rounds", "10,000,000,000 rounds: expected 1 to 1,000,000,000"),
        ("--mix Banker=1 --rounds 1.5", "bad-rounds", "--rounds: '1.5' is no whole number: expected one as in *"),
        ("--mix Banker=1 --decks 11", "bad-decks", "11 decks: expected 4 to 10"),
        ("--mix Banker=1 --plot hold.txt", "unwritable-file", "'hold.txt': expected a name that ends in *"),
        ("--mix Banker=1 --plot /nowhere/a.svg", "unwritable-file", "'/nowhere/a.svg': its folder does not exist: *"),
        ("", "bad-usage", "Missing option '--mix': expected *"),
    ],
)
def test_hold_says_in_one_line_what_is_wrong(punto: Punto, options: str, code: str, message: str) -> None:
    found = refusal(punto, "hold", "baccarat", *options.split())
    assert found[0] == code
    assert re.fullmatch(re.escape(message).replace(r"\*", ".+"), found[1]), found[1]


@pytest.mark.parametrize("figure", ["1e400", "1e-400", "1e99999"])
def test_hold_refuses_a_stake_beyond_all_measure(punto: Punto, figure: str) -> None:
    code, message = refusal(punto, "hold", "baccarat", "--mix", f"Banker={figure}")
    assert code == "bad-mix"
    assert message.startswith(f"part 1: 'Banker={figure}': expected each wager once, with a stake of 0 or more")


def test_the_commands_refuse_a_game_that_is_not_there(punto: Punto) -> None:
    assert refusal(punto, "count", "faro")[0] == "unknown-game"
    assert refusal(punto, "hold", "faro", "--mix", "Banker=1")[0] == "unknown-game"
    assert refusal(punto, "count", "nowhere.toml")[0] == refusal(punto, "hold", "nowhere.toml", "--mix", "Tie")[0]


@pytest.mark.parametrize("command", [("count", "baccarat", "--cut", "-1"), ("hold", "baccarat", "--mix", "Banker=x")])
def test_a_process_of_its_own_says_the_same(punto: Punto, command: tuple[str, ...]) -> None:
    alone = process(*command)
    assert alone == punto(*command)
    assert (alone.status, alone.out, alone.err.count("\n")) == (2, "", 1)


def test_count_answers_a_program_with_what_the_lab_finds(punto: Punto) -> None:
    said = punto("count", "tiger", *"--wager Tiger --shoes 30 --cut 20 --more 1 --burn --seed 4 --json".split())
    found = json.loads(said.out)
    lab = exposure(find("tiger"), "Tiger", Plan(Procedure(20, 1, burn=True), 30, 4))
    assert (found["cut"], found["more"], found["burn"], found["shoes"], found["seed"]) == (20, 1, True, 30, 4)
    answer = found["wagers"]["Tiger"]
    assert answer["perfect"]["won_per_shoe"] == lab.perfect.won
    assert answer["counter"]["bets_per_shoe"] == lab.counter.bets
    assert answer["effects"] == {effect.name: str(effect.effect) for effect in lab.effects}
    assert answer["rounds_per_shoe"] == lab.rounds
    assert answer["trigger"] == lab.trigger


def test_count_takes_tags_and_a_trigger(punto: Punto) -> None:
    options = "--wager Tiger --shoes 30 --tags 6=-3,7=1,8=1,9=1 --trigger 2.5 --json".split()
    answer = json.loads(punto("count", "tiger", *options).out)["wagers"]["Tiger"]
    lab = exposure(find("tiger"), "Tiger", Plan(shoes=30, tags={"6": -3, "7": 1, "8": 1, "9": 1}, trigger=2.5))
    assert answer["count"]["tags"] == dict(zip(["T J Q K", *RANKS[1:]], lab.count.tags, strict=True))
    assert (answer["trigger"], answer["counter"]["won_per_shoe"]) == (2.5, lab.counter.won)


def test_hold_answers_a_program_with_what_the_lab_finds(punto: Punto) -> None:
    found = json.loads(punto("hold", "tiger", "--mix", "Tie=3,Tiger Tie=1/2", "--rounds", "1e3", "--json").out)
    mix = Mix(find("tiger"), {"Tie": Fraction(3), "Tiger Tie": Fraction(1, 2)})
    assert found["mix"] == {"Tie": "3", "Tiger Tie": "1/2"}
    assert (found["mean"], found["variance"]) == (str(mix.mean), str(mix.variance))
    assert found["ahead"] == mix.after(1000).ahead
    assert found["rounds_until_ahead"] == mix.rounds_until_ahead()
