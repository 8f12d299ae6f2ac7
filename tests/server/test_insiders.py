"""What a dishonest member of staff might try with cash, corrections and puppets, on a real server."""

from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace
from tests.server.house import Message, Page, setup
from tests.server.identity.lobby import MANAGER, OTHER_PASSWORD, PASSWORD, _cheap_hashes
from tests.server.test_attendance import Street, street
from tests.server.waiting import waits

from punto.errors import NotIndependent, NotSignedIn
from punto.floor.handler import SECURITY
from punto.floor.warrants import Warrant
from punto.record import audit
from punto.rules import Position
from punto.rules.money import Cents
from punto.server.config import TableConfig
from punto.server.orders import CashLimit
from punto.table import commands as do

__all__ = ["_cheap_hashes"]

LIMITS: Final = {
    Position.DEALER: CashLimit(Cents(10_000), Cents(25_000)),
    Position.PIT_SUPERVISOR: CashLimit(Cents(20_000), Cents(50_000)),
}
OTHER_TABLE: Final = TableConfig(key="2", setup=setup(bets_ms=60_000), automatic=False)
OF_ANN: Final = {"table": "1", "patron": "ann", "position": 1}


async def comes(there: Street, name: str) -> Page:
    """The page of a member of staff, in a session of their own, who looks on at table 1."""
    _, token = await there.identity.sign_in(name, PASSWORD)
    page = await there.page(staff=token)
    await page.send(t="watch", table="1", role="staff")
    await page.until(lambda: "1" in page.staff)
    return page


async def hired(there: Street, name: str, position: Position, by: str = MANAGER) -> None:
    """Somebody is put on the staff, and chooses a password."""
    identity = there.identity
    await identity.accounts.open(await there.session(by), name, position, OTHER_PASSWORD)
    session, _ = await identity.sign_in(name, OTHER_PASSWORD, f"{name}'s")
    await identity.change_password(session, OTHER_PASSWORD, PASSWORD)


async def dealing(there: Street, name: str = "dan", table: str = "1") -> Page:
    page = await comes(there, name)
    await page.take(table)
    return page


def balance(there: Street, patron: str) -> int:
    return there.server.hall.writer.floor.balance(f"wallet/{patron}")


def refused(answer: Message) -> str:
    assert answer["t"] == "refused", answer
    return str(answer["code"])


async def buys(page: Page, cents: int, patron: str = "ann", table: str = "1") -> Message:
    return await page.act(table, "buy-in", patron=patron, position=1, cents=cents)


async def corrects(page: Page, cents: int = 700, patron: str = "ann") -> Message:
    return await page.act("1", "correct-credits", patron=patron, cents=cents, reason="misread")


async def is_clean(there: Street) -> None:
    await there.server.hall.writer.settle_down()
    report = audit(there.server.hall.writer.floor.store)
    assert not report.total, [str(each) for each in report.findings[:3]]


async def registered(there: Street, name: str = "ann") -> None:
    await there.identity.house.register_patron(await there.session(), name)


# For whom cash moves


@waits
async def test_a_dealer_moves_no_cash_for_somebody_whom_nobody_knows(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        await there.hired("dan", Position.DEALER)
        dan = await dealing(there)
        browser = await there.signed_in("dan")
        for cents in (500, 2**53):
            assert refused(await buys(dan, cents, "ghost")) == "unknown-patron"
            answer = await dan.act("1", "cash-out", patron="ghost", position=1, cents=cents)
            assert refused(answer) == "unknown-patron"
        desk = {"table": "1", "patron": "ghost", "position": 1, "cents": 500, "kind": "in"}
        told = await browser.post("/api/desk", json=desk)
        assert (told.status_code, told.json()["code"]) == (409, "unknown-patron")
        assert balance(there, "ghost") == 0
        # Nor does a dealer make somebody known.
        told = await browser.post("/api/patrons", json={"name": "ghost"})
        assert (told.status_code, told.json()["code"]) == (403, "not-allowed")
        await is_clean(there)


@waits
async def test_cash_moves_for_a_terminal_a_guest_a_wallet_and_whoever_is_registered(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        for name, position in (("dan", Position.DEALER), ("sue", Position.PIT_SUPERVISOR)):
            await there.hired(name, position)
        dan, sue = await dealing(there), await there.signed_in("sue")
        identity = there.identity
        guest = identity.named(await identity.enrol_guest())
        offered = await identity.devices.offer(await there.session("sue"), 7, "")
        terminal = identity.named(await identity.enrol(offered.code))
        for known in (guest, terminal):
            assert (await buys(dan, 500, known))["t"] == "accepted"
        assert (await sue.post("/api/patrons", json={"name": "ann"})).status_code == 200
        assert (await buys(dan, 500))["t"] == "accepted"
        assert (await (await there.signed_in("dan")).get("/api/patrons")).json() == [{"name": "ann", "full_name": ""}]
        # A name that is written otherwise is another's, and a terminal that is withdrawn keeps its wallet.
        assert refused(await buys(dan, 500, "Ann")) == "unknown-patron"
        await identity.devices.revoke(await there.session("sue"), terminal)
        assert (await dan.act("1", "cash-out", patron=terminal, position=1, cents=500))["t"] == "accepted"
        await is_clean(there)


@waits
async def test_a_name_is_registered_once_and_no_device_and_nothing_of_the_floors_is_a_patron(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        browser = await there.signed_in()
        for name, status in (("ann", 200), ("ann", 200), ("ANN", 409), ("house", 409), ("guest-1", 409), ("a/b", 400)):
            assert (await browser.post("/api/patrons", json={"name": name})).status_code == status, name
        assert there.kinds("house").count("PatronRegistered") == 1
        assert (await there.browser().get("/api/patrons")).status_code == 401


# How much cash one person moves


@waits
async def test_more_cash_than_one_person_moves_waits_for_a_second_person(tmp_path: Path) -> None:
    async with street(tmp_path, cash_limits=LIMITS) as there:
        for name, position in (("dan", Position.DEALER), ("sue", Position.PIT_SUPERVISOR), ("eve", Position.DEALER)):
            await there.hired(name, position)
        await registered(there)
        dan, sue = await dealing(there), await comes(there, "sue")
        answer = await buys(dan, 10_001)
        assert answer["t"] == "proposed", answer
        assert balance(there, "ann") == 0
        await sue.until(lambda: sue.staff["1"]["proposals"])
        [shown] = sue.staff["1"]["proposals"]
        told = {name: shown[name] for name in ("do", "by", "patron", "cents", "takes", "not_by")}
        assert told == {
            "do": "buy-in", "by": "dan", "patron": "ann", "cents": 10_001, "takes": "pit-supervisor", "not_by": []
        }  # fmt: skip
        assert refused(await dan.confirm("1", answer["digest"])) == "needs-second"
        assert (await sue.confirm("1", answer["digest"]))["t"] == "accepted"
        assert balance(there, "ann") == 10_001
        # One page asks again for what was confirmed: nothing is done twice.
        del dan.answers[answer["id"]]
        again = await dan.ask("do", id=answer["id"], table="1", act={
            "do": "buy-in", "patron": "ann", "position": 1, "cents": 10_001
        })  # fmt: skip
        assert (again["t"], balance(there, "ann")) == ("refused", 10_001)
        # Cash that goes out counts likewise, and the second person may turn it down.
        answer = await dan.act("1", "cash-out", patron="ann", position=1, cents=10_001)
        assert (await sue.ask("withdraw", table="1", digest=answer["digest"]))["t"] == "accepted"
        await dan.until(lambda: not dan.staff["1"]["proposals"])
        assert balance(there, "ann") == 10_001
        await is_clean(there)


@waits
async def test_cash_in_small_amounts_counts_over_a_shift_on_all_tables_and_after_signing_in_again(
    tmp_path: Path,
) -> None:
    async with street(tmp_path, OTHER_TABLE, cash_limits=LIMITS, shift_hours=2) as there:
        await there.hired("dan", Position.DEALER)
        await registered(there)
        dan = await dealing(there)
        assert (await buys(dan, 10_000))["t"] == "accepted"
        assert (await dan.act("1", "cash-out", patron="ann", position=1, cents=10_000))["t"] == "accepted"
        # 20,000 of 25,000 are moved by now, in and out together.
        await dan.take("2")
        assert (await buys(dan, 5_001, table="2"))["t"] == "proposed"
        session, _ = await there.identity.sign_in("dan", PASSWORD)
        await there.identity.sign_out(session)
        browser = await there.signed_in("dan")
        answer = await browser.post("/api/desk", json=OF_ANN | {"table": "2", "cents": 5_001, "kind": "in"})
        assert (answer.status_code, bool(answer.json()["waits"])) == (200, True)
        assert (await buys(dan, 5_000, table="2"))["t"] == "accepted"
        assert (await buys(dan, 500, table="2"))["t"] == "proposed"
        # A position that somebody acts in has limits of its own; what was moved counts all the same.
        await there.identity.accounts.let_act(await there.session(), "dan", Position.PIT_SUPERVISOR, 3_600_000)
        await dan.until(lambda: dan.told[-1].get("position") == "pit-supervisor")
        assert (await buys(dan, 20_000, table="2"))["t"] == "accepted"
        assert (await buys(dan, 5_001, table="2"))["t"] == "proposed"
        there.clock.go(121)
        await there.identity.sweep()
        dan = await dealing(there)
        assert (await buys(dan, 10_000))["t"] == "accepted"
        await is_clean(there)


@waits
async def test_the_sums_are_on_record_when_the_floor_opens_again(tmp_path: Path) -> None:
    async with street(tmp_path, cash_limits=LIMITS) as there:
        await there.hired("dan", Position.DEALER)
        await registered(there)
        dan = await dealing(there)
        for _ in range(2):
            assert (await buys(dan, 10_000))["t"] == "accepted"
    async with street(tmp_path, cash_limits=LIMITS) as there:
        dan = await dealing(there)
        assert (await buys(dan, 5_001))["t"] == "proposed"
        assert (await buys(dan, 5_000))["t"] == "accepted"
        await is_clean(there)


# Two people


@waits
async def test_a_correction_is_proposed_and_approved_in_a_session_of_another_and_no_password_is_asked(
    tmp_path: Path,
) -> None:
    async with street(tmp_path) as there:
        for name, position in (
            ("dan", Position.DEALER), ("sue", Position.PIT_SUPERVISOR), ("pam", Position.PIT_MANAGER)
        ):  # fmt: skip
            await there.hired(name, position)
        await registered(there)
        sue, pam = await comes(there, "sue"), await comes(there, "pam")
        answer = await corrects(sue)
        assert answer["t"] == "proposed", answer
        # In a second session of the same person nobody is a second person.
        twin = await comes(there, "sue")
        assert refused(await twin.confirm("1", answer["digest"])) == "needs-second"
        assert (await pam.confirm("1", answer["digest"]))["t"] == "accepted"
        assert balance(there, "ann") == 700
        # The same by HTTP; what a dealer sends there tells nothing about a password.
        browser = await there.signed_in("sue")
        body: dict[str, Any] = {"table": "1", "patron": "ann", "cents": -200, "reason": "twice"}
        waiting = (await browser.post("/api/corrections", json=body | {"id": "c1"})).json()
        assert (waiting["credits_cents"], len(waiting["waits"])) == (700, 16)
        assert (await pam.confirm("1", waiting["waits"]))["t"] == "accepted"
        assert balance(there, "ann") == 500
        dealer = await there.signed_in("dan")
        for password in (PASSWORD, "wrong"):
            guess = body | {"approver": "pam", "approver_password": password}
            told = await dealer.post("/api/corrections", json=guess)
            assert (told.status_code, told.json()["code"]) == (400, "malformed")
        assert (await dealer.post("/api/corrections", json=body)).status_code == 403
        assert (await browser.post("/api/corrections", json=body | {"patron": "ghost"})).status_code == 409
        await is_clean(there)


@waits
async def test_nobody_approves_through_an_account_that_the_same_person_has_opened_or_changed(tmp_path: Path) -> None:
    async with street(tmp_path, independence_hours=72) as there:
        await hired(there, "pam", Position.PIT_MANAGER)
        await hired(there, "sam", Position.GAMING_SHIFT_MANAGER)
        await registered(there)
        there.clock.go(80 * 60)
        await there.identity.sweep()
        # Everybody is somebody by now. Greta makes a puppet, which makes another; and she gives Sam a password.
        await hired(there, "puppet", Position.GAMING_SHIFT_MANAGER)
        await hired(there, "marionette", Position.PIT_MANAGER, by="puppet")
        greta, pam = await comes(there, MANAGER), await comes(there, "pam")
        answer = await corrects(greta, 1_000_000)
        assert answer["t"] == "proposed"
        for name in ("puppet", "marionette"):
            page = await comes(there, name)
            [shown] = page.staff["1"]["proposals"]
            assert name in shown["not_by"]
            assert refused(await page.confirm("1", answer["digest"])) == "not-independent"
        await pam.until(lambda: pam.staff["1"]["proposals"])
        assert pam.staff["1"]["proposals"][0]["not_by"] == ["marionette", "puppet"]
        assert (await pam.confirm("1", answer["digest"]))["t"] == "accepted"
        # Nor two puppets between themselves, nor the maker for what a puppet proposes.
        puppet, marionette = await comes(there, "puppet"), await comes(there, "marionette")
        answer = await corrects(puppet)
        for page in (greta, marionette):
            assert refused(await page.confirm("1", answer["digest"])) == "not-independent"
        # A password that was set by another, also once it is changed.
        await there.identity.accounts.set_password(await there.session(), "sam", OTHER_PASSWORD)
        session, _ = await there.identity.sign_in("sam", OTHER_PASSWORD)
        await there.identity.change_password(session, OTHER_PASSWORD, PASSWORD)
        answer = await corrects(greta, 1)
        sam = await comes(there, "sam")
        assert refused(await sam.confirm("1", answer["digest"])) == "not-independent"
        said = [entry.body.decode() for entry in there.server.hall.writer.floor.store.read(SECURITY)]
        assert sum("not-independent" in line for line in said) >= 4
        await is_clean(there)


@waits
async def test_accounts_are_independent_again_when_the_time_is_over_and_where_the_house_wants_none(
    tmp_path: Path,
) -> None:
    async with street(tmp_path, independence_hours=2) as there:
        await hired(there, "pam", Position.PIT_MANAGER)
        await registered(there)
        greta, pam = await comes(there, MANAGER), await comes(there, "pam")
        answer = await corrects(greta)
        assert refused(await pam.confirm("1", answer["digest"])) == "not-independent"
        there.clock.go(121)
        await there.identity.sweep()
        greta, pam = await comes(there, MANAGER), await comes(there, "pam")
        answer = await corrects(greta)
        assert (await pam.confirm("1", answer["digest"]))["t"] == "accepted"
        await is_clean(there)


@waits
async def test_the_gate_judges_two_people_who_were_not_asked_by_any_page(tmp_path: Path) -> None:
    async with street(tmp_path, independence_hours=72) as there:
        await hired(there, "pam", Position.PIT_MANAGER)
        await registered(there)
        (greta, _), (pam, _) = [await there.identity.sign_in(name, PASSWORD) for name in (MANAGER, "pam")]
        by, second = there.identity.acts_as(greta), there.identity.acts_as(pam)
        assert by
        assert second
        writer = there.server.hall.writer
        command = do.CorrectCredits(
            id="c1", table="1", by=by, at_ms=there.clock(), patron="ann", cents=Cents(1), reason="x", approved_by=second
        )
        other = replace(command, id="c2")
        with pytest.raises(NotIndependent):
            await writer.give(command, Warrant(greta.id, pam.id))
        with pytest.raises(NotSignedIn):
            await writer.give(other, Warrant(greta.id))


@waits
async def test_a_proposal_goes_with_the_session_in_which_it_was_made(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        for name, position in (("sue", Position.PIT_SUPERVISOR), ("pam", Position.PIT_MANAGER)):
            await there.hired(name, position)
        await registered(there)
        pam, browser = await comes(there, "pam"), await there.signed_in("sue")
        body: dict[str, Any] = {"table": "1", "patron": "ann", "cents": -200, "reason": "twice"}
        waiting = (await browser.post("/api/corrections", json=body)).json()["waits"]
        assert (await browser.post("/api/sign-out")).status_code in {200, 204}
        assert refused(await pam.confirm("1", waiting)) == "nothing-pending"


# Who refers does not rule


@waits
async def test_nobody_decides_a_matter_that_the_same_person_has_referred(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        await there.hired("gus", Position.GAMING_SHIFT_MANAGER)
        await there.hired("dan", Position.DEALER)
        dan = await dealing(there)
        for act in ("load-shoe", "open-bets"):
            assert (await dan.act("1", act))["t"] == "accepted"
        greta, gus = await comes(there, MANAGER), await comes(there, "gus")
        assert (await greta.act("1", "refer", matter="a patron complains"))["t"] == "accepted"
        ruling = {"ruling": "continue", "reason": "nothing is wrong"}
        assert refused(await greta.act("1", "rule", **ruling)) == "not-allowed"
        twin = await comes(there, MANAGER)
        assert refused(await twin.act("1", "rule", **ruling)) == "not-allowed"
        assert (await gus.act("1", "rule", **ruling))["t"] == "accepted"
        # Nor in another position than that in which it was referred.
        assert (await dan.act("1", "refer", matter="once more"))["t"] == "accepted"
        await there.identity.accounts.move(await there.session(), "dan", Position.GAMING_SHIFT_MANAGER)
        await dan.until(lambda: dan.told[-1].get("position") == "gaming-shift-manager")
        assert refused(await dan.act("1", "rule", **ruling)) == "not-allowed"
        assert (await greta.act("1", "rule", **ruling))["t"] == "accepted"
        await is_clean(there)


# Tickets at the desk


async def ticket(there: Street, cents: int) -> str:
    """The code of a ticket that a guest has made."""
    page = await there.page(terminal=await there.identity.enrol_guest())
    await page.sit("1", 0)
    assert (await page.ask("buy", table="1", cents=cents))["t"] == "accepted"
    answer = await page.ask("collect", table="1")
    return str(answer["code"])


@waits
async def test_a_ticket_is_paid_and_counted_whatever_the_desk_asked_under_that_id_before(tmp_path: Path) -> None:
    async with street(tmp_path, cash_limits=LIMITS) as there:
        await there.hired("sue", Position.PIT_SUPERVISOR)
        await registered(there)
        sue, floor = await there.signed_in("sue"), there.server.hall.writer.floor
        for kind, id_ in (("in", "k0"), ("out", "k1")):
            answer = await sue.post("/api/desk", json=OF_ANN | {"cents": 5_000, "kind": kind, "id": id_})
            assert answer.status_code == 200
        assert floor.cash_since("sue", 0) == 10_000
        first, second = await ticket(there, 5_000), await ticket(there, 5_000)
        version = 0
        for code, id_ in ((first, "k1"), (first, "k1"), (second, "k1")):
            paid = await sue.post("/api/desk/ticket", json=OF_ANN | {"code": code, "id": id_})
            assert (paid.status_code, paid.json()["credits_cents"]) == (200, 0), paid.text
            assert (paid.json()["version"] == version) == (version > 0 and code == first), "a ticket is paid once"
            version = paid.json()["version"]
        assert floor.cash_since("sue", 0) == 20_000
        await is_clean(there)


@waits
async def test_no_id_that_a_page_chooses_is_one_of_the_floors(tmp_path: Path) -> None:
    async with street(tmp_path, cash_limits=LIMITS) as there:
        await there.hired("dan", Position.DEALER)
        await there.hired("sue", Position.PIT_SUPERVISOR)
        await registered(there)
        dan, sue = await dealing(there), await there.signed_in("sue")
        # Redeemed tickets and imported hands are no cash: under their ids, no buy-in would count.
        for id_ in ("import-1-5-1", "redeem-1", "desk-ticket-1"):
            for cents in (500, 20_000):  # the second would wait for a second person
                act = {"do": "buy-in", "patron": "ann", "position": 1, "cents": cents}
                answer = await dan.ask("do", table="1", id=id_, act=act)
                assert refused(answer) == "malformed"
                assert "the floor's own" in answer["message"]
        for path, more in (("/api/desk", {"kind": "in", "position": 1}), ("/api/corrections", {"reason": "misread"})):
            asked = {"table": "1", "patron": "ann", "cents": 500, "id": f"ticket-{'a' * 57}"} | more
            told = await sue.post(path, json=asked)
            assert (told.status_code, told.json()["code"]) == (400, "malformed")
        assert balance(there, "ann") == 0


@waits
async def test_a_correction_that_waits_when_its_table_closes_is_confirmed_once_it_is_open_again(tmp_path: Path) -> None:
    async with street(tmp_path) as there:
        for name, position in (("sue", Position.PIT_SUPERVISOR), ("pam", Position.PIT_MANAGER)):
            await there.hired(name, position)
        await registered(there)
        sue, pam = await comes(there, "sue"), await comes(there, "pam")
        answer = await corrects(sue)
        assert (await pam.act("1", "close-table"))["t"] == "accepted"
        assert refused(await pam.confirm("1", answer["digest"])) == "out-of-turn"
        assert refused(await pam.ask("withdraw", table="1", digest=answer["digest"])) == "out-of-turn"
        assert balance(there, "ann") == 0
        opened = await pam.act("1", "open-table", setup=pam.staff["1"]["file"])
        assert opened["t"] == "accepted"
        assert (await pam.confirm("1", answer["digest"]))["t"] == "accepted"
        assert balance(there, "ann") == 700
        await is_clean(there)
