"""Second factors: passkeys and one-time codes, from being added to being lost; and proving again who one is."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pyotp
import pytest
from msgspec.structs import replace
from tests.server.identity.authenticator import PAGE, Authenticator
from tests.server.identity.lobby import MANAGER, OTHER_PASSWORD, PASSWORD, Lobby, lobby
from tests.server.waiting import waits

from punto.errors import Malformed, NotSignedIn, ProveAgain, SecondNeeded, TooFast, WrongPassword, WrongProof
from punto.record import audit
from punto.record.journal import SignInsFailed
from punto.rules import Position
from punto.server.config import SecondFactor
from punto.server.identity import Session
from punto.server.identity.identity import Besides
from punto.server.identity.passkeys import Made, Signed

REQUIRED: dict[str, Any] = {"second_factor": SecondFactor.REQUIRED, "prove_again_s": 600}


def told(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"] if answer.content else ""


def code_of(opened: Lobby, secret: str, steps: int = 0) -> str:
    return pyotp.TOTP(secret).at(opened.clock.at_ms // 1000 + 30 * steps)


async def with_codes(opened: Lobby, session: Session) -> str:
    """The secret of the app that somebody adds."""
    secret = opened.identity.factors.offer(session).secret
    await opened.identity.factors.set_codes(session, secret, code_of(opened, secret))
    return secret


async def with_passkey(opened: Lobby, session: Session, device: Authenticator | None = None) -> Authenticator:
    device = device or Authenticator()
    asked = opened.identity.factors.asked(session)
    await opened.identity.factors.add_passkey(session, Made(**device.made(asked.challenge)), "phone", device.page)
    return device


async def signed_in_with(opened: Lobby, device: Authenticator, challenge: str = "") -> Session:
    signed = Signed(**device.signed(challenge or opened.identity.factors.challenge()))
    return (await opened.identity.sign_in_with(signed, device.page)).session


def clean(opened: Lobby) -> bool:
    report = audit(opened.server.hall.writer.floor.store)
    assert not report.total, report.findings[0]
    return True


@waits
async def test_where_a_second_factor_is_required_a_password_alone_carries_no_position(tmp_path: Path) -> None:
    async with lobby(tmp_path, **REQUIRED) as opened:
        browser = opened.browser(origin=PAGE, host="localhost:8421")
        right = {"name": MANAGER, "password": PASSWORD}
        me = (await browser.post("/api/sign-in", json=right)).json()
        assert (me["staff"], me["position"], me["must_enrol"]) == (MANAGER, "", True)
        assert told(await browser.get("/api/staff")) == (401, "not-signed-in")
        offered = (await browser.post("/api/factors/codes/secret")).json()
        assert offered["address"].startswith("otpauth://totp/")
        given = {"secret": offered["secret"], "code": code_of(opened, offered["secret"])}
        assert (await browser.put("/api/factors/codes", json=given)).status_code == 204
        me = (await browser.get("/api/me")).json()
        assert (me["position"], me["must_enrol"], me["second"]) == ("gaming-shift-manager", False, True)
        assert (await browser.get("/api/staff")).status_code == 200
        assert told(await browser.delete("/api/factors/codes")) == (409, "refused")
        assert clean(opened)


@waits
async def test_a_passkey_signs_for_pages_of_the_floor_and_not_for_those_of_a_sibling_that_names_itself(
    tmp_path: Path,
) -> None:
    behind: dict[str, Any] = {"behind_proxy": True, "origins": ("https://floor.example",)}
    async with lobby(tmp_path, **behind) as opened:
        device = Authenticator(host="floor.example", page="https://floor.example")
        await with_passkey(opened, await opened.session(), device)
        answers = []
        for host in ("wiki.floor.example", "floor.example"):
            device.page = f"https://{host}"  # browsers let a sibling ask for passkeys of the host above it
            browser = opened.browser(origin=device.page, host=host)
            signed = device.signed(opened.identity.factors.challenge())
            answers.append((await browser.post("/api/sign-in/passkey", json=signed)).status_code)
            signed = device.signed(opened.identity.factors.challenge())
            program = opened.browser(origin=device.page, host=host, authorization="Bearer x")
            answers.append((await program.post("/api/sign-in/passkey", json=signed)).status_code)
        assert answers == [403, 403, 200, 200]


@waits
async def test_a_floor_goes_by_what_another_on_the_same_store_asks_for(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        greta = await opened.session()
        mild = opened.identity.house.orders
        assert mild
        assert (mild.second_factor, mild.prove_again_ms) == (False, 43_200_000)
        await opened.identity.house.order(replace(mild, second_factor=True, prove_again_ms=60_000))
        assert opened.identity.acts_as(greta) is None
        await with_codes(opened, greta)
        assert opened.identity.acts_as(greta) is not None
        assert greta.proved_until_ms == opened.clock() + 60_000
        assert clean(opened)


@waits
async def test_somebody_new_changes_the_password_before_a_passkey_is_added(tmp_path: Path) -> None:
    async with lobby(tmp_path, **REQUIRED) as opened:
        greta = await opened.session()
        await with_codes(opened, greta)
        await opened.identity.accounts.open(greta, "dan", Position.DEALER, OTHER_PASSWORD)
        dan = await opened.session("dan", OTHER_PASSWORD)
        with pytest.raises(NotSignedIn, match="change your password first"):
            await with_passkey(opened, dan)
        await opened.identity.change_password(dan, OTHER_PASSWORD, PASSWORD)
        assert opened.identity.acts_as(dan) is None
        await with_passkey(opened, dan)
        assert opened.identity.acts_as(dan) is not None
        assert clean(opened)


@waits
async def test_a_one_time_code_is_needed_besides_the_password_and_is_good_once(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        secret = await with_codes(opened, await opened.session())
        opened.clock.go(1)
        with pytest.raises(SecondNeeded):
            await opened.session()
        code = Besides(code_of(opened, secret))
        await opened.identity.sign_in(MANAGER, PASSWORD, besides=code)
        with pytest.raises(WrongProof, match="used before"):
            await opened.identity.sign_in(MANAGER, PASSWORD, besides=code)
        opened.clock.go(0.5)
        code = Besides(code_of(opened, secret))
        both = [opened.identity.sign_in(MANAGER, PASSWORD, besides=code) for _ in range(2)]
        met = [type(each) for each in await asyncio.gather(*both, return_exceptions=True)]
        assert met.count(WrongProof) == 1
        assert clean(opened)


@waits
async def test_a_secret_of_ones_own_choice_is_refused_and_so_is_an_old_one(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        factors, here, elsewhere = opened.identity.factors, await opened.session(), await opened.session()
        first, second = factors.offer(here).secret, factors.offer(here).secret
        others = factors.offer(elsewhere).secret
        for secret in ("A" * 32, first, others, "", "\udc80é"):
            with pytest.raises(Malformed, match="not the secret that this page was given last"):
                await factors.set_codes(here, secret, code_of(opened, secret if secret in (first, others) else second))
        opened.clock.go(10)
        with pytest.raises(Malformed, match="too old"):
            await factors.set_codes(here, second, code_of(opened, second))
        fresh = factors.offer(here).secret
        await factors.set_codes(here, fresh, code_of(opened, fresh))
        opened.clock.go(1)
        with pytest.raises(Malformed, match="ask for another"):  # it is set once
            await factors.set_codes(here, fresh, code_of(opened, fresh))
        assert clean(opened)


@waits
async def test_a_code_that_was_used_stays_used_when_the_floor_starts_again(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        secret = await with_codes(opened, await opened.session())
        at_ms, used = opened.clock.at_ms, Besides(code_of(opened, secret))
    async with lobby(tmp_path) as opened:
        opened.clock.at_ms = at_ms
        with pytest.raises(WrongProof):
            await opened.identity.sign_in(MANAGER, PASSWORD, besides=used)
        assert secret.encode() not in opened.stored()


@waits
async def test_codes_are_guessed_no_faster_than_passwords(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        secret = await with_codes(opened, await opened.session())
        opened.clock.go(1)
        right = code_of(opened, secret)
        wrong = Besides("000000" if right != "000000" else "111111")
        for _ in range(5):
            with pytest.raises(WrongProof):
                await opened.identity.sign_in(MANAGER, PASSWORD, "10.0.0.1", besides=wrong)
        with pytest.raises(TooFast):
            await opened.identity.sign_in(MANAGER, PASSWORD, "10.0.0.1", besides=Besides(right))


@waits
async def test_a_passkey_lets_in_without_name_and_password(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        device = await with_passkey(opened, await opened.session())
        session = await signed_in_with(opened, device)
        assert (session.name, opened.identity.acts_as(session) is not None) == (MANAGER, True)
        with pytest.raises(SecondNeeded):
            await opened.session()
        assert clean(opened)


@waits
async def test_a_challenge_is_answered_once_in_time_and_for_what_it_was_made(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        greta = await opened.session()
        device, factors = await with_passkey(opened, greta), opened.identity.factors
        challenge = factors.challenge()
        await signed_in_with(opened, device, challenge)
        for bad in (challenge, factors.challenge_of(greta), factors.asked(greta).challenge, "x" * 54, "A"):
            with pytest.raises(WrongProof):
                await signed_in_with(opened, device, bad)
        late = factors.challenge()
        opened.clock.go(6)
        with pytest.raises(WrongProof):
            await signed_in_with(opened, device, late)


@waits
async def test_a_passkey_of_another_page_without_a_finger_or_copied_lets_nobody_in(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        greta = await opened.session()
        device = await with_passkey(opened, greta)
        await signed_in_with(opened, device)
        device.count = 0  # a copy, which has signed less often
        with pytest.raises(WrongProof):
            await signed_in_with(opened, device)
        device.count, device.page = 9, "http://evil.example"
        signed = Signed(**device.signed(opened.identity.factors.challenge()))
        with pytest.raises(WrongProof):
            await opened.identity.sign_in_with(signed, PAGE)
        for careless in (Authenticator(verified=False), Authenticator(host="evil.example")):
            with pytest.raises(WrongProof):
                await with_passkey(opened, greta, careless)
        stranger = Authenticator()
        with pytest.raises(WrongProof):
            await signed_in_with(opened, stranger)


@waits
@pytest.mark.parametrize("part", ["client_data", "authenticator_data", "signature"])
async def test_what_is_no_answer_of_a_passkey_is_refused_in_one_line(tmp_path: Path, part: str) -> None:
    async with lobby(tmp_path) as opened:
        greta = await opened.session()
        device = await with_passkey(opened, greta)
        browser = opened.browser()
        for junk in ("", "AAAA", "!", "é" * 40, "e30"):
            signed: dict[str, Any] = device.signed(opened.identity.factors.challenge()) | {part: junk}
            answer = await browser.post("/api/sign-in/passkey", json=signed)
            assert answer.status_code in {400, 401}
            assert "\n" not in answer.json()["message"]


@waits
async def test_a_new_factor_ends_the_sessions_that_began_without_it(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        here, there = await opened.session(), await opened.session()
        await with_passkey(opened, here)
        assert opened.identity.acts_as(here) is not None
        assert opened.identity.acts_as(there) is None


@waits
async def test_accounts_are_touched_only_by_whoever_has_proved_it_a_while_ago_at_most(tmp_path: Path) -> None:
    async with lobby(tmp_path, **REQUIRED) as opened:
        greta = await opened.session()
        secret = await with_codes(opened, greta)
        accounts = opened.identity.accounts
        opened.clock.go(9)
        await accounts.open(greta, "dan", Position.DEALER, OTHER_PASSWORD)
        opened.clock.go(2)
        for wish in (
            lambda: accounts.open(greta, "eve", Position.DEALER, OTHER_PASSWORD),
            lambda: accounts.close(greta, "dan"),
            lambda: accounts.set_password(greta, "dan", PASSWORD),
            lambda: accounts.move(greta, "dan", Position.PIT_SUPERVISOR),
            lambda: accounts.reset_factors(greta, "dan"),
            lambda: opened.identity.factors.remove_codes(greta),
        ):
            with pytest.raises(ProveAgain):
                await wish()
        with pytest.raises(WrongProof):
            await opened.identity.prove(greta, "000000")
        await opened.identity.prove(greta, code_of(opened, secret))
        await accounts.close(greta, "dan")
        assert clean(opened)


@waits
async def test_a_password_is_changed_only_by_whoever_has_shown_the_second_factor_a_while_ago_at_most(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path, **REQUIRED) as opened:
        browser = opened.browser()
        right = {"name": MANAGER, "password": PASSWORD}
        assert (await browser.post("/api/sign-in", json=right)).status_code == 200
        offered = (await browser.post("/api/factors/codes/secret")).json()["secret"]
        given = {"secret": offered, "code": code_of(opened, offered)}
        assert (await browser.put("/api/factors/codes", json=given)).status_code == 204
        opened.clock.go(11)
        change = {"old": PASSWORD, "new": OTHER_PASSWORD}
        assert told(await browser.post("/api/password", json=change | {"old": "wrong"})) == (401, "prove-again")
        assert told(await browser.post("/api/password", json=change)) == (401, "prove-again")
        code = {"code": code_of(opened, offered)}
        assert (await browser.post("/api/prove", json=code)).status_code == 204
        assert (await browser.post("/api/password", json=change)).status_code == 204
        assert clean(opened)


@waits
async def test_where_nothing_else_is_there_the_password_proves_it_again_and_only_there(tmp_path: Path) -> None:
    async with lobby(tmp_path, prove_again_s=600) as opened:
        greta = await opened.session()
        opened.clock.go(11)
        with pytest.raises(ProveAgain):
            await with_codes(opened, greta)
        await opened.identity.prove(greta, password=PASSWORD)
        device = await with_passkey(opened, greta)
        with pytest.raises(SecondNeeded):
            await opened.identity.prove(greta, password=PASSWORD)
        opened.clock.go(11)
        challenge = opened.identity.factors.challenge_of(greta)
        await opened.identity.prove_with(greta, Signed(**device.signed(challenge)), PAGE)
        await opened.identity.accounts.open(greta, "dan", Position.DEALER, OTHER_PASSWORD)
        assert clean(opened)


@waits
async def test_nobody_proves_it_with_the_passkey_of_another(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        greta = await opened.session()
        await opened.hired("dan", Position.DEALER)
        dan = await opened.session("dan")
        device = await with_passkey(opened, dan)
        signed = Signed(**device.signed(opened.identity.factors.challenge_of(greta)))
        with pytest.raises(WrongProof):
            await opened.identity.prove_with(greta, signed, PAGE)


@waits
async def test_a_manager_resets_what_somebody_has_lost_and_nobody_their_own(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        greta = await opened.session()
        await opened.hired("dan", Position.DEALER)
        dan = await opened.session("dan")
        device = await with_passkey(opened, dan)
        with pytest.raises(Exception, match="you cannot reset your own passkeys and codes: another manager must"):
            await opened.identity.accounts.reset_factors(greta, MANAGER)
        with pytest.raises(Exception, match="may not reset"):
            await opened.identity.accounts.reset_factors(dan, MANAGER)
        await opened.identity.accounts.reset_factors(greta, "dan")
        assert opened.identity.acts_as(dan) is None
        with pytest.raises(WrongProof):
            await signed_in_with(opened, device)
        await opened.session("dan")
        assert clean(opened)


@waits
async def test_whoever_cannot_show_again_who_they_are_is_on_record_as_failed_sign_ins_are(tmp_path: Path) -> None:
    async with lobby(tmp_path, prove_again_s=600) as opened:
        noted: list[Any] = []
        opened.identity.attempts.note = noted.append
        greta = await opened.session()
        for _ in range(3):
            with pytest.raises(WrongPassword):
                await opened.identity.prove(greta, password=OTHER_PASSWORD)
        opened.identity.attempts.flush(opened.clock(), end=True)
        found = [(each.name, each.count, each.reasons) for each in noted if isinstance(each, SignInsFailed)]
        assert found == [(MANAGER, 1, {"again-wrong-password": 1}), (MANAGER, 2, {"again-wrong-password": 2})]
