"""A gaming day in one file: its rows, its seal, and all that proves both, so that it can be checked without the store.

The file is compressed, and a sequence of parts: what is sealed, the log of heads, the heads, and then stream by stream
the rows. The heads follow on a log of a certain size and lead to the checkpoint that the floor has signed.
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import IO, Final

import msgspec
from msgspec import Struct

from punto.errors import BadSignature, Corrupt, Malformed, Refusal, UnreadableFile, named
from punto.proof.headlog import leaf_of, open_checkpoint
from punto.proof.heads import is_head_of, is_in_place, read_head
from punto.proof.merkle import Frontier
from punto.proof.notes import Checkpoint
from punto.proof.rotations import KEYS, Rotation, Trust, rotations_in_place, trusted_keys
from punto.proof.seals import SEALS, RowsDigest, Seal, read_seal
from punto.proof.writers import HEADS, Certificate, read_certificate
from punto.store.chain import follows, leads, link, start
from punto.store.contract import Entry, Tip

MARK: Final = "punto day 1"
# No part is longer: a page of entries, each with the largest body that a floor writes.
_LONGEST: Final = 2**30
SIZE_BYTES: Final = 4

Place = tuple[int, bytes]
Body = tuple[int, str | None, bytes, bytes]


class SealedPart(Struct, frozen=True, array_like=True, tag="sealed"):
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
    # The rotations of the floor's key up to when the file was written.
    rotations: list[Body]


class LogPart(Struct, frozen=True, array_like=True, tag="log"):
    """The log of heads before the day, and the checkpoint that covers the day."""

    size: int
    peaks: list[bytes]
    took: dict[str, Place]
    note: str


class HeadsPart(Struct, frozen=True, array_like=True, tag="heads"):
    """Heads of a writer, in the order of the log."""

    stream: str
    rows: list[Body]


class RowsPart(Struct, frozen=True, array_like=True, tag="rows"):
    """Rows of a stream."""

    stream: str
    rows: list[Body]


Part = SealedPart | LogPart | HeadsPart | RowsPart
encode: Final = msgspec.msgpack.Encoder().encode
_DECODER: Final = msgspec.msgpack.Decoder(Part)


class Checked(Struct, frozen=True):
    """What an archive was found to hold: a day, checked."""

    day: str
    streams: int
    entries: int
    heads: int
    floor: str
    size: int
    root: bytes


def check_archive(path: Path, *public_keys: str, checkpoint: bytes | None = None) -> Checked:
    """Check a day's file by itself; `Corrupt` at the first thing that is wrong.

    *public_keys* are the floor's: the key of today leads to former ones by the rotations that the file holds. A file
    from before a rotation needs the former key. *checkpoint* is one that was kept outside. Without either, the file is
    only known to be whole, and to be signed by the key that it names.
    """
    checking = _Checking(public_keys, checkpoint)
    for part in _read(path):
        checking.take(part)
    return checking.end()


def _read(path: Path) -> Iterator[Part]:
    try:
        with gzip.open(path, "rb") as file:
            while head := file.read(SIZE_BYTES):
                yield _part(file, int.from_bytes(head))
    except FileNotFoundError:
        raise UnreadableFile(f"{path}: no such file") from None
    except (OSError, EOFError, zlib.error) as error:
        why = f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""
        raise Malformed(f"{path}: this is no archive of a day, or it was cut off{why}") from None


def _part(file: "IO[bytes] | gzip.GzipFile", size: int) -> Part:
    raw = file.read(size) if size <= _LONGEST else b""
    if len(raw) != size or not raw:
        raise Malformed("the archive is cut off")
    try:
        part: Part = _DECODER.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"a part of the archive that does not read: {error}") from None
    return part


def _trusts(given: tuple[str, ...], rows: list[Body], certificates: Iterable[Certificate]) -> list[Trust]:
    """The keys that were given, or else the one that the file names; each leads to others by the file's rotations."""
    entries = [Entry(KEYS, *row) for row in rows]
    rotations = [each for each in rotations_in_place(entries) if isinstance(each, Rotation)]
    named = (each.new for each in reversed(rotations)), (each.floor for each in certificates)
    trusts = [trusted_keys(key, entries) for key in given or [next(chain(*named), "")]]
    # A former key is worth no more for being named.
    return [trust for trust in trusts if not any(trust.key in other.former for other in trusts)]


class _Checking:
    """An archive under examination, part by part."""

    def __init__(self, public_keys: tuple[str, ...], checkpoint: bytes | None) -> None:
        self._public_keys = public_keys
        self._outside = checkpoint
        # The keys that are believed, each with the former keys that it leads to.
        self._trusts: list[Trust] = []
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

    def take(self, part: Part) -> None:
        """Check the next part."""
        match part:
            case SealedPart():
                self._sealed(part)
            case LogPart():
                self._log(part)
            case HeadsPart():
                self._heads(part)
            case RowsPart():
                self._stream(part)

    def _sealed(self, part: SealedPart) -> None:
        if self._seal is not None or part.mark != MARK:
            raise Malformed(f"not an archive of a day: expected {MARK!r}")
        certificates = {writer: read_certificate(body) for writer, body in part.certificates.items()}
        self._trusts = _trusts(self._public_keys, part.rotations, certificates.values())
        for writer, body in part.certificates.items():
            certificate = certificates[writer]
            if HEADS + certificate.writer != writer:
                raise Corrupt(f"{named(writer)}: begins with the certificate of another writer", 1)
            self._trusting(writer, certificate)
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
        limit = self._trusting(covering.stream, certified).limit(covering.stream, certified.floor)
        if limit is not None and covering.version > limit.version:
            raise Corrupt("the seal's writer went on after its key was rotated", covering.version)
        if move is None or move.after != (seal.version, seal.hash):
            raise Corrupt("the seal is not the one that was signed", seal.version)
        self._seal = read_seal(seal.body)
        for name, stream in self._seal.streams.items():
            begin = Tip(*part.starts.get(name, (-1, b"")))
            if begin.version != stream.first - 1:
                raise Corrupt(
                    f"{named(name)}: begins after {begin.version}, and is sealed from {stream.first} on", stream.first
                )
            self._ends[name] = self._rows[name] = begin
            self._digests[name] = RowsDigest(name)

    def _trusting(self, writer: str, certificate: Certificate) -> Trust:
        """The trusted key that has certified a writer, or that leads to the former key which has."""
        for trust in self._trusts:
            if certificate.floor in (trust.key, *trust.former):
                trust.check(writer, certificate.floor)
                return trust
        raise Corrupt(
            f"{named(writer)}: certified with {certificate.floor[:16]}…, which is no key of this floor: if the floor "
            "had that key when the file was written, name it as well",
            1,
        )

    def _opened(self, note: bytes) -> Checkpoint:
        """A checkpoint that a trusted key has signed."""
        for trust in self._trusts[:-1]:
            with suppress(BadSignature):
                return open_checkpoint(note, (trust.key, *trust.former), trust.sizes)
        trust = self._trusts[-1]
        return open_checkpoint(note, (trust.key, *trust.former), trust.sizes)

    def _log(self, part: LogPart) -> None:
        if self._seal is None:
            raise Malformed("not an archive of a day: the seal comes first")
        found = self._opened(part.note.encode())
        if (found.size, found.root) != (self._seal.size, self._seal.root):
            raise Corrupt("the checkpoint is not the one that the seal names")
        frontier = Frontier(part.size, tuple(part.peaks))
        if self._frontier is not None or not frontier.is_sound():
            raise Malformed("the log before the day does not read")
        self._frontier = frontier
        self._writers |= {name: Tip(*tip) for name, tip in part.took.items()}

    def _heads(self, part: HeadsPart) -> None:
        certificate = self._certificates.get(part.stream)
        if certificate is None or not part.rows:
            raise Corrupt(f"{named(part.stream)}: heads of a writer without a certificate")
        if self._frontier is None:
            raise Malformed("not an archive of a day: the checkpoint comes before the heads")
        entries = [Entry(part.stream, *row) for row in part.rows]
        since, last = self._writers[part.stream], Tip(entries[-1].version, entries[-1].hash)
        if not leads(entries, since, last):
            raise Corrupt(
                f"{named(part.stream)}: heads up to {last.version} do not follow from those before", last.version
            )
        head = read_head(entries[-1].body)
        before = entries[-2].hash if len(entries) > 1 else since.hash
        if not is_in_place(head, part.stream, last.version) or not is_head_of(certificate.key, head, before):
            raise Corrupt(f"{named(part.stream)}: head {last.version} is not signed by its writer", last.version)
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

    def _stream(self, part: RowsPart) -> None:
        if part.stream not in self._rows or not part.rows:
            raise Corrupt(f"{named(part.stream)}: rows of a stream that is not sealed")
        entries = [Entry(part.stream, *row) for row in part.rows]
        last = Tip(entries[-1].version, entries[-1].hash)
        if not leads(entries, self._rows[part.stream], last):
            raise Corrupt(f"{named(part.stream)}: entries up to {last.version} are not what was written", last.version)
        digest = self._digests[part.stream]
        for entry in entries:
            digest.add(entry)
        self._rows[part.stream] = last
        self.entries += len(entries)

    def end(self) -> Checked:
        """Check the whole."""
        seal = self._seal
        if seal is None or self._frontier is None:
            raise Malformed("not an archive of a day: it has no seal, or no checkpoint")
        if (self._frontier.size, self._frontier.root()) != (seal.size, seal.root):
            raise Corrupt(f"the heads do not lead to the checkpoint of {seal.size} heads")
        self._check_outside(seal)
        for name, stream in seal.streams.items():
            if not self._rows[name] == self._ends[name] == Tip(stream.last, stream.hash):
                raise Corrupt(
                    f"{named(name)}: does not end where it was sealed and signed, at {stream.last}", stream.last
                )
            if self._digests[name].value() != stream.digest:
                raise Corrupt(f"{named(name)}: the rows are not those that were sealed", stream.last)
        return Checked(seal.day, len(seal.streams), self.entries, self.heads, self._trusts[0].key, seal.size, seal.root)

    def _check_outside(self, seal: Seal) -> None:
        """Hold the day against a checkpoint that was kept outside."""
        if self._outside is None:
            return
        outside = self._opened(self._outside)
        if outside.size != seal.size:
            raise Refusal(
                f"the checkpoint has {outside.size} heads: expected that of {seal.size}, which the seal names"
            )
        if outside.root != seal.root:
            raise Corrupt("the archive tells another history than the checkpoint that was kept outside")
