"""A commit whose answer was lost, as pages see it: nobody knows yet, and then what really came of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.server.house import House, Message, Page, house, setup
from tests.server.waiting import waits
from tests.store.places import drop_schemas, schemas_in
from tests.store.proxy import Proxy, proxied

from punto.store.postgres import PostgresStore


@asynccontextmanager
async def doubtful(url: str, folder: Path, **more: Any) -> AsyncIterator[tuple[House, Proxy, Page]]:  # noqa: ANN401
    """A house on a PostgreSQL whose line can be cut, and Ann, who sits there with open bets."""
    with proxied(url) as proxy:
        schema = schemas_in(proxy.url)()
        async with house(folder, setup(bets_ms=60_000), store=PostgresStore(schema), **more) as opened:
            ann = await opened.page(p="ann")
            await ann.sit("1", 10_000)
            await ann.phase("1", "bets-open")
            await opened.hall.writer.settle_down()
            yield opened, proxy, ann
        drop_schemas(url, [schema])


async def ask(page: Page, t: str, id_: str, **more: Any) -> None:  # noqa: ANN401
    """Ask for something, and wait until the page is told that nobody knows."""
    said = page.in_doubt.count(id_)
    await page.send(t=t, id=id_, table="1", **more)
    await page.until(lambda: page.in_doubt.count(id_) > said or id_ in page.answers)
    assert id_ not in page.answers


async def answer(page: Page, id_: str) -> Message:
    """What a page is told at last."""
    await page.until(lambda: id_ in page.answers)
    return page.answers[id_]


async def has(page: Page, cents: int) -> None:
    """Wait until a page is told so many credits."""
    await page.until(lambda: page.purse.get("credits_cents") == cents)


@waits
async def test_a_cash_out_without_an_answer_is_in_doubt_and_its_code_comes_by_itself(
    tmp_path: Path, database_url: str
) -> None:
    async with doubtful(database_url, tmp_path) as (opened, proxy, ann):
        beside = await opened.page(p="ann")
        proxy.cut(b"COMMIT", deliver=True, stay_down=True)
        await ask(ann, "collect", "my-ticket")
        await ann.until(lambda: (ann.tables["1"]["wait"] or {}).get("what") == "store")
        assert ann.purse["credits_cents"] == 10_000
        await ask(ann, "collect", "my-ticket")  # while the store is away, nobody knows
        again = await opened.page(p="ann")  # as after a reload
        await again.send(t="sit", table="1")
        await ask(again, "collect", "my-ticket", again=True)
        assert (await ann.ask("buy", table="1", cents=5))["code"] == "store-gone"
        proxy.down = False
        for page in (ann, again):
            assert (await answer(page, "my-ticket"))["cents"] == 10_000
        assert ann.answers["my-ticket"]["code"] == again.answers["my-ticket"]["code"]
        for page in (ann, beside, again):
            await has(page, 0)
        await ann.until(lambda: ann.tables["1"]["wait"] is None)
        bob = await opened.page(p="bob")
        await bob.sit("1", 0)
        proxy.cut(b"COMMIT", deliver=True)
        await ask(bob, "redeem", "spend", code=ann.answers["my-ticket"]["code"])
        assert (await answer(bob, "spend"))["t"] == "accepted"
        await has(bob, 10_000)
        assert opened.hall.tables["1"].meters.total.in_cents == 20_000


@waits
@pytest.mark.parametrize("delivered", [True, False])
async def test_whatever_is_in_doubt_ends_as_the_store_has_it_without_another_command(
    tmp_path: Path, database_url: str, delivered: bool
) -> None:
    async with doubtful(database_url, tmp_path) as (opened, proxy, ann):
        version = opened.hall.tables["1"].version
        proxy.cut(b"COMMIT", deliver=delivered)
        await ask(ann, "stake", "wager", wager="Banker", cents=1_000)
        first = await answer(ann, "wager")
        del ann.answers["wager"]
        assert first["t"] == ("accepted" if delivered else "refused")
        assert first.get("code", "not-written") == "not-written"
        if delivered:
            await ann.until(lambda: ann.own["1"]["wagers"] and ann.purse["credits_cents"] == 9_000)
        assert (opened.hall.tables["1"].version > version) is delivered
        await ann.stake("1", "Banker", 1_000, id="wager")
        assert ann.answers["wager"]["t"] == first["t"], "under the same id the answer is the same"
        proxy.cut(b"COMMIT", deliver=delivered)
        await ask(ann, "buy", "buy", cents=500)
        await answer(ann, "buy")
        await has(ann, 9_500 if delivered else 10_000)
        gus = await opened.page(s="gus:gaming-shift-manager")
        await gus.send(t="watch", table="1", role="staff")
        proxy.cut(b"COMMIT", deliver=delivered)
        await ask(
            gus, "do", "staff", act={"do": "change-limits", "limits": {"Tie": {"min_cents": 500, "max_cents": 600}}}
        )
        assert (await answer(gus, "staff"))["t"] == ("accepted" if delivered else "refused")


@waits
async def test_the_clock_goes_on_after_a_commit_without_an_answer(tmp_path: Path, database_url: str) -> None:
    with proxied(database_url) as proxy:
        schema = schemas_in(proxy.url)()
        async with house(tmp_path, setup(bets_ms=400), store=PostgresStore(schema)) as opened:
            ann = await opened.page(p="ann")
            await ann.sit("1")
            await ann.phase("1", "bets-open")
            await opened.hall.writer.settle_down()
            round_ = ann.tables["1"]["round"]
            proxy.cut(b"COMMIT", deliver=True, stay_down=True)
            await ann.until(lambda: (ann.tables["1"]["wait"] or {}).get("what") == "store")
            proxy.down = False
            await ann.phase("1", "settled")
            assert (ann.tables["1"]["round"], ann.tables["1"]["wait"]) == (round_, None)
            events = [entry for entry in opened.floor.store.read("table/1") if b'"bets-closed"' in entry.body]
            assert len(events) == 1
        drop_schemas(database_url, [schema])


@waits
async def test_a_patron_who_comes_while_the_store_is_away_is_told_the_credits_when_it_is_back(
    tmp_path: Path, database_url: str
) -> None:
    async with doubtful(database_url, tmp_path) as (opened, proxy, ann):
        await ann.close()
        proxy.cut(b"COMMIT", deliver=True, stay_down=True)
        cat = await opened.page(p="cat")
        await cat.send(t="sit", table="1")
        await ask(cat, "buy", "lost", cents=700)
        dan = await opened.page(p="dan")  # whose wallet nobody can read now
        assert not dan.purse
        proxy.down = False
        await dan.until(lambda: dan.purse)
        await has(cat, 700)
        assert (dan.purse["credits_cents"], dan.purse["bought_cents"]) == (0, 0)
