"""The rotation of a floor's key: everybody who writes is fenced off, and both keys sign where each writer had come.

The epoch of the fence is odd while a rotation is under way, and no floor opens then. So nobody who holds the old key
can write between the moment at which the ends of all writers are read and that at which the rotation is durable.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from punto.errors import KeyRotated, Refusal
from punto.floor.history import History
from punto.floor.keys import Keys
from punto.floor.ownership import KEY_FENCE
from punto.proof.headlog import CHECKPOINTS, read_sequenced
from punto.proof.heads import Move, head_row, joining_rows
from punto.proof.notes import Checkpoint, Note
from punto.proof.rotations import KEYS, Rotation, sign_rotation
from punto.proof.signers import LocalSigner
from punto.proof.writers import fresh_writer
from punto.store.chain import link
from punto.store.contract import Store, Tip

_LONGEST_NAME: Final = 200


def is_rotated(store: Store, old: Keys, new: str) -> bool:
    """Whether the rotation is on record already, after a run that was cut short."""
    try:
        History(store, old, rotating=True)
    except KeyRotated as ended:
        if ended.new != new:
            raise
        return True
    return False


def check_name(by: str) -> None:
    """Refuse a rotation by nobody."""
    if not by.strip() or not by.isprintable() or len(by) > _LONGEST_NAME:
        raise Refusal("the rotation names nobody: expected one line with the name of whoever rotates the key")


def end_rotation(store: Store) -> bool:
    """Let floors open again after a rotation that was cut short; whether there was one."""
    under_way = store.epoch(KEY_FENCE) % 2 == 1
    if under_way:
        store.claim(KEY_FENCE)
    return under_way


def rotate(store: Store, old: Keys, new: LocalSigner, at_ms: int, by: str) -> Rotation:
    """Put a new key in the place of the floor's, on record; whoever writes with the old one is fenced off."""
    assert isinstance(old.signing, LocalSigner), "a rotation takes the old key itself"
    check_name(by)
    with _fenced(store) as epoch:
        history = History(store, old, rotating=True)
        history.coverage.check(KEYS)
        trust = history.coverage.trust
        if new.public in (trust.key, *trust.former):
            raise Refusal("the new key is one that the floor has or had: expected another")
        before = history.end(KEYS)
        rotation = Rotation(
            number=before.version + 1,
            before=before.hash,
            old=old.public,
            new=new.public,
            first=trust.first,
            at_ms=at_ms,
            by=by,
            size=_last_size(history),
            writers=history.coverage.certified_by(old.public),
        )
        body = sign_rotation(rotation, old.signing, new)
        writer = fresh_writer(new, at_ms)
        joining = joining_rows(writer, at_ms, history.end(CHECKPOINTS))
        end = Tip(before.version + 1, link(before.hash, KEYS, before.version + 1, None, body))
        joined = Tip(joining[-1][1], joining[-1][4])
        head = head_row(writer, joined, at_ms, {KEYS: Move(before, end)})
        store.append([*joining, (KEYS, end.version, None, body, end.hash), head], {KEY_FENCE: epoch})
    return rotation


def _last_size(history: History) -> int:
    """How large the log was at the last checkpoint."""
    last = history.last(CHECKPOINTS)
    if last is None:
        return 0
    note = Note.parse(read_sequenced(last.body).note.encode())
    return Checkpoint.parse(note.text).size


@contextmanager
def _fenced(store: Store) -> Iterator[int]:
    """Keep everybody else from writing, and floors from opening, as long as this takes."""
    epoch = store.claim(KEY_FENCE)
    if epoch % 2 == 0:  # one before was cut short
        epoch = store.claim(KEY_FENCE)
    try:
        yield epoch
    finally:
        store.claim(KEY_FENCE)
