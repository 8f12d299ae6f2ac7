"""The PostgreSQL database of a store: its address, its tables, its faults in Punto's words."""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from punto.errors import BadStore, NewerSchema, NotAStore, PuntoError, StoreGone, StoreLocked, quoted
from punto.store.arrays import accept_arrays

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
)

_TABLES: Final = {"meta", "entries", "epochs", "snapshots"}

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


def parse(url: str) -> Address:
    """The address that a URL gives; `?schema=` names another schema than `punto`.

    >>> parse("postgresql://floor:secret@db.example:5433/pit?schema=night").name
    'postgresql://db.example:5433/pit?schema=night'
    """
    base, _, query = url.partition("?")
    options = [option for option in query.split("&") if option]
    schemas = [unquote(option.partition("=")[2]) for option in options if option.startswith("schema=")]
    schema = schemas[-1] if schemas else "punto"
    if not _SCHEMA.fullmatch(schema):
        raise BadStore(f"schema {quoted(schema)}: expected lower-case letters, digits and underscores")
    rest = "&".join(option for option in options if not option.startswith("schema="))
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
    return Address(make_conninfo(**_DEFAULTS | {key: str(value) for key, value in told.items()}), schema, name)


def connect(address: Address, *, read_only: bool) -> Connection:
    """A connection; transactions are begun and ended by hand."""
    try:
        connection = psycopg.connect(address.conninfo, autocommit=True)
        accept_arrays(connection)
        try:
            connection.execute(f'{_SETTINGS}; SET search_path = "{address.schema}"')
            if not read_only:
                _set_longest(connection, _LONGEST_TRANSACTION)
            if read_only:
                connection.execute("SET default_transaction_read_only = on")
        except BaseException:
            connection.close()
            raise
    except psycopg.Error as error:
        raise fault(address, error) from error
    return connection


class Link:
    """A connection that is opened when it is needed, and let go when it is lost."""

    def __init__(self, address: Address, *, read_only: bool) -> None:
        self._address = address
        self._read_only = read_only
        self._connection: Connection | None = None

    @property
    def is_closed(self) -> bool:
        """Whether the connection has yet to be opened."""
        return self._connection is None

    def connection(self) -> Connection:
        """The connection, opened anew if it was lost."""
        if self._connection is None:
            self._connection = connect(self._address, read_only=self._read_only)
        return self._connection

    def close(self) -> None:
        """Let go of the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def fault(address: Address, error: psycopg.Error, then: str = "") -> PuntoError:
    """A fault of PostgreSQL's in Punto's words, and what became of the writing."""
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
