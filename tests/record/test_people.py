"""The streams of identity in an audit: chained, signed over, and readable to the letter."""

import asyncio
from itertools import chain
from pathlib import Path
from typing import Any, get_args

import msgspec
import pyotp
import pytest
from tests.record.forgery import Forgery
from tests.record.play import KEYS
from tests.server.identity.authenticator import Authenticator
from tests.server.identity.lobby import CHEAP, OTHER_PASSWORD, PASSWORD, Clock, configured

from punto.floor import Floor
from punto.floor.personal import KeptKind
from punto.record import Code, audit
from punto.record.checks import people
from punto.rules import Position
from punto.server.identity import Identity, Session
from punto.server.identity import events as on
from punto.server.identity.exclusions import Listed
from punto.server.identity.passkeys import Made, Signed
from punto.server.identity.passwords import Passwords
from punto.server.identity.wayback import make_way_back
from punto.server.writer import Writer
from punto.store import MemoryStore
from punto.table import Actor

STAFF, SESSIONS, TERMINALS = "identity/staff", "identity/sessions", "identity/terminals"
Shape = type[msgspec.Struct]


def fields(shape: Shape) -> set[tuple[str, bool]]:
    return {(field.name, field.required) for field in msgspec.structs.fields(shape)}


@pytest.mark.parametrize("union", ["OfStaff", "OfSessions", "OfTerminals", "OfHouse", "OfPersons"])
def test_every_event_is_known_and_of_the_same_shape(union: str) -> None:
    theirs, ours = (
        {shape.__struct_config__.tag: shape for shape in get_args(getattr(module, union))} for module in (on, people)
    )
    assert theirs.keys() == ours.keys()
    for tag, shape in theirs.items():
        assert fields(ours[tag]) == fields(shape), tag


@pytest.fixture
def store(tmp_path: Path) -> Forgery:
    """A store with something of every kind in the streams of identity."""
    store = MemoryStore()
    asyncio.run(_live(store, tmp_path))
    return Forgery(store)


async def _live(store: MemoryStore, folder: Path) -> None:
    clock = Clock()
    writer = Writer(Floor(store, KEYS), lambda _: None)
    identity = Identity(writer, configured(folder), clock, passwords=Passwords(CHEAP))
    await identity.begin()
    await identity.first_account("greta", PASSWORD)
    greta, _ = await identity.sign_in("greta", PASSWORD)
    accounts, devices = identity.accounts, identity.devices
    for name in ("dan", "eve"):
        await accounts.open(greta, name, Position.DEALER, OTHER_PASSWORD)
    await accounts.move(greta, "eve", Position.PIT_SUPERVISOR)
    await accounts.let_act(greta, "dan", Position.PIT_MANAGER, 60_000)
    await accounts.end_acting(greta, "dan")
    for _ in range(5):
        with pytest.raises(Exception, match="do not belong together"):
            await identity.sign_in("dan", "wrong")
    await identity.sweep()
    await accounts.unlock(greta, "dan")
    dan, _ = await identity.sign_in("dan", OTHER_PASSWORD)
    await identity.change_password(dan, OTHER_PASSWORD, PASSWORD)
    # An older Punto wrote so who approved on another's page.
    approval = on.ApprovalGiven("dan", "correction-1")
    await identity._register.write(Actor("dan", Position.DEALER), lambda *_: [approval])  # noqa: SLF001
    await identity.house.register_patron(greta, "ann")
    await identity.exclusions.exclude(greta, "zoe", 0, "rude")
    await identity.exclusions.lift(greta, "zoe", "an apology")
    await identity.exclusions.take_over("Marina", [Listed("Lin Wee", clock(), 0, "asked for it")])
    await identity.exclusions.take_over("Marina", [])
    await accounts.close(greta, "eve")
    await identity.personal.note(greta, "ann", KeptKind.NOTE, "asks for table 3")
    await identity.personal.erase(greta, "ann", "asked for it at the desk")
    offered = await devices.offer(greta, 7, "")
    token = await identity.enrol(offered.code)
    await devices.rename(greta, "terminal-7", "by the door")
    clock.go(20)
    identity.patron({"headers": [(b"cookie", f"punto_terminal={token}".encode())]})
    identity.active(identity.papers({"headers": []})._replace(session=dan.id))
    clock.go(0.1)
    await identity.stop()
    identity = Identity(writer, configured(folder), clock, passwords=Passwords(CHEAP))
    await identity.begin()
    greta, _ = await identity.sign_in("greta", PASSWORD)
    await _lose_and_find(identity, writer, (await identity.sign_in("dan", PASSWORD)).session, clock)
    await identity.accounts.reset_factors(greta, "dan")
    dan, _ = await identity.sign_in("dan", OTHER_PASSWORD)
    await identity.revoke(greta, dan.id)
    await identity.devices.revoke(greta, "terminal-7")
    await identity.stop()
    writer.close()


async def _lose_and_find(identity: Identity, writer: Writer, dan: Session, clock: Clock) -> None:
    """Somebody adds and removes what there is besides a password, loses it, and comes in from the machine."""
    factors, device = identity.factors, Authenticator()
    await factors.add_passkey(dan, Made(**device.made(factors.asked(dan).challenge)), "phone", device.page)
    await identity.prove_with(dan, Signed(**device.signed(factors.challenge_of(dan))), device.page)
    secret = factors.offer(dan).secret
    await factors.set_codes(dan, secret, pyotp.TOTP(secret).at(clock.at_ms // 1000))
    await factors.remove_codes(dan)
    signed = Signed(**device.signed(factors.challenge()))
    dan, _ = await identity.sign_in_with(signed, device.page, browser="a token")
    other = Authenticator()
    await factors.add_passkey(dan, Made(**other.made(factors.asked(dan).challenge)), "", other.page)
    await factors.remove_passkey(dan, device.id)
    way_back = await writer.call(make_way_back, writer.floor, "dan", "ann", "a phone", clock())
    await identity.sweep()
    await identity.come_back("dan", way_back.code, OTHER_PASSWORD)


OLD = {on.AccountLocked}  # no floor writes it any more
AT_TABLES = {on.CashReportFiled}  # of cash, which moves at tables only: tests/server/test_cash_reports.py


def test_a_record_with_everything_in_it_is_clean(store: Forgery) -> None:
    written = {type(on.read(entry.body).event) for stream in on.STREAMS for entry in store.read(stream)}
    known = set(chain(*map(get_args, (on.OfStaff, on.OfSessions, on.OfTerminals, on.OfHouse, on.OfPersons))))
    assert written == known - OLD - AT_TABLES
    report = audit(store, public_key=KEYS.public)
    assert report.clean, report.findings[0]


def found(store: Forgery) -> list[tuple[Code, str]]:
    return [(finding.code, finding.stream) for finding in audit(store, public_key=KEYS.public).findings]


@pytest.mark.parametrize("stream", on.STREAMS)
def test_an_entry_that_was_rewritten_is_found(store: Forgery, stream: str) -> None:
    store.edit(stream, 1, lambda body: body.update(at_ms=1))
    assert (Code.BROKEN_CHAIN, stream) in found(store)
    store.chain()
    assert (Code.NOT_AS_SIGNED, stream) in found(store)


@pytest.mark.parametrize("stream", on.STREAMS)
def test_a_stream_that_was_cut_off_or_taken_away_is_found(store: Forgery, stream: str) -> None:
    store.cut(stream, 1)
    assert (Code.CUT_OFF, stream) in found(store)
    store.drop(stream)
    assert (Code.CUT_OFF, stream) in found(store)


@pytest.mark.parametrize(
    ("stream", "kind", "change"),
    [
        (STAFF, "account-opened", {"password": "correct horse"}),
        (STAFF, "account-opened", {"position": "emperor"}),
        (STAFF, "account-opened", {"surname": "x"}),
        (STAFF, "position-changed", {"type": "session-ended"}),
        (SESSIONS, "session-began", {"token": "a token as it is"}),
        (SESSIONS, "session-began", {"until_ms": "tomorrow"}),
        (TERMINALS, "terminal-offered", {"code": "AAAA-BBBB-CCCC"}),
        (TERMINALS, "terminal-enrolled", {"token": ""}),
    ],
)
def test_an_entry_that_the_floor_never_writes_does_not_read(
    store: Forgery, stream: str, kind: str, change: dict[str, Any]
) -> None:
    store.edit(stream, store.version_of(stream, kind), lambda body: body["event"].update(change))
    store.chain().sign(KEYS)
    assert found(store)[0] == (Code.UNREADABLE, stream)


def test_a_stream_of_identity_of_another_name_is_strange(store: Forgery) -> None:
    store.entries["identity/visitors"] = [entry._replace(stream="identity/visitors") for entry in store.read(STAFF)]
    assert (Code.STRANGE_STREAM, "identity/visitors") in found(store)
