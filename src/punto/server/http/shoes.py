"""Shoes: what each is committed to, their portable texts once they are out, and whether such a text is right."""

from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Final

from litestar import get, post
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema
from litestar.params import FromPath
from msgspec import Struct

from punto.errors import BadShoeFile, ShoeInPlay
from punto.record import ShoeFile, read_shoe, sealed, verify
from punto.server.http.asking import Ask, office_of, patron_of, server_of, staff_of
from punto.server.http.origin import FROM_ANYWHERE
from punto.server.http.problems import documented
from punto.server.http.shelf import ShoeInfo
from punto.server.http.telling import Viewer

# More is not said one by one.
MOST_SAID: Final = 1_000
# More than any shoe has; what a hostile text could make us work out is bounded with it.
_MOST_ROUNDS: Final = 500
_LONGEST_DECLARATION: Final = 20_000


class WrongLine(Struct, frozen=True):
    """Something that is not right, and in which line."""

    line: int
    said: str


class Verdict(Struct, frozen=True):
    """Whether a shoe's text is right, and what is not.

    *sealed* is the commitment that was kept, and empty where the text shows none; *declared* when it is judged by the
    shoe's own declaration of its game, *more* when not everything wrong is listed.
    """

    right: bool
    sealed: str
    rounds: int
    wagers: int
    declared: bool
    wrong: tuple[WrongLine, ...]
    more: bool


@dataclass
class TakesText(Operation):
    """An operation whose body is plain text."""

    def __post_init__(self) -> None:
        text = {"text/plain": OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))}
        self.request_body = RequestBody(content=text, required=True, description="The text of a shoe.")


@get("/api/tables/{key:str}/shoes", responses=documented(404, 429))
async def shoes(request: Ask, key: FromPath[str]) -> tuple[ShoeInfo, ...]:
    """The shoes of a table, the last one first."""
    hosted = server_of(request).hall.find(key)
    office = office_of(request)
    return tuple(reversed(await office.read_long(office.shelf.shoes, hosted.key)))


@get("/api/tables/{key:str}/shoes/{number:int}", media_type="text/plain", responses=documented(400, 404, 409, 429))
async def shoe_text(request: Ask, key: FromPath[str], number: FromPath[int]) -> str:
    """The portable text of a shoe that is out; anybody can verify it. While it is in play there is none.

    It has all cards, and of wagers one's own; for staff everybody's, as `punto export` writes them.
    """
    hosted = server_of(request).hall.find(key)
    shoe = hosted.table.shoe
    if 0 < number == shoe.number and not shoe.out:
        raise ShoeInPlay(f"shoe {number} is in play: its text is to be had once it is out")
    office, viewer = office_of(request), Viewer.of(patron_of(request), staff_of(request))
    # As long as no later shoe was dealt from, the settlement of its last round may still be undone.
    final = number < hosted.table.dealt_from
    whole = await office.read_long(partial(office.shelf.text, table=hosted.key, number=number, final=final))
    return _seen_by(viewer, whole)


@post(
    "/api/verify",
    status_code=200,
    operation_class=TakesText,
    opt={FROM_ANYWHERE: True},
    responses=documented(400, 413, 429),
)
async def verify_text(request: Ask) -> Verdict:
    """Whether the text of a shoe is right: every card, every payment, and what it was committed to."""
    body = await request.body()
    return await office_of(request).work(_verdict, body)


def _seen_by(viewer: Viewer, whole: ShoeFile) -> str:
    """The text of a shoe, with the wagers that the viewer may see."""
    coups = tuple(
        replace(coup, bets=tuple(bet for bet in coup.bets if viewer.may_see(bet.patron))) for coup in whole.coups
    )
    return str(replace(whole, coups=coups))


def _verdict(body: bytes) -> Verdict:
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadShoeFile(f"byte {error.start + 1} is not UTF-8: expected text") from None
    read = read_shoe(text)
    if len(read.coups) > _MOST_ROUNDS or len(read.declaration) > _LONGEST_DECLARATION:
        raise BadShoeFile("a shoe has fewer rounds and a shorter declaration: expected the text of one shoe")
    said = list(islice(verify(read), MOST_SAID + 1))
    return Verdict(
        right=not said,
        sealed=sealed(read),
        rounds=len(read.coups),
        wagers=sum(len(coup.bets) for coup in read.coups),
        declared=bool(read.declaration),
        wrong=tuple(WrongLine(each.line, each.said) for each in said[:MOST_SAID]),
        more=len(said) > MOST_SAID,
    )
