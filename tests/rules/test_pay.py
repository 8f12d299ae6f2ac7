from fractions import Fraction

import pytest
from tests.marks import clause, interpretation

from punto.rules import EVEN, PUSH, Label, Language, Odds, Pay, Result, Wager, odds_in_words
from punto.rules.coup import Side
from punto.rules.facts import BANKER_WINS, TIE, banker_total
from punto.rules.traits import TOTAL, Reading, Value

PLAYER_TOTAL, BANKER_TOTAL = Reading(Side.PLAYER, TOTAL), Reading(Side.BANKER, TOTAL)
WAGER = Wager(
    Label("Banker", "庄"),
    "X 1",
    (Pay("X 2", BANKER_WINS & banker_total(6), Odds(1, 2)), Pay("X 3", BANKER_WINS, EVEN), Pay("X 4", TIE, PUSH)),
)


def totals(player: int, banker: int) -> dict[Reading, Value]:
    return {PLAYER_TOTAL: player, BANKER_TOTAL: banker}


@interpretation(6)
@pytest.mark.parametrize(
    ("odds", "text", "net"),
    [
        (Odds(12), "12 to 1", Fraction(12)),
        (Odds(1, 2), "1 to 2", Fraction(1, 2)),
        (Odds(9, 5), "9 to 5", Fraction(9, 5)),
        (Odds(95, 100), "0.95 to 1", Fraction(19, 20)),
        (Odds(21, 20), "1.05 to 1", Fraction(21, 20)),
        (Odds(7, 10), "0.7 to 1", Fraction(7, 10)),
        (Odds(1, 9), "1 to 9", Fraction(1, 9)),
        (Odds(5, 11), "5 to 11", Fraction(5, 11)),
        (Odds(1, 100), "0.01 to 1", Fraction(1, 100)),
        (Odds(101, 100), "1.01 to 1", Fraction(101, 100)),
        (Odds(4, 2), "2 to 1", Fraction(2)),
        (PUSH, "push", Fraction(0)),
    ],
)
def test_odds_are_exact_and_in_lowest_terms(odds: Odds, text: str, net: Fraction) -> None:
    assert str(odds) == text
    assert odds.net == net
    assert (odds.won, odds.staked) == (net.numerator, net.denominator)


@pytest.mark.parametrize("pair", [(-1, 1), (1, 0), (1, -1)])
def test_odds_of_less_than_nothing_are_our_own_mistake(pair: tuple[int, int]) -> None:
    with pytest.raises(AssertionError):
        Odds(*pair)


def test_odds_in_words() -> None:
    assert odds_in_words(Odds(12), Language.ENGLISH) == "pays 12 to 1"
    assert odds_in_words(Odds(12), Language.CHINESE) == "1赔12"
    assert odds_in_words(Odds(95, 100), Language.CHINESE) == "1赔0.95"
    assert odds_in_words(PUSH, Language.ENGLISH) == "push"
    assert odds_in_words(PUSH, Language.CHINESE) == "退还本金"


@clause("EB4 1.1.12")
@pytest.mark.parametrize(
    ("player", "banker", "result", "net", "by", "why"),
    [
        (5, 6, Result.WIN, Fraction(1, 2), "X 2", "Banker wins and Banker's total is 6: pays 1 to 2"),
        (5, 7, Result.WIN, Fraction(1), "X 3", "Banker wins: pays 1 to 1"),
        (6, 6, Result.PUSH, Fraction(0), "X 4", "It is a tie: push"),
        (7, 6, Result.LOSE, Fraction(-1), "X 1", "No pay line of Banker fits: lost"),
    ],
)
def test_the_first_row_that_fits_pays_and_none_means_lost(
    player: int, banker: int, result: Result, net: Fraction, by: str, why: str
) -> None:
    settled = WAGER.settle(totals(player, banker))
    assert (settled.result, settled.net, settled.clause, settled.why()) == (result, net, by, why)
    assert settled.wager is WAGER
    assert settled in WAGER.settlements
    assert settled.pay is (None if settled.row is None else WAGER.pays[settled.row])


def test_reasons_are_given_in_chinese_too() -> None:
    assert WAGER.settle(totals(5, 6)).why(Language.CHINESE) == "庄家赢且庄家 6 点: 2赔1".replace(": ", "：")
    assert WAGER.settle(totals(7, 6)).why(Language.CHINESE) == "庄的赔付各行均不符合：输"


def test_a_wager_knows_its_name_and_what_it_reads() -> None:
    assert WAGER.name == "Banker"
    assert WAGER.reads == {PLAYER_TOTAL, BANKER_TOTAL}
    assert [settled.row for settled in WAGER.settlements] == [0, 1, 2, None]
