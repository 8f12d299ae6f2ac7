"""Foresight: what a decision would do is told before it is given, to the card and to the cent."""

from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
import pytest
from tests.marks import interpretation
from tests.server.http.floor import BY_HAND, DORA, Opened, cards_in, opened, setup
from tests.server.waiting import waits
from tests.table.desk import Desk

from punto.floor.foresight import foresee as foresight_of
from punto.floor.handler import TABLE
from punto.floor.prospects import Unknown
from punto.ledger import wallet
from punto.rules import Found, Method, Position, Result, Side
from punto.server.config import TableConfig
from punto.server.faces.staff import pending
from punto.server.wire.tells import SeenCard
from punto.table import Actor, Phase, Source
from punto.table import commands as do
from punto.table.events import Ruling, StatedResult
from punto.table.state import UNREAD, Laid, replace

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
            assert each["stake_cents"] == sum(wager["stake_cents"] for wager in each["wagers"])
        assert {each["patron"] for each in foreseen["money"]} == {patron.name for patron in PATRONS}
        shown = (await shift.get("/api/tables/3")).json()["cards"]
        if after.phase.value != "void":
            assert [*foreseen["player"], *foreseen["banker"]] == [
                card for side in ("player", "banker") for whose, card in shown if whose == side
            ]
        await settled_as_foreseen(floor, foreseen)


async def settled_as_foreseen(floor: Opened, foreseen: dict[str, Any]) -> None:
    """Go on to settlement with the cards that lie there, if that was foreseen; it must pay what was foreseen."""
    table = floor.hall.tables["3"].table
    sums = {each["patron"]: each["settlement_cents"] for each in foreseen["money"] if each["wagers"]}
    if not sums or None in sums.values():
        return
    before = wallets(floor)
    if table.phase is Phase.DRAWING:
        await floor.do(do.Announce, DORA, "3")
    await floor.do(do.Settle, DORA, "3")
    assert {patron: wallets(floor)[patron] - before[patron] for patron in sums} == sums
    payments = {payment.number: payment for payment in floor.hall.tables["3"].table.payments}
    for wager in [wager for each in foreseen["money"] for wager in each["wagers"]]:
        paid = payments[wager["number"]]
        assert (wager["result"], wager["paid_cents"]) == (paid.result.value, paid.paid_cents)


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


async def played(floor: Opened, *wagers: tuple[str, int], paid: bool) -> httpx.AsyncClient:
    """Ann's wagers, four cards that make 9 against 7, and a matter; the browser of who decides it."""
    await floor.do(do.LoadShoe, DORA, "3")
    await floor.do(do.OpenBets, DORA, "3")
    for wager, cents in wagers:
        await floor.stake(PATRONS[0], wager, cents, "3")
    await floor.do(do.CloseBets, DORA, "3")
    for card in ("Ks", "2h", "9d", "5c"):
        await floor.do(do.DrawCard, DORA, "3", card=card)
    await floor.do(do.Announce, DORA, "3")
    if paid:
        await floor.do(do.Settle, DORA, "3")
    await floor.do(do.Refer, DORA, "3", matter="a chip moved")
    return await floor.staff(Position.GAMING_SHIFT_MANAGER, "sue")


async def money_of_ann(browser: httpx.AsyncClient, **decision: Any) -> tuple[int, int, int | None, list[str]]:  # noqa: ANN401
    """What Ann gains at once, has at stake, and gets at settlement; of each wager the result, or what decides it."""
    answer = await foresee(browser, **decision)
    assert answer.status_code == 200, answer.text
    (ann,) = answer.json()["money"]
    wagers = [each["result"] or each["depends_on"] for each in ann["wagers"]]
    return ann["credits_cents"], ann["stake_cents"], ann["settlement_cents"], wagers


@interpretation(46)
@waits
async def test_a_result_that_is_stated_is_foreseen_to_be_paid_at_settlement(tmp_path: Path) -> None:
    async with opened(tmp_path, OPEN) as floor:
        shift = await played(floor, ("Tie", 1_000), ("Player", 5_000), paid=False)
        plain = await money_of_ann(shift, ruling="continue")
        assert plain == (0, 6_000, 10_000, ["lose", "win"])
        # 8 to 1 on the Tie, and its stake.
        stated = await money_of_ann(shift, ruling="continue", results=[{"number": 1, "result": "win"}])
        assert stated == (0, 6_000, 19_000, ["win", "win"])
        (ann,) = (await foresee(shift, ruling="continue", results=[{"number": 1, "result": "win"}])).json()["money"]
        assert [(each["wager"], each["stated"], each["paid_cents"]) for each in ann["wagers"]] == [
            ("Tie", True, 9_000),
            ("Player", False, 10_000),
        ]


@interpretation(46)
@waits
async def test_what_another_order_of_a_paid_round_pays_is_foreseen(tmp_path: Path) -> None:
    async with opened(tmp_path, OPEN) as floor:
        shift = await played(floor, ("Player", 5_000), paid=True)
        # Player has 5, and draws a card.
        assert await money_of_ann(shift, ruling="order", order="Ks 9d 5c 2h") == (-10_000, 5_000, None, ["cards"])
        # 7 against 9: what was paid goes back, and the stake is lost.
        assert await money_of_ann(shift, ruling="order", order="2h Ks 5c 9d") == (-10_000, 5_000, 0, ["lose"])
        # 9 against 7, as before.
        assert await money_of_ann(shift, ruling="order", order="9d 5c Ks 2h") == (-10_000, 5_000, 10_000, ["win"])


@interpretation(46)
@waits
async def test_what_stays_of_a_wager_is_foreseen_to_be_settled(tmp_path: Path) -> None:
    part = [{"number": 1, "cents": 2_000}]
    async with opened(tmp_path, OPEN) as floor:
        shift = await played(floor, ("Player", 5_000), paid=False)
        assert await money_of_ann(shift, ruling="return", parts=part) == (2_000, 3_000, 6_000, ["win"])
        lost = [{"number": 1, "result": "lose"}]
        assert await money_of_ann(shift, ruling="return", parts=part, results=lost) == (2_000, 3_000, 0, ["lose"])
        # Of a wager that goes back in whole nothing is left to settle, and nothing of a void round.
        assert await money_of_ann(shift, ruling="return", wagers=[1]) == (5_000, 0, None, [])
        assert await money_of_ann(shift, ruling="void") == (5_000, 0, None, [])
        # Bets reopen: the cards are still to come.
        assert await money_of_ann(shift, ruling="continue", reopen=True) == (0, 5_000, None, ["cards"])


@interpretation(46)
@waits
async def test_a_paid_round_is_settled_anew_at_once(tmp_path: Path) -> None:
    part = [{"number": 1, "cents": 2_000}]
    async with opened(tmp_path, OPEN) as floor:
        shift = await played(floor, ("Player", 5_000), paid=True)
        # 100.00 go back to the table, 20.00 to the patron, and 30.00 win 30.00.
        assert await money_of_ann(shift, ruling="return", parts=part) == (-2_000, 0, None, [])


@interpretation(48)
@waits
async def test_foresight_of_money_does_not_depend_on_a_card_that_lies_face_down(tmp_path: Path) -> None:
    async with opened(tmp_path, BY_HAND) as floor:
        await floor.do(do.LoadShoe, DORA)
        await floor.do(do.OpenBets, DORA)
        for wager in ("Player", "Tie", "Player Pair"):
            await floor.stake(PATRONS[0], wager, 1_000)
        await floor.do(do.CloseBets, DORA)
        for _ in range(4):
            await floor.do(do.DrawCard, DORA)
        await floor.do(do.Refer, DORA, matter="a chip moved")
        shift = await floor.staff(Position.GAMING_SHIFT_MANAGER, "sue")
        answer = (await foresee(shift, "2", ruling="continue", results=[{"number": 2, "result": "win"}])).json()
        (ann,) = answer["money"]
        assert ann["settlement_cents"] is None
        assert [(each["result"], each["paid_cents"], each["depends_on"]) for each in ann["wagers"]] == [
            (None, None, "cards"),
            ("win", 9_000, None),
            (None, None, "cards"),
        ]
        # Whatever lies there, the answer is the same.
        table = floor.hall.tables["2"].table
        about: dict[str, Any] = {"id": "1", "table": "2", "by": SHIFT, "at_ms": 0, "reason": "seen by surveillance"}
        stated = (StatedResult(2, Result.WIN),)
        for ruled in (
            do.Rule(ruling=Ruling.CONTINUE, **about),
            do.Rule(ruling=Ruling.CONTINUE, results=stated, **about),
        ):
            answers = {
                foresight_of(replace(table, cards=lying(table.cards, cards)), ruled)
                for cards in ("9s 9h Kd Kc", "As Ah Ad Ac", "2s 3h 3d 4c", "Ks 8h 9d Kc")
            }
            assert len(answers) == 1


@interpretation(48)
def test_an_order_is_foreseen_alike_whatever_its_face_down_card_is() -> None:
    def with_third(card: str) -> Desk:
        desk = Desk(method=Method.A)
        desk.bets(("ann", "Player", 1_000))
        desk(do.CloseBets)
        desk.draw("2s 7h 3d Kc")
        desk(do.RefuseCards, PATRONS[0], patron="ann", side=Side.PLAYER)
        desk(do.ChooseFirst, side=Side.PLAYER)
        for side in Side:
            desk(do.ExposeCards, side=side)
        desk(do.Announce)
        desk.draw(card)
        desk(do.Refer, matter="a chip moved")
        return desk

    about: dict[str, Any] = {"id": "1", "table": "T1", "by": SHIFT, "reason": "seen by surveillance"}
    # The second and the third order put it among the first four cards; Kc has the face of a card in sight.
    for order in ("2s 7h 3d Kc ?", "2s 7h ? Kc 3d", "2s ? 3d Kc 7h"):
        ruled = do.Rule(ruling=Ruling.ORDER, order=order, at_ms=0, **about)
        answers = {foresight_of(with_third(card).table, ruled) for card in ("4c", "9c", "Ah", "Kc")}
        (answer,) = answers
        assert UNREAD in (*answer.player, *answer.banker)
        assert answer.money[0].wagers[0].depends_on is Unknown.CARDS


def lying(cards: tuple[Laid, ...], names: str) -> tuple[Laid, ...]:
    """The same places with other cards."""
    return tuple(Laid(name, laid.side, laid.up, laid.in_hands) for laid, name in zip(cards, names.split(), strict=True))


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
