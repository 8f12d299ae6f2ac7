"""Health and figures."""

from pathlib import Path
from typing import Any

import pytest
from tests.server.http.floor import BY_HAND, DORA, Opened, opened
from tests.server.waiting import waits

from punto.errors import OutcomeUnknown, PuntoError, StoreGone, StoreLocked
from punto.server import delays
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


@waits
async def test_a_floor_that_waits_says_what_its_store_has_refused_until_it_takes_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delays, "PATIENCE_S", 0.0)  # nobody waits two seconds before it is said
    async with opened(tmp_path, BY_HAND) as floor:
        nobody, store = floor.nobody("127.0.0.1"), floor.hall.writer.floor.store
        full = StoreGone("floor.db: there is no more room (database or disk is full): nothing was written")
        for refusal, said in (
            (full, full.message),
            (StoreLocked("floor.db: another process is writing"), "floor.db: another process is writing"),
            (OutcomeUnknown("floor.db: the answer was lost"), "the store has not answered for 0 s"),
        ):

            def fail(*_: Any, error: PuntoError = refusal) -> None:  # noqa: ANN401
                raise error.anew()

            with monkeypatch.context() as patch:
                for name in ("append", "claim"):
                    patch.setattr(store, name, fail)
                with pytest.raises(type(refusal)):
                    await floor.hall.writer.call(store.claim, "something")
                answer = await nobody.get("/health")
                assert (answer.status_code, answer.json()["status"], answer.json()["said"]) == (503, "waiting", said)
                strangers = (await floor.nobody().get("/health")).json()
                assert (strangers["status"], strangers["said"]) == (
                    "waiting",
                    "the store takes nothing, or does not answer",
                )
            await floor.until(lambda: not floor.hall.delays.waiting_s)
            assert floor.hall.writer.refusal is None


@waits
async def test_health_names_nobody_to_strangers_and_all_of_it_to_staff_to_the_token_and_on_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    streams = ("wallet/ann", "wallet/bob", "cashier/zoe", "table/2", f"outside {tmp_path}", "identity/staff", "'x'", "")
    shown = "a token of some length"
    async with opened(tmp_path, BY_HAND, metrics_token=shown) as floor:
        monkeypatch.setattr(floor.hall, "damaged", lambda: dict.fromkeys(streams, f"why, at {tmp_path}, of ann"))
        strangers = await floor.nobody().get("/health")
        assert strangers.json()["damaged"] == {
            "wallet": "2 wallets are stopped",
            "other": "2 other parts of the record are stopped",
            "table": "1 table is stopped",
            "outside": "1 place outside is at fault",
            "identity": "1 list of people is stopped",
            "store": "the store is at fault",
        }
        for word in ("ann", "bob", "zoe", str(tmp_path)):
            assert word not in strangers.text
        guest, _ = await floor.guest()
        assert (await guest.get("/health")).json()["damaged"] == strangers.json()["damaged"]
        token = {"authorization": f"Bearer {shown}"}
        for told in (await floor.staff(), floor.nobody("127.0.0.1"), floor.nobody(**token)):
            assert {*(await told.get("/health")).json()["damaged"]} == {*streams}


def look_again(floor: Opened) -> None:
    """Have the pulse felt anew, as after a second."""
    floor.server.office.pulse._until = 0.0  # noqa: SLF001
