"""Shoes: what each is committed to, their portable texts once they are out, and whether such a text is right."""

from dataclasses import dataclass, replace
from typing import Final

from litestar import get, post
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema
from litestar.params import FromPath

from punto.errors import ShoeInPlay
from punto.record import ShoeFile
from punto.server.heavy.jobs import EXPORT, SHOES, VERIFY
from punto.server.http.asking import TEXT, Ask, office_of, patron_of, server_of, staff_of
from punto.server.http.origin import FROM_PROGRAMS
from punto.server.http.problems import documented
from punto.server.http.shelf import ShoeInfo
from punto.server.http.telling import Viewer
from punto.server.verdicts import Verdict

# The text of a shoe; of all bodies it is the largest.
_LONGEST_TEXT: Final = 1_000_000


@dataclass
class TakesText(Operation):
    """An operation whose body is plain text."""

    def __post_init__(self) -> None:
        text = {"text/plain": OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))}
        self.request_body = RequestBody(content=text, required=True, description="The text of a shoe.")


@get("/api/tables/{key:str}/shoes", responses=documented(404, 409, 429, 503))
async def shoes(request: Ask, key: FromPath[str]) -> tuple[ShoeInfo, ...]:
    """The shoes of a table, the last one first."""
    hosted = server_of(request).hall.find(key)
    shelf, office = office_of(request).shelf, office_of(request)
    found = await office.work(
        request, SHOES, office.address, await office.excerpt(request, hosted.key), hosted.key, shelf.known(hosted.key)
    )
    return tuple(reversed(shelf.note(hosted.key, found)))


@get("/api/tables/{key:str}/shoes/{number:int}", media_type="text/plain", responses=documented(400, 404, 409, 429, 503))
async def shoe_text(request: Ask, key: FromPath[str], number: FromPath[int]) -> str:
    """The portable text of a shoe that is out; anybody can verify it. While it is in play there is none.

    It has all cards, and of wagers one's own; for staff everybody's, as `punto export` writes them.
    """
    hosted = server_of(request).hall.find(key)
    shoe = hosted.table.shoe
    if 0 < number == shoe.number and not shoe.out:
        raise ShoeInPlay(f"shoe {number} is in play: its text is to be had once it is out")
    staff = staff_of(request)
    office, viewer = office_of(request), Viewer.of(patron_of(request), staff)
    # As long as no later shoe was dealt from, the settlement of its last round may still be undone.
    final = number < hosted.table.dealt_from
    whole = office.shelf.text(hosted.key, number)
    if whole is None:
        whole = await office.work(
            request, EXPORT, office.address, await office.excerpt(request, hosted.key), hosted.key, number
        )
        if final:
            office.shelf.keep(hosted.key, number, whole)
    if staff is not None:
        office.note_export(request, staff, "shoe text", f"table {hosted.key}, shoe {number}")
    return _seen_by(viewer, whole)


@post(
    "/api/verify",
    status_code=200,
    operation_class=TakesText,
    opt={FROM_PROGRAMS: True, TEXT: True},
    request_max_body_size=_LONGEST_TEXT,
    responses=documented(400, 403, 409, 413, 429, 503),
)
async def verify_text(request: Ask) -> Verdict:
    """Whether the text of a shoe is right: every card, every payment, and what it was committed to.

    Programs may ask too, and pages of the floor; pages of other sites may not.
    """
    office = office_of(request)
    with office.admitted(request):
        verdict: Verdict = await office.work(request, VERIFY, await request.body())
    return verdict


def _seen_by(viewer: Viewer, whole: ShoeFile) -> str:
    """The text of a shoe, with the wagers that the viewer may see."""
    coups = tuple(
        replace(coup, bets=tuple(bet for bet in coup.bets if viewer.may_see(bet.patron))) for coup in whole.coups
    )
    return str(replace(whole, coups=coups))
