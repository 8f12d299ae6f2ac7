"""The floor checks its program: at the start, every day, on demand; whoever watches over it is told what differs."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from tests.cli.shell import punto
from tests.program.laid import Laid
from tests.server.heavy.chores import chore
from tests.server.http.floor import BY_HAND, Opened, opened
from tests.server.waiting import waits

from punto.program import MANIFEST, Interpreter
from punto.record import audit
from punto.record.significant import last_events
from punto.rules import Position
from punto.server import programcheck
from punto.server.programcheck import Result
from punto.store import open_store


@pytest.fixture
def laid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Laid:
    """A small release, which the floor takes for its own program."""
    laid = Laid(tmp_path / "laid")
    laid.release()
    here = laid.interpreter()
    monkeypatch.setattr(Interpreter, "here", classmethod(lambda _: here))
    return laid


@asynccontextmanager
async def floor_of(tmp_path: Path) -> AsyncIterator[Opened]:
    async with opened(tmp_path, BY_HAND) as floor:
        yield floor


async def checked(floor: Opened, count: int = 1) -> list[Result]:
    """The results of the next checks."""
    results: list[Result] = []
    floor.hall.program.listeners.append(results.append)
    await floor.until(lambda: len(results) >= count and not floor.hall.program.state.checking)
    return results


@waits
async def test_a_pit_manager_has_the_program_checked_and_health_metrics_and_log_name_what_differs(
    tmp_path: Path, laid: Laid
) -> None:
    async with floor_of(tmp_path) as floor:
        pit, program = await floor.staff(), floor.hall.program
        assert (await pit.get("/api/program")).json()["state"] == "none"
        begun = (await pit.post("/api/program")).json()
        assert begun["checking"]
        [first] = await checked(floor)
        told = (await pit.get("/api/program")).json()
        assert (told["state"], told["why"], told["by"], told["files"], told["dependencies"]) == (
            *("same", "asked", "pia", 7),
            1,
        )
        assert told["root"] == told["release"]
        assert first.check is not None
        assert first.check.measured.manifest.root == told["root"]
        assert (await pit.get("/health")).json()["status"] == "well"
        laid.write("punto/pay.py", "ODDS = 2\n")
        laid.write("punto/more.py", "")
        program.listeners.clear()
        with capture_logs() as lines:
            program.ask("pia")
            await checked(floor)
        health = (await pit.get("/health")).json()
        assert (health["status"], health["damaged"]) == ("damaged", {"program": "punto/more.py: added, and 1 more"})
        assert health["tables"] == 1, "play goes on"
        [error] = [line for line in lines if line["log_level"] == "error"]
        assert error["first"] == ["added      punto/more.py", "changed    punto/pay.py"]
        figures = (await pit.get("/metrics")).text
        assert "punto_program_differences 2.0" in figures
        told = (await pit.get("/api/program")).json()
        assert [(each["path"], each["word"]) for each in told["differences"]] == [
            ("punto/more.py", "added"),
            ("punto/pay.py", "changed"),
        ]


@waits
@pytest.mark.usefixtures("laid")
async def test_only_a_pit_manager_has_the_program_checked_and_a_pit_supervisor_may_look(tmp_path: Path) -> None:
    async with floor_of(tmp_path) as floor:
        dealer = await floor.staff(Position.DEALER, "dora")
        supervisor = await floor.staff(Position.PIT_SUPERVISOR, "sue")
        assert (await dealer.get("/api/program")).status_code == 403
        assert (await supervisor.get("/api/program")).status_code == 200
        for browser in (dealer, supervisor):
            assert (await browser.post("/api/program")).json()["code"] == "not-allowed"
        assert not floor.hall.program.state.checking


@waits
async def test_a_floor_checks_soon_after_its_start_then_everything_and_then_every_day(
    tmp_path: Path, laid: Laid, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_SOON_S", "_WHOLE_AFTER_S", "_DAY_S"):
        monkeypatch.setattr(programcheck, name, 0.01)
    async with floor_of(tmp_path) as floor:
        floor.hall.program.begin()
        results = await checked(floor, 3)
        kinds = [(each.state.why, each.state.whole, each.state.state) for each in results[:3]]
        assert kinds == [("start", False, "same"), ("start", True, "same"), ("daily", True, "same")]
        assert laid.release().root == results[0].state.root


@waits
async def test_without_a_release_it_says_so_and_is_well_and_tells_what_changes_from_then_on(
    tmp_path: Path, laid: Laid
) -> None:
    (laid.site / MANIFEST).unlink()
    async with floor_of(tmp_path) as floor:
        program = floor.hall.program
        for changed, state in ((False, "no-release"), (False, "same"), (True, "different")):
            if changed:
                laid.write("click/core.py", "class Other: ...\n")
            program.listeners.clear()
            program.ask("pia")
            [result] = await checked(floor)
            assert result.state.state == state
            assert bool(program.faults) is changed
        assert [each.path for each in program.state.differences] == ["click", "click/core.py"]


@waits
async def test_a_former_measurement_that_was_on_record_is_compared_with(tmp_path: Path, laid: Laid) -> None:
    assert await looked(tmp_path) == ("same", [])
    laid.write("punto/pay.py", "ODDS = 2\n")
    laid.release()
    for _ in range(2):
        assert await looked(tmp_path) == ("different", ["punto/pay.py"]), "its manifest was made to fit"


async def looked(tmp_path: Path) -> tuple[str, list[str]]:
    """What a floor says of its program, from its start to its end."""
    async with floor_of(tmp_path) as floor:
        floor.hall.program.ask("pia")
        [result] = await checked(floor)
        return result.state.state, [each.path for each in result.state.differences]


@waits
async def test_without_a_release_what_was_measured_first_counts_over_restarts_until_somebody_accepts_another(
    tmp_path: Path, laid: Laid
) -> None:
    (laid.site / MANIFEST).unlink()
    before = (laid.site / "punto/pay.py").read_text()
    assert (await looked(tmp_path))[0] == "no-release"
    laid.write("punto/pay.py", "ODDS = 2\n")
    for _ in range(3):
        assert await looked(tmp_path) == ("different", ["punto/pay.py"])
    laid.write("punto/pay.py", before)
    assert await looked(tmp_path) == ("same", [])
    laid.write("punto/pay.py", "ODDS = 3\n")
    assert punto("program", "--accept", str(tmp_path)).status == 2
    accepted = punto("program", "--accept", str(tmp_path), "--by", "Ann Tan", "--reason", "the new odds")
    assert (accepted.status, accepted.err) == (0, "")
    assert await looked(tmp_path) == ("same", [])
    laid.write("punto/pay.py", before)
    assert await looked(tmp_path) == ("different", ["punto/pay.py"])
    store = open_store(f"sqlite:{tmp_path / 'floor.db'}", create=False)
    try:
        said = [event.said for event in last_events(store) if event.what == "program-expected"]
        assert not audit(store).findings
    finally:
        store.close()
    first, second = said
    assert "is compared with what was measured there first: Punto" in first
    assert second.startswith("Ann Tan accepted the program on ")
    assert second.endswith("…: the new odds")


@waits
async def test_a_floor_that_is_open_looks_at_what_somebody_accepted_and_its_alarm_ends(
    tmp_path: Path, laid: Laid
) -> None:
    (laid.site / MANIFEST).unlink()
    await looked(tmp_path)
    laid.write("punto/pay.py", "ODDS = 2\n")
    async with floor_of(tmp_path) as floor:
        for state in ("different", "same"):
            floor.hall.program.listeners[1:] = []
            floor.hall.program.ask("pia")
            [result] = await checked(floor)
            assert result.state.state == state
            command = ("program", "--accept", str(tmp_path), "--by", "Ann Tan", "--reason", "the new odds")
            assert (await asyncio.to_thread(punto, *command)).status == 0


@waits
async def test_on_another_machine_the_files_are_compared_with_those_of_the_first_one(
    tmp_path: Path, laid: Laid, monkeypatch: pytest.MonkeyPatch
) -> None:
    (laid.site / MANIFEST).unlink()
    await looked(tmp_path)
    laid.write("click/core.py", "class Other: ...\n")
    monkeypatch.setattr(socket, "gethostname", lambda: "other")
    assert await looked(tmp_path) == ("different", ["click/core.py"]), "by its RECORD alone"
    laid.write("punto/pay.py", "ODDS = 2\n")
    assert await looked(tmp_path) == ("different", ["click/core.py", "punto/pay.py"])


@waits
async def test_a_release_that_ran_changed_first_is_right_once_it_is_as_its_manifest_says(
    tmp_path: Path, laid: Laid
) -> None:
    before = (laid.site / "punto/pay.py").read_text()
    laid.write("punto/pay.py", "ODDS = 2\n")
    assert await looked(tmp_path) == ("different", ["punto/pay.py"])
    accepted = punto("program", "--accept", str(tmp_path), "--by", "Ann Tan", "--reason", "x")
    assert (accepted.status, "install the release again" in accepted.err) == (2, True)
    laid.write("punto/pay.py", before)
    assert await looked(tmp_path) == ("same", [])


@waits
@pytest.mark.usefixtures("laid")
async def test_whoever_asks_while_a_check_is_under_way_joins_it_and_a_small_one_is_followed_by_a_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programcheck, "_SOON_S", 0)
    async with floor_of(tmp_path) as floor:
        program = floor.hall.program
        program.begin()
        await floor.until(lambda: program.state.checking)
        assert program.ask("pia").checking
        results = await checked(floor, 2)
        program.ask("pia")
        program.ask("max")
        await floor.until(lambda: len(results) == 3)
        await asyncio.sleep(0.05)
        kinds = [(each.state.why, each.state.by, each.state.whole) for each in results]
        assert kinds == [("start", "", False), ("asked", "pia", True), ("asked", "pia", True)]


@waits
@pytest.mark.usefixtures("laid")
async def test_a_check_that_fails_says_why_and_raises_no_alarm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parents[2]}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    monkeypatch.setattr(programcheck, "PROGRAM", chore("sleep", 0.2))
    async with floor_of(tmp_path) as floor:
        floor.hall.program.ask("pia")
        [result] = await checked(floor)
        assert (result.state.state, result.check) == ("failed", None)
        assert result.state.said.startswith("it took longer than 0.2 seconds")
        assert floor.hall.program.faults == {}


@waits
@pytest.mark.usefixtures("laid")
async def test_a_floor_that_stops_does_not_wait_for_its_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parents[2]}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    monkeypatch.setattr(programcheck, "PROGRAM", chore("sleep", 60))
    async with floor_of(tmp_path) as floor:
        floor.hall.program.begin()
        floor.hall.program.ask("pia")
        async with asyncio.timeout(5):
            await floor.server.finish()
        assert floor.hall.program.state.state == "none"
