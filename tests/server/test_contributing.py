"""Patrons and a beacon contribute to the order of virtual shoes, on sockets and against the clock."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.proof.relay import Relay, relay_server
from tests.server.house import House, Page, house, setup
from tests.server.waiting import waits

from punto.record import audit, export, read_shoe, verify
from punto.record.fairness import Chosen, fairness_of
from punto.server.beacons import BeaconWatch, Unreachable, fetch
from punto.server.clockwork import Pace
from punto.store import SqliteStore
from punto.table.contributions import COMMIT_MS, contribution_digest

PACE = Pace(card_ms=10, speech_ms=10, result_ms=50, shoe_ms=10, cut_ms=700, reveal_ms=100)
# Longer than patrons have to contribute in any case.
LONG = replace(PACE, cut_ms=COMMIT_MS + 1_000)


def secret_of(name: str) -> str:
    return sha256(name.encode()).hexdigest()


async def seated(opened: House, *names: str) -> list[Page]:
    """Patrons at the table, whose first shoe takes contributions."""
    pages = [await opened.page(p=name) for name in names]
    for page in pages:
        await page.sit("1")
    await pages[0].until(lambda: pages[0].tables["1"]["shoe"]["takes_contributions"])
    return pages


async def contribute(page: Page, name: str) -> dict[str, Any]:
    shoe = page.tables["1"]["shoe"]
    digest = contribution_digest(shoe["commitment"], name, secret_of(name))
    return await page.act("1", "contribute", shoe=shoe["number"], commitment=digest)


async def reveal(page: Page, name: str) -> dict[str, Any]:
    await page.until(lambda: page.tables["1"]["shoe"]["closed"])
    number = page.tables["1"]["shoe"]["number"]
    return await page.act("1", "reveal-contribution", shoe=number, secret=secret_of(name))


@waits
async def test_bets_open_as_soon_as_everybody_has_revealed(tmp_path: Path) -> None:
    async with house(tmp_path, setup(), pace=PACE) as opened:
        ann, bob = await seated(opened, "ann", "bob")
        assert ann.own["1"]["may_contribute"]
        assert (await contribute(ann, "ann"))["t"] == "accepted"
        assert (await contribute(bob, "bob"))["t"] == "accepted"
        await ann.until(
            lambda: (
                ann.own["1"]["contribution"]
                == {
                    "commitment": contribution_digest(ann.tables["1"]["shoe"]["commitment"], "ann", secret_of("ann")),
                    "revealed": False,
                }
            )
        )
        assert not ann.own["1"]["may_contribute"]
        assert ann.tables["1"]["shoe"]["contributors"] == 2
        await asyncio.gather(reveal(ann, "ann"), reveal(bob, "bob"))
        await ann.phase("1", "bets-open")
        shoe = opened.floor.table("1").shoe
        assert [(each.patron, bool(each.secret)) for each in shoe.contributions] == [("ann", True), ("bob", True)]
        assert shoe.number == 1


@waits
async def test_a_contribution_that_is_withheld_abandons_the_shoe_and_the_next_one_is_played(tmp_path: Path) -> None:
    async with house(tmp_path, setup(), pace=PACE) as opened:
        ann, eve = await seated(opened, "ann", "eve")
        await asyncio.gather(contribute(ann, "ann"), contribute(eve, "eve"))
        await reveal(ann, "ann")
        await ann.until(lambda: ann.tables["1"]["shoe"]["number"] == 2)
        await ann.until(lambda: ann.own["1"]["may_contribute"])
        assert not eve.own["1"]["may_contribute"]
        assert (await contribute(eve, "eve"))["code"] == "out-of-turn"
        assert (await contribute(ann, "ann"))["t"] == "accepted"
        await reveal(ann, "ann")
        await ann.phase("1", "bets-open")
        text = str(export(opened.floor.store, "1", 1))
        assert "ended unrevealed" in text
        assert list(verify(read_shoe(text))) == []


@waits
async def test_a_contribution_does_not_begin_the_time_for_the_cut_anew(tmp_path: Path) -> None:
    async with house(tmp_path, setup(), pace=LONG) as opened:
        (ann,) = await seated(opened, "ann")
        before = opened.hall.tables["1"].clockwork.running[-1]
        await contribute(ann, "ann")
        await ann.until(lambda: ann.tables["1"]["shoe"]["contributors"])
        assert opened.hall.tables["1"].clockwork.running[-1] == before


@asynccontextmanager
async def beaconed(opened: House, relay: Relay) -> AsyncIterator[BeaconWatch]:
    watch = BeaconWatch(opened.hall, relay.beacon, ("http://127.0.0.1:9/nobody", relay.url))
    opened.floor.use_beacon(watch.named)
    watch.begin()
    try:
        yield watch
    finally:
        await watch.end()


@waits
async def test_bets_wait_for_the_first_round_of_the_beacon_after_the_close(tmp_path: Path) -> None:
    with relay_server() as relay:
        pace = Pace(card_ms=10, speech_ms=10, result_ms=50, shoe_ms=600, cut_ms=100, reveal_ms=5_000)
        async with house(tmp_path, setup(), pace=pace) as opened, beaconed(opened, relay):
            ann = await opened.page(p="ann")
            await ann.sit("1")
            await ann.phase("1", "bets-open")
            shoe = opened.floor.table("1").shoe
            assert shoe.beacon_value
            asked = [at for named, at in relay.asked if named == str(shoe.beacon_round)]
            assert asked
            assert min(asked) >= relay.beacon.comes_s(shoe.beacon_round), "nobody asks before the round has come"
            public = opened.floor.keys.public
        with closing(SqliteStore(tmp_path / "floor.db")) as store:
            assert not audit(store, public_key=public).findings


@waits
async def test_a_beacon_that_is_gone_is_not_waited_for_and_the_record_says_so(tmp_path: Path) -> None:
    with relay_server() as relay:
        relay.is_up = False
        async with house(tmp_path, setup(), pace=PACE) as opened, beaconed(opened, relay) as watch:
            ann = await opened.page(p="ann")
            await ann.sit("1")
            await ann.phase("1", "bets-open")
            named = opened.floor.table("1").shoe.beacon
            assert named is not None
            assert not named.reached
            assert "status 404" in watch.fault
            text = str(export(opened.floor.store, "1", 1))
        assert "unreached" in text
        assert fairness_of(read_shoe(text)).chosen is Chosen.ANYBODY, "it is not open yet"


@waits
async def test_a_beacon_that_has_halted_is_not_waited_for(tmp_path: Path) -> None:
    with relay_server() as relay:
        relay.lies = "the latest is old"
        async with house(tmp_path, setup(), pace=PACE) as opened, beaconed(opened, relay) as watch:
            ann = await opened.page(p="ann")
            await ann.sit("1")
            await ann.phase("1", "bets-open")
            named = opened.floor.table("1").shoe.beacon
            assert named is not None
            assert not named.reached
            assert "the latest round is 1000" in watch.fault


@waits
async def test_the_cut_does_not_end_the_time_for_contributions(tmp_path: Path) -> None:
    async with house(tmp_path, setup(), pace=LONG) as opened:
        ann, bob = await seated(opened, "ann", "bob")
        until = opened.hall.tables["1"].clockwork.running[-1]
        await ann.act("1", "cut-shoe", cards=60)
        await contribute(ann, "ann")
        await ann.until(lambda: ann.tables["1"]["shoe"]["contributors"])
        assert opened.hall.tables["1"].clockwork.running[-1] == until
        assert (await contribute(bob, "bob"))["t"] == "accepted"


def test_a_value_that_the_beacon_did_not_sign_for_that_round_is_refused() -> None:
    with relay_server() as relay:
        round_ = relay.beacon.round_after(0) + 5
        assert fetch(relay.beacon, (relay.url,), round_)[0] == round_
        for lie, why in (
            ("an older value", "has not signed"),
            ("another round", "in place of"),
            ("no JSON", "does not read"),
        ):
            relay.lies = lie
            with pytest.raises(Unreachable, match=why):
                fetch(relay.beacon, (relay.url,), round_)
        with pytest.raises(Unreachable, match="no address"):
            fetch(relay.beacon, (), round_)
