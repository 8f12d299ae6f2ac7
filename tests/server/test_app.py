"""A server put together from its parts: how it opens what an earlier one has left."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from structlog.testing import capture_logs

from punto.floor import Floor, Keys
from punto.rules import Found, Position
from punto.server.app import Parts, Server
from punto.server.config import FloorConfig, TableConfig
from punto.store import MemoryStore
from punto.table import Actor, Setup, Source, Timings
from punto.table import commands as do

KEYS = Keys.from_secret(b"a demonstration")
SHIFT = Actor("greta", Position.GAMING_SHIFT_MANAGER)
VIRTUAL = Setup(game="fortune-six", source=Source.VIRTUAL, timings=Timings(bets_ms=1_000))
DEALT = Setup(game="live-tiger-no-commission")
Give = Callable[..., None]


def chair(give: Give) -> None:
    give(do.Refer, matter="a chair fell over")


def void_round(give: Give) -> None:
    give(do.OpenBets)
    give(do.ReportInterruption)
    give(do.Refer, matter="a chair fell over")


def doubtful_shoe(give: Give) -> None:
    for card in "3d 6s 5d Ad".split():
        give(do.DrawCard, card=card)
    for kind in (do.Announce, do.Settle):
        give(kind)
    give(do.ReportCards, found=Found.FOREIGN_CARDS)


async def nobody(*_: Any) -> None:  # noqa: ANN401
    """Answers no request."""


@pytest.mark.parametrize(("setup", "happens"), [(VIRTUAL, chair), (VIRTUAL, void_round), (DEALT, doubtful_shoe)])
def test_a_demonstration_opens_again_with_a_matter_about_a_round_that_is_over(
    setup: Setup, happens: Callable[[Give], None]
) -> None:
    tables = (TableConfig(key="1", setup=setup),)
    config = FloorConfig(tables=tables, store="memory:", key_file="", demonstration=True)
    store = MemoryStore()
    floor = Floor(store, KEYS)

    def give(kind: type[Any], **fields: Any) -> None:  # noqa: ANN401
        id_ = f"c{floor.version('1')}"
        floor.handle(kind(id=id_, table="1", by=SHIFT, at_ms=1_782_907_200_000, **fields))

    give(do.OpenTable, setup=setup)
    for kind in (do.LoadShoe, do.OpenBets, do.CloseBets):
        give(kind)
    while setup is VIRTUAL and floor.table("1").deal.next is not None:
        give(do.DrawCard)
    happens(give)
    assert floor.table("1").asked

    async def open_again() -> None:
        server = Server(config, Floor(store, KEYS), parts=Parts(http=lambda _: nobody))
        await server.begin()
        assert not server.hall.tables["1"].table.asked
        await server.finish()
        server.hall.close()

    asyncio.run(open_again())


@pytest.mark.parametrize(
    ("store", "warned"),
    [
        ("postgresql://db.example/pit", True),
        ("postgresql://db.example/pit?sslmode=verify-full", False),
        ("x.db", False),
    ],
)
def test_a_floor_warns_at_its_start_of_a_store_elsewhere_that_could_be_anybody(store: str, *, warned: bool) -> None:
    async def begin() -> None:
        config = FloorConfig(tables=(TableConfig(key="1", setup=VIRTUAL),), store=store, grace_s=0, demonstration=True)
        server = Server(config, Floor(MemoryStore(), KEYS), parts=Parts(http=lambda _: nobody))
        with capture_logs() as logs:
            await server.begin()
        await server.finish()
        server.hall.close()
        assert any("sslmode=verify-full" in each["event"] for each in logs) is warned

    asyncio.run(begin())
