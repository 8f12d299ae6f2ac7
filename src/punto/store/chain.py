"""The hash chain of a stream: each entry's hash covers the entry itself and all entries before it.

An entry's hash covers its stream, its version, the id of its command and its bytes, together with the hash before.
Entries of Punto 0.4 and earlier were chained by their bytes alone (`old_link`); the two rules can never give the same
hash, because what they hash begins differently.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import repeat
from typing import Final

import msgspec

from punto.errors import BrokenChain, named
from punto.store.contract import Entry, Hash, Row, Tip

_MARK: Final = b"punto entry 2\0"
# The mark, the hash before, the version, the length of the stream's name, and the length of the command's id plus one,
# so that 0 means no command.
_HEADER: Final = struct.Struct(f"!{len(_MARK)}s32sQHH").pack


_PACK: Final = msgspec.msgpack.Encoder().encode


def genesis(stream: str) -> Hash:
    """What the first entry of a stream is chained to."""
    return sha256(b"punto stream 1\0" + stream.encode("utf-8", "surrogatepass")).digest()


def link(before: Hash, stream: str, version: int, command: str | None, body: bytes) -> Hash:
    """The hash of an entry, given the hash of the entry before.

    >>> link(genesis("table/1"), "table/1", 1, "c1", b"{}").hex()[:16]
    'a6980c721c75b9e3'
    """
    name = stream.encode("utf-8", "surrogatepass")
    if command is None:
        return sha256(_HEADER(_MARK, before, version, len(name), 0) + name + body).digest()
    id_ = command.encode("utf-8", "surrogatepass")
    return sha256(_HEADER(_MARK, before, version, len(name), len(id_) + 1) + name + id_ + body).digest()


def chained(written: Iterable[tuple[str, str | None, bytes]], ends: dict[str, tuple[int, Hash]]) -> list[Row]:
    """What is to be written (stream, command, body) as rows: `link`, for many at once.

    *ends* says where the streams end, and moves on with them.
    """
    rows: list[Row] = []
    for stream, command, body in written:
        version, before = ends[stream]
        version += 1
        name = stream.encode("utf-8", "surrogatepass")
        if command is None:
            hash_ = sha256(_HEADER(_MARK, before, version, len(name), 0) + name + body).digest()
        else:
            id_ = command.encode("utf-8", "surrogatepass")
            hash_ = sha256(_HEADER(_MARK, before, version, len(name), len(id_) + 1) + name + id_ + body).digest()
        ends[stream] = version, hash_
        rows.append((stream, version, command, body, hash_))
    return rows


def old_link(before: Hash, body: bytes) -> Hash:
    """The hash of an entry by the rule of Punto 0.4, which left out the stream, the version and the command."""
    return sha256(before + body).digest()


def follows(before: Hash, entry: Entry) -> bool:
    """Whether an entry's hash follows from the hash before, by either rule; false for whatever is no entry at all."""
    try:
        right = link(before, entry.stream, entry.version, entry.command, entry.body)
        return entry.hash == right or entry.hash == old_link(before, entry.body)
    except (TypeError, AttributeError, UnicodeEncodeError, ValueError, OverflowError, struct.error):
        return False  # a damaged file can hold anything in the place of text, number or bytes


def leads(entries: Sequence[Entry], since: Tip, end: Tip) -> bool:
    """Whether entries of one stream lead from one place to another: `verified`, for many at once."""
    return _leads_by_new_rule(entries, since, end) or _leads_by_either_rule(entries, since, end)


def _leads_by_new_rule(entries: Sequence[Entry], since: Tip, end: Tip) -> bool:
    """The same, column by column, which is quicker; false where an entry is chained by the old rule."""
    if not entries:
        return since == end
    if len(entries) != end.version - since.version:
        return False
    names, versions, commands, bodies, hashes = zip(*entries, strict=True)
    if versions != tuple(range(since.version + 1, end.version + 1)) or hashes[-1] != end.hash:
        return False
    try:
        name = names[0].encode("utf-8", "surrogatepass")
        ids = [b"" if each is None else each.encode("utf-8", "surrogatepass") for each in commands]
        sizes = [0 if each is None else len(id_) + 1 for each, id_ in zip(commands, ids, strict=True)]
        header = struct.Struct(f"!{len(_MARK)}s32sQHH{len(name)}s").pack
        befores = (since.hash, *hashes[:-1])
        headers = map(header, repeat(_MARK), befores, versions, repeat(len(name)), sizes, repeat(name))
        right = [sha256(head + id_ + body).digest() for head, id_, body in zip(headers, ids, bodies, strict=True)]
    except (TypeError, AttributeError, ValueError, OverflowError, struct.error):
        return False  # a damaged file can hold anything in the place of text, number or bytes
    return right == [*hashes]


def _leads_by_either_rule(entries: Sequence[Entry], since: Tip, end: Tip) -> bool:
    version, before = since
    for entry in entries:
        version += 1
        if entry.version != version or not follows(before, entry):
            return False
        before = entry.hash
    return (version, before) == end


def digest_of(rows: Sequence[Row | Entry]) -> bytes:
    """One digest over the commands, bodies and hashes of rows: whoever has it need not follow their chain."""
    return sha256(_PACK(("punto rows 1", *[*zip(*rows, strict=True)][2:]))).digest()


def have_digest(entries: Sequence[Entry], since: Tip, end: Tip, digest: bytes) -> bool:
    """Whether entries of one stream are all those between two places, and have that digest."""
    if not entries or len(entries) != end.version - since.version:
        return False
    _, versions, *columns = zip(*entries, strict=True)
    if versions != tuple(range(since.version + 1, end.version + 1)) or entries[-1].hash != end.hash:
        return False
    try:
        return sha256(_PACK(("punto rows 1", *columns))).digest() == digest
    except (TypeError, UnicodeEncodeError):
        return False  # a damaged file can hold anything in the place of text


def start(stream: str) -> Tip:
    """The end of a stream that has no entry yet."""
    return Tip(0, genesis(stream))


def verified(entries: Iterable[Entry], since: Tip) -> Iterator[Entry]:
    """The entries as they come, each checked against the one before; `BrokenChain` where they do not follow."""
    version, before = since
    for entry in entries:
        version += 1
        if entry.version != version or not follows(before, entry):
            raise BrokenChain(f"{named(entry.stream)}: entry {version} is not what was written", version)
        before = entry.hash
        yield entry
