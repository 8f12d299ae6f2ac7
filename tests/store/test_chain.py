import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.store.places import tip_of, written

from punto.errors import BrokenChain
from punto.store import Entry, Tip, genesis, link, start, verified
from punto.store.chain import chained, digest_of, have_digest, leads, old_link

BODIES = [b"one", b"two", b"three", b"four"]
ENTRIES = written("table/1", *BODIES, command="c1")


def refused_at(entries: list[Entry], since: Tip | None = None) -> int:
    with pytest.raises(BrokenChain, match=r"^table/1: entry \d is not what was written$") as refused:
        list(verified(entries, since or start("table/1")))
    return refused.value.at


def test_what_was_written_is_verified() -> None:
    assert list(verified(ENTRIES, start("table/1"))) == ENTRIES
    assert list(verified([], start("table/1"))) == []


def test_verification_can_begin_anywhere() -> None:
    for place in range(1, 4):
        assert list(verified(ENTRIES[place:], tip_of(ENTRIES[:place]))) == ENTRIES[place:]
    assert refused_at(ENTRIES[2:], Tip(2, b"another past")) == 3


def test_entries_come_as_they_are_verified() -> None:
    coming = verified([*ENTRIES[:2], ENTRIES[0]], start("table/1"))
    assert [next(coming), next(coming)] == ENTRIES[:2]
    with pytest.raises(BrokenChain):
        next(coming)


@pytest.mark.parametrize("place", range(4))
def test_an_edited_entry_is_found(place: int) -> None:
    for edited in (b"", BODIES[place] + b" ", BODIES[place].upper()):
        assert refused_at([*ENTRIES[:place], ENTRIES[place]._replace(body=edited), *ENTRIES[place + 1 :]]) == place + 1


@pytest.mark.parametrize("place", range(4))
def test_an_edited_entry_with_a_hash_of_its_own_is_found_at_the_next(place: int) -> None:
    before = ENTRIES[place - 1].hash if place else genesis("table/1")
    hash_ = link(before, "table/1", place + 1, ENTRIES[place].command, b"edited")
    edited = ENTRIES[place]._replace(body=b"edited", hash=hash_)
    changed = [*ENTRIES[:place], edited, *ENTRIES[place + 1 :]]
    if place < 3:
        assert refused_at(changed) == place + 2
    else:
        # The last has no next: that is what heads kept elsewhere are for.
        assert tip_of(list(verified(changed, start("table/1")))) != tip_of(ENTRIES)


@pytest.mark.parametrize("place", range(3))
def test_a_removed_entry_is_found(place: int) -> None:
    rest = ENTRIES[:place] + ENTRIES[place + 1 :]
    assert refused_at(rest) == place + 1
    renumbered = [entry._replace(version=number) for number, entry in enumerate(rest, 1)]
    assert refused_at(renumbered) == place + 1


@pytest.mark.parametrize("place", range(3))
def test_swapped_entries_are_found(place: int) -> None:
    one, other = ENTRIES[place : place + 2]
    swapped = [*ENTRIES[:place], other, one, *ENTRIES[place + 2 :]]
    assert refused_at(swapped) == place + 1
    renumbered = [entry._replace(version=number) for number, entry in enumerate(swapped, 1)]
    assert refused_at(renumbered) == place + 1


def test_an_entry_put_in_or_twice_is_found() -> None:
    assert refused_at([*ENTRIES[:2], ENTRIES[1], *ENTRIES[2:]]) == 3
    put_in = Entry("table/1", 3, None, b"put in", link(ENTRIES[1].hash, "table/1", 3, None, b"put in"))
    assert refused_at([*ENTRIES[:2], put_in, *ENTRIES[2:]]) == 4


def test_a_stream_does_not_pass_for_another() -> None:
    moved = [entry._replace(stream="table/1") for entry in written("table/2", *BODIES)]
    assert refused_at(moved) == 1


@pytest.mark.parametrize("command", [None, "c2", "c1 ", 7])
def test_an_entry_whose_command_was_changed_is_found(command: str | None) -> None:
    assert refused_at([ENTRIES[0]._replace(command=command), *ENTRIES[1:]]) == 1
    assert refused_at([*ENTRIES[:3], ENTRIES[3]._replace(command="c1")]) == 4


def test_what_belongs_to_the_command_does_not_pass_for_the_body() -> None:
    one = link(b"before", "table/1", 1, "ab", b"c")
    assert one != link(b"before", "table/1", 1, "a", b"bc")
    assert one != link(b"before", "table/1a", 1, "b", b"c")
    assert link(b"before", "table/1", 1, None, b"c") != link(b"before", "table/1", 1, "", b"c")


def test_entries_chained_by_the_old_rule_are_still_verified() -> None:
    before, entries = genesis("table/1"), []
    for version, body in enumerate(BODIES, 1):
        before = old_link(before, body)
        entries.append(Entry("table/1", version, None, body, before))
    assert list(verified(entries, start("table/1"))) == entries
    later = link(before, "table/1", 5, "c5", b"five")
    assert list(verified([*entries, Entry("table/1", 5, "c5", b"five", later)], start("table/1")))
    assert refused_at([*entries[:3], entries[3]._replace(body=b"edited")]) == 4


@pytest.mark.parametrize("body", [None, 7, "three"])
def test_what_is_no_body_at_all_is_found(body: object) -> None:
    damaged = Entry._make(("table/1", 3, None, body, ENTRIES[2].hash))
    assert refused_at([*ENTRIES[:2], damaged, *ENTRIES[3:]]) == 3


@given(st.lists(st.binary(max_size=20), min_size=1, max_size=8), st.data())
def test_no_flipped_bit_goes_unseen(bodies: list[bytes], data: st.DataObject) -> None:
    entries = written("table/1", *bodies)
    place = data.draw(st.integers(0, len(bodies) - 1))
    hit = bytearray(entries[place].body + entries[place].hash)
    bit = data.draw(st.integers(0, 8 * len(hit) - 1))
    hit[bit // 8] ^= 1 << bit % 8
    length = len(entries[place].body)
    entries[place] = entries[place]._replace(body=bytes(hit[:length]), hash=bytes(hit[length:]))
    assert refused_at(entries) == place + 1


def test_entries_chained_at_once_are_those_chained_one_by_one() -> None:
    ends: dict[str, tuple[int, bytes]] = {"table/1": start("table/1"), "wallet/é": start("wallet/é")}
    written = [("table/1", "c1", b"one"), ("wallet/é", None, b"x"), ("table/1", None, b"two"), ("table/1", "ç2", b"")]
    rows = chained(written, ends)
    for stream in ("table/1", "wallet/é"):
        entries = [Entry._make(row) for row in rows if row[0] == stream]
        assert list(verified(entries, start(stream))) == entries
        assert ends[stream] == tip_of(entries)
        assert leads(entries, start(stream), tip_of(entries))


@pytest.mark.parametrize("place", range(4))
def test_what_is_verified_leads_and_nothing_else_does(place: int) -> None:
    end = tip_of(ENTRIES)
    assert leads(ENTRIES, start("table/1"), end)
    assert leads(ENTRIES[place:], tip_of(ENTRIES[:place]) if place else start("table/1"), end)
    edits = [
        {"body": b"forged"},
        {"command": "c9"},
        {"hash": bytes(32)},
        {"version": 7},
        {"body": None},
        {"hash": None},
    ]
    for edit in edits:
        forged = [*ENTRIES[:place], ENTRIES[place]._replace(**edit), *ENTRIES[place + 1 :]]  # type: ignore[arg-type]
        assert not leads(forged, start("table/1"), end)
        assert not have_digest(forged, start("table/1"), end, digest_of(ENTRIES))
    assert not leads(ENTRIES[:place] + ENTRIES[place + 1 :], start("table/1"), end)
    assert not leads(ENTRIES, start("table/1"), Tip(4, bytes(32)))
    assert have_digest(ENTRIES, start("table/1"), end, digest_of(ENTRIES))
    assert not have_digest([], end, end, digest_of(ENTRIES))


def test_entries_by_the_old_rule_lead_on_to_those_by_the_new_one() -> None:
    before, entries = genesis("table/1"), []
    for version, body in enumerate(BODIES, 1):
        before = old_link(before, body) if version < 3 else link(before, "table/1", version, None, body)
        entries.append(Entry("table/1", version, None, body, before))
    assert leads(entries, start("table/1"), tip_of(entries))
    assert leads([], start("table/1"), start("table/1"))
