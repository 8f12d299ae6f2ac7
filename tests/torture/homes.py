"""Where the store of a floor lies that is killed: in a file, or in a schema of a PostgreSQL server.

After a kill a copy of it is examined, and the next process goes on with the store itself, as the kill left it.
"""

import shutil
import signal
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import psycopg

from punto.store.inspecting import SHAPES
from tests.store.proxy import Proxy
from tests.store.server import Server
from tests.torture.worker import STORE

_PATIENCE_S = 30.0
_TABLES = tuple(name for kind, name in SHAPES[-1] if kind == "table")
# What can be done to a server, and how often it is.
_BLOWS = {"end-session": 2, "kill-backend": 2, "stop-server": 3, "lose-answer": 3, "lose-commit": 2}


class FileHome:
    """A store in a file."""

    # What else can be killed but the floor's own process.
    blows: tuple[str, ...] = ()

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = f"sqlite:{folder / STORE}"

    def strike(self, blow: str) -> None:
        """Nothing but the process itself can be killed here."""
        raise AssertionError(blow)

    def settle(self) -> None:
        """A killed process has done all that it will do."""

    @contextmanager
    def copy(self) -> Iterator[str]:
        """A copy of the store, as it lies there."""
        with TemporaryDirectory(dir=self.folder) as copy:
            for file in self.folder.glob(f"{STORE}*"):
                shutil.copy(file, copy)
            yield f"sqlite:{copy}/{STORE}"

    def remove(self) -> None:
        """Leave nothing behind."""
        shutil.rmtree(self.folder)

    def close(self) -> None:
        """Nothing is open here."""


class ServerHome:
    """A store in a schema of a server, which can be killed too."""

    blows = tuple(_BLOWS)

    def __init__(self, folder: Path, server: Server) -> None:
        self.folder = folder
        self._server = server
        self._schema = f"t{uuid.uuid4().hex}"
        # The floor's way to the server, on which a commit or its answer can be lost; a socket's path is short.
        self._way = TemporaryDirectory(prefix="punto-")
        self._proxy = Proxy(Path(self._way.name), server.socket)
        self.url = f"{self._proxy.url}&schema={self._schema}"

    def strike(self, blow: str) -> None:
        """Hit the floor's session, the process behind it, or the whole server, which starts again at once.

        Or cut the way to the server at the next commit: after it was delivered, or before.
        """
        match blow:
            case "lose-answer" | "lose-commit":
                self._proxy.cut(b"COMMIT", deliver=blow == "lose-answer")
                until = time.monotonic() + _PATIENCE_S
                while self._proxy.cut_at and time.monotonic() < until:
                    time.sleep(0.002)
            case "end-session":
                self._do("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'punto'")
            case "kill-backend":
                # The server takes its shared memory for damaged then, ends all sessions, and recovers.
                found = self._do("SELECT pid FROM pg_stat_activity WHERE application_name = 'punto'")
                self._server.signal([pid for (pid,) in found if isinstance(pid, int)], signal.SIGKILL)
            case "stop-server":
                self._server.stop(signal.SIGQUIT)
                self._server.start()
            case _:
                raise AssertionError(blow)

    def settle(self) -> None:
        """Wait until the sessions of a killed process have ended: what they were sent last, they may still do."""
        until = time.monotonic() + _PATIENCE_S
        while time.monotonic() < until:
            with suppress(psycopg.OperationalError):  # it may still be recovering
                if not self._do("SELECT 1 FROM pg_stat_activity WHERE application_name = 'punto'"):
                    return
            time.sleep(0.005)
        raise AssertionError("sessions of a killed process do not end")

    @contextmanager
    def copy(self) -> Iterator[str]:
        """A copy of the store, in a schema of its own."""
        copy = f"c{uuid.uuid4().hex}"
        if not self._do("SELECT 1 FROM pg_namespace WHERE nspname = %s", self._schema):
            yield self._at(copy)
            return
        statements = [f"CREATE SCHEMA {copy}"]
        for table in _TABLES:
            statements.append(f"CREATE TABLE {copy}.{table} (LIKE {self._schema}.{table} INCLUDING ALL)")
            statements.append(f"INSERT INTO {copy}.{table} TABLE {self._schema}.{table}")
        self._do("; ".join(statements))
        try:
            yield self._at(copy)
        finally:
            self._do(f"DROP SCHEMA {copy} CASCADE")

    def remove(self) -> None:
        """Leave nothing behind."""
        self._do(f"DROP SCHEMA IF EXISTS {self._schema} CASCADE")
        self.close()
        shutil.rmtree(self.folder)

    def close(self) -> None:
        """Close the way to the server."""
        self._proxy.close()
        self._way.cleanup()

    def _at(self, schema: str) -> str:
        return f"{self._server.url}&schema={schema}"

    def _do(self, statement: str, *parameters: str) -> list[tuple[object, ...]]:
        url = f"{self._server.url}&application_name=torture"
        with psycopg.connect(url, autocommit=True) as connection:
            done = connection.execute(statement, parameters or None)
            return done.fetchall() if done.description else []


Home = FileHome | ServerHome


def choose_blow(home: Home, chance: Random) -> str:
    """What is struck this time; nothing for the floor's own process, which is killed in the end in any case."""
    if not home.blows or chance.random() < 0.5:
        return ""
    return chance.choices(home.blows, [_BLOWS[each] for each in home.blows])[0]
