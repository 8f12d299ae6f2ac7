"""Acts that take two people: one proposes, another confirms in a session of their own, and only then it is done.

A table opens with the setup of the floor's file, and its limits stay within the file's. Anything else waits here for
the second person, as do chips on a layout that are found otherwise after the first card, corrections of credits, and
more cash than one person may move alone.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec
from msgspec.structs import replace

from punto.errors import NeedsSecond, NothingPending, NotIndependent, NotOnOwnDevice, OutOfTurn, PuntoError, TooFast
from punto.games.conducts import HOUSE
from punto.rules import Duty
from punto.server.identity.gate import PROVED, has_come_back, not_independent, not_on_own_device, second_of
from punto.server.seating import has_table
from punto.server.wire.tells import ProposalState
from punto.table import Actor, AnyCommand, Limit, Setup, Table, act
from punto.table import commands as do
from punto.table.actor import check_second, is_same_person, usual_ranks
from punto.table.setup import complete, with_limits

if TYPE_CHECKING:
    from punto.server.connection import Connection
    from punto.server.hosted import Hosted

# The acts that may take two people, and the duty of the second.
_DUTIES: Final[dict[type, Duty]] = {
    do.OpenTable: Duty.CONFIRM_SETUP,
    do.ChangeLimits: Duty.CONFIRM_SETUP,
    do.ReportStake: Duty.CONFIRM_STAKE,
    do.CorrectCredits: Duty.APPROVE,
    do.BuyIn: Duty.CONFIRM_CASH,
    do.CashOut: Duty.CONFIRM_CASH,
}
OF_TWO: Final = (do.OpenTable, do.ChangeLimits, do.ReportStake)
# Whether these take two, the record says: they are given first, and proposed once the floor has refused them for that.
OF_MONEY: Final = (do.CorrectCredits, do.BuyIn, do.CashOut)
# How many proposals of one person may wait at a table.
_MOST: Final = 4
# How many confirmations are remembered, so that a page whose answer was lost may ask again.
_REMEMBERED: Final = 16
_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class Proposal:
    """A command that waits for its second person, the session that proposed it, and what of the table it rests on.

    One that was proposed on a *page* goes with it.
    """

    digest: str
    command: AnyCommand
    session: str
    page: "Connection | None"
    ground: object

    def is_of(self, staff: Actor) -> bool:
        """Whether this person proposed it."""
        return is_same_person(staff.name, self.command.by.name)

    def confirmed(self, second: Actor, id_: str, at_ms: int) -> AnyCommand:
        """The command as both people give it."""
        command: Any = self.command
        field = "approved_by" if isinstance(command, do.CorrectCredits) else "confirmed_by"
        return cast("AnyCommand", replace(command, id=id_, at_ms=at_ms, **{field: second}))


class Proposals:
    """What waits for a second person at one table.

    A proposal ends when it is done, withdrawn or turned down; when the page that proposed it goes, or whoever is behind
    that page changes position; and when the table is no longer as it was. A confirmation that is refused ends nothing.
    """

    def __init__(self, hosted: "Hosted") -> None:
        self._hosted = hosted
        self._waiting: dict[str, Proposal] = {}
        # What was confirmed, by the id of the confirmation: the proposal, and the session in which it was made.
        self._given: dict[str, tuple[str, AnyCommand, str]] = {}
        # The ids under which commands were proposed that a second person has confirmed since.
        self._done: dict[str, None] = {}

    def add(self, command: AnyCommand, session: str, page: "Connection | None") -> Proposal:
        """Propose a command; proposed again, it is the same proposal."""
        self._review()
        if command.id in self._done:
            raise NothingPending("a second person has confirmed this already: it is done")
        self._check_alone(command.by.name)
        if isinstance(command, PROVED):
            self._hosted.hall.check_proved(session)
        digest = _digest(command)
        own = [each for each in self._waiting.values() if each.is_of(command.by) and each.digest != digest]
        if len(own) >= _MOST:
            raise TooFast(f"{_MOST} of your proposals wait here already: withdraw one first")
        proposal = Proposal(digest, command, session, page, _ground(command, self._hosted.table))
        self._waiting[digest] = proposal
        return proposal

    def find(self, digest: str) -> Proposal:
        """A proposal that still waits."""
        self._review()
        if digest not in self._waiting:
            raise NothingPending("that is not proposed any more: it was decided, or the table has changed")
        return self._waiting[digest]

    def end(self, proposal: Proposal) -> None:
        """The proposal is done, withdrawn or turned down."""
        self._waiting.pop(proposal.digest, None)

    def check_independent(self, proposal: Proposal, staff: Actor) -> None:
        """Refuse whoever is not independent of the first person."""
        first = proposal.command.by.name
        if staff.name in self._hosted.hall.not_independent_of(first):
            raise NotIndependent(not_independent(first, staff.name))
        for each in (first, staff.name):
            self._check_alone(each)

    def _check_alone(self, name: str) -> None:
        if name in self._hosted.hall.have_come_back():
            raise NotIndependent(has_come_back(name))
        if name in self._hosted.hall.not_on_own_device():
            raise NotOnOwnDevice(not_on_own_device(name))

    def check_second(self, proposal: Proposal, staff: Actor) -> None:
        """Refuse whoever does not hold the duty of the second person for a proposal."""
        command, table = proposal.command, self._hosted.table
        if isinstance(command, do.OpenTable):
            book, ranks = command.setup.book, usual_ranks(command.setup.ranks)
        elif table.setup is None:  # what was proposed before it closed is confirmed once it is open again
            raise OutOfTurn("the table is closed")
        else:
            book, ranks = table.book, table.open.ranks
        check_second(book, ranks, command.by, staff, _DUTIES[type(command)])

    def give(self, proposal: Proposal, command: AnyCommand) -> None:
        """The second person has confirmed it: the command is given, and the proposal waits no more."""
        self.end(proposal)
        self._given[command.id] = proposal.digest, command, proposal.session
        self._done[proposal.command.id] = None
        for remembered in (self._given, self._done):
            while len(remembered) > _REMEMBERED:
                del remembered[next(iter(remembered))]

    def given(self, id_: str, digest: str, second: Actor) -> tuple[AnyCommand, str] | None:
        """What this person has confirmed before, under the same id, and the session in which it was proposed."""
        known, command, session = self._given.get(id_, ("", None, ""))
        same = command is not None and known == digest and second_of(command) == second
        return (command, session) if command is not None and same else None

    def refused(self, proposal: Proposal, id_: str) -> None:
        """The confirmed command was refused, nothing was done: the proposal waits on, if it still can be done."""
        self._given.pop(id_, None)
        self._done.pop(proposal.command.id, None)
        self._waiting.setdefault(proposal.digest, proposal)

    def drop(self, page: "Connection") -> None:
        """A page goes, and what it proposed goes with it."""
        self._waiting = {digest: each for digest, each in self._waiting.items() if each.page is not page}

    def shown(self) -> tuple[ProposalState, ...]:
        """The proposals as staff see them."""
        self._review()
        hall = self._hosted.hall
        alone = hall.not_on_own_device(), hall.have_come_back()
        return tuple(
            _shown(each, hall.not_independent_of(each.command.by.name), *alone) for each in self._waiting.values()
        )

    def _review(self) -> None:
        self._waiting = {digest: each for digest, each in self._waiting.items() if self._still_stands(each)}

    def _still_stands(self, proposal: Proposal) -> bool:
        """Whether whoever proposed it is there in the same position, and the table is as it was."""
        by, page = proposal.command.by, proposal.page
        if page is None:
            there = self._hosted.hall.staff_in(proposal.session) == by
        else:
            there = not page.closed and page.staff == by
        there = there and has_table(by, self._hosted)
        return there and proposal.ground == _ground(proposal.command, self._hosted.table)


def _ground(command: AnyCommand, table: Table) -> object:
    """What of a table a proposal rests on: once that is otherwise, it would be another act."""
    match command:
        case do.ReportStake():
            return table.shoes, table.round, table.wagers.get(command.number)
        case do.CorrectCredits() | do.BuyIn() | do.CashOut():
            return None
        case _:
            return table.setup, table.ahead


def marked(command: AnyCommand, table: Table, file: Setup | None) -> AnyCommand:
    """The command, marked where it goes beyond the setup that the floor's file has for the table."""
    match command:
        case do.OpenTable():
            setup = complete(command.setup, command.at_ms)
            within = file is not None and is_within(complete(file, command.at_ms), setup)
        case do.ChangeLimits() if table.setup is not None:
            changed = with_limits(table.ahead or table.setup, command.limits, command.differential_cents)
            within = file is not None and _are_limits_within(complete(file, command.at_ms), changed)
        case _:
            return command
    return command if within else replace(command, beyond_file=True)


def takes_two(command: AnyCommand, table: Table) -> bool:
    """Whether a second person must confirm the command before it can be done."""
    if not isinstance(command, OF_TWO):
        return False
    try:
        act(table, command)
    except NeedsSecond:
        return True
    except PuntoError:
        pass  # it is refused for another reason, when it is given
    return False


def is_within(file: Setup, setup: Setup) -> bool:
    """Whether a setup is the file's, but for narrower limits; the method is the Pit Manager's to choose (3.8.2).

    The edition of the register of interpretations is not compared.
    """
    differential = file.differential_cents
    same = replace(
        setup, limits=file.limits, differential_cents=differential, method=file.method, readings=file.readings
    )
    return same == file and _are_limits_within(file, setup)


def _are_limits_within(file: Setup, setup: Setup) -> bool:
    """Whether limits are the file's or narrower."""
    if file.differential_cents and not 0 < setup.differential_cents <= file.differential_cents:
        return False
    return set(setup.limits) <= set(file.limits) and all(
        _is_narrower(limit, file.limits[name]) for name, limit in setup.limits.items()
    )


def _is_narrower(limit: Limit, of: Limit) -> bool:
    return of.min_cents <= limit.min_cents and limit.max_cents <= of.max_cents


def _digest(command: AnyCommand) -> str:
    """What both people see, so that the second confirms what the first proposed."""
    plain: Any = msgspec.to_builtins(replace(command, id="", at_ms=0))
    return sha256(msgspec.json.encode(plain, order="sorted")).hexdigest()[:_DIGITS]


def _shown(
    proposal: Proposal, not_by: tuple[str, ...], enrolling: tuple[str, ...], came_back: tuple[str, ...]
) -> ProposalState:
    command: Any = proposal.command
    return ProposalState(
        digest=proposal.digest,
        do=str(type(command).__struct_config__.tag),
        by=command.by.name,
        setup=complete(command.setup, command.at_ms) if isinstance(command, do.OpenTable) else None,
        limits=getattr(command, "limits", {}),
        differential_cents=getattr(command, "differential_cents", None),
        number=getattr(command, "number", 0),
        stake_cents=getattr(command, "stake_cents", None),
        patron=getattr(command, "patron", ""),
        cents=getattr(command, "cents", None),
        reason=getattr(command, "reason", ""),
        takes=HOUSE[_DUTIES[type(command)]].position,
        not_by=not_by,
        enrolling=enrolling,
        came_back=came_back,
    )
