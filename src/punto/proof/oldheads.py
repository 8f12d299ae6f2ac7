"""Heads as the floor signed them in Punto 0.4: one stream for all writers, signed with the floor's own key.

They say where streams ended after a transaction, and nothing of where they began. A store that has them is migrated
before a floor opens it; the audit goes on judging them by the rules of their day.
"""

from collections.abc import Mapping
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Raw, Struct

from punto.errors import Corrupt
from punto.store.contract import Hash

OLD_HEADS: Final = "heads"


class Head(Struct, frozen=True):
    """Where streams ended at a moment: version and hash of each that moved since the head before."""

    number: int
    at_ms: int
    moved: dict[str, tuple[int, str]]


class SignedHead(Struct, frozen=True):
    """A head with its signature over the hash of the head before and its own bytes."""

    head: Raw
    before: str
    key: str
    signature: str


_ENCODER: Final = msgspec.json.Encoder()
_SIGNED: Final = msgspec.json.Decoder(SignedHead)
_HEAD: Final = msgspec.json.Decoder(Head)


def sign(
    key: Ed25519PrivateKey, public: str, before: tuple[int, Hash], at_ms: int, moved: Mapping[str, tuple[int, Hash]]
) -> bytes:
    """A signed head, as it is stored."""
    number, hash_ = before
    head = Head(number + 1, at_ms, {stream: (version, end.hex()) for stream, (version, end) in moved.items()})
    raw = _ENCODER.encode(head)
    signature = key.sign(hash_ + raw).hex()
    return _ENCODER.encode(SignedHead(Raw(raw), hash_.hex(), public, signature))


def read(body: bytes) -> tuple[Head, SignedHead]:
    """A head as it was stored; `Corrupt` where it cannot be one."""
    try:
        signed = _SIGNED.decode(body)
        return _HEAD.decode(signed.head), signed
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"a head that does not read: {error}") from None


def holds(signed: SignedHead, before: Hash, public: str) -> bool:
    """Whether the head was signed with that key, just after that one."""
    if signed.before != before.hex() or signed.key != public:
        return False
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signed.signature), before + bytes(signed.head))
    except (ValueError, InvalidSignature):
        return False
    return True
