"""The keys of a floor's configuration file, and what their values may be."""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final

from punto.cards import FEWEST_DECKS, MOST_DECKS
from punto.errors import BadNote, PuntoError, quoted
from punto.floor.keyfiles import Kind, read_key_file
from punto.floor.personal import KeptKind
from punto.floor.signer import LONGEST_PATH
from punto.ledger.periods import begins_ms
from punto.proof.beacons import is_key
from punto.proof.calls import is_address, is_guarded
from punto.proof.notes import Algorithm, VerifierKey
from punto.rules import HIGHER_RANKS, RANKS, Language, Method, Position
from punto.rules.money import MOST_CENTS
from punto.server.config import LOOPBACK, SecondFactor
from punto.server.heavy.pool import FEWEST_WORKERS, MOST_WORKERS
from punto.server.identity.accounts import check_patron
from punto.server.retention import MOST_DAYS
from punto.server.syslog import ADDRESS, Receiver
from punto.store.database import parse
from punto.table import Source
from punto.table.setup import LONGEST_MS

_NAMED: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
_HOST: Final = re.compile(r"[A-Za-z0-9.:-]{1,253}")
_ORIGIN: Final = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?")
_TOKEN: Final = re.compile(r"[!-~]{16,200}")
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
_TIME_OF_DAY: Final = re.compile(r"|([01][0-9]|2[0-3]):[0-5][0-9]")
_LONGEST_NAME: Final = 60
_LONGEST_CURRENCY: Final = 8
LONGEST_REASON: Final = 500
_LONGEST_S: Final = LONGEST_MS // 1000
_PORTS: Final = 65_535
_MOST_CARDS: Final = 650
_MOST_PAGES: Final = 100_000
# The year 2100.
_LATEST_S: Final = 4_102_444_800
_MOST_HOURS: Final = 10_000
_LONGEST_BASIS: Final = 500


class Wrong(Exception):
    """A value that cannot be."""


# What becomes of a value; a path is taken from the folder.
Check = Callable[[Any, Path], Any]


@dataclass(frozen=True)
class Each:
    """A table of tables that are named by whoever writes the file."""

    keys: Mapping[str, Check]


Keyed = Mapping[str, "Check | Each | Keyed"]


def shown(value: object) -> str:
    """A value fit for one line of a message."""
    return quoted(value) if isinstance(value, str) else quoted(str(value), 30).strip("'")


def text_of(longest: int) -> Check:
    """A line of text."""

    def check(value: Any, _: Path) -> str:  # noqa: ANN401
        if not isinstance(value, str) or not value.strip() or not value.isprintable() or len(value) > longest:
            raise Wrong(f"{shown(value)}: expected a line of text of 1 to {longest} letters, in quotes")
        return value

    return check


def whole(least: int, most: int) -> Check:
    """A whole number."""

    def check(value: Any, _: Path) -> int:  # noqa: ANN401
        if type(value) is not int or not least <= value <= most:
            raise Wrong(f"{shown(value)}: expected a whole number, {least} to {most}")
        return value

    return check


def flag(value: Any, _: Path) -> bool:  # noqa: ANN401
    """Yes or no."""
    if not isinstance(value, bool):
        raise Wrong(f"{shown(value)}: expected true or false")
    return value


def one_of(known: Mapping[str, Any]) -> Check:
    """One of the words that mean something."""

    def check(value: Any, _: Path) -> Any:  # noqa: ANN401
        if not isinstance(value, str) or value not in known:
            raise Wrong(f"{shown(value)}: expected {' or '.join(map(repr, known))}{meant(value, known)}")
        return known[value]

    return check


def list_of(check: Check, *, least: int = 0) -> Check:
    """A list without repetitions."""

    def check_all(value: Any, folder: Path) -> tuple[Any, ...]:  # noqa: ANN401
        if not isinstance(value, list) or len(value) < least:
            raise Wrong(f"{shown(value)}: expected a list{' of one or more' if least else ''}")
        elements = tuple(check(element, folder) for element in value)
        for place, element in enumerate(elements):
            if element in elements[:place]:
                raise Wrong(f"{shown(value[place])} comes twice")
        return elements

    return check_all


def matching(pattern: re.Pattern[str], expected: str) -> Check:
    """A text of a certain form."""

    def check(value: Any, _: Path) -> str:  # noqa: ANN401
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise Wrong(f"{shown(value)}: expected {expected}")
        return value

    return check


def patron_name(value: Any, _: Path) -> str:  # noqa: ANN401
    """The name under which the floor knows a patron: that of a terminal, or one that is registered."""
    try:
        if not isinstance(value, str):
            raise Wrong(f"{shown(value)}: expected the name of a patron, in quotes")
        check_patron(value)
    except PuntoError as error:
        raise Wrong(error.message) from None
    return value


def moment(*, last: bool) -> Check:
    """A time, in milliseconds: of a gaming day its beginning, or its end where it is the *last*."""

    def check(value: Any, _: Path) -> int:  # noqa: ANN401
        if isinstance(value, datetime):
            if value.tzinfo is None:
                raise Wrong("this time could be anywhere: expected its offset, as in 2026-01-31T18:00:00+08:00")
            return max(0, round(value.timestamp() * 1000))
        if not isinstance(value, date):
            raise Wrong(f"{shown(value)}: expected a day as in 2026-01-31, or a time as in 2026-01-31T18:00:00+08:00")
        try:
            return max(0, begins_ms(value + timedelta(days=last)))
        except OverflowError:
            raise Wrong("no calendar goes so far: expected an earlier day") from None

    return check


def secret(value: Any, _: Path) -> str:  # noqa: ANN401
    """A secret, which is not repeated on the screen."""
    if not isinstance(value, str) or not _TOKEN.fullmatch(value):
        raise Wrong("expected 16 to 200 letters, digits and signs, without spaces")
    return value


def syslog_receiver(value: Any, _: Path) -> str:  # noqa: ANN401
    """Where syslog messages go."""
    try:
        Receiver.parse(value if isinstance(value, str) else "")
    except ValueError as error:
        said = str(error) if str(error) == ADDRESS else f"no such port: {ADDRESS}"
        raise Wrong(f"{shown(value)}: {said}") from None
    return str(value)


def store_address(value: Any, folder: Path) -> str:  # noqa: ANN401
    """The address of a store that is kept."""
    expected = "expected sqlite:PATH, a path or postgresql://USER@HOST/DATABASE"
    if not isinstance(value, str) or not value or not value.isprintable():
        raise Wrong(f"{'no text' if not isinstance(value, str) else 'no address'}: {expected}")
    scheme = _SCHEME.match(value)
    kind, rest = (scheme.group(1), value[scheme.end() :]) if scheme else ("sqlite", value)
    if kind in ("postgresql", "postgres") and rest.startswith("//"):
        try:
            parse(value)
        except PuntoError as error:
            raise Wrong(error.message) from None
        return value
    if kind == "memory":
        raise Wrong(f"memory: is gone with its process: {expected}")
    if kind != "sqlite" or not rest or rest.startswith("//"):
        raise Wrong(f"{shown(value.rpartition('@')[2])} names no store: {expected}")
    path = folder / rest
    if not path.parent.is_dir():
        raise Wrong(f"{path.parent} is no folder: expected one that is there, for the store")
    return f"sqlite:{path}"


def key_file(value: Any, folder: Path) -> str:  # noqa: ANN401
    """A file with a floor's key."""
    path = Path(file(value, folder))
    try:
        read_key_file(path, *Kind)
    except PuntoError as error:
        raise Wrong(f"{error.message}; `punto init` makes one") from None
    return str(path)


def command(value: Any, _: Path) -> tuple[str, ...]:  # noqa: ANN401
    """A command with its arguments, which is run without a shell."""
    if not isinstance(value, list) or not value or not all(isinstance(word, str) and word for word in value):
        raise Wrong('no command: expected a list of texts, as in ["vault", "kv", "get", "-field=key", "floor"]')
    if any("\0" in word for word in value):
        raise Wrong("no command: a word of it has a zero byte")
    return tuple(value)


def signer_socket(value: Any, folder: Path) -> str:  # noqa: ANN401
    """The unix socket on which a signer listens, now or later."""
    if not isinstance(value, str) or not value or not value.isprintable():
        raise Wrong(f"{shown(value)}: expected the path of a signer's socket")
    path = (folder / value).resolve()
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise Wrong(f"the path is too long for a socket: expected at most {LONGEST_PATH} bytes")
    if not path.parent.is_dir():
        raise Wrong(f"{path.parent} is no folder: expected one that is there, for the signer's socket")
    return str(path)


def file(value: Any, folder: Path) -> str:  # noqa: ANN401
    """A file that is there."""
    if not isinstance(value, str) or not value or not value.isprintable():
        raise Wrong(f"{shown(value)}: expected the path of a file")
    path = folder / value
    if not path.is_file():
        raise Wrong(f"{path} is no file: expected one that is there")
    return str(path)


def outside(value: Any, folder: Path) -> str:  # noqa: ANN401
    """A folder or an address that keeps checkpoints; a folder is made when it is first needed, in one that is there."""
    if not isinstance(value, str) or not value or not value.isprintable():
        raise Wrong(f"{shown(value)}: expected the path of a folder, or https://HOST/PATH")
    if "://" in value:
        return address(value, folder)
    path = (folder / value).resolve()
    if path.exists() and not path.is_dir():
        raise Wrong(f"{path} is no folder: expected one for checkpoints")
    if not path.parent.is_dir():
        raise Wrong(f"{path.parent} is no folder: expected one that is there, for the folder of checkpoints")
    return str(path)


def address(value: Any, _: Path) -> str:  # noqa: ANN401
    """An address that the floor calls, by a way on which nobody reads along."""
    if not isinstance(value, str) or not is_address(value) or not is_guarded(value):
        told = shown(value.rpartition("@")[2] if isinstance(value, str) else value)  # what comes before may be secret
        raise Wrong(f"{told}: expected https://HOST/PATH, without a name, a password or a query")
    return value


def witness_key(value: Any, _: Path) -> str:  # noqa: ANN401
    """The key of a witness, as it publishes it."""
    expected = "expected the key of a witness that cosigns, as NAME+ID+KEY"
    try:
        key = VerifierKey.parse(value if isinstance(value, str) else "")
    except BadNote as error:
        raise Wrong(f"{error.message}; {expected}") from None
    if key.algorithm is not Algorithm.COSIGNATURE:
        raise Wrong(f"{shown(key.name)} signs notes with this key; {expected}")
    return key.text()


def beacon_key(value: Any, _: Path) -> str:  # noqa: ANN401
    """The public key of a beacon."""
    if not isinstance(value, str) or not is_key(value):
        raise Wrong(f"{shown(value)}: expected the beacon's public key, as 192 hexadecimal digits in small letters")
    return value


def network(value: Any, _: Path) -> str:  # noqa: ANN401
    """An address or a network."""
    try:
        found = ip_network(str(value), strict=False)
    except ValueError:
        raise Wrong(f"{shown(value)}: expected an address or a network, as in '10.0.0.5' or '10.0.0.0/24'") from None
    return str(found) if "/" in str(value) else str(value)


def meant(word: object, known: Iterable[str]) -> str:
    """A question after the word that may have been misspelt; nothing when none is close."""
    close = get_close_matches(str(word), list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


# The keys

_MS: Final = whole(0, LONGEST_MS)
_CENTS: Final = whole(0, MOST_CENTS)

TIMINGS: Final[Keyed] = {"bets-ms": whole(1000, LONGEST_MS), "answer-ms": _MS}
PACE: Final[Keyed] = dict.fromkeys(("card-ms", "speech-ms", "result-ms", "shoe-ms", "cut-ms", "reveal-ms"), _MS)
LIMIT: Final[Mapping[str, Check]] = {"min-cents": _CENTS, "max-cents": _CENTS}
# What a table has unless it says otherwise.
USUAL: Final[Keyed] = {
    "decks": whole(FEWEST_DECKS, MOST_DECKS),
    "source": one_of({source.value: source for source in Source}),
    "behind": whole(0, _MOST_CARDS),
    "limits": Each(LIMIT),
    "timings": TIMINGS,
    "pace": PACE,
    "automatic": flag,
    "always": flag,
}
TABLE: Final[Keyed] = {
    "key": matching(_NAMED, "letters, digits, dots and hyphens, as in '1' or 'pit-7'"),
    "game": text_of(1_000),
    **USUAL,
    "demonstration": flag,
    "reads": flag,
    "wagers": list_of(text_of(_LONGEST_NAME), least=1),
    "unit-cents": whole(1, MOST_CENTS),
    "differential-cents": _CENTS,
    "layout": text_of(_LONGEST_NAME),
    "positions": whole(1, 999),
    "hlga": flag,
    "method": one_of({method.value: method for method in Method}),
    "phrase": whole(1, 9),
    "ranks": list_of(one_of({position.value: position for position in Position})),
}
CASH_LIMIT: Final[Mapping[str, Check]] = {"act-cents": _CENTS, "shift-cents": _CENTS}
RETENTION: Final[Mapping[str, Check]] = {
    **{f"{kind.value}-days": whole(0, MOST_DAYS) for kind in KeptKind},
    "basis": text_of(_LONGEST_BASIS),
}
CASH_REPORTS: Final[Mapping[str, Check]] = {"threshold-cents": whole(1, MOST_CENTS)}
WITNESS: Final[Mapping[str, Check]] = {"address": address, "key": witness_key}
BEACON: Final[Mapping[str, Check]] = {
    "name": matching(_NAMED, "the name of a beacon, as in 'quicknet'"),
    "addresses": list_of(address, least=1),
    "key": beacon_key,
    "genesis-s": whole(0, _LATEST_S),
    "period-s": whole(1, 3_600),
}
EXCLUDED: Final[Keyed] = {
    "patron": patron_name,
    "from": moment(last=False),
    "until": moment(last=True),
    "reason": text_of(LONGEST_REASON),
}
FLOOR: Final[Keyed] = {
    "name": text_of(_LONGEST_NAME),
    "currency": text_of(_LONGEST_CURRENCY),
    "languages": list_of(one_of({language.value: language.value for language in Language}), least=1),
    "store": store_address,
    "key-file": key_file,
    "key-env": matching(_VARIABLE, "the name of a variable of the environment"),
    "key-command": command,
    "signer": signer_socket,
    "checkpoints": list_of(outside),
    "beacon": BEACON,
    "checkpoint-every-s": whole(1, 3_600),
    "checkpoint-token-file": file,
    "host": matching(_HOST, f"an address to listen on, as in '{LOOPBACK}'"),
    "port": whole(1, _PORTS),
    "origins": list_of(matching(_ORIGIN, "an address as in 'https://floor.example', without a path")),
    "tls-certificate": file,
    "tls-key": file,
    "behind-proxy": flag,
    "proxies": list_of(network, least=1),
    "hsts-subdomains": flag,
    "metrics-token": secret,
    "syslog": syslog_receiver,
    "idle-s": whole(1, _LONGEST_S),
    "second-factor": one_of({each.value: each for each in SecondFactor}),
    "prove-again-s": whole(1, 43_200),
    "first-password-hours": whole(1, _MOST_HOURS),
    "pages-per-address": whole(1, _MOST_PAGES),
    "connections-per-address": whole(0, _MOST_PAGES),
    "grace-s": whole(0, _LONGEST_S),
    "workers": whole(FEWEST_WORKERS, MOST_WORKERS),
    "independence-hours": whole(0, _MOST_HOURS),
    "shift-hours": whole(1, _MOST_HOURS),
    "exclusions": file,
    "cash-reports": CASH_REPORTS,
    "cash-limits": {position.value: CASH_LIMIT for position in (*RANKS, *HIGHER_RANKS)},
    "audit-at": matching(_TIME_OF_DAY, "a time of day as in '05:00', or '' for never"),
    "audit-whole-every-days": whole(1, 366),
    "claims-within-hours": whole(1, _MOST_HOURS),
    "claims-answered-within-hours": whole(1, _MOST_HOURS),
    "retention": RETENTION,
    "usual": USUAL,
}
