"""Health and figures."""

from pathlib import Path
from typing import Any

import pytest
from tests.server.http.floor import BY_HAND, DORA, Opened, opened
from tests.server.waiting import waits

from punto.errors import StoreGone
from punto.server.http import measures
from punto.table import commands as do


@waits
async def test_figures_are_for_staff_and_for_the_machine_itself(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        assert (await floor.nobody().get("/metrics")).status_code == 403
        for browser in (floor.nobody("127.0.0.1"), floor.nobody("::1"), await floor.staff()):
            answer = await browser.get("/metrics")
            assert answer.status_code == 200
            assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"


@waits
async def test_behind_a_proxy_nobody_is_the_machine_itself(tmp_path: Path) -> None:
    async with opened(tmp_path, BY_HAND, behind_proxy=True) as floor:
        assert (await floor.nobody("127.0.0.1").get("/metrics")).status_code == 403


@waits
async def test_commands_are_counted_by_kind_and_result(tmp_path: Path) -> None:
    async with opened(tmp_path, BY_HAND) as floor:
        await floor.do(do.LoadShoe, DORA)
        with pytest.raises(Exception, match="shoe"):
            await floor.do(do.LoadShoe, DORA)
        text = (await floor.nobody("127.0.0.1").get("/metrics")).text
        lines = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        assert lines['punto_commands_total{kind="load-shoe",result="accepted"}'] == "1.0"
        assert lines['punto_commands_total{kind="load-shoe",result="refused"}'] == "1.0"
        assert sum(float(value) for name, value in lines.items() if name.startswith("punto_refused_total{")) == 1
        assert lines["punto_group_commands_count"] == lines["punto_group_seconds_count"] == "2.0"
        assert lines["punto_open_tables"] == "1.0"
        assert "process_resident_memory_bytes" in lines


@waits
async def test_the_floor_is_ill_when_the_store_or_the_writer_is_dead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measures, "_KEPT_S", 3_600.0)  # no machine is so slow that it is felt anew by itself
    async with opened(tmp_path, BY_HAND) as floor:
        nobody = floor.nobody()
        answer = await nobody.get("/health")
        assert (answer.status_code, answer.json()["status"]) == (200, "well")
        writer = floor.hall.writer

        def fail(*_: Any) -> None:  # noqa: ANN401
            raise StoreGone("the disk is full")

        append, writer.floor.store.append = writer.floor.store.append, fail  # type: ignore[assignment,method-assign]
        with pytest.raises(StoreGone):
            await floor.do(do.LoadShoe, DORA)
        assert (await nobody.get("/health")).json()["status"] == "well"  # however many ask, it is felt once a second
        look_again(floor)
        answer = await nobody.get("/health")
        assert (answer.status_code, answer.json()["said"]) == (503, "the store takes nothing")
        writer.floor.store.append = append  # type: ignore[method-assign]
        await floor.do(do.LoadShoe, DORA)
        look_again(floor)
        assert (await nobody.get("/health")).status_code == 200
        writer.close()
        look_again(floor)
        answer = await nobody.get("/health")
        assert (answer.status_code, answer.json()["said"]) == (503, "the writer has stopped")


def look_again(floor: Opened) -> None:
    """Have the pulse felt anew, as after a second."""
    floor.server.office.pulse._until = 0.0  # noqa: SLF001
