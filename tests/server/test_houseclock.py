"""The machine's clock may jump: the floor's does not, deadlines do not wait for it, and a manager can call time."""

import asyncio
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.glitch import ANSWER_MS, DAY_MS, KEY, SETUP, STORE, TABLE
from tests.server.house import QUICK
from tests.server.http.floor import opened
from tests.server.waiting import waits

from punto.floor import Keys
from punto.floor.books import books
from punto.ledger.periods import period_of
from punto.record import audit
from punto.server.config import TableConfig
from punto.server.houseclock import LASTING_MS, RUN_ON_MS, SLEW, SLEWED_MS, HouseClock
from punto.store import SqliteStore
from punto.table import Phase
from punto.table.log import read

START_MS = 1_767_196_800_000


class Clocks:
    """A machine's clock that can be set, and one that cannot."""

    def __init__(self) -> None:
        self.wall_ms, self.steady_ms = START_MS, 5_000
        self.house = HouseClock(lambda: self.wall_ms, lambda: self.steady_ms)

    def go_on(self, ms: int) -> int:
        """Let time pass, on both; what the house's clock says then."""
        self.wall_ms += ms
        self.steady_ms += ms
        return self.house.now_ms()


def test_the_floors_clock_does_not_follow_a_jump_and_says_that_there_was_one() -> None:
    clocks = Clocks()
    assert clocks.go_on(1_000) == START_MS + 1_000
    clocks.wall_ms += DAY_MS
    assert clocks.go_on(5_000) == START_MS + 6_000
    assert clocks.house.astray_s == DAY_MS // 1000
    clocks.wall_ms -= DAY_MS
    assert clocks.go_on(1_000) == START_MS + 7_000
    assert clocks.house.astray_s == 0


@pytest.mark.parametrize("jump_ms", [DAY_MS, -DAY_MS])
def test_a_difference_that_lasts_is_followed_in_the_end(jump_ms: int) -> None:
    clocks = Clocks()
    clocks.wall_ms += jump_ms
    passed = 0
    while passed < LASTING_MS:
        assert clocks.go_on(1_000) == START_MS + passed + 1_000
        passed += 1_000
    assert clocks.go_on(1_000) == START_MS + passed + 1_000 + jump_ms
    assert clocks.house.astray_s == 0


def test_a_clock_that_keeps_jumping_is_never_followed() -> None:
    clocks = Clocks()
    for turn in range(20):
        clocks.wall_ms += DAY_MS
        assert clocks.go_on(LASTING_MS // 2) == START_MS + (turn + 1) * (LASTING_MS // 2)


@pytest.mark.parametrize("off_ms", [SLEWED_MS, -SLEWED_MS])
def test_a_small_difference_is_made_up_for_without_a_jump(off_ms: int) -> None:
    clocks = Clocks()
    clocks.wall_ms += off_ms
    before = clocks.house.now_ms()
    for _ in range(round(SLEWED_MS / SLEW / 1_000) + 1):
        now = clocks.go_on(1_000)
        assert 1_000 * (1 - SLEW) - 1 <= now - before <= 1_000 * (1 + SLEW) + 1
        before = now
    assert before == clocks.wall_ms


def test_a_record_from_the_future_is_noticed_until_the_clock_is_there() -> None:
    clocks = Clocks()
    clocks.house.compare(START_MS + 30_000)
    assert clocks.house.behind_record_s == 0
    clocks.house.compare(START_MS + DAY_MS)
    assert clocks.house.behind_record_s == DAY_MS // 1000
    clocks.go_on(DAY_MS)
    assert clocks.house.behind_record_s == 0


def test_a_clock_that_was_ahead_and_is_set_right_leaves_a_record_from_the_future() -> None:
    clocks = Clocks()
    clocks.wall_ms -= DAY_MS
    clocks.go_on(1_000)
    clocks.go_on(LASTING_MS)
    assert clocks.house.astray_s == 0
    assert clocks.house.behind_record_s == DAY_MS // 1000


def test_a_clock_is_believed_about_days_once_it_has_run_on_for_an_hour() -> None:
    clocks = Clocks()
    clocks.go_on(RUN_ON_MS - 1)
    assert not clocks.house.runs_on
    clocks.go_on(1)
    assert clocks.house.runs_on
    clocks.wall_ms += DAY_MS
    assert not clocks.house.runs_on, "it has jumped"
    clocks.wall_ms -= DAY_MS
    clocks.go_on(RUN_ON_MS - 1)
    assert not clocks.house.runs_on
    clocks.go_on(1)
    assert clocks.house.runs_on


@waits
async def test_the_alarm_says_what_is_the_matter_with_a_clock(tmp_path: Path) -> None:
    """A clock that was ahead and is set right is not called behind: it may be the first right one."""
    async with opened(tmp_path, TableConfig(key=TABLE, setup=SETUP, automatic=False)) as floor:
        clocks = Clocks()
        floor.hall.clock, floor.hall.seals = clocks.house, True

        def told() -> list[str]:
            return [alarm.text.en.partition(":")[0] for alarm in floor.hall.troubles()]

        clocks.house.compare(START_MS - DAY_MS)
        assert told() == ["By this machine's clock the last entry at the tables is 24 h old"]
        clocks.go_on(RUN_ON_MS)
        assert told() == []
        clocks.wall_ms -= DAY_MS
        assert told() == ["This machine's clock has jumped back by 24 h"]
        clocks.go_on(LASTING_MS)
        assert told() == ["The record is 24 h ahead of this machine's clock"]
        clocks.wall_ms += 2 * DAY_MS
        assert told() == ["This machine's clock has jumped forward by 48 h"]


@waits
async def test_a_floor_killed_under_a_clock_a_day_ahead_goes_on_at_once_after_its_restart(tmp_path: Path) -> None:
    killed = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-m", "tests.server.glitch", str(tmp_path)], check=False
    )
    assert killed.returncode == -9
    table = TableConfig(key=TABLE, setup=SETUP, pace=QUICK)
    async with opened(tmp_path, table) as floor:
        hosted = floor.hall.tables[TABLE]
        assert hosted.table.awaited is not None, "the patron may withdraw, for the round was interrupted (B8 5.17.1)"
        began = time.monotonic()
        while hosted.table.phase is not Phase.SETTLED:
            assert time.monotonic() < began + 15, f"the table is stuck in {hosted.table.phase}"
            await asyncio.sleep(0.02)
        assert time.monotonic() - began >= ANSWER_MS / 1000
        [alarm] = floor.hall.troubles()
        assert alarm.what == "clock"
        assert alarm.text.en.startswith("The record is 24 h ahead of this machine's clock: ")
        now_ms = floor.hall.now_ms()
    with closing(SqliteStore(tmp_path / STORE)) as store:
        logged = [read(entry.body) for entry in store.read(f"table/{TABLE}")]
        assert [each.at_ms for each in logged] == sorted(each.at_ms for each in logged)
        assert not audit(store, public_key=Keys.at(tmp_path / KEY).public).findings
        # Seven entries lie a day ahead, and the rest of the round is more: it all belongs to the day it was played on.
        [row] = books(store, TABLE, "day")
        assert row.what == str(period_of(now_ms).day)
