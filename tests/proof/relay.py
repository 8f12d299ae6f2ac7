"""A relay of the tests' own beacon, on loopback: it serves rounds as drand's HTTP API does, or misbehaves."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from json import dumps
from threading import Event, Thread
from time import time

from tests.proof.beacon import TestBeacon

from punto.table.contributions import Beacon

SIGNING = TestBeacon()


@dataclass
class Relay:
    """A network whose first round came long ago; each takes a second."""

    url: str = ""
    beacon: Beacon = field(default_factory=lambda: Beacon("our-own", SIGNING.key, 1_700_000_000, 1))
    # What it answers in place of the truth.
    lies: str = ""
    is_up: bool = True
    # Rounds that were asked for, with the time.
    asked: list[tuple[str, float]] = field(default_factory=list)
    answers: Event = field(default_factory=Event)

    def answer(self, named: str) -> tuple[int, bytes]:
        """Status and body for a round, or for the latest."""
        self.asked.append((named, time()))
        latest = self.beacon.round_after(round(time() * 1000)) - 1
        halted = self.lies == "the latest is old"
        round_ = int(named) if named != "latest" else 1_000 if halted else latest
        if not self.is_up or round_ > latest:
            return 404, b"not yet\n"
        signed = round_ - 1 if self.lies == "an older value" else round_
        told = round_ + 1 if self.lies == "another round" else round_
        body = dumps({"round": told, "randomness": "00", "signature": SIGNING.sign(signed)}).encode()
        return 200, b"<html>" if self.lies == "no JSON" else body


class _Handler(BaseHTTPRequestHandler):
    relay: Relay

    def do_GET(self) -> None:
        self.relay.answers.wait(20)
        status, body = self.relay.answer(self.path.rpartition("/")[2])
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with suppress(BrokenPipeError):
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def relay_server() -> Iterator[Relay]:
    """The relay, on a port of its own."""
    relay = Relay()
    relay.answers.set()
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (_Handler,), {"relay": relay})) as server:
        server.daemon_threads = True
        relay.url = f"http://127.0.0.1:{server.server_port}/net"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield relay
        finally:
            relay.answers.set()
            server.shutdown()
            thread.join()
