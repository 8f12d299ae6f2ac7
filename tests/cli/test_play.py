import random

import pytest
from tests.cli.shell import punto
from tests.marks import interpretation

from punto.cli.play.loop import codes_of
from punto.cli.play.seat import START_CENTS, Seat
from punto.errors import BadStake, Unaffordable
from punto.floor.shuffle import unseal
from punto.games import GAMES, loads


def played(*lines: str, game: str = "fortune-six") -> str:
    said = punto("play", game, "--seed", "7", stdin="".join(f"{line}\n" for line in lines).encode())
    assert (said.status, said.err) == (0, "")
    return said.out


def test_a_round_is_played_and_paid() -> None:
    out = played("b 25 t 5", "", "q")
    assert "Banker: +25.00" in out
    assert "Tie: -5.00" in out
    assert "Rounds: 1. Bought 1,000.00, leaving with 1,020.00: won 20.00." in out


@pytest.mark.parametrize("key", GAMES)
def test_every_game_can_be_played_with_every_wager(key: str) -> None:
    codes = codes_of(GAMES[key].wagers)
    stakes = " ".join(f"{code} 2" for code in codes)
    out = played(stakes, "", "r", "", "x2", "why", "roads", "rules", "?", "lang", "r", "", game=key)
    assert "3 局" in out
    assert "Traceback" not in out


@interpretation(42)
def test_virtual_cards_at_a_dealt_game_are_called_demonstration_rules() -> None:
    assert "demonstration rules: B8 has a dealing device" in played("q", game="baccarat")
    assert "demonstration" not in played("q", game="fortune-six")


def test_what_cannot_be_done_is_said_and_nothing_is_lost() -> None:
    out = played("zz 5", "b", "b x", "b 5000", "b 25.5", "r", "buy 0", "buy", "b 99999999", "q")
    for said in (
        "“zz” is no command and no wager here",
        "“b” needs an amount",
        "“x” is no amount",
        "that needs 5,000.00 of 1,000.00",
        "Banker: 25.50 is no stake: expected a multiple of 1.00",
        "there is nothing to bet again yet",
        "a buy-in is more than zero",
        "“” is no amount",
        "Banker: 99,999,999.00 is outside the limits of 1.00 to 10,000.00",
    ):
        assert said in out
    assert "Rounds: 0. Bought 1,000.00, leaving with 1,000.00: nothing won or lost." in out


def test_the_end_of_input_leaves_the_table() -> None:
    assert "Rounds: 0." in played()


def test_a_watched_round_costs_nothing_and_keeps_the_last_stakes() -> None:
    out = played("b 10", "", "", "r", "", "q")
    assert "no stake" in out
    assert out.count("Banker: ") == 2


def seat(game: str = "fortune-six") -> Seat:
    return Seat(GAMES[game], 8, random.Random(1))


def test_stakes_are_placed_taken_back_and_undone() -> None:
    patron = seat()
    patron.place({"Banker": 500, "Tie": 100})
    patron.place({"Banker": 500})
    assert patron.stakes == {"Banker": 1000, "Tie": 100}
    patron.place({"Tie": 0})
    assert patron.stakes == {"Banker": 1000}
    patron.double()
    assert patron.stakes == {"Banker": 2000}
    patron.undo()
    patron.undo()
    assert patron.stakes == {"Banker": 1000, "Tie": 100}
    patron.clear()
    assert patron.staked_cents == 0
    assert patron.free_cents == START_CENTS
    for _ in range(9):
        patron.undo()
    assert patron.stakes == {}


def test_a_refused_stake_changes_nothing() -> None:
    patron = seat()
    patron.place({"Banker": 500})
    for refused, stakes in ((BadStake, {"Tie": 1}), (Unaffordable, {"Tie": 100_000}), (BadStake, {"Tie": 2_000_000})):
        with pytest.raises(refused):
            patron.place(stakes)
    assert patron.stakes == {"Banker": 500}


@interpretation(6)
def test_the_unit_rules_out_parts_of_a_cent() -> None:
    assert seat("baccarat").unit_cents == 100
    third = 'key="x"\ntitle="X"\n[[wager]]\nname="Tie"\npays=[{when="winner tie", odds="7 to 3"}]'
    assert Seat(loads(third), 8, random.Random(1)).unit_cents == 300


@interpretation(21, 22)
def test_a_shoe_is_dealt_from_its_first_card_to_the_cutting_card() -> None:
    patron = seat()
    order = unseal(patron.floor.keys, "practice", patron.table).order.split()
    dealt: list[str] = []
    while patron.shoes == 1 and not patron.last_round:
        *_, deal = patron.deal()
        dealt += map(str, deal.cards)
        assert deal.coup
        patron.settle(deal.coup)
    assert dealt == order[: len(dealt)]  # no card is burnt
    assert 8 <= patron.left < 14  # the round in which the cutting card came was finished
    assert len(patron.outcomes) == patron.rounds
    list(patron.deal())
    assert (patron.shoes, patron.left >= 410, len(patron.outcomes)) == (2, True, 1)


def test_money_is_conserved_over_many_rounds() -> None:
    patron = seat("tiger")
    for _ in range(300):
        if patron.free_cents < 1_000:
            patron.buy(START_CENTS)
        before = patron.credits_cents
        patron.place({wager.name: 100 for wager in patron.game.wagers})
        *_, deal = patron.deal()
        assert deal.coup
        paid = patron.settle(deal.coup)
        assert patron.credits_cents == before + sum(each.won_cents for each in paid)
        assert patron.stakes == {}


def test_the_same_seed_gives_the_same_shoes() -> None:
    assert played("b 5", "", "q") == played("b 5", "", "q")


def test_all_that_is_left_can_be_staked_once() -> None:
    out = played("b all", "b all", "", "q")
    assert "there is nothing left to stake" in out
    assert "leaving with 2,000.00" in out or "leaving with 1,500.00" in out or "leaving with 0.00" in out


def test_wagers_are_called_by_their_names_too() -> None:
    out = played("Player Dragon Bonus 5 banker 10 fs 2", "", "q")
    assert "Player Dragon Bonus: " in out
    assert "Fortune Six: " in out
    said = punto("play", "super-6", "--seed", "7", "--lang", "zh", stdin="庄 5 super 6 5\n\nq\n".encode())
    assert "超级6: " in said.out
    assert "庄: " in said.out


def test_a_word_without_end_is_not_echoed_whole() -> None:
    assert len(played("z" * 900, "b " + "9" * 900, "q")) < 400


def test_refusals_are_said_in_chinese_too() -> None:
    said = punto("play", "--lang", "zh", stdin=b"b 5000\nb 0.5\nq\n")
    assert "余额不足" in said.out
    assert "注额须为单位的整数倍" in said.out


def test_no_wager_is_called_by_the_word_of_a_command() -> None:
    names = ["Dragon", "Quad", "Red", "Cat", "Up", "Hit", "7", "!!", "W1"]
    rows = "".join(f'[[wager]]\nname="{name}"\npays=[{{when="winner tie", odds="8 to 1"}}]\n' for name in names)
    codes = codes_of(loads('key="x"\ntitle="X"\n' + rows).wagers)
    assert list(codes.values()) == names
    assert not {"d", "q", "r", "c", "u", "h"} & set(codes)
    assert all(code[0].isalpha() for code in codes)


def test_wagers_have_short_names_that_are_all_different() -> None:
    for game in GAMES.values():
        codes = codes_of(game.wagers)
        assert list(codes.values()) == [wager.name for wager in game.wagers]
        assert all(len(code) <= 3 for code in codes)
    assert list(codes_of(GAMES["fortune-six"].wagers)) == ["p", "b", "t", "pp", "bp", "fs", "pdb", "bdb"]
