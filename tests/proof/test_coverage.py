"""How far streams are believed: long groups by their digest, and forks however they are put together."""

import re
from collections.abc import Callable
from copy import deepcopy

import pytest

from punto.errors import StoreRewritten, StreamStopped
from punto.floor.history import History
from punto.floor.keys import Keys
from punto.proof.coverage import Coverage
from punto.proof.heads import read_moves
from punto.proof.writers import HEADS
from punto.store import Entry, MemoryStore

KEYS = Keys.from_secret(b"a floor to cover")
T1, ANN = "table/T1", "wallet/ann"


class Book(MemoryStore):
    """A store that somebody can write to past the floor."""

    def put(self, entry: Entry) -> None:
        """Write an entry over another, or after the last one."""
        entries = self._streams.setdefault(entry.stream, [])
        entries[entry.version - 1 :] = [entry, *entries[entry.version :]]

    def edit(self, stream: str, version: int, change: Callable[[Entry], Entry]) -> None:
        """Change an entry."""
        self._streams[stream][version - 1] = change(self._streams[stream][version - 1])

    def remove(self, stream: str, version: int) -> None:
        """Take an entry out."""
        del self._streams[stream][version - 1]

    def __deepcopy__(self, _: object) -> "Book":
        other = Book()
        other._streams = {name: [*entries] for name, entries in self._streams.items()}
        other._commands = {**self._commands}
        return other


def write(history: History, stream: str, *bodies: bytes, command: str | None = None) -> None:
    group = history.group()
    group.at_ms = 1
    rows = group.chain((stream, command if body is bodies[0] else None, body) for body in bodies)
    history.append(group, rows, {})


def a_group(size: int) -> Book:
    store = Book()
    history = History(store, KEYS)
    write(history, T1, *(b"%d" % number for number in range(size)), command="c1")
    write(history, T1, b"last")
    return store


def digests(store: Book) -> list[int]:
    [heads] = [name for name, _ in store.streams(HEADS)]
    return [len(read_moves(entry.body).digests) for entry in store.read(heads, 2)]


def test_a_long_group_has_a_digest_and_a_short_one_has_none() -> None:
    assert digests(a_group(40)) == [1, 0]
    assert digests(a_group(5)) == [0, 0]


@pytest.mark.parametrize("size", [5, 40, 300])
def test_what_was_signed_is_read_from_any_place(size: int) -> None:
    store = a_group(size)
    for coverage in (History(store, KEYS).coverage, restored(store)):
        for after in (0, 1, size // 2, size, size + 1):
            assert [entry.version for entry in coverage.read(T1, after)] == [*range(after + 1, size + 2)]
        assert [entry.body for entry in coverage.read(T1, 2, 4)] == [b"2", b"3"]


def restored(store: Book) -> Coverage:
    """The coverage as another process goes on with it."""
    again = Coverage(store, KEYS.public)
    assert again.restore(History(store, KEYS).coverage.written())
    return again


EDITS: dict[str, Callable[[Entry], Entry]] = {
    "body": lambda entry: entry._replace(body=b"forged"),
    "command": lambda entry: entry._replace(command="c9" if entry.command is None else None),
    "hash": lambda entry: entry._replace(hash=bytes(32)),
    "version": lambda entry: entry._replace(version=entry.version + 1),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("at", [1, 20, 40])
@pytest.mark.parametrize("size", [5, 40])
def test_an_edited_entry_stops_its_stream_with_a_digest_or_without(size: int, at: int, edit: str) -> None:
    store = a_group(size)
    history = History(store, KEYS)
    store.edit(T1, min(at, size), EDITS[edit])
    with pytest.raises(StreamStopped):
        list(history.read(T1))


def test_an_entry_that_is_missing_from_a_long_group_stops_its_stream() -> None:
    store = a_group(40)
    history = History(store, KEYS)
    store.remove(T1, 8)
    with pytest.raises(StreamStopped):
        list(history.read(T1))


def merged() -> tuple[Book, list[str]]:
    """A store, and in it part of what a copy of it was continued with; and the writers, in the order of writing.

    In the copy one writer signs entry 2 and another entry 3; only the second one's heads are put back.
    """
    store = Book()
    write(History(store, KEYS), ANN, b"1")
    copied = deepcopy(store)
    write(History(copied, KEYS), ANN, b"2 of the copy")
    before = {name for name, _ in copied.streams(HEADS)}
    write(History(copied, KEYS), ANN, b"3 of the copy")
    [second] = {name for name, _ in copied.streams(HEADS)} - before
    [first] = [name for name, _ in store.streams(HEADS)]
    write(History(store, KEYS), ANN, b"2")
    [own] = {name for name, _ in store.streams(HEADS)} - {first}
    for entry in (*copied.read(second), *copied.read(ANN, 1)):
        store.put(entry)
    return store, [first, own, second]


def test_heads_of_a_copy_that_others_have_continued_do_not_join_up_with_the_store() -> None:
    # Heads are read in the order of the writers' names, which their keys give them: once in that of writing, at least.
    for _ in range(500):
        store, writers = merged()
        # Entry by entry, the stream holds what the copy says; nothing but the heads tells that it is a fork.
        assert [entry.body for entry in store.read(ANN)] == [b"1", b"2 of the copy", b"3 of the copy"]
        assert "two histories of it were signed" in History(store, KEYS).coverage.stopped[ANN].message
        if writers == sorted(writers):
            return
    pytest.fail("no order of names is that of writing")


def test_two_heads_that_begin_at_one_place_are_two_histories() -> None:
    """Both begin where no other has led yet."""
    store = Book()
    write(History(store, KEYS), ANN, b"1")
    first = deepcopy(store)
    write(History(first, KEYS), ANN, b"2")
    one, other = deepcopy(first), deepcopy(first)
    write(History(one, KEYS), ANN, b"3")
    write(History(other, KEYS), ANN, b"3 again")
    known = {name for name, _ in first.streams(HEADS)}
    for copied in (one, other):
        for name, _ in copied.streams(HEADS):
            if name not in known:
                for entry in copied.read(name):
                    store.put(entry)
    assert ANN in History(store, KEYS).coverage.stopped


def of_five_heads() -> tuple[Book, str]:
    """A store, and the stream of heads of its one writer."""
    store = Book()
    history = History(store, KEYS)
    for number in range(3):
        write(history, T1, b"%d" % number)
    history.keep()
    [heads] = [name for name, _ in store.streams(HEADS)]
    assert store.tip(heads) == (5, history.coverage.head(heads, 5))
    return store, heads


@pytest.mark.parametrize("at", [3, 4])
@pytest.mark.parametrize("edit", ["body", "hash", "version"])
def test_a_head_that_is_altered_before_another_is_told_from_a_store_that_ends_early(edit: str, at: int) -> None:
    store, heads = of_five_heads()
    store.edit(heads, at, EDITS[edit])
    coverage = Coverage(store, KEYS.public)
    coverage.catch_up()
    with pytest.raises(StreamStopped, match=f"head {at} of {heads} is not the one that was signed"):
        coverage.check_heads()


def test_a_last_head_that_is_altered_is_no_damage_with_later_ones_after_it() -> None:
    store, heads = of_five_heads()
    store.edit(heads, 5, EDITS["hash"])
    coverage = Coverage(store, KEYS.public)
    coverage.catch_up()
    coverage.check_heads()
    assert coverage.heads == 4


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda store, heads: store.remove(heads, 5), "has 4 heads of writer .*, and this floor has seen 5"),
        (lambda store, heads: store.edit(heads, 5, EDITS["hash"]), "head 5 of writer .* is another here"),
    ],
)
def test_a_store_that_lacks_what_its_floor_has_seen_is_read_by_its_heads_alone(
    harm: Callable[[Book, str], None], said: str
) -> None:
    store, heads = of_five_heads()
    harm(store, heads)
    with pytest.raises(StoreRewritten, match=f"{said}.*'punto accept'"):
        History(store, KEYS)
    history = History(store, KEYS, older=True)
    assert re.search(said, history.lack)
    assert (history.coverage.heads, history.end(T1).version, history.seen) == (4, 2, [T1])
