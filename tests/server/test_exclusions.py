"""House exclusion, on a real server: who is excluded plays no more, and is paid."""

import asyncio
from pathlib import Path
from typing import Any, Final

import pytest
from tests.server.house import Page, setup
from tests.server.identity.lobby import _cheap_hashes
from tests.server.test_attendance import Street, street
from tests.server.test_insiders import balance, dealing, is_clean, refused, registered
from tests.server.waiting import waits

from punto.errors import Malformed
from punto.record.significant import last_events
from punto.rules import Position
from punto.server.config import TableConfig
from punto.server.identity import events as on

__all__ = ["_cheap_hashes"]

DEALT: Final = TableConfig(key="2", setup=setup("baccarat", bets_ms=60_000, source="device"), automatic=False)
LIST: Final = """
[[excluded]]
patron = "patron-17"
from = 2025-12-01
reason = "asked for it"
"""
DAY_MS: Final = 86_400_000


async def guest(there: Street) -> tuple[str, Page]:
    """A patron with a page, who sits at table 1."""
    token = await there.identity.enrol_guest()
    page = await there.page(terminal=token)
    await page.sit("1", 100_000)
    return there.identity.named(token), page


async def excludes(there: Street, patron: str, **more: Any) -> None:  # noqa: ANN401
    browser = await there.signed_in()
    answer = await browser.post("/api/exclusions", json={"patron": patron, "reason": "he was rude", **more})
    assert answer.status_code == 200, answer.text


async def lifts(there: Street, patron: str) -> None:
    browser = await there.signed_in()
    answer = await browser.post(f"/api/exclusions/{patron}/lift", json={"reason": "a mistake"})
    assert answer.status_code == 204, answer.text


@waits
async def test_whoever_is_excluded_between_rounds_gives_up_the_seat_at_once_and_is_paid(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        name, page = await guest(there)
        hosted = there.server.hall.tables["1"]
        assert not page.purse["closed"]
        await excludes(there, name)
        await page.until(lambda: page.purse["closed"])
        assert hosted.seats == {}
        await page.send(t="sit", table="1")
        await page.until(lambda: any(each.get("code") == "closed-to-play" for each in page.told))
        [said] = {each["message"] for each in page.told if each.get("code") == "closed-to-play"}
        assert said == "This terminal is closed to play. Please speak to the staff."
        assert refused(await page.ask("buy", table="1", cents=500)) == "not-seated"
        ticket = await page.ask("collect", table="1")
        assert (ticket["t"], ticket["cents"]) == ("ticket", 100_000)
        # A page that is loaded anew is told the same; why, no page of a patron is ever told.
        assert not any("rude" in frame for frame in page.frames)
        # The ticket is good for nothing at a terminal, and for cash at the desk.
        redeemed = await page.ask("redeem", table="1", code=ticket["code"])
        assert refused(redeemed) == "not-seated"
        staff = await there.signed_in()
        paid = await staff.post(
            "/api/desk/ticket", json={"table": "1", "patron": name, "position": 1, "code": ticket["code"], "id": "t1"}
        )
        assert (paid.status_code, paid.json()["credits_cents"], paid.json()["waits"]) == (200, 0, "")
        assert balance(there, name) == 0
        again = await staff.post(
            "/api/desk/ticket", json={"table": "1", "patron": name, "position": 1, "code": ticket["code"], "id": "t1"}
        )
        assert again.json()["version"] == paid.json()["version"]
        twice = await staff.post(
            "/api/desk/ticket", json={"table": "1", "patron": name, "position": 1, "code": ticket["code"], "id": "t2"}
        )
        assert twice.json()["code"] == "bad-ticket"
        await lifts(there, name)
        await page.until(lambda: not page.purse["closed"])
        await page.sit("1", 500)
        await is_clean(there)


@waits
async def test_stakes_that_were_accepted_are_played_and_paid_and_the_seat_goes_after_the_round(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        await there.hired("dan", Position.DEALER)
        name, page = await guest(there)
        dan = await dealing(there)
        for act in ("load-shoe", "open-bets"):
            assert (await dan.act("1", act))["t"] == "accepted"
        for wager in ("Player", "Banker"):
            assert (await page.stake("1", wager, 5_000))["t"] == "accepted"
        await excludes(there, name)
        await page.until(lambda: page.purse["closed"])
        assert refused(await page.stake("1", "Player", 6_000)) == "closed-to-play"
        assert refused(await page.stake("1", "Tie", 500)) == "closed-to-play"
        assert (await page.stake("1", "Banker", 0))["t"] == "accepted"
        assert refused(await page.ask("buy", table="1", cents=500)) == "closed-to-play"
        hosted = there.server.hall.tables["1"]
        assert list(hosted.seats.values()) == [name]
        assert (await dan.act("1", "close-bets"))["t"] == "accepted"
        while hosted.table.phase.value not in ("settled", "closed"):
            step = {"bets-closed": "draw-card", "outcome": "settle"}.get(hosted.table.phase.value, "draw-card")
            answer = await dan.act("1", step)
            if answer["t"] == "refused":
                answer = await dan.act("1", "announce")
                assert answer["t"] == "accepted", answer
        await dan.until(lambda: not hosted.seats)
        assert page.purse["staked_cents"] == 0
        assert balance(there, name) in (95_000, 100_000, 105_000)
        await is_clean(there)


@waits
async def test_nobody_plays_or_buys_for_a_patron_who_is_excluded_and_everybody_may_pay(tmp_path: Path) -> None:
    async with street(tmp_path, DEALT) as there:
        await there.hired("dan", Position.DEALER)
        await registered(there)
        dan = await dealing(there, table="2")
        about = {"patron": "ann", "position": 1}
        for act in ({"do": "load-shoe"}, {"do": "buy-in", **about, "cents": 9_000}, {"do": "open-bets"}):
            assert (await dan.ask("do", table="2", act=act))["t"] == "accepted", act
        await excludes(there, "ANN")
        wager = {"do": "place-wager", **about, "wager": "Player", "stake_cents": 1_000}
        for act in (wager, {"do": "buy-in", **about, "cents": 500}):
            answer = await dan.ask("do", table="2", act=act)
            assert (refused(answer), "the house has excluded 'ann'" in answer["message"]) == ("excluded-patron", True)
        browser = await there.signed_in()
        desk = {"table": "2", **about, "cents": 500}
        assert (await browser.post("/api/desk", json=desk | {"kind": "in"})).json()["code"] == "excluded-patron"
        assert (await browser.post("/api/patrons", json={"name": "Ann"})).json()["code"] == "excluded-patron"
        assert (await browser.post("/api/desk", json=desk | {"kind": "out"})).status_code == 200
        assert (await dan.ask("do", table="2", act={"do": "cash-out", **about, "cents": 8_500}))["t"] == "accepted"
        assert balance(there, "ann") == 0
        await lifts(there, "ann")
        assert (await dan.ask("do", table="2", act={"do": "buy-in", **about, "cents": 1_000}))["t"] == "accepted"
        assert (await dan.ask("do", table="2", act=wager))["t"] == "accepted"
        await is_clean(there)


@waits
async def test_a_number_that_is_on_the_list_is_given_to_no_fresh_patron(tmp_path: Path) -> None:
    file = tmp_path / "excluded.toml"
    file.write_text(LIST.replace("patron-17", "patron-1"), encoding="utf-8")
    async with street(tmp_path, exclusions=str(file)) as there:
        browser = await there.signed_in()
        names = []
        for full_name in ("Bea Lim", "Cy Ong"):
            answer = await browser.post("/api/patrons", json={"full_name": full_name})
            assert answer.status_code == 200, answer.text
            names.append(answer.json()["name"])
        assert names == ["patron-2", "patron-3"]
        assert (await browser.post("/api/patrons", json={"name": "patron-1"})).json()["code"] == "excluded-patron"
        await is_clean(there)


@waits
async def test_exclusions_end_in_time_and_only_a_higher_position_ends_them_sooner(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        await there.hired("pam", Position.PIT_MANAGER)
        await registered(there)
        pam, greta = await there.signed_in("pam"), await there.signed_in()
        at_ms = there.clock()
        body = {"patron": "ann", "reason": "rude", "until_ms": at_ms + DAY_MS}
        assert (await pam.post("/api/exclusions", json=body)).status_code == 200
        sooner = body | {"until_ms": at_ms + 1_000}
        assert (await pam.post("/api/exclusions", json=sooner)).status_code == 403
        assert (await pam.post("/api/exclusions", json=body | {"until_ms": at_ms + 2 * DAY_MS})).status_code == 200
        assert (await pam.post("/api/exclusions", json=body | {"until_ms": at_ms})).json()["code"] == "malformed"
        assert (await pam.post("/api/exclusions/ann/lift", json={"reason": "x"})).status_code == 403
        assert (await greta.post("/api/exclusions/bob/lift", json={"reason": "x"})).json()["code"] == "not-excluded"
        [listed] = (await pam.get("/api/exclusions")).json()
        told = {name: listed[name] for name in ("name", "until_ms", "reason", "on_list", "by", "over")}
        assert told == {
            "name": "ann", "until_ms": at_ms + 2 * DAY_MS, "reason": "rude", "on_list": "", "by": "pam", "over": False
        }  # fmt: skip
        assert b"rude" not in there.stored(), "the chain has a commitment, and no word about anybody"
        assert there.identity.is_excluded("ann")
        there.clock.go(48 * 60 - 1)
        assert there.identity.is_excluded("ann")
        there.clock.go(1)
        assert not there.identity.is_excluded("ann")
        await is_clean(there)


@waits
async def test_the_list_of_the_floors_file_is_taken_over_at_the_start_and_when_it_changes(tmp_path: Path) -> None:
    file = tmp_path / "excluded.toml"
    file.write_text(LIST, encoding="utf-8")
    async with street(tmp_path, name="Marina", exclusions=str(file)) as there:
        watch, house = there.server._exclusions, "house"  # noqa: SLF001
        assert there.identity.is_excluded("Patron-17")
        assert there.kinds(house).count("PatronExcluded") == 1
        greta = await there.signed_in()
        told = await greta.post("/api/exclusions/patron-17/lift", json={"reason": "x"})
        assert (told.json()["code"], "floor's file" in told.json()["message"]) == ("not-excluded", True)
        # A list with a mistake is not taken over: the one before it counts, and the pit is told.
        file.write_text(LIST + "[[excluded]]\npatron = 7\n", encoding="utf-8")
        await watch.look()
        assert there.identity.is_excluded("patron-17")
        assert watch.fault == "excluded.toml:6: excluded: this one has no from, and 2 more"
        assert [each.what for each in there.server.hall.troubles()] == ["exclusions"]
        file.write_text(LIST.replace("patron-17", "patron-18"), encoding="utf-8")
        await watch.look()
        assert (there.identity.is_excluded("patron-17"), there.identity.is_excluded("patron-18")) == (False, True)
        assert not watch.fault
        assert not there.server.hall.troubles()
        await is_clean(there)
    async with street(tmp_path, name="Marina", exclusions=str(file)) as there:
        assert there.identity.is_excluded("patron-18")
    async with street(tmp_path, name="Marina") as there:  # the file names no list any more
        assert not there.identity.is_excluded("patron-18")
        await is_clean(there)


@waits
async def test_the_floor_looks_at_the_file_by_itself_and_seats_out_whose_time_has_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("punto.server.exclusionwatch._LOOK_S", 0.02)
    file = tmp_path / "excluded.toml"
    file.write_text("", encoding="utf-8")
    async with street(tmp_path, exclusions=str(file)) as there:
        name, page = await guest(there)
        text = f'[[excluded]]\npatron = "{name}"\nfrom = 2026-01-01T09:00:00+08:00\nreason = "x"\n'
        file.write_text(text, encoding="utf-8")
        async with asyncio.timeout(5):
            while "PatronExcluded" not in there.kinds("house"):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert not page.purse["closed"]
        there.clock.at_ms += 10 * 3_600_000
        await page.until(lambda: page.purse["closed"])
        assert there.server.hall.tables["1"].seats == {}


def texts_about(there: Street, person: str) -> list[str]:
    return [each.text for each in there.server.hall.writer.floor.personal.of(person).kept]


def events_of(there: Street) -> list[str]:
    return [each.said for each in last_events(there.server.hall.writer.floor.store) if "exclu" in each.what]


@waits
async def test_what_the_list_of_a_floor_says_that_was_renamed_is_lifted_in_the_pit(tmp_path: Path) -> None:
    file = tmp_path / "excluded.toml"
    file.write_text(LIST, encoding="utf-8")
    async with street(tmp_path, name="Marina", exclusions=str(file)) as there:
        assert there.identity.is_excluded("patron-17")
    async with street(tmp_path, name="Marina Two", exclusions=str(file)) as there:
        greta = await there.signed_in()
        assert [each["on_list"] for each in (await greta.get("/api/exclusions")).json()] == ["Marina", "Marina Two"]
        file.write_text("", encoding="utf-8")
        await there.server._exclusions.look()  # noqa: SLF001
        assert events_of(there)[-1] == (
            "The list of Marina Two no longer excludes patron-17: patron-17 is still excluded by the list of Marina"
        )
        assert there.identity.is_excluded("patron-17")
        [listed] = (await greta.get("/api/exclusions")).json()
        assert (listed["on_list"], listed["in_file"]) == ("Marina", False)
        lift = {"reason": "no floor has that list any more"}
        told = await greta.post("/api/exclusions/patron-17/lift", json=lift)
        assert (told.json()["code"], "'Marina'" in told.json()["message"]) == ("not-excluded", True)
        told = await greta.post("/api/exclusions/patron-17/lift", json=lift | {"on_list": "Marina"})
        assert told.status_code == 204, told.text
        assert not there.identity.is_excluded("patron-17")
        assert events_of(there)[-1] == (
            "Staff lifted the exclusion of patron-17 by the list of Marina, which no floor keeps any more: "
            "patron-17 may play again"
        )
        await is_clean(there)


@waits
async def test_a_floor_puts_back_what_its_file_says_and_another_floors_staff_have_lifted(tmp_path: Path) -> None:
    file = tmp_path / "excluded.toml"
    file.write_text(LIST, encoding="utf-8")
    async with street(tmp_path, name="Marina", exclusions=str(file)):
        pass
    async with street(tmp_path, name="Bay") as there:
        greta = await there.signed_in()
        body = {"reason": "a mistake", "on_list": "Marina"}
        assert (await greta.post("/api/exclusions/patron-17/lift", json=body)).status_code == 204
        assert not there.identity.is_excluded("patron-17")
    async with street(tmp_path, name="Marina", exclusions=str(file)) as there:
        assert there.identity.is_excluded("patron-17")
        body = {"reason": "a mistake", "on_list": "Marina"}
        greta = await there.signed_in()
        assert (await greta.post("/api/exclusions/patron-17/lift", json=body)).json()["code"] == "not-excluded"
        await there.identity.exclusions._register.write(  # noqa: SLF001
            await there.session(), lambda _, __: [on.ExclusionLifted("patron-17", "ab" * 32, "Marina", ())]
        )
        assert not there.identity.is_excluded("patron-17")
        await there.server._exclusions.look()  # noqa: SLF001
        assert there.identity.is_excluded("patron-17")


@waits
async def test_a_refused_exclusion_leaves_nothing_behind_about_the_patron(tmp_path: Path) -> None:
    async with street(tmp_path, prove_again_s=60) as there:
        await there.hired("pam", Position.PIT_MANAGER)
        await there.hired("sue", Position.PIT_SUPERVISOR)
        pam, sue = await there.signed_in("pam"), await there.signed_in("sue")
        body = {"patron": "ann", "reason": "he was rude"}
        assert (await sue.post("/api/exclusions", json=body)).status_code == 403
        assert (await pam.post("/api/exclusions", json=body | {"until_ms": 1})).status_code == 400
        there.clock.go(5)
        assert (await pam.post("/api/exclusions", json=body)).json()["code"] == "prove-again"
        assert (await pam.post("/api/exclusions/ann/lift", json={"reason": "x"})).status_code == 403
        assert texts_about(there, "ann") == []


@waits
async def test_an_exclusion_is_not_passed_by_a_name_that_only_looks_the_same(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        greta = await there.signed_in()
        told = await greta.post("/api/exclusions", json={"patron": "Lin Wee", "reason": "x"})
        assert told.json() == {"known": False}, "it is done all the same"
        for name in ("Lin  Wee", "LIN-WEE", "linwee", "Lin.Wee", "Lin W\u0435\u0435", "\uff2cin Wee", "L\u0456n Wee"):
            answer = await greta.post("/api/patrons", json={"name": name})
            assert answer.json()["code"] == "excluded-patron", name
            assert "\n" not in answer.json()["message"]
        assert (await greta.post("/api/patrons", json={"name": "Lin Wei"})).status_code == 200
        assert (await greta.post("/api/patrons", json={"name": "Lin-Wei"})).json()["code"] == "name-taken"
        assert (await greta.post("/api/patrons", json={"name": "Lin Wei"})).status_code == 200, "once more"
        told = await greta.post("/api/exclusions", json={"patron": "LIN WEI", "reason": "x"})
        assert told.json() == {"known": True}
        await lifts(there, "Lin Wee")
        assert (await greta.post("/api/patrons", json={"name": "Lin-Wee"})).status_code == 200
        await is_clean(there)


@waits
async def test_a_fresh_patron_has_no_name_that_looks_like_an_excluded_one(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        greta = await there.signed_in()
        assert (await greta.post("/api/exclusions", json={"patron": "Patron 1", "reason": "x"})).status_code == 200
        answer = await greta.post("/api/patrons", json={"full_name": "Ann Tan"})
        assert answer.json()["name"] == "patron-2"


@waits
async def test_of_a_device_only_what_it_is_called_now_is_kept(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        greta = await there.session()
        devices = there.identity.devices
        for label in ("Bar 7", "Bar 7", "Bar 8"):
            code = (await devices.offer(greta, 7, label)).code
        assert texts_about(there, "terminal-7") == ["Bar 8"]
        await there.identity.enrol(code)
        code = (await devices.offer(greta, 7, "Bar 9")).code
        assert texts_about(there, "terminal-7") == ["Bar 8", "Bar 9"], "the device has not come yet"
        await there.identity.enrol(code)
        assert texts_about(there, "terminal-7") == ["Bar 9"]
        await devices.rename(greta, "terminal-7", "Window")
        assert texts_about(there, "terminal-7") == ["Window"]
        with pytest.raises(Malformed):
            await devices.offer(greta, 10_000, "Bar 7")
        assert texts_about(there, "terminal-10000") == []
