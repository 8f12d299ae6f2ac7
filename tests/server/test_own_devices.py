"""One person is never two: whose account is in the hands of another stands with nobody for what takes two people."""

from pathlib import Path
from typing import Any, Final

import httpx
import pyotp
import pytest
from tests.server.house import Message, Page
from tests.server.identity.lobby import MANAGER, OTHER_PASSWORD, PASSWORD, Lobby, _cheap_hashes, lobby
from tests.server.identity.test_moving import PROPOSED, SEVEN, TABLE, enrolled, fill, told
from tests.server.test_attendance import Street, ended, street
from tests.server.test_insiders import comes, corrects, is_clean, refused, registered
from tests.server.waiting import waits

from punto.errors import NotIndependent, NotOnOwnDevice, PuntoError
from punto.floor.warrants import Warrant
from punto.rules import Position
from punto.rules.money import Cents
from punto.server import attendance
from punto.server.config import SecondFactor
from punto.server.identity import Ending, FirstAccount, Session
from punto.server.identity.identity import Besides
from punto.server.identity.wayback import make_way_back
from punto.table import commands as do

__all__ = ["_cheap_hashes"]

# A floor of one's own, which is young.
REAL: Final[dict[str, Any]] = {"demonstration": False, "independence_hours": 72}
HOUR: Final = 60


def code_of(there: Lobby, secret: str) -> Besides:
    return Besides(pyotp.TOTP(secret).at(there.clock.at_ms // 1000))


async def opened(there: Lobby, name: str, position: Position, by: str = MANAGER) -> None:
    await there.identity.accounts.open(await there.session(by), name, position, OTHER_PASSWORD)


async def enrols(there: Lobby, name: str, browser: str, password: str = OTHER_PASSWORD) -> str:
    """Somebody comes in with a browser, changes the password there and adds one-time codes: their secret."""
    return await adds_codes(there, await comes_in(there, name, browser, password))


async def comes_in(there: Lobby, name: str, browser: str, password: str = OTHER_PASSWORD) -> Session:
    """The session of somebody who has changed the password."""
    session = (await there.identity.sign_in(name, password, name, besides=Besides(browser=browser))).session
    await there.identity.change_password(session, password, PASSWORD)
    return session


async def adds_codes(there: Lobby, session: Session) -> str:
    secret = there.identity.factors.offer(session).secret
    await there.identity.factors.set_codes(session, secret, code_of(there, secret).code)
    there.clock.go(1)
    return secret


async def arrives(there: Street, name: str, secret: str) -> Page:
    """The page of somebody who has one-time codes."""
    there.clock.go(1)
    _, token = await there.identity.sign_in(name, PASSWORD, f"{name} at work", besides=code_of(there, secret))
    page = await there.page(staff=token)
    await page.send(t="watch", table="1", role="staff")
    await page.until(lambda: "1" in page.staff)
    return page


async def hired(there: Street, name: str, position: Position, browser: str, by: str = MANAGER) -> Page:
    """Somebody has been put on the staff, and has enrolled in a browser."""
    await opened(there, name, position, by)
    return await arrives(there, name, await enrols(there, name, browser))


async def confirms(proposer: Page, second: Page) -> Message:
    answer = await corrects(proposer)
    assert answer["t"] == "proposed", answer
    return await second.confirm("1", answer["digest"])


@waits
async def test_two_people_whom_two_managers_have_hired_act_together_once_each_has_enrolled_on_a_device_of_their_own(
    tmp_path: Path,
) -> None:
    async with street(tmp_path, **REAL, first=(FirstAccount("gus", PASSWORD),)) as there:
        sue = await hired(there, "sue", Position.PIT_SUPERVISOR, "sue's phone")
        await opened(there, "pam", Position.PIT_MANAGER, by="gus")
        session = await comes_in(there, "pam", "pam's phone")
        await registered(there)
        pam = await comes(there, "pam")
        answer = await corrects(sue)
        assert answer["t"] == "proposed", answer
        await pam.until(lambda: pam.staff["1"]["proposals"])
        [shown] = pam.staff["1"]["proposals"]
        assert (shown["not_by"], shown["enrolling"]) == ([MANAGER], ["pam"])
        told = await pam.confirm("1", answer["digest"])
        assert refused(told) == "not-on-own-device"
        assert (
            "pam has not enrolled on a device of their own, so nothing was done. pam must sign in with another"
            in told["message"]
        )
        pam = await arrives(there, "pam", await adds_codes(there, session))
        assert (await pam.confirm("1", answer["digest"]))["t"] == "accepted"
        # Greta, who has opened the account, does not stand with it.
        assert refused(await confirms(sue, await comes(there, MANAGER))) == "not-independent"
        await is_clean(there)


@waits
async def test_one_manager_is_no_two_people_on_a_young_floor_however_many_accounts_and_browsers_there_are(
    tmp_path: Path,
) -> None:
    async with street(tmp_path, **REAL) as there:
        await registered(there)
        secrets = {}
        for name, position in (("sue", Position.PIT_SUPERVISOR), ("pam", Position.PIT_MANAGER)):
            await opened(there, name, position)
            secrets[name] = await enrols(there, name, f"a private window for {name}")
        assert there.identity.house.not_on_own_device() == ()
        sue, pam = await arrives(there, "sue", secrets["sue"]), await arrives(there, "pam", secrets["pam"])
        assert refused(await confirms(sue, pam)) == "not-independent"
        # Once the time is over, nobody asks any more who has opened the accounts.
        there.clock.go(80 * HOUR)
        await there.identity.sweep()
        sue, pam = await arrives(there, "sue", secrets["sue"]), await arrives(there, "pam", secrets["pam"])
        assert (await confirms(sue, pam))["t"] == "accepted"
        await is_clean(there)


@waits
async def test_a_manager_stands_behind_no_act_with_a_puppet_in_the_managers_own_browser_however_old_it_is(
    tmp_path: Path,
) -> None:
    async with street(tmp_path, **REAL) as there:
        await there.identity.sign_in(MANAGER, PASSWORD, besides=Besides(browser="greta's desk"))
        await opened(there, "puppet", Position.GAMING_SHIFT_MANAGER)
        secret = await enrols(there, "puppet", "greta's desk")
        puppet = await arrives(there, "puppet", secret)
        await registered(there)
        told = await corrects(puppet)
        assert refused(told) == "not-on-own-device"
        # Long after, nobody asks any more who has opened the account; in whose browser it was taken over, they do.
        there.clock.go(80 * HOUR)
        await there.identity.sweep()
        session = (await there.identity.sign_in("puppet", PASSWORD, "x", besides=code_of(there, secret))).session
        secret = await adds_codes(there, session)
        answer = await corrects(await comes(there, MANAGER))
        puppet = await arrives(there, "puppet", secret)
        assert refused(await puppet.confirm("1", answer["digest"])) == "not-on-own-device"
        assert refused(await corrects(puppet)) == "not-on-own-device"
        # Nor is the gate asked in vain, whoever does not ask any page.
        await gate_refuses(there, MANAGER, "puppet", secret)
        await is_clean(there)


async def gate_refuses(
    there: Street, first: str, second: str, secret: str, error: type[PuntoError] = NotOnOwnDevice
) -> None:
    there.clock.go(1)
    one = (await there.identity.sign_in(first, PASSWORD)).session
    other = (await there.identity.sign_in(second, PASSWORD, "x", besides=code_of(there, secret))).session
    by, approved_by = there.identity.acts_as(one), there.identity.acts_as(other)
    assert by
    assert approved_by
    command = do.CorrectCredits(
        id="c1",
        table="1",
        by=by,
        at_ms=there.clock(),
        patron="ann",
        cents=Cents(1),
        reason="x",
        approved_by=approved_by,
    )
    with pytest.raises(error):
        await there.server.hall.writer.give(command, Warrant(one.id, other.id))


@waits
async def test_a_puppets_puppet_is_the_first_managers_too_and_two_puppets_share_no_browser(tmp_path: Path) -> None:
    async with street(tmp_path, **REAL) as there:
        await there.identity.sign_in(MANAGER, PASSWORD, besides=Besides(browser="greta's desk"))
        await registered(there)
        await opened(there, "puppet", Position.GAMING_SHIFT_MANAGER)
        session = await comes_in(there, "puppet", "a private window")
        await there.identity.accounts.open(session, "string", Position.PIT_MANAGER, OTHER_PASSWORD)
        await adds_codes(there, session)
        string = await arrives(there, "string", await enrols(there, "string", "greta's desk"))
        assert refused(await corrects(string)) == "not-on-own-device"
        twin = await hired(there, "twin", Position.PIT_MANAGER, "a private window")
        assert refused(await corrects(twin)) == "not-on-own-device"
        assert there.identity.house.not_on_own_device() == ("string", "twin")
        await is_clean(there)


@waits
async def test_whoever_gets_a_password_from_another_has_to_enrol_again_and_who_changes_it_anywhere_else_has_not(
    tmp_path: Path,
) -> None:
    async with street(tmp_path, **REAL) as there:
        await opened(there, "sue", Position.PIT_SUPERVISOR)
        await enrols(there, "sue", "sue's phone")
        people = there.server.identity.house
        assert people.not_on_own_device() == ()
        # At a desk at which Greta signs in, Sue may change her password all the same: nobody else knows it.
        await there.identity.sign_in(MANAGER, PASSWORD, besides=Besides(browser="a desk"))
        await there.identity.accounts.reset_factors(await there.session(), "sue")
        session = (await there.identity.sign_in("sue", PASSWORD, besides=Besides(browser="sue's phone"))).session
        assert people.not_on_own_device() == ("sue",)
        await adds_codes(there, session)
        assert people.not_on_own_device() == ()
        await there.identity.change_password(session, PASSWORD, OTHER_PASSWORD)
        assert people.not_on_own_device() == ()
        await there.identity.accounts.set_password(await there.session(), "sue", PASSWORD)
        assert people.not_on_own_device() == ("sue",)


@pytest.mark.parametrize("by", ["the IT desk", MANAGER])
@waits
async def test_whoever_came_back_by_a_code_from_the_machine_stands_with_nobody_for_a_while(
    tmp_path: Path, by: str
) -> None:
    async with street(tmp_path, **REAL, first=(FirstAccount("gus", PASSWORD),)) as there:
        await registered(there)
        await opened(there, "pam", Position.PIT_MANAGER)
        await enrols(there, "pam", "pam's phone")
        there.clock.go(100 * HOUR)
        await there.identity.sweep()
        writer = there.server.hall.writer
        made = await writer.call(make_way_back, writer.floor, "pam", by, "lost the phone", there.clock())
        session, _ = await there.identity.come_back("pam", made.code, PASSWORD, browser="another phone")
        secret = await adds_codes(there, session)
        assert there.identity.house.have_come_back(there.clock()) == ("pam",)
        pam, gus = await arrives(there, "pam", secret), await comes(there, "gus")
        told = await corrects(pam)
        assert refused(told) == "not-independent"
        assert "pam has come back with a code that was made on the machine" in told["message"]
        answer = await corrects(gus)
        await pam.until(lambda: pam.staff["1"]["proposals"])
        [shown] = pam.staff["1"]["proposals"]
        assert shown["came_back"] == ["pam"]
        assert refused(await pam.confirm("1", answer["digest"])) == "not-independent"
        await gate_refuses(there, "gus", "pam", secret, NotIndependent)
        there.clock.go(73 * HOUR)
        await there.identity.sweep()
        assert there.identity.house.have_come_back(there.clock()) == ()
        pam, gus = await arrives(there, "pam", secret), await comes(there, "gus")
        assert (await confirms(gus, pam))["t"] == "accepted"
        await is_clean(there)


@waits
async def test_a_terminal_with_credits_is_given_away_by_nobody_who_has_yet_to_enrol_on_a_device_of_their_own(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path, TABLE, **REAL, first=(FirstAccount("gus", PASSWORD),)) as there:
        greta = await there.signed_in()
        await there.identity.sign_in(MANAGER, PASSWORD, besides=Besides(browser="greta's desk"))
        await enrolled(there, greta)
        await fill(there)
        await opened(there, "puppet", Position.PIT_SUPERVISOR)
        secret = await enrols(there, "puppet", "greta's desk")
        puppet, gus = there.browser(), await there.signed_in("gus")
        there.clock.go(1)
        body = {"name": "puppet", "password": PASSWORD, "code": code_of(there, secret).code}
        assert (await puppet.post("/api/sign-in", json=body)).status_code == 200
        assert told(await puppet.post("/api/terminals", json=SEVEN)) == (403, "not-on-own-device")
        digest = (await gus.post("/api/terminals", json=SEVEN)).json()["waits"]
        [shown] = (await puppet.get(PROPOSED)).json()
        assert (shown["by"], shown["enrolling"]) == ("gus", ["puppet"])
        assert told(await puppet.post(f"{PROPOSED}/{digest}")) == (403, "not-on-own-device")
        assert (await greta.post(f"{PROPOSED}/{digest}")).json()["code"]


@waits
async def test_two_managers_of_the_machine_stand_together_at_once(tmp_path: Path) -> None:
    async with street(tmp_path, **REAL, first=(FirstAccount("gus", PASSWORD),)) as there:
        await registered(there)
        answer = await confirms(await comes(there, MANAGER), await comes(there, "gus"))
        assert answer["t"] == "accepted", answer
        assert there.kinds("staff").count("AccountOpened") == 2
        await is_clean(there)


@waits
async def test_a_browser_keeps_its_token_from_the_first_sign_in_on_and_the_floor_says_what_is_to_be_done(
    tmp_path: Path,
) -> None:
    async with street(tmp_path, **REAL, second_factor=SecondFactor.REQUIRED) as there:
        await opened_by_hand(there)
        pam = there.browser()
        me = await signs_in(pam, "pam", OTHER_PASSWORD)
        assert (me["must_change"], me["own_device"]) == (True, False)
        token = pam.cookies["punto_browser"]
        change = {"old": OTHER_PASSWORD, "new": PASSWORD}
        assert (await pam.post("/api/password", json=change)).status_code == 204
        assert (await pam.post("/api/sign-out")).status_code == 204
        await signs_in(pam, "pam", PASSWORD)
        assert pam.cookies["punto_browser"] == token
        secret = (await pam.post("/api/factors/codes/secret")).json()["secret"]
        body = {"secret": secret, "code": code_of(there, secret).code}
        assert (await pam.put("/api/factors/codes", json=body)).status_code == 204
        me = (await pam.get("/api/me")).json()
        assert (me["must_enrol"], me["own_device"], me["position"]) == (False, True, "pit-manager")


@waits
async def test_pages_in_which_somebody_has_signed_in_are_told_when_passkeys_or_codes_change(tmp_path: Path) -> None:
    async with street(tmp_path, **REAL) as there:
        _, token = await there.identity.sign_in(MANAGER, PASSWORD)
        page = await there.page(staff=token)
        await adds_codes(there, await there.session())
        assert await ended(page) == "factors-changed"
        assert set(attendance._SAID) == set(Ending)  # noqa: SLF001


async def opened_by_hand(there: Street) -> None:
    greta = (await there.identity.sign_in(MANAGER, PASSWORD)).session
    await adds_codes(there, greta)
    await there.identity.accounts.open(greta, "pam", Position.PIT_MANAGER, OTHER_PASSWORD)


async def signs_in(browser: httpx.AsyncClient, name: str, password: str) -> Message:
    answer = await browser.post("/api/sign-in", json={"name": name, "password": password})
    assert answer.status_code == 200, answer.text
    told: Message = answer.json()
    return told
