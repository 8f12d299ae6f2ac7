"""What a request says of whom it comes from: its cookies, its origin, its address."""

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from punto.server.config import FloorConfig, is_public

Scope = Mapping[str, Any]
# The cookies' names, without TLS.
STAFF: Final = "punto_staff"
TERMINAL: Final = "punto_terminal"
BROWSER: Final = "punto_browser"
_UNATTENDED: Final = b"punto-unattended"
_BEARER: Final = "Bearer "


def is_secure(config: FloorConfig) -> bool:
    """Whether browsers reach the floor by TLS."""
    return bool(config.tls_certificate) or config.behind_proxy


class CookieNames:
    """The names of our cookies: with TLS such that a browser takes them from nobody but this very host."""

    def __init__(self, config: FloorConfig) -> None:
        self.secure = is_secure(config)
        prefix = "__Host-" if self.secure else ""
        self.staff = prefix + STAFF
        self.terminal = prefix + TERMINAL
        self.browser = prefix + BROWSER


def header(scope: Scope, name: bytes) -> str:
    """A header of a request; empty where there is none."""
    for key, value in scope["headers"]:
        if key == name:
            text: str = value.decode("latin-1")
            return text
    return ""


def cookie(scope: Scope, name: str) -> str:
    """A cookie of a request; empty where there is none. What others keep beside ours may look like anything.

    >>> cookie({"headers": [(b"cookie", b'a[b]={"x"}; punto_staff=abc; c')]}, STAFF)
    'abc'
    """
    for pair in header(scope, b"cookie").split(";"):
        key, _, value = pair.strip().partition("=")
        if key == name:
            return value.strip('"')
    return ""


def bearer(authorization: str | None) -> str:
    """The token of an Authorization header; empty where there is none.

    >>> bearer("Bearer abc")
    'abc'
    """
    given = authorization or ""
    return given[len(_BEARER) :].strip() if given.startswith(_BEARER) else ""


def is_unattended(scope: Scope) -> bool:
    """Whether a page asks of its own accord: nobody has touched it for a while, or it only connects anew."""
    return scope.get("type") == "websocket" or bool(header(scope, _UNATTENDED))


def is_meant_for(scope: Scope, config: FloorConfig) -> bool:
    """Whether a request asks for us by a name of ours.

    A floor on this machine only is asked by this machine's own names: a page from elsewhere that has itself resolved to
    this machine would ask by another.
    """
    if config.behind_proxy or is_public(config.host):
        return True
    try:
        host = urlsplit(f"//{header(scope, b'host')}").hostname or ""
    except ValueError:  # no name of anything
        return False
    return not is_public(host) or host in {urlsplit(origin).hostname for origin in config.origins}


def is_ours(scope: Scope, config: FloorConfig) -> bool:
    """Whether the page that asks is one of the floor's own: its origin is the address that it asks.

    A request without an origin is taken when the browser itself says that it comes from the same place.
    """
    origin = header(scope, b"origin")
    if not origin:
        return header(scope, b"sec-fetch-site") == "same-origin"
    host = header(scope, b"host")
    schemes = ("https",) if is_secure(config) else ("http", "https")
    return origin in config.origins or (bool(host) and origin in [f"{scheme}://{host}" for scheme in schemes])


def address(scope: Scope) -> str:
    """Where a request comes from, as far as limits go: the server has seen to proxies; a network of IPv6 counts as one.

    >>> address({"client": ("2001:db8::1:2:3:4", 5)})
    '2001:db8::/64'
    """
    client = scope.get("client")
    text = str(client[0]) if client else ""
    try:
        parsed = ip_address(text)
    except ValueError:
        return text[:64]
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or f"{IPv6Address(int(parsed) >> 64 << 64)}/64")
    return str(parsed)
