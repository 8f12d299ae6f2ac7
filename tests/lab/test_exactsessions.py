"""Exact sessions: beside plain fractions, closed forms, a second chain, and sessions dealt by chance."""

import time
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm, sqrt

import numpy as np
import pytest
from tests.width import SEED, width

from punto.errors import BadRounds, BadStakes
from punto.games import GAMES, loads
from punto.lab import ExactBankrolls, Odds, Sessions, Stakes
from punto.lab.odds import WagerOdds
from punto.lab.stakes import QUANTILES, Step
from punto.rules import Game

# The cutting card lies behind the first card: every round comes from a fresh shoe, and rounds are independent.
FRESH = {52: 415, 65: 519}


@cache
def odds_of(key: str, wager: str) -> WagerOdds:
    return Odds(GAMES[key]).of().wagers[wager]


@cache
def sessions_of(key: str, wager: str) -> Sessions:
    return Sessions(GAMES[key], wager, cut=FRESH[GAMES[key].deck.size])


@dataclass
class Ended:
    """What became of a bankroll, by a plain walk over all that can happen."""

    going: dict[tuple[int, Fraction], Fraction]
    short: dict[Fraction, Fraction]
    reached: dict[Fraction, Fraction]
    bets: Fraction


def in_fractions(odds: WagerOdds, stakes: Stakes, bankroll: int, rounds: int, goal: int | None) -> Ended:
    """The session in exact fractions, as a person would follow it."""
    ended = Ended({}, {}, {}, Fraction(0))

    def put(step: int, money: Fraction, chance: Fraction, into: Counter[tuple[int, Fraction]]) -> None:
        if goal is not None and money >= goal:
            ended.reached[money] = ended.reached.get(money, Fraction(0)) + chance
        elif money < stakes.steps[step].stake or money <= 0:
            ended.short[money] = ended.short.get(money, Fraction(0)) + chance
        else:
            into[step, money] += chance  # type: ignore[assignment]

    going: Counter[tuple[int, Fraction]] = Counter()
    put(0, Fraction(bankroll), Fraction(1), going)
    for _ in range(rounds):
        after: Counter[tuple[int, Fraction]] = Counter()
        for (number, money), chance in going.items():
            step = stakes.steps[number]
            ended.bets += chance if step.stake else 0
            for line in odds.lines:
                follows = step.win if line.net > 0 else step.lose if line.net < 0 else number
                put(follows, money + step.stake * line.net, chance * line.probability, after)
        going = after
    ended.going = dict(going)  # type: ignore[arg-type]
    return ended


def agrees(exact: ExactBankrolls, ended: Ended) -> None:
    """Every figure agrees to 10⁻¹²."""
    law: Counter[Fraction] = Counter()
    for (_, money), chance in ended.going.items():
        law[money] += chance  # type: ignore[assignment]
    for part in (ended.short, ended.reached):
        for money, chance in part.items():
            law[money] += chance  # type: ignore[assignment]
    assert sum(law.values()) == 1
    close = 1e-12
    assert exact.could_not_pay == pytest.approx(float(sum(ended.short.values())), abs=close)
    assert exact.reached == pytest.approx(float(sum(ended.reached.values())), abs=close)
    assert exact.bets == pytest.approx(float(ended.bets), rel=close)
    mean = sum((money * Fraction(chance) for money, chance in law.items()), Fraction(0))
    assert exact.mean == pytest.approx(float(mean), rel=close)
    won = sum(chance for money, chance in law.items() if money > exact.bankroll)
    assert exact.ahead == pytest.approx(float(won), abs=close)
    found = {round(float(money) * 1e6): float(chance) for money, chance in zip(exact.final, exact.chance, strict=True)}
    for amount, likely in law.items():
        assert found.pop(round(float(amount) * 1e6), 0.0) == pytest.approx(float(likely), abs=close)
    assert max(found.values(), default=0.0) < close
    for share in QUANTILES:
        below = Fraction(0)
        for money in sorted(law):
            below += Fraction(law[money])
            if below >= Fraction(share):
                assert exact.quantile(share) == pytest.approx(float(money))
                break


OWN = Stakes("own", (Step(2, 1, 2), Step(0, 0, 2), Step(3, 2, 0)))


@pytest.mark.parametrize(
    ("key", "wager", "way", "bankroll", "rounds", "goal"),
    [
        ("baccarat", "Banker", "flat", 3, 12, None),
        ("baccarat", "Banker", "flat", 3, 12, 6),
        ("baccarat", "Player", "flat", 5, 25, 8),
        ("fortune-six", "Banker", "martingale", 10, 10, 14),
        ("tiger", "Tiger", "paroli", 6, 9, None),
        ("7-up", "Super 7's", "1-3-2-6", 9, 7, 40),
        ("fa-fa-fabulous-4", "Tie", "flat", 2, 14, None),
        ("7-up", "Player", "own", 7, 9, 15),
        ("baccarat", "Banker", "martingale", 1, 1, None),
    ],
)
def test_a_session_is_what_plain_fractions_give(
    key: str, wager: str, way: str, bankroll: int, rounds: int, goal: int | None
) -> None:
    stakes = OWN if way == "own" else Stakes.named(way, 16)
    exact = sessions_of(key, wager).exact(stakes, bankroll, rounds, goal)
    agrees(exact, in_fractions(odds_of(key, wager), stakes, bankroll, rounds, goal))


def one_by_one(odds: WagerOdds, stake: int, bankroll: int, rounds: int, goal: int | None) -> tuple[float, float, float]:
    """Flat stakes by a second method: one round after the other in extended precision, with no transform at all."""
    parts = lcm(*[line.net.denominator for line in odds.lines])
    moves = [
        (int(line.net * parts) * stake, np.longdouble(line.probability.numerator) / line.probability.denominator)
        for line in odds.lines
    ]
    top = goal * parts if goal is not None else (bankroll + rounds * 40) * parts
    law = np.zeros(top, dtype=np.longdouble)
    law[bankroll * parts] = 1
    short = reached = bets = np.longdouble(0)
    for _ in range(rounds):
        bets += law.sum()
        after = np.zeros(top, dtype=np.longdouble)
        for move, chance in moves:
            if move >= 0:
                after[move:] += chance * law[: top - move]
                reached += chance * law[top - move :].sum() if move else 0
            else:
                after[:move] += chance * law[-move:]
                short += chance * law[:-move].sum()
        short += after[: stake * parts].sum()
        after[: stake * parts] = 0
        law = after
    return float(short), float(reached), float(bets)


@pytest.mark.parametrize(
    ("key", "wager", "stake", "bankroll", "rounds", "goal"),
    [
        ("baccarat", "Banker", 1, 20, 600, 40),
        ("baccarat", "Player", 2, 50, 2_000, 90),
        ("7-up", "Banker", 3, 40, 500, 80),
        ("7-up", "Super 7's", 1, 30, 400, 200),
        ("tiger", "Tiger Tie", 1, 60, 700, 300),
        ("baccarat", "Player", 1, 30, 900, None),
    ],
)
def test_flat_stakes_agree_with_a_second_method(
    key: str, wager: str, stake: int, bankroll: int, rounds: int, goal: int | None
) -> None:
    stakes = Stakes("flat", (Step(stake, 0, 0),))
    exact = sessions_of(key, wager).exact(stakes, bankroll, rounds, goal)
    short, reached, bets = one_by_one(odds_of(key, wager), stake, bankroll, rounds, goal)
    assert exact.could_not_pay == pytest.approx(short, abs=1e-12)
    assert exact.reached == pytest.approx(reached, abs=1e-12)
    assert exact.bets == pytest.approx(bets, rel=1e-12)
    assert exact.left_out < 1e-12


def test_in_the_long_run_it_is_the_gamblers_ruin() -> None:
    """With even money, ties aside, the chance to double ten units is 1 / (1 + (q / p)¹⁰)."""
    won, _, lost = (line.probability for line in odds_of("baccarat", "Player").lines)
    exact = sessions_of("baccarat", "Player").exact(Stakes.named("flat"), 10, 20_000, 20)
    assert exact.reached == pytest.approx(float(1 / (1 + (lost / won) ** 10)), abs=1e-12)
    assert exact.could_not_pay + exact.reached == pytest.approx(1, abs=1e-12)


PLANS = [
    ("baccarat", "Banker", "flat", 20, 200, None),
    ("baccarat", "Banker", "flat", 10, 300, 20),
    ("baccarat", "Player", "martingale", 60, 150, 90),
    ("baccarat", "Tie", "flat", 30, 200, 100),
    ("baccarat", "Player Pair", "paroli", 40, 120, None),
    ("fortune-six", "Banker", "1-3-2-6", 25, 200, 60),
    ("fortune-six", "Fortune Six", "flat", 40, 150, None),
    ("fortune-six", "Player Dragon Bonus", "paroli", 30, 100, 80),
    ("super-six", "Super Six", "flat", 25, 100, 60),
    ("super-6", "Banker", "martingale", 30, 100, None),
    ("no-commission", "Banker", "paroli", 20, 150, 45),
    ("tiger", "Tiger", "1-3-2-6", 50, 150, 150),
    ("tiger", "Tiger Tie", "flat", 30, 120, None),
    ("tiger", "Big Tiger", "flat", 30, 100, 90),
    ("tiger-no-commission", "Tiger Pair", "flat", 40, 150, 100),
    ("fabulous-4s", "Player Precious Pair", "flat", 30, 120, 70),
    ("fa-fa-fabulous-4", "Banker", "martingale", 40, 120, 60),
    ("7-up", "Player", "1-3-2-6", 30, 200, 60),
    ("7-up", "Super 7's", "flat", 25, 150, 60),
    ("7-up", "Tie", "own", 30, 120, None),
]


@pytest.mark.parametrize(("key", "wager", "way", "bankroll", "rounds", "goal"), PLANS)
def test_twenty_plans_agree_with_sessions_dealt_by_chance(
    key: str, wager: str, way: str, bankroll: int, rounds: int, goal: int | None
) -> None:
    stakes = OWN if way == "own" else Stakes.named(way, 32)
    number = width(20_000, 200_000)
    sessions = sessions_of(key, wager)
    played = sessions.play(stakes, bankroll, rounds, number, SEED, goal)
    exact = sessions.exact(stakes, bankroll, rounds, goal)
    for name, share, chance in (
        ("could not pay", played.could_not_pay / number, exact.could_not_pay),
        ("reached", played.reached / number, exact.reached),
        ("ahead", played.ahead, exact.ahead),
    ):
        assert abs(share - chance) < 4.5 * sqrt(chance * (1 - chance) / number) + 1e-12, name
    mean, error = played.mean
    assert abs(mean - exact.mean) < 4.5 * error
    for share in QUANTILES:
        off = 4.5 * sqrt(share * (1 - share) / number)
        low, high = (np.quantile(played.final, min(1, max(0, share + each))) for each in (-off, off))
        assert low <= exact.quantile(share) <= high, share
    # The quantiles along the way, where many sessions are still going on.
    middle = len(played.moments) // 2
    assert exact.moments.tolist() == played.moments.tolist()
    off = 4.5 * sqrt(0.25 / number)
    low, high = (np.quantile(played.path[middle], 0.5 + each) for each in (-off, off))
    assert low <= exact.fan[3, middle] <= high


def test_rounds_of_one_shoe_make_a_difference_where_they_depend_on_each_other() -> None:
    """Super 7's by shoe: fewer sessions end ahead than independent rounds would have it."""
    dealt = Sessions(GAMES["7-up"], "Super 7's").play(Stakes.named("flat"), 100, 400, 5_000)
    exact = sessions_of("7-up", "Super 7's").exact(Stakes.named("flat"), 100, 400)
    assert dealt.ahead < 0.5 * exact.ahead


def test_a_session_takes_less_than_a_second() -> None:
    begun = time.perf_counter()
    sessions_of("baccarat", "Banker").exact(Stakes.named("martingale"), 100, 200)
    sessions_of("baccarat", "Banker").exact(Stakes.named("flat"), 100, 10_000, 200)
    assert time.perf_counter() - begun < 2


def test_more_money_than_can_be_followed_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.lab.chain._MOST_WORK", 1 << 24)
    with pytest.raises(BadRounds, match=r"^too many amounts of money to be followed exactly: expected fewer rounds"):
        sessions_of("baccarat", "Banker").exact(Stakes.named("martingale", 10**6), 10**8, 100_000)
    uneven = Stakes("uneven", (Step(1, 1, 0), Step(10**9, 0, 0)))
    with pytest.raises(BadRounds, match="too many amounts"):
        sessions_of("baccarat", "Banker").exact(uneven, 10**9, 10)


def test_large_stakes_are_counted_in_large_grains() -> None:
    """A million at a time is the same as one at a time."""
    large, small = (
        sessions_of("baccarat", "Banker").exact(Stakes("flat", (Step(unit, 0, 0),)), 20 * unit, 500, 40 * unit)
        for unit in (10**6, 1)
    )
    assert (large.could_not_pay, large.reached, large.bets) == (small.could_not_pay, small.reached, small.bets)
    assert large.mean == pytest.approx(10**6 * small.mean)
    odd = sessions_of("baccarat", "Player").exact(Stakes("flat", (Step(3, 0, 0),)), 10, 400, 20)
    assert odd.could_not_pay + odd.reached == pytest.approx(1, abs=1e-9)
    assert {round(money) for money in odd.final[odd.chance > 1e-9]} <= {1, 4, 7, 10, 13, 16, 19, 22}


def test_what_cannot_be_played_cannot_be_worked_out() -> None:
    banker, flat = sessions_of("baccarat", "Banker"), Stakes.named("flat")
    for rounds in (0, 100_001):
        with pytest.raises(BadRounds):
            banker.exact(flat, 10, rounds)
    for bankroll, goal in ((0, None), (10, 10), (10**9 + 1, None)):
        with pytest.raises(BadStakes):
            banker.exact(flat, bankroll, 10, goal)


def test_whoever_cannot_pay_the_first_stake_does_not_play() -> None:
    exact = sessions_of("baccarat", "Banker").exact(Stakes("dear", (Step(5, 0, 0),)), 4, 100)
    assert (exact.could_not_pay, exact.bets, exact.mean) == (1.0, 0.0, 4.0)
    assert len(exact.to_pandas()) == 101


def declared(when: str) -> Game:
    return loads(
        f'key = "own"\ntitle = "Own"\n[[wager]]\nname = "Own"\npays = [{{ when = "{when}", odds = "1 to 1" }}]'
    )


@pytest.mark.parametrize("rounds", [3, 300])
@pytest.mark.parametrize("goal", [None, 30])
def test_a_wager_that_never_wins_or_always_does_has_a_session_too(rounds: int, goal: int | None) -> None:
    flat = Stakes.named("flat")
    never = Sessions(declared("player total 0 and player total 1"), "Own").exact(flat, 20, rounds, goal)
    assert (never.could_not_pay, never.reached, never.bets) == (float(rounds >= 20), 0.0, min(20, rounds))
    sure = Sessions(declared("player cards 2 or player cards 3"), "Own").exact(flat, 20, rounds, goal)
    ends = 10 if goal and rounds > 10 else rounds
    assert (sure.could_not_pay, sure.reached, sure.bets) == (0.0, float(ends < rounds), ends)
    assert sure.mean == 20 + ends


def test_a_large_bankroll_is_followed_where_it_can_go() -> None:
    rich = sessions_of("baccarat", "Banker").exact(Stakes.named("flat"), 10**8, 100)
    usual = sessions_of("baccarat", "Banker").exact(Stakes.named("flat"), 10**3, 100)
    assert rich.could_not_pay == 0
    assert rich.mean - 10**8 == pytest.approx(usual.mean - 10**3, abs=1e-6)


def test_a_long_shot_over_a_very_long_session_keeps_nobody_waiting() -> None:
    begun = time.perf_counter()
    with pytest.raises(BadRounds, match="too many amounts"):
        sessions_of("7-up", "Super 7's").exact(Stakes.named("flat"), 1_000, 100_000)
    assert time.perf_counter() - begun < 10
