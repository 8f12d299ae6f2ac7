"""Heads: what a writer signs after every transaction: where each stream that it moved ended before and after.

A writer's heads are a stream of their own, chained like any other. Each head is signed together with the hash of the
entry before it, so one signature vouches for all heads of that writer up to there. Several writers on one store sign
without waiting for each other.

What is signed is short: the moves are in it as a digest, and the commands of the transaction as the root of a Merkle
tree, so that a patron's receipt can prove one command without all the others.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple

import msgspec
from msgspec import Raw, Struct

from punto.errors import Corrupt
from punto.proof.merkle import leaf_hash, tree_root
from punto.proof.writers import HEADS, Writer, is_signed
from punto.store.chain import link
from punto.store.contract import Hash, Row, Tip

_MARK: Final = b"punto head 2\0"


class Move(NamedTuple):
    """Where a stream ended before a transaction, and where it ended after."""

    before: Tip
    after: Tip


class Statement(Struct, frozen=True):
    """What a writer signs: *root* is of a tree over its commands' first entries, *moves* the digest of its moves."""

    writer: str
    number: int
    at_ms: int
    commands: int
    root: bytes
    moves: bytes


class StoredHead(Struct, frozen=True):
    """A head as it is stored: hashes are in base64."""

    head: Raw
    moved: Raw
    signature: str


class Head(NamedTuple):
    """A head as it was read: its statement, the bytes and the signature of that, and the moves."""

    statement: Statement
    raw: bytes
    signature: str
    moved: dict[str, Move]


_ENCODER: Final = msgspec.json.Encoder()
_STORED: Final = msgspec.json.Decoder(StoredHead)
_STATEMENT: Final = msgspec.json.Decoder(Statement)
_MOVES: Final = msgspec.json.Decoder(dict[str, Move])


def certificate_row(writer: Writer, before: Tip) -> Row:
    """The first entry of a writer's stream of heads."""
    return _row(writer.stream, before, writer.certificate)


def head_row(writer: Writer, before: Tip, at_ms: int, moves: dict[str, Move], commands: Sequence[Hash] = ()) -> Row:
    """The next entry of a writer's stream of heads: a head over all that a transaction moved.

    *commands* are the hashes of the entries with which its commands begin; their tree has them in order, so that
    whoever has the entries can build it.
    """
    moved = _ENCODER.encode(moves)
    root = tree_root([leaf_hash(each) for each in sorted(commands)])
    said = Statement(writer.name, before.version + 1, at_ms, len(commands), root, sha256(moved).digest())
    raw = _ENCODER.encode(said)
    signature = writer.key.sign(_MARK + before.hash + raw).hex()
    return _row(writer.stream, before, _ENCODER.encode(StoredHead(Raw(raw), Raw(moved), signature)))


def read_head(body: bytes) -> Head:
    """A head as it was stored; `Corrupt` where it cannot be one, or its moves are not those of its statement."""
    try:
        stored = _STORED.decode(body)
        raw, moved = bytes(stored.head), bytes(stored.moved)
        head = Head(_STATEMENT.decode(raw), raw, stored.signature, _MOVES.decode(moved))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"a head that does not read: {error}") from None
    if sha256(moved).digest() != head.statement.moves:
        raise Corrupt(f"a head whose moves are not those that it was signed over: {head.statement.number}")
    return head


# Plain pairs, which are made faster than `Move` and `Tip`, for whoever reads very many.
PlainMoves = dict[str, tuple[tuple[int, bytes], tuple[int, bytes]]]
_PLAIN: Final = msgspec.json.Decoder(PlainMoves)


def read_moves(body: bytes) -> PlainMoves:
    """The moves of a stored head, for whoever has a signature over its hash; `Corrupt` where it cannot be a head."""
    try:
        return _PLAIN.decode(_STORED.decode(body).moved)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"a head that does not read: {error}") from None


def statement_of(body: bytes) -> bytes:
    """The bytes of a stored head that its writer has signed."""
    try:
        return bytes(_STORED.decode(body).head)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"a head that does not read: {error}") from None


def is_head_of(key: str, head: Head, before: Hash) -> bool:
    """Whether a head was signed with a writer's key, just after the entry with that hash."""
    return is_signed(key, head.signature, _MARK + before + head.raw)


def is_in_place(head: Head, stream: str, version: int) -> bool:
    """Whether a head says that it stands where it was found."""
    return (HEADS + head.statement.writer, head.statement.number) == (stream, version)


def _row(stream: str, before: Tip, body: bytes) -> Row:
    version = before.version + 1
    return stream, version, None, body, link(before.hash, stream, version, None, body)
