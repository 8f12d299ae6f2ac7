"""A table whose record is damaged when the floor opens: its pages say so, and offer nothing that would be refused."""

import re
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import APIRequestContext, Browser, expect
from tests.floor.attacker import Attacker
from tests.server.http.floor import QUICK, configured, setup
from tests.server.http.running import Running, running
from tests.web.conftest import PHONE, Visit

from punto.rules import Position
from punto.rules.money import Cents
from punto.server.config import TableConfig
from punto.server.ids import fresh_id
from punto.table import Actor, Command, Phase, Timings
from punto.table import commands as do

TIMINGS: Final = Timings(bets_ms=60_000, answer_ms=60_000)
TABLES: Final = tuple(
    TableConfig(key=key, setup=setup(timings=TIMINGS), pace=QUICK, automatic=False) for key in ("1", "2")
)
DORA: Final = Actor("dora", Position.DEALER)


def give(floor: Running, kind: type[Command], by: Actor = DORA, **fields: Any) -> None:  # noqa: ANN401
    """Give a command at table 2."""
    hall = floor.server.hall
    command: Any = kind(id=fresh_id(), table="2", by=by, at_ms=hall.now_ms(), **fields)
    floor.call(hall.writer.give(command))


def stake(floor: Running, terminal: APIRequestContext) -> str:
    """A guest's stakes of 50.00 at table 2, on either hand, in a round that is under way; who the guest is."""
    name: str = terminal.post(f"{floor.address}/api/guest", headers={"origin": floor.address}).json()["patron"]
    ann = Actor(name, Position.PATRON)
    give(floor, do.LoadShoe)
    give(floor, do.OpenBets)
    give(floor, do.BuyIn, ann, cents=Cents(100_000), patron=name, position=1)
    for wager in ("Banker", "Player"):
        give(floor, do.PlaceWager, ann, wager=wager, stake_cents=Cents(2_500), patron=name, position=1)
    return name


@pytest.mark.parametrize(
    ("damaged", "said"),
    [
        (
            lambda attacker: attacker.append("table/2", b"{}"),
            "Your stake of 50.00 here waits until the record is checked",
        ),
        pytest.param(
            lambda attacker: attacker.run("UPDATE entries SET body = ? WHERE stream = 'table/2'", b"{}"),
            "Your stake here is not known until the record is checked: it waits",
            marks=pytest.mark.nightly,
        ),
    ],
    ids=["beyond what was signed", "in what was signed"],
)
def test_a_stopped_table_offers_no_seat_and_tells_what_waits_there(
    damaged: Any,  # noqa: ANN401
    said: str,
    tmp_path: Path,
    chromium: Browser,
) -> None:
    config = configured(tmp_path, *TABLES)
    context = chromium.new_context(viewport=PHONE, locale="en-SG", reduced_motion="reduce")
    with running(config) as floor:
        stake(floor, context.request)
    attacker = Attacker(config.store)
    attacker.run("DELETE FROM snapshots WHERE stream = 'table/2'")
    damaged(attacker)
    with running(config) as floor:
        visit = Visit(chromium, floor.address, tmp_path)
        page = visit.watch(context.new_page())
        page.goto(floor.address)
        tile = page.get_by_role("article").filter(has_text="Record stopped for a check")
        expect(tile).to_contain_text("Table 2")
        expect(page.get_by_role("link", name=re.compile("^Sit down at table 1,"))).to_be_visible()
        expect(page.get_by_role("link", name=re.compile("^Sit down"))).to_have_count(1)
        tile.get_by_role("link", name=re.compile("^Look on at table 2,")).click()
        panel = page.locator('article[data-table="2"]')
        expect(panel).to_contain_text("Stopped for a check")
        expect(panel).to_contain_text(said)
        expect(page.locator("dialog[open]")).to_have_count(0)
        page.get_by_role("button", name=re.compile("^Credits")).first.click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("At a stopped table no credits are bought or collected")
        expect(dialog.get_by_role("button", name=re.compile("Collect|Redeem|1,000"))).to_have_count(0)
        page.goto(f"{floor.address}/table/1")
        page.get_by_role("button", name="Add a table").first.click()
        other = page.get_by_role("button", name=re.compile("Table 2"))
        expect(other).to_be_disabled()
        expect(other).to_contain_text("Record stopped for a check")
        context.close()
        visit.close()


def test_a_patron_whose_credits_are_stopped_is_told_what_lies_aside(tmp_path: Path, chromium: Browser) -> None:
    config = configured(tmp_path, *TABLES)
    context = chromium.new_context(viewport=PHONE, locale="en-SG", reduced_motion="reduce")
    with running(config) as floor:
        visit = Visit(chromium, floor.address, tmp_path)
        name = stake(floor, context.request)
        page = visit.watch(context.new_page())
        page.goto(f"{floor.address}/table/2")
        expect(page.get_by_role("button", name=re.compile("^Credits"))).to_contain_text("950.00")
        Attacker(config.store).append(f"wallet/{name}", b"{}")
        told = page.get_by_role("alert").filter(has_text="Your credits are on hold")
        expect(told).to_contain_text("nothing is lost")
        give(floor, do.CloseBets)
        while floor.server.hall.tables["2"].table.phase is not Phase.SETTLED:
            give(floor, do.DrawCard)
        expect(told).to_contain_text("is set aside for you and will be added by itself")
        page.get_by_role("button", name=re.compile("^Credits")).first.click()
        expect(page.get_by_role("dialog")).to_contain_text("Set aside")
        context.close()
        visit.close()
