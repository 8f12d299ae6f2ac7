"""What is kept about people beside the record, such as full names and notes: for who answers them; and its erasure."""

from typing import Annotated, Any, Literal

from litestar import Router, get, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from punto.floor.personal import LONGEST_TEXT, KeptKind
from punto.server.http.asking import Ask, need_staff, office_of, scope_of, server_of, staff_only
from punto.server.http.doors import NOT_KEPT
from punto.server.http.problems import documented
from punto.server.identity import events as on
from punto.server.identity.erasing import LONGEST_REASON, About
from punto.server.identity.personal import PersonalData

_DONE = (400, 401, 403, 404, 409, 413, 503)


class KeptLine(Struct, frozen=True):
    """Something that is kept since a time; *until_ms* where law or a claim requires it to stay (*why*), else 0."""

    commitment: str
    kind: KeptKind
    at_ms: int
    text: str
    until_ms: int
    why: on.StayReason


class OnRecord(Struct, frozen=True):
    """How many entries of a stream bear the name; they stay."""

    stream: str
    entries: int


class KnownPerson(Struct, frozen=True):
    """All that is kept about a person; *basis* is the law by which something stays, in the words of the floor's file.

    *damaged* is how much of it does not open.
    """

    name: str
    active_ms: int
    kept: tuple[KeptLine, ...]
    damaged: int
    on_record: tuple[OnRecord, ...]
    basis: str


class NewNote(Struct, frozen=True, forbid_unknown_fields=True):
    """A full name or a note about somebody."""

    kind: Literal["full-name", "note"]
    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)]


class NewErasure(Struct, frozen=True, forbid_unknown_fields=True):
    """A wish that all about somebody be erased; the reason stays on record, and must not name the person."""

    reason: Annotated[str, Meta(min_length=1, max_length=LONGEST_REASON)]


class Staying(Struct, frozen=True):
    """How much of one kind stays, until when, and why."""

    kind: KeptKind
    until_ms: int
    count: int
    why: on.StayReason


class Erasure(Struct, frozen=True):
    """What became of a wish to erase: how much was erased, and what stays until when, by which law."""

    name: str
    erased: int
    stays: tuple[Staying, ...]
    basis: str


@get("/api/people/{name:str}", responses=documented(*_DONE))
async def person(request: Ask, name: FromPath[str]) -> KnownPerson:
    """All that is kept about somebody, to be shown or handed over (gaming shift managers; proved again)."""
    personal, server = _personal(request), server_of(request)
    by = server.identity.signed_in(scope_of(request))
    found = await personal.about(by, name)
    office_of(request).note_look(request, need_staff(request), found.person)
    return _known(found, personal.retention.basis, server.hall.now_ms(), by.name)


@post("/api/people/{name:str}/notes", status_code=204, responses=documented(*_DONE))
async def note(request: Ask, name: FromPath[str], data: JSONBody[NewNote]) -> None:
    """Keep a full name or a note (about patrons pit supervisors, about the staff gaming shift managers, and above)."""
    by = server_of(request).identity.signed_in(scope_of(request))
    await _personal(request).note(by, name, KeptKind(data.kind), data.text)


@post("/api/people/{name:str}/erasures", status_code=200, responses=documented(*_DONE))
async def erase(request: Ask, name: FromPath[str], data: JSONBody[NewErasure]) -> Erasure:
    """Erase all about somebody that no law and no claim requires to stay (gaming shift managers; not their own)."""
    by = server_of(request).identity.signed_in(scope_of(request))
    return _erasure(await _personal(request).erase(by, name, data.reason))


ROUTES: list[Any] = [Router("/", route_handlers=[person, note, erase], cache_control=NOT_KEPT, guards=[staff_only])]


def _personal(request: Ask) -> PersonalData:
    return server_of(request).identity.personal


def _known(found: About, basis: str, at_ms: int, by: str) -> KnownPerson:
    lines = tuple(
        KeptLine(line.kept.commitment, line.kept.kind, line.kept.at_ms, line.kept.text, until_ms, why)
        for line in found.lines
        for until_ms, why in (found.stays(line, at_ms, by),)
    )
    on_record = tuple(OnRecord(stream, entries) for stream, entries in found.on_record.items())
    return KnownPerson(found.person, found.active_ms, lines, len(found.damaged), on_record, basis)


def _erasure(event: on.PersonErased) -> Erasure:
    stays = tuple(Staying(stay.kind, stay.until_ms, len(stay.commitments), stay.why) for stay in event.stays)
    return Erasure(event.person, len(event.erased), stays, event.basis)
