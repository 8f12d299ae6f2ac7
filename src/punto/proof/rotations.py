"""Rotations of the floor's key: the old key and the new key sign that one takes the place of the other.

A rotation also says how far each writer had come that the old key had certified. Whoever steals the old key later can
certify nobody: writers that the rotation does not name are not believed, and heads beyond those it names are not.
"""

from collections.abc import Iterable
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Raw, Struct

from punto.errors import Corrupt
from punto.proof.writers import is_signed, public_of
from punto.store.contract import Entry

KEYS: Final = "keys"
_MARK: Final = b"punto rotation 1\0"


class Rotation(Struct, frozen=True):
    """The floor's key changed; *writers* says where the heads of each writer under the old key ended."""

    old: str
    new: str
    at_ms: int
    by: str
    writers: dict[str, int]


class SignedRotation(Struct, frozen=True):
    """A rotation with the signatures of both keys over its bytes."""

    rotation: Raw
    old_signature: str
    new_signature: str


_ENCODER: Final = msgspec.json.Encoder()
_SIGNED: Final = msgspec.json.Decoder(SignedRotation)
_ROTATION: Final = msgspec.json.Decoder(Rotation)


def sign_rotation(
    old: Ed25519PrivateKey, new: Ed25519PrivateKey, at_ms: int, by: str, writers: dict[str, int]
) -> bytes:
    """A rotation as it is stored."""
    raw = _ENCODER.encode(Rotation(public_of(old), public_of(new), at_ms, by, writers))
    return _ENCODER.encode(SignedRotation(Raw(raw), old.sign(_MARK + raw).hex(), new.sign(_MARK + raw).hex()))


def read_rotation(body: bytes) -> Rotation:
    """A rotation that both of its keys have signed; `Corrupt` where it is none."""
    try:
        signed = _SIGNED.decode(body)
        found = _ROTATION.decode(signed.rotation)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"a rotation that does not read: {error}") from None
    message = _MARK + bytes(signed.rotation)
    if not (
        is_signed(found.old, signed.old_signature, message) and is_signed(found.new, signed.new_signature, message)
    ):
        raise Corrupt("a rotation of the floor's key that both keys have not signed")
    return found


class Trust:
    """The floor's key, and its former keys, each as far as the rotation that ended it says."""

    def __init__(self, key: str, former: dict[str, dict[str, int]] | None = None) -> None:
        self.key = key
        self.former = former or {}

    def check(self, stream: str, floor_key: str) -> None:
        """Refuse a writer that no key of this floor has certified."""
        if floor_key == self.key:
            return
        closed = self.former.get(floor_key)
        if closed is None:
            raise Corrupt(f"{stream}: certified with {floor_key[:16]}…, which is no key of this floor")
        if stream not in closed:
            raise Corrupt(f"{stream}: certified with a former key after it was rotated")

    def limit(self, stream: str, floor_key: str) -> int | None:
        """How far a writer's heads are believed; none where there is no limit."""
        return None if floor_key == self.key else self.former.get(floor_key, {}).get(stream, 0)


def trusted_keys(key: str, entries: Iterable[Entry]) -> Trust:
    """The keys that are believed by whoever believes *key*: rotations are followed backwards from it."""
    rotations = []
    for entry in entries:
        try:
            rotations.append(read_rotation(entry.body))
        except Corrupt:
            continue  # a forged rotation moves nobody's belief; the audit reports it
    former: dict[str, dict[str, int]] = {}
    for rotation in reversed(rotations):
        if rotation.new == key or rotation.new in former:
            former.setdefault(rotation.old, rotation.writers)
    return Trust(key, former)
