"""A terminal with credits that becomes another device: two people stand for it, and the audit judges both."""

import asyncio
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import pytest
from tests.record.forgery import Forgery
from tests.record.play import KEYS
from tests.record.staffed import AT_TERMINAL, HOUSE_STREAM, SETUP, SEVEN, TERMINALS, Staffed
from tests.server.identity.lobby import PASSWORD

from punto.record import Code, audit
from punto.rules import Position
from punto.server.oldshoes import HOUSE
from punto.store import MemoryStore
from punto.table import commands as do

GRETA: Final = {"name": "greta", "position": "gaming-shift-manager"}
Change = Callable[[Forgery], object]


async def _live(store: MemoryStore) -> None:
    floor = Staffed(store)
    identity = floor.identity
    await identity.begin()
    await identity.first_account("greta", PASSWORD)
    floor.sessions["greta"] = (await identity.sign_in("greta", PASSWORD)).session
    for name, position in (("dan", Position.DEALER), ("sue", Position.PIT_SUPERVISOR), ("pam", Position.PIT_MANAGER)):
        await floor.hire(name, position)
    sue, pam = floor.sessions["sue"], floor.sessions["pam"]
    offered = await identity.devices.offer(sue, 7, "")
    await identity.enrol(offered.code)
    await floor.do(do.OpenTable, HOUSE, setup=SETUP)
    await floor.do(do.BuyIn, SEVEN, AT_TERMINAL, patron="terminal-7", cents=100_000, position=1)
    floor.clock.go(1)
    proposed = await identity.devices.offer(sue, 7, "by the door")
    assert (proposed.code, bool(proposed.waits)) == ("", True)
    confirmed = await identity.devices.confirm(pam, proposed.waits)
    await identity.enrol(confirmed.code)
    await identity.stop()
    floor.writer.close()


@cache
def lived() -> MemoryStore:
    store = MemoryStore()
    asyncio.run(_live(store))
    return store


def offer(**change: Any) -> Change:  # noqa: ANN401
    """Let the second offer say something else; what is nothing is left out."""

    def forge(store: Forgery) -> None:
        def say(body: dict[str, Any]) -> None:
            body["event"].update(change)
            body["event"] = {name: value for name, value in body["event"].items() if value is not None}

        store.edit(TERMINALS, store.version_of(TERMINALS, "terminal-offered", 1), say)

    return forge


def before_that_took_two(store: Forgery) -> None:
    store.edit(HOUSE_STREAM, 1, lambda body: body["event"].pop("credits_take_two"))


def independent_for_three_days(store: Forgery) -> None:
    store.edit(HOUSE_STREAM, 1, lambda body: body["event"].update(independence_ms=72 * 3_600_000))


def both(*changes: Change) -> Change:
    return lambda store: [change(store) for change in changes]


SUE: Final = {"name": "sue", "position": "pit-supervisor"}
DAN: Final = {"name": "dan", "position": "dealer"}
ALONE: Final = offer(confirmed_by=None, second=None)
FORGED: Final[dict[str, tuple[Change, Code]]] = {
    "one person alone": (ALONE, Code.BAD_REGISTER),
    "a second person without a session": (offer(second=None), Code.BAD_REGISTER),
    "the session of nobody": (offer(confirmed_by=None), Code.BAD_REGISTER),
    "the same person twice": (offer(confirmed_by=SUE), Code.ONE_PERSON_TWICE),
    "a dealer as the second": (offer(confirmed_by=DAN), Code.BAD_REGISTER),
    "a session that nobody began": (offer(second="0" * 16), Code.NO_SESSION),
    "somebody who opened the other's account": (
        both(offer(confirmed_by=GRETA), independent_for_three_days),
        Code.NOT_INDEPENDENT,
    ),
}


def judged(forge: Change | None = None) -> list[Code]:
    store = Forgery(lived())
    if forge is not None:
        forge(store)
    report = audit(store.sign(KEYS), public_key=KEYS.public)
    return [finding.code for finding in report.findings]


def test_two_people_who_move_a_terminal_with_credits_are_clean() -> None:
    assert judged() == []


@pytest.mark.parametrize("kind", FORGED)
def test_a_terminal_with_credits_that_was_moved_otherwise_is_found(kind: str) -> None:
    forge, code = FORGED[kind]
    assert code in judged(forge)


def test_in_a_record_of_before_that_one_person_was_enough() -> None:
    assert judged(both(ALONE, before_that_took_two)) == []
