"""Codes that are typed in to come back or to enrol a device: wrong ones are failed sign-ins."""

from pathlib import Path

import pyotp
from structlog.testing import capture_logs
from tests.server.identity.lobby import MANAGER, OTHER_PASSWORD, Lobby, lobby
from tests.server.waiting import waits

from punto.record.journal import AnyJournalEvent, SignInsFailed
from punto.rules import Position
from punto.server.identity.wayback import WayBack, make_way_back

WRONG = "AAAA-AAAA-AAAA"


async def way_back_of(opened: Lobby, name: str) -> WayBack:
    """A way back, as `punto recover` makes one."""
    writer = opened.server.hall.writer
    return await writer.call(make_way_back, writer.floor, name, "Ann Tan", "phone lost", opened.clock())


@waits
async def test_wrong_codes_of_a_way_back_make_the_place_wait_and_the_name_as_wrong_passwords_do(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        await way_back_of(opened, MANAGER)
        wrong = {"name": MANAGER, "code": WRONG, "password": OTHER_PASSWORD}
        guesser = opened.browser("10.0.0.8")
        codes = [(await guesser.post("/api/sign-in/way-back", json=wrong)).json()["code"] for _ in range(6)]
        assert codes == ["bad-code"] * 5 + ["too-fast"]
        password = {"name": MANAGER, "password": "wrong"}
        assert (await guesser.post("/api/sign-in", json=password)).status_code == 429, "the same delay counts for both"
        # Whoever tries from place to place makes all strange places wait for that name.
        for place in range(15):
            opened.clock.go(0.1)  # so that the rate by name is not what is felt
            await opened.browser(f"10.0.1.{place}").post("/api/sign-in/way-back", json=wrong)
        strange = await opened.browser("10.0.2.1").post("/api/sign-in/way-back", json=wrong)
        assert (strange.status_code, strange.json()["code"]) == (429, "too-fast")


@waits
async def test_whoever_has_the_right_code_of_a_way_back_comes_in_at_once_whoever_guesses(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        way_back = await way_back_of(opened, MANAGER)
        wrong = {"name": MANAGER, "code": WRONG, "password": OTHER_PASSWORD}
        for place in range(30):
            await opened.browser(f"10.0.1.{place}").post("/api/sign-in/way-back", json=wrong)
        # Nor does it count who guesses at the owner's own address.
        same = opened.browser("10.0.2.1")
        for _ in range(12):
            await same.post("/api/enrol", json={"code": WRONG})
        await opened.identity.sweep()  # every half second it reads what other processes wrote
        owner = opened.browser("10.0.2.1")
        right = wrong | {"code": way_back.code}
        weak = await owner.post("/api/sign-in/way-back", json=right | {"password": "password12"})
        assert weak.json()["code"] == "bad-password"
        assert (await owner.post("/api/sign-in/way-back", json=right)).status_code == 200
        assert (await owner.post("/api/sign-in/way-back", json=right)).json()["code"] == "too-fast", "it is used up"


@waits
async def test_wrong_codes_of_an_enrolment_and_of_a_way_back_are_failed_sign_ins(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        await opened.hired("dan", Position.DEALER)
        noted: list[AnyJournalEvent] = []
        opened.identity.attempts.note = noted.append
        browser = opened.browser("10.0.0.9")
        with capture_logs() as logs:
            await browser.post("/api/enrol", json={"code": WRONG})
            body = {"name": "dan", "code": WRONG, "password": OTHER_PASSWORD}
            await browser.post("/api/sign-in/way-back", json=body)
        failed = [(each["address"], each["code"]) for each in logs if each["event"] == "a sign-in failed"]
        assert failed == [("10.0.0.9", "bad-code")] * 2
        names = [(each.name, each.reasons) for each in noted if isinstance(each, SignInsFailed)]
        assert names == [("", {"bad-code": 1}), ("dan", {"bad-code": 1})]


@waits
async def test_whoever_has_come_back_and_adds_codes_is_on_a_known_device_whoever_guesses(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        browser = opened.browser("10.0.0.9")
        way_back = await way_back_of(opened, MANAGER)
        right = {"name": MANAGER, "code": way_back.code, "password": OTHER_PASSWORD}
        assert (await browser.post("/api/sign-in/way-back", json=right)).status_code == 200
        account = opened.identity._people.account(MANAGER)  # noqa: SLF001
        assert account is not None
        assert not account.browsers, "what was known before is gone"
        session = opened.identity._people.sessions_of(MANAGER)[-1]  # noqa: SLF001
        secret = opened.identity.factors.offer(session).secret
        at_s = opened.clock.at_ms // 1000
        await opened.identity.factors.set_codes(session, secret, pyotp.TOTP(secret).at(at_s))
        assert [*account.browsers] == [session.browser]
        wrong = {"name": MANAGER, "password": "wrong", "code": WRONG}
        for place in range(21):
            opened.clock.go(0.1)
            await opened.browser(f"10.0.1.{place}").post("/api/sign-in", json=wrong)
        opened.clock.go(1)
        code = pyotp.TOTP(secret).at(opened.clock.at_ms // 1000)
        came = await browser.post("/api/sign-in", json={"name": MANAGER, "password": OTHER_PASSWORD, "code": code})
        assert came.status_code == 200, came.text
