"""Repair of a store whose floor is closed: what is believed of each stream, what lies beyond, and setting that aside.

Only what nobody has signed is ever set aside. What was signed and is missing or altered cannot be made up for: it comes
back from a copy, or the stream stays stopped.
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
from punto.store.contract import Entry, Row, Store
from punto.table import events as on
from punto.table.log import read as read_logged

_BOOK: Final = "book/"
_ENCODER: Final = msgspec.json.Encoder()


class StreamState(Struct, frozen=True):
    """A stream: how far it is believed, what is stored, and what lies beyond, if anything.

    *fault* says what is wrong with what was signed, and only a copy can put that right. *unsigned* counts entries that
    nobody has signed; *rounds* and *cents* are what they claim.
    """

    stream: str
    believed: int
    stored: int
    unsigned: int = 0
    rounds: int = 0
    cents: int = 0
    fault: str = ""


class Survey(Struct, frozen=True):
    """The streams with which something is wrong, how many there are in all, and what the store finds wrong itself."""

    streams: int
    wrong: tuple[StreamState, ...]
    faults: tuple[str, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether there is nothing wrong with any stream, nor with the store itself."""
        return not self.wrong and not self.faults

    @property
    def beyond(self) -> dict[str, int]:
        """The streams that have unsigned entries, and where each is believed to end."""
        return {each.stream: each.believed for each in self.wrong if each.unsigned}


def survey(store: Store, keys: Keys, folders: Iterable[Path] = ()) -> Survey:
    """What is believed of a store, and what is not; `StoreRewritten` where it is older or tells another history."""
    history = History(store, keys)
    check_age(history, folders)
    coverage = history.coverage
    stored = {stream: max(0, tip.version) for stream, tip in store.streams()}
    believed = {stream: tip.version for stream, tip in coverage.believed_heads().items()}
    believed |= {stream: coverage.end(stream).version for stream in coverage.streams()}
    states = [
        _state(history, stream, believed.get(stream, 0), stored.get(stream, 0))
        for stream in sorted(stored.keys() | believed.keys())
    ]
    wrong = tuple(each for each in states if each.unsigned or each.fault)
    return Survey(len(states), wrong, tuple(fault.said for fault in store.faults()))


def check_age(history: History, folders: Iterable[Path]) -> None:
    """Refuse a store that lacks heads which its own checkpoints cover, or that is older than what is kept outside."""
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
    unsigned = rounds = cents = 0
    if stored > believed:
        unsigned, rounds, cents = _claimed(stream, history.store.read(stream, believed))
    return StreamState(stream, believed, stored, unsigned, rounds, cents, _fault(history, stream, believed, stored))


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


def _claimed(stream: str, entries: Iterable[Entry]) -> tuple[int, int, int]:
    """How many entries nobody has signed, and the rounds and the money that they claim; of what does not read none."""
    count = rounds = cents = 0
    for entry in entries:
        count += 1
        with suppress(PuntoError):
            if stream.startswith(TABLE):
                rounds += isinstance(read_logged(entry.body).event, on.BetsOpened)
            elif stream.startswith((WALLET, _BOOK)):
                cents += read_booked(entry.body).cents
    return count, rounds, cents


# Setting aside


class Who(NamedTuple):
    """Who decides to set entries aside, why, and when."""

    by: str
    reason: str
    at_ms: int


def set_aside(store: Store, keys: Keys, who: Who, file: Path) -> dict[str, Aside]:
    """Move all that nobody has signed into a file, and record the decision, in one transaction of the store.

    The file is whole and durable before anything is removed. `StoreLocked` while a floor has the store open.
    """
    beyond = survey(store, keys).beyond
    if not beyond:
        raise Refusal("everything in the store is signed: there is nothing to set aside")
    moved: dict[str, Aside] = {}
    digest = _write(file, _lines(store, beyond, moved, who))
    try:
        history = History(_Pruning(store, beyond), keys)
        checkpoints = Comparison(history, (), ()).decided()
        said = Decision(who.at_ms, who.by, who.reason, checkpoints, "", aside=moved, file=digest)
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


def _lines(store: Store, beyond: Mapping[str, int], moved: dict[str, Aside], who: Who) -> Iterator[dict[str, Any]]:
    yield {"set-aside": 1, **who._asdict()}
    for stream, end in beyond.items():
        first = last = 0
        for entry in store.read(stream, end):
            first, last = first or entry.version, entry.version
            body = base64.b64encode(entry.body).decode()
            command, hash_ = _told(entry.command), entry.hash.hex()
            yield {"stream": stream, "version": entry.version, "command": command, "body": body, "hash": hash_}
        moved[stream] = Aside(first, last)


def _told(command: object) -> str | None:
    """The id of a command; a forger can have put bytes in its place."""
    return command if command is None or isinstance(command, str) else repr(command)


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


def entries_of(file: Path) -> Iterator[Entry]:
    """The entries that a file of a repair holds, as they were stored."""
    with file.open(encoding="utf-8") as lines:
        for line in islice(lines, 1, None):
            told = json.loads(line)
            body, hash_ = base64.b64decode(told["body"]), bytes.fromhex(told["hash"])
            yield Entry(told["stream"], told["version"], told["command"], body, hash_)
