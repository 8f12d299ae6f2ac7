"""A floor's configuration as a TOML file: read whole, with every mistake at its line.

Keys are those of `FloorConfig`, `TableConfig` and `Setup`, with hyphens. Paths are taken from the file's own folder.
"""

import re
import ssl
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from punto.errors import BadDeclaration, PuntoError, quoted
from punto.floor.keyfiles import Kind, read_key_file
from punto.games import GAMES, loads
from punto.games.spans import Path as Place
from punto.games.spans import Spans
from punto.rules import Game, Position
from punto.rules.money import Cents
from punto.server.clockwork import Pace
from punto.server.config import (
    LOOPBACK,
    BeaconConfig,
    CashReporting,
    FloorConfig,
    TableConfig,
    WitnessConfig,
    is_public,
)
from punto.server.floorkeys import EXCLUDED, FLOOR, TABLE, WITNESS, Check, Each, Keyed, Wrong, meant, shown
from punto.server.identity.exclusions import Listed
from punto.server.identity.people import key as same_name
from punto.server.orders import USUAL_LIMITS, CashLimit
from punto.server.retention import Retention, retained
from punto.table import Limit, Setup, Timings, with_virtual_cards
from punto.table.contributions import QUICKNET, Beacon
from punto.table.setup import EVERY, complete

_TOMLLIB_PLACE: Final = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


class Mistake(NamedTuple):
    """What is wrong with a key, what was expected, and the line that says so."""

    line: int
    key: str
    said: str


class Read(NamedTuple):
    """A floor's configuration, or all that keeps the file from being one."""

    config: FloorConfig | None
    mistakes: tuple[Mistake, ...]


def read_floor(text: str, folder: Path, at_ms: int) -> Read:
    """The floor that a TOML text in a folder declares, checked as if its tables were opened at that time."""
    text = text.replace("\r\n", "\n")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Read(None, (_not_toml(text, str(error)),))
    except (ValueError, RecursionError):
        return Read(None, (Mistake(1, "the file", "a number too long, or tables too deep: expected a floor"),))
    reader = _Reader(Spans(text), folder, at_ms)
    config = reader.floor(document)
    return Read(None if reader.mistakes else config, tuple(sorted(reader.mistakes)))


def _not_toml(text: str, message: str) -> Mistake:
    found = _TOMLLIB_PLACE.search(message)
    line = int(found.group(1)) if found and found.group(1) else text.count("\n") + 1
    return Mistake(line, "the file", f"not TOML: {message[: found.start()] if found else message}")


_TABLES: Final = "table"
_KEYS: Final = ("key-file", "key-env", "key-command")
_WITNESSES: Final = "witness"
_EXCLUDED: Final = "excluded"
_OF_A_TABLE: Final = ("key", "automatic", "always", "pace")


class _Reader:
    """Turns a document into a floor, and notes what is wrong on the way."""

    def __init__(self, spans: Spans, folder: Path, at_ms: int) -> None:
        self.spans = spans
        self.folder = folder
        self.at_ms = at_ms
        self.mistakes: set[Mistake] = set()

    def note(self, place: Place, said: str, *, key: bool = False) -> None:
        line, _ = self.spans.place(place, key=key)
        self.mistakes.add(Mistake(line, ".".join(part for part in place if isinstance(part, str)), said))

    def floor(self, document: dict[str, Any]) -> FloorConfig | None:
        tables, witnesses = document.pop(_TABLES, None), document.pop(_WITNESSES, [])
        read = self.section(document, (), FLOOR, besides=(_TABLES, _WITNESSES))
        if "store" not in document:
            self.note(("store",), "is missing: expected the place of the record")
        self._check_key(document, read)
        self._check_doors(document, read)
        beacon = self._beacon(document, read.pop("beacon", {}))
        usual = read.pop("usual", {})
        for wager in usual.get("limits", {}):
            if wager != EVERY:
                self.note(("usual", "limits", wager), f"expected only {EVERY!r} here: wagers differ from game to game")
        reporting = CashReporting(**_snaked(read.pop("cash-reports", {})))
        limits = dict(self._cash_limits(read.pop("cash-limits", {})))
        retention = self._retention(read.pop("retention", {}))
        hosted, asked = list(self._tables(tables, usual)), tuple(self._witnesses(witnesses))
        if self.mistakes:
            return None
        more: dict[str, Any] = {"beacon": beacon, "cash_limits": limits, "cash_reports": reporting}
        return FloorConfig(tables=tuple(hosted), witnesses=asked, retention=retention, **more, **_snaked(read))

    def _beacon(self, document: dict[str, Any], read: dict[str, Any]) -> BeaconConfig | None:
        """The beacon that the file names; of one that Punto knows, key and times need not be there."""
        declared = document.get("beacon")
        if not isinstance(declared, dict):
            return None
        known = QUICKNET if declared.get("name") == QUICKNET.name else None
        own = ("key", "genesis-s", "period-s")
        missing = [key for key in ("name", "addresses", *(() if known else own)) if key not in declared]
        for key in missing:
            self.note(("beacon",), f"has no {key}")
        for key in own if known else ():
            if key in declared:
                self.note(
                    ("beacon", key), f"the {key} of {QUICKNET.name} is known: leave it out, or choose another name"
                )
        if missing or set(read) != set(declared):
            return None
        beacon = known or Beacon(read["name"], read["key"], read["genesis-s"], read["period-s"])
        return BeaconConfig(beacon=beacon, addresses=read["addresses"])

    def _witnesses(self, witnesses: object) -> Iterator[WitnessConfig]:
        if not isinstance(witnesses, list) or not all(isinstance(each, dict) for each in witnesses):
            self.note((_WITNESSES,), "expected the witnesses of checkpoints, each under [[witness]]")
            return
        for number, witness in enumerate(witnesses):
            place: Place = (_WITNESSES, number)
            read = self.section(witness, place, WITNESS)
            for key in WITNESS:
                if key not in witness:
                    self.note(place, f"this one has no {key}")
            if len(read) == len(WITNESS):
                yield WitnessConfig(**read)

    def _cash_limits(self, limits: dict[str, Any]) -> Iterator[tuple[Position, CashLimit]]:
        """How much cash positions move alone; what the file leaves out is as usual."""
        for name, limit in limits.items():
            position = Position(name)
            usual = USUAL_LIMITS[position]
            act = limit.get("act-cents", usual.act_cents)
            shift = limit.get("shift-cents", max(usual.shift_cents, act))
            if act > shift:
                said = f"{shift} cents a shift are less than {act} at a time: expected as much or more"
                self.note(("cash-limits", name), said)
            yield position, CashLimit(Cents(act), Cents(shift))

    def _retention(self, read: dict[str, Any]) -> Retention:
        """How long personal data stays; whoever keeps it says by which law."""
        basis = read.pop("basis", "")
        if any(read.values()) and not basis:
            self.note(("retention",), "has no basis: expected the law that requires personal data to stay")
        return retained(read, basis)

    def section(
        self, table: dict[str, Any], place: Place, keys: Keyed, besides: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """The values of a table that can be; the others are noted."""
        read: dict[str, Any] = {}
        for key, value in table.items():
            at = (*place, key)
            check = keys.get(key)
            if check is None:
                known = (*keys, *besides)
                said = meant(key, known) or f": expected {', '.join(known)}"
                self.note(at, f"unknown key{said}", key=True)
            elif isinstance(check, Mapping | Each):
                if not isinstance(value, dict):
                    self.note(at, f"{shown(value)}: expected a table of keys and values")
                elif isinstance(check, Each):
                    read[key] = dict(self._each(value, at, check.keys))
                else:
                    read[key] = self.section(value, at, check)
            else:
                try:
                    read[key] = check(value, self.folder)
                except Wrong as wrong:
                    self.note(at, str(wrong))
        return read

    def _each(
        self, table: dict[str, Any], place: Place, keys: Mapping[str, Check]
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """The tables of a table; each must have all its keys."""
        for name, value in table.items():
            at = (*place, name)
            if not isinstance(value, dict):
                self.note(at, f"{shown(value)}: expected {{ {' = …, '.join(keys)} = … }}")
                continue
            read = self.section(value, at, keys)
            missing = [key for key in keys if key not in value]
            if missing and set(value) <= set(keys):  # else one of them is misspelt, and told so
                self.note(at, f"has no {' and no '.join(missing)}: expected {' and '.join(keys)}")
            elif len(read) == len(keys):
                yield name, read

    def _check_key(self, document: dict[str, Any], read: dict[str, Any]) -> None:
        """Refuse a floor whose key comes from nowhere, from two places, or is of the wrong kind."""
        there = [key for key in _KEYS if key in document]
        if not there:
            self.note(("key-file",), f"is missing: expected one of {', '.join(_KEYS)}")
        for key in there[1:]:
            self.note((key,), f"the key comes from {there[0]} already: expected one of {', '.join(_KEYS)}")
        if "key-file" in read:
            try:
                read_key_file(Path(read["key-file"]), Kind.SEALING if "signer" in document else Kind.WHOLE)
            except PuntoError as error:
                self.note(("key-file",), error.message)

    def _check_doors(self, document: dict[str, Any], read: dict[str, Any]) -> None:
        """Refuse a floor that others could listen in on, and a certificate that is none."""
        certificate, key = read.get("tls-certificate"), read.get("tls-key")
        if ("tls-certificate" in document) != ("tls-key" in document):
            there = "tls-certificate" if "tls-certificate" in document else "tls-key"
            self.note((there,), "expected both tls-certificate and tls-key, or neither")
        elif certificate and key and (wrong := _tls_fault(certificate, key)):
            self.note(("tls-certificate",), wrong)
        if "proxies" in document and not read.get("behind-proxy"):
            self.note(("proxies",), "nobody is believed without a proxy: expected behind-proxy = true with it")
        guarded = "tls-certificate" in document or read.get("behind-proxy")
        if read.get("hsts-subdomains") and not guarded:
            self.note(
                ("hsts-subdomains",), "nobody comes by TLS: expected tls-certificate and tls-key, or behind-proxy"
            )
        host = read.get("host", LOOPBACK)
        if is_public(host) and not guarded:
            said = f"{host} can be reached from other machines: expected tls-certificate and tls-key, or behind-proxy"
            self.note(("host",), said)

    def exclusions(self, document: dict[str, Any]) -> Iterator[Listed]:
        excluded = document.pop(_EXCLUDED, [])
        self.section(document, (), {}, besides=(_EXCLUDED,))
        if not isinstance(excluded, list) or not all(isinstance(each, dict) for each in excluded):
            self.note((_EXCLUDED,), "expected the patrons who are excluded, each under [[excluded]]")
            return
        seen: dict[str, int] = {}
        for number, each in enumerate(excluded):
            place: Place = (_EXCLUDED, number)
            read = self.section(each, place, EXCLUDED)
            for key in ("patron", "from", "reason"):
                if key not in each:
                    self.note(place, f"this one has no {key}")
            until_ms = read.get("until", 0)
            name = same_name(read.get("patron", ""))
            if name in seen:
                self.note((*place, "patron"), f"this patron is excluded in line {seen[name]} already")
            elif name:
                seen[name] = self.spans.place((*place, "patron"))[0]
            if until_ms and until_ms <= read.get("from", 0):
                self.note((*place, "until"), "the exclusion ends before it begins: expected a later time")
            if {"patron", "from", "reason"} <= set(read):
                yield Listed(read["patron"], read["from"], until_ms, read["reason"])

    # Tables

    def _tables(self, tables: object, usual: dict[str, Any]) -> Iterator[TableConfig]:
        if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
            self.note((_TABLES,), "the floor has no tables: expected one or more, each under [[table]]")
            return
        seen: dict[str, int] = {}
        for number, table in enumerate(tables):
            place: Place = (_TABLES, number)
            own = self.section(table, place, TABLE)
            for key in ("key", "game"):
                if key not in table:
                    self.note(place, f"this one has no {key}")
            name = own.get("key")
            if name in seen:
                self.note(
                    (*place, "key"), f"{quoted(name)} is the table of line {seen[name]} already: expected another"
                )
            elif name is not None:
                seen[name] = self.spans.place((*place, "key"))[0]
            declared = self._game(own, place)
            if declared is not None:
                yield from self._table(own, usual, place, *declared)

    def _game(self, own: dict[str, Any], place: Place) -> tuple[Game, str] | None:
        """The game of the catalogue, or of a file beside this one, with its text."""
        named, at = own.get("game"), (*place, "game")
        if named is None:
            return None
        if named in GAMES:
            return GAMES[named], ""
        if not named.lower().endswith(".toml"):
            close = meant(named, GAMES) or f": expected {', '.join(GAMES)}, or a FILE.toml"
            self.note(at, f"{quoted(named)} is not a game{close}")
            return None
        try:
            text = (self.folder / named).read_text(encoding="utf-8-sig")
            return loads(text), text
        except BadDeclaration as error:
            self.note(at, f"{named}: {error.message}")
        except (OSError, ValueError) as error:
            said = error.strerror if isinstance(error, OSError) else "it is no text"
            self.note(at, f"{named}: {said}: expected the declaration of a game")
        return None

    def _table(
        self, own: dict[str, Any], usual: dict[str, Any], place: Place, game: Game, text: str
    ) -> Iterator[TableConfig]:
        """The table, if it can be opened so; else what keeps it from that, one after the other."""
        values = {**usual, **own}
        for shared in ("limits", "timings", "pace"):
            values[shared] = {**usual.get(shared, {}), **own.get(shared, {})}
        while refused := self._refusal(values, game, text):
            culprit = self._culprit(values, game, text, refused)
            if not culprit:
                self.note((*place, "game"), refused)
                return
            holder = own if len(culprit) == 1 else own.get(culprit[0], {})
            self.note((*place, *culprit) if culprit[-1] in holder else ("usual", *culprit), refused)
            values = _without(values, culprit)
        if "key" in own:
            rest = {key: value for key, value in values.items() if key in ("key", "automatic", "always")}
            yield TableConfig(setup=_setup(values, game, text), pace=Pace(**_snaked(values["pace"])), **rest)

    def _refusal(self, values: dict[str, Any], game: Game, text: str) -> str:
        try:
            complete(_setup(values, game, text), self.at_ms)
        except PuntoError as error:
            return error.message
        return ""

    def _culprit(self, values: dict[str, Any], game: Game, text: str, refused: str) -> tuple[str, ...]:
        """The key without which the table would not be refused so."""
        candidates: list[tuple[str, ...]] = [(group, key) for group in ("limits", "timings") for key in values[group]]
        candidates += [(key,) for key in values if key not in ("game", "limits", "timings", *_OF_A_TABLE)]
        for candidate in candidates:
            if self._refusal(_without(values, candidate), game, text) != refused:
                return candidate
        return ()


def read_exclusions(text: str) -> tuple[tuple[Listed, ...], tuple[Mistake, ...]]:
    """The patrons whom the list of a floor's file excludes, and what is wrong with it; with a mistake nobody is on it.

    Days are gaming days: an exclusion begins with the first and ends with the last of them.
    """
    text = text.replace("\r\n", "\n")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return (), (_not_toml(text, str(error)),)
    except (ValueError, RecursionError):
        return (), (Mistake(1, "the file", "a number too long, or tables too deep: expected a list of patrons"),)
    reader = _Reader(Spans(text), Path(), 0)
    found = tuple(reader.exclusions(document))
    return (() if reader.mistakes else found), tuple(sorted(reader.mistakes))


def _without(values: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    first, *rest = path
    if not rest:
        return {key: value for key, value in values.items() if key != first}
    return {**values, first: _without(values[first], tuple(rest))}


def _setup(values: dict[str, Any], game: Game, text: str) -> Setup:
    limits = {name: Limit(limit["min-cents"], limit["max-cents"]) for name, limit in values["limits"].items()}
    groups = ("game", "limits", "timings", *_OF_A_TABLE)
    plain = _snaked({key: value for key, value in values.items() if key not in groups})
    setup = Setup(
        game=game.key, declaration=text, limits=limits, timings=Timings(**_snaked(values["timings"])), **plain
    )
    # Cards are virtual where the rulebook knows that and the file says nothing; elsewhere they come from a device.
    by_the_book = setup.book.conduct.virtual
    return with_virtual_cards(setup) if "source" not in plain and by_the_book else setup


def _snaked(values: dict[str, Any]) -> dict[str, Any]:
    return {key.replace("-", "_"): value for key, value in values.items()}


def _tls_fault(certificate: str, key: str) -> str:
    """Why a server could not speak TLS with these; nothing when it can."""

    def no_passphrase() -> str:
        raise Wrong("the key has a passphrase: expected one without, which only the floor can read")

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, no_passphrase)
    except Wrong as wrong:
        return str(wrong)
    except (OSError, ValueError) as error:
        said = getattr(error, "reason", None) or getattr(error, "strerror", None) or str(error)
        return f"cannot be used with its key ({said}): expected a certificate and its key, both as PEM"
    return ""
