"""Errors as they are sent: one shape, a stable code, one line, and nothing of how the server is made."""

from typing import Any, Final

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from litestar.status_codes import (
    HTTP_400_BAD_REQUEST,
    HTTP_403_FORBIDDEN,
    HTTP_404_NOT_FOUND,
    HTTP_500_INTERNAL_SERVER_ERROR,
)
from msgspec import Struct

from punto.errors import (
    Conflict,
    Corrupt,
    Fenced,
    FloorIsClosing,
    Malformed,
    NoSuchAccount,
    NoSuchCheckpoint,
    NoSuchClaim,
    NoSuchPerson,
    NoSuchReceipt,
    NoSuchRound,
    NoSuchSession,
    NoSuchTable,
    NoSuchTerminal,
    NotAllowed,
    NotSignedIn,
    ProveAgain,
    PuntoError,
    Refusal,
    SecondNeeded,
    StoreGone,
    TooFast,
    TooManyPages,
    UnknownGame,
    WorkFailed,
    WrongPassword,
    WrongProof,
)
from punto.server.http.asking import office_of, staff_of
from punto.server.http.pages import is_of_a_person, nothing_here
from punto.server.logs import CLOSING
from punto.server.outside import outside

_STATUSES: Final = (
    (NotSignedIn, 401),
    (WrongPassword, 401),
    (WrongProof, 401),
    (SecondNeeded, 401),
    (ProveAgain, 401),
    (NoSuchTable, 404),
    (NoSuchRound, 404),
    (NoSuchCheckpoint, 404),
    (NoSuchReceipt, 404),
    (NoSuchClaim, 404),
    (NoSuchAccount, 404),
    (NoSuchSession, 404),
    (NoSuchTerminal, 404),
    (NoSuchPerson, 404),
    (UnknownGame, 404),
    (TooFast, 429),
    (TooManyPages, 429),
    (WorkFailed, 503),
    (FloorIsClosing, 503),
    (NotAllowed, 403),
    (Malformed, 400),
    (Refusal, 409),
    (StoreGone, 503),
    (Fenced, 503),
    (Conflict, 409),
    (Corrupt, 503),
)
_CODES: Final = {
    400: "malformed",
    401: "not-signed-in",
    403: "not-allowed",
    404: "not-found",
    405: "not-this-way",
    409: "refused",
    413: "too-large",
    429: "too-fast",
    503: "store-gone",
}
_SAID: Final = {
    400: "It cannot be read, or cannot be.",
    401: "Whoever asks is not known.",
    403: "The position held does not carry it.",
    404: "There is no such thing here.",
    409: "The rules say no, or somebody was first.",
    413: "It is too large.",
    429: "Too much at once: try again later.",
    503: "The store does not answer, this part of the record is stopped, a worker died, or the floor is closing.",
}
# What is done, and has nothing to be told.
NOTHING: Final = {204: ResponseSpec(None, description="It is done.")}


class Problem(Struct, frozen=True):
    """What was wrong."""

    code: str
    message: str


def documented(*statuses: int) -> dict[int, ResponseSpec]:
    """The answers that a route may give besides the one that was hoped for.

    What does not read, no route takes; and behind every route lies the record, which may be stopped.
    """
    given = sorted({400, 503, *statuses})
    return {status: ResponseSpec(Problem, generate_examples=False, description=_SAID[status]) for status in given}


def status_of(error: PuntoError) -> int:
    """The HTTP status of an error."""
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 500)


def route_of(request: Request[Any, Any, Any]) -> str:
    """The route that was asked, without what was put into it: an address may hold a secret."""
    return str(request.scope.get("path_template") or "none")


def on_refusal(request: Request[Any, Any, Any], error: PuntoError) -> Response[Problem]:
    """One of Punto's own errors."""
    status = status_of(error)
    if status == HTTP_403_FORBIDDEN and isinstance(error, NotAllowed) and not error.on_record:
        staff = staff_of(request)
        if staff is not None:
            office_of(request).log_refusal(staff, f"{request.method} {route_of(request)}", error)
    if isinstance(error, FloorIsClosing):
        request.scope[CLOSING] = True  # type: ignore[typeddict-unknown-key]
    elif status >= HTTP_500_INTERNAL_SERVER_ERROR:
        structlog.get_logger("punto.http").error(_fault_of(error), route=route_of(request), code=error.code)
    return _response(Problem(error.code, one_line(outside(error))), status)


def _fault_of(error: PuntoError) -> str:
    """What has failed, for the log."""
    if isinstance(error, WorkFailed):
        return "a worker failed"
    return "the store failed" if isinstance(error, Conflict) else "the record is damaged"


def on_unreadable(_: Request[Any, Any, Any], __: Exception) -> Response[Problem]:
    """A body that nests too deeply to be meant, or is no text."""
    return _response(Problem("malformed", "the body does not read: expected JSON"), HTTP_400_BAD_REQUEST)


def on_http(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """A request that does not fit any route, or what its route expects; a person is told so on a page."""
    status = error.status_code
    if status == HTTP_404_NOT_FOUND and is_of_a_person(request):
        return nothing_here(request)
    code = _CODES.get(status, "malformed" if status < HTTP_500_INTERNAL_SERVER_ERROR else "failed")
    return _response(Problem(code, one_line(_said(error))), status, error.headers)


def on_fault(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """A fault of ours: it is logged in full, and told in one line."""
    structlog.get_logger("punto.http").error("a request failed", route=route_of(request), exc_info=error)
    return _response(Problem("failed", "the floor failed at this: it is logged"), 500)


def one_line(text: str) -> str:
    """A text on one line, whatever is in it."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _response(problem: Problem, status: int, headers: dict[str, str] | None = None) -> Response[Problem]:
    return Response(problem, status_code=status, headers=headers, media_type="application/json")


def _said(error: HTTPException) -> str:
    """What the library found, each with the name of what it was found in; its own words may repeat the address."""
    details = [each for each in error.extra or () if isinstance(each, dict)]
    if any(each.get("message") == "'data'" for each in details):  # as it says that there is no body
        return "the body is missing: expected JSON"
    found = [": ".join(_named(each[key]) for key in ("key", "message") if each.get(key)) for each in details]
    return "; ".join(found) or error.detail


def _named(word: object) -> str:
    """A parameter as the address has it, where Python needs another name; anything else as it is."""
    return "from" if word == "since" else str(word)
