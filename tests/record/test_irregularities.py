"""An operator with the key, and irregularities: what was found, what followed, who had the cards."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from tests.record.play import COUNTED, KEYS, METHOD_C, REBUILT, T1, play

from punto.record import Code, Finding, audit

Change = Callable[[dict[str, Any]], object]


def signed(text: str, type_: str, nth: int, change: Change | None) -> tuple[int, tuple[Finding, ...]]:
    """The version of an event, and what is found after it was changed, or removed."""
    store = play(text)
    version = store.version_of(T1, type_, nth)
    if change:
        store.edit(T1, version, change)
    else:
        store.remove(T1, version)
    return version, audit(store.sign(KEYS), public_key=KEYS.public).findings


def event(**fields: object) -> Change:
    return lambda body: body["event"].update(fields)


def counted(cents: int) -> Change:
    return lambda body: body["event"]["payments"][0].update(counted_cents=cents)


def give(cents: int, body: dict[str, Any]) -> None:
    body["balance_cents"] = cents


def most(wager: str, cents: int) -> Change:
    return lambda body: body["event"]["limits"][wager].update(max_cents=cents)


def by(name: str, position: str) -> Change:
    return lambda body: body.update(by={"name": name, "position": position, "acting": False})


def at(seconds: int) -> Change:
    return lambda body: body.update(at_ms=body["at_ms"] + 1000 * seconds)


def taken_by(name: str) -> Change:
    def change(body: dict[str, Any]) -> None:
        by(name, "patron")(body)
        body["event"]["patron"] = name

    return change


CHANGES = [
    # custody
    (METHOD_C, "method-chosen", 0, by("pam", "pit-manager"), Code.NOT_ALLOWED),
    (METHOD_C, "areas-restricted", 0, event(most=4), Code.BAD_CUSTODY),
    (METHOD_C, "areas-restricted", 0, event(most=0), Code.BAD_CUSTODY),
    (METHOD_C, "areas-restricted", 0, by("dan", "dealer"), Code.NOT_ALLOWED),
    (METHOD_C, "limits-changed", 0, event(limits={}), Code.BAD_SETUP),
    (METHOD_C, "limits-changed", 0, event(differential_cents=-1), Code.BAD_SETUP),
    (METHOD_C, "limits-changed", 0, most("Tie", 1001), Code.BAD_SETUP),
    (METHOD_C, "wager-placed", 0, event(stake_cents=900), Code.BAD_WAGER),
    (METHOD_C, "limits-changed", 0, by("dan", "dealer"), Code.NOT_ALLOWED),
    (METHOD_C, "drawing-permitted", 0, by("pam", "pit-manager"), Code.NOT_ALLOWED),
    (METHOD_C, "device-taken", 0, taken_by("zed"), Code.BAD_CUSTODY),
    (METHOD_C, "card-drawn", 0, by("bob", "patron"), Code.NOT_ALLOWED),
    (METHOD_C, "card-drawn", 0, by("dan", "dealer"), Code.NOT_ALLOWED),
    (METHOD_C, "cutting-card-came", 0, event(first=False), Code.BAD_SHOE),
    (METHOD_C, "cutting-card-came", 0, event(clause=""), Code.BAD_SHOE),
    (METHOD_C, "hand-passed", 0, by("ann", "patron"), Code.NOT_ALLOWED),
    (METHOD_C, "cards-exposed", 1, by("ann", "patron"), Code.NOT_ALLOWED),
    (METHOD_C, "device-given-up", 0, event(clause="B8 3.11.1"), Code.BAD_CUSTODY),
    (METHOD_C, "device-given-up", 0, event(patron="bob"), Code.BAD_CUSTODY),
    (METHOD_C, "irregularity-found", 0, by("ann", "patron"), Code.NOT_ALLOWED),
    (METHOD_C, "offer-answered", 0, by("bob", "patron"), Code.NOT_ALLOWED),
    # what came late, and what stakes were found to be
    (REBUILT, "wager-placed", 1, event(for_patron=False), Code.BAD_WAGER),
    (REBUILT, "late-wager", 0, event(clause="B8 5.5"), Code.BAD_REMEDY),
    (REBUILT, "late-wager", 0, event(wager="Big Tiger"), Code.BAD_WAGER),
    (REBUILT, "late-wager", 0, event(cents=0), Code.BAD_WAGER),
    (REBUILT, "late-withdrawal", 0, event(number=9), Code.BAD_WAGER),
    (REBUILT, "irregularity-found", 0, event(clause="B8 5.16"), Code.BAD_REMEDY),
    (REBUILT, "stake-found", 0, event(from_cents=9000), Code.BAD_WAGER),
    (REBUILT, "stake-found", 0, event(to_cents=0), Code.BAD_WAGER),
    (REBUILT, "round-settled", 0, counted(15000), Code.BAD_SETTLEMENT),
    (REBUILT, "patron-warned", 0, event(patron="ann"), Code.BAD_REMEDY),
    # cards put in order
    (REBUILT, "settlement-reversed", 0, lambda body: body["event"]["payments"].pop(), Code.BAD_SETTLEMENT),
    (REBUILT, "settlement-reversed", 0, event(round=2), Code.BAD_ROUND),
    (REBUILT, "cards-rebuilt", 0, event(before="5s 4h 3d"), Code.BAD_CARD),
    (REBUILT, "cards-rebuilt", 0, event(cards="5s 3d 4h 5c"), Code.BAD_CARD),
    (REBUILT, "cards-rebuilt", 0, event(cards="5s 3d 4h", surplus="4c"), Code.BAD_CARD),
    (REBUILT, "cards-rebuilt", 0, event(cards="5s 3d 4h 4c 2s"), Code.BAD_CARD),
    (REBUILT, "cards-rebuilt", 0, event(surplus="2x"), Code.BAD_CARD),
    (REBUILT, "cards-rebuilt", 0, event(clause="B8 5.8"), Code.BAD_REMEDY),
    (REBUILT, "order-wanted", 0, event(clause="B8 5.8"), Code.BAD_REMEDY),
    (REBUILT, "order-determined", 0, event(order="Ks 2h"), Code.BAD_CARD),
    (REBUILT, "withdrawal-offered", 0, event(sequel="play-on"), Code.BAD_OFFER),
    (REBUILT, "withdrawal-offered", 0, event(until_ms=0), Code.BAD_OFFER),
    (REBUILT, "withdrawal-offered", 0, event(order=""), Code.BAD_OFFER),
    (REBUILT, "offer-closed", 0, event(silent=[]), Code.BAD_OFFER),
    (REBUILT, "card-drawn", -1, event(card="9h"), Code.BAD_CARD),
    # cards that were carried off
    (COUNTED, "count-begun", 0, event(cards=1), Code.BAD_COUNT),
    (COUNTED, "cards-set-aside", 0, event(cards="4c"), Code.BAD_COUNT),
    (COUNTED, "cards-set-aside", 0, event(cards="4c 4x"), Code.BAD_CARD),
    (COUNTED, "cards-set-aside", 0, by("pam", "pit-manager"), Code.NOT_ALLOWED),
    (COUNTED, "cards-counted", 0, event(missing="2d"), Code.BAD_COUNT),
    (COUNTED, "cards-counted", 0, event(missing="2d 2x"), Code.BAD_COUNT),
    (COUNTED, "cards-counted", 0, event(device="As"), Code.BAD_COUNT),
    (COUNTED, "cards-counted", 0, event(discards="As"), Code.BAD_COUNT),
    (COUNTED, "missing-replaced", 0, event(cards="2d 2h"), Code.BAD_COUNT),
    (COUNTED, "missing-replaced", 0, event(side="banker"), Code.OUT_OF_TURN),
    (COUNTED, "card-drawn", -1, event(card="Th"), Code.BAD_CARD),
]


@pytest.mark.parametrize(
    ("text", "type_", "nth", "change", "code"), CHANGES, ids=[f"{place}-{row[1]}" for place, row in enumerate(CHANGES)]
)
def test_what_cannot_be_is_found_though_it_is_signed(
    text: str, type_: str, nth: int, change: Change, code: Code
) -> None:
    version, found = signed(text, type_, nth, change)
    assert found, "nothing was found"
    assert (found[0].code, found[0].stream, found[0].version) == (code, T1, version), str(found[0])


def test_a_command_of_several_events_was_given_by_one() -> None:
    version, found = signed(REBUILT, "order-wanted", 0, by("pam", "pit-manager"))
    assert (found[0].code, found[0].version) == (Code.BAD_COMMAND, version)


REMOVED = [
    (METHOD_C, "device-given-up", 0, Code.BAD_CUSTODY),
    (METHOD_C, "device-taken", 0, Code.NOT_ALLOWED),
    (METHOD_C, "withdrawal-offered", 0, Code.BAD_REMEDY),
    (REBUILT, "patron-warned", 0, Code.BAD_REMEDY),
    (REBUILT, "stake-found", 0, Code.BAD_REMEDY),
    (REBUILT, "settlement-reversed", 0, Code.OUT_OF_TURN),
    (REBUILT, "cards-rebuilt", 0, Code.BAD_REMEDY),
    (REBUILT, "order-wanted", 0, Code.BAD_REMEDY),
    (REBUILT, "withdrawal-offered", 0, Code.BAD_REMEDY),
    (REBUILT, "offer-closed", 0, Code.BAD_COMMAND),
    (COUNTED, "count-begun", 0, Code.BAD_REMEDY),
    (COUNTED, "missing-replaced", 0, Code.OUT_OF_TURN),
]


@pytest.mark.parametrize(("text", "type_", "nth", "code"), REMOVED, ids=[row[1] for row in REMOVED])
def test_what_had_to_follow_is_missed(text: str, type_: str, nth: int, code: Code) -> None:
    _, found = signed(text, type_, nth, None)
    assert found[0].code is code, str(found[0])


def test_an_offer_is_not_closed_before_its_time() -> None:
    version, found = signed(REBUILT, "offer-closed", 0, at(-1))
    assert (Code.BAD_OFFER, version) in [(each.code, each.version) for each in found]


def test_the_cards_are_replaced_before_the_next_round() -> None:
    store = play(METHOD_C)
    version = store.version_of(T1, "shoe-ended")
    store.remove(T1, version)
    store.remove(T1, version)
    store.edit(T1, version, event(shoe=1))
    found = audit(store.sign(KEYS), public_key=KEYS.public).findings[0]
    assert (found.code, found.version) == (Code.BAD_SHOE, version)


def test_a_debt_is_no_larger_than_the_wallet_was_short() -> None:
    store = play(REBUILT)
    lent = next(entry.version for entry in store.entries["wallet/bob"] if b'"giver":"owed/bob"' in entry.body)
    more = {"cents": 100, "owed_cents": 100}
    store.edit("wallet/bob", lent, lambda body: body.update({key: body[key] + added for key, added in more.items()}))
    found = audit(store.sign(KEYS), public_key=KEYS.public).findings
    assert {Code.NOT_BOOKED, Code.BAD_BOOKS} <= {each.code for each in found}


def test_a_debt_is_made_by_a_reversal_only() -> None:
    store = play(REBUILT)
    version = next(entry.version for entry in store.entries["wallet/ann"] if b'"taker":"escrow/T1"' in entry.body)
    body = store.body("wallet/ann", version)
    store.remove("wallet/ann", version)
    for later in range(version, len(store.entries["wallet/ann"]) + 1):
        more = store.body("wallet/ann", later)["balance_cents"] + body["cents"]
        store.edit("wallet/ann", later, partial(give, more))
    body.update(giver="owed/ann", balance_cents=0)
    store.insert("book/T1", 1, body)
    found = audit(store.sign(KEYS), public_key=KEYS.public).findings
    assert Code.NOT_BOOKED in {each.code for each in found}
