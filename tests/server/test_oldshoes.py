"""A floor opens the shoes that nobody may play on: those whose cards may be known, and those of former tables."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from tests.server.http.floor import PIT, configured
from tests.server.waiting import waits

from punto.floor.keys import Keys
from punto.proof.pins import Pins
from punto.record import audit
from punto.record.exporting import export
from punto.record.verifying import verify
from punto.rules import Position
from punto.server.app import Server, make
from punto.server.config import FloorConfig
from punto.server.ids import fresh_id
from punto.server.oldshoes import OldShoes
from punto.store import open_store
from punto.table import Actor, Phase
from punto.table import commands as do
from punto.table.events import Ruling

SHIFT = Actor("gus", Position.GAMING_SHIFT_MANAGER)


@asynccontextmanager
async def serving(config: FloorConfig) -> AsyncIterator[Server]:
    server = make(config)
    await server.begin()
    try:
        yield server
    finally:
        await server.finish()
        server.hall.close()


async def give(server: Server, kind: type[Any], by: Actor = PIT, **fields: Any) -> None:  # noqa: ANN401
    """A command at table 2, as staff give it."""
    answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    command = kind(id=fresh_id(), table="2", by=by, at_ms=server.hall.now_ms(), **fields)
    server.hall.writer.put(command, answer.set_result)
    outcome = await answer
    assert not isinstance(outcome, Exception), outcome


@waits
async def test_the_shoe_of_a_table_that_left_the_file_is_opened_and_says_why(tmp_path: Path) -> None:
    config = configured(tmp_path)
    async with serving(config) as server:
        await give(server, do.LoadShoe)
    fewer = replace(config, tables=tuple(each for each in config.tables if each.key != "2"))
    async with serving(fewer) as server:
        assert server.hall.writer.floor.table("2").phase is Phase.CLOSED
    with closing(open_store(config.store)) as store:
        text = export(store, "2", 1)
        assert text.headers["order"]
        assert text.headers["ended"].endswith(": the table is no longer in the floor's file")
        assert list(verify(text)) == []
        assert not audit(store, public_key=Keys.open(config.key_source, config.signer).public).findings
    async with serving(config) as server:  # back in the file, it is opened as ever
        assert server.hall.writer.floor.table("2").phase is Phase.CHANGE_OF_SHOE


@waits
async def test_a_known_shoe_in_mid_round_is_replaced_once_the_round_is_over(tmp_path: Path) -> None:
    async with serving(configured(tmp_path)) as server:
        await give(server, do.LoadShoe)
        await give(server, do.OpenBets)
        floor, hosted = server.hall.writer.floor, server.hall.tables["2"]
        floor.history.pins = Pins(by="it-operations", reason="the disk\nbroke")
        shoes = OldShoes(server.hall)
        await server.hall.writer.call(shoes.replace, "2", server.hall.now_ms())
        shoes.begin()
        assert not hosted.table.shoe.out, "the round goes on"
        await give(server, do.CloseBets)
        await give(server, do.Refer, matter="the store was set back")
        await give(server, do.Rule, SHIFT, ruling=Ruling.VOID, reason="the cards may be known")
        while not hosted.table.shoe.out:  # noqa: ASYNC110 (the table has no event for it)
            await asyncio.sleep(0.01)
        shoes.end()
        said = str(export(server.hall.writer.floor.store, "2", 1))
        assert "it-operations decided to go on from another store, so its cards may be known: the disk broke" in said
