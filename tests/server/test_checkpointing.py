"""Checkpoints of an open floor, and the seals of its gaming days."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from tests.server.http.floor import RUNNING, Opened, opened
from tests.server.waiting import waits

from punto.errors import NoCheckpoint
from punto.ledger.periods import begins_ms, period_of
from punto.proof.seals import SEALS, read_seal
from punto.record import audit
from punto.server.houseclock import LASTING_MS, RUN_ON_MS, HouseClock

_DAY_MS = 86_400_000


class Clocks:
    """A machine's clock that is set by hand, and one that nobody can set."""

    def __init__(self, floor: Opened, ahead_ms: int = 0) -> None:
        self._wall_ms, self._steady_ms = floor.hall.now_ms() + ahead_ms, 0
        self.house = HouseClock(lambda: self._wall_ms, lambda: self._steady_ms)
        floor.hall.clock, floor.hall.time = self.house, self.house.now_ms

    def go_on(self, ms: int) -> None:
        """Let time pass on both."""
        self._wall_ms += ms
        self._steady_ms += ms
        self.house.now_ms()

    def set(self, by_ms: int) -> None:
        """Set the machine's clock, and wait until the floor follows it."""
        self._wall_ms += by_ms
        self.house.now_ms()
        self.go_on(LASTING_MS)


@waits
async def test_a_gaming_day_is_sealed_once_when_it_is_over(tmp_path: Path) -> None:
    async with opened(tmp_path, RUNNING, checkpoints=(str(tmp_path / "outside"),)) as floor:
        await floor.until(lambda: floor.hall.tables["1"].table.round > 1)
        take, store = floor.server.checkpointing.take, floor.hall.writer.floor.store
        await take()
        assert store.tip(SEALS) is None, "the day is not over"
        today = period_of(floor.hall.now_ms()).day
        clocks = Clocks(floor)
        clocks.go_on(_DAY_MS)
        await take()
        await floor.guest()  # and with that the record goes on
        await take()
        [sealed] = store.read(SEALS)
        assert read_seal(sealed.body).day == str(today)
        report = audit(store, public_key=floor.hall.writer.floor.keys.public)
        assert not [each for each in report.findings if each.stream == SEALS]


@waits
async def test_a_floor_that_starts_under_a_clock_a_day_ahead_does_not_seal_the_day_that_goes_on(tmp_path: Path) -> None:
    async with opened(tmp_path, RUNNING, checkpoints=(str(tmp_path / "outside"),)) as floor:
        take, store = floor.server.checkpointing.take, floor.hall.writer.floor.store

        async def sealed() -> list[str]:
            for _ in range(2):
                await floor.guest()
                await take()
            return [read_seal(entry.body).day for entry in store.read(SEALS)]

        today = period_of(floor.hall.now_ms()).day
        clocks = Clocks(floor, ahead_ms=_DAY_MS)
        assert await sealed() == []
        clocks.go_on(RUN_ON_MS - LASTING_MS - 60_000)
        assert await sealed() == [], "it is only the clock that says that a day is over"
        clocks.set(-_DAY_MS)
        assert await sealed() == []
        clocks.go_on(RUN_ON_MS)
        until_ms = begins_ms(today + timedelta(days=1)) - floor.hall.now_ms()
        if until_ms > 0:
            assert await sealed() == [], "the day still goes on"
            clocks.go_on(until_ms)
        assert await sealed() == [str(today)]
        assert not audit(store, public_key=floor.hall.writer.floor.keys.public).findings


@waits
async def test_a_tail_that_only_one_folder_has_lost_is_told_by_health_and_the_floor_opens(tmp_path: Path) -> None:
    outside = (str(tmp_path / "one"), str(tmp_path / "two"))
    async with opened(tmp_path, RUNNING, checkpoints=outside) as floor:
        await floor.until(lambda: floor.hall.tables["1"].table.round > 1)
    [tail] = (tmp_path / "one").glob("tail-*")
    tail.write_bytes(b"")
    async with opened(tmp_path, RUNNING, checkpoints=outside) as floor:
        health = (await floor.nobody("127.0.0.1").get("/health")).json()
        assert health["damaged"] == {f"outside {tail}": "cannot be read; another folder says what it should say"}


@waits
@pytest.mark.parametrize("again", [False, True], ids=["removed", "another folder"])
async def test_a_folder_that_is_lost_while_the_floor_is_open_is_told_until_it_is_next_opened(
    tmp_path: Path, *, again: bool
) -> None:
    outside, away, lost = tmp_path / "outside", tmp_path / "away", "a folder of checkpoints was lost"
    async with opened(tmp_path, RUNNING, checkpoints=(str(outside),)) as floor:
        await floor.until(lambda: floor.hall.tables["1"].table.round > 1)
        await floor.server.checkpointing.take()
        assert (await floor.nobody("127.0.0.1").get("/health")).json()["damaged"] == {}
        with capture_logs() as logs:
            outside.rename(away)  # as if its disk were not mounted any more; what is open in it stays so
            if again:
                outside.mkdir()
            await floor.server.checkpointing.take()
            await floor.guest()
            await floor.server.checkpointing.take()
        kept, before = ({path.name for path in folder.glob("[!.]*")} for folder in (outside, away))
        assert kept == before, "the checkpoint, the tail and the list of tails"
        how = "another folder is in its place" if again else "was made anew"
        said = f"was gone while the floor was open, and {how}: is its disk mounted?"
        assert (await floor.nobody("127.0.0.1").get("/health")).json()["damaged"] == {f"outside {outside}": said}
        assert [each["said"] for each in logs if each["event"] == lost] == [said]
    async with opened(tmp_path, RUNNING, checkpoints=(str(outside),)) as floor:
        assert (await floor.nobody("127.0.0.1").get("/health")).json()["damaged"] == {}


@waits
async def test_a_floor_whose_file_names_no_place_any_more_does_not_open(tmp_path: Path) -> None:
    async with opened(tmp_path, RUNNING, checkpoints=(str(tmp_path / "outside"),)) as floor:
        await floor.until(lambda: floor.hall.tables["1"].table.round > 1)
    with pytest.raises(NoCheckpoint, match="names no place for checkpoints"):
        async with opened(tmp_path, RUNNING):
            pass


@waits
async def test_a_place_that_does_not_answer_is_no_fault_of_the_store_when_the_floor_ends(tmp_path: Path) -> None:
    nobody = "http://127.0.0.1:9/nobody"
    async with opened(tmp_path, RUNNING, checkpoints=(str(tmp_path / "outside"), nobody)) as floor:
        await floor.until(lambda: nobody in floor.server.checkpointing.faults)
        began = asyncio.get_running_loop().time()
        await floor.server.finish()
        assert floor.server.ended_in_order
        assert asyncio.get_running_loop().time() - began < 4
