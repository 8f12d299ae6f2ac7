"""What a request says of whom it comes from: its cookies, its origin, its address."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from socket import gethostname
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
    """Whether the page that asks is one of the floor's own."""
    return Origins(config).has_page_of(scope)


class Origins:
    """Where the floor's own pages are: at the addresses that its file names, and at those that it can know by itself.

    A floor of this machine only is asked by this machine's names (`is_meant_for`), and its pages are where it is asked.
    Elsewhere a name that a request claims proves nothing: the name must be one that the file has under `origins`, or
    where it has none there, one of the certificate or of the machine. Addresses that are numbers are nobody else's.
    """

    def __init__(self, config: FloorConfig) -> None:
        self._config = config
        self._schemes = ("https",) if is_secure(config) else ("http", "https")
        self.is_reached_from_elsewhere = config.behind_proxy or is_public(config.host)
        self.names = frozenset({"localhost", config.host.lower(), *(() if config.origins else _known_names(config))})

    @property
    def are_guessed(self) -> bool:
        """Whether browsers come from elsewhere, and the file names no address at which they do."""
        return self.is_reached_from_elsewhere and not self._config.origins

    def has_page_of(self, scope: Scope) -> bool:
        """Whether the page that asks is one of the floor's own.

        A request without an origin is taken when the browser itself says that it comes from the same place.
        """
        origin, host = header(scope, b"origin"), header(scope, b"host")
        if not origin:
            return header(scope, b"sec-fetch-site") == "same-origin" and self._is_ours(host)
        if origin in self._config.origins:
            return True
        return bool(host) and origin in [f"{scheme}://{host}" for scheme in self._schemes] and self._is_ours(host)

    def _is_ours(self, host: str) -> bool:
        """Whether a request that names this host can only be meant for the floor."""
        if not self.is_reached_from_elsewhere:
            return True
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:  # no name of anything
            return False
        listed = (urlsplit(each).netloc for each in self._config.origins)
        return name in self.names or is_number(name) or host.lower() in listed


def is_number(host: str) -> bool:
    """Whether a host is told by its address, and by no name.

    >>> is_number("10.0.0.7"), is_number("::1"), is_number("floor.example")
    (True, True, False)
    """
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _known_names(config: FloorConfig) -> Iterator[str]:
    """The names that a floor can know by itself: the machine's, and those of the certificate but for patterns."""
    yield gethostname().lower()
    if not config.tls_certificate:
        return
    from cryptography import x509  # noqa: PLC0415 (few floors speak TLS themselves)

    with suppress(OSError, ValueError, x509.ExtensionNotFound):
        certificate = x509.load_pem_x509_certificate(Path(config.tls_certificate).read_bytes())
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
        yield from (name.lower() for name in found.value.get_values_for_type(x509.DNSName) if "*" not in name)


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
