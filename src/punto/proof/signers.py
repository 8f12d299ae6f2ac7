"""Signers: what holds the floor's key, and the three things it signs: certificates, checkpoints, rotations.

A signer never signs bytes that somebody hands it. Each kind of thing has a form and a mark of its own, so a signature
over one can never pass for another. `LocalSigner` holds the key in this process; a signer elsewhere has the same face.
"""

from typing import Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from punto.errors import NotSigned, WrongKey
from punto.proof.notes import Checkpoint, Note, sign_note
from punto.proof.rotations import Rotation, rotation_message
from punto.proof.writers import certify, public_of


class FloorSigner(Protocol):
    """What signs for the floor while it is open."""

    @property
    def public(self) -> str:
        """The floor's public key."""

    def certify(self, key: str, at_ms: int) -> bytes:
        """A certificate for a writer's public key, as it is stored."""

    def sign_checkpoint(self, checkpoint: Checkpoint) -> Note:
        """A checkpoint as a signed note."""


class AbsentSigner:
    """The floor's public key alone, for whoever only reads: it signs nothing."""

    def __init__(self, public: str) -> None:
        self.public = public

    def certify(self, key: str, at_ms: int) -> bytes:  # noqa: ARG002 (as in every signer)
        """Nobody is certified here."""
        raise NotSigned("only the floor's public key is here: nothing was certified")

    def sign_checkpoint(self, checkpoint: Checkpoint) -> Note:  # noqa: ARG002
        """No checkpoint is signed here."""
        raise NotSigned("only the floor's public key is here: nothing was signed")


class LocalSigner:
    """The floor's key, in this process."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = public_of(key)

    def __repr__(self) -> str:
        return f"LocalSigner({self.public[:16]}…)"

    def certify(self, key: str, at_ms: int) -> bytes:
        """A certificate for a writer's public key, as it is stored."""
        return certify(self._key, key, at_ms)

    def sign_checkpoint(self, checkpoint: Checkpoint) -> Note:
        """A checkpoint as a signed note."""
        return sign_note(checkpoint.text(), checkpoint.origin, self._key)

    def endorse(self, rotation: Rotation) -> str:
        """The signature of a rotation in which this key is the old one or the new one."""
        if self.public not in (rotation.old, rotation.new):
            raise WrongKey("a rotation between two other keys: this key does not sign it")
        return self._key.sign(rotation_message(rotation)).hex()
