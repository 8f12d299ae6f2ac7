"""A way to a PostgreSQL server that can be cut at the worst moment."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

from psycopg.conninfo import conninfo_to_dict


class Proxy:
    """A unix socket that passes everything on, until it is told to cut the next commit off."""

    def __init__(self, folder: Path, server: Path | tuple[str, int]) -> None:
        self.folder = folder
        self.options = {"user": "punto", "dbname": "postgres"}
        self.cut_at: bytes = b""
        self.deliver = False
        # Whether whoever comes is turned away, from the next cut on or at once.
        self.down = False
        self._stays_down = False
        self._late_s = 0.0
        self._hold_at: bytes = b""
        self._go_on = Event()
        # Whether a connection was cut, and the server has done what was to be delivered before.
        self.was_cut = Event()
        self._server = server
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / ".s.PGSQL.5432"))
        self._listener.listen()
        self._clients: list[socket.socket] = []
        self._threads = [Thread(target=self._accept)]
        self._threads[0].start()

    @property
    def url(self) -> str:
        """The address of the server's database, through here."""
        return f"postgresql://{self.options['user']}@/{self.options['dbname']}?host={self.folder}"

    def cut(self, at: bytes, *, deliver: bool, stay_down: bool = False, late_s: float = 0.0) -> None:
        """Cut the connection when a client sends this; deliver it first, or late, or not even that.

        With *stay_down* every connection is cut, and nobody is let in after that.
        """
        self.deliver, self._stays_down, self._late_s = deliver, stay_down, late_s
        self.was_cut.clear()
        self.cut_at = at

    def hold(self, at: bytes) -> None:
        """When a client sends this, pass nothing on until it is let go; to others all stays open."""
        self._hold_at = at

    def let_go(self) -> None:
        """Deliver what was held."""
        self._go_on.set()

    def close(self) -> None:
        """Stop, when the clients have gone."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(10)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self.down:
                    client.close()
                    continue
                server = socket.socket(socket.AF_UNIX if isinstance(self._server, Path) else socket.AF_INET)
                try:
                    server.connect(str(self._server) if isinstance(self._server, Path) else self._server)
                except OSError:  # it is down: so is this
                    server.close()
                    client.close()
                    continue
                self._clients.append(client)
                self._threads += [Thread(target=self._up, args=(client, server))]
                self._threads[-1].start()

    def _up(self, client: socket.socket, server: socket.socket) -> None:
        down = Thread(target=_pass_on, args=(server, client))
        down.start()
        with suppress(OSError):
            while said := client.recv(1 << 16):
                if self._hold_at and self._hold_at in said:
                    self._hold_at = b""
                    self._go_on.wait(30)
                if self.cut_at and self.cut_at in said:
                    self.cut_at = b""
                    self.down = self._stays_down
                    for each in self._clients if self.down else (client,):
                        with suppress(OSError):
                            each.shutdown(socket.SHUT_RDWR)
                    if self.deliver:
                        time.sleep(self._late_s)
                        server.sendall(said)
                        with suppress(OSError):
                            server.shutdown(socket.SHUT_WR)
                        down.join(10)  # by then the server has done it
                    self.was_cut.set()
                    break
                server.sendall(said)
        with suppress(OSError):
            server.shutdown(socket.SHUT_WR)  # the server finishes what it was told, then hangs up
        down.join(10)
        client.close()
        server.close()


def _pass_on(server: socket.socket, client: socket.socket) -> None:
    while True:
        try:
            said = server.recv(1 << 16)
        except OSError:
            said = b""
        if not said:
            break
        with suppress(OSError):
            client.sendall(said)
    with suppress(OSError):
        client.shutdown(socket.SHUT_RDWR)


@contextmanager
def proxied(url: str) -> Iterator[Proxy]:
    """A proxy in front of the server of an address; the schemas in it are made through the proxy's own."""
    told = conninfo_to_dict(url)
    host, port = str(told.get("host") or ""), int(told.get("port") or 5432)
    server = Path(host) / f".s.PGSQL.{port}" if host.startswith("/") else (host, port)
    with TemporaryDirectory(prefix="punto-", dir="/tmp") as folder:
        proxy = Proxy(Path(folder), server)
        proxy.options = {"user": str(told.get("user") or "punto"), "dbname": str(told.get("dbname") or "postgres")}
        try:
            yield proxy
        finally:
            proxy.close()
