"""A store that was tampered with, and by whom: without the key, or with it."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from tests.record.forgery import Forgery
from tests.record.play import KEYS, OTHER_KEYS, T1, play

from punto.proof.lastheads import last_heads
from punto.record import Code, Finding, Report, audit

Tamper = Callable[[Forgery], object]
# Stands for the stream of heads of the one writer, whose name nobody knows beforehand.
HEADS = "heads"
SETTLED = "round-settled"


def judged(store: Forgery, head: bytes | None = None) -> Report:
    return audit(store, public_key=KEYS.public, head=head)


def first(store: Forgery, head: bytes | None = None) -> Finding:
    findings = judged(store, head).findings
    assert findings, "nothing was found"
    return findings[0]


def named(store: Forgery, stream: str) -> str:
    return store.heads if stream == HEADS else stream


def kept_outside(store: Forgery) -> bytes:
    return msgspec.json.encode(last_heads(store))


def pay_a_cent_more(body: dict[str, Any]) -> None:
    body["event"]["payments"][0]["paid_cents"] += 1
    body["event"]["payments"][0]["won_cents"] += 1


# Without the key


def test_an_event_that_was_edited_breaks_the_chain() -> None:
    store = play()
    version = store.version_of(T1, SETTLED)
    store.edit(T1, version, pay_a_cent_more)
    assert (first(store).code, first(store).stream, first(store).version) == (Code.BROKEN_CHAIN, T1, version)


@pytest.mark.parametrize("stream", [T1, "wallet/ann", "book/T1", "security"])
def test_an_event_that_was_edited_and_chained_anew_is_not_as_it_was_signed(stream: str) -> None:
    store = play()
    store.edit(stream, 1, lambda body: body.update(at_ms=body["at_ms"] + 1))
    found = first(store.chain())
    assert (found.code, found.stream, found.version) == (Code.NOT_AS_SIGNED, stream, 1)


def test_a_history_signed_with_another_key_is_not_the_floors() -> None:
    store = play()
    store.edit(T1, store.version_of(T1, SETTLED), pay_a_cent_more)
    found = first(store.sign(OTHER_KEYS))
    assert (found.code, found.stream, found.version) == (Code.UNKNOWN_KEY, store.heads, 1)


def test_a_history_signed_with_another_key_from_some_head_on_is_found_there() -> None:
    store, forged = play(), play().sign(OTHER_KEYS)
    store.entries[store.heads][9:] = [each._replace(stream=store.heads) for each in forged.entries[forged.heads][9:]]
    found = judged(store).findings
    assert {(each.code, each.version) for each in found[:2]} == {(Code.BROKEN_CHAIN, 10), (Code.BAD_HEAD, 10)}


def test_a_head_that_was_edited_breaks_the_chain_of_heads() -> None:
    store = play()
    store.write(store.heads, 5, store.entries[store.heads][4].body.replace(b'"at_ms":1', b'"at_ms":2'))
    assert (first(store).code, first(store).stream, first(store).version) == (Code.BROKEN_CHAIN, store.heads, 5)


@pytest.mark.parametrize("stream", [T1, "wallet/ann", HEADS])
def test_an_entry_that_was_removed_leaves_a_gap(stream: str) -> None:
    store = play()
    stream = named(store, stream)
    store.remove(stream, 2)
    assert (first(store).code, first(store).stream, first(store).version) == (Code.BROKEN_CHAIN, stream, 2)


def test_an_entry_that_was_removed_and_the_gap_closed_is_not_as_it_was_signed() -> None:
    store = play()
    store.remove(T1, 5)
    found = first(store.chain())
    assert (found.code, found.stream) == (Code.NOT_AS_SIGNED, T1)


@pytest.mark.parametrize("stream", [T1, "wallet/bob", HEADS])
def test_two_entries_that_changed_places_break_the_chain(stream: str) -> None:
    store = play()
    stream = named(store, stream)
    store.swap(stream, 2)
    assert (first(store).code, first(store).stream, first(store).version) == (Code.BROKEN_CHAIN, stream, 2)
    if stream != store.heads:
        assert (first(store.chain()).code, first(store).stream) == (Code.NOT_AS_SIGNED, stream)


@pytest.mark.parametrize("stream", [T1, "wallet/bob", "book/T1", "security"])
def test_a_tail_that_was_cut_off_is_missed(stream: str) -> None:
    store = play()
    left = len(store.entries[stream]) - 1
    store.cut(stream, left)
    found = first(store)
    assert found.code is Code.CUT_OFF
    assert (found.stream, found.version) == (stream, left + 1 if left else 1)


def test_heads_that_were_cut_off_leave_entries_uncovered() -> None:
    store = play()
    store.cut(store.heads, len(store.entries[store.heads]) - 1)
    found = first(store)
    assert (found.code, found.stream, found.version) == (Code.NOT_COVERED, T1, len(store.entries[T1]))


@pytest.mark.parametrize("stream", [T1, "wallet/ann", "book/T1", "security"])
def test_a_stream_that_was_dropped_is_missed(stream: str) -> None:
    store = play()
    store.drop(stream)
    found = first(store)
    assert (found.code, found.stream, found.version) == (Code.CUT_OFF, stream, 1)


def test_a_store_without_heads_is_covered_by_none() -> None:
    store = play()
    store.drop(store.heads)
    report = judged(store)
    assert report.findings[0].code is Code.NOT_COVERED
    assert {found.code for found in report.findings} == {Code.NOT_COVERED}, "and what it says is looked at all the same"
    assert report.total == 6


def test_a_stream_of_no_known_kind_is_told() -> None:
    store = play()
    store.entries["purse/ann"] = [entry._replace(stream="purse/ann") for entry in store.entries["wallet/ann"]]
    assert first(store).code is Code.STRANGE_STREAM


@pytest.mark.parametrize("command", ["another", None])
def test_a_command_under_another_name_or_none_breaks_the_chain(command: str | None) -> None:
    store = play()
    version = store.version_of(T1, "wager-placed")
    store.entries[T1][version - 1] = store.entries[T1][version - 1]._replace(command=command)
    found = first(store)
    assert (found.code, found.version) == (Code.BROKEN_CHAIN, version)


def test_a_command_under_another_name_that_the_floor_itself_signed_is_told() -> None:
    store = play()
    version = store.version_of(T1, "wager-placed")
    store.entries[T1][version - 1] = store.entries[T1][version - 1]._replace(command="another")
    found = first(store.sign(KEYS))
    assert (found.code, found.version) == (Code.BAD_COMMAND, version)


# A head that was kept outside


def test_a_head_kept_outside_is_in_the_chain() -> None:
    store = play()
    for entry in (store.entries[store.heads][3], store.entries[store.heads][-1]):
        kept = {"heads": {store.heads: {"number": entry.version, "hash": entry.hash.hex()}}}
        assert judged(store, msgspec.json.encode(kept) + b"\n").clean


def test_a_history_cut_back_to_an_earlier_head_betrays_itself_by_a_later_one() -> None:
    store = play()
    kept = kept_outside(store)
    number, last = len(store.entries[store.heads]) - 3, len(store.entries[store.heads])
    store.cut(store.heads, number)
    for stream, covered in store.covered.items():
        if stream != store.heads:
            store.cut(stream, sum(head <= number for head in covered))
    assert judged(store).clean, "by itself it cannot be told from a shorter history"
    found = first(store, kept)
    assert (found.code, found.version) == (Code.OUTSIDE_HEAD, last)


def test_a_history_rewritten_with_the_key_betrays_itself_by_a_head_from_before() -> None:
    store = play()
    kept = kept_outside(store)
    store.edit(T1, 3, lambda body: body["by"].update(name="ann"))
    store.edit(T1, 1, lambda body: body["by"].update(name="somebody"))
    assert judged(store.sign(KEYS)).clean
    assert first(store, kept).code is Code.OUTSIDE_HEAD


@pytest.mark.parametrize("outside", [b"", b"{}", b"\xff", b"[1, 2]"])
def test_a_head_kept_outside_that_does_not_read_is_told(outside: bytes) -> None:
    assert first(play(), outside).code is Code.OUTSIDE_HEAD


def test_a_head_kept_outside_of_a_writer_that_is_not_there_is_told() -> None:
    assert first(play(), kept_outside(play().sign(OTHER_KEYS))).code is Code.OUTSIDE_HEAD


def test_a_head_under_the_name_of_a_command_is_told() -> None:
    store = play()
    heads = store.entries[store.heads]
    heads[1] = heads[1]._replace(command="later")
    codes = {(found.code, found.stream, found.version) for found in judged(store).findings}
    assert {(Code.BROKEN_CHAIN, store.heads, 2), (Code.BAD_COMMAND, store.heads, 2)} <= codes


@pytest.mark.parametrize("damage", [b'{"head":"\xff"}', b"\xff", b'{"key":"\xff\xff"}'])
def test_a_head_that_is_no_text_is_told(damage: bytes) -> None:
    store = play()
    store.write(store.heads, 2, damage)
    assert first(store).stream == store.heads
