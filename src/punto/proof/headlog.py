"""The log of heads: an RFC 6962 tree whose leaves are the statements of all writers, in the order they were taken.

A checkpoint is a signed note over the size and the root of the log. Its entry in the store says how far each writer's
heads had been taken, so that anybody can build the tree again.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Final

import msgspec
from msgspec import Struct

from punto.errors import BadNote, BadSignature, BrokenChain, Corrupt, named
from punto.proof.heads import statement_of
from punto.proof.merkle import Frontier, leaf_hash
from punto.proof.notes import Checkpoint, Note, Signature, VerifierKey, open_note
from punto.proof.signers import FloorSigner
from punto.store.chain import start, verified
from punto.store.contract import Store, Tip

CHECKPOINTS: Final = "checkpoints"
COSIGNATURES: Final = "cosignatures"


class Sequenced(Struct, frozen=True):
    """A checkpoint as it is stored: the signed note, and the number of the last head taken of each writer."""

    at_ms: int
    note: str
    took: dict[str, int]


class Cosigned(Struct, frozen=True):
    """Cosignatures of a checkpoint as they are stored, each as the line that it has in the note."""

    at_ms: int
    size: int
    lines: tuple[str, ...]


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Sequenced)
_COSIGNED: Final = msgspec.json.Decoder(Cosigned)


def leaf_of(body: bytes) -> bytes:
    """The leaf of a head: over the bytes that its writer has signed."""
    return leaf_hash(statement_of(body))


class HeadLog:
    """The log as far as heads were taken."""

    def __init__(
        self,
        frontier: Frontier | None = None,
        took: Mapping[str, Tip] | None = None,
        note: Callable[[bytes], None] | None = None,
    ) -> None:
        self.frontier = frontier or Frontier()
        self.took = dict(took or {})
        # Told of each leaf that is taken.
        self._note = note

    def _add(self, leaf: bytes) -> None:
        self.frontier = self.frontier.append(leaf)
        if self._note is not None:
            self._note(leaf)

    def take(self, store: Store, heads: Mapping[str, Tip], known: tuple[str, list[bytes]] = ("", [])) -> None:
        """Take every writer's heads up to these; `BrokenChain` where the store holds others.

        *known* are the last leaves of one writer, which need not be read.
        """
        for stream in sorted(heads):
            leaves = known[1] if stream == known[0] else []
            before = self.took.get(stream) or Tip(1, b"")
            if leaves and before.version + len(leaves) == heads[stream].version:
                for leaf in leaves:
                    self._add(leaf)
                self.took[stream] = heads[stream]
            else:
                self._take(store, stream, heads[stream])

    def take_up_to(self, store: Store, numbers: Mapping[str, int]) -> None:
        """Take every writer's heads up to these numbers, whatever their hashes are."""
        for stream in sorted(numbers):
            self._take(store, stream, Tip(numbers[stream], b""))

    def _take(self, store: Store, stream: str, end: Tip) -> None:
        since = self.took.get(stream) or start(stream)
        last, leaves = since, []
        for entry in verified(islice(store.read(stream, since.version), max(0, end.version - since.version)), since):
            if entry.version > 1:  # the first is the writer's certificate
                leaves.append(leaf_of(entry.body))
            last = Tip(entry.version, entry.hash)
        if last.version != end.version or end.hash not in (b"", last.hash):
            raise BrokenChain(f"{named(stream)}: head {end.version} is not the one that was believed", end.version)
        for leaf in leaves:
            self._add(leaf)
        self.took[stream] = last

    def checkpoint(self, origin: str) -> Checkpoint:
        """The checkpoint of the log as it stands."""
        return Checkpoint(origin, self.frontier.size, self.frontier.root())

    def sign(self, signer: FloorSigner, origin: str, at_ms: int) -> tuple[Note, bytes]:
        """A signed checkpoint of the log, and the entry that it has in the store."""
        note = signer.sign_checkpoint(self.checkpoint(origin))
        took = {stream: tip.version for stream, tip in self.took.items()}
        return note, _ENCODER.encode(Sequenced(at_ms, note.encode().decode(), took))


def origin_of(first_key: str) -> str:
    """The name of a floor's log: it comes from the floor's first key, and outlives every rotation."""
    return f"punto/{first_key[:16]}"


def floor_verifier(floor_key: str, origin: str = "") -> VerifierKey:
    """What checks the signature of a floor's checkpoints; *origin* where the key is not the floor's first."""
    return VerifierKey(origin or origin_of(floor_key), bytes.fromhex(floor_key))


def read_sequenced(body: bytes) -> Sequenced:
    """An entry of the stream of checkpoints; `Corrupt` where it cannot be one."""
    try:
        return _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"a checkpoint that does not read: {error}") from None


def cosigned_entry(at_ms: int, text: str, signatures: Sequence[Signature]) -> bytes:
    """An entry of the stream of cosignatures: those of the checkpoint with that text."""
    lines = tuple(each.line() for each in signatures)
    return _ENCODER.encode(Cosigned(at_ms, Checkpoint.parse(text).size, lines))


def read_cosigned(body: bytes) -> Cosigned:
    """An entry of the stream of cosignatures; `Corrupt` where it cannot be one."""
    try:
        return _COSIGNED.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"cosignatures that do not read: {error}") from None


def open_checkpoint(raw: bytes, floor_keys: Iterable[str], sizes: Mapping[str, int] | None = None) -> Checkpoint:
    """The checkpoint in a note that one of these keys has signed; `BadNote` or `BadSignature` where there is none.

    *sizes* says of former keys how large the log was when they were rotated: beyond that they are not believed.
    """
    origin = Note.parse(raw).text.partition("\n")[0]
    try:
        # A key signs for one floor alone, whatever the log of that floor is called.
        keys = {floor_verifier(key, origin): key for key in floor_keys}
    except ValueError:
        raise BadNote("the floor's key is no key: expected 64 hexadecimal digits") from None
    opened = open_note(raw, keys)
    found = Checkpoint.parse(opened.text)
    signed_by = [
        keys[verifier] for verifier in keys if any(verifier.verifies(opened.text, each) for each in opened.verified)
    ]
    limits = [(sizes or {}).get(key) for key in signed_by]
    if all(limit is not None and found.size > limit for limit in limits):
        raise BadSignature(f"a checkpoint of {found.size} heads that a former key signed after it was rotated")
    return found
