"""The gate: whoever gives a command must still be let in when it is judged, by what is on record at that moment.

Pages learn of a change once it is durable; a command that was sent meanwhile comes too late. So the gate knows people
as the writing thread does, in the order of writing, and that thread alone uses it. The audit judges by the same order.

Here it is judged, too, what one person may do alone: whose cash moves, how much of it, and who is a second person.
"""

from typing import Final

from punto.errors import (
    ClosedToPlay,
    ExcludedPatron,
    NeedsSecond,
    NotAllowed,
    NotIndependent,
    NotOnOwnDevice,
    NotSignedIn,
    ProveAgain,
    Refusal,
    UnknownPatron,
    quoted,
)
from punto.floor.tickets import step_of
from punto.floor.warrants import Records, Warrant
from punto.rules import Position
from punto.rules.money import money
from punto.server.identity.events import Kind, Noted
from punto.server.identity.people import People, key
from punto.table import Actor, AnyCommand
from punto.table import commands as do
from punto.table.authority import can_ever_give

# Money and rulings, and what is played for: whoever gives such a command must have shown a while ago at most who they
# are.
PROVED: Final = (
    do.BuyIn,
    do.CashOut,
    do.CorrectCredits,
    do.ReleaseCredits,
    do.Rule,
    do.OpenTable,
    do.ChangeLimits,
    do.RemoveWager,
    do.SetCardsAside,
)


class Gate:
    """People as far as they are written down."""

    def __init__(self, *, second_factor: bool = False) -> None:
        self._people = People(second_factor=second_factor)

    def take(self, noted: Noted) -> None:
        """Something was written down."""
        self._people.evolve(noted)

    def __call__(self, command: AnyCommand, warrant: Warrant, records: Records) -> str:
        """Refuse a command whose warrant does not hold; the member of staff in whose name it counts as cash."""
        at_ms = command.at_ms
        second = second_of(command)
        two = bool(warrant.second or (second is not None and warrant.session))
        if warrant.session:
            self._check_session(warrant.session, command.by, at_ms, proved=not two and isinstance(command, PROVED))
            if two and isinstance(command, PROVED):
                self._check_first(warrant.session, command.by, at_ms)
        if two:
            self._check_session(warrant.second, second, at_ms, proved=True)
        if warrant.at_terminal:
            self._check_terminal(command.by.name, at_ms)
        if warrant.device:
            shoe = self._people.terminals.get(warrant.device)
            if shoe is None or shoe.kind is not Kind.SHOE or shoe.table != command.table:
                raise NotSignedIn("this shoe is not known any more: nothing was done")
        self._check_excluded(command)
        if not self._people.has_staff or self._people.orders is None or self._came_by_a_link(warrant.session):
            return ""
        if second is not None:
            check_two(self._people, command.by.name, second.name, at_ms)
        return self._check_money(command, records) if isinstance(command, _OF_MONEY) else ""

    def admit(self, by: Actor, session: str, at_ms: int) -> None:
        """Refuse whoever is not let in any more: a patron at a terminal, or staff, who have shown who they are."""
        if by.position is Position.PATRON:
            self._check_terminal(by.name, at_ms)
        else:
            self._check_session(session, by, at_ms, proved=True)

    def _check_session(self, id_: str, by: Actor | None, at_ms: int, *, proved: bool) -> None:
        session = self._people.sessions.get(id_)
        if session is None or at_ms >= session.until_ms:
            raise NotSignedIn("the session is over: nothing was done, sign in again")
        if self._people.actor(session, at_ms) != by:
            raise NotAllowed("you act in another position by now: nothing was done")
        if proved:
            self._people.check_proved(session, at_ms)

    def _check_first(self, id_: str, first: Actor, at_ms: int) -> None:
        """Refuse what somebody proposed who has to show again who they are: nobody else can do that."""
        try:
            self._people.check_proved(self._people.sessions[id_], at_ms)
        except ProveAgain:
            raise Refusal(
                f"{first.name} must show again who they are and propose this again: nothing was done"
            ) from None

    def _came_by_a_link(self, id_: str) -> bool:
        """Whether a session is of a demonstration's staff, who have no accounts; the audit calls them nobody."""
        session = self._people.sessions.get(id_)
        return session is not None and session.position is not None

    def _check_terminal(self, name: str, at_ms: int) -> None:
        terminal = self._people.terminals.get(name)
        if terminal is None or terminal.kind is Kind.SHOE or terminal.is_forgotten(at_ms):
            raise NotSignedIn("this terminal is not known any more: nothing was done")

    def _check_excluded(self, command: AnyCommand) -> None:
        """Refuse play of whom the house has excluded; what is owed is paid, and what was accepted is played."""
        if not isinstance(command, _PLAYS) or not self._people.is_excluded(command.patron, command.at_ms):
            return
        if isinstance(command, do.SetStake) and not command.stake_cents:
            return  # it is taken back
        if command.by.position is Position.PATRON:
            raise ClosedToPlay(CLOSED_TO_PLAY)
        if not is_ticket(command):
            raise ExcludedPatron(excluded(command.patron))

    def _check_money(self, command: do.BuyIn | do.CashOut | do.CorrectCredits, records: Records) -> str:
        """Refuse staff who move money of nobody, or alone more cash than one person may."""
        by = command.by
        of_none = by.position in (Position.PATRON, Position.SYSTEM)
        if of_none or not can_ever_give(by.position, type(command)):
            return ""  # the table says who may
        patron = command.patron
        if not self._people.knows_patron(patron, command.at_ms) and not records.has_wallet(patron):
            raise UnknownPatron(
                f"nobody here knows a patron {quoted(patron)}: expected a terminal, a wallet, or somebody whom a Pit "
                "Supervisor has registered; nothing was done"
            )
        if isinstance(command, do.CorrectCredits) or command.confirmed_by is not None or is_ticket(command):
            return ""  # it takes two anyway, or two people stand for it, or no cash has come in
        self._check_cash(command, records)
        return key(by.name)

    def _check_cash(self, command: do.BuyIn | do.CashOut, records: Records) -> None:
        orders = self._people.orders
        limit = orders.cash.get(command.by.position) if orders else None
        if orders is None or limit is None or command.cents <= 0:
            return
        if command.cents > limit.act_cents:
            raise NeedsSecond(
                f"one person may move up to {money(limit.act_cents)} at a time: a second person must confirm more"
            )
        moved = records.cash_since(key(command.by.name), command.at_ms - orders.shift_ms)
        if moved + command.cents > limit.shift_cents:
            raise NeedsSecond(
                f"you have moved {money(moved)} in this shift, and one person may move {money(limit.shift_cents)}: a "
                "second person must confirm this"
            )


_OF_MONEY = do.BuyIn | do.CashOut | do.CorrectCredits
# What a patron cannot do, nor anybody for the patron, whom the house has excluded.
_PLAYS: Final = (do.PlaceWager, do.SetStake, do.ChangeWager, do.BuyIn, do.Contribute, do.CutShoe)
CLOSED_TO_PLAY: Final = "This terminal is closed to play. Please speak to the staff."


def excluded(patron: str) -> str:
    """Why a patron does not play."""
    return f"the house has excluded {quoted(patron)}: staff may pay out the credits, and do no more; nothing was done"


def is_ticket(command: AnyCommand) -> bool:
    """Whether a member of staff redeems a ticket: its credits are paid out, and no cash came in."""
    redeems = isinstance(command, do.BuyIn) and step_of(command) is not None
    return redeems and command.by.position is not Position.PATRON


def second_of(command: AnyCommand) -> Actor | None:
    """The second person who stands for a command."""
    if isinstance(command, do.CorrectCredits):
        return command.approved_by
    second: Actor | None = getattr(command, "confirmed_by", None)
    return second


def check_two(people: People, first: str, second: str, at_ms: int) -> None:
    """Refuse two people who do not stand together for an act: they are not independent, or one has yet to enrol."""
    if not people.are_independent(first, second, at_ms):
        raise NotIndependent(not_independent(first, second))
    check_alone(people, first, at_ms)
    check_alone(people, second, at_ms)


def check_alone(people: People, name: str, at_ms: int) -> None:
    """Refuse somebody who stands with nobody for an act, whoever the other is."""
    if people.has_come_back(name, at_ms):
        raise NotIndependent(has_come_back(name))
    if not people.is_on_own_device(name):
        raise NotOnOwnDevice(not_on_own_device(name))


def has_come_back(name: str) -> str:
    """Why somebody who came in by a code from the machine stands with nobody for a while."""
    return (
        f"{name} has come back with a code that was made on the machine, and cannot be one of two people until the "
        "house's independence-hours have passed since then; nothing was done"
    )


def not_on_own_device(name: str) -> str:
    """Why somebody stands with nobody for an act yet, and what is to be done."""
    return (
        f"{name} has not enrolled on a device of their own, so nothing was done. {name} must sign in with another "
        "browser, one that nobody who opened or changed this account has used, change the password there, and add a "
        "passkey or one-time codes"
    )


def not_independent(first: str, second: str) -> str:
    """Why one of two people may not confirm what the other proposes."""
    return (
        f"{first} and {second} are not independent: one of them lately opened or changed the account of the other, "
        "or the same person opened both, directly or through others"
    )
