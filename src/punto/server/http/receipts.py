"""Receipts that a patron takes: of a wager, of a ticket by its code, of whatever else was the patron's own command."""

from typing import Final

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from punto.errors import NoSuchReceipt, NotSignedIn, PuntoError, WorkFailed
from punto.floor.receipting import Found
from punto.floor.tickets import issue_id
from punto.proof.headlog import CHECKPOINTS
from punto.proof.receipts import TABLE, Receipt
from punto.record.rounds import Step, read_step
from punto.server.heavy.jobs import FIND_WAGER, PROVE_INCLUSION, SEARCH_RECEIPT
from punto.server.http.asking import Ask, office_of, server_of
from punto.server.http.problems import documented
from punto.server.http.rounds import known, viewer_of
from punto.server.http.telling import OF_WAGERS, RoundQuery, Viewer, wager_entry
from punto.store import Entry, Store
from punto.store.batch import is_name

_OF_RECEIPTS: Final = OF_WAGERS | {"credits-cashed-out"}
_NONE: Final = "there is nothing of yours here that a receipt could be taken of"


class ToldReceipt(Struct, frozen=True):
    """A receipt: its text, and the size of the checkpoint that includes it; 0 while it is only signed."""

    text: str
    checkpoint: int
    # Whether checkpoints are taken here at all.
    awaited: bool


class TicketCode(Struct, frozen=True, forbid_unknown_fields=True):
    """The code of a ticket."""

    code: str


@get("/api/tables/{key:str}/rounds/{number:int}/receipts/{wager:int}", responses=documented(401, 404, 409, 429, 503))
async def wager_receipt(request: Ask, key: FromPath[str], number: FromPath[int], wager: FromPath[int]) -> ToldReceipt:
    """A receipt of one's own wager in a round, as it was last changed; for staff of anybody's.

    It is signed at once. Ask again after the next checkpoint: then it also proves that the wager is on record.
    """
    viewer = _need_viewer(request)
    hosted = server_of(request).hall.find(key)
    asked = RoundQuery(hosted.key, number, known(hosted))
    entry = await office_of(request).read_on(request, FIND_WAGER, wager_entry, asked, viewer, wager)
    if entry is None:
        raise NoSuchReceipt(_NONE)
    return await _told(request, entry)


@get("/api/receipts/{command:str}", responses=documented(401, 404, 409, 429, 503))
async def command_receipt(request: Ask, command: FromPath[str]) -> ToldReceipt:
    """A receipt of a wager or a cash-out by the id of its command: of one's own, or for staff of anybody's."""
    viewer = _need_viewer(request)

    def first(store: Store) -> Entry:
        entry = store.find(command) if is_name(command) else None
        step = _step(entry)
        if entry is None or step is None or not viewer.may_see(step.event["patron"]):
            raise NoSuchReceipt(_NONE)
        return entry

    return await _told(request, await office_of(request).read(request, first))


@post("/api/receipts/ticket", status_code=200, responses=documented(404, 409, 429, 503))
async def ticket_receipt(request: Ask, data: JSONBody[TicketCode]) -> ToldReceipt:
    """A receipt of a ticket, for whoever has its code."""

    def issued(store: Store) -> Entry:
        entry = store.find(issue_id(data.code))
        if entry is None or _step(entry) is None:
            raise NoSuchReceipt("no ticket has this code")
        return entry

    return await _told(request, await office_of(request).read(request, issued))


def _need_viewer(request: Ask) -> Viewer:
    viewer = viewer_of(request)
    if not viewer.staff and not viewer.patron:
        raise NotSignedIn("receipts are for whoever has wagered: sit down at a table first")
    return viewer


def _step(entry: Entry | None) -> Step | None:
    """What an entry says, if it is something that a receipt can be taken of."""
    if entry is None or not entry.stream.startswith(TABLE):
        return None
    step = read_step(entry)
    return step if step.type in _OF_RECEIPTS else None


async def _told(request: Ask, entry: Entry) -> ToldReceipt:
    """The receipt of an entry: from what the floor still knows, or else from what a worker finds in the store."""
    hall, office = server_of(request).hall, office_of(request)
    table = entry.stream.removeprefix(TABLE)
    if entry.command is None:
        raise NoSuchReceipt("this was part of another command: there is no receipt of it")
    place, hosted = hall.receipts.place(entry), hall.tables.get(table)
    sealed = hosted.seals.at(entry.version) if hosted else None
    if place is not None and sealed is not None:
        found = Found(place, sealed)
    else:
        excerpt = await office.excerpt(request, table)
        found = await office.work(request, SEARCH_RECEIPT, office.address, excerpt, entry.stream, entry.version)
    if hall.writer.floor.history.writer is None:
        await hall.writer.ask(hall.writer.floor.history.make_writer, hall.now_ms())
    receipt = await office.read(request, lambda _: hall.receipts.make(entry, found))
    receipt = await _included(request, receipt)
    size = receipt.inclusion.size if receipt.inclusion else 0
    return ToldReceipt(receipt.text(), size, server_of(request).checkpointing.takes)


async def _included(request: Ask, receipt: Receipt) -> Receipt:
    """The receipt with its path to the newest checkpoint, if one covers it; where all fails, as it is."""
    hall, office = server_of(request).hall, office_of(request)
    try:
        return await office.read(request, lambda _: hall.receipts.included(receipt))
    except WorkFailed as error:
        hall.log.warning("a proof is worked out from all heads", said=error.message, stream=CHECKPOINTS)
    position = await office.read(request, lambda _: hall.receipts.position(receipt))
    statement = msgspec.json.encode(receipt.statement)
    try:
        inclusion = await office.work(
            request, PROVE_INCLUSION, office.address, hall.receipts.proofs.keys, position, statement
        )
    except PuntoError as error:
        hall.log.error("no proof could be worked out", said=error.message)  # noqa: TRY400 (no fault of ours)
        return receipt
    return hall.receipts.with_inclusion(receipt, inclusion)
