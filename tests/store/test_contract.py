"""One suite judges every store: what `punto.store.contract` promises holds of each."""

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from threading import Barrier, Condition, Thread

import pytest
from tests.floor.attacker import Attacker
from tests.store.places import Place, tip_of, written

from punto.errors import Conflict, Fenced, KnownCommand, Malformed, StaleVersion, StoreGone
from punto.store import Entry, Snapshot, Store, Tip, genesis, link, start, verified
from punto.store.contract import GARBLED, PAGE

ANY_BYTES = bytes(range(256))
MANY = [b"%d" % number for number in range(180)]


@pytest.fixture
def store(place: Place) -> Store:
    return place.open()


def test_what_is_appended_is_read_back_byte_for_byte(place: Place, store: Store) -> None:
    entries = written("table/1", b"{}", ANY_BYTES, b"", ANY_BYTES * 40, command="c1")
    store.append(entries, {})
    assert list(store.read("table/1")) == entries
    assert list(place.open().read("table/1")) == entries
    assert all(type(entry) is Entry for entry in store.read("table/1"))


def test_plain_tuples_are_entries_too(store: Store) -> None:
    entries = written("table/1", b"1", b"2", command="c1")
    store.append([(stream, version, command, body, head) for stream, version, command, body, head in entries], {})
    assert list(store.read("table/1")) == entries
    assert type(store.find("c1")) is type(next(store.read("table/1"))) is Entry


def test_names_are_kept_in_any_script(store: Store) -> None:
    streams = [
        "table/1",
        "赌桌/七",
        "naïve\\t 'quoted' \"twice\"",
        "%s {} \\N \\.",
        "🂡",
        "e\u0301",
        "\u00e9",
        "x" * 200,
    ]
    for number, stream in enumerate(streams):
        store.append(written(stream, b"1", command=f"命令 {number}"), {})
    assert [name for name, _ in store.streams()] == sorted(streams)
    for number, stream in enumerate(streams):
        assert list(store.read(stream)) == written(stream, b"1", command=f"命令 {number}")
        assert store.find(f"命令 {number}") == written(stream, b"1", command=f"命令 {number}")[0]


@pytest.mark.parametrize("name", ["", "x" * 201, "a\0b", "two\nlines", "half \ud83c"])
def test_what_no_store_can_hold_is_no_name(store: Store, name: str) -> None:
    with pytest.raises(Malformed, match=r"is no name: expected 1 to 200 printable characters$"):
        store.append([*written("a", b"1"), Entry(name, 1, None, b"", b"")], {})
    with pytest.raises(Malformed, match="is no name"):
        store.append([*written("a", b"1"), *written("b", b"1", command=name)], {})
    with pytest.raises(Malformed, match="is no name"):
        store.claim(name)
    with pytest.raises(Malformed, match="is no name"):
        store.keep(name, Snapshot(1, b"", b""))
    assert (list(store.read(name)), store.tip(name), store.find(name), store.snapshot(name)) == ([], None, None, None)
    assert list(store.streams()) == []


def test_a_batch_goes_to_several_streams_at_once(store: Store) -> None:
    table, first, second = written("table/1", b"1", b"2"), written("wallet/a", b"3"), written("wallet/b", b"4", b"5")
    store.append([table[0], first[0], second[0], table[1], second[1]], {})
    assert list(store.read("table/1")) == table
    assert list(store.read("wallet/a")) == first
    assert list(store.read("wallet/b")) == second
    more = written("wallet/b", b"6", since=tip_of(second)) + written("table/1", b"7", since=tip_of(table))
    store.append(more, {})
    assert dict(store.streams()) == {
        "table/1": Tip(3, more[1].hash),
        "wallet/a": tip_of(first),
        "wallet/b": Tip(3, more[0].hash),
    }


def test_an_empty_batch_writes_nothing_but_heeds_the_fences(store: Store) -> None:
    store.append([], {})
    store.append([], {"table/1": store.claim("table/1")})
    with pytest.raises(Fenced):
        store.append([], {"table/1": 0})
    assert list(store.streams()) == []


def test_entries_may_be_in_the_making_while_the_first_are_written(place: Place, store: Store) -> None:
    entries = written("table/1", *MANY, command="c1")

    def made() -> Iterator[Entry]:
        for entry in entries:
            assert (store.tip("table/1"), store.find("c1"), list(store.streams())) == (None, None, [])
            yield entry

    store.append(made(), {"table/1": store.claim("table/1")})
    assert list(place.open().read("table/1")) == entries


def test_what_is_raised_while_entries_are_made_undoes_all_of_them(store: Store) -> None:
    first = written("table/1", b"1")
    store.append(first, {})
    more = written("table/1", *MANY, since=tip_of(first), command="c1")

    def failing() -> Iterator[Entry]:
        yield from more
        raise Conflict("somebody else")

    with pytest.raises(Conflict, match="somebody else"):
        store.append(failing(), {})
    assert (list(store.read("table/1")), store.find("c1")) == (first, None)
    store.append(more, {})
    assert list(store.read("table/1")) == first + more


@pytest.mark.parametrize("place_of_fault", [0, 60, len(MANY)])
def test_a_fault_anywhere_in_a_long_batch_is_found_and_the_gravest_is_told(store: Store, place_of_fault: int) -> None:
    first = written("wallet/a", b"1", command="c1")
    store.append(first, {})
    held = store.claim("table/1")
    store.claim("table/1")
    faults = {
        StaleVersion: Entry("wallet/a", 1, None, b"", b""),
        KnownCommand: Entry("wallet/a", 2, "c1", b"", b""),
    }
    for refusal, fault in faults.items():
        batch = written("table/1", *MANY, command="c2")
        batch.insert(place_of_fault, fault)
        with pytest.raises(refusal):
            store.append(iter(batch), {})
        with pytest.raises(Fenced):
            store.append(iter(batch), {"table/1": held})
    assert list(store.streams()) == [("wallet/a", tip_of(first))]
    assert store.find("c2") is None


@pytest.mark.parametrize("version", [1, 2, 4, 5, 0, -1])
def test_an_entry_that_is_not_the_next_is_refused_and_nothing_of_its_batch_is_there(store: Store, version: int) -> None:
    entries = written("table/1", b"1", b"2")
    store.append(entries, {})
    stale = Entry("table/1", version, "c9", b"", b"")
    refusal = rf"^table/1: entry {version}: expected 3; nothing was written$"
    for batch in ([stale], [*written("wallet/a", b"1", command="c8"), stale]):
        with pytest.raises(StaleVersion, match=refusal):
            store.append(batch, {})
    assert list(store.streams()) == [("table/1", tip_of(entries))]
    assert (store.find("c8"), store.find("c9")) == (None, None)


def test_a_stream_begins_with_1_and_has_no_gap_within_a_batch(store: Store) -> None:
    one, two, three = written("table/1", b"1", b"2", b"3")
    for batch in ([two], [one, three], [one, one], [two, one], [one, two, two]):
        with pytest.raises(StaleVersion):
            store.append(batch, {})
    assert store.tip("table/1") is None
    store.append([one, two, three], {})
    with pytest.raises(StaleVersion, match=r"^table/1: entry 1: expected 4; nothing was written$"):
        store.append([one], {})


def test_the_id_of_a_command_comes_once_in_the_store(place: Place, store: Store) -> None:
    first = written("table/1", b"1", command="c1")
    store.append(first, {})
    again = written("table/2", b"1", command="c2") + written("wallet/a", b"1", command="c1")
    for other in (store, place.open()):
        with pytest.raises(KnownCommand, match=r"^command c1 is already there: nothing was written$"):
            other.append(again, {})
    with pytest.raises(KnownCommand, match="command c3"):
        store.append(written("table/2", b"1", command="c3") + written("table/3", b"1", command="c3"), {})
    assert list(store.streams()) == [("table/1", tip_of(first))]
    assert (store.find("c1"), store.find("c2"), store.find("c3")) == (first[0], None, None)


def test_refusals_come_in_order_fences_then_versions_then_commands(store: Store) -> None:
    store.append(written("table/1", b"1", command="c1"), {})
    all_wrong = written("table/2", b"1", command="c1") + written("table/1", b"1")
    with pytest.raises(Fenced):
        store.append(all_wrong, {"table/1": 7})
    with pytest.raises(StaleVersion):
        store.append(all_wrong, {})
    with pytest.raises(KnownCommand):
        store.append(all_wrong[:1], {})


def test_a_new_claim_fences_off_the_earlier_owner_and_nobody_else(place: Place, store: Store) -> None:
    other = place.open()
    assert (store.claim("table/1"), store.claim("table/2")) == (1, 1)
    table = written("table/1", b"1")
    store.append(table, {"table/1": 1, "table/2": 1})
    assert other.claim("table/1") == 2
    with pytest.raises(Fenced, match=r"^table/1: is held under epoch 2, not 1: nothing was written$"):
        store.append(written("table/1", b"2", since=tip_of(table)), {"table/2": 1, "table/1": 1})
    store.append(written("table/2", b"1"), {"table/2": 1})
    other.append(written("table/1", b"2", since=tip_of(table)), {"table/1": 2})
    assert [version for _, (version, _) in store.streams()] == [2, 1]
    assert store.claim("table/1") == 3


def test_an_epoch_that_was_never_given_is_fenced_off(store: Store) -> None:
    with pytest.raises(Fenced, match=r"^table/1: is held under epoch 0, not 1: nothing was written$"):
        store.append(written("table/1", b"1"), {"table/1": 1})
    store.append(written("table/1", b"1"), {"table/1": 0})


GARBLED_EPOCHS = {
    "sqlite": ("'abc'", "x'07'", "7.5", "-5", "0", "9223372036854775807", "4611686018427387904"),
    "postgres": ("-5", "0", "9223372036854775807", "4611686018427387904"),
}


def test_a_garbled_epoch_fences_off_everybody_until_the_name_is_claimed_anew(place: Place, store: Store) -> None:
    if place.kind not in GARBLED_EPOCHS:
        return  # nobody else can write there
    other = place.open()
    held = [0, store.claim("table/1")]
    store.claim("table/2")
    for number, garbage in enumerate(GARBLED_EPOCHS[place.kind], 1):
        Attacker(place.url).run(f"UPDATE epochs SET epoch = {garbage} WHERE name = 'table/1'")  # noqa: S608
        for each in (store, other):
            assert each.epoch("table/1") == GARBLED
        entries = written("table/1", b"1", since=store.tip("table/1"))
        for epoch in held:
            with pytest.raises(Fenced):
                store.append(entries, {"table/1": epoch})
        [fault] = store.faults()
        assert "which process runs which table" in fault.said
        held.append((other if number % 2 else store).claim("table/1"))
        assert held[-1] not in held[:-1], "somebody may hold that one still"
        assert held[-1] > max(held[:2])
        for epoch in held[:-1]:
            with pytest.raises(Fenced):
                store.append(entries, {"table/1": epoch})
        store.append(entries, {"table/1": held[-1], "table/2": 1, "table/3": 0})
        assert store.faults() == []
    assert store.claim("table/1") == held[-1] + 1
    assert store.claim("table/2") == 2


def test_whoever_opens_a_store_with_a_garbled_epoch_writes_under_it_until_the_name_is_claimed(
    place: Place, store: Store
) -> None:
    """So a floor opens whose process never claims the name, as that of the fence of the floor's key."""
    if place.kind not in GARBLED_EPOCHS:
        return
    store.claim("floor-key")
    Attacker(place.url).run("UPDATE epochs SET epoch = -5 WHERE name = 'floor-key'")
    epoch = store.epoch("floor-key")
    assert epoch % 2 == 0, "no rotation is under way"
    entries = written("table/1", b"1", b"2", b"3")
    store.append(entries[:1], {"floor-key": epoch})
    store.prune({}, entries[1:2], {"floor-key": epoch})
    assert store.claim("floor-key") % 2 == 1, "now one is"
    with pytest.raises(Fenced):
        store.append(entries[2:], {"floor-key": epoch})


def test_a_stream_is_read_from_any_version_over_any_number_of_pages(store: Store) -> None:
    entries = written("table/1", *[b"%d" % number for number in range(2 * PAGE)])
    store.append(entries[:PAGE], {})
    store.append(entries[PAGE:], {})
    store.append(written("table/10", b"1"), {})
    assert list(store.read("table/1")) == entries
    for after in (1, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE - 1):
        assert list(store.read("table/1", after)) == entries[after:]
    assert list(store.read("table/1", 2 * PAGE)) == []
    assert list(store.read("table/1", 3 * PAGE)) == []
    assert list(store.read("table")) == []


def test_rows_beyond_an_end_are_those_that_are_pruned(place: Place, store: Store) -> None:
    entries = written("table/1", *[b"%d" % number for number in range(2 * PAGE + 10)])
    store.append([*entries, *written("table/10", b"another stream")], {})
    beyond = entries[3:]
    if place.kind in GARBLED_EPOCHS:
        odd = [entry._replace(version=version) for entry, version in zip(entries[:2], (-(2**63), 0), strict=True)]
        for entry in odd:
            Attacker(place.url).insert(entry)
        beyond = odd + beyond
    assert [Entry._make(row) for row in store.beyond("table/1", 3)] == beyond
    assert list(store.beyond("table/2", 0)) == []
    store.prune({"table/1": 3}, [], {})
    assert list(store.beyond("table/1", 3)) == []
    assert [Entry._make(row) for row in store.beyond("table/1", 0)] == list(store.read("table/1")) == entries[:3]
    assert store.tip("table/10")


def test_streams_are_listed_over_any_number_of_pages(store: Store) -> None:
    names = sorted(f"wallet/{number}" for number in range(PAGE + 3))
    store.append([entry for name in names for entry in written(name, b"1", b"2")], {})
    listed = list(store.streams())
    assert [name for name, _ in listed] == names
    assert listed[0] == (names[0], tip_of(written(names[0], b"1", b"2")))
    assert {version for _, (version, _) in listed} == {2}


def test_writing_goes_on_while_somebody_reads(store: Store) -> None:
    entries = written("table/1", *[b"%d" % number for number in range(PAGE + 1)])
    store.append(entries, {})
    reading = store.read("table/1")
    assert next(reading) == entries[0]
    store.append(written("table/1", b"more", since=tip_of(entries)), {})
    assert list(reading)[:PAGE] == entries[1:]


def test_a_tip_is_the_last_version_and_its_hash(store: Store) -> None:
    assert store.tip("table/1") is None
    entries = written("table/1", b"1", b"2")
    store.append(entries, {})
    first = link(genesis("table/1"), "table/1", 1, None, b"1")
    assert store.tip("table/1") == Tip(2, link(first, "table/1", 2, None, b"2"))


def test_a_command_is_found_by_its_first_entry(store: Store) -> None:
    entries = written("table/1", b"1", b"2", command="c1")
    store.append(entries, {})
    assert store.find("c1") == entries[0]
    assert store.find("c2") is None


def test_a_snapshot_takes_the_place_of_the_one_before_which_somebody_may_have_forged(
    place: Place, store: Store
) -> None:
    assert store.snapshot("table/1") is None
    store.keep("table/1", Snapshot(5, b"hash", ANY_BYTES))
    assert store.snapshot("table/1") == Snapshot(5, b"hash", ANY_BYTES)
    store.keep("table/1", Snapshot(4, b"hash", b"state"))
    assert store.snapshot("table/1") == Snapshot(4, b"hash", b"state")
    for body in (b"new", b"newer"):
        store.keep("table/1", Snapshot(6, b"hash", body))
        assert place.open().snapshot("table/1") == Snapshot(6, b"hash", body)
    assert store.snapshot("table/2") is None
    assert list(store.streams()) == []


def test_after_a_refusal_the_store_goes_on(store: Store) -> None:
    entries = written("table/1", b"1", b"2", b"3", command="c1")
    store.append(entries[:1], {})
    for batch in ([entries[2]], written("table/2", b"1", command="c1")):
        with pytest.raises(Conflict):
            store.append(batch, {})
        with pytest.raises(Fenced):
            store.append(entries[1:2], {"table/1": 1})
    store.append(entries[1:], {})
    assert list(store.read("table/1")) == entries


def test_a_store_opened_again_is_the_same(place: Place) -> None:
    store = place.open()
    entries = written("table/1", b"1", b"2", command="c1")
    store.append(entries, {"table/1": store.claim("table/1")})
    store.keep("table/1", Snapshot(2, entries[-1].hash, b"state"))
    if place.kind != "memory":
        store.close()
    again = place.open()
    assert list(again.read("table/1")) == entries
    assert (again.tip("table/1"), again.find("c1")) == (tip_of(entries), entries[0])
    assert again.snapshot("table/1") == Snapshot(2, entries[-1].hash, b"state")
    with pytest.raises(StaleVersion):
        again.append(entries, {})
    assert again.claim("table/1") == 2


def test_what_another_writer_has_done_is_not_forgotten_nor_overwritten(place: Place) -> None:
    one, other = place.open(), place.open()
    entries = written("table/1", *[b"%d" % number for number in range(20)])
    for number, entry in enumerate(entries):
        writer, idle = (one, other) if number % 3 else (other, one)
        writer.append([entry], {})
        with pytest.raises(StaleVersion):
            idle.append([entry], {})
        assert idle.tip("table/1") == tip_of([entry])
    assert list(one.read("table/1")) == entries


def test_of_two_writers_exactly_one_gets_each_version(place: Place) -> None:
    won: list[list[int]] = [[], []]
    both = Barrier(2, timeout=30)

    def race(store: Store, wins: list[int]) -> None:
        both.wait()
        while (tip := store.tip("table/1") or start("table/1")).version < 60:
            entries = written("table/1", b"x", since=tip) + written(f"wallet/{tip.version}", b"x")
            try:
                store.append(entries, {})
            except StaleVersion:
                continue
            wins.append(tip.version + 1)

    threads = [Thread(target=race, args=(place.open(), wins)) for wins in won]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    store = place.open()
    assert sorted(won[0] + won[1]) == list(range(1, 61))
    assert len(list(verified(store.read("table/1"), start("table/1")))) == 60
    assert len(list(store.streams())) == 61


@pytest.fixture
def _eager_threads() -> Iterator[None]:
    """Threads that take turns a thousand times as often as they are used to."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(before / 1000)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_eager_threads")
def test_readers_in_other_threads_see_whole_batches(place: Place) -> None:
    store = place.open()
    acknowledged = 0
    looks: list[list[tuple[int, int, int]]] = [[], [], []]
    looked = Condition()

    def look(seen: list[tuple[int, int, int]]) -> None:
        while not seen or seen[-1][0] < 60:
            before = acknowledged
            second = len(list(store.read("table/2")))
            first = len(list(verified(store.read("table/1"), start("table/1"))))
            with looked:
                seen.append((before, second, first))
                looked.notify_all()

    def have_looked(times: int) -> bool:
        return min(map(len, looks)) >= times

    readers = [Thread(target=look, args=(seen,), daemon=True) for seen in looks]
    for reader in readers:
        reader.start()
    tips = start("table/1"), start("table/2")
    for number in range(1, 61):
        with looked:  # every reader looks again and again while batches are written
            assert looked.wait_for(partial(have_looked, number // 10 + 1), 60)
        batch = [written(f"table/{place}", b"x", since=tip)[0] for place, tip in enumerate(tips, 1)]
        store.append(batch[::-1] if number % 2 else batch, {})
        acknowledged = number
        tips = tip_of(batch[:1]), tip_of(batch[1:])
    for reader in readers:
        reader.join(60)
    for seen in looks:
        assert seen[-1] == (60, 60, 60)
        # What was acknowledged is there, and whoever sees the second entry of a batch sees the first.
        assert [each for each in seen if not each[0] <= each[1] <= each[2]] == []


_RACER = """
import sys
from punto.errors import StaleVersion, StoreLocked
from punto.store import Entry, link, open_store, start
store, wins = open_store(sys.argv[1]), 0
print("ready", flush=True)
sys.stdin.readline()
while (tip := store.tip("table/1") or start("table/1")).version < 60:
    try:
        entry = ("table/1", tip.version + 1, f"c{tip.version}", b"x")
        store.append([Entry(*entry, link(tip.hash, *entry))], {})
        wins += 1
    except StaleVersion:
        pass
store.close()
print(wins)
"""


@pytest.mark.parametrize("place", ["sqlite", "postgres"], indirect=True)
def test_of_two_processes_exactly_one_gets_each_version_and_either_may_make_the_store(place: Place) -> None:
    command = [sys.executable, "-c", _RACER, place.url]
    racers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) for _ in range(2)
    ]
    for racer in racers:
        assert racer.stdout
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        assert racer.stdin
        racer.stdin.write("go\n")
    wins = [int(racer.communicate(timeout=60)[0]) for racer in racers]
    assert sum(wins) == 60
    entries = list(verified(place.open().read("table/1"), start("table/1")))
    assert [entry.command for entry in entries] == [f"c{number}" for number in range(60)]


def test_a_closed_store_takes_nothing_more(store: Store) -> None:
    store.append(written("table/1", b"1"), {})
    store.close()
    for use in (
        lambda: store.append(written("table/2", b"1"), {}),
        lambda: store.claim("table/1"),
        lambda: store.keep("table/1", Snapshot(1, b"", b"")),
    ):
        with pytest.raises(StoreGone, match="is closed"):
            use()
