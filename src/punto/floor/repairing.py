"""Repair of a store whose floor is closed: what is believed of each stream, what lies beyond, and setting that aside.

Only what nobody has signed is ever set aside, every value as the database has it. What was signed and is missing or
altered cannot be made up for: it comes back from a copy, or the stream stays stopped.
"""

import base64
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from punto.errors import BrokenChain, Corrupt, PuntoError, Refusal, StoreRewritten, StreamStopped, UnwritableFile, named
from punto.floor.comparing import Aside, Comparison, Decision
from punto.floor.handler import TABLE
from punto.floor.history import History
from punto.floor.keys import Keys
from punto.floor.patrol import heads_up_to
from punto.ledger import WALLET
from punto.ledger.book import read as read_booked
from punto.proof.headlog import CHECKPOINTS, read_sequenced
from punto.proof.outposts import Outpost
from punto.proof.pins import DECISIONS
from punto.proof.writers import HEADS
from punto.store.contract import Row, Store, StoredRow, Value
from punto.store.reading import is_text
from punto.table import events as on
from punto.table.log import read as read_logged

_BOOK: Final = "book/"
_ENCODER: Final = msgspec.json.Encoder()


class StreamState(Struct, frozen=True):
    """A stream: how far it is believed, what is stored, and what lies beyond, if anything.

    *fault* says what is wrong with what was signed, and only a copy can put that right. *unsigned* counts rows that
    nobody has signed, even one whose version is no whole number; *rounds* and *cents* are what they claim.
    """

    stream: str
    believed: int
    stored: int
    unsigned: int = 0
    rounds: int = 0
    cents: int = 0
    fault: str = ""


class Survey(Struct, frozen=True):
    """The streams with which something is wrong, how many there are in all, and what the store finds wrong itself.

    *lack* says what the store lacks of the heads that its floor has seen there.
    """

    streams: int
    wrong: tuple[StreamState, ...]
    faults: tuple[str, ...] = ()
    lack: str = ""

    @property
    def is_sound(self) -> bool:
        """Whether there is nothing wrong with any stream, nor with the store itself."""
        return not self.wrong and not self.faults and not self.lack

    @property
    def beyond(self) -> dict[str, int]:
        """The streams that have unsigned entries, and where each is believed to end."""
        return {each.stream: each.believed for each in self.wrong if each.unsigned}


def survey(store: Store, keys: Keys, folders: Iterable[Path] = ()) -> Survey:
    """What is believed of a store, and what is not; `StoreRewritten` where it is older or tells another history."""
    history = History(store, keys, older=True)
    check_age(history, folders)
    coverage = history.coverage
    stored = {stream: tip.version for stream, tip in store.streams()}
    believed = {stream: tip.version for stream, tip in coverage.believed_heads().items()}
    believed |= {stream: coverage.end(stream).version for stream in coverage.streams()}
    states = [
        _state(history, stream, believed.get(stream, 0), stored.get(stream, 0))
        for stream in sorted(stored.keys() | believed.keys())
    ]
    wrong = tuple(each for each in states if each.unsigned or each.fault)
    return Survey(len(states), wrong, tuple(fault.said for fault in store.faults()), history.lack)


def check_age(history: History, folders: Iterable[Path]) -> None:
    """Refuse a store that lacks heads which its own checkpoints cover, or that is older than what is kept outside.

    `StreamStopped` where a head is damaged and later ones of its writer are there: nothing is moved then, either.
    """
    history.coverage.check_heads()
    heads = history.coverage.believed_heads()
    took: dict[str, int] = {}
    with suppress(Corrupt):  # that is told as a fault of its stream
        last = history.last(CHECKPOINTS)
        took = read_sequenced(last.body).took if last else {}
    for stream, number in took.items():
        if stream not in heads or heads[stream].version < number:
            raise StoreRewritten(
                f"the store lacks head {number} of {named(stream)}, which its own checkpoint covers: restore a copy, "
                "or record a decision with 'punto accept'"
            )
    outposts = [Outpost(folder) for folder in folders]
    if outposts:  # whoever names none has the store alone
        with suppress(StreamStopped):  # that is told as a fault of its stream, too
            Comparison(history, outposts, ()).compare()


def _state(history: History, stream: str, believed: int, stored: int) -> StreamState:
    claimed = _claimed(stream, history.store.beyond(stream, believed))
    # Where the last row has no version that is a number, the end is that of the last row that has one.
    stored = max(0, min(stored, max(believed, claimed.last)))
    fault = _fault(history, stream, believed, stored)
    return StreamState(stream, believed, stored, claimed.rows, claimed.rounds, claimed.cents, fault)


def _fault(history: History, stream: str, believed: int, stored: int) -> str:
    """What is wrong with the signed part of a stream."""
    if stored < believed:
        return f"entries {stored + 1} to {believed} were signed and are missing"
    if stream.startswith(HEADS):
        return _broken_head(history, stream)
    try:
        for _ in history.coverage.read(stream):
            pass
    except StreamStopped as stopped:
        return stopped.message.removeprefix(f"{named(stream)}: ").partition(":")[0]
    return ""


def _broken_head(history: History, stream: str) -> str:
    """What is wrong with the believed heads of a writer."""
    end = history.coverage.believed_heads().get(stream)
    try:
        for _ in heads_up_to(history.store, stream, end) if end else ():
            pass
    except BrokenChain as error:
        return f"head {error.at} is not the one that was signed"
    return ""


class _Claimed(NamedTuple):
    """How many rows nobody has signed, the last whole number among their versions, and the rounds and money claimed."""

    rows: int
    last: int
    rounds: int
    cents: int


def _claimed(stream: str, rows: Iterable[StoredRow]) -> _Claimed:
    """What rows claim that nobody has signed; what does not read claims nothing."""
    count = last = rounds = cents = 0
    for row in rows:
        count += 1
        last = max(last, row.version) if isinstance(row.version, int) else last
        body = row.body if isinstance(row.body, bytes) else b""
        with suppress(PuntoError):
            if stream.startswith(TABLE):
                rounds += isinstance(read_logged(body).event, on.BetsOpened)
            elif stream.startswith((WALLET, _BOOK)):
                cents += read_booked(body).cents
    return _Claimed(count, last, rounds, cents)


# Setting aside


class Who(NamedTuple):
    """Who decides to set entries aside, why, and when."""

    by: str
    reason: str
    at_ms: int


class Moved(NamedTuple):
    """The rows of a stream that were set aside: how many, and the first and the last whole number among their versions.

    Both are 0 where no version is a whole number.
    """

    first: int
    last: int
    rows: int


def set_aside(store: Store, keys: Keys, who: Who, file: Path) -> dict[str, Moved]:
    """Move all that nobody has signed into a file, and record the decision, in one transaction of the store.

    The file is whole and durable before anything is removed. `StoreLocked` while a floor has the store open.
    """
    beyond = survey(store, keys).beyond
    if not beyond:
        raise Refusal("everything in the store is signed: there is nothing to set aside")
    moved: dict[str, Moved] = {}
    digest = _write(file, _lines(store, beyond, moved, who))
    try:
        history = History(_Pruning(store, beyond), keys, older=True)
        checkpoints = Comparison(history, (), ()).decided()
        aside = {stream: Aside(each.first, each.last) for stream, each in moved.items()}
        rows = {stream: each.rows for stream, each in moved.items()}
        said = Decision(who.at_ms, who.by, who.reason, checkpoints, "", aside=aside, file=digest, rows=rows)
        group = history.group()
        group.at_ms = who.at_ms
        history.append(group, group.chain([(DECISIONS, None, _ENCODER.encode(said))]), {})
    except BaseException:
        file.unlink()  # nothing was removed
        raise
    return moved


class _Pruning:
    """A store that removes what lies beyond the ends of streams, in one transaction with the first entries it is given.

    Those are of two kinds: first those with which a process joins, which wait here, and then what it writes.
    """

    def __init__(self, store: Store, ends: Mapping[str, int]) -> None:
        self._store = store
        self._ends = ends
        self._joining: list[Row] = []
        self._fences: dict[str, int] = {}

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        self._fences |= fences
        if self._joining:
            self._store.prune(self._ends, [*self._joining, *entries], self._fences)
        else:
            self._joining = list(entries)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the store has)
        return getattr(self._store, name)


def _lines(store: Store, beyond: Mapping[str, int], moved: dict[str, Moved], who: Who) -> Iterator[dict[str, Any]]:
    yield {"set-aside": 2, **who._asdict()}
    for stream, end in beyond.items():
        versions: list[int] = []
        count = 0
        for row in store.beyond(stream, end):
            count += 1
            if isinstance(row.version, int):
                versions = [min([row.version, *versions]), max([row.version, *versions])]
            yield {
                "stream": stream,
                "version": row.version if isinstance(row.version, int) else _typed(row.version),
                "command": row.command if row.command is None or _is_plain(row.command) else _typed(row.command),
                "body": base64.b64encode(row.body).decode() if isinstance(row.body, bytes) else _typed(row.body),
                "hash": row.hash.hex() if isinstance(row.hash, bytes) else _typed(row.hash),
            }
        first, last = versions or (0, 0)
        moved[stream] = Moved(first, last, count)


def _is_plain(value: Value) -> bool:
    return isinstance(value, str) and is_text(value)


def _typed(value: Value) -> dict[str, str | None]:
    """A value of a type that no store writes there: its type, as SQLite calls it, and the whole value."""
    match value:
        case int():
            return {"type": "integer", "value": str(value)}
        case float():
            return {"type": "real", "value": repr(value)}
        case str():
            encoded = value.encode(errors="surrogateescape")
            return {"type": "text", "base64": base64.b64encode(encoded).decode()}
        case bytes():
            return {"type": "blob", "base64": base64.b64encode(value).decode()}
        case None:
            return {"type": "null"}


def _restored(told: dict[str, str]) -> Value:
    """The value that was written down with its type."""
    match told["type"]:
        case "integer":
            return int(told["value"])
        case "real":
            return float(told["value"])
        case "text":
            return base64.b64decode(told["base64"]).decode(errors="surrogateescape")
        case "blob":
            return base64.b64decode(told["base64"])
        case _:
            return None


def _write(file: Path, lines: Iterable[dict[str, Any]]) -> str:
    """Write a file that is not there yet, and give its SHA-256 once it is durable."""
    digest = sha256()
    try:
        number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(number, "wb") as out:
            for line in lines:
                text = json.dumps(line, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"
                digest.update(text)
                out.write(text)
            out.flush()
            os.fsync(out.fileno())
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise UnwritableFile(f"{file}: {error.strerror}: nothing was set aside") from None
    return digest.hexdigest()


def rows_of(file: Path) -> Iterator[StoredRow]:
    """The rows that a file of a repair holds, as they were stored."""
    with file.open(encoding="utf-8") as lines:
        for line in islice(lines, 1, None):
            told = json.loads(line)
            values = {column: _restored(each) for column, each in told.items() if isinstance(each, dict)}
            if "body" not in values:
                values["body"] = base64.b64decode(told["body"])
            if "hash" not in values:
                values["hash"] = bytes.fromhex(told["hash"])
            yield StoredRow(**(told | values))
