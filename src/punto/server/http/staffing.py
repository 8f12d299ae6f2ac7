"""Staffing: accounts and positions, open sessions, terminals and shoes. Who may do what, identity judges."""

from typing import Annotated, Any

from litestar import Router, delete, get, post, put
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Meta, Struct

from punto.rules import Position
from punto.server.http.asking import Ask, Asking, server_of
from punto.server.http.doors import NOT_KEPT, Name, Secret
from punto.server.http.problems import documented
from punto.server.identity import Account, Session, Terminal
from punto.server.identity.events import Kind
from punto.server.identity.identity import Identity
from punto.table import Actor

_ASKED = (401, 403)
_DONE = (400, 401, 403, 404, 409, 413, 503)
Label = Annotated[str, Meta(max_length=64)]


class Member(Struct, frozen=True):
    """A member of staff; *acting* is the position that another lent, until a time, and empty without one.

    Without an *own_device*, on which they have enrolled, they stand with nobody for an act of two people.

    *refused* is how often since the floor was opened the position did not carry what this person asked for.
    """

    name: str
    position: Position
    acting: str
    acting_until_ms: int
    locked_until_ms: int
    must_change: bool
    passkeys: int
    codes: bool
    own_device: bool
    refused: int


class NewMember(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody for the staff, with a password to be changed at once."""

    name: Name
    position: Position
    password: Secret


class Held(Struct, frozen=True, forbid_unknown_fields=True):
    """A position."""

    position: Position


class Lent(Struct, frozen=True, forbid_unknown_fields=True):
    """A position for a while."""

    position: Position
    minutes: Annotated[int, Meta(ge=1, le=1440)]


class SetPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """A password to be changed at once."""

    password: Secret


class OpenSession(Struct, frozen=True):
    """A member of staff who is signed in, and from where; *own* is the session that asks."""

    id: str
    name: str
    position: str
    address: str
    began_ms: int
    seen_ms: int
    until_ms: int
    own: bool


class Device(Struct, frozen=True):
    """A terminal, a guest's terminal, or a shoe of one table."""

    name: str
    kind: Kind
    label: str
    table: str
    enrolled_ms: int
    seen_ms: int


class NewTerminal(Struct, frozen=True, forbid_unknown_fields=True):
    """A terminal by its number; one that is enrolled already is replaced."""

    number: Annotated[int, Meta(ge=1, le=9999)]
    label: Label = ""


class Waiting(Struct, frozen=True):
    """A terminal that waits for its device, until a time; the code is told once."""

    name: str
    code: str
    until_ms: int


class NewShoe(Struct, frozen=True, forbid_unknown_fields=True):
    """A shoe that reads the cards of a table."""

    table: Annotated[str, Meta(max_length=64)]
    label: Label = ""


class ShoeToken(Struct, frozen=True):
    """A shoe's bearer token, which is told once."""

    name: str
    table: str
    token: str


class Named(Struct, frozen=True, forbid_unknown_fields=True):
    """What a terminal is called."""

    label: Label


# Accounts


@get("/api/staff", sync_to_thread=False, responses=documented(*_ASKED))
def staff(request: Ask) -> list[Member]:
    """Everybody on the staff (pit supervisors and above)."""
    return [_member(request, account) for account in _identity(request).accounts.listed(_actor(request))]


@post("/api/staff", responses=documented(*_DONE, 429))
async def open_account(request: Ask, data: JSONBody[NewMember]) -> Member:
    """Put somebody on the staff (gaming shift managers)."""
    accounts = _identity(request).accounts
    return _member(request, await accounts.open(_session(request), data.name, data.position, data.password))


@delete("/api/staff/{name:str}", responses=documented(*_DONE))
async def close_account(request: Ask, name: FromPath[str]) -> None:
    """Take somebody off the staff; all of their sessions end (gaming shift managers)."""
    await _identity(request).accounts.close(_session(request), name)


@put("/api/staff/{name:str}/position", responses=documented(*_DONE))
async def move(request: Ask, name: FromPath[str], data: JSONBody[Held]) -> Member:
    """Give somebody another position (gaming shift managers; nobody for themselves)."""
    return _member(request, await _identity(request).accounts.move(_session(request), name, data.position))


@put("/api/staff/{name:str}/password", status_code=204, responses=documented(*_DONE, 429))
async def set_password(request: Ask, name: FromPath[str], data: JSONBody[SetPassword]) -> None:
    """Give somebody a new password, to be changed at once; their sessions end (gaming shift managers)."""
    await _identity(request).accounts.set_password(_session(request), name, data.password)


@put("/api/staff/{name:str}/acting", responses=documented(*_DONE))
async def let_act(request: Ask, name: FromPath[str], data: JSONBody[Lent]) -> Member:
    """Let somebody act in a higher position for a while (assistant casino managers: below their own)."""
    accounts = _identity(request).accounts
    return _member(request, await accounts.let_act(_session(request), name, data.position, data.minutes * 60_000))


@delete("/api/staff/{name:str}/acting", status_code=200, responses=documented(*_DONE))
async def end_acting(request: Ask, name: FromPath[str]) -> Member:
    """Somebody acts in no other position any more (who may grant it, and everybody for themselves)."""
    return _member(request, await _identity(request).accounts.end_acting(_session(request), name))


@post("/api/staff/{name:str}/unlock", status_code=204, responses=documented(*_DONE))
async def unlock(request: Ask, name: FromPath[str]) -> None:
    """Have somebody wait no longer after wrong passwords (pit managers and above)."""
    await _identity(request).accounts.unlock(_session(request), name)


@delete("/api/staff/{name:str}/factors", responses=documented(*_DONE))
async def reset_factors(request: Ask, name: FromPath[str]) -> None:
    """Remove the passkeys and one-time codes of somebody who has lost them (gaming shift managers)."""
    await _identity(request).accounts.reset_factors(_session(request), name)


# Sessions


@get("/api/sessions", sync_to_thread=False, responses=documented(*_ASKED))
def sessions(request: Ask) -> list[OpenSession]:
    """The open sessions: one's own, and for pit managers and above everybody's."""
    identity, asking = _identity(request), _session(request)
    return [_open(identity, each, asking) for each in identity.sessions(asking)]


@delete("/api/sessions/{session:str}", responses=documented(*_DONE))
async def end_session(request: Ask, session: FromPath[str]) -> None:
    """End a session at once (one's own; pit managers and above: of whoever does not rank higher)."""
    await _identity(request).revoke(_session(request), session)


# Terminals


@get("/api/terminals", sync_to_thread=False, responses=documented(400, *_ASKED))
def terminals(request: Ask, *, guests: FromQuery[bool] = False) -> list[Device]:
    """The terminals and shoes that are enrolled, with guests' own where asked for (pit supervisors and above)."""
    return [_device(each) for each in _identity(request).devices.listed(_actor(request), guests=guests)]


@post("/api/terminals", responses=documented(*_DONE))
async def offer_terminal(request: Ask, data: JSONBody[NewTerminal]) -> Waiting:
    """A code with which a device becomes a terminal, once, within ten minutes (pit supervisors and above)."""
    return Waiting(*await _identity(request).devices.offer(_session(request), data.number, data.label))


@put("/api/terminals/{name:str}", responses=documented(*_DONE))
async def rename_terminal(request: Ask, name: FromPath[str], data: JSONBody[Named]) -> Device:
    """Call a terminal otherwise; its credits stay (pit supervisors and above)."""
    return _device(await _identity(request).devices.rename(_session(request), name, data.label))


@delete("/api/terminals/{name:str}", responses=documented(*_DONE))
async def revoke_terminal(request: Ask, name: FromPath[str]) -> None:
    """Know a terminal or a shoe no longer, at once (pit supervisors and above)."""
    await _identity(request).devices.revoke(_session(request), name)


@post("/api/shoes", responses=documented(*_DONE))
async def enrol_shoe(request: Ask, data: JSONBody[NewShoe]) -> ShoeToken:
    """A bearer token for the shoe of one table; the one before is worth nothing (pit supervisors and above)."""
    name, token = await _identity(request).devices.enrol_shoe(_session(request), data.table, data.label)
    return ShoeToken(name, data.table, token)


def _signed_in(connection: Asking, _: BaseRouteHandler) -> None:
    """Refuse, before the body is read, whoever is not signed in, or must change a password first."""
    server_of(connection).identity.signed_in(connection.scope)


_HANDLERS: list[Any] = [
    staff,
    open_account,
    close_account,
    move,
    set_password,
    let_act,
    end_acting,
    unlock,
    reset_factors,
    sessions,
    end_session,
    terminals,
    offer_terminal,
    rename_terminal,
    revoke_terminal,
    enrol_shoe,
]
ROUTES: list[Any] = [Router("/", route_handlers=_HANDLERS, cache_control=NOT_KEPT, guards=[_signed_in])]


def _identity(request: Ask) -> Identity:
    return server_of(request).identity


def _session(request: Ask) -> Session:
    return _identity(request).signed_in(request.scope)


def _actor(request: Ask) -> Actor:
    actor = _identity(request).acts_as(_session(request))
    assert actor is not None
    return actor


def _member(request: Ask, account: Account) -> Member:
    return Member(
        account.name,
        account.position,
        account.acting.value if account.acting else "",
        account.acting_until_ms,
        account.locked_until_ms,
        account.temporary,
        len(account.passkeys),
        bool(account.secret),
        account.name not in _identity(request).house.not_on_own_device(),
        server_of(request).office.metrics.refused[account.name],
    )


def _open(identity: Identity, session: Session, asking: Session) -> OpenSession:
    actor = identity.acts_as(session)
    return OpenSession(
        session.id,
        session.name,
        actor.position.value if actor else "",
        session.address,
        session.began_ms,
        session.seen_ms,
        session.until_ms,
        own=session.id == asking.id,
    )


def _device(terminal: Terminal) -> Device:
    return Device(terminal.name, terminal.kind, terminal.label, terminal.table, terminal.enrolled_ms, terminal.seen_ms)
