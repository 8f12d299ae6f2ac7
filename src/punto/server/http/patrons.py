"""Patrons who are registered by name: those of tables with chips, who have no terminal."""

from typing import Annotated

from litestar import get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from punto.server.http.asking import Ask, need_staff, scope_of, server_of, staff_only
from punto.server.http.problems import documented
from punto.table.actor import LONGEST_NAME


class NewPatron(Struct, frozen=True, forbid_unknown_fields=True):
    """A patron by name."""

    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]


@get("/api/patrons", sync_to_thread=False, guards=[staff_only], responses=documented(401, 403))
def patrons(request: Ask) -> list[str]:
    """The patrons who are registered by name."""
    return server_of(request).identity.house.patrons(need_staff(request))


@post("/api/patrons", status_code=204, guards=[staff_only], responses=documented(400, 401, 403, 409, 413, 503))
async def register(request: Ask, data: JSONBody[NewPatron]) -> None:
    """Register a patron, so that cash may move in that name (pit supervisors and above)."""
    identity = server_of(request).identity
    await identity.house.register_patron(identity.signed_in(scope_of(request)), data.name)
