"""Cards that a shoe reads and sends: each becomes the draw of whoever deals at its table."""

from typing import Annotated

from litestar import post
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from punto.errors import IdInUse, Malformed, NoDealer, NotAllowed, OutcomeUnknown, PuntoError, quoted
from punto.floor.handler import TABLE
from punto.floor.warrants import Warrant
from punto.rules import Method, Position
from punto.server.faces.state import ENCODER
from punto.server.http.asking import Ask, need_shoe, server_of, shoes_only
from punto.server.http.problems import documented
from punto.server.outside import outside
from punto.server.wire import tells
from punto.store import Store
from punto.table import Actor
from punto.table import commands as do
from punto.table.log import checksum
from punto.table.log import read as read_logged

_Id = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9._-]+$")]


class Reading(Struct, frozen=True, forbid_unknown_fields=True):
    """A card, or that the cutting card has come; the *id* is the shoe's own, and makes it harmless to send twice."""

    id: _Id
    card: Annotated[str, Meta(max_length=3)] = ""
    cutting_card: bool = False


class Read(Struct, frozen=True):
    """That the card is on the table, durably; the version of the table's log after it."""

    id: str
    version: int


@post(
    "/api/tables/{key:str}/readings",
    status_code=200,
    guards=[shoes_only],
    responses=documented(400, 401, 403, 404, 409, 413, 503),
)
async def readings(request: Ask, key: FromPath[str], data: JSONBody[Reading]) -> Read:
    """A shoe has read a card: it counts as drawn by the dealer who has taken the table.

    By Method C it is the patron at the device who has drawn it (B8, TNC5 3.11.1).
    """
    server = server_of(request)
    table = need_shoe(request)
    hosted = server.hall.find(key)
    if table != hosted.key:
        raise NotAllowed(f"this shoe belongs to another table than {quoted(key)}")
    if bool(data.card) == data.cutting_card:
        raise Malformed("a reading is a card or the cutting card: expected one of them")
    at_device = hosted.table.device if hosted.table.method is Method.C else ""
    by = Actor(at_device, Position.PATRON) if at_device else hosted.dealer
    if by is None:
        raise NoDealer("no dealer has taken the table: nothing was done")
    id_, at_ms = f"reading-{hosted.key}-{data.id}", server.hall.now_ms()
    command: do.ShowCuttingCard | do.DrawCard
    if data.cutting_card:
        command = do.ShowCuttingCard(id=id_, table=hosted.key, by=by, at_ms=at_ms)
    else:
        command = do.DrawCard(id=id_, table=hosted.key, by=by, at_ms=at_ms, card=data.card)
    try:
        session = "" if at_device else hosted.dealer_session
        answer = await server.hall.writer.give(
            command, Warrant(session, device=f"shoe-{table}", at_terminal=bool(at_device))
        )
    except PuntoError as refusal:
        believed = server.hall.writer.floor.history.believed
        if isinstance(refusal, IdInUse) and (before := await server.hall.writer.ask(_read_before, believed, command)):
            return Read(data.id, before)
        # The card is out of the shoe all the same: who deals must know.
        read = "the cutting card" if data.cutting_card else data.card
        unknown = isinstance(refusal, OutcomeUnknown)
        became = "it is not known yet whether it was taken" if unknown else "it was not taken"
        said = f"the shoe has read {read}, and {became}: {outside(refusal)}"
        hosted.tell_dealer(ENCODER.encode(tells.Refused("", refusal.code, said)))
        raise
    return Read(data.id, answer.version)


def _read_before(store: Store, command: do.DrawCard | do.ShowCuttingCard) -> int:
    """The version after the same reading, if it came before, while another dealt; else 0."""
    found = store.find(command.id)
    same = found is not None and read_logged(found.body).asked == checksum(command)
    return found.version if found is not None and same and found.stream == TABLE + command.table else 0
