"""A signer in a process of its own, as the floor sees it: the same face as a key that is here, over a unix socket.

One line of JSON asks, one line answers. What comes back is checked before it is used: a signer that answers with
somebody else's signature is none.
"""

import socket
from time import monotonic
from typing import Final

import msgspec
from msgspec import Struct

from punto.errors import Corrupt, NotSigned, PuntoError, SignerGone, quoted
from punto.proof.headlog import open_checkpoint
from punto.proof.notes import Checkpoint, Note
from punto.proof.writers import read_certificate

# Longer than any question or answer.
LONGEST: Final = 65_536
ANSWER_S: Final = 2.0
# A signer that hangs is not asked again for so long: whoever asks writes for all tables.
_SILENCE_S: Final = 30.0
# A refusal is a sentence that also says what to do.
_LONGEST_REFUSAL: Final = 400


class AskPublic(Struct, frozen=True, tag="public"):
    """Ask for the public key."""


class AskCertificate(Struct, frozen=True, tag="certify"):
    """Ask for the certificate of a writer's public key."""

    key: str


class AskCheckpoint(Struct, frozen=True, tag="checkpoint"):
    """Ask for the signature of a checkpoint: the text of its note."""

    text: str


Ask = AskPublic | AskCertificate | AskCheckpoint


class Told(Struct, frozen=True, omit_defaults=True):
    """What a signer answers: a public key, a certificate or a note; or in one line why not."""

    public: str = ""
    certificate: str = ""
    note: str = ""
    refused: str = ""


_ENCODER: Final = msgspec.json.Encoder()
_TOLD: Final = msgspec.json.Decoder(Told)


class RemoteSigner:
    """The floor's key, held by a signer that listens on a unix socket."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._silent_until = 0.0
        self.public = self._ask(AskPublic()).public

    def certify(self, key: str, at_ms: int) -> bytes:  # noqa: ARG002 (the signer has a clock of its own)
        """A certificate for a writer's public key, as it is stored."""
        body = self._ask(AskCertificate(key)).certificate.encode()
        try:
            found = read_certificate(body)
        except Corrupt as error:
            raise SignerGone(f"{self._path}: the signer answers with {error.message}") from None
        if (found.key, found.floor) != (key, self.public):
            raise SignerGone(f"{self._path}: the signer has certified another writer, or has another key now")
        return body

    def sign_checkpoint(self, checkpoint: Checkpoint) -> Note:
        """A checkpoint as a signed note."""
        raw = self._ask(AskCheckpoint(checkpoint.text())).note.encode()
        try:
            if open_checkpoint(raw, (self.public,)) == checkpoint:
                return Note.parse(raw)
        except PuntoError as error:
            raise SignerGone(f"{self._path}: the signer answers with no note of its key: {error.message}") from None
        raise SignerGone(f"{self._path}: the signer has signed another checkpoint than it was asked for")

    def _ask(self, ask: Ask) -> Told:
        if monotonic() < self._silent_until:
            raise SignerGone(f"{self._path}: the signer did not answer a moment ago: nothing was signed")
        try:
            told = _TOLD.decode(self._exchange(_ENCODER.encode(ask) + b"\n"))
        except TimeoutError:
            self._silent_until = monotonic() + _SILENCE_S
            raise SignerGone(f"{self._path}: the signer does not answer within {ANSWER_S:g} s") from None
        except OSError as error:
            raise SignerGone(f"{self._path}: no signer answers there: {error.strerror or error}") from None
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise SignerGone(f"{self._path}: what answers there is no signer") from None
        if told.refused:
            raise NotSigned(f"{self._path}: the signer refuses: {quoted(told.refused, _LONGEST_REFUSAL)}")
        return told

    def _exchange(self, asked: bytes) -> bytes:
        until = monotonic() + ANSWER_S
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as peer:
            peer.settimeout(ANSWER_S)
            peer.connect(self._path)
            peer.sendall(asked)
            return read_line(peer, until)


def read_line(peer: socket.socket, until: float) -> bytes:
    """One line that comes before a moment of the monotonic clock; `TimeoutError` where it does not."""
    line = b""
    while not line.endswith(b"\n") and len(line) < LONGEST:
        left = until - monotonic()
        if left <= 0:
            raise TimeoutError
        peer.settimeout(left)
        piece = peer.recv(LONGEST)
        if not piece:
            break
        line += piece
    return line
