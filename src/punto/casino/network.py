"""A simulated network: connections between people's pages and the process that serves them.

What a page sends may be delayed, doubled, overtaken by what was sent later, or lost together with the connection, which
is worse than what a WebSocket does to it; only the page's first words, which say where it sits, are not overtaken. What
a page is told comes in order, late, and up to the moment at which the connection is cut.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from punto.casino.loop import Agenda, Loop
from punto.server.outlet import OUTLET

if TYPE_CHECKING:
    import asyncio

# The bytes in front of a frame's text, by what the second of them says (RFC 6455, 5.2).
_LONG: Final = {126: 4, 127: 10}
Messages = list[dict[str, Any]]
_DECODER: Final = msgspec.json.Decoder(list[dict[str, Any]])


@dataclass
class Weather:
    """How the network is just now: chances that a message is lost or doubled, and the longest delay."""

    lost: float = 0.0
    doubled: float = 0.0
    longest_s: float = 0.05


class Page(Protocol):
    """The end of a connection at which somebody sits."""

    name: str
    cookie: str

    def connected(self) -> None:
        """The floor has taken the connection."""

    def hear(self, messages: Messages) -> None:
        """The floor has told something."""

    def lost(self, line: "Line") -> None:
        """A connection is no more."""


class Line:
    """One connection."""

    def __init__(self, page: Page, agenda: Agenda, chance: Random, weather: Weather, loop: Loop) -> None:
        self.page = page
        self.is_cut = False
        self._agenda = agenda
        self._chance = chance
        self._weather = weather
        self._inbox: deque[dict[str, Any]] = deque([{"type": "websocket.connect"}])
        self._waiting: asyncio.Future[None] | None = None
        # The loop of the process that serves it.
        self.loop = loop
        # All that was told on it.
        self.digest = sha256()
        # When the last thing that was told arrives: nothing that is told later comes before.
        self._arrives_s = 0.0
        # When the page's first words arrive, which say where it sits.
        self._begun_s = 0.0
        self.told: Callable[[Line, bytes, Messages], None] | None = None

    # The page's end

    def send(self, message: bytes, *, first: bool = False) -> int:
        """Send a message, and say how often it goes; what is sent later does not overtake one that comes *first*."""
        if self.is_cut:
            return 0
        if self._chance.random() < self._weather.lost:  # and with it all that would come after it
            self._agenda.after(self._delay_s(), self.cut)
            return 1
        copies = 2 if self._chance.random() < self._weather.doubled else 1
        for _ in range(copies):
            arrives_s = max(self._begun_s, self._agenda.now_s + self._delay_s())
            if first:
                self._begun_s = arrives_s
            self._agenda.add(arrives_s, None, lambda: self._arrive(message))
        return copies

    def cut(self) -> None:
        """Lose the connection: either end notices when it does."""
        if self.is_cut:
            return
        self.is_cut = True
        self._agenda.after(self._delay_s(), lambda: self._put({"type": "websocket.disconnect", "code": 1006}))
        self._agenda.after(self._delay_s(), lambda: self.page.lost(self))

    def _delay_s(self) -> float:
        return 0.001 + self._weather.longest_s * self._chance.random() ** 3

    def _arrive(self, message: bytes) -> None:
        if not self.is_cut:
            self._put({"type": "websocket.receive", "text": message.decode()})

    def _put(self, message: dict[str, Any]) -> None:
        self._inbox.append(message)
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            self._agenda.add(
                self._agenda.now_s, self.loop, lambda: None if waiting.done() else waiting.set_result(None)
            )

    # The floor's end

    def serve(self, application: Any) -> None:
        """Hand the connection to the process; called on its loop."""
        scope = {
            "type": "websocket",
            "path": "/live",
            "headers": [
                (b"host", b"127.0.0.1"),
                (b"origin", b"http://127.0.0.1"),
                (b"cookie", self.page.cookie.encode()),
            ],
            "client": ("127.0.0.1", 1),
            "query_string": b"",
            "extensions": {OUTLET: self},
        }
        self.loop.create_task(application(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        while not self._inbox:
            self._waiting = self.loop.create_future()
            await self._waiting
        return self._inbox.popleft()

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.accept":
            self._after(self.page.connected)
        elif message["type"] == "websocket.close":
            self._after(self.cut)

    # What the server calls an outlet

    allowance: Any = None
    # The network takes everything at once, and the floor hears each message as it comes.
    unsent = unheard = 0

    def is_reserved(self) -> bool:
        """Whether it has one of the last descriptors: there are none here."""
        return False

    def refuse(self, _: Any) -> None:
        """There will be no connection."""
        self._after(self.cut)

    def write(self, frame: bytes) -> int:
        """Send a frame to the page; how much of it waits."""
        if self.is_cut:
            return -1
        self.digest.update(frame)
        messages = _DECODER.decode(frame[_LONG.get(frame[1], 2) :])
        if self.told is not None:
            self.told(self, frame, messages)
        self._after(lambda: self.page.hear(messages))
        return 0

    def _after(self, act: Callable[[], None]) -> None:
        self._arrives_s = max(self._arrives_s, self._agenda.now_s + self._delay_s())

        def arrive() -> None:
            if not self.is_cut:
                act()

        self._agenda.add(self._arrives_s, None, arrive)
