"""Pages at their tables: what they are told, what is accepted, and what nobody else gets to see."""

import asyncio
import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins
from tests.floor.attacker import Attacker
from tests.server.house import ABOUT, House, Page, house, setup
from tests.server.waiting import waits

from punto.errors import Corrupt, PuntoError, StoreGone, StoreLocked
from punto.floor.handler import SECURITY, TABLE
from punto.record.audit import audit
from punto.rules import Method
from punto.rules.money import Cents
from punto.server.clockwork import Pace
from punto.server.outlet import framed
from punto.table import Limit, Source
from punto.table.log import read as read_logged


def events(opened: House, key: str = "1") -> list[str]:
    """The kinds of all that happened at a table, as it is stored."""
    read = opened.floor.store.read(TABLE + key)
    return [type(read_logged(entry.body).event).__name__ for entry in read]


@waits
async def test_a_round_is_played_from_sitting_down_to_being_paid(tmp_path: Path) -> None:
    async with house(tmp_path, setup()) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        assert (await ann.stake("1", "Banker", 1000))["t"] == "accepted"
        assert ann.purse["credits_cents"] == 999_000
        assert ann.purse["staked_cents"] == 1000
        await ann.phase("1", "settled")
        await ann.until(lambda: ann.own["1"]["payments"])
        [payment] = ann.own["1"]["payments"]
        outcome = ann.tables["1"]["outcome"]
        assert payment["result"] == outcome["results"]["Banker"]["result"]
        assert ann.purse["credits_cents"] == 999_000 + payment["paid_cents"]
        assert not audit(opened.floor.store, public_key=opened.floor.keys.public).findings


@waits
async def test_an_answer_comes_when_the_wager_is_durable(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=5000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        answer = await ann.stake("1", "Tie", 1000)
        assert answer["version"] == len(events(opened))
        assert events(opened)[-1] == "WagerPlaced"


@waits
async def test_the_first_message_tells_all_and_the_next_ones_what_changed(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=5000)) as opened:
        display = await opened.page()
        await display.send(t="watch", table="1")
        ann = await opened.page(p="ann")
        await ann.sit("1")
        await display.phase("1", "bets-open")
        first, *later = [message for message in display.told if message["t"] == "table"]
        assert first["whole"]
        assert {"info", "phase", "roads", "cards", "stakes"} <= first["set"].keys()
        assert later
        assert all(not message["whole"] and "info" not in message["set"] for message in later)
        assert [message["version"] for message in later] == sorted(message["version"] for message in later)


@waits
async def test_a_command_that_is_asked_twice_is_done_once(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=5000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        first = await ann.stake("1", "Banker", 1000, id="once")
        ann.answers.clear()
        again = await ann.stake("1", "Banker", 1000, id="once")
        assert first == again
        ann.answers.clear()
        other = await ann.stake("1", "Banker", 2000, id="once")
        assert other["code"] == "id-in-use"
        assert ann.purse["credits_cents"] == 999_000


@waits
async def test_a_wager_that_is_on_record_is_not_refused_because_its_patron_has_no_seat_any_more(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=5000)) as opened:
        ann, bob = await opened.page(p="ann"), await opened.page(p="bob")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        first = await ann.stake("1", "Banker", 1000, id="once")
        assert first["t"] == "accepted"
        await ann.send(t="leave", table="1")
        ann.answers.clear()
        assert await ann.stake("1", "Banker", 1000, id="once") == first
        assert (await ann.stake("1", "Banker", 1000, id="twice"))["code"] == "not-seated"
        assert (await bob.stake("1", "Banker", 1000, id="once"))["code"] == "not-seated", "it is another's"
        ann.answers.clear()
        for wager, cents in (("Tie", 1000), ("Banker", 2000)):
            assert (await ann.stake("1", wager, cents, id="once"))["code"] == "id-in-use", "that was never asked"
            ann.answers.clear()
        assert (await ann.stake("2", "Banker", 1000, id="once"))["code"] in {"id-in-use", "no-such-table"}
        assert opened.floor.table("1").wagers[1].cents == 1000


@waits
async def test_stakes_grow_shrink_and_go_and_each_answer_is_for_the_whole_stake(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=5000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        for cents, left in ((1000, 999_000), (5000, 995_000), (2000, 998_000), (0, 1_000_000)):
            assert (await ann.stake("1", "Player", cents))["t"] == "accepted"
            assert ann.purse["credits_cents"] == left
        assert (await ann.stake("1", "Player", 0))["code"] == "no-such-wager"
        assert (await ann.stake("1", "Player", 150))["code"] == "bad-stake"
        assert (await ann.stake("1", "Plaayer", 1000))["code"] == "unknown-wager"
        assert (await ann.stake("1", "Player", 100_000_000))["code"] in {"bad-stake", "unaffordable"}


@waits
async def test_after_the_close_nothing_is_taken_and_nothing_is_lost(tmp_path: Path) -> None:
    slow = Pace(card_ms=300, speech_ms=10, result_ms=120, shoe_ms=10, cut_ms=60)
    async with house(tmp_path, setup(bets_ms=200), setup("baccarat", bets_ms=200), pace=slow) as opened:
        ann = await opened.page(p="ann")
        for table, code in (("1", "bets-are-closed"), ("2", "not-honoured")):
            await ann.sit(table)
            await ann.phase(table, "bets-open")
            await ann.phase(table, "bets-closed", "initial-deal")
            answer = await ann.stake(table, "Banker", 1000)
            assert answer["code"] == code
            assert answer["clause"] or answer["message"]
        assert ann.purse["credits_cents"] == 2_000_000


@waits
async def test_no_wager_is_accepted_after_the_close_however_many_come(tmp_path: Path) -> None:
    slow = Pace(card_ms=80, speech_ms=80, result_ms=120, shoe_ms=10, cut_ms=60)
    async with house(tmp_path, setup(bets_ms=600), pace=slow) as opened:
        pages = [await opened.page(p=f"p{number}") for number in range(20)]
        await asyncio.gather(*(page.sit("1") for page in pages))
        await pages[0].phase("1", "bets-open")
        asked = []
        for cents in range(1, 40):
            asked += [page.stake("1", "Banker", 100 * cents) for page in pages]
        answers = []
        for start in range(0, len(asked), 20):
            answers += await asyncio.gather(*asked[start : start + 20])
            await asyncio.sleep(0.02)
        accepted = sorted(answer["version"] for answer in answers if answer["t"] == "accepted")
        open_, placed = False, []
        for version, kind in enumerate(events(opened), 1):
            open_ = open_ if kind not in {"BetsOpened", "BetsClosed"} else kind == "BetsOpened"
            if kind in {"WagerPlaced", "WagerChanged"}:
                assert open_, version
                placed.append(version)
        assert placed == accepted
        refused = {answer["code"] for answer in answers if answer["t"] == "refused"}
        assert "bets-are-closed" in refused
        assert refused <= {"bets-are-closed", "out-of-turn", "bad-stake"}


@waits
async def test_a_page_that_comes_back_finds_its_seat_its_wagers_and_its_answers(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=3000)) as opened:
        bob = await opened.page(p="bob")
        await bob.sit("1")
        ann = await opened.page(p="ann")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        await ann.stake("1", "Banker", 1000, id="before")
        seat = ann.own["1"]["seat"]
        await ann.socket.close()
        ann = await opened.page(p="ann")
        await ann.send(t="sit", table="1")
        await ann.until(lambda: "1" in ann.own)
        assert ann.own["1"]["seat"] == seat
        assert [wager["cents"] for wager in ann.own["1"]["wagers"]] == [1000]
        assert ann.purse["staked_cents"] == 1000
        assert (await ann.stake("1", "Banker", 1000, id="before"))["t"] == "accepted"
        assert ann.tables["1"]["phase"] == "bets-open"
        assert ann.tables["1"]["clock"]["remaining_ms"] < 3000


@waits
async def test_two_pages_of_one_patron_are_one_patron(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=3000)) as opened:
        one, two = await opened.page(p="ann"), await opened.page(p="ann")
        await one.sit("1")
        await two.sit("1", cents=0)
        assert one.own["1"]["seat"] == two.own["1"]["seat"]
        await one.phase("1", "bets-open")
        await one.stake("1", "Banker", 1000)
        await two.until(lambda: two.own["1"]["wagers"])
        assert two.purse["staked_cents"] == 1000
        await two.stake("1", "Banker", 2000)
        await one.until(lambda: one.own["1"]["wagers"][0]["cents"] == 2000)
        await two.close()
        assert (await one.stake("1", "Tie", 1000))["t"] == "accepted"


@waits
async def test_one_credit_plays_at_several_tables_at_once(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=3000), setup("tiger", bets_ms=3000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1", cents=10_000)
        await ann.sit("2", cents=0)
        await ann.phase("1", "bets-open")
        await ann.phase("2", "bets-open")
        assert (await ann.stake("1", "Banker", 6000))["t"] == "accepted"
        assert (await ann.stake("2", "Banker", 6000))["code"] == "unaffordable"
        assert (await ann.stake("2", "Banker", 4000))["t"] == "accepted"
        assert (ann.purse["credits_cents"], ann.purse["staked_cents"]) == (0, 10_000)


@waits
async def test_what_changes_often_is_told_four_times_a_second_at_most(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=4000)) as opened:
        display = await opened.page()
        await display.send(t="watch", table="1")
        ann = await opened.page(p="ann")
        await ann.sit("1")
        await display.phase("1", "bets-open")
        display.told.clear()
        begun = time.monotonic()
        for cents in range(1, 60):
            await ann.stake("1", "Banker", 100 * cents)
        took = time.monotonic() - begun
        await display.until(lambda: display.tables["1"]["stakes"] == {"Banker": [5900, 1]})
        told = [message for message in display.told if "stakes" in message.get("set", {})]
        assert len(told) <= 4 * took + 2


@waits
async def test_nobody_is_told_anothers_credits_or_wagers(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=600)) as opened:
        ann, bob, wall = await opened.page(p="ann"), await opened.page(p="bob"), await opened.page()
        await wall.send(t="watch", table="1")
        await wall.send(t="watch-floor")
        await bob.sit("1", cents=500_000)
        await ann.sit("1", cents=123_456_700)
        await ann.phase("1", "bets-open")
        await ann.stake("1", "Player Pair", 7700)
        await ann.phase("1", "settled")
        await wall.phase("1", "settled")
        for other in (bob, wall):
            said = "".join(other.frames)
            assert "ann" not in said
            assert "1234567" not in said
            assert set(re.findall(r'"payments":\[(.)', said)) <= {"]"}
        assert bob.purse["credits_cents"] == 500_000


@waits
async def test_who_has_the_device_is_told_the_hands_that_went_to_nobody_else(tmp_path: Path) -> None:
    """By Method C, once the initial deal is complete; a hand that was passed on is its holder's (B8 3.11, 3.11.3)."""
    async with house(tmp_path, setup("baccarat", hlga=True), automatic=False) as opened:
        ann, bob = await opened.page(p="ann"), await opened.page(p="bob")
        dora, ace = await opened.page(s="dora:dealer"), await opened.page(s="ace:assistant-casino-manager")
        for page in (ann, bob):
            await page.sit("1")
        await dora.take("1")
        await dora.act("1", "load-shoe")
        await ace.act("1", "choose-method", method="C")
        await dora.act("1", "open-bets")
        await ann.stake("1", "Player", 1000)
        await ann.act("1", "take-device")
        await dora.act("1", "close-bets")
        for _ in range(3):
            await ann.act("1", "draw-card")
        assert not ann.own["1"]["holding"]
        await ann.act("1", "draw-card")
        await ann.until(lambda: set(ann.own["1"]["holding"]) == {"player", "banker"})
        assert all(ann.own["1"]["holding"]["banker"])
        await dora.act("1", "pass-hand", side="banker", patron="bob")
        await bob.until(lambda: bob.own["1"]["holding"])
        await ann.until(lambda: set(ann.own["1"]["holding"]) == {"player"})
        await ann.send(t="bend", table="1", side="player", card=0, lift=0.3, edge="left")
        await bob.until(lambda: any(message["t"] == "bent" for message in bob.told))


@waits
async def test_a_card_that_lies_face_down_is_told_to_its_squeezer_alone(tmp_path: Path) -> None:
    """The traffic of everybody else is searched for it: of patrons, staff and displays alike (B8 3.9)."""
    dealt = setup("baccarat", bets_ms=500, answer_ms=5000, method=Method.A)
    async with house(tmp_path, dealt) as opened:
        ann, bob, wall = await opened.page(p="ann"), await opened.page(p="bob"), await opened.page()
        dora = await opened.page(s="dora:dealer")
        await wall.send(t="watch", table="1")
        await dora.send(t="watch", table="1", role="staff")
        await ann.sit("1")
        await bob.sit("1")
        await ann.phase("1", "bets-open")
        await ann.stake("1", "Player", 50_000)
        await bob.stake("1", "Player", 1000)
        await ann.until(lambda: ann.own["1"]["offered"] == ["player"])
        marks = {page: len(page.frames) for page in (bob, wall, dora)}
        assert all(card == "" for _, card in ann.tables["1"]["cards"])
        assert not ann.own["1"]["holding"]
        await ann.act("1", "accept-cards", side="player")
        await ann.until(lambda: ann.own["1"]["holding"])
        cards = ann.own["1"]["holding"]["player"]
        assert all(cards)
        await ann.send(t="bend", table="1", side="player", card=0, lift=0.3, edge="left")
        await wall.until(lambda: any(message["t"] == "bent" for message in wall.told))
        for page, mark in marks.items():
            said = "".join(page.frames[mark:])
            assert all(f'"{card}"' not in said for card in cards)
            assert not [card for _, card in _cards(page) if card]
        await bob.send(t="bend", table="1", side="player", card=0, lift=0.3, edge="left")
        await bob.until(lambda: any(message.get("code") == "not-allowed" for message in bob.told))
        await wall.until(lambda: any(message.get("set", {}).get("clock", {}) for message in wall.told))
        await ann.until(lambda: (opened.hall.tables["1"].table.first) is not None)
        named = await ann.act("1", "expose-cards", side="player", cards="9s 9h")
        assert (named["t"], named["code"]) == ("refused", "not-allowed"), (
            "a patron says that cards are turned, not which"
        )
        answer = await ann.act("1", "expose-cards", side="player")
        assert answer["t"] == "accepted"
        await wall.until(lambda: [card for _, card in _cards(wall) if card])
        assert sorted(card for side, card in _cards(wall) if side == "player") == sorted(cards)


def _cards(page: Page) -> list[tuple[str, str]]:
    return [(side, card) for side, card in page.tables["1"]["cards"]]


@waits
async def test_the_shoe_to_come_is_in_nobodys_traffic(tmp_path: Path) -> None:
    async with house(tmp_path, setup("baccarat", bets_ms=300)) as opened:
        pages = [await opened.page(p="ann"), await opened.page(s="may:gaming-shift-manager"), await opened.page()]
        await pages[0].sit("1")
        await pages[1].send(t="watch", table="1", role="staff")
        await pages[2].send(t="watch", table="1")
        for page in pages:
            await page.phase("1", "settled")
        sealed = opened.hall.tables["1"].table.shoe.sealed
        assert sealed
        for page in pages:
            said = "".join(page.frames)
            assert sealed not in said
            assert '"sealed"' not in said
            assert '"salt"' not in said


@waits
async def test_a_message_that_does_not_read_is_told_in_words(tmp_path: Path) -> None:
    async with house(tmp_path, setup()) as opened:
        ann = await opened.page(p="ann")
        await ann.socket.send('{"t":"collect","id":{},"table":"1"}')
        await ann.until(lambda: any(told["t"] == "refused" for told in ann.told))
        [refused] = [told for told in ann.told if told["t"] == "refused"]
        assert refused["message"] == "the message does not read: id: expected text, got an object"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("garbage", "malformed"),
        ("[]", "malformed"),
        ("{}", "malformed"),
        ('{"t":"stake"}', "malformed"),
        ('{"t":"stake","id":"x","table":"1","wager":"Banker","cents":1.5}', "malformed"),
        ('{"t":"stake","id":"x","table":"1","wager":"Banker","cents":1e400}', "malformed"),
        ('{"t":"stake","id":"x","table":"9","wager":"Banker","cents":100}', "no-such-table"),
        ('{"t":"stake","id":"x","table":"1","wager":"Banker","cents":100}', "not-seated"),
        ('{"t":"stake","id":"x","table":"1","wager":"Banker","cents":100,"patron":"bob"}', "malformed"),
        ('{"t":"watch","table":"1","role":"staff"}', "not-allowed"),
        ('{"t":"do","id":"x","table":"1","act":{"do":"open-bets"}}', "not-allowed"),
        ('{"t":"do","id":"x","table":"1","act":{"do":"cut-shoe","cards":9}}', "not-seated"),
        ('{"t":"do","id":"x","table":"1","act":{"do":"dance"}}', "malformed"),
        ('{"t":"do","id":"x","table":"1","act":{"do":"open-bets","by":{"name":"may"}}}', "malformed"),
        ('{"t":"redeem","id":"x","table":"1","code":"AAAA-AAAA-AAAA-AAAA"}', "not-seated"),
        ('{"t":"collect","id":"x","table":"1"}', "not-seated"),
        ('{"t":"take-table","table":"1"}', "not-allowed"),
        ('{"t":"bend","table":"1","side":"player","card":0,"lift":0.5,"edge":"left"}', "not-allowed"),
        ('{"t":"bend","table":"1","side":"player","card":0,"lift":0.5,"edge":"__proto__"}', "malformed"),
        ('{"t":"bend","table":"1","side":"player","card":3,"lift":0.5,"edge":"left"}', "malformed"),
        ('{"t":"bend","table":"1","side":"player","card":0,"lift":1.5,"edge":"left"}', "malformed"),
        ('{"t":"collect","id":"","table":"1"}', "malformed"),
        ('{"t":"redeem","id":"%s","table":"1","code":"A"}' % ("x" * 129), "malformed"),
        ("x" * 30_000, "malformed"),
        ("[" * 15_000, "malformed"),
        ('{"t":"ping","n":"' + "\\ud800" + '"}', "malformed"),
    ],
)
def test_whatever_a_page_sends_it_gets_one_line_and_stays(tmp_path: Path, message: str, code: str) -> None:
    async def run() -> None:
        async with house(tmp_path, setup()) as opened:
            ann = await opened.page(p="ann")
            await ann.socket.send(message)
            await ann.until(lambda: any(told["t"] == "refused" for told in ann.told))
            [refused] = [told for told in ann.told if told["t"] == "refused"]
            assert refused["code"] == code
            assert "\n" not in refused["message"]
            await ann.send(t="ping", n=7)
            await ann.until(lambda: any(told == {"t": "pong", "n": 7} for told in ann.told))

    asyncio.run(run())


@waits
async def test_bytes_are_no_message_and_a_flood_is_refused(tmp_path: Path) -> None:
    async with house(tmp_path, setup()) as opened:
        ann = await opened.page(p="ann")
        await ann.socket.send(b"\x00\x01")
        await ann.until(lambda: ann.told[-1]["t"] == "refused")
        for number in range(100):
            await ann.send(t="ping", n=number)
        await ann.until(lambda: any(told.get("code") == "too-fast" for told in ann.told))
        async with asyncio.timeout(15):  # after a while she is heard again
            while {"t": "pong", "n": 1234} not in ann.told:
                await ann.send(t="ping", n=1234)
                await asyncio.sleep(0.2)


@waits
async def test_a_page_of_somebody_elses_is_turned_away(tmp_path: Path) -> None:
    async with house(tmp_path, setup()) as opened:
        with pytest.raises(Exception, match="403"):
            await opened.page(p="ann", strange="1")


@waits
async def test_a_ticket_is_redeemed_once(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=3000)) as opened:
        ann, bob = await opened.page(p="ann"), await opened.page(p="bob")
        await ann.sit("1", cents=12_300)
        await bob.sit("1", cents=0)
        ticket = await ann.ask("collect", table="1")
        assert (ticket["t"], ticket["cents"]) == ("ticket", 12_300)
        await ann.until(lambda: ann.purse["credits_cents"] == 0)
        code = ticket["code"].lower().replace("-", " ")
        assert (await bob.ask("redeem", table="1", code=code, id="0001-b"))["t"] == "accepted"
        await bob.until(lambda: bob.purse["credits_cents"] == 12_300)
        assert (await ann.ask("redeem", table="1", code=ticket["code"]))["code"] == "bad-ticket"
        assert (await bob.ask("redeem", table="1", code=ticket["code"]))["code"] == "bad-ticket"
        bob.answers.clear()
        # The same message again is no other one.
        assert (await bob.ask("redeem", table="1", code=code, id="0001-b"))["t"] == "accepted"
        assert bob.purse["credits_cents"] == 12_300
        stored = b"".join(entry.body for entry in opened.floor.store.read(TABLE + "1"))
        assert ticket["code"].encode() not in stored
        assert not audit(opened.floor.store, public_key=opened.floor.keys.public).findings


@waits
async def test_on_a_real_floor_nobody_buys_credits_by_a_message(tmp_path: Path) -> None:
    real = type(ABOUT)("Real", False, "$", ("en",), "", "", "", 0)
    async with house(tmp_path, setup(), about=real) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1", cents=0)
        assert (await ann.ask("buy", table="1", cents=100))["code"] == "not-allowed"
        assert (await ann.act("1", "buy-in", cents=100))["code"] == "not-allowed"
        assert ann.purse["credits_cents"] == 0


@waits
async def test_a_patron_acts_in_nobody_elses_name_and_names_no_cards(tmp_path: Path) -> None:
    async with house(tmp_path, setup("baccarat", bets_ms=3000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        assert (await ann.act("1", "close-bets"))["code"] == "not-allowed"
        assert (await ann.act("1", "draw-card", card="9h"))["code"] == "not-allowed"
        assert (await ann.act("1", "rule", ruling="void", reason="I lost"))["code"] == "not-allowed"
        answer = await ann.act("1", "take-device", patron="bob")
        assert answer["code"] == "not-allowed"
        assert "bob" not in answer["message"]


@waits
async def test_a_table_waits_for_somebody_and_ends_its_round_when_all_have_left(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=300)) as opened:
        await opened.until(lambda: events(opened)[-1] == "ShoeLoaded")
        assert await opened.at_rest("1")
        assert "BetsOpened" not in events(opened)
        ann = await opened.page(p="ann")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        await ann.close()
        wall = await opened.page()
        await wall.send(t="watch", table="1")
        await wall.phase("1", "settled")
        assert await opened.at_rest("1")
        assert events(opened).count("BetsOpened") == 1


@waits
async def test_a_dealer_takes_the_table_and_hands_it_back(tmp_path: Path) -> None:
    async with house(tmp_path, setup("baccarat", bets_ms=200)) as opened:
        ann, dora = await opened.page(p="ann"), await opened.page(s="dora:dealer")
        await dora.send(t="watch", table="1", role="staff")
        await dora.send(t="take-table", table="1")
        await dora.until(lambda: dora.staff.get("1", {}).get("dealer") == "dora")
        if dora.staff["1"]["next"]["do"] == "load-shoe":  # she was there before the automatic dealer
            await dora.act("1", "load-shoe")
        await ann.sit("1")
        await dora.until(lambda: dora.staff["1"]["next"]["do"] == "open-bets")
        assert await opened.at_rest("1")
        assert ann.tables["1"]["phase"] == "idle"
        assert (await dora.act("1", "open-bets"))["t"] == "accepted"
        assert (await ann.stake("1", "Player", 1000))["t"] == "accepted"
        assert await opened.at_rest("1")  # the time for wagers is shown, and nothing happens when it is up
        assert ann.tables["1"]["phase"] == "bets-open"
        await dora.act("1", "close-bets")
        while dora.tables["1"]["phase"] != "settled":
            await dora.until(lambda: dora.staff["1"]["next"])
            step = dora.staff["1"]["next"]
            fields = {"side": step["side"]} if step["side"] else {}
            answer = await dora.act("1", step["do"], **fields)
            assert answer["t"] == "accepted", answer
            await dora.until(lambda version=answer["version"]: _version(dora) >= version)  # type: ignore[misc]
        assert [payment["patron"] for payment in dora.staff["1"]["payments"]] == ["ann"]
        await dora.send(t="hand-back", table="1")
        await ann.phase("1", "bets-open")


def _version(page: Page) -> int:
    return max((told["version"] for told in page.told if told["t"] in ("table", "staff")), default=0)


@waits
async def test_a_floor_that_stops_finishes_its_rounds_and_pays(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=60_000), setup("baccarat", bets_ms=60_000)) as opened:
        ann = await opened.page(p="ann")
        for table in ("1", "2"):
            await ann.sit(table)
            await ann.phase(table, "bets-open")
            await ann.stake(table, "Banker", 1000)
        await opened.hall.stop(5)
        await ann.until(lambda: any(told["t"] == "ended" for told in ann.told))
        assert [ann.tables[table]["phase"] for table in ("1", "2")] == ["settled", "settled"]
        assert ann.purse["staked_cents"] == 0


@waits
async def test_a_floor_that_died_in_a_round_judges_it_by_the_rules_and_goes_on(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=60_000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        await ann.stake("1", "Banker", 1000)
    async with house(tmp_path, setup(bets_ms=300)) as opened:
        assert "RoundVoided" in events(opened)  # nothing was decided yet (EB4 5.9.1)
        ann = await opened.page(p="ann")
        assert ann.purse["credits_cents"] == 1_000_000
        await ann.sit("1", cents=0)
        await ann.phase("1", "bets-open")
        assert not audit(opened.floor.store, public_key=opened.floor.keys.public).findings


@waits
async def test_the_chances_are_exact_and_beside_the_roads(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=1500)) as opened:
        ann, may = await opened.page(p="ann"), await opened.page(s="may:pit-manager")
        await may.send(t="watch", table="1", role="staff")
        await ann.sit("1")
        await ann.until(lambda: ann.tables["1"]["chances"])
        chances = ann.tables["1"]["chances"]
        # Eight decks, full, as published.
        assert chances == pytest.approx({"player": 0.446247, "banker": 0.458597, "tie": 0.095156}, abs=1e-6)
        await may.until(lambda: may.staff["1"]["edges"])
        edges = {edge["wager"]: edge for edge in may.staff["1"]["edges"]}
        assert edges["Player"]["edge"] == pytest.approx(0.0123508, abs=1e-6)
        assert '"edges"' not in "".join(ann.frames)
        await ann.phase("1", "settled")
        await ann.until(lambda: ann.tables["1"]["chances"] != chances)
        assert len(ann.tables["1"]["roads"]["bead"]) == 1


@waits
async def test_the_floor_at_a_glance_shows_money_to_staff_only(tmp_path: Path) -> None:
    async with house(tmp_path, setup(), setup("baccarat")) as opened:
        wall, may = await opened.page(), await opened.page(s="may:pit-manager")
        for page in (wall, may):
            await page.send(t="watch-floor")
            await page.until(lambda page=page: any(told["t"] == "floor" for told in page.told))  # type: ignore[misc]
        [plain] = [told for told in wall.told if told["t"] == "floor"]
        [full] = [told for told in may.told if told["t"] == "floor"]
        assert [tile["key"] for tile in plain["tiles"]] == ["1", "2"]
        assert all(tile["money"] is None and tile["alarms"] is None for tile in plain["tiles"])
        assert all(tile["money"] is not None for tile in full["tiles"])


@waits
async def test_a_page_that_does_not_read_is_let_go_and_the_others_are_not_kept_waiting(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=60_000)) as opened:
        ann, slow = await opened.page(p="ann"), await opened.page(p="slow")
        await ann.sit("1")
        await slow.sit("1")
        await ann.phase("1", "bets-open")
        assert slow.socket.transport
        slow.socket.transport.pause_reading()
        [connection] = [page for page in opened.hall.connections if page.patron and page.patron.name == "slow"]
        for _ in range(4000):
            if connection.closed:
                break
            connection.write(framed(b"[" + b" " * 4000 + b"]"))
            await asyncio.sleep(0)
        assert connection.closed
        assert (await ann.stake("1", "Banker", 1000))["t"] == "accepted"
        slow.socket.transport.resume_reading()  # and not before: nobody has waited for this page


@waits
async def test_the_code_of_a_ticket_that_was_made_a_while_ago_is_told_to_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path, setup(bets_ms=3000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1", cents=12_300)
        made = await ann.ask("collect", table="1", id="0001-a")
        monkeypatch.setattr("punto.server.reception.TOLD_MS", -1)
        for again in (False, True):
            ann.answers.clear()
            answer = await ann.ask("collect", table="1", id="0001-a", again=again)
            assert answer["code"] == "bad-ticket"
            assert made["code"] not in str(answer)
        assert (await ann.ask("redeem", table="1", code=made["code"]))["t"] == "accepted"


def is_taken(page: Page) -> bool:
    return bool(page.tables["1"]["taken"] and page.tiles["1"]["taken"])


@waits
async def test_only_staff_are_told_the_name_of_who_deals(tmp_path: Path) -> None:
    # Receipts of what staff entered are the exception: see `test_receipts`.
    async with house(tmp_path, setup("baccarat", bets_ms=60_000)) as opened:
        dora, ann, wall = await opened.page(s="dora:dealer"), await opened.page(p="ann"), await opened.page()
        await dora.send(t="watch", table="1", role="staff")
        await ann.sit("1", cents=1_000)
        for page in (ann, wall):
            await page.send(t="watch-floor")
            await page.send(t="watch", table="1", role="display")
        assert (await dora.ask("take-table", table="1"))["t"] == "accepted"
        await dora.until(lambda: dora.staff["1"]["dealer"] == "dora")
        for page in (ann, wall):
            await page.until(partial(is_taken, page))
            assert "dora" not in "".join(page.frames)


@waits
async def test_a_ticket_whose_answer_was_lost_is_told_again(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=3000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1", cents=12_300)
        first = await ann.ask("collect", table="1", id="0001-a")
        await ann.until(lambda: ann.purse["credits_cents"] == 0)
        ann = await opened.page(p="ann")
        await ann.sit("1", cents=0)
        again = await ann.ask("collect", table="1", id="0001-a")
        assert again == first
        assert (await ann.ask("collect", table="1"))["code"] == "bad-ticket"
        # A page that is not sure whether it ever asked collects nothing by asking again.
        assert await ann.ask("collect", table="1", id="0001-a", again=True) == first
        await ann.ask("buy", table="1", cents=100)
        assert (await ann.ask("collect", table="1", id="0002-b", again=True))["code"] == "bad-ticket"
        assert ann.purse["credits_cents"] == 100
        assert (await ann.ask("redeem", table="1", code=again["code"]))["t"] == "accepted"
        bob = await opened.page(p="bob")
        await bob.sit("1", cents=50_000)
        own = await bob.ask("collect", table="1", id="0001-a")
        assert (own["t"], own["cents"], own["code"] == first["code"]) == ("ticket", 50_000, False)


@waits
async def test_an_id_is_as_short_as_a_receipt_needs_it(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=60_000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        for letter, longest, cents in (("i", 96, 1_000), ("注", 32, 2_000)):
            id_ = letter * longest
            assert (await ann.stake("1", "Banker", cents, id=id_))["t"] == "accepted"
            for too_long in (id_ + letter, id_ + letter * 31):
                assert (await ann.stake("1", "Banker", 1_000, id=too_long))["code"] == "malformed"


@waits
async def test_ids_of_the_floors_own_are_nobody_elses(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=3000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1")
        kept = ("ticket-1", "redeem-1", "desk-7", "reading-1-0001", "interruption-1-2", "correction-3", "import-1-2-3")
        for id_ in kept:
            for kind, more in (("buy", {"cents": 100}), ("redeem", {"code": "ABCD-EFGH"}), ("collect", {})):
                answer = await ann.ask(kind, table="1", id=id_, **more)
                assert (answer["code"], answer["id"]) == ("malformed", id_)


@waits
async def test_a_stake_that_comes_late_does_not_count_in_the_next_round(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=300)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        round_ = ann.tables["1"]["round"]
        first = await ann.stake("1", "Banker", 1000, id="first", round=round_)
        await ann.until(lambda: ann.tables["1"]["round"] == round_ + 1)
        await ann.phase("1", "bets-open")
        late = await ann.stake("1", "Player", 1000, round=round_)
        assert (late["t"], late["code"]) == ("refused", "round-over")
        del ann.answers["first"]
        assert await ann.stake("1", "Banker", 1000, id="first", round=round_) == first
        huge = await ann.stake("1", "Player", 1000, round=2**70)
        assert (huge["t"], huge["code"]) == ("refused", "round-over")
        assert ann.own["1"]["wagers"] == []


@waits
async def test_who_asks_again_from_another_seat_gets_the_first_answer(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=300)) as opened:
        ann, bob = await opened.page(p="ann"), await opened.page(p="bob")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        first = await ann.stake("1", "Banker", 1000, id="first", round=1)
        assert first["t"] == "accepted"
        await ann.until(lambda: ann.tables["1"]["round"] == 2)
        await ann.send(t="leave", table="1")
        await ann.send(t="sit", table="1", position=5)
        await bob.send(t="sit", table="1", position=1)
        await ann.until(lambda: ann.own["1"]["seat"] == 5)
        del ann.answers["first"]
        assert await ann.stake("1", "Banker", 1000, id="first", round=1) == first
        del ann.answers["first"]
        assert (await ann.stake("1", "Banker", 2000, id="first", round=1))["code"] == "id-in-use"


@waits
async def test_the_message_that_redeemed_a_ticket_is_known_after_a_restart(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=60_000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1", cents=12_300)
        code = (await ann.ask("collect", table="1"))["code"]
        assert (await ann.ask("redeem", table="1", code=code, id="0001-b"))["t"] == "accepted"
    async with house(tmp_path, setup(bets_ms=60_000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1", cents=0)
        assert (await ann.ask("redeem", table="1", code=code))["code"] == "bad-ticket"
        assert (await ann.ask("redeem", table="1", code=code, id="0001-b"))["t"] == "accepted"
        await ann.until(lambda: ann.purse["credits_cents"] == 12_300)


async def staked_and_stopped(folder: Path, damage: Callable[[Attacker], object]) -> None:
    """A stake of ann's at a table whose record is damaged while the floor is closed."""
    async with house(folder, setup(bets_ms=60_000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1", cents=100_000)
        await ann.phase("1", "bets-open")
        assert (await ann.stake("1", "Banker", 1000))["t"] == "accepted"
    damage(Attacker(f"sqlite:{folder / 'floor.db'}"))


@waits
async def test_a_stake_at_a_table_that_is_stopped_is_told_after_a_restart_as_far_as_it_was_signed(
    tmp_path: Path,
) -> None:
    await staked_and_stopped(tmp_path, lambda attacker: attacker.append("table/1", b"{}"))
    async with house(tmp_path, setup(bets_ms=60_000), setup("tiger")) as opened:
        ann, bob = await opened.page(p="ann"), await opened.page(p="bob")
        await ann.until(lambda: ann.purse)
        assert (ann.purse["staked_cents"], ann.purse["tables"]) == (1000, ["1"])
        assert ann.purse["waiting"] == {"1": 1000}
        assert (ann.purse["credits_cents"], ann.purse["bought_cents"]) == (99_000, 100_000)
        await ann.sit("1", cents=0)
        assert ann.tables["1"]["wait"]["what"] == "record"
        assert (await ann.stake("1", "Banker", 2000))["code"] == "stream-stopped"
        await bob.sit("2", cents=500)
        assert (bob.purse["staked_cents"], bob.purse["waiting"]) == (0, {})


@waits
async def test_a_stake_that_no_record_tells_any_more_is_said_to_wait_and_not_to_be_nothing(tmp_path: Path) -> None:
    def garble(attacker: Attacker) -> None:
        attacker.run("DELETE FROM snapshots")
        attacker.run("UPDATE entries SET body = ? WHERE stream = 'table/1' AND version = 2", b"{}")

    await staked_and_stopped(tmp_path, garble)
    async with house(tmp_path, setup(bets_ms=60_000), setup("tiger")) as opened:
        ann, bob = await opened.page(p="ann"), await opened.page(p="bob")
        await ann.sit("1", cents=0)
        await ann.until(lambda: ann.purse["waiting"])
        assert (ann.purse["staked_cents"], ann.purse["waiting"]) == (0, {"1": None})
        await bob.sit("2", cents=500)
        assert bob.purse["waiting"] == {}, "who was never at that table need not hear of it"


@waits
async def test_what_is_at_stake_counts_wherever_it_lies(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=1500), setup("tiger", bets_ms=60_000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1", cents=100_000)
        await ann.phase("1", "bets-open")
        for wager in ("Player", "Banker", "Tie"):
            assert (await ann.stake("1", wager, 1000))["t"] == "accepted"
        await ann.close()
        ann = await opened.page(p="ann")
        await ann.sit("2", cents=0)
        await ann.until(lambda: ann.purse["tables"] == ["1"])
        purse = ann.purse
        assert (purse["staked_cents"], purse["credits_cents"], purse["bought_cents"]) == (3000, 97_000, 100_000)
        await ann.until(lambda: ann.purse["staked_cents"] == 0)
        assert ann.purse["tables"] == []


@waits
async def test_time_is_counted_from_the_first_seat_and_stakes_on_the_table_count_as_brought_along(
    tmp_path: Path,
) -> None:
    async with house(tmp_path, setup(bets_ms=60_000)) as opened:
        ann = await opened.page(p="ann")
        await asyncio.sleep(0.3)
        before_sitting = time.monotonic()
        await ann.sit("1", cents=0)
        await ann.ask("buy", table="1", cents=5_000)
        await ann.until(lambda: ann.purse["played_ms"])
        assert ann.purse["played_ms"] <= 1000 * (time.monotonic() - before_sitting) + 1
        await ann.phase("1", "bets-open")
        assert (await ann.stake("1", "Banker", 1000))["t"] == "accepted"
        opened.hall.visitors._all.clear()  # noqa: SLF001 (as after a restart)
        await ann.close()
        ann = await opened.page(p="ann")
        await ann.until(lambda: ann.purse.get("bought_cents") == 5_000)


@waits
async def test_a_second_console_that_is_closed_takes_the_table_from_nobody(tmp_path: Path) -> None:
    async with house(tmp_path, setup("baccarat", bets_ms=60_000)) as opened:
        first, second = await opened.page(s="dora:dealer"), await opened.page(s="dora:dealer")
        for page in (first, second):
            assert (await page.ask("take-table", table="1"))["t"] == "accepted"
        await second.close()
        hosted = opened.hall.tables["1"]
        await opened.until(lambda: len(opened.hall.connections) == 1)
        hosted._give_up_waiting()  # noqa: SLF001 (it would take a quarter of a minute)
        assert hosted.dealer_name == "dora"
        assert hosted.dealer is not None
        await first.close()
        await opened.until(lambda: not opened.hall.connections)
        hosted._give_up_waiting()  # noqa: SLF001
        assert hosted.deals_itself


@waits
async def test_who_lost_the_connection_takes_no_table_back_from_another(tmp_path: Path) -> None:
    async with house(tmp_path, setup("baccarat", bets_ms=60_000)) as opened:
        dora, dan = await opened.page(s="dora:dealer"), await opened.page(s="dan:dealer")
        hosted = opened.hall.tables["1"]
        assert (await dora.ask("take-table", table="1"))["t"] == "accepted"
        assert (await dan.ask("take-table", table="1"))["code"] == "out-of-turn"
        assert (await dora.ask("hand-back", table="1"))["t"] == "accepted"
        assert (await dan.ask("take-table", table="1"))["t"] == "accepted"
        assert hosted.dealer_name == "dan"
        await dora.send(t="take-table", table="1", again=True)
        assert (await dora.ask("hand-back", table="1"))["code"] == "out-of-turn"
        assert hosted.dealer_name == "dan"
        assert (await dan.ask("hand-back", table="1"))["t"] == "accepted"
        assert (await dora.ask("take-table", table="1", again=True))["t"] == "accepted"


@waits
async def test_a_table_that_was_closed_tells_what_it_was_open_with(tmp_path: Path) -> None:
    limits = {"*": Limit(Cents(500), Cents(50_000))}
    opened_with = setup("baccarat", bets_ms=60_000, source=Source.DEVICE, limits=limits, behind=20)
    async with house(tmp_path, opened_with, automatic=False) as opened:
        may = await opened.page(s="may:pit-manager")
        await may.send(t="watch", table="1", role="staff")
        await may.until(lambda: "1" in may.staff)
        assert not may.staff["1"]["last"]
        tie = {"min_cents": 1_000, "max_cents": 10_000}
        for do, fields in (("change-limits", {"limits": {"Tie": tie}}), ("choose-method", {"method": "A"})):
            assert (await may.act("1", do, **fields))["t"] == "accepted"
        assert (await may.act("1", "close-table"))["t"] == "accepted"
        await may.until(lambda: may.staff["1"]["last"])
        last = may.staff["1"]["last"]
        assert (last["source"], last["behind"], last["method"]) == ("device", 20, "A")
        assert (last["limits"]["Tie"], last["limits"]["Player"]) == (tie, {"min_cents": 500, "max_cents": 50_000})
        assert (await may.act("1", "open-table", setup=last))["t"] == "accepted"
        await may.until(lambda: may.staff["1"]["last"] is None)


@waits
async def test_the_log_is_on_the_consoles_after_a_restart(tmp_path: Path) -> None:
    dealt = setup("baccarat", bets_ms=60_000, source=Source.DEVICE)
    async with house(tmp_path, dealt, automatic=False) as opened:
        dora = await opened.page(s="dora:dealer")
        await dora.take("1")
        for do in ("load-shoe", "open-bets"):
            assert (await dora.act("1", do))["t"] == "accepted"
    async with house(tmp_path, dealt, automatic=False) as opened:
        dan = await opened.page(s="dan:dealer")
        await dan.send(t="watch", table="1", role="staff")
        await dan.until(lambda: "1" in dan.staff)
        said = [(line["by"], line["event"]["type"]) for line in dan.staff["1"]["log"]]
        assert ("dora", "shoe-loaded") in said
        assert ("dora", "bets-opened") in said


@waits
async def test_a_shoe_that_is_out_has_no_edges(tmp_path: Path) -> None:
    async with house(tmp_path, setup("baccarat", source=Source.DEVICE), automatic=False) as opened:
        may = await opened.page(s="may:pit-manager")
        await may.send(t="watch", table="1", role="staff")
        await may.act("1", "load-shoe")
        await may.until(lambda: may.staff["1"]["edges"])
        await may.act("1", "end-shoe", reason="to see the cards")
        await may.until(lambda: not may.staff["1"]["edges"])


@waits
async def test_the_first_round_after_a_rest_shows_its_result_as_long_as_any(tmp_path: Path) -> None:
    pace = Pace(card_ms=5, speech_ms=10, result_ms=700, shoe_ms=10, cut_ms=10)
    async with house(tmp_path, setup(bets_ms=200), pace=pace) as opened:
        spans = []
        for name in ("ann", "bob"):
            page = await opened.page(p=name)
            await page.sit("1")
            await page.phase("1", "bets-open")
            await page.phase("1", "settled")
            table = page.tables["1"]
            spans.append(table["clock"]["total_ms"])
            await leave(opened, page)
            have_the_result_over(opened)
        assert spans == [700, 700]


async def leave(opened: House, page: Page) -> None:
    """Close the only page at the table: no other round begins."""
    await page.close()
    await opened.until(lambda: not opened.hall.tables["1"].attended)
    assert await opened.at_rest("1")


def have_the_result_over(opened: House) -> None:
    """End the time for which the result is shown."""
    opened.hall.tables["1"].clockwork._result_until = 0.0  # noqa: SLF001 (waiting it out takes a busy machine too long)


@waits
async def test_who_comes_back_alone_still_finds_what_the_round_came_to(tmp_path: Path) -> None:
    pace = Pace(card_ms=5, speech_ms=10, result_ms=20_000, shoe_ms=10, cut_ms=10)
    async with house(tmp_path, setup(bets_ms=200), pace=pace) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        await ann.stake("1", "Banker", 1000)
        await ann.phase("1", "settled")
        for is_over in (False, True):
            await leave(opened, ann)
            if is_over:
                have_the_result_over(opened)
            ann = await opened.page(p="ann")
            await ann.send(t="sit", table="1")
            await ann.until(lambda ann=ann: "1" in ann.own)  # type: ignore[misc]
            table = ann.tables["1"]
            assert (table["phase"], table["round"]) == ("settled", 1)
            assert 5_000 < table["clock"]["remaining_ms"] <= 20_000, "where it is over, 10 are left at most"
            assert [payment["stake_cents"] for payment in ann.own["1"]["payments"]] == [1000]
        await leave(opened, ann)
        have_the_result_over(opened)
        bob = await opened.page(p="bob")  # whom it does not concern
        await bob.send(t="sit", table="1")
        await bob.until(lambda: "1" in bob.own)
        assert bob.tables["1"]["clock"]["remaining_ms"] <= 10


@waits
async def test_who_keeps_trying_what_is_not_allowed_is_slowed_down(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=60_000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1", cents=0)
        codes = [(await ann.act("1", "close-bets"))["code"] for _ in range(20)]
        assert set(codes) == {"not-allowed", "too-fast"}
        assert opened.floor.store.tip(SECURITY) is None  # no patron gives such a command: nothing is written of it
        dora = await opened.page(s="dora:dealer")
        codes = [(await dora.act("1", "close-table"))["code"] for _ in range(20)]
        assert set(codes) == {"not-allowed", "too-fast"}
        await opened.until(
            lambda: (tip := opened.floor.store.tip(SECURITY)) and tip.version == codes.count("not-allowed")
        )
        assert codes.count("not-allowed") < 10


@waits
async def test_what_a_page_sends_after_it_was_let_go_is_not_done(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=60_000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        [connection] = opened.hall.connections
        connection.closed = True
        await ann.send(t="stake", id="late", table="1", wager="Banker", cents=1000)
        await ann.gone()
        bob = await opened.page(p="bob")
        await bob.sit("1")  # he buys in, and what was given before is written before
        assert "WagerPlaced" not in events(opened)


@waits
async def test_a_dealer_who_never_looked_on_is_missed_all_the_same(tmp_path: Path) -> None:
    async with house(tmp_path, setup("baccarat", bets_ms=200)) as opened:
        dora = await opened.page(s="dora:dealer")
        assert (await dora.ask("take-table", table="1"))["t"] == "accepted"
        await dora.close()
        await opened.until(lambda: not opened.hall.connections)
        hosted = opened.hall.tables["1"]
        assert hosted.dealer is None
        hosted._give_up_waiting()  # noqa: SLF001 (it would take a quarter of a minute)
        assert hosted.deals_itself


@waits
@pytest.mark.parametrize("fault", [StoreGone, StoreLocked])
async def test_when_the_store_takes_nothing_everybody_is_told_and_then_it_goes_on(
    tmp_path: Path, fault: type[PuntoError]
) -> None:
    async with house(tmp_path, setup(bets_ms=300)) as opened:
        ann = await opened.page(p="ann")
        await ann.send(t="watch-floor")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        store = opened.floor.store
        append = store.append

        def full(*_: Any) -> None:  # noqa: ANN401
            raise fault(f"{tmp_path}: takes nothing")

        store.append = full  # type: ignore[assignment,method-assign]
        await ann.until(lambda: (ann.tables["1"]["wait"] or {}).get("what") == "store")
        await ann.until(lambda: ann.tiles["1"]["held_up"] == "store")
        store.append = append  # type: ignore[method-assign]
        await ann.phase("1", "settled")
        assert ann.tables["1"]["wait"] is None
        await ann.until(lambda: not ann.tiles["1"]["held_up"])


@waits
async def test_a_stake_that_was_refused_as_it_came_may_come_again_in_its_round_and_is_stale_after_that(
    tmp_path: Path,
) -> None:
    async with house(tmp_path, setup(bets_ms=800), always=True) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1")
        await ann.send(t="leave", table="1")
        await ann.send(t="watch", table="1")
        await ann.phase("1", "bets-open")
        round_ = ann.tables["1"]["round"]
        for id_ in ("late", "again"):
            assert (await ann.stake("1", "Player", 500, id=id_))["code"] == "not-seated"
        await ann.sit("1", cents=0)
        ann.answers.clear()
        assert (await ann.stake("1", "Player", 500, id="again", round=round_))["t"] == "accepted"
        await ann.until(lambda: ann.tables["1"]["round"] > round_ and ann.tables["1"]["phase"] == "bets-open")
        ann.answers.clear()
        assert (await ann.stake("1", "Player", 500, id="late"))["code"] == "stale-id"
        assert (await ann.stake("1", "Player", 500, id="again", round=round_))["t"] == "accepted", "its first answer"
        assert (await ann.stake("1", "Player", 500, id="new"))["t"] == "accepted"


@waits
async def test_whoever_comes_to_a_table_that_was_damaged_when_the_floor_opened_is_told_that_it_is_stopped(
    tmp_path: Path,
) -> None:
    async with house(tmp_path, setup()) as opened:
        opened.hall.host_stopped("2", Corrupt("table/2: entry 3 is not the one that was signed", 3), file=setup())
        ann, dora = await opened.page(p="ann"), await opened.page(s="dora:dealer")
        await ann.send(t="watch-floor")
        await ann.sit("2", cents=0)
        assert ann.tables["2"]["wait"]["what"] == "record"
        assert ann.tiles["2"]["held_up"] == "record"
        refused = await ann.stake("2", "Player", 1000)
        assert (refused["t"], refused["code"]) == ("refused", "stream-stopped")
        await dora.send(t="watch", table="2", role="staff")
        await dora.take("2")
        await dora.until(lambda: "2" in dora.staff)
        assert [alarm["what"] for alarm in dora.staff["2"]["alarms"]] == ["damaged"]
        assert (await dora.act("2", "load-shoe"))["code"] == "stream-stopped"
        await opened.hall.watchman.look()
        assert ann.tables["2"]["wait"]["what"] == "record", "it stays so, whatever the watchman finds elsewhere"
        await ann.sit("1")


@waits
async def test_the_chances_count_only_cards_that_everybody_has_seen(tmp_path: Path) -> None:
    dealt = setup("baccarat", bets_ms=300, answer_ms=60_000, method=Method.A)
    async with house(tmp_path, dealt) as opened:
        ann, may = await opened.page(p="ann"), await opened.page(s="may:gaming-shift-manager")
        await may.send(t="watch", table="1", role="staff")
        await ann.sit("1")
        await ann.until(lambda: ann.tables["1"]["chances"])
        before = ann.tables["1"]["chances"]
        await ann.phase("1", "bets-open")
        await ann.stake("1", "Player", 1000)
        await ann.until(lambda: ann.own["1"]["offered"])
        looked: list[Any] = []
        hosted = opened.hall.tables["1"]
        hosted.set_lab = looked.append  # type: ignore[method-assign, assignment]
        assert (await may.act("1", "refer", matter="the cards fell down"))["t"] == "accepted"
        june = await opened.page(s="june:gaming-shift-manager")
        assert (await june.act("1", "rule", ruling="void", reason="nobody has seen them"))["t"] == "accepted"
        await ann.phase("1", "void")
        assert hosted.table.shoe.drawn == 4
        await opened.until(lambda: looked)
        assert [to_builtins(outlook.public) for outlook in looked] == [before]


@waits
async def test_refusals_name_neither_hidden_cards_nor_other_patrons(tmp_path: Path) -> None:
    dealt = setup("baccarat", bets_ms=300, answer_ms=60_000, hlga=True)
    async with house(tmp_path, dealt, automatic=False) as opened:
        ann, bob = await opened.page(p="ann"), await opened.page(p="bob")
        gus = await opened.page(s="gus:gaming-shift-manager")
        for do_ in ({"do": "load-shoe"}, {"do": "choose-method", "method": "C"}, {"do": "open-bets"}):
            assert (await gus.ask("do", table="1", act=do_))["t"] == "accepted"
        for page in (ann, bob):
            await page.sit("1")
            await page.stake("1", "Player", 1000)
        await ann.act("1", "take-device")
        await gus.act("1", "close-bets")
        for _ in range(4):
            assert (await ann.act("1", "draw-card"))["t"] == "accepted"
        for wanted in ("draw-card", "take-device"):
            answer = await bob.act("1", wanted)
            assert answer["t"] == "refused"
            assert "ann" not in answer["message"]
        answer = await gus.act("1", "report-order", found="wrong-order", player="2c 3c", banker="4c 5c")
        hidden = [laid.card for laid in opened.hall.tables["1"].table.cards if not laid.up]
        assert len(hidden) == 4
        assert answer["t"] == "refused"
        assert not [card for card in hidden if card in answer["message"]]


@waits
async def test_a_refused_id_keeps_its_answer_until_the_round_ends_is_stale_after_that_and_new_to_another_process(
    tmp_path: Path,
) -> None:
    async with house(tmp_path, setup(bets_ms=250)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1", 10_000)
        await ann.phase("1", "bets-open")
        round_ = ann.tables["1"]["round"]
        assert (await ann.stake("1", "Banker", 20_000, id="late"))["code"] == "unaffordable"
        assert (await ann.ask("buy", table="1", cents=90_000))["t"] == "accepted"
        ann.answers.clear()
        assert (await ann.stake("1", "Banker", 20_000, id="late"))["code"] == "unaffordable"
        await ann.until(lambda: ann.tables["1"]["round"] > round_ and ann.tables["1"]["phase"] == "bets-open")
        for _ in range(2):
            ann.answers.clear()
            assert (await ann.stake("1", "Banker", 20_000, id="late"))["code"] == "stale-id"
        assert (await ann.stake("1", "Banker", 20_000, id="fresh"))["t"] == "accepted"
    # Refusals are not written down: a process that begins in the same round judges the id anew, for that round alone.
    async with house(tmp_path, setup(bets_ms=60_000)) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1", 0)
        await ann.phase("1", "bets-open")
        assert (await ann.stake("1", "Banker", 20_000, id="late", round=round_))["code"] == "round-over"
        ann.answers.clear()
        assert (await ann.stake("1", "Banker", 20_000, id="late", round=round_))["code"] == "round-over"
        ann.answers.clear()
        assert (await ann.stake("1", "Banker", 20_000, id="fresh"))["t"] == "accepted", "what was accepted is on record"
