"""Recall and replay: the last rounds of a table, and one of them step by step."""

from typing import Annotated, Any

import msgspec
from litestar import get
from litestar.params import FromPath, QueryParameter
from msgspec.structs import replace

from punto.server.heavy.jobs import RECALL, REPLAY
from punto.server.hosted import Hosted
from punto.server.http.asking import Ask, office_of, patron_of, server_of, staff_of
from punto.server.http.problems import documented
from punto.server.http.telling import (
    UNFINISHED,
    RecallQuery,
    RoundQuery,
    ToldReplay,
    ToldRound,
    Viewer,
    recalled,
    replayed,
)

_Last = Annotated[int, QueryParameter(ge=1, le=100, description="How many rounds.")]
_Before = Annotated[int | None, QueryParameter(ge=1, le=2**53, description="Those before the round of this number.")]


@get("/api/tables/{key:str}/rounds", responses=documented(400, 404, 409, 429, 503))
async def rounds(request: Ask, key: FromPath[str], last: _Last = 10, before: _Before = None) -> tuple[ToldRound, ...]:
    """The last rounds of a table, or those before one; with one's own wagers, or for staff with everybody's."""
    hosted = server_of(request).hall.find(key)
    asked = RecallQuery(hosted.key, last, before, known(hosted))
    found = await office_of(request).read_on(request, RECALL, recalled, asked, viewer_of(request))
    return tuple(_as_it_lies(hosted, each) for each in found)


@get("/api/tables/{key:str}/rounds/{number:int}", responses=documented(400, 404, 409, 429, 503))
async def replay(request: Ask, key: FromPath[str], number: FromPath[int]) -> ToldReplay:
    """A round step by step, each step with its clause, and why each of one's own wagers was paid what it was paid."""
    hosted = server_of(request).hall.find(key)
    asked = RoundQuery(hosted.key, number, known(hosted))
    found = await office_of(request).read_on(request, REPLAY, replayed, asked, viewer_of(request))
    return replace(found, round=_as_it_lies(hosted, found.round))


def viewer_of(request: Ask) -> Viewer:
    """Who looks at the record."""
    return Viewer.of(patron_of(request), staff_of(request))


def known(hosted: Hosted) -> dict[str, Any]:
    """The setup that the table is open with, as the record has it."""
    plain: dict[str, Any] = msgspec.to_builtins(hosted.table.setup) if hosted.table.setup else {}
    return plain


def _as_it_lies(hosted: Hosted, told: ToldRound) -> ToldRound:
    """The round in progress with the cards that lie open now, and no others."""
    current = told.state == UNFINISHED and told.round == hosted.table.round
    return replace(told, cards=hosted.state().cards) if current else told
