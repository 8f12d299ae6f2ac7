"""The PostgreSQL database of a store: its address, its tables, its faults in Punto's words."""

import logging
import os
import re
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final, NamedTuple
from urllib.parse import unquote

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from punto.errors import BadStore, NewerSchema, NotAStore, PuntoError, StoreGone, StoreLocked, quoted
from punto.store.arrays import accept_arrays
from punto.store.deadlines import DEADLINES

Connection = psycopg.Connection[tuple[object, ...]]
Migration = tuple[str, ...]

# A migration, once released, is never changed; the next one is added below it.
MIGRATIONS: Final[tuple[Migration, ...]] = (
    (
        """
        CREATE TABLE entries (
            stream text COLLATE "C" NOT NULL,
            version bigint NOT NULL,
            command text COLLATE "C",
            body bytea NOT NULL,
            hash bytea NOT NULL,
            PRIMARY KEY (stream, version)
        )
        """,
        "CREATE UNIQUE INDEX entries_command ON entries (command) WHERE command IS NOT NULL",
        'CREATE TABLE epochs (name text COLLATE "C" PRIMARY KEY, epoch bigint NOT NULL)',
        """
        CREATE TABLE snapshots (
            stream text COLLATE "C" PRIMARY KEY,
            version bigint NOT NULL,
            hash bytea NOT NULL,
            body bytea NOT NULL
        )
        """,
    ),
    # What is kept about people, outside all streams: it can be erased.
    (
        'CREATE TABLE persons (person text COLLATE "C" PRIMARY KEY, key bytea NOT NULL)',
        """
        CREATE TABLE personal (
            person text COLLATE "C" NOT NULL,
            ref text COLLATE "C" NOT NULL,
            sealed bytea NOT NULL,
            PRIMARY KEY (person, ref)
        )
        """,
    ),
)

# Since the first version of the tables.
_TABLES: Final = {"meta", "entries", "epochs", "snapshots"}

_OWN_SESSION: Final = "SELECT pid, backend_start FROM pg_catalog.pg_stat_activity WHERE pid = pg_backend_pid()"

# What the library would say on the side, it also raises.
logging.getLogger("psycopg").addHandler(logging.NullHandler())

_SCHEMA: Final = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_PORTS: Final = re.compile("[0-9,]*")

# What the address may say otherwise: a dead network is noticed within seconds, not hours.
_DEFAULTS: Final[dict[str, str]] = {
    "application_name": "punto",
    "client_encoding": "utf8",
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}

# Whoever freezes in the middle of a transaction loses it before those who wait for its locks give up. Between the
# statements of a pipeline only a server of version 17 or later can tell.
_SETTINGS: Final = """
    SET synchronous_commit = on;
    SET default_transaction_isolation = 'read committed';
    SET idle_in_transaction_session_timeout = '5s';
    SET lock_timeout = '10s'
"""
_LONGEST_TRANSACTION: Final = "8s"
# A server that stands still says nothing at all, so whoever asks must know when to give up: after the server would have
# given up by itself.
DEADLINE_S: Final = 12.0
_SETTLING_IN_S: Final = 5.0
_TIMES_TRANSACTIONS: Final = 17_00_00

_FAULTS: Final[Mapping[str, tuple[type[PuntoError], str]]] = {
    "40": (StoreLocked, "other writers are in the way"),
    "3F": (NotAStore, "does not hold what a store holds"),
    "42": (NotAStore, "does not hold what a store holds"),
    "42501": (StoreGone, "does not let us"),
    "53": (StoreGone, "takes no more"),
    "55P03": (StoreLocked, "somebody else is writing"),
    "XX001": (NotAStore, "is damaged"),
    "XX002": (NotAStore, "is damaged"),
}


@dataclass(frozen=True, slots=True)
class Address:
    """Where a store is: how to reach the server, the schema, and a name for messages, without the password."""

    conninfo: str = field(repr=False)
    schema: str
    name: str
    # How long the server may take to answer.
    deadline_s: float = DEADLINE_S


def parse(url: str) -> Address:
    """The address that a URL gives; `?schema=` names another schema than `punto`, `?deadline_s=` another deadline.

    >>> parse("postgresql://floor:secret@db.example:5433/pit?schema=night").name
    'postgresql://db.example:5433/pit?schema=night'
    """
    base, _, query = url.partition("?")
    options = [option for option in query.split("&") if option]
    schemas = [unquote(option.partition("=")[2]) for option in options if option.startswith("schema=")]
    schema = schemas[-1] if schemas else "punto"
    if not _SCHEMA.fullmatch(schema):
        raise BadStore(f"schema {quoted(schema)}: expected lower-case letters, digits and underscores")
    deadline_s = _deadline(options)
    rest = "&".join(option for option in options if not option.startswith(_OUR_OPTIONS))
    try:
        told = conninfo_to_dict(f"{base}?{rest}" if rest else base)
    except psycopg.ProgrammingError as error:
        words = "the address does not read" if "@" in url or "password" in url else _line(error)
        raise BadStore(f"{words}: expected postgresql://USER@HOST:PORT/DATABASE") from None
    host, port = str(told.get("host") or ""), str(told.get("port") or "")
    if not _PORTS.fullmatch(port):  # a password, where the user was left out
        raise BadStore("the port is no number: expected postgresql://USER@HOST:PORT/DATABASE")
    place = "" if host.startswith("/") else f"{host}:{port}" if port else host
    name = f"postgresql://{place}/{told.get('dbname') or ''}?schema={schema}"
    conninfo = make_conninfo(**_DEFAULTS | {key: str(value) for key, value in told.items()})
    return Address(conninfo, schema, name, deadline_s)


_OUR_OPTIONS: Final = ("schema=", "deadline_s=")


def is_unchecked(url: str) -> bool:
    """Whether the server is on another machine, and nobody looks whose certificate it shows.

    >>> is_unchecked("postgresql://floor@db.example/pit"), is_unchecked("postgresql:///pit?host=/run/postgresql")
    (True, False)
    """
    told = conninfo_to_dict(parse(url).conninfo)
    hosts = str(
        told.get("hostaddr") or told.get("host") or os.environ.get("PGHOSTADDR") or os.environ.get("PGHOST") or ""
    )
    mode = told.get("sslmode") or os.environ.get("PGSSLMODE")
    return mode not in _CHECKED and not all(map(_is_here, hosts.split(",")))


_CHECKED: Final = ("verify-full", "verify-ca")


def _is_here(host: str) -> bool:
    """Whether a server is on this machine: by a socket, or at an address that no other machine reaches."""
    if not host or host.startswith(("/", "@")) or host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _deadline(options: Sequence[str]) -> float:
    """How long the server may take to answer, as the options of an address have it."""
    told = [option.partition("=")[2] for option in options if option.startswith("deadline_s=")]
    if not told:
        return DEADLINE_S
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,3})?", told[-1]) or not float(told[-1]):
        raise BadStore(f"deadline_s {quoted(told[-1])}: expected seconds, more than 0")
    return float(told[-1])


class Session(NamedTuple):
    """What tells a session at the server from every other: the number of its process, and since when it is there."""

    pid: int
    since: object


class Line:
    """The socket under a connection, which any thread may cut; whoever waits for an answer then waits no longer."""

    def __init__(self, connection: Connection) -> None:
        self._socket = socket.socket(fileno=os.dup(connection.fileno()))
        self.cut_off = False

    def cut(self) -> None:
        """Give up waiting: no answer will come any more."""
        self.cut_off = True
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Let go of the socket."""
        self._socket.close()


class Link:
    """A connection that is opened when it is needed, and let go when it is lost."""

    def __init__(self, address: Address, *, read_only: bool) -> None:
        self._address = address
        self._read_only = read_only
        self._connection: Connection | None = None
        self._line: Line | None = None
        # The session at the server of the connection that was opened last.
        self.session: Session | None = None

    @property
    def is_closed(self) -> bool:
        """Whether the connection has yet to be opened."""
        return self._connection is None

    @property
    def is_cut_off(self) -> bool:
        """Whether the connection was given up because no answer came in time."""
        return self._line is not None and self._line.cut_off

    def connection(self) -> Connection:
        """The connection, opened anew if it was lost."""
        if self._connection is None:
            self._open()
        assert self._connection is not None, "opening it raises, or opens it"
        return self._connection

    def cut(self) -> None:
        """Give up waiting for an answer; called by any thread."""
        line = self._line
        if line is not None:
            line.cut()

    def close(self) -> None:
        """Let go of the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._line is not None:
            self._line.close()
            self._line = None

    def _open(self) -> None:
        """Open the connection; transactions are begun and ended by hand."""
        address = self._address
        try:
            self._connection = connection = psycopg.connect(address.conninfo, autocommit=True)
            self._line = Line(connection)
            with DEADLINES.within(_SETTLING_IN_S, self._line.cut):
                accept_arrays(connection)
                connection.execute(f'{_SETTINGS}; SET search_path = "{address.schema}"')
                if not self._read_only:
                    _set_longest(connection, _LONGEST_TRANSACTION)
                if self._read_only:
                    connection.execute("SET default_transaction_read_only = on")
                self.session = Session(*_one(connection, _OWN_SESSION))  # type: ignore[arg-type]
        except psycopg.Error as error:
            told = fault(address, error, late_s=_SETTLING_IN_S if self.is_cut_off else 0)
            self.close()
            raise told from error
        except BaseException:
            self.close()
            raise


def fault(address: Address, error: psycopg.Error, then: str = "", *, late_s: float = 0) -> PuntoError:
    """A fault of PostgreSQL's in Punto's words, and what became of the writing; *late_s* if no answer came so long."""
    if late_s:
        return StoreGone(f"{address.name}: does not answer (for {late_s:g} s){then}")
    state = error.sqlstate or ""
    kind, words = _FAULTS.get(state) or _FAULTS.get(state[:2]) or (StoreGone, "does not answer")
    return kind(f"{address.name}: {words} ({_line(error)}){then}")


def check(connection: Connection, address: Address, migrations: Sequence[Migration]) -> int:
    """The version of the tables; 0 where there are none."""
    (encoding,) = _one(connection, "SHOW server_encoding")
    if encoding != "UTF8":
        raise BadStore(f"{address.name}: is encoded in {encoding}: expected UTF8")
    query = "SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = %s"
    tables = {name for (name,) in connection.execute(query, (address.schema,))}
    if not tables:
        return 0
    if missing := _TABLES - tables:
        raise NotAStore(f"{address.name}: is no store: {', '.join(sorted(missing))} missing")
    (version,) = _one(connection, "SELECT version FROM meta")
    if not isinstance(version, int):
        raise NotAStore(f"{address.name}: is damaged: it has no version")
    if version > len(migrations):
        raise NewerSchema(f"{address.name}: has tables of version {version}: this Punto knows up to {len(migrations)}")
    return version


def migrate(connection: Connection, address: Address, migrations: Sequence[Migration]) -> None:
    """Bring the tables to the last version, in one transaction, while others who would do the same wait."""
    with connection.transaction():
        _set_longest(connection, "0", "LOCAL")
        connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (f"punto {address.schema}",))
        version = check(connection, address, migrations)
        if not version:
            connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{address.schema}"')
            connection.execute("CREATE TABLE meta (version integer NOT NULL)")
            connection.execute("INSERT INTO meta (version) VALUES (0)")
        for migration in migrations[version:]:
            for statement in migration:
                connection.execute(statement)
        connection.execute("UPDATE meta SET version = %s", (len(migrations),))


def _set_longest(connection: Connection, time: str, scope: str = "SESSION") -> None:
    """Say how long a transaction may take, where the server can tell; 0 is for ever."""
    if connection.info.server_version >= _TIMES_TRANSACTIONS:
        connection.execute(f"SET {scope} transaction_timeout = '{time}'")


def _one(connection: Connection, query: str) -> tuple[object, ...]:
    found = connection.execute(query).fetchone()
    return found or (None,)


def _line(error: psycopg.Error) -> str:
    """The first line of what the server or the library says."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]
