"""Patrons who are registered by name: those of tables with chips, who have no terminal."""

from typing import Annotated

from litestar import get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from punto.server.http.asking import Ask, need_staff, scope_of, server_of, staff_only
from punto.server.http.problems import documented
from punto.server.identity.personal import LONGEST_FULL_NAME
from punto.table.actor import LONGEST_NAME

FullName = Annotated[str, Meta(max_length=LONGEST_FULL_NAME)]


class Patron(Struct, frozen=True):
    """A patron by the name on record, and the full name, which can be erased; empty without one."""

    name: str
    full_name: str


class NewPatron(Struct, frozen=True, forbid_unknown_fields=True):
    """A patron: without a *name* the floor makes one. It stays on record for ever; the full name can be erased."""

    name: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""
    full_name: FullName = ""


@get("/api/patrons", guards=[staff_only], responses=documented(401, 403))
async def patrons(request: Ask) -> list[Patron]:
    """The patrons who are registered, by name."""
    identity = server_of(request).identity
    names = identity.house.patrons(need_staff(request))
    full_names = await identity.personal.full_names(names)
    return [Patron(name, full_names.get(name, "")) for name in names]


@post("/api/patrons", status_code=200, guards=[staff_only], responses=documented(400, 401, 403, 409, 413, 503))
async def register(request: Ask, data: JSONBody[NewPatron]) -> Patron:
    """Register a patron, so that cash may move in that name (pit supervisors and above)."""
    identity = server_of(request).identity
    by = identity.signed_in(scope_of(request))
    return Patron(await identity.personal.register_patron(by, data.name, data.full_name), data.full_name)
