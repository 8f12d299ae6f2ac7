"""One call over HTTP to somebody else's service, which ends by its deadline whatever the network and the service do."""

from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import ip_address
from socket import SHUT_RDWR, socket
from threading import Thread
from time import monotonic
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from punto.errors import quoted

# Far more than a witness, or a place that keeps a checkpoint, has to say.
ANSWER_LIMIT: Final = 65_536
_PORTS: Final = {"http": 80, "https": 443}


class CallFailed(Exception):
    """No answer came, or none that is one; the text says why, of whoever was called."""


class Response(NamedTuple):
    """What comes back over HTTP, as far as it matters."""

    status: int
    content_type: str
    body: bytes


def is_address(address: str) -> bool:
    """Whether a call can be made there: `https://HOST/PATH`, or `http://` as tests and this machine have it.

    >>> [is_address(each) for each in ("https://keep.example/floor", "ftp://keep.example", "https://a@keep.example")]
    [True, False, False]
    """
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    is_plain = address.isprintable() and not set("?#@ ") & set(address)
    return bool(host) and is_plain and parts.scheme in _PORTS


def is_guarded(address: str) -> bool:
    """Whether nobody on the way reads what is sent there: it goes by https, or stays on this machine.

    >>> is_guarded("https://keep.example"), is_guarded("http://keep.example"), is_guarded("http://127.0.0.1:8000/x")
    (True, False, True)
    """
    parts = urlsplit(address)
    with suppress(ValueError):
        return parts.scheme == "https" or ip_address(parts.hostname or "").is_loopback
    return parts.hostname == "localhost"


def call(method: str, address: str, body: bytes | None, headers: Mapping[str, str], timeout_s: float) -> Response:
    """One call within its time; `CallFailed` where no answer comes.

    A thread of its own makes the call: the timeout of a socket bounds one wait only, and a search for a host has none.
    """
    assert is_address(address), "an address is checked by whoever names it"
    parts = urlsplit(address)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port or _PORTS[parts.scheme], timeout=timeout_s)
    come: list[Response | Exception] = []
    opened: list[socket] = []  # the connection forgets its socket when the answer ends with it
    deadline = monotonic() + timeout_s

    def ask() -> None:
        try:
            connection.connect()
            opened.append(connection.sock)
            if monotonic() > deadline:
                return  # nobody waits any more: a call that was given up must not arrive
            connection.request(method, parts.path or "/", body, dict(headers))
            with connection.getresponse() as response:
                content = response.read(ANSWER_LIMIT + 1)
            come.append(Response(response.status, response.headers.get("Content-Type", ""), content))
        except (OSError, HTTPException, ValueError) as error:
            come.append(error)
        finally:
            connection.close()

    thread = Thread(target=ask, name="call", daemon=True)
    thread.start()
    thread.join(max(0, deadline - monotonic()))
    match come[:]:
        case [Response() as response] if len(response.body) > ANSWER_LIMIT:
            raise CallFailed(f"answers with more than {ANSWER_LIMIT} bytes")
        case [Response() as response]:
            return response
        case [Exception() as error] if not isinstance(error, TimeoutError):
            raise CallFailed(f"cannot be reached: {quoted(str(error), 80)}")
        case _:
            for each in opened:  # and so the thread's wait ends too
                with suppress(OSError):
                    each.shutdown(SHUT_RDWR)
            raise CallFailed(f"does not answer within {timeout_s:g} s")
