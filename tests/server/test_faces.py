"""What everybody sees of a table."""

from tests.table.desk import MANAGER, Desk

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
