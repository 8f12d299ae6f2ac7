"""Heads: what a writer signs after every transaction: where each stream that it moved ended before and after.

A writer's heads are a stream of their own, chained like any other. Each head is signed together with the hash of the
entry before it, so one signature vouches for all heads of that writer up to there. Several writers on one store sign
without waiting for each other.

What is signed is short and can be read as it is (JSON): the moves are in it as a digest, and the commands of the
transaction as the root of a Merkle tree, so that a patron's receipt can prove one command without all the others. The
moves beside it are packed (msgpack), for there are many.

A writer's first head moves nothing. With it a process joins: it says which checkpoint was the last one then, so that a
process which ran on a copy of the store can be told from one that ran on this.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from punto.errors import Corrupt
from punto.proof.merkle import tree_root
from punto.proof.places import PLACE, place_of, split, tip_of
from punto.proof.writers import HEADS, Writer, is_signed
from punto.store.chain import link, start
from punto.store.contract import Hash, Row, Tip

_MARK: Final = b"punto head 2\0"


class Move(NamedTuple):
    """Where a stream ended before a transaction, and where it ended after."""

    before: Tip
    after: Tip


class Moves(Struct, frozen=True, array_like=True):
    """How a transaction moved its streams: their names, and all places before and all places after, each in one piece.

    Of a stream that has got many entries there is also a digest over them, by the place of its name.
    """

    names: list[str]
    befores: bytes
    afters: bytes
    digests: dict[int, bytes] = {}


class Statement(Struct, frozen=True, omit_defaults=True):
    """What a writer signs: *root* is of a tree over its commands' first entries, *moves* the digest of its moves.

    Its first head alone has *after*: the end of the checkpoints when it joined.
    """

    writer: str
    number: int
    at_ms: int
    commands: int
    root: bytes
    moves: bytes
    after: Tip | None = None


class StoredHead(Struct, frozen=True, array_like=True):
    """A head as it is stored: the bytes of its statement, those of its moves, and the signature."""

    head: bytes
    moved: bytes
    signature: bytes


class Head(NamedTuple):
    """A head as it was read: its statement, the bytes and the signature of that, and the moves."""

    statement: Statement
    raw: bytes
    signature: str
    moved: dict[str, Move]


_PACK: Final = msgspec.msgpack.Encoder().encode
_STORED: Final = msgspec.msgpack.Decoder(StoredHead)
_MOVES: Final = msgspec.msgpack.Decoder(Moves)
_ENCODER: Final = msgspec.json.Encoder()
_STATEMENT: Final = msgspec.json.Decoder(Statement)


def certificate_row(writer: Writer, before: Tip) -> Row:
    """The first entry of a writer's stream of heads."""
    return _row(writer.stream, before, writer.certificate)


def joining_rows(writer: Writer, at_ms: int, after: Tip) -> list[Row]:
    """The first two entries of a writer's stream: its certificate, and the head with which it joins."""
    first = certificate_row(writer, start(writer.stream))
    return [first, joining_row(writer, Tip(first[1], first[4]), at_ms, after)]


def joining_row(writer: Writer, before: Tip, at_ms: int, after: Tip) -> Row:
    """The head with which a writer joins, after its certificate."""
    moved = _PACK(moves_of({}))
    said = Statement(writer.name, before.version + 1, at_ms, 0, tree_root(()), sha256(moved).digest(), after)
    return _signed(writer, before, said, moved)


def moves_of(moves: Mapping[str, Move]) -> Moves:
    """Moves as a head has them."""
    befores, afters = (b"".join(place_of(move[side]) for move in moves.values()) for side in (0, 1))
    return Moves([*moves], befores, afters)


def head_row(
    writer: Writer, before: Tip, at_ms: int, moves: Moves | Mapping[str, Move], commands: Sequence[Hash] = ()
) -> Row:
    """The next entry of a writer's stream of heads: a head over all that a transaction moved.

    *commands* are the hashes of the entries with which its commands begin; their tree has them in order, so that
    whoever has the entries can build it.
    """
    moved = _PACK(moves if isinstance(moves, Moves) else moves_of(moves))
    root = tree_root([sha256(b"\0" + each).digest() for each in sorted(commands)])  # `leaf_hash`, for many
    said = Statement(writer.name, before.version + 1, at_ms, len(commands), root, sha256(moved).digest())
    return _signed(writer, before, said, moved)


def _signed(writer: Writer, before: Tip, said: Statement, moved: bytes) -> Row:
    raw = _ENCODER.encode(said)
    signature = writer.key.sign(_MARK + before.hash + raw)
    return _row(writer.stream, before, _PACK(StoredHead(raw, moved, signature)))


def read_head(body: bytes) -> Head:
    """A head as it was stored; `Corrupt` where it cannot be one, or its moves are not those of its statement."""
    stored = _stored(body)
    moves = _moves(stored.moved)
    try:
        said = _STATEMENT.decode(stored.head)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"a head that does not read: {error}") from None
    if sha256(stored.moved).digest() != said.moves:
        raise Corrupt(f"a head whose moves are not those that it was signed over: {said.number}")
    ends = zip(*(map(tip_of, split(places)) for places in (moves.befores, moves.afters)), strict=True)
    moved = {name: Move._make(each) for name, each in zip(moves.names, ends, strict=True)}
    if len(moved) != len(moves.names):
        raise Corrupt(f"a head that moves a stream twice: {said.number}")
    return Head(said, stored.head, stored.signature.hex(), moved)


def read_moves(body: bytes) -> Moves:
    """The moves of a stored head, for whoever has a signature over its hash; `Corrupt` where it cannot be a head."""
    return _moves(_stored(body).moved)


def statement_of(body: bytes) -> bytes:
    """The bytes of a stored head that its writer has signed."""
    return _stored(body).head


def is_head_of(key: str, head: Head, before: Hash) -> bool:
    """Whether a head was signed with a writer's key, just after the entry with that hash."""
    return is_signed(key, head.signature, _MARK + before + head.raw)


def is_in_place(head: Head, stream: str, version: int) -> bool:
    """Whether a head says that it stands where it was found."""
    return (HEADS + head.statement.writer, head.statement.number) == (stream, version)


def _stored(body: bytes) -> StoredHead:
    try:
        return _STORED.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"a head that does not read: {error}") from None


def _moves(packed: bytes) -> Moves:
    try:
        moves = _MOVES.decode(packed)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"a head that does not read: {error}") from None
    count = len(moves.names)
    sizes = {PLACE * count, len(moves.befores), len(moves.afters)}
    if len(sizes) > 1 or (moves.digests and not 0 <= min(moves.digests) <= max(moves.digests) < count):
        raise Corrupt(f"a head that does not read: {count} streams, and places for more or fewer")
    return moves


def _row(stream: str, before: Tip, body: bytes) -> Row:
    version = before.version + 1
    return stream, version, None, body, link(before.hash, stream, version, None, body)
