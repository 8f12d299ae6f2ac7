from typing import Any

import pytest
from tests.marks import interpretation
from tests.table.desk import SHIFT, SUPERVISOR, Desk

from punto.errors import BadDecks, BadSetup, BadStake, NotAllowed, PuntoError, UnknownGame, UnknownWager
from punto.games import GAMES, digest, dumps
from punto.rules import RANKS, Method, Position
from punto.rules.money import Cents
from punto.table import Actor, Limit, Phase, Setup, Source, Table, Timings, act
from punto.table import commands as do
from punto.table.setup import LONGEST_MS

LONG_AGO_MS = 1_500_000_000_000


def limits(least: int, most: int) -> Limit:
    return Limit(Cents(least), Cents(most))


@pytest.mark.parametrize(
    ("refusal", "setup"),
    [
        (UnknownGame, {"game": "tigger"}),
        (BadDecks, {"game": "tiger", "decks": 3}),
        (BadSetup, {"game": "tiger", "behind": 416}),
        (BadSetup, {"game": "tiger", "behind": -1}),
        (UnknownWager, {"game": "tiger", "wagers": ("Super Six",)}),
        (BadSetup, {"game": "baccarat", "unit_cents": 30}),
        (BadSetup, {"game": "baccarat", "unit_cents": -100}),
        (BadSetup, {"game": "tiger", "limits": {"*": limits(0, 100)}}),
        (BadSetup, {"game": "tiger", "limits": {"*": limits(200, 100)}}),
        (BadSetup, {"game": "tiger", "limits": {"Tie": limits(150, 1_000)}}),
        (BadSetup, {"game": "tiger", "wagers": ("Player",), "limits": {"Tie": limits(100, 1_000)}}),
        (UnknownWager, {"game": "tiger", "limits": {"Super Six": limits(100, 1_000)}}),
        (BadStake, {"game": "tiger", "limits": {"Tiger Pair": limits(100, 2**47 * 100)}}),
        # Under the least wager nobody could begin.
        (BadSetup, {"game": "baccarat", "limits": {"*": limits(500, 1_000)}, "differential_cents": 400}),
        (BadSetup, {"game": "tiger", "layout": "A"}),
        (BadSetup, {"game": "tiger", "positions": 1_000}),
        (BadSetup, {"game": "baccarat", "layout": "F"}),
        (BadSetup, {"game": "baccarat", "layout": "C", "positions": 6}),
        (BadSetup, {"game": "tiger", "differential_cents": 100}),
        (BadSetup, {"game": "baccarat", "differential_cents": -100}),
        (BadSetup, {"game": "fa-fa-fabulous-4", "hlga": True}),
        (BadSetup, {"game": "tiger", "source": Source.VIRTUAL, "reads": False}),
        (BadSetup, {"game": "baccarat", "method": Method.C}),
        (BadSetup, {"game": "tiger", "ranks": RANKS[1:]}),
        (BadSetup, {"game": "tiger", "ranks": (*RANKS[1:], RANKS[0])}),
        (BadSetup, {"game": "tiger", "phrase": 3}),
        (BadSetup, {"game": "baccarat", "phrase": 2}),
        (BadSetup, {"game": "tiger", "timings": Timings(bets_ms=-1)}),
    ],
)
def test_a_table_that_cannot_be_is_refused(refusal: type[PuntoError], setup: dict[str, Any]) -> None:
    with pytest.raises(refusal):
        Desk(**setup)


@interpretation(34)
@pytest.mark.parametrize("game", GAMES)
def test_no_table_opens_under_a_rulebook_that_is_not_in_force(game: str) -> None:
    command = do.OpenTable(id="1", table="T1", by=SHIFT, at_ms=LONG_AGO_MS, setup=Setup(game=game))
    with pytest.raises(BadSetup, match=r"is in force from .*: too early to open"):
        act(Table(), command)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_opens_with_its_usual_values_and_writes_them_down(game: str) -> None:
    setup = Desk(game).table.open
    assert setup.wagers == tuple(wager.name for wager in GAMES[game].wagers)
    assert set(setup.limits) == set(setup.wagers)
    assert (setup.decks, setup.unit_cents) == (8, 100)
    assert setup.digest == digest(GAMES[game])
    assert setup.rulebook == GAMES[game].rulebook


def test_wagers_are_offered_where_the_setup_offers_them() -> None:
    wagers = ("Tiger", "Tie", "Player", "Banker")
    assert Desk("tiger", wagers=wagers).table.open.wagers == ("Player", "Banker", "Tie", "Tiger")


@interpretation(7)
def test_a_game_of_ones_own_may_leave_out_any_wager() -> None:
    mine = dumps(GAMES["super-six"]).replace('rulebook = "EB4"\n', "").replace('key = "super-six"', 'key = "mine"')
    assert Desk("mine", declaration=mine, wagers=("Tie",)).table.open.wagers == ("Tie",)
    with pytest.raises(BadSetup, match="Player is always offered"):
        Desk("super-six", wagers=("Tie",))


def test_a_method_is_chosen_by_a_pit_manager_from_the_start() -> None:
    setup = Setup(game="baccarat", method=Method.A)
    command = do.OpenTable(id="1", table="T1", by=SUPERVISOR, at_ms=1_767_196_800_000, setup=setup)
    with pytest.raises(NotAllowed, match="choose between Methods A and B"):
        act(Table(), command)


def test_a_game_of_ones_own_is_conducted_as_on_terminals() -> None:
    mine = dumps(GAMES["tiger"]).replace('rulebook = "EB4"\n', "").replace('key = "tiger"', 'key = "mine"')
    table = Desk("mine", declaration=mine).table
    assert (table.game.key, table.book.code, table.phase) == ("mine", "EB4", Phase.CHANGE_OF_SHOE)


@interpretation(33)
def test_the_order_of_ranks_can_be_another() -> None:
    ranks = (
        Position.DEALER,
        Position.PIT_MANAGER,
        Position.PIT_SUPERVISOR,
        Position.ASSISTANT_CASINO_MANAGER,
        Position.GAMING_SHIFT_MANAGER,
    )
    desk = Desk(ranks=ranks)
    desk(do.RestrictAreas, SUPERVISOR, most=1)
    with pytest.raises(NotAllowed):
        Desk()(do.RestrictAreas, Actor("susan", Position.PIT_SUPERVISOR), most=1)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"rulebook": "TNC5"}, "rulebook TNC5: baccarat is played under B8"),
        ({"version": 7}, "version 7: baccarat is played under 8"),
        ({"digest": "00"}, "digest 00: baccarat is played under "),
        ({"timings": Timings(answer_ms=LONGEST_MS + 1)}, "expected 0 to 86400000 milliseconds"),
    ],
)
def test_what_is_named_must_be_what_is_in_force(told: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSetup, match=said):
        Desk("baccarat", **told)


def test_a_table_can_be_opened_anew_with_what_was_written_down() -> None:
    setup = Desk("baccarat").table.open
    again = do.OpenTable(id="1", table="T2", by=SHIFT, at_ms=1_767_196_800_000, setup=setup)
    assert act(Table(), again).table.open == setup
