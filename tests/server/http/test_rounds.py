"""Recall and replay: everybody sees what may be seen, and nothing else."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.http.floor import DORA, PIT, Opened, cards_in, opened, texts
from tests.server.waiting import waits

from punto.record import rounds
from punto.record.rounds import Step, steps_of
from punto.record.seeking import recall
from punto.server.http import readers
from punto.table import commands as do


async def got(browser: httpx.AsyncClient, path: str) -> Any:  # noqa: ANN401
    answer = await browser.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def face_down(floor: Opened) -> set[str]:
    """Deal the four initial cards face down; their names, which nobody may see."""
    await floor.do(do.LoadShoe, DORA)
    await floor.do(do.OpenBets, DORA)
    ann = (await floor.guest())[1]
    await floor.stake(ann, "Player", 1_000)
    await floor.do(do.CloseBets, DORA)
    for _ in range(4):
        await floor.do(do.DrawCard, DORA)
    table = floor.hall.writer.floor.table("2")
    assert not any(laid.up for laid in table.cards)
    return {laid.card for laid in table.cards}


@waits
async def test_a_patron_sees_the_patrons_own_wagers_staff_all_and_anybody_else_none(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        (ann, one), (bob, other) = await floor.guest(), await floor.guest()
        pit, nobody = await floor.staff(), floor.nobody()
        await floor.do(do.LoadShoe, DORA)
        await floor.do(do.OpenBets, DORA)
        await floor.stake(one, "Player", 1_000)
        await floor.stake(other, "Banker", 2_000, position=2)
        await floor.do(do.CloseBets, DORA)
        await floor.deal()
        seen = {}
        for who, browser in (("ann", ann), ("bob", bob), ("pit", pit), ("nobody", nobody)):
            [told] = await got(browser, "/api/tables/2/rounds")
            replay = await got(browser, "/api/tables/2/rounds/1")
            assert replay["round"] == told
            seen[who] = {wager["patron"] for wager in told["wagers"]}
            names = set(texts(replay))
            steps = {step["type"] for step in replay["steps"]}
            assert ("wager-placed" in steps) is (who != "nobody")
            assert (one.name in names) is (who in {"ann", "pit"})
            assert (other.name in names) is (who in {"bob", "pit"})
            assert not any(other.name in text for text in names) or who in {"bob", "pit"}
        assert seen == {"ann": {one.name}, "bob": {other.name}, "pit": {one.name, other.name}, "nobody": set()}


@waits
async def test_the_last_round_of_a_shoe_ends_before_the_next_shoe_unless_it_is_put_right_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as floor:
        pit = await floor.staff()
        await face_down(floor)
        await floor.deal()
        before = await got(pit, "/api/tables/2/rounds/1")
        await floor.do(do.EndShoe, PIT, reason="worn")
        await floor.do(do.LoadShoe, DORA)
        kinds = [step["type"] for step in (await got(pit, "/api/tables/2/rounds/1"))["steps"]]
        assert kinds == [*(step["type"] for step in before["steps"]), "shoe-ended"]
        store = floor.hall.writer.floor.store
        steps = list(steps_of(store, "2"))
        assert "shoe-loaded" in {step.type for step in steps}
        # Whatever puts it right is of the round all the same.
        late = {"type": "settlement-reversed", "round": 1, "clause": "EB4 5.1"}
        other = {"type": "ruled", "round": 2, "clause": "EB4 5.1"}
        steps += [Step(100 + n, 0, {}, "c", event, "table/2") for n, event in enumerate((late, other))]
        monkeypatch.setattr(rounds, "steps_of", lambda *_: iter(steps))
        [found] = rounds.rounds_of(store, "2")
        assert [step.type for step in found.steps] == [*kinds, "settlement-reversed"]


@waits
async def test_a_settled_round_is_told_with_cards_totals_and_why_each_wager_was_paid(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        pit = await floor.staff()
        await face_down(floor)
        await floor.deal()
        table = floor.hall.writer.floor.table("2")
        [told] = await got(pit, "/api/tables/2/rounds?last=5")
        assert [card for _, card in told["cards"]] == [laid.card for laid in table.cards]
        assert [side for side, _ in told["cards"]] == [laid.side.value for laid in table.cards]
        assert told["state"] == "settled"
        assert {told["player"], told["banker"]} <= set(range(10))
        [wager] = told["wagers"]
        [payment] = table.payments
        assert (wager["result"], wager["paid_cents"]) == (payment.result.value, payment.paid_cents)
        assert wager["clause"] == payment.clause
        assert wager["why"]["en"]
        assert wager["why"]["zh"]
        replay = await got(pit, "/api/tables/2/rounds/1")
        assert all(step["said"]["en"] and step["said"]["zh"] and step["at_ms"] for step in replay["steps"])
        assert not any("?" in step["said"]["en"] for step in replay["steps"])
        assert [step["clause"] for step in replay["steps"] if step["type"] == "bets-opened"] == ["B8 3.1"]


@waits
async def test_nothing_that_lies_face_down_is_told_to_anybody(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        hidden = await face_down(floor)
        for browser in (await floor.staff(), (await floor.guest())[0], floor.nobody()):
            for path in ("/api/tables/2/rounds", "/api/tables/2/rounds/1", "/api/tables/2", "/api/tables"):
                told = await got(browser, path)
                assert not cards_in(told), (path, hidden)
        [told] = await got(browser, "/api/tables/2/rounds")
        assert told["state"] == "unfinished"
        assert [card for _, card in told["cards"]] == [""] * 4
        log = await got(await floor.staff(), "/api/tables/2/log")
        assert [line["event"]["type"] for line in log["lines"]].count("card-drawn") == 4
        assert not cards_in(log)
        assert not {"sealed", "salt", "order"} & {key for line in log["lines"] for key in line["event"]}


@waits
async def test_rounds_are_found_wherever_they_are_in_a_long_log(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        await floor.until(lambda: floor.hall.tables["1"].table.round > 12)
        nobody = floor.nobody()
        assert [each["round"] for each in await got(nobody, "/api/tables/1/rounds?last=3&before=8")] == [5, 6, 7]
        assert [each["round"] for each in await got(nobody, "/api/tables/1/rounds?last=3&before=2")] == [1]
        assert await got(nobody, "/api/tables/1/rounds?before=1") == []
        for number in (1, 6, 12):
            told = await got(nobody, f"/api/tables/1/rounds/{number}")
            assert (told["round"]["round"], told["game"]) == (number, "fortune-six")
            assert told["steps"][0]["type"] == "bets-opened"
        store = floor.hall.writer.floor.store
        assert [each.number for each in recall(store, "1", 2, 10**6, {})][-1] >= 12
        for number in (0, -1, 10**6):
            answer = await nobody.get(f"/api/tables/1/rounds/{number}")
            assert (answer.status_code, answer.json()["code"]) == (404, "no-such-round")


@waits
async def test_rounds_with_very_many_steps_are_read_by_a_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as floor:
        ann, by = await floor.guest()
        await floor.do(do.LoadShoe, DORA)
        for _ in range(2):
            await floor.do(do.OpenBets, DORA)
            await floor.do(do.BuyIn, by, patron=by.name, cents=3_000, position=1)
            for cents in (1_000, 2_000, 3_000):
                await floor.do(do.SetStake, by, patron=by.name, wager="Player", stake_cents=cents, position=1)
            await floor.do(do.CloseBets, DORA)
            await floor.deal()
        for path in ("rounds", "rounds?before=2", "rounds/2", "rounds/2/receipts/1"):
            done = [await got(ann, f"/api/tables/2/{path}")]
            assert not floor.hall.pool.pids, "a little is read by a thread"
            with monkeypatch.context() as scant:
                scant.setattr(readers, "_MOST_ENTRIES", 10)
                done.append(await got(ann, f"/api/tables/2/{path}"))
                assert floor.hall.pool.pids
                refused = await (await floor.staff()).get("/api/tables/2/log")
            assert done[0] == done[1]
            assert (refused.status_code, refused.json()["code"]) == (409, "too-much-work")
            for worker in floor.hall.pool._idle.copy():  # noqa: SLF001
                floor.hall.pool._retire(worker)  # noqa: SLF001


@waits
async def test_bad_questions_get_one_line(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        nobody = floor.nobody()
        for path, status, code in (
            ("/api/tables/9/rounds", 404, "no-such-table"),
            ("/api/tables/1/rounds?last=0", 400, "malformed"),
            ("/api/tables/1/rounds?last=many", 400, "malformed"),
            ("/api/tables/1/rounds/one", 404, "not-found"),
            ("/api/tables/1/log", 401, "not-signed-in"),
        ):
            answer = await nobody.get(path)
            problem = answer.json()
            assert (answer.status_code, problem["code"]) == (status, code)
            assert problem["message"].count("\n") == 0
