"""An operator with the key: chains and heads hold, and only what they say gives it away."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.record.forgery import Forgery
from tests.record.play import DEALT, KEYS, T1, TERMINALS, VIRTUAL, play

from punto.proof.heads import certificate_row, head_row, read_head
from punto.proof.writers import Writer, fresh_writer
from punto.record import Code, Finding, audit
from punto.store.chain import link, start
from punto.store.contract import Entry, Row, Tip

Change = Callable[[dict[str, Any]], object]


def signed(store: Forgery) -> tuple[Finding, ...]:
    findings = audit(store.sign(KEYS), public_key=KEYS.public).findings
    assert findings, "nothing was found"
    return findings


def event(**fields: object) -> Change:
    """Give fields of an event other values."""
    return lambda body: body["event"].update(fields)


def payment(place: int = 0, **fields: object) -> Change:
    """Give fields of a payment other values."""
    return lambda body: body["event"]["payments"][place].update(fields)


def setup(**fields: object) -> Change:
    """Give fields of a setup other values."""
    return lambda body: body["event"]["setup"].update(fields)


def by(name: str, position: str) -> Change:
    """Let somebody else have done it."""
    return lambda body: body.update(by={"name": name, "position": position, "acting": False})


def test_a_head_that_calls_itself_by_another_number_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = fresh_writer(KEYS.signing, 1)
    monkeypatch.setattr("tests.record.forgery.fresh_writer", lambda *_: writer)
    store = play().sign(KEYS)
    before, last = store.entries[store.heads][-2:]
    head = read_head(last.body)
    row = Entry._make(head_row(writer, Tip(before.version + 7, before.hash), head.statement.at_ms, head.moved))
    hash_ = link(before.hash, store.heads, last.version, None, row.body)
    store.entries[store.heads][-1] = last._replace(body=row.body, hash=hash_)
    [found] = audit(store, public_key=KEYS.public).findings
    assert (found.code, found.stream, found.version) == (Code.BAD_HEAD, store.heads, last.version)
    assert found.said == f"head {last.version} calls itself {last.version + 7} of writer {writer.name}"


def test_a_writer_that_did_not_join_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def unjoined(writer: Writer, at_ms: int, _: Tip) -> list[Row]:
        first = certificate_row(writer, start(writer.stream))
        return [first, head_row(writer, Tip(first[1], first[4]), at_ms, {})]

    monkeypatch.setattr("tests.record.forgery.joining_rows", unjoined)
    store = play().sign(KEYS)
    [found] = audit(store, public_key=KEYS.public).findings
    assert (found.code, found.stream, found.version) == (Code.BAD_HEAD, store.heads, 2)
    assert found.said == "the first head of a writer must name the checkpoint after which it joined"


# What is changed in which event of which play, and what is found there first.
CHANGES = [
    # the table
    (TERMINALS, "table-opened", 0, setup(digest="0" * 64), Code.BAD_SETUP),
    (TERMINALS, "table-opened", 0, setup(version=3), Code.BAD_SETUP),
    (TERMINALS, "table-opened", 0, setup(decks=3), Code.BAD_SETUP),
    (TERMINALS, "table-opened", 0, setup(unit_cents=1), Code.BAD_SETUP),
    (TERMINALS, "table-opened", 0, setup(unit_cents=0), Code.BAD_SETUP),
    (TERMINALS, "table-opened", 0, setup(differential_cents=100), Code.BAD_SETUP),
    (TERMINALS, "table-opened", 0, setup(game="tigger"), Code.BAD_SETUP),
    (DEALT, "table-opened", 0, setup(layout="Z"), Code.BAD_SETUP),
    (DEALT, "table-opened", 0, setup(positions=8), Code.BAD_SETUP),
    (DEALT, "table-opened", 0, setup(method="C"), Code.BAD_SETUP),
    (TERMINALS, "table-opened", 0, lambda body: body.update(at_ms=0), Code.BAD_SETUP),
    (TERMINALS, "table-opened", 0, by("dan", "dealer"), Code.NOT_ALLOWED),
    # who did it
    (TERMINALS, "bets-opened", 0, by("ann", "patron"), Code.NOT_ALLOWED),
    (TERMINALS, "wager-placed", 0, by("bob", "patron"), Code.NOT_ALLOWED),
    (TERMINALS, "wager-placed", 0, by("dan", "dealer"), Code.NOT_ALLOWED),
    (TERMINALS, "wager-placed", 0, by("clock", "system"), Code.NOT_ALLOWED),
    (DEALT, "bets-closed", 0, by("clock", "system"), Code.NOT_ALLOWED),
    (DEALT, "card-drawn", 0, by("ann", "patron"), Code.NOT_ALLOWED),
    (DEALT, "wager-removed", 0, by("dan", "dealer"), Code.NOT_ALLOWED),
    (DEALT, "cards-exposed", 0, by("bob", "patron"), Code.NOT_ALLOWED),
    (DEALT, "cards-accepted", 0, by("bob", "patron"), Code.NOT_ALLOWED),
    (VIRTUAL, "ruled", 0, by("pam", "pit-manager"), Code.NOT_ALLOWED),
    (VIRTUAL, "shoe-ended", 0, by("dan", "dealer"), Code.NOT_ALLOWED),
    (TERMINALS, "credits-corrected", 0, by("dan", "dealer"), Code.NOT_ALLOWED),
    (TERMINALS, "credits-corrected", 0, by("pam", "pit-manager"), Code.NOT_ALLOWED),
    (TERMINALS, "credits-corrected", 0, event(approved_by={"name": "dan", "position": "dealer"}), Code.NOT_ALLOWED),
    # the round and its wagers
    (TERMINALS, "bets-opened", 1, event(round=3), Code.BAD_ROUND),
    (TERMINALS, "bets-opened", 0, event(digest="0" * 64), Code.BAD_ROUND),
    (TERMINALS, "bets-opened", 0, event(announced="Faites vos jeux"), Code.BAD_ANNOUNCEMENT),
    (TERMINALS, "bets-closed", 0, event(clause="EB4 3.1"), Code.BAD_ANNOUNCEMENT),
    (TERMINALS, "wager-placed", 0, event(number=2), Code.BAD_WAGER),
    (TERMINALS, "wager-placed", 0, event(stake_cents=5050), Code.BAD_WAGER),
    (TERMINALS, "wager-placed", 0, event(stake_cents=-5000), Code.BAD_WAGER),
    (TERMINALS, "wager-placed", 0, event(stake_cents=10_000_000), Code.BAD_WAGER),
    (TERMINALS, "wager-placed", 0, event(wager="Small Tiger"), Code.BAD_WAGER),
    (TERMINALS, "wager-placed", 0, event(position=1000), Code.BAD_WAGER),
    (TERMINALS, "wager-placed", 1, event(wager="Banker"), Code.BAD_WAGER),
    (TERMINALS, "wager-placed", 2, event(position=1), Code.BAD_WAGER),
    (TERMINALS, "wager-changed", 0, event(from_cents=1000), Code.BAD_WAGER),
    (TERMINALS, "wager-changed", 0, event(to_cents=0), Code.BAD_WAGER),
    (DEALT, "differential-exceeded", 0, event(excess_cents=1), Code.BAD_DIFFERENTIAL),
    (DEALT, "differential-exceeded", 0, event(heavier="banker"), Code.BAD_DIFFERENTIAL),
    (DEALT, "wager-removed", 0, event(to_cents=500), Code.BAD_WAGER),
    # cards
    (TERMINALS, "card-drawn", 1, event(side="player"), Code.BAD_CARD),
    (TERMINALS, "card-drawn", 1, event(card="2f"), Code.BAD_CARD),
    (TERMINALS, "card-drawn", 1, event(card=""), Code.BAD_CARD),
    (TERMINALS, "card-drawn", 1, event(card="1h"), Code.BAD_CARD),
    (TERMINALS, "totals-announced", 0, event(player=4), Code.BAD_ANNOUNCEMENT),
    (TERMINALS, "outcome-announced", 0, event(winner="player"), Code.BAD_ANNOUNCEMENT),
    (DEALT, "card-drawn", 0, event(up=True), Code.BAD_CUSTODY),
    (DEALT, "cards-exposed", 0, event(cards="Ks 9h"), Code.BAD_CARD),
    (DEALT, "cards-offered", 0, event(patron="bob"), Code.BAD_CUSTODY),
    (VIRTUAL, "card-drawn", 2, event(card="7*"), Code.BAD_CARD),
    (VIRTUAL, "shoe-ended", 0, event(salt="pepper"), Code.BAD_SHOE),
    (VIRTUAL, "shoe-loaded", 0, event(commitment=""), Code.BAD_SHOE),
    (DEALT, "shoe-loaded", 0, event(shoe=2), Code.BAD_SHOE),
    # settlements
    (TERMINALS, "round-settled", 0, payment(won_cents=2501, paid_cents=7501), Code.BAD_SETTLEMENT),
    (TERMINALS, "round-settled", 0, payment(result="lose"), Code.BAD_SETTLEMENT),
    (TERMINALS, "round-settled", 0, payment(clause="EB4 4.2"), Code.BAD_SETTLEMENT),
    (TERMINALS, "round-settled", 0, payment(counted_cents=1), Code.BAD_SETTLEMENT),
    (TERMINALS, "round-settled", 0, lambda body: body["event"]["payments"].pop(), Code.BAD_SETTLEMENT),
    (TERMINALS, "round-settled", 0, lambda body: body["event"]["payments"].reverse(), Code.BAD_SETTLEMENT),
    # irregularities
    (DEALT, "irregularity-found", 0, event(clause="B8 5.17.2"), Code.BAD_REMEDY),
    (DEALT, "irregularity-found", 0, event(remedy="void"), Code.BAD_REMEDY),
    (DEALT, "withdrawal-offered", 0, event(wagers=[1, 2]), Code.BAD_OFFER),
    (DEALT, "withdrawal-offered", 0, event(whole=False), Code.BAD_OFFER),
    (DEALT, "withdrawal-offered", 0, event(patrons=["ann"]), Code.BAD_OFFER),
    (DEALT, "wager-withdrawn", 0, event(cents=1), Code.BAD_WAGER),
    (DEALT, "offer-closed", 0, event(silent=["ann"]), Code.BAD_OFFER),
    (DEALT, "round-voided", 0, event(clause="B8 5.2"), Code.BAD_REMEDY),
    (DEALT, "round-voided", 0, event(replace=True), Code.BAD_REMEDY),
    (DEALT, "round-voided", 0, event(proposed=False), Code.BAD_REMEDY),
    (DEALT, "round-voided", 0, event(returns=[]), Code.BAD_RETURN),
    (
        DEALT,
        "round-voided",
        0,
        lambda body: body["event"]["returns"].append(body["event"]["returns"][0]),
        Code.BAD_RETURN,
    ),
    (DEALT, "round-voided", 0, lambda body: body["event"]["returns"][0].update(cents=1), Code.BAD_RETURN),
    (VIRTUAL, "ruled", 0, event(reason=" "), Code.BAD_RULING),
    # money
    (TERMINALS, "credits-bought", 0, event(cents=0), Code.BAD_CREDITS),
    (TERMINALS, "credits-bought", 0, event(position=0), Code.BAD_CREDITS),
    (TERMINALS, "credits-bought", 0, event(cents=100_001), Code.NOT_BOOKED),
    (TERMINALS, "credits-corrected", 0, event(reason=""), Code.BAD_CREDITS),
]


@pytest.mark.parametrize(
    ("text", "type_", "nth", "change", "code"), CHANGES, ids=[f"{place}-{row[1]}" for place, row in enumerate(CHANGES)]
)
def test_an_event_that_cannot_be_is_found_though_it_is_signed(
    text: str, type_: str, nth: int, change: Change, code: Code
) -> None:
    store = play(text)
    version = store.version_of(T1, type_, nth)
    store.edit(T1, version, change)
    found = signed(store)[0]
    assert (found.code, found.stream, found.version) == (code, T1, version), str(found)


# What is changed, and the later event that gives it away.
LATER = [
    (TERMINALS, "card-drawn", 3, event(card="5c"), "totals-announced", Code.BAD_ANNOUNCEMENT),
    (VIRTUAL, "shoe-cut", 0, event(cards=61), "shoe-ended", Code.BAD_SHOE),
    (VIRTUAL, "card-drawn", 0, event(up=True, card="As"), "shoe-ended", Code.BAD_SHOE),
    (VIRTUAL, "ruled", 0, event(ruling="continue"), "round-voided", Code.BAD_REMEDY),
    (TERMINALS, "wager-placed", 0, event(wager="Player"), "round-settled", Code.BAD_SETTLEMENT),
    (TERMINALS, "wager-placed", 0, event(patron="cho"), "round-settled", Code.BAD_SETTLEMENT),
]


@pytest.mark.parametrize(("text", "type_", "nth", "change", "later", "code"), LATER, ids=[row[1] for row in LATER])
def test_an_event_that_can_be_is_given_away_by_what_follows(
    text: str, type_: str, nth: int, change: Change, later: str, code: Code
) -> None:
    store = play(text)
    store.edit(T1, store.version_of(T1, type_, nth), change)
    found = [(each.code, each.version) for each in signed(store)]
    assert (code, store.version_of(T1, later)) in found


def test_a_cent_too_much_is_found_though_wallets_and_books_agree_with_it() -> None:
    store = play()
    version = store.version_of(T1, "round-settled")
    store.edit(T1, version, payment(won_cents=2501, paid_cents=7501))
    won = next(e.version for e in store.entries["wallet/ann"] if b"house/T1" in e.body)
    store.edit("wallet/ann", won, lambda body: body.update(cents=body["cents"] + 1))
    for later in range(won, len(store.entries["wallet/ann"]) + 1):
        store.edit("wallet/ann", later, lambda body: body.update(balance_cents=body["balance_cents"] + 1))
    found = signed(store)
    assert [(each.code, each.version) for each in found] == [(Code.BAD_SETTLEMENT, version)]


def test_a_card_that_comes_once_too_often_is_found() -> None:
    store = play()
    drawn = [store.version_of(T1, "card-drawn", nth) for nth in range(5)]
    for version in drawn:
        store.edit(T1, version, event(card="As"))
    found = next(each for each in signed(store) if each.code is Code.BAD_CARD)
    assert (found.version, found.said) == (drawn[4], "As came 5 times out of 4 decks")


def test_a_wager_after_the_close_is_found() -> None:
    store = play()
    version = store.version_of(T1, "bets-closed") + 1
    late = store.body(T1, store.version_of(T1, "wager-placed", 2))
    late.update(command="late", at_ms=store.body(T1, version - 1)["at_ms"])
    late["event"].update(number=4, wager="Tie")
    store.insert(T1, version, late, "late")
    found = signed(store)[0]
    assert (found.code, found.version) == (Code.OUT_OF_TURN, version)


def test_a_time_that_runs_backwards_is_found() -> None:
    store = play()
    version = store.version_of(T1, "bets-closed")
    store.edit(T1, version, lambda body: body.update(at_ms=body["at_ms"] - 3_600_000))
    found = signed(store)[0]
    assert (found.code, found.version) == (Code.BAD_COMMAND, version)


def test_two_events_that_changed_places_are_found() -> None:
    store = play()
    version = store.version_of(T1, "bets-closed")
    store.swap(T1, version)
    assert (signed(store)[0].code, signed(store)[0].version) == (Code.OUT_OF_TURN, version)


def test_an_event_that_was_removed_is_found() -> None:
    store = play()
    version = store.version_of(T1, "card-drawn", 2)
    store.remove(T1, version)
    assert (signed(store)[0].code, signed(store)[0].version) == (Code.BAD_CARD, version)


def test_what_should_have_followed_is_missed() -> None:
    store = play(DEALT)
    version = store.version_of(T1, "differential-exceeded")
    store.remove(T1, version)
    assert signed(store)[0].code is Code.BAD_DIFFERENTIAL


def test_a_wallet_that_goes_below_nothing_is_found() -> None:
    store = play()
    version = store.version_of(T1, "credits-cashed-out")
    store.edit(T1, version, event(cents=200_000))
    last = len(store.entries["wallet/ann"]) - 1
    held = store.body("wallet/ann", last - 1)["balance_cents"]
    store.edit("wallet/ann", last, lambda body: body.update(cents=200_000, balance_cents=held - 200_000))
    store.edit("wallet/ann", last + 1, lambda body: body.update(balance_cents=held - 205_000))
    found = signed(store)[0]
    assert (found.code, found.stream, found.version) == (Code.NEGATIVE_BALANCE, "wallet/ann", last)


def test_a_balance_that_does_not_run_is_found() -> None:
    store = play()
    store.edit("wallet/bob", 2, lambda body: body.update(balance_cents=body["balance_cents"] + 1))
    found = signed(store)[0]
    assert (found.code, found.stream, found.version) == (Code.BAD_BALANCE, "wallet/bob", 2)


def test_a_transfer_that_no_event_calls_for_is_found() -> None:
    store = play()
    gift = store.body("wallet/bob", 1)
    gift.update(command="gift", giver="house/T1", cents=1, balance_cents=gift["balance_cents"] + 1)
    store.insert("wallet/bob", 2, gift)
    found = signed(store)
    assert (found[0].code, found[0].stream, found[0].version) == (Code.NOT_BOOKED, "wallet/bob", 2)
    assert (found[1].code, found[1].stream, found[1].version) == (Code.BAD_BALANCE, "wallet/bob", 3)
    assert Code.BAD_BOOKS in {each.code for each in found}


def test_a_transfer_that_was_not_booked_is_found() -> None:
    store = play()
    store.remove("book/T1", 1)
    found = signed(store)
    assert found[0].code is Code.NOT_BOOKED
    assert "escrow/T1 to house/T1" in found[0].said


def test_stakes_left_in_escrow_after_a_round_are_found() -> None:
    store = play()
    version = store.version_of(T1, "round-settled")
    store.edit(T1, version, lambda body: body["event"]["payments"].clear())
    codes = {each.code for each in signed(store)}
    assert Code.BAD_SETTLEMENT in codes
    assert Code.NOT_BOOKED in codes
