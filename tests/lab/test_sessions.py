"""Sessions: every bankroll followed round by round as a person would, and ways of staking that read or are refused."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from tests.oracle import stream as oracle
from tests.width import SEED, width

from punto.cards import Card, Shoe
from punto.errors import BadCut, BadRounds, BadStakes, BadUsage, PuntoError, UnknownWager
from punto.games import GAMES, digest, dumps, loads
from punto.lab import Bankrolls, Composition, Odds, Sessions, Stakes
from punto.lab.sessions import MOST_ROUNDS, MOST_SESSIONS
from punto.lab.stakes import QUANTILES, Step
from punto.rules import Game

LAST_SEED = 2**64 - 1
WAYS = ("flat", "martingale", "paroli", "1-3-2-6")


@dataclass
class Slow:
    """Bankrolls that were followed by hand."""

    paths: list[list[Fraction]] = field(default_factory=list)
    drawdown: list[Fraction] = field(default_factory=list)
    could_not_pay: int = 0
    reached: int = 0
    played: int = 0


def nets_of(game: Game, wager: str, seed: int, session: int, decks: int, cut: int) -> Iterator[Fraction]:
    """What a wager comes to, round after round of a session, dealt card by card by punto's own deal."""
    cards: tuple[Card, ...] = game.deck.cards * decks
    most = 6 - len(game.opening.player)
    needed = oracle.cards_needed(len(cards), min(len(cards) - cut, len(cards) - most))
    for order in oracle.shoes_of_session(oracle.of_game(seed, digest(game)), session, cards, needed):
        shoe, drawn = Shoe(game.deck, decks, tuple(order), cut), 0
        while not shoe.ends_with(drawn) and len(order) - drawn >= most:
            deal = game.begin()
            while deal.next is not None:
                deal = deal.take(order[drawn])
                drawn += 1
            assert deal.coup is not None
            yield game.settle(deal.coup)[wager].net


def slowly(
    game: Game,
    wager: str,
    stakes: Stakes,
    bankroll: int,
    rounds: int,
    sessions: int,
    seed: int = 1,
    goal: int | None = None,
    decks: int = 8,
    cut: int = 14,
) -> Slow:
    """Follow bankrolls one after the other."""
    found = Slow()
    for session in range(sessions):
        nets = nets_of(game, wager, seed, session, decks, cut)
        left = peak = Fraction(bankroll)
        deepest, step = Fraction(0), 0
        path = [left]
        while len(path) <= rounds:
            stake = stakes.steps[step].stake
            if left < stake or left <= 0:
                found.could_not_pay += 1
                break
            net = next(nets)
            left += stake * net
            found.played += stake > 0
            if net:
                step = stakes.steps[step].win if net > 0 else stakes.steps[step].lose
            peak = max(peak, left)
            deepest = max(deepest, peak - left)
            path.append(left)
            if goal is not None and left >= goal:
                found.reached += 1
                break
        else:
            # A session that cannot pay for one more round is counted too.
            found.could_not_pay += left < stakes.steps[step].stake or left <= 0
        found.paths.append(path + [left] * (rounds + 1 - len(path)))
        found.drawdown.append(deepest)
    return found


def agrees(played: Bankrolls, slow: Slow) -> None:
    """What was followed fast is what was followed slowly."""
    assert played.path.T.tolist() == [[float(path[moment]) for moment in played.moments] for path in slow.paths]
    assert played.drawdown.tolist() == [float(depth) for depth in slow.drawdown]
    assert (played.could_not_pay, played.reached) == (slow.could_not_pay, slow.reached)
    assert played.played == slow.played / played.sessions


@cache
def sessions_of(key: str, wager: str = "Banker", decks: int = 8, cut: int = 14) -> Sessions:
    return Sessions(GAMES[key], wager, decks, cut)


# --- round by round -----------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("key", "wager", "decks", "cut", "seed"),
    [
        ("baccarat", "Banker", 8, 14, 1),
        ("fortune-six", "Banker", 4, 0, LAST_SEED),
        ("fortune-six", "Player Dragon Bonus", 6, 3, 0),
        ("7-up", "Player", 8, 14, 7),
        ("7-up", "Super 7's", 10, 0, 8),
        ("fa-fa-fabulous-4", "Player Precious Pair", 10, 0, 9),
        ("fa-fa-fabulous-4", "Banker", 5, 30, 10),
        ("tiger", "Tiger", 8, 14, 11),
    ],
)
def test_every_bankroll_is_followed_as_a_person_would(
    way: str, key: str, wager: str, decks: int, cut: int, seed: int
) -> None:
    played = sessions_of(key, wager, decks, cut).play(Stakes.named(way, 16), 12, 100, 10, seed, 30)
    slow = slowly(GAMES[key], wager, Stakes.named(way, 16), 12, 100, 10, seed, 30, decks, cut)
    agrees(played, slow)


def test_a_session_goes_on_through_several_shoes() -> None:
    played = sessions_of("baccarat").play(Stakes.named("flat"), 1_000, 400, 3, seed=3)
    slow = slowly(GAMES["baccarat"], "Banker", Stakes.named("flat"), 1_000, 400, 3, seed=3)
    assert played.moments.tolist() == list(range(0, 401, 4))
    agrees(played, slow)


def test_a_session_is_the_same_however_many_are_played_beside_it() -> None:
    few, many = (sessions_of("tiger").play(Stakes.named("paroli"), 20, 60, n, seed=5) for n in (3, 50))
    assert (few.path == many.path[:, :3]).all()
    assert (few.drawdown == many.drawdown[:3]).all()


def test_the_same_seed_gives_the_same_sessions_and_another_gives_others() -> None:
    one, same, other = (sessions_of("7-up").play(Stakes.named("flat"), 50, 80, 40, seed=s) for s in (3, 3, 4))
    assert one.path.tolist() == same.path.tolist()
    assert (one.could_not_pay, one.played, one.drawdown.tolist()) == (
        same.could_not_pay,
        same.played,
        same.drawdown.tolist(),
    )
    assert one.path.tolist() != other.path.tolist()


# --- what comes of it -----------------------------------------


def near(found: float, expected: float, error: float) -> bool:
    return abs(found - expected) < 4.5 * error


# Rounds of one shoe are not quite independent: in 7 Up, where one card says much, many of them spread less.
@pytest.mark.parametrize(
    ("key", "wager", "rounds"),
    [("baccarat", "Banker", 60), ("fortune-six", "Fortune Six", 60), ("7-up", "Player", 6), ("tiger", "Tie", 60)],
)
def test_flat_stakes_lose_the_edge_of_every_round_and_spread_as_rounds_do(key: str, wager: str, rounds: int) -> None:
    sessions = 20_000
    played = sessions_of(key, wager).play(Stakes.named("flat"), 10_000, rounds, sessions, seed=2)
    exact = Odds(GAMES[key]).of(Composition.full(GAMES[key].deck, 8)).wagers[wager]
    mean, error = played.mean
    assert error == pytest.approx(exact.sd * sqrt(rounds / sessions), rel=0.05)
    assert near(mean, 10_000 + rounds * float(exact.ev), error)
    variance = float(played.final.var())
    fourth = float(((played.final - played.final.mean()) ** 4).mean())
    assert near(variance, rounds * float(exact.variance), sqrt((fourth - variance**2) / sessions))
    assert (played.could_not_pay, played.reached, played.played) == (0, 0, rounds)


def test_one_unit_is_lost_in_one_round_as_often_as_the_wager() -> None:
    played = sessions_of("baccarat", "Player").play(Stakes.named("flat"), 1, 1, 100_000, seed=6)
    exact = Odds(GAMES["baccarat"]).of().wagers["Player"]
    won, push, lost = (float(line.probability) for line in exact.lines)
    share, error = played.unable
    assert near(share, lost, error)
    assert near(played.ahead, won, sqrt(won * (1 - won) / 100_000))
    assert {0.0, 1.0, 2.0} == set(played.final.tolist())
    assert near(float((played.final == 1).mean()), push, sqrt(push * (1 - push) / 100_000))
    assert played.could_not_pay == int((played.final == 0).sum())
    assert played.drawdown.tolist() == (1.0 * (played.final == 0)).tolist()
    assert played.moments.tolist() == [0, 1]


def test_a_goal_is_counted_where_it_is_reached_and_play_ends_there() -> None:
    played = sessions_of("baccarat", "Player").play(Stakes.named("flat"), 1, 1, 50_000, seed=6, goal=2)
    assert played.reached == int((played.final == 2).sum()) > 0
    long = sessions_of("baccarat", "Player").play(Stakes.named("flat"), 5, 2_000, 2_000, seed=6, goal=10)
    assert long.reached == int((long.final == 10).sum())
    assert long.could_not_pay == int((long.final == 0).sum())
    assert long.reached + long.could_not_pay == 2_000
    # The gambler's ruin, with ties aside.
    exact = Odds(GAMES["baccarat"]).of().wagers["Player"]
    ratio = float(exact.lines[2].probability / exact.lines[0].probability)
    chance = (1 - ratio**5) / (1 - ratio**10)
    assert near(long.reached / 2_000, chance, sqrt(chance * (1 - chance) / 2_000))


def test_who_cannot_pay_or_has_reached_the_goal_plays_no_more() -> None:
    played = sessions_of("tiger").play(Stakes.named("martingale", 64), 20, 300, 2_000, seed=4, goal=40)
    assert played.could_not_pay
    assert played.reached
    for path in played.path.T:
        over = np.flatnonzero(path >= 40)
        if len(over):
            assert (path[over[0] :] == path[over[0]]).all()
    assert played.played < 300
    assert played.path.min() >= 0


@pytest.mark.parametrize("way", WAYS)
def test_a_bankroll_never_falls_below_nothing_nor_further_than_its_drawdown(way: str) -> None:
    played = sessions_of("fortune-six").play(Stakes.named(way), 30, 200, 3_000, seed=9)
    assert played.path.min() >= 0
    assert (played.path[0] == 30).all()
    assert (played.drawdown >= 30 - played.final).all()
    assert (played.drawdown >= (np.maximum.accumulate(played.path) - played.path).max(axis=0)).all()
    assert (played.drawdown >= 0).all()


def test_who_cannot_pay_the_first_stake_does_not_play() -> None:
    dear = Stakes("dear", (Step(10, 0, 0),))
    played = sessions_of("baccarat").play(dear, 5, 50, 200, seed=1)
    agrees(played, slowly(GAMES["baccarat"], "Banker", dear, 5, 50, 200))
    assert (played.unable[0], played.played, set(played.final.tolist())) == (1.0, 0.0, {5.0})


def test_who_has_less_than_the_next_stake_ends_with_what_is_left() -> None:
    played = sessions_of("baccarat", "Player").play(Stakes.named("martingale", 512), 6, 500, 500, seed=1)
    ended = played.final < 100
    assert played.could_not_pay > 0
    assert set(played.final[ended].tolist()) - {0.0}, "some were left with a few units, and the next stake is more"


def test_a_push_leaves_the_step_where_it_is() -> None:
    # One unit, and ten after the first round that is won or lost: a push must not lead there.
    once = Stakes("once", (Step(1, 1, 1), Step(10, 1, 1)))
    sessions, seed = width(1_000, 4_000), width(5, SEED)
    played = sessions_of("baccarat", "Player").play(once, 1_000, 2, sessions, seed=seed)
    agrees(played, slowly(GAMES["baccarat"], "Player", once, 1_000, 2, sessions, seed=seed))
    first, second = played.path[1] - 1_000, played.path[2] - played.path[1]
    assert set(second[first == 0].tolist()) == {-1.0, 0.0, 1.0}
    assert set(second[first != 0].tolist()) == {-10.0, 0.0, 10.0}


def test_a_step_of_no_stake_sits_a_round_out() -> None:
    waits = Stakes.loads("[[step]]\nstake = 0\nwin = 2\nlose = 1\n[[step]]\nstake = 1\nwin = 1\nlose = 1")
    played = sessions_of("7-up").play(waits, 50, 80, 20, seed=5)
    agrees(played, slowly(GAMES["7-up"], "Banker", waits, 50, 80, 20, seed=5))
    assert 0 < played.played < 80


def test_commissions_are_paid_to_the_last_fraction() -> None:
    played = sessions_of("baccarat").play(Stakes.named("flat"), 100, 10, 500, seed=1)
    steps = np.unique(np.round(np.diff(played.path, axis=0), 9))
    assert steps.tolist() == [-1.0, 0.0, 0.95]


@pytest.mark.parametrize(("rounds", "moments"), [(1, 2), (7, 8), (99, 100), (100, 101), (101, 101), (1_000, 101)])
def test_the_fan_has_the_quantiles_at_each_moment(rounds: int, moments: int) -> None:
    played = sessions_of("baccarat").play(Stakes.named("flat"), 50, rounds, 300, seed=1)
    assert played.moments.shape == (moments,)
    assert (played.moments[0], played.moments[-1]) == (0, rounds)
    assert all(later > earlier for earlier, later in pairwise(played.moments))
    assert played.fan.shape == (len(QUANTILES), moments)
    assert (np.diff(played.fan, axis=0) >= 0).all()
    assert (played.fan[:, 0] == 50).all()
    assert played.fan[3].tolist() == np.median(played.path, axis=1).tolist()
    records = played.records()
    assert list(records[0]) == ["rounds", "q1", "q5", "q25", "q50", "q75", "q95", "q99"]
    assert [record["rounds"] for record in records] == played.moments.tolist()
    assert [record["q95"] for record in records] == played.fan[5].tolist()
    assert len(played.to_pandas()) == moments


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_the_same_sessions_are_drawn_with_the_same_bytes(kind: str, tmp_path: Path) -> None:
    drawn = []
    for name in ("one", "two"):
        played = sessions_of("baccarat").play(Stakes.named("paroli"), 50, 40, 200, seed=1)
        played.save(tmp_path / f"{name}.{kind}")
        drawn.append((tmp_path / f"{name}.{kind}").read_bytes())
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) > 1_000


# --- ways of staking -----------------------------------------


def stakes_of(stakes: Stakes, results: str) -> list[int]:
    """The stakes of rounds that are won (w), lost (l) or pushed (p)."""
    step, staked = 0, []
    for result in results:
        here = stakes.steps[step]
        staked.append(here.stake)
        step = {"w": here.win, "l": here.lose, "p": step}[result]
    return staked


@pytest.mark.parametrize(
    ("way", "results", "staked"),
    [
        ("flat", "wlwlp", [1, 1, 1, 1, 1]),
        ("martingale", "lllwl", [1, 2, 4, 8, 1]),
        ("martingale", "llpllw", [1, 2, 4, 4, 8, 16]),
        ("martingale", "llllll", [1, 2, 4, 8, 16, 1]),
        ("paroli", "wwwwl", [1, 2, 4, 1, 2]),
        ("paroli", "wlwwl", [1, 2, 1, 2, 4]),
        ("1-3-2-6", "wwwww", [1, 3, 2, 6, 1]),
        ("1-3-2-6", "wwlwwwl", [1, 3, 2, 1, 3, 2, 6]),
    ],
)
def test_the_ways_that_everybody_knows_stake_as_everybody_knows(way: str, results: str, staked: list[int]) -> None:
    stakes = Stakes.named(way, 16)
    assert stakes.name == way
    assert stakes_of(stakes, results) == staked


@pytest.mark.parametrize(("most", "largest"), [(1, 1), (2, 2), (3, 2), (500, 256), (512, 512), (1_000, 512)])
def test_martingale_starts_again_rather_than_stake_more_than_the_limit(most: int, largest: int) -> None:
    steps = Stakes.named("martingale", most).steps
    assert [step.stake for step in steps] == [1 << power for power in range(largest.bit_length())]
    assert steps[-1].lose == 0
    assert all(step.win == 0 for step in steps)


@pytest.mark.parametrize("name", ["", "Flat", "d'alembert", "martingale ", "flat.tom"])
def test_a_way_of_staking_that_nobody_knows_is_refused(name: str) -> None:
    with pytest.raises(BadStakes, match="is no way of staking: expected flat, martingale, paroli, 1-3-2-6"):
        Stakes.named(name)


def test_a_declared_way_has_its_steps_counted_from_one() -> None:
    text = 'name = "up"\n[[step]]\nstake = 1\nwin = 2\nlose = 1\n[[step]]\nstake = 3\nwin = 2\nlose = 1\n'
    assert Stakes.loads(text) == Stakes("up", (Step(1, 1, 0), Step(3, 1, 0)))
    assert Stakes.loads(text.removeprefix('name = "up"\n')).name == "declared"
    flat = Stakes.loads("[[step]]\nstake = 1\nwin = 1\nlose = 1")
    assert flat.steps == Stakes.named("flat").steps
    most = Stakes.loads("[[step]]\nstake = 1000000000\nwin = 1\nlose = 1\n" * 100)
    assert len(most.steps) == 100


GOOD = "[[step]]\nstake = 1\nwin = 1\nlose = 1\n"


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("", 1),
        ("name = ", 1),
        ("not toml at all", 1),
        ('name = "up"', 1),
        ("step = 3", 1),
        ("step = []", 1),
        ("[step]\nstake = 1\nwin = 1\nlose = 1", 1),
        (f"{GOOD}[other]\nfield = 1", 1),
        (GOOD * 101, 1),
        ("step = [1, 2]", 1),
        (f"{GOOD}[[step]]\nstake = 1\nwin = 1", 2),
        (f"{GOOD}[[step]]\nstake = 1\nwin = 1\nlose = 1\npush = 1", 2),
        (f"{GOOD}[[step]]\nstake = 1.5\nwin = 1\nlose = 1", 2),
        (f"{GOOD}[[step]]\nstake = true\nwin = 1\nlose = 1", 2),
        (f"{GOOD}[[step]]\nstake = '1'\nwin = 1\nlose = 1", 2),
        (f"{GOOD}{GOOD}[[step]]\nstake = -1\nwin = 1\nlose = 1", 3),
        (f"{GOOD}{GOOD}[[step]]\nstake = 1000000001\nwin = 1\nlose = 1", 3),
        ("[[step]]\nstake = 1\nwin = 0\nlose = 1", 1),
        (f"{GOOD}[[step]]\nstake = 1\nwin = 3\nlose = 1", 2),
        (f"{GOOD}[[step]]\nstake = 1\nwin = 1\nlose = -1", 2),
        (f"{GOOD}[[step]]\nstake = 1\nwin = inf\nlose = 1", 2),
    ],
)
def test_a_way_that_does_not_read_is_refused_with_its_step(text: str, at: int) -> None:
    with pytest.raises(BadStakes) as refused:
        Stakes.loads(text)
    assert refused.value.at == at
    assert "\n" not in refused.value.message


# --- what cannot be -----------------------------------------


@pytest.mark.parametrize(
    ("bankroll", "rounds", "sessions", "goal", "error"),
    [
        (0, 10, 10, None, BadStakes),
        (-5, 10, 10, None, BadStakes),
        (10**9 + 1, 10, 10, None, BadStakes),
        (10, 10, 10, 10, BadStakes),
        (10, 10, 10, 3, BadStakes),
        (10, 10, 10, 10**9 + 1, BadStakes),
        (10, 0, 10, None, BadRounds),
        (10, MOST_ROUNDS + 1, 10, None, BadRounds),
        (10, 10, 0, None, BadRounds),
        (10, 10, MOST_SESSIONS + 1, None, BadRounds),
    ],
)
def test_sessions_that_cannot_be_played_are_refused(
    bankroll: int, rounds: int, sessions: int, goal: int | None, error: type[PuntoError]
) -> None:
    with pytest.raises(error, match="expected 1 to"):
        sessions_of("baccarat").play(Stakes.named("flat"), bankroll, rounds, sessions, goal=goal)


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_of_more_than_64_bits_is_refused(seed: int) -> None:
    with pytest.raises(BadUsage, match="out of range"):
        sessions_of("baccarat").play(Stakes.named("flat"), 10, 10, 10, seed)


def test_an_unknown_wager_and_a_cutting_card_outside_the_shoe_are_refused() -> None:
    with pytest.raises(UnknownWager):
        Sessions(GAMES["baccarat"], "Dragon")
    for cut in (-1, 416):
        with pytest.raises(BadCut):
            Sessions(GAMES["baccarat"], "Banker", cut=cut)


# --- many, and large ----------------------------------------


def test_sessions_are_the_same_however_many_are_followed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sessions_of("tiger").play(Stakes.named("paroli"), 20, 50, 100, seed=3)
    told: list[int] = []
    monkeypatch.setattr("punto.lab.sessions._ROUNDS_AT_ONCE", 350)
    parts = sessions_of("tiger").play(Stakes.named("paroli"), 20, 50, 100, seed=3, report=told.append)
    assert told == [*range(7, 100, 7), 100]
    assert np.array_equal(whole.path, parts.path)
    assert np.array_equal(whole.drawdown, parts.drawdown)
    assert (whole.could_not_pay, whole.played) == (parts.could_not_pay, parts.played)


def test_stakes_that_cannot_be_added_up_are_refused() -> None:
    huge = Stakes("huge", (Step(10**9, 0, 0),))
    sessions_of("tiger").play(huge, 10**9, 1, 1)
    dear = loads(dumps(GAMES["7-up"]).replace("700 to 1", "9999999 to 1"))
    with pytest.raises(BadStakes, match="too large"):
        Sessions(dear, "Super 7's").play(huge, 10**9, MOST_ROUNDS, 1)
    with pytest.raises(BadStakes, match="largest stake"):
        Stakes.named("martingale", 10**30)
