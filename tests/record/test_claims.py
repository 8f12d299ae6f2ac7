"""Claims in an audit: what an insider with the floor's key, or a faulty server, might sign, and the audit finds."""

import asyncio
import json
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any, Final, cast, get_args

import msgspec
import pytest
from tests.record.forgery import Forgery
from tests.record.play import KEYS
from tests.record.staffed import AT_TERMINAL, SESSIONS, SETUP, SEVEN, STAFF, T1, Staffed
from tests.server.identity.lobby import PASSWORD

from punto.floor import Keys
from punto.floor.warrants import Warrant
from punto.record import Code, audit
from punto.record.checks import claims as mirrored
from punto.rules import Position
from punto.server.claims import ClaimAbout, Claims, Raising
from punto.server.claims import events as on
from punto.server.claims.presence import patron_at
from punto.server.oldshoes import HOUSE
from punto.server.visitors import Visitors
from punto.store import Entry, MemoryStore, Store
from punto.table import Actor
from punto.table import commands as do

CLAIMS: Final = "claims"
Shape = type[msgspec.Struct]
Forge = Callable[[Forgery], object]
DAY_MIN: Final = 24 * 60


def fields(shape: Shape) -> set[tuple[str, bool]]:
    return {(field.name, field.required) for field in msgspec.structs.fields(shape)}


def test_every_event_is_known_and_of_the_same_shape() -> None:
    theirs, ours = (
        {shape.__struct_config__.tag: shape for shape in get_args(module.AnyEvent)} for module in (on, mirrored)
    )
    assert theirs.keys() == ours.keys()
    for tag, shape in theirs.items():
        assert fields(ours[tag]) == fields(shape), tag


class Disputed(Staffed):
    """A floor with claims, without a hall."""

    def __init__(self, store: Store, keys: Keys) -> None:
        super().__init__(store, keys)
        hall = SimpleNamespace(writer=self.writer, now_ms=self.clock, visitors=Visitors(), watchers=set(), tables={})
        self.claims = Claims(cast("Any", hall))
        self.claims.gate = self.identity.gate

    async def raises(self, round_: int) -> int:
        self.clock.go(1)
        at = patron_at(self.floor.history.believed, "T1", round_, SEVEN.name)
        raising = Raising("T1", round_, ClaimAbout.PAYMENT, "The Tie was not paid.", "")
        return (await self.claims.raise_claim(SEVEN, raising, at)).number

    async def answers(self, claim: int, correction: int = 0) -> None:
        session = self.sessions["sue"]
        event = on.ClaimAnswered(claim, upheld=bool(correction), reason="", correction=correction)
        await self.claims.answer(self.actor("sue"), session.id, claim, event, "The cards show no tie.")

    async def deal(self, patron: Actor | None) -> None:
        await self.do(do.OpenBets, "dan")
        if patron is not None:
            bet: dict[str, Any] = {"patron": patron.name, "wager": "Player", "stake_cents": 500, "position": 1}
            await self.do(do.PlaceWager, patron, AT_TERMINAL, **bet)
        await self.do(do.CloseBets, "dan")
        reading = Warrant(self.sessions["dan"].id, device="shoe-T1")
        suit = "shdc"[self.floor.table("T1").round % 4]
        for card in ("9", "8", "K", "Q"):
            await self.do(do.DrawCard, "dan", reading, id=f"reading-T1-{self.clock()}", card=card + suit)
        await self.do(do.Announce, "dan")
        await self.do(do.Settle, "dan")


async def live(store: Store, keys: Keys = KEYS) -> None:
    """Five rounds, and four claims: one rejected, one withdrawn, one upheld late, one open."""
    floor = Disputed(store, keys)
    identity = floor.identity
    await identity.begin()
    await identity.first_account("greta", PASSWORD)
    floor.sessions["greta"] = (await identity.sign_in("greta", PASSWORD)).session
    for name, position in (
        ("dan", Position.DEALER),
        ("sue", Position.PIT_SUPERVISOR),
        ("pam", Position.PIT_MANAGER),
    ):
        await floor.hire(name, position)
    greta = floor.sessions["greta"]
    await identity.enrol((await identity.devices.offer(greta, 7, "")).code)
    await identity.enrol((await identity.devices.offer(greta, 8, "")).code)
    await identity.devices.enrol_shoe(greta, "T1", "")
    await floor.do(do.OpenTable, HOUSE, setup=SETUP)
    await floor.do(do.LoadShoe, "dan")
    await floor.do(do.BuyIn, SEVEN, AT_TERMINAL, patron=SEVEN.name, cents=100_000, position=1)
    for patron in (SEVEN, None, None, None, SEVEN):
        await floor.deal(patron)
    await floor.answers(await floor.raises(1))
    second = await floor.raises(3)
    floor.clock.go(1)
    await floor.claims.withdraw(SEVEN, second)
    third = await floor.raises(5)
    await floor.do(
        do.CorrectCredits,
        "greta",
        Warrant(greta.id, floor.sessions["pam"].id),
        id="correction-1",
        patron=SEVEN.name,
        cents=500,
        reason="misread",
        approved_by=floor.actor("pam"),
    )
    floor.clock.go(DAY_MIN + 1)
    floor.sessions["sue"] = (await identity.sign_in("sue", PASSWORD)).session
    await floor.answers(third, floor.floor.version("T1"))
    await floor.raises(2)
    await identity.stop()
    floor.writer.close()


@cache
def _lived() -> MemoryStore:
    store = MemoryStore()
    asyncio.run(live(store))
    return store


def disputed() -> Forgery:
    return Forgery(_lived())


def test_a_record_with_claims_is_clean_and_late_answers_are_counted() -> None:
    report = audit(disputed(), public_key=KEYS.public)
    assert report.clean, report.findings[0]
    counts = report.counts
    assert (counts.claims, counts.claims_late, counts.claims_open) == (4, 1, 1)


def edited(type_: str, nth: int = 0, **change: Any) -> Forge:  # noqa: ANN401
    """Let an entry about a claim say something else."""

    def forge(store: Forgery) -> None:
        version = store.version_of(CLAIMS, type_, nth)
        told: dict[str, Any] = {name: value(store) if callable(value) else value for name, value in change.items()}
        outer: dict[str, Any] = {name: told.pop(name) for name in ("by", "session", "at_ms") if name in told}
        store.edit(CLAIMS, version, lambda body: (body.update(outer), body["event"].update(told)))

    return forge


def again(type_: str, nth: int = 0, **change: Any) -> Forge:  # noqa: ANN401
    """Have something happen to a claim a second time."""

    def forge(store: Forgery) -> None:
        version = store.version_of(CLAIMS, type_, nth)
        body = store.body(CLAIMS, version)
        body["event"] |= change
        store.insert(CLAIMS, version + 1, body)

    return forge


def session_of(name: str, nth: int = -1) -> Callable[[Forgery], str]:
    def of(store: Forgery) -> str:
        bodies = (store.body(SESSIONS, entry.version) for entry in store.entries[SESSIONS])
        return [str(each["event"]["session"]) for each in bodies if each["event"].get("name") == name][nth]

    return of


def opening(nth: int) -> Callable[[Forgery], int]:
    return lambda store: store.version_of(T1, "bets-opened", nth)


def raised_before_its_round(store: Forgery) -> None:
    at_ms = store.body(T1, opening(0)(store))["at_ms"] - 60_000
    edited("claim-raised", 0, at_ms=at_ms, due_ms=at_ms + 24 * HOUR_MS)(store)


def closed_before(store: Forgery) -> None:
    """Take whoever answers off the staff before the answer."""
    version = store.version_of(STAFF, "account-opened", 2)
    body = store.body(STAFF, version)
    assert body["event"]["name"] == "sue"
    body["event"] = {"type": "account-closed", "name": "sue"}
    store.insert(STAFF, len(store.entries[STAFF]) + 1, body)


DAN: Final = {"name": "dan", "position": "dealer"}
DAN_ABOVE: Final = {"name": "dan", "position": "pit-manager"}
PAM: Final = {"name": "pam", "position": "pit-manager"}
SUE: Final = {"name": "sue", "position": "pit-supervisor"}
EIGHT: Final = {"name": "terminal-8", "position": "patron"}
NINE: Final = {"name": "terminal-9", "position": "patron"}
HOUR_MS: Final = 3_600_000

FORGED: Final[dict[str, tuple[Forge, Code]]] = {
    # Answers
    "a dealer answers": (edited("claim-answered", by=DAN, session=session_of("dan")), Code.BAD_CLAIM),
    "whoever dealt answers": (edited("claim-answered", by=DAN_ABOVE, session=session_of("dan")), Code.BAD_CLAIM),
    "whoever dealt answers in a position that is not held": (
        edited("claim-answered", by=DAN_ABOVE, session=session_of("dan")),
        Code.WRONG_POSITION,
    ),
    "whoever approved the correction answers": (
        edited("claim-answered", 1, by=PAM, session=session_of("pam")),
        Code.BAD_CLAIM,
    ),
    "the patron answers": (edited("claim-answered", by={"name": "terminal-7", "position": "patron"}), Code.BAD_CLAIM),
    "somebody answers twice": (again("claim-answered", upheld=True), Code.BAD_CLAIM),
    "somebody answers what was withdrawn": (edited("claim-answered", 1, claim=2), Code.BAD_CLAIM),
    "somebody answers a claim that nobody raised": (edited("claim-answered", 1, claim=9), Code.BAD_CLAIM),
    "somebody answers in no session": (edited("claim-answered", session=""), Code.NO_SESSION),
    "somebody answers in the session of another": (
        edited("claim-answered", session=session_of("pam")),
        Code.NO_SESSION,
    ),
    "somebody answers in a session that is over": (
        edited("claim-answered", 1, session=session_of("sue", 0)),
        Code.NO_SESSION,
    ),
    "somebody answers who was taken off the staff": (closed_before, Code.UNKNOWN_PERSON),
    "nobody of that name answers": (
        edited("claim-answered", by={"name": "mallory", "position": "pit-manager"}),
        Code.UNKNOWN_PERSON,
    ),
    "an answer names a correction that is none": (
        edited("claim-answered", 1, correction=opening(0)),
        Code.BAD_CLAIM,
    ),
    "an answer names a correction that came after it": (
        lambda store: store.edit(
            CLAIMS,
            store.version_of(CLAIMS, "claim-answered"),
            lambda body: body["event"].update(correction=store.version_of(T1, "credits-corrected")),
        ),
        Code.BAD_CLAIM,
    ),
    "an answer has its reason in words": (edited("claim-answered", reason="no"), Code.UNREADABLE),
    # Claims
    "a stranger claims": (edited("claim-raised", by=EIGHT, patron="terminal-8"), Code.BAD_CLAIM),
    "no terminal of that name claims": (edited("claim-raised", by=NINE, patron="terminal-9"), Code.UNKNOWN_DEVICE),
    "a patron claims for another": (edited("claim-raised", by=EIGHT), Code.BAD_CLAIM),
    "staff claim for a patron": (edited("claim-raised", by=SUE, session=session_of("sue")), Code.BAD_CLAIM),
    "a claim is about a round that never was": (edited("claim-raised", 3, round=9), Code.BAD_CLAIM),
    "a claim is about a table that never was": (edited("claim-raised", 3, table="T9"), Code.BAD_CLAIM),
    "a claim is about another round than it names": (edited("claim-raised", 3, opened=opening(2)), Code.BAD_CLAIM),
    "a claim is about another shoe": (edited("claim-raised", 3, shoe=2), Code.BAD_CLAIM),
    "a claim rests on no wager": (edited("claim-raised", 3, wager=opening(0)), Code.BAD_CLAIM),
    "a claim rests on a wager of long before": (
        edited("claim-raised", 3, round=4, opened=opening(3)),
        Code.BAD_CLAIM,
    ),
    "a claim rests on a wager of a later round": (
        edited("claim-raised", 3, wager=lambda store: store.version_of(T1, "wager-placed", 1)),
        Code.BAD_CLAIM,
    ),
    "a claim comes before its round": (raised_before_its_round, Code.BAD_CLAIM),
    "a claim comes too late": (edited("claim-terms-set", within_ms=HOUR_MS // 60), Code.BAD_CLAIM),
    "a claim is due too late": (edited("claim-raised", 3, due_ms=1), Code.BAD_CLAIM),
    "a claim is raised twice": (again("claim-raised", claim=2), Code.BAD_CLAIM),
    "a claim is left out": (lambda store: store.remove(CLAIMS, 4), Code.BAD_CLAIM),
    "somebody withdraws the claim of another": (edited("claim-withdrawn", by=EIGHT), Code.BAD_CLAIM),
    "staff withdraw a claim": (edited("claim-withdrawn", by=SUE, session=session_of("sue")), Code.BAD_CLAIM),
    "an answered claim is withdrawn": (edited("claim-withdrawn", claim=1), Code.BAD_CLAIM),
    "staff set the terms": (edited("claim-terms-set", by=SUE), Code.BAD_CLAIM),
}


def erasing(commitment: Callable[[Forgery], str], by: dict[str, str], after_min: int, **event: str) -> Forge:
    """Have something about the patron erased, some time after the last claim was raised."""

    def forge(store: Forgery) -> None:
        at_ms = store.body(CLAIMS, store.version_of(CLAIMS, "claim-raised", 3))["at_ms"] + 60_000 * after_min
        told = {"type": "person-erased", "person": "terminal-7", "erased": [commitment(store)], "reason": "asked"}
        body = {"at_ms": at_ms, "by": by, "event": told | event, "session": session_of(by["name"])(store)}
        entry = Entry("identity/persons", 1, None, json.dumps(body).encode(), b"")
        store.entries["identity/persons"] = [entry]
        store.covered["identity/persons"] = [len(store.times) + 2]

    return forge


def said_in(type_: str, nth: int, field: str) -> Callable[[Forgery], str]:
    return lambda store: str(store.body(CLAIMS, store.version_of(CLAIMS, type_, nth))["event"][field])


GRETA: Final = {"name": "greta", "position": "gaming-shift-manager"}


@pytest.mark.parametrize(
    ("commitment", "by", "said"),
    [
        (said_in("claim-raised", 3, "words"), GRETA, "what was said in claim 4 was erased while the claim waited"),
        (said_in("claim-answered", 1, "reason"), GRETA, "greta had erased what was said in claim 3, and had acted"),
        (said_in("claim-raised", 2, "words"), GRETA, "greta had erased what was said in claim 3, and had acted"),
        (said_in("claim-raised", 0, "words"), GRETA, None),
        (said_in("claim-raised", 1, "words"), GRETA, None),
    ],
)
def test_what_was_said_in_a_claim_is_not_erased_before_its_time(
    commitment: Callable[[Forgery], str], by: dict[str, str], said: str | None
) -> None:
    store = disputed()
    erasing(commitment, by, 1)(store)
    found = [
        each.said for each in audit(store.sign(KEYS), public_key=KEYS.public).findings if each.code is Code.BAD_CLAIM
    ]
    assert [each.startswith(said or "?") for each in found] == ([True] if said else [])


def test_under_terms_of_before_what_was_said_in_a_claim_could_be_erased_at_any_time() -> None:
    store = disputed()
    edited("claim-terms-set", words_stay=False)(store)
    erasing(said_in("claim-raised", 3, "words"), GRETA, 1)(store)
    codes = {each.code for each in audit(store.sign(KEYS), public_key=KEYS.public).findings}
    assert Code.BAD_CLAIM not in codes


@pytest.mark.parametrize("kind", FORGED)
def test_forged_claims_are_found(kind: str) -> None:
    store = disputed()
    forge, code = FORGED[kind]
    forge(store)
    report = audit(store.sign(KEYS), public_key=KEYS.public)
    assert code in {found.code for found in report.findings}, [str(found) for found in report.findings[:5]]


def test_an_answer_that_was_rewritten_is_found() -> None:
    store = disputed()
    edited("claim-answered", upheld=True)(store)
    assert (Code.BROKEN_CHAIN, CLAIMS) in {(each.code, each.stream) for each in audit(store).findings}


@pytest.mark.parametrize(
    ("type_", "change"),
    [
        ("claim-raised", {"opened": 0}),
        ("claim-raised", {"wager": 2**70}),
        ("claim-raised", {"words": "The Tie was not paid."}),
        ("claim-raised", {"about": "the weather"}),
        ("claim-answered", {"correction": -1}),
        ("claim-answered", {"surname": "x"}),
    ],
)
def test_an_entry_that_the_floor_never_writes_does_not_read(type_: str, change: dict[str, Any]) -> None:
    store = disputed()
    edited(type_, **change)(store)
    found = audit(store.sign(KEYS), public_key=KEYS.public).findings
    assert (found[0].code, found[0].stream) == (Code.UNREADABLE, CLAIMS)
