"""Strangers guess passwords a thousand times a minute, and the name's owner signs in meanwhile. By `make bench`.

A floor in a process of its own, as `punto init` makes it, with hashes as expensive as on any floor. In each of four
attacks strangers sign in wrongly over real HTTP: for the owner's name from one address, from the owner's own, and from
250 addresses, and for ever new names from those. The owner signs in every six seconds, in a browser that was there
before, on a fresh connection each time. In the last attack the owner shows a one-time code, too.
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Final

import httpx
import pyotp
import uvloop

from bench.figure import Figure, told
from bench.server import free_port, listening, process

NAME: Final = "greta"
PASSWORD: Final = "seven green lanterns"  # noqa: S105
PER_MINUTE: Final = 1_000
SECONDS: Final = 20
# So often the owner signs in: with the first, no more than a person does in a minute.
EVERY_S: Final = 6.0
ADDRESSES: Final = 250
MOST_S: Final = 2.0
OWN_ADDRESS: Final = "127.0.0.1"
# With one-time codes nobody signs in more often: each code is good once.
EVERY_WITH_CODE_S: Final = 15.0
_STEP_S: Final = 30
# The address of a stranger, and the name that is guessed at, for the next try.
Guess = Callable[[int], tuple[str, str]]
ATTACKS: Final[dict[str, Guess]] = {
    "the name, from one address": lambda _: ("127.0.2.1", NAME),
    "the name, from the owner's own address": lambda _: (OWN_ADDRESS, NAME),
    "the name, from 250 addresses": lambda number: (_address(number), NAME),
    "250 names, from 250 addresses": lambda number: (_address(number), f"{NAME}{number}"),
}


def _address(number: int) -> str:
    return f"127.0.3.{number % ADDRESSES + 1}"


class Strangers:
    """All who guess, each address with a connection of its own."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._browsers: dict[str, httpx.AsyncClient] = {}
        self.answers: list[int] = []

    async def guess(self, where: str, name: str) -> None:
        """Guess once."""
        browser = self._browsers.get(where)
        if browser is None:
            way = httpx.AsyncHTTPTransport(local_address=where)
            browser = self._browsers[where] = _browser(self._address, way)
        answer = await browser.post("/api/sign-in", json={"name": name, "password": "wrong"})
        self.answers.append(answer.status_code)

    async def close(self) -> None:
        """Let all connections go."""
        for browser in self._browsers.values():
            await browser.aclose()


def _browser(address: str, way: httpx.AsyncHTTPTransport | None = None) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=address, headers={"origin": address}, transport=way, timeout=60, trust_env=False)


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[str]:
    """A floor of one's own; its address."""
    port = free_port()
    (folder / "password").write_text(PASSWORD, encoding="ascii")
    floor = folder / "floor"
    more = ("--manager", NAME, "--password-file", str(folder / "password"), "--port", str(port), "--games", "tiger")
    made = [sys.executable, "-m", "punto", "init", str(floor), *more]
    await asyncio.to_thread(subprocess.run, made, check=True, stdout=subprocess.DEVNULL)
    file = floor / "floor.toml"
    file.write_text('second-factor = "offered"\n' + file.read_text(encoding="utf-8"), encoding="utf-8")
    with (folder / "log").open("wb") as log, process("punto", "serve", str(file), log=log):
        await listening(port)
        yield f"http://127.0.0.1:{port}"


class Owner:
    """Whose name is guessed at, in a browser of their own; each sign-in has a connection of its own."""

    def __init__(self, address: str) -> None:
        way = httpx.AsyncHTTPTransport(local_address=OWN_ADDRESS, limits=httpx.Limits(max_keepalive_connections=0))
        self._browser = _browser(address, way)
        self._secret = ""
        self._step = 0
        self.every_s = EVERY_S

    async def signs_in(self) -> None:
        """Sign in."""
        body = {"name": NAME, "password": PASSWORD, "code": self._code() if self._secret else ""}
        (await self._browser.post("/api/sign-in", json=body)).raise_for_status()

    async def adds_codes(self) -> None:
        """Have one-time codes from now on."""
        await self.signs_in()
        offered = await self._browser.post("/api/factors/codes/secret")
        self._secret, self.every_s = offered.raise_for_status().json()["secret"], EVERY_WITH_CODE_S
        body = {"secret": self._secret, "code": self._code()}
        (await self._browser.put("/api/factors/codes", json=body)).raise_for_status()

    def _code(self) -> str:
        """A code that is still good: phones may be a step behind, or ahead."""
        self._step = max(self._step + 1, int(time.time()) // _STEP_S - 1)
        return pyotp.TOTP(self._secret).generate_otp(self._step)

    async def close(self) -> None:
        """Let the connection go."""
        await self._browser.aclose()


async def longest_s(address: str, owner: Owner, guess: Guess | None) -> float:
    """The longest sign-in of the owner while strangers guess."""
    strangers, loop = Strangers(address), asyncio.get_running_loop()
    tries: list[asyncio.Task[None]] = []
    numbers, began, taken = count(), loop.time(), [0.0]

    async def attack() -> None:
        for number in numbers:
            if guess is None or loop.time() - began > SECONDS:
                return
            tries.append(asyncio.create_task(strangers.guess(*guess(number))))
            await asyncio.sleep(max(0.0, began + (number + 1) * 60 / PER_MINUTE - loop.time()))

    attacking = asyncio.create_task(attack())
    while loop.time() - began < SECONDS:
        since = time.monotonic()
        await owner.signs_in()
        taken.append(time.monotonic() - since)
        await asyncio.sleep(max(0.0, owner.every_s - taken[-1]))
    await attacking
    await asyncio.gather(*tries)
    met = {status: strangers.answers.count(status) for status in sorted(set(strangers.answers))}
    print(f"# {len(strangers.answers)} guesses in {SECONDS} s, answered with {met}", flush=True)
    await strangers.close()
    return max(taken)


async def measured(folder: Path) -> list[Figure]:
    """Nobody guesses; then each attack."""
    figures: list[Figure] = []

    async def measure(owner: Owner, what: str, guess: Guess | None) -> None:
        longest = await longest_s(address, owner, guess)
        figures.append(Figure(what, longest, MOST_S, "s", more_is_better=False))
        print(figures[-1], flush=True)

    async with opened(folder) as address:
        owner = Owner(address)
        await owner.signs_in()
        for what, guess in ({"nobody guesses": None} | ATTACKS).items():
            await measure(owner, f"the owner signs in while {what}", guess)
        await owner.adds_codes()
        what = "the name, from 250 addresses"
        await measure(owner, f"the owner signs in with a one-time code while {what}", ATTACKS[what])
        await owner.close()
    return figures


def main() -> int:
    """Measure, and tell."""
    with tempfile.TemporaryDirectory() as folder:
        return told(uvloop.run(measured(Path(folder))))


if __name__ == "__main__":
    sys.exit(main())
