"""`punto init`: a floor of one's own, ready to be served."""

import asyncio
import getpass
import json
import os
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from socket import gethostname
from typing import Final, NamedTuple

import click

from punto.cli.files import check_free, read_text
from punto.cli.stores import is_empty
from punto.errors import BadStore, BadUsage, PuntoError, UnwritableFile, quoted
from punto.floor import Floor, Keys
from punto.floor.keyfiles import SECRET_BYTES, KeyText, Kind, make_new_key_file
from punto.floor.keys import split
from punto.games import GAMES, RULEBOOKS, find
from punto.proof.calls import is_address
from punto.server.app import Server
from punto.server.config import LOOPBACK, PORT, FloorConfig
from punto.server.floorfile import read_floor
from punto.server.identity import FirstAccount
from punto.store import is_unchecked, open_store

FILE: Final = "floor.toml"
KEY: Final = "floor.key"
SIGNING: Final = "signing.key"
SEALING: Final = "sealing.key"
SOCKET: Final = "signer.sock"
STORE: Final = "sqlite:floor.db"
_ALL: Final = "all"
_WITHOUT: Final = "The key that signs the record and seals shoes."
_WITH_SIGNER: Final = (
    "The key that seals shoes, and the socket of the signer, which holds the key that signs the record."
)

_TEXT: Final = """\
# A floor of Punto's. `punto serve {file} --check` says whether all of this can be;
# docs/floor.md explains every key. Paths are taken from this file's folder.

name = {name}
currency = {currency}
languages = ["en", "zh"]

# The record. The address of a PostgreSQL on another machine wants "?sslmode=verify-full": then the floor looks whose
# certificate the server shows (docs/store.md).
store = {store}
# {about}
# The key belongs on another disk than the store, or better on another machine: whoever has both can write another
# history and sign it. Keep a copy of the key in a third place: without the key the store cannot be opened.
{key}
# Folders that keep the last signed checkpoint, and the end of what was acknowledged. When the floor opens, it compares
# the store with them, so that a copy that was rolled back or has lost play is noticed. Put one on another disk, or
# better on another machine: what happens to the store must not happen to them. "https://HOST/PATH" is also a place.
checkpoints = [{checkpoints}]

# Where the floor listens. An address that other machines can reach needs TLS, its own or a proxy's.
host = {host}
port = {port}
{tls}
# Staff who do nothing for this long must sign in again.
idle-s = 1800
# How long the rounds under way may take to end when the floor is stopped.
grace-s = 10

# What every table has unless it says otherwise. Money is in cents, time in milliseconds.
[usual]
decks = 8
# Whether the floor deals by itself while no dealer has taken the table.
automatic = true
# Whether rounds begin while nobody is seated.
always = false

[usual.limits]
"*" = {{ min-cents = 500, max-cents = 500_000 }}

[usual.timings]
bets-ms = 20_000
answer-ms = 30_000
{tables}"""

_TABLE: Final = """
# {title}
[[table]]
key = {key}
game = {game}
{source}"""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What somebody has said of the floor so far."""

    name: str | None
    currency: str | None
    games: str | None
    store: str | None
    checkpoints: str | None
    key_file: str | None
    signer: bool
    host: str | None
    port: int | None
    proxy: bool
    certificate: str | None
    key: str | None
    manager: str | None
    password_file: str | None
    second_manager: str | None
    second_password_file: str | None


def make_floor(name: str, wanted: Wanted) -> None:
    """Make the floor in a folder of its own, or nothing at all."""
    folder = Path(name).absolute()
    check_free(folder)
    text = _written(wanted, folder)
    managers = _managers(wanted)
    key_file = Path(os.path.normpath(folder / text.key_file))
    with _made(key_file.parent, 0o700) as keys_made, _made(folder) as made:
        keys = _make_keys(key_file, keys_made, signer=wanted.signer)
        config = _config(text.floor, folder)
        _make_store(config, made)
        asyncio.run(_make_accounts(config, keys, managers))
        made.append(folder / FILE)
        (folder / FILE).touch(mode=0o600)  # the address of a store may hold a password
        (folder / FILE).write_text(text.floor, encoding="utf-8")
    _say_what_next(name, managers, config)


# What the file says


class Written(NamedTuple):
    """The floor's file, and where the key goes that it names."""

    floor: str
    key_file: str


def _written(wanted: Wanted, folder: Path) -> Written:
    """The floor's file."""
    title = _asked("name", wanted.name, "Name of the floor", "Punto")
    currency = _asked("currency", wanted.currency, "Sign of the currency", "$")
    games = _games(_asked("games", wanted.games, "Games, with commas between them", _ALL))
    store = _asked("store", wanted.store, "Store", STORE)
    usual = f"../{folder.name}-keys/{SEALING if wanted.signer else KEY}"
    key_file = _asked("key-file", _from(folder, wanted.key_file), "File of the key, best not with the store", usual)
    usual = f"../{folder.name}-checkpoints"
    checkpoints = _asked("checkpoints", wanted.checkpoints, "Folder of checkpoints, best on another disk", usual)
    host = _asked("host", wanted.host, "Address to listen on", LOOPBACK)
    if bool(wanted.certificate) != bool(wanted.key):
        raise BadUsage("--certificate and --key: expected both, or neither")
    text = _TEXT.format(
        file=FILE,
        name=_string(title),
        currency=_string(currency),
        store=_string(store),
        about=_WITH_SIGNER if wanted.signer else _WITHOUT,
        key=_key(key_file, signer=wanted.signer),
        checkpoints=_string(checkpoints),
        host=_string(host),
        port=PORT if wanted.port is None else wanted.port,
        tls=_tls(wanted),
        tables="".join(_table(number, game) for number, game in enumerate(games, 1)),
    )
    return Written(text, key_file)


def _from(folder: Path, named: str | None) -> str | None:
    """A path that was named on the command line, as the floor's file can have it."""
    return named if named is None else os.path.relpath(Path(named).absolute(), folder)


def _key(key_file: str, *, signer: bool) -> str:
    """The lines of the file that say where the key is."""
    if not signer:
        return f"key-file = {_string(key_file)}"
    socket = str(Path(key_file).with_name(SOCKET))
    return f"key-file = {_string(key_file)}\nsigner = {_string(socket)}"


def _table(number: int, game: str) -> str:
    title = GAMES[game].title.en
    return _TABLE.format(title=title, key=_string(str(number)), game=_string(game), source=_source(game))


def _source(game: str) -> str:
    """Where the cards come from, by the book: a floor may shuffle by itself, or a device or shoe is dealt from."""
    if RULEBOOKS[GAMES[game].rulebook].conduct.virtual:
        return 'source = "virtual"  # shuffled by the floor; "device": from a shoe that people deal from\n'
    return (
        'source = "device"  # the rulebook has a dealing device; virtual cards are demonstration rules here:\n'
        '# source = "virtual"\n# demonstration = true\n'
    )


def _games(named: str) -> list[str]:
    if named.strip() == _ALL:
        return list(GAMES)
    return [find(key.strip()).key for key in named.split(",")]


def _tls(wanted: Wanted) -> str:
    lines = []
    if wanted.certificate and wanted.key:
        lines += [f"tls-certificate = {_path(wanted.certificate)}", f"tls-key = {_path(wanted.key)}"]
    if wanted.proxy:
        lines += [
            "# A proxy in front of the floor speaks TLS, and says who asks.",
            "behind-proxy = true",
            "# Browsers sign in only at the addresses that are named here.",
            '# origins = ["https://floor.example"]',
        ]
    return "\n".join([*lines, ""])


def _path(name: str) -> str:
    return _string(str(Path(name).absolute()))


def _string(text: str) -> str:
    """A TOML string; the file is read back, and what is not printable refused there."""
    return json.dumps(text, ensure_ascii=False)


def _config(text: str, folder: Path) -> FloorConfig:
    """What the file will be read as; a mistake in it was told on the command line."""
    read = read_floor(text, folder, time.time_ns() // 1_000_000)
    if read.config is None:
        mistake = read.mistakes[0]
        raise BadUsage(f"init: {mistake.key}: {mistake.said}")
    return read.config


# What is asked for


def _asked(option: str, told: str | None, question: str, usual: str | None) -> str:
    """What was told, or what is answered at a terminal, or the usual."""
    if told is not None:
        return told
    if sys.stdin.isatty():
        while True:
            answer = input(f"{question}{f' [{usual}]' if usual else ''}: ").strip() or usual
            if answer:
                return answer
    if usual is None:
        raise BadUsage(f"init: there is no terminal to ask at: expected --{option}")
    return usual


def _managers(wanted: Wanted) -> list[FirstAccount]:
    """Who is on the staff from the beginning: one gaming shift manager, or two who owe nothing to each other."""
    if wanted.second_password_file is not None and wanted.second_manager is None:
        raise BadUsage("--second-password-file: expected it with --second-manager only")
    manager = _asked("manager", wanted.manager, "Name of the gaming shift manager", None)
    managers = [FirstAccount(manager, _password(wanted.password_file, "--password-file", manager))]
    second = wanted.second_manager
    if second is None and wanted.manager is None and sys.stdin.isatty():
        second = input("Name of a second one, who types a password here too (empty: one alone): ").strip()
    if second:
        managers.append(FirstAccount(second, _password(wanted.second_password_file, "--second-password-file", second)))
    return managers


def _password(named: str | None, option: str, whose: str) -> str:
    """The password of an account; there is no usual one."""
    if named is not None:
        password = read_text(named).split("\n")[0].rstrip("\r")
    elif sys.stdin.isatty():
        password = getpass.getpass(f"Password of {quoted(whose, 60)}: ")
        if getpass.getpass("Once more: ") != password:
            raise BadUsage("init: the two passwords differ")
    else:
        raise BadUsage(f"init: there is no terminal to ask for a password at: expected {option}")
    return password


# What is made


@contextmanager
def _made(folder: Path, mode: int = 0o777) -> Iterator[list[Path]]:
    """The folder, and the files that are noted; all of them go when something goes wrong."""
    was_there = folder.is_dir()
    try:
        folder.mkdir(mode=mode, parents=True, exist_ok=True)
    except OSError as error:
        raise UnwritableFile(f"{folder}: a floor cannot be kept there: {error.strerror}") from None
    made: list[Path] = []
    try:
        yield made
    except BaseException:
        for path in made:
            path.unlink(missing_ok=True)
        if not was_there:
            with suppress(OSError):
                folder.rmdir()
        raise


def _make_store(config: FloorConfig, made: list[Path]) -> None:
    """Make the store, and refuse one that holds something already."""
    if config.store.startswith("sqlite:"):
        path = Path(config.store.removeprefix("sqlite:"))
        if path.exists():
            raise BadStore(f"{path}: already exists: expected a place for a new store")
        made += [path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))]
    store = open_store(config.store)
    try:
        if not is_empty(store):
            raise BadStore("the store holds a floor already: expected an empty one, or another ?schema=")
    finally:
        store.close()


def _make_keys(path: Path, made: list[Path], *, signer: bool) -> Keys:
    """Make the key, or the two halves of one; what is there already is left as it is."""
    whole = KeyText(Kind.WHOLE, secrets.token_bytes(SECRET_BYTES))
    signing, sealing = split(whole)
    texts = {path.with_name(SIGNING): signing, path: sealing} if signer else {path: whole}
    for each, text in texts.items():
        make_new_key_file(each, text)
        made.append(each)
    return Keys.from_text(whole)


async def _make_accounts(config: FloorConfig, keys: Keys, managers: list[FirstAccount]) -> None:
    store = open_store(config.store)
    try:
        server = Server(config, Floor(store, keys))
    except PuntoError:
        store.close()
        raise
    try:
        await server.identity.begin()
        await server.identity.first_accounts(*managers)
        await server.hall.writer.settle_down()
        await server.identity.stop()
    finally:
        server.hall.writer.close()
        server.hall.writer.floor.store.close()


def _say_what_next(name: str, managers: list[FirstAccount], config: FloorConfig) -> None:
    file = Path(name) / FILE
    tables = "1 table" if len(config.tables) == 1 else f"{len(config.tables)} tables"
    click.echo(f"{config.name} is ready in {name}, with {tables}.")
    for number, lines in enumerate(_steps(file, managers, config), 1):
        for place, line in enumerate(lines):
            click.echo(f"  {number}. {line}" if place == 0 else f"     {line}")


def _steps(file: Path, managers: list[FirstAccount], config: FloorConfig) -> Iterator[tuple[str, ...]]:
    """What a person does next, step by step, each in lines."""
    key, signing = os.path.relpath(config.key_file), os.path.relpath(Path(config.key_file).with_name(SIGNING))
    yield (f"Look through {file}: limits, timings, tables.",)
    if config.signer:
        yield (
            f"The keys are {signing}, which signs the record, and {key}, which seals shoes.",
            "Put them on another disk or machine than the store: whoever has the signing key and the store can write",
            "another history and sign it. Keep copies in a third place: without them the store cannot be opened.",
        )
    else:
        yield (
            f"The key is {key}. Put it on another disk or machine than the store: whoever has both can write",
            "another history and sign it. Keep a copy in a third place: without it the store cannot be opened.",
        )
    if is_unchecked(config.store):
        yield (
            "The store is on another machine, and anybody there could pass for it: give its server a certificate, and",
            f"add sslmode=verify-full to the address of the store in {file.name}.",
        )
    place = config.checkpoints[0]
    yield (
        f"Checkpoints go to {place if is_address(place) else os.path.relpath(place)}. When the floor opens, it",
        "compares the store with them, and so notices a copy that was rolled back, rewritten or cut short. Put them",
        "on another disk, or better on another machine: whatever damages or replaces the store must not reach them.",
    )
    if config.signer:
        socket = os.path.relpath(config.signer)
        yield ("Start the signer, best as another user:", f"punto signer --key-file {signing} --socket {socket}")
    yield (f"Open the floor: punto serve {file}",)
    if config.behind_proxy:
        yield ("Name the address at which browsers reach the proxy in the file, under origins.",)
    names = " or ".join(quoted(each.name, 60) for each in managers)
    yield (f"Sign in as {names} at {_where(config)}/sign-in, and make the other accounts.",)
    if len(managers) == 1:
        yield (
            "What takes two people waits for a second person: 72 hours (independence-hours), and until somebody whose",
            "account you make has changed the password and added a passkey or one-time codes in a browser that you",
            "never used.",
        )


def _where(config: FloorConfig) -> str:
    """Where a browser finds the floor: behind a proxy only the operator knows."""
    if config.behind_proxy:
        return "https://NAME-OF-THE-PROXY"
    everywhere = config.host in {"0.0.0.0", "::"}  # noqa: S104 (it only is compared)
    return f"https://{gethostname()}:{config.port}" if everywhere else config.address
