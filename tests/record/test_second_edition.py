"""The audit applies the second edition of the register by itself, and judges older logs by the rules of their day."""

import json
from functools import partial
from typing import Any

import pytest
from tests.marks import interpretation
from tests.record.forgery import Forgery
from tests.record.play import KEYS, METHOD_C, T1, VIRTUAL, play

from punto.record import Code, Finding, audit
from punto.rules import Found
from punto.table import misdeals

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


def without_edition(text: str, rounds: int) -> Forgery:
    """The same log, as if nobody had counted editions yet."""
    store = play(text)
    store.edit(T1, store.version_of(T1, "table-opened"), lambda body: body["event"]["setup"].update(readings=0))
    for nth in range(rounds):
        store.edit(T1, store.version_of(T1, "bets-opened", nth), lambda body: body["event"].update(readings=0))
    return store


def test_the_same_log_is_judged_by_the_rules_of_its_day() -> None:
    store = without_edition(SURPLUS, 2)
    store.edit(T1, store.version_of(T1, "cards-rebuilt"), lambda body: body["event"].update(unseen=[]))
    report = audit(store.sign(KEYS), public_key=KEYS.public)
    assert (report.findings, report.counts.rounds, report.counts.rounds_before_second) == ((), 2, 2)


def _set_up(fields: dict[str, Any], body: dict[str, Any]) -> None:
    body["event"]["setup"].update(fields)


def test_a_log_that_leaves_its_edition_out_gains_nothing() -> None:
    store = without_edition(FACE_UP, 1)
    store.edit(T1, store.version_of(T1, "ruled"), lambda body: body["event"].update(burnt=""))
    assert Code.SEEN_CARD in {each.code for each in found_in(store)}
    for edition in (1, 99):
        store, named = play(PAID), {"readings": edition}
        store.edit(T1, 1, partial(_set_up, named))
        assert Code.BAD_SETUP in {each.code for each in found_in(store)}
    assert [each.code for each in edited(PAID, "bets-opened", 0, readings=0)] == [Code.BAD_SETUP]


# What a crooked floor would write

SEEN = FACE_UP.replace('saw it"', 'saw it", "play": "7h"').replace('"7c 2h Kd"', '"7h 2h Kd"')
UNPAID = PAID.replace('{"by": "dealer dan", "do": "settle"}\n', "")
LAST = """
{"by": "pit-manager pam", "do": "open-table", "setup": {"game": "tiger", "decks": 4}}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "dealer dan", "do": "open-bets"}
{"by": "dealer dan", "do": "close-bets"}
{"by": "dealer dan", "do": "show-cutting-card"}
{"by": "dealer dan", "draw": "Ks 2h 9d 5c"}
{"by": "dealer dan", "do": "refer", "matter": "one more"}
{"by": "gaming-shift-manager gus", "do": "rule", "ruling": "continue", "reason": "y", "shoe": "keep"}
{"by": "dealer dan", "do": "open-bets"}
"""
# Bets are closed on Player and on Player Pair.
CLOSED = """
{"by": "pit-manager pam", "do": "open-table", "setup": {"game": "baccarat", "decks": 4}}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 30000, "position": 1}
{"by": "dealer dan", "do": "open-bets"}
{"by": "dealer dan", "do": "place-wager", "patron": "ann", "wager": "Player", "stake_cents": 3000, "position": 1}
{"by": "dealer dan", "do": "place-wager", "patron": "ann", "wager": "Player Pair", "stake_cents": 1000, "position": 1}
{"by": "dealer dan", "do": "attest", "act": "patron-asked", "wager": 2}
{"by": "dealer dan", "do": "close-bets"}
"""
ANNOUNCED = (
    CLOSED
    + """
{"by": "dealer dan", "draw": "Ks 2h 9d 5c"}
{"by": "dealer dan", "do": "announce"}
{"by": "dealer dan", "do": "refer", "matter": "ann is upset"}
"""
)
TOGETHER = (
    CLOSED
    + """
{"by": "dealer dan", "draw": "Ks 2h Kd 5c"}
{"by": "dealer dan", "do": "report-order", "found": "drawn-together", "together": [1, 2], "player": "Ks Kd",
 "banker": "2h 5c", "order": "Ks 2h Kd 5c"}
"""
)


@interpretation(46)
@pytest.mark.parametrize(("text", "joined"), [(SEEN, 1), (UNPAID, 2), (PAID, 3), (LAST, 1)])
def test_a_dealer_who_rules_in_the_command_of_the_report_is_found(text: str, joined: int) -> None:
    assert found_in(play(text)) == []
    store = play(text)
    ruled = store.version_of(T1, "ruled")
    for version in range(ruled, ruled + joined):
        store.join(T1, version)
    found = {each.code: each.said for each in found_in(store) if each.version == ruled}
    assert "is an act of its own" in found[Code.OUT_OF_TURN]
    assert found.keys() <= {Code.OUT_OF_TURN, Code.ONE_PERSON_TWICE}


@interpretation(43)
def test_a_paid_round_is_not_undone_for_what_undoes_nothing() -> None:
    store = play(PAID)
    ruled = store.version_of(T1, "ruled")
    wrong = {"type": "irregularity-found", "found": "display-wrong", "remedy": "cards-stand", "clause": "B8 6.3"}
    store.edit(T1, ruled - 1, lambda body: body.update(event=wrong))
    store.remove(T1, ruled)
    store.chain()
    for version in (ruled, ruled + 1):
        store.join(T1, version)
    assert {(each.code, each.version) for each in found_in(store)} == {
        (Code.PAID_ROUND, ruled),
        (Code.BAD_REMEDY, ruled + 1),
    }


@interpretation(23, 48)
def test_a_card_that_was_named_in_the_report_cannot_be_called_unseen() -> None:
    store = play(SURPLUS)
    rebuilt = store.version_of(T1, "cards-rebuilt")
    store.edit(T1, rebuilt, lambda body: body["event"].update(surplus="7c"))
    reported = store.version_of(T1, "irregularity-found")
    store.edit(T1, reported, lambda body: body["event"].update(note="Kh 7c | Ts 6d"))
    assert (Code.SEEN_CARD, rebuilt) in {(each.code, each.version) for each in found_in(store)}


@interpretation(23, 48)
def test_a_card_that_lay_face_down_and_was_named_cannot_be_called_unseen() -> None:
    text = (
        CLOSED.replace('"decks": 4', '"decks": 4, "method": "A"')
        + """
{"by": "dealer dan", "draw": "Ks 2h 9d 5c"}
{"by": "dealer dan", "do": "report-order", "found": "wrong-number", "player": "Ks 9d", "banker": "2h 8c 5c",
 "order": "Ks 2h 9d 8c 5c"}
"""
    )
    assert found_in(play(text)) == []
    found = edited(text, "cards-rebuilt", 0, unseen=[1])
    assert [each.code for each in found] == [Code.SEEN_CARD]


@interpretation(48)
def test_a_card_in_the_hands_of_a_patron_cannot_be_called_unseen() -> None:
    text = (
        CLOSED.replace('"decks": 4', '"decks": 4, "method": "A"')
        + """
{"by": "dealer dan", "draw": "Ks 2h 9d 5c"}
{"by": "patron ann", "do": "accept-cards", "patron": "ann", "side": "player"}
{"by": "dealer dan", "do": "choose-first", "side": "player"}
{"by": "dealer dan", "do": "report-order", "found": "wrong-number", "player": "Ks 9d ?", "banker": "2h 5c",
 "order": "Ks 2h 9d 5c ?"}
"""
    )
    assert found_in(play(text)) == []
    assert Code.SEEN_CARD in {each.code for each in edited(text, "cards-rebuilt", 0, unseen=[1])}


@interpretation(23, 25)
@pytest.mark.parametrize("cards", ["?", "7h ?"])
def test_a_card_seen_in_the_device_that_nobody_named_was_seen_all_the_same(cards: str) -> None:
    store = play(FACE_UP)
    store.edit(T1, store.version_of(T1, "referred"), lambda body: body["event"].update(cards=cards))
    store.edit(T1, store.version_of(T1, "ruled"), lambda body: body["event"].update(burnt=cards.rstrip(" ?")))
    assert [each.code for each in found_in(store)] == [Code.SEEN_CARD]


@interpretation(43)
def test_a_decision_that_does_not_name_its_round_and_its_matter_is_found() -> None:
    for fields in ({"round": 0}, {"matter": 0}):
        assert Code.PAID_ROUND not in {each.code for each in edited(PAID, "ruled", 0, **fields)}
        assert {each.code for each in edited(PAID, "ruled", 0, **fields)} & {Code.BAD_RULING, Code.OUT_OF_TURN}
    assert Code.BAD_RULING in {each.code for each in edited(PAID, "referred", 0, number=0, round=0)}
    store = play(PAID)
    store.edit(T1, store.version_of(T1, "referred"), lambda body: body["event"].update(round=2))
    assert Code.BAD_RULING in {each.code for each in found_in(store)}


def test_a_report_that_was_kept_and_never_taken_up_is_found() -> None:
    text = (
        ANNOUNCED
        + """
{"by": "dealer dan", "do": "report-order", "found": "drawn-together", "together": [3, 4], "player": "Ks 9d",
 "banker": "2h 5c", "order": "Ks 2h 9d 5c"}
{"by": "gaming-shift-manager gus", "do": "rule", "ruling": "continue", "reason": "it is nothing"}
"""
    )
    assert found_in(play(text)) == []
    store = play(text)
    ruled = store.version_of(T1, "ruled")
    store.cut(T1, ruled)
    assert (Code.BAD_REMEDY, ruled) in {(each.code, each.version) for each in found_in(store)}


def test_cards_that_were_put_in_order_without_a_report_are_found() -> None:
    text = (
        CLOSED
        + """
{"by": "dealer dan", "draw": "Ks 2h 9d 5c"}
{"by": "dealer dan", "do": "report-order", "found": "wrong-order", "player": "Ks 5c", "banker": "2h 9d",
 "order": "Ks 2h 5c 9d"}
"""
    )
    store = play(text)
    rebuilt = store.version_of(T1, "cards-rebuilt") - 1
    store.remove(T1, rebuilt)
    store.chain()
    store.join(T1, rebuilt)
    assert (Code.BAD_REMEDY, rebuilt) in {(each.code, each.version) for each in found_in(store)}


def test_a_matter_has_no_consequence_in_a_later_command() -> None:
    text = (
        CLOSED
        + """
{"by": "dealer dan", "draw": "Ks 2h 9d 5c"}
{"by": "dealer dan", "do": "report-order", "found": "wrong-order", "player": "Ks 5c", "banker": "2h 9d",
 "order": "Ks 2h 5c 9d"}
{"by": "dealer dan", "do": "announce"}
"""
    )
    store = play(text)
    rebuilt = store.body(T1, store.version_of(T1, "cards-rebuilt"))["event"]
    last = len(store.entries[T1])
    again = rebuilt | {"before": rebuilt["cards"], "cards": "Ks 5c 2h 9d"}
    store.insert(T1, last + 1, store.body(T1, last) | {"event": again})
    assert [(each.code, each.version) for each in found_in(store)] == [(Code.BAD_REMEDY, last + 1)]


def test_bets_that_reopen_without_a_reset_are_found() -> None:
    text = (
        CLOSED
        + """
{"by": "dealer dan", "draw": "Ks 2h Kd"}
{"by": "dealer dan", "do": "report-reset"}
{"by": "patron ann", "do": "answer-offer", "patron": "ann", "withdraw": []}
{"by": "dealer dan", "do": "close-bets"}
{"by": "dealer dan", "draw": "4s 2c 7d"}
"""
    )
    store = play(text)
    last = len(store.entries[T1])
    drawn = store.body(T1, last)
    again = {"type": "bets-reopened", "discarded": "4s 2c 7d", "until_ms": drawn["at_ms"] + 20_000, "clause": "B8 5.9"}
    store.insert(T1, last + 1, {**drawn, "event": again})
    assert [(each.code, each.version) for each in found_in(store)] == [(Code.BAD_REMEDY, last + 1)]


@pytest.mark.parametrize("places", [[], [3], [1, 3], [4, 5], [0, 1]])
def test_cards_that_came_together_have_places(places: list[int]) -> None:
    found = edited(TOGETHER, "irregularity-found", 0, together=places)
    assert (Code.BAD_REMEDY, play(TOGETHER).version_of(T1, "irregularity-found")) in {
        (each.code, each.version) for each in found
    }


@interpretation(42)
def test_a_reset_of_a_virtual_shoe_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(misdeals, "_reset_rule", lambda table: table.book.conduct.rules[Found.DEVICE_RESET][0])
    virtual = '"decks": 4, "source": "virtual", "demonstration": true'
    reset = '{"by": "dealer dan", "draw": "? ?"}\n{"by": "dealer dan", "do": "report-reset"}'
    assert Code.BAD_REMEDY in {each.code for each in found_in(play(CLOSED.replace('"decks": 4', virtual) + reset))}


@interpretation(15)
def test_terminals_that_fail_are_named() -> None:
    store = play(DOWN.partition('{"by": "patron ann", "do": "place-wager"')[0])
    failed = store.version_of(T1, "terminals-failed")
    store.remove(T1, failed)
    assert [(each.code, each.version) for each in found_in(store)] == [(Code.BAD_REMEDY, failed - 1)]


def _state(result: dict[str, Any], body: dict[str, Any]) -> None:
    body["event"]["results"].append(result)


@interpretation(46)
def test_a_decision_leaves_no_less_than_the_minimum_and_states_each_result_once() -> None:
    ruling = {"by": "gaming-shift-manager gus", "do": "rule", "ruling": "return", "reason": "y"}
    limits = '"decks": 4, "limits": {"*": {"min_cents": 1000, "max_cents": 10000}}'
    part = json.dumps(ruling | {"parts": [{"number": 1, "cents": 2000}]})
    store = play(ANNOUNCED.replace('"decks": 4', limits) + part)
    ruled = store.version_of(T1, "ruled")
    store.edit(T1, ruled, lambda body: body["event"]["returns"][0].update(cents=2500))
    assert (Code.BAD_RETURN, ruled) in {(each.code, each.version) for each in found_in(store)}
    stated = ANNOUNCED + json.dumps(ruling | {"ruling": "continue", "results": [{"number": 1, "result": "lose"}]})
    for more in ({"number": 77, "result": "win"}, {"number": 1, "result": "win"}):
        store = play(stated)
        store.edit(T1, store.version_of(T1, "ruled"), partial(_state, more))
        assert Code.BAD_RULING in {each.code for each in found_in(store)}


def test_somebody_vouches_for_a_wager_that_staff_placed() -> None:
    for wager in (0, 9):
        assert [each.code for each in edited(CLOSED, "attested", 0, wager=wager)] == [Code.BAD_REMEDY]


@interpretation(33)
def test_nobody_opens_a_table_with_ranks_that_raise_the_opener() -> None:
    store = play(PAID)
    eve, sue = ({"name": name, "position": "pit-supervisor", "acting": False} for name in ("eve", "sue"))
    ranks = ["dealer", "pit-manager", "assistant-casino-manager", "gaming-shift-manager", "pit-supervisor"]
    store.edit(T1, 1, lambda body: body.update(by=eve))
    store.edit(T1, 1, lambda body: body["event"].update(beyond_file=True, confirmed_by=sue))
    store.edit(T1, 1, lambda body: body["event"]["setup"].update(ranks=ranks))
    assert Code.NOT_ALLOWED in {each.code for each in found_in(store) if each.version == 1}


def changed(text: str, type_: str, nth: int = 0, /, **fields: Any) -> set[Code]:  # noqa: ANN401
    """The codes of what is found, where nothing was before fields of an event were changed."""
    assert found_in(play(text)) == []
    return {each.code for each in edited(text, type_, nth, **fields)}


@interpretation(43, 46)
def test_what_is_referred_is_what_was_found_and_on_its_round() -> None:
    assert Code.BAD_REMEDY in changed(FACE_UP, "referred", 0, found="other", cards="")
    between = PAID.partition('{"by": "dealer dan", "do": "refer"')[0] + (
        '{"by": "dealer dan", "do": "report-cards", "found": "face-up-in-device", "cards": "7h"}'
    )
    assert Code.BAD_RULING in changed(between, "referred", 0, round=1)


@interpretation(19, 23)
def test_a_reset_keeps_no_card_that_nobody_decided_to_keep() -> None:
    text = (
        CLOSED
        + """
{"by": "dealer dan", "draw": "Ks 2h Kd"}
{"by": "dealer dan", "do": "report-reset"}
{"by": "patron ann", "do": "answer-offer", "patron": "ann", "withdraw": []}
"""
    )
    assert Code.SEEN_CARD in changed(text, "bets-reopened", 0, kept="7h")


@interpretation(43)
def test_a_right_number_of_cards_is_not_called_wrong() -> None:
    text = """
{"by": "pit-manager pam", "do": "open-table", "setup": {"game": "fa-fa-fabulous-4", "decks": 4}}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "dealer dan", "do": "open-bets"}
{"by": "dealer dan", "do": "close-bets"}
{"by": "dealer dan", "draw": "9f 2g Se 5o"}
{"by": "dealer dan", "do": "announce"}
{"by": "dealer dan", "do": "settle"}
{"by": "dealer dan", "do": "report-order", "found": "wrong-number", "player": "9f Se 3w", "banker": "2g 5o"}
"""
    assert Code.BAD_REMEDY in changed(text, "irregularity-found", 0, note="9f Se | 2g 5o")


def test_a_shoe_with_cards_left_does_not_void_the_round() -> None:
    text = CLOSED + '{"by": "dealer dan", "do": "report-cards", "found": "order-altered"}'
    store = play(text)
    found = store.version_of(T1, "irregularity-found")
    for version in (found, found + 1):
        store.edit(T1, version, lambda body: body["event"].update(found="too-few-cards", clause="B8 5.3"))
    assert [(each.code, each.version) for each in found_in(store)] == [(Code.BAD_REMEDY, found)]


def test_withdrawal_for_the_cutting_card_takes_a_cutting_card() -> None:
    store = play(METHOD_C)
    came = store.version_of(T1, "cutting-card-came")
    store.remove(T1, came)
    assert (Code.BAD_REMEDY, came) in {(each.code, each.version) for each in found_in(store)}


@interpretation(38)
def test_an_interruption_takes_its_course_and_nobody_invents_one() -> None:
    waiting = (
        CLOSED
        + """
{"by": "dealer dan", "do": "refer", "matter": "a patron shouts"}
{"by": "dealer dan", "do": "report-interruption"}
{"by": "gaming-shift-manager gus", "do": "rule", "ruling": "continue", "reason": "it is nothing"}
{"by": "patron ann", "do": "answer-offer", "patron": "ann", "withdraw": []}
"""
    )
    assert found_in(play(waiting)) == []
    store = play(waiting)
    ruled = store.version_of(T1, "ruled")
    store.cut(T1, ruled)
    assert (Code.BAD_REMEDY, ruled) in {(each.code, each.version) for each in found_in(store)}
    store = play(waiting)
    closed, found = store.version_of(T1, "offer-closed"), store.version_of(T1, "irregularity-found", 1)
    again = [store.body(T1, version)["event"] for version in (found, found + 1)]
    answered = store.body(T1, closed)
    until_ms = answered["at_ms"] + 20_000
    for place, event in enumerate(again, 1):
        timed = event | ({"until_ms": until_ms} if "until_ms" in event else {})
        store.insert(T1, closed + place, answered | {"event": timed})
    assert (Code.OUT_OF_TURN, closed + 1) in {(each.code, each.version) for each in found_in(store)}


@interpretation(46)
def test_a_report_that_was_kept_is_taken_up_as_it_was() -> None:
    text = (
        ANNOUNCED
        + """
{"by": "dealer dan", "do": "report-order", "found": "drawn-together", "together": [3, 4], "player": "Ks 9d",
 "banker": "2h 5c", "order": "Ks 2h 9d 5c"}
{"by": "gaming-shift-manager gus", "do": "rule", "ruling": "continue", "reason": "it is nothing"}
"""
    )
    assert Code.BAD_REMEDY in changed(text, "report-kept", 0, together=[2, 3])
    assert Code.BAD_REMEDY in changed(text, "report-kept", 0, order=None, together=[1, 2])
    assert Code.BAD_REMEDY in changed(text, "report-taken-up", 0, dropped="no longer of interest")
    store = play(text)
    taken_up = store.version_of(T1, "report-taken-up")
    store.cut(T1, taken_up)
    assert (Code.BAD_REMEDY, taken_up) in {(each.code, each.version) for each in found_in(store)}


def test_a_stake_within_the_limits_is_not_restated_after_the_close() -> None:
    text = (
        CLOSED
        + """
{"by": "dealer dan", "do": "report-stake", "number": 1, "stake_cents": 2000000}
{"by": "dealer dan", "do": "report-stake", "number": 1, "stake_cents": 3000}
"""
    )
    text = text.replace('"decks": 4', '"decks": 4, "limits": {"*": {"min_cents": 1000, "max_cents": 10000}}').replace(
        "2000000", "20000"
    )
    assert Code.BAD_WAGER in changed(text, "stake-found", 1, to_cents=4000)
    store = play(text)
    store.remove(T1, store.version_of(T1, "irregularity-found"))
    assert Code.BAD_WAGER in {each.code for each in found_in(store)}


@interpretation(46)
def test_a_result_that_is_stated_after_payment_is_carried_out() -> None:
    text = PAID.replace('"ruling": "void"', '"ruling": "continue", "results": [{"number": 1, "result": "lose"}]')
    assert found_in(play(text)) == []
    store = play(text)
    ruled = store.version_of(T1, "ruled")
    store.cut(T1, ruled)
    assert (Code.BAD_REMEDY, ruled) in {(each.code, each.version) for each in found_in(store)}


# A paid round whose right order needs two more cards, by a shoe that is then to be replaced.
REPLACED = (
    PAID[: PAID.index('{"by": "dealer dan", "do": "refer"')]
    + """
{"by": "dealer dan", "do": "report-cards", "found": "foreign-cards"}
{"by": "gaming-shift-manager gus", "do": "rule", "ruling": "continue", "reason": "a joker", "shoe": "replace"}
{"by": "dealer dan", "do": "report-order", "found": "wrong-order", "player": "Ks 9d", "banker": "2h 5c",
 "order": "Ks 2h 5c 9d"}
"""
)


@interpretation(43)
@pytest.mark.parametrize(
    "between",
    [
        "",
        '{"by": "dealer dan", "do": "end-shoe"}',
        '{"by": "dealer dan", "do": "end-shoe"}\n{"by": "dealer dan", "do": "load-shoe"}',
    ],
    ids=["to be replaced", "out", "changed"],
)
def test_a_paid_round_that_was_undone_without_cards_to_finish_it_is_found(
    monkeypatch: pytest.MonkeyPatch, between: str
) -> None:
    report = REPLACED.index('{"by": "dealer dan", "do": "report-order"')
    text = f"{REPLACED[:report]}{between}\n{REPLACED[report:]}"
    assert found_in(play(text)) == []
    monkeypatch.setattr(misdeals, "can_be_finished", lambda *_: True)
    store = play(f"{text}\n")  # what was played before is kept by its text
    assert (Code.BAD_CARD, store.version_of(T1, "cards-rebuilt")) in {
        (each.code, each.version) for each in found_in(store)
    }


@interpretation(49)
def test_an_amount_that_the_patron_entered_last_cannot_be_restated() -> None:
    text = (
        CLOSED.replace('"decks": 4', '"decks": 4, "limits": {"*": {"min_cents": 1000, "max_cents": 10000}}')
        + """
{"by": "dealer dan", "do": "report-stake", "number": 1, "stake_cents": 500}
"""
    ).replace(
        '{"by": "dealer dan", "do": "close-bets"}',
        '{"by": "dealer dan", "do": "change-wager", "patron": "ann", "number": 1, "stake_cents": 8000}\n'
        '{"by": "dealer dan", "do": "close-bets"}',
    )
    assert found_in(play(text)) == []
    store = play(text)
    changed_at, found_at = store.version_of(T1, "wager-changed"), store.version_of(T1, "stake-found")
    store.edit(T1, changed_at, lambda body: body["event"].update(for_patron=False))
    assert (Code.BAD_WAGER, changed_at) in {(each.code, each.version) for each in found_in(store)}
    store.edit(T1, changed_at, lambda body: body.update(by={"name": "ann", "position": "patron"}))
    assert (Code.BAD_WAGER, found_at) in {(each.code, each.version) for each in found_in(store)}


@interpretation(43)
def test_an_earlier_round_can_only_stand() -> None:
    text = (
        PAID[: PAID.index('{"by": "dealer dan", "do": "refer"')]
        + """
{"by": "dealer dan", "do": "open-bets"}
{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Player", "stake_cents": 1000, "position": 1}
{"by": "dealer dan", "do": "refer", "matter": "round 1 was dealt in a wrong order"}
{"by": "gaming-shift-manager gus", "do": "rule", "ruling": "continue", "reason": "it stands", "round": 1}
"""
    )
    assert found_in(play(text)) == []
    assert Code.BAD_RULING in changed(text, "ruled", 0, burnt_next=2)
    assert Code.BAD_RULING in changed(text, "ruled", 0, ruling="return")


@interpretation(48)
def test_a_wrong_patron_who_had_the_cards_may_have_seen_them() -> None:
    text = (
        CLOSED.replace('"decks": 4', '"decks": 4, "method": "A"')
        + """
{"by": "dealer dan", "draw": "2s Kh 3d 4c"}
{"by": "dealer dan", "do": "report-delivery", "found": "wrong-patron", "side": "player"}
{"by": "system clock", "do": "report-interruption"}
"""
    )
    assert found_in(play(text)) == []
    found = changed(text, "irregularity-found", 1, remedy="offer-all-then-play-on", clause="B8 5.17.1")
    assert Code.BAD_REMEDY in found


@interpretation(24)
def test_cards_that_a_wrong_patron_has_turned_are_on_record() -> None:
    text = (
        CLOSED.replace('"decks": 4', '"decks": 4, "method": "A"')
        + """
{"by": "dealer dan", "draw": "2s Kh 3d 4c"}
{"by": "dealer dan", "do": "report-delivery", "found": "wrong-patron", "side": "player", "cards": "2s 3d"}
"""
    )
    assert found_in(play(text)) == []
    store = play(text)
    store.remove(T1, store.version_of(T1, "cards-exposed"))
    assert Code.BAD_REMEDY in {each.code for each in found_in(store)}


@interpretation(44)
@pytest.mark.parametrize("out", [" ".join("?" * 202), "9h 9h 9h"])
def test_cards_that_no_report_told_of_are_not_out_with_a_void(out: str) -> None:
    assert (Code.BAD_CARD, play(PAID).version_of(T1, "round-voided")) in {
        (each.code, each.version) for each in edited(PAID, "round-voided", 0, out=out)
    }


# A card too many after payment, which is referred and burnt by the decision.
BESIDES = (
    PAID[: PAID.index('{"by": "dealer dan", "do": "refer"')]
    + """
{"by": "dealer dan", "do": "report-order", "found": "drawn-together", "player": "Ks 9d 8h", "banker": "2h 5c",
 "together": [4, 5]}
{"by": "gaming-shift-manager gus", "do": "rule", "ruling": "continue", "reason": "it stands"}
{"by": "dealer dan", "do": "open-bets"}
"""
)


@interpretation(23, 44)
@pytest.mark.parametrize("cards", ["", "?", "2c", "8h 2c"])
def test_a_card_that_lay_there_besides_is_referred_as_it_lay(cards: str) -> None:
    assert found_in(play(BESIDES)) == []
    assert (Code.BAD_CARD, play(BESIDES).version_of(T1, "referred")) in {
        (each.code, each.version) for each in edited(BESIDES, "referred", 0, cards=cards)
    }


@interpretation(23)
def test_no_card_is_referred_that_nobody_named() -> None:
    assert Code.BAD_CARD in changed(PAID, "referred", 0, cards="9h")


@interpretation(43)
def test_what_is_reported_to_lie_there_is_what_lies_open() -> None:
    assert Code.BAD_CARD in changed(BESIDES, "irregularity-found", 0, note="As Ad 8h | Ac Ah")


@interpretation(44)
def test_a_report_that_waited_is_taken_up_as_extra_cards_only_if_the_shoe_held_fewer() -> None:
    text = (
        CLOSED
        + """
{"by": "dealer dan", "draw": "Ks 2h 9d 5c"}
{"by": "dealer dan", "do": "report-order", "found": "drawn-together", "player": "Ks 9d", "banker": "2h 5c",
 "order": "Ks 2h 9d 5c", "together": [3, 4]}
{"by": "dealer dan", "do": "report-order", "found": "wrong-number", "player": "Ks 9d 3h", "banker": "2h 5c",
 "order": "Ks 2h 9d 5c 3h"}
{"by": "patron ann", "do": "answer-offer", "patron": "ann", "withdraw": []}
"""
    )
    assert found_in(play(text)) == []
    extra = {"found": "extra-cards", "remedy": "void-and-propose", "clause": "B8 5.1.1"}
    assert Code.BAD_REMEDY in changed(text, "irregularity-found", 1, **extra)


@interpretation(43)
@pytest.mark.parametrize("forged", [{"burnt": "9h"}, {"burnt_next": 1}, {"played": "9h"}, {"shoe": "replace"}])
def test_a_decision_on_an_earlier_round_touches_no_card(forged: dict[str, Any]) -> None:
    text = (
        PAID[: PAID.index('{"by": "dealer dan", "do": "refer"')]
        + """
{"by": "dealer dan", "do": "open-bets"}
{"by": "dealer dan", "do": "refer", "matter": "round 1 was dealt in a wrong order"}
{"by": "gaming-shift-manager gus", "do": "rule", "ruling": "continue", "reason": "it stands", "round": 1}
"""
    )
    assert Code.BAD_RULING in changed(text, "ruled", 0, **forged)
