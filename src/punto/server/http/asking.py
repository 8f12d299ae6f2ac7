"""Who asks, of which server, and whether that is enough: decided before the body of a request is read."""

import re
from typing import TYPE_CHECKING, Any, Final

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.exceptions import InternalServerException
from litestar.handlers import BaseRouteHandler

from punto.errors import Malformed, NotSignedIn
from punto.server.identity import authority
from punto.table import Actor

if TYPE_CHECKING:
    from punto.server.app import Server
    from punto.server.http.office import Office

Ask = Request[Any, Any, Any]
# Whatever is asked, before its body is read.
Asking = ASGIConnection[Any, Any, Any, Any]
Scope = dict[str, Any]

# Where a request's scope says which server it is for.
SERVER: Final = "punto.server"
# Marks a route whose body is text, and no JSON.
TEXT: Final = "text"
# The most that a body may have, unless its route says otherwise.
LONGEST_BODY: Final = 8_192
_DEEPEST: Final = 16
_STRINGS: Final = re.compile(rb'"(?:[^"\\]|\\.)*+"?+', re.DOTALL)
_NOT_BRACKETS: Final = re.compile(rb"[^\[\]{}]++")


class Bounded(Ask):
    """A request whose JSON nests no deeper than anything that is asked here."""

    async def body(self) -> bytes:
        """The body, which is no longer than its route allows."""
        try:
            body = await super().body()
        except InternalServerException:  # the library raises this when the client hangs up
            raise Malformed("the body broke off") from None
        if not self.route_handler.opt.get(TEXT):
            check_depth(body)
        return body


def check_depth(body: bytes) -> None:
    """Refuse JSON that nests too deeply, in one pass.

    >>> check_depth(b'{"a": ["[[[[[[[[[[[[[[[[[[[["]}')
    """
    depth = 0
    for bracket in _NOT_BRACKETS.sub(b"", _STRINGS.sub(b"", body)):
        depth += 1 if bracket in b"[{" else -1
        if depth > _DEEPEST:
            raise Malformed(f"the body nests too deeply: expected JSON of {_DEEPEST} levels at most")


def server_of(request: Asking) -> "Server":
    """The server that is asked."""
    server: Server = scope_of(request)[SERVER]
    return server


def office_of(request: Ask) -> "Office":
    """What the API keeps besides the hall."""
    return server_of(request).office


def scope_of(request: Asking) -> Scope:
    """The request as plain ASGI has it."""
    scope: Scope = request.scope  # type: ignore[assignment]
    return scope


def patron_of(request: Asking) -> Actor | None:
    """The patron who asks, if it is one."""
    return server_of(request).identity.patron(scope_of(request))


def staff_of(request: Asking) -> Actor | None:
    """The member of staff who asks, if it is one."""
    return server_of(request).identity.staff(scope_of(request))


def need_staff(request: Asking) -> Actor:
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


def staff_only(connection: Asking, _: BaseRouteHandler) -> None:
    """Refuse, before the body is read, whoever is not signed in as staff."""
    need_staff(connection)


def shoes_only(connection: Asking, _: BaseRouteHandler) -> None:
    """Refuse, before the body is read, whatever is no shoe that we know."""
    need_shoe(connection)


def need_shoe(request: Asking) -> str:
    """The table whose shoe sends this; nothing else is answered."""
    table = server_of(request).identity.device(request.headers.get("authorization"))
    if table is None:
        raise NotSignedIn("no shoe is known by this token: send it as Authorization: Bearer …")
    return table


def visitor_of(request: Asking) -> str:
    """Whose queue a request waits in: a member of staff's, a terminal's, or that of all guests at one address."""
    return server_of(request).identity.visitor(scope_of(request))
