"""The doors: how staff sign in, how a terminal becomes one, how a guest gets one, and who one is here."""

from typing import Annotated, Any

from litestar import Response, Router, get, post
from litestar.datastructures import CacheControlHeader, Cookie
from litestar.exceptions import NotFoundException
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect
from msgspec import Meta, Struct

from punto.errors import Malformed, NotAllowed, NotSignedIn
from punto.rules import Position
from punto.server.http.asking import Ask, Asking, server_of
from punto.server.http.origin import NOT_OURS
from punto.server.http.problems import NOTHING, documented
from punto.server.identity import Session
from punto.server.identity.identity import LIFE_MS, Besides, Identity, SignedIn
from punto.server.identity.passkeys import Signed, host_of
from punto.server.identity.requests import cookie, header
from punto.server.wire import schema
from punto.table.actor import LONGEST_NAME

# As long as a browser keeps anything.
_KEPT_S = 400 * 86_400
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
Secret = Annotated[str, Meta(max_length=200)]
OneTimeCode = Annotated[str, Meta(max_length=20)]


class Guest(Struct, frozen=True):
    """The terminal that somebody plays on."""

    patron: str


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """A name and its password, and the one-time code of whoever has one."""

    name: Name
    password: Secret
    code: OneTimeCode = ""


class WayBack(Struct, frozen=True, forbid_unknown_fields=True):
    """A code that was made on the machine itself for somebody who has lost what lets them in, and a new password."""

    name: Name
    code: Annotated[str, Meta(max_length=40)]
    password: Secret


class Challenge(Struct, frozen=True):
    """What a passkey is to sign, in base64 for addresses, and the host for whose pages it was made."""

    challenge: str
    host: str


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """The password so far, and the one from now on."""

    old: Secret
    new: Secret


class EnrolmentCode(Struct, frozen=True, forbid_unknown_fields=True):
    """A code of enrolment, with or without hyphens."""

    code: Annotated[str, Meta(max_length=40)]


class Me(Struct, frozen=True):
    """Who one is here; empty where one is nobody.

    *position* is the one that one acts in, *acting* whether it is another's. One has no position until a password that
    somebody else has set is changed (*must_change*), and until one has a passkey or one-time codes where the floor asks
    for them (*must_enrol*); *second* says whether one has either, and *own_device* whether one has enrolled on a device
    of one's own, without which one stands with nobody for an act of two people. A session ends at *until_ms* at the
    latest, and when nothing is done for *idle_s* seconds (0: however long).
    """

    patron: str = ""
    label: str = ""
    staff: str = ""
    position: str = ""
    acting: bool = False
    must_change: bool = False
    must_enrol: bool = False
    second: bool = False
    own_device: bool = False
    session: str = ""
    until_ms: int = 0
    idle_s: float = 0


@get("/api/wire", sync_to_thread=False)
def wire() -> dict[str, Any]:
    """The JSON Schema of the live messages."""
    return schema()


@post("/api/sign-in", status_code=200, responses=documented(400, 401, 403, 409, 413, 429, 503))
async def sign_in(request: Ask, data: JSONBody[SignIn]) -> Response[Me]:
    """Sign in as staff; whether anybody has the name is never told.

    Whoever has a passkey or one-time codes is asked for one of them (`second-needed`) once the password is right.
    """
    identity, scope = identity_of(request), request.scope
    browser = identity.browser(scope)
    besides = Besides(data.code, browser)
    signed_in = await identity.sign_in(
        data.name, data.password, identity.address(scope), identity.session(scope), besides
    )
    return await _come_in(request, signed_in, browser)


@post("/api/sign-in/challenge", status_code=200, sync_to_thread=False, responses=documented(403))
def sign_in_challenge(request: Ask) -> Challenge:
    """A challenge for whoever signs in with a passkey; it names nobody's passkeys."""
    return Challenge(identity_of(request).factors.challenge(), host_of(page_of(request)))


@post("/api/sign-in/passkey", status_code=200, responses=documented(400, 401, 403, 409, 413, 429, 503))
async def sign_in_with_passkey(request: Ask, data: JSONBody[Signed]) -> Response[Me]:
    """Sign in with a passkey: without a name, a password or a code."""
    identity, scope = identity_of(request), request.scope
    browser = identity.browser(scope)
    address, before = identity.address(scope), identity.session(scope)
    signed_in = await identity.sign_in_with(data, page_of(request), address, before, browser=browser)
    return await _come_in(request, signed_in, browser)


@post("/api/sign-in/way-back", status_code=200, responses=documented(400, 401, 403, 409, 413, 429, 503))
async def come_back(request: Ask, data: JSONBody[WayBack]) -> Response[Me]:
    """Come in by a code that `punto recover` has made: passkeys, one-time codes and sessions of before are gone."""
    identity, scope = identity_of(request), request.scope
    browser = identity.browser(scope)
    signed_in = await identity.come_back(data.name, data.code, data.password, identity.address(scope), browser)
    return await _come_in(request, signed_in, browser)


async def _come_in(request: Ask, signed_in: SignedIn, browser: str) -> Response[Me]:
    """The answer to whoever has come in: the token of the session, and one for the browser to keep."""
    identity = identity_of(request)
    cookies = [
        _cookie(identity, identity.cookies.staff, signed_in.token, LIFE_MS // 1000),
        _cookie(identity, identity.cookies.browser, browser, _KEPT_S),
    ]
    return Response(await _me(request, signed_in.session), cookies=cookies)


@post("/api/sign-out", status_code=204, responses=documented(403, 409, 503) | NOTHING)
async def sign_out(request: Ask) -> Response[None]:
    """End the session of this browser, at once and on all of its pages."""
    identity = identity_of(request)
    session = identity.session(request.scope)
    if session is not None:
        await identity.sign_out(session)
    return Response(None, cookies=[_cookie(identity, identity.cookies.staff, "", 0)])


@get("/api/me")
async def me(request: Ask) -> Response[Me]:
    """Who one is here: the terminal, the member of staff, or nobody yet."""
    identity, scope = identity_of(request), request.scope
    token = cookie(scope, identity.cookies.terminal)
    known = identity.terminal(scope) is not None  # then the browser is to keep the token for as long again
    again = [_cookie(identity, identity.cookies.terminal, token, _KEPT_S)] if known else []
    return Response(await _me(request, identity.session(scope)), cookies=again)


def _signed_in(connection: Asking, _: BaseRouteHandler) -> None:
    """Refuse, before the body is read, whoever is not signed in."""
    if server_of(connection).identity.session(connection.scope) is None:
        raise NotSignedIn("sign in first")


@post("/api/password", status_code=204, guards=[_signed_in], responses=documented(400, 401, 403, 409, 413, 429, 503))
async def change_password(request: Ask, data: JSONBody[NewPassword]) -> None:
    """Change one's own password; all other sessions of the account end."""
    identity = identity_of(request)
    session = identity.session(request.scope)
    if session is None:
        raise NotSignedIn("sign in first")
    await identity.change_password(session, data.old, data.new)


@post("/api/guest", status_code=200, responses=documented(403, 409, 429, 503))
async def guest(request: Ask) -> Response[Guest]:
    """A terminal for a guest of a demonstration; who has a terminal keeps it, on a real floor too."""
    identity, scope = identity_of(request), request.scope
    known = identity.patron(scope)
    if known is not None:
        return Response(Guest(known.name))
    if not server_of(request).config.demonstration:
        raise NotAllowed("terminals of this floor are enrolled by staff")
    return _enrolled(identity, await identity.enrol_guest(identity.address(scope)))


@post("/api/enrol", status_code=200, responses=documented(400, 403, 409, 413, 429, 503))
async def enrol(request: Ask, data: JSONBody[EnrolmentCode]) -> Response[Guest]:
    """Make this device the terminal for which staff was given the code."""
    identity = identity_of(request)
    return _enrolled(identity, await identity.enrol(data.code, identity.address(request.scope)))


@get("/enter/{code:str}", include_in_schema=False)
async def enter(request: Ask, code: FromPath[str]) -> Redirect:
    """Come in as staff by a link that works once."""
    identity = identity_of(request)
    token = await identity.follow(code, identity.address(request.scope))
    if token is None:
        raise NotFoundException("this link has been used, or never was one")
    console = "/dealer" if identity.position_with(token) is Position.DEALER else "/pit"
    return Redirect(console, cookies=[_cookie(identity, identity.cookies.staff, token, LIFE_MS // 1000)])


# What is said here is of one person, and of one moment.
NOT_KEPT = CacheControlHeader(no_store=True)
ROUTES: list[Any] = [
    Router(
        "/",
        route_handlers=[
            wire,
            sign_in,
            sign_in_challenge,
            sign_in_with_passkey,
            come_back,
            sign_out,
            me,
            change_password,
            guest,
            enrol,
            enter,
        ],
        cache_control=NOT_KEPT,
    )
]


def identity_of(request: Ask) -> Identity:
    """All who are known to the floor that is asked."""
    return server_of(request).identity


def page_of(request: Ask) -> str:
    """The origin of the page that asks, which is one of the floor's own; passkeys are bound to it."""
    origin = header(request.scope, b"origin")
    if not origin:
        raise Malformed("a passkey is used by a page of the floor: expected its Origin")
    if not identity_of(request).is_ours(request.scope):
        raise NotAllowed(NOT_OURS)
    return origin


async def _me(request: Ask, session: Session | None) -> Me:
    identity = identity_of(request)
    terminal = identity.terminal(request.scope)
    patron, label = "", ""
    if terminal is not None:
        patron, label = terminal.name, (await identity.devices.labels([terminal]))[terminal.name]
    if session is None:
        return Me(patron, label)
    staff = identity.acts_as(session)
    account = identity.account_of(session)
    return Me(
        patron,
        label,
        session.name,
        staff.position.value if staff else "",
        acting=bool(staff and staff.acting),
        must_change=bool(account and account.temporary),
        must_enrol=identity.must_enrol(session),
        second=bool(account and account.has_second),
        own_device=identity.is_on_own_device(session),
        session=session.id,
        until_ms=session.until_ms,
        idle_s=server_of(request).config.idle_s if account else 0,
    )


def _enrolled(identity: Identity, token: str) -> Response[Guest]:
    return Response(
        Guest(identity.named(token)), cookies=[_cookie(identity, identity.cookies.terminal, token, _KEPT_S)]
    )


def _cookie(identity: Identity, name: str, value: str, max_age_s: int) -> Cookie:
    """A cookie that no script reads and no other site's page has sent along; without a value it is taken away."""
    secure = identity.cookies.secure
    return Cookie(key=name, value=value, httponly=True, samesite="strict", secure=secure, path="/", max_age=max_age_s)
