"""The audit applies the second edition of the register by itself, and judges older logs by the rules of their day."""

from typing import Any

import pytest
from tests.marks import interpretation
from tests.record.forgery import Forgery
from tests.record.play import KEYS, T1, VIRTUAL, play

from punto.record import Code, Finding, audit

# A card too many that nobody has seen; then the next round, in which it comes.
SURPLUS = """
{"by": "pit-manager pam", "do": "open-table", "setup": {"game": "7-up", "decks": 4}}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 30000, "position": 1}
{"by": "dealer dan", "do": "open-bets"}
{"by": "dealer dan", "do": "close-bets"}
{"by": "dealer dan", "draw": "Ts Kh 6d"}
{"by": "dealer dan", "do": "report-order", "found": "wrong-number", "player": "Kh ?", "banker": "Ts 6d",
 "order": "Ts Kh 6d ?"}
{"by": "dealer dan", "do": "open-bets"}
{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Super 7's", "stake_cents": 1000, "position": 1}
{"by": "dealer dan", "do": "close-bets"}
{"by": "dealer dan", "draw": "7c 2h Kd"}
"""
# A seven is seen between two rounds, and a Gaming Shift Manager has it burnt.
FACE_UP = """
{"by": "pit-manager pam", "do": "open-table", "setup": {"game": "7-up", "decks": 4}}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "dealer dan", "do": "report-cards", "found": "face-up-in-device", "cards": "7h"}
{"by": "gaming-shift-manager gus", "do": "rule", "ruling": "continue", "reason": "everybody saw it"}
{"by": "dealer dan", "do": "open-bets"}
{"by": "dealer dan", "do": "close-bets"}
{"by": "dealer dan", "draw": "7c 2h Kd"}
"""
# A paid round that is put in order, and one that a Gaming Shift Manager voids.
PAID = """
{"by": "pit-manager pam", "do": "open-table", "setup": {"game": "baccarat", "decks": 4}}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 30000, "position": 1}
{"by": "dealer dan", "do": "open-bets"}
{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Player", "stake_cents": 1000, "position": 1}
{"by": "dealer dan", "do": "close-bets"}
{"by": "dealer dan", "draw": "Ks 2h 9d 5c"}
{"by": "dealer dan", "do": "announce"}
{"by": "dealer dan", "do": "settle"}
{"by": "dealer dan", "do": "refer", "matter": "two cards came at once"}
{"by": "gaming-shift-manager gus", "do": "rule", "ruling": "void", "reason": "nobody can tell their order"}
"""
# The contents of the shoe are in doubt, and counted.
COUNTED = """
{"by": "pit-manager pam", "do": "open-table", "setup": {"game": "baccarat", "decks": 4}}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "dealer dan", "do": "open-bets"}
{"by": "dealer dan", "do": "report-cards", "found": "missing-cards"}
{"by": "pit-manager pam", "do": "keep-shoe", "reason": "it lay under the table", "counted": 208}
{"by": "dealer dan", "do": "open-bets"}
"""
# Terminals fail, and come back.
DOWN = """
{"by": "pit-manager pam", "do": "open-table", "setup": {"game": "tiger", "decks": 4}}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 30000, "position": 1}
{"by": "dealer dan", "do": "open-bets"}
{"by": "dealer dan", "do": "report-interruption", "terminals": [2]}
{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Tie", "stake_cents": 2000, "position": 1}
{"by": "dealer dan", "do": "close-bets"}
{"by": "dealer dan", "do": "restore-terminals", "terminals": [2]}
"""


def found_in(store: Forgery) -> list[Finding]:
    return list(audit(store.sign(KEYS), public_key=KEYS.public).findings)


def edited(text: str, type_: str, nth: int = 0, /, **fields: Any) -> list[Finding]:  # noqa: ANN401
    """What is found after fields of an event were changed."""
    store = play(text)
    store.edit(T1, store.version_of(T1, type_, nth), lambda body: body["event"].update(fields))
    return found_in(store)


@pytest.mark.parametrize("text", [SURPLUS, FACE_UP, PAID, COUNTED, DOWN, VIRTUAL])
def test_what_the_floor_writes_is_clean(text: str) -> None:
    assert found_in(play(text)) == []


@interpretation(23)
def test_a_seen_card_that_decides_later_wagers_is_found() -> None:
    version = play(SURPLUS).version_of(T1, "bets-opened", 1)
    found = edited(SURPLUS, "cards-rebuilt", 0, unseen=[])
    assert [(each.code, each.version) for each in found] == [(Code.SEEN_CARD, version)]


@interpretation(23)
def test_a_card_that_lay_open_cannot_be_called_unseen() -> None:
    text = (
        SURPLUS.replace('"Kh ?"', '"Kh 7c"')
        .replace('"Ts Kh 6d ?"', '"Ts Kh 6d 7c"')
        .replace(
            '{"by": "dealer dan", "do": "open-bets"}\n{"by": "patron ann"',
            '{"by": "gaming-shift-manager gus", "do": "rule", "ruling": "continue", "reason": "x", "play": "7c"}\n'
            '{"by": "dealer dan", "do": "open-bets"}\n{"by": "patron ann"',
        )
    )
    assert found_in(play(text)) == []
    codes = {each.code for each in edited(text, "ruled", 0, played="", burnt="")}
    assert Code.SEEN_CARD in codes


@interpretation(23, 25)
def test_a_card_seen_between_rounds_that_is_neither_burnt_nor_allowed_is_found() -> None:
    assert Code.SEEN_CARD in {each.code for each in edited(FACE_UP, "ruled", 0, burnt="")}
    assert Code.SEEN_CARD in {each.code for each in edited(FACE_UP, "ruled", 0, burnt="9c")}
    assert Code.BAD_RULING in {each.code for each in edited(FACE_UP, "ruled", 0, burnt="?")}
    assert Code.BAD_RULING in {each.code for each in edited(FACE_UP, "ruled", 0, played="9c")}


@interpretation(43)
def test_a_paid_round_that_was_voided_on_the_word_of_a_dealer_is_found() -> None:
    store = play(PAID)
    ruled = store.version_of(T1, "ruled")
    clause = "B8 5.8.2.1"
    store.edit(T1, ruled - 1, lambda body: body.update(event=together(clause, "void")))
    store.edit(T1, ruled + 1, lambda body: body.update(by={"name": "dan", "position": "dealer", "acting": False}))
    store.edit(T1, ruled + 2, lambda body: body["event"].update(clause=clause, found="drawn-together"))
    store.remove(T1, ruled)
    codes = {each.code for each in found_in(store)}
    assert {Code.BAD_REMEDY, Code.PAID_ROUND} <= codes


def together(clause: str, remedy: str) -> dict[str, Any]:
    found = {"type": "irregularity-found", "found": "drawn-together", "remedy": remedy, "clause": clause, "note": ""}
    return {**found, "together": [3, 4], "cards": "", "deferred": False}


@interpretation(43)
def test_a_void_of_the_coming_round_does_not_touch_the_paid_one() -> None:
    assert Code.BAD_REMEDY in {each.code for each in edited(PAID, "ruled", 0, ruling="continue")}
    assert Code.BAD_REMEDY in {each.code for each in edited(PAID, "ruled", 0, round=2)}


@interpretation(32)
def test_a_shoe_that_was_cut_after_bets_had_opened_is_found() -> None:
    store = play(VIRTUAL)
    cut = store.version_of(T1, "shoe-cut")
    store.swap(T1, cut)
    [found] = [each for each in found_in(store) if each.code is Code.BAD_SHOE]
    assert (found.version, found.said) == (cut + 1, "the shoe was cut after bets had opened on it")


@interpretation(17)
def test_cards_in_doubt_that_were_not_counted_are_found() -> None:
    assert Code.BAD_COUNT in {each.code for each in edited(COUNTED, "shoe-kept", 0, counted=None)}
    assert Code.BAD_COUNT in {each.code for each in edited(COUNTED, "shoe-kept", 0, counted=207)}
    assert Code.BAD_RULING in {each.code for each in edited(COUNTED, "shoe-kept", 0, reason=" ")}
    store = play(COUNTED)
    store.remove(T1, store.version_of(T1, "shoe-kept"))
    assert Code.BAD_SHOE in {each.code for each in found_in(store)}


@interpretation(15)
def test_a_terminal_that_was_down_and_wagered_is_found() -> None:
    assert Code.BAD_WAGER in {each.code for each in edited(DOWN, "terminals-failed", 0, terminals=[1, 2])}
    assert Code.BAD_ROUND in {each.code for each in edited(DOWN, "bets-closed", 0, not_shown_at=[])}
    assert Code.BAD_REMEDY in {each.code for each in edited(DOWN, "terminals-restored", 0, terminals=[3])}


def test_the_same_log_is_judged_by_the_rules_of_its_day() -> None:
    store = play(SURPLUS)
    store.edit(T1, store.version_of(T1, "cards-rebuilt"), lambda body: body["event"].update(unseen=[]))
    store.edit(T1, store.version_of(T1, "table-opened"), lambda body: body["event"]["setup"].update(readings=0))
    for nth in (0, 1):
        store.edit(T1, store.version_of(T1, "bets-opened", nth), lambda body: body["event"].update(readings=0))
    assert found_in(store) == []
