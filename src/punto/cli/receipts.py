"""`punto verify` of a receipt: everything in it is worked out again, without asking anybody."""

import re
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import msgspec
from rich.text import Text

from punto.cli.entry import as_json as error_as_json
from punto.cli.entry import one_line
from punto.cli.files import read_text
from punto.cli.ink import console
from punto.cli.times import in_utc
from punto.cli.wire import encode
from punto.errors import BadNote, BadReceipt, BadSignature, BadUsage, PuntoError
from punto.proof.consistency import Consistency, check_against
from punto.proof.headlog import open_checkpoint
from punto.proof.notes import Checkpoint
from punto.proof.receipts import CODE, MARK, Claim, Receipt, read_receipt
from punto.rules.money import money

RIGHT = 0
WRONG = 1
_KEY = re.compile(r"[0-9a-f]{64}")
_WHAT = {
    "wager": "a stake of {cents} on {wager} was accepted",
    "stake": "the stake on {wager} was changed from {before} to {cents}",
    "ticket": "{cents} of credits became a ticket",
    "cash-out": "{cents} of credits were paid out",
}


class Outside(NamedTuple):
    """What a receipt is held against, as files and keys that somebody has."""

    checkpoint: str | None = None
    consistency: str | None = None
    keys: tuple[str, ...] = ()


def is_receipt(text: str) -> bool:
    """Whether a text means to be a receipt."""
    return text.lstrip().startswith((MARK.rpartition(" ")[0], CODE.rpartition(" ")[0]))


def check(name: str, text: str, outside: Outside, *, as_json: bool) -> int:
    """Say what a receipt proves, or what is wrong with it."""
    if not all(map(_KEY.fullmatch, outside.keys)):
        raise BadUsage("--key: expected the floor's public key, 64 hexadecimal digits")
    if outside.consistency is not None and outside.checkpoint is None:
        raise BadUsage("--consistency: expected --checkpoint with it")
    with _naming(name):
        receipt = read_receipt(text)
    proofs = [_consistency(outside.consistency)] if outside.consistency else []
    try:
        claim = receipt.check()
        held = _held(receipt, claim.check_keys(outside.keys), outside, proofs)
    except BadReceipt as error:
        return _tell_wrong(name, error, as_json=as_json)
    if as_json:
        told = msgspec.to_builtins(claim) | {"right": True, "against": held.size if held else 0}
        sys.stdout.write(encode(told) + "\n")
        return RIGHT
    out = console()
    out.print(Text(f"{name}: the receipt is right", style="green"))
    for what, said in _lines(claim, outside, held):
        out.print(Text(f"  {what:9} {one_line(said)}"), soft_wrap=True)
    return RIGHT


def _held(receipt: Receipt, keys: Collection[str], outside: Outside, proofs: list[Consistency]) -> Checkpoint | None:
    """The checkpoint from elsewhere, signed by one of these keys, that the receipt was held against and agrees with."""
    if outside.checkpoint is None:
        return None
    try:
        checkpoint = open_checkpoint(read_text(outside.checkpoint).encode(), keys)
    except BadNote as error:
        raise BadNote(f"{outside.checkpoint}: {error.message}", error.at) from None
    except BadSignature:
        said = "no checkpoint that the floor of this receipt has signed"
        raise BadSignature(
            f"{outside.checkpoint}: {said}: expected one, or --key for every key of that floor"
        ) from None
    check_against(receipt, checkpoint, proofs)
    return checkpoint


def _lines(claim: Claim, outside: Outside, held: Checkpoint | None) -> Iterator[tuple[str, str]]:
    what = _WHAT[claim.kind].format(
        cents=money(claim.cents), before=money(claim.from_cents), wager=claim.wager or f"wager {claim.number}"
    )
    yield "who", claim.patron if claim.by == claim.patron else f"{claim.patron} (entered by {claim.by})"
    yield "what", what
    yield "where", f"table {claim.table}" + (f", round {claim.round}" if claim.round else "")
    yield "when", in_utc(claim.at_ms)
    yield "seal", f"shoe {claim.shoe}: {claim.seal}" if claim.seal else "none: the cards were not virtual"
    yield "command", claim.command
    known = "" if outside.keys else ": compare it with the key that the floor publishes"
    yield "floor", f"{claim.signer_floor}{known}"
    yield "signed", f"head {claim.head} of {claim.writer}"
    if claim.checkpoint:
        yield "on record", f"included in the checkpoint of {claim.checkpoint} heads"
    else:
        yield "on record", "signed; the proof of inclusion follows with the next checkpoint: ask the floor for it again"
    if held is not None and outside.checkpoint is not None:
        yield "against", f"{outside.checkpoint}: the checkpoint of {held.size} heads agrees"


def _tell_wrong(name: str, error: PuntoError, *, as_json: bool) -> int:
    if as_json:
        sys.stdout.write(encode({"right": False} | error_as_json(error)) + "\n")
    else:
        console().print(Text(one_line(f"{name}: {error.message}"), style="red"), soft_wrap=True)
    return WRONG


def _consistency(name: str) -> Consistency:
    try:
        return Consistency.parse(read_text(name))
    except BadNote as error:
        raise BadNote(f"{name}: {error.message}", error.at) from None


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """What keeps a text from being a receipt is said with the name of its file."""
    try:
        yield
    except BadReceipt as error:
        raise BadReceipt(f"{name}: {error.message}", error.at) from None
