"""How many connections each address has open: no more than a limit, so that nobody keeps everybody else out.

Behind a proxy all connections come from the proxy, which limits them; what is under way for each address that the proxy
names is counted in their place. This machine's own addresses are never counted.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from ipaddress import ip_address, ip_network
from typing import Any, Final

from punto.errors import TooFast
from punto.server.identity.requests import address

_FULL: Final = (
    b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nretry-after: 60\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%b"
)


class Crowd:
    """The connections of all addresses; without a limit nothing is counted."""

    def __init__(self) -> None:
        self._most = 0
        self._trusted: tuple[Any, ...] = ()
        self._counts: Counter[str] = Counter()
        # The addresses of connections that are counted.
        self._counted: dict[int, str] = {}
        # How many were turned away so far.
        self.turned_away = 0

    def begin(self, most: int, proxies: Collection[str] = ()) -> None:
        """Each address may have so many from now on, and 0 is no limit; those of *proxies* are the proxies' own."""
        self._most = most
        self._trusted = tuple(ip_network(each, strict=False) for each in proxies)

    def __len__(self) -> int:
        return len(self._counts)

    def open_at(self, where: str) -> int:
        """How many connections an address has open."""
        return self._counts[where]

    def enter(self, connection: object, peer: Any) -> bool:  # noqa: ANN401 (as the system has it)
        """Whether there is room for a connection from a peer."""
        where = address({"client": peer, "headers": []}) if peer and self._most else ""
        if not where or self._is_free(str(peer[0])):
            return True
        if self._counts[where] >= self._most:
            self.turned_away += 1
            return False
        self._counts[where] += 1
        self._counted[id(connection)] = where
        return True

    def leave(self, connection: object) -> None:
        """A connection is gone."""
        where = self._counted.pop(id(connection), "")
        if where:
            self._drop(where)

    @contextmanager
    def under_way(self, where: str) -> Iterator[None]:
        """Something is under way for an address that a proxy has named; refused where that is too much."""
        if not self._most or self._is_free(where.partition("/")[0]):
            yield
            return
        if self._counts[where] >= self._most:
            self.turned_away += 1
            raise TooFast(f"this address has {self._most} connections open: close one first")
        self._counts[where] += 1
        try:
            yield
        finally:
            self._drop(where)

    def _drop(self, where: str) -> None:
        self._counts[where] -= 1
        if not self._counts[where]:
            del self._counts[where]

    def _is_free(self, text: str) -> bool:
        """Whether an address is this machine's own, a proxy's, or none at all."""
        try:
            found = ip_address(text)
        except ValueError:
            return True
        return found.is_loopback or any(found in network for network in self._trusted)


def full(refusal: TooFast) -> bytes:
    """What somebody is told who has too many connections open, as plain HTTP."""
    body = json.dumps({"code": refusal.code, "message": refusal.message}).encode()
    return _FULL % (len(body), body)


CROWD: Final = Crowd()
TURNED_AWAY: Final = full(TooFast("this address has too many connections open: close one first"))
