"""Who asks, of which server, and whether that is enough."""

from typing import TYPE_CHECKING, Any

from litestar import Request

from punto.errors import NotSignedIn
from punto.server.identity import authority
from punto.table import Actor

if TYPE_CHECKING:
    from punto.server.app import Server
    from punto.server.http.office import Office

Ask = Request[Any, Any, Any]
Scope = dict[str, Any]


def server_of(request: Ask) -> "Server":
    """The server that is asked."""
    server: Server = request.app.state.server
    return server


def office_of(request: Ask) -> "Office":
    """What the API keeps besides the hall."""
    office: Office = request.app.state.office
    return office


def scope_of(request: Ask) -> Scope:
    """The request as plain ASGI has it."""
    scope: Scope = request.scope  # type: ignore[assignment]
    return scope


def patron_of(request: Ask) -> Actor | None:
    """The patron who asks, if it is one."""
    return server_of(request).identity.patron(scope_of(request))


def staff_of(request: Ask) -> Actor | None:
    """The member of staff who asks, if it is one."""
    return server_of(request).identity.staff(scope_of(request))


def need_staff(request: Ask) -> Actor:
    """The member of staff who asks; nobody else is answered."""
    staff = staff_of(request)
    if staff is None:
        raise NotSignedIn("this is for staff only: sign in first")
    return staff


def need_pit(request: Ask, what: str) -> Actor:
    """The member of staff who asks for what is the pit's; a Dealer's table is enough for a Dealer."""
    staff = need_staff(request)
    authority.check(staff.position, authority.LOOKING, what)
    return staff
