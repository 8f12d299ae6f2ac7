"""Tables at odd moments: decisions that come late, dealers who come and go, tables that nobody deals at."""

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.server.house import House, Page, house, setup
from tests.server.waiting import waits

from punto.server import hosted
from punto.server.clockwork import Pace
from punto.table import Source

DEALT = setup("fa-fa-fabulous-4", bets_ms=60_000, source=Source.DEVICE)


async def managed(opened: House, name: str) -> Page:
    """The page of a Gaming Shift Manager at table 1."""
    page = await opened.page(s=f"{name}:gaming-shift-manager")
    await page.send(t="watch", table="1", role="staff")
    await page.until(lambda: "1" in page.staff)
    return page


async def does(page: Page, *acts: str, **fields: Any) -> None:  # noqa: ANN401
    """Give commands that are accepted."""
    for act in acts:
        answer = await page.act("1", act, **fields)
        assert answer["t"] == "accepted", answer


@waits
async def test_a_decision_that_comes_late_decides_nothing_that_came_after(tmp_path: Path) -> None:
    async with house(tmp_path, DEALT, automatic=False) as opened:
        mona, abe = await managed(opened, "mona"), await managed(opened, "abe")
        await does(abe, "load-shoe", "open-bets")
        await does(abe, "refer", matter="a card fell")
        await mona.until(lambda: mona.staff["1"]["pending"])
        first = mona.staff["1"]["pending"]["number"]
        await does(mona, "rule", ruling="continue", reason="nobody saw it", matter=first)
        await does(abe, "refer", matter="a chip fell")
        late = await mona.act("1", "rule", ruling="void", reason="a card fell", matter=first)
        assert late["code"] == "nothing-pending"
        assert mona.tables["1"]["phase"] == "bets-open"
        await mona.until(lambda: (mona.staff["1"]["pending"] or {}).get("number") == first + 1)
        await does(mona, "rule", ruling="void", reason="a chip fell", matter=first + 1)


@waits
async def test_of_two_who_decide_at_once_one_decides(tmp_path: Path) -> None:
    async with house(tmp_path, DEALT, automatic=False) as opened:
        mona, abe = await managed(opened, "mona"), await managed(opened, "abe")
        may = await managed(opened, "may")
        await does(may, "load-shoe", "open-bets")
        await does(may, "refer", matter="a card fell")
        await does(may, "report-interruption")
        await mona.until(lambda: mona.staff["1"]["pending"])
        ruling = {"ruling": "continue", "reason": "nobody saw it", "matter": mona.staff["1"]["pending"]["number"]}
        answers = await asyncio.gather(*(each.act("1", "rule", **ruling) for each in (mona, abe)))
        assert sorted(answer["t"] for answer in answers) == ["accepted", "refused"]


@waits
async def test_where_people_deal_the_cards_no_round_begins_without_them(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=200, source=Source.DEVICE)) as opened:
        ann, may = await opened.page(p="ann"), await managed(opened, "may")
        await ann.sit("1")
        assert await opened.at_rest("1")
        assert ann.tables["1"]["phase"] == "change-of-shoe"
        assert not ann.tables["1"]["automatic"]
        await does(may, "load-shoe", "open-bets")
        await ann.phase("1", "bets-open")
        assert await opened.at_rest("1")  # the time for wagers is shown, and nothing happens when it is up
        assert ann.tables["1"]["phase"] == "bets-open"


@waits
async def test_who_sat_beyond_the_last_position_of_a_table_that_opens_anew_gets_another(tmp_path: Path) -> None:
    async with house(tmp_path, setup("tiger", bets_ms=60_000, positions=20), automatic=False) as opened:
        ann, bob, may = await opened.page(p="ann"), await opened.page(p="bob"), await managed(opened, "may")
        for page, position in ((ann, 20), (bob, 1)):
            await page.send(t="sit", table="1", position=position)
            await page.until(lambda page=page, position=position: page.own.get("1", {}).get("seat") == position)  # type: ignore[misc]
        await ann.ask("buy", table="1", cents=10_000)
        await does(may, "close-table")
        other = {"game": "baccarat", "source": "virtual", "demonstration": True, "positions": 7}
        proposed = await may.act("1", "open-table", setup=other)
        mona = await managed(opened, "mona")
        assert (await mona.confirm("1", proposed["digest"]))["t"] == "accepted"
        await does(may, "load-shoe", "open-bets")
        await ann.until(lambda: ann.own["1"]["seat"] == 2)
        assert bob.own["1"]["seat"] == 1
        await ann.phase("1", "bets-open")
        assert (await ann.stake("1", "Player", 1000))["t"] == "accepted"


@waits
async def test_who_comes_back_to_a_table_without_a_seat_looks_on(tmp_path: Path) -> None:
    async with house(tmp_path, setup("baccarat", bets_ms=60_000, positions=1), automatic=False) as opened:
        ann, may = await opened.page(p="ann"), await managed(opened, "may")
        await ann.sit("1", cents=0)
        bob = await opened.page(p="bob")
        await bob.send(t="sit", table="1")
        await bob.until(lambda: "" in bob.answers)
        assert bob.answers[""]["code"] == "table-is-full"
        assert bob.tables["1"]["phase"] == ann.tables["1"]["phase"]
        await does(may, "close-table")
        await bob.phase("1", "closed")
        again = await opened.page(p="ann")
        await again.send(t="sit", table="1")
        await again.until(lambda: "" in again.answers)
        assert again.answers[""]["code"] == "not-seated"
        assert again.tables["1"]["phase"] == "closed"
        assert "1" not in again.own


@waits
async def test_a_dealer_who_is_lost_twice_is_waited_for_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with house(tmp_path, setup("baccarat", bets_ms=60_000)) as opened:
        table, waits = opened.hall.tables["1"], []
        for again, away_s in ((False, 3_600.0), (True, 0.05)):
            monkeypatch.setattr(hosted, "_AWAY_S", away_s)
            dora = await opened.page(s="dora:dealer")
            await dora.send(t="watch", table="1", role="staff")
            await dora.send(t="take-table", table="1", again=again)
            await dora.send(t="ping", n=1)
            await dora.until(lambda dora=dora: dora.told[-1]["t"] == "pong")  # type: ignore[misc]
            assert table.dealer is not None
            await dora.close()
            await opened.until(lambda: table.dealer is None)
            waits.append(table._away)  # noqa: SLF001
        assert waits[0] is not None
        assert waits[0].cancelled()  # or the first wait would cut the second short
        await opened.until(lambda: table.dealer_name == "")


@waits
async def test_what_happens_while_no_console_looks_on_is_in_the_log_all_the_same(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=200)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        await ann.phase("1", "settled")
        may = await managed(opened, "may")
        versions = [line["version"] for line in may.staff["1"]["log"]]
        assert versions == list(range(versions[0], versions[-1] + 1))
        assert "round-settled" in [line["event"]["type"] for line in may.staff["1"]["log"]]


@waits
async def test_why_a_round_was_void_is_known_after_a_restart(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=60_000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
    slow = Pace(result_ms=60_000)
    async with house(tmp_path, setup(), pace=slow) as opened:
        ann = await opened.page(p="ann")
        await ann.send(t="sit", table="1")
        await ann.until(lambda: "1" in ann.tables)
        assert (ann.tables["1"]["phase"], ann.tables["1"]["void"]) == ("void", "interruption")


@waits
async def test_however_many_look_at_a_table_it_is_worked_out_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_out: Counter[str] = Counter()

    def counted(name: str) -> Callable[..., Any]:
        work = getattr(hosted, name)

        def count(*given: Any, **named: Any) -> Any:  # noqa: ANN401
            worked_out[name] += 1
            return work(*given, **named)

        return count

    async with house(tmp_path, setup(bets_ms=60_000)) as opened:
        ann, wall = await opened.page(p="ann"), await opened.page()
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        await ann.stake("1", "Banker", 1_000)
        await ann.until(lambda: ann.tables["1"]["stakes"])
        await wall.send(t="watch-floor")
        await wall.until(lambda: wall.tiles)
        for name in ("public_state", "tile"):
            monkeypatch.setattr(hosted, name, counted(name))
        for number in range(20):
            await wall.send(t="watch-floor")
            await wall.send(t="watch", table="1")
            await wall.send(t="ping", n=number)
            await wall.until(lambda: wall.told[-1]["t"] == "pong")
        assert not worked_out
        assert {**wall.tables["1"], "clock": None} == {**ann.tables["1"], "clock": None}
        bob = await opened.page(p="bob")
        await bob.sit("1", cents=0)
        await wall.until(lambda: wall.tiles["1"]["patrons"] == 2)
        assert worked_out["tile"] == 1
