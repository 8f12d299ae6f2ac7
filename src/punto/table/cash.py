"""Buying in, cashing out, putting credits right, and releasing what lay aside (EB4 1.1.15; E7U 1.1.5).

The table never sees a balance: the floor checks that a wallet covers what it gives.
"""

from punto.errors import BadStake, Malformed, NoSuchPosition, NotAllowed, NothingPending, TerminalIsDown
from punto.rules import Duty, Position
from punto.rules.money import MOST_CENTS, Cents, money
from punto.table import commands as do
from punto.table import events as on
from punto.table.actor import Actor, check_person, check_second
from punto.table.draft import Draft


def buy_in(draft: Draft, command: do.BuyIn) -> None:
    """Cash becomes credits."""
    second = _check(draft, command)
    draft.add(on.CreditsBought(command.patron, command.cents, command.position, second))


def cash_out(draft: Draft, command: do.CashOut) -> None:
    """Credits become cash."""
    second = _check(draft, command)
    draft.add(on.CreditsCashedOut(command.patron, command.cents, command.position, second))


def correct(draft: Draft, command: do.CorrectCredits) -> None:
    """Credits are put right by one person and approved by another."""
    table = draft.table
    check_person(command.patron)
    if not command.cents or abs(command.cents) > MOST_CENTS:
        raise BadStake(f"a correction of {money(command.cents)} is none")
    if not command.reason.strip():
        raise Malformed("a correction gives its reason")
    approver = check_second(table.book, table.open.ranks, command.by, command.approved_by, Duty.APPROVE)
    draft.add(on.CreditsCorrected(command.patron, command.cents, command.reason, approver))


def release(draft: Draft, command: do.ReleaseCredits) -> None:
    """What lies aside for a patron goes to the wallet; the floor does so when the wallet can take it."""
    check_person(command.patron)
    if command.by.position is not Position.SYSTEM:
        raise NotAllowed("only the floor itself releases what lies aside")
    cents = draft.table.withheld.get(command.patron)
    if not cents:
        raise NothingPending(f"nothing lies aside for {command.patron}")
    draft.add(on.CreditsReleased(command.patron, Cents(cents)))


def _check(draft: Draft, command: do.BuyIn | do.CashOut) -> Actor | None:
    """Refuse cash that cannot be; the second person who stands for it, if there is one."""
    table, position = draft.table, command.position
    if not 0 < command.cents <= MOST_CENTS:
        raise BadStake(f"{money(command.cents)}: expected more than nothing, and no more than an account can hold")
    if not 1 <= position <= table.open.positions:
        raise NoSuchPosition(f"position {position}: expected 1 to {table.open.positions}")
    if position in table.down and command.by.position is Position.PATRON:
        raise TerminalIsDown(f"terminal {position} is down: credits are bought and paid out at the desk")
    if command.confirmed_by is None:
        return None
    return check_second(table.book, table.open.ranks, command.by, command.confirmed_by, Duty.CONFIRM_CASH)
