"""Checkpoints of an open floor, and the seals of its gaming days."""

from pathlib import Path

from tests.server.http.floor import RUNNING, opened
from tests.server.waiting import waits

from punto.ledger.periods import period_of
from punto.proof.seals import SEALS, read_seal
from punto.record import audit

_DAY_MS = 86_400_000


@waits
async def test_a_gaming_day_is_sealed_once_when_it_is_over(tmp_path: Path) -> None:
    async with opened(tmp_path, RUNNING, checkpoints=(str(tmp_path / "outside"),)) as floor:
        await floor.until(lambda: floor.hall.tables["1"].table.round > 1)
        take, store = floor.server.checkpointing.take, floor.hall.writer.floor.store
        await take()
        assert store.tip(SEALS) is None, "the day is not over"
        today = period_of(floor.hall.now_ms()).day
        now = floor.hall.time
        floor.hall.time = lambda: now() + _DAY_MS
        await take()
        await floor.guest()  # and with that the record goes on
        await take()
        [sealed] = store.read(SEALS)
        assert read_seal(sealed.body).day == str(today)
        report = audit(store, public_key=floor.hall.writer.floor.keys.public)
        assert not [each for each in report.findings if each.stream == SEALS]
