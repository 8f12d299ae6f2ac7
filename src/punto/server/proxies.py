"""Proxies: a floor behind one, which other machines can reach, hears the proxy and nobody else.

What comes straight to the floor's own port would come in clear, and past whatever the proxy keeps out.
"""

from collections.abc import Awaitable, Callable, Collection
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, Final

from punto.server.refusing import turn_away

Application = Callable[[Any, Any, Any], Awaitable[None]]

_BEHIND: Final = (421, "not-here", "this floor is behind a proxy: ask at its own address")


class OnlyProxies:
    """An application that hears what comes from proxies, and turns everything else away."""

    def __init__(self, application: Application, proxies: Collection[str]) -> None:
        self._application = application
        self._proxies = tuple(ip_network(each, strict=False) for each in proxies)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 (whatever ASGI sends)
        """One connection."""
        host, port = scope.get("client") or ("", 0)
        try:
            peer = ip_address(host)
        except ValueError:
            peer = None
        if isinstance(peer, IPv6Address) and peer.ipv4_mapped is not None:  # as where one socket listens to both
            peer = peer.ipv4_mapped
            scope = scope | {"client": (str(peer), port)}
        if scope["type"] == "lifespan" or (peer is not None and any(peer in network for network in self._proxies)):
            await self._application(scope, receive, send)
        else:
            await turn_away(scope, receive, send, _BEHIND)
