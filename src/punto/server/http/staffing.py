"""Staffing: accounts and positions, open sessions, terminals and shoes. Who may do what, identity judges."""

from typing import Annotated, Any

from litestar import Router, delete, get, post, put
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Meta, Struct

from punto.floor.personal import KeptKind
from punto.rules import Position
from punto.server.http.asking import Ask, Asking, server_of
from punto.server.http.doors import NOT_KEPT, Name, Secret
from punto.server.http.problems import documented
from punto.server.identity import Account, Session, Terminal
from punto.server.identity.events import Kind
from punto.server.identity.identity import Identity
from punto.server.identity.personal import LONGEST_FULL_NAME
from punto.table import Actor

_ASKED = (401, 403)
_DONE = (400, 401, 403, 404, 409, 413, 503)
Label = Annotated[str, Meta(max_length=64)]


class Member(Struct, frozen=True):
    """A member of staff; *acting* is the position that another lent, until a time, and empty without one.

    Without an *own_device*, on which they have enrolled, they stand with nobody for an act of two people.

    *refused* is how often since the floor was opened the position did not carry what this person asked for. *full_name*
    is told where all of the staff are listed.
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
    full_name: str = ""


class NewMember(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody for the staff, with a password to be changed at once.

    The *name* stays on record for ever; a *full_name* lies beside it, and can be erased.
    """

    name: Name
    position: Position
    password: Secret
    full_name: Annotated[str, Meta(max_length=LONGEST_FULL_NAME)] = ""


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
    """A terminal that waits for its device, until a time; the code is told once.

    One with credits has no code before a second person has confirmed it: *waits* is the digest of the proposal.
    """

    name: str
    code: str
    until_ms: int
    waits: str = ""


class ProposedTerminal(Struct, frozen=True):
    """A terminal with credits that is to be another device, who proposed it, and who is not independent of them.

    *enrolling* names those who stand with nobody yet: they have not enrolled on a device of their own; *came_back*
    those who stand with nobody for a while: they came in by a code from the machine.
    """

    digest: str
    name: str
    label: str
    by: str
    until_ms: int
    not_by: tuple[str, ...]
    enrolling: tuple[str, ...]
    came_back: tuple[str, ...]


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


@get("/api/staff", responses=documented(*_ASKED))
async def staff(request: Ask) -> list[Member]:
    """Everybody on the staff (pit supervisors and above)."""
    accounts = _identity(request).accounts.listed(_actor(request))
    full_names = await _identity(request).personal.full_names(account.name for account in accounts)
    return [_member(request, account, full_names.get(account.name, "")) for account in accounts]


@post("/api/staff", responses=documented(*_DONE, 429))
async def open_account(request: Ask, data: JSONBody[NewMember]) -> Member:
    """Put somebody on the staff (gaming shift managers)."""
    accounts, by = _identity(request).accounts, _session(request)
    member = await accounts.open(by, data.name, data.position, data.password)
    if data.full_name:
        await _identity(request).personal.note(by, member.name, KeptKind.FULL_NAME, data.full_name)
    return _member(request, member, data.full_name)


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


@get("/api/sessions", responses=documented(*_ASKED))
async def sessions(request: Ask) -> list[OpenSession]:
    """The open sessions: one's own, and for pit managers and above everybody's."""
    identity, asking = _identity(request), _session(request)
    there = identity.sessions(asking)
    addresses = await identity.addresses(there)
    return [_open(identity, each, asking, addresses[each.id]) for each in there]


@delete("/api/sessions/{session:str}", responses=documented(*_DONE))
async def end_session(request: Ask, session: FromPath[str]) -> None:
    """End a session at once (one's own; pit managers and above: of whoever does not rank higher)."""
    await _identity(request).revoke(_session(request), session)


# Terminals


@get("/api/terminals", responses=documented(400, *_ASKED))
async def terminals(request: Ask, *, guests: FromQuery[bool] = False) -> list[Device]:
    """The terminals and shoes that are enrolled, with guests' own where asked for (pit supervisors and above)."""
    devices = _identity(request).devices
    there = devices.listed(_actor(request), guests=guests)
    labels = await devices.labels(there)
    return [_device(each, labels[each.name]) for each in there]


@post("/api/terminals", responses=documented(*_DONE))
async def offer_terminal(request: Ask, data: JSONBody[NewTerminal]) -> Waiting:
    """A code with which a device becomes a terminal, once, within ten minutes (pit supervisors and above)."""
    return Waiting(*await _identity(request).devices.offer(_session(request), data.number, data.label))


@get("/api/terminals/proposed", sync_to_thread=False, responses=documented(*_ASKED))
def proposed_terminals(request: Ask) -> list[ProposedTerminal]:
    """The terminals with credits that wait for a second person (pit supervisors and above)."""
    identity = _identity(request)
    hall = server_of(request).hall
    enrolling, came_back = hall.not_on_own_device(), hall.have_come_back()
    return [
        ProposedTerminal(
            each.digest,
            each.name,
            each.label,
            each.by.name,
            each.until_ms,
            hall.not_independent_of(each.by.name),
            enrolling,
            came_back,
        )
        for each in identity.devices.proposed(_actor(request))
    ]


@post("/api/terminals/proposed/{digest:str}", status_code=200, responses=documented(*_DONE))
async def confirm_terminal(request: Ask, digest: FromPath[str]) -> Waiting:
    """Confirm, as the second person, that a terminal with credits becomes another device: the code for it."""
    return Waiting(*await _identity(request).devices.confirm(_session(request), digest))


@delete("/api/terminals/proposed/{digest:str}", responses=documented(*_DONE))
async def withdraw_terminal(request: Ask, digest: FromPath[str]) -> None:
    """Withdraw or turn down that a terminal with credits becomes another device (pit supervisors and above)."""
    _identity(request).devices.withdraw(_actor(request), digest)


@put("/api/terminals/{name:str}", responses=documented(*_DONE))
async def rename_terminal(request: Ask, name: FromPath[str], data: JSONBody[Named]) -> Device:
    """Call a terminal otherwise; its credits stay (pit supervisors and above)."""
    return _device(await _identity(request).devices.rename(_session(request), name, data.label), data.label)


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
    proposed_terminals,
    confirm_terminal,
    withdraw_terminal,
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


def _member(request: Ask, account: Account, full_name: str = "") -> Member:
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
        server_of(request).hall.trespasses.of(account.name),
        full_name,
    )


def _open(identity: Identity, session: Session, asking: Session, address: str) -> OpenSession:
    actor = identity.acts_as(session)
    return OpenSession(
        session.id,
        session.name,
        actor.position.value if actor else "",
        address,
        session.began_ms,
        session.seen_ms,
        session.until_ms,
        own=session.id == asking.id,
    )


def _device(terminal: Terminal, label: str) -> Device:
    return Device(terminal.name, terminal.kind, label, terminal.table, terminal.enrolled_ms, terminal.seen_ms)
