"""Families of wagers that several games offer on the same terms, each under its own clauses.

A pay figure stands here once, whichever tables of which rulebooks repeat it. Rows are tried in order: the exception
first, then the rule.
"""

from dataclasses import dataclass
from typing import Final

from punto.games import names
from punto.rules import EVEN, PUSH, Clause, Label, Odds, Pay, RoundClauses, Wager
from punto.rules.conditions import Condition, Fact
from punto.rules.facts import (
    BANKER_WINS,
    PLAYER_WINS,
    TIE,
    banker_cards,
    banker_natural,
    banker_pair,
    banker_pair_rank,
    banker_pair_suit,
    banker_total,
    margin,
    natural,
    player_natural,
    player_pair,
    player_pair_rank,
    player_pair_suit,
    player_total,
    twin_pairs,
)

HALF: Final = Odds(1, 2)
# Commission is taken by paying less (EB4 1.1.4; B8 1.1.1; interpretation 6).
LESS_COMMISSION: Final = Odds(95, 100)
BANKER_SIX: Final = BANKER_WINS & banker_total(6)
SMALL_SIX: Final = BANKER_SIX & banker_cards(2)
BIG_SIX: Final = BANKER_SIX & banker_cards(3)
DRAGON_MARGINS: Final = {9: Odds(30), 8: Odds(10), 7: Odds(6), 6: Odds(4), 5: Odds(2), 4: EVEN}


def player(at: RoundClauses, paid: Clause) -> Wager:
    """Player at even money."""
    return Wager(names.PLAYER, at.outcome, (Pay(paid, PLAYER_WINS, EVEN), Pay(at.tie, TIE, PUSH)))


def banker(at: RoundClauses, paid: Clause) -> Wager:
    """Banker less a commission of five in a hundred."""
    return Wager(names.BANKER, at.outcome, (Pay(paid, BANKER_WINS, LESS_COMMISSION), Pay(at.tie, TIE, PUSH)))


def banker_half_on_six(at: RoundClauses, paid: Clause) -> Wager:
    """Banker without commission, half the stake on a total of six."""
    pays = (
        Pay(paid, BANKER_SIX, HALF),
        Pay(paid, BANKER_WINS, EVEN),
        Pay(at.tie, TIE, PUSH),
    )
    return Wager(names.BANKER, at.outcome, pays)


def tie(at: RoundClauses, paid: Clause) -> Wager:
    """Tie at eight to one."""
    return Wager(names.TIE, at.tie_wager, (Pay(paid, TIE, Odds(8)),))


def pairs(defined: Clause, paid: Clause) -> tuple[Wager, ...]:
    """A pair in the first two cards of a hand."""
    return (
        Wager(names.PLAYER_PAIR, defined, (Pay(paid, player_pair(), Odds(11)),)),
        Wager(names.BANKER_PAIR, defined, (Pay(paid, banker_pair(), Odds(11)),)),
    )


def any_six(label: Label, defined: Clause, paid: Clause) -> Wager:
    """Banker wins with six, at one price."""
    return Wager(label, defined, (Pay(paid, BANKER_SIX, Odds(15)),))


def six_by_cards(label: Label, defined: Clause, paid: Clause) -> Wager:
    """Banker wins with six, priced by the number of cards."""
    pays = (
        Pay(paid, SMALL_SIX, Odds(12)),
        Pay(paid, BIG_SIX, Odds(20)),
    )
    return Wager(label, defined, pays)


def _dragon(label: Label, defined: Clause, paid: Clause, wins: Condition, has_natural: Fact) -> Wager:
    # Only a natural tie is a push (EB4 1.1.9; interpretation 3).
    by_margin = tuple(Pay(paid, wins & margin(points), odds) for points, odds in DRAGON_MARGINS.items())
    pays = (Pay(paid, wins & has_natural(), EVEN), *by_margin, Pay(paid, natural() & margin(0), PUSH))
    return Wager(label, defined, pays)


def player_dragon_bonus(defined: Clause, paid: Clause) -> Wager:
    """Player wins with a natural, or by four points or more."""
    return _dragon(names.PLAYER_DRAGON_BONUS, defined, paid, PLAYER_WINS, player_natural)


def banker_dragon_bonus(defined: Clause, paid: Clause) -> Wager:
    """Banker wins with a natural, or by four points or more."""
    return _dragon(names.BANKER_DRAGON_BONUS, defined, paid, BANKER_WINS, banker_natural)


@dataclass(frozen=True, slots=True)
class TigerClauses:
    """Where a rulebook defines and prices the five Tiger wagers."""

    tiger: Clause
    small: Clause
    big: Clause
    tie: Clause
    pair: Clause
    paid: Clause
    pair_paid: Clause


def tigers(at: TigerClauses) -> tuple[Wager, ...]:
    """The five Tiger wagers."""
    return (
        six_by_cards(names.TIGER, at.tiger, at.paid),
        Wager(
            names.SMALL_TIGER,
            at.small,
            (Pay(at.paid, SMALL_SIX, Odds(22)),),
        ),
        Wager(
            names.BIG_TIGER,
            at.big,
            (Pay(at.paid, BIG_SIX, Odds(50)),),
        ),
        Wager(names.TIGER_TIE, at.tie, (Pay(at.paid, TIE & banker_total(6), Odds(35)),)),
        Wager(
            names.TIGER_PAIR,
            at.pair,
            (
                Pay(at.pair_paid, twin_pairs(), Odds(100)),
                Pay(at.pair_paid, player_pair() & banker_pair(), Odds(20)),
                Pay(at.pair_paid, player_pair() | banker_pair(), Odds(4)),
            ),
        ),
    )


def fabulous_player(at: RoundClauses, paid: Clause) -> Wager:
    """Player: half the stake on four, double on one."""
    return Wager(names.PLAYER, at.outcome, _fabulous(at, paid, PLAYER_WINS, player_total, on_four=HALF))


def fabulous_banker(at: RoundClauses, paid: Clause) -> Wager:
    """Banker: a push on four, double on one."""
    return Wager(names.BANKER, at.outcome, _fabulous(at, paid, BANKER_WINS, banker_total, on_four=PUSH))


def _fabulous(at: RoundClauses, paid: Clause, wins: Condition, points: Fact, *, on_four: Odds) -> tuple[Pay, ...]:
    return (
        Pay(paid, wins & points(4), on_four),
        Pay(paid, wins & points(1), Odds(2)),
        Pay(paid, wins, EVEN),
        Pay(at.tie, TIE, PUSH),
    )


def fabulous_fours(player_defined: Clause, banker_defined: Clause, paid: Clause) -> tuple[Wager, ...]:
    """A win with exactly four points."""
    return (
        Wager(names.PLAYER_FABULOUS_4, player_defined, (Pay(paid, PLAYER_WINS & player_total(4), Odds(50)),)),
        Wager(names.BANKER_FABULOUS_4, banker_defined, (Pay(paid, BANKER_WINS & banker_total(4), Odds(25)),)),
    )


def precious_pairs(defined: Clause, paid: Clause, suit: str) -> tuple[Wager, ...]:
    """A pair, dearer in the precious suit and in fours; the highest line that fits pays, once."""
    sides = (
        (names.PLAYER_PRECIOUS_PAIR, player_pair(), player_pair_rank("4"), player_pair_suit(suit)),
        (names.BANKER_PRECIOUS_PAIR, banker_pair(), banker_pair_rank("4"), banker_pair_suit(suit)),
    )
    return tuple(
        Wager(
            label,
            defined,
            (
                Pay(paid, of_fours & of_suit, Odds(30)),
                Pay(paid, of_fours, Odds(15)),
                Pay(paid, of_suit, Odds(12)),
                Pay(paid, pair, Odds(9)),
            ),
        )
        for label, pair, of_fours, of_suit in sides
    )
