"""Strangers guess; whoever owns the name comes in meanwhile, in a browser that the floor knows."""

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from argon2 import PasswordHasher
from tests.server.identity.lobby import MANAGER, OTHER_PASSWORD, PASSWORD, Lobby, lobby
from tests.server.waiting import waits

from punto.rules import Position
from punto.server.identity.proof import Origin

if TYPE_CHECKING:
    import httpx

HASH_S = 0.05
MOST_S = 2.0
RIGHT = {"name": MANAGER, "password": PASSWORD}
WRONG = {"name": MANAGER, "password": "wrong"}


class Slow(PasswordHasher):
    """A hasher that takes as long as a real one does on a machine with time to spare."""

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002
        time.sleep(HASH_S)
        return super().verify(hash, password)


async def guessed(opened: Lobby, addresses: int, times: int, name: str = MANAGER, names: int = 1) -> list[int]:
    async def one(number: int) -> list[int]:
        guess = WRONG | {"name": name if names == 1 else f"{name}-{number % names}"}
        browser = opened.browser(f"10.1.{number // 250}.{number % 250}")
        answers = [await browser.post("/api/sign-in", json=guess) for _ in range(times)]
        return [answer.status_code for answer in answers]

    return [status for each in await asyncio.gather(*map(one, range(addresses))) for status in each]


@pytest.mark.parametrize(("addresses", "times", "names"), [(1, 200, 1), (60, 3, 1), (60, 1, 60)])
def test_whoever_owns_the_name_is_not_delayed_on_a_known_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, addresses: int, times: int, names: int
) -> None:
    @waits
    async def run() -> None:
        async with lobby(tmp_path) as opened:
            home = await opened.signed_in()
            strangers = asyncio.create_task(guessed(opened, addresses, times, names=names))
            await asyncio.sleep(2 * HASH_S)
            for _ in range(3):
                began = time.monotonic()
                answer = await home.post("/api/sign-in", json=RIGHT)
                assert answer.status_code == 200, answer.text
                assert time.monotonic() - began < MOST_S
            assert not {200, 403} & set(await strangers)

    monkeypatch.setattr("punto.server.identity.passwords._HASHER", Slow(time_cost=1, memory_cost=8, parallelism=1))
    run()


@waits
async def test_strangers_do_wait_and_so_does_who_has_stolen_the_browser_and_guesses(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        home = await opened.signed_in()
        assert 429 in await guessed(opened, 30, 1)
        assert (await opened.browser("10.2.0.1").post("/api/sign-in", json=RIGHT)).status_code == 429
        stolen = [(await home.post("/api/sign-in", json=WRONG)).status_code for _ in range(6)]
        assert stolen == [401] * 5 + [429]


@waits
async def test_how_long_a_name_waits_does_not_say_whose_it_is_however_many_were_tried_since(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        await opened.hired("dan", Position.DEALER)
        proof = opened.identity._proof  # noqa: SLF001 (real tries of ten thousand names would take minutes)
        for name in ("dan", "nobody"):
            for number in range(26):
                proof.fail(name, Origin(f"10.1.0.{number}"))
        for number in range(10_050):
            proof.fail(f"made-up-{number}", Origin("10.2.0.1"))
        answers = [
            (await opened.browser(f"10.3.0.{place}").post("/api/sign-in", json=WRONG | {"name": name})).json()
            for place, name in enumerate(("dan", "nobody"))
        ]
        assert [each["code"] for each in answers] == ["too-fast", "too-fast"]
        assert answers[0]["message"] == answers[1]["message"]


@waits
async def test_a_browser_is_known_by_its_owners_names_only(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        await opened.hired("dan", Position.DEALER)
        home = await opened.signed_in()
        await guessed(opened, 30, 1, "dan")
        right = {"name": "dan", "password": PASSWORD}
        assert (await home.post("/api/sign-in", json=right)).status_code == 429
        opened.clock.go(5)
        assert (await home.post("/api/sign-in", json=right)).status_code == 200
        assert opened.kinds("staff").count("BrowserKnown") == 3


@waits
async def test_a_password_that_another_sets_forgets_the_browsers(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        home = await opened.hired("dan", Position.DEALER)
        await opened.identity.accounts.set_password(await opened.session(), "dan", OTHER_PASSWORD)
        await guessed(opened, 30, 1, "dan")
        answer = await home.post("/api/sign-in", json={"name": "dan", "password": OTHER_PASSWORD})
        assert answer.status_code == 429


@waits
async def test_the_newest_eight_browsers_of_somebody_are_known(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        browsers: list[httpx.AsyncClient] = []
        for number in range(9):
            browsers.append(opened.browser(f"10.3.0.{number}"))
            assert (await browsers[-1].post("/api/sign-in", json=RIGHT)).status_code == 200
            opened.clock.go(1)
        await guessed(opened, 30, 1)
        assert [(await each.post("/api/sign-in", json=RIGHT)).status_code for each in browsers] == [429] + [200] * 8
