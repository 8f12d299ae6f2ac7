"""Who is who: sessions, locks, positions, and what is left of it all in the store."""

import asyncio
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from tests.server.identity.lobby import MANAGER, OTHER_PASSWORD, PASSWORD, Clock, Lobby, configured, lobby, with_cookie
from tests.server.waiting import waits

from punto.errors import NotSignedIn, PasswordExpired, PuntoError, Refusal, TooFast, WrongPassword
from punto.floor import Floor, Keys
from punto.record import audit
from punto.rules import Position
from punto.server.identity import Ending, Identity, Session
from punto.server.identity import events as on
from punto.server.identity.identity import LIFE_MS
from punto.server.writer import Writer
from punto.store import MemoryStore
from punto.table import Actor


def asking(opened: Lobby, token: str) -> Session | None:
    return opened.identity.session(with_cookie("punto_staff", token))


async def failing(opened: Lobby, name: str, times: int) -> list[type[PuntoError]]:
    """The errors that wrong passwords lead to."""
    met: list[type[PuntoError]] = []
    for number in range(times):
        try:
            await opened.identity.sign_in(name, "wrong", f"10.0.0.{number}")
        except PuntoError as error:
            met.append(type(error))
    return met


@waits
async def test_a_floor_has_one_first_account_and_no_second(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        session, _ = await opened.identity.sign_in("GRETA", PASSWORD)
        assert opened.identity.acts_as(session) == Actor(MANAGER, Position.GAMING_SHIFT_MANAGER)
        with pytest.raises(Refusal, match="has accounts already"):
            await opened.identity.first_account("gus", PASSWORD)


@waits
async def test_a_session_outlives_the_server_and_ends_when_it_is_told_to(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        _, token = await opened.identity.sign_in(MANAGER, PASSWORD)
    async with lobby(tmp_path) as opened:
        session = asking(opened, token)
        assert session is not None
        assert opened.identity.staff(with_cookie("punto_staff", token)) is not None
        await opened.identity.sign_out(session)
        assert asking(opened, token) is None
    async with lobby(tmp_path) as opened:
        assert asking(opened, token) is None


@waits
async def test_nothing_that_lets_anybody_in_is_ever_stored(tmp_path: Path) -> None:
    async with lobby(tmp_path, demonstration=True) as opened:
        session, token = await opened.identity.sign_in(MANAGER, PASSWORD)
        link = opened.identity.link("Dealer", Position.DEALER)
        secrets = [PASSWORD, token, link, await opened.identity.enrol_guest()]
        secrets += [await opened.identity.follow(link) or "?"]
        offered = await opened.identity.devices.offer(session, 7, "by the window")
        secrets += [offered.code, offered.code.replace("-", ""), await opened.identity.enrol(offered.code)]
        stored = opened.stored()
        assert b'"table":"T1"' not in stored
        secrets += ["by the window"]  # it lies beside the record
        assert [secret for secret in secrets if secret.encode() in stored] == []


@waits
async def test_who_does_nothing_for_a_while_is_signed_out_and_who_does_something_is_not(tmp_path: Path) -> None:
    async with lobby(tmp_path, idle_s=1800) as opened:
        _, idle = await opened.identity.sign_in(MANAGER, PASSWORD)
        _, busy = await opened.identity.sign_in(MANAGER, PASSWORD)
        for _ in range(4):
            opened.clock.go(10)
            assert asking(opened, busy) is not None
        assert asking(opened, idle) is None
        await opened.identity.sweep()
        assert opened.kinds("sessions").count("SessionEnded") == 1
        assert asking(opened, busy) is not None


@waits
async def test_a_page_that_asks_of_its_own_accord_keeps_nobody_signed_in(tmp_path: Path) -> None:
    async with lobby(tmp_path, idle_s=1800) as opened:
        _, token = await opened.identity.sign_in(MANAGER, PASSWORD)
        scope = with_cookie("punto_staff", token)
        by_itself = {**scope, "headers": [*scope["headers"], (b"punto-unattended", b"1")]}
        for _ in range(2):
            opened.clock.go(12)
            assert opened.identity.session(by_itself) is not None
            assert opened.identity.papers(scope).session
        opened.clock.go(12)
        assert opened.identity.session(by_itself) is None


@waits
async def test_a_clock_that_is_set_back_keeps_nobody_signed_in_for_longer(tmp_path: Path) -> None:
    async with lobby(tmp_path, idle_s=1800) as opened:
        _, token = await opened.identity.sign_in(MANAGER, PASSWORD)
        opened.clock.go(-300)
        await opened.identity.sweep()
        opened.clock.go(31)
        assert asking(opened, token) is None


@waits
async def test_nobody_stays_signed_in_for_longer_than_a_shift(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        _, token = await opened.identity.sign_in(MANAGER, PASSWORD)
        while opened.clock.at_ms < 1_767_196_800_000 + LIFE_MS:
            assert asking(opened, token) is not None
            opened.clock.go(20)
        assert asking(opened, token) is None


@waits
async def test_when_somebody_was_last_seen_is_written_down_every_few_minutes_at_most(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        _, token = await opened.identity.sign_in(MANAGER, PASSWORD)
        for _ in range(100):
            opened.clock.go(0.1)
            asking(opened, token)
            await opened.identity.sweep()
        assert 1 <= opened.kinds("sessions").count("SessionsSeen") <= 2
        at_ms = opened.clock.at_ms
    async with lobby(tmp_path) as opened:
        opened.clock.at_ms = at_ms
        session = asking(opened, token)
        assert session is not None
        assert session.noted_ms == at_ms


@waits
async def test_wrong_passwords_from_one_place_make_that_place_wait_and_no_other(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        met = [await failing(opened, MANAGER, 1) for _ in range(6)]
        assert met == [[WrongPassword]] * 5 + [[TooFast]]
        with pytest.raises(TooFast, match="wait 1 seconds"):
            await opened.identity.sign_in(MANAGER, PASSWORD, "10.0.0.0")
        await opened.identity.sign_in(MANAGER, PASSWORD, "10.0.0.1")
        opened.clock.go(0.1)
        await opened.identity.sign_in(MANAGER, PASSWORD, "10.0.0.0")


@waits
async def test_who_is_unlocked_waits_no_longer(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        await opened.hired("dan", Position.DEALER)
        greta = await opened.session()
        for _ in range(5):
            await failing(opened, "dan", 1)
        with pytest.raises(TooFast):
            await opened.identity.sign_in("dan", PASSWORD, "10.0.0.0")
        await opened.identity.accounts.unlock(greta, "dan")
        await opened.identity.sign_in("dan", PASSWORD, "10.0.0.0")


@waits
async def test_a_name_that_nobody_has_is_answered_like_any_other(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        known, unknown = await failing(opened, MANAGER, 12), await failing(opened, "nobody", 12)
        assert known == unknown == [WrongPassword] * 10 + [TooFast] * 2
        for _ in range(12):  # as many tries as a name has, from ever new places: soon all of them wait
            opened.clock.go(0.1)
            assert await failing(opened, "nobody", 2) == await failing(opened, MANAGER, 2)
        assert await failing(opened, "nobody", 2) == await failing(opened, MANAGER, 2) == [TooFast] * 2


@waits
async def test_the_right_password_makes_up_for_the_wrong_ones_before(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        for _ in range(3):
            assert await failing(opened, MANAGER, 4) == [WrongPassword] * 4
            await opened.identity.sign_in(MANAGER, PASSWORD)
            opened.clock.go(1)


@waits
async def test_of_many_guesses_at_the_same_moment_no_more_than_five_count(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        tries = [opened.identity.sign_in(MANAGER, "wrong", "10.0.0.1") for _ in range(8)]
        met = [type(each) for each in await asyncio.gather(*tries, return_exceptions=True)]
        assert (met.count(WrongPassword), met.count(TooFast)) == (5, 3)


@waits
async def test_one_address_and_one_account_are_tried_only_so_often(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        assert (await failing(opened, MANAGER, 11))[-1] is TooFast
        for number in range(60):
            with suppress(WrongPassword):
                await opened.identity.sign_in(f"name-{number}", "wrong", "10.9.9.9")
        with pytest.raises(TooFast, match="wait 3 seconds"):
            await opened.identity.sign_in("another", "wrong", "10.9.9.9")
        opened.clock.go(1)
        with pytest.raises(WrongPassword):
            await opened.identity.sign_in("another", "wrong", "10.9.9.9")


@waits
async def test_who_acts_in_a_higher_position_does_so_for_a_while(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        await opened.hired("dan", Position.DEALER)
        dan, greta = await opened.session("dan"), await opened.session()
        await opened.identity.accounts.let_act(greta, "dan", Position.PIT_MANAGER, 20 * 60_000)
        assert opened.identity.acts_as(dan) == Actor("dan", Position.PIT_MANAGER, acting=True)
        opened.clock.go(20)
        assert opened.identity.acts_as(dan) == Actor("dan", Position.DEALER)
        await opened.identity.sweep()
        assert opened.kinds("staff")[-1] == "ActingEnded"


@waits
async def test_a_password_that_another_has_set_carries_no_position(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        await opened.identity.accounts.open(await opened.session(), "dan", Position.DEALER, OTHER_PASSWORD)
        dan, token = await opened.identity.sign_in("dan", OTHER_PASSWORD)
        assert opened.identity.acts_as(dan) is None
        with pytest.raises(NotSignedIn, match="change your password"):
            opened.identity.signed_in(with_cookie("punto_staff", token))
        await opened.identity.change_password(dan, OTHER_PASSWORD, PASSWORD)
        assert opened.identity.acts_as(dan) == Actor("dan", Position.DEALER)


@waits
async def test_with_a_new_password_all_other_sessions_end(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        told: list[object] = []
        opened.identity.listen(told.append)
        here, token = await opened.identity.sign_in(MANAGER, PASSWORD)
        there, elsewhere = await opened.identity.sign_in(MANAGER, PASSWORD)
        await opened.identity.change_password(here, PASSWORD, OTHER_PASSWORD)
        assert asking(opened, token) is not None
        assert asking(opened, elsewhere) is None
        assert on.SessionEnded(there.id, Ending.PASSWORD_CHANGED) in told
        with pytest.raises(WrongPassword):
            await opened.identity.sign_in(MANAGER, PASSWORD)


@waits
async def test_a_link_lets_one_person_in_once_who_is_not_sent_away_for_being_idle(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        code = opened.identity.link("Pit", Position.PIT_MANAGER)
        token = await opened.identity.follow(code)
        assert token is not None
        assert await opened.identity.follow(code) is None
        opened.clock.go(11 * 60)
        assert opened.identity.staff(with_cookie("punto_staff", token)) == Actor("Pit", Position.PIT_MANAGER)
        opened.clock.go(61)
        assert opened.identity.staff(with_cookie("punto_staff", token)) is None


@waits
async def test_a_guest_keeps_the_terminal_and_is_forgotten_after_a_month_away(tmp_path: Path) -> None:
    async with lobby(tmp_path, demonstration=True) as opened:
        token = await opened.identity.enrol_guest()
        name = opened.identity.named(token)
    async with lobby(tmp_path, demonstration=True) as opened:
        cookie = with_cookie("punto_terminal", token)
        assert opened.identity.patron(cookie) == Actor(name, Position.PATRON)
        opened.clock.go(29 * 24 * 60)
        assert opened.identity.patron(cookie) is not None
        for _ in range(5):
            await opened.identity.sweep()
        assert opened.kinds("terminals") == ["TerminalEnrolled", "TerminalsSeen"]
        opened.clock.go(31 * 24 * 60)
        assert opened.identity.patron(cookie) is None


@waits
async def test_floors_on_one_store_know_of_each_others_people(tmp_path: Path) -> None:
    store, clock, keys = MemoryStore(), Clock(), Keys.from_secret(b"shared")
    config = configured(tmp_path)
    writers = [Writer(Floor(store, keys), lambda _: None) for _ in range(2)]
    one, other = (Identity(writer, config, clock) for writer in writers)
    await one.begin()
    await other.begin()
    await one.first_account(MANAGER, PASSWORD)
    await other.sweep()
    session, token = await other.sign_in(MANAGER, PASSWORD)
    await one.sign_in(MANAGER, PASSWORD)  # its register is behind, and catches up before it writes
    seen = one.session(with_cookie("punto_staff", token))
    assert seen is not None
    await one.revoke(seen, session.id)
    await other.sweep()
    assert other.session(with_cookie("punto_staff", token)) is None
    assert audit(store, public_key=keys.public).clean
    await one.stop()
    await other.stop()
    for writer in writers:
        writer.close()


@waits
async def test_everything_is_chained_and_signed_over(tmp_path: Path) -> None:
    async with lobby(tmp_path, demonstration=True) as opened:
        await opened.hired("dan", Position.DEALER)
        await opened.identity.enrol_guest()
        floor = opened.server.hall.writer.floor
        report = audit(floor.store, public_key=floor.keys.public)
        assert report.clean, report.findings[0]
        assert {"identity/staff", "identity/sessions", "identity/terminals"} <= {
            name for name, _ in floor.store.streams()
        }
        times = [on.read(entry.body).at_ms for entry in floor.store.read("identity/sessions")]
        assert all(before <= after for before, after in pairwise(times))


@waits
async def test_a_visitor_is_a_member_of_staff_a_terminal_or_all_guests_at_one_address(tmp_path: Path) -> None:
    async with lobby(tmp_path, demonstration=True) as opened:
        identity, address = opened.identity, {"client": ("10.0.0.1", 5)}
        guest = await identity.enrol_guest("10.0.0.1")
        offered = await identity.devices.offer(await opened.session(), 7, "")
        terminal = await identity.enrol(offered.code, "10.0.0.1")
        staff = await identity.follow(identity.link("Pit", Position.PIT_MANAGER))
        assert staff is not None
        assert identity.visitor({"headers": [], **address}) == "address/10.0.0.1"
        assert identity.visitor({**with_cookie("punto_terminal", guest), **address}) == "address/10.0.0.1"
        assert identity.visitor({**with_cookie("punto_terminal", terminal), **address}) == "terminal/terminal-7"
        assert identity.visitor({**with_cookie("punto_staff", staff), **address}) == "staff/Pit"
        assert identity.visitor({"headers": [], "client": ("2001:db8::1:2:3:4", 5)}) == "address/2001:db8::/64"


@waits
@pytest.mark.parametrize("hours", [72, 8])
async def test_a_password_that_another_has_set_lets_nobody_in_after_a_while_and_one_of_ones_own_does(
    tmp_path: Path, hours: int
) -> None:
    async with lobby(tmp_path, idle_s=43_200, first_password_hours=hours) as opened:
        greta = await opened.session()
        for name in ("dan", "eve"):
            await opened.identity.accounts.open(greta, name, Position.DEALER, OTHER_PASSWORD)
        eve = await opened.session("eve", OTHER_PASSWORD)
        await opened.identity.change_password(eve, OTHER_PASSWORD, PASSWORD)
        opened.clock.go(60 * hours - 1)
        dan = await opened.session("dan", OTHER_PASSWORD)
        opened.clock.go(1)
        with pytest.raises(PasswordExpired):
            await opened.session("dan", OTHER_PASSWORD)
        with pytest.raises(PasswordExpired):  # nor does it choose another
            await opened.identity.change_password(dan, OTHER_PASSWORD, PASSWORD)
        with pytest.raises(WrongPassword, match="do not belong together"):  # whoever guesses does not learn of it
            await opened.session("dan", PASSWORD)
        await opened.session("eve", PASSWORD)
        await opened.identity.accounts.set_password(await opened.session(), "dan", PASSWORD)
        dan = await opened.session("dan", PASSWORD)
        await opened.identity.change_password(dan, PASSWORD, OTHER_PASSWORD)
        opened.clock.go(60 * hours)
        await opened.session("dan", OTHER_PASSWORD)
