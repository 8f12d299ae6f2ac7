"""The rotation of a floor's key: everybody who writes is fenced off, and both keys sign where each writer had come.

The epoch of the fence is odd while a rotation is under way, and no floor opens then. So nobody who holds the old key
can write between the moment at which the ends of all writers are read and that at which the rotation is durable.
Whatever fails after that moment is told as such: the new key is the floor's by then, and must not be thrown away.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from punto.errors import KeyRotated, OutcomeUnknown, PuntoError, Refusal, RotationUnfinished
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
from punto.store.contract import Row, Store, Tip

_LONGEST_NAME: Final = 200
_NOTHING: Final = ": nothing was written"


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


def rotate(  # noqa: PLR0913 (a message that names the file of the new key)
    store: Store, old: Keys, new: LocalSigner, at_ms: int, by: str, *, kept: str = "the new key"
) -> Rotation:
    """Put a new key in the place of the floor's, on record; whoever writes with the old one is fenced off.

    *kept* is what messages call the new key: its file, where it has one.
    """
    check_name(by)
    epoch = _fence(store)
    try:
        history = History(store, old, rotating=True)
        rotation = _planned(history, new.public, at_ms, by)
        store.append(_rows(history, rotation, new), {KEY_FENCE: epoch})
    except OutcomeUnknown as error:
        _release(store)
        raise OutcomeUnknown(
            f"it is not known whether the rotation is on record: keep {kept}, and run the same command again; what "
            f"failed: {error.message}"
        ) from None
    except PuntoError as error:
        if not _release(store):
            shut = "until the same command has run again, no floor opens on this store"
            raise type(error)(f"{error.message}; {shut}", error.at) from None
        raise
    except BaseException:
        _release(store)
        raise
    with once_on_record(kept):
        store.claim(KEY_FENCE)
    return rotation


@contextmanager
def once_on_record(kept: str) -> Iterator[None]:
    """Say of whatever fails now that the rotation is on record, and that the new key, *kept*, is needed."""
    try:
        yield
    except PuntoError as error:
        raise RotationUnfinished(
            f"the rotation is on record: keep {kept}, make room or mend what else is in the way, and run the same "
            f"command again; what failed after the rotation: {error.message.removesuffix(_NOTHING)}"
        ) from None


def _planned(history: History, new: str, at_ms: int, by: str) -> Rotation:
    """The rotation that a history takes next."""
    history.coverage.check(KEYS)
    trust = history.coverage.trust
    if new in (trust.key, *trust.former):
        raise Refusal("the new key is one that the floor has or had: expected another")
    before, old = history.end(KEYS), history.keys.public
    return Rotation(
        number=before.version + 1,
        before=before.hash,
        old=old,
        new=new,
        first=trust.first,
        at_ms=at_ms,
        by=by,
        size=_last_size(history),
        writers=history.coverage.certified_by(old),
    )


def _rows(history: History, rotation: Rotation, new: LocalSigner) -> list[Row]:
    """What a rotation writes: a writer under the new key, the rotation that both keys have signed, and its head."""
    old = history.keys.signing
    assert isinstance(old, LocalSigner), "a rotation takes the old key itself"
    body = sign_rotation(rotation, old, new)
    writer = fresh_writer(new, rotation.at_ms)
    joining = joining_rows(writer, rotation.at_ms, history.end(CHECKPOINTS))
    before = history.end(KEYS)
    end = Tip(before.version + 1, link(before.hash, KEYS, before.version + 1, None, body))
    joined = Tip(joining[-1][1], joining[-1][4])
    head = head_row(writer, joined, rotation.at_ms, {KEYS: Move(before, end)})
    return [*joining, (KEYS, end.version, None, body, end.hash), head]


def _last_size(history: History) -> int:
    """How large the log was at the last checkpoint."""
    last = history.last(CHECKPOINTS)
    if last is None:
        return 0
    note = Note.parse(read_sequenced(last.body).note.encode())
    return Checkpoint.parse(note.text).size


def _fence(store: Store) -> int:
    """Keep everybody else from writing, and floors from opening; the epoch under which the rotation may write."""
    epoch = store.claim(KEY_FENCE)
    if epoch % 2 == 0:  # one before was cut short
        epoch = store.claim(KEY_FENCE)
    return epoch


def _release(store: Store) -> bool:
    """Let floors open again after a rotation that came to nothing; whether the store has taken that."""
    try:
        store.claim(KEY_FENCE)
    except PuntoError:
        return False
    return True
