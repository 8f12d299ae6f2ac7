"""A way to a PostgreSQL server that can be cut at the worst moment."""

import socket
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread


class Proxy:
    """A unix socket that passes everything on, until it is told to cut the next commit off."""

    def __init__(self, folder: Path, server: Path) -> None:
        self.folder = folder
        self.cut_at: bytes = b""
        self.deliver = False
        self._hold_at: bytes = b""
        self._go_on = Event()
        self._server = server
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / ".s.PGSQL.5432"))
        self._listener.listen()
        self._threads = [Thread(target=self._accept)]
        self._threads[0].start()

    @property
    def url(self) -> str:
        """The address of the server's database, through here."""
        return f"postgresql://punto@/postgres?host={self.folder}"

    def cut(self, at: bytes, *, deliver: bool) -> None:
        """Cut the connection when a client sends this; deliver it first, or not even that."""
        self.cut_at, self.deliver = at, deliver

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
                server = socket.socket(socket.AF_UNIX)
                try:
                    server.connect(str(self._server))
                except OSError:  # it is down: so is this
                    server.close()
                    client.close()
                    continue
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
                    client.shutdown(socket.SHUT_RDWR)
                    if self.deliver:
                        server.sendall(said)
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
