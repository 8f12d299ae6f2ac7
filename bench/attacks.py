"""What hostile visitors send: each kind of message or body, as often as one visitor is allowed to send it.

`python -m bench.attacks FOLDER PORT NAME SECONDS` attacks a floor of `bench.served` from a process of its own, so that
the load does not disturb those who measure. It prints how much it has sent.
"""

import asyncio
import gzip
import json
import random
import socket
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from itertools import count, cycle
from pathlib import Path
from typing import Any, Final

import httpx

from bench.terminals import LOOPBACK, Terminal, hello, masked
from punto.games import GAMES, dumps
from punto.server.descriptors import raise_limit

# The pages of one attacker, and how often each sends: a floor allows 60 messages a second to a page.
PAGES: Final = 4
PACE_S: Final = 1 / 60
# How many requests of one attacker are under way at once.
REQUESTS: Final = 8
SLOW: Final = 200
# The pages and the connections of one guest who takes as many as are let in.
MANY_PAGES: Final = 50
READ_NOTHING: Final = 1_000
IDLE: Final = 12_000
TABLE: Final = "1"

# 19.5 kB, whose only key has 9,700 parts.
DOTTED: Final = ".".join(["a"] * 9_700) + " = 1"
_FACTS: Final = (
    "natural",
    "winner tie",
    "margin 4",
    "banker total 6",
    "player total 7",
    "banker cards 3",
    "player cards 2",
)
_PAIRS: Final = ("player pair rank 7", "banker pair rank K", "player pair suit s", "banker pair suit h")


def heavy_game(wagers: int, rows: int, terms: int) -> str:
    """A declaration within all bounds that asks as much as can be of whoever judges by it."""
    chance = random.Random(7)
    atoms = [*_FACTS, *_PAIRS]
    text = ['key = "heavy"\ntitle = "Heavy"']
    for number in range(wagers):
        text.append(f'[[wager]]\nname = "w{number}"\npays = [')
        for _ in range(rows):
            parts = (f"({' and '.join(chance.sample(atoms, 3))})" for _ in range(terms))
            text.append(f'{{ when = "{" or not ".join(parts)}", odds = "{chance.randint(1, 999)} to 1" }},')
        text.append("]")
    return "\n".join(text) + "\n"


def shoe(game: str, declaration: str = "", rounds: int = 1, wagers: int = 0) -> bytes:
    """The text of a shoe."""
    declared = [f"| {line}" for line in declaration.splitlines()]
    bets = " ; ann / Player / 10.00 / lose / 0.00" * wagers
    coups = [f"{number} Ks 2h 5d 4c 9s = 4-6 B{bets}" for number in range(1, rounds + 1)]
    return "\n".join(["punto shoe 1", f"game {game}", *declared, "", *coups, ""]).encode()


class Attacker:
    """One visitor with a few pages and a few connections."""

    def __init__(self, folder: Path, port: int, seconds: float) -> None:
        self.folder = folder
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self.until = time.monotonic() + seconds
        self.sent = 0
        self.cookies = (folder / "tokens").read_text(encoding="ascii").split()[-PAGES:]

    @property
    def goes_on(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self.until

    # Pages

    async def page(self, cookie: str, heard: Callable[[bytes], None] = lambda _: None) -> Terminal:
        """A page of whoever has the cookie."""
        return await Terminal.connect(self.port, "/live", heard, cookie)

    async def frames(self, *frames: Callable[[int], bytes], cookies: list[str] | None = None, sit: bool = True) -> None:
        """Send frames at the allowed rate from every page; a page that is cut off comes back."""
        await asyncio.gather(*(self._frames(cookie, frames, sit=sit) for cookie in cookies or self.cookies))

    async def _frames(self, cookie: str, frames: tuple[Callable[[int], bytes], ...], *, sit: bool) -> None:
        page = None
        for number, frame in zip(count(), cycle(frames)):
            if not self.goes_on:
                break
            if page is None or page.transport.is_closing():
                with suppress(OSError, asyncio.TimeoutError):
                    page = await self.page(cookie)
                    if sit:
                        page.send(b'{"t":"sit","table":"%b"}' % TABLE.encode())
            if page is not None:
                page.send(frame(number))
                self.sent += 1
            await asyncio.sleep(PACE_S)

    # Requests

    @asynccontextmanager
    async def browser(self, **headers: str) -> AsyncIterator[httpx.AsyncClient]:
        """A browser on a page of the floor's."""
        limits = httpx.Limits(max_connections=SLOW)
        headers = {"origin": self.address} | headers
        async with httpx.AsyncClient(
            base_url=self.address, headers=headers, timeout=60, limits=limits, trust_env=False
        ) as browser:
            yield browser

    async def staff(self, place: int) -> str:
        """The cookie of whoever comes by a link of staff. A link works once: the cookie is kept for later attacks."""
        kept = self.folder / f"staff-{place}"
        if not kept.exists():
            link = (self.folder / "links").read_text(encoding="ascii").split()[place]
            async with self.browser() as browser:
                answer = await browser.get(f"/enter/{link}")
                kept.write_text(answer.headers["set-cookie"].partition(";")[0], encoding="ascii")
        return kept.read_text(encoding="ascii")

    async def requests(self, *ask: Callable[[], Awaitable[Any]]) -> None:
        """Have so many requests under way at once, one after the other."""

        async def one(asks: Iterator[Callable[[], Awaitable[Any]]]) -> None:
            while self.goes_on:
                with suppress(httpx.HTTPError):
                    await next(asks)()
                self.sent += 1
                await asyncio.sleep(PACE_S / PAGES)

        asks = cycle(ask)
        await asyncio.gather(*(one(asks) for _ in range(REQUESTS)))


def do(**act: Any) -> Callable[[int], bytes]:  # noqa: ANN401
    """Frames with a command, each under an id of its own."""
    return lambda number: json.dumps(
        {"t": "do", "id": f"{time.time_ns()}-{number}", "table": TABLE, "act": act}
    ).encode()


def text(frame: str) -> Callable[[int], bytes]:
    """The same frame each time."""
    return lambda _: frame.encode()


def opening(declaration: str) -> Callable[[int], bytes]:
    """The same declaration, but for a comment, so that it is new each time."""

    def frame(number: int) -> bytes:
        fresh = f"{declaration}# {number} {time.time_ns()}"[:19_700]
        return do(do="open-table", setup={"game": "heavy", "declaration": fresh})(number)

    return frame


async def by_frames(attacker: Attacker, *frames: Callable[[int], bytes]) -> None:
    """A patron's pages send frames."""
    await attacker.frames(*frames)


async def by_manager(attacker: Attacker, declaration: str) -> None:
    """A gaming shift manager's page sends declarations."""
    await attacker.frames(opening(declaration), cookies=[await attacker.staff(2)], sit=False)


async def own_game(attacker: Attacker) -> None:
    """Two managers open and close a table with a game of its own, again and again; its odds are asked for each time."""
    gina, pit = await attacker.staff(2), await attacker.staff(1)
    digests: asyncio.Queue[str] = asyncio.Queue()

    def heard(frame: bytes) -> None:
        for message in json.loads(frame):
            if message.get("t") == "proposed":
                digests.put_nowait(message["digest"])

    proposing, confirming = await attacker.page(gina, heard), await attacker.page(pit)
    proposing.send(b'{"t":"take-table","table":"%b","id":"take-%d"}' % (TABLE.encode(), time.time_ns()))
    # Whatever the table is at, one of these is next; the others are refused.
    ending = ("close-bets", *["draw-card"] * 6, "announce", "settle", "end-shoe", "close-table")
    for number in count():
        if not attacker.goes_on:
            break
        for act in ending:
            proposing.send(do(do=act)(number))
        await asyncio.sleep(0.3)
        key = f"own-{time.time_ns()}"
        setup = {
            "game": key,
            "declaration": dumps(GAMES["tiger"]).replace('key = "tiger"', f'key = "{key}"'),
            "source": "virtual",
        }
        proposing.send(do(do="open-table", setup=setup)(number))
        with suppress(TimeoutError):
            digest = await asyncio.wait_for(digests.get(), 1)
            message = {"t": "confirm", "id": f"c{time.time_ns()}", "table": TABLE, "digest": digest}
            confirming.send(json.dumps(message).encode())
            attacker.sent += 1
            await asyncio.sleep(0.2)
            proposing.send(do(do="load-shoe")(number))
        await asyncio.sleep(0.2)


async def utf8(attacker: Attacker) -> None:
    """Frames that are no text; each costs the page its connection."""
    await attacker.frames(lambda _: b'{"t":"ping","n":"\xff\xfe\xc3\x28"}')


async def many_pages(attacker: Attacker, *frames: Callable[[int], bytes]) -> None:
    """Far more pages of one guest than anybody needs, each at the rate that a page may have."""
    await attacker.frames(*frames, cookies=[""] * MANY_PAGES, sit=False)


async def connections(attacker: Attacker, number: int, *frames: bytes) -> None:
    """Open so many connections from one address, send frames on each that is let in, and read nothing."""
    raise_limit()
    there: list[socket.socket] = []
    for opened in range(number):
        if not attacker.goes_on:
            break
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        one.connect((LOOPBACK, attacker.port))
        one.send(hello(attacker.port, "/live"))
        one.setblocking(False)
        there.append(one)
        attacker.sent += 1
        if opened % PAGES == PAGES - 1:
            await asyncio.sleep(PACE_S)
    while attacker.goes_on:
        for one in there.copy() if frames else ():
            try:
                one.send(b"".join(masked(frame) for frame in frames))
                attacker.sent += 1
            except BlockingIOError:
                pass
            except OSError:  # it was refused, or cut off
                there.remove(one)
                one.close()
        await asyncio.sleep(PACE_S)
    for one in there:
        one.close()


async def verify(attacker: Attacker, *bodies: bytes, origin: str = "") -> None:
    """Texts of shoes to be verified."""
    async with attacker.browser(**({"origin": origin} if origin else {})) as browser:
        await attacker.requests(*(lambda body=body: browser.post("/api/verify", content=body) for body in bodies))


async def export(attacker: Attacker) -> None:
    """Whatever of the record anybody may ask for."""
    paths = ("/api/tables/1/rounds?last=100", "/api/tables/2/shoes", "/api/tables/2/shoes/1", "/api/tables/3/rounds/1")
    async with attacker.browser() as browser:
        await attacker.requests(*(lambda path=path: browser.get(path) for path in paths))


async def busy_rounds(attacker: Attacker) -> None:
    """Rounds with thousands of changes of stakes, many at a time and one by one, by pages that know none of them."""
    paths = [f"/api/tables/1/rounds?last={last}" for last in (100, 30, 10)]
    paths += [f"/api/tables/1/rounds/{number}" for number in (3, 17)]
    async with attacker.browser() as browser:
        await attacker.requests(*(lambda path=path: browser.get(path) for path in paths))


async def receipts(attacker: Attacker) -> None:
    """Receipts of every wager of a round, and checkpoints with their proofs, again and again."""
    paths = [f"/api/tables/{table}/rounds/1/receipts/{wager}" for table in (2, 3) for wager in range(1, 9)]
    paths += ["/api/receipts/nothing", "/api/checkpoints?last=100", "/api/checkpoints/latest", "/api/checkpoints/7"]
    paths += ["/api/checkpoints/consistency?from=7"]
    async with attacker.browser(cookie=await attacker.staff(0)) as browser:
        ticket = {"code": "AAAA-AAAA-AAAA-AAAA"}
        asks = [lambda path=path: browser.get(path) for path in paths]
        await attacker.requests(*asks, lambda: browser.post("/api/receipts/ticket", json=ticket))


async def audit(attacker: Attacker) -> None:
    """A pit supervisor who never stops asking."""
    async with attacker.browser(cookie=await attacker.staff(0)) as browser:
        await attacker.requests(
            lambda: browser.post("/api/audit"),
            lambda: browser.get("/api/books?by=shift"),
            lambda: browser.get("/api/books?by=patron&format=csv"),
        )


async def bodies(attacker: Attacker) -> None:
    """Bodies that are too large, too deep, packed, and full of long numbers."""
    as_json = {"content-type": "application/json"}
    deep = b'{"name":' + b"[" * 4_000 + b"]" * 4_000 + b"}"
    packed = gzip.compress(bytes(7_000_000))
    number = b'{"name":' + b"9" * 8_000 + b"}"
    async with attacker.browser() as browser:
        await attacker.requests(
            lambda: browser.post("/api/sign-in", content=deep, headers=as_json),
            lambda: browser.post("/api/sign-in", content=packed, headers={**as_json, "content-encoding": "gzip"}),
            lambda: browser.post("/api/sign-in", content=number, headers=as_json),
            lambda: browser.post("/api/sign-in", content=bytes(900_000), headers=as_json),
        )


async def slow(attacker: Attacker) -> None:
    """Bodies that come a byte at a time."""
    head = (
        f"POST /api/verify HTTP/1.1\r\nhost: 127.0.0.1:{attacker.port}\r\norigin: {attacker.address}\r\n"
        "content-length: 900000\r\n\r\n"
    )

    async def one() -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", attacker.port)
        writer.write(head.encode())
        while attacker.goes_on and not writer.is_closing():
            writer.write(b"x")
            attacker.sent += 1
            await asyncio.sleep(0.2)
        writer.close()

    await asyncio.gather(*(one() for _ in range(SLOW)))


async def sign_in(attacker: Attacker) -> None:
    """A name after the other, each with a wrong password."""
    names = count()
    async with attacker.browser() as browser:
        await attacker.requests(
            lambda: browser.post("/api/sign-in", json={"name": f"eve{next(names)}", "password": "x" * 200})
        )


_LONG = "x" * 19_800
ATTACKS: Final[dict[str, Callable[[Attacker], Awaitable[None]]]] = {
    "open-table of a patron, a key of 9,700 parts": lambda a: by_frames(a, opening(DOTTED)),
    "open-table of a patron, 6,000 tables deep": lambda a: by_frames(a, opening("a=" + "{a=" * 6_000)),
    "open-table of a manager, a key of 9,700 parts": lambda a: by_manager(a, DOTTED),
    "open-table of a manager, a game that is heavy": lambda a: by_manager(a, heavy_game(8, 3, 10)),
    "tables with games of their own, and their odds": own_game,
    "frames of 9,000 brackets": lambda a: by_frames(a, text('{"t":"do","id":"b","table":"1","act":' + "[" * 9_000)),
    "frames with a number of 19,000 digits": lambda a: by_frames(
        a, text('{"t":"stake","id":"d","table":"1","wager":"Tie","cents":' + "9" * 19_000 + "}")
    ),
    "frames of 1,900 keys": lambda a: by_frames(a, text("{" + ",".join(f'"k{n}":1' for n in range(1_900)) + "}")),
    "frames with strings of 19,800 letters": lambda a: by_frames(
        a, lambda n: json.dumps({"t": "stake", "id": f"l{n}", "table": "1", "wager": _LONG, "cents": 100}).encode()
    ),
    "stakes under ids of 19,000 letters": lambda a: by_frames(
        a, lambda n: f'{{"t":"stake","id":"{n}-{_LONG[:19_000]}","table":"1","wager":"Tie","cents":100}}'.encode()
    ),
    "frames that are no UTF-8": utf8,
    "pings": lambda a: by_frames(a, text('{"t":"ping"}')),
    "all tables watched again and again": lambda a: by_frames(
        a, text('{"t":"watch-floor"}'), *(text(f'{{"t":"watch","table":"{n}"}}') for n in range(2, 10))
    ),
    "a seat taken and left": lambda a: by_frames(a, text('{"t":"leave","table":"1"}'), text('{"t":"sit","table":"1"}')),
    "stakes that are refused": lambda a: by_frames(
        a, lambda n: b'{"t":"stake","id":"r%d-%d","table":"1","wager":"None","cents":77}' % (time.time_ns(), n)
    ),
    "tickets that nobody made": lambda a: by_frames(
        a, lambda n: b'{"t":"redeem","id":"t%d-%d","table":"1","code":"%d"}' % (time.time_ns(), n, n)
    ),
    "a shoe with a key of 9,700 parts": lambda a: verify(a, shoe("x", DOTTED)),
    "the same, from a page of another site": lambda a: verify(a, shoe("x", DOTTED), origin="https://example.org"),
    "fifty pages of one guest, all watching the floor": lambda a: many_pages(a, text('{"t":"watch-floor"}')),
    "fifty pages of one guest, all watching tables": lambda a: many_pages(
        a, *(text(f'{{"t":"watch","table":"{n}"}}') for n in range(1, 20))
    ),
    "a thousand connections that read nothing": lambda a: connections(
        a, READ_NOTHING, b'{"t":"watch-floor"}', b'{"t":"watch","table":"1"}'
    ),
    "as many idle connections as are let in": lambda a: connections(a, IDLE),
    "shoes of a megabyte": lambda a: verify(a, shoe("fortune-six", "", 300, 80), shoe("fortune-six", "", 990, 25)),
    "a shoe whose game is heavy": lambda a: verify(a, shoe("heavy", heavy_game(8, 3, 10), 900, 20)),
    "rounds and texts of shoes": export,
    "rounds with thousands of changes": busy_rounds,
    "receipts and checkpoints": receipts,
    "audits and books, again and again": audit,
    "bodies too large, too deep, packed": bodies,
    "two hundred bodies a byte at a time": slow,
    "sign-ins with long passwords": sign_in,
}


async def attack(folder: str, port: str, name: str, seconds: str) -> None:
    """One kind of attack, for so long."""
    attacker = Attacker(Path(folder), int(port), float(seconds))
    await ATTACKS[name](attacker)
    print(attacker.sent)


if __name__ == "__main__":
    asyncio.run(attack(*sys.argv[1:]))
