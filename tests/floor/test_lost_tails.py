"""Tails outside that are gone or garbled: a floor opens only where something else says what was acknowledged."""

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from tests.floor.floors import KEYS, START_MS, House

from punto.errors import NoTail, StoreRewritten
from punto.floor.history import History
from punto.floor.sequencer import Sequencer
from punto.store import SqliteStore

Damage = Callable[[Path], object]


def lose_all(tail: Path) -> None:
    """Lose everything in a folder but the checkpoint."""
    for path in tail.parent.glob("tail*"):
        path.unlink()


def garble(tail: Path, newest: int) -> None:
    """Damage the places of so many of the newest numbers."""
    text = bytearray(tail.read_bytes())
    last = max(int(line.split()[1]) for line in bytes(text).decode().splitlines() if line.strip())
    for number in range(last - newest + 1, last + 1):
        text[160 * (number % 64) + 30] ^= 1
    tail.write_bytes(text)


DAMAGES: Final[dict[str, Damage]] = {
    "garbled": lambda tail: tail.write_bytes(b"\xa5" * tail.stat().st_size),
    "emptied": lambda tail: tail.write_bytes(b""),
    "gone": Path.unlink,
    "gone with the list": lose_all,
}


class Life:
    """A floor on a file, with its folders outside."""

    def __init__(self, folder: Path, *outside: str) -> None:
        self.path = folder / "floor.db"
        self.store = SqliteStore(self.path)
        self.house = House(self.store)
        self.outside = [folder / each for each in outside or ("outside",)]
        self.sequencer = Sequencer(self.house.floor.history, self.outside)

    def open(self) -> "Life":
        try:
            self.sequencer.compare()
        except BaseException:
            self.store.close()
            raise
        self.sequencer.begin()
        return self

    def close(self) -> None:
        """Close in order, as far as these tests look."""
        self.sequencer.checkpoint(START_MS)
        self.kill()

    def kill(self) -> None:
        """End as a process does that is killed: nothing is written any more, and no file is held."""
        for tail in self.house.floor.history._tails.values():  # noqa: SLF001
            tail.close()
        self.store.close()


def play_and_lose(folder: Path, *outside: str) -> str:
    """Play goes on after a checkpoint, and the log of the store is lost with all of it; the name of the tail."""
    first = Life(folder, *outside).open()
    first.house.open()
    first.close()
    second = Life(folder, *outside).open()
    for _ in range(2):
        second.house.round("T2")
    before = folder / "before.db"
    shutil.copy(folder / "floor.db", before)  # without its -wal
    name = f"tail-{second.house.floor.history.writer_name}"
    second.kill()
    for left in folder.glob("floor.db*"):
        left.unlink()
    before.rename(folder / "floor.db")
    return name


def play_and_keep(folder: Path, *outside: str) -> str:
    """The same, and nothing is lost."""
    life = Life(folder, *outside).open()
    life.house.open()
    assert life.sequencer.checkpoint(START_MS)
    life.house.round("T2")
    life.kill()
    return f"tail-{life.house.floor.history.writer_name}"


@pytest.mark.parametrize("damage", [*DAMAGES.values(), lambda tail: garble(tail, 8)], ids=[*DAMAGES, "in part"])
def test_a_lost_tail_keeps_a_floor_shut_that_has_lost_play(tmp_path: Path, damage: Damage) -> None:
    damage(tmp_path / "outside" / play_and_lose(tmp_path))
    with pytest.raises((NoTail, StoreRewritten)) as refused:
        Life(tmp_path).open()
    assert "punto accept" in refused.value.message


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_lost_tail_needs_a_decision_and_the_floor_opens_after_it(tmp_path: Path, damage: Damage) -> None:
    damage(tmp_path / "outside" / play_and_keep(tmp_path))
    with pytest.raises(NoTail, match=r"(cannot be read|is gone), so nothing outside shows.*punto accept") as told:
        Life(tmp_path).open()
    assert "\n" not in told.value.message
    life = Life(tmp_path)
    life.sequencer.accept(START_MS + 99_000, "Ann Tan", "the folder's disk has failed")
    life.store.close()
    for _ in range(2):
        life = Life(tmp_path).open()
        assert not life.sequencer.comparison.doubted
        life.house.round("T2")
        life.close()


@pytest.mark.parametrize(("newest", "said"), [(1, []), (3, ["is damaged"])])
def test_a_damaged_tail_is_told_where_the_store_has_all_that_it_can_have_named(
    tmp_path: Path, newest: int, said: list[str]
) -> None:
    """One torn place is what a power failure leaves."""
    garble(tmp_path / "outside" / play_and_keep(tmp_path), newest)
    life = Life(tmp_path).open()
    assert [*life.sequencer.comparison.doubted.values()] == said
    life.store.close()


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_another_folder_with_the_tail_is_enough_and_the_damage_is_told(tmp_path: Path, damage: Damage) -> None:
    damage(tmp_path / "one" / play_and_keep(tmp_path, "one", "two"))
    life = Life(tmp_path, "one", "two").open()
    [(where, said)] = life.sequencer.comparison.doubted.items()
    assert where.startswith(str(tmp_path / "one" / "tail"))
    assert said.endswith("; another folder says what it should say")
    life.house.round("T2")
    life.close()
    again = Life(tmp_path, "one", "two").open()
    assert not again.sequencer.comparison.doubted, "what was lost is kept anew"
    again.store.close()


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_another_folder_that_has_lost_it_as_well_vouches_for_nothing(tmp_path: Path, damage: Damage) -> None:
    name = play_and_keep(tmp_path, "one", "two")
    for folder in ("one", "two"):
        damage(tmp_path / folder / name)
    with pytest.raises(NoTail):
        Life(tmp_path, "one", "two").open()


def test_another_folder_with_the_tail_tells_what_was_lost(tmp_path: Path) -> None:
    name = play_and_lose(tmp_path, "one", "two")
    (tmp_path / "one" / name).write_bytes(b"")
    with pytest.raises(StoreRewritten, match="has lost acknowledged play"):
        Life(tmp_path, "one", "two").open()


def test_nothing_is_missed_in_any_ordinary_life(tmp_path: Path) -> None:
    """The first start, a clean close, a kill, a folder that is added, one that is left out."""

    def lived(*outside: str, checkpoint: bool = True) -> None:
        life = Life(tmp_path, *outside).open()
        assert life.sequencer.comparison.doubted == {}
        life.house.round("T2") if life.house.floor.history.end("table/T2").version else life.house.open()
        if checkpoint:
            life.sequencer.checkpoint(START_MS)
        life.kill()

    lived("one", checkpoint=False)
    lived("one", checkpoint=False)
    for _ in range(3):
        lived("one")
    lived("one", checkpoint=False)
    lived("one", "two", checkpoint=False)
    lived("one", "two")
    lived("two")
    lived("two", checkpoint=False)
    lived("one", "two")
    # A checkpoint that was never kept outside is kept in a new folder, whose tails begin later.
    life = Life(tmp_path, "one", "two", "three").open()
    life.house.round("T2")
    life.kill()
    lived("three", "one", "two")


def test_a_floor_without_folders_misses_no_tail(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        House(store).open()
        Sequencer(History(store, KEYS), ()).compare()
