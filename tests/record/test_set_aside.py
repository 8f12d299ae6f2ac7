"""What lies aside for a patron is neither more nor less than what a table gave, and only the floor releases it."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.floor.floors import ANN, BOB, KEYS, SHIFT, House
from tests.record.forgery import Forgery

from punto.floor.handler import FLOOR
from punto.ledger import wallet
from punto.record import Code, audit
from punto.store import MemoryStore
from punto.table import Setup, Source
from punto.table import commands as do

T1 = "table/T1"
WITHHELD, RELEASED = "credits-withheld", "credits-released"


def played() -> Forgery:
    """A round in which two patrons win or lose on everything; the wallet of one is stopped until it is over."""
    store = MemoryStore()
    house = House(store)
    house.give(do.OpenTable, SHIFT, setup=Setup(game="fortune-six", source=Source.VIRTUAL))
    house.give(do.LoadShoe)
    for patron in (ANN, BOB):
        house.give(do.BuyIn, patron, cents=100_000)
    house.give(do.OpenBets)
    for patron, cents in ((ANN, 1_000), (BOB, 2_000)):
        for wager in ("Player", "Banker", "Tie"):
            house.give(do.PlaceWager, patron, wager=wager, stake_cents=cents)
    coverage = house.floor.history.coverage
    coverage.stop(wallet("ann"), "somebody wrote to it")
    house.give(do.CloseBets)
    while house.floor.table("T1").deal.next is not None:
        house.give(do.DrawCard)
    coverage.stopped.clear()
    house.give(do.ReleaseCredits, FLOOR, patron="ann")
    return Forgery(store)


def found(store: Forgery, version: int = 0) -> set[Code]:
    """What the audit finds, in one entry of the table or anywhere."""
    findings = audit(store.sign(KEYS), public_key=KEYS.public).findings
    return {each.code for each in findings if not version or (each.stream, each.version) == (T1, version)}


def test_what_lay_aside_and_was_released_is_in_order() -> None:
    store = played()
    assert not found(store)
    assert store.body(T1, store.version_of(T1, RELEASED))["event"]["cents"] > 0


def cents(more: int) -> Callable[[dict[str, Any]], object]:
    return lambda body: body["event"].update(cents=body["event"]["cents"] + more)


def patron(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda body: body["event"].update(patron=name)


def by(name: str, position: str) -> Callable[[dict[str, Any]], object]:
    return lambda body: body.update(by={"name": name, "position": position})


@pytest.mark.parametrize(
    ("type_", "change", "code"),
    [
        (WITHHELD, cents(-1), Code.BAD_CREDITS),
        (WITHHELD, cents(1), Code.BAD_CREDITS),
        (WITHHELD, patron("bob"), Code.BAD_CREDITS),
        (WITHHELD, patron("mallory"), Code.BAD_CREDITS),
        (RELEASED, cents(1), Code.BAD_CREDITS),
        (RELEASED, cents(-1), Code.BAD_CREDITS),
        (RELEASED, patron("bob"), Code.BAD_CREDITS),
        (RELEASED, by("greta", "gaming-shift-manager"), Code.NOT_ALLOWED),
        (RELEASED, by("ann", "patron"), Code.NOT_ALLOWED),
    ],
)
def test_an_event_that_cannot_be_is_found_though_it_is_signed(
    type_: str, change: Callable[[dict[str, Any]], object], code: Code
) -> None:
    store = played()
    version = store.version_of(T1, type_)
    store.edit(T1, version, change)
    assert code in found(store, version)


def test_what_is_released_twice_is_found() -> None:
    store = played()
    version = store.version_of(T1, RELEASED)
    body = store.body(T1, version) | {"command": "again"}
    store.insert(T1, version + 1, body, "again")
    assert {Code.BAD_CREDITS, Code.NOT_BOOKED} <= found(store)


def test_money_that_went_aside_without_a_word_is_found() -> None:
    store = played()
    store.remove(T1, store.version_of(T1, WITHHELD))
    assert {Code.NOT_BOOKED, Code.BAD_CREDITS, Code.BAD_BOOKS} & found(store)


def test_what_is_released_as_part_of_something_else_is_found() -> None:
    store = played()
    store.join(T1, store.version_of(T1, RELEASED))
    assert Code.OUT_OF_TURN in found(store)
