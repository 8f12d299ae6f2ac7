"""Money at the desk, corrections by two people, and cards that a shoe reads."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
from tests.floor.attacker import Attacker
from tests.server.http.floor import DORA, Opened, opened
from tests.server.waiting import waits

from punto.rules import Position
from punto.table import Actor
from punto.table import commands as do


async def posted(browser: httpx.AsyncClient, path: str, **body: Any) -> tuple[int, Any]:  # noqa: ANN401
    answer = await browser.post(path, json=body)
    return answer.status_code, answer.json()


async def open_bets(floor: Opened) -> None:
    await floor.do(do.LoadShoe, DORA, "3")
    await floor.do(do.OpenBets, DORA, "3")
    await floor.do(do.CloseBets, DORA, "3")


@waits
async def test_staff_buys_in_and_cashes_out_for_a_patron_and_asking_twice_is_harmless(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        dealer = await floor.staff(Position.DEALER, "dora")
        dealt(floor)
        desk = {"table": "3", "patron": "ann", "position": 1, "cents": 5_000, "kind": "in"}
        for _ in range(2):
            status, booked = await posted(dealer, "/api/desk", id="slip-1", **desk)
            assert (status, booked["credits_cents"]) == (200, 5_000)
        out = desk | {"kind": "out", "cents": 2_000}
        assert (await posted(dealer, "/api/desk", **out))[1]["credits_cents"] == 3_000
        assert (await posted(dealer, "/api/desk", **out | {"cents": 9_000}))[1]["code"] == "unaffordable"
        for wrong, status in (
            ({"cents": 0}, 400),
            ({"kind": "up"}, 400),
            ({"patron": "a/b"}, 400),
            ({"table": "9"}, 404),
            ({"position": 9_999}, 409),
            ({"more": 1}, 400),
            ({"id": "a b"}, 400),
        ):
            assert (await posted(dealer, "/api/desk", **desk | wrong))[0] == status, wrong


@waits
async def test_the_desk_books_nothing_for_the_names_that_the_floor_keeps_for_itself(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        dealer = await floor.staff(Position.DEALER, "dora")
        dealt(floor)
        desk = {"table": "3", "position": 1, "cents": 5_000}
        for patron in ("house", "HOUSE", "floor", "clock", "import", "shoe-3"):
            for kind in ("in", "out"):
                status, refused = await posted(dealer, "/api/desk", **desk, patron=patron, kind=kind)
                assert (status, refused["code"]) == (409, "name-taken"), patron
                assert "\n" not in refused["message"]
        for patron in ("terminal-7", "guest-ann", "ann"):
            assert (await posted(dealer, "/api/desk", **desk, patron=patron, kind="in"))[0] == 200, patron


@waits
async def test_a_wallet_that_is_stopped_is_told_at_the_desk_by_its_code(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        dealer = await floor.staff(Position.DEALER, "dora")
        dealt(floor)
        desk = {"table": "3", "patron": "ann", "position": 1, "cents": 5_000, "kind": "in"}
        assert (await posted(dealer, "/api/desk", **desk))[0] == 200
        Attacker(f"sqlite:{tmp_path / 'floor.db'}").append("wallet/ann", b"{}")
        status, refused = await posted(dealer, "/api/desk", **desk)
        assert (status, refused["code"]) == (503, "stream-stopped")
        assert refused["message"].startswith("this part of the record is stopped")


@waits
async def test_a_dealer_moves_money_only_at_the_table_that_the_dealer_has_taken(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        dealer = await floor.staff(Position.DEALER, "dora")
        desk = {"table": "3", "patron": "ann", "position": 1, "cents": 5_000, "kind": "in"}
        dealt(floor, Actor("dan", Position.DEALER))
        status, refused = await posted(dealer, "/api/desk", **desk)
        assert (status, refused["code"]) == (403, "not-allowed")
        dealt(floor)
        assert (await posted(dealer, "/api/desk", **desk))[0] == 200
        assert (await posted(dealer, "/api/desk", **desk | {"table": "2"}))[0] == 403


@waits
async def test_a_correction_waits_for_a_second_person_and_asking_twice_is_harmless(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        pit = await floor.staff(Position.PIT_SUPERVISOR, "paul")
        correction = {"table": "3", "patron": "ann", "cents": 700, "reason": "miscounted"}
        digests = set()
        for _ in range(2):
            status, booked = await posted(pit, "/api/corrections", id="c1", **correction)
            assert (status, booked["credits_cents"]) == (200, 0)
            digests.add(booked["waits"])
        [shown] = floor.hall.tables["3"].proposals.shown()
        assert digests == {shown.digest}
        assert (shown.do, shown.by, shown.patron, shown.cents, shown.reason) == (
            "correct-credits",
            "paul",
            "ann",
            700,
            "miscounted",
        )
        status, refused = await posted(pit, "/api/corrections", **correction | {"reason": " "})
        assert (status, refused["code"]) == (400, "malformed")
        dealer = await floor.staff(Position.DEALER, "dora")
        assert (await posted(dealer, "/api/corrections", **correction))[0] == 403


@waits
async def test_a_reading_is_the_draw_of_the_dealer_who_has_taken_the_table(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        await open_bets(floor)
        greta = await floor.staff(Position.GAMING_SHIFT_MANAGER, "greta")
        status, shoe = await posted(greta, "/api/shoes", table="3")
        assert status in {200, 201}, shoe
        device = floor.nobody(authorization=f"Bearer {shoe['token']}")
        path = "/api/tables/3/readings"
        assert (await posted(device, path, id="r1", card="9s"))[1]["code"] == "no-dealer"
        told = dealt(floor)
        for _ in range(2):
            status, read = await posted(device, path, id="r1", card="9s")
            assert (status, read["id"]) == (200, "r1")
        assert told == []
        # The same reading again is harmless, whoever deals by now; what was not taken, the dealer is told.
        told = dealt(floor, Actor("dan", Position.DEALER))
        assert await posted(device, path, id="r1", card="9s") == (status, read)
        assert [laid.card for laid in floor.hall.tables["3"].table.cards] == ["9s"]
        assert (await posted(device, path, id="r2", cutting_card=True))[0] == 200
        assert floor.hall.tables["3"].table.shoe.cutting_card
        for body, code in (
            ({"id": "r1", "card": "8s"}, "id-in-use"),
            ({"id": "r3", "card": "1x"}, "unknown-card"),
            ({"id": "r4"}, "malformed"),
            ({"id": "r5", "card": "9s", "cutting_card": True}, "malformed"),
            ({"id": "", "card": "9s"}, "malformed"),
        ):
            assert (await posted(device, path, **body))[1]["code"] == code, body
        assert b"the shoe has read 8s, and it was not taken: the id" in told[0]
        assert (await posted(device, "/api/tables/1/readings", id="r6", card="9s"))[0] == 403
        for stranger in (floor.nobody(), floor.nobody(authorization="Bearer nix"), greta):
            assert (await posted(stranger, path, id="r7", card="9s"))[0] == 401


def dealt(floor: Opened, by: Actor = DORA) -> list[bytes]:
    """Let a dealer take the table, as a page of the dealer's would; what the page is told besides."""
    told: list[bytes] = []
    console = SimpleNamespace(staff=by, session="", watching=set(), tell=told.append)
    floor.hall.tables["3"].take(console)  # type: ignore[arg-type]
    return told
