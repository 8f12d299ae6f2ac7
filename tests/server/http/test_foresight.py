"""Foresight: what a decision would do is told before it is given, to the card and to the cent."""

from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
import pytest
from tests.marks import interpretation
from tests.server.http.floor import BY_HAND, DORA, Opened, cards_in, opened, setup
from tests.server.waiting import waits

from punto.floor.handler import TABLE
from punto.ledger import wallet
from punto.rules import Found, Method, Position
from punto.server.config import TableConfig
from punto.server.faces.staff import pending
from punto.server.wire.tells import SeenCard
from punto.table import Actor, Source
from punto.table import commands as do
from punto.table.state import UNREAD

SHIFT: Final = Actor("sue", Position.GAMING_SHIFT_MANAGER)
# A table whose cards lie open and come from a device.
OPEN: Final = TableConfig(key="3", setup=setup("baccarat", source=Source.DEVICE, method=Method.B), automatic=False)
PATRONS: Final = (Actor("ann", Position.PATRON), Actor("bob", Position.PATRON))
# Decisions on a round in which four cards are drawn, and on one that is paid.
IN_PLAY: Final[dict[str, dict[str, Any]]] = {
    "continue": {"ruling": "continue"},
    "void": {"ruling": "void"},
    "order": {"ruling": "order", "order": "2h 4s 5d Kc"},
    "return": {"ruling": "return", "wagers": [1]},
    "in part": {"ruling": "return", "parts": [{"number": 2, "cents": 500}]},
    "stated": {"ruling": "continue", "results": [{"number": 1, "result": "lose"}]},
    "reopen": {"ruling": "continue", "reopen": True},
    "burn": {"ruling": "continue", "burn_next": 2},
    "replace": {"ruling": "continue", "shoe": "replace"},
}
PAID: Final[dict[str, dict[str, Any]]] = {
    "void": {"ruling": "void"},
    "order": {"ruling": "order", "order": "2h 4s 5d Kc"},
    "in part": {"ruling": "return", "wagers": [1], "parts": [{"number": 2, "cents": 500}]},
    "stated": {"ruling": "continue", "results": [{"number": 2, "result": "win", "pays": "0.95 to 1"}]},
    "coming": {"ruling": "continue", "round": 2, "burn_next": 1},
}


async def referred(floor: Opened, *, paid: bool) -> None:
    """Two patrons have wagers in a round, and a matter is referred: after four cards, or after payment."""
    await floor.do(do.LoadShoe, DORA, "3")
    await floor.do(do.OpenBets, DORA, "3")
    for seat, (patron, wager, cents) in enumerate(zip(PATRONS, ("Player", "Banker"), (5_000, 2_000), strict=True), 1):
        await floor.stake(patron, wager, cents, "3", seat)
    await floor.do(do.CloseBets, DORA, "3")
    for card in ("4s", "2h", "5d", "Kc"):
        await floor.do(do.DrawCard, DORA, "3", card=card)
    if paid:
        await floor.do(do.Announce, DORA, "3")
        await floor.do(do.Settle, DORA, "3")
    await floor.do(do.Refer, DORA, "3", matter="a chip moved")


def wallets(floor: Opened) -> dict[str, int]:
    return {patron.name: floor.hall.writer.floor.balance(wallet(patron.name)) for patron in PATRONS}


def log_of(floor: Opened, table: str) -> int:
    tip = floor.hall.writer.floor.store.tip(TABLE + table)
    assert tip
    return tip.version


async def foresee(browser: httpx.AsyncClient, table: str = "3", **decision: Any) -> httpx.Response:  # noqa: ANN401
    asked = {"do": "rule", "reason": "seen by surveillance", **decision}
    return await browser.post(f"/api/tables/{table}/foresight", json=asked)


CASES: Final = [
    *[pytest.param(parts, False, id=name) for name, parts in IN_PLAY.items()],
    *[pytest.param(parts, True, id=f"{name}, paid") for name, parts in PAID.items()],
]


@interpretation(46)
@pytest.mark.parametrize(("decision", "paid"), CASES)
@waits
async def test_what_is_foreseen_is_what_happens(tmp_path: Path, decision: dict[str, Any], paid: bool) -> None:
    async with opened(tmp_path, OPEN) as floor:
        await referred(floor, paid=paid)
        shift = await floor.staff(Position.GAMING_SHIFT_MANAGER, "sue")
        before, version = wallets(floor), log_of(floor, "3")
        answer = await foresee(shift, **decision)
        assert answer.status_code == 200, answer.text
        # To ask changes nothing, and writes nothing down.
        assert (wallets(floor), log_of(floor, "3")) == (before, version)
        given = await shift.post("/api/tables/3/foresight", json={"do": "rule", "reason": "again", **decision})
        assert given.json() == answer.json()
        foreseen = answer.json()
        await floor.do(do.Rule, SHIFT, "3", reason="seen by surveillance", **commanded(decision))
        after = floor.hall.tables["3"].table
        assert foreseen["phase"] == after.phase.value
        assert foreseen["shoe_replaced"] == (after.shoe.spent or after.shoe.ends)
        for each in foreseen["money"]:
            assert wallets(floor)[each["patron"]] - before[each["patron"]] == each["credits_cents"]
            staked = sum(placed.cents for placed in after.wagers.values() if placed.patron == each["patron"])
            assert each["stake_cents"] == (0 if after.settled else staked)
        assert {each["patron"] for each in foreseen["money"]} == {patron.name for patron in PATRONS}
        shown = (await shift.get("/api/tables/3")).json()["cards"]
        if after.phase.value != "void":
            assert [*foreseen["player"], *foreseen["banker"]] == [
                card for side in ("player", "banker") for whose, card in shown if whose == side
            ]


def commanded(decision: dict[str, Any]) -> dict[str, Any]:
    """A decision as the table takes it."""
    about = {"id": "1", "table": "3", "by": SHIFT, "at_ms": 0, "reason": "seen by surveillance"}
    rule = msgspec.convert(decision | msgspec.to_builtins(about), do.Rule)
    return {name: getattr(rule, name) for name in decision}


@waits
async def test_a_decision_is_foreseen_for_who_may_give_it_while_something_is_to_be_decided(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, OPEN) as floor:
        shift = await floor.staff(Position.GAMING_SHIFT_MANAGER, "sue")
        await floor.do(do.LoadShoe, DORA, "3")
        answer = await foresee(shift, ruling="continue")
        assert (answer.status_code, answer.json()["code"]) == (409, "nothing-pending")
        await floor.do(do.OpenBets, DORA, "3")
        await floor.do(do.Refer, DORA, "3", matter="a chip moved")
        for position in (Position.DEALER, Position.PIT_MANAGER):
            browser = await floor.staff(position, position.value)
            answer = await foresee(browser, ruling="continue")
            assert (answer.status_code, answer.json()["code"]) == (403, "not-allowed")
        guest, _ = await floor.guest()
        for browser in (guest, floor.nobody()):
            assert (await foresee(browser, ruling="continue")).status_code == 401
        assert (await foresee(shift, "9", ruling="continue")).status_code == 404
        # Refused as the decision itself would be.
        for decision, code in (
            ({"ruling": "return"}, "malformed"),
            ({"ruling": "continue", "matter": 7}, "nothing-pending"),
            ({"ruling": "continue", "round": 7}, "out-of-turn"),
            ({"ruling": "continue", "play": "7d"}, "bad-report"),
            ({"ruling": "continue", "wagers": [1]}, "no-such-wager"),
        ):
            answer = await foresee(shift, **decision)
            assert answer.json()["code"] == code, decision
            assert answer.json()["message"]
        assert (await foresee(shift, ruling="perhaps")).status_code == 400


@waits
async def test_a_round_that_is_void_or_begins_anew_discards_its_cards(tmp_path: Path) -> None:
    async with opened(tmp_path, OPEN) as floor:
        await referred(floor, paid=False)
        shift = await floor.staff(Position.GAMING_SHIFT_MANAGER, "sue")
        for decision in ({"ruling": "void"}, {"ruling": "continue", "reopen": True}):
            answer = (await foresee(shift, **decision)).json()
            assert (answer["discarded"], answer["player"], answer["banker"]) == (["4s", "2h", "5d", "Kc"], [], [])


@interpretation(48)
@waits
async def test_foresight_names_no_card_that_lies_face_down(tmp_path: Path) -> None:
    async with opened(tmp_path, BY_HAND) as floor:
        await floor.do(do.LoadShoe, DORA)
        await floor.do(do.OpenBets, DORA)
        await floor.stake(PATRONS[0], "Player", 1_000)
        await floor.do(do.CloseBets, DORA)
        for _ in range(4):
            await floor.do(do.DrawCard, DORA)
        await floor.do(do.Refer, DORA, matter="a chip moved")
        shift = await floor.staff(Position.GAMING_SHIFT_MANAGER, "sue")
        down = [laid for laid in floor.hall.tables["2"].table.cards if not laid.up]
        assert down, "by Method A cards lie face down"
        for decision in ({"ruling": "continue"}, {"ruling": "void"}, {"ruling": "continue", "reopen": True}):
            answer = (await foresee(shift, "2", **decision)).json()
            assert not cards_in(answer) & {laid.card for laid in down}, decision
            if decision == {"ruling": "continue"}:
                assert answer["player"] + answer["banker"] == [UNREAD] * len(down)


@interpretation(23)
@waits
async def test_a_card_that_was_seen_is_foreseen_to_be_discarded_unless_it_is_played(tmp_path: Path) -> None:
    async with opened(tmp_path, OPEN) as floor:
        await floor.do(do.LoadShoe, DORA, "3")
        await floor.do(do.OpenBets, DORA, "3")
        await floor.do(do.ReportCards, DORA, "3", found=Found.FACE_UP_IN_DEVICE, cards="7d")
        shift = await floor.staff(Position.GAMING_SHIFT_MANAGER, "sue")
        burnt = (await foresee(shift, ruling="continue")).json()
        assert (burnt["discarded"], burnt["next"]) == (["7d"], [])
        played = (await foresee(shift, ruling="continue", play="7d")).json()
        assert (played["discarded"], played["next"]) == ([], ["7d"])
        # A card of a later matter waits for its own decision.
        await floor.do(do.ReportCards, DORA, "3", found=Found.FACE_UP_IN_DEVICE, cards="8d")
        asked = pending(floor.hall.tables["3"].table)
        assert asked
        assert asked.seen == (SeenCard("7d", barred=True),)
        assert (await foresee(shift, ruling="continue")).json()["discarded"] == ["7d"]
