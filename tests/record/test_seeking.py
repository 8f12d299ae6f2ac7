"""Rounds found in the middle of a log are those that a reading from its beginning finds."""

from collections.abc import Iterator
from typing import Any, cast

import pytest

from punto.errors import NoSuchRound, NoSuchTable
from punto.floor import Floor, Keys
from punto.record import find_round
from punto.record.seeking import recall, seek
from punto.rules import Position
from punto.store import Entry, MemoryStore, Store
from punto.table import Actor, Setup
from punto.table import commands as do

AT_MS = 1_767_196_800_000
PIT = Actor("pia", Position.GAMING_SHIFT_MANAGER)
ROUNDS = 25


@pytest.fixture(scope="module")
def store() -> MemoryStore:
    """A table with many rounds, all but the last void, in two games."""
    kept = MemoryStore()
    floor = Floor(kept, Keys.fresh())

    def give(kind: type[do.Command], id_: str, **more: object) -> None:
        floor.handle(kind(id=id_, table="1", by=PIT, at_ms=AT_MS, **more))  # type: ignore[arg-type]

    give(do.OpenTable, "o1", setup=Setup(game="tiger"))
    give(do.LoadShoe, "l1")
    for number in range(1, ROUNDS + 1):
        if number == 10:
            give(do.CloseTable, "x")
            give(do.OpenTable, "o2", setup=Setup(game="fortune-six"))
            give(do.LoadShoe, "l2")
        give(do.OpenBets, f"b{number}")
        give(do.CloseBets, f"c{number}")
        if number < ROUNDS:
            give(do.ReportInterruption, f"i{number}")
    return kept


@pytest.mark.parametrize("number", range(1, ROUNDS + 1))
def test_a_round_is_found_as_from_the_beginning(store: MemoryStore, number: int) -> None:
    found, expected = seek(store, "1", number, {}), find_round(store, "1", number)
    assert found.steps == expected.steps
    assert found.game == expected.game


@pytest.mark.parametrize(
    ("count", "before", "numbers"),
    [
        (3, None, [23, 24, 25]),
        (3, 26, [23, 24, 25]),
        (3, 10**9, [23, 24, 25]),
        (3, 25, [22, 23, 24]),
        (4, 11, [7, 8, 9, 10]),
        (5, 3, [1, 2]),
        (5, 1, []),
        (100, None, list(range(1, ROUNDS + 1))),
    ],
)
def test_rounds_are_recalled_from_anywhere(
    store: MemoryStore, count: int, before: int | None, numbers: list[int]
) -> None:
    found = [*recall(store, "1", count, before, {})]
    assert [each.number for each in found] == numbers
    assert [each.game for each in found] == [find_round(store, "1", number).game for number in numbers]


def test_what_is_not_there_is_refused(store: MemoryStore) -> None:
    for number in (-1, 0, ROUNDS + 1, 10**9):
        with pytest.raises(NoSuchRound, match=f"expected 1 to {ROUNDS}"):
            seek(store, "1", number, {})
    with pytest.raises(NoSuchTable):
        seek(store, "2", 1, {})
    with pytest.raises(NoSuchTable):
        next(recall(store, "2", 1, None, {}))


def test_rounds_are_read_one_after_the_other(store: MemoryStore) -> None:
    """Nobody holds all of them: a round may have thousands of steps."""
    read: list[int] = []

    class Watched:
        def read(self, stream: str, after: int = 0) -> Iterator[Entry]:
            for entry in store.read(stream, after):
                read.append(entry.version)
                yield entry

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401
            return getattr(store, name)

    rounds = recall(cast("Store", Watched()), "1", 20, ROUNDS, {})
    first, second = next(rounds), next(rounds)
    assert read[-1] == second.steps[-1].version + 1
    assert first.number + 1 == second.number == 6
