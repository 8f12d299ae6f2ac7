"""A witness for tests, on loopback: it verifies each checkpoint as C2SP tlog-witness says, and cosigns what follows."""

import re
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from punto.errors import BadNote, BadSignature
from punto.proof import (
    EMPTY_ROOT,
    Algorithm,
    Checkpoint,
    Note,
    VerifierKey,
    Witness,
    cosign,
    open_note,
    verifier_key,
    verify_consistency,
)

Reply = tuple[int, str, bytes]
BODY = re.compile(rb"old (0|[1-9][0-9]*)\n((?:[A-Za-z0-9+/]{43}=\n){0,63})\n(.*)", re.DOTALL)


class TestWitness:
    """The state of a witness: the last checkpoint of each log that it knows."""

    __test__ = False

    def __init__(self, *logs: VerifierKey) -> None:
        self.name = "witness.example/w1"
        self.key = Ed25519PrivateKey.from_private_bytes(bytes(reversed(range(32))))
        self.verifier = verifier_key(self.name, self.key, Algorithm.COSIGNATURE)
        self.logs = {log.name: log for log in logs}
        self.seen: dict[str, Checkpoint] = {}
        self.now_s = 1_700_000_000
        self.bodies: list[bytes] = []
        self._lock = Lock()

    def add_checkpoint(self, body: bytes) -> Reply:
        """The answer to a call."""
        with self._lock:
            self.bodies.append(body)
            return self._answer(body)

    def _answer(self, body: bytes) -> Reply:
        parts = BODY.fullmatch(body)
        if not parts:
            return plain(400)
        old, proof = int(parts[1]), [b64decode(line) for line in parts[2].split()]
        try:
            told = Checkpoint.parse(Note.parse(parts[3]).text)
        except BadNote:
            return plain(400)
        if told.origin not in self.logs:
            return plain(404)
        try:
            text = open_note(parts[3], [self.logs[told.origin]]).text
        except BadSignature:
            return plain(403)
        if old > told.size:
            return plain(400)
        seen = self.seen.get(told.origin, Checkpoint(told.origin, 0, EMPTY_ROOT))
        if old != seen.size:
            return 409, "text/x.tlog.size", b"%d\n" % seen.size
        if not verify_consistency(old, told.size, seen.root, told.root, proof):
            return plain(422)
        self.seen[told.origin] = told
        self.now_s += 1
        return 200, "text/plain", cosign(text, self.name, self.key, self.now_s).line().encode()


def plain(status: int) -> Reply:
    return status, "text/plain", b"no\n"


class Handler(BaseHTTPRequestHandler):
    """One call; *witness* is set by `serving`."""

    witness: TestWitness

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        known = self.path == "/some/path/add-checkpoint"
        status, content_type, answer = self.witness.add_checkpoint(body) if known else plain(410)
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def serving(witness: TestWitness) -> Iterator[Witness]:
    """The witness on a port of its own."""
    handler = type("Bound", (Handler,), {"witness": witness})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield Witness(f"http://127.0.0.1:{server.server_port}/some/path/", witness.verifier)
        finally:
            server.shutdown()
            thread.join()
