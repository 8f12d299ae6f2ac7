"""Receipts: what a patron takes away of a wager, a ticket or a cash-out, and can check anywhere.

A receipt holds one entry of a table's stream, the path from it to the signed head of its transaction, the certificate
of the writer, the seal of the shoe, and a writer's signature over all of that. Once a checkpoint covers the head, the
receipt also holds the path from the head to the checkpoint. Nothing is in it twice: roots follow from paths, names from
keys. `check` works out everything again; docs/record.md describes each byte.
"""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import msgspec
from msgspec import Raw, Struct

from punto.errors import BadReceipt, Corrupt, named
from punto.proof.compact import HASH, Bytes, base45, from_base45, number, unpacked
from punto.proof.headlog import floor_verifier, origin_of
from punto.proof.heads import Head, Statement, is_head_of
from punto.proof.merkle import inclusion_length, inclusion_root, leaf_hash
from punto.proof.notes import Checkpoint, Signature
from punto.proof.writers import HEADS, SignedCertificate, is_signed, name_of, read_certificate
from punto.store.chain import link

MARK: Final = "punto receipt 1"
# In a QR code: the signs of its alphanumeric mode, which take less room than bytes.
CODE: Final = "PUNTO RECEIPT 1:"
LONGEST_TEXT: Final = 6_000
TABLE: Final = "table/"
_SIGNED: Final = b"punto receipt 1\0"
_VERSION: Final = 1
_SEAL, _SIGNER, _OTHER_FLOOR, _INCLUSION, _OTHER_KEY, _OTHER_LOG = 1, 2, 4, 8, 16, 32
# As much of the floor's first key as names its log.
_LOG: Final = 8
_SIGNATURE: Final = 64
_WIDTH: Final = 76
_MOST_COMMANDS: Final = 2**20
_TICKET: Final = "ticket-"


class Certified(NamedTuple):
    """A writer's key, and the floor's signature over it."""

    key: bytes
    floor: bytes
    at_ms: int
    signature: bytes

    def body(self) -> bytes:
        """The certificate as it is stored."""
        plain = {"writer": self.name, "key": self.key.hex(), "floor": self.floor.hex(), "at_ms": self.at_ms}
        return msgspec.json.encode(SignedCertificate(Raw(msgspec.json.encode(plain)), self.signature.hex()))

    @property
    def name(self) -> str:
        """The writer's name."""
        return name_of(self.key.hex())

    @classmethod
    def of(cls, body: bytes) -> "Certified":
        """The certificate that is stored so."""
        found = read_certificate(body)
        signature = msgspec.json.decode(body, type=SignedCertificate).signature
        return cls(bytes.fromhex(found.key), bytes.fromhex(found.floor), found.at_ms, bytes.fromhex(signature))


class Seal(NamedTuple):
    """The shoe that was in place, and what the floor had committed to before its first bet."""

    shoe: int
    commitment: bytes


class Inclusion(NamedTuple):
    """Where the head is among all heads, the path to the root, and the floor's signature over size and root.

    *log* is the beginning of the floor's first key, after which its log is named; empty where that is *key*.
    """

    size: int
    place: int
    path: tuple[bytes, ...]
    key: bytes
    signature: bytes
    log: bytes = b""

    @property
    def origin(self) -> str:
        """The name of the log."""
        return origin_of((self.log or self.key).hex())


class _By(Struct, frozen=True):
    name: str
    position: str


class _WagerPlaced(Struct, frozen=True, tag="wager-placed"):
    number: int
    patron: str
    wager: str
    stake_cents: int


class _WagerChanged(Struct, frozen=True, tag="wager-changed"):
    number: int
    patron: str
    from_cents: int
    to_cents: int
    wager: str = ""


class _CreditsCashedOut(Struct, frozen=True, tag="credits-cashed-out"):
    patron: str
    cents: int


class _Logged(Struct, frozen=True):
    at_ms: int
    by: _By
    command: str
    event: _WagerPlaced | _WagerChanged | _CreditsCashedOut


_LOGGED: Final = msgspec.json.Decoder(_Logged)


class Claim(Struct, frozen=True, kw_only=True):
    """What a receipt proves: who, when, what, at which table and under which seal, and by which keys.

    *kind* is `wager`, `stake` (a wager that was changed from *from_cents*), `ticket` or `cash-out`. *checkpoint* is the
    size of the log that includes it; 0 where it is only signed so far.
    """

    kind: str
    table: str
    patron: str
    by: str
    at_ms: int
    cents: int
    from_cents: int = 0
    wager: str = ""
    number: int = 0
    round: int
    shoe: int = 0
    seal: str = ""
    command: str
    writer: str
    head: int
    writer_floor: str
    signer_floor: str
    checkpoint: int = 0
    checkpoint_key: str = ""

    def is_of(self, floor_key: str) -> bool:
        """Whether a floor's key vouches for it: it has certified who signed the receipt.

        A checkpoint's key is not enough: it covers the head alone, and only the signer vouches for round and seal.
        """
        return floor_key == self.signer_floor

    def check_keys(self, floor_keys: Collection[str] = ()) -> frozenset[str]:
        """The keys whose checkpoints count for it, where these are the floor's; `BadReceipt` where it is not right.

        Without keys it is judged by the one behind its signer. Whether that is the floor's, nobody can read off it.
        """
        if floor_keys and not any(map(self.is_of, floor_keys)):
            given = "the one" if len(floor_keys) == 1 else "one of those"
            raise BadReceipt(f"signed under the key {self.signer_floor}, and not under {given} given with --key")
        counting = frozenset({self.signer_floor, *floor_keys})
        if self.checkpoint_key and self.checkpoint_key not in counting:
            wrong = f"the checkpoint in the receipt was signed by another key, {self.checkpoint_key}"
            if floor_keys:
                raise BadReceipt(f"{wrong}: if that is a former key of this floor, name it with --key, too")
            raise BadReceipt(f"{wrong}, than {self.signer_floor}: if both are keys of this floor, name both with --key")
        return counting


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """A receipt, field by field."""

    # The entry.
    table: str
    version: int
    before: bytes
    packed: bytes
    # Its place among the commands of the transaction, and the path to their root.
    index: int
    commands: int
    path: tuple[bytes, ...]
    # The head of the transaction.
    number: int
    at_ms: int
    moves: bytes
    head_before: bytes
    head_signature: bytes
    writer: Certified
    # Who signed the receipt, where that is another writer.
    signer: Certified | None = None
    round: int
    seal: Seal | None = None
    signature: bytes = b""
    inclusion: Inclusion | None = None

    # Bytes

    def signed_bytes(self) -> bytes:
        """All that the receipt's signature covers, without the mark before it."""
        flags = (_SEAL if self.seal else 0) | (_SIGNER if self.signer else 0)
        name = self.table.encode()
        parts = [bytes([_VERSION, flags, len(name)]), name, number(self.version), self.before]
        parts += [number(len(self.packed)), self.packed, number(self.commands), number(self.index), *self.path]
        parts += [number(self.number), number(self.at_ms), self.moves, self.head_before, self.head_signature]
        parts += [self.writer.floor, self.writer.key, number(self.writer.at_ms), self.writer.signature]
        if self.signer:
            other = self.signer.floor != self.writer.floor
            parts[0] = bytes([_VERSION, flags | (_OTHER_FLOOR if other else 0), len(name)])
            parts += [self.signer.floor if other else b"", self.signer.key, number(self.signer.at_ms)]
            parts += [self.signer.signature]
        parts += [number(self.round)]
        parts += [number(self.seal.shoe), self.seal.commitment] if self.seal else []
        return b"".join(parts)

    def encode(self) -> bytes:
        """The receipt in bytes."""
        raw = bytearray(self.signed_bytes() + self.signature)
        if self.inclusion is not None:
            size, index, path, key, signature, log = self.inclusion
            other = key != self.by_whom.floor
            raw[1] |= _INCLUSION | (_OTHER_KEY if other else 0) | (_OTHER_LOG if log else 0)
            raw += b"".join([number(size), number(index), *path, key if other else b"", log, signature])
        return bytes(raw)

    def text(self) -> str:
        """The receipt as a text."""
        code = _base64(self)
        return "\n".join([MARK, *(code[at : at + _WIDTH] for at in range(0, len(code), _WIDTH)), ""])

    def code(self) -> str:
        """The receipt as a QR code holds it."""
        return CODE + base45(self.encode())

    @property
    def by_whom(self) -> Certified:
        """The writer who signed the receipt."""
        return self.signer or self.writer

    def message(self) -> bytes:
        """What that writer signs."""
        return _SIGNED + self.signed_bytes()

    @property
    def statement(self) -> Statement:
        """What the head's writer signed; its root follows from the entry and the path."""
        root = inclusion_root(leaf_hash(self.hash), self.index, self.commands, self.path)
        if root is None:
            raise BadReceipt("the receipt has no path from its entry to the head")
        return Statement(self.writer.name, self.number, self.at_ms, self.commands, root, self.moves)

    @property
    def body(self) -> bytes:
        """The bytes of the entry."""
        return unpacked(self.packed)

    @property
    def logged(self) -> _Logged:
        """What the entry says."""
        try:
            return _LOGGED.decode(self.body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise BadReceipt("the entry of the receipt is no wager, no ticket and no cash-out") from None

    @property
    def hash(self) -> bytes:
        """The hash of the entry."""
        return link(self.before, TABLE + self.table, self.version, self.logged.command, self.body)

    # Checks

    def checkpoint(self) -> Checkpoint | None:
        """The checkpoint that the receipt's path leads to; none where it has no path yet. It is not checked here."""
        if self.inclusion is None:
            return None
        size, index, path = self.inclusion[:3]
        root = inclusion_root(leaf_hash(msgspec.json.encode(self.statement)), index, size, path)
        if root is None:
            raise BadReceipt("the receipt has no path from its head to the checkpoint")
        return Checkpoint(self.inclusion.origin, size, root)

    def check(self) -> Claim:
        """What the receipt proves; `BadReceipt` where anything in it is not as it was signed."""
        for each in filter(None, (self.writer, self.signer)):
            _check_certificate(each)
        statement = self.statement
        head = Head(statement, msgspec.json.encode(statement), self.head_signature.hex(), {})
        if not is_head_of(self.writer.key.hex(), head, self.head_before):
            raise BadReceipt(f"the head of the receipt is not signed by writer {named(self.writer.name)}")
        if not is_signed(self.by_whom.key.hex(), self.signature.hex(), self.message()):
            raise BadReceipt(f"the receipt is not signed by writer {named(self.by_whom.name)}")
        self._check_checkpoint()
        return self._claim()

    def _check_checkpoint(self) -> None:
        checkpoint = self.checkpoint()
        if checkpoint is None or self.inclusion is None:
            return
        verifier = floor_verifier(self.inclusion.key.hex(), self.inclusion.origin)
        signature = Signature(verifier.name, verifier.key_id, self.inclusion.signature)
        if not verifier.verifies(checkpoint.text(), signature):
            raise BadReceipt(f"the checkpoint of {checkpoint.size} heads does not include the head of the receipt")

    def _claim(self) -> Claim:
        logged = self.logged
        match logged.event:
            case _WagerPlaced(placed, patron, wager, cents):
                what = {"kind": "wager", "number": placed, "wager": wager}
            case _WagerChanged(placed, patron, before, cents, wager):
                what = {"kind": "stake", "number": placed, "wager": wager, "from_cents": before}
            case _CreditsCashedOut(patron, cents):
                what = {"kind": "ticket" if logged.command.startswith(_TICKET) else "cash-out"}
        if self.seal is not None:
            what |= {"shoe": self.seal.shoe, "seal": self.seal.commitment.hex()}
        if self.inclusion is not None:
            what |= {"checkpoint": self.inclusion.size, "checkpoint_key": self.inclusion.key.hex()}
        return Claim(
            table=self.table,
            patron=patron,
            by=logged.by.name,
            at_ms=logged.at_ms,
            cents=cents,
            round=self.round,
            command=logged.command,
            writer=HEADS + self.writer.name,
            head=self.number,
            writer_floor=self.writer.floor.hex(),
            signer_floor=self.by_whom.floor.hex(),
            **what,  # type: ignore[arg-type]
        )

    def plain(self) -> "Receipt":
        """The receipt without the path to a checkpoint."""
        return replace(self, inclusion=None)


def _base64(receipt: Receipt) -> str:
    """The bytes of a receipt as its text has them, without line breaks."""
    return urlsafe_b64encode(receipt.encode()).decode().rstrip("=")


def read_receipt(text: str) -> Receipt:
    """A receipt as its text or its QR code has it; `BadReceipt` where it is none. Nothing is checked but its form."""
    if len(text) > LONGEST_TEXT:
        raise BadReceipt(f"the text has {len(text)} characters: expected a receipt of no more than {LONGEST_TEXT}")
    written = text.strip()
    if written.startswith(CODE):
        receipt = decode(from_base45(written.removeprefix(CODE)))
        same = receipt.code()
    else:
        if not written.startswith(MARK):
            raise BadReceipt(f"line 1: expected {MARK!r}")
        # Wherever the text went, its lines may have been broken anew, or joined.
        written = "".join(written.removeprefix(MARK).split())
        receipt = decode(_from_base64(written))
        same = _base64(receipt)
    if same != written:
        raise BadReceipt(
            "the bytes of the receipt are not written as receipts are: expected its text as it was printed"
        )
    return receipt


def decode(raw: bytes) -> Receipt:
    """A receipt from its bytes."""
    reader = Bytes(raw)
    version, flags = reader.byte(), reader.byte()
    orphan = (flags & (_OTHER_KEY | _OTHER_LOG) and not flags & _INCLUSION) or (
        flags & _OTHER_FLOOR and not flags & _SIGNER
    )
    if version != _VERSION or flags >= 2 * _OTHER_LOG or orphan:
        raise BadReceipt(f"this is not version {_VERSION} of a receipt: expected one that this Punto can read")
    table, version, before = _text(reader.take(reader.byte())), reader.number(), reader.take(HASH)
    packed_body = reader.take(reader.number())
    commands, index = reader.number(), reader.number()
    if not index < commands <= _MOST_COMMANDS:
        raise BadReceipt(f"command {index} of {commands}: expected one of the commands of a transaction")
    path = reader.hashes(inclusion_length(index, commands))
    head_number, at_ms = reader.number(), reader.number()
    moves, head_before, head_signature = reader.take(HASH), reader.take(HASH), reader.take(_SIGNATURE)
    writer = _certified(reader, reader.take(HASH))
    signer = None
    if flags & _SIGNER:
        signer = _certified(reader, reader.take(HASH) if flags & _OTHER_FLOOR else writer.floor)
    round_ = reader.number()
    seal = Seal(reader.number(), reader.take(HASH)) if flags & _SEAL else None
    receipt = Receipt(
        table=table,
        version=version,
        before=before,
        packed=packed_body,
        index=index,
        commands=commands,
        path=path,
        number=head_number,
        at_ms=at_ms,
        moves=moves,
        head_before=head_before,
        head_signature=head_signature,
        writer=writer,
        signer=signer,
        round=round_,
        seal=seal,
        signature=reader.take(_SIGNATURE),
    )
    if flags & _INCLUSION:
        receipt = replace(receipt, inclusion=_inclusion(reader, receipt.by_whom.floor, flags))
    reader.end()
    return receipt


def _inclusion(reader: Bytes, floor: bytes, flags: int) -> Inclusion:
    size, index = reader.number(), reader.number()
    if index >= size:
        raise BadReceipt(f"head {index} of {size}: expected one that the checkpoint includes")
    path = reader.hashes(inclusion_length(index, size))
    key = reader.take(HASH) if flags & _OTHER_KEY else floor
    log = reader.take(_LOG) if flags & _OTHER_LOG else b""
    if log == key[:_LOG]:
        raise BadReceipt("the receipt names its log twice: expected it only where the floor's first key is another")
    return Inclusion(size, index, path, key, reader.take(_SIGNATURE), log)


def _certified(reader: Bytes, floor: bytes) -> Certified:
    return Certified(reader.take(HASH), floor, reader.number(), reader.take(_SIGNATURE))


def _check_certificate(certified: Certified) -> None:
    try:
        read_certificate(certified.body())
    except Corrupt as error:
        raise BadReceipt(error.message) from None


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise BadReceipt("the name of the table is no text") from None


def _from_base64(code: str) -> bytes:
    try:
        return urlsafe_b64decode(code.encode("ascii") + b"=" * (-len(code) % 4))
    except (UnicodeEncodeError, binascii.Error, ValueError):
        raise BadReceipt("the receipt is no base64") from None
