"""The client of a witness: somebody else's service that cosigns a log's checkpoints as long as the log only grows.

A log sends each checkpoint with the proof that the log begins with what the witness saw last (C2SP tlog-witness). One
call asks one witness and ends by its deadline, whatever the network and the witness do.
"""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from punto.errors import BadNote, Malformed, NotWitnessed, WitnessGone, quoted
from punto.proof.calls import CallFailed, Response, call, is_address
from punto.proof.notes import Algorithm, Note, Signature, VerifierKey, parse_signatures

# The longest consistency proof that a witness accepts.
PROOF_LIMIT: Final = 63
SIZE_TYPE: Final = "text/x.tlog.size"

_OK: Final = 200
_CONFLICT: Final = 409
_REASONS: Final = {
    400: "the request does not read",
    403: "it does not know the key that signed the checkpoint",
    404: "it does not know the log",
    409: "it has seen another checkpoint of this size",
    422: "the log does not begin with what it saw last",
}
_SIZE: Final = re.compile(rb"(0|[1-9][0-9]{0,18})\n")


@dataclass(frozen=True, slots=True)
class Witness:
    """A witness: the address that its calls begin with, and the key that it cosigns with."""

    address: str
    key: VerifierKey

    def __post_init__(self) -> None:
        if self.key.algorithm is not Algorithm.COSIGNATURE:
            raise BadNote(f"the key {quoted(self.key.text(), 60)} signs notes: expected one that cosigns checkpoints")


@dataclass(frozen=True, slots=True)
class Cosignatures:
    """The witness has seen the checkpoint: its cosignatures, verified."""

    signatures: tuple[Signature, ...]


@dataclass(frozen=True, slots=True)
class WitnessSize:
    """The witness saw the log last at another size, from which the proof must begin: ask again from there."""

    size: int


def add_checkpoint(
    witness: Witness, old: int, proof: Sequence[bytes], checkpoint: Note, timeout_s: float
) -> Cosignatures | WitnessSize:
    """Ask a witness to cosign a checkpoint, given the proof from the size that it saw last.

    A log that does not know that size asks with 0 and no proof. `NotWitnessed` where the witness refuses; `WitnessGone`
    where no answer comes in time, or none that reads.
    """
    response = _post(witness, request_body(old, proof, checkpoint), timeout_s)
    return read_response(response, witness, old, checkpoint)


def request_body(old: int, proof: Sequence[bytes], checkpoint: Note) -> bytes:
    """The body of the call: the old size, the consistency proof, a blank line and the signed checkpoint."""
    assert len(proof) <= PROOF_LIMIT, f"a proof of {len(proof)} hashes is longer than any tree needs"
    lines = [f"old {old}", *(b64encode(each).decode() for each in proof), ""]
    return "".join(f"{line}\n" for line in lines).encode() + checkpoint.encode()


def read_response(response: Response, witness: Witness, old: int, checkpoint: Note) -> Cosignatures | WitnessSize:
    """What the witness answers to a checkpoint that was sent with the proof from *old*."""
    name = quoted(witness.key.name, 60)
    if response.status == _OK:
        return Cosignatures(_cosignatures(response.body, witness, checkpoint))
    if response.status == _CONFLICT and response.content_type.partition(";")[0].strip().lower() == SIZE_TYPE:
        size = _SIZE.fullmatch(response.body)
        if size is None:
            raise WitnessGone(f"witness {name} answers with a size that does not read; nothing is cosigned")
        # A witness that refuses the very size it asks for would be asked for ever.
        if int(size[1]) != old:
            return WitnessSize(int(size[1]))
    if reason := _REASONS.get(response.status):
        raise NotWitnessed(f"witness {name} does not cosign: {reason}", status=response.status)
    raise WitnessGone(f"witness {name} answers with status {response.status}; nothing is cosigned")


def _cosignatures(body: bytes, witness: Witness, checkpoint: Note) -> tuple[Signature, ...]:
    name = quoted(witness.key.name, 60)
    try:
        signatures = parse_signatures(body.decode())
    except (BadNote, UnicodeDecodeError):
        raise WitnessGone(f"witness {name} answers with cosignatures that do not read") from None
    theirs = [each for each in signatures if (each.name, each.key_id) == (witness.key.name, witness.key.key_id)]
    if not theirs or not all(witness.key.verifies(checkpoint.text, each) for each in theirs):
        raise NotWitnessed(f"the answer of witness {name} has no valid cosignature of its key", status=_OK)
    return tuple(dict.fromkeys(theirs))


def _post(witness: Witness, body: bytes, timeout_s: float) -> Response:
    """One call within its time."""
    if not is_address(witness.address):
        told = quoted(witness.address.rpartition("@")[2], 60)  # what comes before may be a password
        raise Malformed(f"{told} is no address of a witness: expected https://HOST/PATH")
    address = witness.address.rstrip("/") + "/add-checkpoint"
    try:
        return call("POST", address, body, {"Content-Type": "text/plain; charset=utf-8"}, timeout_s)
    except CallFailed as failed:
        raise WitnessGone(f"witness {quoted(witness.key.name, 60)} {failed}") from None
