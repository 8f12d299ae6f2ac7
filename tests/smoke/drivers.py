"""Firefox and WebKit, driven by the standards that Debian's builds speak of themselves.

Firefox listens for WebDriver BiDi on a port of its own; WebKit has a driver that speaks WebDriver over HTTP. Playwright
drives neither: it needs builds that it patches. What the tests ask is little, so the two clients are too.
"""

import itertools
import json
import os
import re
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.request import Request, urlopen

from tests.children import spawn
from tools.browser import install
from websockets.sync.client import ClientConnection, connect

if TYPE_CHECKING:
    import subprocess

PATIENCE_S: Final = 60.0
PACKAGES: Final = {"firefox": ("firefox-esr",), "webkit": ("webkit2gtk-driver", "xvfb")}
_SCREEN: Final = "1366x768x24"
_BIDI: Final = re.compile(r"listening on (ws://\S+)")
_DRIVER_FOLDERS: Final = ("webkit2gtk-4.1", "webkit2gtk-4.0", "webkitgtk-6.0")


class Browser(Protocol):
    """A browser with one window."""

    def open(self, address: str) -> None:
        """Go to an address, and wait until its document is there."""

    def run(self, function: str, *arguments: object) -> Any:  # noqa: ANN401
        """What a function of the page, written in JavaScript, returns for these arguments."""

    def act(self, actions: list[dict[str, Any]]) -> None:
        """Press and move as a person does, in the words of WebDriver."""


def wait_for(what: str, is_so: Callable[[], object]) -> Any:  # noqa: ANN401
    """Wait until something is so, and return it."""
    until = time.monotonic() + PATIENCE_S
    while not (found := is_so()):
        assert time.monotonic() < until, f"{what} never came"
        time.sleep(0.05)
    return found


class Firefox:
    """Firefox, by WebDriver BiDi."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self._numbers = itertools.count(1)
        self._ask("session.new", capabilities={})
        self._window = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def _ask(self, method: str, **parameters: object) -> Any:  # noqa: ANN401
        number = next(self._numbers)
        self._line.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._line.recv(timeout=PATIENCE_S))
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def open(self, address: str) -> None:
        self._ask("browsingContext.navigate", context=self._window, url=address, wait="complete")

    def run(self, function: str, *arguments: object) -> Any:  # noqa: ANN401
        # As text, for the protocol's own form of values is a tree of types.
        called = f"JSON.stringify(({function})(...{json.dumps(arguments)}) ?? null)"
        answer = self._ask("script.evaluate", expression=called, target={"context": self._window}, awaitPromise=True)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def act(self, actions: list[dict[str, Any]]) -> None:
        self._ask("input.performActions", context=self._window, actions=actions)


class WebKit:
    """WebKit, by WebDriver."""

    def __init__(self, address: str, minibrowser: str) -> None:
        self._address = address
        options = {"binary": minibrowser, "args": ["--automation"]}
        asked = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._session = self._ask("POST", "/session", asked)["sessionId"]

    def _ask(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401
        data = None if body is None else json.dumps(body).encode()
        asked = Request(self._address + path, data, {"Content-Type": "application/json"}, method=method)  # noqa: S310
        with urlopen(asked, timeout=PATIENCE_S) as answer:  # noqa: S310
            return json.loads(answer.read())["value"]

    def open(self, address: str) -> None:
        self._ask("POST", f"/session/{self._session}/url", {"url": address})

    def run(self, function: str, *arguments: object) -> Any:  # noqa: ANN401
        asked = {"script": f"return ({function})(...arguments)", "args": arguments}
        return self._ask("POST", f"/session/{self._session}/execute/sync", asked)

    def act(self, actions: list[dict[str, Any]]) -> None:
        self._ask("POST", f"/session/{self._session}/actions", {"actions": actions})

    def close(self) -> None:
        """End the session, and the browser with it."""
        self._ask("DELETE", f"/session/{self._session}")


def commands_of(name: str, *commands: str) -> list[str]:
    """The paths of a browser's commands; where one is missing, its packages are installed if that may be done."""
    if not all(map(shutil.which, commands)):
        install(*PACKAGES[name])
    found = [shutil.which(command) for command in commands]
    assert all(found), f"{name} is missing: install {' '.join(PACKAGES[name])}"
    return [str(path) for path in found]


@contextmanager
def firefox(folder: Path) -> Iterator[Browser]:
    """Firefox with a profile of its own, without a screen."""
    (path,) = commands_of("firefox", "firefox-esr")
    profile = folder / "profile"
    profile.mkdir()
    log = folder / "firefox.log"
    command = [path, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port=0", "about:blank"]
    with log.open("wb") as said, spawn(command, stdout=said, stderr=said, env=os.environ | {"HOME": str(folder)}) as ff:
        try:
            told = wait_for("Firefox's port", lambda: _BIDI.search(log.read_text(errors="replace")))
            with connect(f"{told[1]}/session", max_size=None, open_timeout=PATIENCE_S) as line:
                yield Firefox(line)
        finally:
            _end(ff)


@contextmanager
def webkit(folder: Path) -> Iterator[Browser]:
    """WebKit on a screen that nobody sees."""
    driver, xvfb = commands_of("webkit", "WebKitWebDriver", "Xvfb")
    minibrowsers = (path for kind in _DRIVER_FOLDERS for path in Path("/usr/lib").glob(f"*/{kind}/MiniBrowser"))
    minibrowser = next(minibrowsers, None)
    assert minibrowser, "WebKit's MiniBrowser is missing: install webkit2gtk-driver"
    with ExitStack() as stack:
        said = stack.enter_context((folder / "webkit.log").open("wb"))
        reading, writing = os.pipe()
        screen = spawn([xvfb, "-displayfd", str(writing), "-screen", "0", _SCREEN], pass_fds=(writing,), stderr=said)
        stack.callback(_end, screen)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            display = f":{pipe.readline().strip()}"
        port = free_port()
        environment = os.environ | {"DISPLAY": display, "HOME": str(folder), "LIBGL_ALWAYS_SOFTWARE": "1"}
        drives = spawn([driver, f"--port={port}"], stdout=said, stderr=said, env=environment)
        stack.callback(_end, drives)
        address = f"http://127.0.0.1:{port}"
        wait_for("WebKit's driver", lambda: _answers(f"{address}/status"))
        browser = WebKit(address, str(minibrowser))
        stack.callback(browser.close)
        yield browser


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    process.wait(PATIENCE_S)


def _answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=5):  # noqa: S310
            return True
    except OSError:
        return False


def free_port() -> int:
    """A port that nobody listens on, for a program that cannot choose one itself."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
