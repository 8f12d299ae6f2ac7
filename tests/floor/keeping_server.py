"""A server on loopback that keeps what is put at an address, as any that keeps files does; it can be told to fail."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

PATH = "/floors/marina"


@dataclass
class Keeping:
    """What is kept, and who may write."""

    url: str = ""
    note: bytes | None = None
    token: str = ""
    fails: int = 0
    # While it is clear, nobody is answered.
    answers: Event = field(default_factory=Event)
    puts: int = 0


class Handler(BaseHTTPRequestHandler):
    """One call; *keeping* is set by `keeping_server`."""

    keeping: Keeping

    def do_GET(self) -> None:
        self._answer(200 if self.keeping.note is not None else 404, self.keeping.note or b"nothing\n")

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.keeping.puts += 1
        if self.keeping.token and self.headers["Authorization"] != f"Bearer {self.keeping.token}":
            self._answer(401, b"no\n")
        elif self.keeping.fails:
            self.keeping.fails -= 1
            self._answer(503, b"later\n")
        else:
            self.keeping.note = body
            self._answer(204, b"")

    def _answer(self, status: int, body: bytes) -> None:
        self.keeping.answers.wait(20)
        self.send_response(status if self.path == PATH else 410)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with suppress(BrokenPipeError):  # whoever asked waits no longer
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def keeping_server() -> Iterator[Keeping]:
    """The server, on a port of its own."""
    keeping = Keeping()
    keeping.answers.set()
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"keeping": keeping})) as server:
        server.daemon_threads = True
        keeping.url = f"http://127.0.0.1:{server.server_port}{PATH}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield keeping
        finally:
            keeping.answers.set()
            server.shutdown()
            thread.join()
