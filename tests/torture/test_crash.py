"""The power goes while a floor is writing; with syncs left out, that must be found."""

from pathlib import Path
from random import Random

import pytest

from punto.store import SqliteStore
from tests.torture.adapter import recorded
from tests.torture.crash import crash_many
from tests.torture.disk import Change, Cut, Disk, Made, Removed, Synced, Wrote
from tests.torture.journal import Answered, Asked
from tests.torture.recording import Plan, Step, record
from tests.torture.worker import STORE
from tests.width import SEED, width

IMAGES = width(12, 100)
CHANCE = width(5, SEED)
# A planted fault is found after a few images as a rule.
MOST_IMAGES = 10 * IMAGES


def test_a_power_cut_takes_nothing_that_was_acknowledged() -> None:
    for tally in crash_many(IMAGES, CHANCE):
        assert not tally.findings, f"seed {CHANCE}: {tally.findings}"
    assert tally.images == IMAGES
    assert tally.loose_images
    assert tally.acknowledged


@pytest.mark.parametrize("synchronous", ["OFF", "NORMAL"])
def test_without_the_sync_of_every_commit_acknowledged_commands_are_lost(synchronous: str) -> None:
    for tally in crash_many(MOST_IMAGES, CHANCE, synchronous):
        if tally.lost:
            break
    assert tally.lost, f"planted, and not found with seed {CHANCE}"


def test_a_store_gets_its_name_when_all_of_it_is_on_the_disk(tmp_path: Path) -> None:
    changes: list[Change] = []
    with recorded(changes.append):
        SqliteStore(tmp_path / STORE).close()
    made = {change.name for change in changes if change.name.endswith(".new")}
    assert made
    disk = Disk({})
    for change in changes:
        if change.name in made:
            disk.change(change)
    assert not disk.loose


# The disk itself


def left(disk: Disk) -> set[tuple[tuple[str, bytes], ...]]:
    """Everything that may be left of a small disk."""
    return {tuple(sorted(disk.after_power_cut(Random(seed)).items())) for seed in range(200)}


def test_what_was_synced_stays_and_what_was_not_may_go() -> None:
    disk = Disk({"a": b"old"})
    for change in (Wrote("a", 0, b"new"), Synced("a"), Wrote("a", 3, b"er")):
        disk.change(change)
    assert left(disk) == {(("a", b"new"),), (("a", b"newer"),)}


def test_a_write_may_be_torn_between_sectors_and_only_there() -> None:
    disk = Disk({"a": bytes(1536)})
    disk.change(Wrote("a", 256, b"x" * 1024))
    found = {name_and_data[0][1] for name_and_data in left(disk)}
    assert len(found) > 4
    for data in found:
        for part in (data[256:512], data[512:1024], data[1024:1280]):
            assert len({*part}) == 1


def test_a_file_may_keep_the_length_it_had() -> None:
    disk = Disk({"a": b"long"})
    disk.change(Cut("a", 1))
    assert left(disk) == {(("a", b"long"),), (("a", b"l"),)}


def test_a_new_file_may_be_missing_and_a_removed_one_come_back_until_the_next_sync() -> None:
    disk = Disk({"a": b"1"})
    disk.change(Removed("a", certain=False))
    assert left(disk) == {(), (("a", b"1"),)}
    disk.change(Made("a"))
    disk.change(Wrote("a", 0, b"2"))
    assert left(disk) == {(), (("a", b"1"),), (("a", b""),), (("a", b"2"),)}
    disk.change(Synced("a"))
    assert left(disk) == {(("a", b"2"),)}
    disk.change(Removed("a", certain=True))
    assert left(disk) == {()}


def test_a_recording_is_the_same_each_time_but_for_what_is_sealed(tmp_path: Path) -> None:
    shapes = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        steps = record(tmp_path / name, Plan("7", groups=30)).steps
        shapes.append([(type(step), step[:2] if isinstance(step, Wrote) else step) for step in steps if shaped(step)])
    assert shapes[0] == shapes[1]


def shaped(step: Step) -> bool:
    """Whether a step is a change, and not a line that tells the time."""
    return not isinstance(step, Asked | Answered)
