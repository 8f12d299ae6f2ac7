"""No visitor holds up another: what hostile pages and requests send is refused before it costs anything."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.house import House, Page, house, setup
from tests.server.http.floor import READ, RUNNING, opened
from tests.server.waiting import waits

from punto.errors import BadSetup
from punto.games import GAMES, dumps
from punto.rules import Position
from punto.server.reception import _LONGEST
from punto.table import Actor
from punto.table import commands as do
from punto.table.setup import Setup, is_known

# As in the attack: 19.5 kB, whose only key has 9,700 parts. It took `tomllib` seconds and hundreds of megabytes.
DOTTED = ".".join(["a"] * 9_700) + " = 1"
# What one of them may take, all in all, on a machine that does other things: in the attack it was seven seconds.
QUICK_S = 1.0


def opening(text: str) -> dict[str, Any]:
    return {"setup": {"game": "x", "declaration": text}}


async def refused(page: Page, text: str, times: int = 1) -> list[str]:
    """The codes with which so many openings at once are refused."""
    asked = [page.ask("do", table="1", act={"do": "open-table", **opening(text)}) for _ in range(times)]
    return [answer["code"] for answer in await asyncio.gather(*asked)]


def count_groups(opened: House) -> list[int]:
    groups: list[int] = []
    opened.hall.writer.watch = lambda written, _: groups.append(len(written.asked))
    return groups


@waits
async def test_no_command_that_a_patron_can_never_give_reaches_the_writer(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=60_000), automatic=False) as opened:
        ann = await opened.page(p="ann")
        await ann.sit("1", cents=0)
        groups = count_groups(opened)
        began = time.monotonic()
        codes = await refused(ann, DOTTED, 16)
        assert time.monotonic() - began < QUICK_S
        assert set(codes) == {"not-allowed", "too-fast"}
        assert groups == []
        assert opened.hall.pool.pids == []


@waits
@pytest.mark.parametrize("position", ["dealer", "pit-supervisor", "pit-manager", "assistant-casino-manager"])
async def test_who_may_not_go_beyond_the_file_has_no_declaration_read(tmp_path: Path, position: str) -> None:
    async with house(tmp_path, setup(bets_ms=60_000), automatic=False) as opened:
        page = await opened.page(s=f"pia:{position}")
        assert await refused(page, DOTTED) == ["not-allowed"]
        assert await refused(page, dumps(GAMES["tiger"])) == ["not-allowed"]
        assert opened.hall.pool.pids == []


@waits
async def test_a_managers_declaration_is_read_by_a_worker_while_others_play_on(tmp_path: Path) -> None:
    text = dumps(GAMES["tiger"]).replace('key = "tiger"', 'key = "own-tiger"')
    async with house(tmp_path, setup(bets_ms=60_000), setup(bets_ms=60_000), automatic=False) as opened:
        gina = await opened.page(s="gina:gaming-shift-manager")
        assert await refused(gina, DOTTED, 4) == ["bad-declaration"] * 4
        assert await refused(gina, 'key = "x"\ntitle = 7') == ["bad-declaration"]
        await gina.take("1")
        await gina.act("1", "close-table")
        assert not is_known(text)
        proposed = await gina.act("1", "open-table", setup={"game": "own-tiger", "declaration": text})
        assert proposed["t"] == "proposed", proposed
        assert is_known(text)
        pit = await opened.page(s="pit:pit-manager")
        assert (await pit.confirm("1", proposed["digest"]))["t"] == "accepted"
        assert opened.hall.tables["1"].table.open.game == "own-tiger"


@waits
async def test_the_writer_reads_no_declaration(tmp_path: Path) -> None:
    text = dumps(GAMES["tiger"]).replace('key = "tiger"', 'key = "unread"')
    async with opened(tmp_path, RUNNING, READ) as floor:
        with pytest.raises(BadSetup, match="not read beforehand"):
            await floor.do(
                do.OpenTable,
                Actor("gina", Position.GAMING_SHIFT_MANAGER),
                "3",
                setup=Setup(game="unread", declaration=text),
            )


# By HTTP

SHOE = "punto shoe 1\ngame x\n| " + DOTTED + "\n\n1 Ks 2h 5d 4c 9s = 4-6 B\n"


@waits
async def test_a_page_of_another_site_verifies_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path, RUNNING) as floor:
        strange = floor.nobody(origin="https://example.org")
        answer = await strange.post("/api/verify", content=SHOE)
        assert (answer.status_code, answer.json()["code"]) == (403, "not-allowed")
        assert floor.hall.pool.pids == []


@waits
async def test_a_hostile_shoe_is_refused_by_a_worker_with_one_line(tmp_path: Path) -> None:
    async with opened(tmp_path, RUNNING) as floor:
        nobody = floor.nobody()
        await nobody.post("/api/verify", content="x")  # a worker is there from now on
        began = time.monotonic()
        answer = await nobody.post("/api/verify", content=SHOE)
        assert time.monotonic() - began < QUICK_S
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-shoe-file")
        assert answer.json()["message"] == "declaration: line 1, column 8: a key of a declaration has 4 parts at most"


async def trickle() -> AsyncIterator[bytes]:
    """A body that does not come to its end."""
    yield b"punto shoe 1\n"
    await asyncio.sleep(60)


@waits
async def test_one_address_has_one_verification_at_a_time_and_four_that_wait(tmp_path: Path) -> None:
    async with opened(tmp_path, RUNNING) as floor:
        guests = [floor.nobody() for _ in range(10)]
        answers = await asyncio.gather(*(guest.post("/api/verify", content="x") for guest in guests))
        assert sorted(answer.status_code for answer in answers) == [400] * 5 + [429] * 5
        assert {answer.json()["code"] for answer in answers} == {"bad-shoe-file", "too-fast"}
        slow = [asyncio.create_task(guest.post("/api/verify", content=trickle())) for guest in guests[:5]]
        await asyncio.sleep(0.1)
        answer = await guests[5].post("/api/verify", content=trickle())
        assert answer.status_code == 429  # before its body has come
        for each in slow:
            each.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        other = floor.nobody("10.0.0.8")
        assert (await other.post("/api/verify", content="x")).status_code == 400


@waits
async def test_a_body_has_a_limit_of_its_route_and_its_json_a_depth(tmp_path: Path) -> None:
    deep = b'{"name": ' + b"[" * 2_000 + b"]" * 2_000 + b', "password": "x"}'
    async with opened(tmp_path, RUNNING) as floor:
        nobody, pit = floor.nobody(), await floor.staff()
        for browser, path, size in (
            (nobody, "/api/sign-in", 8_192),
            (pit, "/api/desk", 8_192),
            (pit, "/api/tables/1/foresight", 20_000),
            (nobody, "/api/verify", 1_000_000),
        ):
            for body in (b"x" * (size + 1), b'{"a":"' + b"x" * size + b'"}'):
                answer = await browser.post(path, content=body, headers={"content-type": "application/json"})
                assert (answer.status_code, answer.json()["code"]) == (413, "too-large"), path
        answer = await nobody.post("/api/sign-in", content=deep, headers={"content-type": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
        assert answer.json()["message"] == "the body nests too deeply: expected JSON of 16 levels at most"


@waits
async def test_rights_are_checked_before_a_body_is_read(tmp_path: Path) -> None:
    """A body that would be refused as unreadable is not even looked at."""
    async with opened(tmp_path) as floor:
        nobody, (guest, _) = floor.nobody(), await floor.guest()
        for path in ("/api/desk", "/api/corrections", "/api/tables/1/foresight", "/api/staff", "/api/terminals"):
            for browser in (nobody, guest):
                answer = await browser.post(path, content=b"\xff" * 5_000, headers={"content-type": "application/json"})
                assert (answer.status_code, answer.json()["code"]) == (401, "not-signed-in"), path
        answer = await nobody.post("/api/tables/3/readings", content=b"\xff" * 5_000)
        assert (answer.status_code, answer.json()["code"]) == (401, "not-signed-in")


@waits
async def test_hostile_frames_are_each_answered_in_one_line(tmp_path: Path) -> None:
    async with house(tmp_path, setup(bets_ms=60_000)) as opened:
        eve, ann = await opened.page(p="eve"), await opened.page(p="ann")
        await ann.sit("1")
        await ann.phase("1", "bets-open")
        for frame in (
            json.dumps({"t": "do", "id": "a", "table": "1", "act": {"do": "open-table", **opening(DOTTED)}}),
            '{"t":"do","id":"b","table":"1","act":' + "[" * 9_000,
            '{"t":"do","id":"c","table":"1","act":' + '{"a":' * 3_900,
            '{"t":"stake","id":"d","table":"1","wager":"Tie","cents":' + "9" * 19_000 + "}",
            json.dumps({"t": "stake", "id": "e", "table": "1", "wager": "x" * 19_900, "cents": 100}),
            json.dumps({"t": "stake", "id": "f" * 19_000, "table": "1", "wager": "Tie", "cents": 100}),
            "{" + ",".join(f'"k{number}":1' for number in range(1_900)) + "}",
            '"' + "\\u0000" * 3_300 + '"',
            "[" * (_LONGEST - 1),
        ):
            before, began = len(eve.told), time.monotonic()
            await eve.socket.send(frame)
            await eve.until(lambda: any(each["t"] == "refused" for each in eve.told[before:]))  # noqa: B023
            assert time.monotonic() - began < QUICK_S
        assert (await ann.stake("1", "Tie", 1_000))["t"] == "accepted"
