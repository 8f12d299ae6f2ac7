"""Money at the desk: credits bought and cashed out through staff, and corrections.

What takes two people is proposed here, and confirmed by another in a session of their own, on the table's console.
"""

from typing import Annotated, Any, Literal

from litestar import post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from punto.errors import BadTicket, IdInUse, Malformed, NeedsSecond
from punto.floor.tickets import PAYOUT, payout_id, payout_reference, redeem_id
from punto.floor.warrants import Warrant
from punto.ledger import wallet
from punto.rules.money import MOST_CENTS, Cents
from punto.server.http.asking import Ask, need_staff, scope_of, server_of, staff_only
from punto.server.http.problems import documented
from punto.server.identity import check_patron
from punto.server.ids import fresh_id
from punto.server.seating import check_own_table
from punto.table import AnyCommand
from punto.table import commands as do
from punto.table.actor import LONGEST_NAME, check_person

_Id = Annotated[str, Meta(max_length=64, pattern=r"^[A-Za-z0-9._-]*$")]
_Table = Annotated[str, Meta(min_length=1, max_length=64)]
_Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
_Amount = Annotated[int, Meta(ge=1, le=MOST_CENTS)]
_Difference = Annotated[int, Meta(ge=-MOST_CENTS, le=MOST_CENTS)]
_Reason = Annotated[str, Meta(min_length=1, max_length=500)]
_ANSWERS = (400, 401, 403, 404, 409, 413, 429, 503)


class AtTheDesk(Struct, frozen=True, forbid_unknown_fields=True):
    """Credits for cash, or cash for credits; its *id*, if it has one, makes it harmless to ask twice."""

    table: _Table
    patron: _Name
    position: Annotated[int, Meta(ge=1, le=9999)]
    cents: _Amount
    kind: Literal["in", "out"]
    id: _Id = ""


class TicketForCash(Struct, frozen=True, forbid_unknown_fields=True):
    """A ticket to be paid out to a patron whom the floor knows."""

    table: _Table
    patron: _Name
    position: Annotated[int, Meta(ge=1, le=9999)]
    code: Annotated[str, Meta(min_length=1, max_length=40)]
    id: _Id = ""


class Correction(Struct, frozen=True, forbid_unknown_fields=True):
    """Credits to be put right: proposed by whoever asks, and approved by another."""

    table: _Table
    patron: _Name
    cents: _Difference
    reason: _Reason
    id: _Id = ""


class Booked(Struct, frozen=True):
    """That it is done, durably: the version of the table's log after it, and the patron's credits.

    What *waits* for a second person is not done: that is the digest of the proposal, empty where it is done.
    """

    id: str
    version: int
    credits_cents: Cents
    owed_cents: Cents
    waits: str = ""


@post("/api/desk", status_code=200, guards=[staff_only], responses=documented(*_ANSWERS))
async def desk(request: Ask, data: JSONBody[AtTheDesk]) -> Booked:
    """Turn cash into a patron's credits, or credits into cash."""
    by = need_staff(request)
    check_patron(data.patron)
    hall = server_of(request).hall
    hosted = hall.find(data.table)
    check_own_table(by, hosted)
    kind = do.BuyIn if data.kind == "in" else do.CashOut
    command = kind(
        id=_id("desk", data.id),
        table=hosted.key,
        by=by,
        at_ms=hall.now_ms(),
        patron=data.patron,
        cents=Cents(data.cents),
        position=data.position,
    )
    return await _give(request, command, data.patron)


@post("/api/corrections", status_code=200, guards=[staff_only], responses=documented(*_ANSWERS))
async def correct(request: Ask, data: JSONBody[Correction]) -> Booked:
    """Propose to put a patron's credits right; a second person approves it on the table's console."""
    by = need_staff(request)
    server = server_of(request)
    hosted = server.hall.find(data.table)
    check_person(data.patron)
    id_ = _id("correction", data.id)
    command = do.CorrectCredits(
        id=id_,
        table=hosted.key,
        by=by,
        at_ms=server.hall.now_ms(),
        patron=data.patron,
        cents=Cents(data.cents),
        reason=data.reason,
    )
    return await _give(request, command, data.patron)


@post("/api/desk/ticket", status_code=200, guards=[staff_only], responses=documented(*_ANSWERS))
async def pay_ticket(request: Ask, data: JSONBody[TicketForCash]) -> Booked:
    """Pay a ticket out in cash: its credits are the patron's for as long as that takes; also of a patron excluded."""
    by = need_staff(request)
    check_patron(data.patron)
    hall = server_of(request).hall
    hosted = hall.find(data.table)
    check_own_table(by, hosted)
    session = server_of(request).identity.session(scope_of(request))
    warrant, writer = Warrant(session.id if session else ""), hall.writer
    cents = await writer.ask(writer.floor.ticket_worth, data.code)
    if cents is None:
        raise BadTicket("no ticket has this code")
    about: Any = {"table": hosted.key, "by": by, "patron": data.patron, "cents": cents, "position": data.position}
    reference = payout_reference(data.id or fresh_id())
    redeem = do.BuyIn(id=redeem_id(data.code), at_ms=hall.now_ms(), reference=reference, **about)
    try:
        await writer.give(redeem, warrant)
    except IdInUse:
        raise BadTicket("the ticket was redeemed before") from None
    return await _give(request, do.CashOut(id=payout_id(data.code), at_ms=hall.now_ms(), **about), data.patron)


def _id(kind: str, given: str) -> str:
    """The id of a command; those that begin with `ticket-` belong to the tickets that the desk pays."""
    if given.startswith(PAYOUT):
        raise Malformed(f"an id that begins with {PAYOUT} is the floor's own: expected another; nothing was done")
    return f"{kind}-{given or fresh_id()}"


async def _give(request: Ask, command: AnyCommand, patron: str) -> Booked:
    hall = server_of(request).hall
    writer, hosted = hall.writer, hall.find(command.table)
    session = server_of(request).identity.session(scope_of(request))
    id_, waits = session.id if session else "", ""
    try:
        version = (await writer.give(command, Warrant(id_))).version
    except NeedsSecond:
        waits, version = hosted.proposals.add(command, id_, None).digest, hosted.version
        hosted.tell()
    holding = await writer.ask(writer.floor.holding, wallet(patron))
    return Booked(command.id, version, Cents(holding.balance_cents), Cents(holding.owed_cents), waits)
