"""What the house holds: against plain convolution, exhaustive scans, and shoes dealt by chance."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt
from typing import Final

import numpy as np
import pytest
from tests.marks import by_day
from tests.width import width

from punto.errors import BadCut, BadMix, BadRounds
from punto.games import GAMES, find, loads
from punto.lab import Composition, Mix, Odds, Sessions, Stakes
from punto.lab.sums import Sums
from punto.rules import Game

NIGHTLY: Final = pytest.mark.nightly
CERTAINTY: Final = 0.99


@pytest.fixture(autouse=True, scope="module")
def _once() -> Iterator[None]:
    """Work out the odds of a game once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("punto.lab.hold.Odds", cache(Odds))
        yield


MIXES: Final = [
    ("baccarat", "Banker=1"),
    ("baccarat", "Banker=60,Player=35,Tie=5"),
    ("fortune-six", "Banker=2,Fortune Six=1/2,Player Dragon Bonus=0.25"),
    ("tiger", "Big Tiger"),
    ("7-up", "Super 7's=3,Banker=0"),
    ("fa-fa-fabulous-4", "Tie=1"),
]


def convolved(mix: Mix, rounds: int) -> dict[Fraction, Fraction]:
    """All that the house can hold after so many rounds, and how likely it is, exactly."""
    held = {Fraction(0): Fraction(1)}
    for _ in range(rounds):
        then: Counter[Fraction] = Counter()
        for (won, chance), (more, share) in product(held.items(), mix.outcomes.items()):
            then[won + more] += chance * share  # type: ignore[assignment]
        held = dict(then)  # type: ignore[arg-type]
    return held


@pytest.mark.parametrize(("key", "text"), MIXES)
@pytest.mark.parametrize("rounds", [1, 2, 3, 5])
def test_the_hold_is_what_convolution_gives(key: str, text: str, rounds: int) -> None:
    mix = Mix.read(text, GAMES[key])
    exact = convolved(mix, rounds)
    held = mix.after(rounds)
    assert sum(exact.values()) == 1
    unit = Fraction(1, 10**6)
    found = {round(Fraction(won) / unit): chance for won, chance in zip(held.won, held.chance, strict=True)}
    assert len(found) == len(held.won)
    for won, chance in exact.items():
        assert found.pop(round(won / unit)) == pytest.approx(float(chance), abs=1e-13)
    assert max(found.values(), default=0) < 1e-13
    assert held.ahead == pytest.approx(float(sum(chance for won, chance in exact.items() if won > 0)), abs=1e-11)
    assert held.staked == float(mix.stake * rounds)


@pytest.mark.parametrize(("key", "text"), MIXES)
def test_the_mean_and_the_variance_of_a_mix_follow_from_its_wagers(key: str, text: str) -> None:
    mix = Mix.read(text, GAMES[key], 6)
    odds = Odds(GAMES[key]).of(Composition.full(GAMES[key].deck, 6))
    assert sum(mix.outcomes.values()) == 1
    assert mix.stake == sum(mix.stakes.values())
    assert mix.mean == sum(stake * odds.wagers[name].edge for name, stake in mix.stakes.items())
    pairs = product(mix.stakes.items(), repeat=2)
    assert mix.variance == sum(a * b * odds.covariance(one, other) for (one, a), (other, b) in pairs)


@pytest.mark.parametrize(("key", "text"), MIXES)
@pytest.mark.parametrize("rounds", [40, 1000, 250_000])
def test_the_hold_keeps_its_mean_and_its_deviation_however_many_rounds(key: str, text: str, rounds: int) -> None:
    mix = Mix.read(text, GAMES[key])
    held = mix.after(rounds)
    mean = float(held.won @ held.chance)
    deviation = sqrt(float((held.won - mean) ** 2 @ held.chance))
    assert held.chance.sum() == pytest.approx(1)
    assert deviation == pytest.approx(sqrt(rounds * float(mix.variance)), rel=1e-5)
    assert mean == pytest.approx(rounds * float(mix.mean), abs=1e-5 * deviation)
    quantiles = [held.quantile(share) for share in (0.0001, 0.01, 0.25, 0.5, 0.75, 0.99, 0.9999)]
    assert quantiles == sorted(quantiles)
    assert float(held.chance[held.won < held.quantile(0.25)].sum()) < 0.25
    assert float(held.chance[held.won <= held.quantile(0.25)].sum()) >= 0.25


def test_the_normal_law_is_as_skewed_as_the_exact_distribution() -> None:
    mix, rounds = Mix.read("Tiger Pair=1", GAMES["tiger"]), 50_000
    exact, normal = mix.after(rounds), mix._by_the_normal_law(rounds)  # noqa: SLF001 (both answer for these rounds)
    assert exact.exact
    assert not normal.exact
    deviation = sqrt(rounds * float(mix.variance))
    for share in (0.01, 0.1, 0.5, 0.9, 0.99):
        assert normal.quantile(share) == pytest.approx(exact.quantile(share), abs=0.005 * deviation), share


@pytest.mark.parametrize(
    ("key", "wager", "certainty", "horizon"),
    [
        ("tiger", "Tiger Tie", 0.9, 1200),
        ("baccarat", "Tie", 0.9, 1200),
        pytest.param("7-up", "Super 7's", 0.8, 700, marks=NIGHTLY),
        ("tiger", "Big Tiger", 0.6, 1200),
    ],
)
def test_the_house_is_ahead_from_so_many_rounds_on_and_not_from_fewer(
    key: str, wager: str, certainty: float, horizon: int
) -> None:
    """What one win of a patron costs takes many rounds to come back: the certainty goes up and down that slowly."""
    mix = Mix(GAMES[key], {wager: Fraction(1)})
    sure = [mix.after(rounds).ahead >= certainty for rounds in range(1, horizon)]
    last = max((rounds for rounds, ahead in enumerate(sure, 1) if not ahead), default=0)
    assert last < horizon - 200
    assert mix.rounds_until_ahead(certainty) == last + 1


def test_the_house_is_never_ahead_for_sure_of_a_wager_without_an_edge() -> None:
    mix = Mix(declared("winner banker", "2 to 1"), {"Own": Fraction(1)})
    assert mix.mean < 0
    assert mix.rounds_until_ahead() is None


@pytest.mark.parametrize(
    "text",
    ["Banker=-1", "Banker=x", "Banker=", "Banker=1,Tie=2,Banker=1", "Banker=1/0", "Banker=nan", "Tie=0,Banker=0"],
)
def test_a_mix_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(BadMix, match=": expected "):
        Mix.read(text, find("baccarat"))


@pytest.mark.parametrize("stakes", [{}, {"Banker": Fraction(0)}, {"Banker": Fraction(-1), "Tie": Fraction(2)}])
def test_a_mix_has_a_stake(stakes: dict[str, Fraction]) -> None:
    with pytest.raises(BadMix, match="expected at least one wager with a stake above 0"):
        Mix(find("baccarat"), stakes)


@pytest.mark.parametrize("rounds", [-1, 0, 10**9 + 1])
def test_a_hold_is_of_at_least_one_round_and_not_of_too_many(rounds: int) -> None:
    with pytest.raises(BadRounds, match=r"expected 1 to 1,000,000,000$"):
        Mix.read("Banker", find("baccarat")).after(rounds)


@pytest.mark.parametrize(
    ("stakes", "rounds"), [("Banker=1.000001,Tie=0.000003", 10_000), ("Banker=1,Tie=0.0001", 10**9)]
)
def test_stakes_too_uneven_to_be_exact_are_answered_nearly(stakes: str, rounds: int) -> None:
    held = Mix.read(stakes, find("baccarat")).after(rounds)
    plain = Mix.read("Banker", find("baccarat")).after(rounds)
    assert not held.exact
    assert held.ahead == pytest.approx(plain.ahead, abs=2e-3)
    deviation = (float(plain.mix.variance) * rounds) ** 0.5
    for share in (0.01, 0.5, 0.99):
        assert held.quantile(share) == pytest.approx(plain.quantile(share), abs=0.01 * deviation + 0.0002 * rounds)


@pytest.mark.parametrize(
    "stakes",
    [
        "Banker=12.25,Player=7.75,Tie=1.1,Player Pair=0.7",
        pytest.param("Player=1000,Tie=3,Player Pair=7", marks=NIGHTLY),
    ],
)
def test_uneven_stakes_do_not_keep_anybody_waiting(stakes: str) -> None:
    mix = Mix.read(stakes, find("baccarat"))
    needed = mix.rounds_until_ahead()
    assert needed is not None
    assert mix.after(needed).ahead == pytest.approx(0.99, abs=2e-3)


def declared(when: str, odds: str) -> Game:
    """A game with one wager."""
    return loads(
        f'key = "own"\ntitle = "Own"\n[[wager]]\nname = "Own"\npays = [{{ when = "{when}", odds = "{odds}" }}]'
    )


# --- from how many rounds on ----------------------------------------


def different_wagers() -> list[tuple[str, str]]:
    """Every wager of every game, those that pay the same from the same deck once."""
    found: dict[object, tuple[str, str]] = {}
    for key, game in GAMES.items():
        for wager in game.wagers:
            pays = tuple((str(pay.when), pay.odds) for pay in wager.pays)
            found.setdefault((game.deck.key, game.opening, pays), (key, wager.name))
    return list(found.values())


# The gate tries one for each way to pay: even money, two payments for one win, margins, long odds, another deck.
PAID: Final = (
    ("baccarat", "Tie"),
    ("baccarat", "Player Pair"),
    ("7-up", "Banker"),
    ("fortune-six", "Player Dragon Bonus"),
    ("tiger", "Tiger Pair"),
    ("fa-fa-fabulous-4", "Player"),
    ("7-up", "Super 7's"),
)


def steps_of(mix: Mix) -> dict[int, float]:
    """The outcomes of a round in whole cents, so to speak."""
    unit = Fraction(1, int(np.lcm.reduce([won.denominator for won in mix.outcomes])))
    return {int(won / unit): float(chance) for won, chance in mix.outcomes.items()}


def no_violation_from(mix: Mix, certainty: float) -> int:
    """From there on no violation can follow, by Chernoff's bound with the best tilt that bisection finds."""
    won = np.array([float(each) for each in mix.outcomes])
    chances = np.array([float(each) for each in mix.outcomes.values()])
    low, high = 0.0, 50.0 / float(np.abs(won).max())
    for _ in range(200):
        tilt = (low + high) / 2
        slope = float((-won * chances) @ np.exp(-tilt * won))
        low, high = (tilt, high) if slope < 0 else (low, tilt)
    decay = float(np.log(chances @ np.exp(-low * won)))
    assert decay < 0
    return int(np.log(1 - certainty) / decay) + 2


@pytest.mark.parametrize(("key", "wager"), by_day(different_wagers(), PAID))
def test_an_exhaustive_scan_finds_the_last_violation_where_the_search_does(key: str, wager: str) -> None:
    """Every number of rounds up to the one after which no violation can follow is looked at."""
    mix = Mix(GAMES[key], {wager: Fraction(1)})
    rounds = np.arange(1, no_violation_from(mix, CERTAINTY) + 1)
    ahead = 1 - Sums(steps_of(mix)).at_most(rounds, np.zeros_like(rounds))
    assert mix.search_is_exact
    assert mix.rounds_until_ahead(CERTAINTY) == int(rounds[ahead < CERTAINTY][-1]) + 1


def scanned_by_convolution(mix: Mix, certainty: float) -> int:
    """The same scan without any transform: one round after the other is added, term by term."""
    steps = steps_of(mix)
    settled = no_violation_from(mix, certainty)
    low, high = min(steps), max(steps)
    deviation = sqrt(sum(step**2 * chance for step, chance in steps.items()))
    reach = int(14 * deviation * sqrt(settled)) + 20 * (high - low)
    law = np.zeros(2 * reach + 1)
    law[reach] = 1
    last = 0
    # Sums that have moved further than this do not come back below zero.
    for rounds in range(1, settled + 1):
        then = np.zeros_like(law)
        for step, chance in steps.items():
            if step >= 0:
                then[step:] += chance * law[: len(law) - step]
            else:
                then[:step] += chance * law[-step:]
        law = then
        if law[: reach + 1].sum() > 1 - certainty:
            last = rounds
    return last + 1


@pytest.mark.parametrize(
    ("key", "wager"),
    [
        ("baccarat", "Tie"),
        ("tiger", "Tiger Tie"),
        ("fabulous-4s", "Player Precious Pair"),
        pytest.param("7-up", "Super 7's", marks=NIGHTLY),
        pytest.param("fa-fa-fabulous-4", "Player Fabulous 4", marks=NIGHTLY),
        pytest.param("7-up", "Player", marks=NIGHTLY),
    ],
)
def test_a_scan_without_transforms_finds_the_same(key: str, wager: str) -> None:
    mix = Mix(GAMES[key], {wager: Fraction(1)})
    assert mix.rounds_until_ahead(CERTAINTY) == scanned_by_convolution(mix, CERTAINTY)


def test_one_large_win_is_waited_for_as_long_as_it_takes_to_be_won_back() -> None:
    """After 5,700 rounds the house is not ahead for sure: a single win of 700 is still to be won back."""
    mix = Mix(GAMES["7-up"], {"Super 7's": Fraction(1)})
    needed = mix.rounds_until_ahead()
    assert mix.after(5_700).ahead < CERTAINTY
    assert needed == 6_771
    assert mix.after(needed - 1).ahead < CERTAINTY <= mix.after(needed).ahead
    assert Mix(GAMES["fa-fa-fabulous-4"], {"Player Fabulous 4": Fraction(1)}).rounds_until_ahead() == 17_443


@pytest.mark.parametrize(
    ("text", "certainty"),
    by_day(
        product(["Tie", "Player Pair=2,Tie=1", "Banker=20,Player Pair=10"], [0.5, 0.9, 0.99999]),
        [
            *product(["Tie", "Player Pair=2,Tie=1"], [0.5, 0.9, 0.99999]),
            ("Banker=20,Player Pair=10", 0.99999),
        ],
    ),
)
def test_any_certainty_holds_from_there_on(text: str, certainty: float) -> None:
    mix = Mix.read(text, GAMES["baccarat"])
    rounds = np.arange(1, no_violation_from(mix, certainty) + 1)
    short = rounds[1 - Sums(steps_of(mix)).at_most(rounds, np.zeros_like(rounds)) < certainty]
    assert mix.rounds_until_ahead(certainty) == int(short.max(initial=0)) + 1


@pytest.mark.parametrize("certainty", [-0.5, 0.0, 1.0, 1.5, float("nan")])
def test_a_certainty_lies_between_nothing_and_all(certainty: float) -> None:
    with pytest.raises(BadRounds, match="expected one above 0 and below 1"):
        Mix.read("Tie", GAMES["baccarat"]).rounds_until_ahead(certainty)


def test_a_house_that_cannot_lose_is_ahead_at_once() -> None:
    never = declared("player total 0 and player total 1", "1 to 1")
    assert Mix(never, {"Own": Fraction(1)}).rounds_until_ahead() == 1
    assert Mix(never, {"Own": Fraction(1)}).rounds_until_ahead(by_shoe=True) == 1


@NIGHTLY
def test_a_small_edge_takes_many_rounds_and_too_small_a_one_too_many() -> None:
    """A wager on Player that pays so that the house has an edge of so little."""
    odds = Odds(GAMES["baccarat"]).of().wagers["Player"]
    won, lost = (float(odds.lines[place].probability) for place in (0, -1))
    for edge, expected in ((1e-4, range(400_000_000, 600_000_000)), (3e-5, None)):
        pays = Fraction((lost - edge) / won).limit_denominator(10**5)
        game = loads(
            'key = "own"\ntitle = "Own"\n[[wager]]\nname = "Own"\npays = [{ when = "winner player", odds = '
            f'"{pays.numerator} to {pays.denominator}" }}, {{ when = "winner tie", odds = "push" }}]'
        )
        mix = Mix(game, {"Own": Fraction(1)})
        assert float(mix.mean) == pytest.approx(edge, rel=0.1)
        needed = mix.rounds_until_ahead()
        assert needed is None if expected is None else needed in expected


# --- as shoes deal rounds ----------------------------------------


def test_the_variance_of_many_rounds_is_that_of_their_pairs() -> None:
    mix = Mix(GAMES["7-up"], {"Super 7's": Fraction(1)})
    variance, size = float(mix.variance), mix.rounds_per_shoe
    assert size == 105
    assert mix.deviation(1) == pytest.approx(sqrt(variance))
    assert mix.deviation(2) ** 2 == pytest.approx(2 * variance + 2 * mix.covariance)
    assert mix.deviation(60) ** 2 == pytest.approx(60 * variance * (1 - 0.374), rel=1e-3)
    shoe, rest = mix.deviation(size) ** 2, mix.deviation(7) ** 2
    assert mix.deviation(3 * size + 7) ** 2 == pytest.approx(3 * shoe + rest)


def test_pairs_of_cards_make_rounds_of_a_shoe_more_alike_and_other_wagers_less() -> None:
    """A pair that is gone leaves more pairs of other ranks: these rounds lean towards each other, if only a little."""
    for name, sign in (("Player", -1), ("Banker", -1), ("Tie", -1), ("Player Pair", 1), ("Banker Pair", 1)):
        assert sign * Mix(GAMES["baccarat"], {name: Fraction(1)}).covariance > 0, name


@pytest.mark.parametrize(
    ("key", "wager", "rounds"),
    [
        ("7-up", "Super 7's", 1_050),
        ("7-up", "Banker", 500),
        pytest.param("7-up", "Super 7's", 3_000, marks=NIGHTLY),
        pytest.param("tiger", "Tiger Tie", 1_000, marks=NIGHTLY),
    ],
)
def test_what_the_house_holds_by_shoe_is_what_shoes_dealt_by_chance_leave_it(key: str, wager: str, rounds: int) -> None:
    sessions, bankroll = width(20_000, 100_000), 10**6
    mix = Mix(GAMES[key], {wager: Fraction(1)})
    dealt = bankroll - Sessions(GAMES[key], wager).play(Stakes.named("flat"), bankroll, rounds, sessions).final
    law, alone = mix.after(rounds, by_shoe=True), mix.after(rounds)
    # The common outcomes show in the middle of the law; the 700 to 1 does not.
    for share in (0.05, 0.25, 0.5, 0.75, 0.95):
        error = 4 * sqrt(share * (1 - share) / sessions)
        low, high = np.quantile(dealt, [share - error, share + error])
        step = 0.06 * mix.deviation(rounds)
        assert low - step <= law.quantile(share) <= high + step, share
    assert law.ahead == pytest.approx(float((dealt > 0).mean()), abs=4 * sqrt(0.1 / sessions))
    middle = [float(np.subtract(*np.quantile(dealt, [0.95, 0.05]))), law.quantile(0.95) - law.quantile(0.05)]
    assert middle[1] == pytest.approx(middle[0], rel=0.1)
    assert alone.quantile(0.95) - alone.quantile(0.05) > middle[0]


@pytest.mark.parametrize(("key", "wager"), by_day(different_wagers(), PAID))
def test_the_law_by_shoe_has_the_mean_and_the_deviation_that_shoes_have(key: str, wager: str) -> None:
    mix = Mix(GAMES[key], {wager: Fraction(1)})
    for rounds in (1, 500, 20_000):
        law = mix.after(rounds, by_shoe=True)
        mean = float(law.won @ law.chance)
        assert law.chance.sum() == pytest.approx(1)
        assert mean == pytest.approx(rounds * float(mix.mean), abs=1e-3 * mix.deviation(rounds))
        assert sqrt(float((law.won - mean) ** 2 @ law.chance)) == pytest.approx(mix.deviation(rounds), rel=0.005)
    one, same = mix.after(1), mix.after(1, by_shoe=True)
    assert same.ahead == pytest.approx(one.ahead, abs=1e-12)


@pytest.mark.parametrize(
    ("key", "wager"),
    [("7-up", "Super 7's"), ("baccarat", "Tie"), pytest.param("tiger", "Tiger Pair", marks=NIGHTLY)],
)
def test_from_so_many_rounds_of_shoes_on_the_house_is_ahead_and_not_one_before(key: str, wager: str) -> None:
    mix = Mix(GAMES[key], {wager: Fraction(1)})
    needed = mix.rounds_until_ahead(by_shoe=True)
    assert needed is not None
    assert mix.after(needed - 1, by_shoe=True).ahead < CERTAINTY
    for later in range(needed, 2 * needed, max(1, needed // 6)):
        assert mix.after(later, by_shoe=True).ahead >= CERTAINTY, later


def test_a_cutting_card_lies_within_the_shoe() -> None:
    with pytest.raises(BadCut, match="expected 0 to 415"):
        Mix.read("Banker", GAMES["baccarat"], cut=416)
    deep, early = (Mix.read("Banker", GAMES["baccarat"], cut=cut) for cut in (0, 200))
    assert (deep.rounds_per_shoe, early.rounds_per_shoe) == (85, 44)
    assert deep != early


@pytest.mark.parametrize("odds", ["9999999 to 1", "999983 to 999979", "123457 to 2"])
@pytest.mark.parametrize("when", ["sevens 6", "sevens 4", "winner banker"])
def test_odds_beyond_all_measure_are_held_against_by_shoe_too(when: str, odds: str) -> None:
    mix = Mix(declared(when, odds), {"Own": Fraction(1)})
    for rounds in (1, 50, 10_000):
        law = mix.after(rounds, by_shoe=True)
        assert law.chance.sum() == pytest.approx(1, abs=1e-6)
        assert 0 <= law.ahead <= 1 + 1e-6
