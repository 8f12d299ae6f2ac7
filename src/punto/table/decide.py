"""What a command leads to. Every judgement about a table is made below here, and every refusal raised."""

from collections.abc import Callable
from typing import Any, Final

from punto.errors import DecisionPending, NotAllowed, OutOfTurn
from punto.rules import Duty, Position
from punto.table import (
    attesting,
    bets,
    cash,
    contributing,
    counting,
    custody,
    dealing,
    misdeals,
    offers,
    referral,
    remedies,
    shoes,
)
from punto.table import commands as do
from punto.table.actor import check_duty, check_person, usual_ranks
from punto.table.draft import Draft
from punto.table.events import AnyEvent
from punto.table.form import check_form
from punto.table.reports import reporter_of
from punto.table.state import Asked, Counting, Offer, Ordering, Table


def decide(table: Table, command: do.AnyCommand) -> tuple[AnyEvent, ...]:
    """The events that the command causes."""
    return tuple(act(table, command).events)


def act(table: Table, command: do.AnyCommand) -> Draft:
    """The events that the command causes, and the table after them."""
    _check(table, command)
    draft = Draft(table, command.at_ms, reporter_of(command))
    _ACTS[type(command)](draft, command)
    if draft.table.reports:
        misdeals.take_up(draft)
    if draft.table.interrupted:
        offers.resume(draft)
    return draft


def _check(table: Table, command: do.AnyCommand) -> None:
    """Who gives it, and whether the table is open and free to take it.

    On terminals patrons choose their wagers themselves, and nobody for them (EB4, E7U 3.5).
    """
    check_form(command)
    actor = command.by
    if type(command) is do.OpenTable:
        check_duty(command.setup.book, usual_ranks(command.setup.ranks), actor, Duty.RUN_TABLE)
        return
    if type(command) is do.ReleaseCredits:
        return
    if table.setup is None:
        raise OutOfTurn("the table is closed")
    own = isinstance(command, do.PatronCommand) and _is_own(command)
    if not own and command.duty is not None:
        check_duty(table.book, table.setup.ranks, actor, command.duty)
    if (table.pending is not None or table.asked) and not isinstance(command, _WHILE_PENDING):
        raise DecisionPending(f"{awaited_of(table)} first")


def awaited_of(table: Table) -> str:
    """Who must do what before the round goes on; patrons read it too, so it names nobody."""
    match table.awaited:
        case Offer():
            return "patrons must answer the offer of withdrawal"
        case Ordering():
            return "a Pit Manager must put the cards in order"
        case Counting():
            return "the cards must be counted"
        case Asked(number=number):
            return f"the Gaming Shift Manager must decide matter {number}"
    return "nothing"


def _is_own(command: do.PatronCommand) -> bool:
    """Whether a patron gives the command, and not staff for one; no patron gives it for another."""
    if command.patron != command.by.name:
        check_person(command.patron)
    if command.by.position is not Position.PATRON:
        return False
    if command.patron != command.by.name:
        raise NotAllowed(f"{command.by.name} acts for nobody else")
    return True


# What may come while a decision is pending: the decision itself, money at the desk, limits of the next
# round, and what is found meanwhile.
_WHILE_PENDING: Final = (
    do.AnswerOffer,
    do.CallTime,
    do.OrderCards,
    do.Rule,
    do.SetCardsAside,
    do.CountCards,
    do.AssignMissing,
    do.Refer,
    do.ReportCards,
    do.ReportOrder,
    do.ReportDelivery,
    do.ReportReset,
    do.ReportAbsence,
    do.ReportCarriedOff,
    do.ReportStake,
    do.ReportInterruption,
    do.RestoreTerminals,
    do.ReportDisplay,
    do.ShowCuttingCard,
    do.Attest,
    do.BuyIn,
    do.CashOut,
    do.CorrectCredits,
    do.ReleaseCredits,
    do.ChangeLimits,
)


_ACTS: Final[dict[type, Callable[[Draft, Any], None]]] = {
    do.OpenTable: shoes.open_table,
    do.CloseTable: shoes.close_table,
    do.ChangeLimits: shoes.change_limits,
    do.LoadShoe: shoes.load_shoe,
    do.CutShoe: shoes.cut_shoe,
    do.Contribute: contributing.contribute,
    do.CloseContributions: contributing.close_contributions,
    do.RevealContribution: contributing.reveal,
    do.DrawBeacon: contributing.draw_beacon,
    do.KeepShoe: shoes.keep_shoe,
    do.EndShoe: shoes.end_shoe,
    do.OpenBets: bets.open_bets,
    do.PlaceWager: bets.place,
    do.ChangeWager: bets.change,
    do.TakeBackWager: bets.take_back,
    do.SetStake: bets.set_stake,
    do.CloseBets: bets.close_bets,
    do.DrawCard: dealing.draw,
    do.ShowCuttingCard: dealing.show_cutting_card,
    do.Announce: dealing.announce,
    do.Settle: dealing.settle_round,
    do.RestrictAreas: custody.restrict_areas,
    do.ChooseMethod: custody.choose_method,
    do.AcceptCards: custody.accept,
    do.RefuseCards: custody.refuse,
    do.ChooseHolder: custody.choose_holder,
    do.PermitSqueeze: custody.permit_squeeze,
    do.PassHand: custody.pass_hand,
    do.ChooseFirst: custody.choose_first,
    do.ExposeCards: dealing.expose,
    do.TakeDevice: custody.take_device,
    do.GiveUpDevice: custody.give_up_device,
    do.PermitDrawing: custody.permit_drawing,
    do.ReportCards: remedies.report_cards,
    do.ReportOrder: misdeals.report_order,
    do.OrderCards: referral.order_cards,
    do.ReportDelivery: remedies.report_delivery,
    do.ReportReset: misdeals.report_reset,
    do.ReportAbsence: remedies.report_absence,
    do.ReportCarriedOff: counting.report_carried_off,
    do.SetCardsAside: counting.set_aside,
    do.CountCards: counting.count,
    do.AssignMissing: counting.assign,
    do.ReportStake: remedies.report_stake,
    do.RemoveWager: bets.remove,
    do.ReportInterruption: remedies.report_interruption,
    do.RestoreTerminals: remedies.restore_terminals,
    do.AllowWithdrawal: offers.allow_withdrawal,
    do.AnswerOffer: offers.answer,
    do.CallTime: offers.call_time,
    do.ReportDisplay: remedies.report_display,
    do.Attest: attesting.attest,
    do.Refer: referral.refer,
    do.Rule: referral.rule,
    do.BuyIn: cash.buy_in,
    do.CashOut: cash.cash_out,
    do.CorrectCredits: cash.correct,
    do.ReleaseCredits: cash.release,
}
