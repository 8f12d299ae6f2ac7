"""A server put together from its parts: how it opens what an earlier one has left."""

from typing import Any

from punto.floor import Floor, Keys
from punto.rules import Position
from punto.server.app import Parts, Server
from punto.server.config import FloorConfig, TableConfig
from punto.store import MemoryStore
from punto.table import Actor, Setup, Source, Timings
from punto.table import commands as do

KEYS = Keys.from_secret(b"a demonstration")
SHIFT = Actor("greta", Position.GAMING_SHIFT_MANAGER)
SETUP = Setup(game="fortune-six", source=Source.VIRTUAL, timings=Timings(bets_ms=1_000))
CONFIG = FloorConfig(tables=(TableConfig(key="1", setup=SETUP),), store="memory:", key_file="", demonstration=True)


async def nobody(*_: Any) -> None:  # noqa: ANN401
    """Answers no request."""


async def test_a_demonstration_opens_again_with_a_matter_about_a_round_that_is_over() -> None:
    store = MemoryStore()
    floor = Floor(store, KEYS)
    steps: list[tuple[type[Any], dict[str, Any]]] = [(do.OpenTable, {"setup": SETUP}), (do.LoadShoe, {})]
    steps += [(do.OpenBets, {}), (do.CloseBets, {})]
    at_ms = 1_782_907_200_000

    def give(kind: type[Any], **fields: Any) -> None:  # noqa: ANN401
        floor.handle(kind(id=f"c{floor.version('1')}", table="1", by=SHIFT, at_ms=at_ms, **fields))

    for kind, fields in steps:
        give(kind, **fields)
    while floor.table("1").deal.next is not None:
        give(do.DrawCard)
    give(do.Refer, matter="a chair fell over")
    assert floor.table("1").asked
    server = Server(CONFIG, Floor(store, KEYS), parts=Parts(http=lambda _: nobody))
    await server.begin()
    assert not server.hall.tables["1"].table.asked
    await server.finish()
    server.hall.close()
