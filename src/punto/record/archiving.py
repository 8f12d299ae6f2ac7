"""How a sealed gaming day becomes a file: its rows, its seal, and all that proves both."""

import gzip
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from punto.errors import Corrupt, Refusal, UnwritableFile, named
from punto.proof.headlog import CHECKPOINTS, HeadLog, read_sequenced
from punto.proof.heads import read_head
from punto.proof.rotations import KEYS
from punto.proof.seals import SEALS, Seal, read_seal
from punto.proof.writers import HEADS
from punto.record.archive import MARK, SIZE_BYTES, Body, HeadsPart, LogPart, Part, Place, RowsPart, SealedPart, encode
from punto.store.chain import start
from punto.store.contract import Entry, Store, Tip

_PAGE: Final = 500


def write_archive(store: Store, day: str, path: Path) -> int:
    """Write a sealed day as a file; how many bytes it has. `Refusal` where the day is not sealed.

    The file has its name when it is whole. One that is there already is refused.
    """
    unfinished = path.with_name(f".{path.name}.part")
    if path.exists():
        raise UnwritableFile(f"{path}: already exists: expected a path where nothing is yet")
    try:
        with gzip.open(unfinished, "wb") as file:
            for part in _parts(store, day):
                raw = encode(part)
                file.write(len(raw).to_bytes(SIZE_BYTES))
                file.write(raw)
        unfinished.replace(path)
        return path.stat().st_size
    except OSError as error:
        raise UnwritableFile(f"{path}: {error.strerror or error}") from None
    finally:
        unfinished.unlink(missing_ok=True)


def _parts(store: Store, day: str) -> Iterator[Part]:
    entry, seal, sealed = _seal_of(store, day)
    starts = {name: _place(store, name, stream.first - 1) for name, stream in seal.streams.items()}
    writer, head = _covering(store, entry)
    log, until, note = _logs(store, seal)
    writers = {writer, *until.took}
    certificates = {name: next(store.read(name)).body for name in sorted(writers)}
    yield SealedPart(
        MARK,
        _place(store, SEALS, entry.version - 1)[1],
        _body(entry),
        writer,
        _place(store, writer, head.version - 1)[1],
        _body(head),
        starts,
        certificates,
        [_body(each) for each in store.read(KEYS)],
    )
    yield LogPart(log.frontier.size, [*log.frontier.peaks], {name: (*tip,) for name, tip in log.took.items()}, note)
    for number in range(sealed, seal.checkpoint + 1):
        took = read_sequenced(_entry(store, CHECKPOINTS, number).body).took
        for name in sorted(took):
            since = log.took.get(name) or Tip(1, next(store.read(name)).hash)
            entries = islice(store.read(name, since.version), max(0, took[name] - since.version))
            for page in _pages(entries):
                yield HeadsPart(name, [_body(each) for each in page])
                log.took[name] = Tip(page[-1].version, page[-1].hash)
    for name, stream in seal.streams.items():
        for page in _pages(islice(store.read(name, stream.first - 1), stream.last - stream.first + 1)):
            yield RowsPart(name, [_body(each) for each in page])


def _seal_of(store: Store, day: str) -> tuple[Entry, Seal, int]:
    """The seal of a day, and the first checkpoint after the day began."""
    for entry in store.read(SEALS):
        seal = read_seal(entry.body)
        if seal.day == day:
            first = next(
                (each.version for each in store.read(CHECKPOINTS) if read_sequenced(each.body).at_ms >= seal.since_ms),
                1,
            )
            return entry, seal, first
    raise Refusal(f"{day} is not sealed: expected a gaming day that is over, of which the floor has taken a checkpoint")


def _logs(store: Store, seal: Seal) -> tuple[HeadLog, HeadLog, str]:
    """The log before the day, the log that the day's checkpoint covers, and that checkpoint."""
    log = HeadLog()
    for entry in store.read(CHECKPOINTS):
        sequenced = read_sequenced(entry.body)
        if sequenced.at_ms >= seal.since_ms:
            break
        log.take_up_to(store, sequenced.took)
    last = read_sequenced(_entry(store, CHECKPOINTS, seal.checkpoint).body)
    until = HeadLog(took={name: Tip(number, b"") for name, number in last.took.items()})
    return log, until, last.note


def _covering(store: Store, seal: Entry) -> tuple[str, Entry]:
    """The head that covers a seal, and the stream that it is in."""
    for writer, _ in store.streams(HEADS):
        for head in store.read(writer, 1):
            move = read_head(head.body).moved.get(SEALS)
            if move is not None and move.after == (seal.version, seal.hash):
                return writer, head
    raise Corrupt(f"{SEALS}: entry {seal.version} is covered by no head: run 'punto audit'", seal.version)


def _entry(store: Store, stream: str, version: int) -> Entry:
    found = next(store.read(stream, version - 1), None)
    if found is None or found.version != version:
        raise Corrupt(f"{named(stream)}: entry {version} is not there: run 'punto audit'", version)
    return found


def _place(store: Store, stream: str, version: int) -> Place:
    return (version, _entry(store, stream, version).hash) if version else (*start(stream),)


def _pages(entries: Iterator[Entry]) -> Iterator[list[Entry]]:
    while page := list(islice(entries, _PAGE)):
        yield page


def _body(entry: Entry) -> Body:
    return entry.version, entry.command, entry.body, entry.hash
