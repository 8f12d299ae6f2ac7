"""Consistency: the proof that a later log of heads begins with an earlier one; receipts against other checkpoints."""

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from punto.errors import BadNote, BadReceipt, quoted
from punto.proof.merkle import HASH_LENGTH, LONGEST_PROOF, verify_consistency
from punto.proof.notes import Checkpoint
from punto.proof.receipts import Receipt

_MARK: Final = "punto consistency 1"
_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,18}")
_HEADERS: Final = 3


@dataclass(frozen=True, slots=True)
class Consistency:
    """The proof that the log of *to* heads begins with the log of *since* heads."""

    since: int
    to: int
    proof: tuple[bytes, ...]

    def text(self) -> str:
        """The proof as a text."""
        hashes = [b64encode(each).decode() for each in self.proof]
        return "".join(f"{line}\n" for line in (_MARK, f"from {self.since}", f"to {self.to}", *hashes))

    @classmethod
    def parse(cls, text: str) -> "Consistency":
        """The proof that `text` wrote; `BadNote` where it is none."""
        lines = text.replace("\r\n", "\n").strip().split("\n")
        words = [line.split(" ") for line in lines[1:_HEADERS]]
        if lines[0] != _MARK or [each[0] for each in words] != ["from", "to"]:
            raise BadNote(f"no consistency proof: expected {_MARK!r}, and a line each of 'from' and 'to'")
        sizes = [" ".join(each[1:]) for each in words]
        if not all(map(_SIZE.fullmatch, sizes)) or len(lines) > _HEADERS + LONGEST_PROOF:
            raise BadNote("a consistency proof between sizes that are none, or longer than any", 2)
        return cls(int(sizes[0]), int(sizes[1]), tuple(_hash(line, at) for at, line in enumerate(lines[_HEADERS:], 4)))


def _hash(line: str, at: int) -> bytes:
    try:
        found = b64decode(line, validate=True)
    except (binascii.Error, ValueError):
        found = b""
    if len(found) != HASH_LENGTH:
        raise BadNote(f"line {at} of the consistency proof is no hash in base64", at)
    return found


def check_against(receipt: Receipt, outside: Checkpoint, proofs: Sequence[Consistency] = ()) -> None:
    """Hold a receipt against a checkpoint from elsewhere, which somebody has verified; `BadReceipt` where it fails."""
    own = receipt.checkpoint()
    if own is None:
        raise BadReceipt("the receipt is signed, but has no proof of inclusion yet: ask the floor for it again")
    if own.origin != outside.origin:
        logs = [quoted(each.origin, 60) for each in (own, outside)]
        raise BadReceipt(f"the receipt is in the log {logs[0]}, and this checkpoint is of {logs[1]}")
    older, newer = sorted((own, outside), key=lambda each: each.size)
    if own.size == outside.size:
        if own.root != outside.root:
            raise BadReceipt(f"the checkpoint of {own.size} heads has another root than the receipt: two histories")
        return
    proof = next((each for each in proofs if (each.since, each.to) == (older.size, newer.size)), None)
    if proof is None:
        raise BadReceipt(
            f"the receipt is in a checkpoint of {own.size} heads, and this one has {outside.size}: expected the proof "
            f"that one begins with the other (/api/checkpoints/consistency?from={older.size}&to={newer.size})"
        )
    if not verify_consistency(older.size, newer.size, older.root, newer.root, proof.proof):
        raise BadReceipt(
            f"the proof does not show that the log of {newer.size} heads begins with that of {older.size}: it is "
            "damaged, or the floor has told two histories"
        )
