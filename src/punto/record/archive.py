"""A gaming day in one file: its rows, its seal, and all that proves both, so that it can be checked without the store.

The file is compressed, and a sequence of parts: what is sealed, the log of heads, the heads, and then stream by stream
the rows. The heads follow on a log of a certain size and lead to the checkpoint that the floor has signed.
"""

import gzip
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Final

import msgspec
from msgspec import Struct

from punto.errors import Corrupt, Malformed, Refusal, UnreadableFile, UnwritableFile
from punto.proof.headlog import CHECKPOINTS, HeadLog, floor_verifier, leaf_of, read_sequenced
from punto.proof.heads import is_head_of, is_in_place, read_head
from punto.proof.merkle import Frontier
from punto.proof.notes import Checkpoint, open_note
from punto.proof.seals import SEALS, RowsDigest, Seal, read_seal
from punto.proof.writers import HEADS, Certificate, read_certificate
from punto.store.chain import follows, leads, link, start
from punto.store.contract import Entry, Store, Tip

_MARK: Final = "punto day 1"
_PAGE: Final = 500
# No part is longer: a page of entries, each with the largest body that a floor writes.
_LONGEST: Final = 2**30
_SIZE: Final = 4

Place = tuple[int, bytes]
Body = tuple[int, str | None, bytes, bytes]


class _Sealed(Struct, frozen=True, array_like=True, tag="sealed"):
    """What is sealed: the seal's entry with the hash before it, and the head that covers it, likewise."""

    mark: str
    before: bytes
    seal: Body
    head_stream: str
    head_before: bytes
    head: Body
    # Where each stream ended before the day.
    starts: dict[str, Place]
    # The first entry of each writer that has signed anything of it.
    certificates: dict[str, bytes]


class _Log(Struct, frozen=True, array_like=True, tag="log"):
    """The log of heads before the day, and the checkpoint that covers the day."""

    size: int
    peaks: list[bytes]
    took: dict[str, Place]
    note: str


class _Heads(Struct, frozen=True, array_like=True, tag="heads"):
    """Heads of a writer, in the order of the log."""

    stream: str
    rows: list[Body]


class _Rows(Struct, frozen=True, array_like=True, tag="rows"):
    """Rows of a stream."""

    stream: str
    rows: list[Body]


_Part = _Sealed | _Log | _Heads | _Rows
_ENCODE: Final = msgspec.msgpack.Encoder().encode
_DECODER: Final = msgspec.msgpack.Decoder(_Part)


class Checked(Struct, frozen=True):
    """What an archive was found to hold: a day, checked."""

    day: str
    streams: int
    entries: int
    heads: int
    floor: str
    size: int
    root: bytes


def write_archive(store: Store, day: str, path: Path) -> int:
    """Write a sealed day as a file; how many bytes it has. `Refusal` where the day is not sealed.

    The file has its name when it is whole. One that is there already is refused.
    """
    unfinished = path.with_name(f".{path.name}.part")
    if path.exists():
        raise UnwritableFile(f"{path}: is there already: expected a path where nothing is")
    try:
        with gzip.open(unfinished, "wb") as file:
            for part in _parts(store, day):
                raw = _ENCODE(part)
                file.write(len(raw).to_bytes(_SIZE))
                file.write(raw)
        unfinished.replace(path)
        return path.stat().st_size
    except OSError as error:
        raise UnwritableFile(f"{path}: {error.strerror or error}") from None
    finally:
        unfinished.unlink(missing_ok=True)


def _parts(store: Store, day: str) -> Iterator[_Part]:
    entry, seal, sealed = _seal_of(store, day)
    starts = {name: _place(store, name, stream.first - 1) for name, stream in seal.streams.items()}
    writer, head = _covering(store, entry)
    log, until, note = _logs(store, seal)
    writers = {writer, *until.took}
    certificates = {name: next(store.read(name)).body for name in sorted(writers)}
    yield _Sealed(
        _MARK,
        _place(store, SEALS, entry.version - 1)[1],
        _body(entry),
        writer,
        _place(store, writer, head.version - 1)[1],
        _body(head),
        starts,
        certificates,
    )
    yield _Log(log.frontier.size, [*log.frontier.peaks], {name: (*tip,) for name, tip in log.took.items()}, note)
    for number in range(sealed, seal.checkpoint + 1):
        took = read_sequenced(_entry(store, CHECKPOINTS, number).body).took
        for name in sorted(took):
            since = log.took.get(name) or Tip(1, next(store.read(name)).hash)
            entries = islice(store.read(name, since.version), max(0, took[name] - since.version))
            for page in _pages(entries):
                yield _Heads(name, [_body(each) for each in page])
                log.took[name] = Tip(page[-1].version, page[-1].hash)
    for name, stream in seal.streams.items():
        for page in _pages(islice(store.read(name, stream.first - 1), stream.last - stream.first + 1)):
            yield _Rows(name, [_body(each) for each in page])


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
        raise Corrupt(f"{stream}: entry {version} is not there: run 'punto audit'", version)
    return found


def _place(store: Store, stream: str, version: int) -> Place:
    return (version, _entry(store, stream, version).hash) if version else (*start(stream),)


def _pages(entries: Iterator[Entry]) -> Iterator[list[Entry]]:
    while page := list(islice(entries, _PAGE)):
        yield page


def _body(entry: Entry) -> Body:
    return entry.version, entry.command, entry.body, entry.hash


# Checking


def check_archive(path: Path, public_key: str | None = None, checkpoint: bytes | None = None) -> Checked:
    """Check a day's file by itself; `Corrupt` at the first thing that is wrong.

    *public_key* is the floor's, *checkpoint* one that was kept outside; without either, the file is only known to be
    whole, and to be signed by the key that it names.
    """
    checking = _Checking(public_key, checkpoint)
    for part in _read(path):
        checking.take(part)
    return checking.end()


def _read(path: Path) -> Iterator[_Part]:
    try:
        with gzip.open(path, "rb") as file:
            while head := file.read(_SIZE):
                yield _part(file, int.from_bytes(head))
    except FileNotFoundError:
        raise UnreadableFile(f"{path}: no such file") from None
    except (OSError, EOFError, zlib.error) as error:
        raise Malformed(f"{path}: no archive of a day, or cut off: {error}") from None


def _part(file: "IO[bytes] | gzip.GzipFile", size: int) -> _Part:
    raw = file.read(size) if size <= _LONGEST else b""
    if len(raw) != size or not raw:
        raise Malformed("the archive is cut off")
    try:
        part: _Part = _DECODER.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"a part of the archive that does not read: {error}") from None
    return part


class _Checking:
    """An archive under examination, part by part."""

    def __init__(self, public_key: str | None, checkpoint: bytes | None) -> None:
        self._public_key = public_key
        self._outside = checkpoint
        self._floor = ""
        self._seal: Seal | None = None
        self._certificates: dict[str, Certificate] = {}
        # How far the heads of each writer and the log were followed, and the streams by the heads' moves.
        self._writers: dict[str, Tip] = {}
        self._frontier: Frontier | None = None
        self._ends: dict[str, Tip] = {}
        self._ahead: dict[str, dict[Tip, Tip]] = {}
        # How far the rows of each stream were followed.
        self._rows: dict[str, Tip] = {}
        self._digests: dict[str, RowsDigest] = {}
        self.entries = self.heads = 0

    def take(self, part: _Part) -> None:
        """Check the next part."""
        match part:
            case _Sealed():
                self._sealed(part)
            case _Log():
                self._log(part)
            case _Heads():
                self._heads(part)
            case _Rows():
                self._stream(part)

    def _sealed(self, part: _Sealed) -> None:
        if self._seal is not None or part.mark != _MARK:
            raise Malformed(f"no archive of a day: expected {_MARK!r}")
        for writer, body in part.certificates.items():
            certificate = read_certificate(body)
            if HEADS + certificate.writer != writer:
                raise Corrupt(f"{writer}: begins with the certificate of another writer", 1)
            self._floor = self._public_key or self._floor or certificate.floor
            if certificate.floor != self._floor:
                raise Corrupt(f"{writer}: certified with {certificate.floor[:16]}…, expected {self._floor[:16]}…", 1)
            self._certificates[writer] = certificate
            # A writer's first head follows on its certificate.
            self._writers[writer] = Tip(1, link(start(writer).hash, writer, 1, None, body))
        seal = Entry(SEALS, *part.seal)
        if not follows(part.before, seal):
            raise Corrupt("the seal is not what was written", seal.version)
        covering = Entry(part.head_stream, *part.head)
        head = read_head(covering.body)
        move = head.moved.get(SEALS)
        certified = self._certificates.get(part.head_stream)
        in_place = follows(part.head_before, covering) and is_in_place(head, covering.stream, covering.version)
        if certified is None or not in_place or not is_head_of(certified.key, head, part.head_before):
            raise Corrupt("the seal is under a head that its writer has not signed", covering.version)
        if move is None or move.after != (seal.version, seal.hash):
            raise Corrupt("the seal is not the one that was signed", seal.version)
        self._seal = read_seal(seal.body)
        for name, stream in self._seal.streams.items():
            begin = Tip(*part.starts.get(name, (-1, b"")))
            if begin.version != stream.first - 1:
                raise Corrupt(
                    f"{name}: begins after {begin.version}, and is sealed from {stream.first} on", stream.first
                )
            self._ends[name] = self._rows[name] = begin
            self._digests[name] = RowsDigest(name)

    def _log(self, part: _Log) -> None:
        if self._seal is None:
            raise Malformed("no archive of a day: the seal comes first")
        opened = open_note(part.note.encode(), [floor_verifier(self._floor, part.note.partition("\n")[0])])
        found = Checkpoint.parse(opened.text)
        if (found.size, found.root) != (self._seal.size, self._seal.root):
            raise Corrupt("the checkpoint is not the one that the seal names")
        frontier = Frontier(part.size, tuple(part.peaks))
        if self._frontier is not None or not frontier.is_sound():
            raise Malformed("the log before the day does not read")
        self._frontier = frontier
        self._writers |= {name: Tip(*tip) for name, tip in part.took.items()}

    def _heads(self, part: _Heads) -> None:
        certificate = self._certificates.get(part.stream)
        if certificate is None or not part.rows:
            raise Corrupt(f"{part.stream}: heads of a writer without a certificate")
        if self._frontier is None:
            raise Malformed("no archive of a day: the checkpoint comes before the heads")
        entries = [Entry(part.stream, *row) for row in part.rows]
        since, last = self._writers[part.stream], Tip(entries[-1].version, entries[-1].hash)
        if not leads(entries, since, last):
            raise Corrupt(f"{part.stream}: heads up to {last.version} do not follow from those before", last.version)
        head = read_head(entries[-1].body)
        before = entries[-2].hash if len(entries) > 1 else since.hash
        if not is_in_place(head, part.stream, last.version) or not is_head_of(certificate.key, head, before):
            raise Corrupt(f"{part.stream}: head {last.version} is not signed by its writer", last.version)
        for entry in entries:
            self._frontier = self._frontier.append(leaf_of(entry.body))
            for name, move in read_head(entry.body).moved.items():
                if name in self._ends:
                    self._move(name, move.before, move.after)
        self._writers[part.stream] = last
        self.heads += len(entries)

    def _move(self, stream: str, before: Tip, after: Tip) -> None:
        """Follow a stream by the heads' moves, up to where it is sealed."""
        assert self._seal is not None, "the seal comes first"
        last = self._seal.streams[stream].last
        if before.version < self._seal.streams[stream].first - 1 or after.version > last:
            return
        ahead = self._ahead.setdefault(stream, {})
        ahead[before] = after
        while (end := ahead.pop(self._ends[stream], None)) is not None:
            self._ends[stream] = end

    def _stream(self, part: _Rows) -> None:
        if part.stream not in self._rows or not part.rows:
            raise Corrupt(f"{part.stream}: rows of a stream that is not sealed")
        entries = [Entry(part.stream, *row) for row in part.rows]
        last = Tip(entries[-1].version, entries[-1].hash)
        if not leads(entries, self._rows[part.stream], last):
            raise Corrupt(f"{part.stream}: entries up to {last.version} are not what was written", last.version)
        digest = self._digests[part.stream]
        for entry in entries:
            digest.add(entry)
        self._rows[part.stream] = last
        self.entries += len(entries)

    def end(self) -> Checked:
        """Check the whole."""
        seal = self._seal
        if seal is None or self._frontier is None:
            raise Malformed("no archive of a day: it has no seal, or no checkpoint")
        if (self._frontier.size, self._frontier.root()) != (seal.size, seal.root):
            raise Corrupt(f"the heads do not lead to the checkpoint of {seal.size} heads")
        self._check_outside(seal)
        for name, stream in seal.streams.items():
            if not self._rows[name] == self._ends[name] == Tip(stream.last, stream.hash):
                raise Corrupt(f"{name}: does not end where it was sealed and signed, at {stream.last}", stream.last)
            if self._digests[name].value() != stream.digest:
                raise Corrupt(f"{name}: the rows are not those that were sealed", stream.last)
        return Checked(seal.day, len(seal.streams), self.entries, self.heads, self._floor, seal.size, seal.root)

    def _check_outside(self, seal: Seal) -> None:
        """Hold the day against a checkpoint that was kept outside."""
        if self._outside is None:
            return
        origin = self._outside.partition(b"\n")[0].decode(errors="replace")
        outside = Checkpoint.parse(open_note(self._outside, [floor_verifier(self._floor, origin)]).text)
        if outside.size != seal.size:
            raise Refusal(f"the checkpoint is of {outside.size} heads: expected that of {seal.size}")
        if outside.root != seal.root:
            raise Corrupt("the archive tells another history than the checkpoint that was kept outside")
