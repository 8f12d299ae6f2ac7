"""The gate: what one person moves alone counts at once, whoever else writes to the same store."""

import asyncio
from pathlib import Path
from typing import Any, Final

from tests.record.play import KEYS
from tests.record.staffed import LIMITS, SETUP, Staffed
from tests.server.identity.lobby import CHEAP, PASSWORD, Clock, configured
from tests.server.waiting import waits

from punto.errors import NeedsSecond, NotAllowed, PuntoError
from punto.floor import Answer, Floor
from punto.floor.warrants import Warrant
from punto.record import audit
from punto.rules import Position
from punto.rules.money import Cents
from punto.server.config import TableConfig
from punto.server.identity import Identity
from punto.server.identity.passwords import Passwords
from punto.server.oldshoes import HOUSE
from punto.server.orders import CashLimit
from punto.server.writer import Writer
from punto.store import MemoryStore
from punto.table import commands as do

ALONE: Final = {Position.DEALER: CashLimit(Cents(10_000), Cents(25_000))}
assert LIMITS


class Process(Staffed):
    """A process of a floor whose dealers move little cash alone, with a table of its own."""

    def __init__(self, store: MemoryStore, table: str, clock: Clock) -> None:
        super().__init__(store)
        self.clock, self.table = clock, table
        self.floor = Floor(store, KEYS)
        self.writer = Writer(self.floor, _answer)
        config = configured(Path(), TableConfig(key=table, setup=SETUP), cash_limits=ALONE)
        self.identity = Identity(self.writer, config, clock, passwords=Passwords(CHEAP))

    async def buys(self, cents: int, kind: Any = do.BuyIn) -> Answer | PuntoError:  # noqa: ANN401
        """Have the dealer move cash for Ann: what came of it."""
        self._count += 1
        self.clock.go(0.01)
        dan = self.sessions["dan"]
        by = self.identity.acts_as(dan)
        command = kind(
            id=f"{self.table}-{self._count}",
            table=self.table,
            by=by,
            at_ms=self.clock(),
            patron="ann",
            cents=Cents(cents),
            position=1,
        )
        try:
            return await self.writer.give(command, Warrant(dan.id))
        except PuntoError as refusal:
            return refusal


def _answer(written: Any) -> None:  # noqa: ANN401
    for asked, answer in zip(written.asked, written.answers, strict=True):
        asked.then(answer)


async def opened(store: MemoryStore, *tables: str) -> list[Process]:
    """Processes on one store, where Dan deals at all tables; Ann is registered."""
    clock = Clock()
    processes = [Process(store, table, clock) for table in tables]
    first = processes[0]
    for process in processes:
        await process.identity.begin()
    await first.identity.first_account("greta", PASSWORD)
    first.sessions["greta"] = (await first.identity.sign_in("greta", PASSWORD)).session
    await first.hire("dan", Position.DEALER)
    await first.identity.house.register_patron(first.sessions["greta"], "ann")
    for process in processes:
        process.sessions = first.sessions
        await process.identity.sweep()
        opening = do.OpenTable(id=f"open-{process.table}", table=process.table, by=HOUSE, at_ms=clock(), setup=SETUP)
        await process.writer.give(opening)
    return processes


async def closed(store: MemoryStore, processes: list[Process]) -> None:
    for process in processes:
        await process.identity.stop()
        process.writer.close()
    report = audit(store, public_key=KEYS.public)
    assert report.clean, report.findings[:3]


@waits
async def test_cash_counts_on_all_processes_of_a_store(tmp_path: Path) -> None:
    del tmp_path
    store = MemoryStore()
    one, other = processes = await opened(store, "T1", "T2")
    assert isinstance(await one.buys(10_000), Answer)
    assert isinstance(await other.buys(10_000), Answer)
    # Neither process has seen the other's heads since it wrote; the store tells.
    for process in (one, other, one):
        assert isinstance(await process.buys(5_001), NeedsSecond)
    assert isinstance(await other.buys(5_000), Answer)
    assert isinstance(await one.buys(100), NeedsSecond)
    await closed(store, processes)


@waits
async def test_cash_that_is_sent_all_at_once_counts_one_after_the_other(tmp_path: Path) -> None:
    del tmp_path
    store = MemoryStore()
    one, other = processes = await opened(store, "T1", "T2")
    answers = await asyncio.gather(*(process.buys(5_000) for process in (one, other) * 5))
    assert sum(isinstance(each, Answer) for each in answers) == 5
    assert sum(isinstance(each, NeedsSecond) for each in answers) == 5
    assert one.floor.cash_since("dan", 0) == 25_000
    await closed(store, processes)


@waits
async def test_what_is_refused_for_another_reason_does_not_count(tmp_path: Path) -> None:
    del tmp_path
    store = MemoryStore()
    [one] = processes = await opened(store, "T1")
    for _ in range(4):
        refused = await one.buys(10_000, do.CashOut)
        assert isinstance(refused, PuntoError)
        assert not isinstance(refused, NotAllowed)
    assert isinstance(await one.buys(10_000), Answer)
    assert one.floor.cash_since("dan", 0) == 10_000
    await closed(store, processes)
