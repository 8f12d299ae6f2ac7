"""Buying in, cashing out, and putting credits right (EB4 1.1.15; E7U 1.1.5).

The table never sees a balance: the floor checks that a wallet covers what it gives.
"""

from punto.errors import BadStake, Malformed, NoSuchPosition, NotAllowed
from punto.rules import Duty, Position
from punto.rules.money import MOST_CENTS, Cents, money
from punto.table import commands as do
from punto.table import events as on
from punto.table.actor import check_duty, check_person
from punto.table.draft import Draft


def buy_in(draft: Draft, command: do.BuyIn) -> None:
    """Cash becomes credits."""
    _check(draft, command.cents, command.position)
    draft.add(on.CreditsBought(command.patron, command.cents, command.position))


def cash_out(draft: Draft, command: do.CashOut) -> None:
    """Credits become cash."""
    _check(draft, command.cents, command.position)
    draft.add(on.CreditsCashedOut(command.patron, command.cents, command.position))


def correct(draft: Draft, command: do.CorrectCredits) -> None:
    """Credits are put right by one person and approved by another."""
    table = draft.table
    approver = command.approved_by
    check_person(command.patron)
    check_person(approver.name)
    if approver.name.casefold() == command.by.name.casefold() or approver.position is Position.SYSTEM:
        raise NotAllowed("a correction takes two people")
    check_duty(table.book, table.open.ranks, approver, Duty.APPROVE)
    if not command.cents or abs(command.cents) > MOST_CENTS:
        raise BadStake(f"a correction of {money(command.cents)} is none")
    if not command.reason.strip():
        raise Malformed("a correction gives its reason")
    draft.add(on.CreditsCorrected(command.patron, command.cents, command.reason, approver))


def _check(draft: Draft, cents: Cents, position: int) -> None:
    setup = draft.table.open
    if not 0 < cents <= MOST_CENTS:
        raise BadStake(f"{money(cents)}: expected more than nothing, and no more than an account can hold")
    if not 1 <= position <= setup.positions:
        raise NoSuchPosition(f"position {position}: expected 1 to {setup.positions}")
