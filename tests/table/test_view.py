from tests.table.desk import MANAGER, SHIFT, Desk, patron

from punto.rules import Act, Found, Method, Side
from punto.table import commands as do
from punto.table.attesting import Prompt
from punto.table.events import Ruling
from punto.table.log import ENCODER
from punto.table.view import view


def test_a_closed_table_shows_that_it_is_closed() -> None:
    desk = Desk()
    desk(do.CloseTable, SHIFT)
    assert view(desk.table, None).phase.value == "closed"


def test_cards_face_down_are_seen_by_who_handles_them_and_nobody_else() -> None:
    desk = Desk(method=Method.A)
    desk.bets(("ann", "Player", 1_000))
    desk(do.CloseBets)
    desk.draw("Ks 2h 5d 4c")
    desk(do.AcceptCards, patron("ann"), patron="ann", side=Side.PLAYER)
    seen = {name: [shown.card for shown in view(desk.table, patron(name)).cards] for name in ("ann", "bob")}
    assert seen == {"ann": ["Ks", "", "5d", ""], "bob": ["", "", "", ""]}
    assert view(desk.table, patron("ann")).staked_cents == 1_000
    assert view(desk.table, None).holders == {"player": "ann"}
    assert b"Ks" not in ENCODER.encode(view(desk.table, None))


def test_by_method_c_cards_that_nobody_was_given_are_seen_at_the_device() -> None:
    desk = Desk(method=Method.A, reads=True, hlga=True)
    desk(do.ChooseMethod, SHIFT, method=Method.C)
    desk.bets(("ann", "Player", 1_000))
    desk(do.CloseBets)
    desk(do.TakeDevice, patron("ann"), patron="ann")
    desk.draw("Ks 2h 5d", by=patron("ann"))
    assert {shown.card for shown in view(desk.table, patron("ann")).cards} == {""}
    desk.draw("4c", by=patron("ann"))
    seen = {name: [shown.card for shown in view(desk.table, patron(name)).cards] for name in ("ann", "bob")}
    assert seen == {"ann": ["Ks", "2h", "5d", "4c"], "bob": ["", "", "", ""]}


def test_what_the_table_waits_for_is_shown() -> None:
    desk = Desk(reads=True)
    desk.bets(("ann", "Player", 1_000))
    desk(do.CloseBets)
    desk.draw("Ks 2h")
    desk(do.ReportInterruption)
    waiting = view(desk.table, None).waiting
    assert waiting
    assert (waiting.what, waiting.clause, waiting.patrons, waiting.whole) == ("answers", "B8 5.17.1", ("ann",), True)
    desk(do.AnswerOffer, patron("ann"), patron="ann", withdraw=())
    desk(do.Refer, matter="a chair fell over")
    asked = view(desk.table, None).waiting
    assert asked
    assert asked.what == "decision"
    desk(do.Rule, SHIFT, ruling=Ruling.CONTINUE, reason="nobody was hurt")
    assert view(desk.table, None).waiting is None


def test_the_order_that_a_pit_manager_must_give_is_waited_for() -> None:
    desk = Desk()
    desk.bets(("ann", "Player", 1_000))
    desk(do.CloseBets)
    desk.draw("Ks 2h 5d Kc")
    desk(do.Announce)
    desk(do.ReportOrder, found=Found.DRAWN_TOGETHER, together=(5, 6), player="Ks 5d 3h", banker="2h Kc 4s")
    waiting = view(desk.table, None).waiting
    assert waiting
    assert waiting.what == "order"
    desk(do.OrderCards, MANAGER, order="Ks 2h 5d Kc 4s 3h")


def test_acts_that_only_people_can_do_are_prompted_for() -> None:
    desk = Desk(differential_cents=500)
    desk.bets(("ann", "Player", 1_000))
    desk(do.CloseBets)
    assert view(desk.table, None).prompts == (Prompt(Act.ASKED_TO_DECREASE),)
