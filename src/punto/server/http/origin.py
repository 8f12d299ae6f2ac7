"""Whether a request that changes something comes from a page of the floor's own."""

from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from punto.errors import NotAllowed
from punto.server.http.asking import server_of
from punto.server.identity.requests import bearer, header

# Marks a route that changes nothing, so that a program may ask, which has no origin.
FROM_PROGRAMS: Final = "from_programs"
NOT_OURS: Final = (
    "this was not asked by one of the floor's own pages: expected an Origin that the floor's file names under 'origins'"
)
_ONLY_LOOKING: Final = ("GET", "HEAD", "OPTIONS")


def ours_only(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuse what another site's page has a browser send; a device with a token of its own needs no page."""
    scope = connection.scope
    program = not (header(scope, b"origin") or header(scope, b"sec-fetch-site"))
    looks = scope.get("method") in _ONLY_LOOKING or (handler.opt.get(FROM_PROGRAMS) and program)
    if looks or server_of(connection).identity.is_ours(scope):
        return
    if bearer(header(scope, b"authorization")) and not header(scope, b"cookie"):
        return
    raise NotAllowed(NOT_OURS)
