"""The reception: what pages ask is heard here, and acted on or refused in one line."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from punto.errors import (
    BadTicket,
    ClosedToPlay,
    IdInUse,
    Malformed,
    NeedsSecond,
    NotAllowed,
    NothingPending,
    NotSeated,
    OutcomeUnknown,
    OutOfTurn,
    PuntoError,
    StaleId,
    TableIsFull,
    TooFast,
)
from punto.floor import tickets
from punto.floor.answers import Refusals, stale
from punto.floor.warrants import Warrant
from punto.rules import Duty, Position
from punto.rules.money import MOST_CENTS, Cents
from punto.server.allowance import Allowance
from punto.server.connection import Connection
from punto.server.faces.state import ENCODER
from punto.server.hall import Hall
from punto.server.heavy.turns import STAFF
from punto.server.hosted import Hosted
from punto.server.identity.gate import CLOSED_TO_PLAY
from punto.server.outside import outside
from punto.server.proposals import OF_MONEY, OF_TWO, Proposal, marked, takes_two
from punto.server.seating import check_own_table, seat_for
from punto.server.trespasses import is_trespass
from punto.server.wire import asks, tells
from punto.server.writer import TICK_S, Outcome, Then
from punto.table import Actor, AnyCommand, Command, Setup
from punto.table import commands as do
from punto.table import events as on
from punto.table.actor import one
from punto.table.authority import can_ever_give, can_ever_hold
from punto.table.form import check_id
from punto.table.setup import is_known

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")
_DECODER: Final = msgspec.json.Decoder(asks.AnyAsk)
_LONGEST: Final = 20_000
# The longest id that a page may choose, in bytes of UTF-8.
LONGEST_ID: Final = 96
# How many commands of one page may wait for their answers.
_MOST_WAITING: Final = 64
# How many messages a page may send within a second; a hand is slower, even one that squeezes.
_MOST_A_SECOND: Final = 60
_FAR_TOO_MANY: Final = 600
# What is not for this person to do is written down: after so much of it within a second, tables are asked no more.
_MOST_TRESPASSES: Final = 4
_POLICY: Final = 1008
# Wagers that were not honoured: the command left its trace, and its sender is told that nothing was accepted.
_LATE: Final = (on.LateWager, on.LateWithdrawal)
# What messages are made of, in words.
_KINDS: Final = {
    "str": "text",
    "int": "a whole number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
# What is said before the floor is asked, and of which messages: one may be on record from an earlier connection.
_EARLY: Final = (NotSeated, NotAllowed, NothingPending, StaleId)
_GIVEN: Final = (asks.Stake, asks.Do, asks.Buy, asks.Confirm)
# How ids begin that the floor makes itself.
_KEPT: Final = ("ticket-", "redeem-", "desk-", "correction-", "reading-", "interruption-", "import-")
# So long after a ticket was made its code is told again to a page whose answer was lost; after that to nobody.
TOLD_MS: Final = 15 * 60_000
_AT_TERMINAL: Final = Warrant(at_terminal=True)
# What terminals have messages of their own for.
_OF_THE_TERMINAL: Final = (do.BuyIn, do.CashOut, do.PlaceWager)


class _Marked(msgspec.Struct):
    """As much of a message as tells whose answer a refusal is."""

    id: str = ""
    table: str = ""


_MARKED: Final = msgspec.json.Decoder(_Marked)


class Reception:
    """Hears what pages ask."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._answering: set[asyncio.Task[None]] = set()
        # The ids of commands that the floor has not answered yet, on whatever connection they came.
        self._in_hand: set[str] = set()
        # By table, the ids of commands that were refused as they came: no table has judged them.
        self._turned_away: defaultdict[str, Refusals] = defaultdict(Refusals)
        self._heard: Final[dict[type, Callable[[Connection, Any], None]]] = {
            asks.Stake: self._stake,
            asks.Do: self._do,
            asks.Confirm: self._confirm,
            asks.Withdraw: self._withdraw,
            asks.Watch: self._watch,
            asks.WatchFloor: self._watch_floor,
            asks.Leave: self._leave,
            asks.Sit: self._sit,
            asks.Buy: self._buy,
            asks.Collect: self._collect,
            asks.Redeem: self._redeem,
            asks.Bend: self._bend,
            asks.TakeTable: self._take_table,
            asks.HandBack: self._hand_back,
            asks.Ping: self._ping,
        }

    def heard(self, page: Connection, message: str | None, allowance: Allowance) -> float:
        """A message has come: act on it, or say in one line why not; for how long the page is then not listened to."""
        self._count(page)
        if not allowance.take():
            self._refuse_unread(page, message)
            return allowance.rest_s()
        if page.heard > _MOST_A_SECOND:
            self._refuse_unread(page, message)
        else:
            self._act(page, message)
        return 0.0

    def _act(self, page: Connection, message: str | None) -> None:
        id_ = ""
        ask: asks.Ask | None = None
        try:
            if message is None or len(message) > _LONGEST:
                raise Malformed(f"the message does not read: expected text of no more than {_LONGEST} characters")
            ask = _DECODER.decode(message)
            id_ = getattr(ask, "id", "")
            self._heard[type(ask)](page, ask)
        except msgspec.DecodeError as error:
            self._refuse(page, _marked(message).id, _unread(error))
        except RecursionError:
            self._refuse(page, "", Malformed("the message does not read: it nests too deeply"))
        except PuntoError as error:
            self._turn_away(_marked(message))
            refusal = self._noted(page, ask, error)
            if isinstance(refusal, _EARLY) and isinstance(ask, _GIVEN) and page.waiting < _MOST_WAITING:
                self._later(page, id_, partial(self._done_before, page, ask, refusal))
            else:
                self._refuse(page, id_ or _marked(message).id, refusal)

    def _turn_away(self, refused: "_Marked") -> None:
        """Remember a command that is refused as it comes: in the same round it may come again, later it is stale."""
        hosted = self._hall.tables.get(refused.table)
        if hosted is not None and refused.id:
            self._turned_away[hosted.key].turn_away(refused.id, hosted.table.round)

    def _check_fresh(self, table: str, id_: str) -> None:
        if self._turned_away and self._turned_away[table].is_stale(id_, self._hall.find(table).table.round):
            raise stale()

    async def _done_before(
        self, page: Connection, ask: "asks.Stake | asks.Do | asks.Buy | asks.Confirm", refusal: PuntoError
    ) -> bytes:
        """The answer to what is refused before the floor is asked: it may be on record, and its first answer lost."""
        by = page.patron if isinstance(ask, (asks.Stake, asks.Buy)) or page.staff is None else page.staff
        writer = self._hall.writer
        while ask.id in self._in_hand:  # noqa: ASYNC110 (for as long as a group takes)
            await asyncio.sleep(TICK_S)
        # From which seat it was asked does not count.
        asked = self._stake_of(by, ask, 0) if by and isinstance(ask, asks.Stake) else None
        version = await writer.call(writer.floor.accepted_before, ask.id, by, ask.table, asked) if by else None
        if version is None:
            raise refusal
        return ENCODER.encode(tells.Accepted(ask.id, version))

    @staticmethod
    def _count(page: Connection) -> None:
        now = asyncio.get_running_loop().time()
        if now - page.second > 1:
            page.second, page.heard, page.trespasses = now, 0, 0
        page.heard += 1
        if page.heard > _FAR_TOO_MANY:
            page.drop(_POLICY, "too fast")

    def _refuse_unread(self, page: Connection, message: str | None) -> None:
        """Refuse a message of which nothing is read but whose answer that is: the rest is what costs."""
        refused = _marked(message if message is not None and len(message) <= _LONGEST else None)
        self._turn_away(refused)
        self._refuse(page, refused.id, TooFast("too many messages: wait a second"))

    @staticmethod
    def _refuse(page: Connection, id_: str, refusal: PuntoError) -> None:
        page.tell(ENCODER.encode(tells.Refused(id_, refusal.code, outside(refusal))))

    # Looking on, and sitting down

    def _watch(self, page: Connection, ask: asks.Watch) -> None:
        hosted = self._hall.find(ask.table)
        staff = ask.role is asks.Role.STAFF
        if staff and page.staff is None:
            raise NotAllowed("this is for staff only: sign in first")
        hosted.show(page)
        if staff:
            hosted.show_staff(page)

    def _watch_floor(self, page: Connection, _: asks.WatchFloor) -> None:
        self._hall.watch(page)

    def _leave(self, page: Connection, ask: asks.Leave) -> None:
        self._hall.find(ask.table).lose(page)

    def _sit(self, page: Connection, ask: asks.Sit) -> None:
        if page.patron is None:
            raise NotAllowed("only a patron takes a seat")
        hosted = self._hall.find(ask.table)
        name = page.patron.name
        if self._hall.is_excluded(name) and not hosted.staked_cents(name):  # whose stakes lie there sees the end of it
            hosted.show(page)
            self._hall.tell_purse(name)
            raise ClosedToPlay(CLOSED_TO_PLAY)
        try:
            position = seat_for(hosted.table, hosted.seats, name, ask.position)
        except (NotSeated, TableIsFull):
            hosted.show(page)  # who comes back to a table without a seat learns what became of it
            raise
        hosted.sit(page, name, position)
        self._hall.tell_purse(name)

    # Wagers and acts

    def _stake(self, page: Connection, ask: asks.Stake) -> None:
        patron, position = self._seated(page, ask.table)
        self._put(page, ask.id, self._stake_of(patron, ask, position))

    def _stake_of(self, patron: Actor, ask: asks.Stake, position: int) -> do.SetStake:
        return do.SetStake(
            id=ask.id,
            table=ask.table,
            by=patron,
            at_ms=self._hall.now_ms(),
            patron=patron.name,
            wager=ask.wager,
            stake_cents=ask.cents,
            position=position,
            round=ask.round,
        )

    def _do(self, page: Connection, ask: asks.Do) -> None:
        hosted = self._hall.find(ask.table)
        kind = asks.COMMANDS[type(ask.act)]
        fields = {name: getattr(ask.act, name) for name in ask.act.__struct_fields__}
        by = page.staff if page.staff is not None and hosted.key not in page.seats else page.patron
        if by is None:
            raise NotAllowed("sign in, or sit down first")
        if by is not page.patron:
            check_own_table(by, hosted)
        _check_ever(by, kind, fields)
        if by is page.patron:
            fields = self._as_patron(page, hosted, kind, fields)
        command: Any = kind(id=ask.id, table=hosted.key, by=by, at_ms=self._hall.now_ms(), **fields)
        if isinstance(command, do.OpenTable) and _is_unread(command.setup):
            self._check_waiting(page)
            self._start(self._read_first(page, hosted, ask, command))
        else:
            self._give(page, hosted, ask.id, command)

    async def _read_first(self, page: Connection, hosted: Hosted, ask: asks.Do, command: do.OpenTable) -> None:
        """Have a declaration read where that holds up nobody, and give the command after that."""
        try:
            await self._hall.read_declaration(command.setup.declaration, f"{STAFF}{command.by.name}")
            if page.closed:
                return
            if page.staff != command.by:
                raise NotAllowed("you act in another position by now: nothing was done")
            self._give(page, hosted, ask.id, command)
        except PuntoError as refusal:
            self._refuse(page, ask.id, self._noted(page, ask, refusal))
        finally:
            page.waiting -= 1

    def _give(self, page: Connection, hosted: Hosted, id_: str, command: Any) -> None:  # noqa: ANN401 (of any kind)
        """Give a command that may take two people."""
        if isinstance(command, OF_TWO):
            command = marked(command, hosted.table, hosted.file)
            if takes_two(command, hosted.table):
                self._propose(page, hosted, id_, command)
                return
        elif isinstance(command, OF_MONEY) and command.by is not page.patron:
            self._put(page, id_, command, partial(self._given_or_proposed, page, hosted, command))
            return
        self._put(page, id_, command)

    def _given_or_proposed(self, page: Connection, hosted: Hosted, command: AnyCommand, outcome: Outcome) -> None:
        """Money that one person may not move alone waits for a second person."""
        if not isinstance(outcome, NeedsSecond):
            self._answered(page, command.id, outcome)
            return
        page.waiting -= 1
        page.in_doubt.discard(command.id)
        try:
            if page.closed or page.staff != command.by:
                raise outcome
            self._propose(page, hosted, command.id, command)
        except PuntoError as refusal:
            self._refuse(page, command.id, self._noted(page, command, refusal))

    # Acts of two people

    def _propose(self, page: Connection, hosted: Hosted, id_: str, command: AnyCommand) -> None:
        _check_page_id(id_)
        proposal = hosted.proposals.add(command, page.session, page)
        page.watching.add(hosted.key)  # so that it is missed when it goes
        page.tell(ENCODER.encode(tells.Proposed(id_, proposal.digest)))
        hosted.tell()

    def _confirm(self, page: Connection, ask: asks.Confirm) -> None:
        """The second person confirms: only then the command is given, in the name of both."""
        hosted, staff = self._staffed(page, ask.table)
        proposals = hosted.proposals
        again = proposals.given(ask.id, ask.digest, staff)
        if again is not None:
            command, session = again
            self._put(page, ask.id, command, warrant=Warrant(session, page.session))
            return
        proposal = proposals.find(ask.digest)
        proposals.check_second(proposal, staff)
        proposals.check_independent(proposal, staff)
        command = proposal.confirmed(staff, ask.id, self._hall.now_ms())
        warrant = Warrant(proposal.session, page.session)
        self._put(page, ask.id, command, partial(self._confirmed, page, hosted, proposal, ask.id), warrant)
        proposals.give(proposal, command)

    def _confirmed(self, page: Connection, hosted: Hosted, proposal: Proposal, id_: str, outcome: Outcome) -> None:
        if isinstance(outcome, PuntoError):
            hosted.proposals.refused(proposal, id_)
            hosted.tell()
        self._answered(page, id_, outcome)

    def _withdraw(self, page: Connection, ask: asks.Withdraw) -> None:
        """Whoever proposed it withdraws it, or whoever might confirm it turns it down."""
        hosted, staff = self._staffed(page, ask.table)
        proposal = hosted.proposals.find(ask.digest)
        if not proposal.is_of(staff):
            hosted.proposals.check_second(proposal, staff)
        hosted.proposals.end(proposal)
        page.tell(ENCODER.encode(tells.Accepted(ask.id, hosted.version)))
        hosted.tell()

    def _staffed(self, page: Connection, table: str) -> tuple[Hosted, Actor]:
        """The table, and the member of staff who asks; a Dealer only at the table that the Dealer has taken."""
        hosted = self._console(page, table)
        assert page.staff, "only staff have a console"
        check_own_table(page.staff, hosted)
        return hosted, page.staff

    def _noted(self, page: Connection, ask: "asks.Ask | AnyCommand | None", refusal: PuntoError) -> PuntoError:
        """The refusal, counted and put on record if it is for want of authority; `TooFast` where those are too many."""
        # Who handles a card may change while a finger is still on it; and nobody confirms a proposal of their own.
        bends = isinstance(ask, asks.Bend) and page.staff is None
        own = isinstance(ask, asks.Confirm) and isinstance(refusal, NeedsSecond)
        if ask is None or bends or not isinstance(refusal, NotAllowed) or not (own or is_trespass(refusal)):
            return refusal
        if page.trespasses >= _MOST_TRESPASSES:
            return _too_much()
        page.trespasses += 1
        person = page.staff or page.patron
        if person is not None:
            self._hall.trespasses.count(person.name)
        hosted = self._hall.tables.get(getattr(ask, "table", ""))
        table, asked = hosted.key if hosted else "", _asked(ask)
        if page.staff is not None:
            self._start(self._note(page.staff, table, asked, refusal))
        elif not page.was_refused:
            page.was_refused = True  # once is enough: a page may try again and again
            self._hall.log.warning(
                "a patron was refused", table=table, patron=person.name if person else "", asked=asked
            )
        return refusal

    async def _note(self, staff: Actor, table: str, asked: str, refusal: NotAllowed) -> None:
        writer = self._hall.writer
        with suppress(PuntoError, RuntimeError):  # the store may be away, or the floor closing
            await writer.call(writer.floor.log_refusal, self._hall.now_ms(), staff, asked, refusal, table)

    def _as_patron(self, page: Connection, hosted: Hosted, kind: type, fields: dict[str, Any]) -> dict[str, Any]:
        """What a patron says, at the patron's own seat and in the patron's own name."""
        patron, position = self._seated(page, hosted.key)
        if kind in _OF_THE_TERMINAL:
            raise NotAllowed("a terminal has a message of its own for that")
        if fields.get("card") or (kind is do.ExposeCards and fields["cards"]):
            raise NotAllowed("what a card is, the device or the Dealer says")
        own = {"patron": patron.name, "position": position}
        return fields | {name: value for name, value in own.items() if name in fields}

    # Money

    def _buy(self, page: Connection, ask: asks.Buy) -> None:
        if not self._hall.about.demonstration:
            raise NotAllowed("credits are bought at the desk, or with a ticket")
        if not 0 < ask.cents <= MOST_CENTS:
            raise Malformed("an amount is more than nothing, and no more than an account can hold")
        self._put(page, ask.id, self._money(do.BuyIn, page, ask.id, ask.table, ask.cents))

    def _collect(self, page: Connection, ask: asks.Collect) -> None:
        _check_page_id(ask.id)
        seated_out = page.patron is not None and self._hall.is_excluded(page.patron.name)
        if page.patron is not None and (ask.again or seated_out):  # it may have been made on a page that sat elsewhere
            patron = page.patron
        else:
            patron, _ = self._seated(page, ask.table)
        self._later(page, ask.id, partial(self._collected, page, ask, patron.name))

    async def _collected(self, page: Connection, ask: asks.Collect, patron: str) -> bytes:
        """All credits as a ticket. Its code follows from who asks and the id, so that who asks again gets it again."""
        writer = self._hall.writer
        code, cents = await self._once_sure(page, ask.id, writer.floor.ticket_for, patron, ask.id)
        if cents is not None and await writer.call(writer.floor.ticket_age_ms, code, self._hall.now_ms()) > TOLD_MS:
            raise BadTicket("this ticket was made a while ago: its code is not told again")
        if cents is None:
            visitor = self._hall.visitors.find(patron)
            holding = visitor.holding if visitor else None
            cents = Cents(holding.balance_cents if holding else 0)
            if cents <= 0 or ask.again:
                raise BadTicket("no such ticket was made" if ask.again else "there are no credits to collect")
            cash_out = self._money(do.CashOut, page, tickets.issue_id(code), ask.table, cents)
            await writer.give(cash_out, _AT_TERMINAL, partial(self._doubt, page, ask.id))
        return ENCODER.encode(tells.Ticket(ask.id, code, cents))

    async def _once_sure(self, page: Connection, id_: str, look: Callable[..., T], *about: str) -> T:
        """What the floor knows of a ticket, once it is known whether it was made or redeemed."""
        writer = self._hall.writer
        while True:
            try:
                return await writer.call(look, *about)
            except OutcomeUnknown:
                self._doubt(page, id_)
                await writer.be_sure()

    def _redeem(self, page: Connection, ask: asks.Redeem) -> None:
        _check_page_id(ask.id)
        self._seated(page, ask.table)
        self._later(page, ask.id, partial(self._redeemed, page, ask))

    async def _redeemed(self, page: Connection, ask: asks.Redeem) -> bytes:
        """A ticket's credits, once: only the message that redeemed it is answered so again, whenever it comes."""
        writer = self._hall.writer
        cents = await self._once_sure(page, ask.id, writer.floor.ticket_worth, ask.code)
        if cents is None:
            raise BadTicket("no ticket has this code")
        buy = self._money(do.BuyIn, page, tickets.redeem_id(ask.code), ask.table, cents)
        try:
            again = msgspec.structs.replace(buy, reference=ask.id)
            answer = await writer.give(again, _AT_TERMINAL, partial(self._doubt, page, ask.id))
        except IdInUse:
            raise BadTicket("the ticket was redeemed before") from None
        return ENCODER.encode(tells.Accepted(ask.id, answer.version))

    def _money(
        self, kind: type[do.BuyIn] | type[do.CashOut], page: Connection, id_: str, table: str, cents: Cents
    ) -> do.BuyIn | do.CashOut:
        if kind is do.CashOut and page.patron is not None and self._hall.is_excluded(page.patron.name):
            patron, position = page.patron, page.seats.get(table, 1)  # who plays no more is paid without a seat
        else:
            patron, position = self._seated(page, table)
        at_ms = self._hall.now_ms()
        return kind(id=id_, table=table, by=patron, at_ms=at_ms, patron=patron.name, cents=cents, position=position)

    # The squeeze, the dealer, and the rest

    def _bend(self, page: Connection, ask: asks.Bend) -> None:
        hosted = self._hall.find(ask.table)
        if page.patron is None or hosted.table.handler(ask.side) != page.patron.name:
            raise NotAllowed("only who handles a card can bend it")
        message = ENCODER.encode(tells.Bent(hosted.key, ask.side, ask.card, ask.lift, ask.edge))
        for onlooker in hosted.onlookers:
            if onlooker is not page:
                onlooker.tell(message)

    def _take_table(self, page: Connection, ask: asks.TakeTable) -> None:
        """A page takes a table; a page that comes back takes it *again* only if nobody has been at work since.

        A Dealer deals at one table: whoever takes another hands the first one back. No Dealer takes a table from
        another who is there.
        """
        elsewhere = self._dealt_elsewhere(page, ask.table)
        if ask.again and (elsewhere or not self._is_free_for(page, ask.table)):
            return
        hosted = self._console(page, ask.table)
        there = [each.position for each in (page.staff, hosted.dealer) if each is not None]
        if there == [Position.DEALER, Position.DEALER] and not self._is_free_for(page, ask.table):
            name = hosted.dealer_name
            raise OutOfTurn(f"{name} deals here: {name} hands the table back first, or a Pit Supervisor takes it")
        self._hand_over(page, ask, page)
        for other in elsewhere:
            other.take(None)

    def _dealt_elsewhere(self, page: Connection, table: str) -> list[Hosted]:
        """The other tables that a Dealer has taken; whoever stands above a Dealer may have several."""
        if page.staff is None or page.staff.position is not Position.DEALER:
            return []
        others = (hosted for key, hosted in self._hall.tables.items() if key != table)
        return [hosted for hosted in others if hosted.dealer_name == page.staff.name]

    def _hand_back(self, page: Connection, ask: asks.HandBack) -> None:
        if not self._is_free_for(page, ask.table):
            raise OutOfTurn("somebody else deals here by now: nothing was done")
        self._hand_over(page, ask, None)

    def _hand_over(self, page: Connection, ask: asks.TakeTable | asks.HandBack, to: Connection | None) -> None:
        hosted = self._console(page, ask.table)
        hosted.take(to)
        if ask.id:
            page.tell(ENCODER.encode(tells.Accepted(ask.id, hosted.version)))

    def _is_free_for(self, page: Connection, table: str) -> bool:
        """Whether nobody else deals at a table."""
        hosted = self._console(page, table)
        return hosted.dealer_name in {"", page.staff.name if page.staff else ""}

    def _ping(self, page: Connection, ask: asks.Ping) -> None:
        page.tell(ENCODER.encode(tells.Pong(ask.n)))

    def _console(self, page: Connection, table: str) -> Hosted:
        if page.staff is None:
            raise NotAllowed("this is for staff only: sign in first")
        return self._hall.find(table)

    def _seated(self, page: Connection, table: str) -> tuple[Actor, int]:
        position = page.seats.get(table)
        if position is None or page.patron is None:
            self._hall.find(table)
            raise NotSeated("sit down at the table first")
        return page.patron, position

    # Answers

    @staticmethod
    def _check_waiting(page: Connection) -> None:
        if page.waiting >= _MOST_WAITING:
            raise TooFast("too many at once: wait for the answers")
        page.waiting += 1

    @staticmethod
    def _check_trespasses(page: Connection) -> None:
        if page.trespasses >= _MOST_TRESPASSES:
            raise _too_much()

    def _put(
        self, page: Connection, id_: str, command: AnyCommand, then: Then | None = None, warrant: Warrant | None = None
    ) -> None:
        """Have a command handled, and tell the page what came of it."""
        _check_page_id(id_)
        if self._is_in_doubt(page, id_):
            return
        self._check_fresh(command.table, id_)
        self._check_trespasses(page)
        self._check_waiting(page)
        if warrant is None:
            warrant = _AT_TERMINAL if command.by.position is Position.PATRON else Warrant(page.session)
        self._in_hand.add(id_)
        then = partial(self._over, id_, then or partial(self._answered, page, id_))
        self._hall.writer.put(command, then, warrant, partial(self._doubt, page, id_))

    def _over(self, id_: str, then: Then, outcome: Outcome) -> None:
        self._in_hand.discard(id_)
        then(outcome)

    def _answered(self, page: Connection, id_: str, outcome: Outcome) -> None:
        page.waiting -= 1
        page.in_doubt.discard(id_)
        self._answer(page, id_, outcome)

    @staticmethod
    def _doubt(page: Connection, id_: str) -> None:
        """Tell a page that it is not known yet what came of a command; it is told as soon as it is."""
        page.in_doubt.add(id_)
        page.tell(ENCODER.encode(tells.InDoubt(id_)))

    def _is_in_doubt(self, page: Connection, id_: str) -> bool:
        """Whether a page asks again for what it will be told anyway; then it is told that it is not known yet."""
        if id_ not in page.in_doubt:
            return False
        self._doubt(page, id_)
        return True

    def _later(self, page: Connection, id_: str, answering: "Callable[[], Coroutine[Any, Any, bytes]]") -> None:
        """Tell the page what takes a look into the store first."""
        if self._is_in_doubt(page, id_):
            return
        self._check_waiting(page)

        async def answer() -> None:
            try:
                page.tell(await answering())
            except PuntoError as refusal:
                self._refuse(page, id_, refusal)
            finally:
                page.waiting -= 1
                page.in_doubt.discard(id_)

        self._start(answer())

    def _start(self, work: "Coroutine[Any, Any, None]") -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    def _answer(self, page: Connection, id_: str, outcome: Outcome) -> None:
        if isinstance(outcome, PuntoError):
            page.trespasses += is_trespass(outcome)
            self._refuse(page, id_, outcome)
            return
        late = outcome.events[0] if outcome.events and isinstance(outcome.events[0], _LATE) else None
        if late is None:
            page.tell(ENCODER.encode(tells.Accepted(id_, outcome.version)))
        else:
            said = "it came after the close, and is not honoured"
            page.tell(ENCODER.encode(tells.Refused(id_, "not-honoured", said, late.clause)))


def is_too_long(id_: str) -> bool:
    """Whether an id that a page has chosen would make a receipt long."""
    return len(id_.encode(errors="replace")) > LONGEST_ID


def _check_page_id(id_: str) -> None:
    """Refuse an id that no page may choose."""
    check_id(id_)
    if id_.startswith(_KEPT):
        raise Malformed("an id that begins so is the floor's own: expected one that begins with the time")
    if is_too_long(id_):
        raise Malformed(f"an id from a page has no more than {LONGEST_ID} bytes")


def _marked(message: str | None) -> _Marked:
    """The id and the table of a message that may not read, as far as it has them all the same."""
    try:
        return _MARKED.decode(message or "")
    except (msgspec.DecodeError, RecursionError):
        return _Marked()


def _too_much() -> TooFast:
    return TooFast("too much that is not allowed: wait a second")


def _asked(ask: "asks.Ask | AnyCommand") -> str:
    """What a message or a command asks, as the security log has it: of a message with an act the act."""
    return _tag(type(ask.act if isinstance(ask, asks.Do) else ask))


def _tag(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)


def _is_unread(setup: Setup) -> bool:
    return bool(setup.declaration) and not is_known(setup.declaration)


def _check_ever(by: Actor, kind: type[Command], fields: dict[str, Any]) -> None:
    """Refuse, before anything is read or queued, what a patron can give at no table, and games that nobody asked for.

    What a member of staff may not do, the table refuses, with the clause and who may.
    """
    if by.position is Position.PATRON and not can_ever_give(by.position, kind):
        raise NotAllowed(f"{one(by.position)} gives no such command: {_tag(kind)}")
    reads = kind is do.OpenTable and _is_unread(fields["setup"])
    if reads and not can_ever_hold(by.position, Duty.EXCEED_FILE, to_open=True):
        raise NotAllowed(f"{one(by.position)} may not {Duty.EXCEED_FILE.value}: the floor's file has no such game")


def _unread(error: msgspec.DecodeError) -> Malformed:
    """Why a message does not read, and where, in words that name no type of Python's."""
    what, _, where = str(error).partition(" - at ")
    what = re.sub("`([^`]*)`", lambda found: _KINDS.get(found[1], f"'{found[1]}'"), what)
    place = where.strip("`$.")
    return Malformed(f"the message does not read: {place}{': ' if place else ''}{what[:1].lower()}{what[1:]}")
