"""What a table says no to, each with its own reason, and without a trace."""

from collections.abc import Callable
from contextlib import nullcontext
from copy import deepcopy
from typing import Any

import pytest
from tests.marks import interpretation
from tests.table.desk import ASSISTANT, DEALER, MANAGER, SHIFT, SUPERVISOR, SYSTEM, Desk, patron

from punto.errors import (
    BadCount,
    BadReport,
    BadShoe,
    Corrupt,
    ImpossibleCard,
    Malformed,
    NoCardDue,
    NoSuchPosition,
    NotAllowed,
    NothingPending,
    NotInHand,
    OutOfTurn,
    PuntoError,
    Refusal,
    ShoeIsSpent,
)
from punto.rules import Found, Method, Position, Side
from punto.table import Actor, Phase, Source, decide
from punto.table import commands as do
from punto.table.events import RoundVoided, Ruling
from punto.table.log import read

Act = Callable[[Desk], object]


def dealt(cards: str = "Ks 2h 5d 4c", **setup: Any) -> Desk:  # noqa: ANN401
    desk = Desk(**setup)
    desk.bets(("ann", "Player", 1_000), ("bob", "Banker", 1_000))
    desk(do.CloseBets)
    desk.draw(cards)
    return desk


def squeezing() -> Desk:
    desk = dealt(method=Method.A)
    desk(do.AcceptCards, patron("ann"), patron="ann", side=Side.PLAYER)
    return desk


def voided_while_offered() -> Desk:
    desk = dealt(method=Method.A)
    desk(do.Refer, matter="a chair fell over")
    desk(do.Rule, SHIFT, ruling=Ruling.VOID, reason="seen on camera")
    return desk


def unread() -> Desk:
    desk = dealt("? ? ? ?", method=Method.A, reads=False, decks=4)
    desk(do.AcceptCards, patron("ann"), patron="ann", side=Side.PLAYER)
    desk(do.RefuseCards, patron("bob"), patron="bob", side=Side.BANKER)
    desk(do.ChooseFirst, DEALER, side=Side.BANKER)
    return desk


def by_patron() -> Desk:
    desk = Desk(hlga=True)
    desk(do.ChooseMethod, ASSISTANT, method=Method.C)
    desk.bets(("ann", "Player", 1_000))
    desk(do.TakeDevice, patron("ann"), patron="ann")
    desk(do.CloseBets)
    return desk


def virtual() -> Desk:
    desk = Desk("tiger", source=Source.VIRTUAL)
    desk(do.LoadShoe, commitment="c", sealed="s")
    return desk


def virtual_closed() -> Desk:
    desk = virtual()
    desk(do.OpenBets)
    desk(do.CloseBets)
    return desk


def settled() -> Desk:
    desk = dealt("Ks 2h 9d 5c")
    desk(do.Announce)
    desk(do.Settle)
    return desk


CASES: list[tuple[type[PuntoError], Callable[[], Desk], Act]] = [
    (Malformed, Desk, lambda d: d(do.LoadShoe, Actor(" ", Position.DEALER))),
    (Malformed, Desk, lambda d: d(do.BuyIn, DEALER, patron=" ", cents=100, position=1)),
    (NotAllowed, Desk, lambda d: d(do.BuyIn, patron("ann"), patron="bob", cents=100, position=1)),
    (NoSuchPosition, Desk, lambda d: d(do.BuyIn, patron("ann"), patron="ann", cents=100, position=99)),
    (OutOfTurn, Desk, lambda d: d(do.EndShoe, MANAGER, reason="to see the cards")),
    (BadShoe, Desk, lambda d: d(do.LoadShoe, commitment="x")),
    (OutOfTurn, dealt, lambda d: d(do.LoadShoe)),
    (OutOfTurn, dealt, lambda d: d(do.CloseTable, SHIFT)),
    (OutOfTurn, virtual, lambda d: d(do.CloseTable, SHIFT)),
    (BadShoe, virtual, lambda d: d(do.CutShoe, patron("ann"), patron="ann", cards=416)),
    (BadShoe, virtual, lambda d: d(do.EndShoe, MANAGER, order="As", salt="x", reason="new cards")),
    (OutOfTurn, dealt, lambda d: d(do.CutShoe, patron("ann"), patron="ann", cards=5)),
    (NotAllowed, dealt, lambda d: d(do.DrawCard, patron("ann"), card="3h")),
    (NotAllowed, by_patron, lambda d: d(do.DrawCard, DEALER, card="3h")),
    (NotAllowed, by_patron, lambda d: d(do.DrawCard, patron("bob"), card="3h")),
    (NotAllowed, dealt, lambda d: d(do.TakeDevice, patron("ann"), patron="ann")),
    (NotInHand, by_patron, lambda d: d(do.TakeDevice, patron("bob"), patron="bob")),
    (OutOfTurn, by_patron, lambda d: d(do.PassHand, DEALER, side=Side.BANKER, patron="bob")),
    (OutOfTurn, dealt, lambda d: d(do.PassHand, DEALER, side=Side.BANKER, patron="bob")),
    (NoCardDue, dealt, lambda d: d(do.DrawCard, DEALER, card="3h")),
    (NoCardDue, squeezing, lambda d: d(do.DrawCard, DEALER, card="3h")),
    (NoCardDue, squeezing, lambda d: d(do.Announce)),
    (OutOfTurn, dealt, lambda d: d(do.Settle)),
    (OutOfTurn, settled, lambda d: d(do.Announce)),
    (NotInHand, squeezing, lambda d: d(do.ExposeCards, DEALER, side=Side.PLAYER)),
    (NotInHand, squeezing, lambda d: d(do.ExposeCards, DEALER, patron="bob", side=Side.PLAYER)),
    (NotAllowed, squeezing, lambda d: d(do.ExposeCards, patron("bob"), patron="ann", side=Side.PLAYER)),
    (NotAllowed, squeezing, lambda d: d(do.ExposeCards, patron("ann"), side=Side.PLAYER)),
    (OutOfTurn, squeezing, lambda d: d(do.ExposeCards, patron("ann"), patron="ann", side=Side.PLAYER)),
    (NoCardDue, unread, lambda d: d(do.ExposeCards, DEALER, side=Side.BANKER, cards="2h")),
    (ImpossibleCard, unread, lambda d: d(do.ReportOrder, found=Found.WRONG_ORDER, player="2h 2h 2h", banker="2h 2h")),
    (OutOfTurn, dealt, lambda d: d(do.ChooseFirst, DEALER, side=Side.PLAYER)),
    (NotInHand, squeezing, lambda d: d(do.ChooseHolder, SUPERVISOR, side=Side.PLAYER, patron="bob")),
    (NotInHand, squeezing, lambda d: d(do.AcceptCards, patron("bob"), patron="bob", side=Side.PLAYER)),
    (OutOfTurn, voided_while_offered, lambda d: d(do.AcceptCards, patron("ann"), patron="ann", side=Side.PLAYER)),
    (OutOfTurn, voided_while_offered, lambda d: d(do.RefuseCards, patron("ann"), patron="ann", side=Side.PLAYER)),
    (OutOfTurn, settled, lambda d: d(do.PermitSqueeze, MANAGER, side=Side.PLAYER, patron="ann")),
    (Refusal, by_patron, lambda d: d(do.PermitDrawing, ASSISTANT, patron="ann", permitted=False)),
    (BadReport, dealt, lambda d: d(do.ReportCards, found=Found.OTHER)),
    (BadReport, dealt, lambda d: d(do.ReportOrder, found=Found.OTHER, player="Ks", banker="")),
    (BadReport, dealt, lambda d: d(do.ReportDelivery, found=Found.OTHER, side=Side.PLAYER)),
    (NotInHand, dealt, lambda d: d(do.ReportDelivery, found=Found.WRONG_PATRON, side=Side.PLAYER)),
    (OutOfTurn, lambda: dealt(""), lambda d: d(do.ReportDelivery, found=Found.WRONG_PATRON, side=Side.PLAYER)),
    (OutOfTurn, settled, lambda d: d(do.ReportCards, found=Found.TOO_FEW_CARDS)),
    (OutOfTurn, settled, lambda d: d(do.ReportReset)),
    (OutOfTurn, settled, lambda d: d(do.ReportInterruption)),
    (BadReport, dealt, lambda d: d(do.ReportInterruption, terminals=(1,))),
    (BadReport, lambda: dealt(reads=False), lambda d: d(do.ReportReset)),
    (BadReport, dealt, lambda d: d(do.ReportStake, number=1, stake_cents=1_000)),
    (BadReport, dealt, lambda d: d(do.ReportOrder, found=Found.WRONG_ORDER, player="", banker="")),
    (
        BadReport,
        dealt,
        lambda d: d(do.ReportOrder, found=Found.WRONG_ORDER, player="Ks 5d", banker="2h 4c", order="Ks"),
    ),
    (BadReport, dealt, lambda d: d(do.ReportOrder, found=Found.WRONG_ORDER, player="Ks 5d", banker="2h")),
    (BadReport, unread, lambda d: d(do.ReportOrder, found=Found.WRONG_ORDER, player="Ks 5d", banker="2h")),
    (NotInHand, dealt, lambda d: d(do.ReportAbsence, side=Side.PLAYER)),
    (OutOfTurn, settled, lambda d: d(do.ReportCarriedOff, side=Side.PLAYER, cards=1)),
    (NotInHand, dealt, lambda d: d(do.ReportCarriedOff, side=Side.PLAYER, cards=1)),
    (BadReport, unread, lambda d: d(do.ReportCarriedOff, side=Side.PLAYER, cards=3)),
    (BadReport, unread, lambda d: d(do.ReportCarriedOff, side=Side.PLAYER, cards=2)),
    (NothingPending, dealt, lambda d: d(do.SetCardsAside, SHIFT, cards="3h 4h")),
    (NothingPending, dealt, lambda d: d(do.Rule, SHIFT, ruling=Ruling.VOID, reason="x")),
    (NothingPending, dealt, lambda d: d(do.OrderCards, MANAGER, order="Ks")),
    (NothingPending, dealt, lambda d: d(do.CallTime, SYSTEM)),
    (NothingPending, dealt, lambda d: d(do.AnswerOffer, patron("ann"), patron="ann")),
    (Malformed, dealt, lambda d: d(do.Refer, matter=" ")),
    (OutOfTurn, Desk, lambda d: d(do.Refer, matter="a chair fell over")),
    (OutOfTurn, dealt, lambda d: d(do.AllowWithdrawal)),
    (NoCardDue, virtual_closed, lambda d: d(do.ShowCuttingCard)),
]


@pytest.mark.parametrize(("refusal", "desk", "act"), CASES)
def test_it_is_refused_and_the_table_is_as_it_was(
    refusal: type[PuntoError], desk: Callable[[], Desk], act: Act
) -> None:
    made = desk()
    table, before = made.table, deepcopy(made.table)
    with pytest.raises(refusal) as refused:
        act(made)
    assert type(refused.value) is refusal
    assert made.table is table == before


def test_a_card_face_up_between_rounds_is_referred_and_no_round_can_be_void() -> None:
    desk = settled()
    desk(do.EndShoe, MANAGER, reason="to see the cards")
    desk(do.LoadShoe)
    desk(do.ReportCards, found=Found.FACE_UP_IN_DEVICE)
    desk(do.Rule, SHIFT, ruling=Ruling.CONTINUE, reason="turned over and left in place")
    desk(do.Refer, matter="a torn card")
    undone = desk(do.Rule, SHIFT, ruling=Ruling.VOID, reason="the last round was dealt with it")
    assert [type(event).__name__ for event in undone] == ["Ruled", "SettlementReversed", "RoundVoided"]
    desk(do.Refer, matter="another torn card")
    with pytest.raises(OutOfTurn):
        desk(do.Rule, SHIFT, ruling=Ruling.VOID, reason="there is none")


@interpretation(21)
@pytest.mark.parametrize("came", [True, False])
def test_a_void_round_is_the_last_of_its_shoe_if_the_cutting_card_came(came: bool) -> None:
    desk = Desk("baccarat")
    desk.bets(("ann", "Player", 1_000))
    desk(do.CloseBets)
    desk.draw("Ks")
    if came:
        desk(do.ShowCuttingCard)
    desk(do.Refer, matter="a drink was spilt on the layout")
    *_, voided = desk(do.Rule, SHIFT, ruling=Ruling.VOID, reason="the card cannot be read")
    assert isinstance(voided, RoundVoided)
    assert not voided.replace
    with pytest.raises(ShoeIsSpent) if came else nullcontext():
        desk(do.OpenBets)


def test_a_shoe_that_runs_out_makes_the_round_void() -> None:
    desk = Desk("tiger", decks=4, behind=0)
    desk(do.LoadShoe)
    cards = [str(card) for card in desk.table.game.deck.cards * 4]
    while cards:
        desk(do.OpenBets)
        desk(do.CloseBets)
        while desk.table.phase not in {Phase.SETTLED, Phase.VOID}:
            events = desk(do.DrawCard, card=cards.pop(0) if cards else "As")
    if desk.table.phase is Phase.SETTLED:
        desk(do.OpenBets)
        desk(do.CloseBets)
        events = desk(do.DrawCard, card="As")
    assert [type(event).__name__ for event in events] == ["IrregularityFound", "RoundVoided"]
    with pytest.raises(ShoeIsSpent):
        desk(do.OpenBets)


def test_a_count_that_cannot_be_right_is_refused() -> None:
    desk = unread()
    desk(do.ExposeCards, DEALER, side=Side.BANKER, cards="2h 4c")
    desk(do.ReportCarriedOff, side=Side.PLAYER, cards=2)
    for wrong in ("3h", "3h 4h 5h"):
        with pytest.raises(BadCount):
            desk(do.SetCardsAside, SHIFT, cards=wrong)
    with pytest.raises(BadCount):
        desk(do.CountCards, SHIFT, device="", discards="")
    desk(do.SetCardsAside, SHIFT, cards="3h 4h")
    with pytest.raises(BadCount):
        desk(do.SetCardsAside, SHIFT, cards="3h 4h")
    for device, discards in (("", ""), ("2h 2h 2h 2h", ""), ("", "9s")):
        with pytest.raises(BadCount):
            desk(do.CountCards, SHIFT, device=device, discards=discards)
    with pytest.raises(BadCount):
        desk(do.AssignMissing, SHIFT, cards="As Ah")


def test_a_decision_is_the_events_alone() -> None:
    desk = Desk()
    command = do.LoadShoe(id="x", table="T1", by=DEALER, at_ms=desk.now_ms)
    assert [type(event).__name__ for event in decide(desk.table, command)] == ["ShoeLoaded"]


def test_an_event_that_does_not_read_is_corrupt() -> None:
    with pytest.raises(Corrupt):
        read(b'{"at_ms": 1}')


@interpretation(39)
@pytest.mark.parametrize("found", [Found.EXTRA_CARDS, Found.UNSHUFFLED_CARDS, Found.ORDER_ALTERED, Found.WRONG_ORDER])
def test_a_virtual_shoe_is_certain(found: Found) -> None:
    desk = virtual()
    desk(do.OpenBets)
    desk(do.CloseBets)
    desk.draw("Ks", by=SYSTEM)
    order: dict[str, Any] = {"player": "Ks", "banker": "", "order": "Ks"} if found is Found.WRONG_ORDER else {}
    kind = do.ReportOrder if order else do.ReportCards
    with pytest.raises(BadReport, match=r"^the cards come from a virtual shoe"):
        desk(kind, found=found, **order)
