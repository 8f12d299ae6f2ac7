"""House exclusion: the patrons whom the house lets play no more, for staff only."""

from typing import Annotated

from litestar import get, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from punto.rules import Position
from punto.server.floorkeys import LONGEST_REASON
from punto.server.http.asking import Ask, need_staff, scope_of, server_of, staff_only
from punto.server.http.problems import documented
from punto.table.actor import LONGEST_NAME

_DONE = (400, 401, 403, 409, 413, 503)
_Reason = Annotated[str, Meta(min_length=1, max_length=LONGEST_REASON)]
# The end of what a calendar can tell.
_LAST_MS = 253_402_300_799_999


class ExcludedPatron(Struct, frozen=True):
    """A patron whom the house lets play no more, from a time until another (0: for good), and since when that is known.

    What says so is the list of the floor *on_list*, or a member of staff where that is empty. The *reason* is empty
    once it was erased. *over* says whether the time is over, *in_file* whether only this floor's file takes it back.
    """

    name: str
    from_ms: int
    until_ms: int
    reason: str
    on_list: str
    by: str
    at_ms: int
    over: bool
    in_file: bool


class NewExclusion(Struct, frozen=True, forbid_unknown_fields=True):
    """A patron who is to play no more, until a time (0: for good), and why."""

    patron: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
    reason: _Reason
    until_ms: Annotated[int, Meta(ge=0, le=_LAST_MS)] = 0


class Excluded(Struct, frozen=True):
    """A patron was excluded; whether anybody of that name is *known* here by now."""

    known: bool


class Lifting(Struct, frozen=True, forbid_unknown_fields=True):
    """Why an exclusion is lifted: that of staff, or that of a list which no floor has any more."""

    reason: _Reason
    on_list: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""


@get("/api/exclusions", guards=[staff_only], responses=documented(401, 403, 503))
async def excluded_patrons(request: Ask) -> list[ExcludedPatron]:
    """The patrons who are excluded, now or from a time to come (pit supervisors and above)."""
    server = server_of(request)
    exclusions, now_ms = server.identity.exclusions, server.hall.now_ms()
    listed = exclusions.listed(need_staff(request))
    reasons = await exclusions.reasons(listed)
    return [
        ExcludedPatron(
            each.name,
            each.from_ms,
            each.until_ms,
            reason or "",
            each.on_list,
            "" if each.by.position is Position.SYSTEM else each.by.name,
            each.at_ms,
            over=each.is_over(now_ms),
            in_file=exclusions.is_in_file(each),
        )
        for each, reason in zip(listed, reasons, strict=True)
    ]


@post("/api/exclusions", status_code=200, guards=[staff_only], responses=documented(*_DONE))
async def exclude_patron(request: Ask, data: JSONBody[NewExclusion]) -> Excluded:
    """Let a patron play no more, from now on, also one whom nobody knows yet (pit managers and above)."""
    server = server_of(request)
    session = server.identity.signed_in(scope_of(request))
    known = await server.identity.exclusions.exclude(session, data.patron, data.until_ms, data.reason)
    server.hall.look_at_exclusions()
    return Excluded(known)


@post("/api/exclusions/{name:str}/lift", status_code=204, guards=[staff_only], responses=documented(*_DONE))
async def lift_exclusion(request: Ask, name: FromPath[str], data: JSONBody[Lifting]) -> None:
    """Lift an exclusion by staff, or by a list that no floor has any more (gaming shift managers and above)."""
    server = server_of(request)
    session = server.identity.signed_in(scope_of(request))
    await server.identity.exclusions.lift(session, name, data.reason, data.on_list)
    server.hall.look_at_exclusions()
