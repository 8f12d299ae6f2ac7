"""The floor's keys: one signs heads, the other seals shoes. They are never in the store."""

import hashlib
import hmac
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkstemp
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from punto.errors import UnreadableFile, WrongKey
from punto.surroundings import token_bytes, token_hex

_MARK: Final = "punto key 1"
_SECRET: Final = 32
_KEY: Final = re.compile(rf"{_MARK}\n([0-9a-f]{{{2 * _SECRET}}})\n?")
_NONCE: Final = 12
_MAC: Final = 32


@dataclass(frozen=True)
class Keys:
    """A floor's keys, from one secret."""

    signing: Ed25519PrivateKey
    public: str
    sealing: bytes

    @classmethod
    def from_secret(cls, secret: bytes) -> "Keys":
        """Both keys, derived from the secret."""
        signing = Ed25519PrivateKey.from_private_bytes(_derived(secret, b"sign"))
        public = signing.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
        return cls(signing, public, _derived(secret, b"seal"))

    @classmethod
    def fresh(cls) -> "Keys":
        """Keys that nobody else has, for a floor that is not kept."""
        return cls.from_secret(token_bytes(32))

    @classmethod
    def at(cls, path: Path, *, create: bool = True) -> "Keys":
        """The keys in a file, which only its owner can read; made when it is not there."""
        if create and not path.exists():
            try:
                _make(path)
            except OSError as error:
                raise UnreadableFile(f"{path}: the key cannot be written: {error.strerror}") from None
        try:
            found = _KEY.fullmatch(path.read_text(encoding="ascii"))
        except (OSError, ValueError) as error:
            said = error.strerror if isinstance(error, OSError) else "it does not read"
            raise UnreadableFile(f"{path}: no key of a floor: {said}") from None
        if not found:
            raise UnreadableFile(f"{path}: no key of a floor: expected {_MARK!r} and {_SECRET} bytes in hexadecimal")
        return cls.from_secret(bytes.fromhex(found.group(1)))

    def seal(self, text: str, about: str) -> str:
        """A text that only this floor can read again; *about* must be the same then."""
        nonce = token_bytes(_NONCE)
        return (nonce + ChaCha20Poly1305(self.sealing).encrypt(nonce, text.encode(), about.encode())).hex()

    def unseal(self, sealed: str, about: str) -> str:
        """The text again."""
        try:
            raw = bytes.fromhex(sealed)
            return ChaCha20Poly1305(self.sealing).decrypt(raw[:_NONCE], raw[_NONCE:], about.encode()).decode()
        except (ValueError, InvalidTag):
            raise WrongKey(f"{about}: sealed with another key, or altered") from None

    def stamped(self, body: bytes, about: bytes) -> bytes:
        """Bytes that only this floor can have written; *about* must be the same when they are read."""
        return self._stamp(body, about) + body

    def unstamped(self, stamped: bytes, about: bytes) -> bytes | None:
        """The bytes again; none when somebody else wrote them, or about something else."""
        body = stamped[_MAC:]
        return body if hmac.compare_digest(self._stamp(body, about), stamped[:_MAC]) else None

    def secret_of(self, about: str) -> bytes:
        """32 bytes that follow from the floor's secret and from a text, and that nobody else can work out."""
        return hmac.digest(self.sealing, b"secret\0" + about.encode(), "sha256")

    def _stamp(self, body: bytes, about: bytes) -> bytes:
        return hmac.digest(self.sealing, len(about).to_bytes(8) + about + body, "sha256")


def _make(path: Path) -> None:
    """A key file, whole and durable before it has its name; one that is there already stays."""
    number, name = mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(number, "w", encoding="ascii") as file:
            file.write(f"{_MARK}\n{token_hex(_SECRET)}\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(name, path)
    finally:
        Path(name).unlink()
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _derived(secret: bytes, use: bytes) -> bytes:
    return hashlib.sha256(b"punto " + use + b"\0" + secret).digest()
