"""What everybody sees of a table."""

import pytest
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
    desk(do.EndShoe, MANAGER, reason="to see the cards")
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


@pytest.mark.parametrize(
    ("game", "cards", "totals"),
    [
        # Player's card first, then Banker's, in turn.
        ("tiger", "3s 7h 2d 8c 5s Ah", [(3, None), (3, 7), (5, 7), (5, 5), (0, 5), (0, 6)]),
        # Player begins with the permanent 7; the first card is Banker's.
        ("7-up", "Ks 2h 5d", [(7, 0), (9, 0), (9, 5)]),
    ],
)
def test_each_hand_has_its_own_total_after_every_card(
    game: str, cards: str, totals: list[tuple[int | None, int | None]]
) -> None:
    desk = Desk(game)
    desk.bets()
    desk(do.CloseBets)
    told = []
    for card in cards.split():
        desk.draw(card)
        told.append(public_state(desk.table, Shown()).totals)
    assert told == totals


def test_a_hand_with_a_card_face_down_has_no_total() -> None:
    desk = Desk("baccarat", method=Method.A)
    desk.bets(("ann", "Player", 10_000), ("bob", "Banker", 10_000))
    desk(do.CloseBets)
    desk.draw("Ks 2h 5d 4c")
    desk(do.ChooseFirst, DEALER, side=Side.BANKER)
    assert public_state(desk.table, Shown()).totals == (None, None)
    for name, side in (("bob", Side.BANKER), ("ann", Side.PLAYER)):
        desk(do.AcceptCards, patron(name), patron=name, side=side)
        desk(do.ExposeCards, patron(name), patron=name, side=side)
    assert public_state(desk.table, Shown()).totals == (5, 6)
    desk(do.Announce)
    desk.draw("9s")
    assert [card.card for card in public_state(desk.table, Shown()).cards][-1] == ""
    assert public_state(desk.table, Shown()).totals == (None, 6)
