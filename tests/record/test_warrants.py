"""Forged people: what an insider with the floor's key, or a faulty server, might sign, and the audit finds."""

import asyncio
import json
from collections.abc import Callable
from typing import Any, Final

import pytest
from tests.record.forgery import Forgery
from tests.record.play import KEYS, play
from tests.record.staffed import HOUSE_STREAM, SESSIONS, SETUP, STAFF, T1, TERMINALS, Staffed, staffed
from tests.server.identity.lobby import PASSWORD

from punto.floor.sequencer import Sequencer
from punto.floor.warrants import Warrant
from punto.record import Code, audit
from punto.rules import Position
from punto.server.oldshoes import HOUSE
from punto.store import MemoryStore
from punto.store.contract import Entry
from punto.table import Actor
from punto.table import commands as do

Forge = Callable[[Forgery], object]
DIGEST: Final = "0" * 64
HASH: Final = "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA"
GRETA: Final = {"name": "greta", "position": "gaming-shift-manager"}
PAM: Final = {"name": "pam", "position": "pit-manager"}
DAN: Final = {"name": "dan", "position": "dealer"}
FLOOR: Final = {"name": "floor", "position": "system"}
HOUR_MS: Final = 3_600_000


def session_of(store: Forgery, name: str) -> str:
    bodies = [json.loads(entry.body) for entry in store.entries[SESSIONS]]
    return next(str(each["event"]["session"]) for each in bodies if each["event"].get("name") == name)


def at(store: Forgery, type_: str, nth: int = 0) -> int:
    return store.version_of(T1, type_, nth)


def edited(type_: str, nth: int = 0, **change: Any) -> Forge:  # noqa: ANN401
    """Let an entry of the table say something else of how its command was given."""

    def forge(store: Forgery) -> None:
        told = {name: value(store) if callable(value) else value for name, value in change.items()}
        store.edit(T1, at(store, type_, nth), lambda body: body.update(told))

    return forge


def event_edited(type_: str, **change: Any) -> Forge:  # noqa: ANN401
    return lambda store: store.edit(T1, at(store, type_), lambda body: body["event"].update(change))


def noted(stream: str, event: dict[str, Any], by: dict[str, Any], type_: str, nth: int = 0) -> Forge:
    """Have something noted of people just before an event of the table."""

    def forge(store: Forgery) -> None:
        version = at(store, type_, nth)
        at_ms = store.body(T1, version)["at_ms"] - 1
        told = {name: value(store) if callable(value) else value for name, value in event.items()}
        told = {name: at_ms + value if name in ("until_ms", "from_ms") else value for name, value in told.items()}
        body = {"at_ms": at_ms, "by": by, "event": told}
        if by["name"] in {"greta", "pam", "dan", "sue"} and told["type"] not in {"session-began", "approval-given"}:
            body["session"] = session_of(store, by["name"])
        head = store.covered[T1][version - 1] - 1
        place = sum(covered <= head for covered in store.covered[stream])
        text = json.dumps(body, separators=(",", ":")).encode()
        store.entries[stream].insert(place, Entry(stream, place + 1, None, text, b""))
        store.covered[stream].insert(place, head)

    return forge


def both(*forges: Forge) -> Forge:
    return lambda store: [forge(store) for forge in forges]


def person_edited(stream: str, type_: str, nth: int = 0, **change: Any) -> Forge:  # noqa: ANN401
    """Let an entry about people say something else."""

    def forge(store: Forgery) -> None:
        version = store.version_of(stream, type_, nth)
        by = change.get("by")
        rest = {name: value for name, value in change.items() if name != "by"}
        store.edit(stream, version, lambda body: (body.update(by=by) if by else None, body["event"].update(rest)))

    return forge


def of(name: str) -> Callable[[Forgery], str]:
    return lambda store: session_of(store, name)


def proof_over(name: str) -> Forge:
    """Let what somebody showed hold no longer than a moment."""

    def forge(store: Forgery) -> None:
        for entry in list(store.entries[SESSIONS]):
            event = json.loads(entry.body)["event"]
            if event["type"] == "session-began" and event["name"] == name:
                store.edit(SESSIONS, entry.version, lambda body: body["event"].update(proved_until_ms=1))

    return forge


def first_accounts(*names: str) -> Forge:
    """Let the house open more accounts with the first."""

    def forge(store: Forgery) -> None:
        body = store.body(STAFF, 1)
        for name in names:
            store.insert(STAFF, 2, body | {"event": body["event"] | {"name": name}})

    return forge


MALLORY = {"name": "mallory", "position": "gaming-shift-manager"}
ENDED = {"type": "session-ended", "session": of("dan"), "why": "signed-out"}
BEGAN = {"type": "session-began", "session": "ffff", "token": DIGEST, "name": "mallory", "until_ms": HOUR_MS}
ENROLLED = {"type": "terminal-enrolled", "kind": "terminal", "token": DIGEST}
OPENED = {"type": "account-opened", "name": "mallory", "position": "dealer", "password": HASH, "temporary": True}

REPORTED = {
    "type": "cash-report-filed",
    "patron": "ann",
    "day": "2025-12-31",
    "kind": "in",
    "cents": 50_000,
    "reference": "R-1",
}
EXCLUDED = {"type": "patron-excluded", "name": "zoe", "from_ms": 0, "reason": DIGEST}
LIFTED = {"type": "exclusion-lifted", "name": "zoe", "reason": DIGEST}
SET = {"type": "password-changed", "password": HASH, "temporary": True}
PASSKEY = {"type": "passkey-added", "id": "AAAA", "key": "BBBB", "rp": "localhost", "count": 0, "label": ""}
WAY_BACK = {
    "type": "way-back-issued",
    "name": "dan",
    "code": DIGEST,
    "until_ms": 60_000,
    "decided_by": "x",
    "reason": "y",
}
PROVED = {
    "type": "session-proved",
    "session": of("dan"),
    "proved_until_ms": 2**50,
    "passkey": "",
    "count": 0,
    "step": 0,
}

FORGED: Final[dict[str, tuple[Forge, Code]]] = {
    # Accounts
    "an account that never was": (edited("shoe-loaded", by=MALLORY), Code.UNKNOWN_PERSON),
    "a name spelled otherwise": (
        edited("shoe-loaded", by={"name": "Dan", "position": "dealer"}),
        Code.UNKNOWN_PERSON,
    ),
    "an account that was closed": (
        noted(STAFF, {"type": "account-closed", "name": "dan"}, GRETA, "bets-opened"),
        Code.UNKNOWN_PERSON,
    ),
    "a password that another has set": (
        noted(
            STAFF,
            {"type": "password-changed", "name": "dan", "password": HASH, "temporary": True},
            GRETA,
            "bets-opened",
        ),
        Code.NO_SESSION,
    ),
    # Positions
    "a position that was never held": (
        edited("shoe-loaded", by={"name": "dan", "position": "pit-manager"}),
        Code.WRONG_POSITION,
    ),
    "a position that was changed a moment before": (
        noted(STAFF, {"type": "position-changed", "name": "dan", "position": "pit-manager"}, GRETA, "round-settled"),
        Code.WRONG_POSITION,
    ),
    "acting without a grant": (
        edited("shoe-loaded", by={"name": "dan", "position": "pit-supervisor", "acting": True}),
        Code.WRONG_POSITION,
    ),
    "acting after the grant was withdrawn": (
        noted(STAFF, {"type": "acting-ended", "name": "sue"}, GRETA, "method-chosen"),
        Code.WRONG_POSITION,
    ),
    "acting after the time was over": (
        lambda store: store.edit(
            STAFF,
            store.version_of(STAFF, "acting-granted"),
            lambda body: body["event"].update(until_ms=body["at_ms"] + 1_000),
        ),
        Code.WRONG_POSITION,
    ),
    "the position held, while acting in another": (
        edited("method-chosen", by={"name": "sue", "position": "pit-supervisor"}),
        Code.WRONG_POSITION,
    ),
    # Sessions
    "a session that was signed out of": (noted(SESSIONS, ENDED, DAN, "round-settled"), Code.NO_SESSION),
    "a session that a manager ended": (
        noted(SESSIONS, ENDED | {"why": "revoked"}, GRETA, "round-settled"),
        Code.NO_SESSION,
    ),
    "a session that lasted too long": (
        lambda store: store.edit(
            SESSIONS,
            store.version_of(SESSIONS, "session-began", 1),
            lambda body: body["event"].update(until_ms=body["at_ms"] + 100),
        ),
        Code.NO_SESSION,
    ),
    "the session of another": (edited("shoe-loaded", session=of("sue")), Code.NO_SESSION),
    "a session that nobody began": (edited("shoe-loaded", session="0123456789abcdef"), Code.NO_SESSION),
    "no session at all": (edited("round-settled", session=""), Code.NO_SESSION),
    "a command that is dated back into its session": (
        both(
            noted(SESSIONS, ENDED, DAN, "round-settled"),
            edited("round-settled", given_ms=1_767_196_800_000),
        ),
        Code.NO_SESSION,
    ),
    "a command that is dated back for no reason": (
        edited("round-settled", given_ms=1_767_196_800_000),
        Code.BAD_COMMAND,
    ),
    "a session on a later event of a command": (edited("outcome-announced", session=of("dan")), Code.BAD_COMMAND),
    # Devices
    "a terminal that was never enrolled": (
        both(
            edited("wager-placed", by={"name": "terminal-8", "position": "patron"}),
            event_edited("wager-placed", patron="terminal-8"),
        ),
        Code.UNKNOWN_DEVICE,
    ),
    "a terminal that was withdrawn": (
        noted(TERMINALS, {"type": "terminal-revoked", "name": "terminal-7"}, PAM, "wager-placed"),
        Code.UNKNOWN_DEVICE,
    ),
    "a shoe as a patron": (
        edited("wager-placed", by={"name": "shoe-T1", "position": "patron"}),
        Code.UNKNOWN_DEVICE,
    ),
    "a patron with the wallet of another": (event_edited("wager-placed", patron="ann"), Code.NOT_ALLOWED),
    "a shoe that was never enrolled": (edited("card-drawn", device="shoe-T2"), Code.UNKNOWN_DEVICE),
    "a shoe that was withdrawn": (
        noted(TERMINALS, {"type": "terminal-revoked", "name": "shoe-T1"}, PAM, "card-drawn", 1),
        Code.UNKNOWN_DEVICE,
    ),
    "a shoe of another table": (
        person_edited(TERMINALS, "terminal-enrolled", -1, table="T2", name="shoe-T2"),
        Code.UNKNOWN_DEVICE,
    ),
    "a reading without a shoe": (edited("card-drawn", device=""), Code.UNKNOWN_DEVICE),
    # Two people
    "one person twice": (event_edited("limits-changed", confirmed_by=GRETA), Code.ONE_PERSON_TWICE),
    "one person twice, spelled otherwise": (
        event_edited("limits-changed", confirmed_by={"name": "GRETA", "position": "gaming-shift-manager"}),
        Code.ONE_PERSON_TWICE,
    ),
    "a second person in the session of the first": (edited("limits-changed", second=of("greta")), Code.NO_SESSION),
    "a second person without a session": (edited("limits-changed", second=""), Code.NO_SESSION),
    "a second person in a higher position than theirs": (
        event_edited("limits-changed", confirmed_by={"name": "pam", "position": "gaming-shift-manager"}),
        Code.WRONG_POSITION,
    ),
    "a second person who never was": (event_edited("limits-changed", confirmed_by=MALLORY), Code.UNKNOWN_PERSON),
    "a session of a second person, and no such person": (edited("shoe-loaded", second=of("sue")), Code.BAD_COMMAND),
    "an approver who corrects": (
        event_edited("credits-corrected", approved_by={"name": "sue", "position": "pit-manager"}),
        Code.ONE_PERSON_TWICE,
    ),
    "an approver in the session of another": (event_edited("credits-corrected", approved_by=GRETA), Code.NO_SESSION),
    "an approver without a session": (edited("credits-corrected", second=""), Code.NO_SESSION),
    "a shift manager's session that a dealer ends": (
        noted(SESSIONS, ENDED | {"session": of("greta"), "why": "revoked"}, DAN, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "a shift manager's session that a pit manager ends": (
        noted(SESSIONS, ENDED | {"session": of("greta"), "why": "revoked"}, PAM, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "a session that a dealer signs out of for another": (
        noted(SESSIONS, ENDED | {"session": of("greta")}, DAN, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "a session that a dealer ends as if an account had been closed": (
        noted(SESSIONS, ENDED | {"session": of("greta"), "why": "account-closed"}, DAN, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "a session that ends for no reason that there is": (
        noted(SESSIONS, ENDED | {"session": of("greta"), "why": "tired"}, GRETA, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "a session without a proof once the record has proofs": (
        noted(SESSIONS, BEGAN | {"name": "dan"}, DAN, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "a session that says until when it is proved, and not by what": (
        person_edited(SESSIONS, "session-began", 1, proof=None),
        Code.BAD_REGISTER,
    ),
    # The house's orders
    "a second person whose account the first had opened": (
        person_edited(HOUSE_STREAM, "orders-set", independence_ms=72 * HOUR_MS),
        Code.NOT_INDEPENDENT,
    ),
    "a first person whose account the second had changed through another": (
        both(
            person_edited(HOUSE_STREAM, "orders-set", independence_ms=72 * HOUR_MS),
            event_edited("credits-corrected", approved_by=GRETA),
            edited("credits-corrected", second=of("greta")),
        ),
        Code.NOT_INDEPENDENT,
    ),
    "a second person whose account another still has in hand": (
        person_edited(HOUSE_STREAM, "orders-set", own_device=True),
        Code.NOT_ON_OWN_DEVICE,
    ),
    "people who act with a password alone where orders ask for more": (
        person_edited(HOUSE_STREAM, "orders-set", second_factor=True),
        Code.NO_SESSION,
    ),
    "a session that is proved for longer than orders say": (
        person_edited(HOUSE_STREAM, "orders-set", prove_again_ms=60_000),
        Code.BAD_REGISTER,
    ),
    "a password that was changed in a browser in which nobody had signed in": (
        person_edited(STAFF, "password-changed", browser=DIGEST),
        Code.BAD_REGISTER,
    ),
    "a passkey that was added in the browser of another": (
        both(
            noted(SESSIONS, BEGAN | {"name": "greta", "browser": DIGEST}, GRETA, "bets-opened"),
            noted(STAFF, PASSKEY | {"name": "dan", "browser": DIGEST}, DAN, "bets-closed"),
        ),
        Code.BAD_REGISTER,
    ),
    "a password of another that was set in a browser": (
        noted(STAFF, SET | {"name": "dan", "browser": DIGEST}, GRETA, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "three managers at the beginning": (first_accounts("gus", "gil"), Code.BAD_REGISTER),
    "one manager twice at the beginning": (first_accounts("GRETA"), Code.BAD_REGISTER),
    # Reports of cash
    "a report of what was never moved": (
        noted(HOUSE_STREAM, REPORTED, PAM, "bets-opened"),
        Code.BAD_REPORT,
    ),
    "a report of more than was moved": (
        both(
            person_edited(HOUSE_STREAM, "orders-set", report_cents=50_000),
            noted(HOUSE_STREAM, REPORTED | {"cents": 50_001}, PAM, "bets-opened"),
        ),
        Code.BAD_REPORT,
    ),
    "a report that a dealer filed": (
        both(
            person_edited(HOUSE_STREAM, "orders-set", report_cents=50_000),
            noted(HOUSE_STREAM, REPORTED, DAN, "bets-opened"),
        ),
        Code.BAD_REGISTER,
    ),
    # Exclusion
    "a wager of a patron whom the house had excluded": (
        noted(HOUSE_STREAM, EXCLUDED | {"name": "terminal-7"}, PAM, "bets-opened"),
        Code.EXCLUDED_PATRON,
    ),
    "credits that a dealer sold to a patron on the list of the file": (
        noted(HOUSE_STREAM, EXCLUDED | {"name": "ANN", "on_list": "Marina"}, FLOOR, "credits-bought", 1),
        Code.EXCLUDED_PATRON,
    ),
    "an exclusion by a dealer": (noted(HOUSE_STREAM, EXCLUDED, DAN, "bets-opened"), Code.BAD_REGISTER),
    "an exclusion that was over when it began": (
        noted(HOUSE_STREAM, EXCLUDED | {"until_ms": 0}, PAM, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "what the list of a file says, written by a person": (
        noted(HOUSE_STREAM, EXCLUDED | {"on_list": "Marina"}, PAM, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "an exclusion of the floor itself": (
        noted(HOUSE_STREAM, EXCLUDED | {"name": "house"}, PAM, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "an exclusion that nobody had made, and that was lifted": (
        noted(HOUSE_STREAM, LIFTED, GRETA, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "an exclusion that a pit manager lifted": (
        both(
            noted(HOUSE_STREAM, EXCLUDED, PAM, "bets-opened"),
            noted(HOUSE_STREAM, LIFTED, PAM, "bets-closed"),
        ),
        Code.BAD_REGISTER,
    ),
    "an exclusion that was lifted without a reason": (
        both(
            noted(HOUSE_STREAM, EXCLUDED, PAM, "bets-opened"),
            noted(HOUSE_STREAM, LIFTED | {"reason": ""}, GRETA, "bets-closed"),
        ),
        Code.BAD_REGISTER,
    ),
    "an exclusion that a pit manager had end sooner": (
        both(
            noted(HOUSE_STREAM, EXCLUDED | {"until_ms": 2 * HOUR_MS}, PAM, "bets-opened"),
            noted(HOUSE_STREAM, EXCLUDED | {"until_ms": HOUR_MS}, PAM, "bets-closed"),
        ),
        Code.BAD_REGISTER,
    ),
    "a patron who was registered though excluded": (
        noted(HOUSE_STREAM, EXCLUDED | {"name": "ann"}, PAM, "table-opened"),
        Code.BAD_REGISTER,
    ),
    "cash for somebody whom nobody has registered": (
        lambda store: store.remove(HOUSE_STREAM, store.version_of(HOUSE_STREAM, "patron-registered")),
        Code.UNKNOWN_PATRON,
    ),
    "more cash than one person moves at a time": (
        person_edited(HOUSE_STREAM, "orders-set", cash={"dealer": {"act_cents": 49_999, "shift_cents": 900_000}}),
        Code.OVER_LIMIT,
    ),
    "more cash than one person moves within a shift": (
        person_edited(HOUSE_STREAM, "orders-set", cash={"dealer": {"act_cents": 50_000, "shift_cents": 49_999}}),
        Code.OVER_LIMIT,
    ),
    "cash that was counted as nobody's": (lambda store: store.drop("cashier/dan"), Code.NOT_BOOKED),
    "cash that was counted as less": (
        lambda store: store.edit("cashier/dan", 1, lambda body: body.update(cents=1, total_cents=1)),
        Code.NOT_BOOKED,
    ),
    "cash of which the sum is another": (
        lambda store: store.edit("cashier/dan", 1, lambda body: body.update(total_cents=1)),
        Code.BAD_BOOKS,
    ),
    "orders that a manager gave": (person_edited(HOUSE_STREAM, "orders-set", by=GRETA), Code.BAD_REGISTER),
    "a patron whom a dealer registered": (person_edited(HOUSE_STREAM, "patron-registered", by=DAN), Code.BAD_REGISTER),
    "an approver who was taken off the staff": (
        noted(STAFF, {"type": "account-closed", "name": "pam"}, GRETA, "credits-corrected"),
        Code.UNKNOWN_PERSON,
    ),
    # The floor's own
    "a clock that places a wager": (
        edited("wager-placed", by={"name": "clock", "position": "system"}),
        Code.NOT_ALLOWED,
    ),
    "an automatic dealer who corrects credits": (
        edited("credits-corrected", by={"name": "automatic dealer", "position": "dealer"}, session=""),
        Code.NOT_ALLOWED,
    ),
    "an automatic dealer in another position": (
        edited("bets-closed", 1, by={"name": "automatic dealer", "position": "pit-manager"}),
        Code.NOT_ALLOWED,
    ),
    "a house that changes limits": (
        edited("limits-changed", by={"name": "house", "position": "gaming-shift-manager"}, session=""),
        Code.NOT_ALLOWED,
    ),
    "a floor that opens bets": (edited("bets-opened", by=FLOOR, session=""), Code.NOT_ALLOWED),
    "an import at a table that was not imported": (
        edited("shoe-loaded", by={"name": "import", "position": "gaming-shift-manager"}, session=""),
        Code.NOT_ALLOWED,
    ),
    "a system of another name": (
        edited("bets-closed", 1, by={"name": "daemon", "position": "system"}),
        Code.UNKNOWN_PERSON,
    ),
    # What is noted of people
    # Second factors
    "a passkey that another adds": (noted(STAFF, PASSKEY | {"name": "greta"}, DAN, "bets-opened"), Code.BAD_REGISTER),
    "one-time codes that another removes": (
        noted(STAFF, {"type": "codes-removed", "name": "greta"}, DAN, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "passkeys and codes that a dealer resets": (
        noted(STAFF, {"type": "factors-reset", "name": "pam"}, DAN, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "passkeys and codes that somebody resets for themselves": (
        noted(STAFF, {"type": "factors-reset", "name": "greta"}, GRETA, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "a way back in that a person makes": (noted(STAFF, WAY_BACK, GRETA, "bets-opened"), Code.BAD_REGISTER),
    "a way back in that is open for a day": (
        noted(STAFF, WAY_BACK | {"until_ms": 24 * HOUR_MS}, FLOOR, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "a way back in without a code": (
        noted(STAFF, {"type": "way-back-used", "name": "dan"}, DAN, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "a session that is proved by a passkey of nobody's": (
        noted(SESSIONS, PROVED | {"proof": "passkey", "passkey": "AAAA", "count": 1}, DAN, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "a session that is proved by a code of no app": (
        noted(SESSIONS, PROVED | {"proof": "code", "step": 59_000_000}, DAN, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "a session that is proved by the password of somebody with a passkey": (
        both(
            noted(STAFF, PASSKEY | {"name": "dan"}, DAN, "bets-opened"),
            noted(SESSIONS, PROVED | {"proof": "password"}, DAN, "bets-closed"),
        ),
        Code.BAD_REGISTER,
    ),
    "money that somebody books too long after showing who it is": (proof_over("dan"), Code.NO_SESSION),
    "a confirmation too long after showing who it is": (proof_over("pam"), Code.NO_SESSION),
    "a session that another proves": (
        noted(SESSIONS, PROVED | {"session": of("greta"), "proof": "password"}, DAN, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "an account that a dealer opens": (noted(STAFF, OPENED, DAN, "bets-opened"), Code.BAD_REGISTER),
    "a second account that the house opens": (
        noted(STAFF, OPENED, {"name": "house", "position": "gaming-shift-manager"}, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "an account under the name of a device": (
        noted(STAFF, OPENED | {"name": "terminal-9"}, GRETA, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "an account that is opened by nobody who is there": (
        noted(STAFF, OPENED, {"name": "mallory", "position": "gaming-shift-manager"}, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "a position that somebody gives themselves": (
        noted(
            STAFF, {"type": "position-changed", "name": "greta", "position": "casino-director"}, GRETA, "bets-opened"
        ),
        Code.BAD_REGISTER,
    ),
    "a grant that lasts too long": (
        noted(
            STAFF,
            {"type": "acting-granted", "name": "dan", "position": "pit-manager", "until_ms": 25 * HOUR_MS},
            GRETA,
            "bets-opened",
        ),
        Code.BAD_REGISTER,
    ),
    "a grant of more than one has": (
        noted(
            STAFF,
            {"type": "acting-granted", "name": "dan", "position": "casino-director", "until_ms": HOUR_MS},
            GRETA,
            "bets-opened",
        ),
        Code.BAD_REGISTER,
    ),
    "a session of somebody who never was": (noted(SESSIONS, BEGAN, MALLORY, "bets-opened"), Code.BAD_REGISTER),
    "a session that another began": (noted(SESSIONS, BEGAN | {"name": "dan"}, GRETA, "bets-opened"), Code.BAD_REGISTER),
    "a session that is to last for a day": (
        noted(SESSIONS, BEGAN | {"name": "dan", "until_ms": 24 * HOUR_MS}, DAN, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "a session by a link, on a floor that has accounts": (
        noted(SESSIONS, BEGAN | {"position": "gaming-shift-manager"}, MALLORY, "bets-opened"),
        Code.BAD_REGISTER,
    ),
    "a session that was begun while the account was locked": (
        both(
            noted(STAFF, {"type": "account-locked", "name": "dan", "until_ms": HOUR_MS}, FLOOR, "bets-opened"),
            noted(SESSIONS, BEGAN | {"name": "dan"}, DAN, "wager-placed"),
        ),
        Code.BAD_REGISTER,
    ),
    "a terminal that was enrolled without a code": (
        noted(
            TERMINALS,
            ENROLLED | {"name": "terminal-9"},
            {"name": "device", "position": "system"},
            "bets-opened",
        ),
        Code.BAD_REGISTER,
    ),
    "a shoe that a dealer enrols": (
        noted(
            TERMINALS,
            ENROLLED | {"name": "shoe-T2", "kind": "shoe", "table": "T2"},
            DAN,
            "bets-opened",
        ),
        Code.BAD_REGISTER,
    ),
    "a guest who was somebody else's device": (
        noted(
            TERMINALS,
            ENROLLED | {"name": "terminal-7", "kind": "guest"},
            {"name": "guest", "position": "patron"},
            "bets-opened",
        ),
        Code.BAD_REGISTER,
    ),
}


@pytest.mark.parametrize("kind", FORGED)
def test_forged_people_are_found(kind: str) -> None:
    store = staffed()
    forge, code = FORGED[kind]
    forge(store)
    report = audit(store.sign(KEYS), public_key=KEYS.public)
    assert code in {found.code for found in report.findings}, [str(found) for found in report.findings[:5]]


def test_people_who_were_there_are_clean_and_the_record_says_in_which_session() -> None:
    store = staffed()
    report = audit(store, public_key=KEYS.public)
    assert report.clean, report.findings[0]
    assert store.body(T1, at(store, "shoe-loaded"))["session"] == session_of(store, "dan")
    assert store.body(T1, at(store, "limits-changed"))["second"] == session_of(store, "pam")
    assert store.body(T1, at(store, "card-drawn"))["device"] == "shoe-T1"


def test_sums_of_cash_are_counted_and_a_report_of_them_is_right() -> None:
    store = staffed()
    person_edited(HOUSE_STREAM, "orders-set", report_cents=50_000)(store)
    noted(HOUSE_STREAM, REPORTED, PAM, "bets-opened")(store)
    report = audit(store.sign(KEYS), public_key=KEYS.public)
    assert (report.findings, report.counts.cash_reports, report.counts.cash_reports_late) == ((), 1, 0)


def test_whoever_is_excluded_may_be_paid_and_what_was_accepted_before_is_played() -> None:
    for name, at in (("terminal-7", "round-settled"), ("ann", "credits-corrected"), ("zoe", "bets-opened")):
        store = staffed()
        noted(HOUSE_STREAM, EXCLUDED | {"name": name}, PAM, at)(store)
        assert not audit(store.sign(KEYS), public_key=KEYS.public).findings


def test_two_accounts_of_one_maker_are_not_independent_on_a_young_floor_since_orders_say_so() -> None:
    both = "sue and pam stood for it"
    for alike in (True, False):
        store = staffed()
        person_edited(HOUSE_STREAM, "orders-set", independence_ms=72 * HOUR_MS, young_alike=alike)(store)
        said = [str(each) for each in audit(store.sign(KEYS), public_key=KEYS.public).findings]
        assert any(both in each for each in said) is alike


def test_whoever_came_back_by_a_code_from_the_machine_stands_with_nobody_since_orders_say_so() -> None:
    for waits in (True, False):
        store = staffed()
        orders = {"independence_ms": 72 * HOUR_MS, "way_back_waits": waits}
        person_edited(HOUSE_STREAM, "orders-set", **orders)(store)
        noted(STAFF, WAY_BACK | {"name": "pam"}, FLOOR, "bets-opened")(store)
        noted(STAFF, {"type": "way-back-used", "name": "pam"}, PAM, "bets-closed")(store)
        said = [str(each) for each in audit(store.sign(KEYS), public_key=KEYS.public).findings]
        assert any("pam stood for it with another, and had come back" in each for each in said) is waits


def test_devices_patrons_and_limits_take_a_fresh_proof_since_orders_say_how_long_one_holds() -> None:
    for ordered_ms, streams in ((43_200_000, {TERMINALS, HOUSE_STREAM, T1}), (0, {T1})):
        store = staffed()
        person_edited(HOUSE_STREAM, "orders-set", prove_again_ms=ordered_ms)(store)
        for name in ("sue", "greta"):
            proof_over(name)(store)
        found = audit(store.sign(KEYS), public_key=KEYS.public).findings
        late = [each for each in found if "too long after showing" in str(each)]
        assert {each.stream for each in late} - {STAFF} == streams
        changed = at(store, "limits-changed")
        assert ((T1, changed) in {(each.stream, each.version) for each in late}) is bool(ordered_ms)


def test_sessions_end_at_the_wish_of_their_owners_of_managers_and_of_whoever_ranks_as_high() -> None:
    ends = [
        (GRETA, {"why": "password-changed"}),
        (PAM, {"why": "revoked"}),
        (DAN, {"why": "signed-out"}),
        (DAN, {"why": "recovered"}),
    ]
    for by, end in ends:
        store = staffed()
        noted(SESSIONS, ENDED | end, by, "round-settled")(store)
        found = {each.code for each in audit(store.sign(KEYS), public_key=KEYS.public).findings}
        assert Code.BAD_REGISTER not in found, end


def test_two_managers_may_begin_a_floor_together() -> None:
    store = staffed()
    first_accounts("gus")(store)
    assert not audit(store.sign(KEYS), public_key=KEYS.public).findings


def test_nobody_is_judged_before_the_first_account_is_on_record() -> None:
    store = staffed()
    for stream in (STAFF, SESSIONS, TERMINALS):
        store.drop(stream)
    for number, entry in enumerate(store.entries[T1], 1):
        if b'"session"' in entry.body:
            store.edit(T1, number, lambda body: [body.pop(name, None) for name in ("session", "second")])
    people = {Code.UNKNOWN_PERSON, Code.NO_SESSION, Code.WRONG_POSITION, Code.UNKNOWN_DEVICE}
    store.sign(KEYS)
    assert not people & {found.code for found in audit(store, public_key=KEYS.public).findings}
    assert audit(play(), public_key=KEYS.public).clean


def test_commands_from_before_sessions_were_named_are_judged_by_whether_somebody_was_signed_in() -> None:
    store = staffed()
    for stream in (T1, STAFF, SESSIONS, TERMINALS):
        for number in range(1, len(store.entries[stream]) + 1):
            store.edit(stream, number, lambda body: [body.pop(name, None) for name in ("session", "second", "device")])
    for stream in (HOUSE_STREAM, "cashier/dan"):
        store.drop(stream)
    assert audit(store.sign(KEYS), public_key=KEYS.public).clean
    began = store.version_of(SESSIONS, "session-began", 1)
    store.edit(SESSIONS, began, lambda body: body["event"].update(until_ms=body["at_ms"] + 100))
    found = audit(store.sign(KEYS), public_key=KEYS.public).findings[0]
    assert (found.code, found.said) == (Code.NO_SESSION, "dan acted, and was not signed in")


OLD_WAYS: Final[dict[str, tuple[dict[str, Any], set[Code]]]] = {
    "who showed a password": ({"name": "pam", "command": "correction-1"}, set()),
    "who never showed one": ({"name": "greta", "command": "correction-1"}, {Code.NO_APPROVAL}),
    "who showed one for another": ({"name": "pam", "command": "correction-2"}, {Code.NO_APPROVAL}),
}


@pytest.mark.parametrize("kind", OLD_WAYS)
def test_before_the_house_gave_orders_an_approver_showed_a_password_on_the_page_of_another(kind: str) -> None:
    store = staffed()
    approval, codes = OLD_WAYS[kind]
    by = PAM if approval["name"] == "pam" else GRETA
    noted(SESSIONS, {"type": "approval-given"} | approval, by, "credits-corrected")(store)
    edited("credits-corrected", second="")(store)
    for stream in (HOUSE_STREAM, "cashier/dan"):
        store.drop(stream)
    report = audit(store.sign(KEYS), public_key=KEYS.public)
    assert {found.code for found in report.findings} == codes, report.findings[:3]


# Several floors on one store


async def _two_floors(store: MemoryStore, *, late_ms: int) -> None:
    """One floor signs a dealer in and takes the dealer off the staff; the other writes what the dealer does."""
    one, other = Staffed(store), Staffed(store)
    other.clock.at_ms -= 300  # clocks of two machines differ a little
    for floor in (one, other):
        await floor.identity.begin()
    await one.identity.first_account("greta", PASSWORD)
    one.sessions["greta"] = (await one.identity.sign_in("greta", PASSWORD)).session
    await one.hire("dan", Position.DEALER)
    await other.identity.sweep()
    other.sessions = one.sessions
    await other.do(do.OpenTable, HOUSE, setup=SETUP)
    one.clock.go(1)
    other.clock.go(1)
    dan = one.sessions["dan"] = (await one.identity.sign_in("dan", PASSWORD)).session
    await other.identity.sweep()
    await other.do(do.LoadShoe, Actor("dan", Position.DEALER), Warrant(dan.id))
    # What the other floor has not heard of yet, it does not know.
    other.floor.gate = None
    other.clock.at_ms = one.clock() + late_ms
    await one.identity.accounts.close(one.sessions["greta"], "dan")
    await other.do(do.OpenBets, Actor("dan", Position.DEALER), Warrant(dan.id))
    for floor in (one, other):
        await floor.identity.stop()
        floor.writer.close()


@pytest.mark.parametrize(("late_ms", "codes"), [(-600, []), (1_000, []), (6_000, [Code.UNKNOWN_PERSON])])
def test_floors_that_share_a_store_hear_of_each_other_within_five_seconds(late_ms: int, codes: list[Code]) -> None:
    store = MemoryStore()
    asyncio.run(_two_floors(store, late_ms=late_ms))
    assert [found.code for found in audit(store, public_key=KEYS.public).findings] == codes


async def _clock_put_back(store: MemoryStore) -> None:
    """Somebody signs in while the clock is a day ahead; it is put right, and the next process goes on."""
    one = Staffed(store)
    await one.identity.begin()
    await one.identity.first_account("greta", PASSWORD)
    one.clock.go(86_400)
    await one.do(do.OpenTable, HOUSE, setup=SETUP)
    one.clock.go(60)
    greta = (await one.identity.sign_in("greta", PASSWORD)).session
    one.writer.close()
    other = Staffed(store)
    Sequencer(other.floor.history, []).checkpoint(other.clock())
    await other.identity.begin()
    other.sessions["greta"] = greta
    await other.do(do.LoadShoe, "greta", id="later")
    await other.identity.stop()
    other.writer.close()


def test_a_session_that_began_while_the_clock_was_ahead_is_known_to_the_next_process() -> None:
    store = MemoryStore()
    asyncio.run(_clock_put_back(store))
    assert audit(store, public_key=KEYS.public).clean
