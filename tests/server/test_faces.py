"""What everybody sees of a table."""

from tests.table.desk import DEALER, MANAGER, Desk, patron

from punto.rules import Method, Side
from punto.server.faces.public import Shown, public_state
from punto.table import commands as do


def test_a_fresh_shoe_finds_no_cards_of_the_old_one_on_the_table() -> None:
    desk = Desk()
    desk.bets(("ann", "Player", 1_000))
    desk(do.CloseBets)
    desk.draw("Ks 2h 9d 4c")
    desk(do.Announce)
    desk(do.Settle)
    assert len(public_state(desk.table, Shown()).cards) == 4
    desk(do.EndShoe, MANAGER)
    desk(do.LoadShoe)
    state = public_state(desk.table, Shown())
    assert (state.cards, state.totals, state.outcome) == ((), (None, None), None)


def test_which_hand_may_be_turned_is_told_and_nothing_while_a_decision_is_awaited() -> None:
    desk = Desk("baccarat", method=Method.A)
    desk.bets(("ann", "Player", 10_000), ("bob", "Banker", 10_000))
    desk(do.CloseBets)
    desk.draw("Ks 2h 5d 4c")

    def told() -> tuple[Side, ...]:
        return public_state(desk.table, Shown()).may_turn

    assert told() == ()
    desk(do.ChooseFirst, DEALER, side=Side.BANKER)
    assert told() == (Side.BANKER,)
    desk(do.AcceptCards, patron("bob"), patron="bob", side=Side.BANKER)
    desk(do.ExposeCards, patron("bob"), patron="bob", side=Side.BANKER)
    assert told() == (Side.PLAYER,)
    desk(do.Refer, DEALER, matter="a drink was spilt on the layout")
    assert told() == ()
