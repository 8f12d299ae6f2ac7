"""One's own passkeys and one-time codes, and showing again who one is."""

from typing import Annotated, Any

from litestar import Router, delete, get, post, put
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from punto.errors import NotSignedIn
from punto.server.http.asking import Ask, Asking, server_of
from punto.server.http.doors import NOT_KEPT, Challenge, OneTimeCode, Secret, identity_of, page_of
from punto.server.http.problems import documented
from punto.server.identity import Session
from punto.server.identity.factors import listed
from punto.server.identity.passkeys import Made, Signed, host_of

_DONE = (400, 401, 403, 409, 413, 429, 503)
Label = Annotated[str, Meta(max_length=64)]


class OwnPasskey(Struct, frozen=True):
    """A passkey of one's own, and when it was added."""

    id: str
    label: str
    host: str
    added_ms: int


class Own(Struct, frozen=True):
    """What lets one in besides the password: passkeys, the oldest first, and whether there are one-time codes."""

    passkeys: tuple[OwnPasskey, ...]
    codes: bool
    browsers: int


class ToBeMade(Struct, frozen=True):
    """What a browser needs to make a passkey: a challenge, the host, whose it will be, and which are there already."""

    challenge: str
    host: str
    floor: str
    name: str
    user: str
    there: tuple[str, ...]


class NewPasskey(Struct, frozen=True, forbid_unknown_fields=True):
    """A passkey that a browser has made, and what it is called."""

    made: Made
    label: Label = ""


class OfferedCodes(Struct, frozen=True):
    """A secret for an app, told once, and the same as an address that the app reads from a QR code."""

    secret: str
    address: str


class NewCodes(Struct, frozen=True, forbid_unknown_fields=True):
    """The secret that an app was given, and a code that it has made of it."""

    secret: Annotated[str, Meta(max_length=64)]
    code: OneTimeCode


class Shown(Struct, frozen=True, forbid_unknown_fields=True):
    """A one-time code, or the password of somebody who has neither passkey nor codes."""

    code: OneTimeCode = ""
    password: Secret = ""


@get("/api/factors", responses=documented(401))
async def own_factors(request: Ask) -> Own:
    """One's own passkeys and codes."""
    account = identity_of(request).account_of(_session(request))
    if account is None:
        return Own((), codes=False, browsers=0)
    labels = await identity_of(request).factors.labels(account)
    passkeys = tuple(OwnPasskey(each.id, labels[each.id], each.rp, each.added_ms) for each in listed(account))
    return Own(passkeys, bool(account.secret), len(account.browsers))


@post("/api/factors/passkeys/challenge", status_code=200, sync_to_thread=False, responses=documented(401, 403))
def passkey_to_be_made(request: Ask) -> ToBeMade:
    """What a browser needs to make a passkey."""
    asked = identity_of(request).factors.asked(_session(request))
    host, floor = host_of(page_of(request)), server_of(request).config.name
    return ToBeMade(asked.challenge, host, floor, asked.name, asked.user, asked.there)


@post("/api/factors/passkeys", status_code=204, responses=documented(*_DONE))
async def add_passkey(request: Ask, data: JSONBody[NewPasskey]) -> None:
    """Add a passkey; all other sessions end."""
    await identity_of(request).factors.add_passkey(_session(request), data.made, data.label, page_of(request))


@delete("/api/factors/passkeys/{passkey:str}", responses=documented(*_DONE))
async def remove_passkey(request: Ask, passkey: FromPath[str]) -> None:
    """Let nobody in with a passkey any more."""
    await identity_of(request).factors.remove_passkey(_session(request), passkey)


@post("/api/factors/codes/secret", status_code=200, sync_to_thread=False, responses=documented(401, 403))
def codes_to_be_set(request: Ask) -> OfferedCodes:
    """A secret for an app; it counts once a code has come back."""
    return OfferedCodes(*identity_of(request).factors.offer(_session(request)))


@put("/api/factors/codes", status_code=204, responses=documented(*_DONE))
async def set_codes(request: Ask, data: JSONBody[NewCodes]) -> None:
    """Have an app's codes let one in; all other sessions end."""
    await identity_of(request).factors.set_codes(_session(request), data.secret, data.code)


@delete("/api/factors/codes", responses=documented(*_DONE))
async def remove_codes(request: Ask) -> None:
    """Have the app's codes let nobody in any more."""
    await identity_of(request).factors.remove_codes(_session(request))


@post("/api/prove/challenge", status_code=200, sync_to_thread=False, responses=documented(401, 403))
def prove_challenge(request: Ask) -> Challenge:
    """A challenge for whoever is signed in, and shows again with a passkey who it is."""
    challenge = identity_of(request).factors.challenge_of(_session(request))
    return Challenge(challenge, host_of(page_of(request)))


@post("/api/prove/passkey", status_code=204, responses=documented(*_DONE))
async def prove_with_passkey(request: Ask, data: JSONBody[Signed]) -> None:
    """Show again who one is, with a passkey."""
    await identity_of(request).prove_with(_session(request), data, page_of(request))


@post("/api/prove", status_code=204, responses=documented(*_DONE))
async def prove(request: Ask, data: JSONBody[Shown]) -> None:
    """Show again who one is: by a one-time code, or by the password where there is nothing else."""
    await identity_of(request).prove(_session(request), data.code, data.password)


def _signed_in(connection: Asking, _: BaseRouteHandler) -> None:
    """Refuse, before the body is read, whoever is not signed in."""
    if server_of(connection).identity.session(connection.scope) is None:
        raise NotSignedIn("sign in first")


def _session(request: Ask) -> Session:
    session = identity_of(request).session(request.scope)
    if session is None:
        raise NotSignedIn("sign in first")
    return session


_HANDLERS: list[Any] = [
    own_factors,
    passkey_to_be_made,
    add_passkey,
    remove_passkey,
    codes_to_be_set,
    set_codes,
    remove_codes,
    prove_challenge,
    prove_with_passkey,
    prove,
]
ROUTES: list[Any] = [Router("/", route_handlers=_HANDLERS, cache_control=NOT_KEPT, guards=[_signed_in])]
