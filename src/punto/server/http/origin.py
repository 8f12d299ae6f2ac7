"""Whether a request that changes something comes from a page of the floor's own."""

from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from punto.errors import NotAllowed
from punto.server.identity.requests import bearer, header

# Marks a route that changes nothing, whatever its method is.
FROM_ANYWHERE: Final = "from_anywhere"
_ONLY_LOOKING: Final = ("GET", "HEAD", "OPTIONS")


def ours_only(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuse what another site's page has a browser send; a device with a token of its own needs no page."""
    scope = connection.scope
    looks = handler.opt.get(FROM_ANYWHERE) or scope.get("method") in _ONLY_LOOKING
    if looks or connection.app.state.server.identity.is_ours(scope):
        return
    if bearer(header(scope, b"authorization")) and not header(scope, b"cookie"):
        return
    raise NotAllowed("this was not asked by one of the floor's own pages: an Origin of the floor's is expected")
