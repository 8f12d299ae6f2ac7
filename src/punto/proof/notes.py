"""Signed notes, and checkpoints as notes, in the form that public transparency logs use.

A note is a text, a blank line, and signature lines (C2SP signed-note). The text of a checkpoint says how large a log is
and what its root is (C2SP tlog-checkpoint). A witness that has checked that the log only grew adds a cosignature with
the time (C2SP tlog-cosignature). Nobody may believe a note before `open_note` has verified a signature of a known key.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from punto.errors import BadNote, BadSignature, quoted
from punto.proof.merkle import HASH_LENGTH, LARGEST_SIZE

# A verifier must accept 16 signatures, and some kinds of signature take 5 kB.
NOTE_LIMIT: Final = 262_144
SIGNATURE_LIMIT: Final = 100

_DASH: Final = "— "
_ID_LENGTH: Final = 4
_KEY_LENGTH: Final = 32
_TIME_LENGTH: Final = 8
_LATEST_S: Final = 2**63 - 1
_DECIMAL: Final = re.compile(r"0|[1-9][0-9]{0,18}")
_HEX_ID: Final = re.compile(r"[0-9a-f]{8}")
# Control characters but for the newline, and halves of characters that UTF-8 cannot write.
_UNFIT: Final = re.compile(r"[\x00-\x09\x0b-\x1f\ud800-\udfff]")


class Algorithm(IntEnum):
    """The kinds of signature that Punto makes and verifies."""

    ED25519 = 1
    COSIGNATURE = 4


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature line: the name and the id of the key, and what the key has signed with."""

    name: str
    key_id: bytes
    payload: bytes

    def line(self) -> str:
        """The line in a note, with its newline."""
        return f"{_DASH}{self.name} {_encoded(self.key_id + self.payload)}\n"


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key under its name: who it is, and what it verifies.

    >>> VerifierKey.parse("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW").name
    'PeterNeumann'
    """

    name: str
    public: bytes
    algorithm: Algorithm = Algorithm.ED25519

    def __post_init__(self) -> None:
        _check_name(self.name)
        if len(self.public) != _KEY_LENGTH:
            raise BadNote(f"an Ed25519 key has {_KEY_LENGTH} bytes: this one has {len(self.public)}")

    @property
    def key_id(self) -> bytes:
        """The four bytes by which signature lines name the key; the algorithm is part of them."""
        return sha256(self.name.encode() + b"\n" + bytes([self.algorithm]) + self.public).digest()[:_ID_LENGTH]

    def text(self) -> str:
        """The key as one word."""
        return f"{self.name}+{self.key_id.hex()}+{_encoded(bytes([self.algorithm]) + self.public)}"

    @classmethod
    def parse(cls, text: str) -> "VerifierKey":
        """The key that `text` wrote; `BadNote` where the word is none."""
        parts = text.split("+", 2)
        if len(parts) != 3 or not _HEX_ID.fullmatch(parts[1]):  # noqa: PLR2004
            raise BadNote(f"{quoted(text, 60)} is no verifier key: expected NAME+ID+KEY")
        data = _decoded(parts[2], 1)
        if not data or data[0] not in set(Algorithm):
            raise BadNote(f"{quoted(text, 60)} is a key of a kind that Punto does not know")
        key = cls(parts[0], data[1:], Algorithm(data[0]))
        if key.key_id.hex() != parts[1]:
            raise BadNote(f"{quoted(text, 60)} has another id than its key: expected {key.key_id.hex()}")
        return key

    def verifies(self, text: str, signature: Signature) -> bool:
        """Whether this key made the signature for that text."""
        if (signature.name, signature.key_id) != (self.name, self.key_id):
            return False
        message, payload = text.encode(), signature.payload
        if self.algorithm is Algorithm.COSIGNATURE:
            at_s = cosigned_at_s(signature)
            if not 0 < at_s <= _LATEST_S:
                return False
            message, payload = _cosigned(text, at_s), payload[_TIME_LENGTH:]
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(payload, message)
        except (InvalidSignature, ValueError):
            return False
        return True


@dataclass(frozen=True, slots=True)
class Note:
    """A text with its signatures, none of them verified."""

    text: str
    signatures: tuple[Signature, ...]

    @classmethod
    def parse(cls, raw: bytes) -> "Note":
        """A note as it was sent or stored; `BadNote` where it does not read, with the line in `at`."""
        if len(raw) > NOTE_LIMIT:
            raise BadNote(f"the note has {len(raw)} bytes: expected at most {NOTE_LIMIT}")
        try:
            whole = raw.decode()
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            raise BadNote(f"line {line} of the note is not UTF-8", line) from None
        if unfit := _UNFIT.search(whole):
            line = whole.count("\n", 0, unfit.start()) + 1
            raise BadNote(f"line {line} of the note holds the character {unfit[0]!r}", line)
        head, blank, lines = whole.rpartition("\n\n")
        if not blank:
            raise BadNote("the note has no signatures: expected a text, a blank line and signature lines")
        text = head + "\n"
        return cls(text, parse_signatures(lines, text.count("\n") + 2))

    def encode(self) -> bytes:
        """The note as it is sent and stored."""
        return (self.text + "\n" + "".join(each.line() for each in self.signatures)).encode()

    def add(self, signatures: Iterable[Signature]) -> "Note":
        """The note with more signatures; those that it has already are not repeated."""
        return Note(self.text, tuple(dict.fromkeys((*self.signatures, *signatures))))


@dataclass(frozen=True, slots=True)
class OpenNote:
    """A note whose text can be believed: at least one known key has signed it.

    Each known key is in *verified* at most once; *unknown* has the signatures of keys that nobody named.
    """

    text: str
    verified: tuple[Signature, ...]
    unknown: tuple[Signature, ...]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a log says of itself: its name, how many leaves its tree has, and the root.

    >>> print(Checkpoint("casino.example/floor", 0, sha256().digest()).text(), end="")
    casino.example/floor
    0
    47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
    """

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for at, line in enumerate((self.origin, "size", "root", *self.extensions), 1):
            if not line or "\n" in line or _UNFIT.search(line):
                raise BadNote(f"line {at} of the checkpoint is {quoted(line)}: expected a line of text", at)
        if not 0 <= self.size <= LARGEST_SIZE:
            raise BadNote(f"a log cannot have {quoted(str(self.size))} leaves", 2)
        if len(self.root) != HASH_LENGTH:
            raise BadNote(f"the root has {len(self.root)} bytes: expected {HASH_LENGTH}", 3)

    def text(self) -> str:
        """The text of the note."""
        return "".join(f"{line}\n" for line in (self.origin, self.size, _encoded(self.root), *self.extensions))

    @classmethod
    def parse(cls, text: str) -> "Checkpoint":
        """The checkpoint of a note's text; `BadNote` where it does not read, with the line in `at`."""
        *lines, rest = text.split("\n")
        if rest or len(lines) < 3:  # noqa: PLR2004
            raise BadNote("the note is no checkpoint: expected at least an origin, a size and a root, a line each")
        if not _DECIMAL.fullmatch(lines[1]):
            raise BadNote(f"line 2 of the checkpoint is {quoted(lines[1])}: expected a size", 2)
        return cls(lines[0], int(lines[1]), _decoded(lines[2], 3), tuple(lines[3:]))


def verifier_key(name: str, key: Ed25519PrivateKey, algorithm: Algorithm = Algorithm.ED25519) -> VerifierKey:
    """The public half of a key, under its name."""
    return VerifierKey(name, key.public_key().public_bytes_raw(), algorithm)


def sign(text: str, name: str, key: Ed25519PrivateKey) -> Signature:
    """The signature of a text under a name."""
    return Signature(name, verifier_key(name, key).key_id, key.sign(text.encode()))


def sign_note(text: str, name: str, key: Ed25519PrivateKey) -> Note:
    """A note with one signature; `BadNote` where the text cannot be that of a note."""
    if not text.endswith("\n") or _UNFIT.search(text):
        raise BadNote(f"{quoted(text)} is no text of a note: expected lines of text, the last with its newline")
    return Note(text, (sign(text, name, key),))


def open_note(raw: bytes, keys: Iterable[VerifierKey]) -> OpenNote:
    """The text of a note that a known key has signed.

    `BadNote` where the note does not read; `BadSignature` where no known key has signed it, or where a line that names
    a known key does not verify.
    """
    note = Note.parse(raw)
    known = {(key.name, key.key_id): key for key in keys}
    verified: dict[VerifierKey, Signature] = {}
    unknown: dict[Signature, None] = {}
    for signature in note.signatures:
        key = known.get((signature.name, signature.key_id))
        if key is None:
            unknown[signature] = None
        elif key.verifies(note.text, signature):
            verified.setdefault(key, signature)
        else:
            raise BadSignature(f"the signature of {quoted(key.name, 60)} does not belong to this note")
    if not verified:
        raise BadSignature("no known key has signed this note")
    return OpenNote(note.text, tuple(verified.values()), tuple(unknown))


def cosign(text: str, name: str, key: Ed25519PrivateKey, at_s: int) -> Signature:
    """A witness's cosignature of a checkpoint's text, at a time in seconds since 1970."""
    payload = at_s.to_bytes(_TIME_LENGTH) + key.sign(_cosigned(text, at_s))
    return Signature(name, verifier_key(name, key, Algorithm.COSIGNATURE).key_id, payload)


def cosigned_at_s(signature: Signature) -> int:
    """When a witness made its cosignature, in seconds since 1970; it means nothing before the key has verified it."""
    return int.from_bytes(signature.payload[:_TIME_LENGTH])


def parse_signatures(lines: str, first: int = 1) -> tuple[Signature, ...]:
    """Signature lines as they stand in a note from line *first* on; `BadNote` where one does not read."""
    if not lines.endswith("\n"):
        raise BadNote("the note ends within a line: expected signature lines, each with its newline", first)
    each = lines[:-1].split("\n")
    if len(each) > SIGNATURE_LIMIT:
        raise BadNote(f"the note has {len(each)} signatures: expected at most {SIGNATURE_LIMIT}", first)
    return tuple(_signature(line, at) for at, line in enumerate(each, first))


def _signature(line: str, at: int) -> Signature:
    name, space, code = line.removeprefix(_DASH).partition(" ")
    if not line.startswith(_DASH) or not space:
        raise BadNote(f"line {at} of the note is {quoted(line)}: expected a dash, a name and a signature", at)
    _check_name(name, at)
    data = _decoded(code, at)
    if len(data) <= _ID_LENGTH:
        raise BadNote(f"line {at}: the signature has {len(data)} bytes: expected more than {_ID_LENGTH}", at)
    return Signature(name, data[:_ID_LENGTH], data[_ID_LENGTH:])


def _check_name(name: str, at: int = 1) -> None:
    if not name or "+" in name or any(letter.isspace() for letter in name) or _UNFIT.search(name):
        raise BadNote(f"line {at}: {quoted(name)} is no name of a key: expected one word without a plus", at)


def _cosigned(text: str, at_s: int) -> bytes:
    return f"cosignature/v1\ntime {at_s}\n{text}".encode()


def _encoded(data: bytes) -> str:
    return b64encode(data).decode()


def _decoded(code: str, at: int) -> bytes:
    """The bytes of base64 as `_encoded` writes it; nothing else, so that one value has one form."""
    try:
        data = b64decode(code, validate=True)
    except ValueError:
        data = b""
    if _encoded(data) != code:
        raise BadNote(f"line {at}: {quoted(code)} is no base64", at)
    return data
