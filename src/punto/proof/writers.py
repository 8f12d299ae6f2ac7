"""Writers: every process that writes has a key of its own, which the floor's key has certified.

A writer's certificate is the first entry of its stream of heads, and its key is gone when the process ends. Who holds
the floor's key is for `signers` to say.
"""

import re
from dataclasses import dataclass
from typing import Final, Protocol

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec import Raw, Struct

from punto.errors import Corrupt, Malformed, named
from punto.surroundings import token_bytes

HEADS: Final = "heads/"
_MARK: Final = b"punto writer 1\0"
# As much of its key as names a writer.
_NAME: Final = 16
_KEY: Final = re.compile("[0-9a-f]{64}")
_SECRET: Final = 32


class Certificate(Struct, frozen=True):
    """The floor's word that a key may sign heads."""

    writer: str
    key: str
    floor: str
    at_ms: int


class SignedCertificate(Struct, frozen=True):
    """A certificate with the floor's signature over its bytes."""

    certificate: Raw
    signature: str


_ENCODER: Final = msgspec.json.Encoder()
_SIGNED: Final = msgspec.json.Decoder(SignedCertificate)
_CERTIFICATE: Final = msgspec.json.Decoder(Certificate)


@dataclass(frozen=True)
class Writer:
    """A process that writes: its key, and the certificate that its stream of heads begins with."""

    name: str
    key: Ed25519PrivateKey
    certificate: bytes

    @property
    def stream(self) -> str:
        """The stream of this writer's heads."""
        return HEADS + self.name


class Certifier(Protocol):
    """Whoever certifies writers with the floor's key."""

    def certify(self, key: str, at_ms: int) -> bytes:
        """The floor's certificate for a writer's public key, as it is stored."""


def fresh_writer(floor: Certifier, at_ms: int) -> Writer:
    """A writer with a new key, certified by the floor's key."""
    key = Ed25519PrivateKey.from_private_bytes(token_bytes(_SECRET))
    return Writer(name_of(public_of(key)), key, floor.certify(public_of(key), at_ms))


def certify(floor: Ed25519PrivateKey, key: str, at_ms: int) -> bytes:
    """The floor's certificate for a writer's public key, as it is stored."""
    if not _KEY.fullmatch(key):
        raise Malformed("a writer's key has 64 hexadecimal digits: nothing was certified")
    raw = _ENCODER.encode(Certificate(name_of(key), key, public_of(floor), at_ms))
    return _ENCODER.encode(SignedCertificate(Raw(raw), floor.sign(_MARK + raw).hex()))


def read_certificate(body: bytes) -> Certificate:
    """A certificate whose signature holds, by the floor's key that it names; `Corrupt` where it is none.

    Whether that key is to be believed is for the caller to say.
    """
    try:
        signed = _SIGNED.decode(body)
        found = _CERTIFICATE.decode(signed.certificate)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"a certificate that does not read: {error}") from None
    if found.writer != name_of(found.key):
        raise Corrupt(f"a certificate for writer {named(found.writer, _NAME)}, which is not named after its key")
    if not is_signed(found.floor, signed.signature, _MARK + bytes(signed.certificate)):
        raise Corrupt(f"the certificate of writer {named(found.writer)} is not signed with the key it names")
    return found


def name_of(key: str) -> str:
    """The name of the writer with that public key."""
    return key[:_NAME]


def public_of(key: Ed25519PrivateKey) -> str:
    """The public key in hexadecimal."""
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def is_signed(public: str, signature: str, message: bytes) -> bool:
    """Whether a message was signed with that key; false for keys and signatures that are none."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), message)
    except (ValueError, InvalidSignature):
        return False
    return True
