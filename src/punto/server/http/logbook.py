"""The log of a table and the security log, for staff."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Annotated, Final

from litestar import get
from litestar.params import FromPath, QueryParameter
from msgspec import Struct

from punto.floor.handler import SECURITY
from punto.record.checks import people
from punto.record.checks.people import read_person
from punto.record.checks.written import read_refused
from punto.record.entries import does_not_read, end_of, entries_of
from punto.record.rounds import TABLE, last_rounds, steps_of
from punto.record.significant import EventKind, SignificantEvent, last_events
from punto.rules import Game, Position
from punto.server.http.asking import Ask, need_pit, need_staff, office_of, server_of
from punto.server.http.problems import documented
from punto.server.http.telling import UNFINISHED, in_words, unveiled
from punto.server.wire.shown import AnyShown
from punto.server.wire.tells import Text
from punto.store import Store

STAFF: Final = "identity/staff"
# The code of lines that are no refusals.
WAY_BACK: Final = "way-back"
_PAGE: Final = 200
_After = Annotated[
    int | None, QueryParameter(ge=0, le=2**53, description="What comes after this version; else the end.")
]
_Kinds = Annotated[list[EventKind] | None, QueryParameter(description="Only these kinds; all without any.")]
_Since = Annotated[int, QueryParameter(ge=0, le=2**53, description="Only what has happened since then.")]
_Last = Annotated[int, QueryParameter(ge=1, le=500, description="How many.")]


class LogLine(Struct, frozen=True):
    """One thing that happened: when, by whom, by which command, what, and the same in words."""

    version: int
    at_ms: int
    by: str
    position: Position
    command: str
    event: AnyShown
    said: Text


class Log(Struct, frozen=True):
    """Part of a table's log; *end* is its last version."""

    end: int
    lines: tuple[LogLine, ...]


class SecurityLine(Struct, frozen=True):
    """A refusal for want of authority; or, with the code `way-back`, that somebody lets another in again."""

    version: int
    at_ms: int
    by: str
    position: Position
    table: str
    do: str
    code: str
    said: str


@get("/api/tables/{key:str}/log", responses=documented(400, 401, 404, 409, 429, 503))
async def log(request: Ask, key: FromPath[str], after: _After = None) -> Log:
    """What happened at a table, in order; never a shoe's sealed order, nor a card that still lies face down."""
    need_staff(request)
    hosted = server_of(request).hall.find(key)
    game = hosted.table.game if hosted.table.setup else None
    return await office_of(request).read(request, _log, hosted.key, after, game)


@get("/api/security", responses=documented(400, 401, 403, 409, 429, 503))
async def security(request: Ask, last: _Last = 100) -> tuple[SecurityLine, ...]:
    """Who tried what without the authority for it, and who let somebody in again, the last first."""
    need_pit(request, "read the security log")
    return await office_of(request).read(request, _security, last)


@get("/api/events", responses=documented(400, 401, 403, 409, 429, 503))
async def significant_events(
    request: Ask, last: _Last = 100, kind: _Kinds = None, since_ms: _Since = 0
) -> tuple[SignificantEvent, ...]:
    """Significant events: starts, stops, authority, clocks, audits and the like, the last first."""
    need_pit(request, "read significant events")
    kinds = frozenset(kind or EventKind)
    found = await office_of(request).read(request, partial(last_events, strict=False), kinds, since_ms, last)
    beside = server_of(request).hall.journal.beside
    found += [event for event in beside if event.kind in kinds and event.at_ms >= since_ms]
    return tuple(sorted(found, key=lambda event: event.at_ms, reverse=True)[:last])


def _log(store: Store, table: str, after: int | None, game: Game | None) -> Log:
    end = end_of(store, TABLE + table)
    # From here on cards may lie face down: the round in progress, and whatever is written while we read.
    rounds = last_rounds(store, table, 1)
    open_from = rounds[0].steps[0].version if rounds and rounds[0].state == UNFINISHED else end + 1
    lines = []
    for step in islice(steps_of(store, table, max(0, end - _PAGE) if after is None else after), _PAGE):
        event = unveiled(step.event, over=step.version < open_from)
        by, position = step.by["name"], Position(step.by["position"])
        lines.append(LogLine(step.version, step.at_ms, by, position, step.command, event, in_words(event, game)))
    return Log(max(end, lines[-1].version if lines else 0), tuple(lines))


def _security(store: Store, last: int) -> tuple[SecurityLine, ...]:
    lines = []
    for entry in entries_of(store, SECURITY, max(0, end_of(store, SECURITY) - last)):
        try:
            read = read_refused(entry.body)
        except ValueError as error:
            raise does_not_read(entry, error) from None
        by = read.by
        lines.append(
            SecurityLine(entry.version, read.at_ms, by.name, by.position, read.table, read.do, read.code, read.said)
        )
    found = sorted([*lines, *_ways_back(store, last)], key=lambda line: line.at_ms)
    return tuple(reversed(found[-last:]))


def _ways_back(store: Store, last: int) -> Iterator[SecurityLine]:
    """Who made a way back in for whom, who came in by it, and whose passkeys and codes another has reset."""
    for entry in entries_of(store, STAFF, max(0, end_of(store, STAFF) - last)):
        try:
            noted = read_person(STAFF, entry.body)
        except ValueError as error:
            raise does_not_read(entry, error) from None
        match noted.event:
            case people.WayBackIssued(name, decided_by=by, reason=reason):
                done, said = "recover", f"on the machine, for {name}: {reason}"
            case people.WayBackUsed(name):
                by, done, said = name, "come-back", "with the code from the machine"
            case people.FactorsReset(name):
                by, done, said = noted.by.name, "reset-factors", f"of {name}"
            case _:
                continue
        yield SecurityLine(entry.version, noted.at_ms, by, noted.by.position, "", done, WAY_BACK, said)
