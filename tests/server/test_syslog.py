"""Syslog: messages as RFC 5424 has them, over every kind of line, and a receiver that is away."""

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import pytest
from tests.server.test_journal import served
from tests.server.waiting import until, waits

from punto.record import journal as noted
from punto.record.significant import EventKind, Severity, SignificantEvent
from punto.rules import Position
from punto.server import syslog as module
from punto.server.syslog import Line, Receiver, message

_TICK_S: Final = 0.05
EVENT: Final = SignificantEvent(
    1_767_196_800_123,
    EventKind.SIGN_IN,
    "sign-ins-failed",
    Severity.WARNING,
    'o"ne]\\',
    Position.DEALER,
    "A sign-in failed\n<1>1 forged",
    "登录失败",
    "journal",
    7,
)
RFC_5424: Final = re.compile(
    r"<(?P<pri>\d{1,3})>1 (?P<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (?P<host>[!-~]{1,255}) punto (?P<pid>\d+) "
    r'(?P<id>[!-~]{1,32}) \[event@32473(?P<data>( [a-z]+="([^"\\\]]|\\["\\\]])*")+)\] \ufeff(?P<said>[^\n]*)'
)


class Heard:
    """A receiver, and what it has heard."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.raw = b""

    def hear(self, line: socket.socket, over: Event) -> None:
        """Take down what comes, until it is over or whoever sends hangs up."""
        while not over.is_set():
            with suppress(TimeoutError):
                got = line.recv(65_536)
                if not got:
                    return
                self.raw += got

    @property
    def kinds(self) -> list[str]:
        return re.findall(r' kind="([a-z-]+)"', self.raw.decode())

    async def until(self, *kinds: str) -> None:
        await until(lambda: set(kinds) <= set(self.kinds))


@contextmanager
def receiver(scheme: str, folder: Path) -> Iterator[Heard]:
    """Somebody who listens for syslog messages, on a thread."""
    if scheme == "unix":
        line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        line.bind(str(folder / "log"))
        heard = Heard(f"unix:{folder / 'log'}")
    else:
        line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM if scheme == "udp" else socket.SOCK_STREAM)
        line.bind(("127.0.0.1", 0))
        heard = Heard(f"{scheme}://127.0.0.1:{line.getsockname()[1]}")
    if scheme == "tcp":
        line.listen()
    line.settimeout(_TICK_S)
    over = Event()

    def listen() -> None:
        while not over.is_set():
            with suppress(TimeoutError):
                if scheme != "tcp":
                    heard.hear(line, over)
                    continue
                peer, _ = line.accept()
                with peer:
                    peer.settimeout(_TICK_S)
                    heard.hear(peer, over)

    thread = Thread(target=listen)
    thread.start()
    try:
        yield heard
    finally:
        over.set()
        thread.join()
        line.close()


def test_a_message_is_one_that_rfc_5424_describes_and_nobody_can_forge_another_inside() -> None:
    text = message(EVENT, "machine").decode()
    read = RFC_5424.fullmatch(text)
    assert read, text
    assert read["pri"] == "84", "security, warning"
    assert read["at"] == "2025-12-31T16:00:00.123Z"
    assert read["said"] == "A sign-in failed\N{REPLACEMENT CHARACTER}<1>1 forged"
    assert 'by="o\\"ne\\]\\\\"' in read["data"]
    assert 'stream="journal" version="7"' in read["data"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "log.example",
        "http://log.example",
        "udp://",
        "udp://a/b",
        "unix:log",
        "unix://log/a",
        "tcp://a:99999",
        "tcp://u@a",
    ],
)
def test_an_address_that_names_no_receiver_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected udp://HOST|out of range"):
        Receiver.parse(text)


@pytest.mark.parametrize("scheme", ["udp", "tcp", "unix"])
@waits
async def test_events_get_to_the_receiver_over_every_kind_of_line(tmp_path: Path, scheme: str) -> None:
    with receiver(scheme, tmp_path) as heard:
        async with served(tmp_path, syslog=heard.address) as server:
            await heard.until("start", "configuration")
            server.hall.journal.note(noted.RecordExported("books"))
            await heard.until("export")
        await heard.until("stop")
    if scheme == "tcp":  # each message is counted, as RFC 6587 has it
        length, _, rest = heard.raw.partition(b" ")
        assert RFC_5424.fullmatch(rest[: int(length)].decode())
    places = re.findall(r'stream="\S+" version="\d+"', heard.raw.decode())
    assert len(places) == len(set(places)) == len(heard.kinds)


@waits
async def test_what_a_new_floor_wrote_before_it_opened_gets_away_and_what_an_older_one_did_is_not_told_again(
    tmp_path: Path,
) -> None:
    orders = "The house's orders are on record"
    new, older = tmp_path / "new", tmp_path / "older"
    new.mkdir()
    older.mkdir()
    async with served(older):
        pass
    with receiver("udp", tmp_path) as heard:
        async with served(older, syslog=heard.address):
            await heard.until("start")
        assert orders not in heard.raw.decode()
        async with served(new, syslog=heard.address):
            await until(lambda: orders in heard.raw.decode())


@asynccontextmanager
async def away(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Any, int]]:
    """A floor whose receiver is not there, and the port at which it is expected."""
    monkeypatch.setattr(module, "_FIRST_WAIT_S", 0.05)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    async with served(folder, syslog=f"tcp://127.0.0.1:{port}") as server:
        yield server, port


@waits
async def test_a_receiver_that_is_away_is_named_and_gets_everything_once_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with away(tmp_path, monkeypatch) as (server, port):
        await until(server.hall.damaged)
        [(where, said)] = server.hall.damaged().items()
        assert where == f"outside tcp://127.0.0.1:{port}"
        assert said.startswith("events do not get away")
        server.hall.journal.note(noted.RecordExported("books"))
        with socket.socket() as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(("127.0.0.1", port))
            listener.listen()
            peer, _ = await asyncio.to_thread(listener.accept)
            with peer:
                got = await asyncio.to_thread(peer.recv, 65_536)
                assert b'kind="start"' in got
                await until(lambda: not server.hall.damaged())


@waits
async def test_what_the_receiver_missed_is_sent_when_the_floor_opens_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiver("udp", tmp_path) as heard:
        async with served(tmp_path, syslog=heard.address) as server:
            server.hall.journal.note(noted.RecordExported("books"))
            await heard.until("export")
    async with away(tmp_path, monkeypatch) as (server, _):
        server.hall.journal.note(noted.RecordExported("shoe text"))
    with receiver("udp", tmp_path) as later:
        async with served(tmp_path, syslog=later.address):
            await later.until("export")
    said = later.raw.decode()
    assert "Exported: shoe text" in said
    assert "Exported: books" not in said, "that was sent before"


def test_a_line_that_the_receiver_has_closed_is_noticed() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        line = Line(Receiver("tcp", "127.0.0.1", listener.getsockname()[1]))
        line.send([message(EVENT, "a")])
        listener.accept()[0].close()
        with pytest.raises(OSError, match=r"closed|reset|Broken pipe"):
            line.send([message(EVENT, "a")] * 3)
        line.close()
