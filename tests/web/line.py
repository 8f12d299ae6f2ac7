"""The line between a page and the floor, which a test can listen to, hold, alter and cut."""

import json
import re
import time
from typing import TYPE_CHECKING, Any, Final

from playwright.sync_api import Page, WebSocketRoute

if TYPE_CHECKING:
    from collections.abc import Callable

Message = dict[str, Any]

_PATIENCE_S: Final = 30.0
# A page pings so often.
_PING_MS: Final = 5_000
LIVE: Final = re.compile(r"/live$")


class Line:
    """The line of one page; it must be laid before the page is opened."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sent: list[Message] = []
        self.told: list[Message] = []
        # Once this is so of a message, that message still gets through, and nothing after it.
        self.hold_after: Callable[[Message], bool] | None = None
        # What is made of a message before the page hears it.
        self.alter: Callable[[Message], None] = lambda _: None
        # Whether what the page says gets to the floor, and what the floor says to the page.
        self.deaf = False
        self.mute = False
        # Whether nobody can be reached at all.
        self.down = False
        self.held = False
        # How far the floor's clock lies behind ours.
        self._gap_ms = 0
        self._waiting: list[str] = []
        self._ends: list[WebSocketRoute] = []
        self.connections = 0
        page.route_web_socket(LIVE, self._connected)

    def _connected(self, near: WebSocketRoute) -> None:
        if self.down:
            near.close()
            return
        far = near.connect_to_server()
        self._ends = [near, far]
        self.connections += 1

        def up(text: str | bytes) -> None:
            assert isinstance(text, str)
            self.sent.append(json.loads(text))
            if not self.deaf:
                far.send(text)

        def down(text: str | bytes) -> None:
            assert isinstance(text, str)
            self._heard(near, text)

        near.on_message(up)
        far.on_message(down)

    def _heard(self, near: WebSocketRoute, text: str) -> None:
        messages = json.loads(text)
        self.told += messages
        for clock in filter(None, map(_clock, messages)):
            self._gap_ms = _now_ms() - clock["at_ms"]
        if self.mute:
            return
        if self.held and any(each["t"] != "pong" for each in messages):
            self._waiting.append(text)
            return
        for each in messages:
            self.alter(each)
        near.send(json.dumps(messages))
        if self.hold_after and any(map(self.hold_after, messages)):
            self.held, self.hold_after = True, None

    def hold_at(self, phase: str) -> None:
        """Hold the line, once it has told of a phase."""
        self.hold_after = lambda message: message["t"] == "table" and message["set"].get("phase") == phase

    def until_held(self) -> None:
        """Wait until the line is held."""
        self.until(lambda: self.held)

    def until_told(self, *kinds: str) -> None:
        """Wait until something of these kinds is told from now on."""
        before = len(self.told)
        self.until(lambda: any(each["t"] in kinds for each in self.told[before:]))

    def until_pinged(self) -> None:
        """Let the page's clock, which must be installed, run until it pings: what it said before is here by then."""
        before = len(self.asked("ping"))
        self.page.clock.run_for(_PING_MS)
        self.until(lambda: len(self.asked("ping")) > before)

    def until(self, is_so: "Callable[[], object]") -> None:
        """Wait until something is so."""
        until = time.monotonic() + _PATIENCE_S
        while not is_so():
            assert time.monotonic() < until, "what the line was waited for never came"
            self.page.wait_for_timeout(20)  # a turn for the messages

    def release(self) -> None:
        """Let everything through that was held."""
        self.held = False
        waiting, self._waiting = self._waiting, []
        for text in waiting:
            self._heard(self._ends[0], text)

    def cut(self) -> None:
        """Cut the line, as a network does."""
        for end in self._ends:
            end.close()
        self._waiting.clear()
        self.held = False

    def tell(self, *messages: Message) -> None:
        """Tell the page something that the floor did not say, at the time that it is there."""
        for clock in filter(None, map(_clock, messages)):
            clock["at_ms"] = _now_ms() - self._gap_ms
        self._ends[0].send(json.dumps(messages))

    def asked(self, kind: str) -> list[Message]:
        """What the page has sent of a kind."""
        return [each for each in self.sent if each["t"] == kind]


def _clock(message: Message) -> Message | None:
    told: Message | None = message.get("set", {}).get("clock")
    return told


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
