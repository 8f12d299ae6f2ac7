"""Audits that run by themselves: at their hour, from where the last one came to, with an alarm if one must be."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, Final

import pytest
from structlog.testing import capture_logs
from tests.floor.attacker import Attacker
from tests.server.http.floor import BY_HAND, PIT, Opened, configured, opened
from tests.server.waiting import waits

from punto.errors import FloorIsClosing, TooFast, TooMuchWork
from punto.ledger.periods import moment_of
from punto.server.app import make
from punto.server.auditkeeping import NAME
from punto.server.auditplan import AuditPlan
from punto.server.auditstate import AuditState
from punto.server.heavy.jobs import audit_store
from punto.store import open_store
from punto.store.contract import Snapshot
from punto.table import commands as do

HOUR_MS: Final = 3_600_000
DAY_MS: Final = 24 * HOUR_MS
# Half past four in the morning, at the floor.
START_MS: Final = 1_767_196_800_000 + 4 * HOUR_MS + HOUR_MS // 2


class Hours:
    """The time of day, and the clock by which the floor waits."""

    def __init__(self) -> None:
        self.at_ms = START_MS

    def go(self, hours: float) -> None:
        self.at_ms += int(hours * HOUR_MS)

    def steady_s(self) -> float:
        return self.at_ms / 1000


class Told:
    """Who is told of audits."""

    def __init__(self) -> None:
        self.all: list[tuple[str, AuditState]] = []

    def started(self, state: AuditState) -> None:
        self.all.append(("started", state))

    def ended(self, state: AuditState) -> None:
        self.all.append(("ended", state))
        raise RuntimeError("whoever listens has a fault")


class Audited:
    """A floor whose worker is a thread, and whose clock is ours."""

    def __init__(self, floor: Opened, hours: Hours) -> None:
        self.hours = hours
        self.floor, self.hall = floor, floor.hall
        self.audits = floor.server.office.audits
        self.asked: list[tuple[bool, bool]] = []
        self.fails: Exception | None = None
        self.hall.pool.run = self._run  # type: ignore[method-assign]

    async def _run(self, job: Any, visitor: str, address: str, public: str, progress: bytes, whole: bool) -> Any:  # noqa: ANN401
        del job, visitor
        self.asked.append((bool(progress), whole))
        if self.fails is not None:
            raise self.fails
        return await asyncio.to_thread(audit_store, address, public, progress, whole)

    async def over(self) -> AuditState:
        """The state once the audit is over, and kept."""
        await self.floor.until(lambda: self.audits.state.state != "running")
        await self.floor.until(lambda: not self.audits._keeping)  # noqa: SLF001 (what is kept, is kept beside it)
        return self.audits.state

    async def play(self) -> None:
        await self.floor.do(do.BuyIn, PIT, "2", patron="ann", cents=10_000, position=1)

    async def health(self) -> dict[str, Any]:
        found: dict[str, Any] = (await (await self.floor.staff()).get("/health")).json()
        return found


@asynccontextmanager
async def floor_at(
    folder: Path,
    hours: Hours,
    monkeypatch: pytest.MonkeyPatch,
    **more: Any,  # noqa: ANN401
) -> AsyncIterator[Audited]:
    monkeypatch.setattr("punto.server.audits.monotonic", hours.steady_s)
    hours.go(0.25)  # another floor that was open is long gone
    server = make(configured(folder, BY_HAND, **more))
    server.hall.time = lambda: hours.at_ms
    await server.begin()
    floor = Opened(server)
    try:
        yield Audited(floor, hours)
    finally:
        await floor.close()
        await server.finish()
        server.office.close()
        server.hall.close()


@pytest.mark.parametrize(
    ("since", "due"),
    [("31 04:59", "31 05:00"), ("31 05:00", "01 05:00"), ("31 05:01", "01 05:00"), ("31 23:59", "01 05:00")],
)
def test_an_audit_is_due_at_the_next_such_hour(since: str, due: str) -> None:
    day, _, time = since.partition(" ")
    hour, minute = map(int, time.split(":"))
    since_ms = 1_767_110_400_000 + (int(day) - 31) * DAY_MS + hour * HOUR_MS + minute * 60_000
    assert f"{moment_of(since_ms):%d %H:%M}" == since
    assert f"{moment_of(AuditPlan('05:00').due_ms(since_ms)):%d %H:%M}" == due


def test_the_whole_is_due_on_the_last_day_although_the_last_one_began_late() -> None:
    plan = AuditPlan("05:00", 7)
    assert not plan.is_whole_due(6 * DAY_MS, HOUR_MS)
    assert plan.is_whole_due(7 * DAY_MS, HOUR_MS)


@waits
async def test_the_floor_audits_itself_each_day_and_goes_on_from_the_last_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = Hours()
    async with floor_at(tmp_path, hours, monkeypatch, audit_whole_every_days=3) as floor:
        told = Told()
        floor.audits.listeners.append(told)
        floor.audits.look()
        none: str = floor.audits.state.state
        assert none == "none"
        assert f"{moment_of(floor.audits.state.due_ms):%H:%M}" == "05:00"
        hours.go(1)
        floor.audits.look()
        running: str = floor.audits.state.state
        assert running == "running"
        first = await floor.over()
        assert (first.state, first.kind, first.by, first.new) == ("clean", "whole", "floor", first.entries)
        assert [(what, state.state) for what, state in told.all] == [("started", "running"), ("ended", "clean")]
        floor.audits.look()
        assert floor.audits.state.state == "clean", "it is due tomorrow"
        await floor.play()
        for _ in range(2):
            hours.go(24)
            floor.audits.look()
            state = await floor.over()
            assert (state.state, state.kind) == ("clean", "new")
        assert 0 <= state.new < state.entries
        hours.go(24)
        floor.audits.look()
        assert (await floor.over()).kind == "whole", "after three days everything is read again"
        assert floor.asked == [(False, True), (True, False), (True, False), (True, True)]


@waits
async def test_a_floor_that_was_closed_at_the_hour_makes_up_for_it_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = Hours()
    async with floor_at(tmp_path, hours, monkeypatch) as floor:
        hours.go(1)
        floor.audits.look()
        await floor.over()
    hours.go(25)
    async with floor_at(tmp_path, hours, monkeypatch) as floor:
        assert floor.audits.state.state == "clean", "what the last one said is known"
        floor.audits.look()
        assert not floor.asked, "people come in first"
        hours.go(0.1)
        floor.audits.look()
        state = await floor.over()
        assert (state.kind, state.state) == ("new", "clean")
        hours.go(1)
        floor.audits.look()
        assert len(floor.asked) == 1


@waits
@pytest.mark.parametrize("config", [{"audit_at": ""}, {"audit_at": "05:00"}])
async def test_audits_can_be_left_to_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: dict[str, str]
) -> None:
    hours = Hours()
    async with floor_at(tmp_path, hours, monkeypatch, **config) as floor:
        hours.go(100)
        if config["audit_at"]:
            floor.audits.look()
            assert floor.asked or floor.audits.state.state == "running"
            await floor.over()
        else:
            assert (floor.audits.state.due_ms, floor.audits.alarm) == (0, "")
        pit = await floor.floor.staff()
        assert (await pit.post("/api/audit?kind=new")).json()["kind"] == "new"
        assert (await floor.over()).by == "pia"
        assert (await pit.post("/api/audit?kind=old")).status_code == 400
        assert (await pit.post("/api/audit")).json()["kind"] == "whole"
        await floor.over()
        assert floor.asked[-1] == (False, True), "who asks for the whole has it read without regard to any before"


def tamper(folder: Path) -> None:
    """Add what nobody has signed."""
    Attacker(f"sqlite:{folder / 'floor.db'}").append("table/2", {"nonsense": True})


@waits
async def test_what_an_audit_finds_is_an_alarm_until_one_is_clean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = Hours()
    async with floor_at(tmp_path, hours, monkeypatch) as floor:
        page = watching(floor)
        hours.go(1)
        floor.audits.look()
        assert (await floor.over()).alarm == ""
        assert "audit" not in (await floor.health())["damaged"]
        store = floor.hall.writer.floor.store
        await floor.hall.writer.settle_down()
        tip = store.tip("table/2")
        assert tip
        await floor.hall.writer.call(store.append, [("table/2", tip.version + 1, None, b"{}", b"\0" * 32)], {})
        with capture_logs() as logs:
            hours.go(24)
            floor.audits.look()
            state = await floor.over()
        assert (state.state, state.alarm) == ("wrong", "wrong")
        assert ("error", "the audit found something wrong") in {(each["log_level"], each["event"]) for each in logs}
        health = await floor.health()
        assert health["status"] in {"damaged", "ill"}
        assert health["damaged"]["audit"].startswith("the last audit found ")
        assert 'punto_audit_alarm{what="wrong"} 1.0' in (await (await floor.floor.staff()).get("/metrics")).text
        assert page[-1]["alarms"][0]["what"] == "audit"
        await floor.hall.writer.call(store.prune, {"table/2": tip.version}, [], {})
    async with floor_at(tmp_path, hours, monkeypatch) as floor:
        assert floor.audits.alarm == "wrong", "the floor that opens again knows of it"
        assert floor.audits.state.findings
        page = watching(floor)
        assert page[-1]["alarms"], "and so do pages that come later"
        hours.go(24)
        floor.audits.look()
        assert (await floor.over()).alarm == ""
        assert page[-1] == {"t": "alarms", "alarms": []}
        assert "audit" not in (await floor.health())["damaged"]


def watching(floor: Audited) -> list[dict[str, Any]]:
    """What a page of the pit is told of the floor's alarms."""
    told: list[dict[str, Any]] = []

    class Page:
        staff = PIT

        def tell(self, message: bytes) -> None:
            found = json.loads(message)
            if found["t"] == "alarms":
                told.append(found)

    floor.hall.watch(Page())  # type: ignore[arg-type]
    return told


@waits
async def test_an_audit_that_fails_or_is_missing_is_an_alarm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hours = Hours()
    async with floor_at(tmp_path, hours, monkeypatch) as floor:
        floor.fails = TooFast("other work is under way")
        hours.go(1)
        floor.audits.look()
        assert (await floor.over()).alarm == "", "it is tried again before long"
        hours.go(0.1)
        floor.fails = TooMuchWork("it took too long")
        floor.audits.look()
        assert (await floor.over()).alarm == "failed"
        assert (await floor.health())["damaged"]["audit"] == "the last audit failed: it took too long"
        count = len(floor.asked)
        floor.audits.look()
        assert len(floor.asked) == count, "not at once"
        hours.go(1.1)
        floor.fails = None
        floor.audits.look()
        assert (await floor.over()).alarm == ""
        floor.fails = FloorIsClosing("the floor is closing")
        for _ in range(3):
            hours.go(24)
            floor.audits.look()
            await floor.over()
        assert floor.audits.alarm == "overdue"
        assert (await floor.health())["damaged"]["audit"] == "there was no audit for two days"


# What lies in the store


async def one_audit(folder: Path, hours: Hours, monkeypatch: pytest.MonkeyPatch) -> dict[str, Snapshot]:
    """Play a little, and audit; what is kept of it."""
    async with floor_at(folder, hours, monkeypatch) as floor:
        await floor.play()
        hours.go(24)
        floor.audits.look()
        await floor.over()
    return kept_in(folder)


def kept_in(folder: Path) -> dict[str, Snapshot]:
    with closing(open_store(f"sqlite:{folder / 'floor.db'}")) as store:
        found = {name: store.snapshot(name) for name in (NAME, f"{NAME}/0")}
    return {name: snapshot for name, snapshot in found.items() if snapshot is not None}


def put(folder: Path, kept: dict[str, Snapshot]) -> None:
    with closing(open_store(f"sqlite:{folder / 'floor.db'}")) as store:
        for name, snapshot in kept.items():
            store.keep(name, snapshot)


@waits
async def test_what_this_floor_has_not_kept_is_not_gone_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = Hours()
    older = await one_audit(tmp_path, hours, monkeypatch)
    kept = await one_audit(tmp_path, hours, monkeypatch)
    assert kept.keys() == older.keys() == {NAME, f"{NAME}/0"}
    forged = {
        "stamp": {NAME: kept[NAME]._replace(body=b"\0" * 32 + kept[NAME].body[32:])},
        "piece": {f"{NAME}/0": kept[f"{NAME}/0"]._replace(body=b"cos\nsystem\n(S'true'\ntR.")},
        "older piece": {f"{NAME}/0": older[f"{NAME}/0"]},
    }
    async with floor_at(tmp_path, hours, monkeypatch) as floor:
        for what, each in forged.items():
            put(tmp_path, kept | each)
            with capture_logs() as logs:
                floor.audits.start("pia", "staff/pia", "new")
                state = await floor.over()
            assert floor.asked[-1] == (False, False), what
            assert (state.state, state.kind, state.new) == ("clean", "whole", state.entries)
            assert any("read again" in log["event"] for log in logs) is (what != "stamp")
        put(tmp_path, kept)
        floor.audits.start("pia", "staff/pia", "new")
        state = await floor.over()
        assert state.kind == "new", state.anew


@waits
async def test_what_this_floor_has_kept_before_only_makes_an_audit_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = Hours()
    older = await one_audit(tmp_path, hours, monkeypatch)
    await one_audit(tmp_path, hours, monkeypatch)
    tamper(tmp_path)
    put(tmp_path, older)
    async with floor_at(tmp_path, hours, monkeypatch) as floor:
        hours.go(24)
        floor.audits.look()
        state = await floor.over()
    assert (state.state, state.kind) == ("wrong", "new")
    assert any("table/2" in each.stream for each in state.findings)


@waits
async def test_the_real_worker_goes_on_too(tmp_path: Path) -> None:
    async with opened(tmp_path, BY_HAND) as floor:
        pit = await floor.staff()
        audits = floor.server.office.audits
        for kind in ("whole", "new"):
            assert (await pit.post(f"/api/audit?kind={kind}")).status_code == 202
            await floor.until(lambda: audits.state.state != "running" and not audits._keeping)  # noqa: SLF001
            assert (audits.state.state, audits.state.kind) == ("clean", kind)
