"""The floor's keys: one signs for the floor, the other seals shoes. They are never in the store.

What signs may be elsewhere, in a process of its own; what seals is always here, for a shoe is opened card by card.
"""

import hashlib
import hmac
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from punto.errors import WrongKey
from punto.floor.keyfiles import SECRET_BYTES, KeySource, KeyText, Kind, make_key_file, read_key_file
from punto.floor.remote import RemoteSigner
from punto.proof.signers import AbsentSigner, FloorSigner, LocalSigner
from punto.surroundings import token_bytes

_NONCE: Final = 12
_MAC: Final = 32


@dataclass(frozen=True, repr=False)
class Sealing:
    """What seals shoes, stamps snapshots and makes the codes of tickets.

    *former* are the sealing keys from before rotations, the newest first. They only open what they once sealed: whoever
    has stolen one can neither stamp a snapshot nor work out the code of a new ticket.
    """

    key: bytes
    former: tuple[bytes, ...] = ()

    def seal(self, text: str, about: str) -> str:
        """A text that only this floor can read again; *about* must be the same then."""
        nonce = token_bytes(_NONCE)
        return (nonce + ChaCha20Poly1305(self.key).encrypt(nonce, text.encode(), about.encode())).hex()

    def unseal(self, sealed: str, about: str) -> str:
        """The text again."""
        for key in (self.key, *self.former):
            try:
                raw = bytes.fromhex(sealed)
                return ChaCha20Poly1305(key).decrypt(raw[:_NONCE], raw[_NONCE:], about.encode()).decode()
            except (ValueError, InvalidTag):
                continue
        raise WrongKey(f"{about}: sealed with another key, or altered")

    def stamped(self, body: bytes, about: bytes) -> bytes:
        """Bytes that only this floor can have written; *about* must be the same when they are read."""
        return self._stamp(body, about) + body

    def unstamped(self, stamped: bytes, about: bytes) -> bytes | None:
        """The bytes again; none when somebody else wrote them, or about something else."""
        body = stamped[_MAC:]
        return body if hmac.compare_digest(self._stamp(body, about), stamped[:_MAC]) else None

    def secrets_of(self, about: str) -> tuple[bytes, ...]:
        """32 bytes that follow from a sealing key and from a text, by the key of today and then by former ones."""
        return tuple(hmac.digest(key, b"secret\0" + about.encode(), "sha256") for key in (self.key, *self.former))

    def _stamp(self, body: bytes, about: bytes) -> bytes:
        return hmac.digest(self.key, len(about).to_bytes(8) + about + body, "sha256")


@dataclass(frozen=True)
class Keys:
    """A floor's keys: what signs for it, and what seals."""

    signing: FloorSigner
    sealing: Sealing

    @property
    def public(self) -> str:
        """The floor's public key."""
        return self.signing.public

    @classmethod
    def from_secret(cls, secret: bytes, former: tuple[bytes, ...] = ()) -> "Keys":
        """Both keys, derived from one secret."""
        return cls(local_signer(derived(secret, Kind.SIGNING)), Sealing(derived(secret, Kind.SEALING), former))

    @classmethod
    def from_text(cls, text: KeyText) -> "Keys":
        """The keys that a whole key file holds."""
        return cls.from_secret(text.secret, text.former)

    @classmethod
    def fresh(cls) -> "Keys":
        """Keys that nobody else has, for a floor that is not kept."""
        return cls.from_secret(token_bytes(SECRET_BYTES))

    @classmethod
    def for_reading(cls, public: str) -> "Keys":
        """What a reader has who knows the floor's public key and no more: nothing is signed or opened with it."""
        return cls(AbsentSigner(public), Sealing(token_bytes(SECRET_BYTES)))

    @classmethod
    def at(cls, path: Path, *, create: bool = True) -> "Keys":
        """The keys in a file, which only its owner can read; made when it is not there."""
        if create and not path.exists():
            make_key_file(path, KeyText(Kind.WHOLE, token_bytes(SECRET_BYTES)))
        return cls.from_text(read_key_file(path, Kind.WHOLE))

    @classmethod
    def open(cls, source: KeySource, signer: str = "") -> "Keys":
        """The keys from where the floor's file says; with a *signer*, only what seals is here."""
        if signer:
            sealing = sealing_in(source.read(Kind.SEALING))
            return cls(RemoteSigner(signer), sealing)
        return cls.from_text(source.read(Kind.WHOLE))

    def seal(self, text: str, about: str) -> str:
        """A text that only this floor can read again; *about* must be the same then."""
        return self.sealing.seal(text, about)

    def unseal(self, sealed: str, about: str) -> str:
        """The text again."""
        return self.sealing.unseal(sealed, about)

    def stamped(self, body: bytes, about: bytes) -> bytes:
        """Bytes that only this floor can have written; *about* must be the same when they are read."""
        return self.sealing.stamped(body, about)

    def unstamped(self, stamped: bytes, about: bytes) -> bytes | None:
        """The bytes again; none when somebody else wrote them, or about something else."""
        return self.sealing.unstamped(stamped, about)


def local_signer(seed: bytes) -> LocalSigner:
    """The signer whose private key has these bytes."""
    return LocalSigner(Ed25519PrivateKey.from_private_bytes(seed))


def signer_in(text: KeyText) -> LocalSigner:
    """The signer of a file that holds a whole key, or a signing key alone."""
    return local_signer(derived(text.secret, Kind.SIGNING) if text.kind is Kind.WHOLE else text.secret)


def sealing_in(text: KeyText) -> Sealing:
    """What seals, of a file that holds a whole key, or a sealing key alone."""
    return Sealing(derived(text.secret, Kind.SEALING) if text.kind is Kind.WHOLE else text.secret, text.former)


def split(text: KeyText) -> tuple[KeyText, KeyText]:
    """A whole key as two: the one that signs, and the one that seals."""
    first = text.first or signer_in(text).public
    sealing = sealing_in(text)
    return (
        KeyText(Kind.SIGNING, derived(text.secret, Kind.SIGNING), first),
        KeyText(Kind.SEALING, sealing.key, first, sealing.former),
    )


def derived(secret: bytes, use: Kind) -> bytes:
    """A key for one use, from the floor's secret."""
    mark = {Kind.SIGNING: b"sign", Kind.SEALING: b"seal"}[use]
    return hashlib.sha256(b"punto " + mark + b"\0" + secret).digest()
