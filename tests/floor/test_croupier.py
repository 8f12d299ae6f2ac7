"""The next right act: followed to the letter, it deals whole shoes of every game, by every method."""

from itertools import count

import pytest

from punto.floor import Floor, Keys
from punto.floor.croupier import AUTOMATIC, CLOCK, Pause, next_step
from punto.games import GAMES
from punto.record.audit import audit
from punto.rules import Method, Position, Side
from punto.store import MemoryStore
from punto.table import Actor, Phase, Setup, Table, with_virtual_cards
from punto.table import commands as do
from punto.table.events import Ruling

MANAGER = Actor("may", Position.GAMING_SHIFT_MANAGER)
DEALER = Actor("dee", Position.DEALER)
ANN = Actor("ann", Position.PATRON)
AT_MS = 1_800_000_000_000


class Dealt:
    """A table on a floor in memory, with ann at position 1, and a croupier who does what is due."""

    def __init__(self, game: str, method: Method | None = None, **setup: object) -> None:
        self.floor = Floor(MemoryStore(), Keys.fresh())
        self.ids = count(1)
        self.at_ms = AT_MS
        dealt = bool(GAMES[game].rulebook in ("B8", "TNC5"))
        given = {"game": game, "decks": 4, "hlga": dealt, **setup}
        self.give(do.OpenTable, MANAGER, setup=with_virtual_cards(Setup(**given)))  # type: ignore[arg-type]
        if method:
            self.give(do.ChooseMethod, MANAGER, method=method)
        self.give(do.BuyIn, ANN, patron="ann", cents=100_000_000, position=1)

    @property
    def table(self) -> Table:
        return self.floor.table("t")

    def is_in(self, phase: Phase) -> bool:
        return self.table.phase is phase

    def give(self, kind: type, by: Actor, **fields: object) -> None:
        self.at_ms += 40_000  # every wait is over by then
        self.floor.handle(kind(id=str(next(self.ids)), table="t", by=by, at_ms=self.at_ms, **fields))

    def step(self) -> type[do.Command] | None:
        """Do what is due; the act that it was."""
        step = next_step(self.table)
        if step is None:
            return None
        by = CLOCK if self.table.book.conduct.terminals else AUTOMATIC
        self.give(step.do, by, **step.fields)
        return step.do

    def round(self) -> None:
        """A whole round, with a wager on each hand."""
        while self.table.phase is not Phase.BETS_OPEN:
            assert self.step()
        for wager in ("Player", "Banker"):
            self.give(do.SetStake, ANN, patron="ann", wager=wager, stake_cents=10_000, position=1)
        if self.table.method is Method.C and not self.table.device:
            self.give(do.TakeDevice, ANN, patron="ann")
        before = self.table.round
        while self.table.phase not in (Phase.SETTLED, Phase.VOID):
            assert self.step()
        assert self.table.round == before


@pytest.mark.parametrize("game", GAMES)
def test_an_automatic_dealer_plays_a_whole_shoe_and_begins_another(game: str) -> None:
    dealt = Dealt(game)
    while dealt.table.shoes < 2 or dealt.table.round < 3:
        dealt.round()
    assert not audit(dealt.floor.store, public_key=dealt.floor.keys.public).findings


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("game", ["baccarat", "live-tiger-no-commission"])
def test_by_every_method_the_round_goes_on_though_the_patron_does_nothing(game: str, method: Method) -> None:
    dealt = Dealt(game, method)
    for _ in range(12):
        dealt.round()
    assert not audit(dealt.floor.store, public_key=dealt.floor.keys.public).findings


def test_a_patron_at_the_device_who_does_not_draw_is_absent_and_the_dealer_draws() -> None:
    dealt = Dealt("baccarat", Method.C)
    while not dealt.is_in(Phase.BETS_OPEN):
        dealt.step()
    dealt.give(do.SetStake, ANN, patron="ann", wager="Player", stake_cents=10_000, position=1)
    dealt.give(do.TakeDevice, ANN, patron="ann")
    dealt.step()
    step = next_step(dealt.table)
    assert step
    assert (step.do, step.pause) == (do.ReportAbsence, Pause.ANSWERS)
    while not dealt.is_in(Phase.SETTLED):
        assert dealt.step()


def test_where_nobody_takes_the_device_the_matter_is_referred() -> None:
    dealt = Dealt("baccarat", Method.C)
    while not dealt.table.asked:
        assert dealt.step()
    assert not dealt.table.cards
    assert next_step(dealt.table) is None
    dealt.give(do.Rule, MANAGER, ruling=Ruling.CONTINUE, reason="the Dealer deals", method=Method.B)
    while not dealt.is_in(Phase.SETTLED):
        assert dealt.step()


def test_who_handles_the_cards_has_time_to_turn_them_and_then_the_dealer_does() -> None:
    dealt = Dealt("baccarat", Method.A)
    while not dealt.is_in(Phase.BETS_OPEN):
        dealt.step()
    dealt.give(do.SetStake, ANN, patron="ann", wager="Player", stake_cents=10_000, position=1)
    while not dealt.table.player.offered:
        dealt.step()
    dealt.give(do.AcceptCards, ANN, patron="ann", side=Side.PLAYER)
    acts = []
    while not dealt.is_in(Phase.SETTLED):
        acts.append(dealt.step())
    assert do.ReportAbsence in acts
    assert do.ExposeCards in acts


def test_which_hand_is_first_is_said_before_any_answer_so_that_who_takes_cards_may_turn_them_at_once() -> None:
    dealt = Dealt("baccarat", Method.A)
    while not dealt.is_in(Phase.BETS_OPEN):
        dealt.step()
    for wager in ("Player", "Banker"):
        dealt.give(do.SetStake, ANN, patron="ann", wager=wager, stake_cents=10_000, position=1)
    while not dealt.table.player.offered:
        dealt.step()
    assert not any(map(dealt.table.may_turn, Side))
    step = next_step(dealt.table)
    assert step
    assert (step.do, step.pause) == (do.ChooseFirst, Pause.SPEECH)
    dealt.step()
    assert [side for side in Side if dealt.table.may_turn(side)] == [Side.PLAYER]
    dealt.give(do.AcceptCards, ANN, patron="ann", side=Side.PLAYER)
    assert dealt.table.banker.offered
    dealt.give(do.ExposeCards, ANN, patron="ann", side=Side.PLAYER)
    assert [side for side in Side if dealt.table.may_turn(side)] == [Side.BANKER]
    while not dealt.is_in(Phase.SETTLED):
        assert dealt.step()


def test_what_somebody_must_decide_stops_the_croupier() -> None:
    dealt = Dealt("baccarat")
    while not dealt.is_in(Phase.INITIAL_DEAL):
        dealt.step()
    dealt.give(do.Refer, DEALER, matter="a drink was spilt on the layout")
    assert next_step(dealt.table) is None
    dealt.give(do.Rule, MANAGER, ruling=Ruling.CONTINUE, reason="the cards are dry")
    assert next_step(dealt.table)


def test_a_table_that_is_too_heavy_waits() -> None:
    dealt = Dealt("baccarat", differential_cents=100_000)
    while not dealt.is_in(Phase.BETS_OPEN):
        dealt.step()
    dealt.give(do.SetStake, ANN, patron="ann", wager="Player", stake_cents=200_000, position=1)
    dealt.step()
    assert dealt.table.heavier is Side.PLAYER
    assert next_step(dealt.table) is None
    dealt.give(do.SetStake, ANN, patron="ann", wager="Player", stake_cents=100_000, position=1)
    assert next_step(dealt.table)


def test_a_closed_table_has_nothing_due() -> None:
    assert next_step(Table()) is None
